/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of flat triangles: times in closed form, what is flat, and what calls promise. */

#include "surface/duo.h"

static void expect_hit(duo *pair, double t) {
  toi_surface_hit hit = ask(pair);
  CHECK(hit.verdict == TOI_HIT && hit.t_lo <= t && t <= hit.t_hi && hit.touching_at_start == (t == 0), pair);
}

static void expect_miss(duo *pair) {
  CHECK(ask(pair).verdict == TOI_MISS, pair);
}

/* --- contact --- */

static const double floor_and_tip[2][3][3] = {{{1, 1, 4}, {1, 2, 6}, {2, 1, 6}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

static void a_corner_falls_onto_a_face_at_two_thirds_of_the_time(void **state) {
  (void)state;
  duo pair = duo_make(floor_and_tip);
  pair.options.t_max = 3;
  move(&pair, 0, 0, 0, -2);
  toi_surface_hit hit = ask(&pair);
  assert_true(hit.verdict == TOI_HIT && hit.t_lo <= 2 && 2 <= hit.t_hi);
  assert_true(hit.a[0] == 0 && hit.a[1] == 0 && fabs(hit.b[0] - 0.25) < 1e-12 && fabs(hit.b[1] - 0.25) < 1e-12);
  assert_true(hit.normal_b[0] == 0 && hit.normal_b[1] == 0 && hit.normal_b[2] == 1);
  // The other corners, and the other patch's.
  const double tips[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  for (int i = 0; i < 6; i++) {
    duo turned = duo_make(floor_and_tip);
    turned.options.t_max = 3;
    int side = i / 3;
    for (int j = 0; j < 6; j++)
      memcpy(turned.points[j / 3 ^ side][j < 3 ? (j + i) % 3 : j - 3], floor_and_tip[j / 3][j % 3], sizeof(double[3]));
    move(&turned, side, 0, 0, -2);
    hit = ask(&turned);
    const double *tip = side ? hit.b : hit.a, *face = side ? hit.a : hit.b;
    assert_true(hit.t_lo <= 2 && 2 <= hit.t_hi && tip[0] == tips[i % 3][0] && tip[1] == tips[i % 3][1]);
    assert_true(fabs(face[0] - 0.25) < 1e-12 && fabs(face[1] - 0.25) < 1e-12);
  }
  pair.options.t_max = 1.75;
  expect_miss(&pair);
  pair.options.t_max = 2;
  expect_hit(&pair, 2);
}

/* Roofs over each other: each pair of edges in turn. */
static void edges_cross_at_known_parameters(void **state) {
  (void)state;
  for (int i = 0; i < 9; i++) {
    duo pair = duo_make((const double[2][3][3]){{{0}}});
    const double upper[3][3] = {{-2, 0, 3}, {6, 0, 3}, {0, 0, 9}}, lower[3][3] = {{0, -1, 0}, {0, 3, 0}, {0, 0, -7}};
    for (int j = 0; j < 3; j++) {
      memcpy(pair.points[0][(j + i / 3) % 3], upper[j], sizeof(double[3]));
      memcpy(pair.points[1][(j + i % 3) % 3], lower[j], sizeof(double[3]));
    }
    move(&pair, 1, 0, 0, 4);
    toi_surface_hit hit = ask(&pair);
    assert_true(hit.verdict == TOI_HIT && hit.t_lo <= 0.75 && 0.75 <= hit.t_hi);
    // A quarter of the way along both edges.
    const double ends[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    for (int k = 0; k < 2; k++) {
      assert_true(fabs(hit.a[k] - 0.75 * ends[i / 3][k] - 0.25 * ends[(i / 3 + 1) % 3][k]) < 1e-12);
      assert_true(fabs(hit.b[k] - 0.75 * ends[i % 3][k] - 0.25 * ends[(i % 3 + 1) % 3][k]) < 1e-12);
    }
  }
}

static void an_edge_pierces_a_face_from_the_start(void **state) {
  (void)state;
  duo pair = duo_make((const double[2][3][3]){{{1, 1, -1}, {1, 1, 3}, {1, 9, 1}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}});
  // All edges of the one are far from all edges of the other, and corners from faces.
  toi_surface_hit hit = ask(&pair);
  assert_true(hit.verdict == TOI_HIT && hit.touching_at_start && hit.t_hi == 0 && hit.checks == 0);
  assert_true(fabs(hit.a[0] - 0.25) < 1e-12 && hit.a[1] == 0);
  assert_true(fabs(hit.b[0] - 0.25) < 1e-12 && fabs(hit.b[1] - 0.25) < 1e-12);
  // They part at once, or go together, or are asked within a distance.
  move(&pair, 0, 0, -64, 0);
  expect_hit(&pair, 0);
  move(&pair, 1, 0, -64, 0);
  expect_hit(&pair, 0);
  pair.options.min_separation = 0.25;
  expect_hit(&pair, 0);
}

static void triangles_that_rest_on_each_other_touch_from_the_start(void **state) {
  (void)state;
  static const double resting[][2][3][3] = {
      // one and the same; turned; one inside the other, in its plane; across each other in one plane
      {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
      {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 4, 0}, {0, 0, 0}, {4, 0, 0}}},
      {{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}},
      {{{0, 0, 0}, {6, 0, 0}, {3, 6, 0}}, {{0, 4, 0}, {6, 4, 0}, {3, -2, 0}}},
      // a common corner; a common edge; a corner on an edge; a corner on a face; edges that cross
      {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {-4, 0, 1}, {0, -4, 2}}},
      {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{4, 0, 0}, {0, 0, 0}, {0, 0, 3}}},
      {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{2, 2, 0}, {9, 9, 1}, {9, 8, 2}}},
      {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {9, 9, 1}, {9, 8, 2}}},
      {{{0, 0, 0}, {4, 0, 0}, {2, 0, -9}}, {{2, -1, 0}, {2, 1, 0}, {2, 0, 9}}},
  };
  for (size_t i = 0; i < sizeof(resting) / sizeof(resting[0]); i++) {
    duo pair = duo_make(resting[i]);
    expect_hit(&pair, 0);
    for (int side = 0; side < 2; side++)
      move(&pair, side, 3, -1, 2);
    pair.options.t_max = 5;
    expect_hit(&pair, 0);
    move(&pair, 0, 3, -1, 64);
    expect_hit(&pair, 0);
  }
}

