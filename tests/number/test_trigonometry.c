/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sines and cosines against MPFR. Arguments are biased to multiples of pi/2 and their neighbours, tiny and subnormal
 * angles, the largest ones, boxes that hold turning points and boxes that just miss them. */

#include "support/support.h"

#include "number/trigonometry.h"
#include "number/trigonometry_constants.h"

#include <mpfr.h>

#define POINTS UINT64_C(10000)
#define BOXES UINT64_C(80000)

typedef enum wave { SINE, COSINE, WAVES } wave;
static const char *const names[WAVES] = {"sine", "cosine"};

static uint64_t seed;
static mpfr_t angle, exact, half_pi;

/* --- arguments --- */

static double random_sign(double x) {
  return test_random(&seed) & 1 ? -x : x;
}

/* m pi/2, rounded, and a few doubles beside it. */
static double near_multiple(uint64_t m) {
  mpfr_mul_d(exact, half_pi, (double)m, MPFR_RNDN);
  double x = mpfr_get_d(exact, MPFR_RNDN);
  for (uint64_t i = test_random(&seed) % 4; i > 0; i--)
    x = toi_next_up(x);
  for (uint64_t i = test_random(&seed) % 4; i > 0; i--)
    x = toi_next_down(x);
  return x;
}

static double random_angle(void) {
  double unit = test_random_unit(&seed);
  switch (test_random(&seed) % 10) {
  case 0:
    return random_sign(near_multiple(test_random(&seed) % 16));
  case 1:
    return random_sign(near_multiple(test_random(&seed) % 667000));
  case 2:
    return random_sign(ldexp(1 + unit, -(int)(test_random(&seed) % 1075)));
  case 3:
    return random_sign(ldexp(1 + unit, -20 - (int)(test_random(&seed) % 14)));
  case 4:
    return random_sign(ldexp(unit, (int)(test_random(&seed) % 21)));
  case 5:
    return random_sign(0.785398 + 1e-6 * unit);
  default:
    return random_sign(unit * 7);
  }
}

/* --- the oracle --- */

/* The tightest enclosure. 200 bits tell the sine of an angle from the doubles beside it; tiny angles, whose sine is the
 * angle to 200 bits, are rounded to the side where it lies. */
static toi_interval tightest(wave w, double x) {
  mpfr_set_d(angle, x, MPFR_RNDN);
  if (w == SINE)
    mpfr_sin(exact, angle, x > 0 ? MPFR_RNDD : MPFR_RNDU);
  else
    mpfr_cos(exact, angle, MPFR_RNDD);
  return (toi_interval){mpfr_get_d(exact, MPFR_RNDD), mpfr_get_d(exact, MPFR_RNDU)};
}

static toi_interval interval_wave(wave w, toi_interval x) {
  return w == SINE ? toi_interval_sin(x) : toi_interval_cos(x);
}

/* Whether the sine of the number lies in the interval. The C library, good to a few ulps, decides where that is plain;
 * MPFR elsewhere. */
static bool holds(wave w, toi_interval range, double x) {
  double guess = w == SINE ? sin(x) : cos(x), margin = 0x1p-50 * fabs(guess);
  if (guess - margin > range.lo && guess + margin < range.hi)
    return true;
  return toi_interval_encloses(range, tightest(w, x));
}

/* How many doubles b lies above a, up to 9. */
static int steps(double a, double b) {
  int count = 0;
  while (a < b && count < 9) {
    a = toi_next_up(a);
    count++;
  }
  return count;
}

/* --- points --- */

static void parts_of_pi_and_terms_of_the_series(void **state) {
  (void)state;
  toi_interval pi = toi_interval_pi();
  mpfr_mul_2ui(exact, half_pi, 1, MPFR_RNDN);
  assert_true(pi.lo == mpfr_get_d(exact, MPFR_RNDD) && pi.hi == mpfr_get_d(exact, MPFR_RNDU));
  mpfr_ui_div(exact, 1, half_pi, MPFR_RNDN);
  assert_true(toi_two_over_pi == mpfr_get_d(exact, MPFR_RNDN));

  // Short enough for exact products with 20 bits, and together as near as the proof says.
  mpfr_set(exact, half_pi, MPFR_RNDN);
  for (int i = 0; i < 4; i++) {
    mpfr_sub_d(exact, exact, toi_pi_halves[i], MPFR_RNDN);
    assert_true(i == 3 || (toi_bits(toi_pi_halves[i]) & ((UINT64_C(1) << 20) - 1)) == 0);
  }
  mpfr_abs(exact, exact, MPFR_RNDN);
  assert_true(mpfr_cmp_ui_2exp(exact, 1, -159) < 0);
  assert_true(toi_pi_halves[1] < 0x1.12p-34 && toi_pi_halves[2] < 0x1.3bp-69 && toi_pi_halves[3] < 0x1.bdp-104);

  for (unsigned long n = 3; n <= 17; n++) {
    double term = n % 2 ? toi_sine_terms[(n - 3) / 2] : toi_cosine_terms[(n - 4) / 2];
    mpfr_fac_ui(exact, n, MPFR_RNDN);
    mpfr_ui_div(exact, 1, exact, MPFR_RNDN);
    assert_true(term == (n / 2 % 2 ? -1 : 1) * mpfr_get_d(exact, MPFR_RNDN));
  }
}

