/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces of [0, 1] are halved until Descartes' rule settles them; pairs of roots are told apart at the critical point
 * between them.
 *
 * On a piece, changes of sign in the coefficients bound the roots in its open interior from above, with the right
 * parity: 0 says none, 1 says one, a simple one. With 2, if the derivative p' has one change of sign, p is monotone on
 * either side of its one critical point b, and so has two roots exactly if it changes its sign up to b, a double one if
 * it is 0 there, and none otherwise. b is refined, twice the bits at each step, until a point near it shows the other
 * sign, or a value so large that the sign cannot change up to b; if neither comes soon, the exact sign of p at b tells
 * which. So roots at a distance of 2^-300 cost a few steps, not 300. All else is halved; roots of higher multiplicity,
 * which would never separate, are made simple once that seems to be the matter.
 *
 * Claim: limit = 6 n + 256 bits of denominators suffice, where p has degree at most 6 and coefficients of n bits.
 * Halving: let h be p without its multiple roots, made primitive: coefficients of at most n + 9 bits (Mignotte). A
 * piece shorter than half the distance of any two complex roots of h has at most one change of sign (Obreschkoff's two
 * circles), and that distance is above 6^-4 |h|^-5 with the Euclidean norm |h| < 2^(n+11) (Mahler): 5 n + 66 bits. (The
 * same holds as long as p itself is used, at most to the depth PATIENCE.)
 * Refining b: let q be the primitive minimal polynomial of b; it divides p', whose norm is below 2^(n+5). If p(b) is
 * not 0, the resultant of p and q is an integer other than 0: 1 <= |lead(q)|^6 prod |p(b_i)| over the roots b_i of q,
 * at most 5, where |p(b_i)| < 7 2^n max(1, |b_i|)^6, and |lead(q)| prod max(1, |b_i|) <= |p'| is Mahler's measure.
 * Hence |p(b)| > 2^-(4 (n + 3) + 6 (n + 5)) = 2^-(10 n + 42). For |x - b| <= d, |p(x) - p(b)| <= d^2 max |p''| / 2 <=
 * d^2 35 2^n, less than |p(b)| if d <= 2^-(5.5 n + 24). With h instead of p, n + 9 instead of n: 5.5 n + 74. (Scaled
 * coefficients, as toi_polynomial_square_free gives them, change no sign.)
 *
 * Sizes, with K the limit, c = 2 n + 8 bits for coefficients, at most, and X(b) = b / 64 + 2 limbs an integer.
 * - Kept: 7 coefficients, m, two roots of two ends: 7 X(c) + 5 X(K).
 * - The form on a piece or interval: 7 shifted, 21 of Taylor's shift, 11 powers and products, 21 sums, of at most c + 6
 *   K + 6 bits: 60 of them; those of the derivative or of its critical point, likewise.
 * - Values, where k <= K or 1074 (a double): 7 results and a summand of c + 6 k bits; two values, quotient and its
 *   operands in a refinement: 24 of them.
 * - Reflected polynomials (polynomial.c), of p in a value and on a piece, and of a critical point's: 21 sums of c + 6
 *   bits, 2 integers of k + 1 bits each; of a member of a chain 15 sums, 30 (n + 5) bits in all.
 * - Chains of remainders: of p and p or p and a polynomial of degree 4 or less (n bits); entries n + 3 bits, members
 *   member i at most (2 i - 1) (n + 5). Remainders on the way to it are made in two rounds, of 7 - i and 6 - i
 *   coefficients, with (4 i - 6) (n + 5) and (6 i - 9) (n + 5) bits: 277 (n + 5) in all; the members have 85 (n + 5);
 *   powers of the leads, and what a division takes, less than 200 (n + 5) and 100 (n + 5). Where degrees differ by
 *   more than one there are fewer members, and longer ones between them: 1200 (n + 5) bits hold either, and 200
 *   integers. The first remainder of a polynomial of degree 4 by one of lower degree is shorter. For p with
 *   coefficients of c bits instead, when made simple, the degree is 4 at most: less. One chain is kept. */

#include "number/root_walk.h"

#include <math.h>

/* Pieces are halved so often before p is made simple. */
#define PATIENCE 12

/* The critical point is refined by so many bits before the exact sign there is asked for. */
#define REFINED_BITS(bits) ((bits) + 64)

uint32_t toi_root_walk_limit(uint32_t bits) {
  return 6 * bits + 256;
}