static void triangles_slide_in_one_plane_until_they_meet(void **state) {
  (void)state;
  duo pair = duo_make((const double[2][3][3]){{{0, 0, 1}, {2, 1, 1}, {0, 2, 1}}, {{5, 0, 1}, {7, 1, 1}, {5, 2, 1}}});
  pair.options.t_max = 1.5;
  move(&pair, 0, 4, 0, 0);
  expect_hit(&pair, 0.75);
  // Edge along edge, then past each other with a hair between.
  move(&pair, 0, 0, 0, 0);
  move(&pair, 1, -4, 0, 0);
  expect_hit(&pair, 0.75);
  for (int i = 0; i < 3; i++)
    pair.points[0][i][2] = 1 + 0x1p-50;
  expect_miss(&pair);
}

/* It comes down onto an edge, touches it at one moment with a corner, and leaves. */
static void a_corner_grazes_an_edge_and_leaves(void **state) {
  (void)state;
  duo pair =
      duo_make((const double[2][3][3]){{{-2, 0, 0}, {2, 0, 0}, {0, 0, -4}}, {{0, -1, 0}, {0, -5, 3}, {0, -6, 1}}});
  move(&pair, 1, 0, 2, 0);
  expect_hit(&pair, 0.5);
  for (int i = 0; i < 3; i++)
    pair.points[1][i][2] += 0x1p-50;
  expect_miss(&pair);
}

static void contact_at_the_last_moment_counts(void **state) {
  (void)state;
  duo pair = duo_make((const double[2][3][3]){{{0, 0, 3}, {4, 0, 3}, {0, 4, 3}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}});
  move(&pair, 0, 0, 0, -1);
  pair.options.t_max = 3;
  expect_hit(&pair, 3);
  pair.options.t_max = 2.875;
  expect_miss(&pair);
}

/* --- without area --- */

