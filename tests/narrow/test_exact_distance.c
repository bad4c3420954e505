/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Exact distances at one instant: by hand, and against the oracle that only says whether a distance is at most d. */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "narrow/exact_distance.h"
#include "narrow/separation_oracle.h"
#include "support/support.h"

static _Alignas(64) unsigned char scratch[1u << 20];

static toi_exact_distance measure(toi_kind kind, const double *points, toi_norm norm) {
  toi_exact_distance distance;
  toi_exact_distance_at(kind, points, norm, toi_arena_make(scratch, sizeof scratch), &distance);
  return distance;
}

static double part_of(const toi_exact_distance *distance, double factor) {
  return toi_exact_share(distance, &(toi_share){.factor = factor});
}

static void expect_text(const toi_exact_distance *distance, const char *want) {
  char text[256];
  size_t size = toi_exact_distance_text(distance, NULL, 0);
  assert_true(size <= sizeof text);
  assert_int_equal(toi_exact_distance_text(distance, text, size), size);
  assert_string_equal(text, want);
  assert_int_equal(strlen(text) + 1, size);
}

static void expect_region(const toi_exact_distance *distance, int dimension, int feature) {
  assert_int_equal(distance->dimension, dimension);
  assert_int_equal(distance->feature, feature);
}

static void a_vertex_over_a_face_its_sides_and_its_corners(void **unused) {
  (void)unused;
  double points[12] = {2, 2, 3, 0, 0, 0, 8, 0, 0, 0, 8, 0};
  toi_exact_distance distance = measure(TOI_VERTEX_FACE, points, TOI_NORM_L2);
  expect_text(&distance, "9/1");
  expect_region(&distance, 2, 0);
  // Beyond the side from f0 to f1.
  points[1] = -4;
  distance = measure(TOI_VERTEX_FACE, points, TOI_NORM_L2);
  expect_text(&distance, "19/1");
  expect_region(&distance, 1, 0);
  distance = measure(TOI_VERTEX_FACE, points, TOI_NORM_LINF);
  expect_text(&distance, "4/1");
  // Beyond f0.
  points[0] = -1;
  distance = measure(TOI_VERTEX_FACE, points, TOI_NORM_L2);
  expect_text(&distance, "1a/1");
  expect_region(&distance, 0, 0);
  // Beyond the slanting side, in the plane: (6, 6) is 4 / sqrt(2) away, and 2 in the maximum norm.
  points[0] = points[1] = 6;
  points[2] = 0;
  distance = measure(TOI_VERTEX_FACE, points, TOI_NORM_L2);
  expect_text(&distance, "8/1");
  expect_region(&distance, 1, 1);
  distance = measure(TOI_VERTEX_FACE, points, TOI_NORM_LINF);
  expect_text(&distance, "2/1");
}

/* In the maximum norm the corners that are closest along an axis span the feature. */
static void a_vertex_beyond_sides_and_corners_in_the_maximum_norm(void **unused) {
  (void)unused;
  static const struct {
    double v[3];
    const char *text;
    int dimension, feature;
  } cases[] = {{{20, 0, 1}, "c/1", 0, 1},  // beyond f1
               {{2, 20, 1}, "c/1", 0, 2},  // beyond f2
               {{2, -4, 3}, "4/1", 1, 0},  // beyond the side from f0 to f1
               {{-3, 2, 1}, "3/1", 1, 2}}; // beyond the one from f2 to f0
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double points[12] = {0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0};
    memcpy(points, cases[i].v, sizeof cases[i].v);
    toi_exact_distance distance = measure(TOI_VERTEX_FACE, points, TOI_NORM_LINF);
    expect_text(&distance, cases[i].text);
    expect_region(&distance, cases[i].dimension, cases[i].feature);
  }
}

