/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* First contact at isolated points, against closed forms: the time lies in the bracket, the points are the known ones,
 * proved and unique where second derivatives tell; also with the whole scene placed anywhere. The same scenes coming
 * within 1e-6 of each other are a proved miss. Spheres that meet at the start, and one inside the other. */

#include "contact/edges.h"
#include "contact/program.h"

#define PLACEMENTS 3

/* The widest bracket of a unique contact; how far a point may be from where it is, beside its own error: the rounding
 * of placing it within some tens of the origin. */
#define BRACKET 1e-9
#define PLACE 1e-12
/* Where only the fourth derivatives tell: 1e-6 apart within 1e-6^(1/4) of it. */
#define FLAT_PLACE 0.06
#define FLAT_BRACKET 1e-5

static uint64_t seed;

/* --- hits --- */

static void check_time(const char *name, const truth *known) {
  const toi_contact_answer *a = &got.answer;
  double bracket = known->unique ? BRACKET : FLAT_BRACKET;
  if (a->verdict != TOI_HIT || a->end != TOI_CONTACT_DONE || a->touching_at_start)
    fail_msg("%s: %s, ended by %s", name, toi_verdict_name(a->verdict), toi_contact_end_name(a->end));
  if (!(a->t_lo - known->rounding <= known->t && known->t <= a->t_hi + known->rounding && a->t_hi - a->t_lo <= bracket))
    fail_msg("%s: [%.17g, %.17g] instead of %.17g", name, a->t_lo, a->t_hi, known->t);
  if (!(a->t_safe < known->t && a->t_safe > known->t - bracket))
    fail_msg("%s: %.17g is not safe", name, a->t_safe);
}

static void check_contact(const char *name, const truth *known, size_t i, const toi_contact_point *c) {
  double place = known->unique ? c->error + PLACE : FLAT_PLACE, away = distance_of(c->point, known->at[i]);
  if (!(away <= place))
    fail_msg("%s: contact %zu is %g off, error %g", name, i, away, c->error);
  if (!known->unique)
    return;
  if (c->certificate != TOI_CONTACT_UNIQUE || !c->proved || !(c->error <= BRACKET))
    fail_msg("%s: contact %zu is %s, %s, error %g", name, i, toi_contact_certificate_name(c->certificate),
             c->proved ? "proved" : "not proved", c->error);
  assert_true(c->a == 0 && c->b == 1);
  assert_true(c->t_lo - known->rounding <= known->t && known->t <= c->t_hi + known->rounding);
  // Normals need not be opposite at an edge; what is known says none then.
  if (distance_of(known->normal[i], (const double[]){0, 0, 0}) < 0.5)
    return;
  double same = distance_of(c->normal_a, known->normal[i]), sum[3];
  for (int k = 0; k < 3; k++)
    sum[k] = c->normal_a[k] + c->normal_b[k];
  if (same > 1e-6 || distance_of(sum, (const double[]){0, 0, 0}) > 1e-6)
    fail_msg("%s: contact %zu has normals %g off", name, i, same);
}

/* u and v lead to the point, in the coordinates of a parametric body; an implicit one has none. */
static void check_parameters(const stage *s, const toi_contact_point *c) {
  for (size_t side = 0; side < 2; side++) {
    const double *uv = side ? c->parameters_b : c->parameters_a;
    size_t body = side ? c->b : c->a;
    double at[3] = {0}, normal[3] = {0}, moved[3] = {0};
    if (toi_shape_extent(s->shapes[body]).implicit) {
      assert_true(isnan(uv[0]) && isnan(uv[1]));
      continue;
    }
    toi_interval rotation[9], translation[3];
    toi_interval t = {c->t_lo, c->t_lo};
    toi_extent extent = toi_shape_extent(s->shapes[body]);
    double u = fmin(fmax(uv[0], extent.u.lo), extent.u.hi), v = fmin(fmax(uv[1], extent.v.lo), extent.v.hi);
    assert_true(fabs(u - uv[0]) < ROUNDED && fabs(v - uv[1]) < ROUNDED);
    well(s, toi_shape_point(s->shapes[body], u, v, c->t_lo, at, normal));
    well(s, toi_motion_at(s->motions[body], t, rotation, translation));
    for (int k = 0; k < 3; k++)
      moved[k] = translation[k].lo + rotation[3 * k].lo * at[0] + rotation[3 * k + 1].lo * at[1] +
                 rotation[3 * k + 2].lo * at[2];
    undo(s->place, moved, false, moved);
    assert_true(distance_of(moved, c->point) < 1e-6);
  }
}

