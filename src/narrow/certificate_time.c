/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The contact time as a certificate needs it: rational or irrational, with a polynomial that divides what vanishes
 * there.
 *
 * Claim (rational): a root a of an integer polynomial with leading coefficient l > 0 is rational only if l a is an
 * integer. So once the interval (lo, hi) of a obeys l (hi - lo) < 1, there is one candidate, the first integer after l
 * lo.
 *
 * Claim (no rational root): if a prime q does not divide l, and the polynomial has no root modulo q, it has no rational
 * root. Why: the denominator of a rational root divides l (Gauss), so it has an inverse modulo q, and the root exists
 * modulo q. This settles nearly all irrational times at once; the interval need not be narrowed to 1 / l, which may
 * take thousands of binary places.
 *
 * Claim (irrational): let R be the greatest common divisor of the number's own polynomial and of those among the
 * coplanarity f and the areas that vanish at the irrational a but are not zero. Then each of these is R^m g with g(a)
 * not 0. Why: R divides each of them, as R vanishes at a. If R has degree 2, it is irreducible, so g(a) = 0 would make
 * it divide g, and the maximal m is taken. If it has degree 3, no area of degree 2 vanishes at a, and f = c R. Degree 1
 * would make a rational. */

#include "narrow/certificate_parts.h"

static toi_dyadic interval_end(toi_arena *arena, const toi_algebraic *a) {
  return (toi_dyadic){toi_integer_add(arena, a->m, a->w), a->k};
}

/* --- division --- */

static bool divides(toi_arena *arena, const toi_polynomial *d, const toi_polynomial *p) {
  toi_limb *mark = toi_arena_mark(arena);
  const bool result = toi_polynomial_remainder(arena, p, d).degree < 0;
  toi_arena_release(arena, mark);
  return result;
}

/* p / d for a primitive d that divides p: the quotient has integer coefficients, by Gauss's lemma. */
static toi_polynomial quotient(toi_arena *arena, const toi_polynomial *p, const toi_polynomial *d) {
  toi_polynomial rest = *p, result = {p->degree - d->degree, {TOI_INTEGER_ZERO}};
  for (int j = result.degree; j >= 0; j--) {
    result.c[j] = toi_integer_divide_exact(arena, rest.c[j + d->degree], d->c[d->degree]);
    for (int i = 0; i < d->degree; i++) {
      const toi_integer product = toi_integer_multiply(arena, result.c[j], d->c[i]);
      rest.c[j + i] = toi_integer_subtract(arena, rest.c[j + i], product);
    }
  }
  return result;
}

static void take_out(toi_arena *arena, const toi_polynomial *root, toi_factored *f) {
  f->left = f->whole;
  f->times = 0;
  while (f->left.degree >= root->degree && divides(arena, root, &f->left)) {
    f->left = quotient(arena, &f->left, root);
    f->times++;
  }
}

/* The greatest common divisor of two polynomials that have a root in common. */
static toi_polynomial common_divisor(toi_arena *arena, const toi_polynomial *a, const toi_polynomial *b) {
  toi_polynomial larger = *a, smaller = *b;
  for (;;) {
    const toi_polynomial rest = toi_polynomial_remainder(arena, &larger, &smaller);
    if (rest.degree < 0)
      return toi_polynomial_primitive(arena, &smaller);
    assert(rest.degree > 0);
    larger = smaller;
    smaller = toi_polynomial_primitive(arena, &rest);
  }
}

/* --- rational or not --- */

/* Whether a prime below 100 shows that no root of p is rational. */
static bool has_no_rational_root(const toi_polynomial *p) {
  static const uint8_t primes[] = {3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37, 41,
                                   43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97};
  for (size_t i = 0; i < sizeof primes; i++) {
    const uint32_t q = primes[i];
    uint32_t c[TOI_DEGREE_MAX + 1] = {0}, x = 0;
    for (int j = 0; j <= p->degree; j++)
      c[j] = toi_integer_modulo(p->c[j], q);
    if (c[p->degree] == 0)
      continue;
    for (; x < q; x++) {
      uint32_t value = c[p->degree];
      for (int j = p->degree - 1; j >= 0; j--)
        value = (value * x + c[j]) % q;
      if (value == 0)
        break;
    }
    if (x == q)
      return true;
  }
  return false;
}

/* p(c / l) l^degree = 0? */
static bool vanishes_at(toi_arena *arena, const toi_polynomial *p, toi_integer c, toi_integer l) {
  toi_integer value = p->c[p->degree], power = l;
  for (int i = p->degree - 1; i >= 0; i--) {
    value = toi_integer_add(arena, toi_integer_multiply(arena, value, c), toi_integer_multiply(arena, p->c[i], power));
    power = toi_integer_multiply(arena, power, l);
  }
  return value.size == 0;
}

static void set_rational(toi_arena *arena, toi_contact_time *moment, toi_integer numerator, toi_integer denominator) {
  const toi_integer divisor = toi_integer_gcd(arena, numerator, denominator);
  moment->rational = true;
  moment->numerator = toi_integer_divide_exact(arena, numerator, divisor);
  moment->denominator = toi_integer_divide_exact(arena, denominator, divisor);
  moment->root = (toi_polynomial){1, {toi_integer_negate(moment->numerator), moment->denominator}};
  moment->before = -1;
}

