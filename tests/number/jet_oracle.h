/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Operators of formulas and their partial derivatives by MPFR, written down apart from the library's rules. */

#ifndef TOI_TESTS_JET_ORACLE_H
#define TOI_TESTS_JET_ORACLE_H

#include "number/interval.h"

#include <toi/formula.h>

#include <mpfr.h>

#define ORACLE_BITS 320

/* F(a, b): F, F_a, F_b, F_aa, F_ab, F_bb. */
#define ORACLE_PARTS 6

typedef enum oracle_answer { ORACLE_UNDEFINED, ORACLE_VALUE, ORACLE_ALL } oracle_answer;

static inline void oracle_init(mpfr_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mpfr_init2(numbers[i], ORACLE_BITS);
    mpfr_set_zero(numbers[i], 1);
  }
}

static inline void oracle_clear(mpfr_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    mpfr_clear(numbers[i]);
}

/* Whether the number lies in the interval, or out of it by no more than what MPFR rounds: 2^-200 of `scale`. */
static inline bool oracle_lies_in(const mpfr_t x, toi_interval range, const mpfr_t scale) {
  if (mpfr_nan_p(x))
    return false;
  if (mpfr_cmp_d(x, range.lo) >= 0 && mpfr_cmp_d(x, range.hi) <= 0)
    return true;
  mpfr_t off, slack;
  mpfr_inits2(ORACLE_BITS, off, slack, (mpfr_ptr)0);
  mpfr_sub_d(off, x, mpfr_cmp_d(x, range.lo) < 0 ? range.lo : range.hi, MPFR_RNDN);
  mpfr_abs(off, off, MPFR_RNDN);
  mpfr_abs(slack, scale, MPFR_RNDN);
  mpfr_mul_2si(slack, slack, -200, MPFR_RNDN);
  bool close = mpfr_cmp(off, slack) <= 0;
  mpfr_clears(off, slack, (mpfr_ptr)0);
  return close;
}

/* c a^n, and 0 if c is 0. */
static inline void oracle_monomial(mpfr_t out, double c, const mpfr_t a, const mpfr_t n) {
  if (c == 0) {
    mpfr_set_zero(out, 1);
    return;
  }
  mpfr_pow(out, a, n, MPFR_RNDN);
  mpfr_mul_d(out, out, c, MPFR_RNDN);
}

/* a^b; whole: b is a constant whole number. */
static inline oracle_answer oracle_pow(const mpfr_t a, const mpfr_t b, bool whole, mpfr_t *f) {
  int sign = mpfr_sgn(a);
  if (sign < 0 && !whole)
    return ORACLE_UNDEFINED;
  if (sign == 0 && mpfr_sgn(b) < 0)
    return ORACLE_UNDEFINED;
  double n = mpfr_get_d(b, MPFR_RNDN);
  mpfr_pow(f[0], a, b, MPFR_RNDN);
  if (sign == 0 && !whole)
    return ORACLE_VALUE;
  mpfr_t m, log;
  mpfr_inits2(ORACLE_BITS, m, log, (mpfr_ptr)0);
  mpfr_sub_ui(m, b, 1, MPFR_RNDN);
  oracle_monomial(f[1], n, a, m);
  mpfr_sub_ui(m, b, 2, MPFR_RNDN);
  oracle_monomial(f[3], n == 0 || n == 1 ? 0 : 1, a, m);
  mpfr_mul_d(f[3], f[3], n, MPFR_RNDN);
  mpfr_sub_ui(m, b, 1, MPFR_RNDN);
  mpfr_mul(f[3], f[3], m, MPFR_RNDN);
  if (!whole) {
    mpfr_log(log, a, MPFR_RNDN);
    mpfr_mul(f[2], f[0], log, MPFR_RNDN);
    mpfr_mul(f[5], f[2], log, MPFR_RNDN);
    // a^(b-1) (1 + b log a)
    mpfr_pow(f[4], a, m, MPFR_RNDN);
    mpfr_mul(log, log, b, MPFR_RNDN);
    mpfr_add_ui(log, log, 1, MPFR_RNDN);
    mpfr_mul(f[4], f[4], log, MPFR_RNDN);
  }
  mpfr_clears(m, log, (mpfr_ptr)0);
  return ORACLE_ALL;
}

