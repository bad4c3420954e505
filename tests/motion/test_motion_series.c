/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions given as Chebyshev series and fitted to samples. A series that is given is the motion: it is compared with
 * its own recurrence by MPFR. A fit with a derivative's bound encloses the motion that was sampled; with a bound that
 * is too small it does not, and so the bound is what makes it hold. */

#include "motion/oracle.h"

#define ROUNDS UINT64_C(1500)
#define COUNT_MOST 12

static uint64_t seed;
static toi_context *context;

static toi_motion *make_motion(void) {
  toi_motion *motion;
  assert_int_equal(toi_motion_create(context, &motion), TOI_OK);
  return motion;
}

/* --- series --- */

typedef struct arrays {
  double of[7][64];
} arrays;

static toi_chebyshev as_series(const arrays *a, double from, double to, size_t count, bool turns, bool moves) {
  toi_chebyshev series = {.t_from = from, .t_to = to, .count = count};
  for (int i = 0; i < 4; i++)
    series.quaternion[i] = turns ? a->of[i] : NULL;
  for (int i = 0; i < 3; i++)
    series.translation[i] = moves ? a->of[4 + i] : NULL;
  return series;
}

/* Coefficients that fall off; the first of w keeps the quaternion away from 0. */
static void random_series(arrays *a, size_t count) {
  for (size_t i = 0; i < 7; i++)
    for (size_t k = 0; k < count; k++)
      a->of[i][k] = (2 * test_random_unit(&seed) - 1) * ldexp(1, -(int)k) / (i < 4 ? 2 : 1);
  a->of[0][0] = 1.5;
}

static void series_oracle(oracle *o, const toi_chebyshev *s) {
  number q[4], p[3], t = o->t;
  for (int i = 0; i < 4; i++)
    q[i] = s->quaternion[i] ? series_at(s->quaternion[i], s->count, s->t_from, s->t_to, t) : constant(i == 0);
  for (int i = 0; i < 3; i++)
    p[i] = s->translation[i] ? series_at(s->translation[i], s->count, s->t_from, s->t_to, t) : constant(0);
  oracle_quaternion(o, q, p);
}

static void series_that_are_given_are_the_motion(void **state) {
  (void)state;
  for (uint64_t round = 0; round < test_count(ROUNDS); round++) {
    arrays a = {{{0}}};
    size_t count = 1 + test_random(&seed) % COUNT_MOST;
    random_series(&a, count);
    double from = -2 * test_random_unit(&seed), to = 0.5 + 3 * test_random_unit(&seed);
    toi_chebyshev series = as_series(&a, from, to, count, round % 4 != 0, round % 4 != 1);
    toi_motion *motion = make_motion();
    assert_int_equal(toi_motion_chebyshev(motion, &series), TOI_OK);
    if (round % 3 == 0)
      assert_int_equal(toi_motion_turn(motion, (double[]){1, 2, -2}, (double[]){0, 1, 0}, 1, 2), TOI_OK);
    assert_int_equal(toi_motion_is_shift(motion), round % 4 == 0 && round % 3 != 0);
    double inside;
    toi_interval t = random_times(&seed, from, to, &inside);
    unsigned order = (unsigned)(test_random(&seed) % 3);
    toi_motion_jet jet = {0};
    toi_motion_jet_at(motion, t, order, &jet);
    oracle o = oracle_at(inside);
    series_oracle(&o, &series);
    if (round % 3 == 0)
      oracle_screw(&o, (const double[]){1, 2, -2}, (const double[]){0, 1, 0}, linear(1, 2, o.t), constant(0));
    assert_int_equal(oracle_misses(&o, &jet, order, false), 0);
    toi_motion_destroy(motion);
  }
}

