/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Points in solids, and bodies that start inside each other: never a wrong yes or no, and hardly ever unknown. */

#include "contact/boolean_shapes.h"

#define POINTS 300

static answered got;
static uint64_t seed;

static int take_seed(void **state) {
  (void)state;
  seed = test_seed(UINT64_C(0x1951de));
  return 0;
}

static toi_inside ask_point(const stage *s, const double point[3], double t) {
  toi_inside inside = TOI_INSIDE_UNKNOWN;
  well(s, toi_contact_inside(s->context, &s->bodies[0], t, point, &inside));
  return inside;
}

/* Points around a body in random places; depth is negative inside, in the body's own coordinates. */
static void check_points(stage *s, double (*depth)(const double p[3]), double size, size_t most) {
  const placement place = random_placement(&seed);
  size_t unknown = 0;
  s->place = &place;
  put_in_place(s);
  for (size_t i = 0; i < POINTS; i++) {
    double own[3], world[3];
    for (int k = 0; k < 3; k++)
      own[k] = size * (2 * test_random_unit(&seed) - 1);
    const double d = depth(own);
    turn(place.axis, place.angle, own, world);
    for (int k = 0; k < 3; k++)
      world[k] += place.shift[k];
    const toi_inside found = ask_point(s, world, 0.5);
    unknown += found == TOI_INSIDE_UNKNOWN;
    if (fabs(d) > 1e-9 && found != TOI_INSIDE_UNKNOWN)
      assert_int_equal(found, d < 0 ? TOI_INSIDE_YES : TOI_INSIDE_NO);
  }
  assert_in_range(unknown, 0, most);
  clear(s);
}

static double of_ball(const double p[3]) {
  return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 1;
}

static double of_torus(const double p[3]) {
  return hypot(hypot(p[0], p[1]) - 1, p[2]) - 0.4;
}

static double of_drilled_ball(const double p[3]) {
  return fmax(of_ball(p), 0.5 - hypot(p[0], p[1]));
}

static double of_two_balls(const double p[3]) {
  const double left[3] = {p[0] + 0.75, p[1], p[2]}, right[3] = {p[0] - 0.75, p[1], p[2]};
  return fmin(of_ball(left), of_ball(right));
}

static double of_box(const double p[3]) {
  return fmax(fmax(fabs(p[0]) - 1, fabs(p[1]) - 0.7), fabs(p[2]) - 0.5);
}

static double of_can(const double p[3]) {
  return fmax(hypot(p[0], p[1]) - 1, fabs(p[2]) - 0.75);
}

static void points_lie_where_they_are(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  (void)enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_IMPLICIT, (double[]){1});
  check_points(&s, of_ball, 1.2, 0);
  (void)enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){1});
  check_points(&s, of_ball, 1.2, POINTS / 50);
  (void)enter_library(&s, TOI_SHAPE_TORUS, TOI_SHAPE_FORM_PARAMETRIC, (double[]){1, 0.4});
  check_points(&s, of_torus, 1.5, POINTS / 50);
  (void)enter_library(&s, TOI_SHAPE_BOX, TOI_SHAPE_FORM_DEFAULT, (double[]){2, 1.4, 1});
  check_points(&s, of_box, 1.2, POINTS / 50);
  (void)enter_library(&s, TOI_SHAPE_CAPPED_CYLINDER, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1.5});
  check_points(&s, of_can, 1.2, POINTS / 50);
  operands o = {.context = s.context};
  (void)add_ball(&o, 1, NULL);
  (void)add_formula(&o, "x^2 + y^2 - 0.25", NULL);
  (void)enter(&s, joined(&o, TOI_BOOLEAN_DIFFERENCE, 0));
  check_points(&s, of_drilled_ball, 1.2, 0);
  (void)add_ball(&o, 1, (double[]){-0.75, 0, 0});
  (void)add_ball(&o, 1, (double[]){0.75, 0, 0});
  (void)enter(&s, joined(&o, TOI_BOOLEAN_UNION, 0));
  check_points(&s, of_two_balls, 1.9, 0);
  toi_context_destroy(s.context);
}

/* The poles of a sphere, its middle and its axis, which rays would meet. */
static void special_points_are_told(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  (void)enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){1});
  assert_int_equal(ask_point(&s, (double[]){0, 0, 0}, 0), TOI_INSIDE_YES);
  assert_int_equal(ask_point(&s, (double[]){0, 0, 0.5}, 0), TOI_INSIDE_YES);
  assert_int_equal(ask_point(&s, (double[]){0.5, 0, 0}, 0), TOI_INSIDE_YES);
  assert_int_equal(ask_point(&s, (double[]){0, 0, 1}, 0), TOI_INSIDE_UNKNOWN);
  assert_int_equal(ask_point(&s, (double[]){0.999, 0.999, 0}, 0), TOI_INSIDE_NO);
  // It moves.
  well(&s, toi_motion_move(s.motions[0], (double[]){0, 0, 0}, (double[]){2, 0, 0}));
  assert_int_equal(ask_point(&s, (double[]){0, 0, 0}, 1), TOI_INSIDE_NO);
  assert_int_equal(ask_point(&s, (double[]){2, 0, 0.9}, 1), TOI_INSIDE_YES);
  clear(&s);
  // An open shape has no inside.
  (void)enter_library(&s, TOI_SHAPE_CYLINDER, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
  toi_inside inside = TOI_INSIDE_YES;
  assert_int_equal(toi_contact_inside(s.context, &s.bodies[0], 0, (double[]){0, 0, 0}, &inside), TOI_ERROR_INPUT);
  assert_int_equal(inside, TOI_INSIDE_UNKNOWN);
  assert_non_null(strstr(toi_context_error(s.context), "not a solid"));
  clear(&s);
  toi_context_destroy(s.context);
}

