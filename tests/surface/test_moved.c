/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Copies of models that lie and move elsewhere: exact where sums are, within the error claimed where they round,
 * refused with a sentence where they cannot be made. */

#include "support/support.h"

#include <fenv.h>
#include <math.h>

#include "surface/exact_patch.h"

#define MOST_PATCHES 4
#define MOST_POINTS 100

/* A model with room for its arrays. */
typedef struct sample {
  toi_model model;
  toi_patch patches[MOST_PATCHES];
  double points[MOST_PATCHES][MOST_POINTS][3], velocities[MOST_PATCHES][MOST_POINTS][3];
  double weights[MOST_PATCHES][MOST_POINTS], domains[MOST_PATCHES][4];
} sample;

static void random_sample(sample *s, uint64_t *seed) {
  *s = (sample){0};
  s->model.patches = s->patches;
  s->model.patch_count = 1 + test_random(seed) % MOST_PATCHES;
  s->model.domains = test_random(seed) % 2 == 0 ? (const double(*)[4])s->domains : NULL;
  for (size_t i = 0; i < s->model.patch_count; i++) {
    toi_patch *patch = &s->patches[i];
    patch->shape = test_random(seed) % 3 == 0 ? TOI_PATCH_TRIANGLE : TOI_PATCH_QUAD;
    for (int k = 0; k < 2; k++)
      patch->degree[k] = (uint32_t)(test_random(seed) % 10);
    patch->points = (const double(*)[3])s->points[i];
    patch->velocities = test_random(seed) % 2 == 0 ? (const double(*)[3])s->velocities[i] : NULL;
    patch->weights = test_random(seed) % 2 == 0 ? s->weights[i] : NULL;
    patch->error = test_random(seed) % 2 == 0 ? test_random_unit(seed) * 1e-15 : 0;
    patch->velocity_error = test_random(seed) % 2 == 0 ? test_random_unit(seed) * 1e-14 : 0;
    for (int j = 0; j < 4; j++)
      s->domains[i][j] = test_random_unit(seed);
    for (size_t j = 0; j < MOST_POINTS; j++) {
      s->weights[i][j] = 1 + test_random_unit(seed);
      for (int k = 0; k < 3; k++) {
        s->points[i][j][k] = 2 * test_random_unit(seed) - 1;
        s->velocities[i][j][k] = 2 * test_random_unit(seed) - 1;
      }
    }
  }
}

/* |given - (from + vector)| <= bound - before, in rational numbers; and how large it is. */
static double expect_within(const double *given, const double *from, const double vector[3], double before,
                            double bound) {
  mpq_t sum, term, square, limit;
  mpq_inits(sum, term, square, limit, NULL);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(sum, from == NULL ? 0 : from[k]);
    mpq_set_d(term, vector[k]);
    mpq_add(sum, sum, term);
    mpq_set_d(term, given[k]);
    mpq_sub(sum, sum, term);
    mpq_mul(sum, sum, sum);
    mpq_add(square, square, sum);
  }
  mpq_set_d(limit, bound);
  mpq_set_d(term, before);
  mpq_sub(limit, limit, term);
  assert_true(mpq_sgn(limit) >= 0);
  mpq_mul(limit, limit, limit);
  assert_true(mpq_cmp(square, limit) <= 0);
  const double distance = sqrt(mpq_get_d(square));
  mpq_clears(sum, term, square, limit, NULL);
  return distance;
}

/* Every control point, and the largest of the errors beside what is claimed. */
static void compare(const sample *s, const toi_model *moved, const double shift[3], const double velocity[3]) {
  assert_int_equal(moved->patch_count, s->model.patch_count);
  assert_true((moved->domains == NULL) == (s->model.domains == NULL));
  for (size_t i = 0; i < moved->patch_count; i++) {
    const toi_patch *a = &s->patches[i], *b = &moved->patches[i];
    const size_t count = toi_patch_points(a->shape, a->degree);
    assert_int_equal(a->shape, b->shape);
    assert_int_equal(toi_patch_points(b->shape, b->degree), count);
    assert_true((a->weights == NULL) == (b->weights == NULL));
    if (a->weights != NULL)
      assert_memory_equal(a->weights, b->weights, count * sizeof(double));
    if (moved->domains != NULL)
      assert_memory_equal(moved->domains[i], s->domains[i], sizeof s->domains[i]);
    double most[2] = {0, 0};
    for (size_t j = 0; j < count; j++) {
      most[0] = fmax(most[0], expect_within(b->points[j], a->points[j], shift, a->error, b->error));
      const double rest[3] = {0, 0, 0};
      most[1] = fmax(most[1], expect_within(b->velocities == NULL ? rest : b->velocities[j],
                                            a->velocities == NULL ? NULL : a->velocities[j], velocity,
                                            a->velocity_error, b->velocity_error));
    }
    // No more is claimed than is lost.
    assert_true(b->error <= (a->error + most[0]) * (1 + 1e-9) + 0x1p-1070);
    assert_true(b->velocity_error <= (a->velocity_error + most[1]) * (1 + 1e-9) + 0x1p-1070);
  }
}

