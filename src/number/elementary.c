/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Exponentials, logarithms and powers: a table brings the argument near 0 (or 1), and Taylor's series does the rest.
 * Let u = 2^-53. Roundings err by at most u times what is rounded; products of errors, below 2^-40 of what they are
 * added to, are covered by rounding the constants up. Nothing underflows that matters: see the end of each claim.
 *
 * Claim 1 (exponential): for -746 <= x <= 710 and |l| <= 2^-42, with k the integer nearest to 64 x / log 2 as computed,
 * j = k mod 64, m = (k - j)/64, T = 2^(j/64) and h as computed, |h| < 0.00542, and
 *     |exp(x + l) 2^-m - (hi + lo)| <= T (3.2 u |h| + 2^-79 + 2^-58 [l is not 0]).
 * The code takes 4 and 2^-78; who has an l adds 2^-58. If x + l is off by d < 2^-50, that adds T 1.03 d; the code takes
 * 1.0625.
 * Why:
 * - |k| < 2^16.2, and 64 x / log 2 is off by less than 2^-34, so |r| < log 2/128 + 2^-40 with r = x - k log(2)/64.
 * - log(2)/64 = L1 + L2 + 2^-98, L1 a multiple of 2^-42 below 2^-6.5 and |L2| < 2^-45. k L1 has 53 bits: exact. If k is
 *   not 0, |x| > 2^-8 is a multiple of 2^-60, and so is x - k L1, which is below 2^-7: exact.
 * - k L2 is below 2^-28.7, rounds by 2^-81.7, and k 2^-98 is left out: together below 2^-80.5.
 * - Then h + e = (x - k L1) - k L2 exactly, |e| <= u |h|, and s = e + l rounds by less than 2^-95.
 * - exp(h) - 1 = h + q, q = h^2 (1/2 + h (1/6 + ... + h/720)). Left out: |h|^7/5040 (1 + h) < 0.046 u |h|. q is off by
 *   h^2 u (0.51 + 0.51 + 0.51) < 0.009 u |h|: h^2, the bracket, the product.
 * - exp(h + s) - exp(h) = s exp(h) + s^2/2 + ..., and s + s h in its place is off by |s| h^2 0.51 + s^2 0.51, which is
 *   below 2^-58.2 with, and 0.001 u |h| without l.
 * - c = q + (s + s h) rounds on h^2 0.51 and on s: 0.004 u |h| + 2^-94.
 * - p = h + c, T p and its sum with the rest of T round on |h| 1.003 T each (3.01 u |h|), and lo -+ the error does once
 *   more, on what value_sum_ordered left: below u^2. The rest of T, 2^-106, is left out, and rounds below that.
 * So T u |h| (0.046 + 0.009 + 0.001 + 0.004 + 3.01) and T (2^-80.5 + 2^-94 + ...). What underflows is below 2^-1000.
 *
 * Claim 2 (logarithm): for a normal x, with k, z, c as computed, x = 2^k z, r = c z - 1 and h = r rounded,
 *     |log x - (hi + lo)| <= u (5.2 |h|^3 + 2^-46 |h|) + 2^-84.9 [k is not 0 or c is not 1],  |h| < 0.008,
 *     |lo| <= u |hi|.
 * The code takes 6, 2^-45 and 2^-84.
 * Why:
 * - c has 11 bits, so its products with the first 26 bits of z and with the other 27 are exact, and so is the first
 *   less 1, a multiple of 2^-36 below 1. So r = h + e exactly, |e| <= u |h|.
 * - log x = k log 2 - log c + log(1 + r). The first parts of log 2 and of -log c are multiples of 2^-42, and
 *   t = k log 2 - log c as far as these go, a multiple of 2^-42 below 2^10, is exact. Their second parts: k < 2^10.1
 *   times 2^-44 rounds by 2^-86.9, and so do its own last bit and the sum: 2^-85.3 together.
 * - log(1 + h) = h - h^2/2 + h^3 P(h), P = 1/3 - h/4 + ... - h^7/10. Left out: |h|^11/11 (1 + h) < 0.02 u |h|^3.
 * - f, the first 26 bits of h, has an exact square, and h^2/2 - f^2/2 = (h - f)(h + f)/2 =: b < 2^-25 h^2 rounds twice.
 * - t + h and then less f^2/2 are exact, with what is left of both, as |t| > |h| or t = 0 (a test goes through the
 *   cells), and |t + h| > h^2/2.
 * - |P| < 0.336 is off by 1/3 for its coefficient, 0.336 for each of three sums, 0.02 for the rest; h^2, its product
 *   with h and that with P round: 0.336 each.
 * - log(1 + h + e) - log(1 + h) = e (1 - h) + e h^2 - ...: 1.01 u |h|^3 for what is left out.
 * - Three sums round on |h|^3 P: 0.336 each. Together 4.42 u |h|^3.
 * - b rounds in four sums more and costs 6 u 2^-25 h^2 <= u (0.75 |h|^3 + 2^-46.4 |h|), as 2 |h| 2^-23 <= h^2 + 2^-46.
 * - e and, where t = 0, what t + h - f^2/2 left, at most u |h| each, are rounded in four sums and a product:
 *   10 u^2 |h|. Where t is not 0, that is u |t| < 2^-43 and rounds by 2^-95; and the last sum rounds on the second
 *   parts: 2^-86.9.
 * - value_sum_ordered is exact, and lo -+ the error rounds on u |hi|: as just said.
 * |h| > 2^-64 if it is not 0, so nothing underflows. x = 1 gives 0, exactly.
 *
 * Claim 3 (power): x^y = exp(y log x), y log x = p + l within d, d = |y| error + 2^-94, |l| <= 2^-42, if |p| <= 746.
 * Why, with the logarithm v.hi + v.lo:
 * - p = y v.hi rounded and value_product_error is off by 2^-104 |p|; y v.lo <= 1.01 u |p| rounds by 1.01 u^2 |p| and
 *   the sum by 2.01 u^2 |p|: 2^-94.8 together; |l| <= 2.02 u 746.
 * - |y| <= 2^70: nothing overflows; with larger |y|, |log x| >= 2^-53 makes |y log x| > 2^16. What underflows is below
 *   2^-1000.
 * - d < 2^-54: |log x| > 0.99 |h| makes |y| error < 754 u (6 h^2 + 2^-45) < 0.3 u, and if k is not 0 or c is not 1,
 *   |log x| > 0.0039, which makes |y| 2^-84 < 2^-66.
 *
 * Claim 4 (intervals): exp and log rise, and where x^y is not 1 it is on the side of 1 that x and the sign of y tell.
 * y log x is linear in either, so over a box its ends are at corners, and which corners follows from the signs as in
 * toi_interval_mul. At x = 0 and at infinite ends a corner stands for the limit; (0, 0) is a corner for which 1 serves:
 * the values around it fill what the other corners, with y of one sign, span together with 1. */

