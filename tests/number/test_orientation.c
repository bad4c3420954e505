/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The orientation of four points against the determinant in GMP's integers, which may be believed everywhere. The
 * bound of the floating-point value is held against the true error, on points that are made to come close to it. */

#include "number/orientation.h"

#include <math.h>
#include <string.h>

#include "narrow/dyadic.h"
#include "support/support.h"

typedef struct points {
  double p[4][3];
} points;

static exact determinant(const points *q) {
  exact x[3][3];
  for (int i = 0; i < 3; i++)
    for (int axis = 0; axis < 3; axis++)
      x[i][axis] = minus(exactly(q->p[i][axis]), exactly(q->p[3][axis]));
  exact sum = exactly(0);
  for (int axis = 0; axis < 3; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    exact minor = minus(times(x[1][y], x[2][z]), times(x[1][z], x[2][y]));
    sum = plus(sum, times(x[0][axis], minor));
  }
  return sum;
}

static void complain(const points *q, const char *what) {
  for (int i = 0; i < 4; i++)
    print_error("%a %a %a\n", q->p[i][0], q->p[i][1], q->p[i][2]);
  fail_msg("%s", what);
}

typedef void (*find_signs)(const double (*const points[4])[TOI_ORIENTATIONS], size_t count,
                           int signs[TOI_ORIENTATIONS]);

/* In lanes, the sign is known exactly where the value is beyond its bound; with its neighbours swapped, minus that. */
static void check_lanes(const points *q, find_signs find) {
  double rows[4][3][TOI_ORIENTATIONS];
  const double(*given[4])[TOI_ORIENTATIONS];
  for (int k = 0; k < 4; k++)
    given[k] = (const double(*)[TOI_ORIENTATIONS])rows[k];
  int signs[TOI_ORIENTATIONS] = {0};
  for (size_t i = 0; i < 8; i++)
    for (size_t k = 0; k < 12; k++)
      rows[k / 3][k % 3][i] = q->p[i % 2 == 1 && k < 6 ? 1 - k / 3 : k / 3][k % 3];
  find(given, 5, signs);
  for (size_t i = 0; i < 5; i++) {
    const double *a = q->p[i % 2], *b = q->p[1 - i % 2];
    const toi_volume volume = toi_orientation_volume(a, b, q->p[2], q->p[3]);
    if (signs[i] != (volume.value > volume.bound) - (volume.value < -volume.bound))
      complain(q, "another sign in lanes");
  }
}

/* Checks all that is promised; returns the part of the bound that the error takes. */
static double check(const points *q) {
  dyadic_reset();
  const double *a = q->p[0], *b = q->p[1], *c = q->p[2], *d = q->p[3];
  exact truth = determinant(q);
  int sign = sign_of(truth);
  if (toi_orientation(a, b, c, d) != sign || toi_orientation(b, a, c, d) != -sign ||
      toi_orientation(d, b, c, a) != -sign)
    complain(q, "wrong sign");
  if (toi_orientation_exact(a, b, c, d) != sign)
    complain(q, "wrong sign in integers");
  check_lanes(q, toi_orientation_signs_two);
  check_lanes(q, toi_orientation_signs);
  toi_volume volume = toi_orientation_volume(a, b, c, d);
  if (isinf(volume.bound))
    return 0;
  exact error = size_of(minus(exactly(volume.value), truth));
  if (sign_of(minus(error, exactly(volume.bound))) > 0)
    complain(q, "the error is beyond its bound");
  return volume.bound > 0 ? ratio_of(error, exactly(volume.bound)) : 0;
}

/* Up to 1/2 in magnitude, times a power of two below 2^scales. */
static double draw_scaled(uint64_t *state, uint64_t scales) {
  int exponent = (int)(test_random(state) % scales);
  return ldexp(test_random_unit(state) - 0.5, exponent);
}

static void sides_of_a_plane_are_told(void **unused) {
  (void)unused;
  points q = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};
  assert_int_equal(toi_orientation(q.p[0], q.p[1], q.p[2], q.p[3]), 1);
  check(&q);
  // The first point comes down on the plane of the others, and through it.
  points r = {{{3, 3, 0x1p-1074}, {7, 0, 0}, {0, 7, 0}, {0, 0, 0}}};
  for (int i = 1; i >= -1; i--) {
    r.p[0][2] = i * 0x1p-1074;
    assert_int_equal(toi_orientation(r.p[0], r.p[1], r.p[2], r.p[3]), i);
    check(&r);
  }
}

