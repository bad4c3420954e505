/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Intervals against MPFR, which rounds in a direction to 53 bits and then in the same direction to a double: that is
 * the tightest bound, in the subnormal range too. Operands are biased to zeros, short and long significands,
 * neighbours, cancellation, the smallest and the largest doubles. */

#include "support/support.h"

#include "number/interval.h"

#include <fenv.h>
#include <gmp.h>
#include <mpfr.h>

#define ROUNDS UINT64_C(120000)

typedef enum operation { SUM, PRODUCT, QUOTIENT, ROOT, OPERATIONS } operation;
static const char *const names[OPERATIONS] = {"sum", "product", "quotient", "root"};

static uint64_t seed;
static mpfr_t first, second, exact;

/* --- operands --- */

static double random_sign(double x) {
  return test_random(&seed) & 1 ? -x : x;
}

/* A significand of at most `bits` bits. */
static double random_short(unsigned bits) {
  return (double)(test_random(&seed) >> (64 - bits));
}

static double random_double(void) {
  static const double special[] = {0,
                                   1,
                                   DBL_MIN,
                                   DBL_MAX,
                                   0x1p-1074,
                                   0x1p-1073,
                                   0x1p511,
                                   0x1p-537,
                                   0x1p-511,
                                   0x1p-960,
                                   0x1.fffffffffffffp0,
                                   0x1.0000000000001p0,
                                   0x1p512,
                                   0x1.8p-1074,
                                   0x1p-1022,
                                   0x1p-538 * 1.5,
                                   0x1.fffffffffffffp-1023,
                                   0.1};
  uint64_t choice = test_random(&seed) % 16;
  double unit = test_random_unit(&seed);
  if (choice == 0)
    return random_sign(special[test_random(&seed) % (sizeof special / sizeof *special)]);
  if (choice < 3)
    return random_sign(random_short(1 + (unsigned)(unit * 30)));
  if (choice < 5)
    return random_sign(ldexp(random_short(1 + (unsigned)(unit * 53)), (int)(test_random(&seed) % 120) - 60));
  if (choice < 7)
    return random_sign(ldexp(1 + unit, (int)(test_random(&seed) % 2098) - 1074));
  if (choice < 8)
    return random_sign(ldexp(1 + unit, (int)(test_random(&seed) % 20) - 1070));
  if (choice < 9)
    return random_sign(ldexp(1 + unit, 1000 + (int)(test_random(&seed) % 24)));
  // Whose product, or quotient, is near the smallest normal double.
  if (choice < 10)
    return random_sign(ldexp(1 + unit, -511 - (int)(test_random(&seed) % 30)));
  return random_sign(1 + unit);
}

/* Near -a or a, often enough to cancel or to divide to one. */
static double random_partner(double a) {
  uint64_t choice = test_random(&seed) % 8;
  if (choice > 1)
    return random_double();
  double b = random_sign(a);
  for (uint64_t i = test_random(&seed) % 4; i > 0; i--)
    b = choice ? toi_next_up(b) : toi_next_down(b);
  return fabs(b) <= DBL_MAX ? b : a;
}

static toi_interval random_interval(void) {
  double a = random_double(), b = test_random(&seed) % 4 ? random_partner(a) : a;
  toi_interval x = {a < b ? a : b, a < b ? b : a};
  uint64_t choice = test_random(&seed) % 32;
  if (choice == 0 || choice == 2)
    x.lo = -INFINITY;
  if (choice == 1 || choice == 2)
    x.hi = INFINITY;
  return x;
}

/* --- the oracle --- */

/* The tightest bound in the direction; *is_exact: the exact result is a double. Zero times infinity is zero. */
static double tightest(operation op, double a, double b, mpfr_rnd_t direction, bool *is_exact) {
  *is_exact = true;
  if (op == PRODUCT && (a == 0 || b == 0))
    return 0;
  mpfr_set_d(first, a, MPFR_RNDN);
  mpfr_set_d(second, b, MPFR_RNDN);
  int inexact = op == SUM        ? mpfr_add(exact, first, second, direction)
                : op == PRODUCT  ? mpfr_mul(exact, first, second, direction)
                : op == QUOTIENT ? mpfr_div(exact, first, second, direction)
                                 : mpfr_sqrt(exact, first, direction);
  double bound = mpfr_get_d(exact, direction);
  *is_exact = inexact == 0 && mpfr_cmp_d(exact, bound) == 0;
  return bound;
}

