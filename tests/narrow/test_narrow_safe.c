/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Answers of narrow-phase calls that fail, the safe ones on every path; and options and meshes of other sizes. */

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toi/broad.h>
#include <toi/distance.h>
#include <toi/narrow.h>
#include <toi/plugin.h>
#include <toi/proof.h>

#include "support/support.h"

/* A vertex falls on a face. */
static const double falling[24] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};

#define COUNT 3

/* Three times the query, and the same as a mesh. */
typedef struct problem {
  double queries[COUNT][24];
  toi_hit hits[COUNT];
  toi_mesh mesh;
  toi_pair pairs[COUNT];
  toi_options options;
} problem;

static problem *problem_new(void) {
  static const uint32_t faces[1][3] = {{1, 2, 3}};
  problem *p = calloc(1, sizeof *p);
  assert_non_null(p);
  for (size_t i = 0; i < COUNT; i++)
    memcpy(p->queries[i], falling, sizeof falling);
  p->mesh = (toi_mesh){.start = falling, .end = falling + 12, .vertex_count = 4, .faces = faces, .face_count = 1};
  p->options = toi_default_options();
  return p;
}

/* Near from 0, all of them. */
static void assert_safe(const problem *p) {
  for (size_t i = 0; i < COUNT; i++) {
    const toi_hit *hit = &p->hits[i];
    assert_true(hit->verdict == TOI_NEAR && hit->t_lo == 0 && hit->t_hi == 1 && hit->t_safe == 0);
    assert_true(isinf(hit->tolerance_reached) && !hit->touching_at_start);
  }
}

static void expect_batch(toi_context *context, problem *p, toi_kind kind, toi_status expected) {
  memset(p->hits, 0, sizeof p->hits); /* misses */
  assert_int_equal(toi_batch(context, kind, p->queries[0], COUNT, &p->options, p->hits), expected);
  assert_safe(p);
}

static void expect_indexed(toi_context *context, problem *p, const toi_mesh *mesh, toi_status expected) {
  memset(p->hits, 0, sizeof p->hits);
  assert_int_equal(toi_batch_indexed(context, TOI_VERTEX_FACE, mesh, p->pairs, COUNT, &p->options, p->hits), expected);
  assert_safe(p);
}

static void batches_that_fail_leave_safe_answers(void **state) {
  (void)state;
  problem *p = problem_new();
  toi_context *context = test_context(2);
  expect_batch(NULL, p, TOI_VERTEX_FACE, TOI_ERROR_INPUT);
  expect_batch(context, p, TOI_KIND_COUNT, TOI_ERROR_INPUT);
  p->queries[2][7] = NAN;
  expect_batch(context, p, TOI_VERTEX_FACE, TOI_ERROR_INPUT);
  p->queries[2][7] = 0;
  p->options.method = "guesswork";
  expect_batch(context, p, TOI_VERTEX_FACE, TOI_ERROR_UNSUPPORTED);
  expect_indexed(context, p, &p->mesh, TOI_ERROR_UNSUPPORTED);
  p->options = toi_default_options();
  p->options.t_max = 1.5;
  expect_batch(context, p, TOI_VERTEX_FACE, TOI_ERROR_OPTION);
  p->options = (toi_options){.size = 0};
  expect_batch(context, p, TOI_VERTEX_FACE, TOI_ERROR_OPTION);
  p->options = toi_default_options();
  memset(p->hits, 0, sizeof p->hits);
  assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, NULL, COUNT, &p->options, p->hits), TOI_ERROR_INPUT);
  assert_safe(p);
  p->pairs[1].second = 1;
  expect_indexed(context, p, &p->mesh, TOI_ERROR_INPUT);
  p->pairs[1].second = 0;
  expect_indexed(NULL, p, &p->mesh, TOI_ERROR_INPUT);
  expect_indexed(context, p, NULL, TOI_ERROR_INPUT);
  assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, p->queries[0], COUNT, &p->options, p->hits), TOI_OK);
  assert_int_equal(p->hits[2].verdict, TOI_HIT);
  toi_context_destroy(context);
  free(p);
}