size_t toi_root_walk_limbs(uint32_t bits) {
  enum { FORM = 2 * 60, VALUE = 24, CHAIN_BITS = 1200, CHAIN = 200, KEPT = 16 };
  size_t c = 2 * (size_t)bits + 8, limit = toi_root_walk_limit(bits), reach = limit > 1074 ? limit : 1074;
  size_t form = (c + 6 * limit + 6) / 64 + 2, value = (c + 6 * reach) / 64 + 2;
  size_t chain = CHAIN_BITS * ((size_t)bits + 5) / 64 + 2 * (size_t)CHAIN, kept = c / 64 + limit / 64 + 4;
  size_t reflected = 3 * (21 * ((c + 6) / 64 + 2) + 2 * (reach / 64 + 2)) + 30 * ((size_t)bits + 5) / 64 + 30;
  return KEPT * kept + FORM * form + VALUE * value + 2 * chain + reflected;
}

static void move_to(toi_root_walk *walk, toi_integer m, uint32_t k) {
  walk->m = toi_integer_store(walk->memory, m);
  walk->k = k;
}

void toi_root_walk_start(toi_root_walk *walk, toi_arena *arena, const toi_integer_form *form, double from, double to) {
  assert(!toi_integer_form_is_zero(form));
  walk->arena = arena;
  walk->start = toi_arena_mark(arena);
  walk->p = toi_integer_form_power(arena, form);
  walk->limit = toi_root_walk_limit(toi_polynomial_bits(&walk->p));
  walk->memory = toi_arena_take(arena, walk->limit / 64 + 2);
  walk->mark = toi_arena_mark(arena);
  walk->from = from;
  walk->to = to;
  walk->simple = walk->p.degree < 2;
  // The root at 0 is not asked for.
  walk->seen = true;
  walk->has_pending = false;
  move_to(walk, TOI_INTEGER_ZERO, 0);
}

void toi_root_walk_end(toi_root_walk *walk) {
  toi_arena_release(walk->arena, walk->start);
}

/* To the next piece: m + 1, as long as possible. */
static void advance(toi_root_walk *walk) {
  toi_arena *arena = walk->arena;
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer next = toi_integer_add(arena, walk->m, toi_integer_from_u64(arena, 1));
  uint32_t zeros = toi_integer_trailing_zeros(next);
  zeros = zeros < walk->k ? zeros : walk->k;
  move_to(walk, toi_integer_shift_right(arena, next, zeros), walk->k - zeros);
  toi_arena_release(arena, mark);
  walk->seen = false;
}

/* To the left half of the piece. */
static void descend(toi_root_walk *walk) {
  toi_arena *arena = walk->arena;
  toi_limb *mark = toi_arena_mark(arena);
  move_to(walk, toi_integer_shift_left(arena, walk->m, 1), walk->k + 1);
  toi_arena_release(arena, mark);
  assert(walk->k <= walk->limit);
  if (walk->k <= PATIENCE || walk->simple)
    return;
  // A new polynomial is kept, with all that was made on the way to it.
  toi_polynomial p = toi_polynomial_square_free(arena, &walk->p);
  walk->simple = true;
  walk->mark = p.degree < walk->p.degree ? toi_arena_mark(arena) : walk->mark;
  walk->p = p;
}

/* Where the piece lies with respect to [from, to]: -1 before, 1 after, 0 it has part in it. */
static int side_of_piece(const toi_root_walk *walk) {
  // Ends with more digits are not compared: their piece has part in a longer one that was not left out.
  if (walk->k > 52)
    return 0;
  double lo = ldexp(walk->m.size == 0 ? 0 : (double)walk->m.limb[0], -(int)walk->k);
  double hi = lo + ldexp(1, -(int)walk->k);
  return hi < walk->from ? -1 : lo > walk->to;
}

/* Whether p has the sign at the critical point b that it has at lo: |p(lo) - p(b)| < (hi - lo)^2 35 2^bits(p), as p'(b)
 * = 0 (see above). Values are scaled by 2^(k degree). */
static bool stays_away(const toi_root_walk *walk, const toi_algebraic *critical, toi_integer at_lo) {
  uint32_t change = toi_polynomial_bits(&walk->p) + 6 + 2 * toi_integer_bits(critical->w) +
                    critical->k * (uint32_t)(walk->p.degree - 2);
  return toi_integer_bits(at_lo) > change;
}

