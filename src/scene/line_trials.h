/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The positions that a line search tries. */

#ifndef TOI_SCENE_LINE_TRIALS_H
#define TOI_SCENE_LINE_TRIALS_H

#include <toi/scene.h>

/* What the trials of a search depend on. */
typedef struct toi_line_trials {
  double t_max, fraction;
  toi_hit first;
  toi_scalar scalar;
} toi_line_trials;

/* Trial number `index`, as toi_line_trial_at() gives it. */
toi_line_trial toi_line_trial_number(const toi_line_trials *trials, uint32_t index);

/* The coordinate after a fraction of the step, as a number of the mesh's. */
double toi_line_trial_coordinate(toi_scalar scalar, double x0, double x1, double step, toi_rounding how);

#endif
