/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts of Boolean shapes in closed form, in random frames: on faces, on sharp rims, on vertices, and none on seams
 * that lie inside. */

#include "contact/boolean_shapes.h"

#define FRAMES 12

static answered got;
static uint64_t seed;

static int take_seed(void **state) {
  (void)state;
  seed = test_seed(UINT64_C(0xb001ea));
  return 0;
}

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0};

/* Asks in some frame: the time is within `off` of the true one. */
static void expect_time(stage *s, const placement *place, const toi_contact_options *options, double t, double off) {
  s->place = place;
  put_in_place(s);
  ask(s, options, &got);
  if (got.answer.verdict != TOI_HIT || !(got.answer.t_lo <= t + off) || !(got.answer.t_hi >= t - off) ||
      !(got.answer.t_hi <= t + 1e-11))
    tell("time", s, &got);
  assert_int_equal(got.answer.verdict, TOI_HIT);
  assert_true(got.answer.t_lo <= t + off && t - off <= got.answer.t_hi);
  assert_true(got.answer.t_lo >= t - 2e-6 && got.answer.t_hi <= t + 1e-11);
}

/* One contact and no other, proved to be the only one, there; its normals are opposite. */
static void expect_unique(const double at[3], const double normal[3]) {
  assert_int_equal(got.count, 1);
  if (got.contacts[0].certificate != TOI_CONTACT_UNIQUE)
    fail_msg("singular: %d, %.17g %.17g %.17g, [%.17g, %.17g], %zu boxes", got.contacts[0].proved,
             got.contacts[0].point[0], got.contacts[0].point[1], got.contacts[0].point[2], got.answer.t_lo,
             got.answer.t_hi, (size_t)got.answer.boxes);
  assert_true(got.contacts[0].proved && got.answer.t_hi - got.answer.t_lo < 1e-11);
  assert_true(distance_of(got.contacts[0].point, at) < 1e-9);
  const double opposite[3] = {-normal[0], -normal[1], -normal[2]};
  assert_true(distance_of(got.contacts[0].normal_a, normal) < 1e-9);
  assert_true(distance_of(got.contacts[0].normal_b, opposite) < 1e-9);
}

static void enter_plane(stage *s) {
  (void)enter_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, NULL);
}

static void down(const stage *s, toi_motion *motion, double x, double y, double z) {
  well(s, toi_motion_move(motion, (double[]){x, y, z}, (double[]){0, 0, -1}));
}

/* It stands on the rim, a circle of radius 1/2 at height sqrt(3) / 2 below the centre. */
static void drilled_ball_lands_on_its_rim(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  operands o = {.context = s.context};
  toi_contact_options options = toi_default_contact_options();
  for (int i = 0; i < 4; i++) {
    const placement place = random_placement(&seed);
    enter_plane(&s);
    (void)add_ball(&o, 1, NULL);
    (void)add_formula(&o, "x^2 + y^2 - 0.25", NULL);
    down(&s, enter(&s, joined(&o, TOI_BOOLEAN_DIFFERENCE, 0)), 0.3, 0.2, 1.5);
    expect_time(&s, i == 0 ? NULL : &place, &options, 1.5 - sqrt(0.75), 1e-14);
    assert_true(got.count >= 8);
    for (size_t k = 0; k < got.count; k++) {
      const double *p = got.contacts[k].point, normal[3] = {0, 0, 1};
      assert_true(fabs(p[2]) < 1e-9 && fabs(hypot(p[0] - 0.3, p[1] - 0.2) - 0.5) < 1e-6);
      assert_true(got.contacts[k].proved && distance_of(got.contacts[k].normal_a, normal) < 1e-6);
    }
    clear(&s);
  }
  // Tilted, it comes down on a point of its rim.
  for (int i = 0; i < FRAMES; i++) {
    const placement place = random_placement(&seed);
    const double angle = 0.3, depth = sqrt(0.75) * cos(angle) + 0.5 * sin(angle);
    enter_plane(&s);
    (void)add_ball(&o, 1, NULL);
    (void)add_formula(&o, "x^2 + y^2 - 0.25", NULL);
    toi_motion *m = enter(&s, joined(&o, TOI_BOOLEAN_DIFFERENCE, 0));
    well(&s, toi_motion_turn(m, y_axis, NULL, angle, 0));
    down(&s, m, 0, 0, 1.5);
    expect_time(&s, &place, &options, 1.5 - depth, 1e-13);
    const double at[3] = {0.5 * cos(angle) - sqrt(0.75) * sin(angle), 0, 0};
    expect_unique(at, (double[]){0, 0, 1});
    clear(&s);
  }
  toi_context_destroy(s.context);
}

