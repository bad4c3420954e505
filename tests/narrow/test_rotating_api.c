/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The calls on pairs of turning bodies: batches and meshes give the bits of single calls on any number of threads, bad
 * input is refused with a sentence, and memory may fail anywhere. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "narrow/rotating_cases.h"

enum { QUERIES = 1500 };

/* Many queries of one pair of bodies. */
typedef struct many {
  rotating_case c;
  double points[QUERIES][4][3];
} many;

static many *make_many(uint64_t seed, toi_kind kind) {
  many *m = calloc(1, sizeof *m);
  assert_non_null(m);
  uint64_t state = seed;
  m->c = case_random(&state, CASE_RANDOM, kind);
  for (int i = 0; i < QUERIES; i++) {
    rotating_case other = m->c;
    case_points(&state, i % 3 ? CASE_RANDOM : CASE_GRID, &other);
    memcpy(m->points[i], other.points, sizeof other.points);
  }
  return m;
}

static toi_moving_pair *pair_of(toi_context *context, const rotating_case *c) {
  toi_moving_pair *pair;
  assert_int_equal(toi_moving_pair_create(context, &c->body[0], &c->body[1], &pair), TOI_OK);
  return pair;
}

static void batches_are_single_calls_on_any_number_of_threads(void **state) {
  (void)state;
  static toi_hit single[QUERIES], batch[QUERIES];
  for (int kind = 0; kind < 2; kind++) {
    many *m = make_many(11, (toi_kind)kind);
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
      toi_context *context = test_context(threads);
      toi_moving_pair *pair = pair_of(context, &m->c);
      toi_counters counters = {0};
      toi_options options = toi_default_options();
      for (int i = 0; i < QUERIES; i++)
        assert_int_equal(
            toi_moving_pair_query(pair, (toi_kind)kind, (const double(*)[3])m->points[i], &options, &single[i]),
            TOI_OK);
      options.counters = &counters;
      assert_int_equal(toi_moving_pair_batch(pair, (toi_kind)kind, m->points[0][0], QUERIES, &options, batch), TOI_OK);
      assert_memory_equal(single, batch, sizeof batch);
      assert_int_equal(counters.queries, QUERIES);
      assert_int_equal(counters.verdicts[TOI_HIT] + counters.verdicts[TOI_MISS], QUERIES);
      assert_true(counters.verdicts[TOI_HIT] > 0);
      toi_moving_pair_destroy(pair);
      toi_context_destroy(context);
    }
    free(m);
  }
}

/* Meshes whose edges and faces are those of the queries. */
static void meshes_give_the_same_answers(void **state) {
  (void)state;
  enum { COUNT = 300 };
  static toi_hit batch[COUNT], indexed[COUNT];
  static double first[2 * COUNT][3], second[3 * COUNT][3];
  static uint32_t edges[2][COUNT][2], faces[COUNT][3];
  static toi_pair pairs[COUNT];
  toi_context *context = test_context(2);
  toi_options options = toi_default_options();
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
    static double queries[COUNT * 12];
    size_t points = toi_kind_points((toi_kind)kind), half = kind == TOI_EDGE_EDGE ? 2 : 1, rest = points - half;
    many *m = make_many(13, (toi_kind)kind);
    for (uint32_t i = 0; i < COUNT; i++) {
      memcpy(queries + i * 3 * points, m->points[i], points * sizeof m->points[i][0]);
      memcpy(first[i * half], m->points[i], half * sizeof first[0]);
      memcpy(second[i * rest], m->points[i][half], rest * sizeof second[0]);
      for (uint32_t j = 0; j < 2; j++) {
        edges[0][i][j] = 2 * i + j;
        edges[1][i][j] = 2 * i + j;
      }
      for (uint32_t j = 0; j < 3; j++)
        faces[i][j] = 3 * i + j;
      pairs[i] = (toi_pair){i, i};
    }
    const toi_mesh a = {.start = first,
                        .vertex_count = COUNT * half,
                        .edges = (const uint32_t(*)[2])edges[0],
                        .edge_count = kind == TOI_EDGE_EDGE ? COUNT : 0};
    const toi_mesh b = {.start = second,
                        .vertex_count = COUNT * rest,
                        .edges = (const uint32_t(*)[2])edges[1],
                        .edge_count = rest == 2 ? COUNT : 0,
                        .faces = (const uint32_t(*)[3])faces,
                        .face_count = rest == 3 ? COUNT : 0};
    const toi_mesh *const meshes[2] = {&a, &b};
    toi_moving_pair *pair = pair_of(context, &m->c);
    assert_int_equal(toi_moving_pair_batch(pair, (toi_kind)kind, queries, COUNT, &options, batch), TOI_OK);
    assert_int_equal(toi_moving_pair_batch_indexed(pair, (toi_kind)kind, meshes, pairs, COUNT, &options, indexed),
                     TOI_OK);
    assert_memory_equal(batch, indexed, sizeof batch);
    pairs[7].second = COUNT;
    assert_int_equal(toi_moving_pair_batch_indexed(pair, (toi_kind)kind, meshes, pairs, COUNT, &options, indexed),
                     TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), "pair 7 (7, 300): its second number is out of range"));
    assert_true(indexed[0].verdict == TOI_NEAR && indexed[COUNT - 1].t_safe == 0);
    toi_moving_pair_destroy(pair);
    free(m);
  }
  toi_context_destroy(context);
}

