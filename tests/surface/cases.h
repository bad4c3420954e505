/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of moving patches for tests: made at random (as the experiment of Chen 2024 does, or of all shapes and
 * degrees), read from the data sets, and printed as hex floats. */

#ifndef TOI_TESTS_SURFACE_CASES_H
#define TOI_TESTS_SURFACE_CASES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toi/surface.h>

#include "support/support.h"

/* Control points of a quad of the highest degrees. */
#define CASE_POINTS_MOST 100

/* A patch and its arrays in one; made with patch_make or patch_copy, never by assignment. */
typedef struct test_patch {
  toi_patch patch;
  double points[CASE_POINTS_MOST][3], velocities[CASE_POINTS_MOST][3], weights[CASE_POINTS_MOST];
} test_patch;

typedef struct test_case {
  test_patch a, b;
  double t_max;
} test_case;

static inline size_t patch_count(const test_patch *p) {
  return toi_patch_points(p->patch.shape, p->patch.degree);
}

/* A patch of zeroes; polynomial until its weights are linked. */
static inline void patch_make(test_patch *p, toi_patch_shape shape, uint32_t m, uint32_t n) {
  memset(p, 0, sizeof(*p));
  p->patch.shape = shape;
  p->patch.degree[0] = m;
  p->patch.degree[1] = n;
  p->patch.points = (const double(*)[3])p->points;
  p->patch.velocities = (const double(*)[3])p->velocities;
}

static inline void patch_copy(test_patch *to, const test_patch *from) {
  memcpy(to, from, sizeof(*to));
  to->patch.points = (const double(*)[3])to->points;
  to->patch.velocities = from->patch.velocities ? (const double(*)[3])to->velocities : NULL;
  to->patch.weights = from->patch.weights ? to->weights : NULL;
}

static inline void case_copy(test_case *to, const test_case *from) {
  patch_copy(&to->a, &from->a);
  patch_copy(&to->b, &from->b);
  to->t_max = from->t_max;
}

/* --- at random --- */

static inline double random_between(uint64_t *state, double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(state);
}

/* A whole number from 0 to below count. */
static inline uint32_t random_below(uint64_t *state, uint32_t count) {
  return (uint32_t)(test_random(state) % count);
}

static inline void random_direction(uint64_t *state, double d[3]) {
  double length;
  do {
    for (int k = 0; k < 3; k++)
      d[k] = random_between(state, -1, 1);
    length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  } while (length == 0);
  for (int k = 0; k < 3; k++)
    d[k] /= length;
}

/* Points around -side d, moving to the other side. */
static inline void random_points(uint64_t *state, const double d[3], double side, test_patch *p) {
  for (size_t i = 0; i < patch_count(p); i++)
    for (int k = 0; k < 3; k++) {
      p->points[i][k] = random_between(state, -1, 1) - side * d[k];
      p->velocities[i][k] = random_between(state, -1, 1) + side * d[k];
    }
}

/* The distribution of the paper's experiment. */
static inline void random_paper_case(uint64_t *state, toi_patch_shape shape, uint32_t degree, test_case *c) {
  double d[3];
  random_direction(state, d);
  patch_make(&c->a, shape, degree, degree);
  patch_make(&c->b, shape, degree, degree);
  random_points(state, d, 1, &c->a);
  random_points(state, d, -1, &c->b);
  c->t_max = 1;
}

/* Any patch there is: a quad, a triangle, a curve, a point; mostly of low degrees; some rational, some at rest. */
static inline void random_shape(uint64_t *state, test_patch *p) {
  uint32_t most = random_below(state, 4) == 0 ? TOI_PATCH_DEGREE_MOST : 3;
  uint32_t m = 1 + random_below(state, most), n = 1 + random_below(state, most), kind = random_below(state, 8);
  if (kind == 0)
    patch_make(p, TOI_PATCH_QUAD, m, 0);
  else if (kind == 1)
    patch_make(p, TOI_PATCH_QUAD, 0, random_below(state, 2) ? 0 : n);
  else
    patch_make(p, kind < 5 ? TOI_PATCH_QUAD : TOI_PATCH_TRIANGLE, m, n);
  if (random_below(state, 3) != 0)
    return;
  p->patch.weights = p->weights;
  for (size_t i = 0; i < patch_count(p); i++)
    p->weights[i] = exp2(random_between(state, -2, 2));
}

