/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distance functions of stencils in MPFR, and their derivatives as central differences.
 *
 * Where it may be believed: everywhere that the function is smooth. With numbers of 700 bits and steps of 2^-150 of the
 * points' size, a difference is off by 2^-300 of third derivatives, and by 2^-400 for roundings; sines of 2^-30 make
 * these derivatives 2^120 at most. It shares nothing with the library: no derivative is written down. */

#ifndef TOI_TESTS_NARROW_STENCIL_ORACLE_H
#define TOI_TESTS_NARROW_STENCIL_ORACLE_H

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>

#include <toi/stencil.h>

enum { ORACLE_BITS = 700, ORACLE_STEP = -150, ORACLE_TEMPORARIES = 24 };

/* The points of a stencil, and numbers to work with. */
typedef struct oracle {
  toi_kind kind;
  bool mollifier; /* the function is the mollifier, with this threshold */
  double threshold;
  mpfr_t x[12], value, step, t[ORACLE_TEMPORARIES];
} oracle;

static inline void oracle_make(oracle *o) {
  for (int i = 0; i < 12; i++)
    mpfr_init2(o->x[i], ORACLE_BITS);
  for (int i = 0; i < ORACLE_TEMPORARIES; i++)
    mpfr_init2(o->t[i], ORACLE_BITS);
  mpfr_init2(o->value, ORACLE_BITS);
  mpfr_init2(o->step, ORACLE_BITS);
}

static inline void oracle_free(oracle *o) {
  for (int i = 0; i < 12; i++)
    mpfr_clear(o->x[i]);
  for (int i = 0; i < ORACLE_TEMPORARIES; i++)
    mpfr_clear(o->t[i]);
  mpfr_clear(o->value);
  mpfr_clear(o->step);
  mpfr_free_cache();
}

static inline void oracle_minus(mpfr_t *a, mpfr_t *b, mpfr_t *out) {
  for (int k = 0; k < 3; k++)
    mpfr_sub(out[k], a[k], b[k], MPFR_RNDN);
}

static inline void oracle_dot(mpfr_t *a, mpfr_t *b, mpfr_t out, mpfr_t spare) {
  mpfr_mul(out, a[0], b[0], MPFR_RNDN);
  for (int k = 1; k < 3; k++) {
    mpfr_mul(spare, a[k], b[k], MPFR_RNDN);
    mpfr_add(out, out, spare, MPFR_RNDN);
  }
}

static inline void oracle_cross(mpfr_t *a, mpfr_t *b, mpfr_t *out, mpfr_t spare) {
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    mpfr_mul(out[k], a[i], b[j], MPFR_RNDN);
    mpfr_mul(spare, a[j], b[i], MPFR_RNDN);
    mpfr_sub(out[k], out[k], spare, MPFR_RNDN);
  }
}

/* The function at x, in o->value. */
static inline void oracle_value(oracle *o) {
  mpfr_t *a = o->t, *b = o->t + 3, *n = o->t + 6, *r = o->t + 9, *x = o->x;
  const bool edges = o->kind == TOI_EDGE_EDGE;
  if (o->kind == TOI_VERTEX_VERTEX) {
    oracle_minus(x, x + 3, r);
    oracle_dot(r, r, o->value, o->t[15]);
    return;
  }
  if (o->kind == TOI_VERTEX_EDGE) {
    // The area of the parallelogram over the edge.
    oracle_minus(x + 3, x, a);
    oracle_minus(x + 6, x, b);
    oracle_minus(x + 6, x + 3, r);
  } else {
    oracle_minus(x + (edges ? 3 : 6), x + (edges ? 0 : 3), a);
    oracle_minus(x + 9, x + (edges ? 6 : 3), b);
    oracle_minus(x, x + (edges ? 6 : 3), r);
  }
  oracle_cross(a, b, n, o->t[15]);
  oracle_dot(n, n, o->t[12], o->t[15]);
  if (o->mollifier) {
    mpfr_div_d(o->t[13], o->t[12], o->threshold, MPFR_RNDN);
    mpfr_ui_sub(o->t[14], 2, o->t[13], MPFR_RNDN);
    mpfr_mul(o->value, o->t[13], o->t[14], MPFR_RNDN);
    return;
  }
  if (o->kind == TOI_VERTEX_EDGE) {
    oracle_dot(r, r, o->t[13], o->t[15]);
    mpfr_div(o->value, o->t[12], o->t[13], MPFR_RNDN);
    return;
  }
  oracle_dot(n, r, o->t[13], o->t[15]);
  mpfr_sqr(o->t[13], o->t[13], MPFR_RNDN);
  mpfr_div(o->value, o->t[13], o->t[12], MPFR_RNDN);
}

/* The function, its gradient and its Hessian, rounded to doubles at the end. */
static inline void oracle_derive(oracle *o, const double (*points)[3], double *value, double gradient[12],
                                 double hessian[144]) {
  const int n = 3 * (int)toi_kind_points(o->kind);
  double size = 0;
  for (int i = 0; i < n; i++) {
    mpfr_set_d(o->x[i], points[i / 3][i % 3], MPFR_RNDN);
    size = fmax(size, fabs(points[i / 3][i % 3] - points[0][i % 3]));
  }
  oracle_value(o);
  *value = mpfr_get_d(o->value, MPFR_RNDN);
  mpfr_set_d(o->step, size, MPFR_RNDN);
  mpfr_mul_2si(o->step, o->step, ORACLE_STEP, MPFR_RNDN);
  for (int i = 0; i < n; i++) {
    mpfr_add(o->x[i], o->x[i], o->step, MPFR_RNDN);
    oracle_value(o);
    mpfr_set(o->t[16], o->value, MPFR_RNDN);
    mpfr_sub(o->x[i], o->x[i], o->step, MPFR_RNDN);
    mpfr_sub(o->x[i], o->x[i], o->step, MPFR_RNDN);
    oracle_value(o);
    mpfr_add(o->x[i], o->x[i], o->step, MPFR_RNDN);
    mpfr_sub(o->t[16], o->t[16], o->value, MPFR_RNDN);
    mpfr_div(o->t[16], o->t[16], o->step, MPFR_RNDN);
    gradient[i] = mpfr_get_d(o->t[16], MPFR_RNDN) / 2;
  }
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      mpfr_set_zero(o->t[16], 1);
      for (int corner = 0; corner < 4; corner++) {
        const int signs[2] = {corner & 1 ? -1 : 1, corner & 2 ? -1 : 1};
        mpfr_mul_si(o->t[17], o->step, signs[0], MPFR_RNDN);
        mpfr_mul_si(o->t[18], o->step, signs[1], MPFR_RNDN);
        mpfr_add(o->x[i], o->x[i], o->t[17], MPFR_RNDN);
        mpfr_add(o->x[j], o->x[j], o->t[18], MPFR_RNDN);
        oracle_value(o);
        mpfr_sub(o->x[i], o->x[i], o->t[17], MPFR_RNDN);
        mpfr_sub(o->x[j], o->x[j], o->t[18], MPFR_RNDN);
        mpfr_mul_si(o->value, o->value, signs[0] * signs[1], MPFR_RNDN);
        mpfr_add(o->t[16], o->t[16], o->value, MPFR_RNDN);
      }
      mpfr_div(o->t[16], o->t[16], o->step, MPFR_RNDN);
      mpfr_div(o->t[16], o->t[16], o->step, MPFR_RNDN);
      hessian[n * i + j] = hessian[n * j + i] = mpfr_get_d(o->t[16], MPFR_RNDN) / 4;
    }
}

#endif
