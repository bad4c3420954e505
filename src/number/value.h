/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Values of functions on the way to an interval: a number known within an error, as the sum of two doubles.
 *
 * Claim: value_sum and value_sum_ordered leave no error; value_product_error is off by at most 2^-104 |ab|, away from
 * under- and overflow; value_bounds encloses, if the error given covers the roundings of lo -+ error too. Why, of the
 * product: let a, b be integers of 53 bits, as scaling by powers of two changes nothing. ag and bg, their first 26
 * bits, are multiples of 2^27, and ae, be, what is left, below 2^27. p is a multiple of 2^52, as |ab| >= 2^104, and
 * within 2^52 of ab. ag bg - p = (ab - p) - ag be - ae b is a multiple of 2^52 below 2^82: exact. With ag be it is (ab
 * - p) - ae b, a multiple of 2^27 below 2^80: exact. With ae bg it is (ab - p) - ae be, likewise. ae be has 54 bits and
 * rounds by 1 at most; and what comes then is an integer within 2^52 + 1: exact. */

#ifndef TOI_NUMBER_VALUE_H
#define TOI_NUMBER_VALUE_H

#include "number/interval.h"

/* A number within `error` of hi + lo. */
typedef struct value {
  double hi, lo, error;
} value;

/* a + b, rounded, and what the rounding left. */
static inline double value_sum(double a, double b, double *error) {
  double s = a + b, t = s - a;
  *error = (a - (s - t)) + (b - t);
  return s;
}

/* The same, if |a| >= |b| or a = 0. */
static inline double value_sum_ordered(double a, double b, double *error) {
  double s = a + b;
  *error = b - (s - a);
  return s;
}

/* The first 26 bits. */
static inline double value_front(double x) {
  return toi_from_bits(toi_bits(x) & ~((UINT64_C(1) << 27) - 1));
}

/* ab - p, where p is ab rounded. */
static inline double value_product_error(double a, double b, double p) {
  double ag = value_front(a), bg = value_front(b), ae = a - ag, be = b - bg;
  return ((ag * bg - p) + ag * be + ae * bg) + ae * be;
}

/* a + b, rounded down as toi_sum_down() does. Which way it rounds is a toss, so no branch depends on it; a sum of zero
 * is exact. */
static inline double value_sum_down(double a, double b) {
  double left, s = value_sum(a, b, &left);
  uint64_t outward = 2 * (uint64_t)(s < 0) - 1;
  return toi_from_bits(toi_bits(s) + (left < 0) * outward);
}

static inline toi_interval value_bounds(value a) {
  return (toi_interval){value_sum_down(a.hi, a.lo - a.error), -value_sum_down(-a.hi, -(a.lo + a.error))};
}

/* Sine and cosine, each within its error, which covers the roundings of lo -+ it: trigonometry.c. |lo| <= u |hi|. False
 * beyond TOI_ANGLE_MOST. */
bool toi_sin_cos_values(double x, value *sine, value *cosine);

#endif
