/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Balls: a twofold number with a radius, for signs that doubles cannot tell.
 *
 * A ball (x, r) stands for every real number within r of x = hi + lo. Operations on balls give balls that hold the
 * results for all numbers of their arguments.
 *
 * Claim: the radii below suffice, for centres below 2^200 in magnitude.
 * Why, with u = 2^-53 and the errors of twofold.h: |x| <= |hi| (1 + u).
 *   sum      r = ra + rb + 3 u^2 (|a| + |b|) (1 + 4u); computed with 4 u^2, which covers (1 + u)(1 + 4u).
 *   product  |a| rb + |b| ra + ra rb + 8 u^2 |a b| (1 + 8u); computed with 9 u^2. Underflow: twofold_mul is exact as
 *            stated where products are 0 or at least 2^-960; below that, each of its operations (fewer than 16, none on
 *            values above 2^200) is off by at most 2^-1074 2^227 more: together less than TOI_BALL_TINY = 2^-800.
 * A radius is a sum of at most four terms, each with at most two roundings: the factor 1 + 2^-49 covers these, and its
 * own. */

#ifndef TOI_NUMBER_BALL_H
#define TOI_NUMBER_BALL_H

#define TOI_LANES 1
#include "number/twofold.h"

#define TOI_BALL_TINY 0x1p-800
#define TOI_BALL_OUTWARD (1 + 0x1p-49)

typedef struct toi_ball {
  twofold x;
  double r;
} toi_ball;

static inline toi_ball toi_ball_of(double x) {
  return (toi_ball){{x, 0}, 0};
}

static inline toi_ball toi_ball_add(toi_ball a, toi_ball b) {
  double r = (a.r + b.r) + 0x4p-106 * (fabs(a.x.hi) + fabs(b.x.hi));
  return (toi_ball){twofold_add(a.x, b.x), r * TOI_BALL_OUTWARD};
}

static inline toi_ball toi_ball_negate(toi_ball a) {
  return (toi_ball){twofold_negate(a.x), a.r};
}

static inline toi_ball toi_ball_sub(toi_ball a, toi_ball b) {
  return toi_ball_add(a, toi_ball_negate(b));
}

static inline toi_ball toi_ball_mul(toi_ball a, toi_ball b) {
  double x = fabs(a.x.hi), y = fabs(b.x.hi);
  double r = ((x + a.r) * b.r + y * a.r) + (0x9p-106 * (x * y) + TOI_BALL_TINY);
  return (toi_ball){twofold_mul(a.x, b.x), r * TOI_BALL_OUTWARD};
}

/* |a|: a number's magnitude is off by no more than the number. */
static inline toi_ball toi_ball_abs(toi_ball a) {
  return a.x.hi < 0 ? toi_ball_negate(a) : a;
}

/* 1 or -1 if all numbers of the ball have that sign; 0: not known. |lo| <= u |hi|. */
static inline int toi_ball_sign(toi_ball a) {
  return fabs(a.x.hi) * (1 - 0x1p-50) > a.r ? (a.x.hi > 0 ? 1 : -1) : 0;
}

static inline toi_ball toi_ball_dot(const toi_ball a[3], const toi_ball b[3]) {
  toi_ball sum = toi_ball_add(toi_ball_mul(a[0], b[0]), toi_ball_mul(a[1], b[1]));
  return toi_ball_add(sum, toi_ball_mul(a[2], b[2]));
}

static inline void toi_ball_cross(const toi_ball a[3], const toi_ball b[3], toi_ball out[3]) {
  for (int axis = 0; axis < 3; axis++) {
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    out[axis] = toi_ball_sub(toi_ball_mul(a[i], b[j]), toi_ball_mul(a[j], b[i]));
  }
}

#endif
