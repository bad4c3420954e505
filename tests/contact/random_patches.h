/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Random patches, quads and triangles, polynomial and rational, moving and with errors, and what they may stand for,
 * evaluated in long doubles from the Bernstein sums themselves. */

#ifndef TOI_TESTS_CONTACT_RANDOM_PATCHES_H
#define TOI_TESTS_CONTACT_RANDOM_PATCHES_H

#include "contact/context.h"
#include "contact/shape.h"

#include <math.h>

/* Jets by u and v up to order 2: value, u, v, uu, uv, vv. */
typedef struct jet {
  long double d[6];
} jet;

static inline jet constant(long double x) {
  return (jet){{x}};
}

static inline jet sum(jet a, jet b) {
  for (int i = 0; i < 6; i++)
    a.d[i] += b.d[i];
  return a;
}

static inline jet product(jet a, jet b) {
  return (jet){{a.d[0] * b.d[0], a.d[1] * b.d[0] + a.d[0] * b.d[1], a.d[2] * b.d[0] + a.d[0] * b.d[2],
                a.d[3] * b.d[0] + 2 * a.d[1] * b.d[1] + a.d[0] * b.d[3],
                a.d[4] * b.d[0] + a.d[1] * b.d[2] + a.d[2] * b.d[1] + a.d[0] * b.d[4],
                a.d[5] * b.d[0] + 2 * a.d[2] * b.d[2] + a.d[0] * b.d[5]}};
}

static inline jet reciprocal(jet a) {
  const long double r = 1 / a.d[0], f = -r * r, g = 2 * r * r * r;
  return (jet){{r, f * a.d[1], f * a.d[2], f * a.d[3] + g * a.d[1] * a.d[1], f * a.d[4] + g * a.d[1] * a.d[2],
                f * a.d[5] + g * a.d[2] * a.d[2]}};
}

static inline jet power(jet a, uint32_t n) {
  jet p = constant(1);
  for (uint32_t i = 0; i < n; i++)
    p = product(p, a);
  return p;
}

static inline long double choose(uint32_t n, uint32_t k) {
  return k == 0 ? 1 : choose(n - 1, k - 1) * n / k;
}

/* The Bernstein polynomial of control point number i. */
static inline jet bernstein(const toi_patch *patch, size_t number, const jet uv[2]) {
  const jet one[2] = {sum(constant(1), product(constant(-1), uv[0])), sum(constant(1), product(constant(-1), uv[1]))};
  const uint32_t m = patch->degree[0], n = patch->degree[1];
  if (patch->shape == TOI_PATCH_QUAD) {
    const uint32_t i = (uint32_t)number / (n + 1), j = (uint32_t)number % (n + 1);
    const jet u = product(power(uv[0], i), power(one[0], m - i)), v = product(power(uv[1], j), power(one[1], n - j));
    return product(constant(choose(m, i) * choose(n, j)), product(u, v));
  }
  uint32_t b = 0, a = (uint32_t)number;
  for (; a > m - b; b++)
    a -= m - b + 1;
  const jet w = sum(one[0], product(constant(-1), uv[1]));
  return product(constant(choose(m, a) * choose(m - a, b)),
                 product(product(power(uv[0], a), power(uv[1], b)), power(w, m - a - b)));
}

/* A patch, and one that it may stand for. */
typedef struct sample {
  toi_patch patch;
  size_t count;
  double points[TOI_NET_POINTS][3], velocities[TOI_NET_POINTS][3], weights[TOI_NET_POINTS];
  long double true_points[TOI_NET_POINTS][3], true_velocities[TOI_NET_POINTS][3], true_weights[TOI_NET_POINTS];
} sample;

static inline uint64_t below(uint64_t *random, uint64_t count) {
  return test_random(random) % count;
}

/* A number of [-1, 1], often a simple one. */
static inline double coordinate(uint64_t *random) {
  const double x = 2 * test_random_unit(random) - 1;
  return below(random, 3) == 0 ? rint(4 * x) / 4 : x;
}

static inline void displace(uint64_t *random, double by, const double at[3], long double to[3]) {
  for (int k = 0; k < 3; k++)
    to[k] = at[k] + (long double)by * (2 * test_random_unit(random) - 1) / sqrtl(3.1L);
}

