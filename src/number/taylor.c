/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Arithmetic of Taylor models.
 *
 * Claim: if f lies in (P, p) and g in (Q, q), then f + g, f g and F(f) lie in the models computed here, and the values
 * of f in the bounds computed here.
 * Bound: what is left out of a result goes into its remainder; constants are ROUNDING, OUTWARD and TINY.
 * Why. Let u = 2^-53, |P| the sum of the magnitudes of P's coefficients, so that |P(y)| <= |P|, and P_d the sum of
 * those of degree d.
 *   Sum        A coefficient is rounded once, by at most u of the result, and sums do not underflow: the remainder is
 *              p + q + u |P + Q as computed|.
 *   Multiple   The same, and a product that underflows is off by 2^-1075 more: 84 of them by less than TINY.
 *   Product    f g - P Q is within |P| q + |Q| p + p q. The coefficient of a monomial of exponents e is a sum of at
 *              most (e1 + 1)(e2 + 1)... products, one for each way to divide the exponents among two factors: 27 for
 *              order 6 and three variables, 16 for order 4 and four. It is off by at most 27 u / (1 - 27 u) of the
 *              products' magnitudes, which all together are |P| |Q|: ROUNDING = 32 u covers it. What has a higher
 * degree than the order is left out; it is at most the sum of P_d Q_e over d + e > order. F(f)       With m the
 * constant term, d = f - m and |d| <= D = |P| - |m| + p, by Taylor's theorem F(f) is the sum of F_k d^k, F_k = F^(k)(m)
 * / k!, k up to the order K, and F^(K+1)(x) / (K + 1)! d^(K+1) with x within D of m. The sum with numbers a_k in place
 * of the F_k, each within e_k of it, is off by at most the sum of e_k D^k; with numbers it is computed by Horner's
 * scheme in models. Bounds     |y| <= 1; a monomial of even exponents lies in [0, 1], any other one in [-1, 1]; b y + a
 * y^2 of one variable has its least value -b^2 / 4a at -b / 2a, if that is within [-1, 1] and a > 0, or at an end.
 *   Remainders A remainder is a sum of products of numbers that are not negative. Sums of up to 84 magnitudes, twice,
 *              a product of the two, and a sum of fewer than 50 of these: off by less than (84 + 84 + 60) u of itself.
 *              OUTWARD = 1 + 512 u covers it, and its own rounding; TINY what underflows. Where something overflows
 *              the remainder is infinite or NaN, as an infinite coefficient is part of |P|.
 *   Its bounds are sums of up to 84 terms, each off by at most 4 u of the coefficients that it is made of: off by less
 *              than 128 u |P|, computed with 512 u. */

#include "number/taylor.h"

#define ROUNDING (32 * TOI_UNIT)
#define OUTWARD (1 + 512 * TOI_UNIT)
#define TINY 0x1p-1000

/* --- monomials --- */

/* The next monomial of the same degree: the exponents as digits, in falling order. False: there is none. */
static bool step(unsigned variables, uint8_t power[TOI_TAYLOR_VARIABLES]) {
  unsigned last = variables - 1;
  uint8_t rest = power[last];
  power[last] = 0;
  for (unsigned i = last; i-- > 0;)
    if (power[i] > 0) {
      power[i]--;
      power[i + 1] = (uint8_t)(rest + 1);
      return true;
    }
  return false;
}

/* A number for each tuple of exponents up to the order; that of a product is the sum of its factors'. */
#define CODES ((TOI_TAYLOR_ORDER + 1) * (TOI_TAYLOR_ORDER + 1) * (TOI_TAYLOR_ORDER + 1) * (TOI_TAYLOR_ORDER + 1))
static unsigned code_of(const uint8_t power[TOI_TAYLOR_VARIABLES]) {
  unsigned code = 0;
  for (unsigned v = 0; v < TOI_TAYLOR_VARIABLES; v++)
    code = code * (TOI_TAYLOR_ORDER + 1) + power[v];
  return code;
}

void toi_taylor_space_make(toi_taylor_space *space, unsigned variables, unsigned order) {
  assert(variables <= TOI_TAYLOR_VARIABLES && order >= 1);
  assert(order <= (variables == 4 ? TOI_TAYLOR_ORDER4 : TOI_TAYLOR_ORDER));
  memset(space, 0, sizeof *space);
  space->variables = variables;
  space->order = order;
  unsigned count = 0;
  for (unsigned degree = 0; degree <= order; degree++) {
    space->first[degree] = count;
    uint8_t power[TOI_TAYLOR_VARIABLES] = {0};
    if (variables == 0 && degree > 0)
      continue;
    power[0] = (uint8_t)degree;
    do {
      memcpy(space->power[count++], power, sizeof power);
    } while (variables > 0 && step(variables, power));
  }
  space->first[order + 1] = count;
  unsigned code[TOI_TAYLOR_TERMS] = {0};
  uint8_t number[CODES] = {0};
  for (unsigned i = 0; i < count; i++) {
    const uint8_t *power = space->power[i];
    code[i] = code_of(power);
    number[code[i]] = (uint8_t)i;
    space->even[i] = ((power[0] | power[1] | power[2] | power[3]) & 1) == 0;
  }
  for (unsigned d = 0; d <= order; d++)
    for (unsigned e = 0; d + e <= order; e++)
      for (unsigned i = space->first[d]; i < space->first[d + 1]; i++)
        for (unsigned j = space->first[e]; j < space->first[e + 1]; j++)
          space->product[i][j] = number[code[i] + code[j]];
  // Monomials of degree 1 come first, in the order of the variables: the last one that divides is the first variable.
  for (unsigned v = variables; v-- > 0;)
    for (unsigned i = 0; i < space->first[order]; i++)
      space->quotient[space->product[1 + v][i]] = (uint8_t)i;
}

