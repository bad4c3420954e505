/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whole scenes of Chen 2024: a cloth on the teapot in steps of all sizes of table 2, and the bunny in the torus. */

#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/cloth_patches.h"
#include "surface/crowd.h"

/* --- the cloth on the teapot --- */

#define STEPS 5
static const double steps[STEPS] = {0.001, 0.002, 0.005, 0.01, 0.02};

/* Asks for a step of each size: nothing touches at the start, the answers agree, and contact is in (after, before), or
 * nowhere if before is infinite. */
static void expect_contact(cloth_moment moment, double after, double before) {
  toi_context *context = test_context(1);
  toi_model teapot;
  cloth_patches cloth;
  assert_int_equal(toi_model_teapot(context, &teapot), TOI_OK);
  assert_true(cloth_over_teapot(20, moment, &cloth));
  crowd made = crowd_make(cloth.count);
  for (size_t i = 0; i < cloth.count; i++) {
    made.patches[i].points = (const double(*)[3])cloth.points + CLOTH_PATCH_POINTS * i;
    made.patches[i].velocities = (const double(*)[3])cloth.velocities + CLOTH_PATCH_POINTS * i;
  }
  for (int i = 0; i < STEPS; i++) {
    toi_surface_options options = toi_default_surface_options();
    options.t_max = steps[i];
    toi_surface_hit hit;
    assert_int_equal(toi_model_pair(context, &made.model, &teapot, &options, &hit), TOI_OK);
    print_message("%s, %g s: %s %.12f, cloth %u, teapot %u, %d checks\n", cloth_moment_name(moment), steps[i],
                  toi_verdict_name((toi_verdict)hit.verdict), hit.t_lo, hit.patch_a, hit.patch_b, (int)hit.checks);
    assert_int_equal(hit.verdict, steps[i] < before ? TOI_MISS : TOI_HIT);
    if (hit.verdict == TOI_HIT)
      assert_true(hit.t_lo > after && hit.t_hi < before && hit.t_hi - hit.t_lo < 1e-9);
  }
  cloth_free(&cloth);
  crowd_free(&made);
  toi_model_free(context, &teapot);
  toi_context_destroy(context);
}

static void a_falling_cloth_meets_the_knob(void **state) {
  (void)state;
  expect_contact(CLOTH_FALLS, 0.0005, 0.001);
}

static void the_side_of_a_cloth_lands_on_the_spout(void **state) {
  (void)state;
  expect_contact(CLOTH_LANDS, 0.003, 0.005);
}

static void a_sliding_cloth_comes_down_slowly(void **state) {
  (void)state;
  expect_contact(CLOTH_SLIDES, 0.002, 0.005);
}

static void a_slipping_cloth_meets_the_handle(void **state) {
  (void)state;
  expect_contact(CLOTH_SLIPS, 0.005, 0.01);
}

static void a_cloth_that_left_meets_nothing(void **state) {
  (void)state;
  expect_contact(CLOTH_LEAVES, 0, INFINITY);
}

/* --- the bunny in the torus --- */

#define BUNNY 292
#define TORUS 16
#define SCENE_STEPS 50

typedef struct bunny_step {
  double bunny[BUNNY][3][3], bunny_velocities[BUNNY][3][3];
  double torus[TORUS][9][3], torus_velocities[TORUS][9][3];
} bunny_step;

static toi_surface_hit bunny_ask(toi_context *context, const bunny_step *step) {
  static const double weights[9] = {1, 1, 2, 1, 1, 2, 2, 2, 4};
  toi_patch bunny[BUNNY], torus[TORUS];
  for (int i = 0; i < BUNNY; i++)
    bunny[i] = (toi_patch){.shape = TOI_PATCH_TRIANGLE,
                           .degree = {1, 0},
                           .points = step->bunny[i],
                           .velocities = step->bunny_velocities[i]};
  for (int i = 0; i < TORUS; i++)
    torus[i] = (toi_patch){
        .degree = {2, 2}, .points = step->torus[i], .velocities = step->torus_velocities[i], .weights = weights};
  const toi_model a = {.patches = bunny, .patch_count = BUNNY}, b = {.patches = torus, .patch_count = TORUS};
  toi_surface_options options = toi_default_surface_options();
  options.t_max = 0.02;
  toi_surface_hit hit;
  assert_int_equal(toi_model_pair(context, &a, &b, &options, &hit), TOI_OK);
  return hit;
}

/* Steps after the first contact start with the two in each other, or not: nothing is known about them here. */
static void the_bunny_meets_the_torus_in_step_16(void **state) {
  (void)state;
  const char *data = test_data_directory();
  if (!data)
    skip();
  char path[4096];
  snprintf(path, sizeof(path), "%s/patches/bunny_torus.f64", data);
  FILE *file = fopen(path, "rb");
  if (!file) {
    test_skip_reason("no %s", path);
    skip();
  }
  bunny_step *step = malloc(sizeof(*step));
  assert_non_null(step);
  toi_context *context = test_context(1);
  for (int i = 0; i < SCENE_STEPS; i++) {
    assert_int_equal(fread(step, sizeof(*step), 1, file), 1);
    toi_surface_hit hit = bunny_ask(context, step);
    if (i < 16)
      assert_int_equal(hit.verdict, TOI_MISS);
    if (i != 16)
      continue;
    assert_int_equal(hit.verdict, TOI_HIT);
    print_message("triangle %u and patch %u at %.12f\n", hit.patch_a, hit.patch_b, hit.t_lo);
    assert_true(fabs(hit.t_lo - 0.0063858566) < 1e-10 && hit.t_hi - hit.t_lo < 1e-9);
  }
  fclose(file);
  free(step);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_falling_cloth_meets_the_knob),    cmocka_unit_test(the_side_of_a_cloth_lands_on_the_spout),
      cmocka_unit_test(a_sliding_cloth_comes_down_slowly), cmocka_unit_test(a_slipping_cloth_meets_the_handle),
      cmocka_unit_test(a_cloth_that_left_meets_nothing),   cmocka_unit_test(the_bunny_meets_the_torus_in_step_16),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
