/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Frames that are taken out of formulas: shapes that are turned have a straight one, which is the same shape; others
 * have none; bounds of implicit shapes hold all of them, and those that were given still count. */

#include "contact/framed.h"
#include "contact/program.h"
#include "contact/shape.h"
#include "motion/motion.h"
#include "solve/vector.h"

static uint64_t seed;

static double between(double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(&seed);
}

static void frame_of(const toi_shape *shape, toi_interval frame[3][3]) {
  toi_motion_jet jet;
  toi_motion_jet_at(shape->frame, (toi_interval){0, 0}, 0, &jet);
  memcpy(frame, jet.rotation[0], sizeof jet.rotation[0]);
}

static void expect_same(const char *name, toi_interval a, toi_interval b, double size) {
  toi_interval common;
  if (!toi_interval_intersect(a, b, &common))
    fail_msg("%s: [%.17g, %.17g] and [%.17g, %.17g]", name, a.lo, a.hi, b.lo, b.hi);
  assert_true(toi_interval_width(a) <= 1e-12 * size && toi_interval_width(b) <= 1e-12 * size);
}

/* Points and derivatives of both, at a random place, each thin: they enclose the same numbers. */
static void compare_parametric(const char *name, const toi_shape *shape) {
  toi_interval frame[3][3], jets[2][3 * TOI_JET3];
  const toi_interval at[3] = {toi_interval_point(test_random_unit(&seed)), toi_interval_point(test_random_unit(&seed)),
                              toi_interval_point(test_random_unit(&seed))};
  frame_of(shape, frame);
  assert_true(toi_shape_jets(shape, at, 2, jets[0]) && toi_shape_jets(shape->straight, at, 2, jets[1]));
  for (int i = 0; i < TOI_JET3; i++) {
    toi_interval own[3], turned[3];
    for (int k = 0; k < 3; k++)
      own[k] = jets[1][k * TOI_JET3 + i];
    toi_times3((const toi_interval(*)[3])frame, own, turned);
    for (int k = 0; k < 3; k++)
      expect_same(name, jets[0][k * TOI_JET3 + i], turned[k], 1000);
  }
}

static void compare_implicit(const char *name, const toi_shape *shape) {
  toi_interval frame[3][3], at[4], own[4], jets[2][TOI_JET4], slope[3];
  for (int k = 0; k < 4; k++)
    at[k] = own[k] = toi_interval_point(between(-1, 1));
  frame_of(shape, frame);
  toi_transposed3((const toi_interval(*)[3])frame, at, own);
  assert_true(toi_shape_jets(shape, at, 1, jets[0]) && toi_shape_jets(shape->straight, own, 1, jets[1]));
  toi_times3((const toi_interval(*)[3])frame, jets[1] + 1, slope);
  expect_same(name, jets[0][0], jets[1][0], 1000);
  expect_same(name, jets[0][4], jets[1][4], 1000);
  for (int k = 0; k < 3; k++)
    expect_same(name, jets[0][1 + k], slope[k], 1000);
}

/* Every scene, in random frames: their bodies have straight shapes if and only if they are turned. */
static void turned_shapes_have_straight_ones(void **state) {
  (void)state;
  for (size_t i = 0; i < 2 * FRAMED_SCENES; i++)
    for (uint64_t round = 0; round < test_count_from(6, 2); round++) {
      const framed *what = &framed_scenes[i / 2];
      const framed_body *body = &what->bodies[i % 2];
      view from = {.built_in = round > 0, .place = random_placement(&seed)};
      stage s = {.context = context};
      enter_framed(&s, body, &from);
      const toi_shape *shape = s.shapes[0];
      // This one was turned by whoever wrote it.
      const bool tilted = strcmp(what->name, "tilted rim on a plane") == 0 && i % 2 == 0;
      if ((shape->straight != NULL) != (from.built_in || tilted))
        fail_msg("%s, body %zu", what->name, i % 2);
      for (int k = 0; k < 8 && shape->straight != NULL; k++)
        (body->f != NULL ? compare_implicit : compare_parametric)(what->name, shape);
      clear(&s);
    }
}

