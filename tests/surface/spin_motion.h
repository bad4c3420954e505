/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The motion that most tests of rigid motion use: a spin about an axis through a centre, which moves on. */

#ifndef TESTS_SURFACE_SPIN_MOTION_H
#define TESTS_SURFACE_SPIN_MOTION_H

#include <toi/surface.h>

typedef struct spin_motion {
  double velocity[3], spin[3], centre[3];
} spin_motion;

/* NULL: rest; destroy what is made. */
static inline toi_status spin_make(toi_context *context, const spin_motion *given, toi_motion **motion) {
  *motion = NULL;
  toi_status status = given ? toi_motion_create(context, motion) : TOI_OK;
  if (status == TOI_OK && given)
    status = toi_motion_spin(*motion, given->spin, given->centre);
  return status == TOI_OK && given ? toi_motion_move(*motion, NULL, given->velocity) : status;
}

/* As toi_rigid_pair(). */
static inline toi_status spin_pair(toi_context *context, const toi_model *a, const spin_motion *motion_a,
                                   const toi_model *b, const spin_motion *motion_b, const toi_surface_options *options,
                                   toi_surface_hit *hit) {
  toi_motion *first = NULL, *second = NULL;
  if (hit)
    *hit = (toi_surface_hit){.verdict = TOI_NEAR};
  toi_status status = spin_make(context, motion_a, &first);
  if (status == TOI_OK)
    status = spin_make(context, motion_b, &second);
  if (status == TOI_OK)
    status = toi_rigid_pair(context, a, first, b, second, options, hit);
  toi_motion_destroy(first);
  toi_motion_destroy(second);
  return status;
}

#endif
