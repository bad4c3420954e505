/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Clearance fits: parts with a gap of a hundredth to a hundred-thousandth of their size, at rest, sliding and turning,
 * are proved not to touch with default settings; pushed off centre by more than the gap they are proved to. Contact
 * times of a ball in its socket are known, and bracketed. */

#include "surface/fits.h"

static const double gaps[4] = {1e-2, 1e-3, 1e-4, 1e-5};

/* With a sanitizer only the widest gap: the narrower ones go through the same code. */
#define GAP_STEP (TEST_SANITIZED ? 4 : 1)

static const double none[3] = {0, 0, 0}, forward[3] = {0, 0, 1}, around[3] = {0, 0, 1};

static toi_context *context;
static fit_part a, b;

static toi_surface_hit ask(const spin_motion *motion_a, const spin_motion *motion_b) {
  const toi_surface_options options = toi_default_surface_options();
  toi_surface_hit hit;
  if (spin_pair(context, &a.model, motion_a, &b.model, motion_b, &options, &hit) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return hit;
}

static void expect(const toi_surface_hit *hit, toi_verdict verdict, const char *what, double gap) {
  if (hit->verdict != verdict)
    fail_msg("%s, gap %g: %s (%s) from %g to %g, expected %s", what, gap, toi_verdict_name((toi_verdict)hit->verdict),
             toi_surface_end_name((toi_surface_end)hit->end), hit->t_lo, hit->t_hi, toi_verdict_name(verdict));
}

static void expect_motion(const double velocity[3], const double spin[3], const double centre[3], toi_verdict verdict,
                          const char *what, double gap) {
  const spin_motion motion = fit_motion(velocity, spin, centre);
  const toi_surface_hit hit = ask(&motion, NULL);
  expect(&hit, verdict, what, gap);
}

/* --- shafts --- */

static void a_shaft_in_its_bore(void **state) {
  (void)state;
  for (int i = 0; i < 4; i += GAP_STEP) {
    const double gap = gaps[i], centre[3] = {0.18 * gap, 0.24 * gap, 0};
    fit_make_cylinder(&b, &(fit_cylinder){.rx = 1 + gap, .ry = 1 + gap, .half = 2});
    fit_make_cylinder(&a, &(fit_cylinder){1, 1, 1, centre[0], centre[1], 0.3});
    expect_motion(none, none, none, TOI_MISS, "a shaft at rest", gap);
    expect_motion(forward, none, none, TOI_MISS, "a shaft that slides", gap);
    expect_motion(none, around, centre, TOI_MISS, "a shaft that turns", gap);
    expect_motion(forward, around, centre, TOI_MISS, "a shaft that does both", gap);
    // The bore turns around the shaft instead; and both turn.
    const spin_motion turns = fit_motion(none, around, none), back = fit_motion(none, (double[3]){0, 0, -0.5}, none);
    toi_surface_hit hit = ask(NULL, &turns);
    expect(&hit, TOI_MISS, "a bore that turns", gap);
    hit = ask(&back, &turns);
    expect(&hit, TOI_MISS, "both turn", gap);
  }
}

static void a_shaft_that_is_pushed_into_its_bore(void **state) {
  (void)state;
  for (int i = 0; i < 4; i += GAP_STEP) {
    const double gap = gaps[i];
    fit_make_cylinder(&b, &(fit_cylinder){.rx = 1 + gap, .ry = 1 + gap, .half = 2});
    fit_make_cylinder(&a, &(fit_cylinder){1, 1, 1, 1.2 * gap, 1.6 * gap, 0.3});
    expect_motion(none, none, none, TOI_HIT, "a shaft at rest", gap);
    expect_motion(forward, none, none, TOI_HIT, "a shaft that slides", gap);
    expect_motion(none, around, none, TOI_HIT, "a shaft that turns", gap);
  }
}

/* It turns, and moves by twice the gap meanwhile: it touches half way. */
static void a_shaft_that_turns_into_its_bore(void **state) {
  (void)state;
  for (int i = 0; i < 4; i += GAP_STEP) {
    const double gap = gaps[i], slack = 1e-14 / gap;
    fit_make_cylinder(&b, &(fit_cylinder){.rx = 1 + gap, .ry = 1 + gap, .half = 2});
    fit_make_cylinder(&a, &(fit_cylinder){1, 1, 1, 0, 0, 0.3});
    const spin_motion motion = fit_motion((double[3]){1.2 * gap, 1.6 * gap, 0}, around, none);
    const toi_surface_hit hit = ask(&motion, NULL);
    expect(&hit, TOI_HIT, "a shaft that turns and moves", gap);
    assert_true(hit.t_lo <= 0.5 + slack && hit.t_hi >= 0.5 - slack && hit.t_lo > 0.2 && hit.t_hi < 0.6);
  }
}

/* Both turn, and their centres move apart: separators cannot follow that, and must not. */
static void a_shaft_and_a_bore_that_turn_apart(void **state) {
  (void)state;
  for (int i = 0; i < 4; i += GAP_STEP) {
    const double gap = gaps[i], slack = 1e-14 / gap;
    fit_make_cylinder(&b, &(fit_cylinder){.rx = 1 + gap, .ry = 1 + gap, .half = 2});
    fit_make_cylinder(&a, &(fit_cylinder){1, 1, 1, 0, 0, 0.3});
    const spin_motion motion = fit_motion((double[3]){1.2 * gap, 1.6 * gap, 0}, around, none);
    const spin_motion back = fit_motion(none, (double[3]){0, 0, -0.5}, none);
    const toi_surface_hit hit = ask(&motion, &back);
    assert_true(hit.verdict != TOI_MISS && hit.t_lo <= 0.5 + slack);
    assert_true(hit.verdict != TOI_HIT || hit.t_hi >= 0.5 - slack);
  }
}

/* The least angle by which an elliptic shaft, off its centre, touches the bore: where its points leave it. */
static double touching_angle(double gap, const double centre[3]) {
  double lo = 0, hi = 1.6;
  for (int step = 0; step < 60; step++) {
    const double angle = 0.5 * lo + 0.5 * hi;
    bool inside = true;
    for (int i = 0; i < 4000 && inside; i++) {
      const double t = 6.283185307179586 * i / 4000, x = cos(t), y = 0.98 * sin(t);
      const double p = (centre[0] + cos(angle) * x - sin(angle) * y) / (1 + gap);
      const double q = (centre[1] + sin(angle) * x + cos(angle) * y) / (0.98 + gap);
      inside = p * p + q * q < 1;
    }
    *(inside ? &lo : &hi) = angle;
  }
  return lo;
}

static void an_elliptic_shaft_rocks(void **state) {
  (void)state;
  for (int i = 0; i < 4; i += GAP_STEP) {
    const double gap = gaps[i], centre[3] = {0.18 * gap, 0.24 * gap, 0};
    const double angle = touching_angle(gap, centre);
    fit_make_cylinder(&b, &(fit_cylinder){.rx = 1 + gap, .ry = 0.98 + gap, .half = 2});
    fit_make_cylinder(&a, &(fit_cylinder){1, 0.98, 1, centre[0], centre[1], 0});
    expect_motion(none, none, none, TOI_MISS, "an elliptic shaft at rest", gap);
    expect_motion(forward, none, none, TOI_MISS, "an elliptic shaft that slides", gap);
    expect_motion(none, (double[3]){0, 0, 0.5 * angle}, centre, TOI_MISS, "an elliptic shaft that rocks", gap);
    const spin_motion farther = fit_motion(none, (double[3]){0, 0, 1.5 * angle}, centre);
    const toi_surface_hit hit = ask(&farther, NULL);
    // It touches after two thirds of the step: whatever is found, nothing else is proved.
    assert_true(hit.verdict != TOI_MISS);
    assert_true(hit.t_lo <= 2.0 / 3 + 1e-3 && (hit.verdict != TOI_HIT || hit.t_hi >= 2.0 / 3 - 1e-3));
  }
}

/* --- balls --- */

static void a_ball_in_its_socket(void **state) {
  (void)state;
  for (int i = 0; i < 4; i += GAP_STEP) {
    const double gap = gaps[i];
    fit_make_ball(&a, 1, 0, 0.3);
    fit_make_ball(&b, 1 + gap, 0, 0);
    expect_motion(none, none, none, TOI_MISS, "a ball at rest", gap);
    expect_motion((double[3]){0.5 * gap, 0, 0}, none, none, TOI_MISS, "a ball that slides", gap);
    expect_motion(none, (double[3]){0.6, 0.8, 0}, none, TOI_MISS, "a ball that turns", gap);
    fit_make_ball(&a, 1, 2 * gap, 0.3);
    expect_motion(none, none, none, TOI_HIT, "a ball pushed in, at rest", gap);
    expect_motion(none, (double[3]){0.6, 0.8, 0}, none, TOI_HIT, "a ball pushed in, turning", gap);
  }
}

/* A ball that slides by twice the gap touches after half of the step: a wrong miss, or a wrong bracket, would show. */
static void a_ball_that_slides_too_far(void **state) {
  (void)state;
  for (int i = 0; i < 4; i += GAP_STEP) {
    const double gap = gaps[i];
    fit_make_ball(&a, 1, 0, 0.3);
    fit_make_ball(&b, 1 + gap, 0, 0);
    const spin_motion motion = fit_motion((double[3]){2 * gap, 0, 0}, none, none);
    const toi_surface_hit hit = ask(&motion, NULL);
    expect(&hit, TOI_HIT, "a ball that slides too far", gap);
    const double slack = 1e-15 / gap;
    assert_true(hit.t_lo <= 0.5 + slack && hit.t_hi >= 0.5 - slack && hit.t_lo > 0.4);
  }
}

/* Nothing that penetrates by a tiny part of the gap, or only touches, is a miss. */
static void what_touches_is_no_miss(void **state) {
  (void)state;
  uint64_t seed = test_seed(0xf17);
  toi_surface_options options = toi_default_surface_options();
  options.max_checks = 20000;
  for (uint64_t round = test_count_from(12, 3); round > 0; round--) {
    const double gap = gaps[test_random(&seed) % 4], over = gap * (1 + 1e-6 + 1e-13 / gap);
    const bool turns = test_random(&seed) % 2;
    fit_make_cylinder(&b, &(fit_cylinder){.rx = 1 + gap, .ry = 1 + gap, .half = 2});
    fit_make_cylinder(&a, &(fit_cylinder){1, 1, 1, turns ? over : 0, 0, 6.3 * test_random_unit(&seed)});
    const double spin[3] = {0, 0, test_random_unit(&seed)}, centre[3] = {over, 0, 0};
    const spin_motion motion = turns ? fit_motion(none, spin, centre) : fit_motion((double[3]){over, 0, 0}, none, none);
    toi_surface_hit hit;
    assert_int_equal(spin_pair(context, &a.model, &motion, &b.model, NULL, &options, &hit), TOI_OK);
    assert_true(hit.verdict != TOI_MISS);
  }
}

/* --- separations --- */

/* With a separation a little below the gap there is a proof, with one a little above it there is none. */
static void a_separation_is_part_of_the_gap(void **state) {
  (void)state;
  toi_surface_options options = toi_default_surface_options();
  for (int i = 0; i < 4; i += GAP_STEP)
    for (int norm = 0; norm < 2; norm++)
      for (int turns = 0; turns < 2; turns++) {
        // In the largest-coordinate norm a gap counts for 1 / sqrt 3 of it at least.
        const double gap = gaps[i], part = norm == 0 ? 0.9 : 0.5;
        fit_make_ball(&a, 1, 0, 0.3);
        fit_make_ball(&b, 1 + gap, 0, 0);
        const spin_motion motion = fit_motion(none, turns ? around : none, none);
        options.norm = norm == 0 ? TOI_NORM_L2 : TOI_NORM_LINF;
        toi_surface_hit hit;
        options.max_checks = 0;
        options.min_separation = part * gap;
        assert_int_equal(spin_pair(context, &a.model, &motion, &b.model, NULL, &options, &hit), TOI_OK);
        expect(&hit, TOI_MISS, "a ball with a separation below the gap", gap);
        options.max_checks = 20000;
        options.min_separation = 1.001 * gap;
        assert_int_equal(spin_pair(context, &a.model, &motion, &b.model, NULL, &options, &hit), TOI_OK);
        assert_true(hit.verdict != TOI_MISS);
      }
}

/* --- free forms --- */

static void a_grooved_spindle_in_its_bore(void **state) {
  (void)state;
  const int first = test_count(4) < 4 ? 2 : 0;
  for (int i = first; i < 4; i++) {
    const double gap = gaps[i];
    fit_make_spindle(&a, 0, 0.3, 28);
    fit_make_spindle(&b, gap, 0, 28);
    expect_motion(none, none, none, TOI_MISS, "a spindle at rest", gap);
    expect_motion(none, around, none, TOI_MISS, "a spindle that turns", gap);
    expect_motion((double[3]){0, 0, 0.3 * gap}, around, none, TOI_MISS, "a spindle that turns and shifts", gap);
  }
}

static void a_sheet_over_its_own_offset(void **state) {
  (void)state;
  for (int i = 0; i < 4; i += GAP_STEP) {
    const double gap = gaps[i];
    fit_make_sheet(&a, 0, 12);
    fit_make_sheet(&b, gap, 12);
    expect_motion(none, none, none, TOI_MISS, "a sheet at rest", gap);
    expect_motion((double[3]){0.3 * gap, -0.2 * gap, 0}, none, none, TOI_MISS, "a sheet that shifts", gap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shaft_in_its_bore),
      cmocka_unit_test(a_shaft_that_is_pushed_into_its_bore),
      cmocka_unit_test(a_shaft_that_turns_into_its_bore),
      cmocka_unit_test(a_shaft_and_a_bore_that_turn_apart),
      cmocka_unit_test(an_elliptic_shaft_rocks),
      cmocka_unit_test(a_ball_in_its_socket),
      cmocka_unit_test(a_ball_that_slides_too_far),
      cmocka_unit_test(what_touches_is_no_miss),
      cmocka_unit_test(a_separation_is_part_of_the_gap),
      cmocka_unit_test(a_grooved_spindle_in_its_bore),
      cmocka_unit_test(a_sheet_over_its_own_offset),
  };
  context = test_context(1);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  toi_context_destroy(context);
  return failed;
}