static void assert_refused(toi_context *context, const toi_moving_body *first, const toi_moving_body *second,
                           const char *sentence) {
  toi_moving_pair *pair = (toi_moving_pair *)(void *)&pair;
  assert_int_not_equal(toi_moving_pair_create(context, first, second, &pair), TOI_OK);
  assert_null(pair);
  if (strstr(toi_context_error(context), sentence) == NULL)
    fail_msg("'%s' does not say '%s'", toi_context_error(context), sentence);
}

static void bad_bodies_are_refused(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_moving_body good, bad;
  toi_moving_body_init(&good, sizeof good);
  bad = good;
  memset(bad.end.quaternion, 0, sizeof bad.end.quaternion);
  assert_refused(context, &good, &bad, "second body: its quaternion at the end is zero");
  bad = good;
  bad.start.quaternion[2] = NAN;
  assert_refused(context, &bad, &good, "first body: component y of its quaternion at the start is nan");
  bad = good;
  bad.end.position[1] = INFINITY;
  assert_refused(context, &bad, &good, "first body: coordinate y of its position at the end is inf");
  bad = good;
  bad.law = (toi_law)77;
  assert_refused(context, &good, &bad, "second body: law is 77");
  bad = good;
  bad.size = 24;
  assert_refused(context, &bad, &good, "toi_moving_body");
  bad.size = sizeof bad + 64;
  assert_refused(context, &bad, &good, "toi_moving_body");
  assert_refused(context, NULL, &good, "");
  // From zeroes: the first layout, with the quaternions set.
  const toi_moving_body plain = {.start.quaternion = {1}, .end.quaternion = {1}};
  toi_moving_pair *pair;
  assert_int_equal(toi_moving_pair_create(context, &plain, &good, &pair), TOI_OK);
  toi_moving_pair_destroy(pair);
  toi_moving_pair_destroy(NULL);
  assert_int_equal(toi_moving_pair_create(NULL, &plain, &good, &pair), TOI_ERROR_INPUT);
  assert_int_equal(toi_moving_pair_create(context, &plain, &good, NULL), TOI_ERROR_INPUT);
  toi_context_destroy(context);
}