static void check_hit(const scene *what, const placement *place) {
  stage s = {.context = context, .place = place, .gap = 1e-6};
  truth known;
  toi_contact_options options = toi_default_contact_options();
  what->build(&s, &known);
  put_in_place(&s);
  ask(&s, &options, &got);
  tell(what->name, &s, &got);
  check_time(what->name, &known);
  if (got.count != known.points)
    fail_msg("%s: %zu contacts instead of %zu", what->name, got.count, known.points);
  // Each known point is the nearest of one contact.
  for (size_t i = 0; i < known.points; i++) {
    const toi_contact_point *best = &got.contacts[0];
    for (size_t k = 1; k < got.count; k++)
      if (distance_of(got.contacts[k].point, known.at[i]) < distance_of(best->point, known.at[i]))
        best = &got.contacts[k];
    check_contact(what->name, &known, i, best);
    check_parameters(&s, best);
  }
  clear(&s);
}

static void isolated_contacts_are_found(void **state) {
  (void)state;
  for (size_t i = 0; i < ISOLATED; i++)
    check_hit(&isolated_scenes[i], NULL);
}

static void isolated_contacts_are_found_anywhere(void **state) {
  (void)state;
  for (size_t i = 0; i < ISOLATED; i++)
    for (int k = 0; k < PLACEMENTS; k++) {
      placement place = random_placement(&seed);
      check_hit(&isolated_scenes[i], &place);
    }
}

/* The two spheres in other units of length and time, powers of two: the same answer. */
static void units_do_not_matter(void **state) {
  (void)state;
  for (int k = 0; k < 18; k++) {
    stage s = {.context = context};
    toi_shape_form form = k < 9 ? TOI_SHAPE_FORM_DEFAULT : TOI_SHAPE_FORM_PARAMETRIC;
    double length = ldexp(1, 30 * (k % 3 - 1)), time = ldexp(1, 30 * (k / 3 % 3 - 1));
    toi_contact_options options = toi_default_contact_options();
    options.t_max = time;
    options.tolerance *= length;
    options.spacing *= length;
    options.simultaneity *= time;
    options.max_boxes = 5000;
    enter_library(&s, TOI_SHAPE_SPHERE, form, (double[]){length});
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, form, (double[]){1.5 * length});
    double speed = length / time;
    well(&s, toi_motion_move(m, (double[]){3 * length, 4 * length, 0}, (double[]){-3 * speed, -4 * speed, 0}));
    ask(&s, &options, &got);
    tell("two spheres", &s, &got);
    truth known = {.t = 0.5, .unique = true};
    got.answer.t_lo /= time;
    got.answer.t_hi /= time;
    got.answer.t_safe /= time;
    check_time("two spheres", &known);
    assert_int_equal(got.count, 1);
    assert_true(distance_of(got.contacts[0].point, (const double[]){0.6 * length, 0.8 * length, 0}) < BRACKET * length);
    clear(&s);
  }
}

/* An ellipsoid, whose function is a number, and a ball, whose function is the square of a length, both implicit: what
 * is halved depends on neither's unit. */
