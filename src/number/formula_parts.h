/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A formula: its terms, its names and its first failure. */

#ifndef TOI_NUMBER_FORMULA_PARTS_H
#define TOI_NUMBER_FORMULA_PARTS_H

#include "number/tape.h"
#include "number/terms.h"

/* The longest name, with its zero byte. */
#define TOI_NAME_SIZE 64

typedef struct toi_formula_named {
  char name[TOI_NAME_SIZE];
  toi_term term;
} toi_formula_named;

struct toi_formula {
  toi_context *context;
  toi_terms terms;
  char variables[TOI_FORMULA_VARIABLES][TOI_NAME_SIZE];
  size_t variable_count;
  toi_formula_named *names;
  size_t name_count, name_room;
  toi_status status; /* the first failure, and its sentence */
  char sentence[TOI_ERROR_SIZE];
  toi_tape *tape; /* of the term that was asked for last, for toi_formula_bounds */
  toi_term tape_term;
};

/* Remembers a failure whose sentence is in the context, unless there was one before; gives TOI_NO_TERM. */
toi_term toi_formula_note(toi_formula *formula, toi_status status);

/* Puts the sentence of the first failure, if there was one, into the context again. */
void toi_formula_recall(const toi_formula *formula);

/* The function of this name: its operator and how many arguments it takes; most 0: any number of them from least on.
 * False: there is none. */
typedef struct toi_function {
  const char *name;
  toi_operator op;
  unsigned least, most;
} toi_function;
bool toi_function_find(const char *name, toi_function *function);

#endif
