/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Terms as nodes of a graph, each kept once: what formulas and tapes are made of.
 *
 * A node comes after those it is made of, so that loops over the array replace recursion. Two nodes are the same number
 * wherever they are used just if they are one node: an enclosed constant is a node of its own, even if another one has
 * the same bounds. Constants are folded into the bounds of a node without variables; it becomes a plain constant only
 * where that is exact. */

#ifndef TOI_NUMBER_TERMS_H
#define TOI_NUMBER_TERMS_H

#include "number/interval.h"

#include <toi/formula.h>

/* What a node does beside the operators of toi_operator. */
enum {
  TOI_TERM_VARIABLE = TOI_OP_COUNT, /* number b */
  TOI_TERM_CONSTANT,                /* see toi_constant_kind */
  TOI_TERM_SQUARE,
  TOI_TERM_POWER,  /* a to the whole power (int32_t)b */
  TOI_TERM_SERIES, /* number b, derived c times */
  /* what only derivatives are made of, defined or not: */
  TOI_TERM_INVERSE, /* 1/a; of [0, x] it is [1/x, infinity) */
  TOI_TERM_SIGN,    /* 1 or -1, or all between where a may be 0 */
  TOI_TERM_KINK,    /* 0, or the whole line where a may be 0 */
  TOI_TERM_SIDE,    /* 1 where a < b, 0 where a > b, or all between */
  TOI_TERM_PICK,    /* a where c is 1, b where it is 0, or all between */
  TOI_TERM_JUMP,    /* the same, or the whole line */
  TOI_TERM_COUNT
};

/* Field a of a constant; b and key tell constants of one kind apart. */
enum {
  TOI_CONSTANT_DOUBLE,  /* key: its bits */
  TOI_CONSTANT_DECIMAL, /* key 10^(int32_t)b */
  TOI_CONSTANT_NAMED,   /* b */
  TOI_CONSTANT_ENCLOSED /* b: the node itself */
};

typedef struct toi_term_node {
  uint32_t kind;
  uint32_t a, b, c;
  uint64_t key;
  uint32_t variables; /* that it depends on: bit i for variable i */
  uint32_t column;    /* in the text that it was parsed from, from 1; 0: none */
  bool total;         /* defined whatever the variables are */
  toi_interval value; /* without variables: its bounds */
} toi_term_node;

typedef struct toi_series toi_series;

typedef struct toi_terms {
  toi_context *context;
  toi_term_node *nodes;
  uint32_t *table; /* number of the node + 1, by hash; a power of two places */
  uint32_t count, room, places;
  uint32_t column;   /* given to new nodes */
  toi_status status; /* why a term failed; whoever looks at it sets it back */
  bool careless;     /* simplify 0 x to 0 even where x may not be defined: good enough for derivatives */
  toi_series **series;
  size_t series_count, series_room;
} toi_terms;

void toi_terms_free(toi_terms *terms);

/* All give TOI_NO_TERM, with the context's sentence, when memory runs out; and if an operand is TOI_NO_TERM. */

/* The node with these fields (kind, a, b, c, key); TOI_NO_TERM if there is none. */
toi_term toi_terms_find(const toi_terms *terms, const toi_term_node *node);
/* The same, made if there is none. */
toi_term toi_terms_keep(toi_terms *terms, const toi_term_node *node);
toi_term toi_terms_variable(toi_terms *terms, uint32_t number);
toi_term toi_terms_constant(toi_terms *terms, double value);
/* A number in the interval; a: TOI_CONSTANT_DECIMAL, ..., b and key as there. */
toi_term toi_terms_enclosed(toi_terms *terms, toi_interval value, uint32_t a, uint32_t b, uint64_t key);
/* Of any kind but the two before; simplified where that changes neither the number nor where it is defined. */
toi_term toi_terms_build(toi_terms *terms, uint32_t kind, toi_term a, toi_term b);
toi_term toi_terms_power(toi_terms *terms, toi_term a, int32_t n);
toi_term toi_terms_pick(toi_terms *terms, uint32_t kind, toi_term side, toi_term a, toi_term b);
/* Keeps a reference to the series. */
bool toi_terms_add_series(toi_terms *terms, toi_series *series, uint32_t *number);
toi_term toi_terms_series(toi_terms *terms, toi_term x, uint32_t number, uint32_t derivative);

static inline bool toi_term_is(const toi_terms *terms, toi_term term, double value) {
  const toi_term_node *n = &terms->nodes[term];
  return n->kind == TOI_TERM_CONSTANT && n->value.lo == value && n->value.hi == value;
}

/* Operands of a kind: 0 to 3. */
unsigned toi_term_operands(uint32_t kind);
/* Those of a node; TOI_NO_TERM where there is none. */
typedef struct toi_operands {
  toi_term of[3];
} toi_operands;
toi_operands toi_node_operands(const toi_term_node *node);

/* Bounds of a node from those of its operands; not of variables, constants and series. *defined is set to false unless
 * it is defined for all numbers of the operands. */
toi_interval toi_node_bounds(const toi_term_node *node, const toi_interval operands[3], bool *defined);

#endif
