/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Lists of edges. */

#ifndef TOI_BROAD_EDGES_H
#define TOI_BROAD_EDGES_H

#include <toi/broad.h>

typedef struct toi_edge_lists {
  const uint32_t (*faces)[3];
  size_t face_count;
  const uint32_t (*loose)[2];
  size_t loose_count;
} toi_edge_lists;

/* Unique edges in order, as toi_mesh_edges() gives them; freed with toi_mesh_edges_free(). */
typedef struct toi_edge_list {
  uint32_t (*pairs)[2];
  size_t count;
} toi_edge_list;

toi_status toi_edges_make(toi_context *context, const toi_edge_lists *lists, toi_edge_list *edges);

/* The same by sorting, for any numbers up to `largest`; there is an edge. */
toi_status toi_edges_make_sparse(toi_context *context, const toi_edge_lists *lists, uint32_t largest,
                                 toi_edge_list *edges);

/* Where a mesh lists no edges, those of its faces: the mesh gets them, and *found holds what is to be freed. */
toi_status toi_edges_find(toi_context *context, toi_mesh *mesh, toi_edge_list *found);

/* TOI_OK, or what is wrong: the edges that a mesh lists are to be there once each, and those of its faces among them.
 */
toi_status toi_edges_check(toi_context *context, const toi_mesh *mesh);

/* An edge as a number that is ordered as edges are. */
static inline uint64_t toi_edge_key(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)b << 32 | a : (uint64_t)a << 32 | b;
}

#endif
