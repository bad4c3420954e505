/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Many stencils: the same bits in one lane, two and four, in batches of any size on any number of threads, and in
 * single calls; features that have extent have derivatives; what is refused, and what stands there then. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "narrow/stencil.h"
#include "support/support.h"

enum { VERTICES = 64, STENCILS = 1000 };

/* Vertices that are random, on a lattice, or next to each other. */
static void make_vertices(uint64_t *random, double x[VERTICES][3]) {
  for (int i = 0; i < VERTICES; i++)
    for (int k = 0; k < 3; k++)
      x[i][k] = i % 4 == 0            ? (double)(test_random(random) % 5)
                : i % 4 == 1 && i > 4 ? x[i - 1][k] + 0x1p-40 * test_random_unit(random)
                                      : 4 * test_random_unit(random);
}

/* Regions that a pair of this kind has. */
static toi_regions make_regions(uint64_t *random, toi_kind kind) {
  toi_regions regions;
  do {
    regions = (toi_regions){{(uint8_t)(test_random(random) % 3), (uint8_t)(test_random(random) % 3)},
                            {(uint8_t)(test_random(random) % 3), (uint8_t)(test_random(random) % 3)}};
  } while (!toi_regions_valid(kind, regions));
  return regions;
}

/* Has derivatives where the vertices are. */
static toi_stencil make_stencil(uint64_t *random, double x[VERTICES][3]) {
  for (;;) {
    toi_stencil s = {.kind = (toi_kind)(test_random(random) % TOI_KIND_COUNT)};
    toi_stencil_points points = {{{0}}};
    s.vertex_count = toi_kind_points(s.kind);
    for (uint32_t i = 0; i < s.vertex_count; i++) {
      s.vertices[i] = (uint32_t)(test_random(random) % VERTICES);
      memcpy(points.x[i], x[s.vertices[i]], sizeof x[0]);
    }
    if (s.kind == TOI_EDGE_EDGE) {
      const toi_regions regions = toi_regions_with_extent(s.kind, &points, make_regions(random, s.kind));
      s.on_first = regions.first;
      s.on_second = regions.second;
      s.mollifier_threshold = test_random(random) % 3 ? 20 * test_random_unit(random) : 0;
    }
    const toi_stencil_results none = {NULL, NULL, NULL};
    size_t failed;
    if (s.kind == TOI_EDGE_EDGE || toi_stencil_derive(s.kind, &points, 1, &none, &failed))
      return s;
  }
}

typedef struct results {
  double squared[STENCILS], gradients[STENCILS][12], hessians[STENCILS][144];
  double mollifiers[STENCILS], mollifier_gradients[STENCILS][12], mollifier_hessians[STENCILS][144];
} results;

static toi_stencil_arrays arrays_of(results *r) {
  return (toi_stencil_arrays){.squared = r->squared,
                              .gradients = r->gradients,
                              .hessians = r->hessians,
                              .mollifiers = r->mollifiers,
                              .mollifier_gradients = r->mollifier_gradients,
                              .mollifier_hessians = r->mollifier_hessians};
}

static results *new_results(void) {
  results *r = calloc(1, sizeof *r);
  assert_non_null(r);
  return r;
}

/* --- kernels --- */

typedef struct lanes {
  double squared[TOI_STENCIL_BLOCK], gradients[TOI_STENCIL_BLOCK][12], hessians[TOI_STENCIL_BLOCK][144];
  toi_stencil_place places[TOI_STENCIL_BLOCK];
  double values[TOI_STENCIL_BLOCK], slopes[TOI_STENCIL_BLOCK][12], bends[TOI_STENCIL_BLOCK][144];
  uint8_t outcomes[3][TOI_STENCIL_BLOCK];
} lanes;

/* A block of stencils that a kernel is tried on. */
typedef struct trial {
  toi_kind kind;
  size_t count;
  toi_stencil_points points[TOI_STENCIL_BLOCK];
  double thresholds[TOI_STENCIL_BLOCK];
} trial;

