/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Taylor models: a function over a box as a polynomial and a bound of what the polynomial leaves out. Intervals bound a
 * term by its range and forget that two terms depend on the same variable; a model remembers it up to its order, so
 * that differences of terms that nearly cancel are bounded to that order.
 *
 * A model (P, r) over y in [-1, 1]^n stands for every function f with |f(y) - P(y)| <= r there. Its coefficients are
 * doubles. A variable x of an interval is centre + width y.
 *
 * Promise: models of the arguments give a model of the result. Where the result is not known to be defined, or a number
 * overflows, the remainder is infinite or NaN, and bounds say nothing. Why: taylor.c. */

#ifndef TOI_NUMBER_TAYLOR_H
#define TOI_NUMBER_TAYLOR_H

#include "number/interval.h"
#include "number/tape.h"

/* The most variables; and the highest order, of up to three of them and of four. */
#define TOI_TAYLOR_VARIABLES 4
#define TOI_TAYLOR_ORDER 6
#define TOI_TAYLOR_ORDER4 4
/* Monomials of three variables up to order 6; of four up to 4 there are 70. */
#define TOI_TAYLOR_TERMS 84

/* The monomials of some variables, by degree, and how they multiply. */
typedef struct toi_taylor_space {
  unsigned variables, order;
  unsigned first[TOI_TAYLOR_ORDER + 2]; /* of each degree; the next one is where the degree ends */
  uint8_t power[TOI_TAYLOR_TERMS][TOI_TAYLOR_VARIABLES];
  bool even[TOI_TAYLOR_TERMS];                         /* all exponents are: it is never negative */
  uint8_t quotient[TOI_TAYLOR_TERMS];                  /* by its first variable that is there */
  uint8_t product[TOI_TAYLOR_TERMS][TOI_TAYLOR_TERMS]; /* of monomials whose degrees sum up to the order at most */
} toi_taylor_space;

typedef struct toi_taylor {
  unsigned degree; /* there are coefficients up to this degree; beyond it they are 0, and not written */
  double r;
  double c[TOI_TAYLOR_TERMS];
} toi_taylor;

void toi_taylor_space_make(toi_taylor_space *space, unsigned variables, unsigned order);

/* --- making models --- */

/* A number of the interval, the same one everywhere. */
void toi_taylor_constant(toi_interval value, toi_taylor *a);

/* The variable `number` over its interval, which is bounded. */
void toi_taylor_variable(toi_interval value, unsigned number, toi_taylor *a);

void toi_taylor_copy(const toi_taylor_space *space, const toi_taylor *from, toi_taylor *to);

/* --- arithmetic; *out may be an argument --- */

void toi_taylor_add(const toi_taylor_space *space, const toi_taylor *a, const toi_taylor *b, toi_taylor *out);
void toi_taylor_sub(const toi_taylor_space *space, const toi_taylor *a, const toi_taylor *b, toi_taylor *out);
void toi_taylor_negate(const toi_taylor_space *space, const toi_taylor *a, toi_taylor *out);
void toi_taylor_scale(const toi_taylor_space *space, double factor, const toi_taylor *a, toi_taylor *out);
void toi_taylor_mul(const toi_taylor_space *space, const toi_taylor *a, const toi_taylor *b, toi_taylor *out);

/* f(a), from intervals that hold the Taylor coefficients f^(k) / k!: those of order 0 to `order` at the middle, which
 * is a's constant term, and the next one over all of toi_taylor_reach(a). */
typedef struct toi_taylor_outer {
  unsigned order;
  toi_interval at[TOI_TAYLOR_ORDER + 1];
  toi_interval next;
} toi_taylor_outer;
void toi_taylor_compose(const toi_taylor_space *space, const toi_taylor_outer *f, const toi_taylor *a, toi_taylor *out);

/* Bounds of its values. */
toi_interval toi_taylor_bounds(const toi_taylor_space *space, const toi_taylor *a);

/* Such that hold its constant term too, as wide as the coefficients are large at the most. */
toi_interval toi_taylor_reach(const toi_taylor_space *space, const toi_taylor *a);

/* --- functions: taylor_functions.c --- */

/* An operator of toi_operator with one operand, or 1/a. What is not defined in all of the model's values has an
 * infinite remainder; so has |a| where a may be 0. */
void toi_taylor_function(const toi_taylor_space *space, toi_operator op, const toi_taylor *a, toi_taylor *out);
void toi_taylor_inverse(const toi_taylor_space *space, const toi_taylor *a, toi_taylor *out);
void toi_taylor_sin_cos(const toi_taylor_space *space, const toi_taylor *a, toi_taylor *sine, toi_taylor *cosine);
/* a^n, and a^p for a number p of the interval and a > 0. */
void toi_taylor_whole_power(const toi_taylor_space *space, const toi_taylor *a, int32_t n, toi_taylor *out);
void toi_taylor_power(const toi_taylor_space *space, const toi_taylor *a, toi_interval p, toi_taylor *out);

/* --- tapes: tape_taylor.c --- */

/* How many models toi_tape_taylor() needs as registers. */
size_t toi_tape_taylor_registers(const toi_tape *tape);

/* Models of all terms of the tape, from those of its formula's variables. */
void toi_tape_taylor(const toi_tape *tape, const toi_taylor_space *space, const toi_taylor *variables,
                     toi_taylor *registers, toi_taylor *terms);

#endif