static double computed(operation op, double a, double b, bool down) {
  switch (op) {
  case SUM:
    return down ? toi_sum_down(a, b) : toi_sum_up(a, b);
  case PRODUCT:
    return down ? toi_product_down(a, b) : toi_product_up(a, b);
  case QUOTIENT:
    return down ? toi_quotient_down(a, b) : toi_quotient_up(a, b);
  default:
    return down ? toi_sqrt_down(a) : toi_sqrt_up(a);
  }
}

static double computed_exactly(operation op, double a, double b, bool down) {
  switch (op) {
  case SUM:
    return down ? toi_sum_down(a, b) : toi_sum_up(a, b);
  case PRODUCT:
    return down ? toi_product_down_exactly(a, b) : -toi_product_down_exactly(-a, b);
  case QUOTIENT:
    return down ? toi_quotient_down_exactly(a, b) : -toi_quotient_down_exactly(-a, b);
  default:
    return down ? toi_sqrt_down_exactly(a) : toi_sqrt_up_exactly(a);
  }
}

/* Whether the bound is what interval.h promises: tightest, or one further where the exact result is no double. */
static bool bound_is_right(operation op, double a, double b, bool down) {
  bool is_exact;
  double best = tightest(op, a, b, down ? MPFR_RNDD : MPFR_RNDU, &is_exact);
  double bound = computed(op, a, b, down), beyond = down ? toi_next_down(best) : toi_next_up(best);
  bool subnormal = (a != 0 && fabs(a) < DBL_MIN) || (b != 0 && fabs(b) < DBL_MIN);
  bool may_widen = op != SUM && (!is_exact || subnormal);
  if ((bound == best || (may_widen && bound == beyond)) && computed_exactly(op, a, b, down) == best)
    return true;
  print_error("%s of %a and %a: %s bound %a, tightest %a\n", names[op], a, b, down ? "lower" : "upper", bound, best);
  return false;
}

static void directed_roundings_are_bounds_and_tight(void **state) {
  (void)state;
  seed = test_seed(0x1271);
  for (uint64_t i = test_count(3 * ROUNDS); i > 0; i--) {
    double a = random_double(), b = random_partner(a);
    for (operation op = SUM; op < OPERATIONS; op++) {
      if (op == QUOTIENT && b == 0)
        continue;
      double x = op == ROOT ? fabs(a) : a, y = op == ROOT ? 1 : b;
      assert_true(bound_is_right(op, x, y, true));
      assert_true(bound_is_right(op, x, y, false));
    }
  }
}

static void products_at_the_edge_of_underflow(void **state) {
  (void)state;
  // Just below and above the smallest normal double, where significands change their length.
  for (int i = -6; i <= 6; i++)
    for (int j = -6; j <= 6; j++)
      for (int e = -1024; e <= -1020; e++) {
        double a = 1 + i * 0x1p-52, b = ldexp(1 + j * 0x1p-52, e);
        for (int down = 0; down < 2; down++) {
          assert_true(bound_is_right(PRODUCT, a, b, down));
          assert_true(bound_is_right(PRODUCT, -a, b, down));
          assert_true(bound_is_right(QUOTIENT, b, a, down));
          assert_true(bound_is_right(QUOTIENT, b, -a, down));
        }
      }
}

/* --- intervals --- */

