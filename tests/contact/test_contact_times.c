/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* When things can touch, where that is known in closed form: bounds of the time by second derivatives, windows of time
 * by boxes and balls, and what there is to solve: faces, edges and corners. */

#include "contact/contact_search.h"
#include "contact/planted.h"

#include "contact/context.h"

/* Two shapes of the library, the first one moving. */
static void set_library(plant *p, const toi_shape_kind kinds[2], double sizes[2][3], const double shift[3],
                        const double velocity[3]) {
  memset(p, 0, sizeof *p);
  p->context = context;
  for (int i = 0; i < 2; i++) {
    plant_well(p, toi_shape_library(context, kinds[i], TOI_SHAPE_FORM_PARAMETRIC, sizes[i], &p->shapes[i]));
    plant_well(p, toi_motion_create(context, &p->motions[i]));
  }
  plant_well(p, toi_motion_move(p->motions[0], shift, velocity));
  set_pair(p, TOI_BODY_PAIR_PP);
}

static double floor_of(const plant *p, const toi_box *box) {
  bool failed;
  double floor = toi_time_lower_bound(&p->problem, box, &failed);
  assert_false(failed);
  return floor;
}

/* --- how early --- */

/* A dome over a bowl that is less curved: where they touch at a time, and before it on a circle, the farther out the
 * earlier. The times of contact fall away from the middle of the box, down to its corners. */
static void contacts_at_the_corners_of_a_box_are_not_later_than_its_bound(void **state) {
  (void)state;
  size_t known = 0;
  for (int round = 0; round < 1000; round++) {
    plant p;
    set_plant(&p, context, &(wish){.sinks = true});
    toi_box box = p.problem.domain;
    double size = ldexp(between(1, 2), -1 - (int)(test_random(&plant_seed) % 12)), scale = between(1, 4);
    double half[2] = {0.25 * size, 0.25 * size * between(0.5, 1)};
    double first = p.x[4] - half[0] * half[0] - half[1] * half[1];
    for (size_t i = 0; i < 4; i++) {
      // Which of U and V it is.
      double h = half[(i % 2) ^ p.patches[i / 2].flipped];
      box.x[i] = (toi_interval){p.x[i] - h, p.x[i] + h};
    }
    box.x[4] = (toi_interval){p.x[4] - scale * (p.x[4] - first), p.x[4] + scale * (p.x[4] - first)};
    double floor = floor_of(&p, &box);
    if (floor > first + 1e-15)
      fail_msg("contact at %a, but none before %a, size %a", first, floor, size);
    known += floor > p.x[4] - 10 * (p.x[4] - first);
    clear_plant(&p);
  }
  print_message("  %zu of 1000 known well\n", known);
  assert_true(known > 250);
}

/* A cone 3 high on a base of radius 4, 3 r + 4 z = 12. A torus about the same axis with a ring of 2 and a tube of 1
 * touches it when its centre is at the height 11/4: (3 * 2 + 4 * 11/4 - 12) / 5 = 1; on the circle of radius 2 - 3/5 at
 * the height 11/4 - 4/5. It falls by 2 a unit of time, from 15/4. */
static void a_torus_on_a_cone_is_known_to_touch_no_earlier(void **state) {
  (void)state;
  plant p;
  double sizes[2][3] = {{2, 1}, {4, 3}};
  set_library(&p, (const toi_shape_kind[]){TOI_SHAPE_TORUS, TOI_SHAPE_CONE}, sizes, (double[]){0, 0, 3.75},
              (double[]){0, 0, -2});
  assert_int_equal(toi_body_pair_problems(&p.pair, false, 1, NULL), 3);
  toi_problem problems[3];
  toi_body_pair_problems(&p.pair, false, 1, problems);
  p.problem = problems[0];
  assert_int_equal(p.problem.frozen, 0);
  const double pi = 3.141592653589793;
  for (int i = 0; i < 400; i++) {
    double w = ldexp(1, -4 - i % 8), around = between(0.2, 0.8);
    double at[5] = {around, 0.5 + atan2(0.8, 0.6) / (2 * pi), around, 1.95 / 3, 0.5};
    toi_box box = p.problem.domain, shrunk;
    bool centred = i % 16 < 8;
    for (size_t k = 0; k < 5; k++) {
      double below = w * between(0.25, 1), above = centred ? below : w * between(0.01, 1);
      box.x[k] = (toi_interval){at[k] - below, at[k] + above};
    }
    shrunk = box;
    toi_system system;
    assert_true(toi_system_at(&p.problem, &box, TOI_SYSTEM_SLOPES, &system));
    assert_int_equal(toi_newton_contact(&p.problem, &system, true, &shrunk), TOI_NEWTON_SHRUNK);
    assert_true(shrunk.x[4].lo <= 0.5 && shrunk.x[4].hi >= 0.5);
    double plain = 0.5 - shrunk.x[4].lo, late = 0.5 - floor_of(&p, &box);
    assert_true(late >= 0);
    // Around the circle it is right to the third order, beside it to the second; centred equations are to the first
    // times how far the normals turn.
    assert_true(w > 0.01 || late < 60 * w * w);
    assert_true(!centred || (late < 4000 * w * w * w && (w > 0.001 || late < plain / 8)));
  }
  clear_plant(&p);
}

