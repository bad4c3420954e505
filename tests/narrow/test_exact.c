/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The exact method on geometry made by hand, of which the answer is seen on paper: general position first, then every
 * way to be degenerate. */

#include "narrow/exact_cases.h"

#include <float.h>

/* The triangle (0,0,0), (1,0,0), (0,1,0) at rest. */
#define FACE 0, 0, 0, 1, 0, 0, 0, 1, 0

/* A vertex that falls from z = 1 to z = -1 at (x, y) on the resting triangle. */
#define FALL(x, y)                                                                                                     \
  { (x), (y), 1, FACE, (x), (y), -1, FACE }

/* --- general position --- */

static void vertex_falls_through_face(void **unused) {
  (void)unused;
  const double query[] = FALL(0.25, 0.5);
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, 0.5, 0.5);
  expect_place(&hit, 0.25, 0.5);
  expect_point(&hit, 0.25, 0.5, 0);
  expect_normal(&hit, 0, 0, 1);
  assert_true(hit.t_safe == nextafter(0.5, 0));
}

static void vertex_rises_through_face(void **unused) {
  (void)unused;
  const double query[] = {0.25, 0.5, -1, FACE, 0.25, 0.5, 1, FACE};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, 0.5, 0.5);
  expect_normal(&hit, 0, 0, -1);
}

static void vertex_falls_beside_face(void **unused) {
  (void)unused;
  const double query[] = FALL(0.75, 0.5);
  expect_miss(TOI_VERTEX_FACE, query);
}

static void face_falls_on_vertex_at_rest(void **unused) {
  (void)unused;
  const double query[] = {0.25, 0.25, 0, 0, 0, 1,  1, 0, 1,  0, 1, 1, //
                          0.25, 0.25, 0, 0, 0, -1, 1, 0, -1, 0, 1, -1};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, 0.5, 0.5);
  expect_normal(&hit, 0, 0, -1);
}

static void edges_cross_in_the_middle(void **unused) {
  (void)unused;
  const double query[] = {-1, 0, 1,  1, 0, 1,  0, -1, 0, 0, 1, 0, //
                          -1, 0, -1, 1, 0, -1, 0, -1, 0, 0, 1, 0};
  toi_hit hit = expect_hit(TOI_EDGE_EDGE, query, 0.5, 0.5);
  expect_place(&hit, 0.5, 0.5);
  expect_point(&hit, 0, 0, 0);
  expect_normal(&hit, 0, 0, 1);
}

static void edges_pass_beside_each_other(void **unused) {
  (void)unused;
  const double query[] = {1, 0, 1,  2, 0, 1,  0, -1, 0, 0, 1, 0, //
                          1, 0, -1, 2, 0, -1, 0, -1, 0, 0, 1, 0};
  expect_miss(TOI_EDGE_EDGE, query);
}

static void contact_at_one_third_is_between_doubles(void **unused) {
  (void)unused;
  const double query[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, -2, FACE};
  double lo = 0x1.5555555555555p-2;
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, lo, nextafter(lo, 1));
  assert_true(hit.t_safe == lo);
}

static void vertex_meets_edge_in_space(void **unused) {
  (void)unused;
  const double query[] = {0.25, 0, 1,  0, 0, 0, 1, 0, 0, //
                          0.25, 0, -1, 0, 0, 0, 1, 0, 0};
  toi_hit hit = expect_hit(TOI_VERTEX_EDGE, query, 0.5, 0.5);
  expect_place(&hit, 0.25, 0);
  expect_point(&hit, 0.25, 0, 0);
  expect_normal(&hit, 0, 0, 1);
  const double beside[] = {0.25, 0x1p-1074, 1,  0, 0, 0, 1, 0, 0, //
                           0.25, 0x1p-1074, -1, 0, 0, 0, 1, 0, 0};
  expect_miss(TOI_VERTEX_EDGE, beside);
}