static inline void draw_sample(uint64_t *random, sample *s) {
  *s = (sample){0};
  toi_patch *p = &s->patch;
  p->shape = below(random, 3) == 0 ? TOI_PATCH_TRIANGLE : TOI_PATCH_QUAD;
  for (int i = 0; i < 2; i++)
    p->degree[i] = 1 + (uint32_t)below(random, below(random, 4) == 0 ? 9 : 3);
  if (p->shape == TOI_PATCH_TRIANGLE)
    p->degree[1] = p->degree[0];
  s->count = toi_patch_points(p->shape, p->degree);
  p->points = (const double(*)[3])s->points;
  p->velocities = below(random, 2) == 0 ? (const double(*)[3])s->velocities : NULL;
  p->weights = below(random, 2) == 0 ? s->weights : NULL;
  const double far = below(random, 4) == 0 ? 1000 : 0;
  if (below(random, 2) == 0) {
    p->error = ldexp(1, -20 - (int)below(random, 30));
    p->velocity_error = p->velocities != NULL ? ldexp(1, -20 - (int)below(random, 30)) : 0;
  }
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, extent = 0;
  for (size_t i = 0; i < s->count; i++) {
    for (int k = 0; k < 3; k++) {
      s->points[i][k] = far + coordinate(random);
      s->velocities[i][k] = coordinate(random);
      lo[k] = fmin(lo[k], s->points[i][k]);
      hi[k] = fmax(hi[k], s->points[i][k]);
    }
    s->weights[i] = p->weights != NULL ? ldexp(0.25 + test_random_unit(random), (int)below(random, 3)) : 1;
  }
  for (int k = 0; k < 3; k++)
    extent = fmax(extent, hi[k] - lo[k]);
  const double fraction = 2 * p->error / extent;
  for (size_t i = 0; i < s->count; i++) {
    displace(random, p->error, s->points[i], s->true_points[i]);
    displace(random, p->velocity_error, s->velocities[i], s->true_velocities[i]);
    s->true_weights[i] = s->weights[i] * (1 + (p->weights != NULL ? fraction * coordinate(random) : 0.0L));
  }
}

/* The jets of x, y, z by u, v, t, at a point of the square. */
static inline void evaluate(const sample *s, const long double at[3], long double jets[3][TOI_JET3]) {
  jet uv[2] = {{{at[0], 1}}, {{at[1], 0, 1}}}, weight = constant(0);
  if (s->patch.shape == TOI_PATCH_TRIANGLE)
    uv[0] = product(uv[0], sum(constant(1), product(constant(-1), uv[1])));
  jet x[3] = {{{0}}, {{0}}, {{0}}}, v[3] = {{{0}}, {{0}}, {{0}}};
  for (size_t i = 0; i < s->count; i++) {
    const jet basis = product(constant(s->true_weights[i]), bernstein(&s->patch, i, uv));
    weight = sum(weight, basis);
    for (int k = 0; k < 3; k++) {
      const long double moved = s->patch.velocities != NULL ? s->true_velocities[i][k] : 0;
      x[k] = sum(x[k], product(constant(s->true_points[i][k] + at[2] * moved), basis));
      v[k] = sum(v[k], product(constant(moved), basis));
    }
  }
  const jet inverse = reciprocal(weight);
  for (int k = 0; k < 3; k++) {
    const jet p = product(x[k], inverse), q = product(v[k], inverse);
    const long double packed[TOI_JET3] = {p.d[0], p.d[1], p.d[2], q.d[0], p.d[3], p.d[4], q.d[1], p.d[5], q.d[2], 0};
    memcpy(jets[k], packed, sizeof packed);
  }
}

static inline toi_interval draw_interval(uint64_t *random, double lo, double hi) {
  double a = lo + (hi - lo) * test_random_unit(random), b = lo + (hi - lo) * test_random_unit(random);
  if (below(random, 2) == 0)
    b = a + (hi - a) * ldexp(1, -(int)below(random, 40));
  if (below(random, 4) == 0)
    a = lo;
  if (below(random, 4) == 0)
    b = hi;
  if (below(random, 4) == 0)
    b = a;
  return (toi_interval){fmin(a, b), fmax(a, b)};
}

/* Sums of up to 100 products of long doubles, times degrees; far below what doubles lose. */
#define ORACLE 0x1p-54

/* A shape of one patch; the caller destroys it. */
static inline toi_shape *shape_of(const sample *s) {
  const toi_model model = {.patches = &s->patch, .patch_count = 1};
  toi_shape *shape = NULL;
  if (toi_shape_patches(context, &model, &shape) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return shape;
}

#endif
