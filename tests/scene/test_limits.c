/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whole meshes at the limits of numbers and of memory: ways longer than the largest double, sums of thicknesses that
 * round, and budgets that are just enough. */

#include <float.h>

#include "scene/meshes.h"

static toi_context *context_within(uint64_t budget) {
  toi_context_options options = toi_default_context_options();
  options.threads = 2;
  options.memory_budget = budget;
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  return context;
}

static toi_status count_collisions(void *user, const toi_collision *collisions, size_t count) {
  (void)collisions;
  *(size_t *)user += count;
  return TOI_OK;
}

static toi_status count_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  (void)kind;
  (void)pairs;
  *(size_t *)user += count;
  return TOI_OK;
}

static void points_and_edges_that_all_touch_come_in_parts(void **state) {
  (void)state;
  enum { POINTS = 200, EDGES = 100 };
  made_mesh *m = made_new();
  for (uint32_t i = 0; i < POINTS; i++)
    made_vertex(m, 0, 0, 0);
  for (uint32_t i = 0; i < EDGES; i++) {
    uint32_t a = made_vertex(m, -1, i, 0), b = made_vertex(m, 1, -(double)i, 0);
    made_edge(m, a, b);
  }
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_work work;
  on_mesh.work = &work;
  toi_context *context = context_within(2u << 20);
  size_t count = 0;
  assert_int_equal(toi_collisions(context, &mesh, &options, count_collisions, &count), TOI_OK);
  assert_true(work.passes > 4);
  assert_int_equal(count, POINTS * (POINTS - 1) / 2 + EDGES * (EDGES - 1) / 2 + POINTS * EDGES);
  toi_context_destroy(context);
  free(m);
}

/* With a fraction, boxes grow by a part of the way, which is infinite here: everything is a candidate. */
static void vertices_whose_way_overflows_meet_all_others(void **state) {
  (void)state;
  made_mesh *m = made_new();
  for (uint32_t i = 0; i < 70; i++) {
    made_vertex(m, i % 2 ? DBL_MAX : -DBL_MAX, i, 0);
    m->end[i][0] = -m->start[i][0];
  }
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  options.separation_fraction = 0.5;
  toi_context *context = context_within(0);
  for (size_t i = 0; toi_broad_name(i); i++) {
    on_mesh.broad = toi_broad_name(i);
    size_t count = 0;
    assert_int_equal(toi_candidates(context, &mesh, &options, count_pairs, &count), TOI_OK);
    assert_int_equal(count, 70 * 69 / 2);
  }
  toi_context_destroy(context);
  free(m);
}

/* The two thicknesses add up to 2 + 2^-53, which is rounded down to 2. */
static void points_as_far_apart_as_their_thickness_rounded_down_touch(void **state) {
  (void)state;
  double thickness[2] = {2 - 0x1p-52, 0x1.8p-52};
  double at[2][3] = {{-(2 - 0x1p-52), 0, 0}, {0x1p-52, 0, 0}};
  toi_mesh mesh = {.start = at, .end = at, .vertex_count = 2, .thickness = thickness};
  toi_options options = toi_default_options();
  toi_context *context = context_within(0);
  toi_impact impact;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_OK);
  assert_int_equal(impact.hit.verdict, TOI_HIT);
  assert_true(impact.hit.separation == 2);
  at[1][0] = 0x1.8p-51;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_OK);
  assert_int_equal(impact.hit.verdict, TOI_MISS);
  toi_context_destroy(context);
}

static void thickness_whose_sum_would_overflow_is_refused(void **state) {
  (void)state;
  double thickness[2] = {0x1p1020, 0x1p1020}, at[2][3] = {{0, 0, 0}, {0x1p1021, 0, 0}};
  toi_mesh mesh = {.start = at, .end = at, .vertex_count = 2, .thickness = thickness};
  toi_options options = toi_default_options();
  toi_context *context = context_within(0);
  toi_impact impact;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_OK);
  assert_int_equal(impact.hit.verdict, TOI_HIT);
  options.min_separation = 0x1.8p1020;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_OPTION);
  assert_non_null(strstr(toi_context_error(context), "2^1020"));
  options.min_separation = 0;
  thickness[1] = DBL_MAX;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context),
                      "the thickness of vertex 1 is 1.79769e+308; it must not be negative, and at most 2^1020");
  toi_context_destroy(context);
}

static toi_status keep_distance(void *user, const toi_proximal *pairs, size_t count) {
  assert_int_equal(count, 1);
  *(toi_distance *)user = pairs->distance;
  return TOI_OK;
}

