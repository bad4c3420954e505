/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Numbers by midpoint and radius: all reals within r of x.
 *
 * Claim: the result of an operation holds what the operation gives for all real numbers in its arguments. Why: the
 * midpoint is rounded once, which u times its magnitude bounds (a sum that is subnormal is exact; LEAST covers a
 * product that is). Radii are sums and products of a few numbers that are not negative, and OUTWARD covers their
 * rounding, less than eight times u of them. Radii may be infinite; what is compared with NaN is false. */

#ifndef TOI_SOLVE_MIDRAD_H
#define TOI_SOLVE_MIDRAD_H

#include "number/interval.h"

#define TOI_MIDRAD_OUTWARD (1 + 0x1p-40)
#define TOI_MIDRAD_LEAST 0x1p-900

typedef struct toi_midrad {
  double x, r;
} toi_midrad;

static inline toi_midrad toi_midrad_add(toi_midrad a, toi_midrad b) {
  double x = a.x + b.x;
  return (toi_midrad){x, (a.r + b.r + TOI_UNIT * fabs(x)) * TOI_MIDRAD_OUTWARD};
}

static inline toi_midrad toi_midrad_sub(toi_midrad a, toi_midrad b) {
  return toi_midrad_add(a, (toi_midrad){-b.x, b.r});
}

static inline toi_midrad toi_midrad_mul(toi_midrad a, toi_midrad b) {
  double x = a.x * b.x, r = fabs(a.x) * b.r + fabs(b.x) * a.r + a.r * b.r;
  return (toi_midrad){x, (r + TOI_UNIT * fabs(x)) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST};
}

static inline toi_midrad toi_midrad_scale(toi_midrad a, double factor) {
  double x = a.x * factor;
  return (toi_midrad){x, (fabs(factor) * a.r + TOI_UNIT * fabs(x)) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST};
}

/* A sum of up to fourteen products of numbers by midpoint and radius with doubles, rounded up once, at its end: its
 * midpoint is off by at most 15 u times the sum of the products' magnitudes, and as many times what underflows. */
typedef struct toi_midrad_sum {
  double x, r, size;
} toi_midrad_sum;

static inline void toi_midrad_accumulate(toi_midrad_sum *sum, toi_midrad a, double factor) {
  double product = a.x * factor;
  sum->x += product;
  sum->size += fabs(product);
  sum->r += fabs(factor) * a.r;
}

static inline toi_midrad toi_midrad_total(toi_midrad_sum sum) {
  return (toi_midrad){sum.x, (sum.r + 16 * TOI_UNIT * sum.size) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST};
}

/* At least the magnitude of every number in it. */
static inline double toi_midrad_most(toi_midrad a) {
  return (fabs(a.x) + a.r) * TOI_MIDRAD_OUTWARD;
}

/* At most every number in it. */
static inline double toi_midrad_low(toi_midrad a) {
  return toi_sum_down(a.x, -a.r);
}

/* All numbers from lo to hi, and `pad` beyond. */
static inline toi_midrad toi_midrad_hull(double lo, double hi, double pad) {
  double x = 0.5 * (lo + hi), r = hi - x > x - lo ? hi - x : x - lo;
  return (toi_midrad){x, (r + pad + TOI_UNIT * fabs(x)) * TOI_MIDRAD_OUTWARD};
}

static inline toi_midrad toi_midrad_of(toi_interval a) {
  double x = toi_interval_midpoint(a), above = toi_sum_up(a.hi, -x), below = toi_sum_up(x, -a.lo);
  return (toi_midrad){x, above > below ? above : below};
}

#endif
