/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What those who draw shapes ask: what a shape is drawn over, and values of implicit ones, against closed forms. */

#include "support/support.h"

#include <math.h>
#include <string.h>
#include <toi/contact.h>

#define CLOSE 1e-14

static toi_context *context;

static int open_context(void **state) {
  (void)state;
  return toi_context_create(NULL, &context) == TOI_OK ? 0 : -1;
}

static int close_context(void **state) {
  (void)state;
  toi_context_destroy(context);
  return 0;
}

static toi_shape *make(toi_shape_kind kind, toi_shape_form form, const double *size) {
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_library(context, kind, form, size, &shape), TOI_OK);
  return shape;
}

static void a_sphere_has_bounds_that_hold_it(void **state) {
  (void)state;
  toi_shape *shape = make(TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_IMPLICIT, (const double[]){1.5});
  const toi_extent extent = toi_shape_extent(shape);
  assert_true(extent.implicit && extent.solid && extent.edges == 0);
  for (int k = 0; k < 3; k++) {
    assert_true(extent.bounds[k].lo <= -1.5 && extent.bounds[k].hi >= 1.5);
    assert_true(extent.bounds[k].lo >= -2 && extent.bounds[k].hi <= 2);
  }
  toi_shape_destroy(shape);
}

static void a_plane_has_no_bounds(void **state) {
  (void)state;
  toi_shape *shape = make(TOI_SHAPE_PLANE, TOI_SHAPE_FORM_IMPLICIT, (const double[]){1, 1});
  const toi_extent extent = toi_shape_extent(shape);
  assert_true(extent.implicit && extent.solid);
  assert_true(isinf(extent.bounds[0].lo) && isinf(extent.bounds[2].hi));
  toi_shape_destroy(shape);
}

static void a_cylinder_has_edges_at_its_ends(void **state) {
  (void)state;
  toi_shape *shape = make(TOI_SHAPE_CYLINDER, TOI_SHAPE_FORM_PARAMETRIC, (const double[]){1, 2});
  const toi_extent extent = toi_shape_extent(shape);
  assert_true(!extent.implicit && !extent.solid);
  assert_true(extent.edges == TOI_EDGES_U || extent.edges == TOI_EDGES_V);
  assert_true(extent.u.lo < extent.u.hi && extent.v.lo < extent.v.hi);
  toi_shape_destroy(shape);
}

/* Negative inside, zero on it, with the outward normal. */
static void values_of_a_sphere(void **state) {
  (void)state;
  toi_shape *shape = make(TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_IMPLICIT, (const double[]){3});
  double value, normal[3];
  assert_int_equal(toi_shape_value(shape, (const double[]){1, 2, 2}, 0, &value, normal), TOI_OK);
  assert_true(fabs(value) <= CLOSE);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(normal[k] - (k == 0 ? 1.0 : 2.0) / 3) <= CLOSE);
  assert_int_equal(toi_shape_value(shape, (const double[]){1, 1, 1}, 0.5, &value, normal), TOI_OK);
  assert_true(value < 0);
  assert_int_equal(toi_shape_value(shape, (const double[]){3, 3, 3}, 0.5, &value, normal), TOI_OK);
  assert_true(value > 0);
  // In the middle there is no normal.
  assert_int_equal(toi_shape_value(shape, (const double[]){0, 0, 0}, 0, &value, normal), TOI_OK);
  assert_true(value < 0 && normal[0] == 0 && normal[1] == 0 && normal[2] == 0);
  toi_shape_destroy(shape);
}

static void values_follow_time(void **state) {
  (void)state;
  toi_formula *formula = NULL;
  static const char *const variables[] = {"x", "y", "z", "t"};
  assert_int_equal(toi_formula_create(context, variables, 4, &formula), TOI_OK);
  const toi_implicit implicit = {
      .formula = formula, .function = toi_formula_parse(formula, "z - t*log(x)"), .bounds = {{1, 2}, {-1, 1}, {-1, 1}}};
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_implicit(context, &implicit, &shape), TOI_OK);
  double value, normal[3];
  assert_int_equal(toi_shape_value(shape, (const double[]){2, 0, 1}, 0.5, &value, normal), TOI_OK);
  assert_true(fabs(value - (1 - 0.5 * log(2))) <= CLOSE);
  const double length = hypot(0.25, 1);
  assert_true(fabs(normal[0] + 0.25 / length) <= CLOSE && normal[1] == 0 && fabs(normal[2] - 1 / length) <= CLOSE);
  // There is no logarithm of 0.
  assert_int_equal(toi_shape_value(shape, (const double[]){0, 0, 0}, 1, &value, normal), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "no value"));
  assert_true(value == 0 && normal[0] == 0);
  toi_shape_destroy(shape);
  toi_formula_destroy(formula);
}

static void bad_questions_get_a_sentence(void **state) {
  (void)state;
  toi_shape *torus = make(TOI_SHAPE_TORUS, TOI_SHAPE_FORM_PARAMETRIC, (const double[]){2, 0.5});
  toi_shape *plane = make(TOI_SHAPE_PLANE, TOI_SHAPE_FORM_IMPLICIT, (const double[]){1, 1});
  double value, normal[3];
  assert_int_equal(toi_shape_value(torus, (const double[]){1, 2, 2}, 0, &value, normal), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "parametric"));
  assert_int_equal(toi_shape_value(plane, (const double[]){NAN, 0, 0}, 0, &value, normal), TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_value(plane, (const double[]){0, 0, 0}, INFINITY, &value, normal), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "finite"));
  assert_int_equal(toi_shape_value(plane, NULL, 0, &value, normal), TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_value(NULL, (const double[]){0, 0, 0}, 0, &value, normal), TOI_ERROR_INPUT);
  toi_shape_destroy(plane);
  toi_shape_destroy(torus);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sphere_has_bounds_that_hold_it),
      cmocka_unit_test(a_plane_has_no_bounds),
      cmocka_unit_test(a_cylinder_has_edges_at_its_ends),
      cmocka_unit_test(values_of_a_sphere),
      cmocka_unit_test(values_follow_time),
      cmocka_unit_test(bad_questions_get_a_sentence),
  };
  return cmocka_run_group_tests(tests, open_context, close_context);
}