/* The intersection of three cylinders has threefold vertices at (+-1, +-1, +-1) / sqrt(2). */
static void crossed_cylinders_land_on_a_vertex(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  operands o = {.context = s.context};
  const toi_contact_options options = toi_default_contact_options();
  for (int i = 0; i < 8 + FRAMES; i++) {
    const placement place = random_placement(&seed);
    const double sign[3] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
    enter_plane(&s);
    (void)add_formula(&o, "x^2 + y^2 - 1", NULL);
    (void)add_formula(&o, "y^2 + z^2 - 1", NULL);
    (void)add_formula(&o, "z^2 + x^2 - 1", NULL);
    toi_motion *m = enter(&s, joined(&o, TOI_BOOLEAN_INTERSECTION, 1.25));
    // About the axis across the vertex and down.
    const double axis[3] = {-sign[1], sign[0], 0}, angle = acos(-sign[2] / sqrt(3));
    well(&s, toi_motion_turn(m, axis, NULL, angle, 0));
    down(&s, m, 0, 0, 2);
    expect_time(&s, i < 8 ? NULL : &place, &options, 2 - sqrt(1.5), 1e-12);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.contacts[0].certificate, TOI_CONTACT_UNIQUE);
    assert_true(distance_of(got.contacts[0].point, (double[]){0, 0, 0}) < 1e-9);
    clear(&s);
  }
  toi_context_destroy(s.context);
}

static toi_shape *two_balls(toi_context *context) {
  operands o = {.context = context};
  (void)add_ball(&o, 1, (double[]){-0.75, 0, 0});
  (void)add_ball(&o, 1, (double[]){0.75, 0, 0});
  return joined(&o, TOI_BOOLEAN_UNION, 0);
}

/* A ball comes down on the reentrant edge, a circle, and touches both balls beside it at once. */
static void ball_rests_in_the_crease_of_two(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  const toi_contact_options options = toi_default_contact_options();
  for (int form = 0; form < 2 * FRAMES; form++) {
    const placement place = random_placement(&seed);
    (void)enter(&s, two_balls(s.context));
    const toi_shape_form forms[2] = {TOI_SHAPE_FORM_IMPLICIT, TOI_SHAPE_FORM_PARAMETRIC};
    down(&s, enter_library(&s, TOI_SHAPE_SPHERE, forms[form & 1], (double[]){0.25}), 0, 0, 1.5);
    // 1.25^2 = 0.75^2 + 1.
    expect_time(&s, &place, &options, 0.5, 1e-14);
    assert_int_equal(got.count, 2);
    for (size_t k = 0; k < 2; k++) {
      const double side = got.contacts[k].point[0] < 0 ? -1 : 1, at[3] = {side * 0.15, 0, 0.8};
      assert_int_equal(got.contacts[k].certificate, TOI_CONTACT_UNIQUE);
      assert_true(distance_of(got.contacts[k].point, at) < 1e-9);
    }
    assert_true(got.contacts[0].point[0] * got.contacts[1].point[0] < 0);
    clear(&s);
  }
  toi_context_destroy(s.context);
}

/* From one ball to the other through the seam inside: contact is with the outer surface, where it ends. */
static void inner_seam_is_no_surface(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  toi_contact_options options = toi_default_contact_options();
  options.t_max = 3;
  options.incoming = TOI_INCOMING_OFF;
  for (int form = 0; form < 2; form++) {
    const placement place = random_placement(&seed);
    const toi_shape_form forms[2] = {TOI_SHAPE_FORM_IMPLICIT, TOI_SHAPE_FORM_PARAMETRIC};
    (void)enter(&s, two_balls(s.context));
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, forms[form], (double[]){0.25});
    well(&s, toi_motion_move(m, (double[]){-0.75, 0, 0}, x_axis));
    expect_time(&s, &place, &options, 2.25, 1e-14);
    assert_int_equal(got.count, 1);
    assert_true(distance_of(got.contacts[0].point, (double[]){1.75, 0, 0}) < 1e-9);
    clear(&s);
    // From outside nothing is touched on the way out.
    (void)enter(&s, two_balls(s.context));
    m = enter_library(&s, TOI_SHAPE_SPHERE, forms[form], (double[]){0.25});
    well(&s, toi_motion_move(m, (double[]){-0.75, 0, 0}, x_axis));
    options.incoming = TOI_INCOMING_AUTO;
    s.place = &place;
    put_in_place(&s);
    ask(&s, &options, &got);
    if (got.answer.verdict != TOI_MISS) {
      tell("", &s, &got);
      for (size_t i = 0; i < got.count && i < 9; i++)
        print_message("%.17g %.17g %.17g [%.17g %.17g] %d %d\n", got.contacts[i].point[0], got.contacts[i].point[1],
                      got.contacts[i].point[2], got.contacts[i].t_lo, got.contacts[i].t_hi, got.contacts[i].proved,
                      got.contacts[i].certificate);
    }
    assert_int_equal(got.answer.verdict, TOI_MISS);
    options.incoming = TOI_INCOMING_OFF;
    clear(&s);
  }
  toi_context_destroy(s.context);
}

