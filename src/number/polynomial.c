/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials of degree up to 6: signs, values, remainders.
 *
 * Claim (toi_polynomial_index): with S0 = p, S1 = g, S(i+1) a positive multiple of -(S(i-1) mod S(i)) until zero, and
 * V(x) the changes of sign in the values S0(x), S1(x), ... with zeros skipped, the Cauchy index of g / p on [lo, hi] is
 * V(lo) - V(hi), provided p(lo) p(hi) != 0. Why: dividing all by the last member D = gcd(p, g) changes neither the
 * index nor V (D is not zero at the ends, and divides all at a point alike). In the quotient chain two neighbours never
 * vanish together, and where an inner member vanishes its neighbours have opposite signs; so V changes only at zeros of
 * S0, where it drops by one if S1 / S0 jumps from -infinity to infinity, and grows by one at the opposite jump.
 * (Sturm's argument; p need not be squarefree.)
 *
 * Sizes. The members are, up to their signs, subresultants of p and g: each remainder is divided by the factor that is
 * known to divide it (Collins, Brown), so that its coefficients are minors of Sylvester's matrix. For p of degree 6
 * with a bits and g of degree 5 with b bits these have at most 5 a + 6 b + 30 bits (Hadamard; 11 rows of 11 entries),
 * before the division three times as many. Polynomials of degree 3 keep within 2 a + 5 b + 6 bits, as without division.
 *
 * Claim (toi_polynomial_square_free): G = lead(p) gcd(p, p') / lead(gcd) and lead(p) p / G have integer coefficients.
 * Why: p = c g h with primitive g (the gcd) and h, by Gauss, so lead(p) = c lead(g) lead(h); G = c lead(h) g, and
 * lead(p) p / G = c lead(g) h. Both have at most 2 bits(p) + 8 bits (Mignotte: a factor of p has coefficients of at
 * most 2^6 times the Euclidean norm of p). */

#include "number/polynomial.h"

#include <string.h>

bool toi_integer_form_is_zero(const toi_integer_form *form) {
  for (int i = 0; i <= form->degree; i++)
    if (form->c[i].size != 0)
      return false;
  return true;
}

int toi_integer_form_sign(const toi_integer_form *form) {
  bool positive = false, negative = false;
  for (int i = 0; i <= form->degree; i++) {
    positive |= form->c[i].size > 0;
    negative |= form->c[i].size < 0;
  }
  return positive && negative ? TOI_SIGN_OPEN : positive - negative;
}

int toi_integer_form_variations(const toi_integer_form *form) {
  int variations = 0, last = 0;
  for (int i = 0; i <= form->degree; i++) {
    int sign = toi_integer_sign(form->c[i]);
    variations += sign * last < 0;
    last = sign != 0 ? sign : last;
  }
  return variations;
}

toi_integer_form toi_integer_form_derivative(toi_arena *arena, const toi_integer_form *form) {
  // d/dt of s^(n-i) t^i is i s^(n-i) t^(i-1) - (n-i) s^(n-i-1) t^i.
  int n = form->degree;
  toi_integer_form derivative;
  derivative.degree = n > 0 ? n - 1 : 0;
  derivative.c[0] = TOI_INTEGER_ZERO;
  for (int i = 0; i < n; i++) {
    toi_limb *mark = toi_arena_mark(arena);
    toi_integer next = toi_integer_multiply_small(arena, form->c[i + 1], i + 1);
    toi_integer own = toi_integer_multiply_small(arena, form->c[i], n - i);
    derivative.c[i] = toi_arena_keep(arena, mark, toi_integer_subtract(arena, next, own));
  }
  return derivative;
}

toi_integer_form toi_integer_form_add(toi_arena *arena, const toi_integer_form *a, const toi_integer_form *b) {
  assert(a->degree == b->degree);
  toi_integer_form sum = {a->degree, {TOI_INTEGER_ZERO}};
  for (int i = 0; i <= a->degree; i++)
    sum.c[i] = toi_integer_add(arena, a->c[i], b->c[i]);
  return sum;
}

toi_integer_form toi_integer_form_subtract(toi_arena *arena, const toi_integer_form *a, const toi_integer_form *b) {
  assert(a->degree == b->degree);
  toi_integer_form difference = {a->degree, {TOI_INTEGER_ZERO}};
  for (int i = 0; i <= a->degree; i++)
    difference.c[i] = toi_integer_subtract(arena, a->c[i], b->c[i]);
  return difference;
}

toi_integer_form toi_integer_form_dot(toi_arena *arena, const toi_integer_form *const (*pairs)[2], int count) {
  enum { FACTORS_MAX = TOI_DEGREE_MAX / 2 + 1, PAIRS_MAX = 3 };
  assert(count <= PAIRS_MAX);
  int n = pairs[0][0]->degree, m = pairs[0][1]->degree;
  toi_integer_form sum = {n + m, {TOI_INTEGER_ZERO}};
  for (int i = 0; i <= n + m; i++) {
    toi_integer factors[PAIRS_MAX * FACTORS_MAX][2];
    int terms = 0;
    for (int pair = 0; pair < count; pair++) {
      for (int j = i > m ? i - m : 0; j <= n && j <= i; j++) {
        factors[terms][0] = pairs[pair][0]->c[j];
        factors[terms++][1] = pairs[pair][1]->c[i - j];
      }
    }
    sum.c[i] = toi_integer_dot(arena, (const toi_integer(*)[2])factors, terms);
  }
  return sum;
}

toi_integer_form toi_integer_form_elevate(toi_arena *arena, const toi_integer_form *form) {
  // Times (s + t)^2 = s^2 + 2 s t + t^2.
  int n = form->degree;
  toi_integer_form higher = {n + 2, {TOI_INTEGER_ZERO}};
  for (int i = 0; i <= n + 2; i++) {
    toi_limb *mark = toi_arena_mark(arena);
    toi_integer outer = i <= n ? form->c[i] : TOI_INTEGER_ZERO;
    outer = i >= 2 ? toi_integer_add(arena, outer, form->c[i - 2]) : outer;
    toi_integer inner = i >= 1 && i <= n + 1 ? toi_integer_shift_left(arena, form->c[i - 1], 1) : TOI_INTEGER_ZERO;
    higher.c[i] = toi_arena_keep(arena, mark, toi_integer_add(arena, outer, inner));
  }
  return higher;
}

static toi_polynomial trimmed(toi_polynomial p) {
  while (p.degree >= 0 && p.c[p.degree].size == 0)
    p.degree--;
  return p;
}

toi_polynomial toi_integer_form_power(toi_arena *arena, const toi_integer_form *form) {
  // Horner in s = 1 - t: (((c0 s + c1 t) s + c2 t^2) s + c3 t^3).
  int n = form->degree;
  toi_polynomial p;
  p.degree = n;
  memcpy(p.c, form->c, (size_t)(n + 1) * sizeof p.c[0]);
  for (int i = 1; i <= n; i++)
    for (int j = i; j > 0; j--)
      p.c[j] = toi_integer_subtract(arena, p.c[j], p.c[j - 1]);
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

toi_polynomial toi_polynomial_reflect(toi_arena *arena, const toi_polynomial *p) {
  // Taylor's shift by 1, then the other direction.
  toi_polynomial r = *p;
  for (int round = 0; round < p->degree; round++)
    for (int i = p->degree - 1; i >= round; i--)
      r.c[i] = toi_integer_add(arena, r.c[i], r.c[i + 1]);
  for (int i = 1; i <= p->degree; i += 2)
    r.c[i] = toi_integer_negate(r.c[i]);
  return r;
}

/* Whether m / 2^k is so close to 1 that 2^k - m, which is not negative then, is shorter than m by a quarter and two
 * limbs at least. What is to be computed at such a time is computed for the reflected polynomial at 1 - m / 2^k. */
static bool is_close_to_one(toi_integer m, uint32_t k) {
  enum { LEAST_BITS = 256, LEAST_ONES = 128 };
  if (k < LEAST_BITS || toi_integer_sign(m) < 0 || toi_integer_bits(m) != k)
    return false;
  // Ones from the top down, in whole limbs but for the first.
  uint32_t limb = (k + 63) / 64 - 1, ones = k - 64 * limb;
  if (m.limb[limb] != ~UINT64_C(0) >> (64 - ones))
    return false;
  for (; limb > 0 && m.limb[limb - 1] == ~UINT64_C(0); limb--)
    ones += 64;
  return ones >= LEAST_ONES && ones >= k / 4;
}

/* 2^k - m. */
static toi_integer complement(toi_arena *arena, toi_integer m, uint32_t k) {
  toi_integer one = toi_integer_shift_left(arena, toi_integer_from_u64(arena, 1), k);
  return toi_integer_subtract(arena, one, m);
}

toi_integer toi_polynomial_at(toi_arena *arena, const toi_polynomial *p, toi_integer m, uint32_t k) {
  if (p->degree < 0)
    return TOI_INTEGER_ZERO;
  toi_limb *mark = toi_arena_mark(arena);
  toi_polynomial reflected;
  if (p->degree > 0 && is_close_to_one(m, k)) {
    reflected = toi_polynomial_reflect(arena, p);
    m = complement(arena, m, k);
    p = &reflected;
  }
  // Horner, all terms brought to the denominator 2^(k degree).
  toi_integer value = p->c[p->degree];
  for (int i = p->degree - 1; i >= 0; i--)
    value = toi_integer_multiply_add(arena, value, m, p->c[i], k * (uint32_t)(p->degree - i));
  return toi_arena_keep(arena, mark, value);
}

int toi_polynomial_sign_at(toi_arena *arena, const toi_polynomial *p, toi_integer m, uint32_t k) {
  toi_limb *mark = toi_arena_mark(arena);
  int sign = toi_integer_sign(toi_polynomial_at(arena, p, m, k));
  toi_arena_release(arena, mark);
  return sign;
}

toi_polynomial toi_polynomial_from(toi_arena *arena, const toi_polynomial *p, toi_integer m, uint32_t k) {
  const int n = p->degree;
  const bool reflect = n > 0 && is_close_to_one(m, k);
  toi_polynomial seen = reflect ? toi_polynomial_reflect(arena, p) : *p;
  m = reflect ? complement(arena, m, k) : m;
  for (int i = 0; i < n; i++)
    seen.c[i] = toi_integer_shift_left(arena, seen.c[i], k * (uint32_t)(n - i));
  // Taylor's shift by m: repeated synthetic division.
  for (int round = 0; round < n; round++)
    for (int i = n - 1; i >= round; i--)
      seen.c[i] = toi_integer_multiply_add(arena, seen.c[i + 1], m, seen.c[i], 0);
  for (int i = 1; i <= n && reflect; i += 2)
    seen.c[i] = toi_integer_negate(seen.c[i]);
  return seen;
}

toi_integer_form toi_polynomial_on(toi_arena *arena, const toi_polynomial *p, toi_integer m, toi_integer w,
                                   uint32_t k) {
  int n = p->degree < 0 ? 0 : p->degree;
  toi_integer_form form;
  form.degree = n;
  form.c[0] = TOI_INTEGER_ZERO;
  toi_polynomial seen = toi_polynomial_from(arena, p, m, k);
  for (int i = 0; i <= p->degree; i++)
    form.c[i] = seen.c[i];
  // t = m + w x.
  bool unit = w.size == 1 && w.limb[0] == 1;
  toi_integer power = w;
  for (int i = 1; i <= n && !unit; i++) {
    form.c[i] = toi_integer_multiply(arena, form.c[i], power);
    power = i < n ? toi_integer_multiply(arena, power, w) : power;
  }
  // From powers of x to the form: toi_integer_form_power backwards.
  for (int i = n; i > 0; i--)
    for (int j = 1; j <= i; j++)
      form.c[j] = toi_integer_add(arena, form.c[j], form.c[j - 1]);
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

/* --- chains of remainders --- */

/* |lead(d)|^j p mod d, with exactly j = degree(p) - degree(d) + 1. */
static toi_polynomial pseudo_remainder(toi_arena *arena, const toi_polynomial *p, const toi_polynomial *d) {
  toi_polynomial rest = *p;
  toi_integer lead = toi_integer_absolute(d->c[d->degree]);
  bool negative = d->c[d->degree].size < 0;
  for (int j = p->degree - d->degree; j >= 0; j--) {
    toi_integer top = rest.c[j + d->degree];
    top = negative ? toi_integer_negate(top) : top;
    for (int i = 0; i < j + d->degree; i++) {
      toi_integer below = i >= j ? d->c[i - j] : TOI_INTEGER_ZERO;
      rest.c[i] = toi_integer_determinant(arena, lead, rest.c[i], top, below);
    }
  }
  rest.degree = d->degree - 1;
  return trimmed(rest);
}

static toi_integer power_of(toi_arena *arena, toi_integer base, int exponent) {
  toi_integer power = toi_integer_from_u64(arena, 1);
  for (int i = 0; i < exponent; i++)
    power = toi_integer_multiply(arena, power, base);
  return power;
}

/* The chain of p and g up to the last member that is not zero, a multiple of their gcd; returns its length. */
static int make_chain(toi_arena *arena, const toi_polynomial *p, const toi_polynomial *g,
                      toi_polynomial chain[TOI_DEGREE_MAX + 1]) {
  chain[0] = *p;
  chain[1] = *g;
  int count = g->degree < 0 ? 1 : 2;
  toi_integer lead = toi_integer_from_u64(arena, 1), height = lead;
  while (count >= 2 && chain[count - 1].degree > 0) {
    const toi_polynomial *above = &chain[count - 2], *below = &chain[count - 1];
    int gap = above->degree - below->degree;
    toi_polynomial rest = pseudo_remainder(arena, above, below);
    if (rest.degree < 0)
      break;
    toi_integer known = toi_integer_multiply(arena, lead, power_of(arena, height, gap));
    for (int i = 0; i <= rest.degree; i++)
      rest.c[i] = toi_integer_negate(toi_integer_divide_exact(arena, rest.c[i], known));
    chain[count++] = rest;
    // height = lead^gap height^(1 - gap)
    lead = toi_integer_absolute(below->c[below->degree]);
    if (gap == 1)
      height = lead;
    else if (gap > 1)
      height = toi_integer_divide_exact(arena, power_of(arena, lead, gap), power_of(arena, height, gap - 1));
  }
  return count;
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
  toi_limb *mark = toi_arena_mark(arena);
  toi_polynomial chain[TOI_DEGREE_MAX + 1];
  int count = make_chain(arena, p, g, chain);
  int at_lo = variations_at(arena, chain, count, m, k);
  int at_hi = variations_at(arena, chain, count, toi_integer_add(arena, m, w), k);
  toi_arena_release(arena, mark);
  return at_lo - at_hi;
}

toi_polynomial toi_polynomial_derivative(toi_arena *arena, const toi_polynomial *p) {
  toi_polynomial derivative;
  derivative.degree = p->degree - 1;
  for (int i = 1; i <= p->degree; i++)
    derivative.c[i - 1] = toi_integer_multiply_small(arena, p->c[i], i);
  return derivative;
}

toi_polynomial toi_polynomial_square_free(toi_arena *arena, const toi_polynomial *p) {
  toi_polynomial chain[TOI_DEGREE_MAX + 1], derivative = toi_polynomial_derivative(arena, p);
  int count = make_chain(arena, p, &derivative, chain);
  toi_polynomial divisor = chain[count - 1];
  if (divisor.degree == 0)
    return *p;
  toi_integer lead = p->c[p->degree], own = divisor.c[divisor.degree];
  for (int i = 0; i <= divisor.degree; i++)
    divisor.c[i] = toi_integer_divide_exact(arena, toi_integer_multiply(arena, divisor.c[i], lead), own);
  // Long division of lead p by the divisor, whose leading coefficient is lead.
  toi_polynomial quotient = {p->degree - divisor.degree, {TOI_INTEGER_ZERO}}, rest = *p;
  for (int i = 0; i <= p->degree; i++)
    rest.c[i] = toi_integer_multiply(arena, rest.c[i], lead);
  for (int j = quotient.degree; j >= 0; j--) {
    toi_integer digit = toi_integer_divide_exact(arena, rest.c[j + divisor.degree], lead);
    quotient.c[j] = digit;
    for (int i = 0; i < divisor.degree; i++) {
      toi_integer part = toi_integer_multiply(arena, digit, divisor.c[i]);
      rest.c[i + j] = toi_integer_subtract(arena, rest.c[i + j], part);
    }
  }
  return quotient;
}

toi_polynomial toi_polynomial_primitive(toi_arena *arena, const toi_polynomial *p) {
  toi_polynomial primitive = *p;
  if (p->degree < 0)
    return primitive;
  toi_integer content = TOI_INTEGER_ZERO;
  for (int i = 0; i <= p->degree; i++)
    content = toi_integer_gcd(arena, content, p->c[i]);
  if (p->c[p->degree].size < 0)
    content = toi_integer_negate(content);
  for (int i = 0; i <= p->degree; i++)
    primitive.c[i] = toi_integer_divide_exact(arena, p->c[i], content);
  return primitive;
}
