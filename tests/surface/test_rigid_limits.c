/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid motion at its limits: no turn, grazing, rest, many turns, every budget, any number of threads, refused memory
 * and bad input. */

#include "surface/rigid_things.h"

static toi_context *context;

static void without_a_turn_it_is_the_linear_question(void **state) {
  (void)state;
  toi_model sphere = make_sphere(context, 0.1), moving;
  square wall;
  make_square(&wall, 1, 0.7, 3);
  const double velocity[3] = {0.25, 1, 0.125}, nowhere[3] = {0, 0, 0};
  spin_motion motion = {.velocity = {0.25, 1, 0.125}, .centre = {5, 5, 5}};
  toi_surface_options options = toi_default_surface_options();
  toi_surface_hit hit = ask(context, &sphere, &motion, &wall.model, NULL, NULL), linear;
  assert_int_equal(toi_model_moved(context, &sphere, nowhere, velocity, &moving), TOI_OK);
  assert_int_equal(toi_model_pair(context, &moving, &wall.model, &options, &linear), TOI_OK);
  check_hit(&hit, 0.6, 1e-9);
  assert_true(hit.t_lo == linear.t_lo && hit.t_hi == linear.t_hi);
  toi_model_free(context, &moving);

  // At rest: apart, and crossing.
  hit = ask(context, &sphere, NULL, &wall.model, NULL, NULL);
  check_miss(&hit, 1);
  make_square(&wall, 1, 0.05, 3);
  hit = ask(context, &sphere, NULL, &wall.model, NULL, NULL);
  check_hit(&hit, 0, 0);
  spin_motion turning = {.spin = {1, 2, 3}};
  hit = ask(context, &sphere, &turning, &wall.model, NULL, NULL);
  check_hit(&hit, 0, 0);
  assert_true(hit.touching_at_start && hit.t_safe == 0);
  toi_model_free(context, &sphere);
}

static void grazing_and_resting_are_near_and_nothing_touches_before(void **state) {
  (void)state;
  const double tip[3] = {1, 0, 0};
  rod point;
  make_rod(&point, tip, tip);
  square wall;
  make_square(&wall, 1, 1, 3);
  spin_motion arm = {.spin = {0, 0, 2}};
  toi_surface_hit hit = ask(context, &point.model, &arm, &wall.model, NULL, NULL);
  assert_true(hit.verdict != TOI_MISS && hit.t_lo <= PI / 4 + SLACK && hit.t_lo > PI / 4 - 1e-2);
  // A little higher, and a little lower.
  make_square(&wall, 1, 1 + 1e-7, 3);
  hit = ask(context, &point.model, &arm, &wall.model, NULL, NULL);
  check_miss(&hit, 1);
  make_square(&wall, 1, 1 - 1e-7, 3);
  hit = ask(context, &point.model, &arm, &wall.model, NULL, NULL);
  check_hit(&hit, asin(1 - 1e-7) / 2, 1e-8);

  // A ball that spins where it rests.
  toi_model sphere = make_sphere(context, 0.1);
  make_square(&wall, 1, 0.1, 3);
  spin_motion top = {.spin = {0, 1, 0}};
  hit = ask(context, &sphere, &top, &wall.model, NULL, NULL);
  assert_true(hit.verdict != TOI_MISS && hit.t_lo == 0 && hit.t_safe == 0);
  toi_model_free(context, &sphere);
}

static void many_turns_end_within_the_budget(void **state) {
  (void)state;
  toi_model sphere = make_sphere(context, 0.1);
  square wall, far;
  make_square(&wall, 1, 0.7, 3);
  make_square(&far, 1, 2, 3);
  toi_surface_options options = toi_default_surface_options();
  const double spins[] = {10, 300, 9000, 3e5, 1e7, 1e14, 1e55, 1e200};
  for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
    double spin = spins[i];
    spin_motion motion = {.velocity = {0, 1, 0}, .spin = {spin, 0.5 * spin, 2}};
    options.max_checks = 20000;
    toi_surface_hit hit = ask(context, &sphere, &motion, &wall.model, NULL, &options);
    assert_true(hit.verdict != TOI_MISS && hit.t_lo <= 0.6 + SLACK && hit.t_lo > 0.45);
    assert_true(hit.verdict != TOI_HIT || hit.t_hi >= 0.6 - SLACK);
    assert_true(hit.checks <= 2 * options.max_checks);
    hit = ask(context, &sphere, &motion, &far.model, NULL, &options);
    check_miss(&hit, 1);
  }
  toi_model_free(context, &sphere);
}

static void every_budget_gives_an_answer_that_holds(void **state) {
  (void)state;
  toi_model sphere = make_sphere(context, 0.1);
  square wall;
  make_square(&wall, 1, 0.7, 3);
  spin_motion arm = {.spin = {0, 0, 1}, .centre = {-1, 0, 0}};
  toi_surface_options options = toi_default_surface_options();
  double before = 0;
  for (uint64_t checks = 1; checks < 20000; checks += 1 + checks / 3) {
    options.max_checks = checks;
    toi_surface_hit hit = ask(context, &sphere, &arm, &wall.model, NULL, &options);
    assert_true(hit.verdict != TOI_MISS && hit.t_lo <= asin(0.6) + SLACK && hit.t_safe <= hit.t_lo);
    assert_true(hit.verdict == TOI_NEAR || hit.t_hi >= asin(0.6) - SLACK);
    before = fmax(before, hit.t_lo);
  }
  assert_true(before > asin(0.6) - 1e-9);
  toi_model_free(context, &sphere);
}