static void triangles_collapsed_to_segments_and_points_touch_as_such(void **state) {
  (void)state;
  static const double shapes[3][3][3] = {{{1, 1, 2}, {1, 1, 2}, {1, 1, 2}},  /* a point */
                                         {{1, 1, 2}, {3, 3, 6}, {2, 2, 4}},  /* a segment */
                                         {{1, 1, 2}, {1, 1, 2}, {1, 1, 4}}}; /* another */
  static const double targets[4][3][3] = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, /* a triangle around (1, 1, 0) */
                                          {{0, 0, 0}, {2, 2, 0}, {0, 0, 0}}, /* segments through it */
                                          {{1, 1, 0}, {4, 1, 0}, {2, 1, 0}},
                                          {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}; /* the point itself */
  for (int i = 0; i < 12; i++) {
    duo pair = duo_make((const double[2][3][3]){{{0}}});
    memcpy(pair.points[0], shapes[i / 4], sizeof(pair.points[0]));
    memcpy(pair.points[1], targets[i % 4], sizeof(pair.points[1]));
    move(&pair, 0, 0, 0, -4);
    expect_hit(&pair, 0.5);
    // Beside all of them.
    for (int j = 0; j < 3; j++)
      pair.points[1][j][1] -= 8;
    expect_miss(&pair);
  }
}

static void a_collapsed_triangle_pierces_a_face_from_the_start(void **state) {
  (void)state;
  duo pair = duo_make((const double[2][3][3]){{{1, 1, -1}, {1, 1, 3}, {1, 1, 1}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}});
  expect_hit(&pair, 0);
  memcpy(pair.points[0][2], pair.points[0][0], sizeof(double[3]));
  expect_hit(&pair, 0);
}

/* A triangle that turns inside out: it has no area at t = 1/2, when it lies on a segment that the other crosses. */
static void a_triangle_collapses_onto_another(void **state) {
  (void)state;
  duo pair = duo_make((const double[2][3][3]){{{-2, 0, 0}, {2, 0, 0}, {0, 8, 0}}, {{0, 0, 1}, {0, 0, -1}, {0, -1, 0}}});
  pair.velocities[0][2][1] = -16;
  move(&pair, 1, 0, 1, 0);
  for (int i = 0; i < 3; i++)
    pair.points[1][i][1] -= 0.5;
  expect_hit(&pair, 0.5);
}

/* --- separation --- */

static void a_separation_is_reached_in_both_norms(void **state) {
  (void)state;
  // Corners that come closer along x, 3 apart in y: within 5 at x = 4, and at x = 5.
  duo pair = duo_make((const double[2][3][3]){{{0, 0, 0}, {-4, 0, 0}, {0, -4, 0}}, {{9, 3, 0}, {12, 3, 0}, {9, 7, 0}}});
  pair.options.t_max = 2;
  move(&pair, 1, -4, 0, 0);
  pair.options.min_separation = 5;
  expect_hit(&pair, 1.25);
  pair.options.norm = TOI_NORM_LINF;
  expect_hit(&pair, 1);
  pair.options.min_separation = 9;
  expect_hit(&pair, 0);
  pair.options.min_separation = 2.875;
  expect_miss(&pair);
  pair.options.norm = TOI_NORM_L2;
  pair.options.min_separation = 3;
  pair.options.t_max = 4;
  expect_hit(&pair, 2.25);
}

static void faces_that_are_parallel_come_within_the_separation(void **state) {
  (void)state;
  duo pair = duo_make((const double[2][3][3]){{{0, 0, 3}, {4, 0, 3}, {0, 4, 3}}, {{1, 1, 0}, {4, 1, 0}, {1, 3, 0}}});
  move(&pair, 0, 0, 0, -2);
  for (int norm = 0; norm < 2; norm++) {
    pair.options.norm = (toi_norm)norm;
    pair.options.min_separation = 1.5;
    expect_hit(&pair, 0.75);
    pair.options.min_separation = 1;
    expect_hit(&pair, 1);
    pair.options.min_separation = 1 - 0x1p-30;
    expect_miss(&pair);
    pair.options.min_separation = 3;
    expect_hit(&pair, 0);
  }
}

/* --- what is flat --- */

