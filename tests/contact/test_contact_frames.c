/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts along curves, over regions and at points do not depend on the frame that they are seen from: the same
 * verdict, the same isolated contacts, curves and regions covered, in about as many boxes; nor much on motions that are
 * a little off, so that what touched at once touches nearly at once. */

#include "contact/framed.h"
#include "contact/program.h"

#define BRACKET 1e-5

/* A sample lies on a box that is not refuted, so far from the set at most. */
#define NEAR 1e-3

/* Boxes, beside those of the plain frame; a few of them are a matter of chance. Motions off by about the simultaneity
 * take the most: the first contact is then strict, but hardly. */
#define FRAME_BOXES 1.3
#define PERTURBED_BOXES 2.0
#define CHANCE 4

static uint64_t seed;

static void random_direction(double v[3]) {
  for (int k = 0; k < 3; k++)
    v[k] = 2 * test_random_unit(&seed) - 1;
}

static void ask_from(const framed *what, const view *from, bool placed, const toi_contact_options *options) {
  stage s = {.context = context, .place = placed ? &from->place : NULL};
  toi_contact_options asked = options == NULL ? toi_default_contact_options() : *options;
  asked.spacing = options == NULL ? what->spacing : options->spacing;
  enter_scene(&s, what, from);
  ask(&s, &asked, &got);
  clear(&s);
}

static void describe(const framed *what, const view *from, bool placed) {
  print_message("  %s%s: %s [%.17g, %.17g], %zu contacts, %llu boxes, %s, %.3f s\n", what->name,
                from->built_in ? ", built in"
                : placed       ? ", placed"
                               : "",
                toi_verdict_name(got.answer.verdict), got.answer.t_lo, got.answer.t_hi, got.count,
                (unsigned long long)got.answer.boxes, toi_contact_end_name(got.answer.end), got.answer.seconds);
}

/* off: how far the time may be from 1/2, beside the bracket. */
static void check_time(const framed *what, double off) {
  const toi_contact_answer *a = &got.answer;
  if (a->verdict != TOI_HIT || a->end != TOI_CONTACT_DONE)
    fail_msg("%s: %s, ended by %s", what->name, toi_verdict_name(a->verdict), toi_contact_end_name(a->end));
  if (!(a->t_lo - off <= 0.5 && 0.5 <= a->t_hi + off && a->t_hi - a->t_lo <= BRACKET))
    fail_msg("%s: [%.17g, %.17g]", what->name, a->t_lo, a->t_hi);
}

static void check_isolated(const framed *what) {
  assert_int_equal(got.count, 1);
  const toi_contact_point *c = &got.contacts[0];
  if (c->certificate != TOI_CONTACT_UNIQUE || !(what->distance(c->point) <= c->error + 1e-13))
    fail_msg("%s: %s, %g off, error %g", what->name, toi_contact_certificate_name(c->certificate),
             what->distance(c->point), c->error);
}

static void check_set(const framed *what) {
  double worst = 0, box = 0;
  for (size_t i = 0; i < got.count; i++) {
    const toi_contact_point *c = &got.contacts[i];
    box = fmax(box, c->error);
    if (!(what->distance(c->point) <= NEAR) || c->certificate != TOI_CONTACT_SINGULAR)
      fail_msg("%s: contact %zu is %g off, %s", what->name, i, what->distance(c->point),
               toi_contact_certificate_name(c->certificate));
  }
  for (size_t i = 0; i < FRAMED_SAMPLES; i++) {
    double at[3], least = INFINITY;
    what->sample(i, at);
    for (size_t k = 0; k < got.count; k++)
      least = fmin(least, distance_of(got.contacts[k].point, at));
    worst = fmax(worst, least);
  }
  if (!(worst <= 2 * what->spacing + box))
    fail_msg("%s: %g from the nearest of %zu contacts", what->name, worst, got.count);
}

static void check_boxes(const framed *what, double most) {
  if (!((double)got.answer.boxes <= most))
    fail_msg("%s: %llu boxes instead of %.0f", what->name, (unsigned long long)got.answer.boxes, most);
}

static double plain_boxes(const framed *what) {
  view plain = {.built_in = false};
  ask_from(what, &plain, false, NULL);
  describe(what, &plain, false);
  return (double)got.answer.boxes;
}

static void no_frame_is_special(void **state) {
  (void)state;
  for (size_t i = 0; i < FRAMED_SCENES; i++) {
    const framed *what = &framed_scenes[i];
    double boxes = plain_boxes(what);
    if (what->most > 0)
      check_boxes(what, what->most);
    for (uint64_t turn = 0; turn < test_count_from(4, 2); turn++) {
      view from = {.built_in = turn % 2 == 1, .place = random_placement(&seed)};
      ask_from(what, &from, true, NULL);
      describe(what, &from, true);
      check_time(what, 1e-13);
      if (what->isolated)
        check_isolated(what);
      else
        check_set(what);
      check_boxes(what, FRAME_BOXES * boxes + CHANCE);
    }
  }
}

/* By a part of 1e-15 to 1e-3, and tilted as much: the time is off by a few times that. */
static void motions_may_be_a_little_off(void **state) {
  (void)state;
  for (size_t i = 0; i < FRAMED_SCENES; i++) {
    const framed *what = &framed_scenes[i];
    double boxes = plain_boxes(what);
    for (uint64_t round = 0; round < test_count_from(2, 1); round++) {
      int power = -15 + (int)(test_random(&seed) % 13);
      view from = {.perturb = pow(10, power), .place = random_placement(&seed)};
      random_direction(from.direction);
      random_direction(from.tilt);
      ask_from(what, &from, true, NULL);
      print_message("1e%d", power);
      describe(what, &from, true);
      check_time(what, 20 * from.perturb);
      check_boxes(what, PERTURBED_BOXES * boxes + CHANCE);
    }
  }
}

