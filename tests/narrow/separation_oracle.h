/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whether the distance of two primitives at one time is at most d, in exact arithmetic on GMP's own numbers. In the
 * Euclidean norm by trying all features, in the maximum norm by clipping the hull with the six sides of the cube. To be
 * believed at every time that is a double, for every finite query; it knows nothing of roots, so that it cannot say
 * what happens between two times. */

#ifndef TOI_TESTS_NARROW_SEPARATION_ORACLE_H
#define TOI_TESTS_NARROW_SEPARATION_ORACLE_H

#include <stdbool.h>

#include "narrow/dyadic.h"
#include "narrow/hull.h"

typedef struct oracle_hull {
  int n;
  exact c[TOI_MOST_CORNERS][3];
} oracle_hull;

static inline oracle_hull oracle_hull_at(toi_kind kind, const double *query, double t) {
  oracle_hull hull = {.n = (int)toi_corner_count(kind)};
  const toi_corner *corners = toi_corners(kind);
  int points = (int)toi_kind_points(kind);
  exact time = exactly(t);
  for (int k = 0; k < hull.n; k++)
    for (int axis = 0; axis < 3; axis++) {
      int i = 3 * corners[k].first + axis, j = 3 * corners[k].second + axis;
      exact start = minus(exactly(query[i]), exactly(query[j]));
      exact end = minus(exactly(query[3 * points + i]), exactly(query[3 * points + j]));
      hull.c[k][axis] = mixed(start, end, time);
    }
  return hull;
}

static inline exact oracle_dot(const exact a[3], const exact b[3]) {
  return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

static inline void oracle_cross(const exact a[3], const exact b[3], exact out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = minus(times(a[(i + 1) % 3], b[(i + 2) % 3]), times(a[(i + 2) % 3], b[(i + 1) % 3]));
}

static inline void oracle_difference(const exact a[3], const exact b[3], exact out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = minus(a[i], b[i]);
}

static inline bool oracle_within_euclidean(const oracle_hull *hull, double d) {
  exact square = times(exactly(d), exactly(d));
  for (int k = 0; k < hull->n; k++) {
    const exact *p = hull->c[k], *q = hull->c[(k + 1) % hull->n];
    if (sign_of(minus(oracle_dot(p, p), square)) <= 0)
      return true;
    exact e[3], x[3];
    oracle_difference(q, p, e);
    oracle_cross(p, e, x);
    // The foot on the line is between the ends.
    if (sign_of(oracle_dot(p, e)) < 0 && sign_of(oracle_dot(q, e)) > 0 &&
        sign_of(minus(oracle_dot(x, x), times(square, oracle_dot(e, e)))) <= 0)
      return true;
  }
  if (hull->n < 3)
    return false;
  exact a[3], b[3], normal[3];
  oracle_difference(hull->c[1], hull->c[0], a);
  oracle_difference(hull->c[hull->n - 1], hull->c[0], b);
  oracle_cross(a, b, normal);
  exact f = oracle_dot(normal, hull->c[0]), length = oracle_dot(normal, normal);
  if (sign_of(length) == 0 || sign_of(minus(times(f, f), times(square, length))) > 0)
    return false;
  for (int k = 0; k < hull->n; k++) {
    exact side[3], out[3];
    oracle_difference(hull->c[(k + 1) % hull->n], hull->c[k], side);
    oracle_cross(side, hull->c[k], out);
    if (sign_of(oracle_dot(out, normal)) > 0)
      return false;
  }
  return true;
}

/* A convex polygon in rationals, clipped side by side. */
typedef struct oracle_polygon {
  int n;
  mpq_t c[16][3];
} oracle_polygon;

static inline void oracle_to_rational(exact x, mpq_t out) {
  mpq_set_z(out, x->m);
  if (x->e >= 0)
    mpq_mul_2exp(out, out, (mp_bitcnt_t)x->e);
  else
    mpq_div_2exp(out, out, (mp_bitcnt_t)-x->e);
}

/* The part of in with sign x_axis <= d. */
static inline void oracle_clip(const oracle_polygon *in, int axis, int sign, const mpq_t d, oracle_polygon *out) {
  mpq_t value[16], part, step;
  mpq_inits(part, step, NULL);
  for (int i = 0; i < in->n; i++) {
    mpq_init(value[i]);
    if (sign > 0)
      mpq_sub(value[i], d, in->c[i][axis]);
    else
      mpq_add(value[i], d, in->c[i][axis]);
  }
  out->n = 0;
  for (int i = 0; i < in->n; i++) {
    int j = (i + 1) % in->n;
    if (mpq_sgn(value[i]) >= 0) {
      for (int a = 0; a < 3; a++)
        mpq_set(out->c[out->n][a], in->c[i][a]);
      out->n++;
    }
    if (mpq_sgn(value[i]) * mpq_sgn(value[j]) < 0) {
      mpq_sub(part, value[i], value[j]);
      mpq_div(part, value[i], part);
      for (int a = 0; a < 3; a++) {
        mpq_sub(step, in->c[j][a], in->c[i][a]);
        mpq_mul(step, step, part);
        mpq_add(out->c[out->n][a], in->c[i][a], step);
      }
      out->n++;
    }
  }
  for (int i = 0; i < in->n; i++)
    mpq_clear(value[i]);
  mpq_clears(part, step, NULL);
}

static inline bool oracle_within_maximum(const oracle_hull *hull, double d) {
  static oracle_polygon polygon[2];
  static bool ready;
  for (int i = 0; i < 2 * 16 * 3 && !ready; i++)
    mpq_init(polygon[i / 48].c[i / 3 % 16][i % 3]);
  ready = true;
  mpq_t reach;
  mpq_init(reach);
  mpq_set_d(reach, d);
  polygon[0].n = hull->n;
  for (int k = 0; k < hull->n; k++)
    for (int axis = 0; axis < 3; axis++)
      oracle_to_rational(hull->c[k][axis], polygon[0].c[k][axis]);
  for (int i = 0; i < 6; i++)
    oracle_clip(&polygon[i % 2], i / 2, i % 2 ? 1 : -1, reach, &polygon[1 - i % 2]);
  mpq_clear(reach);
  return polygon[0].n > 0;
}

static inline bool oracle_within(toi_kind kind, const double *query, double d, toi_norm norm, double t) {
  dyadic_reset();
  oracle_hull hull = oracle_hull_at(kind, query, t);
  return norm == TOI_NORM_L2 ? oracle_within_euclidean(&hull, d) : oracle_within_maximum(&hull, d);
}

#endif
