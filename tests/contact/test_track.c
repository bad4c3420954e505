/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts that last, beside closed forms: what bounces, rests, slides, rolls, is pressed in or lifted off; the same
 * from any side; nothing new is missed beside what is tracked. */

#include "contact/tracks.h"

#define DELTA 1e-6
#define MARGIN 0.02

static uint64_t seed;

/* --- a ball that bounces --- */

/* z = R + v t - g t^2 / 2 is 0 above the plane again at 2 v / g. */
#define GRAVITY 9.81
#define RESTITUTION 0.999

static void every_bounce_is_found_once_at_its_time(void **state) {
  (void)state;
  const uint64_t bounces = test_count_from(120, 20);
  double speed = 3, time = 0;
  long double exact_speed = 3, exact_time = 0;
  for (uint64_t i = 0; i < bounces; i++) {
    track_stage s;
    char z[128];
    track_open(&s);
    (void)snprintf(z, sizeof z, "0.25 + %.17g*t - %.17g*t^2", speed, 0.5 * GRAVITY);
    track_path(track_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.25}), "0", "0", z);
    track_library(&s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
    track_rest(&s, DELTA, MARGIN);
    assert_int_equal(s.scene.track_count, 1);
    track_step(&s, 1);
    assert_int_equal(s.answer.verdict, TOI_HIT);
    assert_int_equal(s.answer.event, TOI_TRACK_CONTACT);
    assert_int_equal(s.answer.ended, 1);
    assert_int_equal(s.tracks[0].state, TOI_TRACK_ENDED);
    assert_true(s.answer.contacts == 1 && s.contacts[0].proved);
    time += s.answer.t_hi;
    speed = RESTITUTION * (GRAVITY * s.answer.t_hi - speed);
    exact_time += 2 * exact_speed / (long double)GRAVITY;
    exact_speed *= (long double)RESTITUTION;
    assert_true(fabsl(time - exact_time) <= 1e-9L * exact_time);
    track_close(&s);
  }
  print_message("  %llu bounces in %.17g, off by %.3Lg\n", (unsigned long long)bounces, time, time - exact_time);
}

/* --- a block on a plane, on another block --- */

static void lay_block(track_stage *s, bool table, const char *x) {
  track_open(s);
  track_path(track_library(s, TOI_SHAPE_BOX, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1, 0.5}), x, "0", "0.25");
  if (table)
    track_path(track_library(s, TOI_SHAPE_BOX, TOI_SHAPE_FORM_DEFAULT, (double[]){4, 2, 1}), "0", "0", "-0.5");
  else
    track_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
}

/* What a step costs does not grow, as it is asked the same. */
static void a_block_rests_for_as_long_as_it_likes(void **state) {
  (void)state;
  const uint64_t steps = test_count_from(1000, 20);
  for (int table = 0; table < 2; table++) {
    track_stage s;
    lay_block(&s, table, "0");
    track_rest(&s, DELTA, MARGIN);
    assert_int_equal(s.scene.track_count, 1);
    uint64_t boxes = 0;
    toi_interval kept[3];
    for (uint64_t i = 0; i < (table ? steps / 5 : steps); i++) {
      track_step(&s, 0.01);
      assert_int_equal(s.answer.event, TOI_TRACK_NOTHING);
      assert_int_equal(s.answer.pieces, 1);
      assert_true(i == 0 || (s.answer.boxes == boxes && memcmp(kept, s.tracks[0].box_b, sizeof kept) == 0));
      boxes = s.answer.boxes;
      memcpy(kept, s.tracks[0].box_b, sizeof kept);
    }
    // The region of contact, and hardly more.
    for (int k = 0; k < 2; k++)
      assert_true(kept[k].lo <= -0.5 && kept[k].hi >= 0.5 && kept[k].hi - kept[k].lo < 1 + MARGIN);
    track_close(&s);
  }
}