/* Whatever is left open when a budget ends the search: contacts of a curve or a region are not unique. Large budgets
 * are for small spacings: there are more contacts then. */
static void check_budgets(const framed *what, const view *from, bool placed) {
  for (uint64_t most = 10; most <= test_count_from(1000000, 1000); most *= 10) {
    toi_contact_options options = toi_default_contact_options();
    options.max_boxes = most;
    options.spacing = most > 1000 ? what->spacing / 4 : what->spacing;
    ask_from(what, from, placed, &options);
    for (size_t k = 0; k < got.count; k++)
      if (got.contacts[k].certificate != TOI_CONTACT_SINGULAR)
        fail_msg("%s, %llu boxes: unique", what->name, (unsigned long long)most);
  }
}

static void nothing_is_unique_on_curves_and_regions(void **state) {
  (void)state;
  for (size_t i = 0; i < FRAMED_SCENES; i++)
    for (int turn = 0; turn < 3 && !framed_scenes[i].isolated; turn++) {
      view from = {.built_in = turn == 2, .place = random_placement(&seed)};
      check_budgets(&framed_scenes[i], &from, turn > 0);
    }
}

/* A square spins about its middle as it comes down flat: all of it touches at once, its corners among it. */
static void spinning_square_has_no_unique_corners(void **state) {
  (void)state;
  toi_contact_options options = toi_default_contact_options();
  options.spacing = 0.5;
  for (options.max_boxes = 10; options.max_boxes <= test_count_from(30000, 3000); options.max_boxes *= 3) {
    stage s = {.context = context};
    toi_shape *square = NULL;
    well(&s, toi_shape_height_field(context, "0", (toi_interval){-1, 1}, (toi_interval){-1, 1}, &square));
    toi_motion *m = enter(&s, square);
    well(&s, toi_motion_turn(m, (double[]){0, 0, 1}, NULL, 0.25, 1.5));
    well(&s, toi_motion_move(m, (double[]){0, 0, 1}, (double[]){0, 0, -2}));
    enter_library(&s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_IMPLICIT, NULL);
    ask(&s, &options, &got);
    for (size_t k = 0; k < got.count; k++)
      assert_int_equal(got.contacts[k].certificate, TOI_CONTACT_SINGULAR);
    clear(&s);
  }
}

/* A corner that comes down before the rest of its square, however little, is the only contact. */
static void corner_of_a_tilted_square_is_unique(void **state) {
  (void)state;
  for (int power = -9; power <= -1; power += 2) {
    stage s = {.context = context};
    toi_contact_options options = toi_default_contact_options();
    toi_shape *square = NULL;
    options.simultaneity = 1e-12;
    well(&s, toi_shape_height_field(context, "0", (toi_interval){-1, 1}, (toi_interval){-1, 1}, &square));
    toi_motion *m = enter(&s, square);
    well(&s, toi_motion_turn(m, (double[]){2, 1, 0}, NULL, pow(10, power), 0));
    well(&s, toi_motion_move(m, (double[]){0, 0, 1}, (double[]){0, 0, -2}));
    enter_library(&s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_IMPLICIT, NULL);
    ask(&s, &options, &got);
    assert_int_equal(got.answer.verdict, TOI_HIT);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.contacts[0].certificate, TOI_CONTACT_UNIQUE);
    clear(&s);
  }
}

/* A ball comes down by series, turning as it does: its boxes shrink to a few roundings, it touches at a seam or next to
 * it now and then, and the contact is unique all the same. */
static void ball_that_moves_by_a_series_has_a_unique_contact(void **state) {
  (void)state;
  for (uint64_t round = 0; round < test_count_from(200, 50); round++) {
    double q[4][3], x[3][3];
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 4; k++)
        q[k][i] = ldexp(test_random_unit(&seed) - 0.5, -i);
      for (int k = 0; k < 3; k++)
        x[k][i] = ldexp(test_random_unit(&seed) - 0.5, -2 * i);
    }
    q[0][0] += 2;
    x[2][0] = 0.75;
    x[2][1] = -0.75;
    const toi_chebyshev series = {
        .t_to = 1, .count = 3, .quaternion = {q[0], q[1], q[2], q[3]}, .translation = {x[0], x[1], x[2]}};
    toi_shape_form form = round % 2 == 0 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT;
    stage s = {.context = context};
    toi_contact_options options = toi_default_contact_options();
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, form, (double[]){0.75});
    well(&s, toi_motion_chebyshev(m, &series));
    enter_library(&s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_IMPLICIT, NULL);
    ask(&s, &options, &got);
    if (got.answer.verdict != TOI_HIT || got.count != 1 || got.contacts[0].certificate != TOI_CONTACT_UNIQUE)
      fail_msg("round %llu: %s, %zu contacts", (unsigned long long)round, toi_verdict_name(got.answer.verdict),
               got.count);
    clear(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_frame_is_special),
      cmocka_unit_test(motions_may_be_a_little_off),
      cmocka_unit_test(nothing_is_unique_on_curves_and_regions),
      cmocka_unit_test(spinning_square_has_no_unique_corners),
      cmocka_unit_test(corner_of_a_tilted_square_is_unique),
      cmocka_unit_test(ball_that_moves_by_a_series_has_a_unique_contact),
  };
  seed = test_seed(1511);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
