/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Evaluating tapes, and finding out what is not defined. */

#include "number/interval_branchless.h"
#include "number/series.h"
#include "number/tape_parts.h"
#include "number/trigonometry.h"

/* Pieces that toi_tape_check() looks at, and how often it halves one. */
#define PIECES_MOST 4096
#define HALVINGS_MOST 40

/* --- steps --- */

/* Whatever is not worth a case of its own. False: it may not be defined. */
static bool take_other(const toi_tape *tape, const toi_tape_step *step, toi_interval *r) {
  const toi_term_node *node = &tape->terms.nodes[step->node];
  unsigned count = toi_term_operands(node->kind);
  bool defined = true;
  toi_interval operands[3] = {r[step->a], {0, 0}, {0, 0}};
  if (count > 1)
    operands[1] = r[step->b];
  if (count > 2)
    operands[2] = r[step->c];
  r[step->to] = toi_node_bounds(node, operands, &defined);
  return defined || step->node >= tape->own;
}

static bool take_series(const toi_tape *tape, const toi_tape_step *step, toi_interval *r) {
  const toi_term_node *node = &tape->terms.nodes[step->node];
  unsigned order = step->c != TOI_NOWHERE ? 2 : step->b != TOI_NOWHERE ? 1 : 0;
  toi_interval jet[3];
  bool defined = toi_series_bounds(tape->terms.series[node->b], r[step->a], order, jet);
  r[step->to] = jet[node->c];
  if (step->b != TOI_NOWHERE)
    r[step->b] = jet[1];
  if (step->c != TOI_NOWHERE)
    r[step->c] = jet[2];
  return defined;
}

/* A run of steps of one kind, ended by a step of another one. */
#define RUN(kind, result)                                                                                              \
  case kind:                                                                                                           \
    do {                                                                                                               \
      r[step->to] = result;                                                                                            \
      step++;                                                                                                          \
    } while (step->code == (kind));                                                                                    \
    break

/* Takes all steps to the end of the program. False: one of them may not be defined. */
static bool take_all(const toi_tape *tape, const toi_program *program, toi_interval *r) {
  bool defined = true;
  const toi_tape_step *step = program->steps;
  for (;;)
    switch ((toi_step_code)step->code) {
      RUN(TOI_STEP_MUL, toi_branchless_mul(r[step->a], r[step->b]));
      RUN(TOI_STEP_SCALE, toi_branchless_mul_positive(r[step->a], r[step->b]));
      RUN(TOI_STEP_SCALE_BACK, toi_interval_neg(toi_branchless_mul_positive(toi_interval_neg(r[step->a]), r[step->b])));
      RUN(TOI_STEP_ADD, toi_branchless_add(r[step->a], r[step->b]));
      RUN(TOI_STEP_SUB, toi_branchless_sub(r[step->a], r[step->b]));
      RUN(TOI_STEP_NEG, toi_interval_neg(r[step->a]));
      RUN(TOI_STEP_SQUARE, toi_branchless_square(r[step->a]));
    case TOI_STEP_SIN_COS:
      toi_interval_sin_cos(r[step->a], &r[step->to], &r[step->b]);
      step++;
      break;
    case TOI_STEP_SERIES:
      defined &= take_series(tape, step++, r);
      break;
    case TOI_STEP_OTHER:
      defined &= take_other(tape, step++, r);
      break;
    case TOI_STEP_END:
    default:
      return defined;
    }
}

static void put_box(toi_tape *tape, const toi_interval *box) {
  for (uint32_t i = 0; i < tape->variables; i++)
    if (tape->inputs[i] != TOI_NO_TERM)
      tape->registers[tape->inputs[i]] = box[i];
}

bool toi_tape_bounds(toi_tape *tape, const toi_interval *box, unsigned order, toi_interval *jets) {
  assert(order <= 2);
  put_box(tape, box);
  const toi_program *program = &tape->programs[order];
  toi_interval *r = tape->registers;
  bool defined = take_all(tape, program, r);

  size_t asked = TOI_JET_SIZE(tape->variables, order), all = TOI_JET_SIZE(tape->variables, 2);
  for (size_t i = 0; i < tape->count; i++)
    for (size_t k = 0; k < asked; k++)
      *jets++ = r[tape->outputs[i * all + k]];
  return defined;
}

/* --- faults --- */

/* The first term that is made of the node, among others. */
static size_t find_term(const toi_tape *tape, uint32_t node) {
  uint8_t *marks = tape->marks;
  memset(marks, 0, tape->own);
  marks[node] = 1;
  for (uint32_t i = node + 1; i < tape->own; i++) {
    const toi_operands with = toi_node_operands(&tape->terms.nodes[i]);
    for (int k = 0; k < 3 && with.of[k] != TOI_NO_TERM; k++)
      marks[i] |= marks[with.of[k]];
  }
  size_t all = TOI_JET_SIZE(tape->variables, 2);
  for (size_t term = 0; term < tape->count; term++)
    if (marks[tape->outputs[term * all]])
      return term;
  return 0;
}

