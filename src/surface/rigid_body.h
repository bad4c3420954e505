/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A model in rigid motion, over a piece of time as a model in linear motion.
 *
 * Claim: over [t0, t1] what is meant by the moved patches, at the time t - t0, is the model in its true motion at the
 * time t: each point of it is within error + (t - t0) velocity_error of the linear one's. Why: rigid_body.c. */

#ifndef TOI_SURFACE_RIGID_BODY_H
#define TOI_SURFACE_RIGID_BODY_H

#include "motion/stage.h"
#include "surface/surface.h"

/* An affine map in doubles, and how far the true one's entries may be from them. */
typedef struct toi_rounded_map {
  toi_affine map;
  double error, most;             /* of the matrix: its entries' errors and magnitudes, at the most */
  double shift_error, shift_most; /* likewise of the shift */
} toi_rounded_map;

typedef struct toi_rigid_body {
  toi_taken_model taken; /* what `model` points to */
  const toi_model *model;
  const char *name;         /* "first" or "second" */
  const toi_motion *motion; /* checked; NULL: rest */
  toi_wave rest;            /* what `wave` points to then */
  const toi_wave *wave;     /* the motion, if it is one of a constant rate; else NULL */
  toi_rounded_map swing;    /* of a wave that turns: as far as a point is from the axis, its image is from the origin */
  bool shifts;              /* nothing turns: the motion is linear */
  double rate;              /* at least the angle for each unit of time; 0: not of a constant rate */
  double velocity[3];       /* of the axis, rounded */
  double speed;             /* roughly: of its points beside that, at the most */
  double acceleration;      /* likewise */
  double reach;             /* roughly: of control points from the axis, or from the origin, at the most */
  double extent;            /* roughly: of the largest patch */
  toi_model moved;          /* over the piece of time set last */
  bool followed;            /* its turn is; else it was too long */
  double bend;              /* what the turn adds to the errors there, at the most over all patches */
  double rounding;          /* and the arithmetic */
  double velocity_rounding; /* likewise of velocities */
} toi_rigid_body;

/* Checks model and motion (NULL: at rest), up to t_max, and makes room for the moved patches; its name was set, all
 * else is zero. Free it after, also on failure. */
toi_status toi_rigid_body_make(toi_context *context, const toi_model *model, const toi_motion *motion, double t_max,
                               toi_rigid_body *body);
void toi_rigid_body_free(toi_context *context, toi_rigid_body *body);

/* Moves the patches for [t0, t1], 0 <= t0 < t1, whose difference is a double. Beyond the range of doubles: an error.
 * What is not known about the motion over so long a time may leave an infinite bend; the patches are none then. */
toi_status toi_rigid_body_move(toi_context *context, toi_rigid_body *body, double t0, double t1);

/* Whether toi_rigid_body_pose can be asked: the body spins and drifts, or shifts. */
bool toi_rigid_body_can_pose(const toi_rigid_body *body);

/* As move, but so that the moved patches are where the true motion has them in the middle of the piece of time, up to
 * turning->error; *turning is how they turn there (toi_turn), its centre at the start. False: they cannot be followed,
 * or moved. */
bool toi_rigid_body_pose(toi_rigid_body *body, double t0, double t1, toi_turn *turning);

/* Roughly: the length of time over which the motion of both bodies adds `bend` to the errors, for a small bend. */
double toi_rigid_body_length(const toi_rigid_body bodies[2], double bend);

#endif
