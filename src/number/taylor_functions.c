/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Elementary functions of Taylor models.
 *
 * Claim: the intervals below hold the Taylor coefficients f_k = f^(k)(x) / k! for every x of the argument.
 * Why: each rule computes them in intervals from lower ones, by an equation that holds for every x.
 *   sin, cos   the derivatives are sin, cos, -sin, -cos in turn
 *   exp        f_k = f_(k-1) / k
 *   x^p        f_k = f_(k-1) (p - k + 1) / (k x), x > 0; so 1/x of either sign, and the square root
 *   log        f_1 = 1/x, and f_k = -f_(k-1) (k - 1) / (k x)
 *   tan        f' = 1 + f^2: (k + 1) f_(k+1) = [k = 0] + sum of f_i f_(k-i)
 *   atan       f' = g with g (1 + x^2) = 1 about x: g_k (1 + x^2) = [k = 0] - 2 x g_(k-1) - g_(k-2), f_k = g_(k-1) / k
 * What is not defined for all x of the argument gives false, and an infinite remainder. */

#include "number/elementary.h"
#include "number/taylor.h"

typedef toi_interval coefficients[TOI_TAYLOR_ORDER + 2];

static toi_interval number(double x) {
  return (toi_interval){x, x};
}

static toi_interval over_number(toi_interval a, unsigned n) {
  return toi_interval_div(a, number((double)n));
}

/* --- coefficients, from order 0 on --- */

static void sine_rule(toi_interval first, toi_interval second, unsigned order, coefficients f) {
  const toi_interval by_turn[4] = {first, second, toi_interval_neg(first), toi_interval_neg(second)};
  unsigned factorial = 1;
  for (unsigned k = 0; k <= order; k++) {
    factorial *= k > 0 ? k : 1;
    f[k] = over_number(by_turn[k % 4], factorial);
  }
}

static void exp_rule(toi_interval x, unsigned order, coefficients f) {
  f[0] = toi_interval_exp(x);
  for (unsigned k = 1; k <= order; k++)
    f[k] = over_number(f[k - 1], k);
}

/* f[0] is there. */
static void power_rule(toi_interval x, toi_interval p, unsigned order, coefficients f) {
  for (unsigned k = 1; k <= order; k++) {
    toi_interval factor = toi_interval_sub(p, number((double)(k - 1)));
    f[k] = over_number(toi_interval_div(toi_interval_mul(f[k - 1], factor), x), k);
  }
}

static void log_rule(toi_interval x, unsigned order, coefficients f) {
  f[0] = toi_interval_log(x, NULL);
  toi_interval power = number(-1);
  for (unsigned k = 1; k <= order; k++) {
    power = toi_interval_neg(toi_interval_div(power, x));
    f[k] = over_number(power, k);
  }
}

static void tan_rule(toi_interval x, unsigned order, coefficients f) {
  f[0] = toi_interval_tan(x, NULL);
  for (unsigned k = 0; k < order; k++) {
    toi_interval sum = number(k == 0 ? 1 : 0);
    for (unsigned i = 0; i <= k; i++)
      sum = toi_interval_add(sum, i == k - i ? toi_interval_square(f[i]) : toi_interval_mul(f[i], f[k - i]));
    f[k + 1] = over_number(sum, k + 1);
  }
}

static void atan_rule(toi_interval x, unsigned order, coefficients f) {
  const toi_interval whole = toi_interval_add(number(1), toi_interval_square(x)), twice = toi_interval_add(x, x);
  toi_interval before = number(0), g = toi_interval_div(number(1), whole);
  f[0] = toi_interval_atan(x);
  for (unsigned k = 1; k <= order; k++) {
    f[k] = over_number(g, k);
    toi_interval next = toi_interval_neg(toi_interval_add(toi_interval_mul(twice, g), before));
    before = g;
    g = toi_interval_div(next, whole);
  }
}