static void units_of_functions_do_not_matter(void **state) {
  (void)state;
  for (int k = -3; k <= 3; k++) {
    stage s = {.context = context};
    double length = ldexp(1, 4 * k);
    toi_contact_options options = toi_default_contact_options();
    options.tolerance *= length;
    options.spacing *= length;
    options.max_boxes = 5000;
    toi_motion *m = enter_library(&s, TOI_SHAPE_ELLIPSOID, TOI_SHAPE_FORM_IMPLICIT,
                                  (double[]){0.7 * length, 0.95 * length, 0.55 * length});
    well(&s, toi_motion_turn(m, (double[]){0.3, -0.8, 0.4}, NULL, 2.5, 0.5));
    m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_IMPLICIT, (double[]){0.6 * length});
    well(&s, toi_motion_turn(m, (double[]){1, 0.5, 0.2}, NULL, 1, -0.7));
    well(&s, toi_motion_move(m, (double[]){-2.1 * length, 2.9 * length, -1.7 * length},
                             (double[]){2 * length, -2.8 * length, 1.6 * length}));
    ask(&s, &options, &got);
    tell("ellipsoid and ball", &s, &got);
    assert_true(got.answer.verdict == TOI_HIT && got.answer.end == TOI_CONTACT_DONE && got.count == 1);
    assert_int_equal(got.contacts[0].certificate, TOI_CONTACT_UNIQUE);
    clear(&s);
  }
}

/* --- misses --- */

static void check_refuted(const char *name, const stage *s, const toi_contact_options *options) {
  ask(s, options, &got);
  tell(name, s, &got);
  const toi_contact_answer *a = &got.answer;
  if (a->verdict != TOI_MISS || got.count != 0 || !isinf(a->t_lo) || !isinf(a->t_hi) || a->t_safe != options->t_max)
    fail_msg("%s: %s from %.17g, %zu contacts, ended by %s", name, toi_verdict_name(a->verdict), a->t_lo, got.count,
             toi_contact_end_name(a->end));
}

static void check_miss(const scene *what, const placement *place) {
  stage s = {.context = context, .place = place, .miss = true, .gap = 1e-6};
  truth known;
  toi_contact_options options = toi_default_contact_options();
  options.tolerance = 1e-8;
  what->build(&s, &known);
  put_in_place(&s);
  if (known.stop > 0)
    options.t_max = known.stop;
  for (int k = 0; k < 2; k++) {
    // Bounding spheres alone settle some.
    options.spheres = k == 0;
    check_refuted(what->name, &s, &options);
  }
  clear(&s);
}
static void near_misses_are_refuted(void **state) {
  (void)state;
  for (size_t i = 0; i < ISOLATED; i++)
    check_miss(&isolated_scenes[i], NULL);
}

static void near_misses_are_refuted_anywhere(void **state) {
  (void)state;
  for (size_t i = 0; i < ISOLATED; i++) {
    placement place = random_placement(&seed);
    check_miss(&isolated_scenes[i], &place);
  }
}

/* Radii 1 and 3/2; the centre of the second goes by along y at a distance of 5/2 and a bit. */
static void spheres_that_pass_each_other_miss(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    stage s = {.context = context};
    toi_contact_options options = toi_default_contact_options();
    toi_shape_form form = k ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_DEFAULT;
    options.tolerance = 1e-8;
    enter_library(&s, TOI_SHAPE_SPHERE, form, (double[]){1});
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, form, (double[]){1.5});
    well(&s, toi_motion_move(m, (double[]){2.5 + 1e-6, -2, 0}, (double[]){0, 4, 0}));
    ask(&s, &options, &got);
    tell("spheres pass", &s, &got);
    assert_int_equal(got.answer.verdict, TOI_MISS);
    clear(&s);
  }
}

static void edges_corners_and_tips_touch(void **state) {
  (void)state;
  for (size_t i = 0; i < EDGE_SCENES; i++) {
    placement place = random_placement(&seed);
    check_hit(&edge_scenes[i], NULL);
    check_hit(&edge_scenes[i], &place);
    check_miss(&edge_scenes[i], NULL);
    check_miss(&edge_scenes[i], &place);
  }
}

/* Contact that only just is: spheres that graze in passing, that touch at the last moment, and that touch at the start
 * and part. None of them may be missed, proved or not; and nothing touches before t_lo. */
