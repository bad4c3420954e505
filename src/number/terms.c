/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Nodes kept once, found by hash, and simplified as they are made.
 *
 * Promise: what is simplified is the same number wherever it was defined, and is defined just where it was, unless the
 * terms are careless. Rules that drop an operand (0 x, x - x, x^0) therefore ask that it is total. */

#include "number/terms.h"

#include "number/series.h"

/* Whole exponents beyond are refused. */
#define POWER_MOST 1000000

/* --- memory --- */

void toi_terms_free(toi_terms *terms) {
  for (size_t i = 0; i < terms->series_count; i++)
    toi_series_release(terms->context, terms->series[i]);
  if (terms->series)
    toi_free(terms->context, terms->series, terms->series_room * sizeof(toi_series *));
  if (terms->nodes)
    toi_free(terms->context, terms->nodes, terms->room * sizeof *terms->nodes);
  if (terms->table)
    toi_free(terms->context, terms->table, terms->places * sizeof *terms->table);
  *terms = (toi_terms){.context = terms->context};
}

static uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

static uint64_t hash(const toi_term_node *n) {
  return mix(mix(mix(n->kind, n->a), (uint64_t)n->b << 32 | n->c), n->key);
}

static bool is_same(const toi_term_node *x, const toi_term_node *y) {
  return x->kind == y->kind && x->a == y->a && x->b == y->b && x->c == y->c && x->key == y->key;
}

/* The place in the table of the node, or the free one where it belongs. */
static uint32_t find_place(const toi_terms *terms, const toi_term_node *node) {
  uint32_t last = terms->places - 1, place = (uint32_t)hash(node) & last;
  while (terms->table[place] != 0 && !is_same(&terms->nodes[terms->table[place] - 1], node))
    place = (place + 1) & last;
  return place;
}

/* Room for one node more, and a table that is at most half full. */
static bool grow(toi_terms *terms) {
  if (terms->count < terms->room)
    return true;
  uint32_t room = terms->room ? 2 * terms->room : 64;
  if (room > UINT32_MAX / 4) {
    toi_fail(terms->context, TOI_ERROR_MEMORY, "the formula has more than %u terms", (unsigned)terms->count);
    return false;
  }
  size_t size = sizeof *terms->nodes;
  uint32_t *table = toi_allocate(terms->context, 2 * room * sizeof *table);
  if (table == NULL)
    return false;
  toi_term_node *nodes = toi_resize(terms->context, terms->nodes, terms->room * size, room * size);
  if (nodes == NULL) {
    toi_free(terms->context, table, 2 * room * sizeof *table);
    return false;
  }
  if (terms->table)
    toi_free(terms->context, terms->table, terms->places * sizeof *table);
  terms->nodes = nodes;
  terms->table = table;
  terms->places = 2 * room;
  terms->room = room;
  memset(table, 0, terms->places * sizeof *table);
  for (uint32_t i = 0; i < terms->count; i++)
    table[find_place(terms, &nodes[i])] = i + 1;
  return true;
}

toi_term toi_terms_find(const toi_terms *terms, const toi_term_node *node) {
  if (terms->places == 0)
    return TOI_NO_TERM;
  uint32_t found = terms->table[find_place(terms, node)];
  return found != 0 ? found - 1 : TOI_NO_TERM;
}

toi_term toi_terms_keep(toi_terms *terms, const toi_term_node *node) {
  toi_term found = toi_terms_find(terms, node);
  if (found != TOI_NO_TERM)
    return found;
  if (!grow(terms)) {
    terms->status = TOI_ERROR_MEMORY;
    return TOI_NO_TERM;
  }
  terms->nodes[terms->count] = *node;
  terms->table[find_place(terms, node)] = terms->count + 1;
  return terms->count++;
}

/* --- leaves --- */

toi_term toi_terms_variable(toi_terms *terms, uint32_t number) {
  assert(number < TOI_FORMULA_VARIABLES);
  toi_term_node n = {
      .kind = TOI_TERM_VARIABLE, .b = number, .variables = 1u << number, .column = terms->column, .total = true};
  return toi_terms_keep(terms, &n);
}

toi_term toi_terms_constant(toi_terms *terms, double value) {
  assert(fabs(value) <= DBL_MAX);
  value = value == 0 ? 0 : value;
  return toi_terms_enclosed(terms, (toi_interval){value, value}, TOI_CONSTANT_DOUBLE, 0, toi_bits(value));
}