/* Of the operator; x^p with the exponent. False: not defined in all of x, or there is no rule. */
static bool find_coefficients(toi_operator op, toi_interval x, toi_interval p, unsigned order, coefficients f) {
  bool defined = true;
  switch (op) {
  case TOI_OP_EXP:
    exp_rule(x, order, f);
    return true;
  case TOI_OP_LOG:
    log_rule(x, order, f);
    return x.lo > 0;
  case TOI_OP_TAN:
    tan_rule(x, order, f);
    (void)toi_interval_tan(x, &defined);
    return defined;
  case TOI_OP_ATAN:
    atan_rule(x, order, f);
    return true;
  case TOI_OP_SQRT:
    f[0] = toi_interval_sqrt((toi_interval){fmax(x.lo, 0), fmax(x.hi, 0)});
    power_rule(x, p, order, f);
    return x.lo > 0;
  case TOI_OP_DIV:
    f[0] = toi_interval_div(number(1), x);
    power_rule(x, p, order, f);
    return toi_interval_sign(x) != 0;
  case TOI_OP_POW:
    f[0] = toi_interval_pow(x, p, &defined);
    power_rule(x, p, order, f);
    return defined && x.lo > 0;
  default:
    return false;
  }
}

/* --- functions --- */

static void undefined(toi_taylor *out) {
  toi_taylor_constant(toi_interval_whole(), out);
}

static void apply(const toi_taylor_space *space, toi_operator op, toi_interval p, const toi_taylor *a,
                  toi_taylor *out) {
  toi_taylor_outer f = {.order = space->order};
  coefficients over;
  toi_interval reach = toi_taylor_reach(space, a), middle = toi_interval_point(a->c[0]);
  if (!find_coefficients(op, reach, p, f.order + 1, over)) {
    undefined(out);
    return;
  }
  f.next = over[f.order + 1];
  coefficients at;
  (void)find_coefficients(op, middle, p, f.order, at);
  memcpy(f.at, at, sizeof f.at);
  toi_taylor_compose(space, &f, a, out);
}

void toi_taylor_sin_cos(const toi_taylor_space *space, const toi_taylor *a, toi_taylor *sine, toi_taylor *cosine) {
  toi_taylor_outer f = {.order = space->order};
  toi_interval reach = toi_taylor_reach(space, a), s, c, over_s, over_c;
  toi_interval_sin_cos(toi_interval_point(a->c[0]), &s, &c);
  toi_interval_sin_cos(reach, &over_s, &over_c);
  coefficients at, over;
  toi_taylor first;
  sine_rule(s, c, f.order, at);
  sine_rule(over_s, over_c, f.order + 1, over);
  memcpy(f.at, at, sizeof f.at);
  f.next = over[f.order + 1];
  toi_taylor_compose(space, &f, a, sine == a ? &first : sine);
  sine_rule(c, toi_interval_neg(s), f.order, at);
  sine_rule(over_c, toi_interval_neg(over_s), f.order + 1, over);
  memcpy(f.at, at, sizeof f.at);
  f.next = over[f.order + 1];
  toi_taylor_compose(space, &f, a, cosine);
  if (sine == a)
    toi_taylor_copy(space, &first, sine);
}

void toi_taylor_inverse(const toi_taylor_space *space, const toi_taylor *a, toi_taylor *out) {
  apply(space, TOI_OP_DIV, number(-1), a, out);
}

void toi_taylor_power(const toi_taylor_space *space, const toi_taylor *a, toi_interval p, toi_taylor *out) {
  apply(space, TOI_OP_POW, p, a, out);
}

void toi_taylor_whole_power(const toi_taylor_space *space, const toi_taylor *a, int32_t n, toi_taylor *out) {
  toi_taylor square, product;
  toi_taylor_copy(space, a, &square);
  toi_taylor_constant(number(1), &product);
  for (uint32_t rest = n < 0 ? 0u - (uint32_t)n : (uint32_t)n; rest > 0; rest /= 2) {
    if (rest % 2)
      toi_taylor_mul(space, &product, &square, &product);
    if (rest > 1)
      toi_taylor_mul(space, &square, &square, &square);
  }
  if (n < 0)
    toi_taylor_inverse(space, &product, out);
  else
    toi_taylor_copy(space, &product, out);
}

void toi_taylor_function(const toi_taylor_space *space, toi_operator op, const toi_taylor *a, toi_taylor *out) {
  toi_taylor other;
  switch (op) {
  case TOI_OP_NEG:
    toi_taylor_negate(space, a, out);
    return;
  case TOI_OP_SIN:
    toi_taylor_sin_cos(space, a, out, &other);
    return;
  case TOI_OP_COS:
    toi_taylor_sin_cos(space, a, &other, out);
    return;
  case TOI_OP_ABS: {
    int sign = toi_interval_sign(toi_taylor_bounds(space, a));
    if (sign == 0)
      undefined(out);
    else
      toi_taylor_scale(space, sign, a, out);
    return;
  }
  default:
    apply(space, op, number(0.5), a, out);
  }
}