static int worst_steps;
static double worst_error[WAVES];

/* The enclosure of a point and the value of a double, beside the tightest. */
static void check_point(wave w, double x) {
  toi_interval got = interval_wave(w, toi_interval_point(x)), both[WAVES];
  toi_interval_sin_cos(toi_interval_point(x), &both[SINE], &both[COSINE]);
  toi_interval best = tightest(w, x);
  int below = steps(got.lo, best.lo), above = steps(best.hi, got.hi);
  worst_steps = below > worst_steps ? below : worst_steps;
  worst_steps = above > worst_steps ? above : worst_steps;
  if (!toi_interval_encloses(got, best) || below > 2 || above > 2)
    fail_msg("%s of %a: [%a, %a], the tightest is [%a, %a]", names[w], x, got.lo, got.hi, best.lo, best.hi);
  assert_true(both[w].lo == got.lo && both[w].hi == got.hi);

  toi_sine_cosine values = toi_sin_cos(x);
  double value = w == SINE ? values.sin : values.cos, error = w == SINE ? values.sin_error : values.cos_error;
  toi_interval around = toi_interval_around(value, error);
  if (!toi_interval_encloses(around, best) || error > 0x1p-52 * fabs(value) + 0x1p-1074)
    fail_msg("%s of %a: %a within %a, the tightest is [%a, %a]", names[w], x, value, error, best.lo, best.hi);
  double relative = value != 0 ? error / fabs(value) : 0;
  if (fabs(value) > DBL_MIN && relative > worst_error[w])
    worst_error[w] = relative;
}

static void angles_within_two_doubles_of_the_tightest(void **state) {
  (void)state;
  seed = test_seed(0x51c0);
  for (uint64_t i = test_count(POINTS); i > 0; i--) {
    double x = random_angle();
    check_point(SINE, x);
    check_point(COSINE, x);
  }
  print_message("ends at most %d doubles beyond the tightest; errors at most %.3f and %.3f of 2^-53\n", worst_steps,
                worst_error[SINE] * 0x1p53, worst_error[COSINE] * 0x1p53);
}

static void doubles_nearest_to_multiples_of_a_right_angle(void **state) {
  (void)state;
  // Those whose distance from a multiple is the smallest of their kind, and the largest angles there are.
  static const double hard[] = {0x1.921fb54442d18p0,
                                0x1.921fb54442d18p1,
                                0x1.2d97c7f3321d2p2,
                                0x1.ap19,
                                0x1p20,
                                0x1.fffffffffffffp19,
                                0x1p-27,
                                0x1.fffffffffffffp-28,
                                0x1p-1074,
                                DBL_MIN,
                                0x1.921fb54442d18p-1,
                                0x1.921fb54442d19p-1};
  for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
    for (int sign = -1; sign <= 1; sign += 2)
      for (wave w = SINE; w < WAVES; w++)
        check_point(w, sign * hard[i]);
  seed = test_seed(0x51c1);
  for (uint64_t m = 1; m < 667000; m += 1 + test_random(&seed) % 512)
    check_point(m % 2 ? COSINE : SINE, near_multiple(m));
}

static void zero_is_exact(void **state) {
  (void)state;
  toi_interval zero = toi_interval_point(0), sine = toi_interval_sin(zero), cosine = toi_interval_cos(zero);
  assert_true(sine.lo == 0 && sine.hi == 0 && cosine.lo == 1 && cosine.hi == 1);
  toi_sine_cosine values = toi_sin_cos(-0.0);
  assert_true(values.sin == 0 && values.cos == 1 && values.sin_error == 0 && values.cos_error == 0);
}

/* --- boxes --- */

static toi_interval random_box(void) {
  double a = random_angle(), b = random_angle();
  switch (test_random(&seed) % 4) {
  case 0:
    b = a + random_sign(test_random_unit(&seed) * 7);
    break;
  case 1:
    b = a + random_sign(ldexp(1 + test_random_unit(&seed), -(int)(test_random(&seed) % 60)));
    break;
  case 2:
    // Just across, or just not across, the next multiples.
    b = random_sign(near_multiple(test_random(&seed) % 8));
    a = random_sign(near_multiple(test_random(&seed) % 8));
    break;
  default:
    break;
  }
  return (toi_interval){fmin(a, b), fmax(a, b)};
}