static inline void random_mixed_case(uint64_t *state, test_case *c) {
  static const double spans[] = {1, 1, 1, 0.5, 3, 1e-3, 1e4};
  double d[3];
  random_direction(state, d);
  random_shape(state, &c->a);
  random_shape(state, &c->b);
  // Points and curves would mostly pass each other by: some start closer.
  double side = random_between(state, 0.5, 1);
  random_points(state, d, side, &c->a);
  random_points(state, d, -side, &c->b);
  if (random_below(state, 8) == 0) {
    c->a.patch.velocities = NULL;
    memset(c->a.velocities, 0, sizeof(c->a.velocities));
  }
  // The same motion in another unit of time.
  c->t_max = spans[random_below(state, sizeof(spans) / sizeof(spans[0]))];
  for (size_t i = 0; i < CASE_POINTS_MOST; i++)
    for (int k = 0; k < 3; k++) {
      c->a.velocities[i][k] /= c->t_max;
      c->b.velocities[i][k] /= c->t_max;
    }
}

/* --- questions --- */

static inline toi_surface_hit ask(toi_context *context, const test_case *c, const toi_surface_options *options) {
  toi_surface_options asked = *options;
  toi_surface_hit hit;
  asked.t_max = c->t_max;
  if (toi_patch_pair(context, &c->a.patch, &c->b.patch, &asked, &hit) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return hit;
}

static inline const char *verdict_of(const toi_surface_hit *hit) {
  return toi_verdict_name((toi_verdict)hit->verdict);
}

/* The number-th way to ask: accept and inclusion, then the method, `swept-boxes` with so many checks. */
#define CASE_WAYS 8
static inline toi_surface_options case_way(int number, uint64_t swept_checks) {
  toi_surface_options options = toi_default_surface_options();
  options.accept = (toi_accept)(number & 1);
  options.inclusion = (toi_inclusion)(number >> 1 & 1);
  if (number >> 2 & 1) {
    options.method = "swept-boxes";
    options.max_checks = swept_checks;
  }
  return options;
}

/* --- printing --- */

static inline void patch_print(const char *name, const test_patch *p) {
  const toi_patch *patch = &p->patch;
  print_error("%s: %s of degree %u %u%s\n", name, patch->shape == TOI_PATCH_QUAD ? "quad" : "triangle",
              patch->degree[0], patch->degree[1], patch->velocities ? "" : ", at rest");
  for (size_t i = 0; i < patch_count(p); i++) {
    const double *x = p->points[i], *v = p->velocities[i];
    print_error("  %a %a %a  %a %a %a", x[0], x[1], x[2], v[0], v[1], v[2]);
    if (patch->weights)
      print_error("  %a", patch->weights[i]);
    print_error("\n");
  }
}

static inline void case_print(const test_case *c, const toi_surface_hit *hit) {
  patch_print("a", &c->a);
  patch_print("b", &c->b);
  print_error("t_max %a; %s from %a to %a, %s after %llu checks; a %g %g, b %g %g\n", c->t_max, verdict_of(hit),
              hit->t_lo, hit->t_hi, toi_surface_end_name((toi_surface_end)hit->end), (unsigned long long)hit->checks,
              hit->a[0], hit->a[1], hit->b[0], hit->b[1]);
}

/* --- what every answer must be, whatever the question --- */

static inline bool is_well_formed(const toi_surface_hit *hit, double t_max) {
  if (hit->verdict == TOI_MISS)
    return hit->t_lo == INFINITY && hit->t_hi == INFINITY && hit->t_safe == t_max && isnan(hit->a[0]) &&
           isnan(hit->b[1]) && isnan(hit->distance) && hit->tolerance_reached == 0 && !hit->touching_at_start;
  bool ordered = 0 <= hit->t_lo && hit->t_lo <= hit->t_hi && hit->t_hi <= t_max && 0 <= hit->t_safe &&
                 hit->t_safe <= hit->t_lo && (!hit->touching_at_start || hit->t_lo == 0);
  bool inside = hit->a[0] >= 0 && hit->a[0] <= 1 && hit->a[1] >= 0 && hit->a[1] <= 1 && hit->b[0] >= 0 &&
                hit->b[0] <= 1 && hit->b[1] >= 0 && hit->b[1] <= 1;
  if (hit->verdict == TOI_HIT)
    return ordered && inside && hit->tolerance_reached == 0 && !(hit->touching_at_start && hit->t_safe > 0);
  return hit->verdict == TOI_NEAR && ordered && inside && hit->tolerance_reached >= 0 && !hit->touching_at_start;
}

static inline void check_form(const test_case *c, const toi_surface_hit *hit) {
  if (is_well_formed(hit, c->t_max) && hit->end < TOI_SURFACE_END_COUNT)
    return;
  case_print(c, hit);
  fail_msg("an answer that is none: t_safe %a, distance %g, tolerance reached %g, touching at start %d", hit->t_safe,
           hit->distance, hit->tolerance_reached, hit->touching_at_start);
}

/* --- the data sets --- */

/* The six types of the experiment, with the paper's count of colliding cases among 1000. */
typedef struct patch_type {
  const char *name;
  toi_patch_shape shape;
  uint32_t degree, colliding;
} patch_type;

#define PATCH_TYPE_COUNT 6
static const patch_type patch_types[PATCH_TYPE_COUNT] = {
    {"T1", TOI_PATCH_TRIANGLE, 1, 468}, {"T2", TOI_PATCH_TRIANGLE, 2, 776}, {"T3", TOI_PATCH_TRIANGLE, 3, 932},
    {"Q1", TOI_PATCH_QUAD, 1, 670},     {"Q2", TOI_PATCH_QUAD, 2, 933},     {"Q3", TOI_PATCH_QUAD, 3, 988},
};

/* The cases of one type, and when a contact is known. */
typedef struct data_cases {
  const patch_type *type;
  FILE *cases, *truth;
} data_cases;

/* False, with a line that says so, where there is no data. */
static inline bool data_cases_open(const patch_type *type, data_cases *data) {
  const char *root = test_data_directory();
  if (!root)
    return false;
  char path[1024];
  snprintf(path, sizeof(path), "%s/patches/%s.f64", root, type->name);
  data->type = type;
  data->cases = fopen(path, "rb");
  snprintf(path, sizeof(path), "%s/patches/%s.csv", root, type->name);
  data->truth = fopen(path, "r");
  if (!data->cases || !data->truth) {
    test_skip_reason("no %s", path);
    return false;
  }
  assert_non_null(fgets(path, sizeof(path), data->truth));
  return true;
}

/* The next case and the time of a known contact, infinite where there is none; false after the last. */
static inline bool data_cases_next(const data_cases *data, test_case *c, double *t_ref) {
  char line[512];
  if (!fgets(line, sizeof(line), data->truth))
    return false;
  const char *last = strrchr(line, ',');
  assert_non_null(last);
  *t_ref = strtod(last + 1, NULL);
  test_patch *patches[2] = {&c->a, &c->b};
  for (int i = 0; i < 2; i++) {
    patch_make(patches[i], data->type->shape, data->type->degree, data->type->degree);
    size_t count = patch_count(patches[i]);
    assert_int_equal(fread(patches[i]->points, sizeof(double[3]), count, data->cases), count);
    assert_int_equal(fread(patches[i]->velocities, sizeof(double[3]), count, data->cases), count);
  }
  c->t_max = 1;
  return true;
}

static inline void data_cases_close(const data_cases *data) {
  fclose(data->cases);
  fclose(data->truth);
}

/* As ask(), where there is to be an end to checks and memory. */
#define CASE_CHECKS_MOST 200000
#define CASE_BYTES_MOST (UINT64_C(64) << 20)
static inline toi_surface_hit ask_within(toi_context *context, const test_case *c, const toi_surface_options *options) {
  toi_surface_hit hit = ask(context, c, options);
  check_form(c, &hit);
  if (hit.checks > CASE_CHECKS_MOST || toi_context_bytes(context) > CASE_BYTES_MOST) {
    case_print(c, &hit);
    fail_msg("%llu bytes are held", (unsigned long long)toi_context_bytes(context));
  }
  return hit;
}

#endif
