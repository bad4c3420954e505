/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Division of rows of limbs without GMP: long division, digit by digit, in base B = 2^64. Empty where GMP is used.
 *
 * One digit by one limb. For d >= B / 2 let v = floor((B^2 - 1) / d) - B, so that B^2 - d (B + v) = k with 1 <= k <= d.
 * Claim: u = u1 B + u0 with u1 < d is divided by digit_of() without a division.
 * Why (after Moeller and Granlund, Improved division by invariant integers, 2011): q1 B + q0 = (B + v) u1 + u0 < B^2,
 * and rest := u - (q1 + 1) d = (u0 (B - d) + u1 k + q0 d) / B - d.
 * - From below: rest >= q0 d / B - d. If it is negative, what a limb holds of it is rest + B >= B - d + q0 d / B > q0,
 *   for (B - d) (1 - q0 / B) > 0; then q1 + 1 is one too large.
 * - From above: with u1 k < d^2, rest < ((B - d) (u0 - d) + q0 d) / B <= max(B - d, q0). So if rest >= 0 is above q0
 *   it is below B - d: adding d does not overflow, and the last test takes it back.
 * - In the end rest < max(B - d, q0) < B <= 2 d, so one last correction is enough.
 *
 * Several limbs (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D). The remainder R < b so far and the next
 * limb of a make W = R B + a_j < b B. The digit floor(W / b) is estimated by the two leading limbs of W and the leading
 * one of b, all shifted so that b's top bit is set: the estimate is never too small, and too large by at most two. A
 * comparison with one more limb of each leaves it too large by at most one, and then the difference W - q b shows it by
 * its sign. W itself is never shifted, and R moves up a limb while q b is taken from it: no memory but the result's. */

#include "number/limbs.h"

#ifdef TOI_WITHOUT_GMP

#include <assert.h>
#include <string.h>

/* A divisor's leading limb, shifted to its top bit, and its v (see above). */
typedef struct divisor {
  toi_limb top, next; /* the limb below it too, for long division */
  toi_limb reciprocal;
  unsigned zeros;
} divisor;

/* The 64 bits from bit 64 - zeros of `low` up, with `high` above it. */
static inline toi_limb shifted(toi_limb high, toi_limb low, unsigned zeros) {
  return high << zeros | low >> 1 >> (TOI_LIMB_BITS - 1 - zeros);
}

static divisor divisor_of(toi_limb top, toi_limb next, toi_limb third) {
  divisor d = {.zeros = (unsigned)__builtin_clzll(top)};
  d.top = shifted(top, next, d.zeros);
  d.next = shifted(next, third, d.zeros);
  // B^2 - 1 less d B.
  toi_limb rest;
  d.reciprocal = toi_limb_divide(~d.top, ~(toi_limb)0, d.top, &rest);
  return d;
}

/* high B + low by d's top limb, for high below it. */
static inline toi_limb digit_of(const divisor *d, toi_limb high, toi_limb low, toi_limb *rest) {
  toi_limb q0, q1 = toi_limb_multiply(&q0, d->reciprocal, high, low, 0);
  q1 += high + 1;
  toi_limb left = low - q1 * d->top;
  if (left > q0) {
    q1--;
    left += d->top;
  }
  if (left >= d->top) {
    q1++;
    left -= d->top;
  }
  *rest = left;
  return q1;
}

/* --- by one limb --- */

/* As toi_limbs_divide_limb(); q may be NULL. */
static toi_limb divide_by_limb(toi_limb *q, const toi_limb *a, size_t count, toi_limb d) {
  assert(count > 0 && d > 0);
  const divisor by = divisor_of(d, 0, 0);
  toi_limb rest = shifted(0, a[count - 1], by.zeros);
  for (size_t i = count; i-- > 0;) {
    const toi_limb digit = digit_of(&by, rest, shifted(a[i], i > 0 ? a[i - 1] : 0, by.zeros), &rest);
    if (q != NULL)
      q[i] = digit;
  }
  return rest >> by.zeros;
}