static void only_what_is_known_exactly_suits(void **state) {
  (void)state;
  duo pair = duo_make(floor_and_tip);
  duo_point(&pair);
  assert_true(suits(&pair));
  const double equal[3] = {0.3, 0.3, 0.3}, unequal[3] = {0.3, 0.3, 0.4};
  pair.patch[1].weights = equal;
  assert_true(suits(&pair));
  pair.patch[1].weights = unequal;
  assert_false(suits(&pair));
  pair.patch[1].weights = NULL;
  pair.patch[0].error = 0x1p-1074;
  assert_false(suits(&pair));
  pair.patch[0].error = 0;
  pair.patch[1].velocity_error = 1e-9;
  assert_false(suits(&pair));
  pair.patch[1].velocity_error = 0;
  pair.patch[0].shape = TOI_PATCH_QUAD;
  assert_false(suits(&pair));
  pair.patch[0].shape = TOI_PATCH_TRIANGLE;
  pair.options.max_checks = 14;
  assert_false(suits(&pair));
  pair.options.max_checks = 15;
  assert_true(suits(&pair));
  pair.patch[0].velocities = pair.patch[1].velocities = NULL;
  pair.options.t_max = 0.1;
  assert_true(suits(&pair));
}

/* x + t v in one coordinate: a sum that rounds, a product that rounds, either beyond the range. */
static void ends_that_round_do_not_suit(void **state) {
  (void)state;
  static const struct {
    double x, v, t;
    bool exact;
  } ends[] = {
      {1, 0.5, 0.1, false},
      {0, 0.1, 0.5, true},
      {1, 0x1p-60, 1, false},
      {1, 0x1p-52, 1, true},
      {-0x1p-60, 0x1p-60, 1, true},
      {0, 0x1.8p27, 0x1.00000000001p0, true},
      {0, 0x1.0000001p0, 0x1.0000001p0, false},
      {0x1p1023, 0x1p1023, 1, false},
      {-0x1p1023, 0x1p1023, 2, false}, /* 0x1p1024 is no double, though the sum is */
      {0, 0x1p1000, 0x1p1000, false},
      {0, 0x1p-1074, 1, true},
      {0, 0x1p-1074, 0.5, false}, /* lost */
      {5, 0x1p-600, 0x1p-600, false},
      {0x1p-1074, 0x1p-1074, 1, true},
      {0x1.fffffffffffffp1023, 0, 0.3, true},
  };
  for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
    duo pair = duo_make(floor_and_tip);
    duo_point(&pair);
    pair.options.t_max = ends[i].t;
    pair.points[i % 2][i % 3][1] = ends[i].x;
    pair.velocities[i % 2][i % 3][1] = ends[i].v;
    if (suits(&pair) != ends[i].exact)
      fail_msg("end %zu", i);
  }
}

/* A triangle that does not suit, and one of another method, are answered all the same. */
static void other_pairs_are_left_to_the_search(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  duo pair = duo_make(floor_and_tip);
  duo_point(&pair);
  move(&pair, 0, 0, 0, -0.1);
  pair.options.t_max = 40.3;
  toi_surface_hit hit;
  assert_int_equal(toi_patch_pair(context, &pair.patch[0], &pair.patch[1], &pair.options, &hit), TOI_OK);
  assert_true(hit.verdict == TOI_HIT && hit.end != TOI_SURFACE_EXACT && hit.t_lo <= 40 && hit.t_hi > 39.999);
  move(&pair, 0, 0, 0, -2);
  pair.options.t_max = 2;
  pair.options.method = "swept-boxes";
  assert_int_equal(toi_patch_pair(context, &pair.patch[0], &pair.patch[1], &pair.options, &hit), TOI_OK);
  assert_true(hit.verdict != TOI_MISS && hit.end != TOI_SURFACE_EXACT);
  pair.options.method = "time-inclusion";
  assert_int_equal(toi_patch_pair(context, &pair.patch[0], &pair.patch[1], &pair.options, &hit), TOI_OK);
  assert_true(hit.verdict == TOI_HIT && hit.end == TOI_SURFACE_EXACT);
  toi_context_destroy(context);
}

/* --- calls --- */