static void same_bits_for_any_number_of_threads(void **state) {
  (void)state;
  toi_surface_hit hits[2];
  for (int i = 0; i < 2; i++) {
    toi_context *other = test_context(i == 0 ? 1 : 4);
    toi_model torus, teapot;
    assert_int_equal(toi_model_torus(other, 1, 0.25, &torus), TOI_OK);
    assert_int_equal(toi_model_teapot(other, &teapot), TOI_OK);
    spin_motion falling = {.velocity = {0, 0, -6}, .spin = {1, 2, -1}, .centre = {0, 0, 6}},
                turning = {.spin = {0, 0, 1}};
    toi_surface_options options = toi_default_surface_options();
    const double up[3] = {0, 0, 6}, rest[3] = {0, 0, 0};
    toi_model above;
    assert_int_equal(toi_model_moved(other, &torus, up, rest, &above), TOI_OK);
    assert_int_equal(spin_pair(other, &above, &falling, &teapot, &turning, &options, &hits[i]), TOI_OK);
    assert_int_equal(hits[i].verdict, TOI_HIT);
    toi_context_destroy(other);
  }
  assert_memory_equal(&hits[0], &hits[1], sizeof hits[0]);
}

static bool count_and_stop(void *user, double done) {
  int *calls = user;
  assert_true(done >= 0 && done <= 1);
  return ++*calls < 3;
}

static void bad_input_is_named(void **state) {
  (void)state;
  toi_model sphere = make_sphere(context, 0.1);
  square wall;
  make_square(&wall, 1, 0.7, 3);
  const double velocities[4][3] = {{0}, {0, 0, 1}};
  toi_patch moving = wall.patch;
  moving.velocities = velocities;
  toi_model with_velocities = {.patches = &moving, .patch_count = 1}, empty = {.patch_count = 0};
  spin_motion good = {.spin = {0, 0, 1}}, beyond = {.velocity = {0, 1, 0}, .spin = {0, 0, 1}, .centre = {1e308, 0, 0}};
  toi_surface_options options = toi_default_surface_options(), none = {.tolerance = 1};
  const struct {
    const toi_model *a, *b;
    const spin_motion *motion;
    const toi_surface_options *options;
    const char *says;
  } cases[] = {{&sphere, &wall.model, &beyond, &options, "beyond the range"},
               {&sphere, &with_velocities, &good, &options, "patch 0 of the second model has velocities of its own"},
               {&empty, &wall.model, &good, &options, "the first model has no patches"},
               {&sphere, NULL, &good, &options, "the second model has no patches"},
               {&sphere, &wall.model, &good, &none, "toi_surface_options was not set"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    toi_surface_hit hit;
    toi_status status = spin_pair(context, cases[i].a, cases[i].motion, cases[i].b, NULL, cases[i].options, &hit);
    assert_true(status == TOI_ERROR_INPUT || status == TOI_ERROR_OPTION);
    if (!strstr(toi_context_error(context), cases[i].says))
      fail_msg("\"%s\" does not say \"%s\"", toi_context_error(context), cases[i].says);
    assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.t_safe == 0);
  }
  assert_int_equal(spin_pair(context, &sphere, NULL, &wall.model, NULL, &options, NULL), TOI_ERROR_INPUT);

  int calls = 0;
  toi_surface_hit hit;
  options.progress = count_and_stop;
  options.progress_user = &calls;
  good.centre[0] = -1;
  assert_int_equal(spin_pair(context, &sphere, &good, &wall.model, NULL, &options, &hit), TOI_ERROR_CANCELLED);
  assert_true(calls == 3 && hit.verdict == TOI_NEAR && hit.t_lo == 0);
  toi_model_free(context, &sphere);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  test_allocator allocator = {.calls = 0};
  size_t failures = 0;
  for (size_t number = 1; number < 60; number++) {
    toi_context_options context_options = test_context_options(&allocator, 1);
    toi_context *other;
    allocator = (test_allocator){.calls = 0};
    assert_int_equal(toi_context_create(&context_options, &other), TOI_OK);
    toi_model sphere;
    assert_int_equal(toi_model_sphere(other, 0.1, &sphere), TOI_OK);
    square wall;
    make_square(&wall, 1, 0.7, 3);
    spin_motion arm = {.spin = {0, 0, 1}, .centre = {-1, 0, 0}};
    toi_surface_options options = toi_default_surface_options();
    toi_surface_hit hit;
    allocator.refuse_at = allocator.calls + number;
    toi_status status = spin_pair(other, &sphere, &arm, &wall.model, NULL, &options, &hit);
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    assert_true(status == TOI_OK || (hit.verdict == TOI_NEAR && hit.t_lo == 0));
    assert_true(status == TOI_OK || strlen(toi_context_error(other)) > 0);
    failures += status != TOI_OK;
    toi_model_free(other, &sphere);
    toi_context_destroy(other);
    assert_true(allocator.blocks == 0 && allocator.wrong_sizes == 0);
  }
  assert_true(failures > 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_turn_it_is_the_linear_question),
      cmocka_unit_test(grazing_and_resting_are_near_and_nothing_touches_before),
      cmocka_unit_test(many_turns_end_within_the_budget),
      cmocka_unit_test(every_budget_gives_an_answer_that_holds),
      cmocka_unit_test(same_bits_for_any_number_of_threads),
      cmocka_unit_test(bad_input_is_named),
      cmocka_unit_test(every_allocation_may_fail),
  };
  context = test_context(1);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  toi_context_destroy(context);
  return failed;
}