toi_limb toi_limbs_divide_limb(toi_limb *q, const toi_limb *a, size_t count, toi_limb d) {
  return divide_by_limb(q, a, count, d);
}

toi_limb toi_limbs_modulo_limb(const toi_limb *a, size_t count, toi_limb d) {
  return divide_by_limb(NULL, a, count, d);
}

/* --- by several --- */

/* The digit of W / b, or one more: W has the leading limbs w[0 .. 4), highest first. */
static toi_limb estimate(const divisor *d, const toi_limb w[4]) {
  const toi_limb first = shifted(w[0], w[1], d->zeros), second = shifted(w[1], w[2], d->zeros);
  const toi_limb third = shifted(w[2], w[3], d->zeros);
  toi_limb digit, left;
  if (first >= d->top) {
    // No digit is larger. What is left of the first two limbs is second + top: beyond a limb, the digit stands.
    digit = ~(toi_limb)0;
    left = second + d->top;
    if (left < second)
      return digit;
  } else {
    digit = digit_of(d, first, second, &left);
  }
  for (;;) {
    toi_limb low;
    const toi_limb high = toi_limb_multiply(&low, digit, d->next, 0, 0);
    if (high < left || (high == left && low <= third))
      return digit;
    digit--;
    left += d->top;
    if (left < d->top)
      return digit;
  }
}

/* R = R B + next - digit b, in place; returns the digit, corrected if it is one too large. */
static toi_limb take(toi_limb *rest, toi_limb next, const toi_limb *b, size_t count, toi_limb digit) {
  // The borrow joins the carry, as in toi_limbs_subtract_multiple().
  toi_limb carry = 0;
  for (size_t i = 0; i < count; i++) {
    toi_limb low;
    const toi_limb old = rest[i];
    carry = toi_limb_multiply(&low, b[i], digit, carry, 0);
    rest[i] = next - low;
    carry += next < low;
    next = old;
  }
  if (next == carry)
    return digit;
  assert(next + 1 == carry);
  (void)toi_limbs_add(rest, rest, count, b, count);
  return digit - 1;
}

/* The remainder into rest, of count_b limbs, and the quotient above where q is not NULL; count_b > 1. */
static void divide_long(toi_limb *q, toi_limb *rest, const toi_limb *a, size_t digits, const toi_limb *b,
                        size_t count_b) {
  const divisor by = divisor_of(b[count_b - 1], b[count_b - 2], count_b > 2 ? b[count_b - 3] : 0);
  // At first R is one limb shorter than b, so that it is smaller.
  memcpy(rest, a + digits, (count_b - 1) * sizeof *rest);
  rest[count_b - 1] = 0;
  for (size_t j = digits; j-- > 0;) {
    const toi_limb next = a[j], third = count_b > 2 ? rest[count_b - 3] : next;
    const toi_limb fourth = count_b > 3 ? rest[count_b - 4] : count_b > 2 ? next : 0;
    const toi_limb w[4] = {rest[count_b - 1], rest[count_b - 2], third, fourth};
    const toi_limb digit = take(rest, next, b, count_b, estimate(&by, w));
    if (q != NULL)
      q[j] = digit;
  }
}

void toi_limbs_divide(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  assert(count_a >= count_b && count_b > 0 && b[count_b - 1] != 0);
  const size_t digits = count_a - count_b + 1;
  if (count_b == 1)
    r[digits] = divide_by_limb(r, a, count_a, b[0]);
  else
    divide_long(r, r + digits, a, digits, b, count_b);
}

void toi_limbs_modulo(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  assert(count_a >= count_b && count_b > 0 && b[count_b - 1] != 0);
  if (count_b == 1)
    r[0] = divide_by_limb(NULL, a, count_a, b[0]);
  else
    divide_long(NULL, r, a, count_a - count_b + 1, b, count_b);
}

#endif