static inline oracle_answer oracle_div(const mpfr_t a, const mpfr_t b, mpfr_t *f) {
  if (mpfr_zero_p(b))
    return ORACLE_UNDEFINED;
  mpfr_div(f[0], a, b, MPFR_RNDN);
  mpfr_ui_div(f[1], 1, b, MPFR_RNDN);
  mpfr_div(f[2], f[0], b, MPFR_RNDN);
  mpfr_neg(f[2], f[2], MPFR_RNDN);
  mpfr_sqr(f[4], f[1], MPFR_RNDN);
  mpfr_neg(f[4], f[4], MPFR_RNDN);
  mpfr_div(f[5], f[2], b, MPFR_RNDN);
  mpfr_mul_si(f[5], f[5], -2, MPFR_RNDN);
  return ORACLE_ALL;
}

/* With r = y^2 + x^2: y: x/r, x: -y/r, yy: -2xy/r^2, yx: (y^2 - x^2)/r^2, xx: 2xy/r^2. */
static inline oracle_answer oracle_atan2(const mpfr_t y, const mpfr_t x, mpfr_t *f) {
  if (mpfr_zero_p(y) && mpfr_zero_p(x))
    return ORACLE_UNDEFINED;
  mpfr_t r, s;
  mpfr_inits2(ORACLE_BITS, r, s, (mpfr_ptr)0);
  mpfr_abs(r, y, MPFR_RNDN);
  mpfr_atan2(f[0], mpfr_zero_p(y) ? r : y, x, MPFR_RNDN);
  mpfr_sqr(r, y, MPFR_RNDN);
  mpfr_sqr(s, x, MPFR_RNDN);
  mpfr_sub(f[4], r, s, MPFR_RNDN);
  mpfr_add(r, r, s, MPFR_RNDN);
  mpfr_div(f[1], x, r, MPFR_RNDN);
  mpfr_div(f[2], y, r, MPFR_RNDN);
  mpfr_neg(f[2], f[2], MPFR_RNDN);
  mpfr_mul(f[5], f[1], f[2], MPFR_RNDN);
  mpfr_mul_si(f[5], f[5], -2, MPFR_RNDN);
  mpfr_neg(f[3], f[5], MPFR_RNDN);
  mpfr_sqr(r, r, MPFR_RNDN);
  mpfr_div(f[4], f[4], r, MPFR_RNDN);
  mpfr_clears(r, s, (mpfr_ptr)0);
  return ORACLE_ALL;
}

static inline oracle_answer oracle_two(toi_operator op, const mpfr_t a, const mpfr_t b, bool whole, mpfr_t *f) {
  switch (op) {
  case TOI_OP_ADD:
    mpfr_add(f[0], a, b, MPFR_RNDN);
    mpfr_set_si(f[1], 1, MPFR_RNDN);
    mpfr_set_si(f[2], 1, MPFR_RNDN);
    return ORACLE_ALL;
  case TOI_OP_SUB:
    mpfr_sub(f[0], a, b, MPFR_RNDN);
    mpfr_set_si(f[1], 1, MPFR_RNDN);
    mpfr_set_si(f[2], -1, MPFR_RNDN);
    return ORACLE_ALL;
  case TOI_OP_MUL:
    mpfr_mul(f[0], a, b, MPFR_RNDN);
    mpfr_set(f[1], b, MPFR_RNDN);
    mpfr_set(f[2], a, MPFR_RNDN);
    mpfr_set_si(f[4], 1, MPFR_RNDN);
    return ORACLE_ALL;
  case TOI_OP_DIV:
    return oracle_div(a, b, f);
  case TOI_OP_POW:
    return oracle_pow(a, b, whole, f);
  case TOI_OP_ATAN2:
    return oracle_atan2(a, b, f);
  default: {
    int order = mpfr_cmp(a, b) * (op == TOI_OP_MIN ? 1 : -1);
    mpfr_set(f[0], order <= 0 ? a : b, MPFR_RNDN);
    mpfr_set_si(f[order < 0 ? 1 : 2], 1, MPFR_RNDN);
    return order == 0 ? ORACLE_VALUE : ORACLE_ALL;
  }
  }
}