/* It leaves the table when its back edge passes the table's: -1/2 + 5 t = 2 at t = 1/2; the path is not straight. */
static void a_block_slides_off_a_table_at_its_time(void **state) {
  (void)state;
  track_stage s;
  lay_block(&s, true, "5*t + 0.125*(t - 0.5)*t");
  track_rest(&s, DELTA, 0.1);
  for (int i = 0; s.tracks[0].state == TOI_TRACK_HOLDS && i < 8; i++) {
    s.scene.t_from = 0.125 * i;
    track_step(&s, 0.125 * (i + 1));
    assert_int_equal(s.answer.event, TOI_TRACK_NOTHING);
  }
  assert_int_equal(s.tracks[0].state, TOI_TRACK_ENDED);
  assert_true(s.tracks[0].proved && s.tracks[0].t_lo <= 0.5 && s.tracks[0].t_hi > 0.5 && s.tracks[0].t_hi < 0.501);
  track_close(&s);
}

/* --- depth --- */

typedef struct pressing {
  toi_shape_kind kind;
  toi_shape_form form, plane;
  double size[3], height;
} pressing;

/* Ball or block on a plane, of every kind of pair; the plane first, too. */
static const pressing pressings[] = {
    {TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_IMPLICIT, TOI_SHAPE_FORM_IMPLICIT, {0.5, 0, 0}, 0.5},
    {TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, TOI_SHAPE_FORM_IMPLICIT, {0.5, 0, 0}, 0.5},
    {TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_IMPLICIT, TOI_SHAPE_FORM_PARAMETRIC, {0.5, 0, 0}, 0.5},
    {TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, TOI_SHAPE_FORM_PARAMETRIC, {0.5, 0, 0}, 0.5},
    {TOI_SHAPE_BOX, TOI_SHAPE_FORM_DEFAULT, TOI_SHAPE_FORM_IMPLICIT, {1, 1, 1}, 0.5},
    {TOI_SHAPE_BOX, TOI_SHAPE_FORM_DEFAULT, TOI_SHAPE_FORM_PARAMETRIC, {1, 1, 1}, 0.5},
    {TOI_SHAPE_CAPSULE, TOI_SHAPE_FORM_IMPLICIT, TOI_SHAPE_FORM_IMPLICIT, {0.25, 0.5, 0}, 0.5}};

/* Everything turned and shifted alike by one motion at the end, which changes no distance. */
static void place(toi_motion *motion, int which) {
  static const double axis[3][3] = {{0, 0, 1}, {1, 2, 3}, {-2, 1, 0.5}};
  if (which > 0)
    track_well(toi_motion_turn(motion, axis[which - 1], (double[]){0.5, 1, -1}, 0.7 * which, 0));
}

static void press(track_stage *s, const pressing *p, bool plane_first, int placement, const char *z) {
  const double area[2] = {4, 4};
  track_open(s);
  for (int i = 0; i < 2; i++) {
    toi_motion *m;
    if ((i == 0) == plane_first) {
      m = track_library(s, TOI_SHAPE_PLANE, p->plane, area);
    } else {
      m = track_library(s, p->kind, p->form, p->size);
      // Not on a pole.
      if (p->kind == TOI_SHAPE_SPHERE)
        track_well(toi_motion_turn(m, (double[]){1, 0.5, 0}, NULL, 1, 0));
      track_path(m, "0.125", "0.25", z);
    }
    place(m, placement);
  }
}

static void check_bracket(const toi_track *track, double truth, double width) {
  if (!(track->t_lo <= truth && truth <= track->t_hi && track->t_hi - track->t_lo <= width))
    print_message("  [%.17g, %.17g] beside %.17g\n", track->t_lo, track->t_hi, truth);
  assert_true(track->t_lo <= truth && truth <= track->t_hi && track->t_hi - track->t_lo <= width);
}

/* It sinks by t / 10: delta deep at 10 delta. */
static void what_is_pressed_in_is_deeper_than_delta_when_it_is(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pressings / sizeof *pressings; i++)
    for (int other = 0; other < 4; other++) {
      track_stage s;
      const double delta = 0.0009765625;
      press(&s, &pressings[i], other & 1, other, "0.5 - 0.1*t");
      track_rest(&s, delta, MARGIN);
      assert_int_equal(s.scene.track_count, 1);
      track_step(&s, 0.05);
      assert_int_equal(s.answer.event, TOI_TRACK_LOST);
      assert_int_equal(s.tracks[0].state, TOI_TRACK_DEEPER);
      assert_int_equal(s.answer.verdict, s.tracks[0].proved ? TOI_HIT : TOI_NEAR);
      assert_true(s.tracks[0].proved);
      // As it lies turned, rounding and the time in halves cost a little.
      check_bracket(&s.tracks[0], 10 * delta, 1e-4);
      assert_true(s.answer.t_lo == s.tracks[0].t_lo && s.answer.t_hi == s.tracks[0].t_hi);
      track_close(&s);
    }
}