static void points_in_a_plane_are_in_it_however_it_lies(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    // d + s e + t f with small integers, far away or scaled: nothing is rounded.
    double d[3], e[3], f[3], scale = ldexp(1, (int)(test_random(&state) % 1900) - 950);
    points q;
    for (int axis = 0; axis < 3; axis++) {
      d[axis] = (double)(test_random(&state) % (1u << 30));
      e[axis] = (double)(test_random(&state) % 1000) - 500;
      f[axis] = (double)(test_random(&state) % 1000) - 500;
    }
    for (int i = 0; i < 4; i++) {
      double s = (double)(test_random(&state) % 100) - 50, t = (double)(test_random(&state) % 100) - 50;
      for (int axis = 0; axis < 3; axis++)
        q.p[i][axis] = (d[axis] + s * e[axis] + t * f[axis]) * scale;
    }
    check(&q);
    assert_int_equal(toi_orientation(q.p[0], q.p[1], q.p[2], q.p[3]), 0);
    // One step of a coordinate away.
    double *nudged = q.p[0] + test_random(&state) % 12;
    *nudged = nextafter(*nudged, test_random(&state) % 2 ? INFINITY : -INFINITY);
    check(&q);
  }
}

static void points_rounded_into_a_plane_have_their_true_side(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2), wrong = 0;
  double most = 0;
  for (uint64_t round = 0; round < test_count(100000); round++) {
    points q;
    for (int i = 0; i < 9; i++)
      q.p[i / 3][i % 3] = draw_scaled(&state, 8);
    double s = 3 * test_random_unit(&state) - 1, t = 3 * test_random_unit(&state) - 1;
    for (int axis = 0; axis < 3; axis++)
      q.p[3][axis] = q.p[0][axis] + s * (q.p[1][axis] - q.p[0][axis]) + t * (q.p[2][axis] - q.p[0][axis]);
    double ratio = check(&q);
    most = fmax(most, ratio);
    // Points on which the value alone would be wrong.
    toi_volume volume = toi_orientation_volume(q.p[0], q.p[1], q.p[2], q.p[3]);
    int sign = toi_orientation(q.p[0], q.p[1], q.p[2], q.p[3]);
    wrong += (volume.value > 0) - (volume.value < 0) != sign;
  }
  print_message("%d values of the wrong sign, errors up to %.3f of the bound\n", (int)wrong, most);
  assert_true(wrong > test_count(100000) / 1000);
}

/* How much of the bound errors can take: climbs from random points by changing coordinates. A bound that is too small
 * by as little as this leaves would fail. */
static void errors_come_close_to_their_bound_and_stay_within(void **unused) {
  (void)unused;
  uint64_t state = test_seed(3);
  double most = 0;
  for (uint64_t climb = 0; climb < test_count(40); climb++) {
    points best;
    for (int i = 0; i < 12; i++) {
      // Differences near 1 or -1 that are rounded, products that are as large as the bound assumes.
      double sign = test_random(&state) % 2 ? 1 : -1;
      best.p[i / 3][i % 3] =
          i < 9 ? sign * (1 + 0x1p-10 * test_random_unit(&state)) : 0x1p-3 * test_random_unit(&state);
    }
    double height = check(&best);
    for (int step = 0; step < 3000; step++) {
      points next = best;
      for (int changes = 1 + (int)(test_random(&state) % 3); changes > 0; changes--) {
        double *x = next.p[0] + test_random(&state) % 12;
        *x += draw_scaled(&state, 54) * 0x1p-53;
      }
      double own = check(&next);
      if (own >= height) {
        height = own;
        best = next;
      }
    }
    most = fmax(most, height);
  }
  print_message("errors up to %.3f of the bound\n", most);
  assert_true(most > (test_count(40) >= 40 ? 0.3 : 0.1));
}

/* Extremes, or coordinates around the bounds of the filter's range. */
static double draw_extreme(uint64_t *state, int style) {
  int near = (int)(test_random(state) % 4);
  switch (style) {
  case 3:
    return ldexp(test_random_unit(state), -300 + near);
  case 4:
    return ldexp(test_random_unit(state), 300 - near);
  default:
    return test_random_extreme(state, style);
  }
}

static void all_exponents_are_right(void **unused) {
  (void)unused;
  uint64_t state = test_seed(4);
  for (uint64_t round = 0; round < test_count(40000); round++) {
    points q;
    int style = (int)(test_random(&state) % 5);
    for (int i = 0; i < 12; i++)
      q.p[i / 3][i % 3] = draw_extreme(&state, style);
    // Points that coincide on an axis, or altogether.
    if (test_random(&state) % 3 == 0)
      q.p[1][test_random(&state) % 3] = q.p[2][0];
    if (test_random(&state) % 5 == 0)
      memcpy(q.p[test_random(&state) % 4], q.p[0], sizeof q.p[0]);
    check(&q);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sides_of_a_plane_are_told),
      cmocka_unit_test(points_in_a_plane_are_in_it_however_it_lies),
      cmocka_unit_test(points_rounded_into_a_plane_have_their_true_side),
      cmocka_unit_test(errors_come_close_to_their_bound_and_stay_within),
      cmocka_unit_test(all_exponents_are_right),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  dyadic_free_all();
  return failed;
}