static void contact_that_only_just_is_is_no_miss(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double from[3], velocity[3], t;
  } cases[] = {{"graze", {2.5, -2, 0}, {0, 4, 0}, 0.5},
               {"last moment", {4.5, 0, 0}, {-2, 0, 0}, 1},
               {"start, then part", {0, 0, 2.5}, {0, 0, 1}, 0},
               {"start, then rest", {1.5, 2, 0}, {0, 0, 0}, 0},
               {"start, then meet", {1.5, 0, 2}, {-1, 0, -1}, 0}};
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
    stage s = {.context = context};
    toi_contact_options options = toi_default_contact_options();
    toi_shape_form form = i & 1 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_DEFAULT;
    options.max_boxes = 20000;
    enter_library(&s, TOI_SHAPE_SPHERE, form, (double[]){1});
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, form, (double[]){1.5});
    well(&s, toi_motion_move(m, cases[i / 2].from, cases[i / 2].velocity));
    ask(&s, &options, &got);
    tell(cases[i / 2].name, &s, &got);
    const toi_contact_answer *a = &got.answer;
    if (a->verdict == TOI_MISS || a->t_lo > cases[i / 2].t)
      fail_msg("%s: %s from %.17g", cases[i / 2].name, toi_verdict_name(a->verdict), a->t_lo);
    clear(&s);
  }
}

/* A unit sphere of which only z <= 0.9 is looked for, and one that comes down on its top: what touches there is out of
 * bounds, whichever of the two comes first and however it is written down. */
static void what_is_out_of_bounds_is_no_contact(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    stage s = {.context = context};
    toi_formula *f = NULL;
    toi_shape *shape = NULL, *ball = NULL;
    toi_contact_options options = toi_default_contact_options();
    well(&s, toi_formula_create(context, (const char *const[]){"x", "y", "z", "t"}, 4, &f));
    toi_implicit p = {.formula = f, .bounds = {{-2, 2}, {-2, 2}, {-2, 0.9}}};
    p.function = toi_formula_parse(f, "x^2 + y^2 + z^2 - 1");
    well(&s, toi_shape_implicit(context, &p, &shape));
    toi_formula_destroy(f);
    well(&s, toi_shape_library(context, TOI_SHAPE_SPHERE, k < 2 ? TOI_SHAPE_FORM_IMPLICIT : TOI_SHAPE_FORM_PARAMETRIC,
                               (double[]){1}, &ball));
    if (k & 1)
      enter(&s, shape);
    well(&s, toi_motion_move(enter(&s, ball), (double[]){0, 0, 3}, (double[]){0, 0, -2}));
    if (!(k & 1))
      enter(&s, shape);
    ask(&s, &options, &got);
    tell("out of bounds", &s, &got);
    for (size_t i = 0; i < got.count; i++)
      assert_true(got.contacts[i].point[2] < 0.9 + BRACKET);
    // Nothing of the two is at the same place below 0.9 before their circle, z = 3/2 - t, has come down there.
    assert_true(got.answer.verdict == TOI_MISS || got.answer.t_hi >= 0.6 - BRACKET);
    clear(&s);
  }
}

/* --- several bodies --- */

/* Unit spheres: the second and third fall on the first from both sides, from 7/2 and `other` away, by 2 and 4 a unit
 * of time. The second arrives at t = 3/4; the fourth keeps away. */
static void ask_four(double other) {
  stage s = {.context = context};
  toi_contact_options options = toi_default_contact_options();
  const double from[4] = {0, 3.5, -other, 20}, velocity[4] = {0, -2, 4, 0};
  for (int k = 0; k < 4; k++) {
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1});
    well(&s, toi_motion_move(m, (double[]){from[k], 0, 0}, (double[]){velocity[k], 0, 0}));
  }
  ask(&s, &options, &got);
  tell("four spheres", &s, &got);
  assert_int_equal(got.answer.verdict, TOI_HIT);
  assert_int_equal(got.answer.pairs, 6);
  clear(&s);
}