static void sliding_along_an_edge_does_not_tilt_the_normal(void **unused) {
  (void)unused;
  const double query[] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, 0, 1, 0, 0};
  toi_hit hit = expect_hit(TOI_VERTEX_EDGE, query, 0.5, 0.5);
  expect_place(&hit, 0.5, 0);
  expect_normal(&hit, 0, 0, 1);
}

static void vertices_meet(void **unused) {
  (void)unused;
  const double query[] = {0, 0, 0, 4, 2, 0, 4, 0, 0, 0, 2, 0};
  expect_miss(TOI_VERTEX_VERTEX, query);
  const double meet[] = {0, 0, 0, 4, 3, 0, 4, 0, 0, 0, -3, 0};
  toi_hit hit = expect_hit(TOI_VERTEX_VERTEX, meet, 0.5, 0.5);
  expect_place(&hit, 0, 0);
  expect_point(&hit, 2, 0, 0);
  // The first moves by (8, 6) relative to the second.
  expect_normal(&hit, -0.8, -0.6, 0);
}

/* --- on edges and corners --- */

static void vertex_lands_on_the_boundary_of_the_face(void **unused) {
  (void)unused;
  static const double places[][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0, 0.5}, {0.5, 0.5}, {0.375, 0.625}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const double query[] = FALL(places[i][0], places[i][1]);
    toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, 0.5, 0.5);
    assert_true(hit.u == places[i][0] && hit.v == places[i][1]);
    expect_normal(&hit, 0, 0, 1);
  }
}

static void vertex_passes_the_boundary_by_the_least_double(void **unused) {
  (void)unused;
  const double left[] = FALL(-0x1p-1074, 0.5), below[] = FALL(0.5, -0x1p-1074);
  const double beyond[] = FALL(0.5, 0x1.0000000000001p-1), within[] = FALL(0x1p-1074, 0.5);
  expect_miss(TOI_VERTEX_FACE, left);
  expect_miss(TOI_VERTEX_FACE, below);
  expect_miss(TOI_VERTEX_FACE, beyond);
  expect_hit(TOI_VERTEX_FACE, within, 0.5, 0.5);
}

static void edges_touch_with_their_ends(void **unused) {
  (void)unused;
  const double ends[] = {0, 0, 1,  1, 0, 1,  0, 0, 0, 0, 1, 0, //
                         0, 0, -1, 1, 0, -1, 0, 0, 0, 0, 1, 0};
  toi_hit hit = expect_hit(TOI_EDGE_EDGE, ends, 0.5, 0.5);
  assert_true(hit.u == 0 && hit.v == 0);
  const double inside[] = {0, 0.75, 1,  1, 0.75, 1,  0, 0, 0, 0, 1, 0, //
                           0, 0.75, -1, 1, 0.75, -1, 0, 0, 0, 0, 1, 0};
  hit = expect_hit(TOI_EDGE_EDGE, inside, 0.5, 0.5);
  assert_true(hit.u == 0 && hit.v == 0.75);
}

/* --- time --- */

static void contact_at_the_start_and_at_the_end(void **unused) {
  (void)unused;
  const double start[] = {0.25, 0.25, 0, FACE, 0.25, 0.25, 1, FACE};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, start, 0, 0);
  expect_place(&hit, 0.25, 0.25);
  const double end[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, 0, FACE};
  hit = expect_hit(TOI_VERTEX_FACE, end, 1, 1);
  expect_normal(&hit, 0, 0, 1);
  const double just_not[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, 0x1p-1074, FACE};
  expect_miss(TOI_VERTEX_FACE, just_not);
}