toi_term toi_terms_enclosed(toi_terms *terms, toi_interval value, uint32_t a, uint32_t b, uint64_t key) {
  assert(toi_interval_is_valid(value));
  if (a != TOI_CONSTANT_DOUBLE && value.lo == value.hi)
    return toi_terms_constant(terms, value.lo);
  if (a == TOI_CONSTANT_ENCLOSED)
    b = terms->count;
  toi_term_node n = {
      .kind = TOI_TERM_CONSTANT, .a = a, .b = b, .key = key, .column = terms->column, .total = true, .value = value};
  return toi_terms_keep(terms, &n);
}

/* --- nodes --- */

unsigned toi_term_operands(uint32_t kind) {
  if (kind == TOI_TERM_VARIABLE || kind == TOI_TERM_CONSTANT)
    return 0;
  if (kind == TOI_TERM_PICK || kind == TOI_TERM_JUMP)
    return 3;
  return (kind >= TOI_OP_ADD && kind <= TOI_OP_ATAN2) || kind == TOI_TERM_SIDE ? 2 : 1;
}

toi_operands toi_node_operands(const toi_term_node *node) {
  unsigned count = toi_term_operands(node->kind);
  return (toi_operands){
      {count > 0 ? node->a : TOI_NO_TERM, count > 1 ? node->b : TOI_NO_TERM, count > 2 ? node->c : TOI_NO_TERM}};
}

/* Whether it is defined for all numbers. */
static bool is_total(const toi_term_node *n) {
  switch (n->kind) {
  case TOI_OP_SQRT:
  case TOI_OP_LOG:
  case TOI_OP_TAN:
  case TOI_OP_DIV:
  case TOI_OP_POW:
  case TOI_OP_ATAN2:
  case TOI_TERM_SERIES:
    return false;
  case TOI_TERM_POWER:
    return (int32_t)n->b >= 0;
  default:
    return true;
  }
}

/* The node as it stands: its variables, whether it is total, and its bounds if it has no variables. */
static toi_term finish(toi_terms *terms, toi_term_node n) {
  const toi_operands with = toi_node_operands(&n);
  toi_interval operands[3] = {{0, 0}, {0, 0}, {0, 0}};
  n.column = terms->column;
  n.total = true;
  for (int i = 0; i < 3 && with.of[i] != TOI_NO_TERM; i++) {
    const toi_term_node *operand = &terms->nodes[with.of[i]];
    n.variables |= operand->variables;
    n.total = n.total && operand->total;
    operands[i] = operand->value;
  }
  bool constant = n.variables == 0 && n.kind != TOI_TERM_SERIES, defined = is_total(&n);
  if (constant) {
    defined = true;
    n.value = toi_node_bounds(&n, operands, &defined);
  } else if (n.variables == 0) {
    n.value = toi_interval_whole();
  }
  n.total = (n.total && defined) || (terms->careless && n.variables == 0);
  if (constant && n.total && n.value.lo == n.value.hi)
    return toi_terms_constant(terms, n.value.lo);
  return toi_terms_keep(terms, &n);
}

/* --- simplification: each gives the simpler term, or TOI_NO_TERM and leaves the node to be made, or has failed --- */

static bool may_drop(const toi_terms *terms, toi_term term) {
  return terms->careless || terms->nodes[term].total;
}

static bool is_kind(const toi_terms *terms, toi_term term, uint32_t kind) {
  return terms->nodes[term].kind == kind;
}

/* A product with a constant in front; it is none itself. */
static bool is_multiple(const toi_terms *terms, toi_term term) {
  const toi_term_node *n = &terms->nodes[term];
  return n->kind == TOI_OP_MUL && n->variables != 0 && terms->nodes[n->a].variables == 0;
}

static toi_term negated(toi_terms *terms, toi_term a) {
  return toi_terms_build(terms, TOI_OP_NEG, a, TOI_NO_TERM);
}

static toi_term simpler_unary(toi_terms *terms, uint32_t kind, toi_term a) {
  const toi_term_node n = terms->nodes[a];
  bool even = kind == TOI_OP_ABS || kind == TOI_OP_COS || kind == TOI_TERM_SQUARE;
  if (even && (n.kind == TOI_OP_NEG || n.kind == TOI_OP_ABS))
    return kind == TOI_OP_ABS && n.kind == TOI_OP_ABS ? a : toi_terms_build(terms, kind, n.a, TOI_NO_TERM);
  if (kind == TOI_OP_ABS && (n.kind == TOI_TERM_SQUARE || n.kind == TOI_OP_SQRT || n.kind == TOI_OP_EXP))
    return a;
  if (kind == TOI_OP_SQRT && n.kind == TOI_TERM_SQUARE)
    return toi_terms_build(terms, TOI_OP_ABS, n.a, TOI_NO_TERM);
  if (kind != TOI_OP_NEG)
    return TOI_NO_TERM;
  if (n.kind == TOI_OP_NEG)
    return n.a;
  if (n.kind == TOI_OP_SUB)
    return toi_terms_build(terms, TOI_OP_SUB, n.b, n.a);
  if (is_multiple(terms, a))
    return toi_terms_build(terms, TOI_OP_MUL, negated(terms, n.a), n.b);
  return TOI_NO_TERM;
}

