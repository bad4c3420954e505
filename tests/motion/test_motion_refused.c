/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions that are none: every refusal says what was wrong and where, and leaves the motion as it was. Each allocation
 * is refused in turn, and nothing leaks. */

#include "support/support.h"

#include "motion/motion.h"

static toi_context *context;
static toi_motion *motion;

static int setup(void **state) {
  (void)state;
  context = test_context(1);
  return toi_motion_create(context, &motion) == TOI_OK ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  toi_motion_destroy(motion);
  toi_context_destroy(context);
  return 0;
}

/* The call failed so, with these words in its sentence, and the motion is still at rest. */
static void assert_refused(toi_status status, const char *words) {
  assert_int_equal(status, TOI_ERROR_INPUT);
  if (!strstr(toi_context_error(context), words))
    fail_msg("\"%s\" does not say \"%s\"", toi_context_error(context), words);
  assert_true(toi_motion_is_shift(motion));
  toi_motion_jet jet = {0};
  toi_motion_jet_at(motion, (toi_interval){0, 1}, 0, &jet);
  for (int i = 0; i < 3; i++)
    assert_true(jet.translation[0][i].lo == 0 && jet.translation[0][i].hi == 0);
}

/* --- building --- */

static void numbers_that_are_not_finite_are_named(void **state) {
  (void)state;
  const double z[3] = {0, 0, 1};
  assert_refused(toi_motion_move(motion, (double[]){0, NAN, 0}, NULL), "shift[1] is nan");
  assert_refused(toi_motion_move(motion, NULL, (double[]){0, 0, INFINITY}), "velocity[2] is inf");
  assert_refused(toi_motion_turn(motion, NULL, NULL, 0, 1), "axis is NULL");
  assert_refused(toi_motion_turn(motion, (double[]){0, 0, 0}, NULL, 0, 1), "axis is zero");
  assert_refused(toi_motion_turn(motion, (double[]){NAN, 0, 1}, NULL, 0, 1), "axis[0] is nan");
  assert_refused(toi_motion_turn(motion, z, (double[]){0, 0, -INFINITY}, 0, 1), "through[2] is -inf");
  assert_refused(toi_motion_turn(motion, z, NULL, NAN, 1), "angle is nan");
  assert_refused(toi_motion_turn(motion, z, NULL, 1, INFINITY), "rate is inf");
  toi_screw screw = {.axis = {0, 0, 1}, .speed = NAN};
  assert_refused(toi_motion_screw(motion, &screw), "speed is nan");
  screw = (toi_screw){.axis = {0, 0, 1}, .shift = INFINITY};
  assert_refused(toi_motion_screw(motion, &screw), "shift is inf");
  assert_refused(toi_motion_screw(motion, NULL), "toi_screw is NULL");
  assert_refused(toi_motion_spin(motion, NULL, NULL), "rate is NULL");
  assert_refused(toi_motion_spin(motion, (double[]){0, NAN, 1}, NULL), "rate[1] is nan");
  assert_refused(toi_motion_spin(motion, z, (double[]){0, 0, -INFINITY}), "through[2] is -inf");
}

