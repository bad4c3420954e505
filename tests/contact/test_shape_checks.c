/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What is checked of a shape before a search: formulas that are not defined, edges that are no seams, solids that are
 * open or inside out, and functions of one's own that give up or give no intervals. Each sentence says the place. */

#include "support/support.h"

#include <math.h>
#include <string.h>

#include "contact/shape.h"
#include "number/trigonometry.h"

static const toi_interval unit = {0, 1};

/* By texts in u, v, t over the unit square. */
static toi_shape *drawn(toi_context *context, const char *const text[3], uint32_t edges, bool solid) {
  static const char *const variables[] = {"u", "v", "t"};
  toi_formula *formula = NULL;
  toi_shape *shape = NULL;
  assert_int_equal(toi_formula_create(context, variables, 3, &formula), TOI_OK);
  toi_parametric parametric = {.formula = formula, .u = unit, .v = unit, .edges = edges, .solid = solid};
  for (int k = 0; k < 3; k++)
    parametric.at[k] = toi_formula_parse(formula, text[k]);
  if (toi_shape_parametric(context, &parametric, &shape) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  toi_formula_destroy(formula);
  return shape;
}

static toi_status check(const toi_shape *shape, double t_max, toi_interval bounds[3], double *radius) {
  double centre[3];
  return toi_shape_check(shape, t_max, "bodies[1].shape", bounds, centre, radius);
}

/* Destroys the shape. sentence NULL: it is fine; else a part of what is wrong. */
static void expect(toi_context *context, toi_shape *shape, toi_status status, const char *sentence) {
  toi_interval bounds[3];
  double radius;
  toi_clear_error(context);
  toi_status found = check(shape, 1, bounds, &radius);
  const char *error = toi_context_error(context);
  if (found != status || (sentence ? strstr(error, sentence) == NULL : *error != '\0'))
    fail_msg("status %d, \"%s\" in place of %d, \"%s\"", (int)found, error, (int)status, sentence ? sentence : "");
  if (sentence)
    assert_ptr_equal(strstr(error, "bodies[1].shape: "), error);
  toi_shape_destroy(shape);
}

/* --- defined and finite --- */

static toi_shape *field(toi_context *context, const char *height) {
  toi_shape *shape = NULL;
  if (toi_shape_height_field(context, height, unit, unit, &shape) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return shape;
}

static void formulas_that_are_not_defined_are_placed(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  expect(context, field(context, "v + 1/(u - 0.25)"), TOI_ERROR_INPUT, "height, column 6: / divides by");
  assert_non_null(strstr(toi_context_error(context), "near u = 0.25, v = "));
  expect(context, field(context, "log(t - 2*u*v)"), TOI_ERROR_INPUT, "height, column 1: ");
  expect(context, field(context, "sqrt(u*v - 0.5)"), TOI_ERROR_INPUT, "height, column 1: ");
  expect(context, field(context, "exp(1000*u)"), TOI_ERROR_INPUT, "height, column 1: exp is not bounded near u = ");
  expect(context, field(context, "tan(4*u)"), TOI_ERROR_INPUT, "height, column 1: tan of an angle that may be ");
  expect(context, field(context, "atan2(u, v)"), TOI_ERROR_INPUT, "height, column 1: atan2 of a point that may be ");
  expect(context, field(context, "1/(u - 1.001)"), TOI_OK, NULL);
  expect(context, field(context, "sqrt(u) + abs(v - 0.5) + min(u, v)"), TOI_OK, NULL);
  // Only a halved box shows that this is never zero.
  expect(context, field(context, "1/(1 + u - 1.5*u + 0.5*u^2)"), TOI_OK, NULL);
  toi_context_destroy(context);
}

static toi_shape *implicit(toi_context *context, const char *text, double end) {
  static const char *const variables[] = {"x", "y", "z", "t"};
  toi_formula *formula = NULL;
  toi_shape *shape = NULL;
  assert_int_equal(toi_formula_create(context, variables, 4, &formula), TOI_OK);
  const toi_interval side = {-end, end};
  const toi_implicit described = {
      .formula = formula, .function = toi_formula_parse(formula, text), .bounds = {side, side, side}, .solid = true};
  if (toi_shape_implicit(context, &described, &shape) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  toi_formula_destroy(formula);
  return shape;
}

static void implicit_functions_are_defined_within_their_bounds(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  expect(context, implicit(context, "1/(x + 3) - z", 2), TOI_OK, NULL);
  expect(context, implicit(context, "1/(x + 1) - z", 2), TOI_ERROR_INPUT, "F, column 2: / divides by");
  assert_non_null(strstr(toi_context_error(context), "near x = -1, y = "));
  expect(context, implicit(context, "1/x - z", INFINITY), TOI_ERROR_INPUT, "give bounds within which it is defined");
  expect(context, implicit(context, "exp(x) + z*t", INFINITY), TOI_OK, NULL);
  toi_context_destroy(context);
}

static void a_sphere_that_grows_is_held_at_all_times(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_shape *shape = NULL;
  assert_int_equal(
      toi_shape_revolution(context, "(1 + t^2)*sin(pi*v)", "-(1 + t^2)*cos(pi*v) + 3*t", unit, 0, true, &shape),
      TOI_OK);
  assert_true(shape->deforming);
  toi_interval bounds[3];
  double radius;
  assert_int_equal(check(shape, 2, bounds, &radius), TOI_OK);
  const toi_interval expected[3] = {{-5, 5}, {-5, 5}, {-1, 11}};
  for (int k = 0; k < 3; k++) {
    assert_true(toi_interval_encloses(bounds[k], expected[k]));
    assert_true(bounds[k].lo > expected[k].lo - 1 && bounds[k].hi < expected[k].hi + 1);
  }
  assert_true(radius >= 6 && radius < 7);
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

/* --- seams, tips and sides --- */

static const char *const sphere[3] = {"sin(pi*u)*cos(2*pi*v)", "sin(pi*u)*sin(2*pi*v)", "cos(pi*u)"};
static const char *const sphere_swapped[3] = {"sin(pi*v)*cos(2*pi*u)", "sin(pi*v)*sin(2*pi*u)", "cos(pi*v)"};
static const char *const tube[3] = {"cos(2*pi*u)", "sin(2*pi*u)", "v"};
static const char *const cone[3] = {"v*cos(2*pi*u)", "v*sin(2*pi*u)", "v"};
static const char *const needle[3] = {"v^2*cos(2*pi*u)", "v^2*sin(2*pi*u)", "v"};
static const char *const bowl[3] = {"v*cos(2*pi*u)", "v*sin(2*pi*u)", "v^2"};
static const char *const drop[3] = {"u*(1 - u)*cos(2*pi*v)", "u*(1 - u)*sin(2*pi*v)", "-u"};
static const char *const leaf[3] = {"sin(pi*u)", "sin(2*pi*u)", "v"};
static const char *const fold[3] = {"sin(pi*u)", "u*(1 - u)", "v"};
static const char *const strip[3] = {"(2 + v*cos(pi*u) - 0.5*cos(pi*u))*cos(2*pi*u)",
                                     "(2 + v*cos(pi*u) - 0.5*cos(pi*u))*sin(2*pi*u)", "(v - 0.5)*sin(pi*u)"};
static const char *const opening[3] = {"cos(2*pi*u*(1 - t/4))", "sin(2*pi*u*(1 - t/4))", "v"};
static const char *const far_sphere[3] = {"1000 + sin(pi*u)*cos(2*pi*v)", "sin(pi*u)*sin(2*pi*v)", "cos(pi*u)"};

static void edges_that_are_no_seams_are_told(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const struct {
    const char *const *text;
    uint32_t edges;
    bool solid;
    const char *sentence;
  } cases[] = {
      {sphere, 0, true, NULL},
      {sphere, 0, false, NULL},
      {far_sphere, 0, true, NULL},
      {sphere_swapped, 0, true, "the solid is inside out; swap u and v"},
      {sphere_swapped, 0, false, NULL},
      {tube, TOI_EDGES_V, false, NULL},
      {tube, TOI_EDGES, false, NULL},
      {tube, 0, false, "the surface is open where v = 0, t = 0; name that edge as a real one"},
      {tube, TOI_EDGE_V_LO, false, "the surface is open where v = 1, t = 0"},
      {tube, TOI_EDGES_V, true, "the surface is open where v = 0, t = 0; a solid is closed"},
      {cone, TOI_EDGES_V, false, NULL},
      {cone, TOI_EDGE_V_HI, false, "the surface has a tip where v = 0"},
      {needle, TOI_EDGE_V_HI, false, "the surface has a tip where v = 0"},
      {bowl, TOI_EDGE_V_HI, false, NULL},
      {drop, 0, true, "the surface has a tip where u = 0"},
      {drop, TOI_EDGES_U, true, NULL},
      {leaf, TOI_EDGES_V, false, "the surface has a bend at the seam where u = 0"},
      {leaf, TOI_EDGES, false, NULL},
      {fold, TOI_EDGES_V, false, "the surface has a bend at the seam where u = 0"},
      {strip, TOI_EDGES_V, false, NULL},
      {opening, TOI_EDGES_V, false, "the surface is open where u = 0, t = 0.5"},
  };
  for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
    expect(context, drawn(context, cases[n].text, cases[n].edges, cases[n].solid),
           cases[n].sentence ? TOI_ERROR_INPUT : TOI_OK, cases[n].sentence);
  toi_context_destroy(context);
}

/* --- functions of one's own --- */

typedef enum fault { FINE, NOT_A_NUMBER, INVERTED, UNWRITTEN, GIVES_UP, UNBOUNDED, BEYOND } fault;

/* (u, v, u v + t), with something wrong in z_v, or in z itself where only values are asked for. */
typedef struct own {
  fault fault;
  unsigned from; /* the order from which on it is wrong */
} own;

static void write_jet(const toi_interval value, const toi_interval by[3], unsigned order, toi_interval *jet) {
  jet[0] = value;
  for (int i = 0; order >= 1 && i < 3; i++)
    jet[1 + i] = by[i];
  for (int i = 4; order >= 2 && i < TOI_JET3; i++)
    jet[i] = (toi_interval){0, 0};
}

static bool enclose_saddle(void *user, const toi_interval *box, unsigned order, toi_interval *jets) {
  const own *how = user;
  const toi_interval zero = {0, 0}, one = {1, 1}, u_by[3] = {one, zero, zero}, v_by[3] = {zero, one, zero},
                     z_by[3] = {box[1], box[0], one};
  const size_t each = (size_t)TOI_JET_SIZE(3, order);
  write_jet(box[0], u_by, order, jets);
  write_jet(box[1], v_by, order, jets + each);
  write_jet(toi_interval_add(toi_interval_mul(box[0], box[1]), box[2]), z_by, order, jets + 2 * each);
  toi_interval *target = &jets[2 * each + (order >= 1 ? 2 : 0)];
  if (order < how->from)
    return true;
  switch (how->fault) {
  case NOT_A_NUMBER:
    target->hi = NAN;
    break;
  case INVERTED:
    *target = (toi_interval){2, 1};
    break;
  case UNBOUNDED:
    *target = toi_interval_whole();
    break;
  case BEYOND:
    *target = (toi_interval){INFINITY, INFINITY};
    break;
  case UNWRITTEN:
    *target = (toi_interval){NAN, NAN};
    break;
  case GIVES_UP:
    return false;
  case FINE:
    break;
  }
  return true;
}

/* Writes nothing at all. */
static bool enclose_nothing(void *user, const toi_interval *box, unsigned order, toi_interval *jets) {
  (void)user;
  (void)box;
  (void)order;
  (void)jets;
  return true;
}

static toi_shape *make_own(toi_context *context, toi_enclose enclose, own *how) {
  const toi_parametric parametric = {.u = unit, .v = unit, .edges = TOI_EDGES};
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_own(context, enclose, how, &parametric, NULL, &shape), TOI_OK);
  return shape;
}

static void a_function_of_ones_own_is_a_shape(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  own how = {FINE, 0};
  toi_shape *shape = make_own(context, enclose_saddle, &how);
  toi_interval bounds[3];
  double radius, point[3], normal[3];
  assert_int_equal(check(shape, 1, bounds, &radius), TOI_OK);
  assert_true(bounds[0].lo == 0 && bounds[0].hi == 1);
  assert_true(bounds[2].lo <= 0 && bounds[2].lo > -0.1 && bounds[2].hi >= 2 && bounds[2].hi < 2.1);
  assert_int_equal(toi_shape_point(shape, 0.5, 0.5, 1, point, normal), TOI_OK);
  assert_true(point[2] == 1.25);
  assert_true(fabs(normal[0] + 0.5 / sqrt(1.5)) < 1e-15);
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

static void what_is_no_interval_is_caught(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const struct {
    fault fault;
    unsigned from;
    toi_status status;
    const char *sentence;
  } cases[] = {
      {NOT_A_NUMBER, 0, TOI_ERROR_CALLBACK,
       "its function gave [0, nan] for z where u in [0, 1], v in [0, 1], t in [0, 1]"},
      {INVERTED, 0, TOI_ERROR_CALLBACK, "[2, 1] for z where"},
      {INVERTED, 1, TOI_ERROR_CALLBACK, "[2, 1] for z_v where"},
      {BEYOND, 0, TOI_ERROR_CALLBACK, "[inf, inf] for z where"},
      {UNWRITTEN, 1, TOI_ERROR_CALLBACK, "[nan, nan] for z_v where"},
      {GIVES_UP, 0, TOI_ERROR_CALLBACK, "its function gave up where u in [0, 1]"},
      {GIVES_UP, 1, TOI_ERROR_CALLBACK, "its function gave up where"},
      {UNBOUNDED, 0, TOI_ERROR_INPUT, "z is not bounded near u = 0.0"},
      {UNBOUNDED, 2, TOI_OK, NULL},
  };
  for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
    own how = {cases[n].fault, cases[n].from};
    expect(context, make_own(context, enclose_saddle, &how), cases[n].status, cases[n].sentence);
  }
  own how = {FINE, 0};
  expect(context, make_own(context, enclose_nothing, &how), TOI_ERROR_CALLBACK, "[nan, nan] for x where");

  // The second derivatives are looked at as well.
  how = (own){INVERTED, 2};
  toi_shape *shape = make_own(context, enclose_saddle, &how);
  const toi_interval box[3] = {unit, unit, unit};
  toi_interval jets[3 * TOI_JET3];
  assert_true(toi_shape_jets(shape, box, 1, jets));
  assert_false(toi_shape_jets(shape, box, 2, jets));
  assert_int_equal(toi_shape_explain(shape, box, 2, "bodies[0].shape"), TOI_ERROR_CALLBACK);
  assert_non_null(strstr(toi_context_error(context), "bodies[0].shape: its function gave [2, 1] for z_v"));
  assert_int_equal(toi_shape_point(shape, 0, 0, 0, NULL, NULL), TOI_ERROR_CALLBACK);
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

/* z - 1 / (4 - x), finite within x in [-1, 1]; unbounded on boxes wider than 1 where told. */
static bool enclose_hill(void *user, const toi_interval *box, unsigned order, toi_interval *jet) {
  const bool *coarse = user;
  const toi_interval four = {4, 4}, zero = {0, 0};
  const toi_interval slope = toi_interval_div((toi_interval){1, 1}, toi_interval_sub(four, box[0]));
  for (int i = 0; i < TOI_JET_SIZE(4, order); i++)
    jet[i] = zero;
  jet[0] = toi_interval_sub(box[2], slope);
  if (*coarse && box[0].hi - box[0].lo > 0.5)
    jet[0] = toi_interval_whole();
  if (order >= 1) {
    jet[1] = toi_interval_neg(toi_interval_square(slope));
    jet[3] = (toi_interval){1, 1};
  }
  if (order >= 2)
    jet[5] = toi_interval_neg(toi_interval_scale(toi_interval_power(slope, 3), 1));
  return true;
}

static void implicit_functions_of_ones_own_are_halved_until_they_are_bounded(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  bool coarse = true;
  const toi_interval side = {-1, 1};
  const toi_implicit described = {.bounds = {side, side, side}, .solid = true};
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_own(context, enclose_hill, &coarse, NULL, &described, &shape), TOI_OK);
  toi_interval bounds[3];
  double radius;
  assert_int_equal(check(shape, 1, bounds, &radius), TOI_OK);
  assert_true(radius >= sqrt(3) && radius < 1.7321);
  assert_int_equal(toi_shape_point(shape, 0, 0, 0, NULL, NULL), TOI_ERROR_INPUT);
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas_that_are_not_defined_are_placed),
      cmocka_unit_test(implicit_functions_are_defined_within_their_bounds),
      cmocka_unit_test(a_sphere_that_grows_is_held_at_all_times),
      cmocka_unit_test(edges_that_are_no_seams_are_told),
      cmocka_unit_test(a_function_of_ones_own_is_a_shape),
      cmocka_unit_test(what_is_no_interval_is_caught),
      cmocka_unit_test(implicit_functions_of_ones_own_are_halved_until_they_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
