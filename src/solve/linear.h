/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Small systems of linear equations with interval coefficients, for interval Newton methods.
 *
 * All matrices are rows of TOI_UNKNOWNS entries, of which the first n columns count. A solution of M x = b means: x
 * such that some real matrix in M and some real vector in b fulfil the equation. */

#ifndef TOI_SOLVE_LINEAR_H
#define TOI_SOLVE_LINEAR_H

#include "number/interval.h"

#define TOI_UNKNOWNS 5
#define TOI_EQUATIONS 8

typedef toi_interval toi_interval_row[TOI_UNKNOWNS];
typedef double toi_row[TOI_UNKNOWNS];

/* The inverse of a matrix of doubles, rounded, with pivoting; false: there is none to speak of. */
bool toi_linear_inverse(size_t n, const toi_row *matrix, toi_row *inverse);

/* The right inverse of least norm, rounded: n x m, J times it is about the identity; false: the rows of J, m x n with
 * m <= n, are dependent or nearly so. weights[n] > 0: what the steps are measured in. */
bool toi_linear_right_inverse(size_t m, size_t n, const toi_row *jacobian, const double *weights, toi_row *inverse);

/* Shrinks x, intersecting it with what each equation says about each unknown, while that pays ("Linear_Solve"): every
 * solution that was in x still is. m may differ from n. False: there is none. Coefficients may be unbounded. */
bool toi_linear_solve(size_t m, size_t n, const toi_interval_row *matrix, const toi_interval *b, toi_interval *x);

/* Encloses all solutions, wherever they are, by an interval LU decomposition with pivoting, after multiplying with the
 * inverse of the middle; false: a pivot may be zero, or a coefficient is unbounded. If true the matrix holds no
 * singular one. */
bool toi_linear_enclose(size_t n, const toi_interval_row *matrix, const toi_interval *b, toi_interval *x);

/* Of Krawczyk and Moore: c - Y f + (I - Y J)(X - c), f = f(c) enclosed, Y any matrix. *contracts (may be NULL): proved
 * that every |I - Y J| of the row sums is below 1. */
void toi_linear_krawczyk(size_t n, const toi_interval_row *jacobian, const toi_interval *f, const toi_row *y,
                         const double *centre, const toi_interval *box, toi_interval *result, bool *contracts);

#endif
