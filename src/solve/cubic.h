/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials of degree at most three in three variables, as separators of pieces are: coefficients of monomials,
 * derivatives along affine fields, and bounds over boxes. */

#ifndef TOI_SOLVE_CUBIC_H
#define TOI_SOLVE_CUBIC_H

#include <stdint.h>

/* Monomials by degree: 1; x y z; xx xy xz yy yz zz; xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz. */
#define TOI_QUADRIC_TERMS 10
#define TOI_CUBIC_TERMS 20
#define TOI_TERM_NONE UINT8_MAX

typedef struct toi_cubic {
  double term[TOI_CUBIC_TERMS];
} toi_cubic;

/* The field y -> matrix y + shift. */
typedef struct toi_affine {
  double matrix[3][3], shift[3];
} toi_affine;

/* Exponents of a monomial; the number of one times x, y or z (up to degree two); and of one over x, y or z. */
extern const uint8_t toi_term_exponent[TOI_CUBIC_TERMS][3];
extern const uint8_t toi_term_times[TOI_QUADRIC_TERMS][3];
extern const uint8_t toi_term_over[TOI_CUBIC_TERMS][3];

/* The derivative of f along a field: grad f . (matrix y + shift), a polynomial of no higher degree. Each coefficient is
 * a sum of at most twelve products of three numbers, so that it is off by at most 16 u times the same sum of
 * magnitudes, u = 2^-53. */
void toi_cubic_along(const toi_cubic *f, const toi_affine *field, toi_cubic *derivative);

/* Monomials at a point, whose coordinates are a box's half widths: bounds of them over the box. */
void toi_cubic_monomials(const double at[3], double monomials[TOI_CUBIC_TERMS]);

/* The sum of magnitudes of terms, for bounds of monomials. */
double toi_cubic_most(const toi_cubic *f, const double monomials[TOI_CUBIC_TERMS]);

/* Likewise the length of its gradient. */
double toi_cubic_slope_most(const toi_cubic *f, const double monomials[TOI_CUBIC_TERMS]);

#endif
