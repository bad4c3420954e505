/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Taking a frame out of formulas. Enclosures depend on the axes: a rim whose height is 0 has a height of exactly 0, and
 * the same rim, turned, three coordinates as wide as its box, of which no combination is 0. Motions are turned before
 * anything is enclosed; formulas that were turned are not, so that their frame is found here and made a motion.
 *
 * Parametric. Each coordinate is a sum of multiples of parts, x_k = c_k + sum_i C_ki a_i(u, v, t), the parts being
 * terms that are neither sums nor multiples. Implicit. x, y, z are used in forms g_i . (x, y, z) + c_i (+ d_i t) alone.
 * With axes R, an exact rotation of which enclosures are known, both can be written in axes of their own:
 *     own = R^T c + (R^T C) a,        g_i . (R own) = (g_i R) . own.
 *
 * Claim: shape = R straight(...), and F = straight(R^T (x, y, z)). Why: lemma 21 of docs/guarantees.md. R is what
 * shape->frame encloses, a true rotation, and the products are interval products. How R was found does not matter. It
 * is worth while if it makes more products of an axis and a column (or form) zero, up to rounding, than there are
 * zeroes now: columns are put along axes. What rounding leaves of a zero is kept, as a small interval. */

#include "contact/shape_frame.h"

#include "motion/motion.h"
#include "number/formula_parts.h"
#include "solve/vector.h"

/* Formulas of more parts or forms have no frame to be found. */
#define PARTS 12

/* What is so small beside its column is taken for zero when axes are chosen. */
#define NOTHING 0x1p-40

/* A part and its multiples in x, y, z; or a form: its factors, and what else it has. */
typedef struct column {
  toi_term term;
  toi_interval of[3];
  toi_interval time, constant; /* of a form */
} column;

typedef struct frame_finder {
  toi_context *context;
  const toi_terms *terms;
  column columns[PARTS];
  size_t count;
  toi_interval constant[3]; /* c */
  uint8_t *marks;           /* by node: what is needed of the formula */
  column *linear;           /* implicit, by node: as a form; term: TOI_NO_TERM where it is none */
  toi_term *renamed;        /* by node: its copy */
  toi_formula *made;        /* where the copies are */
  toi_interval axes[3][3];  /* R */
} frame_finder;

static toi_interval plus_product(toi_interval sum, toi_interval a, toi_interval b) {
  return toi_interval_add(sum, toi_interval_mul(a, b));
}

static bool is_zero(toi_interval x) {
  return x.lo == 0 && x.hi == 0;
}

/* A node without variables that has a value. */
static bool is_number(const toi_terms *terms, toi_term term) {
  return terms->nodes[term].variables == 0;
}

/* Whether a node is a multiple of its operand *of, by *factor. */
static bool is_multiple(const toi_terms *terms, const toi_term_node *n, toi_term *of, toi_interval *factor) {
  *of = n->kind == TOI_OP_MUL ? n->b : n->a;
  if (n->kind == TOI_OP_NEG)
    *factor = toi_interval_point(-1);
  else if (n->kind == TOI_OP_MUL && is_number(terms, n->a))
    *factor = terms->nodes[n->a].value;
  else if (n->kind == TOI_OP_DIV && is_number(terms, n->b) && toi_interval_sign(terms->nodes[n->b].value) != 0)
    *factor = toi_interval_div(toi_interval_point(1), terms->nodes[n->b].value);
  else
    return false;
  return true;
}

static bool is_sum(const toi_term_node *n) {
  return n->kind == TOI_OP_ADD || n->kind == TOI_OP_SUB;
}

/* --- parametric: parts --- */

/* Adds factors times a node to what is to be taken apart. */
static void add_weight(column *weights, toi_term node, const toi_interval of[3], toi_interval factor) {
  for (int k = 0; k < 3; k++)
    weights[node].of[k] = plus_product(weights[node].of[k], of[k], factor);
}