/* Two roots on the piece, or a double one, or none, by the critical point between them: the number of roots. */
static int settle_pair(toi_root_walk *walk, int sign, toi_algebraic *critical) {
  toi_arena *arena = walk->arena;
  toi_integer one = toi_integer_from_u64(arena, 1);
  const toi_integer ends[2] = {walk->m, toi_integer_add(arena, walk->m, one)};
  toi_limb *mark = toi_arena_mark(arena);
  uint32_t patience = critical->k + REFINED_BITS(toi_polynomial_bits(&walk->p));
  for (bool asked = false;; toi_arena_release(arena, mark)) {
    bool exact = toi_algebraic_is_dyadic(critical);
    toi_integer hi = toi_integer_add(arena, critical->m, critical->w);
    toi_integer at_lo = toi_polynomial_at(arena, &walk->p, critical->m, critical->k);
    int sign_lo = toi_integer_sign(at_lo);
    int sign_hi = exact ? sign_lo : toi_polynomial_sign_at(arena, &walk->p, hi, critical->k);
    // A point with the other sign parts them.
    if (sign_lo == -sign || sign_hi == -sign) {
      toi_integer between = sign_lo == -sign ? critical->m : hi;
      walk->root = toi_algebraic_between(arena, &walk->p, sign, (const toi_integer[2]){ends[0], between},
                                         (const uint32_t[2]){walk->k, critical->k}, walk->limit);
      walk->pending = toi_algebraic_between(arena, &walk->p, -sign, (const toi_integer[2]){between, ends[1]},
                                            (const uint32_t[2]){critical->k, walk->k}, walk->limit);
      walk->root.close_end = 1;
      walk->pending.close_end = -1;
      return 2;
    }
    if (exact)
      return sign_lo == 0;
    if (stays_away(walk, critical, at_lo))
      return 0;
    if (!asked && critical->k >= patience) {
      int at = toi_algebraic_sign(arena, critical, &walk->p);
      if (at != -sign)
        return at == 0;
      asked = true;
    }
    bool refined = toi_algebraic_refine(arena, critical);
    assert(refined);
    if (!refined)
      return 1;
  }
}

/* Looks at a piece with changes of sign: the number of roots on it in walk->root and walk->pending, or -1 if it has to
 * be halved. */
static int settle_piece(toi_root_walk *walk, const toi_integer_form *form) {
  toi_arena *arena = walk->arena;
  int variations = toi_integer_form_variations(form), last = form->degree;
  if (variations > 2 || form->c[0].size == 0 || form->c[last].size == 0)
    return -1;
  int sign = toi_integer_sign(form->c[0]);
  toi_integer one = toi_integer_from_u64(arena, 1);
  const toi_integer ends[2] = {walk->m, toi_integer_add(arena, walk->m, one)};
  const uint32_t k[2] = {walk->k, walk->k};
  if (variations == 1) {
    walk->root = toi_algebraic_between(arena, &walk->p, sign, ends, k, walk->limit);
    return 1;
  }
  toi_integer_form slope = toi_integer_form_derivative(arena, form);
  if (toi_integer_form_variations(&slope) != 1 || slope.c[0].size == 0 || slope.c[last - 1].size == 0)
    return -1;
  toi_polynomial derivative = toi_polynomial_derivative(arena, &walk->p);
  toi_algebraic critical = toi_algebraic_between(arena, &derivative, -sign, ends, k, walk->limit);
  int count = settle_pair(walk, sign, &critical);
  if (count == 1) {
    walk->root = critical;
    walk->root.multiplicity = 2;
  }
  return count;
}

toi_algebraic *toi_root_walk_next(toi_root_walk *walk) {
  toi_arena *arena = walk->arena;
  if (walk->has_pending) {
    walk->has_pending = false;
    return &walk->pending;
  }
  for (;;) {
    toi_arena_release(arena, walk->mark);
    int side = side_of_piece(walk);
    bool last = walk->k == 0 && walk->m.size != 0;
    if (side > 0 || (last && walk->seen))
      return NULL;
    // The left end, then the inside; at 1 there is no inside.
    if (side == 0 && !walk->seen) {
      walk->seen = true;
      if (toi_polynomial_sign_at(arena, &walk->p, walk->m, walk->k) == 0) {
        walk->root = toi_algebraic_dyadic(arena, walk->m, walk->k, walk->limit);
        return &walk->root;
      }
      if (last)
        return NULL;
    }
    if (side < 0) {
      advance(walk);
      continue;
    }
    toi_integer_form form = toi_polynomial_on(arena, &walk->p, walk->m, toi_integer_from_u64(arena, 1), walk->k);
    int count = toi_integer_form_variations(&form) == 0 ? 0 : settle_piece(walk, &form);
    if (count < 0) {
      toi_arena_release(arena, walk->mark);
      descend(walk);
      continue;
    }
    advance(walk);
    walk->has_pending = count == 2;
    if (count > 0)
      return &walk->root;
  }
}
