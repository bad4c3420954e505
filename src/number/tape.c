/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Making tapes: the terms are copied, derived, and put in a row three times, for values, first and second derivatives.
 */

#include "number/formula_parts.h"
#include "number/series.h"
#include "number/tape_parts.h"

#include <inttypes.h>

/* What is needed while a tape is made: one mark a node, of the formula and then of the tape. */
typedef struct maker {
  toi_context *context;
  toi_tape *tape;
  const toi_terms *from;
  toi_term *renamed; /* by node of the formula: its copy */
  toi_term *jets;    /* by node of the tape: its derivatives */
  uint8_t *marks;
  size_t renamed_size, jets_size, marks_size;
} maker;

static size_t jet_size(const toi_tape *tape) {
  return TOI_JET_SIZE(tape->variables, 2);
}

/* --- the terms that are needed --- */

/* Nothing of what such a node is made of is needed. */
static bool is_leaf(const toi_term_node *n) {
  return n->kind == TOI_TERM_VARIABLE || n->kind == TOI_TERM_CONSTANT || (n->variables == 0 && n->total);
}

/* Marks what the marked nodes are made of. */
static void mark_operands(const toi_terms *terms, uint8_t *marks) {
  for (uint32_t i = terms->count; i-- > 0;) {
    const toi_term_node *n = &terms->nodes[i];
    const toi_operands with = toi_node_operands(n);
    for (int k = 0; marks[i] && !is_leaf(n) && k < 3 && with.of[k] != TOI_NO_TERM; k++)
      marks[with.of[k]] = 1;
  }
}

/* A node of the formula, as it is, under the numbers of the tape. */
static bool copy_node(maker *m, uint32_t number) {
  toi_term_node n = m->from->nodes[number];
  toi_terms *to = &m->tape->terms;
  // Without variables and defined, its bounds are all that matters; it remains a number of its own.
  if (n.kind != TOI_TERM_VARIABLE && is_leaf(&n)) {
    bool enclosed = n.kind != TOI_TERM_CONSTANT || n.a == TOI_CONSTANT_ENCLOSED;
    n = (toi_term_node){.kind = TOI_TERM_CONSTANT,
                        .a = enclosed ? TOI_CONSTANT_ENCLOSED : n.a,
                        .b = enclosed ? to->count : n.b,
                        .key = enclosed ? 0 : n.key,
                        .total = true,
                        .value = n.value};
  }
  const toi_operands with = toi_node_operands(&n);
  n.a = with.of[0] != TOI_NO_TERM ? m->renamed[with.of[0]] : n.a;
  n.b = with.of[1] != TOI_NO_TERM ? m->renamed[with.of[1]] : n.b;
  n.c = with.of[2] != TOI_NO_TERM ? m->renamed[with.of[2]] : n.c;
  if (n.kind == TOI_TERM_SERIES && !toi_terms_add_series(to, m->from->series[n.b], &n.b))
    return false;
  m->renamed[number] = toi_terms_keep(to, &n);
  return m->renamed[number] != TOI_NO_TERM;
}

static bool copy_terms(maker *m, const toi_term *terms) {
  memset(m->marks, 0, m->marks_size);
  for (size_t i = 0; i < m->tape->count; i++)
    m->marks[terms[i]] = 1;
  mark_operands(m->from, m->marks);
  for (uint32_t i = 0; i < m->from->count; i++)
    if (m->marks[i] && !copy_node(m, i))
      return false;
  return true;
}

/* --- derivatives --- */

static bool derive_terms(maker *m, const toi_term *terms) {
  toi_tape *tape = m->tape;
  size_t size = jet_size(tape);
  tape->own = tape->terms.count;
  tape->terms.careless = true;
  m->jets_size = (size_t)tape->own * size * sizeof *m->jets;
  m->jets = toi_allocate(m->context, m->jets_size + 1);
  if (m->jets == NULL)
    return false;
  for (uint32_t i = 0; i < tape->own; i++)
    if (!toi_tape_derive(&tape->terms, tape->variables, i, m->jets))
      return false;
  for (size_t i = 0; i < tape->count; i++)
    memcpy(tape->outputs + i * size, m->jets + m->renamed[terms[i]] * size, size * sizeof *tape->outputs);
  return true;
}

/* --- programs --- */

