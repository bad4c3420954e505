/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The number of an edge by its two vertices. */

#ifndef TOI_SCENE_EDGE_INDEX_H
#define TOI_SCENE_EDGE_INDEX_H

#include "base/internal.h"

#include <toi/narrow.h>

#define TOI_NO_EDGE UINT32_MAX

/* Edges in the order of their larger, then smaller vertices: as toi_mesh_edges() lists them, or sorted here. */
typedef struct toi_edge_index {
  toi_context *context;
  const uint32_t (*edges)[2];
  size_t edge_count, vertex_count;
  uint32_t *begins;  /* of each larger vertex, where its edges begin; vertex_count + 1 of them */
  uint32_t *numbers; /* of the edges in that order; NULL: they are in it as they stand */
} toi_edge_index;

/* Takes 4 bytes per vertex, and 4 per edge if they are not in order; twice that meanwhile. End it if it succeeded. */
toi_status toi_edge_index_make(toi_context *context, const toi_mesh *mesh, toi_edge_index *index);
void toi_edge_index_end(toi_edge_index *index);

/* The edge of two vertices, the first of several, or TOI_NO_EDGE. */
uint32_t toi_edge_number(const toi_edge_index *index, uint32_t a, uint32_t b);

#endif