/* What the numbers of two intervals give, by their ends. */
static toi_interval hull_of_ends(operation op, toi_interval a, toi_interval b, bool *all_exact) {
  double x[2] = {a.lo, a.hi}, y[2] = {b.lo, b.hi};
  toi_interval hull = {INFINITY, -INFINITY};
  *all_exact = true;
  for (int i = 0; i < 4; i++) {
    bool exact_lo, exact_hi;
    double lo = tightest(op, x[i & 1], y[i >> 1], MPFR_RNDD, &exact_lo);
    double hi = tightest(op, x[i & 1], y[i >> 1], MPFR_RNDU, &exact_hi);
    // Infinity over infinity is a limit that other ends bound.
    if (isnan(lo))
      continue;
    hull = toi_interval_hull(hull, (toi_interval){lo, hi});
    *all_exact = *all_exact && exact_lo && exact_hi;
  }
  // A product or quotient beyond the largest double on the inner side.
  hull.lo = hull.lo > DBL_MAX ? DBL_MAX : hull.lo;
  hull.hi = hull.hi < -DBL_MAX ? -DBL_MAX : hull.hi;
  return hull;
}

/* Whether `got` encloses the best and is at most one double wider on each side. */
static bool is_close(toi_interval got, toi_interval best) {
  toi_interval wider = {best.lo < -DBL_MAX ? best.lo : toi_next_down(best.lo),
                        best.hi > DBL_MAX ? best.hi : toi_next_up(best.hi)};
  return toi_interval_is_valid(got) && toi_interval_encloses(got, best) && toi_interval_encloses(wider, got);
}

static void check_close(const char *name, toi_interval got, toi_interval best, toi_interval a, toi_interval b) {
  if (is_close(got, best))
    return;
  print_error("%s of [%a, %a] and [%a, %a]\n", name, a.lo, a.hi, b.lo, b.hi);
  fail_msg("gives [%a, %a], the tightest is [%a, %a]", got.lo, got.hi, best.lo, best.hi);
}

static void sums_products_and_quotients_of_intervals(void **state) {
  (void)state;
  seed = test_seed(0x1272);
  for (uint64_t i = test_count(ROUNDS); i > 0; i--) {
    toi_interval a = random_interval(), b = random_interval();
    bool all_exact;
    toi_interval sum = toi_interval_add(a, b), best = {tightest(SUM, a.lo, b.lo, MPFR_RNDD, &all_exact),
                                                       tightest(SUM, a.hi, b.hi, MPFR_RNDU, &all_exact)};
    assert_true(sum.lo == best.lo && sum.hi == best.hi && toi_interval_is_valid(sum));
    toi_interval difference = toi_interval_sub(a, toi_interval_neg(b));
    assert_true(difference.lo == sum.lo && difference.hi == sum.hi);

    toi_interval product = toi_interval_mul(a, b);
    check_close("product", product, hull_of_ends(PRODUCT, a, b, &all_exact), a, b);
    toi_interval quotient = toi_interval_div(a, b);
    if (toi_interval_contains(b, 0)) {
      assert_true(quotient.lo == -INFINITY && quotient.hi == INFINITY);
      continue;
    }
    check_close("quotient", quotient, hull_of_ends(QUOTIENT, a, b, &all_exact), a, b);
  }
}

static void squares_roots_and_absolute_values(void **state) {
  (void)state;
  seed = test_seed(0x1273);
  for (uint64_t i = test_count(ROUNDS); i > 0; i--) {
    toi_interval a = random_interval(), m = toi_interval_abs(a);
    bool all_exact;
    assert_true(m.lo == (toi_interval_contains(a, 0) ? 0 : fmin(fabs(a.lo), fabs(a.hi))));
    assert_true(m.hi == fmax(fabs(a.lo), fabs(a.hi)));
    toi_interval squares = {tightest(PRODUCT, m.lo, m.lo, MPFR_RNDD, &all_exact),
                            tightest(PRODUCT, m.hi, m.hi, MPFR_RNDU, &all_exact)};
    check_close("square", toi_interval_square(a), squares, a, a);
    assert_true(toi_interval_square(a).lo >= 0);
    toi_interval roots = {tightest(ROOT, m.lo, 0, MPFR_RNDD, &all_exact),
                          tightest(ROOT, m.hi, 0, MPFR_RNDU, &all_exact)};
    check_close("root", toi_interval_sqrt(m), roots, m, m);
    assert_true(toi_interval_sqrt(m).lo >= 0);
    // What is below zero has no root and takes no part.
    if (a.lo < 0 && a.hi >= 0)
      assert_true(toi_interval_sqrt(a).lo == 0);
  }
}

