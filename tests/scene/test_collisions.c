/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every collision of a step: the pairs that single calls find among all pairs, with the same bits, in order. */

#include <stdio.h>

#include "scene/oracle.h"

typedef struct collected {
  toi_collision *list;
  size_t count, calls;
} collected;

static toi_status collect(void *user, const toi_collision *collisions, size_t count) {
  collected *all = user;
  assert_true(count > 0);
  all->list = realloc(all->list, (all->count + count) * sizeof(*collisions));
  assert_non_null(all->list);
  memcpy(all->list + all->count, collisions, count * sizeof(*collisions));
  all->count += count;
  all->calls++;
  return TOI_OK;
}

static collected collisions_with(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  collected all = {0};
  if (toi_collisions(context, mesh, options, collect, &all) != TOI_OK)
    fail_msg("toi_collisions: %s", toi_context_error(context));
  return all;
}

static void check_list(const made_mesh *m, const toi_mesh *mesh, const toi_options *options, const collected *found) {
  all_pairs all = pairs_of(mesh, options);
  size_t next = 0;
  for (toi_kind kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (size_t i = 0; i < all.count[kind]; i++) {
      toi_pair pair = all.pairs[kind][i];
      toi_hit hit = oracle_answer(m, mesh, options, NULL, kind, pair);
      if (hit.verdict == TOI_MISS)
        continue;
      assert_true(next < found->count);
      const toi_collision *own = &found->list[next++];
      assert_int_equal(own->kind, kind);
      assert_int_equal(own->pair.first, pair.first);
      assert_int_equal(own->pair.second, pair.second);
      assert_same_hit(&own->hit, &hit);
    }
  assert_int_equal(next, found->count);
  pairs_free(&all);
}

static void collisions_of_swarms_are_those_of_all_pairs(void **state) {
  (void)state;
  uint64_t random = test_seed(51), rounds = test_count(60), hits = 0;
  made_mesh *m = made_new();
  toi_context *context = test_context(2);
  for (uint64_t i = 0; i < rounds; i++) {
    make_swarm(m, &random, 12 + (uint32_t)(i % 18), i % 2 ? 6 : 64);
    toi_options options;
    toi_mesh_options on_mesh;
    toi_mesh mesh = vary(m, i, &options, &on_mesh);
    collected found = collisions_with(context, &mesh, &options);
    check_list(m, &mesh, &options, &found);
    hits += found.count;
    free(found.list);
  }
  assert_true(hits > rounds);
  toi_context_destroy(context);
  free(m);
}

/* Floats or doubles refute first: the same records, bit for bit, and the same candidates and verdicts counted. Meshes
 * of doubles and of floats, the whole step and part of it. */
static void same_records_with_either_filter(void **state) {
  (void)state;
  uint64_t random = test_seed(57), rounds = test_count_from(24, 6), hits = 0, settled = 0;
  made_mesh *m = made_new();
  for (uint64_t i = 0; i < rounds; i++) {
    if (i % 3 == 0)
      make_fall(m, &random, 10 + (uint32_t)(i % 5));
    else
      make_swarm(m, &random, 40, i % 2 ? 6 : 64);
    const toi_mesh mesh = made_as(m, i % 4 ? TOI_FLOAT64 : TOI_FLOAT32);
    toi_context *contexts[2] = {test_context(1), test_context(3)};
    collected found[2];
    toi_counters counters[2] = {{0}, {0}};
    toi_impact impacts[2];
    for (int filter = 0; filter < 2; filter++) {
      toi_options options = toi_default_options();
      options.filter = (toi_filter)filter;
      options.counters = &counters[filter];
      options.t_max = i % 5 == 4 ? 0.4 : 1;
      found[filter] = collisions_with(contexts[filter], &mesh, &options);
      options.counters = NULL;
      assert_int_equal(toi_step(contexts[filter], &mesh, &options, &impacts[filter]), TOI_OK);
      toi_context_destroy(contexts[filter]);
    }
    assert_int_equal(found[0].count, found[1].count);
    if (found[0].count > 0)
      assert_memory_equal(found[0].list, found[1].list, found[0].count * sizeof(toi_collision));
    assert_memory_equal(&impacts[0], &impacts[1], sizeof impacts[0]);
    assert_int_equal(counters[0].queries, counters[1].queries);
    assert_memory_equal(counters[0].verdicts, counters[1].verdicts, sizeof counters[0].verdicts);
    hits += found[0].count;
    settled += counters[0].levels[TOI_LEVEL_BOX] + counters[0].levels[TOI_LEVEL_SIGN];
    free(found[0].list);
    free(found[1].list);
  }
  assert_true(hits > rounds && settled > rounds);
  free(m);
}

static void same_stream_for_any_threads_budget_and_broad_phase(void **state) {
  (void)state;
  uint64_t random = test_seed(52);
  made_mesh *m = made_new();
  make_fall(m, &random, 24);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_context *first = test_context(1);
  options.min_separation = 0.1;
  collected expected = collisions_with(first, &mesh, &options);
  assert_true(expected.count > 1000);
  static const uint32_t threads[] = {1, 2, 5};
  for (size_t i = TEST_SANITIZED ? 2 : 0; i < 3; i++)
    for (size_t k = 0; toi_broad_name(k); k++) {
      toi_context_options budget = toi_default_context_options();
      budget.threads = threads[i];
      // So small that the list takes several parts.
      budget.memory_budget = k == 3 ? 1u << 30 : (900u << 10) + threads[i] * (160u << 10);
      toi_context *context;
      assert_int_equal(toi_context_create(&budget, &context), TOI_OK);
      on_mesh.broad = toi_broad_name(k);
      toi_work work;
      on_mesh.work = &work;
      collected found = collisions_with(context, &mesh, &options);
      assert_int_equal(found.count, expected.count);
      if (k == 1)
        assert_true(work.passes > 1);
      for (size_t j = 0; j < found.count; j++) {
        assert_int_equal(found.list[j].pair.first, expected.list[j].pair.first);
        assert_int_equal(found.list[j].pair.second, expected.list[j].pair.second);
        assert_same_hit(&found.list[j].hit, &expected.list[j].hit);
        assert_memory_equal(found.list[j].first, expected.list[j].first, sizeof(found.list[j].first));
        assert_memory_equal(found.list[j].second, expected.list[j].second, sizeof(found.list[j].second));
      }
      free(found.list);
      toi_context_destroy(context);
    }
  free(expected.list);
  toi_context_destroy(first);
  free(m);
}

/* The constraint of an active set: at the end of the step the point has passed the plane by the depth it went. */
static void a_vertex_falls_through_a_face_and_the_constraint_shows_it(void **state) {
  (void)state;
  made_mesh *m = made_new();
  uint32_t a = made_vertex(m, 0, 0, 0), b = made_vertex(m, 4, 0, 0), c = made_vertex(m, 0, 4, 0);
  made_face(m, a, b, c);
  uint32_t v = made_vertex(m, 1, 1, 1);
  m->end[v][2] = -1;
  made_finish(m);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_work work;
  on_mesh.work = &work;
  toi_context *context = test_context(1);
  collected found = collisions_with(context, &mesh, &options);
  assert_int_equal(found.count, 1);
  const toi_collision *only = &found.list[0];
  assert_true(only->hit.t_lo <= 0.5 && only->hit.t_hi >= 0.5);
  double depth = 0;
  for (int k = 0; k < 3; k++)
    depth += only->hit.normal[k] * (only->first[k] - only->second[k]);
  assert_true(depth == -1);
  assert_true(only->second[0] == 1 && only->second[1] == 1 && only->second[2] == 0);
  assert_int_equal(work.candidates[TOI_VERTEX_FACE], 1);
  assert_int_equal(work.hits[TOI_VERTEX_FACE], 1);
  assert_int_equal(work.passes, 1);
  free(found.list);
  toi_context_destroy(context);
  free(m);
}

static toi_status stop(void *user, const toi_collision *collisions, size_t count) {
  (void)collisions;
  (void)count;
  ++*(int *)user;
  return TOI_ERROR_FILE;
}

static void the_visitor_stops_the_call_with_its_status(void **state) {
  (void)state;
  uint64_t random = test_seed(53);
  made_mesh *m = made_new();
  make_fall(m, &random, 10);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_options options = toi_default_options();
  toi_context *context = test_context(2);
  int calls = 0;
  assert_int_equal(toi_collisions(context, &mesh, &options, stop, &calls), TOI_ERROR_FILE);
  assert_int_equal(calls, 1);
  assert_int_equal(toi_collisions(context, &mesh, &options, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_collisions(NULL, &mesh, &options, stop, &calls), TOI_ERROR_INPUT);
  m->start[3][2] = INFINITY;
  assert_int_equal(toi_collisions(context, &mesh, &options, stop, &calls), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "vertex 3"));
  toi_context_destroy(context);
  free(m);
}

static void counters_tell_how_candidates_were_settled(void **state) {
  (void)state;
  uint64_t random = test_seed(54);
  made_mesh *m = made_new();
  make_fall(m, &random, 10);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_counters counters = {0};
  toi_work work;
  options.counters = &counters;
  on_mesh.work = &work;
  toi_context *context = test_context(2);
  collected found = collisions_with(context, &mesh, &options);
  uint64_t candidates = 0;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    candidates += work.candidates[kind];
  assert_int_equal(counters.queries, candidates);
  assert_int_equal(counters.verdicts[TOI_HIT], found.count);
  free(found.list);
  toi_context_destroy(context);
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(collisions_of_swarms_are_those_of_all_pairs),
      cmocka_unit_test(same_records_with_either_filter),
      cmocka_unit_test(same_stream_for_any_threads_budget_and_broad_phase),
      cmocka_unit_test(a_vertex_falls_through_a_face_and_the_constraint_shows_it),
      cmocka_unit_test(the_visitor_stops_the_call_with_its_status),
      cmocka_unit_test(counters_tell_how_candidates_were_settled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
