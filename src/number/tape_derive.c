/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Derivatives of one node from those of its operands, as terms.
 *
 * Claim: the terms are the derivatives wherever the node has any; bounds of them over a box hold for both sides of a
 * kink of |x|, min and max in the box.
 *
 * Why: the chain rule. f(a): d_i = f'(a) a_i, d_ij = f'(a) a_ij + f''(a) a_i a_j. Products, quotients and angles by
 * their own rules, given beside the code. Terms of derivatives are careless: a factor that is zero everywhere makes the
 * product zero, even where the other one is not defined. */

#include "number/tape_parts.h"

/* The operands' jets and the builder. */
typedef struct rule {
  toi_terms *terms;
  uint32_t variables;
  const toi_term_node *node;
  toi_term self;
  const toi_term *a, *b; /* value, gradient, second derivatives */
  toi_term *out;
  toi_term zero;
} rule;

/* --- terms in short --- */

static toi_term add(const rule *r, toi_term a, toi_term b) {
  return toi_terms_build(r->terms, TOI_OP_ADD, a, b);
}

static toi_term sub(const rule *r, toi_term a, toi_term b) {
  return toi_terms_build(r->terms, TOI_OP_SUB, a, b);
}

static toi_term mul(const rule *r, toi_term a, toi_term b) {
  return toi_terms_build(r->terms, TOI_OP_MUL, a, b);
}

static toi_term one(const rule *r, uint32_t kind, toi_term a) {
  return toi_terms_build(r->terms, kind, a, TOI_NO_TERM);
}

static toi_term times(const rule *r, double factor, toi_term a) {
  return mul(r, toi_terms_constant(r->terms, factor), a);
}

/* --- functions of one operand --- */

typedef struct slopes {
  toi_term first, second;
} slopes;

static slopes of_tan(const rule *r) {
  // tan' = 1 + tan^2, tan'' = 2 tan tan'
  toi_term first = add(r, toi_terms_constant(r->terms, 1), one(r, TOI_TERM_SQUARE, r->self));
  return (slopes){first, times(r, 2, mul(r, r->self, first))};
}

static slopes of_atan(const rule *r, toi_term a) {
  // atan' = 1 / (1 + a^2), atan'' = -2 a atan'^2
  toi_term square = one(r, TOI_TERM_SQUARE, a);
  toi_term first = one(r, TOI_TERM_INVERSE, add(r, toi_terms_constant(r->terms, 1), square));
  return (slopes){first, times(r, -2, mul(r, a, one(r, TOI_TERM_SQUARE, first)))};
}

static slopes of_sqrt(const rule *r) {
  // 1 / (2 sqrt), -1 / (4 sqrt^3)
  toi_term inverse = one(r, TOI_TERM_INVERSE, r->self);
  return (slopes){times(r, 0.5, inverse), times(r, -0.25, toi_terms_power(r->terms, inverse, 3))};
}

static slopes of_log(const rule *r, toi_term a) {
  // Only what is positive counts.
  toi_term positive = toi_terms_build(r->terms, TOI_OP_MAX, a, r->zero);
  toi_term first = one(r, TOI_TERM_INVERSE, positive);
  return (slopes){first, one(r, TOI_OP_NEG, one(r, TOI_TERM_SQUARE, first))};
}

static slopes of_whole_power(const rule *r, toi_term a, int32_t n) {
  toi_term first = times(r, n, toi_terms_power(r->terms, a, n - 1));
  return (slopes){first, times(r, (double)n * (n - 1), toi_terms_power(r->terms, a, n - 2))};
}

/* a^b for a constant b. */
static slopes of_constant_power(const rule *r, toi_term a, toi_term b) {
  toi_term unit = toi_terms_constant(r->terms, 1), less = sub(r, b, unit), least = sub(r, less, unit);
  toi_term first = mul(r, b, toi_terms_build(r->terms, TOI_OP_POW, a, less));
  return (slopes){first, mul(r, mul(r, b, less), toi_terms_build(r->terms, TOI_OP_POW, a, least))};
}

static slopes slopes_of(const rule *r) {
  toi_term a = r->node->a, self = r->self;
  switch (r->node->kind) {
  case TOI_OP_ABS:
    return (slopes){one(r, TOI_TERM_SIGN, a), one(r, TOI_TERM_KINK, a)};
  case TOI_OP_SQRT:
    return of_sqrt(r);
  case TOI_OP_SIN:
    return (slopes){one(r, TOI_OP_COS, a), one(r, TOI_OP_NEG, self)};
  case TOI_OP_COS:
    return (slopes){one(r, TOI_OP_NEG, one(r, TOI_OP_SIN, a)), one(r, TOI_OP_NEG, self)};
  case TOI_OP_TAN:
    return of_tan(r);
  case TOI_OP_ATAN:
    return of_atan(r, a);
  case TOI_OP_EXP:
    return (slopes){self, self};
  case TOI_OP_LOG:
    return of_log(r, a);
  case TOI_OP_POW:
    return of_constant_power(r, a, r->node->b);
  case TOI_TERM_POWER:
    return of_whole_power(r, a, (int32_t)r->node->b);
  default:
    assert(r->node->kind == TOI_TERM_SERIES);
    return (slopes){toi_terms_series(r->terms, a, r->node->b, 1), toi_terms_series(r->terms, a, r->node->b, 2)};
  }
}