/* It rises by t / 10: more than delta above at 10 delta. */
static void what_is_lifted_ends_above_delta(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pressings / sizeof *pressings; i++)
    for (int other = 0; other < 4; other++) {
      track_stage s;
      const double delta = 0.0009765625;
      press(&s, &pressings[i], other & 1, other, "0.5 + 0.1*t");
      track_rest(&s, delta, MARGIN);
      track_step(&s, 0.05);
      assert_int_equal(s.answer.event, TOI_TRACK_NOTHING);
      assert_int_equal(s.answer.ended, 1);
      const toi_track *track = &s.tracks[0];
      assert_int_equal(track->state, TOI_TRACK_ENDED);
      // Never before; a box that is small is not split until it is known to be above.
      assert_true(track->proved && track->t_hi > 10 * delta && track->t_hi < 0.02);
      track_close(&s);
    }
}

/* Moves about within delta, or beyond: nothing is said too late. */
static void what_trembles_holds_as_long_as_it_does(void **state) {
  (void)state;
  const uint64_t rounds = test_count_from(40, 4);
  uint64_t kept = 0, lost = 0, ended = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    track_stage s;
    char z[160];
    const double delta = 1e-3, part = 0.3 + 1.5 * test_random_unit(&seed), rate = 5 + 20 * test_random_unit(&seed);
    (void)snprintf(z, sizeof z, "0.5 + %.17g*sin(%.17g*t)", delta * part, test_random_unit(&seed) < 0.5 ? rate : -rate);
    const bool down = strstr(z, "sin(-") != NULL;
    press(&s, &pressings[i % (sizeof pressings / sizeof *pressings)], i & 1, 0, z);
    track_rest(&s, delta, MARGIN);
    track_step(&s, 0.2);
    const double first = part <= 1 ? INFINITY : asin(1 / part) / rate;
    const double other = first + 3.14159265358979 / rate;
    const double deep = down ? first : other, high = down ? other : first;
    const toi_track *track = &s.tracks[0];
    if (track->state == TOI_TRACK_HOLDS) {
      assert_true(deep > 0.2 - 1e-9);
      kept++;
    } else if (track->state == TOI_TRACK_ENDED) {
      assert_true(track->t_hi >= high - 1e-9 && deep > track->t_hi);
      ended++;
    } else {
      assert_int_equal(track->state, TOI_TRACK_DEEPER);
      assert_true(track->t_lo <= deep + 1e-9 && (!track->proved || track->t_hi >= deep - 1e-9));
      lost++;
    }
    track_close(&s);
  }
  print_message("  %llu held, %llu ended, %llu too deep\n", (unsigned long long)kept, (unsigned long long)ended,
                (unsigned long long)lost);
}

/* --- contacts elsewhere --- */

