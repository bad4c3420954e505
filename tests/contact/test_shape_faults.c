/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes that cannot be made: each refusal names what is wrong, makes nothing, and leaks nothing. */

#include "support/support.h"

#include <math.h>
#include <string.h>

#include "contact/shape.h"

typedef struct known {
  toi_shape_kind kind;
  double size[5];
} known;

/* One of each kind. */
static const known shapes[TOI_SHAPE_KIND_COUNT] = {
    {TOI_SHAPE_PLANE, {3, 2}},
    {TOI_SHAPE_SPHERE, {1.5}},
    {TOI_SHAPE_ELLIPSOID, {2, 0.7, 1.1}},
    {TOI_SHAPE_CYLINDER, {0.75, 3}},
    {TOI_SHAPE_CONE, {1.25, 2}},
    {TOI_SHAPE_TORUS, {2, 0.5}},
    {TOI_SHAPE_SUPERQUADRIC, {1, 2, 0.5, 0.5, 0.5}},
    {TOI_SHAPE_BUMPY_SPHERE, {1, 0.08, 6, 8}},
};

static void refused(toi_context *context, const known *of, toi_shape_form form, toi_status status,
                    const char *sentence) {
  toi_shape *shape = (toi_shape *)context;
  assert_int_equal(toi_shape_library(context, of->kind, form, of->size, &shape), status);
  assert_null(shape);
  if (strstr(toi_context_error(context), sentence) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", toi_context_error(context), sentence);
}

static void wrong_sizes_and_forms_are_named(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const struct {
    known of;
    toi_shape_form form;
    toi_status status;
    const char *sentence;
  } cases[] = {
      {{TOI_SHAPE_SPHERE, {0}}, TOI_SHAPE_FORM_DEFAULT, TOI_ERROR_INPUT, "size[0] of the sphere, radius, is 0"},
      {{TOI_SHAPE_SPHERE, {NAN}}, TOI_SHAPE_FORM_PARAMETRIC, TOI_ERROR_INPUT, "positive and finite"},
      {{TOI_SHAPE_ELLIPSOID, {1, 1, INFINITY}},
       TOI_SHAPE_FORM_DEFAULT,
       TOI_ERROR_INPUT,
       "size[2] of the ellipsoid, c, is inf"},
      {{TOI_SHAPE_CYLINDER, {1, -1}},
       TOI_SHAPE_FORM_DEFAULT,
       TOI_ERROR_INPUT,
       "size[1] of the cylinder, height, is -1"},
      {{TOI_SHAPE_TORUS, {1, 1}}, TOI_SHAPE_FORM_IMPLICIT, TOI_ERROR_INPUT, "the ring must be larger"},
      {{TOI_SHAPE_TORUS, {1, 2}}, TOI_SHAPE_FORM_PARAMETRIC, TOI_ERROR_INPUT, "the ring must be larger"},
      {{TOI_SHAPE_SUPERQUADRIC, {1, 1, 1, 2.5, 1}},
       TOI_SHAPE_FORM_DEFAULT,
       TOI_ERROR_INPUT,
       "size[3] of the superquadric, e1"},
      {{TOI_SHAPE_SUPERQUADRIC, {1, 1, 1, 1, 0}}, TOI_SHAPE_FORM_DEFAULT, TOI_ERROR_INPUT, "from 0.01 to 2"},
      {{TOI_SHAPE_BUMPY_SPHERE, {1, 1, 2, 2}}, TOI_SHAPE_FORM_DEFAULT, TOI_ERROR_INPUT, "between -1 and 1"},
      {{TOI_SHAPE_BUMPY_SPHERE, {1, 0.1, NAN, 2}}, TOI_SHAPE_FORM_DEFAULT, TOI_ERROR_INPUT, "size[2]"},
      {{TOI_SHAPE_BUMPY_SPHERE, {1, 0.1, 2, 3}}, TOI_SHAPE_FORM_DEFAULT, TOI_ERROR_INPUT, "even whole number"},
      {{TOI_SHAPE_PLANE, {1, 0}}, TOI_SHAPE_FORM_PARAMETRIC, TOI_ERROR_INPUT, "size[1] of the plane, depth"},
      {{TOI_SHAPE_CYLINDER, {1, 1}}, TOI_SHAPE_FORM_IMPLICIT, TOI_ERROR_UNSUPPORTED, "a cylinder has no implicit form"},
      {{TOI_SHAPE_CONE, {1, 1}}, TOI_SHAPE_FORM_IMPLICIT, TOI_ERROR_UNSUPPORTED, "a cone has no implicit form"},
      {{TOI_SHAPE_BUMPY_SPHERE, {1, 0, 0, 0}}, TOI_SHAPE_FORM_IMPLICIT, TOI_ERROR_UNSUPPORTED, "has no implicit form"},
      {{TOI_SHAPE_SUPERQUADRIC, {1, 1, 1, 1, 1}},
       TOI_SHAPE_FORM_PARAMETRIC,
       TOI_ERROR_UNSUPPORTED,
       "no parametric form"},
      {{TOI_SHAPE_KIND_COUNT, {1}}, TOI_SHAPE_FORM_DEFAULT, TOI_ERROR_INPUT, "is not a kind of shape"},
      {{TOI_SHAPE_SPHERE, {1}}, (toi_shape_form)3, TOI_ERROR_INPUT, "form is 3"},
  };
  for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
    refused(context, &cases[n].of, cases[n].form, cases[n].status, cases[n].sentence);
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_library(context, TOI_SHAPE_CONE, TOI_SHAPE_FORM_DEFAULT, NULL, &shape), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), "size is NULL; a cone has 2 of them");
  assert_int_equal(toi_shape_library(context, TOI_SHAPE_CONE, TOI_SHAPE_FORM_DEFAULT, shapes[4].size, NULL),
                   TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_library(NULL, TOI_SHAPE_CONE, TOI_SHAPE_FORM_DEFAULT, shapes[4].size, &shape),
                   TOI_ERROR_INPUT);
  toi_context_destroy(context);
}