/* --- first and second derivatives by rule; i and j are variables, ij the place of the pair --- */

typedef struct pair {
  uint32_t i, j, ij; /* places in a jet */
} pair;

/* 1 where min and max are a, 0 where they are b. */
static toi_term side(const rule *r) {
  bool least = r->node->kind == TOI_OP_MIN;
  return toi_terms_build(r->terms, TOI_TERM_SIDE, least ? r->a[0] : r->b[0], least ? r->b[0] : r->a[0]);
}

static toi_term first_of_two(const rule *r, uint32_t i) {
  const toi_term *a = r->a, *b = r->b;
  toi_term inverse;
  switch (r->node->kind) {
  case TOI_OP_ADD:
    return add(r, a[i], b[i]);
  case TOI_OP_SUB:
    return sub(r, a[i], b[i]);
  case TOI_OP_MUL:
    return add(r, mul(r, a[i], b[0]), mul(r, a[0], b[i]));
  case TOI_OP_DIV: // (a_i - q b_i) / b
    inverse = one(r, TOI_TERM_INVERSE, b[0]);
    return mul(r, sub(r, a[i], mul(r, r->self, b[i])), inverse);
  case TOI_OP_ATAN2: // (b a_i - a b_i) / (a^2 + b^2)
    inverse = one(r, TOI_TERM_INVERSE, add(r, one(r, TOI_TERM_SQUARE, a[0]), one(r, TOI_TERM_SQUARE, b[0])));
    return mul(r, sub(r, mul(r, b[0], a[i]), mul(r, a[0], b[i])), inverse);
  default:
    assert(r->node->kind == TOI_OP_MIN || r->node->kind == TOI_OP_MAX);
    return toi_terms_pick(r->terms, TOI_TERM_PICK, side(r), a[i], b[i]);
  }
}

/* q_ij = (a_ij - q_i b_j - q_j b_i - q b_ij) / b, with the q_i that are there already. */
static toi_term second_of_quotient(const rule *r, pair p) {
  const toi_term *a = r->a, *b = r->b, *q = r->out;
  toi_term crossed = add(r, mul(r, q[p.i], b[p.j]), mul(r, q[p.j], b[p.i]));
  toi_term top = sub(r, sub(r, a[p.ij], crossed), mul(r, r->self, b[p.ij]));
  return mul(r, top, one(r, TOI_TERM_INVERSE, b[0]));
}

/* With w = 1 / (a^2 + b^2): w (b a_ij - a b_ij + b_j a_i - a_j b_i) - 2 w (a a_j + b b_j) d_i. */
static toi_term second_of_angle(const rule *r, pair p) {
  const toi_term *a = r->a, *b = r->b;
  toi_term squares = add(r, one(r, TOI_TERM_SQUARE, a[0]), one(r, TOI_TERM_SQUARE, b[0]));
  toi_term w = one(r, TOI_TERM_INVERSE, squares);
  toi_term bent = sub(r, mul(r, b[0], a[p.ij]), mul(r, a[0], b[p.ij]));
  toi_term crossed = sub(r, mul(r, b[p.j], a[p.i]), mul(r, a[p.j], b[p.i]));
  toi_term grown = add(r, mul(r, a[0], a[p.j]), mul(r, b[0], b[p.j]));
  return mul(r, w, sub(r, add(r, bent, crossed), times(r, 2, mul(r, grown, r->out[p.i]))));
}

static toi_term second_of_two(const rule *r, pair p) {
  const toi_term *a = r->a, *b = r->b;
  switch (r->node->kind) {
  case TOI_OP_ADD:
    return add(r, a[p.ij], b[p.ij]);
  case TOI_OP_SUB:
    return sub(r, a[p.ij], b[p.ij]);
  case TOI_OP_MUL: {
    toi_term crossed = add(r, mul(r, a[p.i], b[p.j]), mul(r, a[p.j], b[p.i]));
    return add(r, add(r, mul(r, a[p.ij], b[0]), mul(r, a[0], b[p.ij])), crossed);
  }
  case TOI_OP_DIV:
    return second_of_quotient(r, p);
  case TOI_OP_ATAN2:
    return second_of_angle(r, p);
  default:
    return toi_terms_pick(r->terms, TOI_TERM_JUMP, side(r), a[p.ij], b[p.ij]);
  }
}

/* --- all of a jet --- */

/* The pairs i <= j, row by row. */
static void each_pair(const rule *r, toi_term (*second)(const rule *, pair, slopes), slopes f) {
  uint32_t n = r->variables, ij = 1 + n, on = r->node->variables;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i; j < n; j++, ij++)
      if ((on >> i & 1) && (on >> j & 1))
        r->out[ij] = second(r, (pair){1 + i, 1 + j, ij}, f);
}

