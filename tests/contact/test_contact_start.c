/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* t_max = 0: the start alone is asked about. Bodies that cross there are a hit at 0, bodies apart a miss that is safe
 * up to 0, whatever they do later, in rigid motion and deforming. */

#include "contact/stage.h"

static answered got;

static void ask_start(const stage *s) {
  toi_contact_options options = toi_default_contact_options();
  options.t_max = 0;
  options.spacing = 0.5;
  ask(s, &options, &got);
}

static void expect_hit(void) {
  assert_int_equal(got.answer.verdict, TOI_HIT);
  assert_true(got.answer.t_lo == 0 && got.answer.t_hi == 0 && got.answer.t_safe == 0);
  assert_true(got.answer.touching_at_start && got.count > 0);
}

static void expect_miss(void) {
  assert_int_equal(got.answer.verdict, TOI_MISS);
  assert_true(isinf(got.answer.t_lo) && isinf(got.answer.t_hi) && got.answer.t_safe == 0);
  assert_int_equal(got.answer.end, TOI_CONTACT_DONE);
  assert_int_equal(got.count, 0);
}

static void clear_stage(stage *s) {
  for (size_t i = 0; i < s->count; i++) {
    toi_motion_destroy(s->motions[i]);
    toi_shape_destroy(s->shapes[i]);
  }
}

/* Balls of radius 1, the second at x and turning about an axis that is far away; implicit and parametric. */
static void rigid_bodies_are_where_they_start(void **state) {
  (void)state;
  static const double places[] = {1.5, 2.5};
  for (int i = 0; i < 2; i++)
    for (int form = 0; form < 4; form++) {
      stage s = {.context = test_context(1)};
      const toi_shape_form forms[2] = {TOI_SHAPE_FORM_PARAMETRIC, TOI_SHAPE_FORM_IMPLICIT};
      enter_library(&s, TOI_SHAPE_SPHERE, forms[form & 1], (double[]){1});
      toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, forms[form >> 1], (double[]){1});
      well(&s, toi_motion_move(m, (double[]){places[i], 0, 0}, (double[]){i == 0 ? 40 : -40, 0, 0}));
      well(&s, toi_motion_turn(m, (double[]){0, 1, 2}, (double[]){7, 7, 7}, 0, 3));
      ask_start(&s);
      if (i == 0)
        expect_hit();
      else
        expect_miss();
      clear_stage(&s);
      toi_context_destroy(s.context);
    }
}

/* A hill that grows with t under a ball: apart at the start, in contact from soon after it; and one that shrinks. */
static void deforming_shapes_have_the_form_of_the_start(void **state) {
  (void)state;
  static const char *const heights[] = {"9*t*exp(-u^2 - v^2)", "(2 - 9*t)*exp(-u^2 - v^2)"};
  for (int i = 0; i < 2; i++) {
    stage s = {.context = test_context(1)};
    toi_shape *hill = NULL;
    const toi_interval side = {-3, 3};
    well(&s, toi_shape_height_field(s.context, heights[i], side, side, &hill));
    enter(&s, hill);
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5});
    well(&s, toi_motion_move(m, (double[]){0, 0, 1.75}, NULL));
    ask_start(&s);
    if (i == 1)
      expect_hit();
    else
      expect_miss();
    clear_stage(&s);
    toi_context_destroy(s.context);
  }
}

/* Neither proved nor refuted: two balls that only touch. */
static void bodies_that_just_touch_are_not_missed(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1});
  toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1});
  well(&s, toi_motion_move(m, (double[]){2, 0, 0}, (double[]){1, 0, 0}));
  ask_start(&s);
  assert_int_not_equal(got.answer.verdict, TOI_MISS);
  assert_true(got.answer.t_lo == 0 && got.answer.t_hi == 0 && got.answer.t_safe == 0);
  clear_stage(&s);
  toi_context_destroy(s.context);
}

/* The motion is looked at where it is asked about: its series and its quaternion need hold at 0 only. */
static void motions_need_hold_at_the_start_only(void **state) {
  (void)state;
  static const char *const quaternion[4] = {"1 - 2*t", "0", "0", "0"}, *const vanishing[4] = {"t", "0", "0", "0"};
  for (int i = 0; i < 2; i++) {
    stage s = {.context = test_context(1)};
    enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1});
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1});
    well(&s, toi_motion_move(m, (double[]){3, 0, 0}, NULL));
    well(&s, toi_motion_formula(m, i == 0 ? quaternion : vanishing, NULL));
    toi_contact_options options = toi_default_contact_options();
    options.t_max = 0;
    const toi_status status = toi_contact(s.context, s.bodies, s.count, &options, &got.answer, NULL, NULL);
    assert_int_equal(status, i == 0 ? TOI_OK : TOI_ERROR_INPUT);
    assert_int_equal(got.answer.verdict, i == 0 ? TOI_MISS : TOI_NEAR);
    clear_stage(&s);
    toi_context_destroy(s.context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_bodies_are_where_they_start),
      cmocka_unit_test(deforming_shapes_have_the_form_of_the_start),
      cmocka_unit_test(bodies_that_just_touch_are_not_missed),
      cmocka_unit_test(motions_need_hold_at_the_start_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