static toi_shape *drilled_plate(toi_context *context) {
  operands o = {.context = context};
  (void)add_shape(&o, box_of_slabs(context, 2, 2, 0.25), NULL);
  (void)add_formula(&o, "x^2 + y^2 - 0.25", NULL);
  return joined(&o, TOI_BOOLEAN_DIFFERENCE, 0);
}

static toi_shape *pin(toi_context *context, double radius) {
  operands o = {.context = context};
  char text[64];
  snprintf(text, sizeof text, "x^2 + y^2 - %.17g^2", radius);
  (void)add_formula(&o, text, NULL);
  (void)add_formula(&o, "z^2 - 1", NULL);
  return joined(&o, TOI_BOOLEAN_INTERSECTION, 2);
}

/* A pin moves sideways in its hole to the wall, a line of contact; a tilted one comes down on the plate; one that fits
 * goes through. */
static void pin_meets_the_drilled_plate(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  toi_contact_options options = toi_default_contact_options();
  (void)enter(&s, drilled_plate(s.context));
  well(&s, toi_motion_move(enter(&s, pin(s.context, 0.375)), (double[]){0, 0, 0.125}, (double[]){0.5, 0, 0}));
  expect_time(&s, NULL, &options, 0.25, 1e-14);
  assert_true(got.count >= 3);
  for (size_t i = 0; i < got.count; i++) {
    const double *p = got.contacts[i].point;
    assert_true(fabs(p[0] - 0.5) < 1e-6 && fabs(p[1]) < 1e-3 && fabs(p[2]) < 0.25 + 1e-6);
  }
  clear(&s);
  for (int i = 0; i < FRAMES; i++) {
    const placement place = random_placement(&seed);
    const double angle = 0.2 + 0.02 * i;
    (void)enter(&s, drilled_plate(s.context));
    toi_motion *m = enter(&s, pin(s.context, 0.375));
    well(&s, toi_motion_turn(m, y_axis, NULL, angle, 0));
    down(&s, m, 1.5, 0, 2);
    expect_time(&s, &place, &options, 1.75 - cos(angle) - 0.375 * sin(angle), 1e-13);
    expect_unique((double[]){1.5 - sin(angle) + 0.375 * cos(angle), 0, 0.25}, (double[]){0, 0, 1});
    clear(&s);
  }
  (void)enter(&s, drilled_plate(s.context));
  down(&s, enter(&s, pin(s.context, 0.375)), 0.03, 0.02, 2);
  ask(&s, &options, &got);
  assert_int_equal(got.answer.verdict, TOI_MISS);
  clear(&s);
  toi_context_destroy(s.context);
}

