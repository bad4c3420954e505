/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Swept boxes of patches, beside exact rational arithmetic. */

#include "support/support.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>

#include "surface/model.h"

#define POINTS 4

typedef struct drawn {
  double points[POINTS][3], velocities[POINTS][3];
  toi_patch patch;
  double t_max, separation;
} drawn;

/* Something between 0 and a little more than the size of other numbers, 0 now and then. */
static double not_negative(uint64_t *seed, int style) {
  return test_random(seed) % 3 ? fabs(test_random_extreme(seed, style)) : 0;
}

static void draw(uint64_t *seed, drawn *d) {
  int style = (int)(test_random(seed) % 4);
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < 3; k++) {
      d->points[i][k] = test_random_extreme(seed, style);
      d->velocities[i][k] = test_random(seed) % 4 ? test_random_extreme(seed, style) : 0;
    }
  d->patch = (toi_patch){.shape = TOI_PATCH_QUAD,
                         .degree = {1, 1},
                         .points = (const double(*)[3])d->points,
                         .velocities = test_random(seed) % 4 ? (const double(*)[3])d->velocities : NULL,
                         .error = not_negative(seed, style),
                         .velocity_error = not_negative(seed, style)};
  d->t_max = test_random(seed) % 2 ? test_random_unit(seed) + 0x1p-60 : fabs(test_random_extreme(seed, style)) + 1e-300;
  d->separation = not_negative(seed, style);
  if (!isfinite(d->t_max))
    d->t_max = 1;
}

/* Whether x <= bound; beyond the largest double it is at it. */
static bool below(const mpq_t x, double bound) {
  mpq_t b;
  mpq_init(b);
  mpq_set_d(b, bound);
  bool result = bound == DBL_MAX || mpq_cmp(x, b) <= 0;
  mpq_clear(b);
  return result;
}

/* value += factor * x, exactly. */
static void add(mpq_t value, double factor, double x) {
  mpq_t a, b;
  mpq_inits(a, b, NULL);
  mpq_set_d(a, factor);
  mpq_set_d(b, x);
  mpq_mul(a, a, b);
  mpq_add(value, value, a);
  mpq_clears(a, b, NULL);
}

/* Both ends of point i, in axis k, with everything around them, on one side (1: above, -1: below). */
static bool holds(const drawn *d, const toi_swept_box *box, int i, int k, int side) {
  bool result = true;
  mpq_t x;
  mpq_init(x);
  for (int end = 0; end < 2; end++) {
    double t = end ? d->t_max : 0;
    mpq_set_ui(x, 0, 1);
    add(x, side, d->points[i][k]);
    if (d->patch.velocities)
      add(x, t, side * d->velocities[i][k]);
    add(x, 0.5, d->separation);
    add(x, 1, d->patch.error);
    add(x, t, d->patch.velocity_error);
    result = result && below(x, side > 0 ? box->hi[k] : -box->lo[k]);
  }
  mpq_clear(x);
  return result;
}

static void the_box_holds_every_control_point_and_what_is_around_it(void **state) {
  (void)state;
  uint64_t seed = test_seed(61);
  for (uint64_t round = test_count(20000); round > 0; round--) {
    drawn d;
    toi_swept_box box;
    draw(&seed, &d);
    toi_patch_box(&d.patch, d.t_max, d.separation, &box);
    for (int i = 0; i < POINTS; i++)
      for (int k = 0; k < 3; k++) {
        assert_true(fabs(box.lo[k]) <= DBL_MAX && fabs(box.hi[k]) <= DBL_MAX && box.lo[k] <= box.hi[k]);
        if (holds(&d, &box, i, k, 1) && holds(&d, &box, i, k, -1))
          continue;
        fprintf(stderr, "p %a v %a (given: %d) t %a error %a %a separation %a box %a %a\n", d.points[i][k],
                d.velocities[i][k], d.patch.velocities != NULL, d.t_max, d.patch.error, d.patch.velocity_error,
                d.separation, box.lo[k], box.hi[k]);
        fail_msg("a control point is outside");
      }
  }
}

static void the_box_of_a_patch_at_rest_is_exact(void **state) {
  (void)state;
  const double points[3][3] = {{0.1, -3, 7}, {0.7, -1e-300, 7}, {0.3, 5, 7}};
  const toi_patch patch = {.shape = TOI_PATCH_TRIANGLE, .degree = {1, 0}, .points = points};
  toi_swept_box box;
  toi_patch_box(&patch, 0.3, 0, &box);
  const toi_swept_box expected = {{0.1, -3, 7}, {0.7, 5, 7}};
  assert_memory_equal(&box, &expected, sizeof(box));
  toi_patch_box(&patch, 0.3, 0.5, &box);
  const toi_swept_box grown = {{0.1 - 0.25, -3.25, 6.75}, {0.7 + 0.25, 5.25, 7.25}};
  for (int k = 0; k < 3; k++) {
    assert_true(box.lo[k] <= grown.lo[k] && box.lo[k] >= nextafter(grown.lo[k], -INFINITY));
    assert_true(box.hi[k] >= grown.hi[k] && box.hi[k] <= nextafter(grown.hi[k], INFINITY));
  }
}

static void the_box_of_a_moving_patch_is_tight(void **state) {
  (void)state;
  const double points[2][3] = {{1, 2, 3}, {4, 5, 6}}, velocities[2][3] = {{1, 0, -1}, {2, -2, 0}};
  const toi_patch patch = {
      .degree = {1, 0}, .points = points, .velocities = velocities, .error = 0x1p-10, .velocity_error = 0x1p-9};
  toi_swept_box box;
  toi_patch_box(&patch, 0.5, 0x1p-8, &box);
  double around = 0x1p-10 + 0x1p-10 + 0x1p-9;
  const toi_swept_box expected = {{1 - around, 2 - around, 2.5 - around}, {5 + around, 5 + around, 6 + around}};
  for (int k = 0; k < 3; k++) {
    assert_true(box.lo[k] <= expected.lo[k] && box.lo[k] > expected.lo[k] - 1e-14);
    assert_true(box.hi[k] >= expected.hi[k] && box.hi[k] < expected.hi[k] + 1e-14);
  }
}

/* 2^1023 and its motion: both ends are no doubles any more, on both sides. */
static void what_overflows_lies_at_the_largest_double(void **state) {
  (void)state;
  const double points[1][3] = {{0x1p1023, -0x1p1023, 1}}, velocities[1][3] = {{0x1p1023, -0x1p1023, 0}};
  const toi_patch patch = {.degree = {0, 0}, .points = points, .velocities = velocities};
  toi_swept_box box;
  toi_patch_box(&patch, 4, 0, &box);
  assert_true(box.hi[0] == DBL_MAX && box.lo[1] == -DBL_MAX);
  assert_true(box.lo[0] <= 0x1p1023 && box.hi[1] >= -0x1p1023);
  assert_true(box.lo[2] <= 1 && box.lo[2] > 1 - 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_box_holds_every_control_point_and_what_is_around_it),
      cmocka_unit_test(the_box_of_a_patch_at_rest_is_exact),
      cmocka_unit_test(the_box_of_a_moving_patch_is_tight),
      cmocka_unit_test(what_overflows_lies_at_the_largest_double),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
