/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which primitives of turning bodies may touch, and when they do: trees of two bodies are traversed together, with the
 * pieces of the step in which their boxes may meet as a set of bits, and what is left is answered.
 *
 * Claim: a search over some pieces answers, once, every pair of primitives of bodies that may collide which touch at a
 * time in them that is not after the limit. Why: nodes, primitives and triangles are only left out of pieces in which
 * they are proved apart (swept_table.h); a pair of bodies is only left out if the boxes of their paths are disjoint;
 * and a vertex or an edge that touches is part of the primitive that owns it, which then is not apart either.
 *
 * The work is cut into tasks before the threads begin, by the trees alone. */

#ifndef TOI_SCENE_RIGID_SEARCH_H
#define TOI_SCENE_RIGID_SEARCH_H

#include <stdatomic.h>

#include "narrow/rotating.h"
#include "scene/rigid_scene.h"

/* A call on a scene: what was asked. */
typedef struct toi_rigid_call {
  toi_rigid_scene *scene;
  toi_context *context;
  toi_options options;
  toi_mesh_options on_mesh;
  toi_moving_body *bodies; /* that go the shorter way */
  toi_body_samples *samples;
  toi_counters *counters; /* one for each thread */
} toi_rigid_call;

/* Takes what the caller gave. End it, whatever it returned. */
toi_status toi_rigid_call_begin(toi_rigid_call *call, toi_rigid_scene *scene, const toi_moving_body *bodies,
                                size_t count, const toi_options *options);
void toi_rigid_call_end(toi_rigid_call *call);

/* Bodies at work on a thread. */
typedef struct toi_rigid_worker toi_rigid_worker;

/* An answer that is no miss: the worker can answer the same query otherwise while the consumer runs. */
typedef struct toi_rigid_found {
  toi_rigid_impact impact;
  toi_rigid_worker *worker;
  const double *query;
} toi_rigid_found;

typedef toi_status (*toi_rigid_consumer)(void *user, uint32_t thread, const toi_rigid_found *found);

/* The hit of `exact` for what was found, where integers decide it; else the hit that it has. */
toi_status toi_rigid_found_exactly(const toi_rigid_found *found, uint32_t thread, toi_hit *hit);

typedef struct toi_rigid_search {
  const toi_rigid_call *call;
  int begin, end;       /* pieces */
  _Atomic double limit; /* nothing later is wanted; may be lowered meanwhile */
  toi_rigid_consumer consume;
  void *user;
  double done_before, done_share; /* of the caller's progress */

  toi_work work; /* what was done: queries by kind, under face-face the pairs of primitives whose boxes meet */
} toi_rigid_search;

toi_status toi_rigid_search_run(toi_rigid_search *search);

/* The order of contacts at the same time: kind, bodies, numbers; < 0, 0, > 0. */
int toi_rigid_order(const toi_rigid_impact *a, const toi_rigid_impact *b);

#endif
