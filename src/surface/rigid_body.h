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

typedef struct toi_rigid_body {
  toi_taken_model taken; /* what `model` points to */
  const toi_model *model;
  const char *name; /* "first" or "second" */
  toi_rigid motion;
  bool spins;
  toi_wave turn;            /* by the spin, about the origin */
  double reach;             /* at least the distance of each control point from the axis through the centre; spinning */
  double extent;            /* roughly: of the largest patch */
  toi_model moved;          /* over the piece of time set last */
  double bend;              /* of that: what the turn adds to the errors, at the most over all patches */
  double rounding;          /* and the arithmetic */
  double velocity_rounding; /* likewise of velocities */
} toi_rigid_body;

/* Checks model and motion (NULL: at rest), and makes room for the moved patches. Free it after, also on failure. */
toi_status toi_rigid_body_make(toi_context *context, const toi_model *model, const toi_rigid *motion, const char *name,
                               toi_rigid_body *body);
void toi_rigid_body_free(toi_context *context, toi_rigid_body *body);

/* Moves the patches for [t0, t1], 0 <= t0 < t1, whose difference is a double. Beyond the range of doubles: an error. */
toi_status toi_rigid_body_move(toi_context *context, toi_rigid_body *body, double t0, double t1);

/* Likewise, but so that the moved patches are where the true motion has them in the middle of the piece of time, up to
 * turning->error; *turning is how they turn there (toi_turn), its centre at the start. False: they cannot be followed,
 * or moved. */
bool toi_rigid_body_pose(toi_rigid_body *body, double t0, double t1, toi_turn *turning);

/* Whether a piece of time of this length is short enough to follow the turn; longer ones are taken as the axis, grown
 * by the distance from it. */
bool toi_rigid_body_follows(const toi_rigid_body *body, double length);

/* Roughly: the length of time over which the turn of all bodies adds `bend` to the errors, for a small bend. */
double toi_rigid_body_length(const toi_rigid_body bodies[2], double bend);

#endif
