/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Intervals of real numbers with outward rounding, and the directed roundings they are made of.
 *
 * An interval is the set of real numbers x with lo <= x <= hi. It is never empty: lo <= hi, lo < infinity and
 * hi > -infinity; an infinite end means that there is no bound on that side. NaN is no end of an interval. The sign of
 * a zero end means nothing.
 *
 * Promise: valid intervals give valid intervals, and whatever numbers are taken from the arguments, the result of the
 * operation on them lies in the result. Ends of add and sub are the tightest: lo is the largest double at or below the
 * exact set, hi the smallest at or above. Ends of mul, square, div and sqrt are the tightest or, where the exact one is
 * no double, possibly the next double beyond. So what is exactly a double stays exact: small integers, products with
 * powers of two, zeros. The ends are the same bits on every machine.
 *
 * Assumed: the mode of toi_float_mode in base/internal.h, round to nearest even and subnormal numbers kept, which the
 * library establishes where it is entered. The mode is never changed here.
 *
 * Claim: toi_..._down(a, b) is a lower bound of the exact result, as tight as just said; toi_..._up an upper bound.
 * Why: a result r rounded to nearest has the exact one between its neighbours. If it is known that r errs to the
 * outside or not at all, r is the bound; otherwise the next double outward is. Let u = 2^-53.
 *
 *   Sum. Let |a| >= |b| and s = a + b, rounded. Then s - a is a double, so that it is computed exactly, and a + b < s
 *   just if b < s - a. Proof by Sterbenz: x - y is a double if y/2 <= x <= 2y.
 *     Same signs: |a| <= |s| <= 2|a|, so Sterbenz holds for s and a.
 *     Opposite signs, |b| >= |a|/2: Sterbenz holds for a and -b, so s = a + b and s - a = b.
 *     Opposite signs, |b| < |a|/2: |a + b| lies between |a|/2 and |a|. Either a/2 is a double; then s too lies there,
 *     and Sterbenz holds for s and a. Or |a| < 2^-1021, and a + b, a multiple of 2^-1074 below 2^-1021, is a double.
 *   If the sum overflows to infinity, that exceeds the exact one: the next double below, the largest, is the bound.
 *
 *   Product, quotient, square root. A normal double is called long if one of the last 26 of its 53 significant bits is
 *   set: it is then a power of two times an odd integer above 2^27. The product of two long numbers has an odd part
 *   above 2^54 and is no double. So if a and b are long, ab is not exact; if q and b are long, q = a / b is not exact,
 *   as a = qb would be no double; if q is long, q^2 is not its argument. In these cases the neighbour is taken at once.
 *   All others, exact ones among them, go to interval.c, which finds the sign of the error. (A subnormal operand may
 *   look long without being so; then an exact result may be widened.)
 *
 *   Neighbours. For 2^e <= |r| < 2^(e+1), e >= -960, the doubles next to r outward from zero are U = 2u 2^e away, those
 *   inward as well, or U/2 if |r| = 2^e. Let c = |r| u(1 + 2u), rounded. As |r| u(1 + 2u) >= U/2 (1 + 2u), c > U/2; as
 *   |r| <= 2^(e+1) (1 - u), |r| u(1 + 2u) < U (1 + u), and c <= U. So r + c and r - c round to the neighbours; if
 *   |r| = 2^e, c = U/2 (1 + 2u), which rounds to the inward one as well. */

#ifndef TOI_NUMBER_INTERVAL_H
#define TOI_NUMBER_INTERVAL_H

#include "base/internal.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* --- a double as sign, exponent and significand --- */

static inline uint64_t toi_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double toi_from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* 2 to a power from -1022 to 1023. */
static inline double toi_power_of_two(int power) {
  return toi_from_bits((uint64_t)(power + 1023) << 52);
}

/* The exponent that frexp() gives, of x that is neither 0 nor infinite nor NaN. */
static inline int toi_exponent_of(double x) {
  const int biased = (int)(toi_bits(x) >> 52 & 0x7ff);
  int exponent = biased - 1022;
  if (biased == 0)
    (void)frexp(x, &exponent);
  return exponent;
}

/* Whether one of the last 26 bits is set: see above. */
static inline bool toi_is_long(double x) {
  return (toi_bits(x) & ((UINT64_C(1) << 26) - 1)) != 0;
}

/* The unit roundoff of doubles. */
#define TOI_UNIT 0x1p-53

/* Where the neighbours of r are r -+ |r| TOI_NEIGHBOUR, rounded. */
#define TOI_NEIGHBOUR 0x1.0000000000001p-53
static inline bool toi_has_neighbours(double r) {
  return fabs(r) >= 0x1p-960 && fabs(r) <= DBL_MAX;
}

/* The next double below, the largest one below infinity; x is not -infinity. */
static inline double toi_next_down(double x) {
  uint64_t bits = toi_bits(x);
  if (x == 0)
    return -0x1p-1074;
  return toi_from_bits(x < 0 ? bits + 1 : bits - 1);
}

