/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Inverses, roots and sines of balls, and balls beside intervals.
 *
 * Promise, as in ball.h: the ball holds the value for every number of the argument where the function is defined. Where
 * it may not be defined, or the argument is too large, the radius is infinite. Why: ball_functions.c. */

#ifndef TOI_NUMBER_BALL_FUNCTIONS_H
#define TOI_NUMBER_BALL_FUNCTIONS_H

#include "number/ball.h"
#include "number/interval.h"

toi_ball toi_ball_inverse(toi_ball a);
toi_ball toi_ball_root(toi_ball a);
void toi_ball_sin_cos(toi_ball a, toi_ball *sine, toi_ball *cosine);

/* Bounds of its numbers; a ball that holds an interval. */
toi_interval toi_ball_bounds(toi_ball a);
toi_ball toi_ball_around(toi_interval a);

/* No number is known. */
static inline toi_ball toi_ball_unknown(void) {
  return (toi_ball){{0, 0}, INFINITY};
}

#endif