static void integer_powers(void **state) {
  (void)state;
  seed = test_seed(0x1274);
  for (uint64_t i = test_count(ROUNDS / 2); i > 0; i--) {
    unsigned n = (unsigned)(test_random(&seed) % 12);
    toi_interval a = random_interval(), base = n % 2 ? a : toi_interval_abs(a);
    toi_interval got = toi_interval_power(a, n);
    mpfr_set_d(first, base.lo, MPFR_RNDN);
    mpfr_set_d(second, base.hi, MPFR_RNDN);
    mpfr_pow_ui(first, first, n, MPFR_RNDD);
    mpfr_pow_ui(second, second, n, MPFR_RNDU);
    toi_interval best = {mpfr_get_d(first, MPFR_RNDD), mpfr_get_d(second, MPFR_RNDU)};
    assert_true(toi_interval_is_valid(got) && toi_interval_encloses(got, best));
    // n - 1 directed roundings, each within two units in the last place of 2^-52.
    double slack = 4 * n * 0x1p-52;
    if (fabs(best.lo) >= DBL_MIN && fabs(best.lo) <= DBL_MAX && fabs(base.lo) > 0x1p-80)
      assert_true(best.lo - got.lo <= slack * fabs(best.lo));
    if (fabs(best.hi) >= DBL_MIN && fabs(best.hi) <= DBL_MAX && fabs(base.hi) > 0x1p-80)
      assert_true(got.hi - best.hi <= slack * fabs(best.hi));
  }
  toi_interval cube = toi_interval_power((toi_interval){-3, 2}, 3),
               fourth = toi_interval_power((toi_interval){-3, 2}, 4);
  assert_true(cube.lo == -27 && cube.hi == 8);
  assert_true(fourth.lo == 0 && fourth.hi == 81);
}

static void powers_of_two_scale(void **state) {
  (void)state;
  seed = test_seed(0x1275);
  for (uint64_t i = test_count(ROUNDS); i > 0; i--) {
    int k = (int)(test_random(&seed) % 4400) - 2200;
    toi_interval a = random_interval(), got = toi_interval_scale(a, k);
    mpfr_set_d(first, a.lo, MPFR_RNDN);
    mpfr_set_d(second, a.hi, MPFR_RNDN);
    mpfr_mul_2si(first, first, k, MPFR_RNDN);
    mpfr_mul_2si(second, second, k, MPFR_RNDN);
    assert_true(got.lo == mpfr_get_d(first, MPFR_RNDD) && got.hi == mpfr_get_d(second, MPFR_RNDU));
    assert_true(toi_interval_is_valid(got));
  }
}

static void sets_and_comparisons(void **state) {
  (void)state;
  seed = test_seed(0x1276);
  for (uint64_t i = test_count(ROUNDS); i > 0; i--) {
    toi_interval a = random_interval(), b = random_interval(), c = {1, 2};
    toi_interval hull = toi_interval_hull(a, b);
    assert_true(toi_interval_encloses(hull, a) && toi_interval_encloses(hull, b));
    bool meet = toi_interval_intersect(a, b, &c);
    assert_int_equal(meet, !toi_interval_less(a, b) && !toi_interval_less(b, a));
    if (meet)
      assert_true(toi_interval_encloses(a, c) && toi_interval_encloses(b, c) && toi_interval_is_valid(c));
    else
      assert_true(c.lo == 1 && c.hi == 2);

    double middle = toi_interval_midpoint(a), width = toi_interval_width(a);
    assert_true(toi_interval_contains(a, middle) && fabs(middle) <= DBL_MAX);
    bool is_exact;
    assert_true(width == tightest(SUM, a.hi, -a.lo, MPFR_RNDU, &is_exact));
    int sign = toi_interval_sign(a);
    assert_true(sign == 0 ? a.lo <= 0 && a.hi >= 0 : sign * a.lo > 0 && sign * a.hi > 0);

    toi_interval least = toi_interval_min(a, b), most = toi_interval_max(a, b);
    assert_true(least.lo == fmin(a.lo, b.lo) && least.hi == fmin(a.hi, b.hi));
    assert_true(most.lo == fmax(a.lo, b.lo) && most.hi == fmax(a.hi, b.hi));
    assert_int_equal(toi_interval_at_most(a, b), a.hi <= b.lo);
    if (toi_interval_surrounds(a, b))
      assert_true(toi_interval_encloses(a, b) && (b.lo > a.lo || a.lo == -INFINITY));
  }
}