static void t_max_is_closed_and_does_not_move_the_bracket(void **unused) {
  (void)unused;
  const double half[] = FALL(0.25, 0.25);
  assert_int_equal(decide_until(TOI_VERTEX_FACE, half, 0.5, NAN).verdict, TOI_HIT);
  toi_hit miss = decide_until(TOI_VERTEX_FACE, half, nextafter(0.5, 0), NAN);
  assert_int_equal(miss.verdict, TOI_MISS);
  assert_true(miss.t_safe == nextafter(0.5, 0));
  const double third[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, -2, FACE};
  double lo = 0x1.5555555555555p-2, hi = nextafter(lo, 1);
  assert_int_equal(decide_until(TOI_VERTEX_FACE, third, lo, NAN).verdict, TOI_MISS);
  toi_hit hit = decide_until(TOI_VERTEX_FACE, third, hi, NAN);
  assert_true(hit.verdict == TOI_HIT && hit.t_lo == lo && hit.t_hi == hi);
  assert_int_equal(decide_until(TOI_VERTEX_FACE, third, 0, NAN).verdict, TOI_MISS);
}

static void guesses_change_nothing(void **unused) {
  (void)unused;
  const double query[] = {0.25, 0.25, 1, FACE, 0.25, 0.125, -2, FACE};
  static const double guesses[] = {
      0,         1,        -1,        0.5,     0x1.5555555555555p-2, 0x1.5555555555556p-2, 2.0,
      0x1p-1074, INFINITY, -INFINITY, DBL_MAX, 0x1.5555555555554p-2};
  toi_hit want = decide(TOI_VERTEX_FACE, query);
  for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
    toi_hit got = decide_until(TOI_VERTEX_FACE, query, 1, guesses[i]);
    assert_memory_equal(&got, &want, sizeof got);
  }
}

static void contact_times_below_all_normal_numbers(void **unused) {
  (void)unused;
  // z goes from h to h - 1: t = h.
  const double tiny[] = {0.25, 0.25, 0x1p-1040, FACE, 0.25, 0.25, -1, FACE};
  expect_hit(TOI_VERTEX_FACE, tiny, nextafter(0x1p-1040, 0), 0x1p-1040);
  const double least[] = {0.25, 0.25, 0x1p-1074, FACE, 0.25, 0.25, -1, FACE};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, least, 0, 0x1p-1074);
  assert_int_equal(hit.touching_at_start, 0);
  const double below[] = {0.25, 0.25, 0x1p-1074, FACE, 0.25, 0.25, -0x1p1000, FACE};
  expect_hit(TOI_VERTEX_FACE, below, 0, 0x1p-1074);
}

static void contact_just_before_the_end(void **unused) {
  (void)unused;
  const double query[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, -0x1p-1074, FACE};
  expect_hit(TOI_VERTEX_FACE, query, nextafter(1, 0), 1);
}

/* --- motion in a plane, on a line, none --- */

static void vertex_slides_onto_a_face_in_its_plane(void **unused) {
  (void)unused;
  const double edge[] = {-1, 0.25, 0, FACE, 1, 0.25, 0, FACE};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, edge, 0.5, 0.5);
  expect_place(&hit, 0, 0.25);
  expect_normal(&hit, -1, 0, 0);
  const double slanted[] = {-1, 0, 0, FACE, 1, 0.5, 0, FACE};
  hit = expect_hit(TOI_VERTEX_FACE, slanted, 0.5, 0.5);
  expect_place(&hit, 0, 0.25);
  expect_normal(&hit, -1, 0, 0);
  const double corner[] = {-1, -1, 0, FACE, 1, 1, 0, FACE};
  hit = expect_hit(TOI_VERTEX_FACE, corner, 0.5, 0.5);
  expect_place(&hit, 0, 0);
  expect_normal(&hit, -sqrt(0.5), -sqrt(0.5), 0);
  const double past[] = {-1, 2, 0, FACE, 1, 2, 0, FACE};
  expect_miss(TOI_VERTEX_FACE, past);
  const double inside[] = {0.25, 0.25, 0, FACE, 5, 5, 0, FACE};
  hit = expect_hit(TOI_VERTEX_FACE, inside, 0, 0);
  expect_place(&hit, 0.25, 0.25);
}

static void face_turns_in_its_plane_onto_a_vertex(void **unused) {
  (void)unused;
  // The third corner sweeps over the vertex's line of sight: the edge f0 f2 passes (0, 1) when it is upright.
  const double query[] = {0, 1, 0, 0, 0, 0, 2, 0, 0, 1,  2, 0, //
                          0, 1, 0, 0, 0, 0, 2, 0, 0, -1, 2, 0};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, 0.5, 0.5);
  expect_place(&hit, 0, 0.5);
}

