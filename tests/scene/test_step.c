/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The first impact of a step: equal to the least of all pairs in exact arithmetic, ties and all; the same bits however
 * it is found. */

#include <stdio.h>

#include "scene/oracle.h"

static toi_impact step_with(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  toi_impact impact;
  toi_status status = toi_step(context, mesh, options, &impact);
  if (status != TOI_OK)
    fail_msg("toi_step: %s", toi_context_error(context));
  return impact;
}

static void first_impact_of_swarms_is_the_least_of_all_pairs(void **state) {
  (void)state;
  uint64_t random = test_seed(41), rounds = test_count(60), hits = 0;
  made_mesh *m = made_new();
  toi_context *context = test_context(1);
  for (uint64_t i = 0; i < rounds; i++) {
    // Few cells: many contacts at exactly the same time.
    make_swarm(m, &random, 12 + (uint32_t)(i % 18), i % 2 ? 6 : 64);
    toi_options options;
    toi_mesh_options on_mesh;
    toi_mesh mesh = vary(m, i, &options, &on_mesh);
    toi_impact found = step_with(context, &mesh, &options), best = oracle_first(m, &mesh, &options);
    hits += best.hit.verdict == TOI_HIT;
    assert_same_impact(&found, &best);
  }
  assert_true(hits > rounds / 4);
  toi_context_destroy(context);
  free(m);
}

static void same_impact_for_any_threads_budget_broad_phase_and_method(void **state) {
  (void)state;
  uint64_t random = test_seed(42);
  made_mesh *m = made_new();
  toi_context *first_context = test_context(1);
  for (int round = 0; round < 3; round++) {
    make_fall(m, &random, 14);
    toi_mesh mesh = made_as(m, round == 1 ? TOI_FLOAT32 : TOI_FLOAT64);
    toi_options options = toi_default_options();
    toi_mesh_options on_mesh = toi_default_mesh_options();
    options.on_mesh = &on_mesh;
    options.min_separation = round == 2 ? 0.01 : 0;
    toi_impact expected = step_with(first_context, &mesh, &options);
    assert_int_equal(expected.hit.verdict, TOI_HIT);
    static const uint32_t threads[] = {1, 2, 5};
    for (size_t i = 0; i < 3; i++)
      for (size_t k = 0; toi_broad_name(k); k++) {
        toi_context_options budget = toi_default_context_options();
        budget.threads = threads[i];
        budget.memory_budget = 4u << 20;
        toi_context *context;
        assert_int_equal(toi_context_create(&budget, &context), TOI_OK);
        on_mesh.broad = toi_broad_name(k);
        options.method = k == 1 ? "exact" : NULL;
        toi_impact found = step_with(context, &mesh, &options);
        assert_same_impact(&found, &expected);
        toi_context_destroy(context);
      }
  }
  toi_context_destroy(first_context);
  free(m);
}

/* Copies of one scene, shifted and scaled without rounding, touch at exactly the same irrational times. */
static void copies_touch_at_once_and_the_smallest_numbers_win(void **state) {
  (void)state;
  uint64_t random = test_seed(43);
  made_mesh *m = made_new();
  toi_context *context = test_context(2);
  for (int round = 0; round < 8; round++) {
    make_swarm(m, &random, 18, 4096);
    toi_mesh one = made_as(m, TOI_FLOAT64);
    toi_options options = toi_default_options();
    toi_impact alone = step_with(context, &one, &options);
    // Faces and edges are numbered copy by copy, so that the first copy's pair is the smallest.
    size_t vertices = m->vertex_count, faces = m->face_count, edges = m->edge_count;
    for (uint32_t copy = 1; copy < 4; copy++) {
      for (size_t i = 0; i < vertices; i++) {
        made_vertex(m, 0, 0, 0);
        for (int k = 0; k < 3; k++) {
          double shift = k == 0 ? 4096.0 * copy : 0, scale = copy == 2 ? 2 : 1;
          m->start[copy * vertices + i][k] = scale * m->start[i][k] + shift;
          m->end[copy * vertices + i][k] = scale * m->end[i][k] + shift;
        }
      }
      for (size_t i = 0; i < faces; i++)
        for (int k = 0; k < 3; k++)
          m->faces[copy * faces + i][k] = m->faces[i][k] + copy * (uint32_t)vertices;
      for (size_t i = 0; i < edges; i++)
        for (int k = 0; k < 2; k++)
          m->edges[copy * edges + i][k] = m->edges[i][k] + copy * (uint32_t)vertices;
      m->face_count += faces;
      m->edge_count += edges;
    }
    toi_mesh all = made_as(m, TOI_FLOAT64);
    toi_impact found = step_with(context, &all, &options);
    assert_same_impact(&found, &alone);
  }
  toi_context_destroy(context);
  free(m);
}