static void infinite_ends_and_zeros_give_no_nan(void **state) {
  (void)state;
  const toi_interval whole = toi_interval_whole(), zero = {-0.0, 0.0}, up = {0, INFINITY}, down = {-INFINITY, -0.0};
  toi_interval none = toi_interval_mul(zero, whole), none_again = toi_interval_mul(down, zero);
  assert_true(none.lo == 0 && none.hi == 0 && none_again.lo == 0 && none_again.hi == 0);
  toi_interval all = toi_interval_sub(up, up), negative = toi_interval_mul(up, down);
  assert_true(all.lo == -INFINITY && all.hi == INFINITY);
  assert_true(negative.lo == -INFINITY && negative.hi == 0);
  toi_interval small = toi_interval_div((toi_interval){1, 2}, (toi_interval){4, INFINITY});
  assert_true(small.lo == 0 && small.hi == 0.5);
  toi_interval beyond = toi_interval_add(toi_interval_point(DBL_MAX), toi_interval_point(DBL_MAX));
  assert_true(beyond.lo == DBL_MAX && beyond.hi == INFINITY);
  toi_interval deep = toi_interval_square(toi_interval_point(0x1p-1000));
  assert_true(deep.lo == 0 && deep.hi == 0x1p-1074);
  assert_true(toi_interval_midpoint(whole) == 0 && toi_interval_contains(up, toi_interval_midpoint(up)));
  assert_true(toi_interval_surrounds(whole, whole) && !toi_interval_surrounds(up, up));

  // What is no interval becomes the whole line.
  assert_true(toi_interval_make(2, 1).lo == -INFINITY && toi_interval_make(NAN, 1).hi == INFINITY);
  assert_true(toi_interval_point(INFINITY).lo == -INFINITY && toi_interval_point(NAN).hi == INFINITY);
}

static void of_what_is_no_number_nothing_is_known(void **state) {
  (void)state;
  const double others[] = {NAN, 0x1p-1074, 1, -3.25, DBL_MAX};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    assert_true(toi_product_down(NAN, others[i]) == -INFINITY && toi_product_up(NAN, others[i]) == INFINITY);
    assert_true(toi_product_down(others[i], NAN) == -INFINITY && toi_product_up(others[i], NAN) == INFINITY);
    assert_true(toi_quotient_down(NAN, others[i]) == -INFINITY && toi_quotient_up(NAN, others[i]) == INFINITY);
    assert_true(toi_quotient_down(others[i], NAN) == -INFINITY && toi_quotient_up(others[i], NAN) == INFINITY);
  }
}

static void exact_results_stay_points(void **state) {
  (void)state;
  for (int i = -40; i <= 40; i++)
    for (int j = -40; j <= 40; j++) {
      toi_interval a = toi_interval_point(i * 0.25), b = toi_interval_point(j * 3);
      toi_interval sum = toi_interval_add(a, b), product = toi_interval_mul(a, b);
      assert_true(sum.lo == sum.hi && sum.lo == i * 0.25 + j * 3);
      assert_true(product.lo == product.hi && product.lo == i * 0.75 * j);
      if (j == 0)
        continue;
      toi_interval quotient = toi_interval_div(product, b), root = toi_interval_sqrt(toi_interval_square(a));
      assert_true(quotient.lo == quotient.hi && quotient.lo == i * 0.25);
      assert_true(root.lo == root.hi && root.lo == fabs(i * 0.25));
    }
  toi_interval third = toi_interval_div(toi_interval_point(1), toi_interval_point(3));
  toi_interval twice = toi_interval_mul(third, toi_interval_point(-2));
  assert_true(twice.hi == -2 * third.lo && twice.lo == -2 * third.hi && third.lo < third.hi);
}

