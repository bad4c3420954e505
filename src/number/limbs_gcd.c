/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The greatest common divisor of rows of limbs without GMP, after Lehmer. Empty where GMP is used.
 *
 * A round takes the 64 leading bits x of a and those y of b in the same place, a = x 2^h + e, b = y 2^h + f with
 * 0 <= e, f < 2^h, and runs Euclid's algorithm on x and y while y >= 2^32. Its steps are one matrix of integers with
 * determinant 1 or -1, by which a and b are replaced.
 *
 * Claim: the divisor stays the same, a round needs no limb more than a has, and rounds end.
 * Why:
 * - The matrix and its inverse have integer entries, so the common divisors of both pairs are the same, whatever the
 *   quotients were; signs do not matter to them, and absolute values are kept.
 * - Entries have the sizes that the extended algorithm gives: in each row one is not positive and one not negative, and
 *   in the row of the last remainder they are at most x / (the remainder before it) <= 2^64 / 2^32. So entries are at
 *   most 2^32, and with (x', y') the remainders in the end, the new numbers differ from x' 2^h and y' 2^h by at most
 *   2^32 2^h. After one step the new a is b itself; after more, x' < x / 2 < 2^63. Both are below 2^(h + 64), which is
 *   what the limbs of a hold, and the new a is at most (y + 2^32) 2^h <= 2 b for the y of the beginning.
 * - After one step at least, y' < 2^32: the new b is below 2^(h + 33), the new a at most 2 b, and the old a at least
 *   2^(h + 63). The product of the two numbers falls to less than 2^-28 of itself.
 * - Without a step y < 2^32: then a is divided by b, and the product falls too, for the remainder is below b <= a. */

#include "number/limbs.h"

#ifdef TOI_WITHOUT_GMP

#include <assert.h>
#include <string.h>

/* Two numbers, the larger one first unless both are on the way, and room for a third. */
typedef struct numbers {
  toi_limb *a, *b, *room;
  size_t count_a, count_b;
} numbers;

/* The absolute values of the entries; each row subtracts its two products. */
typedef struct matrix {
  toi_limb aa, ab; /* the new a is aa a - ab b or the opposite */
  toi_limb ba, bb;
} matrix;

static size_t significant(const toi_limb *a, size_t count) {
  while (count > 0 && a[count - 1] == 0)
    count--;
  return count;
}

/* a, b = b, a mod b. */
static void divide(numbers *n) {
  toi_limb *old = n->a;
  toi_limbs_modulo(n->room, n->a, n->count_a, n->b, n->count_b);
  const size_t count = n->count_b;
  n->a = n->b;
  n->count_a = count;
  n->b = n->room;
  n->count_b = significant(n->b, count);
  n->room = old;
}

/* The 64 bits of `a` from bit 64 count - 64 - zeros up. */
static toi_limb leading(const toi_limb *a, size_t count, unsigned zeros) {
  const toi_limb next = count > 1 ? a[count - 2] : 0;
  return a[count - 1] << zeros | next >> 1 >> (TOI_LIMB_BITS - 1 - zeros);
}

/* Euclid's algorithm on leading bits while the smaller one has more than 32; false if it has not at the start. */
static bool reduce(toi_limb x, toi_limb y, matrix *m) {
  if (y >> 32 == 0)
    return false;
  *m = (matrix){1, 0, 0, 1};
  while (y >> 32 != 0) {
    const toi_limb q = x / y, rest = x - q * y;
    x = y;
    y = rest;
    const matrix old = *m;
    *m = (matrix){old.ba, old.bb, old.aa + q * old.ba, old.ab + q * old.bb};
  }
  return true;
}

static void negate(toi_limb *a, size_t count) {
  toi_limb borrow = 0;
  for (size_t i = 0; i < count; i++)
    borrow = toi_limb_subtract(&a[i], 0, a[i], borrow);
}

/* Replaces both numbers, of count_a limbs each. Carries are at most 2^32, so that borrows join them. */
static void transform(numbers *n, const matrix *m) {
  toi_limb carry_aa = 0, carry_ab = 0, carry_ba = 0, carry_bb = 0;
  for (size_t i = 0; i < n->count_a; i++) {
    const toi_limb a = n->a[i], b = n->b[i];
    toi_limb plus, minus;
    carry_aa = toi_limb_multiply(&plus, a, m->aa, carry_aa, 0);
    carry_ab = toi_limb_multiply(&minus, b, m->ab, carry_ab, 0);
    n->a[i] = plus - minus;
    carry_ab += plus < minus;
    carry_bb = toi_limb_multiply(&plus, b, m->bb, carry_bb, 0);
    carry_ba = toi_limb_multiply(&minus, a, m->ba, carry_ba, 0);
    n->b[i] = plus - minus;
    carry_ba += plus < minus;
  }
  // What is above the limbs is 0, or -1 where the difference is negative.
  if (carry_aa != carry_ab)
    negate(n->a, n->count_a);
  if (carry_bb != carry_ba)
    negate(n->b, n->count_a);
}

/* One round on numbers of which b is at most a limb shorter; false if it is too small. Rounds and divisions write both
 * numbers as far as a goes, so that a shorter b has zeros there. */
static bool round_of(numbers *n) {
  const size_t count = n->count_a;
  assert(n->count_b == count || n->b[count - 1] == 0);
  const unsigned zeros = (unsigned)__builtin_clzll(n->a[count - 1]);
  matrix m;
  if (!reduce(leading(n->a, count, zeros), leading(n->b, count, zeros), &m))
    return false;
  transform(n, &m);
  n->count_a = significant(n->a, count);
  n->count_b = significant(n->b, count);
  if (n->count_a < n->count_b || (n->count_a == n->count_b && toi_limbs_compare(n->a, n->b, n->count_a) < 0))
    *n = (numbers){n->b, n->a, n->room, n->count_b, n->count_a};
  return true;
}

/* Of two odd limbs, by taking the smaller one from the larger and the factors of two out. */
static toi_limb gcd_of_limbs(toi_limb a, toi_limb b) {
  while (a != b) {
    const toi_limb difference = a > b ? a - b : b - a;
    b = a < b ? a : b;
    a = difference >> __builtin_ctzll(difference);
  }
  return a;
}

size_t toi_limbs_gcd(toi_limb *r, toi_limb *a, size_t count_a, toi_limb *b, size_t count_b) {
  assert(count_a >= count_b && count_b > 0 && (a[0] & 1) != 0 && (b[0] & 1) != 0);
  numbers n = {a, b, r, count_a, count_b};
  // From here on all three have room for what the two of them are.
  if (count_a > count_b)
    divide(&n);
  while (n.count_b > 1)
    if (n.count_a - n.count_b > 1 || !round_of(&n))
      divide(&n);
  if (n.count_b == 1) {
    // The divisor is odd: factors of two that came in do not belong to it.
    const toi_limb limb = n.b[0], rest = toi_limbs_modulo_limb(n.a, n.count_a, limb);
    const toi_limb odd = limb >> __builtin_ctzll(limb);
    r[0] = rest == 0 ? limb : gcd_of_limbs(odd, rest >> __builtin_ctzll(rest));
    return 1;
  }
  if (n.a != r)
    memcpy(r, n.a, n.count_a * sizeof *r);
  return n.count_a;
}

#endif
