/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Directed rounding by the exact sign of the error, in every range, and powers.
 *
 * Claim: toi_..._down_exactly is the largest double at or below the exact result, toi_sqrt_up_exactly the smallest at
 * or above. Why: the result r rounded to nearest is the bound, or its neighbour is, as the sign of (exact - r) says.
 *
 * - Product. With A, B, P the significands of a, b and the rounded product p as integers in [2^52, 2^53), the exact
 *   product exceeds p in magnitude just if AB > P 2^k, where the exponents give k. As p is rounded to nearest,
 *   |AB - P 2^k| <= 2^(k-1), and k is 52 or 53 as AB is below or above 2^105, or one more where p became 2^-1022, the
 *   smallest normal double, by rounding up. So the difference lies within 2^53 and is known from its lowest 64 bits:
 *   unsigned integers that wrap around are good enough, and the sign is that of the difference read as int64_t.
 * - Quotient. Likewise q = a / b by A 2^k - QB, at most B/2 in magnitude; k is 51 to 53.
 * - Square root. Likewise q by A 2^k - Q^2. The root is within 1/2 of Q, so this is at most Q + 1/4; k is 52 or 53.
 * - Subnormal operands or results. Rounding down to 53 bits, scaling, and rounding down once more to the coarser
 *   doubles near zero gives what rounding down once would give, as the coarser ones are among the finer. So the
 *   operands are scaled to [1/2, 1), which is exact, the normal case is used there, and toi_scale_down brings the
 *   result back. */

#include "number/interval.h"

/* |x| = digits 2^(exponent - 1075) for normal x. */
static uint64_t exponent(uint64_t bits) {
  return bits >> 52 & 0x7ff;
}

static uint64_t digits(uint64_t bits) {
  return (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
}

static bool is_normal(double x) {
  return fabs(x) >= DBL_MIN && fabs(x) <= DBL_MAX;
}

/* The lower bound of what exceeds r in magnitude by `rest` units of whatever size; r is not zero. */
static double settle_down(double r, uint64_t rest) {
  int64_t away = (int64_t)rest;
  return (r < 0 ? away > 0 : away < 0) ? toi_next_down(r) : r;
}

/* Scaling by a power of two rounds only if it underflows; scaling back shows which way it did. That is exact, or
 * overflows, and then shows the same. Zero and infinity scale to themselves. */
double toi_scale_down(double x, int k) {
  double scaled = scalbn(x, k);
  if (scaled > DBL_MAX)
    return DBL_MAX;
  return scalbn(scaled, -k) > x ? toi_next_down(scaled) : scaled;
}

double toi_product_down_exactly(double a, double b) {
  if (a == 0 || b == 0)
    return 0;
  double p = a * b;
  if (is_normal(a) && is_normal(b) && is_normal(p)) {
    uint64_t x = toi_bits(a), y = toi_bits(b), z = toi_bits(p);
    uint64_t k = exponent(z) + 1075 - exponent(x) - exponent(y);
    assert(52 <= k && k <= 54);
    return settle_down(p, digits(x) * digits(y) - (digits(z) << k));
  }
  // Nothing is known of what is no number.
  if (isnan(p))
    return -INFINITY;
  if (p < -DBL_MAX)
    return p;
  if (p > DBL_MAX)
    return DBL_MAX;
  int i, j;
  double x = frexp(a, &i), y = frexp(b, &j);
  return toi_scale_down(toi_product_down_exactly(x, y), i + j);
}

double toi_quotient_down_exactly(double a, double b) {
  // What is divided by ever larger numbers comes as close to zero as one likes.
  if (a == 0 || fabs(b) > DBL_MAX)
    return 0;
  double q = a / b;
  if (is_normal(a) && is_normal(b) && is_normal(q)) {
    uint64_t x = toi_bits(a), y = toi_bits(b), z = toi_bits(q);
    uint64_t k = exponent(x) + 1075 - exponent(y) - exponent(z);
    assert(51 <= k && k <= 53);
    return settle_down(q, (digits(x) << k) - digits(y) * digits(z));
  }
  if (isnan(q))
    return -INFINITY;
  if (q < -DBL_MAX)
    return q;
  if (q > DBL_MAX)
    return DBL_MAX;
  int i, j;
  double x = frexp(a, &i), y = frexp(b, &j);
  return toi_scale_down(toi_quotient_down_exactly(x, y), i - j);
}

/* The root q of a normal x, rounded to nearest, and the difference x - q^2 in some unit. */
static double sqrt_near(double x, int64_t *rest) {
  double q = sqrt(x);
  uint64_t y = toi_bits(x), z = toi_bits(q);
  uint64_t k = exponent(y) + 1075 - 2 * exponent(z);
  assert(52 <= k && k <= 53);
  *rest = (int64_t)((digits(y) << k) - digits(z) * digits(z));
  return q;
}

/* Roots are never subnormal, so what is scaled by an even power scales back exactly. */
double toi_sqrt_down_exactly(double x) {
  int64_t rest;
  assert(x >= 0);
  if (x == 0 || x > DBL_MAX)
    return x;
  if (x < DBL_MIN)
    return toi_sqrt_down_exactly(x * 0x1p108) * 0x1p-54;
  double q = sqrt_near(x, &rest);
  return rest < 0 ? toi_next_down(q) : q;
}

double toi_sqrt_up_exactly(double x) {
  int64_t rest;
  assert(x >= 0);
  if (x == 0 || x > DBL_MAX)
    return x;
  if (x < DBL_MIN)
    return toi_sqrt_up_exactly(x * 0x1p108) * 0x1p-54;
  double q = sqrt_near(x, &rest);
  return rest > 0 ? toi_next_up(q) : q;
}

/* x^n for an x >= 0, n >= 1, by the given rounding of products. Each partial product of i and j factors has lost i - 1,
 * j - 1 and 1 roundings: i + j - 1. */
static double power(double x, unsigned n, double (*product)(double, double)) {
  double result = 1;
  for (;;) {
    if (n & 1)
      result = product(result, x);
    n >>= 1;
    if (n == 0)
      return result;
    x = product(x, x);
  }
}

/* The functions of interval.h as functions that can be pointed to. */
static double product_down(double a, double b) {
  return toi_product_down(a, b);
}

static double product_up(double a, double b) {
  return toi_product_up(a, b);
}

toi_interval toi_interval_power(toi_interval a, unsigned n) {
  if (n == 0)
    return toi_interval_point(1);
  if (n % 2 == 0)
    a = toi_interval_abs(a);
  // Monotone now, so end by end; what is negative grows in magnitude as it is rounded down.
  return (toi_interval){a.lo >= 0 ? power(a.lo, n, product_down) : -power(-a.lo, n, product_up),
                        a.hi >= 0 ? power(a.hi, n, product_up) : -power(-a.hi, n, product_down)};
}