static void edges_in_one_plane_meet(void **unused) {
  (void)unused;
  const double tee[] = {-2, 0, 0, -1, 0, 0, 0, -1, 0, 0, 1, 0, //
                        0,  0, 0, 1,  0, 0, 0, -1, 0, 0, 1, 0};
  toi_hit hit = expect_hit(TOI_EDGE_EDGE, tee, 0.5, 0.5);
  expect_place(&hit, 1, 0.5);
  expect_normal(&hit, -1, 0, 0);
  const double crossing[] = {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, //
                             5,  0, 0, 7, 0, 0, 0, -1, 0, 0, 1, 0};
  hit = expect_hit(TOI_EDGE_EDGE, crossing, 0, 0);
  expect_place(&hit, 0.5, 0.5);
}

static void edges_on_one_line_meet(void **unused) {
  (void)unused;
  const double query[] = {-3, 0, 0, -2, 0, 0, 0, 0, 0, 1, 0, 0, //
                          1,  0, 0, 2,  0, 0, 0, 0, 0, 1, 0, 0};
  toi_hit hit = expect_hit(TOI_EDGE_EDGE, query, 0.5, 0.5);
  assert_true(hit.u == 1 && hit.v == 0);
  expect_normal(&hit, -1, 0, 0);
  const double short_of[] = {-3, 0, 0, -2,
                             0,  0, 0, 0,
                             0,  1, 0, 0, //
                             -1, 0, 0, 0 - 0x1p-1074,
                             0,  0, 0, 0,
                             0,  1, 0, 0};
  expect_miss(TOI_EDGE_EDGE, short_of);
}

static void edge_grows_along_its_line_over_another(void **unused) {
  (void)unused;
  // On a slanted line: the first edge is a point at the start.
  const double query[] = {0, 0, 0, 0, 0, 0, 1, 2, 3, 2, 4, 6, 0, 0, 0, 2, 4, 6, 1, 2, 3, 2, 4, 6};
  toi_hit hit = expect_hit(TOI_EDGE_EDGE, query, 0.5, 0.5);
  assert_true(hit.u == 1 && hit.v == 0);
}

static void parallel_edges_overlap_when_they_meet(void **unused) {
  (void)unused;
  const double query[] = {0, 0, 1,  2, 0, 1,  1, 0, 0, 3, 0, 0, //
                          0, 0, -1, 2, 0, -1, 1, 0, 0, 3, 0, 0};
  toi_hit hit = expect_hit(TOI_EDGE_EDGE, query, 0.5, 0.5);
  // They share [1, 2]: the smallest u is that of x = 1.
  expect_place(&hit, 0.5, 0);
  expect_point(&hit, 1, 0, 0);
  expect_normal(&hit, 0, 0, 1);
  const double opposed[] = {2, 0, 1,  0, 0, 1,  1, 0, 0, 3, 0, 0, //
                            2, 0, -1, 0, 0, -1, 1, 0, 0, 3, 0, 0};
  hit = expect_hit(TOI_EDGE_EDGE, opposed, 0.5, 0.5);
  // u = 0 is x = 2, half way along the second.
  expect_place(&hit, 0, 0.5);
  const double within[] = {0, 0, 1,  3, 0, 1,  2, 0, 0, 1, 0, 0, //
                           0, 0, -1, 3, 0, -1, 2, 0, 0, 1, 0, 0};
  hit = expect_hit(TOI_EDGE_EDGE, within, 0.5, 0.5);
  // The second lies inside the first and runs against it: x = 1 is its end.
  assert_true(fabs(hit.u - 1.0 / 3) < 1e-15 && hit.v == 1);
  const double end_to_end[] = {0, 0, 1,  1, 0, 1,  1, 0, 0, 2, 0, 0, //
                               0, 0, -1, 1, 0, -1, 1, 0, 0, 2, 0, 0};
  hit = expect_hit(TOI_EDGE_EDGE, end_to_end, 0.5, 0.5);
  assert_true(hit.u == 1 && hit.v == 0);
  const double apart[] = {0, 0, 1,  1, 0, 1,  1 + 0x1p-52, 0, 0, 2, 0, 0, //
                          0, 0, -1, 1, 0, -1, 1 + 0x1p-52, 0, 0, 2, 0, 0};
  expect_miss(TOI_EDGE_EDGE, apart);
}

