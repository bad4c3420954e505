/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials in Bernstein form with rational coefficients, and random ones in doubles beside them: what the tests of
 * number/bernstein.h share. */

#ifndef TOI_TESTS_NUMBER_RATIONAL_POLYNOMIAL_H
#define TOI_TESTS_NUMBER_RATIONAL_POLYNOMIAL_H

#include "support/support.h"

#include "number/bernstein.h"

#include <gmp.h>

#define COUNT (TOI_BERNSTEIN_DEGREE + 1)

static uint64_t seed;

typedef struct exact {
  int degree;
  mpq_t c[COUNT];
} exact;

static mpq_t scratch[3];

static inline void scratch_init(void) {
  for (int i = 0; i < 3; i++)
    mpq_init(scratch[i]);
}

static inline void scratch_clear(void) {
  for (int i = 0; i < 3; i++)
    mpq_clear(scratch[i]);
}

static inline void exact_init(exact *p) {
  p->degree = 0;
  for (int i = 0; i < COUNT; i++)
    mpq_init(p->c[i]);
}

static inline void exact_clear(exact *p) {
  for (int i = 0; i < COUNT; i++)
    mpq_clear(p->c[i]);
}

static inline void exact_copy(exact *p, const exact *q) {
  p->degree = q->degree;
  for (int i = 0; i <= q->degree; i++)
    mpq_set(p->c[i], q->c[i]);
}

/* row[i] = (1 - t) row[i] + t row[i + 1]. */
static inline void exact_mix(mpq_t *row, int count, const mpq_t t) {
  for (int i = 0; i < count; i++) {
    mpq_sub(scratch[0], row[i + 1], row[i]);
    mpq_mul(scratch[0], scratch[0], t);
    mpq_add(row[i], row[i], scratch[0]);
  }
}

/* p on [0, t], or on [t, 1]. */
static inline void exact_split(exact *p, double t, bool left) {
  mpq_set_d(scratch[1], t);
  int n = p->degree;
  exact rows;
  exact_init(&rows);
  exact_copy(&rows, p);
  for (int level = 0; level <= n; level++) {
    if (left)
      mpq_set(p->c[level], rows.c[0]);
    else
      mpq_set(p->c[n - level], rows.c[n - level]);
    exact_mix(rows.c, n - level, scratch[1]);
  }
  exact_clear(&rows);
}

static inline void exact_at(const exact *p, double t, mpq_t value) {
  exact row;
  exact_init(&row);
  exact_copy(&row, p);
  mpq_set_d(scratch[1], t);
  for (int count = p->degree; count > 0; count--)
    exact_mix(row.c, count, scratch[1]);
  mpq_set(value, row.c[0]);
  exact_clear(&row);
}

static inline unsigned long binomial(int n, int k) {
  mpz_t z;
  mpz_init(z);
  mpz_bin_uiui(z, (unsigned long)n, (unsigned long)k);
  unsigned long c = mpz_get_ui(z);
  mpz_clear(z);
  return c;
}

/* p = p q. */
static inline void exact_multiply(exact *p, const exact *q) {
  exact r;
  exact_init(&r);
  r.degree = p->degree + q->degree;
  for (int i = 0; i <= p->degree; i++)
    for (int j = 0; j <= q->degree; j++) {
      mpq_set_ui(scratch[0], binomial(p->degree, i) * binomial(q->degree, j), binomial(r.degree, i + j));
      mpq_canonicalize(scratch[0]);
      mpq_mul(scratch[0], scratch[0], p->c[i]);
      mpq_mul(scratch[0], scratch[0], q->c[j]);
      mpq_add(r.c[i + j], r.c[i + j], scratch[0]);
    }
  exact_copy(p, &r);
  exact_clear(&r);
}

/* p of the degree n >= its own. */
static inline void exact_elevate(exact *p, int n) {
  exact one;
  exact_init(&one);
  one.degree = n - p->degree;
  for (int i = 0; i <= one.degree; i++)
    mpq_set_ui(one.c[i], 1, 1);
  exact_multiply(p, &one);
  exact_clear(&one);
}

/* --- random polynomials --- */

static inline double random_coefficient(uint64_t kind) {
  double x = 2 * test_random_unit(&seed) - 1;
  // Of one size, of mixed sizes, all but equal, subnormal, or with many ones in the significand.
  if (kind == 1)
    return ldexp(x, (int)(test_random(&seed) % 60) - 30);
  if (kind == 2)
    return 1 + x * 0x1p-48;
  if (kind == 3)
    return x * 0x1p-1066;
  if (kind == 4)
    return x < 0 ? -0x1.fffffffffffffp0 : 0x1.5555555555555p0;
  return x;
}

/* A polynomial of the degree, with or without an error, and a true one. */
static inline toi_bernstein random_pair(int degree, bool erring, exact *p) {
  double b[COUNT], size = 0;
  uint64_t kind = test_random(&seed) % 8;
  for (int i = 0; i <= degree; i++) {
    b[i] = random_coefficient(kind);
    // Some that rise or fall.
    if (kind >= 6 && i > 0)
      b[i] = b[i - 1] + (kind == 6 ? fabs(b[i]) : -fabs(b[i]));
    size = fmax(size, fabs(b[i]));
  }
  double error = erring ? size * ldexp(test_random_unit(&seed), -(int)(test_random(&seed) % 50)) : 0;
  p->degree = degree;
  for (int i = 0; i <= degree; i++) {
    mpq_set_d(p->c[i], b[i]);
    mpq_set_d(scratch[0], test_random(&seed) & 1 ? error : -error);
    mpq_add(p->c[i], p->c[i], scratch[0]);
  }
  return toi_bernstein_make(degree, b, error);
}

static inline int random_degree(int most) {
  return (int)(test_random(&seed) % (uint64_t)(most + 1));
}

#endif