#include "number/elementary.h"

#include "number/elementary_constants.h"
#include "number/value.h"

/* Adding it leaves no bits behind the point. */
#define INTEGERS 0x1.8p52

/* Beyond, exp(x) is no double but infinity or less than the smallest. */
#define EXP_MOST 710.0
#define EXP_LEAST (-746.0)

/* Above every double, and below: what is known of e^710 and e^-746. */
static const toi_interval enormous = {DBL_MAX, INFINITY}, minute = {0, 0x1p-1074};

/* --- the exponential --- */

/* a 2^m: the ends of a are between 1/2 and 4. */
static inline toi_interval scaled(toi_interval a, int m) {
  if (m < -1020 || m > 1020)
    return toi_interval_scale(a, m);
  double factor = toi_from_bits((uint64_t)(m + 1023) << 52);
  return (toi_interval){a.lo * factor, a.hi * factor};
}

/* Claim 1: exp(x + l) 2^-m, where x + l may be off by the error given. */
static inline value exp_of(double x, double l, double off, int *m) {
  double k = (x * toi_64_over_log_two + INTEGERS) - INTEGERS, e;
  double h = value_sum(x - k * toi_log_two_64th.hi, -(k * toi_log_two_64th.lo), &e);
  int whole = (int)k, j = whole & 63;
  *m = (whole - j) / 64;

  // p = exp(h + s) - 1.
  const double *a = toi_exp_terms;
  double s = e + l, z = h * h;
  double q = z * (0.5 + h * ((a[0] + h * a[1]) + z * (a[2] + h * a[3])));
  double p = h + (q + (s + s * h));

  value v;
  toi_two_parts power = toi_exp_table[j];
  v.hi = value_sum_ordered(power.hi, power.lo + power.hi * p, &v.lo);
  v.error = power.hi * (fabs(h) * 0x1p-51 + 0x1p-78 + 1.0625 * off);
  return v;
}

