/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Inverses, roots and sines of balls, and formulas and motions in balls, against MPFR in 300 bits: what they hold, and
 * that their radii are not much larger than they must be. */

#include <math.h>
#include <mpfr.h>
#include <stdio.h>

#include "motion/motion_ball.h"
#include "number/ball_functions.h"
#include "support/support.h"

enum { BITS = 300 };

static void put(mpfr_ptr to, toi_ball a, double place) {
  mpfr_t part;
  mpfr_init2(part, BITS);
  mpfr_set_d(to, a.x.hi, MPFR_RNDN);
  mpfr_add_d(to, to, a.x.lo, MPFR_RNDN);
  mpfr_set_d(part, a.r, MPFR_RNDN);
  mpfr_mul_d(part, part, place, MPFR_RNDN);
  mpfr_add(to, to, part, MPFR_RNDN);
  mpfr_clear(part);
}

/* How far a number is from the ball's centre, of its radius: at most 1. */
static double share(toi_ball a, mpfr_srcptr truth) {
  mpfr_t off;
  if (isinf(a.r))
    return 0;
  mpfr_init2(off, BITS);
  put(off, a, 0);
  mpfr_sub(off, off, truth, MPFR_RNDN);
  const double away = fabs(mpfr_get_d(off, MPFR_RNDA));
  mpfr_clear(off);
  return away == 0 ? 0 : away / a.r;
}

static toi_ball random_ball(uint64_t *state, double most, bool sharp) {
  const double hi = (2 * test_random_unit(state) - 1) * most, lo = hi * 0x1p-54 * (2 * test_random_unit(state) - 1);
  return (toi_ball){{hi, lo}, sharp ? 0 : fabs(hi) * ldexp(test_random_unit(state), -30)};
}

static void functions_hold_their_values(void **unused) {
  (void)unused;
  uint64_t state = test_seed(31), rounds = test_count_from(20000, 200);
  mpfr_t x, y, z;
  mpfr_inits2(BITS, x, y, z, (mpfr_ptr)NULL);
  double widest = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    static const double sizes[] = {1, 3, 1e-6, 1e6, 1e-200};
    const bool sharp = i % 2 == 0;
    const double size = sizes[i / 2 % 5];
    const toi_ball a = random_ball(&state, size, sharp), positive = toi_ball_abs(a);
    toi_ball sine, cosine, inverse = toi_ball_inverse(a), root = toi_ball_root(positive);
    toi_ball_sin_cos(a, &sine, &cosine);
    for (int place = -1; place <= 1; place++) {
      put(x, a, place);
      mpfr_sin_cos(y, z, x, MPFR_RNDN);
      assert_true(share(sine, y) <= 1 && share(cosine, z) <= 1);
      mpfr_ui_div(y, 1, x, MPFR_RNDN);
      assert_true(share(inverse, y) <= 1);
      put(x, positive, place);
      mpfr_sqrt(y, x, MPFR_RNDN);
      assert_true(share(root, y) <= 1);
    }
    if (sharp && size <= 3 && size >= 1e-6) {
      widest = fmax(widest, fmax(sine.r, cosine.r));
      widest = fmax(widest, fmax(inverse.r / fabs(inverse.x.hi), root.r / root.x.hi));
    }
  }
  printf("the widest radius is 2^%.1f\n", log2(widest));
  assert_true(widest < 0x1p-96);
  // Nothing is said where nothing is defined.
  assert_true(isinf(toi_ball_inverse((toi_ball){{0x1p-60, 0}, 1}).r) && isinf(toi_ball_root(toi_ball_of(-1)).r));
  mpfr_clears(x, y, z, (mpfr_ptr)NULL);
}

/* --- motions --- */

/* x cos - y sin and so on of a turn about z by an angle. */
static void turn_about_z(mpfr_srcptr angle, double px, double py, mpfr_ptr x, mpfr_ptr y) {
  mpfr_t s, c, t;
  mpfr_inits2(BITS, s, c, t, (mpfr_ptr)NULL);
  mpfr_sin_cos(s, c, angle, MPFR_RNDN);
  mpfr_mul_d(x, c, px, MPFR_RNDN);
  mpfr_mul_d(t, s, py, MPFR_RNDN);
  mpfr_sub(x, x, t, MPFR_RNDN);
  mpfr_mul_d(y, s, px, MPFR_RNDN);
  mpfr_mul_d(t, c, py, MPFR_RNDN);
  mpfr_add(y, y, t, MPFR_RNDN);
  mpfr_clears(s, c, t, (mpfr_ptr)NULL);
}