static void at_rest_only_the_start_counts(void **unused) {
  (void)unused;
  const double apart[] = {0.25, 0.25, 0x1p-1074, FACE, 0.25, 0.25, 0x1p-1074, FACE};
  expect_miss(TOI_VERTEX_FACE, apart);
  const double touching[] = {0.25, 0.25, 0, FACE, 0.25, 0.25, 0, FACE};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, touching, 0, 0);
  expect_place(&hit, 0.25, 0.25);
  const double coplanar[] = {2, 2, 0, FACE, 2, 2, 0, FACE};
  expect_miss(TOI_VERTEX_FACE, coplanar);
  const double crossed[] = {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, //
                            -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0};
  expect_hit(TOI_EDGE_EDGE, crossed, 0, 0);
}

static void duplicated_vertices_at_rest_touch(void **unused) {
  (void)unused;
  const double face[] = {0.1, 0.7, -0.3, 0.2, 0.9, 1, 0.1, 0.7, -0.3, 4, 5, 6, //
                         0.1, 0.7, -0.3, 0.2, 0.9, 1, 0.1, 0.7, -0.3, 4, 5, 6};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, face, 0, 0);
  assert_true(hit.u == 1 && hit.v == 0);
  const double edges[] = {0.1, 0.7, -0.3, 0.2, 0.9, 1, 4, 5, 6, 0.2, 0.9, 1, //
                          0.3, 0.7, -0.3, 0.2, 0.9, 1, 4, 5, 7, 0.2, 0.9, 1};
  hit = expect_hit(TOI_EDGE_EDGE, edges, 0, 0);
  assert_true(hit.u == 1 && hit.v == 1);
  const double points[] = {0.1, 0.7, -0.3, 0.1, 0.7, -0.3, 0.1, 0.7, -0.3, 0.1, 0.7, -0.3};
  expect_hit(TOI_VERTEX_VERTEX, points, 0, 0);
}

/* --- without area, without length --- */

static void vertex_falls_on_a_triangle_without_area(void **unused) {
  (void)unused;
  const double segment[] = {1.5, 0, 1,  0, 0, 0, 1, 0, 0, 2, 0, 0, //
                            1.5, 0, -1, 0, 0, 0, 1, 0, 0, 2, 0, 0};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, segment, 0.5, 0.5);
  // 1.5 = u + 2 v, smallest u.
  expect_place(&hit, 0, 0.75);
  const double backward[] = {1.5, 0, 1,  2, 0, 0, 0, 0, 0, 1, 0, 0, //
                             1.5, 0, -1, 2, 0, 0, 0, 0, 0, 1, 0, 0};
  hit = expect_hit(TOI_VERTEX_FACE, backward, 0.5, 0.5);
  expect_place(&hit, 0, 0.5);
  const double turned[] = {0.5, 0, 1,  2, 0, 0, 0, 0, 0, 1, 0, 0, //
                           0.5, 0, -1, 2, 0, 0, 0, 0, 0, 1, 0, 0};
  hit = expect_hit(TOI_VERTEX_FACE, turned, 0.5, 0.5);
  // Between the corners 1 (x = 0) and 2 (x = 1), and between 1 and 0 (x = 2): 0.5 = 2 (1 - u - v) + v, u smallest.
  expect_place(&hit, 0.5, 0.5);
  const double beside[] = {1.5, 0x1p-500, 1,  0, 0, 0, 1, 0, 0, 2, 0, 0, //
                           1.5, 0x1p-500, -1, 0, 0, 0, 1, 0, 0, 2, 0, 0};
  expect_miss(TOI_VERTEX_FACE, beside);
  const double point[] = {3, 4, 6, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 4, 3, 4, 5, 3, 4, 5, 3, 4, 5};
  hit = expect_hit(TOI_VERTEX_FACE, point, 0.5, 0.5);
  assert_true(hit.u == 0 && hit.v == 0);
  expect_normal(&hit, 0, 0, 1);
}