static void first_contact_of_several_bodies(void **state) {
  (void)state;
  ask_four(4);
  assert_true(got.answer.t_lo <= 0.5 && 0.5 <= got.answer.t_hi && got.answer.t_hi - got.answer.t_lo < BRACKET);
  assert_true(got.count == 1 && got.contacts[0].a == 0 && got.contacts[0].b == 2);
  assert_true(fabs(got.contacts[0].point[0] + 1) < BRACKET);
  // Both at once.
  ask_four(5);
  assert_true(got.answer.t_lo <= 0.75 && 0.75 <= got.answer.t_hi && got.answer.t_hi - got.answer.t_lo < BRACKET);
  assert_true(got.count == 2 && got.contacts[0].b == 1 && got.contacts[1].b == 2);
}

/* --- at the start --- */

/* Unit spheres, one unit apart: the surfaces meet in the circle x = 1/2, y^2 + z^2 = 3/4, from the start. */
static void spheres_that_intersect_at_the_start_touch_at_0(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    placement place = random_placement(&seed);
    stage s = {.context = context, .place = k & 1 ? &place : NULL};
    toi_contact_options options = toi_default_contact_options();
    toi_shape_form forms[3] = {TOI_SHAPE_FORM_DEFAULT, TOI_SHAPE_FORM_PARAMETRIC, TOI_SHAPE_FORM_IMPLICIT};
    enter_library(&s, TOI_SHAPE_SPHERE, forms[k / 2], (double[]){1});
    toi_motion *m =
        enter_library(&s, TOI_SHAPE_SPHERE, k == 1 ? TOI_SHAPE_FORM_PARAMETRIC : forms[k / 2], (double[]){1});
    well(&s, toi_motion_move(m, (double[]){1, 0, 0}, (double[]){1, 0, 0}));
    put_in_place(&s);
    ask(&s, &options, &got);
    tell("spheres intersect at the start", &s, &got);
    const toi_contact_answer *a = &got.answer;
    assert_int_equal(a->verdict, TOI_HIT);
    assert_true(a->touching_at_start && a->t_lo == 0 && a->t_hi == 0 && a->t_safe == 0);
    assert_true(got.count > 0);
    for (size_t i = 0; i < got.count; i++) {
      const double *p = got.contacts[i].point;
      assert_true(fabs(p[0] - 0.5) < 1e-5 && fabs(hypot(p[1], p[2]) - sqrt(0.75)) < 1e-5);
    }
    clear(&s);
  }
}

/* A ball inside a hollow one, at rest and on its way out: as solids they never touch from outside. */
static void a_ball_inside_a_ball_is_no_contact(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    stage s = {.context = context};
    toi_contact_options options = toi_default_contact_options();
    enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){2});
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5});
    well(&s, toi_motion_move(m, (double[]){0.25, 0, 0}, k ? (double[]){0, 0, 1} : NULL));
    ask(&s, &options, &got);
    assert_int_equal(got.answer.verdict, TOI_MISS);
    // As surfaces the second one hits the shell: the centre is 3/2 away from the first at z^2 = 9/4 - 1/16.
    options.incoming = TOI_INCOMING_OFF;
    options.t_max = 2;
    ask(&s, &options, &got);
    assert_int_equal(got.answer.verdict, k ? TOI_HIT : TOI_MISS);
    if (k)
      assert_true(fabs(got.answer.t_hi - sqrt(2.25 - 0.0625)) < 1e-8);
    clear(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(isolated_contacts_are_found),
      cmocka_unit_test(isolated_contacts_are_found_anywhere),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(units_of_functions_do_not_matter),
      cmocka_unit_test(near_misses_are_refuted),
      cmocka_unit_test(near_misses_are_refuted_anywhere),
      cmocka_unit_test(spheres_that_pass_each_other_miss),
      cmocka_unit_test(contact_that_only_just_is_is_no_miss),
      cmocka_unit_test(what_is_out_of_bounds_is_no_contact),
      cmocka_unit_test(edges_corners_and_tips_touch),
      cmocka_unit_test(first_contact_of_several_bodies),
      cmocka_unit_test(spheres_that_intersect_at_the_start_touch_at_0),
      cmocka_unit_test(a_ball_inside_a_ball_is_no_contact),
  };
  seed = test_seed(603);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