/* --- windows --- */

/* A sphere of radius 3/2 passes one of radius 1 so that it touches it once: at `t` its centre is at (3/2, 2, 0), 5/2
 * away, and it moves across, along (4, -3, 0), so that it is farther away at all other times. */
static void balls_that_touch_at_one_time_are_apart_at_others(void **state) {
  (void)state;
  static const double times[] = {0.5, 0.5 + 0x1p-13, 0.25 + 0x1p-12, 0.75 - 0x1p-13, 0, 1};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    double t = times[i], sizes[2][3] = {{1.5}, {1}};
    double shift[3] = {1.5 - 4 * t, 2 + 3 * t, 0}, velocity[3] = {4, -3, 0};
    plant p;
    set_library(&p, (const toi_shape_kind[]){TOI_SHAPE_SPHERE, TOI_SHAPE_SPHERE}, sizes, shift, velocity);
    toi_interval window = {2, 2};
    assert_false(toi_body_pair_apart(&p.pair, toi_interval_point(t), true));
    assert_true(toi_body_pair_window(&p.pair, (toi_interval){0, 1}, 0x1p-10, true, &window));
    assert_true(toi_interval_contains(window, t) && toi_interval_width(window) < 0.1);
    toi_interval early = {0, t - 0.05}, late = {t + 0.05, 1};
    assert_true(t < 0.1 || toi_body_pair_apart(&p.pair, (toi_interval){early.hi, early.hi}, true));
    assert_true(t > 0.9 || toi_body_pair_apart(&p.pair, (toi_interval){late.lo, late.lo}, true));
    // What there is to solve is told the window, and that the whole of the time counts.
    toi_problem problems[81];
    p.pair.window = window;
    size_t count = toi_body_pair_problems(&p.pair, false, 1, problems);
    for (size_t k = 0; k < count; k++) {
      assert_true(problems[k].first.x[4].lo == window.lo && problems[k].first.x[4].hi == window.hi);
      assert_true(problems[k].domain.x[4].lo == 0 && problems[k].domain.x[4].hi == 1);
    }
    clear_plant(&p);
  }
}

/* Flat plates: their boxes have a point in common exactly when they touch, from below as from above, edge to edge. */
static void plates_that_touch_are_not_apart(void **state) {
  (void)state;
  double sizes[2][3] = {{2, 2}, {2, 2}};
  for (int axis = 0; axis < 3; axis++)
    for (int side = -1; side <= 1; side += 2) {
      double shift[3] = {0.25, 0.25, 0}, velocity[3] = {0, 0, 0};
      // At t = 1/2 the shift along the axis is 2 (edge to edge), or 0 (face to face).
      double end = axis == 2 ? 0 : 2;
      shift[axis] = side * (end + 1);
      velocity[axis] = side * -2;
      plant p;
      set_library(&p, (const toi_shape_kind[]){TOI_SHAPE_PLANE, TOI_SHAPE_PLANE}, sizes, shift, velocity);
      for (int spheres = 0; spheres < 2; spheres++) {
        toi_interval window;
        assert_false(toi_body_pair_apart(&p.pair, toi_interval_point(0.5), spheres));
        assert_true(toi_body_pair_window(&p.pair, (toi_interval){0, 1}, 0x1p-10, spheres, &window) &&
                    toi_interval_contains(window, 0.5));
        assert_true(window.lo > 0.4);
      }
      clear_plant(&p);
    }
}