/* At a point the enclosures are narrow, so that rounding does not grow with the degree. */
static void series_are_narrow_at_points(void **state) {
  (void)state;
  arrays a = {{{0}}};
  random_series(&a, 40);
  toi_chebyshev series = as_series(&a, 0, 1, 40, true, true);
  toi_motion *motion = make_motion();
  assert_int_equal(toi_motion_chebyshev(motion, &series), TOI_OK);
  for (int i = 0; i <= 20; i++) {
    double t = i / 20.0;
    toi_interval r[9], p[3];
    assert_int_equal(toi_motion_at(motion, (toi_interval){t, t}, r, p), TOI_OK);
    for (int k = 0; k < 9; k++)
      assert_true(toi_interval_width(r[k]) < 1e-12);
  }
  toi_motion_destroy(motion);
}

/* --- fits --- */

/* Nodes rise, lie inside, and are those of the series' definition. */
static void nodes_are_zeros_of_the_next_chebyshev_polynomial(void **state) {
  (void)state;
  for (size_t count = 1; count < 200; count += 1 + count / 7)
    for (size_t k = 0; k < count; k++) {
      double t = toi_chebyshev_node(-1, 3, k, count);
      double meant = 1 - 2 * cos((2 * (double)k + 1) * 3.14159265358979323846 / (2 * (double)count));
      assert_true(fabs(t - meant) < 1e-15 * 4);
      assert_true(k == 0 || t > toi_chebyshev_node(-1, 3, k - 1, count));
      assert_true(toi_chebyshev_node(-1, 1, k, count) == -toi_chebyshev_node(-1, 1, count - 1 - k, count));
    }
  assert_true(isnan(toi_chebyshev_node(0, 1, 3, 3)));
  assert_true(isnan(toi_chebyshev_node(0, NAN, 0, 3)));
}

/* A true motion: the quaternion (cos t/2, 0, sin t/2 / sqrt 2, sin t/2 / sqrt 2) times nothing, and sines. All
 * components and derivatives of order N are at most `rate`^N, for the frequencies used. */
typedef struct truth {
  double rate;
} truth;

static void truth_at(const truth *f, number t, number q[4], number p[3]) {
  number s, c, s2, c2, half = times(constant(0.5), times(constant(f->rate), t));
  sine_cosine(half, &s, &c);
  sine_cosine(times(constant(f->rate), t), &s2, &c2);
  q[0] = c;
  q[1] = constant(0);
  q[2] = times(constant(0.75), s);
  q[3] = times(constant(-0.5), s);
  p[0] = s2;
  p[1] = c2;
  p[2] = times(constant(0.5), plus(s2, c2));
}

/* Samples, rounded to nearest. */
static void take_samples(const truth *f, double from, double to, size_t count, arrays *a) {
  for (size_t k = 0; k < count; k++) {
    oracle_used = 0;
    number q[4], p[3];
    truth_at(f, time_at(toi_chebyshev_node(from, to, k, count)), q, p);
    for (int i = 0; i < 7; i++)
      a->of[i][k] = mpfr_get_d(i < 4 ? q[i].of[0] : p[i - 4].of[0], MPFR_RNDN);
  }
}

/* How many entries of the true motion are missed at a random time. */
static unsigned fit_misses(const toi_motion *motion, const truth *f, double from, double to, bool quiet) {
  double inside;
  toi_interval t = random_times(&seed, from, to, &inside);
  // Narrow times, where nothing but the bound can hide an error.
  if (quiet)
    t = (toi_interval){inside, inside};
  toi_motion_jet jet = {0};
  toi_motion_jet_at(motion, t, 2, &jet);
  oracle o = oracle_at(inside);
  number q[4], p[3];
  truth_at(f, o.t, q, p);
  oracle_quaternion(&o, q, p);
  return oracle_misses(&o, &jet, 2, quiet);
}