/* The range by MPFR: the ends, and the turning points m pi/2 (sine: odd m) that lie within. */
static toi_interval true_range(wave w, toi_interval x) {
  toi_interval range = toi_interval_hull(tightest(w, x.lo), tightest(w, x.hi));
  mpfr_d_div(angle, x.lo, half_pi, MPFR_RNDN);
  mpfr_ceil(angle, angle);
  long first = mpfr_get_si(angle, MPFR_RNDN);
  mpfr_d_div(angle, x.hi, half_pi, MPFR_RNDN);
  mpfr_floor(angle, angle);
  long last = mpfr_get_si(angle, MPFR_RNDN);
  for (long m = first; m <= last && m < first + 4; m++) {
    long phase = (((m + (w == COSINE)) % 4) + 4) % 4;
    if (phase == 1)
      range.hi = 1;
    if (phase == 3)
      range.lo = -1;
  }
  return range;
}

static void boxes_have_the_range_of_their_ends_and_turning_points(void **state) {
  (void)state;
  seed = test_seed(0x51c2);
  for (uint64_t i = test_count(BOXES / 16); i > 0; i--) {
    toi_interval x = random_box();
    for (wave w = SINE; w < WAVES; w++) {
      toi_interval got = interval_wave(w, x);
      if (!(x.lo >= -TOI_ANGLE_MOST && x.hi <= TOI_ANGLE_MOST)) {
        assert_true(got.lo == -1 && got.hi == 1);
        continue;
      }
      toi_interval best = true_range(w, x);
      bool close = steps(got.lo, best.lo) <= 2 && steps(best.hi, got.hi) <= 2;
      if (!toi_interval_is_valid(got) || !toi_interval_encloses(got, best) || !close)
        fail_msg("%s of [%a, %a]: [%a, %a], the tightest is [%a, %a]", names[w], x.lo, x.hi, got.lo, got.hi, best.lo,
                 best.hi);
    }
  }
}

static void points_of_boxes_stay_inside(void **state) {
  (void)state;
  seed = test_seed(0x51c3);
  for (uint64_t i = test_count(BOXES); i > 0; i--) {
    toi_interval x = random_box(), range[WAVES];
    toi_interval_sin_cos(x, &range[SINE], &range[COSINE]);
    for (int j = 0; j < 15; j++) {
      double t = j == 0 ? 0 : j == 1 ? 1 : test_random_unit(&seed);
      double point = fmin(fmax(x.lo + t * (x.hi - x.lo), x.lo), x.hi);
      for (wave w = SINE; w < WAVES; w++)
        if (!holds(w, range[w], point))
          fail_msg("%s of %a in [%a, %a] leaves [%a, %a]", names[w], point, x.lo, x.hi, range[w].lo, range[w].hi);
    }
  }
}

static void huge_infinite_and_no_angles(void **state) {
  (void)state;
  static const toi_interval wide[] = {
      {-INFINITY, INFINITY}, {0, INFINITY},      {-INFINITY, 3}, {0, 0x1.0000000000001p20},
      {DBL_MAX, DBL_MAX},    {-DBL_MAX, -1e300}, {0, 6.5},       {-0x1p20, 0x1p20}};
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    for (wave w = SINE; w < WAVES; w++) {
      toi_interval got = interval_wave(w, wide[i]);
      assert_true(got.lo == -1 && got.hi == 1);
    }
  static const double none[] = {INFINITY, -INFINITY, NAN, 0x1.0000000000001p20};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    toi_sine_cosine got = toi_sin_cos(none[i]);
    assert_true(got.sin == 0 && got.cos == 0 && got.sin_error == 1 && got.cos_error == 1);
  }
}

static void squares_add_to_one(void **state) {
  (void)state;
  seed = test_seed(0x51c4);
  for (uint64_t i = test_count(10 * POINTS); i > 0; i--) {
    toi_interval sine, cosine;
    toi_interval_sin_cos(toi_interval_point(random_angle()), &sine, &cosine);
    toi_interval one = toi_interval_add(toi_interval_square(sine), toi_interval_square(cosine));
    assert_true(toi_interval_contains(one, 1) && toi_interval_width(one) < 0x1p-48);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_pi_and_terms_of_the_series),
      cmocka_unit_test(angles_within_two_doubles_of_the_tightest),
      cmocka_unit_test(doubles_nearest_to_multiples_of_a_right_angle),
      cmocka_unit_test(zero_is_exact),
      cmocka_unit_test(boxes_have_the_range_of_their_ends_and_turning_points),
      cmocka_unit_test(points_of_boxes_stay_inside),
      cmocka_unit_test(huge_infinite_and_no_angles),
      cmocka_unit_test(squares_add_to_one),
  };
  mpfr_inits2(200, angle, exact, half_pi, (mpfr_ptr)0);
  mpfr_const_pi(half_pi, MPFR_RNDN);
  mpfr_div_2ui(half_pi, half_pi, 1, MPFR_RNDN);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(angle, exact, half_pi, (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
