/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tapes in Taylor models: the steps of the values, each on models.
 *
 * Claim: the models are those of the terms wherever these are defined. Why: each step is an operation of taylor.h on
 * models of its operands. What has no such operation, and a choice of min and max that is not the same everywhere, is
 * the whole line. */

#include "number/series.h"
#include "number/tape_parts.h"
#include "number/taylor.h"

size_t toi_tape_taylor_registers(const toi_tape *tape) {
  return tape->own;
}

static void take_choice(const toi_taylor_space *space, uint32_t kind, const toi_taylor *a, const toi_taylor *b,
                        toi_taylor *out) {
  toi_taylor difference;
  toi_taylor_sub(space, a, b, &difference);
  int sign = toi_interval_sign(toi_taylor_bounds(space, &difference));
  if (sign == 0)
    toi_taylor_constant(toi_interval_whole(), out);
  else
    toi_taylor_copy(space, (sign < 0) == (kind == TOI_OP_MIN) ? a : b, out);
}

static void take_series(const toi_taylor_space *space, const toi_series *series, const toi_taylor *a, toi_taylor *out) {
  toi_taylor_outer f = {.order = space->order};
  if (toi_series_expand(series, a->c[0], toi_taylor_reach(space, a), f.order, f.at, &f.next))
    toi_taylor_compose(space, &f, a, out);
  else
    toi_taylor_constant(toi_interval_whole(), out);
}

/* Operators of two operands, the second of which may be a number. */
static void take_two(const toi_tape *tape, const toi_taylor_space *space, const toi_term_node *node, toi_taylor *r,
                     toi_taylor *out) {
  const toi_taylor *a = &r[node->a], *b = &r[node->b];
  toi_taylor inverse;
  switch (node->kind) {
  case TOI_OP_ADD:
    toi_taylor_add(space, a, b, out);
    return;
  case TOI_OP_SUB:
    toi_taylor_sub(space, a, b, out);
    return;
  case TOI_OP_MUL:
    toi_taylor_mul(space, a, b, out);
    return;
  case TOI_OP_DIV:
    toi_taylor_inverse(space, b, &inverse);
    toi_taylor_mul(space, a, &inverse, out);
    return;
  case TOI_OP_MIN:
  case TOI_OP_MAX:
    take_choice(space, node->kind, a, b, out);
    return;
  case TOI_OP_POW:
    if (tape->terms.nodes[node->b].variables == 0) {
      toi_taylor_power(space, a, tape->terms.nodes[node->b].value, out);
      return;
    }
    break;
  default:
    break;
  }
  toi_taylor_constant(toi_interval_whole(), out);
}

static void take(const toi_tape *tape, const toi_taylor_space *space, const toi_tape_step *step, toi_taylor *r) {
  const toi_term_node *node = &tape->terms.nodes[step->node];
  toi_taylor *out = &r[step->node];
  if (step->code == TOI_STEP_SIN_COS)
    toi_taylor_sin_cos(space, &r[step->a], &r[step->to], &r[step->b]);
  else if (node->kind == TOI_TERM_SERIES)
    take_series(space, tape->terms.series[node->b], &r[node->a], out);
  else if (node->kind == TOI_TERM_SQUARE)
    toi_taylor_mul(space, &r[node->a], &r[node->a], out);
  else if (node->kind == TOI_TERM_POWER)
    toi_taylor_whole_power(space, &r[node->a], (int32_t)node->b, out);
  else if (toi_term_operands(node->kind) == 2)
    take_two(tape, space, node, r, out);
  else
    toi_taylor_function(space, (toi_operator)node->kind, &r[node->a], out);
}

void toi_tape_taylor(const toi_tape *tape, const toi_taylor_space *space, const toi_taylor *variables,
                     toi_taylor *registers, toi_taylor *terms) {
  for (uint32_t i = 0; i < tape->own; i++)
    if (tape->terms.nodes[i].variables == 0)
      toi_taylor_constant(tape->terms.nodes[i].value, &registers[i]);
  for (uint32_t i = 0; i < tape->variables; i++)
    if (tape->inputs[i] != TOI_NO_TERM)
      toi_taylor_copy(space, &variables[i], &registers[tape->inputs[i]]);
  const toi_program *program = &tape->programs[0];
  for (size_t i = 0; i < program->count; i++)
    take(tape, space, &program->steps[i], registers);
  size_t all = TOI_JET_SIZE(tape->variables, 2);
  for (size_t i = 0; i < tape->count; i++)
    toi_taylor_copy(space, &registers[tape->outputs[i * all]], &terms[i]);
}