static void names_and_sizes_of_kinds(void **state) {
  (void)state;
  assert_string_equal(toi_shape_kind_name(TOI_SHAPE_PLANE), "plane");
  assert_string_equal(toi_shape_kind_name(TOI_SHAPE_BUMPY_SPHERE), "bumpy-sphere");
  assert_null(toi_shape_kind_name(TOI_SHAPE_KIND_COUNT));
  assert_int_equal(toi_shape_kind_sizes(TOI_SHAPE_SPHERE), 1);
  assert_int_equal(toi_shape_kind_sizes(TOI_SHAPE_SUPERQUADRIC), 5);
  assert_int_equal(toi_shape_kind_sizes(TOI_SHAPE_KIND_COUNT), 0);
}

static void formulas_of_profiles_and_heights_are_refused_by_name(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const toi_interval unit = {0, 1};
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_revolution(context, "u", "v", unit, 0, false, &shape), TOI_ERROR_INPUT);
  assert_ptr_equal(strstr(toi_context_error(context), "radius: "), toi_context_error(context));
  assert_non_null(strstr(toi_context_error(context), "u"));
  assert_int_equal(toi_shape_revolution(context, "v", "sin(", unit, 0, false, &shape), TOI_ERROR_INPUT);
  assert_ptr_equal(strstr(toi_context_error(context), "height: "), toi_context_error(context));
  assert_int_equal(toi_shape_revolution(context, NULL, "v", unit, 0, false, &shape), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), "radius: the formula is missing; give one");
  assert_int_equal(toi_shape_revolution(context, "v", "v", unit, TOI_EDGE_U_LO, false, &shape), TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_height_field(context, "x", unit, unit, &shape), TOI_ERROR_INPUT);
  assert_ptr_equal(strstr(toi_context_error(context), "height: "), toi_context_error(context));
  assert_int_equal(toi_shape_height_field(context, "1", unit, (toi_interval){1, 1}, &shape), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "v goes from 1 to 1"));
  assert_null(shape);
  toi_context_destroy(context);
}

/* --- descriptions --- */

static bool enclose_never(void *user, const toi_interval *box, unsigned order, toi_interval *jets) {
  (void)user;
  (void)box;
  (void)order;
  (void)jets;
  return false;
}