/* A plate that grows, wide at one end, (u, v (1.5 - u) / 2, 0) (1 + t): its corner (-1, -5/4) (1 + t) meets the corner
 * of another one, whose half sides are 1 and 5/4, at t = 1/2. The balls about both touch in that very point. Or the
 * same mirrored. */
static void check_growing_plate(bool mirrored) {
  double side = mirrored ? 1 : -1;
  plant p;
  memset(&p, 0, sizeof p);
  p.context = context;
  toi_formula *f = NULL;
  plant_well(&p, toi_formula_create(context, (const char *const[]){"u", "v", "t"}, 3, &f));
  toi_parametric given = {.formula = f, .u = {-1, 1}, .v = {-1, 1}, .edges = TOI_EDGES};
  given.at[0] = toi_formula_parse(f, "u*(1 + t)");
  given.at[1] = toi_formula_parse(f, mirrored ? "v*(1.5 + u)*0.5*(1 + t)" : "v*(1.5 - u)*0.5*(1 + t)");
  given.at[2] = toi_formula_parse(f, "0");
  plant_well(&p, toi_shape_parametric(context, &given, &p.shapes[0]));
  toi_formula_destroy(f);
  plant_well(&p,
             toi_shape_library(context, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){2, 2.5}, &p.shapes[1]));
  for (int i = 0; i < 2; i++)
    plant_well(&p, toi_motion_create(context, &p.motions[i]));
  plant_well(&p, toi_motion_move(p.motions[1], (double[]){side * 2.5, side * 3.125, 0}, NULL));
  set_pair(&p, TOI_BODY_PAIR_PP);
  for (int spheres = 0; spheres < 2; spheres++) {
    toi_interval window;
    assert_false(toi_body_pair_apart(&p.pair, toi_interval_point(0.5), spheres));
    assert_true(toi_body_pair_apart(&p.pair, (toi_interval){0, 0.49}, spheres));
    assert_true(toi_body_pair_window(&p.pair, (toi_interval){0, 1}, 0x1p-10, spheres, &window));
    assert_true(window.lo > 0.48 && window.lo <= 0.5 && window.hi == 1);
  }
  clear_plant(&p);
}

static void corners_of_a_growing_plate_are_in_its_ball(void **state) {
  (void)state;
  check_growing_plate(false);
  check_growing_plate(true);
}

/* --- contacts at almost the same time --- */

static toi_status count_contact(void *user, const toi_contact_point *contact) {
  double *last = user;
  *last = fmax(*last, contact->t_hi);
  return TOI_OK;
}

/* Spheres of radius 1/2 that fall on a plane, one a little later than the other, one much later. */
static void contacts_within_the_simultaneity_are_told(void **state) {
  (void)state;
  static const double late[3] = {0, 0.005, 0.25};
  plant p = {.context = context};
  toi_body bodies[4] = {{.shape = NULL}};
  toi_shape *shapes[4] = {NULL};
  toi_motion *motions[4] = {NULL};
  for (int i = 0; i < 4; i++) {
    toi_shape_kind kind = i == 3 ? TOI_SHAPE_PLANE : TOI_SHAPE_SPHERE;
    plant_well(&p, toi_shape_library(context, kind, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5}, &shapes[i]));
    plant_well(&p, toi_motion_create(context, &motions[i]));
    if (i < 3)
      plant_well(&p, toi_motion_move(motions[i], (double[]){3 * i, 0, 1.5 + 2 * late[i]}, (double[]){0, 0, -2}));
    bodies[i] = (toi_body){.size = sizeof(toi_body), .shape = shapes[i], .motion = motions[i]};
  }
  toi_contact_options options = toi_default_contact_options();
  options.simultaneity = 0.01;
  toi_contact_answer answer;
  double last = 0;
  plant_well(&p, toi_contact(context, bodies, 4, &options, &answer, count_contact, &last));
  assert_int_equal(answer.verdict, TOI_HIT);
  assert_true(answer.t_lo <= 0.5 && answer.t_hi >= 0.5 && answer.t_hi < 0.5 + 1e-9);
  assert_int_equal(answer.contacts, 2);
  assert_true(fabs(last - 0.505) < 1e-9);
  for (int i = 0; i < 4; i++) {
    toi_motion_destroy(motions[i]);
    toi_shape_destroy(shapes[i]);
  }
}

