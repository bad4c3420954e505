/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The mesh of a body of a scene: in a file of its own, or written out. */

#ifndef TOI_IO_SWEEP_MESH_H
#define TOI_IO_SWEEP_MESH_H

#include "io/sweep_scene.h"

/* Vertices, faces and edges are kept in the store. */
toi_status toi_sweep_mesh_read(const toi_tree *tree, toi_sweep_store *store, const toi_json_node *node, toi_mesh *mesh);

#endif
