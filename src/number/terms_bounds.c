/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bounds of one node from those of its operands.
 *
 * Claim: whatever numbers are taken from the operands where the node is defined, its value lies in the result; and if
 * *defined stays true, it is defined and continuous for all of them. Why: operators are those of interval.h and
 * elementary.h, and the rest follows from their definitions. Where nothing is defined the result is the whole line. */

#include "number/elementary.h"
#include "number/terms.h"

static const toi_interval unit = {1, 1};

/* Of [0, x] and [-x, 0] the numbers other than 0 have a one-sided bound. */
static toi_interval inverse(toi_interval a) {
  if (a.lo == 0 && a.hi > 0)
    return (toi_interval){toi_quotient_down(1, a.hi), INFINITY};
  if (a.hi == 0 && a.lo < 0)
    return (toi_interval){-INFINITY, toi_quotient_up(1, a.lo)};
  return toi_interval_div(unit, a);
}

static bool holds_zero(toi_interval a) {
  return a.lo <= 0 && a.hi >= 0;
}

static toi_interval root(toi_interval a, bool *defined) {
  if (a.lo < 0)
    *defined = false;
  return a.hi >= 0 ? toi_interval_sqrt(a) : toi_interval_whole();
}

static toi_interval quotient(toi_interval a, toi_interval b, bool *defined) {
  if (holds_zero(b))
    *defined = false;
  return toi_interval_div(a, b);
}

static toi_interval whole_power(toi_interval a, int32_t n, bool *defined) {
  if (n >= 0)
    return toi_interval_power(a, (unsigned)n);
  if (holds_zero(a))
    *defined = false;
  return inverse(toi_interval_power(a, 0u - (unsigned)n));
}

/* Just below the negative x axis the angle is near -pi, on it pi: a box that holds such points and points below, or
 * the axis as its upper side, holds a jump. One that lies on or above it does not. */
static toi_interval angle(toi_interval y, toi_interval x, bool *defined) {
  toi_interval range = toi_interval_atan2(y, x, defined);
  if (y.lo < 0 && y.hi >= 0 && x.lo < 0)
    *defined = false;
  return range;
}

/* 1 where a < b, 0 where a > b. */
static toi_interval side(toi_interval a, toi_interval b) {
  return (toi_interval){toi_interval_less(a, b) ? 1 : 0, toi_interval_less(b, a) ? 0 : 1};
}

static toi_interval pick(uint32_t kind, const toi_interval operands[3]) {
  if (operands[2].lo == 1)
    return operands[0];
  if (operands[2].hi == 0)
    return operands[1];
  return kind == TOI_TERM_PICK ? toi_interval_hull(operands[0], operands[1]) : toi_interval_whole();
}

/* What only derivatives are made of. */
static toi_interval of_derivative(uint32_t kind, const toi_interval operands[3]) {
  toi_interval a = operands[0];
  int sign = toi_interval_sign(a);
  switch (kind) {
  case TOI_TERM_INVERSE:
    return inverse(a);
  case TOI_TERM_SIGN:
    return (toi_interval){sign > 0 ? 1 : -1, sign < 0 ? -1 : 1};
  case TOI_TERM_KINK:
    return sign != 0 ? (toi_interval){0, 0} : toi_interval_whole();
  case TOI_TERM_SIDE:
    return side(a, operands[1]);
  case TOI_TERM_PICK:
  case TOI_TERM_JUMP:
    return pick(kind, operands);
  default:
    assert(false);
    return toi_interval_whole();
  }
}

static toi_interval of_one(uint32_t kind, toi_interval a, bool *defined) {
  switch (kind) {
  case TOI_OP_NEG:
    return toi_interval_neg(a);
  case TOI_OP_ABS:
    return toi_interval_abs(a);
  case TOI_OP_SQRT:
    return root(a, defined);
  case TOI_OP_SIN:
    return toi_interval_sin(a);
  case TOI_OP_COS:
    return toi_interval_cos(a);
  case TOI_OP_TAN:
    return toi_interval_tan(a, defined);
  case TOI_OP_ATAN:
    return toi_interval_atan(a);
  case TOI_OP_EXP:
    return toi_interval_exp(a);
  case TOI_OP_LOG:
    return toi_interval_log(a, defined);
  default:
    assert(kind == TOI_TERM_SQUARE);
    return toi_interval_square(a);
  }
}

static toi_interval of_two(uint32_t kind, toi_interval a, toi_interval b, bool *defined) {
  switch (kind) {
  case TOI_OP_ADD:
    return toi_interval_add(a, b);
  case TOI_OP_SUB:
    return toi_interval_sub(a, b);
  case TOI_OP_MUL:
    return toi_interval_mul(a, b);
  case TOI_OP_DIV:
    return quotient(a, b, defined);
  case TOI_OP_POW:
    return toi_interval_pow(a, b, defined);
  case TOI_OP_MIN:
    return toi_interval_min(a, b);
  case TOI_OP_MAX:
    return toi_interval_max(a, b);
  default:
    assert(kind == TOI_OP_ATAN2);
    return angle(a, b, defined);
  }
}

toi_interval toi_node_bounds(const toi_term_node *node, const toi_interval operands[3], bool *defined) {
  uint32_t kind = node->kind;
  if (kind == TOI_TERM_POWER)
    return whole_power(operands[0], (int32_t)node->b, defined);
  if (kind >= TOI_TERM_INVERSE)
    return of_derivative(kind, operands);
  if (toi_term_operands(kind) == 2)
    return of_two(kind, operands[0], operands[1], defined);
  return of_one(kind, operands[0], defined);
}
