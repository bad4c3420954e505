/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The library of shapes against closed forms: points, normals, seams, poles, both forms of one shape, boxes and
 * balls. The oracle is the C library's arithmetic, believed to 1e-12 of the
 * size, and one form of a shape against the other. */

#include "support/support.h"

#include <math.h>
#include <string.h>

#include "contact/shape.h"

#define PI 3.14159265358979323846
#define ROUNDS 2000
#define CLOSE 1e-12

typedef struct known {
  toi_shape_kind kind;
  double size[5];
} known;

static const known shapes[] = {
    {TOI_SHAPE_PLANE, {3, 2}},
    {TOI_SHAPE_SPHERE, {1.5}},
    {TOI_SHAPE_ELLIPSOID, {2, 0.7, 1.1}},
    {TOI_SHAPE_CYLINDER, {0.75, 3}},
    {TOI_SHAPE_CONE, {1.25, 2}},
    {TOI_SHAPE_TORUS, {2, 0.5}},
    {TOI_SHAPE_SUPERQUADRIC, {1, 2, 0.5, 0.5, 0.5}},
    {TOI_SHAPE_BUMPY_SPHERE, {1, 0.08, 6, 8}},
    {TOI_SHAPE_SPHERE, {0x1p-40}},
    {TOI_SHAPE_ELLIPSOID, {1e-3, 1e3, 1}},
    {TOI_SHAPE_TORUS, {1e6, 1}},
    {TOI_SHAPE_BUMPY_SPHERE, {3, -0.4, 2.5, 4}},
};
#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static toi_shape *make(toi_context *context, const known *of, toi_shape_form form) {
  toi_shape *shape = NULL;
  if (toi_shape_library(context, of->kind, form, of->size, &shape) != TOI_OK)
    fail_msg("%s: %s", toi_shape_kind_name(of->kind), toi_context_error(context));
  return shape;
}

static bool has_form(toi_shape_kind kind, toi_shape_form form) {
  if (form == TOI_SHAPE_FORM_PARAMETRIC)
    return kind != TOI_SHAPE_SUPERQUADRIC;
  return kind != TOI_SHAPE_CYLINDER && kind != TOI_SHAPE_CONE && kind != TOI_SHAPE_BUMPY_SPHERE;
}

/* The largest length of it. */
static double scale_of(const known *of) {
  switch (of->kind) {
  case TOI_SHAPE_TORUS:
    return of->size[0] + of->size[1];
  case TOI_SHAPE_ELLIPSOID:
  case TOI_SHAPE_SUPERQUADRIC:
    return fmax(of->size[0], fmax(of->size[1], of->size[2]));
  case TOI_SHAPE_BUMPY_SPHERE:
    return of->size[0] * (1 + fabs(of->size[1]));
  case TOI_SHAPE_SPHERE:
    return of->size[0];
  default:
    return fmax(of->size[0], of->size[1]);
  }
}

