/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sphere, cylinder and torus: on the shape exactly, in rational numbers; joined without a gap; turned outwards; refused
 * with a sentence where there is no such shape; nothing left behind where memory is refused. */

#include "support/support.h"

#include <math.h>

#include "surface/exact_patch.h"

#define GRID 6

/* x^2 + y^2 + z^2 = r^2 */
static bool on_sphere(const exact_point *p, const double *size) {
  mpq_t sum, term;
  mpq_inits(sum, term, NULL);
  for (int k = 0; k < 3; k++) {
    mpq_mul(term, p->x[k], p->x[k]);
    mpq_add(sum, sum, term);
  }
  mpq_set_d(term, size[0]);
  mpq_mul(term, term, term);
  const bool on = mpq_equal(sum, term);
  mpq_clears(sum, term, NULL);
  return on;
}

/* x^2 + y^2 = r^2, |2 z| <= h */
static bool on_cylinder(const exact_point *p, const double *size) {
  mpq_t sum, term;
  mpq_inits(sum, term, NULL);
  for (int k = 0; k < 2; k++) {
    mpq_mul(term, p->x[k], p->x[k]);
    mpq_add(sum, sum, term);
  }
  mpq_set_d(term, size[0]);
  mpq_mul(term, term, term);
  bool on = mpq_equal(sum, term);
  mpq_add(sum, p->x[2], p->x[2]);
  mpq_abs(sum, sum);
  mpq_set_d(term, size[1]);
  on = on && mpq_cmp(sum, term) <= 0;
  mpq_clears(sum, term, NULL);
  return on;
}

/* (x^2 + y^2 + z^2 + R^2 - r^2)^2 = 4 R^2 (x^2 + y^2) */
static bool on_torus(const exact_point *p, const double *size) {
  mpq_t flat, left, right, term;
  mpq_inits(flat, left, right, term, NULL);
  for (int k = 0; k < 2; k++) {
    mpq_mul(term, p->x[k], p->x[k]);
    mpq_add(flat, flat, term);
  }
  mpq_set_d(right, size[0]);
  mpq_mul(right, right, right);
  mpq_mul(left, p->x[2], p->x[2]);
  mpq_add(left, left, flat);
  mpq_add(left, left, right);
  mpq_set_d(term, size[1]);
  mpq_mul(term, term, term);
  mpq_sub(left, left, term);
  mpq_mul(left, left, left);
  mpq_mul(right, right, flat);
  mpq_set_ui(term, 4, 1);
  mpq_mul(right, right, term);
  const bool on = mpq_equal(left, right);
  mpq_clears(flat, left, right, term, NULL);
  return on;
}

/* All points of a grid of parameters, the edges among them. */
static void expect_on(const toi_model *model, bool (*on)(const exact_point *, const double *), const double *size) {
  mpq_t u, v;
  mpq_inits(u, v, NULL);
  exact_point p;
  exact_point_init(&p);
  for (size_t i = 0; i < model->patch_count; i++)
    for (unsigned a = 0; a <= GRID; a++)
      for (unsigned b = 0; b <= GRID; b++) {
        mpq_set_ui(u, a, GRID);
        mpq_set_ui(v, b, GRID);
        mpq_canonicalize(u);
        mpq_canonicalize(v);
        exact_patch(&model->patches[i], u, v, &p);
        assert_true(on(&p, size));
      }
  exact_point_clear(&p);
  mpq_clears(u, v, NULL);
}

/* The sign of (d/du x d/dv) . (point - centre) in the middle of each patch, from differences. */
static void expect_outward(const toi_model *model, double ring) {
  mpq_t u, v;
  mpq_inits(u, v, NULL);
  exact_point p;
  exact_point_init(&p);
  for (size_t i = 0; i < model->patch_count; i++) {
    double at[3][3];
    for (int k = 0; k < 3; k++) {
      mpq_set_ui(u, k == 1 ? 33 : 32, 64);
      mpq_set_ui(v, k == 2 ? 33 : 32, 64);
      mpq_canonicalize(u);
      mpq_canonicalize(v);
      exact_patch(&model->patches[i], u, v, &p);
      for (int c = 0; c < 3; c++)
        at[k][c] = mpq_get_d(p.x[c]);
    }
    const double radius = hypot(at[0][0], at[0][1]);
    const double out[3] = {at[0][0] * (1 - ring / radius), at[0][1] * (1 - ring / radius), at[0][2]};
    double along[2][3], sum = 0;
    for (int c = 0; c < 3; c++) {
      along[0][c] = at[1][c] - at[0][c];
      along[1][c] = at[2][c] - at[0][c];
    }
    for (int c = 0; c < 3; c++) {
      const int d = (c + 1) % 3, e = (c + 2) % 3;
      sum += out[c] * (along[0][d] * along[1][e] - along[0][e] * along[1][d]);
    }
    assert_true(sum > 0);
  }
  exact_point_clear(&p);
  mpq_clears(u, v, NULL);
}