static void triangle_collapses_when_the_vertex_reaches_it(void **unused) {
  (void)unused;
  // The third corner comes down from y = 1 to the line of the others at t = 1/2, as the vertex does from z = 1.
  const double query[] = {1, 0, 1,  0, 0, 0, 2, 0, 0, 1, 1,  0, //
                          1, 0, -1, 0, 0, 0, 2, 0, 0, 1, -1, 0};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, 0.5, 0.5);
  // On all of the line's representations of x = 1: corner 2 alone has u = 0.
  assert_true(hit.u == 0 && hit.v == 1);
}

static void edges_without_length(void **unused) {
  (void)unused;
  const double point_on_edge[] = {0.25, 0, 1,  0.25, 0, 1,  0, 0, 0, 1, 0, 0, //
                                  0.25, 0, -1, 0.25, 0, -1, 0, 0, 0, 1, 0, 0};
  toi_hit hit = expect_hit(TOI_EDGE_EDGE, point_on_edge, 0.5, 0.5);
  expect_place(&hit, 0, 0.25);
  const double points[] = {0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 0};
  hit = expect_hit(TOI_EDGE_EDGE, points, 0.5, 0.5);
  assert_true(hit.u == 0 && hit.v == 0);
  const double passing[] = {0x1p-1074, 0, 1,  0x1p-1074, 0, 1,  0, 0, 0, 0, 1, 0, //
                            0x1p-1074, 0, -1, 0x1p-1074, 0, -1, 0, 0, 0, 0, 1, 0};
  expect_miss(TOI_EDGE_EDGE, passing);
}

/* --- multiple roots --- */

/* The first edge turns about the x axis' origin in z = (t - 1/2) x, the second moves along x with its middle at x = t -
 * 1/2, at height h: it is at (t - 1/2)^2 - h above. */
static void edges_graze(double h, double query[24]) {
  const double grazing[] = {-1, 0, 0.5,  1, 0, -0.5, -0.5, -1, h, -0.5, 1, h, //
                            -1, 0, -0.5, 1, 0, 0.5,  0.5,  -1, h, 0.5,  1, h};
  memcpy(query, grazing, sizeof grazing);
}

static void edges_graze_in_a_double_root(void **unused) {
  (void)unused;
  double query[24];
  edges_graze(0, query);
  toi_hit hit = expect_hit(TOI_EDGE_EDGE, query, 0.5, 0.5);
  expect_place(&hit, 0.5, 0.5);
  edges_graze(-0x1p-1074, query);
  expect_miss(TOI_EDGE_EDGE, query);
  edges_graze(0x1p-4, query);
  expect_hit(TOI_EDGE_EDGE, query, 0.25, 0.25);
}

static void two_roots_closer_than_doubles(void **unused) {
  (void)unused;
  static const double heights[] = {0x1p-120, 0x1p-1000, 0x1p-1074};
  for (size_t i = 0; i < 3; i++) {
    double query[24];
    edges_graze(heights[i], query);
    expect_hit(TOI_EDGE_EDGE, query, nextafter(0.5, 0), 0.5);
  }
}

static void corner_touches_in_a_triple_root(void **unused) {
  (void)unused;
  // Corners (l, 1, 1), (0, l, 1), (0, 0, l) with l = 2 t - 1: the determinant is l^3.
  const double query[] = {0, 0, 0, 1,  -1, -1, 0, 1,  -1, 0, 0, 1, //
                          0, 0, 0, -1, -1, -1, 0, -1, -1, 0, 0, -1};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, 0.5, 0.5);
  assert_true(hit.u == 0 && hit.v == 1);
}

