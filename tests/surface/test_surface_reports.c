/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What is reported beside the answer: how much was looked at, how far a walk along curved ways has come, how many
 * points a patch has, and that what is no patch has none. */

#include "surface/cases.h"
#include "surface/spin_motion.h"

static void patches_have_so_many_points(void **state) {
  (void)state;
  static const struct {
    toi_patch_shape shape;
    uint32_t degree[2];
    size_t points;
  } cases[] = {{TOI_PATCH_QUAD, {0, 0}, 1},
               {TOI_PATCH_QUAD, {3, 2}, 12},
               {TOI_PATCH_QUAD, {TOI_PATCH_DEGREE_MOST, TOI_PATCH_DEGREE_MOST}, 100},
               {TOI_PATCH_TRIANGLE, {0, 0}, 1},
               {TOI_PATCH_TRIANGLE, {3, 0}, 10},
               {TOI_PATCH_QUAD, {TOI_PATCH_DEGREE_MOST + 1, 0}, 0},
               {TOI_PATCH_QUAD, {0, TOI_PATCH_DEGREE_MOST + 1}, 0},
               {TOI_PATCH_TRIANGLE, {TOI_PATCH_DEGREE_MOST + 1, 0}, 0},
               {(toi_patch_shape)7, {1, 1}, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(toi_patch_points(cases[i].shape, cases[i].degree), cases[i].points);
  assert_int_equal(toi_patch_points(TOI_PATCH_QUAD, NULL), 0);
}

/* A budget that suffices is not exceeded, and what is looked at is told: some, where the boxes overlap. */
static void checks_and_pieces_are_told(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(511), told = 0;
  static test_case c;
  for (int round = 0; round < 40; round++) {
    random_paper_case(&seed, round % 2 ? TOI_PATCH_QUAD : TOI_PATCH_TRIANGLE, 2, &c);
    for (int method = 0; method < 2; method++) {
      toi_surface_options options = toi_default_surface_options();
      options.method = method ? "swept-boxes" : "time-inclusion";
      options.max_checks = 1 << 16;
      toi_surface_hit hit = ask(context, &c, &options);
      assert_true(hit.pieces >= 2 && hit.checks <= options.max_checks);
      // Pieces are made by looking at pairs.
      assert_true(hit.pieces == 2 || hit.checks > 0);
      told += hit.pieces > 2;
    }
  }
  assert_true(told > 20);
  toi_context_destroy(context);
}

typedef struct watcher {
  double last;
  int calls;
  bool backwards;
} watcher;

static bool watch(void *user, double done) {
  watcher *w = user;
  w->backwards = w->backwards || !(done >= w->last && done <= 1);
  w->last = done;
  w->calls++;
  return true;
}

/* An arm that turns by three quarters of a circle, in many short steps, and meets nothing. */
static void progress_of_a_turning_arm_goes_on_to_the_end(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model sphere, wall;
  const double beside[3] = {-1, 0.75, 0};
  assert_int_equal(toi_model_sphere(context, 0.1, &sphere), TOI_OK);
  assert_int_equal(toi_model_moved(context, &sphere, beside, NULL, &wall), TOI_OK);
  spin_motion arm = {.spin = {0, 0, 4}, .centre = {-1, 0, 0}};
  toi_surface_options options = toi_default_surface_options();
  watcher w = {0, 0, false};
  options.progress = watch;
  options.progress_user = &w;
  toi_surface_hit hit;
  assert_int_equal(spin_pair(context, &sphere, &arm, &wall, NULL, &options, &hit), TOI_OK);
  assert_true(w.calls > 3 && !w.backwards);
  assert_int_equal(hit.verdict, TOI_MISS);
  assert_true(w.last > 0);
  toi_model_free(context, &wall);
  toi_model_free(context, &sphere);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patches_have_so_many_points),
      cmocka_unit_test(checks_and_pieces_are_told),
      cmocka_unit_test(progress_of_a_turning_arm_goes_on_to_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
