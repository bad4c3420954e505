/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the elementary functions rest on, against MPFR: the tables, and each value hi + lo with its proved error before
 * it is rounded to doubles, which would hide nearly every error. How much of the bounds is used up is printed, and
 * enough of it must be, so that a bound made much smaller would fail here. */

#include "support/support.h"

#include "number/elementary.c"       /* NOLINT(bugprone-suspicious-include): the values are static there */
#include "number/elementary_angle.c" /* NOLINT(bugprone-suspicious-include) */

#include <mpfr.h>

#define VALUES UINT64_C(30000)

static uint64_t seed;
static mpfr_t argument, other, exact, rest;

/* --- tables --- */

/* Whether the pair is the number in `exact`, rounded, and what that leaves, rounded; `step` is 0, or what the first
 * part is a multiple of and within half of. */
static bool is_pair(double hi, double lo, double step) {
  mpfr_sub_d(rest, exact, hi, MPFR_RNDN);
  bool good = mpfr_get_d(rest, MPFR_RNDN) == lo;
  if (step == 0)
    return good && mpfr_get_d(exact, MPFR_RNDN) == hi;
  double multiple = hi / step;
  return good && fabs(lo) <= step / 2 && fabs(multiple) < 0x1p52 && (double)(int64_t)multiple == multiple;
}

static void tables_of_exponentials_and_logarithms(void **state) {
  (void)state;
  mpfr_const_log2(exact, MPFR_RNDN);
  assert_true(is_pair(toi_log_two.hi, toi_log_two.lo, 0x1p-42) && fabs(toi_log_two.lo) < 0x1p-44);
  mpfr_div_2ui(exact, exact, 6, MPFR_RNDN);
  assert_true(is_pair(toi_log_two_64th.hi, toi_log_two_64th.lo, 0x1p-42) && fabs(toi_log_two_64th.lo) < 0x1p-45);
  mpfr_ui_div(exact, 1, exact, MPFR_RNDN);
  assert_true(toi_64_over_log_two == mpfr_get_d(exact, MPFR_RNDN));
  for (int i = 0; i < 64; i++) {
    mpfr_set_d(argument, i / 64.0, MPFR_RNDN);
    mpfr_exp2(exact, argument, MPFR_RNDN);
    assert_true(is_pair(toi_exp_table[i].hi, toi_exp_table[i].lo, 0));
  }
  for (uint64_t i = 0; i < 64; i++) {
    toi_log_cell cell = toi_log_table[i];
    mpfr_set_d(argument, cell.c, MPFR_RNDN);
    mpfr_log(exact, argument, MPFR_RNDN);
    mpfr_neg(exact, exact, MPFR_RNDN);
    assert_true(is_pair(cell.hi, cell.lo, 0x1p-42));
    assert_true(cell.c * 1024 == (double)(int)(cell.c * 1024) && cell.c < 2);

    // c z is near 1 all over the cell, and nearer than c itself unless c is 1.
    double from = toi_from_bits(TOI_LOG_ORIGIN + (i << 46)), to = toi_from_bits(TOI_LOG_ORIGIN + ((i + 1) << 46));
    double near = fmax(fabs(from * cell.c - 1), fabs(to * cell.c - 1));
    assert_true(near < 0.008 && (cell.hi == 0 || near < fabs(cell.hi)));
    assert_true((cell.c == 1) == (from < 1 && to > 1));
    assert_true(cell.c == 1 || (fabs(log(from)) > 0.0039 && fabs(log(to)) > 0.0039));
  }
}

