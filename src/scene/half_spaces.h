/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Vertices and half-spaces of a mesh: what the calls ask about them, beside the pairs of primitives. */

#ifndef TOI_SCENE_HALF_SPACES_H
#define TOI_SCENE_HALF_SPACES_H

#include "narrow/half_space.h"
#include "scene/mesh_call.h"

/* Some of them, on a thread. */
typedef struct toi_half_space_pairs {
  uint32_t thread;
  const toi_pair *pairs;
  size_t count;
} toi_half_space_pairs;

/* A vertex of the mesh's states and a half-space; without an end it rests. */
toi_half_space_query toi_half_space_query_of(toi_context *context, uint32_t thread, const toi_mesh *mesh,
                                             toi_pair pair);

/* Answers them as toi_mesh_call_answer() does, whatever the method: exactly, with the tightest brackets. Contacts after
 * `until` may be misses. */
toi_status toi_half_spaces_answer(const toi_mesh_call *call, double until, const toi_half_space_pairs *some,
                                  toi_hit *hits);

/* The distance of a pair at the start, and whether it is at most `reach` and the thickness of the vertex, their sum
 * rounded down: decided exactly. */
toi_status toi_half_space_close(const toi_mesh_call *call, uint32_t thread, toi_pair pair, double reach,
                                toi_distance *distance, bool *close);

/* A stencil of a pair, from its numbers. */
toi_status toi_half_space_stencil(const toi_mesh_call *call, uint32_t thread, toi_pair pair, toi_stencil *stencil);

#endif