/* All kinds of terms, time and constants among them. */
static void whatever_is_in_a_formula_is_turned(void **state) {
  (void)state;
  static const char *const own[][3] = {
      {"sin(u + t)*v", "exp(u)/(2 + v)", "sqrt(1 + u^2) + t"},
      {"u", "v", "abs(u - 0.5) + min(u, v)"},
      {"(u - 0.25)/3", "-v + 2 - t", "atan2(u + 1, v + 1)^3"},
      {"3", "u*v", "u"},
  };
  static const char *const functions[] = {"(x - 2*t)^2 + 3*y^4 - exp(z/4) + t", "abs(x) + max(y, z) - 1",
                                          "sqrt(4 + x*y) - z/3 - 0.1", "x + 2*t - 1"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    for (uint64_t round = 0; round < test_count_from(6, 2); round++) {
      const framed_body bodies[2] = {{.x = own[i][0], .y = own[i][1], .z = own[i][2], .edges = TOI_EDGES},
                                     {.f = functions[i], .reach = 2}};
      view from = {.built_in = true, .place = random_placement(&seed)};
      stage s = {.context = context};
      for (int k = 0; k < 2; k++)
        enter_framed(&s, &bodies[k], &from);
      assert_non_null(s.shapes[0]->straight);
      assert_non_null(s.shapes[1]->straight);
      for (int k = 0; k < 8; k++) {
        compare_parametric(own[i][0], s.shapes[0]);
        compare_implicit(functions[i], s.shapes[1]);
      }
      clear(&s);
    }
}

/* Random quadrics within random bounds: what is cut off the bounds has none of the surface. */
static void bounds_hold_all_of_a_surface(void **state) {
  (void)state;
  uint64_t cut = 0, met = 0;
  for (uint64_t round = 0; round < test_count_from(60, 10); round++) {
    char text[256];
    double bounds_size[3] = {between(0.5, 4), between(0.5, 4), between(0.5, 4)};
    snprintf(text, sizeof text, "(x - %.6f)^2 + %.6f*(y - %.6f)^2 + %.6f*z^2 + %.6f*x*z - %.6f - 0.3*t", between(-1, 1),
             between(0.2, 3), between(-1, 1), between(0.2, 3), between(-1, 1), between(0.1, 2));
    stage s = {.context = context};
    toi_formula *f = NULL;
    toi_shape *shape = NULL;
    well(&s, toi_formula_create(context, (const char *const[]){"x", "y", "z", "t"}, 4, &f));
    toi_implicit about = {.formula = f, .function = toi_formula_parse(f, text)};
    for (int k = 0; k < 3; k++)
      about.bounds[k] = (toi_interval){-bounds_size[k], bounds_size[k]};
    well(&s, toi_formula_status(f));
    well(&s, toi_shape_implicit(context, &about, &shape));
    toi_interval bounds[3];
    double centre[3], radius, normal[3], values[2];
    well(&s, toi_shape_check(shape, 1, "shape", bounds, centre, &radius));
    for (int k = 0; k < 3; k++)
      cut += toi_interval_width(bounds[k]) < 1.9 * bounds_size[k];
    // Where the function changes its sign along a short segment there is a point of the surface.
    for (int n = 0; n < 4000; n++) {
      double ends[2][3], t = between(0, 1);
      for (int k = 0; k < 3; k++) {
        ends[0][k] = between(-bounds_size[k], bounds_size[k]);
        ends[1][k] = fmax(-bounds_size[k], fmin(bounds_size[k], ends[0][k] + between(-0.02, 0.02)));
      }
      for (int e = 0; e < 2; e++)
        well(&s, toi_shape_value(shape, ends[e], t, &values[e], normal));
      if (!(values[0] * values[1] < 0))
        continue;
      met++;
      for (int k = 0; k < 3; k++)
        assert_true(fmax(ends[0][k], ends[1][k]) >= bounds[k].lo && fmin(ends[0][k], ends[1][k]) <= bounds[k].hi);
    }
    toi_shape_destroy(shape);
    toi_formula_destroy(f);
  }
  assert_true(cut > 0 && met > 0);
}

/* The plane x + y + z = 0 within the cube of half width 1, which is larger in the plane's own axes. A ball of radius
 * 1/64 comes down on it along (1, 1, 1), at s (-1, -1, 2) / sqrt 6: on the plane for all s, and within the cube up to
 * s = 1.22, while a box around it in the plane's axes goes up to 1.63. It touches at t = 1/2, from a height of 1/4
 * above that. */
static void come_down(stage *s, double at, bool implicit) {
  const double n = 1 / sqrt(3), r = 1.0 / 64, e = at / sqrt(6), above = n * (0.25 + r);
  toi_motion *m =
      enter_library(s, TOI_SHAPE_SPHERE, implicit ? TOI_SHAPE_FORM_IMPLICIT : TOI_SHAPE_FORM_PARAMETRIC, &r);
  const double from[3] = {above - e, above - e, above + 2 * e};
  well(s, toi_motion_move(m, from, (double[]){-0.5 * n, -0.5 * n, -0.5 * n}));
}

static void lay_plane(stage *s) {
  toi_formula *f = NULL;
  toi_shape *shape = NULL;
  well(s, toi_formula_create(context, (const char *const[]){"x", "y", "z", "t"}, 4, &f));
  toi_implicit about = {.formula = f, .function = toi_formula_parse(f, "x + y + z"), .solid = true};
  for (int k = 0; k < 3; k++)
    about.bounds[k] = (toi_interval){-1, 1};
  well(s, toi_shape_implicit(context, &about, &shape));
  toi_formula_destroy(f);
  assert_non_null(shape->straight);
  enter(s, shape);
}

static void bounds_that_were_given_count(void **state) {
  (void)state;
  for (int way = 0; way < 16; way++) {
    const bool implicit = way & 1, first = way & 2, beside = way & 4;
    const double at = (way & 8 ? -1 : 1) * (beside ? 1.4 : 1.15);
    stage s = {.context = context};
    toi_contact_options options = toi_default_contact_options();
    if (first)
      lay_plane(&s);
    come_down(&s, at, implicit);
    if (!first)
      lay_plane(&s);
    ask(&s, &options, &got);
    if (got.answer.verdict != (beside ? TOI_MISS : TOI_HIT))
      fail_msg("way %d: %s", way, toi_verdict_name(got.answer.verdict));
    assert_true(beside || fabs(got.answer.t_hi - 0.5) < 1e-6);
    clear(&s);
  }
}

/* --- patches --- */

#define MODEL_POINTS 2048

/* A model whose control points are turned, and mean what they are then. */
typedef struct turned_model {
  toi_model made, model;
  toi_patch patches[64];
  double points[MODEL_POINTS][3];
} turned_model;

static turned_model turned;

static void turn_model(const placement *place, turned_model *t) {
  size_t next = 0;
  t->model = t->made;
  t->model.patches = t->patches;
  for (size_t i = 0; i < t->made.patch_count; i++) {
    toi_patch *patch = &t->patches[i];
    *patch = *toi_model_patch(&t->made, i);
    patch->size = sizeof *patch;
    const size_t count = toi_patch_points(patch->shape, patch->degree);
    assert_true(next + 2 * count <= MODEL_POINTS);
    for (size_t k = 0; k < count; k++) {
      if (patch->velocities != NULL)
        turn(place->axis, place->angle, patch->velocities[k], t->points[next + count + k]);
      turn(place->axis, place->angle, patch->points[k], t->points[next + k]);
    }
    patch->points = (const double(*)[3])(t->points + next);
    if (patch->velocities != NULL)
      patch->velocities = (const double(*)[3])(t->points + next + count);
    next += 2 * count;
  }
}

static void make_model(const stage *s, int kind, toi_model *model) {
  static double points[16][3], velocities[16][3], weights[16];
  static toi_patch patch;
  if (kind < 3) {
    well(s, kind == 0   ? toi_model_torus(context, 2, 0.5, model)
            : kind == 1 ? toi_model_cylinder(context, 1, 2, model)
                        : toi_model_sphere(context, 1, model));
    return;
  }
  // A gutter that waves up and down, moving; and rational.
  const double heights[4] = {between(-0.5, 0.5), between(-0.5, 0.5), between(-0.5, 0.5), between(-0.5, 0.5)};
  for (int i = 0; i < 16; i++) {
    const int row = i / 4, column = i % 4;
    memcpy(points[i], (double[]){row - 1.5, column - 1.5, heights[row]}, sizeof points[i]);
    memcpy(velocities[i], (double[]){0.5, 0, between(-0.5, 0.5)}, sizeof velocities[i]);
    weights[i] = between(0.5, 2);
  }
  patch = (toi_patch){.size = sizeof patch, .degree = {3, 3}, .points = (const double(*)[3])points};
  patch.velocities = kind == 3 ? (const double(*)[3])velocities : NULL;
  patch.weights = kind == 4 ? weights : NULL;
  *model = (toi_model){.patches = &patch, .patch_count = 1};
}

/* Their points and derivatives, each thin, enclose the same numbers; as they are, they have no other axes. */
static void turned_patches_have_straight_ones(void **state) {
  (void)state;
  for (int n = 0; n < 10; n++) {
    stage s = {.context = context};
    toi_shape *shape = NULL;
    placement place = random_placement(&seed);
    place.angle = n < 5 ? 0 : place.angle;
    make_model(&s, n % 5, &turned.made);
    turn_model(&place, &turned);
    well(&s, toi_shape_patches(context, &turned.model, &shape));
    assert_int_equal(shape->straight != NULL, n >= 5);
    for (size_t i = 0; i < shape->piece_count && n >= 5; i++) {
      toi_shape piece = shape->pieces[i];
      piece.frame = shape->frame;
      assert_non_null(piece.straight);
      for (int k = 0; k < 16; k++)
        compare_parametric("a patch", &piece);
    }
    toi_shape_destroy(shape);
    toi_model_free(context, &turned.made);
  }
}

/* A ring of patches and a plane, both turned: about as many boxes as if they were not. */
static void turned_patches_take_no_more_boxes(void **state) {
  (void)state;
  double plain = 0;
  for (uint64_t round = 0; round < test_count_from(4, 2); round++) {
    stage s = {.context = context};
    toi_shape *shape = NULL;
    toi_contact_options options = toi_default_contact_options();
    options.spacing = 0.25;
    view from = {.built_in = round > 0, .place = random_placement(&seed)};
    from.place.angle = round == 0 ? 0 : from.place.angle;
    const framed_body plane = {.f = "z"};
    double at[3], velocity[3];
    make_model(&s, 0, &turned.made);
    turn_model(&from.place, &turned);
    well(&s, toi_shape_patches(context, &turned.model, &shape));
    turn(from.place.axis, from.place.angle, (double[]){0, 0, 1.5}, at);
    turn(from.place.axis, from.place.angle, (double[]){0, 0, -2}, velocity);
    for (int k = 0; k < 3; k++)
      at[k] += from.built_in ? from.place.shift[k] : 0;
    well(&s, toi_motion_move(enter(&s, shape), at, velocity));
    enter_framed(&s, &plane, &from);
    ask(&s, &options, &got);
    plain = round == 0 ? (double)got.answer.boxes : plain;
    assert_int_equal(got.answer.verdict, TOI_HIT);
    assert_true(fabs(got.answer.t_hi - 0.5) < 1e-6);
    if (!((double)got.answer.boxes <= 1.1 * plain))
      fail_msg("%llu boxes instead of %.0f", (unsigned long long)got.answer.boxes, plain);
    clear(&s);
    toi_model_free(context, &turned.made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turned_shapes_have_straight_ones),  cmocka_unit_test(whatever_is_in_a_formula_is_turned),
      cmocka_unit_test(bounds_hold_all_of_a_surface),      cmocka_unit_test(bounds_that_were_given_count),
      cmocka_unit_test(turned_patches_have_straight_ones), cmocka_unit_test(turned_patches_take_no_more_boxes),
  };
  seed = test_seed(1515);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