static void nothing_touches_and_nothing_is_there(void **state) {
  (void)state;
  made_mesh *m = made_new();
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  toi_mesh empty = {0};
  toi_impact impact = step_with(context, &empty, &options);
  assert_int_equal(impact.hit.verdict, TOI_MISS);
  made_grid(m, 3, 1, (double[3]){0, 0, 0});
  made_grid(m, 3, 1, (double[3]){0, 0, 1});
  made_finish(m);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  impact = step_with(context, &mesh, &options);
  assert_int_equal(impact.hit.verdict, TOI_MISS);
  assert_true(impact.hit.t_lo == INFINITY && impact.hit.t_safe == 1);
  toi_context_destroy(context);
  free(m);
}

/* The edges of the faces are found where none are listed; the numbers are those of toi_mesh_edges(). */
static void edges_are_found_where_none_are_listed(void **state) {
  (void)state;
  uint64_t random = test_seed(44);
  made_mesh *m = made_new();
  toi_context *context = test_context(1);
  make_fall(m, &random, 8);
  toi_options options = toi_default_options();
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_impact expected = step_with(context, &mesh, &options);
  mesh.edges = NULL;
  mesh.edge_count = 0;
  toi_impact found = step_with(context, &mesh, &options);
  assert_same_impact(&found, &expected);
  toi_context_destroy(context);
  free(m);
}

/* A method that cannot prove contact gives the smallest t_lo of all pairs. */
static void methods_that_only_refute_give_the_smallest_lower_bound(void **state) {
  (void)state;
  uint64_t random = test_seed(45);
  made_mesh *m = made_new();
  toi_context *context = test_context(2);
  static const char *const methods[] = {"tight-inclusion", "interval-queue", "time-inclusion"};
  for (int round = 0; round < 6; round++) {
    make_swarm(m, &random, 14, 64);
    toi_mesh mesh = made_as(m, TOI_FLOAT64);
    toi_options options = toi_default_options();
    options.method = methods[round % 3];
    toi_impact found = step_with(context, &mesh, &options);
    all_pairs all = pairs_of(&mesh, &options);
    double least = INFINITY;
    for (toi_kind kind = 0; kind < TOI_KIND_COUNT; kind++)
      for (size_t i = 0; i < all.count[kind]; i++)
        least = fmin(least, oracle_answer(m, &mesh, &options, options.method, kind, all.pairs[kind][i]).t_lo);
    assert_same_bits(found.hit.t_lo, least);
    pairs_free(&all);
  }
  toi_context_destroy(context);
  free(m);
}

static bool stop_at_once(void *user, double done) {
  assert_true(done >= 0 && done <= 1);
  ++*(int *)user;
  return false;
}

