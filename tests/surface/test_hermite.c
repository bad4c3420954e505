/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bicubic Hermite patches: the Bezier patch against the Hermite polynomials in rational numbers, and its bounds. */

#include "support/support.h"

#include <math.h>

#include "surface/exact_patch.h"

/* The cubic with value (d = 0) or derivative (1) 1 at an end (0 or 1), and the other three of these 0. */
static void hermite_cubic(int end, int d, const mpq_t x, mpq_t value) {
  mpq_t y, z;
  mpq_inits(y, z, NULL);
  // At the end 0: (1 + 2 x) (1 - x)^2 and x (1 - x)^2; the others are their mirror images.
  mpq_set_ui(y, 1, 1);
  mpq_sub(y, y, x);
  if (end == 0) {
    mpq_set(z, x);
  } else {
    mpq_set(z, y);
    mpq_set(y, x);
  }
  mpq_set_ui(value, 1, 1);
  if (d == 0) {
    mpq_add(value, value, z);
    mpq_add(value, value, z);
  } else {
    mpq_set(value, z);
    if (end == 1)
      mpq_neg(value, value);
  }
  mpq_mul(value, value, y);
  mpq_mul(value, value, y);
  mpq_clears(y, z, NULL);
}

static void exact_hermite(const double corners[4][4][3], const double velocities[4][4][3], const mpq_t u, const mpq_t v,
                          exact_point *point) {
  exact_sum sum;
  exact_sum_init(&sum);
  mpq_t a, b;
  mpq_inits(a, b, NULL);
  for (int c = 0; c < 4; c++)
    for (int d = 0; d < 4; d++) {
      // 0: position, 1: d/du, 2: d/dv, 3: both.
      hermite_cubic(c / 2, d % 2, u, a);
      hermite_cubic(c % 2, d / 2, v, b);
      mpq_mul(a, a, b);
      exact_sum_add(&sum, a, 1, corners[c][d], velocities == NULL ? NULL : velocities[c][d]);
    }
  for (int k = 0; k < 6; k++)
    mpq_set(point->x[k], sum.point.x[k]);
  mpq_clears(a, b, NULL);
  exact_sum_clear(&sum);
}

/* The largest parts of the bounds that errors are on a grid. */
static void compare(const double corners[4][4][3], const double velocities[4][4][3], const toi_patch *patch,
                    double part[2]) {
  mpq_t u, v, square;
  mpq_inits(u, v, square, NULL);
  exact_point given, meant;
  exact_point_init(&given);
  exact_point_init(&meant);
  for (unsigned i = 0; i < 25; i++) {
    mpq_set_ui(u, i / 5, 4);
    mpq_set_ui(v, i % 5, 4);
    mpq_canonicalize(u);
    mpq_canonicalize(v);
    exact_patch(patch, u, v, &given);
    exact_hermite(corners, velocities, u, v, &meant);
    const double bounds[2] = {patch->error, patch->velocity_error};
    for (int k = 0; k < 2; k++) {
      exact_square_distance(&given, &meant, 3 * k, square);
      assert_true(exact_within(square, bounds[k]));
      if (bounds[k] > 0)
        part[k] = fmax(part[k], sqrt(mpq_get_d(square)) / bounds[k]);
    }
  }
  exact_point_clear(&given);
  exact_point_clear(&meant);
  mpq_clears(u, v, square, NULL);
}

static void random_patches_within_their_errors(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(8);
  double most[2] = {0, 0}, least[2] = {1, 1};
  for (uint64_t round = test_count(200); round > 0; round--) {
    double corners[4][4][3], velocities[4][4][3];
    const double size = ldexp(1, (int)(test_random(&seed) % 60) - 30);
    for (int i = 0; i < 48; i++) {
      corners[i / 12][i / 3 % 4][i % 3] = test_random_unit(&seed) - 0.5 + (i / 3 % 4 == 0 ? size : 0);
      velocities[i / 12][i / 3 % 4][i % 3] = test_random_unit(&seed) * size;
    }
    toi_model model;
    assert_int_equal(
        toi_model_from_hermite(context, (const double(*)[4][3])corners, (const double(*)[4][3])velocities, &model),
        TOI_OK);
    assert_int_equal(model.patch_count, 1);
    double part[2] = {0, 0};
    compare((const double(*)[4][3])corners, (const double(*)[4][3])velocities, model.patches, part);
    for (int k = 0; k < 2; k++) {
      most[k] = fmax(most[k], part[k]);
      least[k] = fmin(least[k], part[k]);
    }
    toi_model_free(context, &model);
  }
  print_message("errors are %.2g to %.2g of the bound, of velocities %.2g to %.2g\n", least[0], most[0], least[1],
                most[1]);
  assert_true(least[0] > 1e-2 && least[1] > 1e-2);
  assert_true(most[0] > 0.1 && most[1] > 0.1);
  toi_context_destroy(context);
}