static void skew_edges_have_a_rational_square(void **unused) {
  (void)unused;
  // Along (1, 1, 0) through 0 and along (0, 1, 1) through (3, 0, 0): N = (1, -1, 1), 9 / 3.
  const double crossing[12] = {-5, -5, 0, 5, 5, 0, 3, -5, -5, 3, 5, 5};
  toi_exact_distance distance = measure(TOI_EDGE_EDGE, crossing, TOI_NORM_L2);
  expect_text(&distance, "3/1");
  expect_region(&distance, 2, 0);
  distance = measure(TOI_EDGE_EDGE, crossing, TOI_NORM_LINF);
  expect_text(&distance, "1/1");
  // A third, and a half of it to the power of two: the scale is part of the number.
  const double small[12] = {-5, -5, 0, 5, 5, 0, 1, -5, -5, 1, 5, 5};
  distance = measure(TOI_EDGE_EDGE, small, TOI_NORM_L2);
  expect_text(&distance, "1/3");
  const double half[12] = {-2.5, -2.5, 0, 2.5, 2.5, 0, 0.5, -2.5, -2.5, 0.5, 2.5, 2.5};
  distance = measure(TOI_EDGE_EDGE, half, TOI_NORM_L2);
  expect_text(&distance, "1/c");
  const double large[12] = {-320, -320, 0, 320, 320, 0, 64, -320, -320, 64, 320, 320};
  distance = measure(TOI_EDGE_EDGE, large, TOI_NORM_L2);
  expect_text(&distance, "1000/3");
}

static void touching_is_zero(void **unused) {
  (void)unused;
  const double points[12] = {2, 2, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0};
  for (int norm = 0; norm < 2; norm++) {
    toi_exact_distance distance = measure(TOI_VERTEX_FACE, points, (toi_norm)norm);
    expect_text(&distance, "0/1");
    assert_true(part_of(&distance, 0.5) == 0);
    assert_int_equal(toi_exact_distance_compare(&distance, 1, 0), 0);
    assert_int_equal(toi_exact_distance_compare(&distance, 1, 0x1p-1074), -1);
  }
}

static void parts_are_rounded_down(void **unused) {
  (void)unused;
  const double near[6] = {0, 0, 0, 1, 1, 1}, far[6] = {0x1.8p1023, 0, 0, -0x1.8p1023, 0, 0};
  const double tiny[6] = {0, 0, 0, 0x1p-1074, 0x1p-1074, 0};
  // sqrt(3) is above the double that it is rounded to, or below it: one of two neighbours is right.
  toi_exact_distance distance = measure(TOI_VERTEX_VERTEX, near, TOI_NORM_L2);
  double part = part_of(&distance, 1);
  assert_true(part == 0x1.bb67ae8584caap0);
  assert_int_equal(toi_exact_distance_compare(&distance, 1, part), 1);
  assert_int_equal(toi_exact_distance_compare(&distance, 1, nextafter(part, 2)), -1);
  // 0.2 is a double above one fifth, and its part of 1 is itself.
  distance = measure(TOI_VERTEX_VERTEX, near, TOI_NORM_LINF);
  assert_true(part_of(&distance, 0.2) == 0.2);
  // Past the largest double, and below the smallest.
  for (int norm = 0; norm < 2; norm++) {
    distance = measure(TOI_VERTEX_VERTEX, far, (toi_norm)norm);
    assert_true(part_of(&distance, 1) == DBL_MAX);
    assert_true(part_of(&distance, 0.25) == 0x1.8p1022);
    distance = measure(TOI_VERTEX_VERTEX, tiny, (toi_norm)norm);
    assert_true(part_of(&distance, 1) == 0x1p-1074);
    assert_true(part_of(&distance, 0.5) == 0);
    assert_true(part_of(&distance, 3) == (norm == 0 ? 4 * 0x1p-1074 : 3 * 0x1p-1074));
  }
}

