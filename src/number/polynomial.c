/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials of degree up to 3: signs, values, remainders.
 *
 * Claim (toi_polynomial_index): with S0 = p, S1 = g, S(i+1) a positive multiple of -(S(i-1) mod S(i)) until zero, and
 * V(x) the changes of sign in the values S0(x), S1(x), ... with zeros skipped, the Cauchy index of g / p on [lo, hi] is
 * V(lo) - V(hi), provided p(lo) p(hi) != 0. Why: dividing all by the last member D = gcd(p, g) changes neither the
 * index nor V (D is not zero at the ends, and divides all at a point alike). In the quotient chain two neighbours never
 * vanish together, and where an inner member vanishes its neighbours have opposite signs; so V changes only at zeros of
 * S0, where it drops by one if S1 / S0 jumps from -infinity to infinity, and grows by one at the opposite jump.
 * (Sturm's argument; p need not be squarefree.)
 *
 * Sizes. For p of degree 3 with a bits and g of degree 2 with b bits: S2 has degree 1 and a + 2 (b + 1) bits, S3 is
 * constant with b + 2 (a + 2 b + 3) = 2 a + 5 b + 6 bits. Every other pair of degrees that is used here gives less. */

#include "number/polynomial.h"

bool toi_form_is_zero(const toi_form *form) {
  for (int i = 0; i <= form->degree; i++) {
    if (form->c[i].size != 0) {
      return false;
    }
  }
  return true;
}

int toi_form_sign(const toi_form *form) {
  bool positive = false, negative = false;
  for (int i = 0; i <= form->degree; i++) {
    positive |= form->c[i].size > 0;
    negative |= form->c[i].size < 0;
  }
  return positive && negative ? TOI_SIGN_OPEN : positive - negative;
}

int toi_form_variations(const toi_form *form) {
  int variations = 0, last = 0;
  for (int i = 0; i <= form->degree; i++) {
    int sign = toi_integer_sign(form->c[i]);
    variations += sign * last < 0;
    last = sign != 0 ? sign : last;
  }
  return variations;
}

toi_form toi_form_derivative(toi_arena *arena, const toi_form *form) {
  // d/dt of s^(n-i) t^i is i s^(n-i) t^(i-1) - (n-i) s^(n-i-1) t^i.
  int n = form->degree;
  toi_form derivative = {n > 0 ? n - 1 : 0, {TOI_INTEGER_ZERO}};
  for (int i = 0; i < n; i++) {
    mp_limb_t *mark = toi_arena_mark(arena);
    toi_integer next = toi_integer_multiply_small(arena, form->c[i + 1], i + 1);
    toi_integer own = toi_integer_multiply_small(arena, form->c[i], n - i);
    derivative.c[i] = toi_arena_keep(arena, mark, toi_integer_subtract(arena, next, own));
  }
  return derivative;
}

toi_form toi_form_add(toi_arena *arena, const toi_form *a, const toi_form *b) {
  assert(a->degree == b->degree);
  toi_form sum = {a->degree, {TOI_INTEGER_ZERO}};
  for (int i = 0; i <= a->degree; i++) {
    sum.c[i] = toi_integer_add(arena, a->c[i], b->c[i]);
  }
  return sum;
}

toi_form toi_form_subtract(toi_arena *arena, const toi_form *a, const toi_form *b) {
  assert(a->degree == b->degree);
  toi_form difference = {a->degree, {TOI_INTEGER_ZERO}};
  for (int i = 0; i <= a->degree; i++) {
    difference.c[i] = toi_integer_subtract(arena, a->c[i], b->c[i]);
  }
  return difference;
}

static toi_polynomial trimmed(toi_polynomial p) {
  while (p.degree >= 0 && p.c[p.degree].size == 0) {
    p.degree--;
  }
  return p;
}

toi_polynomial toi_form_power(toi_arena *arena, const toi_form *form) {
  // Horner in s = 1 - t: (((c0 s + c1 t) s + c2 t^2) s + c3 t^3).
  int n = form->degree;
  toi_polynomial p = {n, {form->c[0], form->c[1], form->c[2], form->c[3]}};
  for (int i = 1; i <= n; i++) {
    for (int j = i; j > 0; j--) {
      p.c[j] = toi_integer_subtract(arena, p.c[j], p.c[j - 1]);
    }
  }
  return trimmed(p);
}

uint32_t toi_polynomial_bits(const toi_polynomial *p) {
  uint32_t most = 0;
  for (int i = 0; i <= p->degree; i++) {
    uint32_t bits = toi_integer_bits(p->c[i]);
    most = bits > most ? bits : most;
  }
  return most;
}

toi_integer toi_polynomial_at(toi_arena *arena, const toi_polynomial *p, toi_integer m, uint32_t k) {
  if (p->degree < 0) {
    return TOI_INTEGER_ZERO;
  }
  // Horner, all terms brought to the denominator 2^(k degree).
  mp_limb_t *mark = toi_arena_mark(arena);
  toi_integer value = p->c[p->degree];
  for (int i = p->degree - 1; i >= 0; i--) {
    value = toi_integer_multiply_add(arena, value, m, p->c[i], k * (uint32_t)(p->degree - i));
  }
  return toi_arena_keep(arena, mark, value);
}

int toi_polynomial_sign_at(toi_arena *arena, const toi_polynomial *p, toi_integer m, uint32_t k) {
  mp_limb_t *mark = toi_arena_mark(arena);
  int sign = toi_integer_sign(toi_polynomial_at(arena, p, m, k));
  toi_arena_release(arena, mark);
  return sign;
}

toi_form toi_polynomial_on(toi_arena *arena, const toi_polynomial *p, toi_integer m, toi_integer w, uint32_t k) {
  int n = p->degree < 0 ? 0 : p->degree;
  toi_form form = {n, {TOI_INTEGER_ZERO}};
  for (int i = 0; i <= p->degree; i++) {
    form.c[i] = toi_integer_shift_left(arena, p->c[i], k * (uint32_t)(n - i));
  }
  // Taylor's shift by m: repeated synthetic division.
  for (int round = 0; round < n; round++) {
    for (int i = n - 1; i >= round; i--) {
      form.c[i] = toi_integer_multiply_add(arena, form.c[i + 1], m, form.c[i], 0);
    }
  }
  // t = m + w x.
  toi_integer power = w;
  for (int i = 1; i <= n; i++) {
    form.c[i] = toi_integer_multiply(arena, form.c[i], power);
    power = i < n ? toi_integer_multiply(arena, power, w) : power;
  }
  // From powers of x to the form: toi_form_power backwards.
  for (int i = n; i > 0; i--) {
    for (int j = 1; j <= i; j++) {
      form.c[j] = toi_integer_add(arena, form.c[j], form.c[j - 1]);
    }
  }
  return form;
}

toi_polynomial toi_polynomial_remainder(toi_arena *arena, const toi_polynomial *p, const toi_polynomial *d) {
  assert(d->degree >= 1);
  toi_polynomial rest = *p;
  toi_integer lead = toi_integer_absolute(d->c[d->degree]);
  bool negative = d->c[d->degree].size < 0;
  // One step: rest = |lead| rest - sign(lead) top t^j d, in which the top term cancels.
  while (rest.degree >= d->degree) {
    int j = rest.degree - d->degree;
    toi_integer top = rest.c[rest.degree];
    top = negative ? toi_integer_negate(top) : top;
    for (int i = 0; i < rest.degree; i++) {
      toi_integer below = i >= j ? d->c[i - j] : TOI_INTEGER_ZERO;
      rest.c[i] = toi_integer_determinant(arena, lead, rest.c[i], top, below);
    }
    rest.degree--;
    rest = trimmed(rest);
  }
  return rest;
}

static int variations_at(toi_arena *arena, const toi_polynomial *chain, int count, toi_integer m, uint32_t k) {
  int variations = 0, last = 0;
  for (int i = 0; i < count; i++) {
    int sign = toi_polynomial_sign_at(arena, &chain[i], m, k);
    variations += sign * last < 0;
    last = sign != 0 ? sign : last;
  }
  return variations;
}

int toi_polynomial_index(toi_arena *arena, const toi_polynomial *p, const toi_polynomial *g, toi_integer m,
                         toi_integer w, uint32_t k) {
  assert(g->degree < p->degree);
  mp_limb_t *mark = toi_arena_mark(arena);
  toi_polynomial chain[TOI_DEGREE_MAX + 1] = {*p, *g};
  int count = g->degree < 0 ? 1 : 2;
  while (count >= 2 && chain[count - 1].degree > 0) {
    toi_polynomial rest = toi_polynomial_remainder(arena, &chain[count - 2], &chain[count - 1]);
    if (rest.degree < 0) {
      break;
    }
    for (int i = 0; i <= rest.degree; i++) {
      rest.c[i] = toi_integer_negate(rest.c[i]);
    }
    chain[count++] = rest;
  }
  int at_lo = variations_at(arena, chain, count, m, k);
  int at_hi = variations_at(arena, chain, count, toi_integer_add(arena, m, w), k);
  toi_arena_release(arena, mark);
  return at_lo - at_hi;
}

toi_polynomial toi_polynomial_primitive(toi_arena *arena, const toi_polynomial *p) {
  toi_polynomial primitive = *p;
  if (p->degree < 0) {
    return primitive;
  }
  toi_integer content = TOI_INTEGER_ZERO;
  for (int i = 0; i <= p->degree; i++) {
    content = toi_integer_gcd(arena, content, p->c[i]);
  }
  if (p->c[p->degree].size < 0) {
    content = toi_integer_negate(content);
  }
  for (int i = 0; i <= p->degree; i++) {
    primitive.c[i] = toi_integer_divide(arena, p->c[i], content);
  }
  return primitive;
}