static void run_kernel(const toi_stencil_kernel *kernel, const trial *t, lanes *out) {
  const size_t count = t->count;
  toi_stencil_results to[TOI_STENCIL_BLOCK], mollified[TOI_STENCIL_BLOCK];
  memset(out, 0, sizeof *out);
  for (size_t i = 0; i < count; i++) {
    to[i] = (toi_stencil_results){&out->squared[i], out->gradients[i], out->hessians[i]};
    mollified[i] = (toi_stencil_results){&out->values[i], out->slopes[i], out->bends[i]};
  }
  if (t->kind != TOI_VERTEX_VERTEX)
    kernel->derive(t->kind, t->points, count, to, out->outcomes[0]);
  kernel->place(t->kind, t->points, count, out->places, out->outcomes[1]);
  if (t->kind == TOI_EDGE_EDGE)
    kernel->mollify(t->points, t->thresholds, count, mollified, out->outcomes[2]);
  // Bits of what is not settled may differ: a NaN has many.
  for (size_t i = 0; i < count; i++) {
    if (!(out->outcomes[0][i] & TOI_STENCIL_SETTLED)) {
      memset(&out->squared[i], 0, sizeof out->squared[i]);
      memset(out->gradients[i], 0, sizeof out->gradients[i]);
      memset(out->hessians[i], 0, sizeof out->hessians[i]);
    }
    if (!(out->outcomes[1][i] & TOI_STENCIL_SETTLED))
      memset(&out->places[i], 0, sizeof out->places[i]);
    if (!(out->outcomes[2][i] & TOI_STENCIL_SETTLED)) {
      memset(&out->values[i], 0, sizeof out->values[i]);
      memset(out->slopes[i], 0, sizeof out->slopes[i]);
      memset(out->bends[i], 0, sizeof out->bends[i]);
    }
  }
}

static void make_trial(uint64_t *random, uint64_t round, trial *t) {
  const int style = (int)(test_random(random) % 6);
  t->kind = (toi_kind)(round % TOI_KIND_COUNT);
  t->count = 1 + test_random(random) % TOI_STENCIL_BLOCK;
  for (size_t i = 0; i < t->count; i++) {
    const int power = (int)(test_random(random) % 12) - 6;
    t->thresholds[i] = ldexp(1 + test_random_unit(random), power);
    for (int k = 0; k < 16; k++)
      t->points[i].x[k / 4][k % 4] = style < 4    ? test_random_extreme(random, style)
                                     : style == 4 ? (double)(test_random(random) % 5)
                                                  : test_random_unit(random);
  }
}

static void kernels_give_the_same_bits(void **state) {
  (void)state;
  uint64_t random = test_seed(31);
  static lanes out[2];
  static trial t;
  size_t settled = 0;
  for (uint64_t round = 0; round < test_count(4000); round++) {
    make_trial(&random, round, &t);
    run_kernel(&toi_stencil_kernel_scalar, &t, &out[0]);
    run_kernel(&toi_stencil_kernel_two, &t, &out[1]);
    assert_memory_equal(&out[0], &out[1], sizeof out[0]);
#if defined(__x86_64__)
    if (toi_stencil_kernel_best(TOI_STENCIL_BLOCK) == &toi_stencil_kernel_avx2) {
      run_kernel(&toi_stencil_kernel_avx2, &t, &out[1]);
      assert_memory_equal(&out[0], &out[1], sizeof out[0]);
      run_kernel(&toi_stencil_kernel_rows, &t, &out[1]);
      assert_memory_equal(&out[0], &out[1], sizeof out[0]);
    }
#endif
    for (size_t i = 0; i < t.count; i++)
      settled += out[0].outcomes[0][i] & TOI_STENCIL_SETTLED;
  }
  printf("%zu settled\n", settled);
  assert_true(settled > 0);
}

/* The hash of all results of the first 400 blocks; a change of the kernels' arithmetic changes it, nothing else may. */
#define EXPECTED_HASH UINT64_C(0xa8f3b3147acb9c66)