static void fits_enclose_the_motion_that_was_sampled(void **state) {
  (void)state;
  for (uint64_t round = 0; round < test_count(300); round++) {
    truth f = {.rate = 0.25 + 2 * test_random_unit(&seed)};
    size_t count = 2 + test_random(&seed) % 24;
    double from = -test_random_unit(&seed), to = from + 0.5 + 3 * test_random_unit(&seed);
    arrays a = {{{0}}};
    take_samples(&f, from, to, count, &a);
    double bound = pow(f.rate, (double)count) * (1 + 1e-9);
    toi_chebyshev samples = as_series(&a, from, to, count, true, true);
    toi_motion *motion = make_motion();
    assert_int_equal(toi_motion_fitted(motion, &samples, &bound), TOI_OK);
    for (int i = 0; i < 8; i++)
      assert_int_equal(fit_misses(motion, &f, from, to, false), 0);
    toi_motion_destroy(motion);
  }
}

static void a_derivative_bound_that_is_too_small_misses_it(void **state) {
  (void)state;
  const truth f = {.rate = 2};
  for (size_t count = 3; count <= 9; count++) {
    arrays a = {{{0}}};
    take_samples(&f, 0, 2, count, &a);
    toi_chebyshev samples = as_series(&a, 0, 2, count, true, true);
    double bound = pow(f.rate, (double)count) / 200;
    toi_motion *small = make_motion(), *none = make_motion();
    assert_int_equal(toi_motion_fitted(small, &samples, &bound), TOI_OK);
    assert_int_equal(toi_motion_fitted(none, &samples, NULL), TOI_OK);
    unsigned misses[2] = {0};
    for (int i = 0; i < 50; i++) {
      misses[0] += fit_misses(small, &f, 0, 2, true);
      misses[1] += fit_misses(none, &f, 0, 2, true);
    }
    assert_true(misses[0] > 0);
    assert_true(misses[1] >= misses[0]);
    toi_motion_destroy(small);
    toi_motion_destroy(none);
  }
}

/* Polynomials of a degree below the count are found again, up to rounding; with a bound of 0 also as the true motion,
 * though samples and nodes are rounded. */
static void polynomials_are_fitted_exactly(void **state) {
  (void)state;
  enum { COUNT = 9 };
  arrays a = {{{0}}}, samples = {{{0}}};
  random_series(&a, COUNT);
  toi_chebyshev series = as_series(&a, -1, 2, COUNT, true, true);
  for (size_t k = 0; k < COUNT; k++) {
    oracle_used = 0;
    number t = time_at(toi_chebyshev_node(-1, 2, k, COUNT));
    for (int i = 0; i < 7; i++)
      samples.of[i][k] = mpfr_get_d(series_at(a.of[i], COUNT, -1, 2, t).of[0], MPFR_RNDN);
  }
  toi_chebyshev given = as_series(&samples, -1, 2, COUNT, true, true);
  toi_motion *motion = make_motion();
  double bound = 0;
  assert_int_equal(toi_motion_fitted(motion, &given, &bound), TOI_OK);
  for (int round = 0; round < 200; round++) {
    double inside;
    toi_interval t = random_times(&seed, -1, 2, &inside);
    toi_motion_jet jet = {0};
    toi_motion_jet_at(motion, t, 2, &jet);
    oracle o = oracle_at(inside);
    series_oracle(&o, &series);
    assert_int_equal(oracle_misses(&o, &jet, 2, false), 0);
    toi_motion_jet_at(motion, (toi_interval){inside, inside}, 0, &jet);
    for (int i = 0; i < 3; i++)
      assert_true(toi_interval_width(jet.translation[0][i]) < 1e-12);
  }
  toi_motion_destroy(motion);
}

int main(void) {
  seed = test_seed(61);
  context = test_context(1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(series_that_are_given_are_the_motion),
      cmocka_unit_test(series_are_narrow_at_points),
      cmocka_unit_test(nodes_are_zeros_of_the_next_chebyshev_polynomial),
      cmocka_unit_test(fits_enclose_the_motion_that_was_sampled),
      cmocka_unit_test(a_derivative_bound_that_is_too_small_misses_it),
      cmocka_unit_test(polynomials_are_fitted_exactly),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  oracle_end();
  toi_context_destroy(context);
  return failed;
}
