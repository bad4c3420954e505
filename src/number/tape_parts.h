/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the files of a tape share: its terms with those of their derivatives, and the programs that bound them.
 *
 * Derivatives are terms like any other, kept once and simplified: a derivative that is zero costs nothing, one that is
 * constant is computed once and for all, and what two of them have in common is computed once. */

#ifndef TOI_NUMBER_TAPE_PARTS_H
#define TOI_NUMBER_TAPE_PARTS_H

#include "number/tape.h"
#include "number/terms.h"

/* What a step does: in the order of how often it is met. Registers are named by number. */
typedef enum toi_step_code {
  TOI_STEP_MUL,
  TOI_STEP_SCALE,      /* a is a constant above 0 */
  TOI_STEP_SCALE_BACK, /* below 0 */
  TOI_STEP_ADD,
  TOI_STEP_SUB,
  TOI_STEP_NEG,
  TOI_STEP_SQUARE,
  TOI_STEP_SIN_COS, /* to `to` and b */
  TOI_STEP_SERIES,  /* and its derivatives: to `to`, b and c, or nowhere */
  TOI_STEP_OTHER,   /* as the node says */
  TOI_STEP_END
} toi_step_code;

#define TOI_NOWHERE UINT32_MAX

typedef struct toi_tape_step {
  uint32_t code;
  uint32_t node;
  uint32_t to, a, b, c;
} toi_tape_step;

typedef struct toi_program {
  toi_tape_step *steps;
  size_t count, room; /* one step more ends it */
} toi_program;

struct toi_tape {
  toi_terms terms;
  uint32_t own;       /* nodes from here on belong to derivatives: whether they are defined does not matter */
  uint32_t variables; /* of the formula */
  uint32_t mask;      /* that it depends on */
  size_t count;       /* terms */
  toi_term inputs[TOI_FORMULA_VARIABLES]; /* nodes of the variables, or TOI_NO_TERM */
  toi_term *outputs;                      /* count jets of nodes, of order 2 */
  size_t outputs_size;                    /* bytes */
  toi_interval *registers;                /* one each node */
  uint8_t *marks;                         /* one each node below `own` */
  toi_program programs[3];                /* by order */
};

/* The node's derivatives: gradient and second derivatives by i <= j, row by row, from those of its operands, in
 * jets[node * TOI_JET_SIZE(variables, 2)]. False: out of memory. */
bool toi_tape_derive(toi_terms *terms, uint32_t variables, toi_term node, toi_term *jets);

/* Puts steps of one kind side by side. False: out of memory. */
bool toi_program_order(const toi_terms *terms, toi_program *program);

#endif