static void kernels_give_the_same_bits_on_every_machine(void **state) {
  (void)state;
  uint64_t random = 99, hash = 0;
  static lanes out;
  static trial t;
  for (uint64_t round = 0; round < 400; round++) {
    make_trial(&random, round, &t);
    run_kernel(toi_stencil_kernel_best(TOI_STENCIL_BLOCK), &t, &out);
    for (size_t i = 0; i + sizeof hash <= sizeof out; i += sizeof hash) {
      uint64_t word;
      memcpy(&word, (const char *)&out + i, sizeof word);
      hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
      hash ^= hash >> 29;
    }
  }
  if (hash != EXPECTED_HASH)
    fail_msg("hash 0x%016llx", (unsigned long long)hash);
}

/* --- batches --- */

/* What the batch gives for a stencil, by single calls. */
static void check_single(const toi_stencil *s, double x[VERTICES][3], const results *r, size_t i) {
  const toi_features features = s->kind == TOI_EDGE_EDGE
                                    ? toi_features_of(s->kind, (toi_regions){s->on_first, s->on_second})
                                    : (toi_features){.kind = s->kind, .points = {0, 1, 2, 3}};
  const size_t points = toi_kind_points(features.kind), n = 3 * points, whole = (size_t)3 * s->vertex_count;
  double at[4][3], all[4][3], squared, gradient[12], hessian[144], spread[12] = {0}, matrix[144] = {0};
  for (uint32_t k = 0; k < s->vertex_count; k++)
    memcpy(all[k], x[s->vertices[k]], sizeof all[k]);
  for (size_t k = 0; k < points; k++)
    memcpy(at[k], all[features.points[k]], sizeof at[k]);
  assert_int_equal(toi_stencil_derivatives(features.kind, (const double(*)[3])at, &squared, gradient, hessian), TOI_OK);
  for (size_t row = 0; row < n; row++) {
    const size_t to = 3 * (size_t)features.points[row / 3] + row % 3;
    spread[to] = gradient[row];
    for (size_t column = 0; column < n; column++)
      matrix[whole * to + 3 * (size_t)features.points[column / 3] + column % 3] = hessian[n * row + column];
  }
  assert_memory_equal(&squared, &r->squared[i], sizeof squared);
  assert_memory_equal(spread, r->gradients[i], whole * sizeof(double));
  assert_memory_equal(matrix, r->hessians[i], whole * whole * sizeof(double));
  double value = 1;
  memset(gradient, 0, sizeof gradient);
  memset(hessian, 0, sizeof hessian);
  if (s->mollifier_threshold > 0)
    assert_int_equal(toi_stencil_mollifier((const double(*)[3])all, s->mollifier_threshold, &value, gradient, hessian),
                     TOI_OK);
  assert_memory_equal(&value, &r->mollifiers[i], sizeof value);
  assert_memory_equal(gradient, r->mollifier_gradients[i], whole * sizeof(double));
  assert_memory_equal(hessian, r->mollifier_hessians[i], whole * whole * sizeof(double));
}