static void tables_of_angles_and_terms_of_the_series(void **state) {
  (void)state;
  for (int i = 0; i <= 64; i++) {
    mpfr_set_d(argument, i / 64.0, MPFR_RNDN);
    mpfr_atan(exact, argument, MPFR_RNDN);
    assert_true(is_pair(toi_atan_table[i].hi, toi_atan_table[i].lo, 0));
  }
  for (int i = 0; i <= 2; i++) {
    mpfr_const_pi(exact, MPFR_RNDN);
    mpfr_mul_d(exact, exact, i / 2.0, MPFR_RNDN);
    assert_true(is_pair(toi_right_angles[i].hi, toi_right_angles[i].lo, 0));
  }
  for (int n = 3; n <= 10; n++)
    assert_true(toi_log_terms[n - 3] == (n % 2 ? 1.0 : -1.0) / n);
  for (int n = 3; n <= 15; n += 2)
    assert_true(toi_atan_terms[(n - 3) / 2] == (n % 4 == 1 ? 1.0 : -1.0) / n);
  double factorial = 2;
  for (int n = 3; n <= 6; n++) {
    factorial *= n;
    assert_true(toi_exp_terms[n - 3] == 1 / factorial);
  }
}

static void errors_of_products(void **state) {
  (void)state;
  seed = test_seed(0xe1e0);
  double worst = 0;
  for (uint64_t i = test_count(10 * VALUES); i > 0; i--) {
    double a = 1 + test_random_unit(&seed), b = 1 + test_random_unit(&seed), p = a * b;
    if (i % 4 == 0) {
      a = toi_from_bits(toi_bits(a) | ((UINT64_C(1) << 27) - 1));
      b = toi_from_bits(toi_bits(b) | ((UINT64_C(1) << 27) - 1));
      p = a * b;
    }
    double off = fabs(fma(a, b, -p) - value_product_error(a, b, p)) / p;
    worst = off > worst ? off : worst;
  }
  print_message("errors of products are off by at most %.3f of 2^-104\n", worst * 0x1p104);
  assert_true(worst <= 0x1p-104);
}

/* --- values --- */

/* How much of the error the value in `exact` uses up. */
static double used(value v) {
  mpfr_sub_d(rest, exact, v.hi, MPFR_RNDN);
  mpfr_sub_d(rest, rest, v.lo, MPFR_RNDN);
  if (v.error == 0)
    return mpfr_zero_p(rest) ? 0 : INFINITY;
  return fabs(mpfr_get_d(rest, MPFR_RNDA)) / v.error;
}

static double worst;
static void note(const char *name, double x, double y, value v) {
  double part = used(v);
  if (!(part <= 1))
    fail_msg("%s of %a (%a): %a + %a within %a uses %g of it", name, x, y, v.hi, v.lo, v.error, part);
  worst = part > worst ? part : worst;
}

/* The rest of a bound is for roundings that hardly ever come together. */
static void report(const char *name, double least) {
  print_message("%s: at most %.3f of the bound\n", name, worst);
  assert_true(worst >= least || TEST_SANITIZED || test_count(100) < 100);
  worst = 0;
}

static double random_sign(double x) {
  return test_random(&seed) & 1 ? -x : x;
}

static void check_exp(double x, double l) {
  int m;
  value v = exp_of(x, l, l != 0 ? 0x1p-58 : 0, &m);
  mpfr_set_d(argument, x, MPFR_RNDN);
  mpfr_add_d(argument, argument, l, MPFR_RNDN);
  mpfr_exp(exact, argument, MPFR_RNDN);
  mpfr_div_2si(exact, exact, m, MPFR_RNDN);
  note("exp", x, l, v);
}

static void exponentials_within_their_errors(void **state) {
  (void)state;
  seed = test_seed(0xe1e1);
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_exp(random_sign(test_random_unit(&seed) * 708), 0);
  report("exponentials", 0.4);
  // Farthest from the table's places, where the series is longest.
  for (uint64_t i = test_count(VALUES); i > 0; i--) {
    double place = (double)(test_random(&seed) % 64000) + 0.5 + random_sign(0x1p-20 * test_random_unit(&seed));
    check_exp(random_sign(place / toi_64_over_log_two), 0);
  }
  report("exponentials between two places", 0.4);
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_exp(random_sign(ldexp(1 + test_random_unit(&seed), -4 - (int)(test_random(&seed) % 70))), 0);
  report("exponentials of small numbers", 0.2);
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_exp(random_sign(test_random_unit(&seed) * 745), random_sign(0x1p-42 * test_random_unit(&seed)));
  report("exponentials of two doubles", 0.3);
}