static inline double toi_next_up(double x) {
  return -toi_next_down(-x);
}

/* --- directed rounding. Lower bounds may be -infinity, never +infinity: an argument is infinite only where the exact
 * result then is -infinity, or zero. Zero times infinity is zero, as infinity is no member of an interval. --- */

/* The tightest bounds, for any operands. */
double toi_product_down_exactly(double a, double b);
double toi_quotient_down_exactly(double a, double b);
double toi_sqrt_down_exactly(double x);
double toi_sqrt_up_exactly(double x);

/* x 2^k; the tightest. */
double toi_scale_down(double x, int k);

static inline double toi_sum_down(double a, double b) {
  double s = a + b;
  bool ordered = fabs(a) >= fabs(b);
  double large = ordered ? a : b, small = ordered ? b : a;
  return small < s - large ? toi_next_down(s) : s;
}

static inline double toi_product_down(double a, double b) {
  double p = a * b;
  if (toi_is_long(a) && toi_is_long(b) && toi_has_neighbours(p))
    return p - fabs(p) * TOI_NEIGHBOUR;
  return toi_product_down_exactly(a, b);
}

/* b is not zero. */
static inline double toi_quotient_down(double a, double b) {
  double q = a / b;
  assert(b != 0);
  if (toi_is_long(q) && toi_is_long(b) && toi_has_neighbours(q))
    return q - fabs(q) * TOI_NEIGHBOUR;
  return toi_quotient_down_exactly(a, b);
}

/* x is not negative. */
static inline double toi_sqrt_down(double x) {
  double q = sqrt(x);
  return toi_is_long(q) ? q - q * TOI_NEIGHBOUR : toi_sqrt_down_exactly(x);
}

static inline double toi_sqrt_up(double x) {
  double q = sqrt(x);
  return toi_is_long(q) ? q + q * TOI_NEIGHBOUR : toi_sqrt_up_exactly(x);
}

static inline double toi_sum_up(double a, double b) {
  return -toi_sum_down(-a, -b);
}

static inline double toi_product_up(double a, double b) {
  return -toi_product_down(-a, b);
}

static inline double toi_quotient_up(double a, double b) {
  return -toi_quotient_down(-a, b);
}

static inline double toi_scale_up(double x, int k) {
  return -toi_scale_down(-x, k);
}

/* --- making intervals --- */

static inline toi_interval toi_interval_whole(void) {
  return (toi_interval){-INFINITY, INFINITY};
}

static inline bool toi_interval_is_valid(toi_interval a) {
  return a.lo <= a.hi && a.lo <= DBL_MAX && a.hi >= -DBL_MAX;
}

/* Ends in the wrong order, infinities on the wrong side and NaN give the whole line. */
static inline toi_interval toi_interval_make(double lo, double hi) {
  toi_interval a = {lo, hi};
  return toi_interval_is_valid(a) ? a : toi_interval_whole();
}

/* x alone; the whole line if it is not finite. */
static inline toi_interval toi_interval_point(double x) {
  return toi_interval_make(x, x);
}

/* All numbers within error >= 0 of x, x finite; the error may be infinite. */
static inline toi_interval toi_interval_around(double x, double error) {
  return (toi_interval){toi_sum_down(x, -error), toi_sum_up(x, error)};
}

/* --- sets --- */

static inline bool toi_interval_contains(toi_interval a, double x) {
  return a.lo <= x && x <= a.hi;
}

/* Whether all of b lies in a. */
static inline bool toi_interval_encloses(toi_interval a, toi_interval b) {
  return a.lo <= b.lo && b.hi <= a.hi;
}

/* Whether all of b lies in a, away from a's ends. An infinite end is no end. */
static inline bool toi_interval_surrounds(toi_interval a, toi_interval b) {
  return (a.lo < b.lo || a.lo < -DBL_MAX) && (b.hi < a.hi || a.hi > DBL_MAX);
}