/* A cylinder of radius 1/2 lies along y and runs at t^2 towards a wall at x = 9/8: it is there at (9/8 - 1/2)^(1/2). */
static void what_rolls_meets_a_wall(void **state) {
  (void)state;
  track_stage s;
  track_open(&s);
  toi_motion *m = track_library(&s, TOI_SHAPE_CAPPED_CYLINDER, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5, 1});
  track_well(toi_motion_formula(m, (const char *const[]){"1", "1", "0", "0"}, NULL));
  track_path(m, "t^2", "0", "0.5");
  track_library(&s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
  m = track_library(&s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
  track_well(toi_motion_turn(m, (double[]){0, 1, 0}, NULL, -1.5707963267948966, 0));
  track_well(toi_motion_move(m, (double[]){1.125, 0, 0}, NULL));
  track_rest(&s, DELTA, 0.05);
  assert_int_equal(s.scene.track_count, 1);
  track_step(&s, 1);
  const double truth = sqrt(0.625);
  assert_int_equal(s.answer.event, TOI_TRACK_CONTACT);
  assert_int_equal(s.answer.verdict, TOI_HIT);
  assert_true(s.answer.t_lo <= truth + 1e-15 && s.answer.t_hi >= truth - 1e-15);
  assert_true(s.answer.t_hi - s.answer.t_lo < 1e-9);
  for (size_t i = 0; i < s.contact_count; i++)
    assert_true(s.contacts[i].a == 0 && s.contacts[i].b == 2 && fabs(s.contacts[i].point[0] - 1.125) < 1e-6);
  // The line of contact went along, and the track holds at the wall.
  assert_int_equal(s.tracks[0].state, TOI_TRACK_HOLDS);
  assert_true(s.tracks[0].box_b[0].lo <= 0.625 && s.tracks[0].box_b[0].hi >= 0.625 - 1e-9);
  assert_true(s.tracks[0].box_b[0].hi - s.tracks[0].box_b[0].lo < 0.1);
  track_close(&s);
}

/* A ball of radius 1/2 runs along z = 0 and meets a bump of the same surface, z = (1 - 16 (x - 2)^2)^4 / 4 where that
 * is not less than 0: the centre is then 1/2 away from it. */
static double bump(double x) {
  const double base = fmax(0, 1 - 16 * (x - 2) * (x - 2));
  return 0.25 * base * base * base * base;
}

static double least_gap(double centre) {
  double least = INFINITY;
  // Beyond the contact that is tracked, which is at the centre's own x.
  for (int i = 100; i <= 500; i++) {
    const double x = centre + 0.001 * i, z = bump(x) - 0.5;
    const double gap = sqrt((x - centre) * (x - centre) + z * z) - 0.5;
    least = gap < least ? gap : least;
  }
  return least;
}

static void a_bump_of_the_same_surface_is_a_new_contact(void **state) {
  (void)state;
  toi_formula *f;
  toi_shape *ground;
  track_stage s;
  track_open(&s);
  track_path(track_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){0.5}), "2*t", "0", "0.5");
  toi_implicit implicit = {.size = sizeof implicit, .solid = true};
  const char *const names[] = {"x", "y", "z", "t"};
  track_well(toi_formula_create(context, names, 4, &f));
  implicit.function = toi_formula_parse(f, "z - 0.25*max(0, 1 - 16*(x - 2)^2)^4");
  implicit.formula = f;
  for (int k = 0; k < 3; k++)
    implicit.bounds[k] = (toi_interval){-4, 4};
  track_well(toi_shape_implicit(context, &implicit, &ground));
  toi_formula_destroy(f);
  track_enter(&s, ground);
  track_rest(&s, 1e-4, 0.05);
  track_step(&s, 1);
  double lo = 0, hi = 2;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (lo + hi);
    if (least_gap(middle) > 0)
      lo = middle;
    else
      hi = middle;
  }
  assert_int_equal(s.answer.event, TOI_TRACK_CONTACT);
  assert_int_equal(s.answer.verdict, TOI_HIT);
  assert_true(fabs(0.5 * lo - s.answer.t_hi) < 1e-5);
  assert_true(s.answer.contacts >= 1 && s.contacts[0].point[2] > 0.01);
  assert_int_equal(s.tracks[0].state, TOI_TRACK_HOLDS);
  track_close(&s);
}

/* What is not tracked touches at once, as toi_contact() says. */
static void what_is_not_tracked_is_found_at_the_start(void **state) {
  (void)state;
  track_stage s;
  lay_block(&s, false, "0");
  track_step(&s, 1);
  assert_int_equal(s.answer.event, TOI_TRACK_CONTACT);
  // Faces that rest on each other do not cross: there is no proof that they touch.
  assert_int_equal(s.answer.verdict, TOI_NEAR);
  assert_true(s.answer.t_lo == 0 && s.answer.t_hi == 0 && s.answer.t_safe == 0 && s.answer.contacts > 0);
  track_close(&s);
}

int main(void) {
  seed = test_seed(20261119);
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_bounce_is_found_once_at_its_time),
                                     cmocka_unit_test(a_block_rests_for_as_long_as_it_likes),
                                     cmocka_unit_test(a_block_slides_off_a_table_at_its_time),
                                     cmocka_unit_test(what_is_pressed_in_is_deeper_than_delta_when_it_is),
                                     cmocka_unit_test(what_is_lifted_ends_above_delta),
                                     cmocka_unit_test(what_trembles_holds_as_long_as_it_does),
                                     cmocka_unit_test(what_rolls_meets_a_wall),
                                     cmocka_unit_test(a_bump_of_the_same_surface_is_a_new_contact),
                                     cmocka_unit_test(what_is_not_tracked_is_found_at_the_start)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
