/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Numbers by midpoint and radius: all reals within r of x.
 *
 * Claim: the result of an operation holds what the operation gives for all real numbers in its arguments. Why: the
 * midpoint is rounded once, which u times its magnitude bounds (a sum that is subnormal is exact; LEAST covers a
 * product that is). Radii are sums and products of a few numbers that are not negative, and OUTWARD covers their
 * rounding, less than eight times u of them. Radii may be infinite; what is compared with NaN is false. */

#ifndef TOI_SOLVE_BALL_H
#define TOI_SOLVE_BALL_H

#include "number/interval.h"

#define TOI_BALL_OUTWARD (1 + 0x1p-40)
#define TOI_BALL_LEAST 0x1p-900

typedef struct toi_ball {
  double x, r;
} toi_ball;

static inline toi_ball toi_ball_add(toi_ball a, toi_ball b) {
  double x = a.x + b.x;
  return (toi_ball){x, (a.r + b.r + TOI_UNIT * fabs(x)) * TOI_BALL_OUTWARD};
}

static inline toi_ball toi_ball_sub(toi_ball a, toi_ball b) {
  return toi_ball_add(a, (toi_ball){-b.x, b.r});
}

static inline toi_ball toi_ball_mul(toi_ball a, toi_ball b) {
  double x = a.x * b.x, r = fabs(a.x) * b.r + fabs(b.x) * a.r + a.r * b.r;
  return (toi_ball){x, (r + TOI_UNIT * fabs(x)) * TOI_BALL_OUTWARD + TOI_BALL_LEAST};
}

static inline toi_ball toi_ball_scale(toi_ball a, double factor) {
  return toi_ball_mul(a, (toi_ball){factor, 0});
}

/* At least the magnitude of every number in it. */
static inline double toi_ball_most(toi_ball a) {
  return (fabs(a.x) + a.r) * TOI_BALL_OUTWARD;
}

/* At most every number in it. */
static inline double toi_ball_low(toi_ball a) {
  return toi_sum_down(a.x, -a.r);
}

/* All numbers from lo to hi, and `pad` beyond. */
static inline toi_ball toi_ball_hull(double lo, double hi, double pad) {
  double x = 0.5 * (lo + hi), r = hi - x > x - lo ? hi - x : x - lo;
  return (toi_ball){x, (r + pad + TOI_UNIT * fabs(x)) * TOI_BALL_OUTWARD};
}

static inline toi_ball toi_ball_of(toi_interval a) {
  double x = toi_interval_midpoint(a), above = toi_sum_up(a.hi, -x), below = toi_sum_up(x, -a.lo);
  return (toi_ball){x, above > below ? above : below};
}

#endif