/* --- the floating-point mode --- */

#if defined(__x86_64__)
#include <immintrin.h>
static void flush_to_zero(void) {
  _mm_setcsr(_mm_getcsr() | 0x8040);
}
#elif defined(__aarch64__)
static void flush_to_zero(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" ::"r"(control | UINT64_C(1) << 24));
}
#endif

#define PAIRS 256
static volatile double pairs[PAIRS][2];
static volatile double bounds[PAIRS][4];

/* Bounds of sums and products in whatever mode there is; through memory, so that nothing is moved across a change. */
static void compute_bounds(void) {
  for (int i = 0; i < PAIRS; i++) {
    double a = pairs[i][0], b = pairs[i][1];
    bounds[i][0] = toi_sum_down(a, b);
    bounds[i][1] = toi_sum_up(a, b);
    bounds[i][2] = toi_product_down(a, b);
    bounds[i][3] = toi_product_up(a, b);
  }
}

static int wrong_bounds(void) {
  int wrong = 0;
  for (int i = 0; i < PAIRS; i++) {
    bool is_exact;
    for (int j = 0; j < 4; j++) {
      operation op = j < 2 ? SUM : PRODUCT;
      double best = tightest(op, pairs[i][0], pairs[i][1], j % 2 ? MPFR_RNDU : MPFR_RNDD, &is_exact);
      wrong += j % 2 ? bounds[i][j] < best : bounds[i][j] > best;
    }
  }
  return wrong;
}

/* How many bounds are wrong in the mode that `set` makes: bare, and inside the library's guard. */
static void count_wrong(void (*set)(void), int *bare, int *guarded) {
  set();
  compute_bounds();
  fesetenv(FE_DFL_ENV);
  *bare = wrong_bounds();
  set();
  toi_float_mode mode = toi_float_mode_enter();
  compute_bounds();
  toi_float_mode_leave(mode);
  fesetenv(FE_DFL_ENV);
  *guarded = wrong_bounds();
}

static void round_upward(void) {
  fesetround(FE_UPWARD);
}

static void round_toward_zero(void) {
  fesetround(FE_TOWARDZERO);
}

static void other_modes_break_the_bounds_and_the_guard_mends_them(void **state) {
  (void)state;
  seed = test_seed(0x1277);
  for (int i = 0; i < PAIRS; i++) {
    // Sums in the subnormal range and products in the normal one.
    double scale = i % 2 ? 0x1p-1022 : 1;
    pairs[i][0] = (1 + test_random_unit(&seed)) * scale;
    pairs[i][1] = -(1 + test_random_unit(&seed)) * scale;
  }
  void (*const modes[])(void) = {round_upward, round_toward_zero, flush_to_zero};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    int bare, guarded;
    count_wrong(modes[i], &bare, &guarded);
    assert_int_equal(guarded, 0);
    assert_true(bare > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(directed_roundings_are_bounds_and_tight),
      cmocka_unit_test(products_at_the_edge_of_underflow),
      cmocka_unit_test(sums_products_and_quotients_of_intervals),
      cmocka_unit_test(squares_roots_and_absolute_values),
      cmocka_unit_test(integer_powers),
      cmocka_unit_test(powers_of_two_scale),
      cmocka_unit_test(sets_and_comparisons),
      cmocka_unit_test(infinite_ends_and_zeros_give_no_nan),
      cmocka_unit_test(of_what_is_no_number_nothing_is_known),
      cmocka_unit_test(exact_results_stay_points),
      cmocka_unit_test(other_modes_break_the_bounds_and_the_guard_mends_them),
  };
  mpfr_inits2(53, first, second, exact, (mpfr_ptr)NULL);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(first, second, exact, (mpfr_ptr)NULL);
  mpfr_free_cache();
  return failed;
}
