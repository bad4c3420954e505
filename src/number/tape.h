/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Some terms of a formula, made ready to be evaluated often: a list of operations without those that nobody needs, each
 * with the variables that it depends on. */

#ifndef TOI_NUMBER_TAPE_H
#define TOI_NUMBER_TAPE_H

#include "number/interval.h"

#include <toi/formula.h>

typedef struct toi_tape toi_tape;

/* Terms of the formula, in this order; they may be equal. On failure *tape is NULL. A tape does not need its formula.
 */
toi_status toi_tape_make(toi_context *context, const toi_formula *formula, const toi_term *terms, size_t count,
                         toi_tape **tape);
void toi_tape_destroy(toi_tape *tape);

/* The same in this context, with a scratch of its own: tape_copy.c. On failure *copy is NULL. */
toi_status toi_tape_copy(toi_context *context, const toi_tape *tape, toi_tape **copy);

/* How many variables its formula has. */
size_t toi_tape_arity(const toi_tape *tape);

/* The variables that any of its terms depends on: bit i for variable i. */
uint32_t toi_tape_variables(const toi_tape *tape);

/* Jets of all terms over a box, each TOI_JET_SIZE(variables of the formula, order) long, one after the other, in the
 * layout of toi_formula_bounds. True: all terms are proved to be defined in all of the box. Not from two threads at
 * once on one tape: its scratch is its own. */
bool toi_tape_bounds(toi_tape *tape, const toi_interval *box, unsigned order, toi_interval *jets);

/* The same tape with scratch of its own, for another thread, in memory of so many bytes, aligned as malloc's: for
 * toi_tape_bounds alone. Nothing in it is freed, and it lasts as long as the tape. */
size_t toi_tape_twin_bytes(const toi_tape *tape); /* a multiple of 16 */
toi_tape *toi_tape_twin(const toi_tape *tape, void *memory);

/* Of the first operation that may not be defined somewhere in the box: its name, what is wrong there in a few words
 * such as "divides by a number that may be 0", which term it belongs to, and the column of its text (0: made by calls).
 * False: there is none. */
typedef struct toi_tape_fault {
  const char *operation, *wrong;
  size_t term, column;
} toi_tape_fault;
bool toi_tape_find_fault(toi_tape *tape, const toi_interval *box, toi_tape_fault *fault);

/* Proves that all terms are defined and finite over the box, halving it where need be; else a fault and the small box
 * it is in. At most 4096 pieces are processed. */
bool toi_tape_check(toi_tape *tape, const toi_interval *box, toi_tape_fault *fault, toi_interval *place);

#endif