static toi_term by_chain(const rule *r, pair p, slopes f) {
  return add(r, mul(r, f.first, r->a[p.ij]), mul(r, f.second, mul(r, r->a[p.i], r->a[p.j])));
}

static toi_term by_sign(const rule *r, pair p, slopes f) {
  (void)f;
  return one(r, TOI_OP_NEG, r->a[p.ij]);
}

/* a^2: 2 (a a_ij + a_i a_j) */
static toi_term by_square(const rule *r, pair p, slopes f) {
  (void)f;
  return times(r, 2, add(r, mul(r, r->a[0], r->a[p.ij]), mul(r, r->a[p.i], r->a[p.j])));
}

static toi_term by_two(const rule *r, pair p, slopes f) {
  (void)f;
  return second_of_two(r, p);
}

/* p = e^q, q = b log a: p_ij = p_j q_i + p q_ij, with the jet of q in f's place. */
static void derive_power(const rule *r, toi_term *q) {
  uint32_t n = r->variables, size = (uint32_t)TOI_JET_SIZE(n, 2);
  toi_term l[TOI_JET_SIZE(TOI_FORMULA_VARIABLES, 2)];
  for (uint32_t i = 0; i < size; i++)
    q[i] = l[i] = r->zero;
  // The logarithm, and then its product with b.
  rule logarithm = *r, product = *r;
  l[0] = one(r, TOI_OP_LOG, r->node->a);
  q[0] = mul(r, r->node->b, l[0]);
  const toi_term_node log_node = {.kind = TOI_OP_LOG, .a = r->node->a, .variables = r->node->variables};
  const toi_term_node mul_node = {.kind = TOI_OP_MUL, .variables = r->node->variables};
  logarithm.node = &log_node;
  logarithm.self = l[0];
  logarithm.out = l;
  slopes f = of_log(&logarithm, r->node->a);
  for (uint32_t i = 1; i <= n; i++)
    l[i] = mul(r, f.first, r->a[i]);
  each_pair(&logarithm, by_chain, f);
  product.node = &mul_node;
  product.a = r->b;
  product.b = l;
  product.out = q;
  for (uint32_t i = 1; i <= n; i++)
    q[i] = first_of_two(&product, i);
  each_pair(&product, by_two, f);
  for (uint32_t i = 1; i <= n; i++)
    r->out[i] = mul(r, r->self, q[i]);
}

static toi_term by_exponent(const rule *r, pair p, slopes f) {
  (void)f;
  // The jet of q stands where that of the second operand did.
  return add(r, mul(r, r->out[p.j], r->b[p.i]), mul(r, r->self, r->b[p.ij]));
}

static void derive_by_kind(const rule *r) {
  uint32_t n = r->variables, kind = r->node->kind;
  bool two = toi_term_operands(kind) == 2;
  toi_term q[TOI_JET_SIZE(TOI_FORMULA_VARIABLES, 2)];
  slopes f = {r->zero, r->zero};
  if (kind == TOI_OP_POW && r->terms->nodes[r->node->b].variables != 0) {
    derive_power(r, q);
    rule power = *r;
    power.b = q;
    each_pair(&power, by_exponent, f);
    return;
  }
  if (two && kind != TOI_OP_POW) {
    for (uint32_t i = 1; i <= n; i++)
      r->out[i] = r->node->variables >> (i - 1) & 1 ? first_of_two(r, i) : r->zero;
    each_pair(r, by_two, f);
    return;
  }
  if (kind == TOI_OP_NEG || kind == TOI_TERM_SQUARE) {
    for (uint32_t i = 1; i <= n; i++)
      r->out[i] = kind == TOI_OP_NEG ? one(r, TOI_OP_NEG, r->a[i]) : times(r, 2, mul(r, r->a[0], r->a[i]));
    each_pair(r, kind == TOI_OP_NEG ? by_sign : by_square, f);
    return;
  }
  f = slopes_of(r);
  for (uint32_t i = 1; i <= n; i++)
    r->out[i] = mul(r, f.first, r->a[i]);
  each_pair(r, by_chain, f);
}

bool toi_tape_derive(toi_terms *terms, uint32_t variables, toi_term node, toi_term *jets) {
  uint32_t size = (uint32_t)TOI_JET_SIZE(variables, 2);
  toi_term_node copy = terms->nodes[node];
  toi_term zero = toi_terms_constant(terms, 0), *out = jets + (size_t)node * size;
  rule r = {terms, variables, &copy, node, out, out, out, zero};
  out[0] = node;
  for (uint32_t i = 1; i < size; i++)
    out[i] = zero;
  if (copy.kind == TOI_TERM_VARIABLE)
    out[1 + copy.b] = toi_terms_constant(terms, 1);
  if (copy.variables != 0 && copy.kind != TOI_TERM_VARIABLE) {
    r.a = jets + (size_t)copy.a * size;
    r.b = toi_term_operands(copy.kind) == 2 ? jets + (size_t)copy.b * size : r.a;
    derive_by_kind(&r);
  }
  for (uint32_t i = 0; i < size; i++)
    if (out[i] == TOI_NO_TERM)
      return false;
  return true;
}
