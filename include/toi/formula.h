/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Formulas: terms built by calls, or parsed from text such as "(2 + 0.5*cos(v))*cos(u)".
 *
 * A formula holds terms over a few named variables; equal terms are stored once. Terms are numbers of the formula that
 * made them. No check is needed between calls: a failure (memory, an invalid term, an unknown name) gives
 * TOI_NO_TERM, terms made from TOI_NO_TERM are TOI_NO_TERM, and the context keeps the message of the first failure,
 * which toi_formula_status() returns as a status.
 *
 *   toi_formula *f;
 *   toi_formula_create(context, (const char *const[]){"u", "v", "t"}, 3, &f);
 *   toi_term x = toi_formula_parse(f, "(2 + 0.5*cos(v))*cos(u)");
 *   toi_term y = toi_formula_apply(f, TOI_OP_MUL, x, toi_formula_constant(f, 2));
 *
 * Promise: toi_formula_bounds encloses the function and its derivatives over the whole box, with outward rounding and
 * the same bits on every machine. At kinks of |x|, min and max the first derivatives enclose those of both sides, and
 * the second ones are unbounded; a term that is undefined in a part of the box is enclosed where it is defined. */

#ifndef TOI_FORMULA_H
#define TOI_FORMULA_H

#include <toi/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toi_formula toi_formula;
typedef uint32_t toi_term;
#define TOI_NO_TERM UINT32_MAX

#define TOI_FORMULA_VARIABLES 4

typedef enum toi_operator {
  TOI_OP_NEG = 0, /* of one term: b is TOI_NO_TERM */
  TOI_OP_ABS,
  TOI_OP_SQRT,
  TOI_OP_SIN,
  TOI_OP_COS,
  TOI_OP_TAN,
  TOI_OP_ATAN,
  TOI_OP_EXP,
  TOI_OP_LOG,
  TOI_OP_ADD, /* of two terms */
  TOI_OP_SUB,
  TOI_OP_MUL,
  TOI_OP_DIV,
  TOI_OP_POW, /* a^b: whole constant b: any a (not 0 if b < 0); other b: a >= 0 */
  TOI_OP_MIN,
  TOI_OP_MAX,
  TOI_OP_ATAN2, /* the angle of (b, a): atan2(a, b) as in C; in (-pi, pi] */
  TOI_OP_COUNT
} toi_operator;

/* "+", "sin" and so on; NULL for an unknown operator. */
TOI_API const char *toi_operator_name(toi_operator op);

/* variables: at most TOI_FORMULA_VARIABLES names, letters, digits and _. On failure *formula is NULL. The context must
 * outlive the formula. */
TOI_API TOI_MUST_USE toi_status toi_formula_create(toi_context *context, const char *const *variables, size_t count,
                                                   toi_formula **formula);
TOI_API void toi_formula_destroy(toi_formula *formula); /* NULL is ignored */

/* TOI_OK, or the first failure since the formula was made; the context then has the message of this failure. */
TOI_API toi_status toi_formula_status(const toi_formula *formula);

/* The variable of this number, in the order of toi_formula_create(), from 0. */
TOI_API toi_term toi_formula_variable(toi_formula *formula, size_t number);
TOI_API toi_term toi_formula_constant(toi_formula *formula, double value); /* finite */
/* A constant that is known to lie in an interval, such as pi: the same number wherever the term is used. */
TOI_API toi_term toi_formula_enclosed(toi_formula *formula, toi_interval value);
/* The operator applied to terms; b is TOI_NO_TERM for an operator of one term. */
TOI_API toi_term toi_formula_apply(toi_formula *formula, toi_operator op, toi_term a, toi_term b);

/* A Chebyshev series of x in [from, to]: c0 + c1 T1(s) + c2 T2(s) + ..., s = (2x - from - to) / (to - from). error:
 * NULL, or bounds on the difference between the intended function and the series, and of their first two derivatives.
 */
TOI_API toi_term toi_formula_series(toi_formula *formula, toi_term x, toi_interval domain, const double *coefficients,
                                    size_t count, const double error[3]);

/* Text: numbers, the variables, names given by toi_formula_name, pi, e; + - * / ^ (^ to the right and before the sign:
 * -x^2 is -(x^2)), parentheses, at most 200 nested; abs sqrt sin cos tan atan exp log of one, min max atan2
 * pow of two arguments (min and max also of more). Numbers are decimals, rounded outward if they are not doubles. An
 * error gives the column, from 1. */
TOI_API toi_term toi_formula_parse(toi_formula *formula, const char *text);

/* Gives the term a name for text that is parsed later. A name already in use is refused. */
TOI_API toi_status toi_formula_name(toi_formula *formula, const char *name, toi_term term);

/* --- values --- */

/* Numbers in an answer of this order (0 value, 1 and gradient, 2 and second derivatives) for so many variables. */
#define TOI_JET_SIZE(variables, order)                                                                                 \
  ((order) == 0 ? 1 : (order) == 1 ? 1 + (variables) : 1 + (variables) + (variables) * ((variables) + 1) / 2)

/* The value; order >= 1: then the gradient; order 2: then the second derivatives by variables i <= j, row by row: for
 * three variables uu uv ut vv vt tt. *defined (may be NULL): set if the term is proved to be defined in the whole box.
 */
TOI_API TOI_MUST_USE toi_status toi_formula_bounds(toi_formula *formula, toi_term term, const toi_interval *box,
                                                   unsigned order, toi_interval *jet, bool *defined);

#ifdef __cplusplus
}
#endif

#endif