static bool is_weightless(const column *c) {
  return is_zero(c->of[0]) && is_zero(c->of[1]) && is_zero(c->of[2]);
}

/* From the coordinates down to their parts; operands come before what is made of them. */
static bool find_parts(frame_finder *f, const toi_term at[3], column *weights) {
  const toi_interval one = toi_interval_point(1);
  memset(weights, 0, f->terms->count * sizeof *weights);
  for (int k = 0; k < 3; k++)
    weights[at[k]].of[k] = toi_interval_add(weights[at[k]].of[k], one);
  for (uint32_t i = f->terms->count; i-- > 0;) {
    const toi_term_node *n = &f->terms->nodes[i];
    const column *w = &weights[i];
    toi_term of;
    toi_interval factor;
    if (is_weightless(w))
      continue;
    if (n->variables == 0) {
      for (int k = 0; k < 3; k++)
        f->constant[k] = plus_product(f->constant[k], w->of[k], n->value);
    } else if (is_sum(n)) {
      add_weight(weights, n->a, w->of, one);
      add_weight(weights, n->b, w->of, n->kind == TOI_OP_ADD ? one : toi_interval_point(-1));
    } else if (is_multiple(f->terms, n, &of, &factor)) {
      add_weight(weights, of, w->of, factor);
    } else if (f->count == PARTS) {
      return false;
    } else {
      f->columns[f->count] = *w;
      f->columns[f->count++].term = i;
      f->marks[i] = 1;
    }
  }
  return true;
}

/* --- implicit: forms --- */

/* A node as a form of x, y, z, if it is one; operands come before it. */
static void set_form(frame_finder *f, uint32_t number) {
  const toi_term_node *n = &f->terms->nodes[number];
  const toi_interval one = toi_interval_point(1), none = {0, 0};
  column *c = &f->linear[number];
  const column *a = NULL, *b = NULL;
  toi_interval of_a = one, of_b = n->kind == TOI_OP_ADD ? one : toi_interval_point(-1);
  toi_term of;
  *c = (column){.term = TOI_NO_TERM, .of = {none, none, none}, .time = none, .constant = none};
  if (n->variables == 0)
    c->constant = n->value;
  else if (n->kind == TOI_TERM_VARIABLE)
    *(n->b < 3 ? &c->of[n->b] : &c->time) = one;
  else if (is_sum(n)) {
    a = &f->linear[n->a];
    b = &f->linear[n->b];
  } else if (is_multiple(f->terms, n, &of, &of_a))
    a = &f->linear[of];
  else
    return;
  if ((a != NULL && a->term == TOI_NO_TERM) || (b != NULL && b->term == TOI_NO_TERM))
    return;
  c->term = number;
  for (int i = 0; i < 2; i++) {
    const column *from = i == 0 ? a : b;
    toi_interval factor = i == 0 ? of_a : of_b;
    for (int k = 0; from != NULL && k < 3; k++)
      c->of[k] = plus_product(c->of[k], from->of[k], factor);
    if (from == NULL)
      continue;
    c->time = plus_product(c->time, from->time, factor);
    c->constant = plus_product(c->constant, from->constant, factor);
  }
}

/* Marks what the marked nodes are made of, forms being taken as they are. */
static void mark_operands(const frame_finder *f) {
  for (uint32_t i = f->terms->count; i-- > 0;) {
    const toi_term_node *n = &f->terms->nodes[i];
    const toi_operands with = toi_node_operands(n);
    bool whole = n->variables == 0 || (f->linear != NULL && f->linear[i].term != TOI_NO_TERM);
    for (int k = 0; f->marks[i] && !whole && k < 3 && with.of[k] != TOI_NO_TERM; k++)
      f->marks[with.of[k]] = 1;
  }
}

