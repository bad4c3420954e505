/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* NURBS surfaces from the definition: the recursion of Cox and de Boor in rational numbers. It knows nothing of
 * cutting, and may be believed wherever knots and coordinates are finite. */

#ifndef TOI_TESTS_NURBS_ORACLE_H
#define TOI_TESTS_NURBS_ORACLE_H

#include "surface/exact_patch.h"

/* Knot number i of a direction; before the first and after the last where it is periodic. */
static inline void exact_knot(const toi_nurbs *nurbs, int k, long i, mpq_t knot) {
  const double *knots = nurbs->knots[k];
  const long n = (long)nurbs->count[k];
  if (!nurbs->periodic[k]) {
    mpq_set_d(knot, knots[i]);
    return;
  }
  long at = i % n, turns = i / n;
  if (at < 0) {
    at += n;
    turns--;
  }
  mpq_t first;
  mpq_init(first);
  mpq_set_d(first, knots[0]);
  mpq_set_d(knot, knots[n]);
  mpq_sub(first, knot, first);
  mpq_set_si(knot, turns, 1);
  mpq_mul(first, first, knot);
  mpq_set_d(knot, knots[at]);
  mpq_add(knot, knot, first);
  mpq_clear(first);
}

/* The basis functions N_m-p ... N_m of degree p at x in span m, by the recursion; 0 / 0 counts as 0. */
static inline void exact_basis(const toi_nurbs *nurbs, int k, long m, const mpq_t x, mpq_t *values) {
  const long p = nurbs->degree[k];
  mpq_t knots[22], row[12], a, b, c;
  mpq_inits(a, b, c, NULL);
  for (long i = 0; i <= 2 * p + 1; i++) {
    mpq_init(knots[i]);
    exact_knot(nurbs, k, m - p + i, knots[i]);
  }
  // row[i] is N_m-p+i of the degree reached; in the span only N_m is 1 at degree 0.
  for (long i = 0; i <= p + 1; i++) {
    mpq_init(row[i]);
    mpq_set_ui(row[i], i == p, 1);
  }
  for (long d = 1; d <= p; d++)
    for (long i = p - d; i <= p; i++) {
      mpq_set_ui(c, 0, 1);
      mpq_sub(a, knots[i + d], knots[i]);
      if (mpq_sgn(a) != 0) {
        mpq_sub(b, x, knots[i]);
        mpq_div(b, b, a);
        mpq_mul(c, b, row[i]);
      }
      mpq_sub(a, knots[i + d + 1], knots[i + 1]);
      if (i < p && mpq_sgn(a) != 0) {
        mpq_sub(b, knots[i + d + 1], x);
        mpq_div(b, b, a);
        mpq_mul(b, b, row[i + 1]);
        mpq_add(c, c, b);
      }
      mpq_set(row[i], c);
    }
  for (long i = 0; i <= p; i++)
    mpq_set(values[i], row[i]);
  for (long i = 0; i <= 2 * p + 1; i++)
    mpq_clear(knots[i]);
  for (long i = 0; i <= p + 1; i++)
    mpq_clear(row[i]);
  mpq_clears(a, b, c, NULL);
}

static inline size_t wrapped(const toi_nurbs *nurbs, int k, long i) {
  const long n = (long)nurbs->count[k];
  return (size_t)(((i % n) + n) % n);
}

/* The surface at (x, y) in the spans (m, n). */
static inline void exact_nurbs(const toi_nurbs *nurbs, const long span[2], mpq_t x[2], exact_point *point) {
  mpq_t basis[2][10], product;
  mpq_init(product);
  exact_sum sum;
  exact_sum_init(&sum);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 10; i++)
      mpq_init(basis[k][i]);
    exact_basis(nurbs, k, span[k], x[k], basis[k]);
  }
  for (long i = 0; i <= (long)nurbs->degree[0]; i++)
    for (long j = 0; j <= (long)nurbs->degree[1]; j++) {
      const size_t number = wrapped(nurbs, 0, span[0] - nurbs->degree[0] + i) * nurbs->count[1] +
                            wrapped(nurbs, 1, span[1] - nurbs->degree[1] + j);
      mpq_mul(product, basis[0][i], basis[1][j]);
      exact_sum_add(&sum, product, nurbs->weights == NULL ? 1 : nurbs->weights[number], nurbs->points[number],
                    nurbs->velocities == NULL ? NULL : nurbs->velocities[number]);
    }
  exact_sum_divide(&sum, point);
  exact_sum_clear(&sum);
  mpq_clear(product);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 10; i++)
      mpq_clear(basis[k][i]);
}

#endif
