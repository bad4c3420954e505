/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One thread of a search: it traverses the trees of one pair of bodies at a time. */

#ifndef TOI_SCENE_RIGID_WORKER_H
#define TOI_SCENE_RIGID_WORKER_H

#include "scene/rigid_search.h"

/* Two nodes of two bodies, and the pieces of the step in which they may meet. */
typedef struct toi_rigid_task {
  size_t pair; /* its number */
  toi_body_node node[2];
  uint64_t mask;
  int divided; /* which of the two was, to make this one */
} toi_rigid_task;

/* Queries wait here until there are enough of them: vertex-face both ways, edge-edge, vertex-edge both ways,
 * vertex-vertex. */
enum { TOI_RIGID_SLOTS = 6, TOI_RIGID_BLOCK = 64 };

typedef struct toi_rigid_slot {
  size_t count;
  toi_pair pairs[TOI_RIGID_BLOCK];
} toi_rigid_slot;

struct toi_rigid_worker {
  toi_rigid_search *search;
  size_t pair; /* SIZE_MAX: none */
  uint32_t bodies[2];
  const toi_rigid_part *part[2];
  toi_swept_table table[2];   /* the first body seen from the second; the second from the first */
  toi_moving_pair *moving[2]; /* made when the first query comes: NULL until then */
  toi_rigid_slot slots[TOI_RIGID_SLOTS];
  double queries[TOI_RIGID_BLOCK * 12];
  toi_hit hits[TOI_RIGID_BLOCK];
  size_t leaves, asked[TOI_KIND_COUNT];
};

void toi_rigid_worker_begin(toi_rigid_worker *worker, toi_rigid_search *search);
void toi_rigid_worker_end(toi_rigid_worker *worker);

/* Turns to a pair of bodies. */
toi_status toi_rigid_worker_turn(toi_rigid_worker *worker, uint32_t thread, toi_pair bodies, size_t pair);

/* Leaves out pieces in which the nodes are apart; false if none is left. */
bool toi_rigid_task_meets(toi_rigid_worker *worker, toi_rigid_task *task);

/* The larger node is divided. They are not both leaves. */
void toi_rigid_task_split(const toi_rigid_worker *worker, const toi_rigid_task *task, toi_rigid_task child[2]);

/* Traverses everything below the task, and answers its queries. */
toi_status toi_rigid_worker_run(toi_rigid_worker *worker, uint32_t thread, const toi_rigid_task *task);

#endif