static void check_log(double x) {
  mpfr_set_d(argument, x, MPFR_RNDN);
  mpfr_log(exact, argument, MPFR_RNDN);
  note("log", x, 0, log_of(x));
}

static void logarithms_within_their_errors(void **state) {
  (void)state;
  seed = test_seed(0xe1e2);
  check_log(1);
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_log(ldexp(1 + test_random_unit(&seed), (int)(test_random(&seed) % 2098) - 1074));
  report("logarithms", 0.1);
  // In the cell of 1, which has a table of its own: none.
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_log(0x1.fe02p-1 + test_random_unit(&seed) * 0x1.7p-7);
  report("logarithms of numbers near 1", 0.2);
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_log(1 + random_sign(ldexp(1 + test_random_unit(&seed), -8 - (int)(test_random(&seed) % 45))));
  report("logarithms of numbers very near 1", 0.1);
  // On both sides of the borders of cells.
  for (uint64_t i = test_count(VALUES / 4); i > 0; i--) {
    uint64_t bits = TOI_LOG_ORIGIN + (test_random(&seed) % 65 << 46) + test_random(&seed) % 8192 - 4096;
    check_log(ldexp(toi_from_bits(bits), (int)(test_random(&seed) % 3) - 1));
  }
  report("logarithms at borders of cells", 0.1);
  // Where the series has little to do, and the parts of log 2 and of the table err most.
  for (uint64_t i = test_count(VALUES); i > 0; i--) {
    double z = 1 / toi_log_table[test_random(&seed) % 64].c * (1 + random_sign(0x1p-20 * test_random_unit(&seed)));
    check_log(ldexp(z, (int)(test_random(&seed) % 2000) - 1000));
  }
  report("logarithms from the table", 0.1);
}

/* y log x up to 746, where it matters most. */
static void check_exponent(double x) {
  double most = 745 / fabs(log(x)), y = random_sign(fmin(most, 0x1p70) * (1 - 0.5 * test_random_unit(&seed)));
  mpfr_set_d(argument, x, MPFR_RNDN);
  mpfr_log(exact, argument, MPFR_RNDN);
  mpfr_mul_d(exact, exact, y, MPFR_RNDN);
  value v = exponent_of(x, y);
  assert_true(fabs(v.lo) <= 0x1p-42 && v.error < 0x1p-54);
  note("exponent", x, y, v);
}

static void exponents_within_their_errors(void **state) {
  (void)state;
  seed = test_seed(0xe1e5);
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_exponent(ldexp(1 + test_random_unit(&seed), (int)(test_random(&seed) % 2098) - 1074));
  report("exponents", 0.1);
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_exponent(1 + random_sign(ldexp(1 + test_random_unit(&seed), -8 - (int)(test_random(&seed) % 45))));
  report("exponents of numbers near 1", 0.1);
}

static void check_angle(double y, double x) {
  mpfr_set_d(argument, y, MPFR_RNDN);
  mpfr_set_d(other, x, MPFR_RNDN);
  mpfr_atan2(exact, argument, other, MPFR_RNDN);
  note("angle", y, x, angle_of(y, x, y / x));
}

