/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts after, or next to, another root that is none: the side of the normal after roots that are met and passed,
 * and sides of a flat triangle that meet the vertex so close to each other that their brackets overlap. */

#include <math.h>

#include "narrow/asking.h"

static const char *const methods[] = {"certified", "exact"};

static void expect_up(const double *query, double t, double up) {
  for (size_t i = 0; i < 2; i++) {
    toi_hit hit = ask_one(TOI_VERTEX_FACE, query, methods[i], 1);
    assert_int_equal(hit.verdict, TOI_HIT);
    assert_null(fault_of_time(&hit, t, t));
    assert_true(hit.normal[0] == 0 && hit.normal[1] == 0 && hit.normal[2] == up);
  }
}

/* The face is the point f0 at t = 1/4, where the coplanarity has a double root, and grows again on the other side of
 * it; the vertex falls through it at t = 3/4. */
static void vertex_falls_through_face_that_shrank_to_a_point(void **unused) {
  (void)unused;
  const double falls[] = {-.5, -.5, 3,  0, 0, 0, 1,  0, 0, 0, 1,  0, //
                          -.5, -.5, -1, 0, 0, 0, -3, 0, 0, 0, -3, 0};
  expect_up(falls, 0.75, 1);
  const double rises[] = {-.5, -.5, -3, 0, 0, 0, 1,  0, 0, 0, 1,  0, //
                          -.5, -.5, 1,  0, 0, 0, -3, 0, 0, 0, -3, 0};
  expect_up(rises, 0.75, -1);
}

/* Only f1 passes f0: the face is a segment at t = 1/4, a simple root, and is then seen from its other side. */
static void vertex_falls_through_face_that_turned_over(void **unused) {
  (void)unused;
  const double query[] = {-.5, .25, 3,  0, 0, 0, 1,  0, 0, 0, 1, 0, //
                          -.5, .25, -1, 0, 0, 0, -3, 0, 0, 0, 1, 0};
  expect_up(query, 0.75, 1);
}

/* All in one plane at the start, the vertex beside the face: a root at 0 that is no contact. At t, f2 is at (0, 1, 4t)
 * and the vertex at (1/4, 2t - 1, t): above the face's plane z = 4ty, until it comes through at y = 1/4, t = 5/8. */
static void vertex_leaves_the_plane_and_falls_through_the_face(void **unused) {
  (void)unused;
  const double query[] = {.25, -1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, //
                          .25, 1,  1, 0, 0, 0, 1, 0, 0, 0, 1, 4};
  for (size_t i = 0; i < 2; i++) {
    toi_hit hit = ask_one(TOI_VERTEX_FACE, query, methods[i], 1);
    assert_int_equal(hit.verdict, TOI_HIT);
    assert_null(fault_of_time(&hit, 0.625, 0.625));
    assert_true(hit.normal[0] == 0 && hit.normal[2] > 0 && fabs(hit.normal[1] + 2.5 * hit.normal[2]) < 0x1p-40);
  }
}

/* A vertex at rest in 0 and a flat triangle in the plane z = 0 that comes down in y. Its side f0 f1 is at the height
 * y, level, and the one from f1 to f2 lower by half of `lower` where it passes x = 0: that one is first by a few units
 * in the last place, well within what rounding does to either. */
static void needle_query(double y, double fall, double lower, int first, double query[24]) {
  const double corners[3][2] = {{-1, y}, {1, y}, {-1, y - lower}};
  memset(query, 0, 24 * sizeof *query);
  for (int k = 0; k < 3; k++)
    for (int time = 0; time < 2; time++) {
      double *point = query + 12 * time + 3 * (1 + (k + first) % 3);
      point[0] = corners[k][0];
      point[1] = corners[k][1] - (time ? fall : 0);
    }
}

static void two_sides_of_a_needle_meet_the_vertex_almost_at_once(void **unused) {
  (void)unused;
  uint64_t seed = test_seed(71), rounds = test_count(20000), hits = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    double y = 1 + test_random_unit(&seed), query[24];
    double fall = y + 0.5 + test_random_unit(&seed);
    needle_query(y, fall, (double)(test_random(&seed) % 48) * 0x1p-52, (int)(test_random(&seed) % 3), query);
    toi_hit certified = ask_one(TOI_VERTEX_FACE, query, "certified", 1);
    toi_hit exact = ask_one(TOI_VERTEX_FACE, query, "exact", 1);
    assert_int_equal(certified.verdict, exact.verdict);
    if (exact.verdict != TOI_HIT)
      continue;
    hits++;
    const char *fault = fault_of_time(&certified, exact.t_lo, exact.t_hi);
    if (fault) {
      test_print_query(TOI_VERTEX_FACE, query);
      fail_msg("%s: [%a, %a] instead of [%a, %a]", fault, certified.t_lo, certified.t_hi, exact.t_lo, exact.t_hi);
    }
  }
  assert_true(hits > rounds / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertex_falls_through_face_that_shrank_to_a_point),
      cmocka_unit_test(vertex_falls_through_face_that_turned_over),
      cmocka_unit_test(vertex_leaves_the_plane_and_falls_through_the_face),
      cmocka_unit_test(two_sides_of_a_needle_meet_the_vertex_almost_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
