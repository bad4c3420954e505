/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the calls on whole meshes share: the check of what they were given, and lists of edges. */

#ifndef TOI_BROAD_MESH_H
#define TOI_BROAD_MESH_H

#include <toi/broad.h>

/* Everything toi_mesh_check() looks at but the list of edges itself: O(n), on all threads, nothing allocated. */
toi_status toi_mesh_check_values(toi_context *context, const toi_mesh *mesh);

typedef struct toi_edge_lists {
  const uint32_t (*faces)[3];
  size_t face_count;
  const uint32_t (*loose)[2];
  size_t loose_count;
} toi_edge_lists;

/* Edges as numbers j * 2^32 + i, i < j, in ascending order, as often as faces and loose edges have them; i == j is left
 * out. The array belongs to the context; NULL if count is 0. */
typedef struct toi_edge_keys {
  uint64_t *keys;
  size_t count;
  size_t room; /* allocated */
} toi_edge_keys;

toi_status toi_edge_keys_make(toi_context *context, const toi_edge_lists *lists, toi_edge_keys *keys);
void toi_edge_keys_free(toi_context *context, toi_edge_keys *keys);

static inline uint64_t toi_edge_key(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)b << 32 | a : (uint64_t)a << 32 | b;
}

#endif