static void batches_have_the_bits_of_single_calls(void **state) {
  (void)state;
  uint64_t random = test_seed(32);
  double x[VERTICES][3];
  toi_stencil *stencils = calloc(STENCILS, sizeof *stencils);
  results *first = new_results(), *next = new_results();
  assert_non_null(stencils);
  make_vertices(&random, x);
  for (size_t i = 0; i < STENCILS; i++)
    stencils[i] = make_stencil(&random, x);
  const toi_mesh mesh = {.start = x, .vertex_count = VERTICES};
  for (uint32_t threads = 1; threads <= 5; threads += 2) {
    toi_context *context = test_context(threads);
    results *r = threads == 1 ? first : next;
    toi_stencil_arrays arrays;
    memset(r, 0, sizeof *r);
    toi_stencil_arrays_init(&arrays, sizeof arrays);
    const toi_stencil_arrays filled = arrays_of(r);
    memcpy((char *)&arrays + sizeof arrays.size, (const char *)&filled + sizeof arrays.size,
           sizeof arrays - sizeof arrays.size);
    if (toi_stencil_batch(context, &mesh, stencils, STENCILS, &arrays) != TOI_OK)
      fail_msg("%s", toi_context_error(context));
    if (threads > 1)
      assert_memory_equal(first, next, sizeof *first);
    // One by one, and one array at a time.
    for (size_t i = 0; i < STENCILS; i += threads) {
      double squared, gradient[1][12];
      const toi_stencil_arrays one = {.squared = &squared}, other = {.gradients = gradient};
      assert_int_equal(toi_stencil_batch(context, &mesh, stencils + i, 1, &one), TOI_OK);
      assert_int_equal(toi_stencil_batch(context, &mesh, stencils + i, 1, &other), TOI_OK);
      assert_memory_equal(&squared, &first->squared[i], sizeof squared);
      assert_memory_equal(gradient[0], first->gradients[i], 3 * stencils[i].vertex_count * sizeof(double));
    }
    toi_context_destroy(context);
  }
  for (size_t i = 0; i < STENCILS; i++)
    check_single(&stencils[i], x, first, i);
  free(first);
  free(next);
  free(stencils);
}

static void floats_and_strides_are_read_as_the_mesh_lays_them_out(void **state) {
  (void)state;
  uint64_t random = test_seed(33);
  double x[VERTICES][3], wide[VERTICES][5];
  float narrow[VERTICES][4];
  results *r[3] = {new_results(), new_results(), new_results()};
  toi_stencil stencils[100];
  toi_context *context = test_context(2);
  make_vertices(&random, x);
  for (int i = 0; i < VERTICES; i++)
    for (int k = 0; k < 3; k++) {
      narrow[i][k] = (float)x[i][k];
      wide[i][k] = x[i][k] = (double)narrow[i][k];
    }
  for (size_t i = 0; i < 100; i++)
    stencils[i] = make_stencil(&random, x);
  const toi_mesh meshes[3] = {
      {.start = x, .vertex_count = VERTICES},
      {.start = narrow, .scalar = TOI_FLOAT32, .stride = sizeof narrow[0], .vertex_count = VERTICES},
      {.start = wide, .stride = sizeof wide[0], .vertex_count = VERTICES}};
  for (int i = 0; i < 3; i++) {
    const toi_stencil_arrays arrays = arrays_of(r[i]);
    assert_int_equal(toi_stencil_batch(context, &meshes[i], stencils, 100, &arrays), TOI_OK);
    assert_memory_equal(r[0], r[i], sizeof *r[i]);
  }
  for (int i = 0; i < 3; i++)
    free(r[i]);
  toi_context_destroy(context);
}

/* --- extent --- */

/* Any regions, of any points: the features that are left have derivatives. */
static void features_with_extent_have_derivatives(void **state) {
  (void)state;
  uint64_t random = test_seed(34);
  size_t smaller = 0;
  for (uint64_t round = 0; round < test_count(100000); round++) {
    const toi_kind kind = (toi_kind)(round % TOI_KIND_COUNT);
    const int style = (int)(test_random(&random) % 7);
    toi_stencil_points points = {{{0}}}, part = {{{0}}};
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 3; k++)
        points.x[i][k] = style < 4    ? test_random_extreme(&random, style)
                         : style == 4 ? (double)(test_random(&random) % 3)
                         : style == 5 ? (i > 0 ? points.x[0][k] + ldexp(1, -(int)(test_random(&random) % 90)) : 1)
                                      : test_random_unit(&random);
    const toi_regions given = make_regions(&random, kind), left = toi_regions_with_extent(kind, &points, given);
    assert_true(toi_regions_valid(kind, left));
    smaller += memcmp(&given, &left, sizeof left) != 0;
    const toi_features features = toi_features_of(kind, left);
    for (uint32_t i = 0; i < toi_kind_points(features.kind); i++)
      memcpy(part.x[i], points.x[features.points[i]], sizeof part.x[i]);
    // Only the Hessian: the others may overflow.
    double hessian[144];
    const toi_stencil_results to = {NULL, NULL, hessian};
    size_t failed;
    if (features.kind != TOI_VERTEX_VERTEX && !toi_stencil_derive(features.kind, &part, 1, &to, &failed)) {
      for (uint32_t i = 0; i < toi_kind_points(features.kind); i++)
        fprintf(stderr, "%a %a %a\n", part.x[i][0], part.x[i][1], part.x[i][2]);
      fail_msg("no derivatives of %s", toi_kind_name(features.kind));
    }
  }
  printf("%zu reduced\n", smaller);
  assert_true(smaller > 0);
}