static void random_models_within_their_errors(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(10);
  static sample s;
  for (uint64_t round = test_count(100); round > 0; round--) {
    random_sample(&s, &seed);
    double shift[3], velocity[3];
    const double size = ldexp(1, (int)(test_random(&seed) % 80) - 40);
    for (int k = 0; k < 3; k++) {
      shift[k] = (test_random_unit(&seed) - 0.5) * size;
      velocity[k] = test_random(&seed) % 4 == 0 ? 0 : test_random_unit(&seed) / size;
    }
    toi_model moved;
    assert_int_equal(toi_model_moved(context, &s.model, shift, velocity, &moved), TOI_OK);
    compare(&s, &moved, shift, velocity);
    toi_model_free(context, &moved);
  }
  toi_context_destroy(context);
}

/* The surface itself: a rational torus a million units away, at rational parameters. */
static void far_torus_within_its_error(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model torus, moved;
  assert_int_equal(toi_model_torus(context, 0.7, 0.1, &torus), TOI_OK);
  const double shift[3] = {1e6 + 0.1, -1e6 / 3, 1e-3}, velocity[3] = {0.1, 0, -3};
  assert_int_equal(toi_model_moved(context, &torus, shift, velocity, &moved), TOI_OK);
  mpq_t u, v, square, term;
  mpq_inits(u, v, square, term, NULL);
  exact_point before, after;
  exact_point_init(&before);
  exact_point_init(&after);
  double largest = 0;
  for (size_t i = 0; i < torus.patch_count; i++)
    for (unsigned a = 0; a < 16; a++) {
      mpq_set_ui(u, a / 4, 3);
      mpq_set_ui(v, a % 4, 3);
      mpq_canonicalize(u);
      mpq_canonicalize(v);
      exact_patch(&torus.patches[i], u, v, &before);
      exact_patch(&moved.patches[i], u, v, &after);
      for (int k = 0; k < 6; k++) {
        mpq_set_d(term, k < 3 ? shift[k] : velocity[k - 3]);
        mpq_add(before.x[k], before.x[k], term);
      }
      exact_square_distance(&before, &after, 0, square);
      assert_true(exact_within(square, moved.patches[i].error));
      largest = fmax(largest, sqrt(mpq_get_d(square)) / moved.patches[i].error);
      exact_square_distance(&before, &after, 3, square);
      assert_true(mpq_sgn(square) == 0 && moved.patches[i].velocity_error == 0);
    }
  assert_true(largest > 0.1);
  exact_point_clear(&before);
  exact_point_clear(&after);
  mpq_clears(u, v, square, term, NULL);
  toi_model_free(context, &moved);
  toi_model_free(context, &torus);
  toi_context_destroy(context);
}

static void exact_sums_claim_no_error(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model sphere, moved, still;
  assert_int_equal(toi_model_sphere(context, 2, &sphere), TOI_OK);
  const double shift[3] = {1024, -0.5, 3}, velocity[3] = {0, 0, -1};
  assert_int_equal(toi_model_moved(context, &sphere, shift, velocity, &moved), TOI_OK);
  for (size_t i = 0; i < 8; i++) {
    assert_true(moved.patches[i].error == 0 && moved.patches[i].velocity_error == 0);
    assert_true(moved.patches[i].velocities[5][2] == -1);
    assert_true(moved.patches[i].points[5][0] == sphere.patches[i].points[5][0] + 1024);
  }
  // Neither shift nor velocity: the same, and at rest.
  assert_int_equal(toi_model_moved(context, &sphere, NULL, NULL, &still), TOI_OK);
  for (size_t i = 0; i < 8; i++) {
    assert_null(still.patches[i].velocities);
    assert_memory_equal(still.patches[i].points, sphere.patches[i].points, 9 * sizeof(double[3]));
  }
  toi_model_free(context, &still);
  toi_model_free(context, &moved);
  toi_model_free(context, &sphere);
  toi_context_destroy(context);
}

static void expect_refused(toi_context *context, toi_status status, const toi_model *moved, const char *word) {
  assert_int_equal(status, TOI_ERROR_INPUT);
  if (strstr(toi_context_error(context), word) == NULL)
    print_error("%s\n", toi_context_error(context));
  assert_non_null(strstr(toi_context_error(context), word));
  assert_null(moved->patches);
  assert_null(moved->owned);
}