static toi_term simpler_add(toi_terms *terms, toi_term a, toi_term b) {
  if (toi_term_is(terms, a, 0))
    return b;
  if (is_kind(terms, b, TOI_OP_NEG))
    return toi_terms_build(terms, TOI_OP_SUB, a, terms->nodes[b].a);
  if (is_kind(terms, a, TOI_OP_NEG))
    return toi_terms_build(terms, TOI_OP_SUB, b, terms->nodes[a].a);
  if (a == b)
    return toi_terms_build(terms, TOI_OP_MUL, toi_terms_constant(terms, 2), a);
  return TOI_NO_TERM;
}

static toi_term simpler_sub(toi_terms *terms, toi_term a, toi_term b) {
  if (toi_term_is(terms, b, 0))
    return a;
  if (toi_term_is(terms, a, 0))
    return negated(terms, b);
  if (a == b && may_drop(terms, a))
    return toi_terms_constant(terms, 0);
  if (is_kind(terms, b, TOI_OP_NEG))
    return toi_terms_build(terms, TOI_OP_ADD, a, terms->nodes[b].a);
  return TOI_NO_TERM;
}

/* The base of a whole power from 1 on, and its exponent. */
static toi_term base_of(const toi_terms *terms, toi_term term, int32_t *exponent) {
  const toi_term_node *n = &terms->nodes[term];
  *exponent = n->kind == TOI_TERM_SQUARE ? 2 : n->kind == TOI_TERM_POWER ? (int32_t)n->b : 1;
  return n->kind == TOI_TERM_SQUARE || n->kind == TOI_TERM_POWER ? n->a : term;
}

/* x^i x^j. */
static toi_term joined_power(toi_terms *terms, toi_term a, toi_term b) {
  int32_t i, j;
  toi_term base = base_of(terms, a, &i);
  if (base_of(terms, b, &j) != base || i < 1 || j < 1 || i + j > POWER_MOST)
    return TOI_NO_TERM;
  return toi_terms_power(terms, base, i + j);
}

/* A constant, if there is one, is a. */
static toi_term simpler_mul(toi_terms *terms, toi_term a, toi_term b) {
  if (toi_term_is(terms, a, 0) && may_drop(terms, b))
    return a;
  if (toi_term_is(terms, a, 1))
    return b;
  if (toi_term_is(terms, a, -1))
    return negated(terms, b);
  toi_term power = joined_power(terms, a, b);
  if (power != TOI_NO_TERM)
    return power;
  if (terms->nodes[a].variables == 0 && is_multiple(terms, b))
    return toi_terms_build(terms, TOI_OP_MUL, toi_terms_build(terms, TOI_OP_MUL, a, terms->nodes[b].a),
                           terms->nodes[b].b);
  if (is_kind(terms, b, TOI_OP_NEG) && terms->nodes[b].variables != 0)
    return negated(terms, toi_terms_build(terms, TOI_OP_MUL, a, terms->nodes[b].a));
  // Signs move outward, to sums; or into the constant.
  if (is_kind(terms, a, TOI_OP_NEG) && terms->nodes[a].variables != 0)
    return negated(terms, toi_terms_build(terms, TOI_OP_MUL, terms->nodes[a].a, b));
  return TOI_NO_TERM;
}

/* What is divided by a power of two is multiplied by another one. */
static toi_term simpler_div(toi_terms *terms, toi_term a, toi_term b) {
  if (toi_term_is(terms, b, 1))
    return a;
  if (!is_kind(terms, b, TOI_TERM_CONSTANT))
    return TOI_NO_TERM;
  toi_interval inverse = toi_interval_div(toi_interval_point(1), terms->nodes[b].value);
  if (inverse.lo != inverse.hi)
    return TOI_NO_TERM;
  return toi_terms_build(terms, TOI_OP_MUL, toi_terms_constant(terms, inverse.lo), a);
}

