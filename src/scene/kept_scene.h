/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a scene keeps between calls: its own copy of the connectivity, memory for the vertices, and the near pairs. */

#ifndef TOI_SCENE_KEPT_SCENE_H
#define TOI_SCENE_KEPT_SCENE_H

#include "broad/edges.h"
#include "scene/edge_index.h"
#include "scene/mesh_call.h"
#include "scene/near_pairs.h"

struct toi_scene {
  toi_context *context;
  toi_mesh mesh;       /* connectivity, bodies and thickness, copied; no states */
  toi_edge_list found; /* edges found here */
  toi_scene_buffer buffer;
  toi_near_pairs near;
  toi_edge_index index; /* of the edges, once it was needed */
};

/* Copies and checks a topology: *mesh holds the copies, which toi_topology_free() frees, whatever this returns. */
toi_status toi_topology_copy(toi_context *context, const toi_topology *given, toi_mesh *mesh);
void toi_topology_free(toi_context *context, toi_mesh *mesh);

/* The memory that the scene keeps; it has none until it is given back. */
toi_scene_buffer toi_scene_lend(toi_scene *scene);
void toi_scene_take_back(toi_scene *scene, toi_scene_buffer buffer);

#endif