static void bad_models_named(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(11);
  static sample s;
  random_sample(&s, &seed);
  s.model.patch_count = 3;
  toi_model moved;
  const uint64_t bytes = toi_context_bytes(context);
  const double bad[3] = {0, NAN, 0}, endless[3] = {0, 0, INFINITY}, far[3] = {1.79e308, 0, 0};
  expect_refused(context, toi_model_moved(context, &s.model, bad, NULL, &moved), &moved, "y of the shift");
  expect_refused(context, toi_model_moved(context, &s.model, NULL, endless, &moved), &moved, "z of the velocity");
  for (size_t i = 0; i < 3; i++) {
    s.patches[i] = s.patches[0];
    s.patches[i].points = (const double(*)[3])s.points[i];
  }
  s.points[2][0][0] = 1.7e308;
  expect_refused(context, toi_model_moved(context, &s.model, far, NULL, &moved), &moved, "patch 2 of the model");
  s.points[1][0][1] = NAN;
  expect_refused(context, toi_model_moved(context, &s.model, NULL, NULL, &moved), &moved, "patch 1 of the model");
  s.points[1][0][1] = 0;
  s.patches[2].degree[0] = 10;
  expect_refused(context, toi_model_moved(context, &s.model, NULL, NULL, &moved), &moved, "patch 2 of the model");
  s.model.patch_count = 0;
  expect_refused(context, toi_model_moved(context, &s.model, NULL, NULL, &moved), &moved, "no patches");
  assert_int_equal(toi_model_moved(NULL, &s.model, NULL, NULL, &moved), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_moved(context, NULL, NULL, NULL, &moved), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_moved(context, &s.model, NULL, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_moved(context, &s.model, NULL, NULL, &s.model), TOI_ERROR_INPUT);
  assert_ptr_equal(s.model.patches, s.patches);
  assert_int_equal(toi_context_bytes(context), bytes);
  toi_context_destroy(context);
}

static void refused_memory_leaves_nothing(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  toi_model teapot, moved;
  assert_int_equal(toi_model_teapot(context, &teapot), TOI_OK);
  const size_t blocks = allocator.blocks;
  allocator.refuse_at = allocator.calls + 1;
  assert_int_equal(toi_model_moved(context, &teapot, NULL, NULL, &moved), TOI_ERROR_MEMORY);
  assert_null(moved.patches);
  assert_int_equal(allocator.blocks, blocks);
  assert_int_equal(toi_model_moved(context, &teapot, NULL, NULL, &moved), TOI_OK);
  toi_model_free(context, &moved);
  toi_model_free(context, &teapot);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
  assert_int_equal(allocator.wrong_sizes, 0);
}

/* A torus, a moved torus, a NURBS surface and a Hermite patch, none of them exact. */
static void make_four(toi_context *context, toi_model models[4]) {
  static const double knots[7] = {0, 0.1, 0.3, 0.7, 1.1, 1.9, 2.3}, shift[3] = {0.1, 1e5, 0.3},
                      velocity[3] = {1e-9, 1, 2};
  static const double points[9][3] = {{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, {0.7, 0.8, 0.9},
                                      {1.1, 1.2, 1.3}, {1.4, 1.5, 1.6}, {1.7, 1.8, 1.9},
                                      {2.1, 2.2, 2.3}, {2.4, 2.5, 2.6}, {2.7, 2.8, 2.9}};
  static const double weights[9] = {1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8};
  const toi_nurbs nurbs = {.degree = {2, 2},
                           .count = {3, 3},
                           .knots = {knots, knots},
                           .knot_count = {6, 6},
                           .points = points,
                           .velocities = points,
                           .weights = weights};
  double corners[4][4][3];
  for (int i = 0; i < 48; i++)
    corners[i / 12][i / 3 % 4][i % 3] = points[i % 9][i % 2] * (1 << i % 4);
  assert_int_equal(toi_model_torus(context, 0.7, 0.1, &models[0]), TOI_OK);
  assert_int_equal(toi_model_moved(context, &models[0], shift, velocity, &models[1]), TOI_OK);
  assert_int_equal(toi_model_from_nurbs(context, &nurbs, &models[2]), TOI_OK);
  assert_int_equal(toi_model_from_hermite(context, (const double(*)[4][3])corners, NULL, &models[3]), TOI_OK);
}

static void expect_same(const toi_model *a, const toi_model *b) {
  assert_int_equal(a->patch_count, b->patch_count);
  for (size_t i = 0; i < a->patch_count; i++) {
    const toi_patch *p = &a->patches[i], *q = &b->patches[i];
    assert_true(p->error == q->error && p->velocity_error == q->velocity_error && p->error > 0);
    for (size_t k = 0; k < toi_patch_points(p->shape, p->degree); k++) {
      assert_true(same_control(p, k, q, k));
      assert_true(p->weights == NULL || p->weights[k] == q->weights[k]);
    }
  }
}

static void the_callers_rounding_changes_nothing(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  toi_model expected[4], found[4];
  make_four(context, expected);
  for (size_t i = 0; i < 3; i++) {
    fesetround(modes[i]);
    make_four(context, found);
    assert_int_equal(fegetround(), modes[i]);
    fesetround(FE_TONEAREST);
    for (size_t k = 0; k < 4; k++) {
      expect_same(&expected[k], &found[k]);
      toi_model_free(context, &found[k]);
    }
  }
  for (size_t k = 0; k < 4; k++)
    toi_model_free(context, &expected[k]);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_models_within_their_errors), cmocka_unit_test(far_torus_within_its_error),
      cmocka_unit_test(exact_sums_claim_no_error),         cmocka_unit_test(bad_models_named),
      cmocka_unit_test(refused_memory_leaves_nothing),     cmocka_unit_test(the_callers_rounding_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
