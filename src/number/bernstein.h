/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials in Bernstein form on [0, 1] whose coefficients are known up to an error, and their roots.
 *
 * A toi_bernstein stands for every polynomial
 *     f(t) = sum over i of c_i C(n, i) t^i (1 - t)^(n-i),  with |c_i - b_i| <= error for each i.
 * Promise: if f and g are among those that the arguments stand for, then what is computed of f and g (half, part,
 * derivative, sum, product, value, sign, roots) is right: the exact result is among those that the result stands for. A
 * polynomial on another interval [lo, hi] is written in t = (x - lo) / (hi - lo).
 *
 * The values of f on [0, 1] are averages of its coefficients, so they lie between the least and the greatest. On short
 * parts the coefficients come close to the values: halving is how to see more.
 *
 * If something overflows or an argument is not finite, the result has an infinite error: it stands for all polynomials,
 * and nothing is claimed about it. Mode as for intervals: round to nearest, subnormal numbers kept. */

#ifndef TOI_NUMBER_BERNSTEIN_H
#define TOI_NUMBER_BERNSTEIN_H

#include "number/interval.h"

#define TOI_BERNSTEIN_DEGREE 15

typedef struct toi_bernstein {
  int degree; /* 0 to TOI_BERNSTEIN_DEGREE */
  double error;
  double b[TOI_BERNSTEIN_DEGREE + 1];
} toi_bernstein;

/* For assertions: a sound polynomial, in the mode that the bounds assume. */
static inline bool toi_bernstein_is_valid(const toi_bernstein *f) {
  return toi_float_mode_is_default() && f->degree >= 0 && f->degree <= TOI_BERNSTEIN_DEGREE && f->error >= 0;
}

/* --- making them --- */

/* From degree + 1 coefficients, each within error >= 0 of the true one. */
toi_bernstein toi_bernstein_make(int degree, const double *b, double error);

/* From degree + 1 intervals, each of which holds the true coefficient. */
toi_bernstein toi_bernstein_from_intervals(int degree, const toi_interval *b);

/* From a_0 + a_1 x + ... for x in [lo, hi]; the true a_j lie in the intervals. */
toi_bernstein toi_bernstein_from_power(int degree, const toi_interval *a, double lo, double hi);

/* --- looking at them --- */

/* All values on [0, 1]. */
toi_interval toi_bernstein_range(const toi_bernstein *f);

/* 1 or -1 if f has that sign, strictly, on all of [0, 1]; 0: not known. */
int toi_bernstein_sign(const toi_bernstein *f);

/* 1 or -1 if f rises or falls strictly on all of [0, 1], with a derivative that is never zero; 0: not known. */
int toi_bernstein_slope(const toi_bernstein *f);

/* f(t), 0 <= t <= 1. */
toi_interval toi_bernstein_at(const toi_bernstein *f, double t);

/* --- parts --- */

/* f on [0, t] and on [t, 1], each as a polynomial on [0, 1]; either may be f itself. Halving is t = 1/2, with a third
 * of the rounding error. */
void toi_bernstein_split(const toi_bernstein *f, double t, toi_bernstein *left, toi_bernstein *right);
void toi_bernstein_halve(const toi_bernstein *f, toi_bernstein *left, toi_bernstein *right);

/* f on [s, e], 0 <= s <= e <= 1. */
toi_bernstein toi_bernstein_part(const toi_bernstein *f, double s, double e);

/* --- arithmetic --- */

toi_bernstein toi_bernstein_derivative(const toi_bernstein *f);
toi_bernstein toi_bernstein_negate(const toi_bernstein *f);

/* The same polynomial in a form of one degree more, which must not exceed TOI_BERNSTEIN_DEGREE. */
toi_bernstein toi_bernstein_elevate(const toi_bernstein *f);

/* Degrees may differ. */
toi_bernstein toi_bernstein_sum(const toi_bernstein *f, const toi_bernstein *g);

/* The degrees must add up to at most TOI_BERNSTEIN_DEGREE. */
toi_bernstein toi_bernstein_product(const toi_bernstein *f, const toi_bernstein *g);

/* --- roots --- */

/* A piece of [0, 1] where roots may be. A simple root, separated from all others, is one with both marks. */
typedef struct toi_bernstein_root {
  toi_interval t;
  bool exists; /* there is a root in t */
  bool single; /* there is at most one in t, and f is strictly monotone there, with a derivative that is never zero */
} toi_bernstein_root;

/* So many pieces are told apart; further ones are joined to the last. Simple roots are at most as many as the degree.
 */
#define TOI_ROOTS 32

typedef struct toi_roots {
  int count;
  toi_bernstein_root root[TOI_ROOTS];
} toi_roots;

/* Halvings in one search, if none are asked for. */
#define TOI_ROOTS_BUDGET 4096

/* Pieces in increasing order that hold all roots of f in [0, 1]: outside of them f is certainly not zero. They do not
 * overlap; where two of them touch, f is not zero at the common end. A piece is divided until it is simple, shows no
 * more than noise, is at most `tolerance` wide (or 2^-53), or the budget of halvings is spent (0: the default). What is
 * left over is returned too, with the marks that are proved, often none. */
void toi_bernstein_roots(const toi_bernstein *f, double tolerance, int budget, toi_roots *roots);

/* Narrows a piece that is marked single to at most `tolerance`, or as far as the errors allow, by interval Newton
 * steps. May find that the root exists. False, and the piece is as it was: there is no root in it after all. */
bool toi_bernstein_narrow(const toi_bernstein *f, double tolerance, toi_bernstein_root *root);

#endif
