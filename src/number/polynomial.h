/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials of degree up to 6 with integer coefficients, in two bases.
 *
 * - toi_integer_form: c[0] s^n + c[1] s^(n-1) t + ... + c[n] t^n with s = 1 - t, the Bernstein coefficients times
 * binomials. What moves linearly from a (t = 0) to b (t = 1) is the form (a, b), and products of forms are plain
 * convolutions. If no two coefficients have strictly opposite signs, the polynomial has the sign of those that are not
 * zero in all of the open interval (0, 1).
 * - toi_polynomial: c[0] + c[1] t + ... + c[n] t^n, c[n] not zero; degree -1 is the zero polynomial.
 *
 * A point of time is dyadic here: m / 2^k with an integer m. Coefficients live in an arena. */

#ifndef TOI_NUMBER_POLYNOMIAL_H
#define TOI_NUMBER_POLYNOMIAL_H

#include "number/integer.h"

#define TOI_DEGREE_MAX 6

/* What contact without separation needs. */
#define TOI_DEGREE_CUBIC 3

typedef struct toi_integer_form {
  int degree; /* nominal: leading and trailing coefficients may be zero */
  toi_integer c[TOI_DEGREE_MAX + 1];
} toi_integer_form;

typedef struct toi_polynomial {
  int degree;
  toi_integer c[TOI_DEGREE_MAX + 1];
} toi_polynomial;

/* --- forms --- */

bool toi_integer_form_is_zero(const toi_integer_form *form);

/* The sign on the open interval (0, 1) if the coefficients show it: 1 or -1 if none has the other sign and some is not
 * zero; 0 if they are all zero; TOI_SIGN_OPEN otherwise. */
#define TOI_SIGN_OPEN 2
int toi_integer_form_sign(const toi_integer_form *form);

/* The number of changes of sign in the coefficients, zeros skipped: by Descartes, at least the number of roots in (0,
 * 1) with their multiplicities, and of the same parity. */
int toi_integer_form_variations(const toi_integer_form *form);

/* d/dt, of nominal degree one less (at least 0). */
toi_integer_form toi_integer_form_derivative(toi_arena *arena, const toi_integer_form *form);

/* a + b, of the same nominal degree. */
toi_integer_form toi_integer_form_add(toi_arena *arena, const toi_integer_form *a, const toi_integer_form *b);
toi_integer_form toi_integer_form_subtract(toi_arena *arena, const toi_integer_form *a, const toi_integer_form *b);

/* The sum of the products of pairs of forms; their degrees are the same in all pairs, and at most 3. */
toi_integer_form toi_integer_form_dot(toi_arena *arena, const toi_integer_form *const (*pairs)[2], int count);

/* The same polynomial as a form of a degree higher by 2. */
toi_integer_form toi_integer_form_elevate(toi_arena *arena, const toi_integer_form *form);

toi_polynomial toi_integer_form_power(toi_arena *arena, const toi_integer_form *form);

/* --- polynomials --- */

/* Bits of the largest coefficient. */
uint32_t toi_polynomial_bits(const toi_polynomial *p);

/* p(1 - s) in powers of s. */
toi_polynomial toi_polynomial_reflect(toi_arena *arena, const toi_polynomial *p);

/* p(m / 2^k) 2^(k degree). */
toi_integer toi_polynomial_at(toi_arena *arena, const toi_polynomial *p, toi_integer m, uint32_t k);
int toi_polynomial_sign_at(toi_arena *arena, const toi_polynomial *p, toi_integer m, uint32_t k);

/* p((m + y) / 2^k) 2^(k degree) in powers of y. */
toi_polynomial toi_polynomial_from(toi_arena *arena, const toi_polynomial *p, toi_integer m, uint32_t k);

/* The form of p on the interval [m, m + w] / 2^k, up to a positive factor. */
toi_integer_form toi_polynomial_on(toi_arena *arena, const toi_polynomial *p, toi_integer m, toi_integer w, uint32_t k);

/* A positive multiple of the remainder of p by d, which has degree at least 1: (|lead(d)|^j p) mod d, with
 * j = degree(p) - degree(d) + 1; p itself if its degree is lower. Coefficients have at most
 * bits(p) + j (bits(d) + 1) bits. */
toi_polynomial toi_polynomial_remainder(toi_arena *arena, const toi_polynomial *p, const toi_polynomial *d);

toi_polynomial toi_polynomial_derivative(toi_arena *arena, const toi_polynomial *p);

/* An integer multiple of p / gcd(p, p'), whose roots are those of p, all simple; p itself if its roots are simple. p
 * has degree at least 1. */
toi_polynomial toi_polynomial_square_free(toi_arena *arena, const toi_polynomial *p);

/* The Cauchy index of g / p between lo = m / 2^k and hi = (m + w) / 2^k, where p must not be zero: the number of poles
 * at which it jumps from -infinity to infinity less those at which it jumps the other way. degree(g) < degree(p). */
int toi_polynomial_index(toi_arena *arena, const toi_polynomial *p, const toi_polynomial *g, toi_integer m,
                         toi_integer w, uint32_t k);

/* p divided by the content of its coefficients, the leading one made positive. */
toi_polynomial toi_polynomial_primitive(toi_arena *arena, const toi_polynomial *p);

#endif