static void expect_joined(const toi_model *model, size_t free_sides) {
  size_t sides;
  const size_t shared = count_shared_sides(model, &sides);
  assert_int_equal(sides - shared, free_sides);
}

static void every_point_of_a_sphere_at_its_radius(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const double radii[] = {1, 0.1, 3e5, 0x1p-1074, 0x1.fffffffffffffp1023};
  for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
    toi_model model;
    assert_int_equal(toi_model_sphere(context, radii[i], &model), TOI_OK);
    assert_int_equal(model.patch_count, 8);
    assert_null(model.domains);
    for (size_t k = 0; k < 8; k++)
      assert_true(model.patches[k].error == 0 && model.patches[k].velocity_error == 0);
    expect_on(&model, on_sphere, &radii[i]);
    expect_joined(&model, 0);
    toi_model_free(context, &model);
    assert_null(model.owned);
    assert_int_equal(model.patch_count, 0);
  }
  toi_model model;
  assert_int_equal(toi_model_sphere(context, 2, &model), TOI_OK);
  expect_outward(&model, 0);
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

static void every_point_of_a_cylinder_on_it(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const double sizes[][2] = {{1, 2}, {0.3, 1e-3}, {1e-300, 1e300}, {2, 0x1p-1073}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    toi_model model;
    assert_int_equal(toi_model_cylinder(context, sizes[i][0], sizes[i][1], &model), TOI_OK);
    assert_int_equal(model.patch_count, 4);
    for (size_t k = 0; k < 4; k++)
      assert_true(model.patches[k].error == 0);
    expect_on(&model, on_cylinder, sizes[i]);
    expect_joined(&model, 8);
    assert_true(model.patches[0].points[0][2] == -sizes[i][1] / 2 && model.patches[0].points[1][2] == sizes[i][1] / 2);
    toi_model_free(context, &model);
  }
  toi_model model;
  assert_int_equal(toi_model_cylinder(context, 2, 1, &model), TOI_OK);
  expect_outward(&model, 0);
  toi_model_free(context, &model);
  // Half of the smallest double is none: the rounding is counted.
  assert_int_equal(toi_model_cylinder(context, 1, 0x1p-1074, &model), TOI_OK);
  assert_true(model.patches[0].error >= 0x1p-1074 && model.patches[0].error <= 0x1p-1072);
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

static void every_point_of_a_torus_on_it(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  // Fat, thin, touching itself in the middle, passing through itself.
  const double sizes[][2] = {{2, 0.75}, {100, 0.5}, {1, 1}, {0.5, 1.25}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    toi_model model;
    assert_int_equal(toi_model_torus(context, sizes[i][0], sizes[i][1], &model), TOI_OK);
    assert_int_equal(model.patch_count, 16);
    for (size_t k = 0; k < 16; k++)
      assert_true(model.patches[k].error == 0);
    expect_on(&model, on_torus, sizes[i]);
    expect_joined(&model, 0);
    if (sizes[i][0] > sizes[i][1])
      expect_outward(&model, sizes[i][0]);
    toi_model_free(context, &model);
  }
  toi_context_destroy(context);
}

/* The exact torus has control points (R + r c) (...): its patches with the sums in rational numbers. */
static void rounded_torus_within_its_error(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(51);
  double largest = 0;
  mpq_t sum, term;
  mpq_inits(sum, term, NULL);
  for (uint64_t round = test_count(300); round > 0; round--) {
    const double ring = test_random_unit(&seed) + 0x1p-60, tube = test_random_unit(&seed) * 1e-3 + 0x1p-60;
    toi_model model;
    assert_int_equal(toi_model_torus(context, ring, tube, &model), TOI_OK);
    // Quarter 0 of the ring: its first row lies in the plane y = 0, where x of the profile is R + c r.
    for (size_t piece = 0; piece < 4; piece++) {
      static const int signs[4][3] = {{1, 1, 0}, {0, -1, -1}, {-1, -1, 0}, {0, 1, 1}};
      for (size_t j = 0; j < 3; j++) {
        mpq_set_d(sum, ring);
        mpq_set_d(term, signs[piece][j] * tube);
        mpq_add(sum, sum, term);
        mpq_set_d(term, model.patches[piece].points[j][0]);
        mpq_sub(sum, sum, term);
        const double off = fabs(mpq_get_d(sum));
        assert_true(off <= model.patches[piece].error);
        assert_true(model.patches[piece].error <= 0x1p-53);
        largest = fmax(largest, off);
      }
    }
    toi_model_free(context, &model);
  }
  assert_true(largest > 0x1p-56);
  mpq_clears(sum, term, NULL);
  toi_context_destroy(context);
}

static void expect_refused(toi_context *context, toi_status status, const toi_model *model, const char *word) {
  assert_int_equal(status, TOI_ERROR_INPUT);
  assert_null(model->patches);
  assert_null(model->owned);
  assert_int_equal(model->patch_count, 0);
  assert_non_null(strstr(toi_context_error(context), word));
}

static void impossible_shapes_named(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const double bad[] = {0, -1, NAN, INFINITY, -0.0};
  toi_model model;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    memset(&model, 0x55, sizeof model);
    expect_refused(context, toi_model_sphere(context, bad[i], &model), &model, "radius is");
    expect_refused(context, toi_model_cylinder(context, bad[i], 1, &model), &model, "radius is");
    expect_refused(context, toi_model_cylinder(context, 1, bad[i], &model), &model, "height is");
    expect_refused(context, toi_model_torus(context, bad[i], 1, &model), &model, "ring_radius is");
    expect_refused(context, toi_model_torus(context, 1, bad[i], &model), &model, "tube_radius is");
  }
  expect_refused(context, toi_model_torus(context, 1.5e308, 1.5e308, &model), &model, "not finite");
  assert_int_equal(toi_model_sphere(NULL, 1, &model), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_sphere(context, 1, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_cylinder(context, 1, 1, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_torus(context, 1, 1, NULL), TOI_ERROR_INPUT);
  // A good call forgets the sentence.
  assert_int_equal(toi_model_sphere(context, 1, &model), TOI_OK);
  assert_string_equal(toi_context_error(context), "");
  toi_model_free(context, &model);
  toi_model_free(context, &model);
  toi_model_free(context, NULL);
  toi_model_free(NULL, &model);
  toi_context_destroy(context);
}

static void refused_memory_leaves_nothing(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  const size_t blocks = allocator.blocks;
  allocator.refuse_at = allocator.calls + 1;
  allocator.refuse_after = true;
  toi_model model;
  assert_int_equal(toi_model_sphere(context, 1, &model), TOI_ERROR_MEMORY);
  assert_int_equal(toi_model_cylinder(context, 1, 1, &model), TOI_ERROR_MEMORY);
  assert_int_equal(toi_model_torus(context, 2, 1, &model), TOI_ERROR_MEMORY);
  assert_null(model.patches);
  assert_int_equal(allocator.blocks, blocks);
  allocator.refuse_at = 0;
  assert_int_equal(toi_model_torus(context, 2, 1, &model), TOI_OK);
  assert_int_equal(allocator.blocks, blocks + 1);
  toi_model_free(context, &model);
  assert_int_equal(allocator.blocks, blocks);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
  assert_int_equal(allocator.wrong_sizes, 0);

  // A budget too small for a torus.
  toi_context_options options = test_context_options(&allocator, 1);
  options.memory_budget = 1 << 16;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  toi_model held[64];
  size_t count = 0;
  while (count < 64 && toi_model_torus(context, 2, 1, &held[count]) == TOI_OK)
    count++;
  assert_true(count < 64);
  assert_non_null(strstr(toi_context_error(context), "memory"));
  while (count > 0)
    toi_model_free(context, &held[--count]);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
  assert_int_equal(allocator.wrong_sizes, 0);
}

static void models_are_known_by_name(void **state) {
  (void)state;
  const size_t patches[] = {32, 8, 4, 16};
  toi_context *context = test_context(1);
  toi_model model;
  size_t count = 0;
  for (; toi_model_name(count) != NULL; count++) {
    assert_int_equal(toi_model_named(context, toi_model_name(count), &model), TOI_OK);
    assert_int_equal(model.patch_count, patches[count]);
    toi_model_free(context, &model);
  }
  assert_int_equal(count, 4);
  assert_int_equal(toi_model_named(context, "teapots", &model), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "'teapots'"));
  assert_int_equal(toi_model_named(context, NULL, &model), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_named(NULL, "teapot", &model), TOI_ERROR_INPUT);
  assert_null(model.patches);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_point_of_a_sphere_at_its_radius),
      cmocka_unit_test(every_point_of_a_cylinder_on_it),
      cmocka_unit_test(every_point_of_a_torus_on_it),
      cmocka_unit_test(rounded_torus_within_its_error),
      cmocka_unit_test(impossible_shapes_named),
      cmocka_unit_test(refused_memory_leaves_nothing),
      cmocka_unit_test(models_are_known_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
