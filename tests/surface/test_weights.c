/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rational patches whose weights are far apart: the bounds on rounding count in parts of each weight, so that nothing
 * is missed, and contacts are proved, whatever the weights are. */

#include "surface/cases.h"

/* The square [0, 1] x [-1/2, 1/2] in the plane z = 0, of degrees m and 1, the weights of its first edge 2^-low. */
static void make_plate(test_patch *p, uint32_t m, int low) {
  patch_make(p, TOI_PATCH_QUAD, m, 1);
  p->patch.weights = p->weights;
  for (uint32_t i = 0; i <= m; i++)
    for (uint32_t j = 0; j < 2; j++) {
      uint32_t k = 2 * i + j;
      p->points[k][0] = (double)i / m;
      p->points[k][1] = j - 0.5;
      p->weights[k] = i == 0 ? ldexp(1, -low) : 1;
    }
}

/* z = 1/2 + (x^2 + y^2) / 4 over |x|, |y| <= 1/64, around (3/8, 0), falling with speed 1. */
static void make_bowl(test_patch *p) {
  static const double square[3] = {1, -1, 1};
  patch_make(p, TOI_PATCH_QUAD, 2, 2);
  for (int k = 0; k < 9; k++) {
    int row = k / 3;
    p->points[k][0] = 0.375 + (row - 1) * 0x1p-6;
    p->points[k][1] = (k % 3 - 1) * 0x1p-6;
    p->points[k][2] = 0.5 + (square[row] + square[k % 3]) * 0x1p-14;
    p->velocities[k][2] = -1;
  }
}

static void a_bowl_falls_on_a_plate_with_an_edge_of_little_weight(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  for (uint32_t m = 1; m <= 9; m++)
    for (int low = 0; low < 98; low++) {
      test_case c = {.t_max = 1};
      toi_surface_hit hit;
      make_plate(&c.a, m, low);
      make_bowl(&c.b);
      options.max_checks = 4096;
      assert_int_equal(toi_patch_pair(context, &c.a.patch, &c.b.patch, &options, &hit), TOI_OK);
      // Low degrees: the place of contact is at parameters near 0, where nothing may be proved.
      bool proved = m > 2 || low < 10;
      if (hit.verdict != TOI_MISS && hit.t_lo <= 0.5 && hit.t_lo > 0.5 - (proved ? 1e-9 : 1e-3) &&
          (!proved || (hit.verdict == TOI_HIT && hit.t_hi >= 0.5 && hit.t_hi < 0.5 + 1e-6)))
        continue;
      fail_msg("degree %u, weights 2^-%d: verdict %d, [%a, %a]", m, low, hit.verdict, hit.t_lo, hit.t_hi);
    }
  toi_context_destroy(context);
}

/* All weights times one number change nothing. */
static void weights_of_any_size_give_the_same_answer(void **state) {
  (void)state;
  static const int sizes[] = {-1070, -1000, -500, 500, 1000, 1023};
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  test_case c = {.t_max = 1};
  toi_surface_hit first, hit;
  make_plate(&c.a, 3, 2);
  make_bowl(&c.b);
  assert_int_equal(toi_patch_pair(context, &c.a.patch, &c.b.patch, &options, &first), TOI_OK);
  assert_int_equal(first.verdict, TOI_HIT);
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    make_plate(&c.a, 3, 2);
    for (size_t k = 0; k < patch_count(&c.a); k++)
      c.a.weights[k] = ldexp(c.a.weights[k], sizes[i]);
    assert_int_equal(toi_patch_pair(context, &c.a.patch, &c.b.patch, &options, &hit), TOI_OK);
    assert_int_equal(hit.verdict, TOI_HIT);
    assert_true(hit.t_lo <= 0.5 && hit.t_hi >= 0.5 && fabs(hit.t_lo - first.t_lo) < 1e-9);
  }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bowl_falls_on_a_plate_with_an_edge_of_little_weight),
      cmocka_unit_test(weights_of_any_size_give_the_same_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