/* --- from the literature --- */

static void hourglass_of_wang_2021(void **unused) {
  (void)unused;
  const double query[] = {0.1, 0.1, 0.1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0.1, 0.1, 0.1, 0, 0, 0, 0, 1, 0, 1, 0, 0};
  // The plane z = 1 - t reaches the point at t = 1 - 0.1, where 0.1 is the double.
  double hi = 0x1.ccccccccccccdp-1;
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, nextafter(hi, 0), hi);
  assert_true(fabs(hit.u - 0.1) < 1e-14 && fabs(hit.v - 0.1) < 1e-14);
}

static void inflection_of_wang_2021(void **unused) {
  (void)unused;
  const double sliding[] = {1, 0.5, 1, 0, 0.57, 1, 1, 0.57, 1, 1, 1.57, 1, //
                            1, 0.5, 1, 0, 0.28, 1, 1, 0.28, 1, 1, 1.28, 1};
  toi_hit hit = decide(TOI_VERTEX_FACE, sliding);
  assert_int_equal(hit.verdict, TOI_HIT);
  assert_true(fabs(hit.t_lo - 0.07 / 0.29) < 1e-15 && nextafter(hit.t_lo, 1) == hit.t_hi);
  assert_true(hit.u == 1 && hit.v == 0);
  expect_normal(&hit, 0, -1, 0);
  // -72 t^3 + 120 t^2 - 44 t + 3 has two roots in [0, 1], near 0.0883 and 0.4004; at neither is the point inside.
  const double cubic[] = {1, 1, 0, 0, 0, 5, 2, 0, 2, 0, 1, 0, 1, 1, 0, 0, 0, -1, 0, 0, -2, 0, 7, 0};
  expect_miss(TOI_VERTEX_FACE, cubic);
}

/* --- magnitudes --- */

static void scaling_axes_by_powers_of_two_changes_nothing(void **unused) {
  (void)unused;
  static const int exponents[][3] = {
      {-500, -500, -500}, {300, 300, 300}, {-500, 300, 0}, {300, -500, 17}, {-1000, 900, -1000}};
  const double base[] = {0.25, 0.5, 1,  0.0625, -0.25, 0, 1, 0.125, 0.25, 0, 1, 0, //
                         0.25, 0.5, -2, 0.125,  0,     0, 1, 0,     0.5,  0, 1, 0.125};
  toi_hit want = decide(TOI_VERTEX_FACE, base);
  assert_int_equal(want.verdict, TOI_HIT);
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
    double query[24];
    for (int j = 0; j < 24; j++)
      query[j] = ldexp(base[j], exponents[i][j % 3]);
    toi_hit got = expect_hit(TOI_VERTEX_FACE, query, want.t_lo, want.t_hi);
    assert_true(got.u == want.u && got.v == want.v);
    for (int axis = 0; axis < 3; axis++) {
      double unscaled = ldexp(got.point[axis], -exponents[i][axis]);
      assert_true(fabs(unscaled - want.point[axis]) <= 1e-14);
    }
    bool uniform = exponents[i][0] == exponents[i][1] && exponents[i][1] == exponents[i][2];
    if (uniform)
      expect_normal(&got, want.normal[0], want.normal[1], want.normal[2]);
  }
}

static void offsets_that_cancel_change_nothing(void **unused) {
  (void)unused;
  const double offset = 0x1p40;
  const double query[] = {offset + 0.25, offset + 0.5, offset + 1, offset, offset,     offset,
                          offset + 1,    offset,       offset,     offset, offset + 1, offset, //
                          offset + 0.25, offset + 0.5, offset - 1, offset, offset,     offset,
                          offset + 1,    offset,       offset,     offset, offset + 1, offset};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, query, 0.5, 0.5);
  assert_true(hit.u == 0.25 && hit.v == 0.5);
  expect_normal(&hit, 0, 0, 1);
}