/* The node of this kind and this c with the operands of another one, if it is marked and not done yet. */
static uint32_t find_partner(const maker *m, uint32_t kind, const toi_term_node *like, uint32_t c) {
  const toi_term_node wanted = {.kind = kind, .a = like->a, .b = like->b, .c = c};
  toi_term found = toi_terms_find(&m->tape->terms, &wanted);
  return found != TOI_NO_TERM && m->marks[found] == 1 ? found : TOI_NOWHERE;
}

static uint32_t code_of(const maker *m, const toi_term_node *n) {
  const toi_term_node *a = &m->tape->terms.nodes[n->a];
  switch (n->kind) {
  case TOI_OP_MUL:
    if (a->variables != 0 || (a->value.lo <= 0 && a->value.hi >= 0))
      return TOI_STEP_MUL;
    return a->value.lo > 0 ? TOI_STEP_SCALE : TOI_STEP_SCALE_BACK;
  case TOI_OP_ADD:
    return TOI_STEP_ADD;
  case TOI_OP_SUB:
    return TOI_STEP_SUB;
  case TOI_OP_NEG:
    return TOI_STEP_NEG;
  case TOI_TERM_SQUARE:
    return TOI_STEP_SQUARE;
  case TOI_TERM_SERIES:
    return TOI_STEP_SERIES;
  default:
    return TOI_STEP_OTHER;
  }
}

/* The step of a node, and of those that are done along with it. */
static toi_tape_step make_step(maker *m, uint32_t number) {
  const toi_term_node *n = &m->tape->terms.nodes[number];
  toi_tape_step step = {code_of(m, n), number, number, n->a, n->b, n->c};
  if (n->kind == TOI_OP_SIN || n->kind == TOI_OP_COS) {
    uint32_t other = find_partner(m, n->kind == TOI_OP_SIN ? TOI_OP_COS : TOI_OP_SIN, n, 0);
    if (other != TOI_NOWHERE) {
      step.code = TOI_STEP_SIN_COS;
      step.to = n->kind == TOI_OP_SIN ? number : other;
      step.b = n->kind == TOI_OP_SIN ? other : number;
      m->marks[other] = 2;
    }
  }
  if (n->kind == TOI_TERM_SERIES) {
    step.b = find_partner(m, n->kind, n, 1);
    step.c = find_partner(m, n->kind, n, 2);
    if (step.b != TOI_NOWHERE)
      m->marks[step.b] = 2;
    if (step.c != TOI_NOWHERE)
      m->marks[step.c] = 2;
  }
  m->marks[number] = 2;
  return step;
}

static bool make_program(maker *m, unsigned order) {
  toi_tape *tape = m->tape;
  toi_program *program = &tape->programs[order];
  size_t size = jet_size(tape), asked = TOI_JET_SIZE(tape->variables, order);
  memset(m->marks, 0, m->marks_size);
  for (size_t i = 0; i < tape->count; i++)
    for (size_t k = 0; k < asked; k++)
      m->marks[tape->outputs[i * size + k]] = 1;
  mark_operands(&tape->terms, m->marks);
  for (uint32_t i = 0; i < tape->terms.count; i++)
    program->room += m->marks[i] && !is_leaf(&tape->terms.nodes[i]);
  program->room++;
  program->steps = toi_allocate(m->context, program->room * sizeof *program->steps);
  if (program->steps == NULL)
    return false;
  for (uint32_t i = 0; i < tape->terms.count; i++)
    if (m->marks[i] == 1 && !is_leaf(&tape->terms.nodes[i]))
      program->steps[program->count++] = make_step(m, i);
  return toi_program_order(&tape->terms, program);
}

/* Constants are in their registers once and for all. */
static bool make_registers(maker *m) {
  toi_tape *tape = m->tape;
  uint32_t count = tape->terms.count;
  tape->registers = toi_allocate(m->context, count * sizeof *tape->registers + 1);
  tape->marks = toi_allocate(m->context, tape->own + 1);
  if (tape->registers == NULL || tape->marks == NULL)
    return false;
  for (size_t i = 0; i < TOI_FORMULA_VARIABLES; i++)
    tape->inputs[i] = TOI_NO_TERM;
  for (uint32_t i = 0; i < count; i++) {
    const toi_term_node *n = &tape->terms.nodes[i];
    tape->registers[i] = n->variables == 0 ? n->value : toi_interval_whole();
    if (n->kind == TOI_TERM_VARIABLE)
      tape->inputs[n->b] = i;
  }
  return true;
}