static void motions_that_are_missing_are_refused(void **state) {
  (void)state;
  toi_interval r[9], p[3], t = {0, 1};
  toi_motion *none;
  assert_int_equal(toi_motion_create(NULL, &none), TOI_ERROR_INPUT);
  assert_null(none);
  assert_int_equal(toi_motion_create(context, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_move(NULL, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_turn(NULL, NULL, NULL, 0, 0), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_screw(NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_spin(NULL, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_formula(NULL, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_turn_formula(NULL, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_terms(NULL, NULL, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_turn_term(NULL, NULL, NULL, 0), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_chebyshev(NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_fitted(NULL, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_motion_at(NULL, t, r, p), TOI_ERROR_INPUT);
  assert_refused(toi_motion_at(motion, t, NULL, p), "rotation is NULL");
  assert_refused(toi_motion_at(motion, t, r, NULL), "translation is NULL");
  assert_refused(toi_motion_at(motion, (toi_interval){1, 0}, r, p), "t is [1, 0]");
  assert_refused(toi_motion_at(motion, (toi_interval){NAN, 0}, r, p), "t is [nan, 0]");
  assert_refused(toi_motion_at(motion, (toi_interval){0, INFINITY}, r, p), "t is [0, inf]");
  toi_motion_destroy(NULL);
}

static void texts_that_cannot_be_read_are_named_with_their_column(void **state) {
  (void)state;
  const double z[3] = {0, 0, 1};
  assert_refused(toi_motion_formula(motion, NULL, (const char *const[]){"t", "1 + foo(t)", "0"}), "translation[1]: ");
  assert_refused(toi_motion_formula(motion, NULL, (const char *const[]){"t", "1 + foo(t)", "0"}), "column 5");
  assert_refused(toi_motion_formula(motion, (const char *const[]){"1", "0", "t t", "0"}, NULL), "quaternion[2]: ");
  assert_refused(toi_motion_formula(motion, (const char *const[]){"1", "u", "0", "0"}, NULL), "quaternion[1]: ");
  assert_refused(toi_motion_formula(motion, (const char *const[]){"1", "0", NULL, "0"}, NULL), "quaternion[2] is NULL");
  assert_refused(toi_motion_turn_formula(motion, z, "2*"), "angle: ");
  assert_refused(toi_motion_turn_formula(motion, z, NULL), "angle is NULL");
  assert_refused(toi_motion_turn_formula(motion, (double[]){0, 0, 0}, "t"), "axis is zero");
  assert_refused(toi_motion_turn_formula(motion, NULL, "t"), "axis is NULL");
}

static void terms_are_of_a_formula_in_t(void **state) {
  (void)state;
  const double z[3] = {0, 0, 1};
  toi_formula *one, *two;
  assert_int_equal(toi_formula_create(context, (const char *const[]){"t"}, 1, &one), TOI_OK);
  assert_int_equal(toi_formula_create(context, (const char *const[]){"u", "t"}, 2, &two), TOI_OK);
  toi_term t = toi_formula_variable(one, 0), u = toi_formula_variable(two, 0);
  assert_refused(toi_motion_terms(motion, two, NULL, (toi_term[]){u, u, u}), "2 variables");
  assert_refused(toi_motion_turn_term(motion, z, two, u), "2 variables");
  assert_refused(toi_motion_terms(motion, NULL, NULL, (toi_term[]){t, t, t}), "formula is NULL");
  assert_refused(toi_motion_turn_term(motion, z, NULL, t), "formula is NULL");
  assert_refused(toi_motion_turn_term(motion, z, one, TOI_NO_TERM), "angle is not a term");
  assert_refused(toi_motion_terms(motion, one, (toi_term[]){t, t, t, TOI_NO_TERM}, NULL),
                 "quaternion[3] is not a term");
  assert_refused(toi_motion_terms(motion, one, NULL, (toi_term[]){t, TOI_NO_TERM, t}), "translation[1] is not a term");
  assert_int_equal(toi_motion_turn_term(motion, z, one, t), TOI_OK);
  assert_int_equal(toi_motion_terms(motion, one, NULL, (toi_term[]){t, t, t}), TOI_OK);
  toi_formula_destroy(one);
  toi_formula_destroy(two);
  toi_motion_jet jet = {0};
  toi_motion_jet_at(motion, (toi_interval){0.5, 0.5}, 1, &jet);
  assert_true(jet.translation[0][0].lo == 0.5 && jet.translation[1][2].hi == 1);
  assert_true(toi_interval_contains(jet.rotation[0][0][0], 0.8775825618903728));
}

static void series_need_numbers_and_a_time(void **state) {
  (void)state;
  const double numbers[3] = {1, 2, 3}, bad[3] = {1, NAN, 3};
  toi_chebyshev s = {.t_from = 0, .t_to = 1, .count = 3, .translation = {numbers, numbers, numbers}};
  toi_chebyshev wrong = s;
  wrong.translation[1] = NULL;
  assert_refused(toi_motion_chebyshev(motion, &wrong), "translation[1] is NULL");
  wrong = s;
  wrong.quaternion[3] = numbers;
  assert_refused(toi_motion_chebyshev(motion, &wrong), "quaternion[0] is NULL");
  wrong = s;
  wrong.translation[2] = bad;
  assert_refused(toi_motion_chebyshev(motion, &wrong), "translation[2][1] is nan");
  wrong = s;
  wrong.count = 0;
  assert_refused(toi_motion_chebyshev(motion, &wrong), "count is 0");
  wrong.count = 1000000;
  assert_refused(toi_motion_fitted(motion, &wrong, NULL), "count is 1000000");
  wrong = s;
  wrong.t_to = 0;
  assert_refused(toi_motion_chebyshev(motion, &wrong), "t_to = 0");
  wrong.t_to = INFINITY;
  assert_refused(toi_motion_chebyshev(motion, &wrong), "t_to = inf");
  wrong = (toi_chebyshev){.t_from = 0, .t_to = 1, .count = 3};
  assert_refused(toi_motion_chebyshev(motion, &wrong), "neither");
  assert_refused(toi_motion_chebyshev(motion, NULL), "toi_chebyshev is NULL");
  assert_refused(toi_motion_fitted(motion, NULL, NULL), "toi_chebyshev is NULL");
  double bound = -1;
  assert_refused(toi_motion_fitted(motion, &s, &bound), "derivative_bound is -1");
  bound = NAN;
  assert_refused(toi_motion_fitted(motion, &s, &bound), "derivative_bound is nan");
  bound = 1;
  wrong = s;
  wrong.count = 1;
  assert_refused(toi_motion_fitted(motion, &wrong, &bound), "one sample");
  wrong = s;
  wrong.t_from = 1;
  wrong.t_to = 1 + 0x1p-52;
  assert_refused(toi_motion_fitted(motion, &wrong, NULL), "too short for 3 samples");
}

/* --- checking --- */

static void assert_check(double t_max, const char *words) {
  assert_int_equal(toi_motion_check(context, motion, t_max, "bodies[1].motion"), TOI_ERROR_INPUT);
  const char *sentence = toi_context_error(context);
  if (strncmp(sentence, "bodies[1].motion: ", 18) != 0 || !strstr(sentence, words))
    fail_msg("\"%s\" does not say \"%s\"", sentence, words);
}

static void questions_beyond_a_series_are_refused(void **state) {
  (void)state;
  const double numbers[2] = {1, 2};
  toi_chebyshev s = {.t_from = 0, .t_to = 2, .count = 2, .translation = {numbers, numbers, numbers}};
  assert_int_equal(toi_motion_chebyshev(motion, &s), TOI_OK);
  assert_int_equal(toi_motion_check(context, motion, 2, "m"), TOI_OK);
  assert_check(2.5, "[0, 2]");
  s.t_from = 0.5;
  s.t_to = 3;
  assert_int_equal(toi_motion_chebyshev(motion, &s), TOI_OK);
  assert_check(1, "[0.5, 2]");
  toi_interval r[9], p[3];
  assert_int_equal(toi_motion_at(motion, (toi_interval){0.5, 2}, r, p), TOI_OK);
  assert_int_equal(toi_motion_at(motion, (toi_interval){0.4, 2}, r, p), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "[0.5, 2]"));
  s.t_from = 4;
  s.t_to = 5;
  assert_int_equal(toi_motion_chebyshev(motion, &s), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "no time in common"));
}

static void quaternions_that_vanish_are_refused_with_the_time(void **state) {
  (void)state;
  assert_int_equal(toi_motion_formula(motion, (const char *const[]){"t - 0.75", "0", "(t - 0.75)^2", "0"}, NULL),
                   TOI_OK);
  assert_check(1, "near t = 0.7");
  assert_int_equal(toi_motion_check(context, motion, 0.7, "m"), TOI_OK);
}

/* Its components vanish, one after the other, but never all. */
static void quaternions_that_only_come_near_are_fine(void **state) {
  (void)state;
  assert_int_equal(toi_motion_formula(motion, (const char *const[]){"t - 0.75", "0", "t - 0.751", "0"}, NULL), TOI_OK);
  assert_int_equal(toi_motion_check(context, motion, 1, "m"), TOI_OK);
  const double w[3] = {0, 1, 0}, x[3] = {0.01, 0, 0}, zero[3] = {0};
  toi_chebyshev s = {.t_from = -1, .t_to = 1, .count = 3, .quaternion = {w, x, zero, zero}};
  assert_int_equal(toi_motion_chebyshev(motion, &s), TOI_OK);
  assert_int_equal(toi_motion_check(context, motion, 1, "m"), TOI_OK);
}

static void formulas_that_are_not_defined_are_named(void **state) {
  (void)state;
  assert_int_equal(toi_motion_formula(motion, NULL, (const char *const[]){"t", "1 + log(t - 0.25)", "0"}), TOI_OK);
  assert_check(1, "translation[1]: column 5: ");
  assert_check(1, "near t = 0");
  assert_int_equal(toi_motion_check(context, NULL, 1, "m"), TOI_OK);
}

static void angles_and_quaternions_that_are_not_defined_are_named(void **state) {
  (void)state;
  assert_int_equal(toi_motion_turn_formula(motion, (double[]){0, 0, 1}, "1/(t - 0.5)"), TOI_OK);
  assert_check(1, "angle: column ");
  assert_int_equal(toi_motion_check(context, motion, 0.25, "m"), TOI_OK);
  assert_int_equal(toi_motion_formula(motion, (const char *const[]){"1", "0", "0", "sqrt(0.125 - t)"},
                                      (const char *const[]){"0", "0", "0"}),
                   TOI_OK);
  assert_check(0.25, "quaternion[3]: column 1: ");
}

static void motions_that_overflow_are_refused(void **state) {
  (void)state;
  assert_int_equal(toi_motion_move(motion, (double[]){1e308, 0, 0}, (double[]){1e308, 0, 0}), TOI_OK);
  assert_int_equal(toi_motion_check(context, motion, 0.5, "m"), TOI_OK);
  assert_check(1, "may not be finite near t = 0.");
}

/* --- memory --- */

static toi_status make_everything(toi_context *with) {
  toi_motion *made;
  toi_status status = toi_motion_create(with, &made);
  const double numbers[3] = {1, 0.25, 0}, bound = 1;
  toi_chebyshev s = {.t_from = 0,
                     .t_to = 2,
                     .count = 3,
                     .quaternion = {numbers, numbers, numbers, numbers},
                     .translation = {numbers, numbers, numbers}};
  if (status == TOI_OK)
    status = toi_motion_turn(made, (double[]){1, 0, 0}, NULL, 0, 1);
  if (status == TOI_OK)
    status = toi_motion_formula(made, NULL, (const char *const[]){"t", "t^2", "sin(t)"});
  if (status == TOI_OK)
    status = toi_motion_turn_formula(made, (double[]){0, 1, 0}, "exp(t)");
  if (status == TOI_OK)
    status = toi_motion_turn(made, (double[]){0, 1, 0}, NULL, 0, 1);
  if (status == TOI_OK)
    status = toi_motion_fitted(made, &s, &bound);
  if (status == TOI_OK)
    status = toi_motion_chebyshev(made, &s);
  if (status == TOI_OK)
    status = toi_motion_check(with, made, 1, "m");
  toi_motion_destroy(made);
  return status;
}

static void every_refused_allocation_is_told_and_nothing_leaks(void **state) {
  (void)state;
  bool done = false;
  size_t refused = 0;
  for (size_t at = 1; !done; at++) {
    test_allocator allocator = {0};
    toi_context *with = test_context_on(&allocator);
    size_t blocks = allocator.blocks;
    allocator.refuse_at = allocator.calls + at;
    size_t last = allocator.refuse_at;
    toi_status status = make_everything(with);
    done = allocator.calls < last;
    assert_int_equal(status, done ? TOI_OK : TOI_ERROR_MEMORY);
    assert_true(done || toi_context_error(with)[0] != '\0');
    assert_int_equal(allocator.blocks, blocks);
    assert_int_equal(allocator.wrong_sizes, 0);
    refused += !done;
    toi_context_destroy(with);
    assert_int_equal(allocator.blocks, 0);
  }
  assert_true(refused > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(numbers_that_are_not_finite_are_named, setup, teardown),
      cmocka_unit_test_setup_teardown(motions_that_are_missing_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(texts_that_cannot_be_read_are_named_with_their_column, setup, teardown),
      cmocka_unit_test_setup_teardown(terms_are_of_a_formula_in_t, setup, teardown),
      cmocka_unit_test_setup_teardown(series_need_numbers_and_a_time, setup, teardown),
      cmocka_unit_test_setup_teardown(questions_beyond_a_series_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(quaternions_that_vanish_are_refused_with_the_time, setup, teardown),
      cmocka_unit_test_setup_teardown(quaternions_that_only_come_near_are_fine, setup, teardown),
      cmocka_unit_test_setup_teardown(formulas_that_are_not_defined_are_named, setup, teardown),
      cmocka_unit_test_setup_teardown(angles_and_quaternions_that_are_not_defined_are_named, setup, teardown),
      cmocka_unit_test_setup_teardown(motions_that_overflow_are_refused, setup, teardown),
      cmocka_unit_test(every_refused_allocation_is_told_and_nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