/* Exact answers to numbers of hundreds of binary digits need memory, and it is refused. */
static void batches_without_memory_leave_safe_answers(void **state) {
  (void)state;
  problem *p = problem_new();
  p->queries[1][0] = DBL_TRUE_MIN;
  p->queries[1][13] = DBL_MAX / 4;
  p->options.method = "exact";
  size_t refusals = 0;
  for (size_t refuse = 1;; refuse++) {
    test_allocator allocator = {0};
    toi_context *context = test_context_on(&allocator);
    allocator.refuse_at = allocator.calls + refuse;
    allocator.refuse_after = true;
    memset(p->hits, 0, sizeof p->hits);
    const toi_status status = toi_batch(context, TOI_VERTEX_FACE, p->queries[0], COUNT, &p->options, p->hits);
    toi_context_destroy(context);
    if (status == TOI_OK)
      break;
    assert_int_equal(status, TOI_ERROR_MEMORY);
    assert_safe(p);
    refusals++;
  }
  assert_true(refusals > 0);
  free(p);
}

/* The same sentences as those of calls on whole meshes. */
static void a_stride_shorter_than_a_vertex_is_refused(void **state) {
  (void)state;
  problem *p = problem_new();
  toi_context *context = test_context(1);
  toi_mesh mesh = p->mesh;
  for (size_t stride = 1; stride < 24; stride++) {
    mesh.stride = stride;
    expect_indexed(context, p, &mesh, TOI_ERROR_INPUT);
    char sentence[128];
    snprintf(sentence, sizeof sentence, "%s", toi_context_error(context));
    assert_int_equal(toi_mesh_check(context, &mesh), TOI_ERROR_INPUT);
    assert_string_equal(toi_context_error(context), sentence);
  }
  mesh.stride = 24;
  assert_int_equal(toi_batch_indexed(context, TOI_VERTEX_FACE, &mesh, p->pairs, COUNT, &p->options, p->hits), TOI_OK);
  mesh.scalar = (toi_scalar)2;
  expect_indexed(context, p, &mesh, TOI_ERROR_INPUT);
  toi_context_destroy(context);
  free(p);
}

static void distances_and_proofs_that_fail_leave_safe_answers(void **state) {
  (void)state;
  const double points[4][3] = {{0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, NAN, 0}};
  toi_distance distance = {.lo = 7, .hi = 8};
  assert_int_equal(toi_distance_fast(TOI_VERTEX_FACE, points, TOI_NORM_L2, &distance), TOI_ERROR_INPUT);
  assert_true(distance.lo == 0 && isinf(distance.hi) && isnan(distance.u) && isnan(distance.v));
  assert_int_equal(toi_distance_fast(TOI_VERTEX_FACE, NULL, TOI_NORM_L2, &distance), TOI_ERROR_INPUT);
  double part = 5;
  assert_int_equal(toi_distance_part(TOI_VERTEX_FACE, points, TOI_NORM_L2, 1, &part), TOI_ERROR_INPUT);
  assert_true(part == 0);
  part = 5;
  assert_int_equal(toi_distance_part(TOI_VERTEX_EDGE, points, TOI_NORM_L2, -1, &part), TOI_ERROR_INPUT);
  assert_true(part == 0);
  char text[8] = "before";
  size_t size = sizeof text;
  assert_int_equal(toi_distance_rational(TOI_VERTEX_FACE, points, TOI_NORM_L2, text, &size), TOI_ERROR_INPUT);
  assert_true(size == 0 && text[0] == '\0');

  toi_context *context = test_context(1);
  const toi_options options = toi_default_options();
  toi_proof *proof = (toi_proof *)&part;
  assert_int_equal(toi_prove(NULL, TOI_VERTEX_FACE, falling, falling + 12, &options, TOI_PROOF_NUMBER, &proof),
                   TOI_ERROR_INPUT);
  assert_null(proof);
  const char *name = text;
  assert_int_equal(toi_plugin_load(context, "nowhere.so", &name), TOI_ERROR_PLUGIN);
  assert_null(name);
  toi_context_destroy(context);
}