static void expect_error(const toi_context *context, const char *sentence) {
  if (strstr(toi_context_error(context), sentence) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", toi_context_error(context), sentence);
}

static void descriptions_that_make_no_sense_are_refused(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  static const char *const four[] = {"x", "y", "z", "t"};
  toi_formula *formula = NULL;
  assert_int_equal(toi_formula_create(context, four, 4, &formula), TOI_OK);
  toi_term x = toi_formula_variable(formula, 0);
  toi_shape *shape = NULL;
  const toi_interval unit = {0, 1}, whole = {-INFINITY, INFINITY};
  const toi_parametric fine = {.formula = formula, .at = {x, x, x}, .u = unit, .v = unit};
  toi_parametric parametric = fine;

  assert_int_equal(toi_shape_parametric(context, &parametric, &shape), TOI_ERROR_INPUT);
  expect_error(context, "the formula has 4 variables; a parametric shape needs 3 of them, u, v, t");
  parametric.formula = NULL;
  assert_int_equal(toi_shape_parametric(context, &parametric, &shape), TOI_ERROR_INPUT);
  expect_error(context, "formula is NULL");
  parametric = fine;
  parametric.u.hi = NAN;
  assert_int_equal(toi_shape_parametric(context, &parametric, &shape), TOI_ERROR_INPUT);
  expect_error(context, "u goes from 0 to nan");
  parametric = fine;
  parametric.v.lo = -INFINITY;
  assert_int_equal(toi_shape_parametric(context, &parametric, &shape), TOI_ERROR_INPUT);
  expect_error(context, "v goes from -inf to 1");
  parametric = fine;
  parametric.edges = 32;
  assert_int_equal(toi_shape_parametric(context, &parametric, &shape), TOI_ERROR_INPUT);
  expect_error(context, "edges is 32");
  assert_int_equal(toi_shape_parametric(context, NULL, &shape), TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_parametric(NULL, &fine, &shape), TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_parametric(context, &fine, NULL), TOI_ERROR_INPUT);

  toi_implicit implicit = {.formula = formula, .function = x, .bounds = {unit, unit, whole}, .solid = true};
  assert_int_equal(toi_shape_implicit(context, &implicit, &shape), TOI_ERROR_INPUT);
  expect_error(context, "bounds: z goes from -inf to inf");
  implicit.bounds[2] = unit;
  implicit.function = TOI_NO_TERM;
  assert_int_not_equal(toi_shape_implicit(context, &implicit, &shape), TOI_OK);
  implicit.function = x;

  assert_int_equal(toi_shape_own(context, enclose_never, NULL, NULL, &implicit, &shape), TOI_ERROR_INPUT);
  expect_error(context, "has no formula");
  implicit.formula = parametric.formula = NULL;
  assert_int_equal(toi_shape_own(context, enclose_never, NULL, &parametric, &implicit, &shape), TOI_ERROR_INPUT);
  expect_error(context, "described twice");
  assert_int_equal(toi_shape_own(context, enclose_never, NULL, &parametric, NULL, &shape), TOI_ERROR_INPUT);
  expect_error(context, "edges is 32");
  assert_int_equal(toi_shape_own(context, NULL, NULL, NULL, &implicit, &shape), TOI_ERROR_INPUT);
  expect_error(context, "is NULL");
  assert_int_equal(toi_shape_own(context, enclose_never, NULL, NULL, NULL, &shape), TOI_ERROR_INPUT);
  assert_null(shape);
  toi_formula_destroy(formula);
  toi_shape_destroy(NULL);
  toi_context_destroy(context);
}

static void points_outside_of_the_domain_are_refused(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_shape *shape = NULL;
  const toi_interval unit = {0, 1};
  double point[3] = {7, 7, 7};
  assert_int_equal(toi_shape_height_field(context, "log(u)", unit, unit, &shape), TOI_OK);
  assert_int_equal(toi_shape_point(shape, 1.5, 0, 0, point, NULL), TOI_ERROR_INPUT);
  expect_error(context, "u = 1.5, v = 0 is not in the shape's domain");
  assert_int_equal(toi_shape_point(shape, 1, NAN, 0, point, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_point(shape, 1, 0, INFINITY, point, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_point(shape, 0, 0, 0, point, NULL), TOI_ERROR_INPUT);
  expect_error(context, "height is not defined or not finite at u = 0");
  assert_int_equal(toi_shape_point(NULL, 0, 0, 0, point, NULL), TOI_ERROR_INPUT);
  assert_true(point[0] == 7 && point[2] == 7);
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

/* --- memory --- */

static toi_status make_all(toi_context *context) {
  toi_status status = TOI_OK;
  for (size_t n = 0; status == TOI_OK && n < TOI_SHAPE_KIND_COUNT; n++) {
    toi_shape *shape = NULL;
    status = toi_shape_library(context, shapes[n].kind, TOI_SHAPE_FORM_DEFAULT, shapes[n].size, &shape);
    toi_shape_destroy(shape);
  }
  toi_shape *turned = NULL, *field = NULL;
  if (status == TOI_OK)
    status = toi_shape_revolution(context, "1 + v^2", "v*t", (toi_interval){0, 1}, TOI_EDGES_V, false, &turned);
  if (status == TOI_OK)
    status = toi_shape_height_field(context, "u*v", (toi_interval){0, 1}, (toi_interval){0, 1}, &field);
  toi_shape_destroy(turned);
  toi_shape_destroy(field);
  return status;
}

static void every_refused_allocation_is_told_and_nothing_leaks(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  size_t blocks = allocator.blocks, before = allocator.calls;
  assert_int_equal(make_all(context), TOI_OK);
  size_t calls = allocator.calls - before;
  assert_int_equal(allocator.blocks, blocks);
  assert_true(calls > 20);
  for (size_t n = 1; n <= calls; n++) {
    allocator.refuse_at = allocator.calls + n;
    assert_int_equal(make_all(context), TOI_ERROR_MEMORY);
    assert_true(strlen(toi_context_error(context)) > 0);
    assert_int_equal(allocator.blocks, blocks);
  }
  allocator.refuse_at = 0;
  assert_int_equal(make_all(context), TOI_OK);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
  assert_int_equal(allocator.wrong_sizes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_sizes_and_forms_are_named),
      cmocka_unit_test(names_and_sizes_of_kinds),
      cmocka_unit_test(formulas_of_profiles_and_heights_are_refused_by_name),
      cmocka_unit_test(descriptions_that_make_no_sense_are_refused),
      cmocka_unit_test(points_outside_of_the_domain_are_refused),
      cmocka_unit_test(every_refused_allocation_is_told_and_nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