static toi_term simpler_pow(toi_terms *terms, toi_term a, toi_term b) {
  const toi_term_node n = terms->nodes[b];
  if (n.kind != TOI_TERM_CONSTANT || n.value.lo != n.value.hi)
    return TOI_NO_TERM;
  double exponent = n.value.lo;
  if (exponent == 0.5)
    return toi_terms_build(terms, TOI_OP_SQRT, a, TOI_NO_TERM);
  if (exponent != floor(exponent))
    return TOI_NO_TERM;
  if (fabs(exponent) > POWER_MOST) {
    terms->status =
        toi_fail(terms->context, TOI_ERROR_INPUT, "the whole exponent %g is beyond %d", exponent, POWER_MOST);
    return TOI_NO_TERM;
  }
  return toi_terms_power(terms, a, (int32_t)exponent);
}

static toi_term simpler(toi_terms *terms, uint32_t kind, toi_term a, toi_term b) {
  switch (kind) {
  case TOI_OP_ADD:
    return simpler_add(terms, a, b);
  case TOI_OP_SUB:
    return simpler_sub(terms, a, b);
  case TOI_OP_MUL:
    return simpler_mul(terms, a, b);
  case TOI_OP_DIV:
    return simpler_div(terms, a, b);
  case TOI_OP_POW:
    return simpler_pow(terms, a, b);
  case TOI_OP_MIN:
  case TOI_OP_MAX:
    return a == b ? a : TOI_NO_TERM;
  default:
    return toi_term_operands(kind) == 1 ? simpler_unary(terms, kind, a) : TOI_NO_TERM;
  }
}

toi_term toi_terms_build(toi_terms *terms, uint32_t kind, toi_term a, toi_term b) {
  bool two = toi_term_operands(kind) == 2;
  if (a >= terms->count || (two && b >= terms->count))
    return TOI_NO_TERM;
  // What commutes has its constant first, and else the older operand.
  bool commutes = kind == TOI_OP_ADD || kind == TOI_OP_MUL || kind == TOI_OP_MIN || kind == TOI_OP_MAX;
  bool a_constant = terms->nodes[a].variables == 0, b_constant = two && terms->nodes[b].variables == 0;
  if (commutes && (a_constant == b_constant ? a > b : b_constant)) {
    toi_term swap = a;
    a = b;
    b = swap;
  }
  toi_term found = simpler(terms, kind, a, b);
  if (found != TOI_NO_TERM || terms->status != TOI_OK)
    return found;
  return finish(terms, (toi_term_node){.kind = kind, .a = a, .b = two ? b : 0});
}

toi_term toi_terms_power(toi_terms *terms, toi_term a, int32_t n) {
  if (a >= terms->count)
    return TOI_NO_TERM;
  if (n == 0 && may_drop(terms, a))
    return toi_terms_constant(terms, 1);
  if (n == 1)
    return a;
  if (n == 2)
    return toi_terms_build(terms, TOI_TERM_SQUARE, a, TOI_NO_TERM);
  if (n == -1)
    return toi_terms_build(terms, TOI_OP_DIV, toi_terms_constant(terms, 1), a);
  const toi_term_node of = terms->nodes[a];
  if (n % 2 == 0 && (of.kind == TOI_OP_NEG || of.kind == TOI_OP_ABS))
    a = of.a;
  return finish(terms, (toi_term_node){.kind = TOI_TERM_POWER, .a = a, .b = (uint32_t)n});
}

toi_term toi_terms_pick(toi_terms *terms, uint32_t kind, toi_term side, toi_term a, toi_term b) {
  if (side >= terms->count || a >= terms->count || b >= terms->count)
    return TOI_NO_TERM;
  if (kind == TOI_TERM_PICK && a == b)
    return a;
  return finish(terms, (toi_term_node){.kind = kind, .a = a, .b = b, .c = side});
}

bool toi_terms_add_series(toi_terms *terms, toi_series *series, uint32_t *number) {
  toi_series **grown =
      toi_grow(terms->context, terms->series, terms->series_count, &terms->series_room, sizeof(toi_series *), 4);
  if (grown == NULL)
    return false;
  terms->series = grown;
  *number = (uint32_t)terms->series_count;
  terms->series[terms->series_count++] = series;
  toi_series_share(series);
  return true;
}

toi_term toi_terms_series(toi_terms *terms, toi_term x, uint32_t number, uint32_t derivative) {
  if (x >= terms->count)
    return TOI_NO_TERM;
  return finish(terms, (toi_term_node){.kind = TOI_TERM_SERIES, .a = x, .b = number, .c = derivative});
}