/* --- refused --- */

static void bad_stencils_are_refused_with_their_number(void **state) {
  (void)state;
  uint64_t random = test_seed(35);
  double x[VERTICES][3];
  make_vertices(&random, x);
  toi_stencil good[200];
  for (int i = 0; i < 200; i++)
    good[i] = make_stencil(&random, x);
  results *r = new_results();
  const toi_stencil_arrays arrays = arrays_of(r);
  toi_context *context = test_context(3);
  const toi_mesh mesh = {.start = x, .vertex_count = VERTICES};
  for (int way = 0; way < 7; way++) {
    toi_stencil stencils[200];
    memcpy(stencils, good, sizeof good);
    toi_stencil *bad = &stencils[137];
    *bad = (toi_stencil){.kind = TOI_EDGE_EDGE,
                         .vertices = {0, 1, 2, 3},
                         .on_first = {1, 0},
                         .on_second = {1, 0},
                         .mollifier_threshold = 1};
    if (way == 0)
      bad->kind = (toi_kind)17;
    else if (way == 1)
      bad->vertices[3] = VERTICES;
    else if (way == 2)
      bad->on_second.dimension = 2;
    else if (way == 3)
      bad->on_first.index = 1;
    else if (way == 4)
      bad->mollifier_threshold = NAN;
    else if (way == 5)
      bad->vertices[1] = 0;
    else
      bad->mollifier_threshold = -1;
    memset(r, 0x55, sizeof *r);
    assert_int_equal(toi_stencil_batch(context, &mesh, stencils, 200, &arrays), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), "stencil 137 "));
    for (size_t i = 0; i < 200; i++)
      assert_true(r->squared[i] == 0 && r->hessians[i][143] == 0 && r->mollifiers[i] == 0 &&
                  r->mollifier_hessians[i][0] == 0 && r->gradients[i][0] == 0 && r->mollifier_gradients[i][11] == 0);
  }
  toi_stencil_arrays sized = arrays;
  sized.size = 8;
  assert_int_equal(toi_stencil_batch(context, &mesh, good, 200, &sized), TOI_ERROR_OPTION);
  assert_int_equal(toi_stencil_batch(context, &mesh, good, 200, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_stencil_batch(context, NULL, good, 200, &arrays), TOI_ERROR_INPUT);
  assert_int_equal(toi_stencil_batch(context, &mesh, NULL, 200, &arrays), TOI_ERROR_INPUT);
  assert_int_equal(toi_stencil_batch(NULL, &mesh, good, 200, &arrays), TOI_ERROR_INPUT);
  const toi_mesh empty = {.start = NULL};
  assert_int_equal(toi_stencil_batch(context, &empty, good, 200, &arrays), TOI_ERROR_INPUT);
  assert_int_equal(toi_stencil_batch(context, &empty, NULL, 0, &arrays), TOI_OK);
  x[good[50].vertices[0]][1] = NAN;
  assert_int_equal(toi_stencil_batch(context, &mesh, good + 50, 1, &arrays), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "stencil 0 has no derivatives"));
  free(r);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_give_the_same_bits),
      cmocka_unit_test(kernels_give_the_same_bits_on_every_machine),
      cmocka_unit_test(batches_have_the_bits_of_single_calls),
      cmocka_unit_test(floats_and_strides_are_read_as_the_mesh_lays_them_out),
      cmocka_unit_test(features_with_extent_have_derivatives),
      cmocka_unit_test(bad_stencils_are_refused_with_their_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
