/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials with rational coefficients, by the definitions: nothing here is clever. */

#include "verify/rational.h"

void polynomial_init(polynomial *p) {
  for (int i = 0; i <= VERIFY_DEGREE; i++)
    mpq_init(p->c[i]);
}

void polynomial_clear(polynomial *p) {
  for (int i = 0; i <= VERIFY_DEGREE; i++)
    mpq_clear(p->c[i]);
}

int polynomial_degree(const polynomial *p) {
  int degree = VERIFY_DEGREE;
  while (degree >= 0 && mpq_sgn(p->c[degree]) == 0)
    degree--;
  return degree;
}

static void set(polynomial *out, const polynomial *p) {
  for (int i = 0; i <= VERIFY_DEGREE; i++)
    mpq_set(out->c[i], p->c[i]);
}

void polynomial_set_zero(polynomial *out) {
  for (int i = 0; i <= VERIFY_DEGREE; i++)
    mpq_set_ui(out->c[i], 0, 1);
}

void polynomial_add_product(polynomial *sum, const polynomial *a, const polynomial *b, int sign) {
  mpq_t term;
  mpq_init(term);
  for (int i = 0; i <= VERIFY_DEGREE; i++) {
    for (int j = 0; i + j <= VERIFY_DEGREE; j++) {
      mpq_mul(term, a->c[i], b->c[j]);
      if (sign > 0)
        mpq_add(sum->c[i + j], sum->c[i + j], term);
      else
        mpq_sub(sum->c[i + j], sum->c[i + j], term);
    }
  }
  mpq_clear(term);
}

void polynomial_value(mpq_t out, const polynomial *p, const mpq_t t) {
  mpq_set(out, p->c[VERIFY_DEGREE]);
  for (int i = VERIFY_DEGREE - 1; i >= 0; i--) {
    mpq_mul(out, out, t);
    mpq_add(out, out, p->c[i]);
  }
}

/* With t = a + (b - a) s, p = sum e_i s^i, and the Bernstein coefficients of degree 3 are
 *   b_j = sum over i <= j of e_i C(j, i) / C(3, i). */
int polynomial_sign(const polynomial *p, const mpq_t a, const mpq_t b) {
  static const unsigned binomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  mpq_t width, sum, term;
  mpq_inits(width, sum, term, NULL);
  polynomial e;
  polynomial_init(&e);
  set(&e, p);

  // Shift by a (repeated Horner steps), then stretch by b - a.
  for (int i = 0; i < VERIFY_DEGREE; i++) {
    for (int j = VERIFY_DEGREE - 1; j >= i; j--) {
      mpq_mul(term, e.c[j + 1], a);
      mpq_add(e.c[j], e.c[j], term);
    }
  }
  mpq_sub(width, b, a);
  mpq_set_ui(term, 1, 1);
  for (int i = 1; i <= VERIFY_DEGREE; i++) {
    mpq_mul(term, term, width);
    mpq_mul(e.c[i], e.c[i], term);
  }

  int sign = mpq_sgn(e.c[0]);
  for (int j = 1; j <= VERIFY_DEGREE; j++) {
    mpq_set_ui(sum, 0, 1);
    for (int i = 0; i <= j; i++) {
      mpq_set_ui(term, binomial[j][i], binomial[3][i]);
      mpq_canonicalize(term);
      mpq_mul(term, term, e.c[i]);
      mpq_add(sum, sum, term);
    }
    sign = mpq_sgn(sum) == sign ? sign : 0;
  }
  polynomial_clear(&e);
  mpq_clears(width, sum, term, NULL);
  return sign;
}

int polynomial_slope(const polynomial *p, const mpq_t a, const mpq_t b) {
  polynomial derivative;
  polynomial_init(&derivative);
  mpq_t factor;
  mpq_init(factor);
  for (int i = 1; i <= VERIFY_DEGREE; i++) {
    mpq_set_si(factor, i, 1);
    mpq_mul(derivative.c[i - 1], p->c[i], factor);
  }
  const int sign = polynomial_sign(&derivative, a, b);
  mpq_clear(factor);
  polynomial_clear(&derivative);
  return sign;
}

/* Replaces p by its quotient by d if nothing remains, else leaves it alone. */
static bool divide(polynomial *p, const polynomial *d) {
  const int degree = polynomial_degree(d);
  polynomial rest, quotient;
  polynomial_init(&rest);
  polynomial_init(&quotient);
  mpq_t term;
  mpq_init(term);
  set(&rest, p);
  for (int i = polynomial_degree(&rest); i >= degree; i = polynomial_degree(&rest)) {
    mpq_div(quotient.c[i - degree], rest.c[i], d->c[degree]);
    for (int j = 0; j <= degree; j++) {
      mpq_mul(term, quotient.c[i - degree], d->c[j]);
      mpq_sub(rest.c[i - degree + j], rest.c[i - degree + j], term);
    }
  }
  const bool divides = polynomial_degree(&rest) < 0;
  if (divides)
    set(p, &quotient);
  mpq_clear(term);
  polynomial_clear(&rest);
  polynomial_clear(&quotient);
  return divides;
}

int polynomial_divide_out(polynomial *p, const polynomial *d) {
  int times = 0;
  while (divide(p, d))
    times++;
  return times;
}

bool polynomial_divides(const polynomial *d, const polynomial *p) {
  polynomial kept;
  polynomial_init(&kept);
  set(&kept, p);
  const bool divides = divide(&kept, d);
  polynomial_clear(&kept);
  return divides;
}

void vector_area(polynomial *out, const vector *p, const vector *q, int axis) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  polynomial_set_zero(out);
  polynomial_add_product(out, &p->at[i], &q->at[j], 1);
  polynomial_add_product(out, &p->at[j], &q->at[i], -1);
}

void vector_determinant(polynomial *out, const vector *p, const vector *q, const vector *r) {
  polynomial area;
  polynomial_init(&area);
  polynomial_set_zero(out);
  for (int k = 0; k < 3; k++) {
    vector_area(&area, q, r, k);
    polynomial_add_product(out, &p->at[k], &area, 1);
  }
  polynomial_clear(&area);
}