/* The smallest interval that encloses both. */
static inline toi_interval toi_interval_hull(toi_interval a, toi_interval b) {
  return (toi_interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/* False, and *common is untouched, if a and b have no number in common. */
static inline bool toi_interval_intersect(toi_interval a, toi_interval b, toi_interval *common) {
  toi_interval c = {a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
  if (c.lo > c.hi)
    return false;
  *common = c;
  return true;
}

/* hi - lo, rounded up. */
static inline double toi_interval_width(toi_interval a) {
  return toi_sum_up(a.hi, -a.lo);
}

/* A finite number of the interval, near its middle. Rounding is monotone, so it cannot leave the interval. */
static inline double toi_interval_midpoint(toi_interval a) {
  double lo = a.lo < -DBL_MAX ? -DBL_MAX : a.lo, hi = a.hi > DBL_MAX ? DBL_MAX : a.hi;
  double sum = lo + hi;
  return fabs(sum) <= DBL_MAX ? sum * 0.5 : lo * 0.5 + hi * 0.5;
}

/* The largest |x|. */
static inline double toi_interval_magnitude(toi_interval a) {
  return -a.lo > a.hi ? -a.lo : a.hi;
}

/* The smallest |x|. */
static inline double toi_interval_least_magnitude(toi_interval a) {
  return a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0;
}

/* --- certain comparisons: true only if they hold whatever numbers are taken --- */

static inline bool toi_interval_less(toi_interval a, toi_interval b) {
  return a.hi < b.lo;
}

static inline bool toi_interval_at_most(toi_interval a, toi_interval b) {
  return a.hi <= b.lo;
}

/* 1 or -1 if all of it has that sign, strictly; 0: not known. */
static inline int toi_interval_sign(toi_interval a) {
  return (a.lo > 0) - (a.hi < 0);
}

/* --- arithmetic --- */

static inline toi_interval toi_interval_neg(toi_interval a) {
  return (toi_interval){-a.hi, -a.lo};
}

static inline toi_interval toi_interval_add(toi_interval a, toi_interval b) {
  return (toi_interval){toi_sum_down(a.lo, b.lo), toi_sum_up(a.hi, b.hi)};
}

static inline toi_interval toi_interval_sub(toi_interval a, toi_interval b) {
  return (toi_interval){toi_sum_down(a.lo, -b.hi), toi_sum_up(a.hi, -b.lo)};
}

/* Which ends make the extreme products follows from the signs; only if both factors have both are there two candidates
 * each. A lower end is then never a product of two ends that may both be infinite of one sign. */
static inline toi_interval toi_interval_mul(toi_interval a, toi_interval b) {
  if (a.lo >= 0)
    return (toi_interval){toi_product_down(b.lo >= 0 ? a.lo : a.hi, b.lo),
                          toi_product_up(b.hi >= 0 ? a.hi : a.lo, b.hi)};
  if (a.hi <= 0)
    return (toi_interval){toi_product_down(b.hi >= 0 ? a.lo : a.hi, b.hi),
                          toi_product_up(b.lo >= 0 ? a.hi : a.lo, b.lo)};
  if (b.lo >= 0)
    return (toi_interval){toi_product_down(a.lo, b.hi), toi_product_up(a.hi, b.hi)};
  if (b.hi <= 0)
    return (toi_interval){toi_product_down(a.hi, b.lo), toi_product_up(a.lo, b.lo)};
  toi_interval outer = {toi_product_down(a.lo, b.hi), toi_product_up(a.lo, b.lo)};
  toi_interval inner = {toi_product_down(a.hi, b.lo), toi_product_up(a.hi, b.hi)};
  return toi_interval_hull(outer, inner);
}

/* |x|. */
static inline toi_interval toi_interval_abs(toi_interval a) {
  return (toi_interval){toi_interval_least_magnitude(a), toi_interval_magnitude(a)};
}

/* x^2: the same number twice, so never negative. */
static inline toi_interval toi_interval_square(toi_interval a) {
  toi_interval m = toi_interval_abs(a);
  return (toi_interval){toi_product_down(m.lo, m.lo), toi_product_up(m.hi, m.hi)};
}

/* The whole line if b contains zero. */
static inline toi_interval toi_interval_div(toi_interval a, toi_interval b) {
  if (b.lo <= 0 && b.hi >= 0)
    return toi_interval_whole();
  if (b.hi < 0) {
    a = toi_interval_neg(a);
    b = toi_interval_neg(b);
  }
  return (toi_interval){toi_quotient_down(a.lo, a.lo >= 0 ? b.hi : b.lo),
                        toi_quotient_up(a.hi, a.hi >= 0 ? b.lo : b.hi)};
}

/* The roots of the numbers of a that have one: what is below zero is left out, and a.hi >= 0 is required. */
static inline toi_interval toi_interval_sqrt(toi_interval a) {
  assert(a.hi >= 0);
  if (!(a.hi >= 0))
    return toi_interval_whole();
  return (toi_interval){a.lo > 0 ? toi_sqrt_down(a.lo) : 0, toi_sqrt_up(a.hi)};
}

/* x 2^k: exact where it neither under- nor overflows, and the tightest anyway. */
static inline toi_interval toi_interval_scale(toi_interval a, int k) {
  return (toi_interval){toi_scale_down(a.lo, k), toi_scale_up(a.hi, k)};
}

static inline toi_interval toi_interval_min(toi_interval a, toi_interval b) {
  return (toi_interval){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

static inline toi_interval toi_interval_max(toi_interval a, toi_interval b) {
  return (toi_interval){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/* x^n; x^0 is 1. Each end is within n - 1 directed roundings of the exact one: a factor of at most (1 + 2^-52)^(n-1),
 * where nothing underflows. */
toi_interval toi_interval_power(toi_interval a, unsigned n);

#endif