/* T and a fraction of the rest, and half of the rest, of a distance of 5 and of the square root of 3. */
static void shares_are_rounded_down_once(void **unused) {
  (void)unused;
  const double whole[6] = {0, 0, 0, 3, 4, 0}, root[6] = {0, 0, 0, 1, 1, 1};
  toi_exact_distance distance = measure(TOI_VERTEX_VERTEX, whole, TOI_NORM_L2);
  static const struct {
    toi_share share;
    double value;
  } cases[] = {{{0.5, 1, 1}, 3}, {{0.25, 4, 4}, 4.25}, {{0.5, 5, 5}, 5}, {{0.5, 6, 6}, 6}, {{0.5, 1, 0}, 2},
               {{0.5, 5, 0}, 0}, {{0.5, 7, 0}, 0},     {{3, 4, 4}, 7},   {{0, 1, 2}, 2},   {{1, 0, 1e300}, 1e300}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_true(toi_exact_share(&distance, &cases[i].share) == cases[i].value);
    assert_int_equal(toi_exact_share_compare(&distance, &cases[i].share, cases[i].value), i == 9 ? 1 : 0);
  }
  // A unit in the last place on either side: 0.1 (5 - 1) is above 0.4 as doubles are, and 1.4 above the sum.
  const toi_share tenth = {0.1, 1, 1};
  const double part = toi_exact_share(&distance, &tenth);
  assert_int_equal(toi_exact_share_compare(&distance, &tenth, part), 1);
  assert_int_equal(toi_exact_share_compare(&distance, &tenth, nextafter(part, 2)), -1);
  // What is left of sqrt(3) beyond its rounded value is far smaller than a guess in doubles can be.
  distance = measure(TOI_VERTEX_VERTEX, root, TOI_NORM_L2);
  const toi_share rest = {0.5, part_of(&distance, 1), 0};
  const double half = toi_exact_share(&distance, &rest);
  assert_true(half > 0 && half < 0x1p-53);
  assert_int_equal(toi_exact_share_compare(&distance, &rest, half), 1);
  assert_int_equal(toi_exact_share_compare(&distance, &rest, nextafter(half, 1)), -1);
}

/* The oracle takes a query: the same points twice. */
static bool within(toi_kind kind, const double *query, double d, toi_norm norm) {
  return oracle_within(kind, query, d, norm, 0);
}

static void distances_agree_with_the_oracle(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1), apart = 0;
  for (uint64_t round = 0; round < test_count(8000); round++) {
    double points[24];
    toi_kind kind = (toi_kind)(test_random(&state) % TOI_KIND_COUNT);
    bool whole = test_random(&state) % 2;
    int values = 3 * (int)toi_kind_points(kind);
    for (int i = 0; i < values; i++) {
      double small = (double)(test_random(&state) % 9) - 4;
      points[i] = points[values + i] =
          whole ? small : ldexp(test_random_unit(&state) - 0.5, (int)(test_random(&state) % 20));
    }
    toi_norm norm = (toi_norm)(round % 2);
    toi_exact_distance distance = measure(kind, points, norm);
    double low = part_of(&distance, 1), high = nextafter(low, INFINITY);
    bool equal = toi_exact_distance_compare(&distance, 1, low) == 0;
    bool fine = within(kind, points, high, norm) && (low == 0 || within(kind, points, low, norm) == equal);
    // The oracle says of a distance of 0 only that it is at most the smallest double.
    if (!fine || (low == 0) != within(kind, points, 0x1p-1074, norm) || (low == 0 && !equal)) {
      test_print_query(kind, points);
      fail_msg("norm %d: distance above %a", (int)norm, low);
    }
    apart += low > 0;
  }
  assert_true(apart > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_vertex_over_a_face_its_sides_and_its_corners),
      cmocka_unit_test(a_vertex_beyond_sides_and_corners_in_the_maximum_norm),
      cmocka_unit_test(skew_edges_have_a_rational_square),
      cmocka_unit_test(touching_is_zero),
      cmocka_unit_test(parts_are_rounded_down),
      cmocka_unit_test(shares_are_rounded_down_once),
      cmocka_unit_test(distances_agree_with_the_oracle),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  dyadic_free_all();
  return failed;
}
