/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Products of rows of limbs without GMP: column by column, and after Karatsuba where both factors are long. Empty where
 * GMP is used.
 *
 * With B = 2^64, a = a1 B^k + a0 and b = b1 B^k + b0 of n limbs each, k = ceil(n / 2),
 *   a b = a1 b1 B^2k + (a0 b0 + a1 b1 - (a0 - a1) (b0 - b1)) B^k + a0 b0:
 * three products of half the length instead of four.
 *
 * Claim: STACK_LIMBS of room are enough for factors of u >= v limbs with u <= TOI_INTEGER_LIMBS_MAX = 1000.
 * Why: balanced() of n limbs keeps 2 k + 1 <= n + 2 limbs while it goes on with k <= (n + 1) / 2, at most six times
 * from 1000 down to KARATSUBA_LIMBS; the i-th length is at most n / 2^i + 1, so it takes 2 n + 18 limbs in all. Of
 * unequal factors the longer one is cut into pieces of v limbs. Claim: multiply_pieces() takes 2 (u + v) + 18 limbs.
 * - u = v, and the first piece: 2 v + 18, of balanced().
 * - a further whole piece, where 2 v <= u: 2 v for its product and 2 v + 18.
 * - a last piece of w < v limbs, where v + w <= u: 2 v for its product and 2 (v + w) + 18 by induction. */

#include "number/limbs.h"

#ifdef TOI_WITHOUT_GMP

#include <assert.h>
#include <string.h>

/* Shorter factors are multiplied column by column. */
#define KARATSUBA_LIMBS 32

#define STACK_LIMBS (4 * TOI_INTEGER_LIMBS_MAX + 64)

/* A sum of less than 2^64 products of limbs: 192 bits, of which the compiler keeps 128 together where it can. */
typedef struct column {
#ifdef TOI_LIMB_HALVES
  toi_limb low, middle;
#else
  toi_limb_pair low;
#endif
  toi_limb high;
} column;

static inline column with_product(column sum, toi_limb a, toi_limb b) {
#ifdef TOI_LIMB_HALVES
  toi_limb low, high = toi_limb_multiply(&low, a, b, 0, 0);
  sum.high += toi_limb_add(&sum.middle, sum.middle, high, toi_limb_add(&sum.low, sum.low, low, 0));
#else
  const toi_limb_pair product = (toi_limb_pair)a * b;
  sum.low += product;
  sum.high += sum.low < product;
#endif
  return sum;
}

/* The sum without its lowest limb. */
static inline column next_column(column sum) {
#ifdef TOI_LIMB_HALVES
  return (column){sum.middle, sum.high, 0};
#else
  return (column){sum.low >> 64 | (toi_limb_pair)sum.high << 64, 0};
#endif
}

/* r = a b, a limb of the result at a time; count_a >= count_b > 0. */
static void multiply_columns(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  column sum = {0};
  for (size_t k = 0; k + 1 < count_a + count_b; k++) {
    const size_t first = k < count_b ? 0 : k - count_b + 1, last = k < count_a ? k : count_a - 1;
    for (size_t i = first; i <= last; i++)
      sum = with_product(sum, a[i], b[k - i]);
    r[k] = (toi_limb)sum.low;
    sum = next_column(sum);
  }
  r[count_a + count_b - 1] = (toi_limb)sum.low;
}

/* r = |a0 - a1|, with a1 of k or k - 1 limbs; whether a0 < a1. */
static bool difference(toi_limb *r, const toi_limb *a0, size_t k, const toi_limb *a1, size_t count) {
  bool less = false;
  if (count == k || a0[k - 1] == 0)
    less = toi_limbs_compare(a0, a1, count) < 0;
  if (less) {
    (void)toi_limbs_subtract(r, a1, count, a0, count);
    if (count < k)
      r[k - 1] = 0;
  } else {
    (void)toi_limbs_subtract(r, a0, k, a1, count);
  }
  return less;
}

/* r = a b, both of n limbs. */
static void balanced(toi_limb *r, const toi_limb *a, const toi_limb *b, size_t n, toi_limb *room) {
  if (n < KARATSUBA_LIMBS) {
    multiply_columns(r, a, n, b, n);
    return;
  }
  const size_t k = (n + 1) / 2, top = n - k;
  // The product of the differences, which lie where the result will be.
  toi_limb *middle = room, *above = room + 2 * k + 1;
  const bool negative = difference(r, a, k, a + k, top) != difference(r + k, b, k, b + k, top);
  balanced(middle, r, r + k, k, above);
  balanced(r, a, b, k, above);
  balanced(r + 2 * k, a + k, b + k, top, above);
  // a0 b0 + a1 b1 less or plus that: a0 b1 + a1 b0, which is not negative and below 2 B^2k.
  toi_limb over;
  if (negative)
    over = toi_limbs_add(middle, middle, 2 * k, r, 2 * k);
  else
    over = 0 - toi_limbs_subtract(middle, r, 2 * k, middle, 2 * k);
  middle[2 * k] = over + toi_limbs_add(middle, middle, 2 * k, r + 2 * k, 2 * top);
  (void)toi_limbs_add(r + k, r + k, 2 * n - k, middle, 2 * k + 1);
}

/* r = a b in pieces of a as long as b is; count_a >= count_b > 0. */
static void multiply_pieces(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b,
                            toi_limb *room) {
  if (count_b < KARATSUBA_LIMBS) {
    multiply_columns(r, a, count_a, b, count_b);
    return;
  }
  balanced(r, a, b, count_b, room);
  toi_limb *product = room, *above = room + 2 * count_b;
  for (size_t at = count_b; at < count_a; at += count_b) {
    const size_t piece = count_a - at < count_b ? count_a - at : count_b;
    if (piece == count_b)
      balanced(product, a + at, b, count_b, above);
    else
      multiply_pieces(product, b, count_b, a + at, piece, above);
    // The lower half meets the upper half of what is there.
    memcpy(r + at + count_b, product + count_b, piece * sizeof *r);
    const toi_limb carry = toi_limbs_add(r + at, r + at, count_b, product, count_b);
    (void)toi_limbs_add(r + at + count_b, r + at + count_b, piece, &carry, 1);
  }
}

/* Apart from the short ones, which need no room. */
static __attribute__((noinline)) void multiply_long(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b,
                                                    size_t count_b) {
  toi_limb room[STACK_LIMBS];
  multiply_pieces(r, a, count_a, b, count_b, room);
}

void toi_limbs_multiply(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  assert(count_a >= count_b && count_b > 0 && count_a <= TOI_INTEGER_LIMBS_MAX);
  if (count_b < KARATSUBA_LIMBS)
    multiply_columns(r, a, count_a, b, count_b);
  else
    multiply_long(r, a, count_a, b, count_b);
}

#endif
