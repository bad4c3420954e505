/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* First contact along circles and curves and over regions, against closed forms: the time lies in the bracket, the
 * points told are samples of the known set, at least the spacing apart, and nothing of the set is farther than twice
 * the spacing and a box from one. Also with the whole scene placed anywhere. */

#include "contact/program.h"
#include "contact/sets.h"

#define BRACKET 1e-5

/* A sample is a small box that is not refuted: the tolerance, and what lies at most so far from the other surface. */
#define NEAR 1e-3

static uint64_t seed;

static void check_time(const char *name, const truth *known) {
  const toi_contact_answer *a = &got.answer;
  if (a->verdict != TOI_HIT || a->end != TOI_CONTACT_DONE || a->touching_at_start)
    fail_msg("%s: %s, ended by %s", name, toi_verdict_name(a->verdict), toi_contact_end_name(a->end));
  if (!(a->t_lo <= known->t && known->t <= a->t_hi && a->t_hi - a->t_lo <= BRACKET))
    fail_msg("%s: [%.17g, %.17g] instead of %.17g", name, a->t_lo, a->t_hi, known->t);
  if (!(a->t_safe < known->t))
    fail_msg("%s: %.17g is not safe", name, a->t_safe);
}

static void check_places(const char *name, const truth *known) {
  for (size_t i = 0; i < got.count; i++) {
    const toi_contact_point *c = &got.contacts[i];
    double away = known->distance(c->point);
    if (!(away <= NEAR) || c->certificate != TOI_CONTACT_SINGULAR)
      fail_msg("%s: contact %zu is %g off, %s", name, i, away, toi_contact_certificate_name(c->certificate));
    for (size_t k = 0; k < i; k++) {
      double apart = distance_of(got.contacts[k].point, c->point);
      if (!(apart >= known->spacing * (1 - 1e-9)))
        fail_msg("%s: contacts %zu and %zu are %g apart", name, k, i, apart);
    }
  }
}

static void check_cover(const char *name, const truth *known) {
  double box = 0, worst = 0;
  for (size_t i = 0; i < got.count; i++)
    box = fmax(box, got.contacts[i].error);
  for (size_t i = 0; i < known->samples; i++) {
    double at[3], least = INFINITY;
    known->sample(i, at);
    for (size_t k = 0; k < got.count; k++)
      least = fmin(least, distance_of(got.contacts[k].point, at));
    worst = fmax(worst, least);
  }
  if (!(worst <= 2 * known->spacing + box && box <= NEAR))
    fail_msg("%s: %g from the nearest of %zu contacts, of boxes up to %g", name, worst, got.count, box);
}

static void check_set(const scene *what, const placement *place, double finer) {
  stage s = {.context = context, .place = place};
  truth known;
  toi_contact_options options = toi_default_contact_options();
  what->build(&s, &known);
  put_in_place(&s);
  known.spacing /= finer;
  options.spacing = known.spacing;
  ask(&s, &options, &got);
  tell(what->name, &s, &got);
  check_time(what->name, &known);
  check_places(what->name, &known);
  check_cover(what->name, &known);
  clear(&s);
}

/* As written, more finely, and placed anywhere. */
static void check_all(const scene *what) {
  placement place = random_placement(&seed);
  check_set(what, NULL, 1);
  check_set(what, NULL, 2);
  check_set(what, &place, 1);
}

static void torus_on_cone_touches_along_a_circle(void **state) {
  (void)state;
  check_all(&(const scene){"torus on cone", torus_on_cone});
}

static void aligned_tori_touch_along_a_circle(void **state) {
  (void)state;
  check_all(&(const scene){"tori aligned", tori_aligned});
}

static void tube_swells_onto_cushion_along_a_curve(void **state) {
  (void)state;
  check_all(&(const scene){"tube on cushion", tube_on_cushion});
}

/* A plate of side 2, a height field of height 0, laid flat on the ground: a region that spans many times the spacing.
 */
static double from_plate(const double p[3]) {
  double x = fmax(fabs(p[0]) - 1, 0), y = fmax(fabs(p[1]) - 1, 0);
  return sqrt(x * x + y * y + p[2] * p[2]);
}

static void on_plate(size_t i, double at[3]) {
  size_t row = i / 41, column = i % 41;
  at[0] = (double)column / 20 - 1;
  at[1] = (double)row / 20 - 1;
  at[2] = 0;
}

static void plate_on_ground(stage *s, truth *known) {
  toi_shape *plate;
  const toi_interval side = {-1, 1};
  *known = (truth){.t = 0.5, .samples = 41 * 41, .spacing = 0.25, .sample = on_plate, .distance = from_plate};
  well(s, toi_shape_height_field(s->context, "0", side, side, &plate));
  toi_motion *motion = enter(s, plate);
  well(s, toi_motion_move(motion, (double[]){0, 0, 1}, (double[]){0, 0, -2}));
  enter_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_IMPLICIT, NULL);
}

static void plate_is_laid_flat_on_the_ground(void **state) {
  (void)state;
  check_all(&(const scene){"plate on ground", plate_on_ground});
}

static void clamped_sines_meet_over_six_squares(void **state) {
  (void)state;
  check_all(&(const scene){"clamped sines", clamped_sines});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(torus_on_cone_touches_along_a_circle),   cmocka_unit_test(aligned_tori_touch_along_a_circle),
      cmocka_unit_test(tube_swells_onto_cushion_along_a_curve), cmocka_unit_test(plate_is_laid_flat_on_the_ground),
      cmocka_unit_test(clamped_sines_meet_over_six_squares),
  };
  seed = test_seed(604);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