/* --- structs of other sizes --- */

static void structs_are_made_for_any_size(void **state) {
  (void)state;
  unsigned char room[sizeof(toi_options) + 64];
  for (size_t size = sizeof(size_t); size <= sizeof room; size++) {
    memset(room, 0xff, sizeof room);
    toi_options_init((toi_options *)room, size);
    toi_options made = {.size = 0};
    memcpy(&made, room, size < sizeof made ? size : sizeof made);
    assert_int_equal(made.size, size);
    const toi_options defaults = toi_default_options();
    const size_t shared = size < sizeof made ? size : sizeof made;
    assert_memory_equal(room + sizeof size, (const char *)&defaults + sizeof size, shared - sizeof size);
    for (size_t i = size; i < sizeof room; i++)
      assert_int_equal(room[i], 0xff);
  }
  toi_mesh mesh;
  memset(&mesh, 0xff, sizeof mesh);
  toi_mesh_init(&mesh, sizeof mesh);
  const toi_mesh zeroes = {.size = sizeof mesh};
  assert_memory_equal(&mesh, &zeroes, sizeof mesh);
  toi_mesh_options on_mesh = toi_default_mesh_options();
  assert_int_equal(on_mesh.size, sizeof on_mesh);
}

static void sizes_of_other_versions_are_refused(void **state) {
  (void)state;
  problem *p = problem_new();
  toi_context *context = test_context(1);
  static const size_t sizes[] = {1, sizeof(toi_options) - 8, sizeof(toi_options) + 8, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    p->options = toi_default_options();
    p->options.size = sizes[i];
    expect_batch(context, p, TOI_VERTEX_FACE, TOI_ERROR_OPTION);
    toi_hit hit = {.verdict = TOI_MISS};
    assert_int_equal(
        toi_vertex_face((const double(*)[3])falling, (const double(*)[3])(falling + 12), &p->options, &hit),
        TOI_ERROR_OPTION);
    assert_int_equal(hit.verdict, TOI_NEAR);
  }
  p->options = toi_default_options();
  p->mesh.size = sizeof p->mesh;
  assert_int_equal(toi_batch_indexed(context, TOI_VERTEX_FACE, &p->mesh, p->pairs, COUNT, &p->options, p->hits),
                   TOI_OK);
  p->mesh.size = sizeof p->mesh - 8;
  expect_indexed(context, p, &p->mesh, TOI_ERROR_OPTION);
  p->mesh.size = sizeof p->mesh + 8;
  expect_indexed(context, p, &p->mesh, TOI_ERROR_OPTION);
  toi_context_destroy(context);
  free(p);
}

/* What a program that was compiled today relies on. */
static void layouts_of_answers_do_not_change(void **state) {
  (void)state;
  assert_int_equal(sizeof(toi_hit), 120);
  assert_int_equal(sizeof(toi_distance), 104);
  assert_int_equal(sizeof(toi_counters), 8 * (1 + 2 * TOI_COUNTERS + 3));
  assert_int_equal(sizeof(toi_work), 8 * (2 * TOI_COUNTERS + 2) + 32);
  assert_int_equal(sizeof(toi_pair), 8);
  assert_int_equal(sizeof(toi_interval), 16);
  assert_int_equal(sizeof(toi_region), 2);
  assert_true(TOI_LEVEL_COUNT <= TOI_COUNTERS && TOI_KIND_COUNT <= TOI_COUNTERS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(batches_that_fail_leave_safe_answers),
      cmocka_unit_test(batches_without_memory_leave_safe_answers),
      cmocka_unit_test(a_stride_shorter_than_a_vertex_is_refused),
      cmocka_unit_test(distances_and_proofs_that_fail_leave_safe_answers),
      cmocka_unit_test(structs_are_made_for_any_size),
      cmocka_unit_test(sizes_of_other_versions_are_refused),
      cmocka_unit_test(layouts_of_answers_do_not_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
