/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Patches evaluated in rational numbers, from the definition: an oracle for everything that makes patches. To be
 * believed wherever coordinates are finite. */

#ifndef TOI_TESTS_EXACT_PATCH_H
#define TOI_TESTS_EXACT_PATCH_H

#include <gmp.h>
#include <stdio.h>
#include <string.h>

#include <toi/surface.h>

/* x y z, velocity, and the common denominator of both, a sum of weights. */
typedef struct exact_point {
  mpq_t x[6];
} exact_point;

static inline void exact_point_init(exact_point *p) {
  for (int k = 0; k < 6; k++)
    mpq_init(p->x[k]);
}

static inline void exact_point_clear(exact_point *p) {
  for (int k = 0; k < 6; k++)
    mpq_clear(p->x[k]);
}

/* C(n, i) x^i (1 - x)^(n - i) */
static inline void exact_bernstein(unsigned n, unsigned i, const mpq_t x, mpq_t value) {
  mpq_t rest;
  mpq_init(rest);
  mpq_set_ui(rest, 1, 1);
  mpq_sub(rest, rest, x);
  mpz_bin_uiui(mpq_numref(value), n, i);
  mpz_set_ui(mpq_denref(value), 1);
  for (unsigned k = 0; k < n; k++)
    mpq_mul(value, value, k < i ? x : rest);
  mpq_clear(rest);
}

/* A sum of weighted points, and of the weights. */
typedef struct exact_sum {
  exact_point point;
  mpq_t weight, factor, term;
} exact_sum;

static inline void exact_sum_init(exact_sum *s) {
  exact_point_init(&s->point);
  mpq_inits(s->weight, s->factor, s->term, NULL);
}

static inline void exact_sum_clear(exact_sum *s) {
  exact_point_clear(&s->point);
  mpq_clears(s->weight, s->factor, s->term, NULL);
}

/* Adds coefficient * weight * (position, velocity); either of the last may be NULL. */
static inline void exact_sum_add(exact_sum *s, const mpq_t coefficient, double weight, const double *position,
                                 const double *velocity) {
  mpq_set_d(s->factor, weight);
  mpq_mul(s->factor, s->factor, coefficient);
  mpq_add(s->weight, s->weight, s->factor);
  for (int k = 0; k < 6; k++) {
    const double *from = k < 3 ? position : velocity;
    if (from == NULL)
      continue;
    mpq_set_d(s->term, from[k % 3]);
    mpq_mul(s->term, s->term, s->factor);
    mpq_add(s->point.x[k], s->point.x[k], s->term);
  }
}

static inline void exact_sum_divide(const exact_sum *s, exact_point *point) {
  for (int k = 0; k < 6; k++)
    mpq_div(point->x[k], s->point.x[k], s->weight);
}

/* A quad at (u, v). */
static inline void exact_patch(const toi_patch *patch, const mpq_t u, const mpq_t v, exact_point *point) {
  const unsigned m = patch->degree[0], n = patch->degree[1];
  exact_sum sum;
  exact_sum_init(&sum);
  mpq_t a, b;
  mpq_inits(a, b, NULL);
  for (unsigned i = 0; i <= m; i++)
    for (unsigned j = 0; j <= n; j++) {
      const size_t number = (size_t)i * (n + 1) + j;
      exact_bernstein(m, i, u, a);
      exact_bernstein(n, j, v, b);
      mpq_mul(a, a, b);
      exact_sum_add(&sum, a, patch->weights == NULL ? 1 : patch->weights[number], patch->points[number],
                    patch->velocities == NULL ? NULL : patch->velocities[number]);
    }
  exact_sum_divide(&sum, point);
  mpq_clears(a, b, NULL);
  exact_sum_clear(&sum);
}

/* The squared distance of positions (from = 0) or velocities (3). */
static inline void exact_square_distance(const exact_point *a, const exact_point *b, int from, mpq_t square) {
  mpq_t d;
  mpq_init(d);
  mpq_set_ui(square, 0, 1);
  for (int k = from; k < from + 3; k++) {
    mpq_sub(d, a->x[k], b->x[k]);
    mpq_mul(d, d, d);
    mpq_add(square, square, d);
  }
  mpq_clear(d);
}

/* Whether the square is at most bound^2; both >= 0. */
static inline bool exact_within(const mpq_t square, double bound) {
  mpq_t limit;
  mpq_init(limit);
  mpq_set_d(limit, bound);
  mpq_mul(limit, limit, limit);
  const bool within = mpq_cmp(square, limit) <= 0;
  mpq_clear(limit);
  return within;
}

/* Whether two control points of patches have the same position and velocity, bit for bit. */
static inline bool same_control(const toi_patch *a, size_t i, const toi_patch *b, size_t j) {
  if (memcmp(a->points[i], b->points[j], 3 * sizeof(double)) != 0)
    return false;
  return a->velocities == NULL || memcmp(a->velocities[i], b->velocities[j], 3 * sizeof(double)) == 0;
}

/* Number of the control point `at` along a side of a quad: 0 is v = 0, 1 is u = 1, 2 is v = 1, 3 is u = 0. */
static inline size_t side_control(const toi_patch *patch, int side, size_t at) {
  const size_t m = patch->degree[0], n = patch->degree[1];
  switch (side) {
  case 0:
    return at * (n + 1);
  case 1:
    return m * (n + 1) + at;
  case 2:
    return at * (n + 1) + n;
  default:
    return at;
  }
}

static inline size_t side_degree(const toi_patch *patch, int side) {
  return patch->degree[side % 2];
}

/* Whether the sides are the same curve: control points bit for bit, forwards or backwards, and weights up to a common
 * factor. */
static inline bool same_side(const toi_patch *a, int side_a, const toi_patch *b, int side_b) {
  const size_t n = side_degree(a, side_a);
  if (side_degree(b, side_b) != n)
    return false;
  for (int way = 0; way < 2; way++) {
    bool same = true;
    for (size_t i = 0; i <= n && same; i++) {
      const size_t p = side_control(a, side_a, i), q = side_control(b, side_b, way == 0 ? i : n - i);
      const size_t p0 = side_control(a, side_a, 0), q0 = side_control(b, side_b, way == 0 ? 0 : n);
      same = same_control(a, p, b, q);
      if (same && a->weights != NULL)
        same = a->weights[p] * b->weights[q0] == b->weights[q] * a->weights[p0];
    }
    if (same)
      return true;
  }
  return false;
}

/* How many of the model's sides are shared with a side of another patch; sides that are a point are not counted in
 * `sides`. */
static inline size_t count_shared_sides(const toi_model *model, size_t *sides) {
  size_t shared = 0;
  *sides = 0;
  for (size_t i = 0; i < model->patch_count; i++)
    for (int side = 0; side < 4; side++) {
      const toi_patch *a = &model->patches[i];
      bool point = true, found = false;
      for (size_t k = 1; k <= side_degree(a, side); k++)
        point = point && same_control(a, side_control(a, side, k), a, side_control(a, side, 0));
      if (point)
        continue;
      ++*sides;
      for (size_t j = 0; j < model->patch_count; j++)
        for (int other = 0; other < 4; other++)
          found = found || (i != j && same_side(a, side, &model->patches[j], other));
      shared += found;
    }
  return shared;
}

#endif