static void angles_within_their_errors(void **state) {
  (void)state;
  seed = test_seed(0xe1e3);
  for (uint64_t i = test_count(VALUES / 2); i > 0; i--) {
    double x = ldexp(1 + test_random_unit(&seed), (int)(test_random(&seed) % 1790) - 900);
    check_angle(x * (0x1p-4 + (1 - 0x1p-4) * test_random_unit(&seed)), x);
  }
  report("angles", 0.4);
  for (uint64_t i = test_count(VALUES / 2); i > 0; i--) {
    double x = 1 + test_random_unit(&seed);
    check_angle(x * 0.0624 * test_random_unit(&seed), x);
    check_angle(x * ldexp(1 + test_random_unit(&seed), -6 - (int)(test_random(&seed) % 24)), x);
  }
  report("small angles", 0.3);
  for (uint64_t i = test_count(VALUES / 2); i > 0; i--)
    check_angle(ldexp(1 + test_random_unit(&seed), -5 - (int)(test_random(&seed) % 25)), 1);
  report("arc tangents", 0.1);
  // Farthest from the table's places.
  for (uint64_t i = test_count(VALUES / 2); i > 0; i--) {
    double x = 1 + test_random_unit(&seed), place = (double)(4 + test_random(&seed) % 60) + 0.5;
    check_angle(x * (place + random_sign(0x1p-20 * test_random_unit(&seed))) / 64, x);
  }
  report("angles between two places", 0.4);
}

/* pi/2 and pi less and more than angles: small ones, whose own error hides nothing, and all others. */
static void turned_angles_within_their_errors(void **state) {
  (void)state;
  seed = test_seed(0xe1e6);
  for (uint64_t i = test_count(VALUES); i > 0; i--) {
    double q = ldexp(1 + test_random_unit(&seed), -1 - (int)(test_random(&seed) % 29)), sign = random_sign(1);
    int right_angles = 1 + (int)(test_random(&seed) % 2);
    mpfr_set_d(argument, q, MPFR_RNDN);
    mpfr_atan(argument, argument, MPFR_RNDN);
    mpfr_mul_d(argument, argument, sign, MPFR_RNDN);
    mpfr_const_pi(exact, MPFR_RNDN);
    mpfr_div_2ui(exact, exact, right_angles == 1 ? 1 : 0, MPFR_RNDN);
    mpfr_add(exact, exact, argument, MPFR_RNDN);
    note("turned angle", q, sign, turned(angle_of(q, 1, q), right_angles, sign));
  }
  report("turned angles", 0.1);
}

static void check_tan(double x) {
  value sine, cosine;
  assert_true(toi_sin_cos_values(x, &sine, &cosine));
  mpfr_set_d(argument, x, MPFR_RNDN);
  mpfr_tan(exact, argument, MPFR_RNDN);
  note("tan", x, 0, quotient(sine, cosine));
}

static void tangents_within_their_errors(void **state) {
  (void)state;
  seed = test_seed(0xe1e4);
  check_tan(0);
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_tan(random_sign(ldexp(test_random_unit(&seed), (int)(test_random(&seed) % 20))));
  report("tangents", 0.4);
  for (uint64_t i = test_count(VALUES); i > 0; i--)
    check_tan(random_sign(ldexp(1 + test_random_unit(&seed), -1 - (int)(test_random(&seed) % 40))));
  report("tangents of small numbers", 0.3);
  for (uint64_t i = test_count(VALUES); i > 0; i--) {
    double pole = (double)(test_random(&seed) % 600000) * toi_right_angles[1].hi;
    check_tan(pole + random_sign(ldexp(test_random_unit(&seed), -(int)(test_random(&seed) % 40))));
  }
  report("tangents near poles and zeros", 0.3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_of_exponentials_and_logarithms),
      cmocka_unit_test(tables_of_angles_and_terms_of_the_series),
      cmocka_unit_test(errors_of_products),
      cmocka_unit_test(exponentials_within_their_errors),
      cmocka_unit_test(logarithms_within_their_errors),
      cmocka_unit_test(exponents_within_their_errors),
      cmocka_unit_test(angles_within_their_errors),
      cmocka_unit_test(turned_angles_within_their_errors),
      cmocka_unit_test(tangents_within_their_errors),
  };
  mpfr_inits2(180, argument, other, exact, rest, (mpfr_ptr)0);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(argument, other, exact, rest, (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