/* Two boxes cross edge on edge; a vertex comes down on a face; an edge on a ball, parametric and implicit. */
static void boxes_meet_with_edges_and_vertices(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  const toi_contact_options options = toi_default_contact_options();
  for (int i = 0; i < FRAMES; i++) {
    const placement place = random_placement(&seed);
    // Each stands on an edge, turned by an eighth; the upper one across the lower one.
    (void)enter(&s, box_of_slabs(s.context, 0.5, 2, 0.5));
    well(&s, toi_motion_turn(s.motions[0], y_axis, NULL, atan(1), 0));
    toi_motion *m = enter(&s, box_of_slabs(s.context, 2, 0.5, 0.5));
    well(&s, toi_motion_turn(m, x_axis, NULL, atan(1), 0));
    well(&s, toi_motion_turn(m, (double[]){0, 0, 1}, NULL, 0.25, 0));
    down(&s, m, 0.125, 0.0625, 2);
    expect_time(&s, &place, &options, 2 - sqrt(2), 1e-13);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.contacts[0].certificate, TOI_CONTACT_UNIQUE);
    assert_true(fabs(got.contacts[0].point[0]) < 1e-9 && fabs(got.contacts[0].point[2] - sqrt(0.5)) < 1e-9);
    assert_true(distance_of(got.contacts[0].normal_a, (double[]){0, 0, 1}) < 1e-9);
    clear(&s);

    // On a vertex.
    enter_plane(&s);
    m = enter(&s, box_of_slabs(s.context, 0.5, 0.5, 0.5));
    well(&s, toi_motion_turn(m, (double[]){1, -1, 0}, NULL, acos(-1 / sqrt(3)), 0));
    down(&s, m, 0, 0, 1.5);
    expect_time(&s, &place, &options, 1.5 - sqrt(0.75), 1e-13);
    expect_unique((double[]){0, 0, 0}, (double[]){0, 0, 1});
    clear(&s);

    // The edge of a box on a ball, on which it comes down along x.
    const toi_shape_form forms[2] = {TOI_SHAPE_FORM_IMPLICIT, TOI_SHAPE_FORM_PARAMETRIC};
    m = enter_library(&s, TOI_SHAPE_SPHERE, forms[i & 1], (double[]){1});
    well(&s, toi_motion_turn(m, (double[]){2, 1, 0}, NULL, 0.7, 0));
    m = enter(&s, box_of_slabs(s.context, 0.5, 2, 0.5));
    well(&s, toi_motion_turn(m, y_axis, NULL, atan(1), 0));
    down(&s, m, 0, 0.25, 2);
    expect_time(&s, &place, &options, 1 - sqrt(0.5), 1e-13);
    expect_unique((double[]){0, 0, 1}, (double[]){0, 0, 1});
    clear(&s);
  }
  toi_context_destroy(s.context);
}

/* The rim of an open cylinder, and its wall, against edges. */
static void open_cylinder_meets_a_box(void **state) {
  (void)state;
  stage s = {.context = test_context(1)};
  const toi_contact_options options = toi_default_contact_options();
  for (int i = 0; i < FRAMES; i++) {
    const placement place = random_placement(&seed);
    // Its rim, tilted, on a vertex' neighbourhood: the rim's lowest point on the top face.
    const double angle = 0.3 + 0.01 * i;
    (void)enter(&s, box_of_slabs(s.context, 1, 1, 1));
    toi_motion *m = enter_library(&s, TOI_SHAPE_CYLINDER, TOI_SHAPE_FORM_DEFAULT, (double[]){0.25, 1});
    well(&s, toi_motion_turn(m, y_axis, NULL, angle, 0));
    down(&s, m, 0.3, 0.2, 2);
    expect_time(&s, &place, &options, 1 - 0.5 * cos(angle) - 0.25 * sin(angle), 1e-13);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.contacts[0].certificate, TOI_CONTACT_UNIQUE);
    const double at[3] = {0.3 - 0.5 * sin(angle) + 0.25 * cos(angle), 0.2, 1};
    assert_true(distance_of(got.contacts[0].point, at) < 1e-9);
    clear(&s);
    // Its wall, lying askew, across the upper edge of the box, which stands on an edge along y.
    (void)enter(&s, box_of_slabs(s.context, 0.5, 2, 0.5));
    well(&s, toi_motion_turn(s.motions[0], y_axis, NULL, atan(1), 0));
    m = enter_library(&s, TOI_SHAPE_CYLINDER, TOI_SHAPE_FORM_DEFAULT, (double[]){0.25, 2});
    well(&s, toi_motion_turn(m, y_axis, NULL, 2 * atan(1), 0));
    well(&s, toi_motion_turn(m, (double[]){0, 0, 1}, NULL, 0.3, 0));
    down(&s, m, 0.1, 0.1, 1.5);
    expect_time(&s, &place, &options, 1.25 - sqrt(0.5), 1e-13);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.contacts[0].certificate, TOI_CONTACT_UNIQUE);
    assert_true(fabs(got.contacts[0].point[0]) < 1e-9 && fabs(got.contacts[0].point[2] - sqrt(0.5)) < 1e-9);
    clear(&s);
  }
  toi_context_destroy(s.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drilled_ball_lands_on_its_rim),   cmocka_unit_test(crossed_cylinders_land_on_a_vertex),
      cmocka_unit_test(ball_rests_in_the_crease_of_two), cmocka_unit_test(inner_seam_is_no_surface),
      cmocka_unit_test(pin_meets_the_drilled_plate),     cmocka_unit_test(boxes_meet_with_edges_and_vertices),
      cmocka_unit_test(open_cylinder_meets_a_box),
  };
  return cmocka_run_group_tests(tests, take_seed, NULL);
}
