/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tapes in balls: the steps of the values.
 *
 * Claim: balls hold the terms wherever these are defined. Why: sums, products, quotients, roots, sines, whole powers
 * and series are operations on balls; everything else is enclosed in doubles, over the bounds of its operands. */

#include "number/tape_ball.h"

#include "number/ball_functions.h"
#include "number/series.h"
#include "number/tape_parts.h"

size_t toi_tape_ball_registers(const toi_tape *tape) {
  return tape->own;
}

/* a^n for n > 0. */
static toi_ball power_of(toi_ball a, uint32_t n) {
  toi_ball out = a;
  uint32_t bit = UINT32_C(1) << 31;
  while (!(n & bit))
    bit >>= 1;
  for (bit >>= 1; bit != 0; bit >>= 1) {
    out = toi_ball_mul(out, out);
    if (n & bit)
      out = toi_ball_mul(out, a);
  }
  return out;
}

/* In doubles, whatever it is. */
static toi_ball enclosed(const toi_term_node *node, const toi_ball *r) {
  const toi_operands with = toi_node_operands(node);
  toi_interval operands[3] = {{0, 0}, {0, 0}, {0, 0}};
  bool defined = true;
  for (int k = 0; k < 3 && with.of[k] != TOI_NO_TERM; k++)
    operands[k] = toi_ball_bounds(r[with.of[k]]);
  const toi_interval value = toi_node_bounds(node, operands, &defined);
  return defined ? toi_ball_around(value) : toi_ball_unknown();
}

/* Products double the order, so that the error of s grows to about n^2 times that, as in series.c. */
static toi_ball series_of(const toi_series *series, toi_ball x) {
  const toi_series_parts parts = toi_series_parts_of(series);
  toi_ball basis[TOI_SERIES_MOST], sum = toi_ball_of(0);
  const toi_ball from = toi_ball_of(parts.domain.lo), to = toi_ball_of(parts.domain.hi);
  const toi_ball twice = toi_ball_sub(toi_ball_sub(x, from), toi_ball_sub(to, x));
  const toi_ball s = toi_ball_mul(twice, toi_ball_inverse(toi_ball_sub(to, from)));
  basis[0] = toi_ball_of(1);
  if (parts.count > 1)
    basis[1] = s;
  for (size_t n = 2; n < parts.count; n++) {
    const toi_ball product = toi_ball_mul(basis[n / 2], basis[n - n / 2]);
    basis[n] = toi_ball_sub(toi_ball_add(product, product), n % 2 ? s : basis[0]);
  }
  for (size_t n = parts.count; n-- > 0;)
    sum = toi_ball_add(sum, toi_ball_mul(toi_ball_of(parts.coefficients[n].lo), basis[n]));
  sum.r = (sum.r + parts.error) * TOI_BALL_OUTWARD;
  return sum;
}

static toi_ball value_of(const toi_tape *tape, const toi_term_node *node, const toi_ball *r) {
  toi_ball sine, cosine;
  switch (node->kind) {
  case TOI_OP_NEG:
    return toi_ball_negate(r[node->a]);
  case TOI_OP_ADD:
    return toi_ball_add(r[node->a], r[node->b]);
  case TOI_OP_SUB:
    return toi_ball_sub(r[node->a], r[node->b]);
  case TOI_OP_MUL:
    return toi_ball_mul(r[node->a], r[node->b]);
  case TOI_OP_DIV:
    return toi_ball_mul(r[node->a], toi_ball_inverse(r[node->b]));
  case TOI_OP_SQRT:
    return r[node->a].x.hi > 0 ? toi_ball_root(r[node->a]) : enclosed(node, r);
  case TOI_OP_SIN:
  case TOI_OP_COS:
    toi_ball_sin_cos(r[node->a], &sine, &cosine);
    return node->kind == TOI_OP_SIN ? sine : cosine;
  case TOI_TERM_SQUARE:
    return toi_ball_mul(r[node->a], r[node->a]);
  case TOI_TERM_POWER:
    return (int32_t)node->b > 0 ? power_of(r[node->a], node->b) : enclosed(node, r);
  case TOI_TERM_SERIES:
    return node->c == 0 ? series_of(tape->terms.series[node->b], r[node->a]) : enclosed(node, r);
  default:
    return enclosed(node, r);
  }
}

/* Balls are for numbers below 2^200. */
static toi_ball checked(toi_ball a) {
  return fabs(a.x.hi) < 0x1p200 && a.r < 0x1p200 ? a : toi_ball_unknown();
}

void toi_tape_ball(const toi_tape *tape, const toi_ball *variables, toi_ball *registers, toi_ball *terms) {
  for (uint32_t i = 0; i < tape->own; i++)
    if (tape->terms.nodes[i].variables == 0)
      registers[i] = checked(toi_ball_around(tape->terms.nodes[i].value));
  for (uint32_t i = 0; i < tape->variables; i++)
    if (tape->inputs[i] != TOI_NO_TERM)
      registers[tape->inputs[i]] = variables[i];
  const toi_program *program = &tape->programs[0];
  for (size_t i = 0; i < program->count; i++) {
    const toi_tape_step *step = &program->steps[i];
    if (step->code == TOI_STEP_SIN_COS) {
      toi_ball_sin_cos(registers[step->a], &registers[step->to], &registers[step->b]);
      continue;
    }
    registers[step->node] = checked(value_of(tape, &tape->terms.nodes[step->node], registers));
  }
  const size_t all = TOI_JET_SIZE(tape->variables, 2);
  for (size_t i = 0; i < tape->count; i++)
    terms[i] = registers[tape->outputs[i * all]];
}