static bool find_forms(frame_finder *f, toi_term function) {
  for (uint32_t i = 0; i < f->terms->count; i++)
    set_form(f, i);
  f->marks[function] = 1;
  mark_operands(f);
  for (uint32_t i = 0; i < f->terms->count; i++) {
    if (!f->marks[i] || f->linear[i].term == TOI_NO_TERM || is_weightless(&f->linear[i]))
      continue;
    if (f->count == PARTS)
      return false;
    f->columns[f->count++] = f->linear[i];
  }
  return true;
}

/* --- axes --- */

/* How many products of a vector and an axis are zero. */
static size_t count_zeroes(size_t count, const double (*v)[3], double axes[3][3]) {
  size_t zeroes = 0;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      zeroes += fabs(toi_dot(axes[k], v[i])) <= NOTHING * sqrt(toi_dot(v[i], v[i]));
  return zeroes;
}

/* The first axis along a vector, the second one towards another. */
static bool set_axes(const double a[3], const double b[3], double axes[3][3]) {
  double second[3];
  memcpy(axes[0], a, sizeof axes[0]);
  memcpy(second, b, sizeof second);
  if (!toi_plain_unit3(axes[0]) || !toi_plain_unit3(second))
    return false;
  double along = toi_dot(axes[0], second), size = 0;
  for (int k = 0; k < 3; k++) {
    axes[1][k] = second[k] - along * axes[0][k];
    size += axes[1][k] * axes[1][k];
  }
  if (size > NOTHING) {
    toi_plain_unit3(axes[1]);
    toi_cross(axes[0], axes[1], axes[2]);
  } else {
    toi_plain_across3(axes[0], axes[1], axes[2]);
  }
  return true;
}