static void bad_calls_leave_the_safe_answer(void **state) {
  (void)state;
  uint64_t random = test_seed(46);
  made_mesh *m = made_new();
  toi_context *context = test_context(1);
  make_fall(m, &random, 6);
  toi_options options = toi_default_options(), unset = {0};
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_impact impact;
  assert_int_equal(toi_step(NULL, &mesh, &options, &impact), TOI_ERROR_INPUT);
  assert_int_equal(toi_step(context, NULL, &options, &impact), TOI_ERROR_INPUT);
  assert_int_equal(toi_step(context, &mesh, &unset, &impact), TOI_ERROR_OPTION);
  assert_int_equal(toi_step(context, &mesh, &options, NULL), TOI_ERROR_INPUT);
  on_mesh.broad = "spiral";
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_UNSUPPORTED);
  assert_non_null(strstr(toi_context_error(context), "spiral"));
  options = toi_default_options();
  options.separation_fraction = 1;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_OPTION);
  options = toi_default_options();
  m->end[7][1] = NAN;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "vertex 7"));
  assert_int_equal(impact.hit.verdict, TOI_NEAR);
  assert_true(impact.hit.t_lo == 0);
  m->end[7][1] = 0;
  m->faces[3][1] = 100000;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "face 3"));
  toi_context_destroy(context);
  free(m);
}

/* Every allocation refused in turn: an error and the safe answer, and the context serves afterwards. */
static void refused_memory_is_an_error_and_nothing_leaks(void **state) {
  (void)state;
  uint64_t random = test_seed(47);
  made_mesh *m = made_new();
  make_fall(m, &random, 6);
  toi_options options = toi_default_options();
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  mesh.edges = NULL;
  mesh.edge_count = 0;
  for (size_t refused = 1;; refused++) {
    test_allocator allocator = {0};
    toi_context_options hooks = test_context_options(&allocator, 2);
    toi_context *context;
    assert_int_equal(toi_context_create(&hooks, &context), TOI_OK);
    allocator.refuse_at = allocator.calls + refused;
    toi_impact impact;
    toi_status status = toi_step(context, &mesh, &options, &impact);
    bool reached = allocator.calls >= allocator.refuse_at;
    if (status != TOI_OK) {
      assert_int_equal(status, TOI_ERROR_MEMORY);
      assert_int_equal(impact.hit.verdict, TOI_NEAR);
      assert_true(strlen(toi_context_error(context)) > 0);
      allocator.refuse_at = 0;
      step_with(context, &mesh, &options);
    }
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
    if (!reached)
      break;
  }
  free(m);
}

static void a_budget_too_small_says_so(void **state) {
  (void)state;
  uint64_t random = test_seed(48);
  made_mesh *m = made_new();
  make_fall(m, &random, 20);
  toi_options options = toi_default_options();
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_context_options budget = toi_default_context_options();
  budget.threads = 1;
  budget.memory_budget = 1u << 16;
  toi_context *context;
  toi_impact impact;
  assert_int_equal(toi_context_create(&budget, &context), TOI_OK);
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_MEMORY);
  assert_non_null(strstr(toi_context_error(context), "budget"));
  toi_context_destroy(context);
  free(m);
}

/* Brute force over a large grid takes longer than the callback's patience. */
static void progress_may_stop_the_call(void **state) {
  (void)state;
  uint64_t random = test_seed(49);
  made_mesh *m = made_new();
  make_fall(m, &random, 40);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  int calls = 0;
  on_mesh.broad = "brute";
  options.method = "exact";
  options.min_separation = 8; /* everything is a candidate */
  on_mesh.progress = stop_at_once;
  on_mesh.progress_user = &calls;
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_context *context = test_context(1);
  toi_impact impact;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_CANCELLED);
  assert_int_equal(calls, 1);
  assert_int_equal(impact.hit.verdict, TOI_NEAR);
  toi_context_destroy(context);
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_impact_of_swarms_is_the_least_of_all_pairs),
      cmocka_unit_test(same_impact_for_any_threads_budget_broad_phase_and_method),
      cmocka_unit_test(copies_touch_at_once_and_the_smallest_numbers_win),
      cmocka_unit_test(nothing_touches_and_nothing_is_there),
      cmocka_unit_test(edges_are_found_where_none_are_listed),
      cmocka_unit_test(methods_that_only_refute_give_the_smallest_lower_bound),
      cmocka_unit_test(bad_calls_leave_the_safe_answer),
      cmocka_unit_test(refused_memory_is_an_error_and_nothing_leaks),
      cmocka_unit_test(a_budget_too_small_says_so),
      cmocka_unit_test(progress_may_stop_the_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
