/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Times that are kept, and their order.
 *
 * Claim: toi_exact_time_compare is the order of the two times. Why: doubles that differ show it. If they are the same
 * and not equal to each other, both times lie strictly between them; then toi_algebraic_compare puts one number against
 * the ends of the other's interval and, inside, takes the sign of the other's polynomial there, which is 0 at the other
 * number only and changes its sign there: it is a simple root, the only one in the interval, whatever its multiplicity
 * in the polynomial that it was found in. The sign is exact, zero included, so no gap between times is too small.
 *
 * Claim: keeping and comparing fit in toi_exact_time_compare_limbs of arena, for polynomials p (of the number that a
 * sign is taken at, the one of higher degree) and g of degrees <= D, D = 3 or 6, with n_p and n_g bits, and intervals
 * with denominators of at most K bits (K >= 1074: doubles). N = n_p + n_g + 1, X(b) = b / 64 + 2 limbs an integer.
 * - The ends of the other's interval: 6 integers of K + 2 bits; the value of a polynomial there, D results and a
 *   summand of N + D K bits.
 * - Its coefficients on the interval: D + 1 shifted, D (D + 1) / 2 of Taylor's shift, 2 D - 1 powers and products,
 *   D (D + 1) / 2 sums, of at most N + D K + D bits: 21 or 60 integers.
 * - The remainder of g by p: one step, as p's degree is not lower: D integers of N bits.
 * - The chain of p and that remainder (polynomial.c): subresultants, member i of degree D - i with at most (2 i - 1) (N
 *   + 5) bits; on the way to it D + 2 - i coefficients of (4 i - 6) (N + 5) and D + 1 - i of (6 i - 9) (N + 5) bits.
 *   In units of N + 5, for D = 6 that is 85 for the members and 325 on the way, for D = 3 it is 11 and 33; the factors
 *   that are divided out, their powers included, have less than 80 and 12; a division or a step takes 4 (6 D - 9) for a
 *   while: 108 and 36. 700 and 120 hold all of it, and 160 integers. Where degrees differ by more than one there are
 *   fewer members: less.
 * - Values of the members: Horner's results for member i, D - i + 1 of (2 i - 1) (N + 5) + (D - i) K bits: 21 (N + 5)
 *   + 36 K bits at most.
 * - Close to 1 polynomials are reflected (polynomial.c): D (D + 1) / 2 sums of N + D bits and 2 integers of K + 1 bits,
 *   once for a value and once for coefficients; of a member of the chain 15 sums, 30 (N + 5) bits in all.
 * - Keeping makes the polynomial primitive: 7 gcds of 5 integers, one of them kept, and 7 quotients with their rests,
 * of 2 bits + 8 (before it is primitive, see root_walk.c): less than the coefficients above take. */

#include "narrow/exact_time.h"

#include <math.h>

/* Limbs of an integer, and the one more that its making may take. */
static size_t room(size_t bits) {
  return bits / 64 + 2;
}

size_t toi_exact_time_limbs(const toi_time_bound *bound) {
  return ((size_t)bound->degree + 1) * room(bound->bits) + 2 * room(bound->limit);
}

size_t toi_exact_time_compare_limbs(const toi_time_bound *a, const toi_time_bound *b) {
  enum { DOUBLE_BITS = 1074, INTEGERS = 160 };
  bool sextic = a->degree > TOI_DEGREE_CUBIC || b->degree > TOI_DEGREE_CUBIC;
  size_t degree = sextic ? TOI_DEGREE_MAX : TOI_DEGREE_CUBIC, coefficients = sextic ? 60 : 21;
  size_t chain = sextic ? 700 : 120, n = (size_t)a->bits + b->bits + 1;
  size_t k = a->limit > b->limit ? a->limit : b->limit;
  k = k > DOUBLE_BITS ? k : DOUBLE_BITS;
  size_t values = (coefficients + degree + 2) * room(n + degree * k + degree) + 6 * room(k + 2);
  size_t remainders = degree * room(n) + room(chain * (n + 5)) + 2 * INTEGERS;
  size_t reflected = degree * (degree + 1) * room(n + degree) + 6 * room(k + 1) + room(30 * (n + 5)) + 2 * (size_t)15;
  return values + remainders + reflected + room(21 * (n + 5) + 36 * k) + 2 * (degree + 2);
}

toi_exact_time toi_exact_time_make(toi_arena *arena, const toi_time_bound *bound) {
  toi_exact_time time = {.bracket = {INFINITY, INFINITY}};
  size_t limbs = toi_exact_time_limbs(bound);
  time.start = toi_arena_take(arena, limbs);
  time.end = time.start + limbs;
  return time;
}

void toi_exact_time_keep(toi_exact_time *time, toi_arena *arena, const toi_algebraic *number, const double bracket[2]) {
  time->bracket[0] = bracket[0];
  time->bracket[1] = bracket[1];
  if (bracket[0] == bracket[1])
    return;
  assert(!toi_algebraic_is_dyadic(number));
  toi_limb *mark = toi_arena_mark(arena);
  toi_algebraic primitive = *number;
  primitive.p = toi_polynomial_primitive(arena, &number->p);
  // The leading coefficient was made positive.
  if (number->p.c[number->p.degree].size < 0)
    primitive.sign_lo = -number->sign_lo;
  toi_arena own = {time->start, time->end};
  time->number = toi_algebraic_copy(&own, &primitive);
  toi_arena_release(arena, mark);
}

int toi_exact_time_compare(toi_arena *arena, const toi_algebraic *number, const double bracket[2],
                           const toi_exact_time *time) {
  for (int i = 1; i >= 0; i--)
    if (bracket[i] != time->bracket[i])
      return bracket[i] < time->bracket[i] ? -1 : 1;
  if (bracket[0] == bracket[1])
    return 0;
  if (number->p.degree >= time->number.p.degree)
    return toi_algebraic_compare(arena, number, &time->number);
  return -toi_algebraic_compare(arena, &time->number, number);
}
