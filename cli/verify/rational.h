/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials in time with rational coefficients, and vectors of them: all the arithmetic that a certificate needs. */

#ifndef VERIFY_RATIONAL_H
#define VERIFY_RATIONAL_H

#include <gmp.h>
#include <stdbool.h>

enum { VERIFY_DEGREE = 3 };

/* c[0] + c[1] t + ... + c[3] t^3, with all coefficients present. */
typedef struct polynomial {
  mpq_t c[VERIFY_DEGREE + 1];
} polynomial;

typedef struct vector {
  polynomial at[3];
} vector;

void polynomial_init(polynomial *p);
void polynomial_clear(polynomial *p);
void polynomial_set_zero(polynomial *out);

/* The place of the last coefficient that is not zero; -1 for the zero polynomial. */
int polynomial_degree(const polynomial *p);

/* sum += sign a b; the product must have degree 3 at most. */
void polynomial_add_product(polynomial *sum, const polynomial *a, const polynomial *b, int sign);

void polynomial_value(mpq_t out, const polynomial *p, const mpq_t t);

/* 1 or -1 if p has that strict sign on the whole of [a, b], shown by its Bernstein coefficients there; else 0. */
int polynomial_sign(const polynomial *p, const mpq_t a, const mpq_t b);

/* The same for the derivative of p. */
int polynomial_slope(const polynomial *p, const mpq_t a, const mpq_t b);

/* Divides p by a power of d as often as it goes, and says how often. d is not constant and p is not zero. */
int polynomial_divide_out(polynomial *p, const polynomial *d);

/* Whether d divides p; it divides zero. */
bool polynomial_divides(const polynomial *d, const polynomial *p);

/* out = (p x q)[axis]. */
void vector_area(polynomial *out, const vector *p, const vector *q, int axis);

/* out = det(p, q, r). */
void vector_determinant(polynomial *out, const vector *p, const vector *q, const vector *r);

#endif