static void the_largest_and_smallest_doubles(void **unused) {
  (void)unused;
  const double m = DBL_MAX, s = 0x1p-1074;
  const double huge[] = {0, 0, m, -m, -m, 0, m, -m, 0, 0, m, 0, 0, 0, -m, -m, -m, 0, m, -m, 0, 0, m, 0};
  toi_hit hit = expect_hit(TOI_VERTEX_FACE, huge, 0.5, 0.5);
  expect_place(&hit, 0.25, 0.5);
  expect_normal(&hit, 0, 0, 1);
  const double tiny[] = {0, 0, s, -s, -s, 0, s, -s, 0, 0, s, 0, 0, 0, -s, -s, -s, 0, s, -s, 0, 0, s, 0};
  hit = expect_hit(TOI_VERTEX_FACE, tiny, 0.5, 0.5);
  expect_place(&hit, 0.25, 0.5);
  const double mixed[] = {0, 0, s, -m, -m, 0, m, -m, 0, 0, m, 0, 0, 0, -m, -m, -m, 0, m, -m, 0, 0, m, 0};
  expect_hit(TOI_VERTEX_FACE, mixed, 0, s);
  const double edges[] = {-m, 0, m,  m, 0, m,  0, -s, 0, 0, s, 0, //
                          -m, 0, -m, m, 0, -m, 0, -s, 0, 0, s, 0};
  hit = expect_hit(TOI_EDGE_EDGE, edges, 0.5, 0.5);
  expect_place(&hit, 0.5, 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertex_falls_through_face),
      cmocka_unit_test(vertex_rises_through_face),
      cmocka_unit_test(vertex_falls_beside_face),
      cmocka_unit_test(face_falls_on_vertex_at_rest),
      cmocka_unit_test(edges_cross_in_the_middle),
      cmocka_unit_test(edges_pass_beside_each_other),
      cmocka_unit_test(contact_at_one_third_is_between_doubles),
      cmocka_unit_test(vertex_meets_edge_in_space),
      cmocka_unit_test(sliding_along_an_edge_does_not_tilt_the_normal),
      cmocka_unit_test(vertices_meet),
      cmocka_unit_test(vertex_lands_on_the_boundary_of_the_face),
      cmocka_unit_test(vertex_passes_the_boundary_by_the_least_double),
      cmocka_unit_test(edges_touch_with_their_ends),
      cmocka_unit_test(contact_at_the_start_and_at_the_end),
      cmocka_unit_test(t_max_is_closed_and_does_not_move_the_bracket),
      cmocka_unit_test(guesses_change_nothing),
      cmocka_unit_test(contact_times_below_all_normal_numbers),
      cmocka_unit_test(contact_just_before_the_end),
      cmocka_unit_test(vertex_slides_onto_a_face_in_its_plane),
      cmocka_unit_test(face_turns_in_its_plane_onto_a_vertex),
      cmocka_unit_test(edges_in_one_plane_meet),
      cmocka_unit_test(edges_on_one_line_meet),
      cmocka_unit_test(edge_grows_along_its_line_over_another),
      cmocka_unit_test(parallel_edges_overlap_when_they_meet),
      cmocka_unit_test(at_rest_only_the_start_counts),
      cmocka_unit_test(duplicated_vertices_at_rest_touch),
      cmocka_unit_test(vertex_falls_on_a_triangle_without_area),
      cmocka_unit_test(triangle_collapses_when_the_vertex_reaches_it),
      cmocka_unit_test(edges_without_length),
      cmocka_unit_test(edges_graze_in_a_double_root),
      cmocka_unit_test(two_roots_closer_than_doubles),
      cmocka_unit_test(corner_touches_in_a_triple_root),
      cmocka_unit_test(hourglass_of_wang_2021),
      cmocka_unit_test(inflection_of_wang_2021),
      cmocka_unit_test(scaling_axes_by_powers_of_two_changes_nothing),
      cmocka_unit_test(offsets_that_cancel_change_nothing),
      cmocka_unit_test(the_largest_and_smallest_doubles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