bool toi_axes_choose(size_t count, const double (*v)[3], size_t least, double axes[3][3]) {
  double plain[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, tried[3][3];
  size_t most = count_zeroes(count, v, plain);
  bool found = false;
  // Some more are no frame, but a matter of chance.
  least = least > most + most / 4 ? least : most + most / 4;
  for (size_t i = 0; i < count && i < TOI_AXES_CANDIDATES; i++)
    for (size_t j = 0; j < count && j < TOI_AXES_CANDIDATES; j++) {
      if ((i == j && count > 1) || !set_axes(v[i], v[j], tried))
        continue;
      size_t zeroes = count_zeroes(count, v, tried);
      if (zeroes <= most || zeroes < least)
        continue;
      most = zeroes;
      found = true;
      memcpy(axes, tried, sizeof tried);
    }
  return found;
}

/* The turn that takes x, y, z to the axes, as a quaternion w, v: the largest of its numbers by its own formula. */
static void turn_of(double axes[3][3], double v[3], double *w) {
  double trace = axes[0][0] + axes[1][1] + axes[2][2];
  *w = 0.5 * sqrt(fmax(0, 1 + trace));
  for (int k = 0; k < 3; k++) {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    v[k] = axes[l][m] - axes[m][l];
  }
  if (*w > 0.25) {
    for (int k = 0; k < 3; k++)
      v[k] /= 4 * *w;
    return;
  }
  int most = axes[1][1] > axes[0][0] ? 1 : 0;
  most = axes[2][2] > axes[most][most] ? 2 : most;
  double skew = v[most], size = 0.5 * sqrt(fmax(0, 1 + 2 * axes[most][most] - trace));
  for (int k = 0; k < 3; k++)
    v[k] = k == most ? size : (axes[most][k] + axes[k][most]) / (4 * size);
  *w = skew / (4 * size);
}

toi_status toi_frame_make(toi_context *context, double axes[3][3], toi_motion **frame, toi_interval rotation[3][3]) {
  double v[3], w;
  toi_motion_jet jet;
  turn_of(axes, v, &w);
  toi_status status = toi_motion_create(context, frame);
  if (status == TOI_OK)
    status = toi_motion_turn(*frame, v, NULL, 2 * atan2(sqrt(toi_dot(v, v)), w), 0);
  if (status != TOI_OK)
    return status;
  toi_motion_jet_at(*frame, (toi_interval){0, 0}, 0, &jet);
  memcpy(rotation, jet.rotation[0], sizeof jet.rotation[0]);
  return TOI_OK;
}

/* --- the shape in its own axes --- */

/* sum + factor term, with factors of 0 left out; the sum may be TOI_NO_TERM, for 0. */
static toi_term add_multiple(toi_formula *made, toi_term sum, toi_interval factor, toi_term term) {
  toi_terms *t = &made->terms;
  if (is_zero(factor))
    return sum;
  if (factor.lo != 1 || factor.hi != 1)
    term = toi_terms_build(t, TOI_OP_MUL, toi_formula_enclosed(made, factor), term);
  return sum == TOI_NO_TERM ? term : toi_terms_build(t, TOI_OP_ADD, sum, term);
}

static toi_term add_constant(toi_formula *made, toi_term sum, toi_interval constant) {
  if (is_zero(constant))
    return sum == TOI_NO_TERM ? toi_formula_constant(made, 0) : sum;
  toi_term term = toi_formula_enclosed(made, constant);
  return sum == TOI_NO_TERM ? term : toi_terms_build(&made->terms, TOI_OP_ADD, sum, term);
}

/* A form, (g R) . own + c + d t. */
static toi_term copy_form(const frame_finder *f, const column *form) {
  toi_term sum = TOI_NO_TERM;
  for (size_t k = 0; k < 3 && !is_weightless(form); k++) {
    const toi_interval axis[3] = {f->axes[0][k], f->axes[1][k], f->axes[2][k]};
    sum = add_multiple(f->made, sum, toi_dot3(form->of, axis), toi_formula_variable(f->made, k));
  }
  sum = add_multiple(f->made, sum, form->time, toi_formula_variable(f->made, 3));
  return add_constant(f->made, sum, form->constant);
}

/* A node of the formula under the numbers of the copies. */
static toi_term copy_node(const frame_finder *f, uint32_t number) {
  const toi_term_node *n = &f->terms->nodes[number];
  toi_terms *to = &f->made->terms;
  if (f->linear != NULL && f->linear[number].term != TOI_NO_TERM)
    return copy_form(f, &f->linear[number]);
  if (n->variables == 0)
    return toi_formula_enclosed(f->made, n->value);
  const toi_operands with = toi_node_operands(n);
  toi_term a = with.of[0] == TOI_NO_TERM ? TOI_NO_TERM : f->renamed[with.of[0]];
  toi_term b = with.of[1] == TOI_NO_TERM ? TOI_NO_TERM : f->renamed[with.of[1]];
  uint32_t series;
  switch (n->kind) {
  case TOI_TERM_VARIABLE:
    return toi_terms_variable(to, n->b);
  case TOI_TERM_POWER:
    return toi_terms_power(to, a, (int32_t)n->b);
  case TOI_TERM_SERIES:
    return toi_terms_add_series(to, f->terms->series[n->b], &series) ? toi_terms_series(to, a, series, n->c)
                                                                     : TOI_NO_TERM;
  default:
    return toi_terms_build(to, n->kind, a, b);
  }
}

static bool copy_nodes(const frame_finder *f) {
  for (uint32_t i = 0; i < f->terms->count; i++)
    if (f->marks[i]) {
      f->renamed[i] = copy_node(f, i);
      if (f->renamed[i] == TOI_NO_TERM)
        return false;
    }
  return true;
}

/* Coordinate k of the parametric shape in its own axes. */
static toi_term own_coordinate(const frame_finder *f, size_t k) {
  const toi_interval axis[3] = {f->axes[0][k], f->axes[1][k], f->axes[2][k]};
  toi_term sum = TOI_NO_TERM;
  for (size_t i = 0; i < f->count; i++)
    sum = add_multiple(f->made, sum, toi_dot3(f->columns[i].of, axis), f->renamed[f->columns[i].term]);
  return add_constant(f->made, sum, toi_dot3(f->constant, axis));
}

/* The bounds of an implicit shape, in its own axes: a box around the one given. */
static void turn_bounds(const frame_finder *f, toi_shape *straight) {
  toi_interval turned[3];
  if (!(straight->bounds[0].hi <= DBL_MAX))
    return;
  toi_transposed3((const toi_interval(*)[3])f->axes, straight->bounds, turned);
  memcpy(straight->bounds, turned, sizeof turned);
}

static toi_status make_straight(frame_finder *f, const toi_term *terms, toi_shape *shape) {
  static const char *const names[4] = {"x", "y", "z", "t"};
  toi_term made[3] = {TOI_NO_TERM, TOI_NO_TERM, TOI_NO_TERM};
  toi_status status = toi_formula_create(f->context, names, shape->implicit ? 4 : 3, &f->made);
  if (status != TOI_OK)
    return status;
  if (!copy_nodes(f))
    return TOI_ERROR_MEMORY;
  for (size_t k = 0; k < (shape->implicit ? 1u : 3u); k++) {
    made[k] = shape->implicit ? f->renamed[terms[0]] : own_coordinate(f, k);
    if (made[k] == TOI_NO_TERM)
      return TOI_ERROR_MEMORY;
  }
  toi_shape *straight = toi_allocate(f->context, sizeof *straight);
  if (straight == NULL)
    return TOI_ERROR_MEMORY;
  *straight = *shape;
  straight->tape = NULL;
  straight->straight = NULL;
  straight->frame = NULL;
  straight->reach = INFINITY;
  shape->straight = straight;
  if (shape->implicit)
    turn_bounds(f, straight);
  return toi_tape_make(f->context, f->made, made, shape->implicit ? 1 : 3, &straight->tape);
}

static toi_status straighten(frame_finder *f, const toi_term *terms, toi_shape *shape) {
  double axes[3][3], columns[PARTS][3];
  bool found = shape->implicit ? find_forms(f, terms[0]) : find_parts(f, terms, f->linear);
  for (size_t i = 0; i < f->count; i++)
    for (int k = 0; k < 3; k++)
      columns[i][k] = toi_interval_midpoint(f->columns[i].of[k]);
  if (!found || !toi_axes_choose(f->count, (const double(*)[3])columns, 0, axes))
    return TOI_OK;
  if (!shape->implicit) {
    // What weighs the parts is no form.
    for (uint32_t i = 0; i < f->terms->count; i++)
      f->linear[i].term = TOI_NO_TERM;
    mark_operands(f);
  }
  toi_status status = toi_frame_make(f->context, axes, &shape->frame, f->axes);
  return status == TOI_OK ? make_straight(f, terms, shape) : status;
}

toi_status toi_shape_straighten(const toi_formula *formula, const toi_term *terms, toi_shape *shape) {
  const size_t count = formula->terms.count;
  const toi_interval none = {0, 0};
  frame_finder f = {.context = shape->context, .terms = &formula->terms, .constant = {none, none, none}};
  f.marks = toi_allocate(f.context, count * sizeof *f.marks);
  f.linear = toi_allocate(f.context, count * sizeof *f.linear);
  f.renamed = toi_allocate(f.context, count * sizeof *f.renamed);
  toi_status status = TOI_ERROR_MEMORY;
  if (f.marks != NULL && f.linear != NULL && f.renamed != NULL) {
    memset(f.marks, 0, count * sizeof *f.marks);
    status = straighten(&f, terms, shape);
  }
  if (f.made != NULL)
    toi_formula_destroy(f.made);
  if (f.marks != NULL)
    toi_free(f.context, f.marks, count * sizeof *f.marks);
  if (f.linear != NULL)
    toi_free(f.context, f.linear, count * sizeof *f.linear);
  if (f.renamed != NULL)
    toi_free(f.context, f.renamed, count * sizeof *f.renamed);
  return status;
}