/* --- from formula to tape --- */

static bool fill(maker *m, const toi_term *terms) {
  toi_tape *tape = m->tape;
  tape->outputs_size = tape->count * jet_size(tape) * sizeof *tape->outputs + 1;
  tape->outputs = toi_allocate(m->context, tape->outputs_size);
  m->marks_size = m->from->count + 1;
  m->marks = toi_allocate(m->context, m->marks_size);
  m->renamed_size = m->from->count * sizeof *m->renamed + 1;
  m->renamed = toi_allocate(m->context, m->renamed_size);
  if (tape->outputs == NULL || m->marks == NULL || m->renamed == NULL)
    return false;
  if (!copy_terms(m, terms) || !derive_terms(m, terms))
    return false;
  for (size_t i = 0; i < tape->count; i++)
    tape->mask |= tape->terms.nodes[m->renamed[terms[i]]].variables;

  // Marks of the tape's nodes from here on.
  uint8_t *marks = toi_resize(m->context, m->marks, m->marks_size, tape->terms.count + 1);
  if (marks == NULL)
    return false;
  m->marks = marks;
  m->marks_size = tape->terms.count + 1;
  return make_registers(m) && make_program(m, 0) && make_program(m, 1) && make_program(m, 2);
}

static bool build(maker *m, const toi_term *terms) {
  bool made = fill(m, terms);
  if (m->marks)
    toi_free(m->context, m->marks, m->marks_size);
  if (m->renamed)
    toi_free(m->context, m->renamed, m->renamed_size);
  if (m->jets)
    toi_free(m->context, m->jets, m->jets_size + 1);
  return made;
}

toi_status toi_tape_make(toi_context *context, const toi_formula *formula, const toi_term *terms, size_t count,
                         toi_tape **tape) {
  *tape = NULL;
  for (size_t i = 0; i < count; i++)
    if (terms[i] >= formula->terms.count) {
      toi_status status = toi_formula_status(formula);
      return status != TOI_OK
                 ? status
                 : toi_fail(context, TOI_ERROR_INPUT, "term %" PRIu32 " is not a term of this formula", terms[i]);
    }
  toi_tape *made = toi_allocate(context, sizeof *made);
  if (made == NULL)
    return TOI_ERROR_MEMORY;
  *made = (toi_tape){.terms = {.context = context}, .count = count, .variables = (uint32_t)formula->variable_count};
  maker m = {.context = context, .tape = made, .from = &formula->terms};
  if (!build(&m, terms)) {
    toi_tape_destroy(made);
    return TOI_ERROR_MEMORY;
  }
  *tape = made;
  return TOI_OK;
}

void toi_tape_destroy(toi_tape *tape) {
  if (tape == NULL)
    return;
  toi_context *context = tape->terms.context;
  for (int order = 0; order < 3; order++)
    if (tape->programs[order].steps)
      toi_free(context, tape->programs[order].steps, tape->programs[order].room * sizeof(toi_tape_step));
  if (tape->registers)
    toi_free(context, tape->registers, tape->terms.count * sizeof *tape->registers + 1);
  if (tape->marks)
    toi_free(context, tape->marks, tape->own + 1);
  if (tape->outputs)
    toi_free(context, tape->outputs, tape->outputs_size);
  toi_terms_free(&tape->terms);
  toi_free(context, tape, sizeof *tape);
}

static size_t twin_size(void) {
  return TOI_ROUND_UP(sizeof(toi_tape), 16);
}

size_t toi_tape_twin_bytes(const toi_tape *tape) {
  return twin_size() + tape->terms.count * sizeof *tape->registers;
}

toi_tape *toi_tape_twin(const toi_tape *tape, void *memory) {
  toi_tape *twin = memory;
  *twin = *tape;
  twin->registers = (toi_interval *)(void *)((unsigned char *)memory + twin_size());
  memcpy(twin->registers, tape->registers, tape->terms.count * sizeof *tape->registers);
  return twin;
}

size_t toi_tape_arity(const toi_tape *tape) {
  return tape->variables;
}

uint32_t toi_tape_variables(const toi_tape *tape) {
  return tape->mask;
}