static void bad_queries_are_refused(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t random = 17;
  rotating_case c = case_random(&random, CASE_RANDOM, TOI_VERTEX_FACE);
  toi_moving_pair *pair = pair_of(context, &c);
  toi_options options = toi_default_options();
  const double(*points)[3] = (const double(*)[3])c.points;
  toi_hit hit;
  assert_int_equal(toi_moving_pair_query(NULL, c.kind, points, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(hit.verdict, TOI_NEAR);
  assert_int_equal(toi_moving_pair_query(pair, (toi_kind)9, points, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(toi_moving_pair_query(pair, c.kind, NULL, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(toi_moving_pair_query(pair, c.kind, points, &options, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_moving_pair_query(pair, c.kind, points, NULL, &hit), TOI_ERROR_OPTION);
  c.points[2][1] = NAN;
  assert_int_equal(toi_moving_pair_query(pair, c.kind, points, &options, &hit), TOI_ERROR_INPUT);
  assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.t_safe == 0);
  assert_int_equal(toi_moving_pair_batch(pair, c.kind, points[0], 1, &options, &hit), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), "query 0: coordinate y of f1 is nan; it must be finite");
  c.points[2][1] = 0;
  options.min_separation = 0.1;
  options.norm = TOI_NORM_LINF;
  assert_int_equal(toi_moving_pair_batch(pair, c.kind, points[0], 1, &options, &hit), TOI_ERROR_UNSUPPORTED);
  assert_non_null(strstr(toi_context_error(context), "Euclidean norm only"));
  options.norm = TOI_NORM_L2;
  options.method = "exact";
  assert_int_equal(toi_moving_pair_batch(pair, c.kind, points[0], 1, &options, &hit), TOI_ERROR_UNSUPPORTED);
  assert_non_null(strstr(toi_context_error(context), "'exact' does not support turning bodies with a separation"));
  options.method = NULL;
  options.min_separation = 0;
  options.separation_fraction = 0.5;
  assert_int_equal(toi_moving_pair_batch(pair, c.kind, points[0], 1, &options, &hit), TOI_ERROR_UNSUPPORTED);
  assert_non_null(strstr(toi_context_error(context), "instead of separation_fraction"));
  options.separation_fraction = 0;
  options.method = "cubic";
  assert_int_equal(toi_moving_pair_batch(pair, c.kind, points[0], 1, &options, &hit), TOI_ERROR_UNSUPPORTED);
  assert_non_null(strstr(toi_context_error(context), "'cubic' does not support turning bodies"));
  options.method = NULL;
  assert_int_equal(toi_moving_pair_batch(pair, (toi_kind)9, points[0], 1, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(toi_moving_pair_batch(pair, c.kind, NULL, 1, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(toi_moving_pair_batch(pair, c.kind, points[0], 1, &options, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_moving_pair_batch(pair, c.kind, NULL, 0, &options, NULL), TOI_OK);
  assert_int_equal(toi_moving_pair_batch(NULL, c.kind, points[0], 1, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(hit.verdict, TOI_NEAR);
  toi_moving_pair_destroy(pair);
  toi_context_destroy(context);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  uint64_t random = 19;
  const rotating_case c = case_random(&random, CASE_PIVOT, TOI_VERTEX_FACE);
  const double(*points)[3] = (const double(*)[3])c.points;
  for (size_t refused = 1, done = 0; !done; refused++) {
    test_allocator allocator = {0};
    toi_context *context = test_context_on(&allocator);
    toi_moving_pair *pair;
    toi_options options = toi_default_options();
    toi_hit hit = {.verdict = TOI_HIT};
    allocator.refuse_at = allocator.calls + refused;
    toi_status status = toi_moving_pair_create(context, &c.body[0], &c.body[1], &pair);
    if (status == TOI_OK)
      status = toi_moving_pair_batch(pair, c.kind, points[0], 1, &options, &hit);
    done = status == TOI_OK;
    if (!done) {
      assert_int_equal(status, TOI_ERROR_MEMORY);
      assert_true(toi_context_error(context)[0] != '\0');
      assert_true(pair == NULL || hit.verdict == TOI_NEAR);
    }
    toi_moving_pair_destroy(pair);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_true(refused < 20);
  }
}

/* Once warmed up, batches allocate nothing. */
static void batches_allocate_nothing_more(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t random = 23;
  const rotating_case c = case_random(&random, CASE_PIVOT, TOI_VERTEX_FACE);
  toi_moving_pair *pair = pair_of(context, &c);
  toi_options options = toi_default_options();
  toi_hit hit;
  assert_int_equal(toi_moving_pair_batch(pair, c.kind, c.points[0], 1, &options, &hit), TOI_OK);
  uint64_t bytes = toi_context_bytes(context);
  for (int i = 0; i < 10; i++)
    assert_int_equal(toi_moving_pair_batch(pair, c.kind, c.points[0], 1, &options, &hit), TOI_OK);
  assert_int_equal(toi_context_bytes(context), bytes);
  toi_moving_pair_destroy(pair);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(batches_are_single_calls_on_any_number_of_threads),
      cmocka_unit_test(meshes_give_the_same_answers),
      cmocka_unit_test(bad_bodies_are_refused),
      cmocka_unit_test(bad_queries_are_refused),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(batches_allocate_nothing_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