static const char *what_is_wrong(uint32_t kind) {
  switch (kind) {
  case TOI_OP_SQRT:
    return "takes the root of a number that may be negative";
  case TOI_OP_TAN:
    return "of an angle that may be an odd multiple of pi/2";
  case TOI_OP_LOG:
    return "takes the logarithm of a number that may be 0 or negative";
  case TOI_OP_DIV:
    return "divides by a number that may be 0";
  case TOI_TERM_POWER:
    return "raises a number that may be 0 to a negative power";
  case TOI_OP_POW:
    return "raises a number that may be negative, or 0 to a power that may not be positive";
  case TOI_OP_ATAN2:
    return "of a point that may be the origin, or across the negative x axis where the angle jumps";
  case TOI_TERM_SERIES:
    return "is evaluated outside its domain";
  default:
    assert(false);
    return "is not defined";
  }
}

static const char *name_of(uint32_t kind) {
  if (kind < TOI_OP_COUNT)
    return toi_operator_name((toi_operator)kind);
  if (kind == TOI_TERM_SERIES)
    return "series";
  if (kind == TOI_TERM_VARIABLE)
    return "variable";
  return kind == TOI_TERM_CONSTANT ? "number" : toi_operator_name(TOI_OP_POW);
}

static bool is_bounded(toi_interval a) {
  return toi_interval_magnitude(a) <= DBL_MAX;
}

static void describe(toi_tape *tape, uint32_t node, const char *wrong, toi_tape_fault *fault) {
  const toi_term_node *n = &tape->terms.nodes[node];
  *fault = (toi_tape_fault){name_of(n->kind), wrong, 0, n->column};
  fault->term = find_term(tape, node);
}

/* Whether the step, whose registers hold their values, may not be defined. */
static bool is_undefined(const toi_tape *tape, const toi_tape_step *step) {
  toi_interval *r = tape->registers;
  if (step->code == TOI_STEP_SERIES)
    return !take_series(tape, step, r);
  return step->code == TOI_STEP_OTHER && !take_other(tape, step, r);
}

/* The first node that may not be defined or, if that counts too, has no bound. */
static bool find(toi_tape *tape, const toi_interval *box, bool finite, toi_tape_fault *fault) {
  const toi_program *program = &tape->programs[0];
  const toi_interval *r = tape->registers;
  size_t all = TOI_JET_SIZE(tape->variables, 2);
  uint32_t first = TOI_NOWHERE;
  bool undefined = false;
  put_box(tape, box);
  take_all(tape, program, tape->registers);
  for (size_t i = 0; i < program->count; i++) {
    const toi_tape_step *step = &program->steps[i];
    bool here = step->node < first && is_undefined(tape, step);
    if (here || (step->node < first && finite && !is_bounded(r[step->to]))) {
      first = step->node;
      undefined = here;
    }
  }
  // Terms that are variables or constants take no step.
  for (size_t i = 0; finite && i < tape->count; i++)
    if (tape->outputs[i * all] < first && !is_bounded(r[tape->outputs[i * all]])) {
      first = tape->outputs[i * all];
      undefined = false;
    }
  if (first != TOI_NOWHERE)
    describe(tape, first, undefined ? what_is_wrong(tape->terms.nodes[first].kind) : "is not bounded", fault);
  return first != TOI_NOWHERE;
}

bool toi_tape_find_fault(toi_tape *tape, const toi_interval *box, toi_tape_fault *fault) {
  return find(tape, box, false, fault);
}

/* --- proof over a box --- */

typedef struct piece {
  toi_interval box[TOI_FORMULA_VARIABLES];
  unsigned halvings;
} piece;

/* Halves the side that is the widest part of the whole one. False: it is too small. */
static bool halve(const toi_tape *tape, const toi_interval *whole, piece *p, piece *other) {
  uint32_t widest = 0;
  double most = 0;
  for (uint32_t i = 0; i < tape->variables; i++) {
    double part = toi_interval_width(p->box[i]) / toi_interval_width(whole[i]);
    double middle = toi_interval_midpoint(p->box[i]);
    bool can = (tape->mask >> i & 1) && p->box[i].lo < middle && middle < p->box[i].hi;
    if (can && !(part <= most)) {
      widest = i;
      most = part;
    }
  }
  if (most == 0 || p->halvings >= HALVINGS_MOST)
    return false;
  p->halvings++;
  *other = *p;
  p->box[widest].hi = other->box[widest].lo = toi_interval_midpoint(p->box[widest]);
  return true;
}

/* Depth first, the lower half before the upper: the pieces that wait are at most one each halving. */
bool toi_tape_check(toi_tape *tape, const toi_interval *box, toi_tape_fault *fault, toi_interval *place) {
  piece waiting[HALVINGS_MOST + 1];
  size_t count = 1;
  size_t bytes = tape->variables * sizeof *box;
  waiting[0].halvings = 0;
  memcpy(waiting[0].box, box, bytes);
  for (size_t looked = 0; count > 0; looked++) {
    piece p = waiting[--count];
    if (!find(tape, p.box, true, fault))
      continue;
    piece upper;
    if (looked + 1 >= PIECES_MOST || !halve(tape, box, &p, &upper)) {
      memcpy(place, p.box, bytes);
      return false;
    }
    assert(count + 2 <= HALVINGS_MOST + 1);
    waiting[count++] = upper;
    waiting[count++] = p;
  }
  return true;
}