/* Derivatives that are multiples of 3, twists of 9: nothing rounds, and no error is claimed. */
static void thirds_that_are_whole_are_exact(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  double corners[4][4][3];
  for (int i = 0; i < 48; i++) {
    static const double unit[4] = {1, 3, 3, 9};
    corners[i / 12][i / 3 % 4][i % 3] = unit[i / 3 % 4] * (i * i % 17 - 8);
  }
  toi_model model;
  assert_int_equal(toi_model_from_hermite(context, (const double(*)[4][3])corners, NULL, &model), TOI_OK);
  const toi_patch *patch = model.patches;
  assert_null(patch->velocities);
  assert_true(patch->error == 0 && patch->velocity_error == 0);
  double part[2] = {0, 0};
  compare((const double(*)[4][3])corners, NULL, patch, part);
  // (0, 0), (0, 1), (1, 0), (1, 1) are its corners.
  static const size_t at[4] = {0, 3, 12, 15};
  for (int c = 0; c < 4; c++)
    assert_memory_equal(patch->points[at[c]], corners[c][0], sizeof corners[c][0]);
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

static void extreme_patches_right_or_refused(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(9);
  size_t made = 0, refused = 0;
  for (uint64_t round = test_count_from(200, 40); round > 0; round--) {
    double corners[4][4][3];
    for (int i = 0; i < 48; i++)
      corners[i / 12][i / 3 % 4][i % 3] = test_random_extreme(&seed, (int)(round % 4));
    toi_model model;
    const toi_status status = toi_model_from_hermite(context, (const double(*)[4][3])corners, NULL, &model);
    if (status == TOI_OK) {
      double part[2] = {0, 0};
      compare((const double(*)[4][3])corners, NULL, model.patches, part);
      made++;
    } else {
      assert_int_equal(status, TOI_ERROR_INPUT);
      assert_non_null(strstr(toi_context_error(context), "overflows"));
      assert_null(model.owned);
      refused++;
    }
    toi_model_free(context, &model);
  }
  print_message("%zu made, %zu refused\n", made, refused);
  assert_true(made > 0 && refused > 0);
  toi_context_destroy(context);
}

static void bad_corners_named_and_memory_refused(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  double corners[4][4][3] = {{{0}}}, velocities[4][4][3] = {{{0}}};
  const double(*const c)[4][3] = (const double(*)[4][3])corners;
  const double(*const w)[4][3] = (const double(*)[4][3])velocities;
  toi_model model;
  corners[2][1][1] = NAN;
  assert_int_equal(toi_model_from_hermite(context, c, w, &model), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "y of the d/du at corner (1, 0) is "));
  corners[2][1][1] = 0;
  velocities[1][3][2] = INFINITY;
  assert_int_equal(toi_model_from_hermite(context, c, w, &model), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "z of the velocity of the d2/dudv at corner (0, 1) is inf"));
  velocities[1][3][2] = 0;
  assert_int_equal(toi_model_from_hermite(NULL, c, w, &model), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_from_hermite(context, NULL, w, &model), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_from_hermite(context, c, w, NULL), TOI_ERROR_INPUT);
  allocator.refuse_at = allocator.calls + 1;
  assert_int_equal(toi_model_from_hermite(context, c, w, &model), TOI_ERROR_MEMORY);
  assert_null(model.patches);
  assert_int_equal(toi_model_from_hermite(context, c, w, &model), TOI_OK);
  toi_model_free(context, &model);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
  assert_int_equal(allocator.wrong_sizes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_patches_within_their_errors),
      cmocka_unit_test(thirds_that_are_whole_are_exact),
      cmocka_unit_test(extreme_patches_right_or_refused),
      cmocka_unit_test(bad_corners_named_and_memory_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