static void a_batch_answers_as_single_calls_do(void **state) {
  (void)state;
  enum { COUNT = 64 };
  static duo pairs[COUNT];
  toi_patch_case cases[COUNT];
  toi_surface_hit hits[COUNT];
  uint64_t seed = test_seed(20261119);
  for (int i = 0; i < COUNT; i++) {
    pairs[i] = draw_duo(&seed);
    duo_point(&pairs[i]);
    cases[i] = (toi_patch_case){.size = sizeof(toi_patch_case),
                                .a = &pairs[i].patch[0],
                                .b = &pairs[i].patch[1],
                                .t_max = pairs[i].options.t_max};
  }
  toi_context *context = test_context(3);
  assert_int_equal(toi_patch_batch(context, cases, COUNT, &pairs[0].options, hits), TOI_OK);
  toi_context_destroy(context);
  for (int i = 0; i < COUNT; i++) {
    toi_surface_hit single = ask(&pairs[i]);
    assert_memory_equal(&single, &hits[i], sizeof(single));
  }
}

/* Asks with one of the requests for memory refused, from 1; 0: none. How many there were. */
static size_t ask_refused(const duo *pair, size_t refuse_at, toi_status *status, toi_surface_hit *hit) {
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  size_t before = allocator.calls;
  allocator.refuse_at = refuse_at ? before + refuse_at : 0;
  *status = toi_patch_pair(context, &pair->patch[0], &pair->patch[1], &pair->options, hit);
  size_t calls = allocator.calls - before;
  toi_context_destroy(context);
  assert_true(allocator.blocks == 0);
  return calls;
}

/* Numbers of all magnitudes, each of which stays, stops at 0 or changes its sign: some of them take integers that need
 * memory. It is refused in turn. */
static void refused_memory_leaves_the_safe_answer(void **state) {
  (void)state;
  uint64_t seed = test_seed(20261120);
  size_t refused = 0;
  for (int i = 0; i < 1000; i++) {
    duo pair = duo_make((const double[2][3][3]){{{0}}});
    for (int j = 0; j < 18; j++) {
      double x = test_random_extreme(&seed, 2);
      pair.points[j / 9][j / 3 % 3][j % 3] = x;
      pair.velocities[j / 9][j / 3 % 3][j % 3] = -(double)(test_random(&seed) % 3) * x;
    }
    duo_point(&pair);
    if (!suits(&pair))
      continue;
    toi_status status;
    toi_surface_hit hit;
    size_t calls = ask_refused(&pair, 0, &status, &hit);
    CHECK(status == TOI_OK && hit.verdict != TOI_NEAR && hit.end == TOI_SURFACE_EXACT, &pair);
    for (size_t at = 1; at <= calls; at++) {
      ask_refused(&pair, at, &status, &hit);
      CHECK(status == TOI_ERROR_MEMORY && hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.t_safe == 0, &pair);
      refused++;
    }
  }
  assert_true(refused > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_corner_falls_onto_a_face_at_two_thirds_of_the_time),
      cmocka_unit_test(edges_cross_at_known_parameters),
      cmocka_unit_test(an_edge_pierces_a_face_from_the_start),
      cmocka_unit_test(triangles_that_rest_on_each_other_touch_from_the_start),
      cmocka_unit_test(triangles_slide_in_one_plane_until_they_meet),
      cmocka_unit_test(a_corner_grazes_an_edge_and_leaves),
      cmocka_unit_test(contact_at_the_last_moment_counts),
      cmocka_unit_test(triangles_collapsed_to_segments_and_points_touch_as_such),
      cmocka_unit_test(a_collapsed_triangle_pierces_a_face_from_the_start),
      cmocka_unit_test(a_triangle_collapses_onto_another),
      cmocka_unit_test(a_separation_is_reached_in_both_norms),
      cmocka_unit_test(faces_that_are_parallel_come_within_the_separation),
      cmocka_unit_test(only_what_is_known_exactly_suits),
      cmocka_unit_test(ends_that_round_do_not_suit),
      cmocka_unit_test(other_pairs_are_left_to_the_search),
      cmocka_unit_test(a_batch_answers_as_single_calls_do),
      cmocka_unit_test(refused_memory_leaves_the_safe_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