/* Decides whether the number is rational; false if its limit is reached before. */
static bool decide_rational(toi_arena *arena, toi_contact_time *moment) {
  toi_algebraic *a = &moment->number;
  moment->root = toi_polynomial_primitive(arena, &a->p);
  if (moment->root.degree == 1) {
    set_rational(arena, moment, toi_integer_negate(moment->root.c[0]), moment->root.c[1]);
    return true;
  }
  if (has_no_rational_root(&moment->root))
    return true;
  const toi_integer lead = moment->root.c[moment->root.degree];
  for (;;) {
    const uint32_t needed = toi_integer_bits(a->w) + toi_integer_bits(lead);
    if (toi_algebraic_is_dyadic(a) || needed <= a->k)
      break;
    if (!toi_algebraic_refine_by(arena, a, needed - a->k))
      return false;
  }
  const toi_integer one = toi_integer_from_u64(arena, 1);
  if (toi_algebraic_is_dyadic(a)) {
    set_rational(arena, moment, a->m, toi_integer_shift_left(arena, one, a->k));
    return true;
  }
  const toi_integer scaled = toi_integer_shift_right(arena, toi_integer_multiply(arena, a->m, lead), a->k);
  const toi_integer candidate = toi_integer_add(arena, scaled, one);
  const toi_integer end = toi_integer_multiply(arena, toi_integer_add(arena, a->m, a->w), lead);
  const bool inside = toi_integer_compare(toi_integer_shift_left(arena, candidate, a->k), end) < 0;
  if (inside && vanishes_at(arena, &moment->root, candidate, lead))
    set_rational(arena, moment, candidate, lead);
  return true;
}

/* --- the polynomial of an irrational number --- */

static void meet(toi_arena *arena, toi_contact_time *moment, const toi_polynomial *p) {
  if (p->degree < 1 || toi_algebraic_sign(arena, &moment->number, p) != 0 || divides(arena, &moment->root, p))
    return;
  moment->root = common_divisor(arena, &moment->root, p);
}

static void set_irrational(toi_certificate_parts *parts) {
  toi_contact_time *moment = &parts->moment;
  meet(parts->arena, moment, &parts->coplanarity.whole);
  for (int k = 0; k < parts->count; k++)
    for (int axis = 0; axis < TOI_AXES; axis++)
      meet(parts->arena, moment, &parts->area[k][axis].whole);
  const toi_algebraic *a = &moment->number;
  moment->before = toi_polynomial_sign_at(parts->arena, &moment->root, a->m, a->k);
}

/* --- an interval that shows what the certificate says of it --- */

static toi_polynomial derivative(toi_arena *arena, const toi_polynomial *p) {
  toi_polynomial result = {p->degree - 1, {TOI_INTEGER_ZERO}};
  for (int i = 1; i <= p->degree; i++)
    result.c[i - 1] = toi_integer_multiply_small(arena, p->c[i], i);
  return result;
}

int toi_parts_slope(toi_certificate_parts *parts, toi_dyadic from, toi_dyadic to) {
  toi_limb *mark = toi_arena_mark(parts->arena);
  const toi_polynomial slope = derivative(parts->arena, &parts->moment.root);
  const int sign = toi_sign_between(parts->arena, &slope, from, to);
  toi_arena_release(parts->arena, mark);
  return sign;
}

/* Whether everything that does not vanish at the irrational contact time keeps its sign on the interval. */
static bool is_shown(toi_certificate_parts *parts, const toi_exact_contact *contact) {
  const toi_algebraic *a = &parts->moment.number;
  toi_limb *mark = toi_arena_mark(parts->arena);
  const toi_dyadic lo = {a->m, a->k}, hi = interval_end(parts->arena, a);
  bool shown = toi_parts_slope(parts, lo, hi) != 0;
  for (int k = 0; k < parts->count && shown; k++) {
    if (contact->axis >= 0) {
      const toi_factored *area = &parts->area[k][contact->axis];
      shown = area->whole.degree < 0 || area->times > 0 || toi_sign_between(parts->arena, &area->whole, lo, hi) != 0;
    } else {
      for (int axis = 0; axis < TOI_AXES && shown; axis++) {
        const toi_polynomial *corner = &parts->corner[k][axis];
        shown = corner->degree < 0 || toi_sign_between(parts->arena, corner, lo, hi) != 0;
      }
    }
  }
  toi_arena_release(parts->arena, mark);
  return shown;
}

bool toi_parts_refine(toi_certificate_parts *parts) {
  return toi_algebraic_refine(parts->arena, &parts->moment.number);
}

/* The number in memory of its own. It may have come with less room to narrow its interval than the hull allows. */
static void set_number(toi_certificate_parts *parts, const toi_algebraic *number) {
  toi_algebraic roomy = *number;
  roomy.limit = parts->hull->limit;
  parts->moment.number = toi_algebraic_copy(parts->arena, &roomy);
}

bool toi_parts_set_moment(toi_certificate_parts *parts, const toi_exact_first *first, const toi_algebraic *placed) {
  toi_contact_time *moment = &parts->moment;
  moment->present = true;
  set_number(parts, &first->time);
  if (!decide_rational(parts->arena, moment))
    return false;
  if (!moment->rational)
    set_irrational(parts);
  take_out(parts->arena, &moment->root, &parts->coplanarity);
  for (int k = 0; k < parts->count; k++)
    for (int axis = 0; axis < TOI_AXES; axis++)
      take_out(parts->arena, &moment->root, &parts->area[k][axis]);
  if (moment->rational || is_shown(parts, &first->contact))
    return true;
  if (placed->k > moment->number.k && !toi_algebraic_is_dyadic(placed))
    set_number(parts, placed);
  while (!is_shown(parts, &first->contact))
    if (!toi_parts_refine(parts))
      return false;
  return true;
}