/* --- what there is to solve --- */

/* A surface with four edges has a face, four edges and four corners; all pairs of two such are there, once. */
static void all_pairs_of_faces_edges_and_corners_are_there(void **state) {
  (void)state;
  double sizes[2][3] = {{2, 2}, {2, 2}};
  plant p;
  set_library(&p, (const toi_shape_kind[]){TOI_SHAPE_PLANE, TOI_SHAPE_PLANE}, sizes, (double[]){0, 0, 1},
              (double[]){0, 0, -1});
  toi_problem problems[81];
  assert_int_equal(toi_body_pair_problems(&p.pair, false, 1, NULL), 81);
  assert_int_equal(toi_body_pair_problems(&p.pair, false, 1, problems), 81);
  bool surface[81] = {false};
  for (size_t i = 0; i < 81; i++) {
    size_t code = 0;
    for (size_t k = 0; k < 4; k++) {
      toi_interval x = problems[i].domain.x[k], all = p.surface[k / 2].shape->domain[k % 2];
      bool frozen = problems[i].frozen >> k & 1;
      assert_true(frozen ? x.lo == x.hi && (x.lo == all.lo || x.lo == all.hi) : x.lo == all.lo && x.hi == all.hi);
      code = 3 * code + (!frozen ? 0 : x.lo == all.lo ? 1 : 2);
    }
    assert_false(surface[code]);
    surface[code] = true;
  }
  assert_int_equal(toi_body_pair_problems(&p.pair, true, 1, problems), 1);
  assert_true(problems[0].at_start && problems[0].frozen == 0 && problems[0].domain.x[4].hi == 0);
  clear_plant(&p);
}

/* A face's only solution says nothing about its edges: they may touch before, in the same region. */
static void a_region_of_a_face_settles_no_edge(void **state) {
  (void)state;
  double sizes[2][3] = {{2, 2}, {2, 2}};
  plant p;
  set_library(&p, (const toi_shape_kind[]){TOI_SHAPE_PLANE, TOI_SHAPE_PLANE}, sizes, (double[]){0, 0, 1},
              (double[]){0, 0, -1});
  toi_problem problems[81];
  toi_body_pair_problems(&p.pair, false, 1, problems);
  toi_found_contact found = {.problem = 0, .certificate = TOI_CONTACT_UNIQUE, .proved = true, .counts = true};
  found.region = problems[0].domain;
  toi_contact_search run = {
      .context = context, .problems = problems, .problem_count = 81, .contacts = &found, .contact_count = 1};
  run.last_unique = 1;
  assert_true(toi_contact_search_is_settled(&run, 0, &problems[0].domain));
  for (uint32_t i = 1; i < 81; i++)
    assert_false(toi_contact_search_is_settled(&run, i, &problems[i].domain));
  // Nor what reaches beyond it.
  found.region.x[4].hi = 0.5;
  assert_false(toi_contact_search_is_settled(&run, 0, &problems[0].domain));
  clear_plant(&p);
}

int main(void) {
  plant_seed = test_seed(UINT64_C(0x74696d6573));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_at_the_corners_of_a_box_are_not_later_than_its_bound),
      cmocka_unit_test(a_torus_on_a_cone_is_known_to_touch_no_earlier),
      cmocka_unit_test(balls_that_touch_at_one_time_are_apart_at_others),
      cmocka_unit_test(plates_that_touch_are_not_apart),
      cmocka_unit_test(corners_of_a_growing_plate_are_in_its_ball),
      cmocka_unit_test(contacts_within_the_simultaneity_are_told),
      cmocka_unit_test(all_pairs_of_faces_edges_and_corners_are_there),
      cmocka_unit_test(a_region_of_a_face_settles_no_edge),
  };
  return cmocka_run_group_tests_name("times of contact", tests, set_up, tear_down);
}
