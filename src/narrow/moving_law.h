/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of bodies one of which follows any motion (toi/motion.h): where both are, in twofold numbers and enclosed, and
 * the tables of the pair. */

#ifndef TOI_NARROW_MOVING_LAW_H
#define TOI_NARROW_MOVING_LAW_H

#include "motion/poses.h"
#include "narrow/moving_pair.h"

/* One body's motion over a step, under any law. */
typedef struct toi_body_law {
  const toi_motion *motion; /* NULL: */
  toi_poses poses;
  double from, to; /* the motion's times at the begin and at the end of the step */
} toi_body_law;

/* Scratch for one thread: what tapes need. */
typedef struct toi_law_desk {
  atomic_flag busy;
  const toi_motion *twin[2];
  toi_ball *balls;
  toi_taylor *models;
} toi_law_desk;

typedef struct toi_turn_law {
  toi_body_law body[2];
  toi_taylor_space space;
  uint32_t desk_count; /* 0: none is needed */
  toi_law_desk *desks;
} toi_turn_law;

/* Bytes of a law of these two bodies, and the law in them, aligned to 64. */
size_t toi_turn_law_bytes(const toi_moving_pair *pair);
toi_turn_law *toi_turn_law_make(const toi_moving_pair *pair, void *memory);

/* A body under a law other than that of a motion. */
void toi_body_law_of_poses(const toi_moving_body *body, toi_body_law *law);

/* A desk that no other thread has, until it is given back; NULL of laws that need none. */
toi_law_desk *toi_law_desk_take(const toi_turn_law *law);
void toi_law_desk_leave(toi_law_desk *desk);

/* Where a body is at a time of the step; over some of it, derivatives by the step's time. desk: of the law. */
void toi_body_law_ball(const toi_body_law *law, double t, toi_law_desk *desk, toi_motion_ball *ball);
void toi_body_law_jet(const toi_body_law *law, int body, toi_interval t, toi_law_desk *desk, toi_motion_jet *jet);

/* The largest distance of the bodies' origins over the step, or infinity. */
double toi_turn_law_far(const toi_turn_law *law);

/* The tables of a piece, with their bounds. */
void toi_turn_law_fit(const toi_moving_pair *pair, double from, double to, toi_turn_piece *piece);

#endif