/* The same with 2^m, for all x. */
static inline toi_interval exp_near(double x, double l, double off) {
  if (x > EXP_MOST)
    return enormous;
  if (x < EXP_LEAST)
    return minute;
  int m;
  value v = exp_of(x, l, off, &m);
  return scaled(value_bounds(v), m);
}

toi_interval toi_interval_exp(toi_interval x) {
  assert(toi_interval_is_valid(x));
  if (!(x.lo <= x.hi))
    return toi_interval_whole();
  toi_interval lo = exp_near(x.lo, 0, 0), hi = x.lo == x.hi ? lo : exp_near(x.hi, 0, 0);
  // exp(0) = 1, and on which side of it the others are is known.
  return (toi_interval){x.lo >= 0 && lo.lo < 1 ? 1 : lo.lo, x.hi <= 0 && hi.hi > 1 ? 1 : hi.hi};
}

/* --- the logarithm --- */

/* Claim 2: x > 0, finite. */
static inline value log_of(double x) {
  bool tiny = x < DBL_MIN;
  uint64_t bits = toi_bits(tiny ? x * 0x1p54 : x) + (UINT64_C(1023) << 52) - TOI_LOG_ORIGIN;
  double k = (double)((int)(bits >> 52) - 1023 - (tiny ? 54 : 0));
  double z = toi_from_bits((bits & ((UINT64_C(1) << 52) - 1)) + TOI_LOG_ORIGIN);
  const toi_log_cell *cell = &toi_log_table[bits >> 46 & 63];

  // r = h + e = c z - 1.
  double g = value_front(z), e;
  double h = value_sum(g * cell->c - 1, (z - g) * cell->c, &e);

  // h^3 P(h).
  const double *a = toi_log_terms;
  double hh = h * h, h4 = hh * hh;
  double low = (a[0] + h * a[1]) + hh * (a[2] + h * a[3]), high = (a[4] + h * a[5]) + hh * (a[6] + h * a[7]);
  double cubic = (hh * h) * (low + h4 * high);

  // t + h - h^2/2, and what is left of each of these.
  double t = k * toi_log_two.hi + cell->hi, e1, e2;
  double f = value_front(h), square = 0.5 * (f * f), b = 0.5 * ((h - f) * (h + f));
  double s = value_sum_ordered(value_sum_ordered(t, h, &e1), -square, &e2);
  double rest = (cubic + ((e - e * h) - b)) + (e1 + e2) + (k * toi_log_two.lo + cell->lo);

  value v;
  v.hi = value_sum_ordered(s, rest, &v.lo);
  v.error = fabs(h) * (6 * 0x1p-53 * hh + 0x1p-98) + (t != 0 ? 0x1p-84 : 0);
  return v;
}

toi_interval toi_interval_log(toi_interval x, bool *defined) {
  assert(toi_interval_is_valid(x));
  if (defined != NULL)
    *defined = x.lo > 0;
  if (!(x.lo <= x.hi && x.hi > 0))
    return toi_interval_whole();
  toi_interval result = toi_interval_whole();
  if (x.lo > 0)
    result = value_bounds(log_of(x.lo));
  if (x.hi > DBL_MAX)
    result.hi = INFINITY;
  else if (x.lo != x.hi)
    result.hi = value_bounds(log_of(x.hi)).hi;
  return result;
}

/* --- powers --- */

/* With more, products are skipped. */
#define MANY_FACTORS 64

/* x^y by products, for multiples y of 1/2: exact where all of them are. False: y is none, or what is to be inverted may
 * be 0. */