/* A turn about an axis of any length parallel to z through a point, with a shift along it, and a shift after. */
static void turns_and_shifts_hold_their_values(void **unused) {
  (void)unused;
  uint64_t state = test_seed(32), rounds = test_count_from(1000, 50);
  toi_context *context = test_context(1);
  mpfr_t angle, x, y;
  mpfr_inits2(BITS, angle, x, y, (mpfr_ptr)NULL);
  for (uint64_t i = 0; i < rounds; i++) {
    toi_motion *motion;
    toi_screw screw = {.axis = {0, 0, 1 + test_random_unit(&state)},
                       .through = {test_random_unit(&state), -test_random_unit(&state), 3},
                       .angle = test_random_unit(&state),
                       .rate = 10 * test_random_unit(&state),
                       .shift = 0.5,
                       .speed = test_random_unit(&state)};
    const double t = test_random_unit(&state), velocity[3] = {test_random_unit(&state), 0, -1};
    assert_int_equal(toi_motion_create(context, &motion), TOI_OK);
    assert_int_equal(toi_motion_screw(motion, &screw), TOI_OK);
    assert_int_equal(toi_motion_move(motion, NULL, velocity), TOI_OK);
    toi_motion_ball ball;
    toi_motion_ball_at(motion, toi_ball_of(t), NULL, &ball);
    mpfr_set_d(angle, screw.rate, MPFR_RNDN);
    mpfr_mul_d(angle, angle, t, MPFR_RNDN);
    mpfr_add_d(angle, angle, screw.angle, MPFR_RNDN);
    turn_about_z(angle, 1, 0, x, y);
    assert_true(share(ball.rotation[0][0], x) <= 1 && share(ball.rotation[1][0], y) <= 1);
    assert_true(ball.rotation[0][0].r < 0x1p-95 && ball.translation[0].r < 0x1p-90);
    // The origin: through - R through, and the shifts.
    turn_about_z(angle, -screw.through[0], -screw.through[1], x, y);
    mpfr_add_d(x, x, screw.through[0], MPFR_RNDN);
    mpfr_set_d(angle, velocity[0], MPFR_RNDN);
    mpfr_mul_d(angle, angle, t, MPFR_RNDN);
    mpfr_add(x, x, angle, MPFR_RNDN);
    assert_true(share(ball.translation[0], x) <= 1);
    mpfr_set_d(x, screw.speed, MPFR_RNDN);
    mpfr_mul_d(x, x, t, MPFR_RNDN);
    mpfr_set_d(y, t, MPFR_RNDN);
    mpfr_sub(x, x, y, MPFR_RNDN);
    mpfr_add_d(x, x, screw.shift, MPFR_RNDN);
    assert_true(share(ball.translation[2], x) <= 1);
    toi_motion_destroy(motion);
  }
  mpfr_clears(angle, x, y, (mpfr_ptr)NULL);
  toi_context_destroy(context);
}

/* Balls and intervals of one motion have numbers in common, whatever it is made of; and balls of formulas that are
 * sums, products, quotients, roots and sines are far narrower. */
static void formulas_and_series_agree_with_intervals(void **unused) {
  (void)unused;
  static const char *const translations[][3] = {{"t^3 - 2*t", "sqrt(1 + t)", "sin(3*t)/(2 + t)"},
                                                {"exp(t)", "log(2 + t)", "atan2(t, 2)"},
                                                {"abs(t - 0.5)", "min(t, 0.25)", "(1 + t)^1.5"}};
  toi_context *context = test_context(1);
  for (size_t i = 0; i < 3; i++) {
    toi_motion *motion;
    static const double c[5] = {0.25, 1, -0.5, 0.125, 3};
    const toi_chebyshev series = {.t_from = -1, .t_to = 2, .count = 5, .translation = {c, c, c}};
    assert_int_equal(toi_motion_create(context, &motion), TOI_OK);
    assert_int_equal(toi_motion_formula(motion, (const char *const[]){"cos(t)", "0", "t", "1"}, translations[i]),
                     TOI_OK);
    assert_int_equal(toi_motion_chebyshev(motion, &series), TOI_OK);
    assert_int_equal(toi_motion_turn_formula(motion, (const double[]){1, 2, 2}, "t^2"), TOI_OK);
    toi_ball registers[256];
    assert_true(toi_motion_ball_registers(motion) <= 256);
    for (int k = 0; k <= 16; k++) {
      toi_motion_ball ball;
      toi_interval rotation[9], translation[3];
      const double t = k / 16.0;
      toi_motion_ball_at(motion, toi_ball_of(t), registers, &ball);
      assert_int_equal(toi_motion_at(motion, (toi_interval){t, t}, rotation, translation), TOI_OK);
      for (int j = 0; j < 9; j++) {
        toi_interval common = rotation[j];
        assert_true(toi_interval_intersect(rotation[j], toi_ball_bounds(ball.rotation[j / 3][j % 3]), &common));
        assert_true(ball.rotation[j / 3][j % 3].r < 0x1p-90);
      }
      for (int j = 0; j < 3; j++) {
        toi_interval common = translation[j];
        assert_true(toi_interval_intersect(translation[j], toi_ball_bounds(ball.translation[j]), &common));
        assert_true(ball.translation[j].r < (i == 0 ? 0x1p-90 : 0x1p-45));
      }
    }
    toi_motion_destroy(motion);
  }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_hold_their_values),
      cmocka_unit_test(turns_and_shifts_hold_their_values),
      cmocka_unit_test(formulas_and_series_agree_with_intervals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