/* --- inside --- */

static unsigned terms(const toi_taylor_space *space, const toi_taylor *a) {
  return space->first[a->degree + 1];
}

/* |P| without the constant term, not rounded outward yet. */
static double variation(const toi_taylor_space *space, const toi_taylor *a) {
  double sum = 0;
  for (unsigned i = 1, count = terms(space, a); i < count; i++)
    sum += fabs(a->c[i]);
  return sum;
}

/* P_d by degree. */
typedef struct by_degree {
  double of[TOI_TAYLOR_ORDER + 1];
  double all;
} by_degree;

static by_degree magnitudes(const toi_taylor_space *space, const toi_taylor *a) {
  by_degree sums = {{0}, 0};
  for (unsigned d = 0; d <= a->degree; d++) {
    for (unsigned i = space->first[d]; i < space->first[d + 1]; i++)
      sums.of[d] += fabs(a->c[i]);
    sums.all += sums.of[d];
  }
  return sums;
}

/* --- making models --- */

void toi_taylor_constant(toi_interval value, toi_taylor *a) {
  double middle = toi_interval_midpoint(value);
  a->degree = 0;
  a->c[0] = middle;
  a->r = value.lo == value.hi ? 0 : fmax(toi_sum_up(value.hi, -middle), toi_sum_up(middle, -value.lo));
}

void toi_taylor_variable(toi_interval value, unsigned number, toi_taylor *a) {
  double middle = toi_interval_midpoint(value);
  a->degree = 1;
  a->r = 0;
  memset(a->c, 0, (1 + TOI_TAYLOR_VARIABLES) * sizeof *a->c);
  a->c[0] = middle;
  // Monomials of degree 1 come in the order of the variables.
  a->c[1 + number] = fmax(toi_sum_up(value.hi, -middle), toi_sum_up(middle, -value.lo));
}

void toi_taylor_copy(const toi_taylor_space *space, const toi_taylor *from, toi_taylor *to) {
  memmove(to, from, offsetof(toi_taylor, c) + terms(space, from) * sizeof *from->c);
}

/* --- arithmetic --- */

/* a + sign b. */
static void combine(const toi_taylor_space *space, const toi_taylor *a, double sign, const toi_taylor *b,
                    toi_taylor *out) {
  double r = a->r + b->r;
  const toi_taylor *longer = a->degree >= b->degree ? a : b;
  double longer_sign = longer == a ? 1 : sign;
  unsigned both = terms(space, longer == a ? b : a), all = terms(space, longer);
  double sum = 0;
  for (unsigned i = 0; i < both; i++) {
    out->c[i] = a->c[i] + sign * b->c[i];
    sum += fabs(out->c[i]);
  }
  for (unsigned i = both; i < all; i++)
    out->c[i] = longer_sign * longer->c[i];
  out->degree = longer->degree;
  out->r = (r + TOI_UNIT * sum) * OUTWARD;
}

void toi_taylor_add(const toi_taylor_space *space, const toi_taylor *a, const toi_taylor *b, toi_taylor *out) {
  combine(space, a, 1, b, out);
}

void toi_taylor_sub(const toi_taylor_space *space, const toi_taylor *a, const toi_taylor *b, toi_taylor *out) {
  combine(space, a, -1, b, out);
}

void toi_taylor_negate(const toi_taylor_space *space, const toi_taylor *a, toi_taylor *out) {
  for (unsigned i = 0, count = terms(space, a); i < count; i++)
    out->c[i] = -a->c[i];
  out->degree = a->degree;
  out->r = a->r;
}

void toi_taylor_scale(const toi_taylor_space *space, double factor, const toi_taylor *a, toi_taylor *out) {
  double sum = 0;
  for (unsigned i = 0, count = terms(space, a); i < count; i++) {
    out->c[i] = factor * a->c[i];
    sum += fabs(out->c[i]);
  }
  out->degree = a->degree;
  out->r = (fabs(factor) * a->r + (TOI_UNIT * sum + TINY)) * OUTWARD;
}

