/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Claim 3 of narrow/contact_filter_bounds.h, which devices use (device/kernels.cl), against integers: a corner that
 * comes to 0, or just beyond it, at time t is never cleared up to t, whatever the rounding of the coordinates was. */

#include <math.h>

#define TOI_FLOAT_LANES 1
#include "narrow/contact_filter_bounds.h"
#include "number/float_lanes_body.h"

#include "narrow/contact_filter_core_body.h"
#include "support/support.h"

/* Coordinates are whole numbers below 2^24, times are over 2^24. */
#define UNITS 0x1p24

/* A corner above 0 at the start, and at 0 or less than 2^-24 t below it at time t / 2^24. */
static void falling_corner(uint64_t *random, int64_t t, int64_t *start, int64_t *end) {
  const int64_t whole = (int64_t)UNITS;
  do {
    *end = -1 - (int64_t)(test_random(random) % (uint64_t)(whole - 1));
    *start = t * -*end / (whole - t);
  } while (*start < 1 || *start >= whole);
}

/* Corners of one axis fall, those of the others lie around 0, so that only that axis can clear them. */
static float_hull hull_of(uint64_t *random, int64_t t, float r, int axis) {
  float_hull hull;
  for (int time = 0; time < TIMES; time++)
    for (int k = 0; k < CORNERS; k++)
      for (int i = 0; i < AXES; i++)
        hull.at[time][k][i] = k % 2 ? 1 : -1;
  for (int k = 0; k < 3; k++) {
    int64_t start, end;
    falling_corner(random, t, &start, &end);
    // What the rounding of the mesh may have added.
    const float e = r * (1 - 0x1p-10f);
    hull.at[0][k][axis] = (float)start + e;
    hull.at[1][k][axis] = (float)end + e;
  }
  return hull;
}

static size_t check(float r, uint64_t seed, size_t rounds) {
  uint64_t random = test_seed(seed);
  size_t cleared_at_start = 0;
  for (size_t i = 0; i < rounds; i++) {
    const int64_t t = 1 + (int64_t)(test_random(&random) % (uint64_t)(UNITS - 2));
    const int axis = (int)(i % AXES);
    float_hull hull = hull_of(&random, t, r, axis);
    // Likewise from below.
    for (int k = 0; k < CORNERS && i % 2; k++)
      for (int time = 0; time < TIMES; time++)
        hull.at[time][k][axis] = -hull.at[time][k][axis];
    const float_bounds bounds = {{r, r, r}, TOI_COARSE_END, TOI_COARSE_MID, TOI_COARSE_HALVES, TOI_COARSE_AREAS};
    hull_box(3, &bounds, &hull);
    if (bits_of(hull_box_until(3, &bounds, &hull, (float)((double)t / UNITS))))
      fail_msg("t = %lld / 2^24, r = %a: cleared though a corner is at 0", (long long)t, (double)r);
    cleared_at_start += bits_of(hull_box_until(3, &bounds, &hull, 0)) != 0;
  }
  return cleared_at_start;
}

static void corners_that_come_to_zero_are_not_cleared(void **state) {
  (void)state;
  const size_t rounds = test_count(400000);
  // Nearly all are clear at the start: the test is not empty.
  assert_true(check(0, 81, rounds) > rounds / 10 * 9);
  assert_true(check(3, 82, rounds) > rounds / 2);
  assert_true(check(0x1p-20f, 83, rounds) > rounds / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(corners_that_come_to_zero_are_not_cleared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