/* They are the square root of 2 of the smallest doubles apart, beside the largest one. */
static void points_a_bit_apart_beside_a_huge_coordinate_are_not_one(void **state) {
  (void)state;
  double at[2][3] = {{DBL_MAX, 0, 0}, {DBL_MAX, 0x1p-1074, 0x1p-1074}};
  toi_mesh mesh = {.start = at, .vertex_count = 2};
  toi_options options = toi_default_options();
  toi_context *context = context_within(0);
  toi_distance distance = {.hi = -1};
  assert_int_equal(toi_proximity(context, &mesh, 0x1p-1074, &options, keep_distance, &distance), TOI_OK);
  assert_true(distance.hi == -1);
  assert_int_equal(toi_proximity(context, &mesh, 0x1p-1073, &options, keep_distance, &distance), TOI_OK);
  assert_true(distance.hi >= 0x1p-1073 && distance.lo <= 0x1p-1074);
  toi_context_destroy(context);
}

/* A face of one vertex three times is a point: it has no edge that could meet another. */
static void a_face_of_one_vertex_falls_through_a_loose_edge(void **state) {
  (void)state;
  double start[3][3] = {{0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}, end[3][3] = {{0, 0, -1}, {-1, 0, 0}, {1, 0, 0}};
  const uint32_t faces[1][3] = {{0, 0, 0}}, edges[1][2] = {{1, 2}};
  toi_mesh mesh = {
      .start = start, .end = end, .vertex_count = 3, .edges = edges, .edge_count = 1, .faces = faces, .face_count = 1};
  toi_options options = toi_default_options();
  toi_context *context = context_within(0);
  toi_impact impact;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_OK);
  assert_int_equal(impact.hit.verdict, TOI_HIT);
  assert_int_equal(impact.kind, TOI_VERTEX_EDGE);
  start[0][2] = 0;
  toi_intersection intersection;
  assert_int_equal(toi_mesh_intersects(context, &mesh, &options, &intersection), TOI_OK);
  assert_true(intersection.found);
  toi_context_destroy(context);
}

static void an_end_that_is_no_number_is_named_at_t_max_0_too(void **state) {
  (void)state;
  double start[2][3] = {{0, 0, 0}, {0, 0, 0}}, end[2][3] = {{0, 0, 0}, {0, NAN, 0}};
  toi_mesh mesh = {.start = start, .end = end, .vertex_count = 2};
  toi_options options = toi_default_options();
  options.t_max = 0;
  toi_context *context = context_within(0);
  toi_impact impact;
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), "vertex 1: y at the end is not a number; coordinates must be finite");
  toi_context_destroy(context);
}

/* What one call leaves in the context is no reason for the next to fail: of the same sort, of another, or about edges.
 */
static void budgets_that_serve_once_serve_again(void **state) {
  (void)state;
  made_mesh *m = made_new();
  made_grid(m, TEST_SANITIZED ? 20 : 40, 1, (const double[3]){0, 0, 0});
  made_finish(m);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  mesh.edges = NULL;
  mesh.edge_count = 0;
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  for (size_t first = 1; toi_broad_name(first); first++) {
    // The least budget, to a few bytes, that serves a context without a past.
    uint64_t low = 1u << 16, high = 1u << 24;
    on_mesh.broad = toi_broad_name(first);
    while (high - low > 512) {
      uint64_t middle = low + (high - low) / 2;
      toi_context *fresh = context_within(middle);
      size_t count = 0;
      toi_status status = toi_candidates(fresh, &mesh, &options, count_pairs, &count);
      *(status == TOI_OK ? &high : &low) = middle;
      toi_context_destroy(fresh);
    }
    toi_context *context = context_within(high);
    for (size_t second = 1; toi_broad_name(second); second++)
      for (int again = 0; again < 2; again++) {
        size_t count = 0, expected = 0;
        on_mesh.broad = toi_broad_name(second);
        toi_status other = toi_candidates(context, &mesh, &options, count_pairs, &expected);
        on_mesh.broad = toi_broad_name(first);
        assert_int_equal(toi_candidates(context, &mesh, &options, count_pairs, &count), TOI_OK);
        assert_string_equal(toi_context_error(context), "");
        assert_true(count > 1000 && (other != TOI_OK || count == expected));
      }
    toi_context_destroy(context);
  }
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_and_edges_that_all_touch_come_in_parts),
      cmocka_unit_test(vertices_whose_way_overflows_meet_all_others),
      cmocka_unit_test(points_as_far_apart_as_their_thickness_rounded_down_touch),
      cmocka_unit_test(thickness_whose_sum_would_overflow_is_refused),
      cmocka_unit_test(points_a_bit_apart_beside_a_huge_coordinate_are_not_one),
      cmocka_unit_test(a_face_of_one_vertex_falls_through_a_loose_edge),
      cmocka_unit_test(an_end_that_is_no_number_is_named_at_t_max_0_too),
      cmocka_unit_test(budgets_that_serve_once_serve_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