/* What a product leaves out, and its roundings. */
static double product_remainder(const toi_taylor_space *space, const toi_taylor *a, const toi_taylor *b) {
  by_degree p = magnitudes(space, a), q = magnitudes(space, b);
  double beyond = 0;
  for (unsigned d = 0; d <= a->degree; d++)
    for (unsigned e = b->degree; d + e > space->order && e > 0; e--)
      beyond += p.of[d] * q.of[e];
  double rest = p.all * b->r + q.all * a->r + a->r * b->r;
  return (rest + beyond + (ROUNDING * (p.all * q.all) + TINY)) * OUTWARD;
}

void toi_taylor_mul(const toi_taylor_space *space, const toi_taylor *a, const toi_taylor *b, toi_taylor *out) {
  // The outer loop runs over the shorter one, and skips zeroes.
  const toi_taylor *outer = a->degree <= b->degree ? a : b, *inner = outer == a ? b : a;
  unsigned degree = a->degree + b->degree < space->order ? a->degree + b->degree : space->order;
  double c[TOI_TAYLOR_TERMS];
  memset(c, 0, space->first[degree + 1] * sizeof *c);
  double r = product_remainder(space, a, b);
  for (unsigned d = 0; d <= outer->degree; d++) {
    unsigned most = inner->degree < space->order - d ? inner->degree : space->order - d;
    unsigned count = space->first[most + 1];
    for (unsigned i = space->first[d]; i < space->first[d + 1]; i++) {
      double factor = outer->c[i];
      const uint8_t *to = space->product[i];
      for (unsigned j = 0; factor != 0 && j < count; j++)
        c[to[j]] += factor * inner->c[j];
    }
  }
  memcpy(out->c, c, space->first[degree + 1] * sizeof *c);
  out->degree = degree;
  out->r = r;
}

/* --- values --- */

/* The least value of b y + a y^2 for |y| <= 1. b / a is below 2, so that what underflows is below TINY; b^2 might be
 * lost where b is far above it. */
static double least_square(double b, double a) {
  b = fabs(b);
  return a > 0 && b < 2 * a ? -0.25 * (b * (b / a)) : a - b;
}

/* A lower bound of sign P, without the constant term. */
static double least(const toi_taylor_space *space, const toi_taylor *a, double sign) {
  double sum = 0;
  for (unsigned v = 0; a->degree >= 1 && v < space->variables; v++)
    sum += least_square(a->c[1 + v], a->degree >= 2 ? sign * a->c[space->product[1 + v][1 + v]] : 0);
  for (unsigned i = space->first[2], count = terms(space, a); i < count; i++) {
    // Squares of one variable were bounded together with it.
    if (!space->even[i])
      sum -= fabs(a->c[i]);
    else if (i >= space->first[3])
      sum += fmin(sign * a->c[i], 0);
  }
  return sum;
}

toi_interval toi_taylor_bounds(const toi_taylor_space *space, const toi_taylor *a) {
  double off = (a->r + 512 * TOI_UNIT * (fabs(a->c[0]) + variation(space, a))) * OUTWARD + TINY;
  double lo = a->c[0] + least(space, a, 1), hi = a->c[0] - least(space, a, -1);
  if (!(off <= DBL_MAX && fabs(lo) <= DBL_MAX && fabs(hi) <= DBL_MAX))
    return toi_interval_whole();
  return (toi_interval){toi_sum_down(lo, -off), toi_sum_up(hi, off)};
}

toi_interval toi_taylor_reach(const toi_taylor_space *space, const toi_taylor *a) {
  double away = (variation(space, a) + a->r) * OUTWARD;
  if (!(away <= DBL_MAX && fabs(a->c[0]) <= DBL_MAX))
    return toi_interval_whole();
  toi_interval reach = toi_interval_around(a->c[0], away);
  (void)toi_interval_intersect(reach, toi_taylor_bounds(space, a), &reach);
  return toi_interval_hull(reach, toi_interval_point(a->c[0]));
}

/* --- functions of a model --- */

static void add_number(double number, toi_taylor *a) {
  a->c[0] += number;
  a->r = (a->r + TOI_UNIT * fabs(a->c[0])) * OUTWARD;
}

void toi_taylor_compose(const toi_taylor_space *space, const toi_taylor_outer *f, const toi_taylor *a,
                        toi_taylor *out) {
  toi_taylor d, sum = {.degree = 0, .r = 0};
  toi_interval reach = toi_taylor_reach(space, a);
  double most = fmax(toi_sum_up(reach.hi, -a->c[0]), toi_sum_up(a->c[0], -reach.lo));
  double r = toi_interval_magnitude(f->next);
  toi_taylor_copy(space, a, &d);
  d.c[0] = 0;
  sum.c[0] = 0;
  for (unsigned k = f->order + 1; k-- > 0;) {
    // The errors by Horner's scheme too.
    r = (r * most + toi_interval_width(f->at[k])) * OUTWARD + TINY;
    toi_taylor_mul(space, &sum, &d, &sum);
    add_number(toi_interval_midpoint(f->at[k]), &sum);
  }
  toi_taylor_copy(space, &sum, out);
  out->r = (sum.r + r) * OUTWARD;
}