/* The point by the closed form, and a vector that points out of the shape there. */
static void closed_form(const known *of, double u, double v, double point[3], double out[3]) {
  const double *s = of->size, theta = PI * u, phi = 2 * PI * v, turn = 2 * PI * u;
  const double around[3] = {cos(turn), sin(turn), 0};
  const double ball[3] = {sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
  const double half[3] = {s[0], of->kind == TOI_SHAPE_ELLIPSOID ? s[1] : s[0],
                          of->kind == TOI_SHAPE_ELLIPSOID ? s[2] : s[0]};
  const double bump = s[0] * (1 + s[1] * cos(s[2] * theta) * sin(theta) * sin(theta) * cos(s[3] * PI * v));
  for (int k = 0; k < 3; k++)
    switch (of->kind) {
    case TOI_SHAPE_PLANE:
      point[k] = k == 0 ? s[0] * (u - 0.5) : k == 1 ? s[1] * (v - 0.5) : 0;
      out[k] = k == 2;
      break;
    case TOI_SHAPE_SPHERE:
    case TOI_SHAPE_ELLIPSOID:
      point[k] = half[k] * ball[k];
      out[k] = ball[k] / half[k];
      break;
    case TOI_SHAPE_CYLINDER:
      point[k] = k == 2 ? s[1] * (v - 0.5) : s[0] * around[k];
      out[k] = around[k];
      break;
    case TOI_SHAPE_CONE:
      point[k] = k == 2 ? s[1] * v : s[0] * (1 - v) * around[k];
      out[k] = k == 2 ? s[0] : s[1] * around[k];
      break;
    case TOI_SHAPE_TORUS:
      point[k] = k == 2 ? s[1] * sin(phi) : (s[0] + s[1] * cos(phi)) * around[k];
      out[k] = k == 2 ? sin(phi) : cos(phi) * around[k];
      break;
    default:
      point[k] = bump * ball[k];
      out[k] = ball[k];
    }
}

/* Also the ends of the domain, with some chance. */
static double random_parameter(uint64_t *seed) {
  double x = test_random_unit(seed);
  return x < 0.02 ? 0 : x > 0.98 ? 1 : x;
}

static void every_parametric_point_and_normal_is_that_of_the_closed_form(void **state) {
  (void)state;
  uint64_t seed = test_seed(11);
  toi_context *context = test_context(1);
  for (size_t n = 0; n < SHAPES; n++) {
    const known *of = &shapes[n];
    if (!has_form(of->kind, TOI_SHAPE_FORM_PARAMETRIC))
      continue;
    toi_shape *shape = make(context, of, TOI_SHAPE_FORM_PARAMETRIC);
    double scale = scale_of(of);
    for (uint64_t i = test_count(ROUNDS); i > 0; i--) {
      double u = random_parameter(&seed), v = random_parameter(&seed), point[3], normal[3], expected[3], out[3];
      assert_int_equal(toi_shape_point(shape, u, v, 0.25, point, normal), TOI_OK);
      closed_form(of, u, v, expected, out);
      double length = 0, along = 0, reach = 0;
      for (int k = 0; k < 3; k++) {
        assert_true(fabs(point[k] - expected[k]) <= CLOSE * scale);
        length += normal[k] * normal[k];
        along += normal[k] * out[k];
        reach += out[k] * out[k];
      }
      // At its apex a cone has no normal.
      bool apex = of->kind == TOI_SHAPE_CONE && v == 1;
      assert_true(apex ? length == 0 : fabs(length - 1) < CLOSE);
      bool exact = of->kind != TOI_SHAPE_BUMPY_SPHERE;
      if (!apex && !(exact ? fabs(along / sqrt(reach) - 1) < 1e-9 : along > 0))
        fail_msg("%s %zu: normal at u = %a, v = %a", toi_shape_kind_name(of->kind), n, u, v);
    }
    toi_shape_destroy(shape);
  }
  toi_context_destroy(context);
}

/* Value and F over a box: [0] value, then the gradient. */
static void implicit_at(const toi_shape *shape, const toi_interval point[3], toi_interval jet[TOI_JET4]) {
  const toi_interval box[4] = {point[0], point[1], point[2], {0, 1}};
  assert_true(toi_shape_jets(shape, box, 2, jet));
}

static void both_forms_of_a_shape_are_the_same_surface(void **state) {
  (void)state;
  uint64_t seed = test_seed(12);
  toi_context *context = test_context(1);
  for (size_t n = 0; n < SHAPES; n++) {
    const known *of = &shapes[n];
    if (!has_form(of->kind, TOI_SHAPE_FORM_PARAMETRIC) || !has_form(of->kind, TOI_SHAPE_FORM_IMPLICIT))
      continue;
    toi_shape *drawn = make(context, of, TOI_SHAPE_FORM_PARAMETRIC),
              *implicit = make(context, of, TOI_SHAPE_FORM_IMPLICIT);
    assert_false(drawn->implicit);
    assert_true(implicit->implicit && implicit->solid);
    assert_false(drawn->deforming || implicit->deforming);
    for (uint64_t i = test_count(ROUNDS); i > 0; i--) {
      double u = random_parameter(&seed), v = random_parameter(&seed), point[3], normal[3], along = 0, length = 0;
      const toi_interval at[3] = {{u, u}, {v, v}, {0, 1}};
      toi_interval value[3], jet[TOI_JET4];
      assert_true(toi_shape_jets(drawn, at, 0, value));
      implicit_at(implicit, value, jet);
      assert_true(toi_interval_contains(jet[0], 0));
      double gradient = 0;
      for (int k = 0; k < 3; k++) {
        assert_true(toi_interval_encloses(implicit->bounds[k], value[k]));
        gradient = fmax(gradient, toi_interval_magnitude(jet[1 + k]));
      }
      assert_true(jet[0].hi - jet[0].lo <= CLOSE * gradient * scale_of(of));
      // The gradient points where the normal does.
      assert_int_equal(toi_shape_point(drawn, u, v, 0, point, normal), TOI_OK);
      for (int k = 0; k < 3; k++) {
        double g = toi_interval_midpoint(jet[1 + k]);
        along += g * normal[k];
        length += g * g;
      }
      assert_true(fabs(along / sqrt(length) - 1) < 1e-9);
    }
    toi_shape_destroy(drawn);
    toi_shape_destroy(implicit);
  }
  toi_context_destroy(context);
}

static void seams_close_and_poles_are_points(void **state) {
  (void)state;
  uint64_t seed = test_seed(13);
  toi_context *context = test_context(1);
  for (size_t n = 0; n < SHAPES; n++) {
    if (!has_form(shapes[n].kind, TOI_SHAPE_FORM_PARAMETRIC))
      continue;
    toi_shape *shape = make(context, &shapes[n], TOI_SHAPE_FORM_PARAMETRIC);
    bool poles = shape->solid && shapes[n].kind != TOI_SHAPE_TORUS;
    for (int axis = 0; axis < 2; axis++)
      for (int i = 0; i < 200; i++) {
        if ((shape->edges >> (2 * axis)) & 3) {
          assert_int_equal((shape->edges >> (2 * axis)) & 3, 3);
          continue;
        }
        double w = random_parameter(&seed);
        toi_interval at[3] = {{w, w}, {w, w}, {0, 0}}, lo[3], hi[3], other[3], common;
        at[axis] = (toi_interval){0, 0};
        assert_true(toi_shape_jets(shape, at, 0, lo));
        at[1 - axis] = (toi_interval){0.3, 0.3};
        assert_true(toi_shape_jets(shape, at, 0, other));
        at[1 - axis] = (toi_interval){w, w};
        at[axis] = (toi_interval){1, 1};
        assert_true(toi_shape_jets(shape, at, 0, hi));
        // Both edges are the same curve, or one edge is the same point all along.
        for (int k = 0; k < 3; k++)
          assert_true(toi_interval_intersect(lo[k], poles && axis == 0 ? other[k] : hi[k], &common));
      }
    assert_int_equal(shape->solid, shape->edges == 0);
    toi_shape_destroy(shape);
  }
  toi_context_destroy(context);
}

static void poles_of_a_sphere_have_their_normals(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const size_t round[] = {1, 2, 7};
  for (size_t n = 0; n < 3; n++) {
    toi_shape *shape = make(context, &shapes[round[n]], TOI_SHAPE_FORM_PARAMETRIC);
    for (int end = 0; end < 2; end++) {
      double normal[3];
      assert_int_equal(toi_shape_point(shape, end, 0.375, 0, NULL, normal), TOI_OK);
      assert_true(fabs(normal[0]) < CLOSE && fabs(normal[1]) < CLOSE);
      assert_true(fabs(normal[2] - (end == 0 ? 1 : -1)) < CLOSE);
    }
    toi_shape_destroy(shape);
  }
  toi_context_destroy(context);
}

/* --- boxes and balls --- */

static void boxes_and_balls_hold_the_shapes_and_are_tight(void **state) {
  (void)state;
  uint64_t seed = test_seed(14);
  toi_context *context = test_context(1);
  for (size_t n = 0; n < SHAPES; n++) {
    const known *of = &shapes[n];
    if (!has_form(of->kind, TOI_SHAPE_FORM_PARAMETRIC))
      continue;
    toi_shape *shape = make(context, of, TOI_SHAPE_FORM_PARAMETRIC);
    toi_interval bounds[3], met[3];
    double centre[3], radius, farthest = 0, scale = scale_of(of), size = 0;
    if (toi_shape_check(shape, 1, "shape", bounds, centre, &radius) != TOI_OK)
      fail_msg("%s", toi_context_error(context));
    for (uint64_t i = 0; i < test_count(5 * ROUNDS) + 100; i++) {
      double u = random_parameter(&seed), v = random_parameter(&seed), point[3], square = 0;
      assert_int_equal(toi_shape_point(shape, u, v, 0, point, NULL), TOI_OK);
      for (int k = 0; k < 3; k++) {
        assert_true(point[k] >= bounds[k].lo - 1e-15 * scale && point[k] <= bounds[k].hi + 1e-15 * scale);
        met[k] =
            i == 0 ? (toi_interval){point[k], point[k]} : toi_interval_hull(met[k], (toi_interval){point[k], point[k]});
        square += (point[k] - centre[k]) * (point[k] - centre[k]);
      }
      farthest = fmax(farthest, sqrt(square));
      assert_true(sqrt(square) <= radius * (1 + 1e-15));
    }
    for (int k = 0; k < 3; k++)
      size = fmax(size, met[k].hi - met[k].lo);
    for (int k = 0; k < 3; k++)
      assert_true(bounds[k].lo >= met[k].lo - 0.05 * size && bounds[k].hi <= met[k].hi + 0.05 * size);
    assert_true(radius <= 1.07 * farthest);
    assert_true(shape->reach == INFINITY || radius == shape->reach);

    // The same without what is known of it.
    shape->reach = INFINITY;
    shape->known = false;
    double searched;
    assert_int_equal(toi_shape_check(shape, 1, "shape", bounds, centre, &searched), TOI_OK);
    assert_true(searched >= farthest * (1 - 1e-15) && searched <= 1.07 * farthest);
    toi_shape_destroy(shape);
  }
  toi_context_destroy(context);
}

static void implicit_shapes_reach_no_farther_than_they_do(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const struct {
    known of;
    double radius;
  } cases[] = {{{TOI_SHAPE_SPHERE, {1.5}}, 1.5},
               {{TOI_SHAPE_ELLIPSOID, {2, 0.7, 1.1}}, 2},
               {{TOI_SHAPE_TORUS, {2, 0.5}}, 2.5},
               {{TOI_SHAPE_PLANE, {0}}, INFINITY},
               {{TOI_SHAPE_SUPERQUADRIC, {1, 1, 1, 0.5, 0.5}}, sqrt(3) * (1 + 0x1p-6)}};
  for (size_t n = 0; n < 5; n++) {
    toi_shape *shape = make(context, &cases[n].of, TOI_SHAPE_FORM_IMPLICIT);
    toi_interval bounds[3];
    double centre[3], radius;
    assert_int_equal(toi_shape_check(shape, 1, "shape", bounds, centre, &radius), TOI_OK);
    assert_true(radius == cases[n].radius || fabs(radius - cases[n].radius) < CLOSE);
    for (int k = 0; k < 3; k++) {
      assert_true(centre[k] == 0);
      assert_true(isinf(cases[n].radius) ? isinf(bounds[k].hi) : bounds[k].hi < 1.02 * cases[n].radius);
    }
    toi_shape_destroy(shape);
  }
  toi_context_destroy(context);
}

/* --- superquadrics --- */

static double signed_power(double x, double power) {
  return x < 0 ? -pow(-x, power) : pow(x, power);
}

static void superquadrics_hold_their_points_and_nothing_else(void **state) {
  (void)state;
  uint64_t seed = test_seed(15);
  toi_context *context = test_context(1);
  const double exponents[][2] = {{1, 1}, {0.5, 0.5}, {0.25, 1}, {2.0 / 3, 0.3}, {1.5, 0.5}, {2, 2}, {1, 2}, {0.1, 0.1}};
  for (size_t n = 0; n < sizeof(exponents) / sizeof(exponents[0]); n++) {
    double e1 = exponents[n][0], e2 = exponents[n][1];
    const known of = {TOI_SHAPE_SUPERQUADRIC, {1.5, 0.8, 1.2, e1, e2}};
    toi_shape *shape = make(context, &of, TOI_SHAPE_FORM_DEFAULT);
    assert_true(shape->implicit && shape->solid && !shape->deforming);
    for (uint64_t i = test_count(ROUNDS / 4); i > 0; i--) {
      double a = PI * (test_random_unit(&seed) - 0.5), b = 2 * PI * (test_random_unit(&seed) - 0.5);
      const double point[3] = {1.5 * signed_power(cos(a), e1) * signed_power(cos(b), e2),
                               0.8 * signed_power(cos(a), e1) * signed_power(sin(b), e2),
                               1.2 * signed_power(sin(a), e1)};
      for (int side = -1; side <= 1; side++) {
        toi_interval at[3], jet[TOI_JET4];
        for (int k = 0; k < 3; k++) {
          double x = point[k] * (1 + 1e-6 * side);
          at[k] = toi_interval_around(x, side == 0 ? 1e-12 : 0);
          assert_true(toi_interval_encloses(shape->bounds[k], at[k]));
        }
        implicit_at(shape, at, jet);
        if (toi_interval_sign(jet[0]) != side)
          fail_msg("e1 = %g, e2 = %g: (%a, %a, %a)", e1, e2, point[0], point[1], point[2]);
      }
    }
    toi_shape_destroy(shape);
  }
  toi_context_destroy(context);
}

static void even_powers_are_smooth_across_the_planes_of_symmetry(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const known of = {TOI_SHAPE_SUPERQUADRIC, {1, 1, 1, 0.5, 0.5}};
  toi_shape *shape = make(context, &of, TOI_SHAPE_FORM_IMPLICIT);
  const toi_interval across[3] = {{-0.1, 0.1}, {-0.1, 0.1}, {-0.1, 0.1}};
  toi_interval jet[TOI_JET4];
  implicit_at(shape, across, jet);
  for (int i = 0; i < TOI_JET4; i++)
    assert_true(toi_interval_magnitude(jet[i]) < 10);
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

static void a_plane_that_is_all_of_it_needs_no_sizes(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_library(context, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, NULL, &shape), TOI_OK);
  assert_true(shape->implicit && shape->solid);
  const toi_interval below[3] = {{-1e300, INFINITY}, {0, 1}, {-2, -1}};
  toi_interval jet[TOI_JET4];
  implicit_at(shape, below, jet);
  assert_true(jet[0].lo == -2 && jet[0].hi == -1 && jet[3].lo == 1 && jet[3].hi == 1);
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

/* --- revolution and height field --- */

static void a_half_circle_turned_about_z_is_a_sphere(void **state) {
  (void)state;
  uint64_t seed = test_seed(16);
  toi_context *context = test_context(1);
  toi_shape *shape = NULL;
  // Upwards, with its right hand to the outside.
  assert_int_equal(toi_shape_revolution(context, "2*sin(pi*v)", "-2*cos(pi*v)", (toi_interval){0, 1}, 0, true, &shape),
                   TOI_OK);
  toi_interval bounds[3];
  double centre[3], radius;
  assert_int_equal(toi_shape_check(shape, 1, "shape", bounds, centre, &radius), TOI_OK);
  assert_true(radius >= 2 && radius < 2.1);
  for (int i = 0; i < 500; i++) {
    double point[3], normal[3];
    assert_int_equal(toi_shape_point(shape, random_parameter(&seed), random_parameter(&seed), 0, point, normal),
                     TOI_OK);
    for (int k = 0; k < 3; k++)
      assert_true(fabs(normal[k] - point[k] / 2) < 1e-9);
  }
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

static void a_height_field_that_rises_with_time_is_held(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_height_field(context, "u*v + t", (toi_interval){-1, 1}, (toi_interval){0, 2}, &shape),
                   TOI_OK);
  assert_true(shape->deforming && !shape->solid && shape->edges == TOI_EDGES);
  toi_interval bounds[3];
  double centre[3], radius, point[3], normal[3];
  assert_int_equal(toi_shape_check(shape, 3, "shape", bounds, centre, &radius), TOI_OK);
  const toi_interval expected[3] = {{-1, 1}, {0, 2}, {-2, 5}};
  for (int k = 0; k < 3; k++) {
    assert_true(toi_interval_encloses(bounds[k], expected[k]));
    assert_true(bounds[k].lo > expected[k].lo - 0.2 && bounds[k].hi < expected[k].hi + 0.2);
  }
  assert_int_equal(toi_shape_point(shape, 0.5, 2, 3, point, normal), TOI_OK);
  assert_true(point[0] == 0.5 && point[1] == 2 && point[2] == 4);
  assert_true(fabs(normal[0] + 2 / sqrt(5.25)) < CLOSE && normal[2] > 0);
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

/* Proofs may go a little beyond a seam only where the formula is known to give the surface again: not across a pole,
 * unless it is that of a sphere or an ellipsoid. */
static void formulas_are_not_trusted_beyond_poles(void **state) {
  (void)state;
  static const struct {
    known of;
    uint32_t stops;
  } expected[] = {{{TOI_SHAPE_SPHERE, {1}}, 0},
                  {{TOI_SHAPE_ELLIPSOID, {1, 2, 3}}, 0},
                  {{TOI_SHAPE_TORUS, {2, 0.5}}, 0},
                  {{TOI_SHAPE_CONE, {1, 2}}, TOI_EDGE_V_HI},
                  {{TOI_SHAPE_BUMPY_SPHERE, {1, 0.08, 6, 8}}, TOI_EDGES_U}};
  toi_context *context = test_context(1);
  toi_shape *shape;
  for (size_t n = 0; n < sizeof expected / sizeof *expected; n++) {
    shape = make(context, &expected[n].of, TOI_SHAPE_FORM_PARAMETRIC);
    assert_int_equal(shape->stops, expected[n].stops);
    toi_shape_destroy(shape);
  }
  // A bowl: smooth at its lowest point, and another surface beyond it.
  assert_int_equal(toi_shape_revolution(context, "v", "v^2 + v^3", (toi_interval){0, 1}, TOI_EDGE_V_HI, false, &shape),
                   TOI_OK);
  assert_int_equal(shape->stops, TOI_EDGE_V_LO);
  toi_shape_destroy(shape);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_parametric_point_and_normal_is_that_of_the_closed_form),
      cmocka_unit_test(both_forms_of_a_shape_are_the_same_surface),
      cmocka_unit_test(seams_close_and_poles_are_points),
      cmocka_unit_test(poles_of_a_sphere_have_their_normals),
      cmocka_unit_test(boxes_and_balls_hold_the_shapes_and_are_tight),
      cmocka_unit_test(implicit_shapes_reach_no_farther_than_they_do),
      cmocka_unit_test(superquadrics_hold_their_points_and_nothing_else),
      cmocka_unit_test(even_powers_are_smooth_across_the_planes_of_symmetry),
      cmocka_unit_test(a_half_circle_turned_about_z_is_a_sphere),
      cmocka_unit_test(a_height_field_that_rises_with_time_is_held),
      cmocka_unit_test(a_plane_that_is_all_of_it_needs_no_sizes),
      cmocka_unit_test(formulas_are_not_trusted_beyond_poles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