/* sin, cos, tan, atan. */
static inline void oracle_wave(toi_operator op, const mpfr_t a, mpfr_t *f) {
  if (op == TOI_OP_SIN || op == TOI_OP_COS) {
    mpfr_sin_cos(f[op == TOI_OP_SIN ? 0 : 1], f[op == TOI_OP_SIN ? 1 : 0], a, MPFR_RNDN);
    if (op == TOI_OP_COS)
      mpfr_neg(f[1], f[1], MPFR_RNDN);
    mpfr_neg(f[3], f[0], MPFR_RNDN);
    return;
  }
  // tan: 1 + t^2, 2t (1 + t^2); atan: w = 1 / (1 + a^2), -2a w^2
  bool tangent = op == TOI_OP_TAN;
  if (tangent)
    mpfr_tan(f[0], a, MPFR_RNDN);
  else
    mpfr_atan(f[0], a, MPFR_RNDN);
  mpfr_sqr(f[1], tangent ? f[0] : a, MPFR_RNDN);
  mpfr_add_ui(f[1], f[1], 1, MPFR_RNDN);
  if (!tangent)
    mpfr_ui_div(f[1], 1, f[1], MPFR_RNDN);
  mpfr_mul(f[3], tangent ? f[0] : a, f[1], MPFR_RNDN);
  mpfr_mul_si(f[3], f[3], tangent ? 2 : -2, MPFR_RNDN);
  if (!tangent)
    mpfr_mul(f[3], f[3], f[1], MPFR_RNDN);
}

static inline oracle_answer oracle_one(toi_operator op, const mpfr_t a, mpfr_t *f) {
  int sign = mpfr_sgn(a);
  switch (op) {
  case TOI_OP_NEG:
    mpfr_neg(f[0], a, MPFR_RNDN);
    mpfr_set_si(f[1], -1, MPFR_RNDN);
    return ORACLE_ALL;
  case TOI_OP_ABS:
    mpfr_abs(f[0], a, MPFR_RNDN);
    mpfr_set_si(f[1], sign, MPFR_RNDN);
    return sign ? ORACLE_ALL : ORACLE_VALUE;
  case TOI_OP_SQRT:
    if (sign < 0)
      return ORACLE_UNDEFINED;
    mpfr_sqrt(f[0], a, MPFR_RNDN);
    if (sign == 0)
      return ORACLE_VALUE;
    mpfr_ui_div(f[1], 1, f[0], MPFR_RNDN);
    mpfr_div_2ui(f[1], f[1], 1, MPFR_RNDN);
    mpfr_div(f[3], f[1], a, MPFR_RNDN);
    mpfr_div_si(f[3], f[3], -2, MPFR_RNDN);
    return ORACLE_ALL;
  case TOI_OP_EXP:
    for (int k = 0; k < 4; k += k ? 2 : 1)
      mpfr_exp(f[k], a, MPFR_RNDN);
    return ORACLE_ALL;
  case TOI_OP_LOG:
    if (sign <= 0)
      return ORACLE_UNDEFINED;
    mpfr_log(f[0], a, MPFR_RNDN);
    mpfr_ui_div(f[1], 1, a, MPFR_RNDN);
    mpfr_sqr(f[3], f[1], MPFR_RNDN);
    mpfr_neg(f[3], f[3], MPFR_RNDN);
    return ORACLE_ALL;
  default:
    oracle_wave(op, a, f);
    return ORACLE_ALL;
  }
}

/* b is looked at by operators of two terms only. */
static inline oracle_answer oracle_parts(toi_operator op, const mpfr_t a, const mpfr_t b, bool whole, mpfr_t *f) {
  for (int k = 0; k < ORACLE_PARTS; k++)
    mpfr_set_zero(f[k], 1);
  return op >= TOI_OP_ADD ? oracle_two(op, a, b, whole, f) : oracle_one(op, a, f);
}

#endif
