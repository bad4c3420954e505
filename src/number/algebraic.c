/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Signs at algebraic numbers, comparison, isolation of roots.
 *
 * Claim (sign): let a be the only root of p in [lo, hi], simple, p(lo) and p(hi) not 0, and g of lower degree than p.
 * The Cauchy index of g / p on [lo, hi] is sign(g(a)) sign(p'(a)), and sign(p'(a)) = -sign(p(lo)). Why: poles of g / p
 * lie at roots of p; there is one at most, at a, where g / p = g(a) / (p'(a) (t - a)) + O(1); it is no pole, and the
 * index is 0, exactly if g(a) = 0. So one chain of remainders gives the sign, zero included, without any refinement. It
 * is only asked when neither the value at lo nor the coefficients of g on the interval show the sign.
 *
 * Claim (isolation): toi_integer_form_roots ends, with ends of intervals over denominators of at most
 * toi_algebraic_limit(n) = 5 n + 192 bits, where the coefficients of the polynomial P (degree 3 at most, not 0 at 0 and
 * 1), of its derivative D and of the derivative of D have at most n bits. Why: between neighbouring critical points b
 * of P, P is monotone: a root lies there exactly if the signs of P at b and at the next one differ, and P(b) is 0
 * exactly if b is a multiple root. To get a dyadic separator, b is refined until P has the sign of P(b) at both ends of
 * its interval (then on all of it, since P is monotone on either side of b). How long can that take? The refinement
 * starts from an interval over a denominator of k0 bits and shorter than 1, and each bit added to the denominator
 * halves it. Degree 2: b = -P1 / (2 P2) and P(b) is not 0, so |P(b)| = |P1^2 - 4 P0 P2| / |4 P2| >= 2^-(n+2), while
 * |P(x) - P(b)| = |P2| d^2 < 2^n d^2 for |x - b| = d: less than |P(b)| if d <= 2^-(n+1). n + 66 bits suffice, and more
 * are not used (VERTEX_ROOM).
 * Degree 3: let l = lead(D), D of degree 2, and r = l^2 P mod D, of degree 1 at most, with at most 3 n + 2 bits. The
 * other root c of D obeys |l c| <= 2^(n+1) (Cauchy), hence |l r(c)| <= 2^(4n+4). If r(b) r(c) is not 0, |l r(b) r(c)|
 * is a positive integer (the resultant of r and D), so |r(b)| >= 2^-(4n+4); if r(c) = 0 but r(b) is not, b and c are
 * rational with denominators below 2^n, and |r(b)| >= 2^-n. Hence |P(b)| = |r(b)| / l^2 >= 2^-(6n+4). For |x - b| <= d
 * in [0, 1], Taylor's formula with P'(b) = 0 gives |P(x) - P(b)| <= d^2 max|P''| / 2 <= d^2 2^(n+2), less than |P(b)|
 * if d < 2^-(3.5n+3). (If b is a double root of D, or D is linear, b is rational, and |P(b)| >= 2^-(3n): less is
 * needed.) The start is an interval between doubles, cut by the separator of D's roots: k0 <= n + 66. Together 4.5 n +
 * 69 bits. Doubles are multiples of 2^-(n+55) near a root: a root is at least 2^-(n+1) (Cauchy on the reversed
 * polynomial). */

#include "number/algebraic.h"

/* Bits beyond those of the coefficients that separate the roots of a polynomial of degree 2. */
#define VERTEX_ROOM 66u

uint32_t toi_algebraic_limit(uint32_t bits) {
  return 5 * bits + 192;
}

static void set_interval(toi_algebraic *a, toi_integer m, toi_integer w, uint32_t k) {
  assert(toi_integer_bits(m) <= a->limit + 1 && toi_integer_bits(w) <= a->limit + 1);
  a->m = toi_integer_store(a->memory_m, m);
  a->w = toi_integer_store(a->memory_w, w);
  a->k = k;
}

/* A number without interval yet, with its memory. */
static toi_algebraic make(toi_arena *arena, const toi_polynomial *p, int sign_lo, uint32_t limit) {
  size_t limbs = limit / 64 + 2;
  toi_algebraic a = {.p = *p, .limit = limit, .sign_lo = sign_lo, .multiplicity = 1, .pace = 8};
  a.memory_m = toi_arena_take(arena, limbs);
  a.memory_w = toi_arena_take(arena, limbs);
  return a;
}

/* Narrows the interval to [lo, hi], given with denominators of their own. */
static void set_between(toi_arena *arena, toi_algebraic *a, const toi_integer m[2], const uint32_t k[2]) {
  toi_limb *mark = toi_arena_mark(arena);
  uint32_t common = k[0] > k[1] ? k[0] : k[1];
  toi_integer lo = toi_integer_shift_left(arena, m[0], common - k[0]);
  toi_integer hi = toi_integer_shift_left(arena, m[1], common - k[1]);
  toi_integer w = toi_integer_subtract(arena, hi, lo);
  assert(w.size > 0);
  set_interval(a, lo, w, common);
  toi_arena_release(arena, mark);
}

toi_algebraic toi_algebraic_dyadic(toi_arena *arena, toi_integer m, uint32_t k, uint32_t limit) {
  toi_polynomial p = {1, {toi_integer_negate(m)}};
  p.c[1] = toi_integer_shift_left(arena, toi_integer_from_u64(arena, 1), k);
  toi_algebraic a = make(arena, &p, 0, limit);
  set_interval(&a, m, TOI_INTEGER_ZERO, k);
  return a;
}

toi_algebraic toi_algebraic_between(toi_arena *arena, const toi_polynomial *p, int sign_lo, const toi_integer m[2],
                                    const uint32_t k[2], uint32_t limit) {
  toi_algebraic a = make(arena, p, sign_lo, limit);
  set_between(arena, &a, m, k);
  return a;
}

toi_algebraic toi_algebraic_copy(toi_arena *arena, const toi_algebraic *a) {
  toi_polynomial p = a->p;
  for (int i = 0; i <= p.degree; i++) {
    size_t limbs = toi_integer_bits(p.c[i]) / 64 + 1;
    p.c[i] = toi_integer_store(toi_arena_take(arena, limbs), p.c[i]);
  }
  toi_algebraic copy = make(arena, &p, a->sign_lo, a->limit);
  copy.multiplicity = a->multiplicity;
  copy.pace = a->pace;
  set_interval(&copy, a->m, a->w, a->k);
  return copy;
}

size_t toi_algebraic_limbs(uint32_t limit) {
  // Four coefficients, m and w.
  return 6 * (limit / 64 + 2);
}

/* --- signs and order --- */

/* Bits of g(lo) 2^(k degree) beyond those that the rest of the interval can change: positive if the sign is that at lo.
 */
static int excess(const toi_algebraic *a, const toi_polynomial *g, toi_integer at_lo) {
  // |g(t) - g(lo)| <= (hi - lo) max|g'| < w / 2^k (1 + 2 + 3) 2^bits(g) for t in [lo, hi], within [0, 1]; the sum ends
  // with the degree, and 1 + ... + 6 < 2^5.
  uint32_t sum_bits = g->degree <= TOI_DEGREE_CUBIC ? 3 : 5;
  uint32_t change = toi_integer_bits(a->w) + a->k * (uint32_t)(g->degree - 1) + toi_polynomial_bits(g) + sum_bits;
  return (int)toi_integer_bits(at_lo) - 1 - (int)change;
}

toi_estimate toi_algebraic_estimate(toi_arena *arena, const toi_algebraic *a, const toi_polynomial *g) {
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer at_lo = toi_polynomial_at(arena, g, a->m, a->k);
  toi_estimate estimate;
  estimate.m = toi_integer_approximate(at_lo, &estimate.e);
  estimate.e -= g->degree > 0 ? (int)a->k * g->degree : 0;
  estimate.bits = g->degree <= 0 || toi_algebraic_is_dyadic(a) ? 52 : excess(a, g, at_lo);
  toi_arena_release(arena, mark);
  return estimate;
}

int toi_algebraic_sign(toi_arena *arena, const toi_algebraic *a, const toi_polynomial *g) {
  if (g->degree <= 0)
    return g->degree < 0 ? 0 : toi_integer_sign(g->c[0]);
  // The value at lo, if it is too large to change its sign; the coefficients on the interval; the index.
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer at_lo = toi_polynomial_at(arena, g, a->m, a->k);
  int sign = toi_integer_sign(at_lo);
  if (!toi_algebraic_is_dyadic(a) && excess(a, g, at_lo) < 0) {
    toi_integer_form on = toi_polynomial_on(arena, g, a->m, a->w, a->k);
    sign = toi_integer_form_sign(&on);
  }
  if (sign == TOI_SIGN_OPEN) {
    toi_polynomial rest = toi_polynomial_remainder(arena, g, &a->p);
    sign = -a->sign_lo * toi_polynomial_index(arena, &a->p, &rest, a->m, a->w, a->k);
  }
  toi_arena_release(arena, mark);
  return sign;
}

int toi_algebraic_sign_form(toi_arena *arena, const toi_algebraic *a, const toi_integer_form *g) {
  // The ends of [0, 1] read a coefficient; inside, coefficients that agree settle it.
  if (toi_algebraic_is_dyadic(a) && a->k == 0)
    return toi_integer_sign(g->c[a->m.size == 0 ? 0 : g->degree]);
  int sign = toi_integer_form_sign(g);
  if (sign != TOI_SIGN_OPEN)
    return sign;
  toi_limb *mark = toi_arena_mark(arena);
  toi_polynomial p = toi_integer_form_power(arena, g);
  sign = toi_algebraic_sign(arena, a, &p);
  toi_arena_release(arena, mark);
  return sign;
}

/* -1, 0, 1 as m / 2^k <, =, > n / 2^l. */
static int compare_dyadics(toi_arena *arena, toi_integer m, uint32_t k, toi_integer n, uint32_t l) {
  toi_limb *mark = toi_arena_mark(arena);
  int order = toi_integer_compare(toi_integer_shift_left(arena, m, k < l ? l - k : 0),
                                  toi_integer_shift_left(arena, n, l < k ? k - l : 0));
  toi_arena_release(arena, mark);
  return order;
}

int toi_algebraic_compare_dyadic(toi_arena *arena, const toi_algebraic *a, toi_integer m, uint32_t k) {
  int order = compare_dyadics(arena, a->m, a->k, m, k);
  if (toi_algebraic_is_dyadic(a))
    return order;
  if (order >= 0)
    return 1;
  toi_limb *mark = toi_arena_mark(arena);
  order = compare_dyadics(arena, toi_integer_add(arena, a->m, a->w), a->k, m, k);
  if (order <= 0) {
    toi_arena_release(arena, mark);
    return -1;
  }
  // Strictly inside the interval: p has the sign of p(lo) exactly before the number.
  int sign = toi_polynomial_sign_at(arena, &a->p, m, k);
  toi_arena_release(arena, mark);
  return sign == 0 ? 0 : sign == a->sign_lo ? 1 : -1;
}

int toi_algebraic_compare(toi_arena *arena, const toi_algebraic *a, const toi_algebraic *b) {
  if (toi_algebraic_is_dyadic(b))
    return toi_algebraic_compare_dyadic(arena, a, b->m, b->k);
  if (toi_algebraic_is_dyadic(a))
    return -toi_algebraic_compare_dyadic(arena, b, a->m, a->k);
  // a against the ends of b's interval, then the sign of b's polynomial at a.
  if (toi_algebraic_compare_dyadic(arena, a, b->m, b->k) <= 0)
    return -1;
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer end = toi_integer_add(arena, b->m, b->w);
  int order = toi_algebraic_compare_dyadic(arena, a, end, b->k);
  toi_arena_release(arena, mark);
  if (order >= 0)
    return 1;
  int sign = toi_algebraic_sign(arena, a, &b->p);
  return sign == 0 ? 0 : sign == b->sign_lo ? -1 : 1;
}

/* --- refinement --- */

/* Where the secant through the ends crosses zero, in pieces of the interval: 2^pace times p(lo) / (p(lo) - p(hi)). */
static toi_integer secant(toi_arena *arena, const toi_algebraic *a, uint32_t pace) {
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer end = toi_integer_add(arena, a->m, a->w);
  toi_integer fall = toi_integer_absolute(toi_polynomial_at(arena, &a->p, a->m, a->k));
  toi_integer rise = toi_integer_absolute(toi_polynomial_at(arena, &a->p, end, a->k));
  // More than pace bits of the quotient would not be used.
  toi_integer sum = toi_integer_add(arena, fall, rise);
  uint32_t bits = toi_integer_bits(sum), spare = bits > pace + 64 ? bits - pace - 64 : 0;
  toi_integer top = toi_integer_shift_left(arena, toi_integer_shift_right(arena, fall, spare), pace);
  return toi_arena_keep(arena, mark, toi_integer_divide(arena, top, toi_integer_shift_right(arena, sum, spare)));
}

/* Cuts the interval into 2^pace pieces and tries the two around the secant's zero; false if neither holds the number.
 * With pace 1 there are no others. */
static bool refine_step(toi_arena *arena, toi_algebraic *a, uint32_t pace) {
  toi_integer cut = secant(arena, a, pace), one = toi_integer_from_u64(arena, 1);
  if (cut.size == 0)
    cut = one;
  else if (toi_integer_bits(cut) > pace)
    cut = toi_integer_subtract(arena, toi_integer_shift_left(arena, one, pace), one);
  toi_integer at = toi_integer_multiply_add(arena, cut, a->w, a->m, pace);
  // The sign at the cut says on which side of it the number is; the next cut on that side must show the other sign.
  int sign = toi_polynomial_sign_at(arena, &a->p, at, a->k + pace);
  bool after = sign == a->sign_lo;
  toi_integer next = after ? toi_integer_add(arena, at, a->w) : toi_integer_subtract(arena, at, a->w);
  int sign_next = sign == 0 ? 0 : toi_polynomial_sign_at(arena, &a->p, next, a->k + pace);
  if (sign_next == 0)
    set_interval(a, sign == 0 ? at : next, TOI_INTEGER_ZERO, a->k + pace);
  else if (sign != sign_next)
    set_interval(a, after ? at : next, a->w, a->k + pace);
  return sign_next != sign || sign == 0;
}

bool toi_algebraic_refine_by(toi_arena *arena, toi_algebraic *a, uint32_t bits) {
  assert(bits > 0);
  a->pace = a->pace < bits ? a->pace : bits;
  return toi_algebraic_refine(arena, a);
}

bool toi_algebraic_refine(toi_arena *arena, toi_algebraic *a) {
  if (toi_algebraic_is_dyadic(a) || a->k >= a->limit)
    return false;
  toi_limb *mark = toi_arena_mark(arena);
  uint32_t room = a->limit - a->k;
  a->pace = a->pace < room ? a->pace : room;
  // Twice the bits after a success, half of them after a failure: convergence is quadratic.
  while (!refine_step(arena, a, a->pace)) {
    toi_arena_release(arena, mark);
    a->pace /= 2;
    assert(a->pace > 0);
  }
  toi_arena_release(arena, mark);
  a->pace = 2 * a->pace < TOI_ALGEBRAIC_PACE ? 2 * a->pace : TOI_ALGEBRAIC_PACE;
  return true;
}

void toi_algebraic_narrow(toi_arena *arena, toi_algebraic *a, double lo, double hi) {
  toi_limb *mark = toi_arena_mark(arena);
  int exponent_lo, exponent_hi;
  toi_integer m_lo = toi_integer_from_i64(arena, toi_double_split(lo, &exponent_lo));
  toi_integer m_hi = toi_integer_from_i64(arena, toi_double_split(hi, &exponent_hi));
  uint32_t k_lo = (uint32_t)-exponent_lo, k_hi = (uint32_t)-exponent_hi;
  if (lo == hi) {
    set_interval(a, m_lo, TOI_INTEGER_ZERO, k_lo);
  } else {
    // The larger of the lower ends, the smaller of the upper ones.
    toi_integer end = toi_integer_add(arena, a->m, a->w);
    bool keep_lo = compare_dyadics(arena, a->m, a->k, m_lo, k_lo) >= 0;
    bool keep_hi = compare_dyadics(arena, end, a->k, m_hi, k_hi) <= 0;
    set_between(arena, a, (toi_integer[2]){keep_lo ? a->m : m_lo, keep_hi ? end : m_hi},
                (uint32_t[2]){keep_lo ? a->k : k_lo, keep_hi ? a->k : k_hi});
  }
  toi_arena_release(arena, mark);
}

/* --- isolation --- */

/* An interval end on the way from 0 to 1: the polynomial keeps its sign from the last critical point up to here. */
typedef struct node {
  toi_integer m;
  uint32_t k;
  int sign;
} node;

static void add_between(toi_arena *arena, const toi_polynomial *p, const node *lo, const node *hi, uint32_t limit,
                        toi_algebraic *root) {
  *root = make(arena, p, lo->sign, limit);
  set_between(arena, root, (toi_integer[2]){lo->m, hi->m}, (uint32_t[2]){lo->k, hi->k});
}

/* Refines a critical point until p has its sign there, which is not 0, at both ends of its interval too. */
static void separate(toi_arena *arena, const toi_polynomial *p, int sign, toi_algebraic *critical) {
  for (bool open = !toi_algebraic_is_dyadic(critical); open;) {
    toi_limb *mark = toi_arena_mark(arena);
    toi_integer end = toi_integer_add(arena, critical->m, critical->w);
    bool apart = toi_polynomial_sign_at(arena, p, critical->m, critical->k) == sign &&
                 toi_polynomial_sign_at(arena, p, end, critical->k) == sign;
    toi_arena_release(arena, mark);
    open = !apart && toi_algebraic_refine(arena, critical);
    assert(apart || open || toi_algebraic_is_dyadic(critical));
  }
}

/* The roots in (0, 1) of a form whose first and last coefficients are not zero. */
static int inner_roots(toi_arena *arena, const toi_integer_form *form, uint32_t limit,
                       toi_algebraic roots[TOI_DEGREE_CUBIC]) {
  int variations = toi_integer_form_variations(form);
  if (variations == 0)
    return 0;
  toi_polynomial p = toi_integer_form_power(arena, form);
  toi_integer one = toi_integer_from_u64(arena, 1);
  node last = {TOI_INTEGER_ZERO, 0, toi_integer_sign(form->c[0])};
  node end = {one, 0, toi_integer_sign(form->c[form->degree])};
  if (variations == 1) {
    add_between(arena, &p, &last, &end, limit, &roots[0]);
    return 1;
  }
  // From critical point to critical point: a multiple root at one, a simple root between two of opposite signs.
  toi_integer_form derivative = toi_integer_form_derivative(arena, form);
  toi_algebraic critical[TOI_DEGREE_CUBIC];
  uint32_t room = form->degree == 2 ? toi_polynomial_bits(&p) + VERTEX_ROOM : limit;
  int critical_count = toi_integer_form_roots(arena, &derivative, room < limit ? room : limit, critical), count = 0;
  for (int i = 0; i < critical_count; i++) {
    toi_algebraic *b = &critical[i];
    if (toi_algebraic_is_dyadic(b) && b->k == 0)
      continue;
    double bracket[2];
    toi_algebraic_bracket(arena, b, -1, bracket);
    // A value at lo that the interval cannot change shows the sign and separates at once.
    toi_estimate estimate = toi_algebraic_estimate(arena, b, &p);
    bool apart = estimate.bits > 0 && estimate.m != 0;
    int sign = apart ? (estimate.m > 0) - (estimate.m < 0) : toi_algebraic_sign(arena, b, &p);
    if (sign == 0) {
      roots[count] = *b;
      roots[count++].multiplicity = b->multiplicity + 1;
      last.sign = 0;
      continue;
    }
    if (!apart)
      separate(arena, &p, sign, b);
    node here = {b->m, b->k, sign};
    if (last.sign * sign < 0)
      add_between(arena, &p, &last, &here, limit, &roots[count++]);
    last = (node){toi_integer_add(arena, b->m, b->w), b->k, sign};
  }
  if (last.sign * end.sign < 0)
    add_between(arena, &p, &last, &end, limit, &roots[count++]);
  return count;
}

int toi_integer_form_roots(toi_arena *arena, const toi_integer_form *form, uint32_t limit,
                           toi_algebraic roots[TOI_DEGREE_CUBIC]) {
  assert(form->degree <= TOI_DEGREE_CUBIC && !toi_integer_form_is_zero(form));
  // Powers of t and of s = 1 - t split off at once.
  int first = 0, last = form->degree;
  while (form->c[first].size == 0)
    first++;
  while (form->c[last].size == 0)
    last--;
  int count = 0;
  if (first > 0) {
    roots[count] = toi_algebraic_dyadic(arena, TOI_INTEGER_ZERO, 0, limit);
    roots[count++].multiplicity = first;
  }
  toi_integer_form inner = {last - first, {TOI_INTEGER_ZERO}};
  for (int i = first; i <= last; i++)
    inner.c[i - first] = form->c[i];
  count += inner_roots(arena, &inner, limit, roots + count);
  if (last < form->degree) {
    roots[count] = toi_algebraic_dyadic(arena, toi_integer_from_u64(arena, 1), 0, limit);
    roots[count++].multiplicity = form->degree - last;
  }
  return count;
}