static bool by_products(double x, double y, toi_interval *result) {
  double twice = 2 * fabs(y);
  if (!(twice <= 2 * MANY_FACTORS) || (double)(unsigned)twice != twice)
    return false;
  unsigned n = (unsigned)twice;
  toi_interval base = toi_interval_point(x);
  *result = n % 2 ? toi_interval_power(toi_interval_sqrt(base), n) : toi_interval_power(base, n / 2);
  if (y > 0)
    return true;
  if (result->lo == 0)
    return false;
  *result = toi_interval_div(toi_interval_point(1), *result);
  return true;
}

/* Claim 3: y log x, where it is at most 746. */
static inline value exponent_of(double x, double y) {
  value v = log_of(x);
  double p = y * v.hi;
  return (value){p, value_product_error(y, v.hi, p) + y * v.lo, fabs(y) * v.error + 0x1p-94};
}

/* x^y for finite x > 0 other than 1 and y other than 0, |y| <= 2^70. */
static toi_interval by_logarithm(double x, double y) {
  value v = exponent_of(x, y);
  toi_interval result = exp_near(v.hi, v.lo, v.error + 0x1p-58);
  if ((x > 1) == (y > 0))
    result.lo = result.lo < 1 ? 1 : result.lo;
  else
    result.hi = result.hi > 1 ? 1 : result.hi;
  return result;
}

/* Whether the ends are at most four doubles apart. */
static inline bool is_narrow(toi_interval a) {
  return a.lo == a.hi || (a.lo > 0 && a.hi <= DBL_MAX && toi_bits(a.hi) - toi_bits(a.lo) <= 4);
}

/* x^y, or its limit. */
static toi_interval power_at(double x, double y) {
  if (x == 1 || y == 0)
    return toi_interval_point(1);
  if (x == 0 && y > 0)
    return toi_interval_point(0);
  if (x == 0 || x > DBL_MAX || fabs(y) > 0x1p70)
    return (x > 1) == (y > 0) ? enormous : minute;
  toi_interval product, common;
  if (!by_products(x, y, &product))
    return by_logarithm(x, y);
  if (is_narrow(product))
    return product;
  bool meet = toi_interval_intersect(product, by_logarithm(x, y), &common);
  assert(meet);
  return meet ? common : product;
}

/* The smallest power in the box, rounded down, and the largest, rounded up; x.lo >= 0. */
static toi_interval powers(toi_interval x, toi_interval y) {
  if (y.lo >= 0)
    return (toi_interval){power_at(x.lo, x.lo >= 1 ? y.lo : y.hi).lo, power_at(x.hi, x.hi >= 1 ? y.hi : y.lo).hi};
  if (y.hi <= 0)
    return (toi_interval){power_at(x.hi, x.hi >= 1 ? y.lo : y.hi).lo, power_at(x.lo, x.lo >= 1 ? y.hi : y.lo).hi};
  if (x.lo >= 1)
    return (toi_interval){power_at(x.hi, y.lo).lo, power_at(x.hi, y.hi).hi};
  if (x.hi <= 1)
    return (toi_interval){power_at(x.lo, y.hi).lo, power_at(x.lo, y.lo).hi};
  toi_interval right = {power_at(x.hi, y.lo).lo, power_at(x.hi, y.hi).hi};
  toi_interval left = {power_at(x.lo, y.hi).lo, power_at(x.lo, y.lo).hi};
  return toi_interval_hull(left, right);
}

toi_interval toi_interval_pow(toi_interval x, toi_interval y, bool *defined) {
  assert(toi_interval_is_valid(x) && toi_interval_is_valid(y));
  if (defined != NULL)
    *defined = x.lo > 0 || (x.lo == 0 && y.lo >= 0);
  if (!(x.lo <= x.hi && y.lo <= y.hi) || x.hi < 0 || (x.hi == 0 && y.hi < 0))
    return toi_interval_whole();
  x.lo = x.lo > 0 ? x.lo : 0;
  if (x.lo == x.hi && y.lo == y.hi)
    return power_at(x.lo, y.lo);
  return powers(x, y);
}