/* A small ball at x in a large one or beside it, in all forms; it moves along x by 4. */
static void start_of_two_balls(toi_shape_form first, toi_shape_form second, double x, toi_inside inside,
                               toi_verdict verdict) {
  const placement place = random_placement(&seed);
  stage s = {.context = test_context(1), .place = &place};
  toi_contact_options options = toi_default_contact_options();
  (void)enter_library(&s, TOI_SHAPE_SPHERE, first, (double[]){1});
  well(&s, toi_motion_move(enter_library(&s, TOI_SHAPE_SPHERE, second, (double[]){0.25}), (double[]){x, 0, 0},
                           (double[]){4, 0, 0}));
  put_in_place(&s);
  ask(&s, &options, &got);
  assert_int_equal(got.answer.verdict, verdict);
  assert_int_equal(got.answer.inside_at_start, inside);
  clear(&s);
  toi_context_destroy(s.context);
}

static void ball_that_starts_inside_is_flagged_and_leaves(void **state) {
  (void)state;
  const toi_shape_form forms[2] = {TOI_SHAPE_FORM_IMPLICIT, TOI_SHAPE_FORM_PARAMETRIC};
  for (int i = 0; i < 4; i++) {
    start_of_two_balls(forms[i & 1], forms[i >> 1], 0.3, TOI_INSIDE_YES, TOI_MISS);
    start_of_two_balls(forms[i & 1], forms[i >> 1], -0.7, TOI_INSIDE_YES, TOI_MISS);
    start_of_two_balls(forms[i & 1], forms[i >> 1], -1.26, TOI_INSIDE_NO, TOI_HIT);
    start_of_two_balls(forms[i & 1], forms[i >> 1], 1.26, TOI_INSIDE_NO, TOI_MISS);
  }
}

/* A ball in the notch of a prism, where the plane of an end goes on beyond its outline. */
static void notch_of_a_prism_is_outside(void **state) {
  (void)state;
  static const double corners[5][2] = {{0, 0}, {2, 0}, {2, 2}, {1, 0.1}, {0, 2}};
  for (int n = 0; n < 60; n++) {
    stage s = {.context = test_context(1)};
    toi_shape *prism = NULL;
    well(&s, toi_shape_prism(s.context, corners, 5, 1, &prism));
    (void)enter(&s, prism);
    const int row = n / 20;
    const double x = 0.6 + 0.02 * (n % 40), floor = 2 - 1.9 * (x < 1 ? x : 2 - x), y = floor + 0.15 + 0.02 * row;
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.03});
    well(&s, toi_motion_move(m, (double[]){x, y, n % 2 ? 0.5 : -0.5}, (double[]){0, 1, 0}));
    const toi_contact_options options = toi_default_contact_options();
    ask(&s, &options, &got);
    assert_int_equal(got.answer.verdict, TOI_MISS);
    assert_int_equal(got.answer.inside_at_start, TOI_INSIDE_NO);
    assert_int_equal(ask_point(&s, (double[]){x, floor - 0.01, 0}, 0), TOI_INSIDE_YES);
    clear(&s);
    toi_context_destroy(s.context);
  }
}

/* In the bore of a drilled ball nothing is inside; nor is a ring around a ball; a ball in a union of two is. */
static void boolean_shapes_at_the_start(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  operands o = {.context = s.context};
  toi_contact_options options = toi_default_contact_options();
  for (int way = 0; way < 3; way++) {
    (void)add_ball(&o, 1, way == 2 ? (double[]){-0.75, 0, 0} : NULL);
    if (way < 2)
      (void)add_formula(&o, "x^2 + y^2 - 0.25", NULL);
    else
      (void)add_ball(&o, 1, (double[]){0.75, 0, 0});
    (void)enter(&s, joined(&o, way == 2 ? TOI_BOOLEAN_UNION : TOI_BOOLEAN_DIFFERENCE, 0));
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, way == 1 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT,
                                  (double[]){0.125});
    well(&s, toi_motion_move(m, (double[]){0.1, 0, 0}, (double[]){0, 0, 0.25}));
    ask(&s, &options, &got);
    assert_int_equal(got.answer.verdict, TOI_MISS);
    assert_int_equal(got.answer.inside_at_start, way == 2 ? TOI_INSIDE_YES : TOI_INSIDE_NO);
    clear(&s);
  }
  // Below the plane, far from everything.
  (void)enter_library(&s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, NULL);
  well(&s, toi_motion_move(enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1}),
                           (double[]){3, 0, -9}, (double[]){0, 0, 1}));
  ask(&s, &options, &got);
  assert_int_equal(got.answer.inside_at_start, TOI_INSIDE_YES);
  clear(&s);
  toi_context_destroy(s.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_lie_where_they_are),
      cmocka_unit_test(special_points_are_told),
      cmocka_unit_test(ball_that_starts_inside_is_flagged_and_leaves),
      cmocka_unit_test(notch_of_a_prism_is_outside),
      cmocka_unit_test(boolean_shapes_at_the_start),
  };
  return cmocka_run_group_tests(tests, take_seed, NULL);
}
