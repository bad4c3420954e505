/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sums, products and squares of intervals whose time does not depend on signs: for inner loops over boxes that come in
 * no order that a branch could learn.
 *
 * Claim: the bits are those of toi_interval_add, _sub, _mul and _square; but where only one factor of a product has
 * short ends (see interval.h), an exact end may be widened to the next double.
 *
 * Why.
 * - Sums: what rounding left of a + b, s - t and so on, is a double and computed exactly (Knuth) if nothing overflows:
 *   |s| <= 2^1000 is asked for. If it is negative, the neighbour is taken by adding 1 or -1 to the bits. A sum of zero
 *   is exact.
 * - Products: rounding is monotone, so that the smallest of the four rounded products is the smallest exact one,
 *   rounded. If all four ends are long (see interval.h) no product is exact, and if the smallest has neighbours the one
 *   below is the bound, as there.
 * - Everything else, zeros and infinities among it, is left to toi_interval_mul. */

#ifndef TOI_NUMBER_INTERVAL_BRANCHLESS_H
#define TOI_NUMBER_INTERVAL_BRANCHLESS_H

#include "number/interval.h"

#define TOI_BRANCHLESS_MOST 0x1p1000

/* The next double below s if the error of the sum is negative. */
static inline double toi_branchless_settle(double s, double error) {
  int64_t bits = (int64_t)toi_bits(s), outward = -(int64_t)(error < 0) & (bits < 0 ? 1 : -1);
  return toi_from_bits((uint64_t)(bits + outward));
}

static inline double toi_branchless_sum_down(double a, double b) {
  double s = a + b, t = s - a, error = (a - (s - t)) + (b - t);
  return fabs(s) <= TOI_BRANCHLESS_MOST ? toi_branchless_settle(s, error) : toi_sum_down(a, b);
}

static inline toi_interval toi_branchless_add(toi_interval a, toi_interval b) {
  return (toi_interval){toi_branchless_sum_down(a.lo, b.lo), -toi_branchless_sum_down(-a.hi, -b.hi)};
}

static inline toi_interval toi_branchless_sub(toi_interval a, toi_interval b) {
  return (toi_interval){toi_branchless_sum_down(a.lo, -b.hi), -toi_branchless_sum_down(-a.hi, b.lo)};
}

/* A number whose sign bit is set if x is not long. */
static inline uint64_t toi_branchless_short(double x) {
  return (toi_bits(x) & ((UINT64_C(1) << 26) - 1)) - 1;
}

/* p and q, both with neighbours, become the ones outward. */
static inline bool toi_branchless_widen(double lo, double hi, toi_interval *widened) {
  double below = fabs(lo), above = fabs(hi);
  double least = below < above ? below : above, most = below > above ? below : above;
  *widened = (toi_interval){lo - below * TOI_NEIGHBOUR, hi + above * TOI_NEIGHBOUR};
  return least >= 0x1p-960 && most <= DBL_MAX;
}

static inline toi_interval toi_branchless_mul(toi_interval a, toi_interval b) {
  double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  double lo1 = p < q ? p : q, hi1 = p > q ? p : q, lo2 = r < s ? r : s, hi2 = r > s ? r : s;
  toi_interval product;
  bool plain = toi_branchless_widen(lo1 < lo2 ? lo1 : lo2, hi1 > hi2 ? hi1 : hi2, &product);
  uint64_t short_a = toi_branchless_short(a.lo) | toi_branchless_short(a.hi);
  uint64_t short_b = toi_branchless_short(b.lo) | toi_branchless_short(b.hi);
  return plain && (short_a & short_b) >> 63 == 0 ? product : toi_interval_mul(a, b);
}

/* With c.lo > 0: the constants that many factors are. */
static inline toi_interval toi_branchless_mul_positive(toi_interval c, toi_interval b) {
  double lo = b.lo * (b.lo < 0 ? c.hi : c.lo), hi = b.hi * (b.hi < 0 ? c.lo : c.hi);
  toi_interval product;
  bool plain = toi_branchless_widen(lo, hi, &product);
  uint64_t any_short =
      toi_branchless_short(c.lo) | toi_branchless_short(c.hi) | toi_branchless_short(b.lo) | toi_branchless_short(b.hi);
  return plain && any_short >> 63 == 0 ? product : toi_interval_mul(c, b);
}

static inline toi_interval toi_branchless_square(toi_interval a) {
  double p = fabs(a.lo), q = fabs(a.hi), least = p < q ? p : q, most = p < q ? q : p;
  least = a.lo < 0 && a.hi > 0 ? 0 : least;
  toi_interval square;
  bool plain = toi_branchless_widen(least * least, most * most, &square);
  if (plain && (toi_branchless_short(a.lo) | toi_branchless_short(a.hi)) >> 63 == 0)
    return square;
  return toi_interval_square(a);
}

#endif
