/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A guess in doubles, improved once in twofold numbers, and then measured:
 * - inverse: y is off by |1/a - y| = |1 - a y| / |a|, and 1 - a y is known as a ball;
 * - root: |sqrt(a) - y| = |a - y^2| / (sqrt(a) + y) <= |a - y^2| / y;
 * - sines: with k the nearest whole number to a / (pi/2), a - k pi/2 is a ball of at most pi/4 + 2^-20, the twofold
 *   number below being off pi/2 by less than 2^-108; sine and cosine are off by 64 u^2 (twofold_sine.h, whose series
 *   are odd and even), and change by no more than their argument.
 * Radii are rounded up by TOI_BALL_OUTWARD as in ball.h. */

#include "number/ball_functions.h"

#include "number/trigonometry.h"
#include "number/twofold_sine.h"

/* Angles beyond are enclosed in doubles. */
#define TWOFOLD_ANGLE_MOST 0x1p20

/* What all numbers of a ball are at least and at most away from 0. */
static double least_of(toi_ball a) {
  return fabs(a.x.hi) * (1 - 0x1p-50) - a.r;
}

static double most_of(toi_ball a) {
  return (fabs(a.x.hi) * (1 + 0x1p-50) + a.r) * TOI_BALL_OUTWARD;
}

toi_ball toi_ball_inverse(toi_ball a) {
  const double least = least_of(a);
  if (!(least > 0x1p-400) || !(most_of(a) < 0x1p200))
    return toi_ball_unknown();
  toi_ball y = toi_ball_of(1 / a.x.hi);
  for (int step = 0; step < 2; step++) {
    const toi_ball rest = toi_ball_sub(toi_ball_of(1), toi_ball_mul((toi_ball){a.x, 0}, y));
    y.x = twofold_add(y.x, twofold_of(rest.x.hi * y.x.hi));
  }
  const toi_ball rest = toi_ball_sub(toi_ball_of(1), toi_ball_mul(a, y));
  y.r = most_of(rest) / least * TOI_BALL_OUTWARD;
  return y;
}

toi_ball toi_ball_root(toi_ball a) {
  if (!(least_of(a) > 0x1p-400) || !(a.x.hi > 0) || !(most_of(a) < 0x1p200))
    return toi_ball_unknown();
  toi_ball y = toi_ball_of(sqrt(a.x.hi));
  for (int step = 0; step < 2; step++) {
    const toi_ball rest = toi_ball_sub((toi_ball){a.x, 0}, toi_ball_mul(y, y));
    y.x = twofold_add(y.x, twofold_of(rest.x.hi / (2 * y.x.hi)));
  }
  const toi_ball rest = toi_ball_sub(a, toi_ball_mul(y, y));
  y.r = most_of(rest) / (y.x.hi * (1 - 0x1p-50)) * TOI_BALL_OUTWARD;
  return y;
}

void toi_ball_sin_cos(toi_ball a, toi_ball *sine, toi_ball *cosine) {
  static const toi_ball quarter = {{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}, 0x1p-108};
  if (!(fabs(a.x.hi) <= TWOFOLD_ANGLE_MOST) || !(a.r < 1)) {
    toi_interval s, c;
    toi_interval_sin_cos(toi_ball_bounds(a), &s, &c);
    *sine = toi_ball_around(s);
    *cosine = toi_ball_around(c);
    return;
  }
  const double turns = rint(a.x.hi * (1 / 0x1.921fb54442d18p+0));
  const toi_ball left = turns == 0 ? a : toi_ball_sub(a, toi_ball_mul(toi_ball_of(turns), quarter));
  toi_ball s = {{0, 0}, 0}, c = s;
  twofold_sin_cos(left.x, &s.x, &c.x);
  s.r = c.r = (left.r + 64 * 0x1p-106) * TOI_BALL_OUTWARD;
  // Nothing is lost where nothing turns.
  if (left.x.hi == 0 && left.r == 0)
    s.r = c.r = 0;
  const int quadrant = (int)((int64_t)turns & 3);
  *sine = quadrant % 2 == 0 ? s : c;
  *cosine = quadrant % 2 == 0 ? c : s;
  if (quadrant >= 2)
    *sine = toi_ball_negate(*sine);
  if (quadrant == 1 || quadrant == 2)
    *cosine = toi_ball_negate(*cosine);
}

toi_interval toi_ball_bounds(toi_ball a) {
  if (!(a.r < INFINITY) || !isfinite(a.x.hi))
    return toi_interval_whole();
  const double error = toi_sum_up(fabs(a.x.lo), a.r);
  return toi_interval_around(a.x.hi, error);
}

toi_ball toi_ball_around(toi_interval a) {
  const double middle = toi_interval_midpoint(a);
  if (!isfinite(a.lo) || !isfinite(a.hi))
    return toi_ball_unknown();
  return (toi_ball){{middle, 0}, fmax(toi_sum_up(a.hi, -middle), toi_sum_up(middle, -a.lo))};
}
