/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Exponentials, logarithms, tangents, angles and powers of intervals against MPFR. Arguments are biased to subnormal,
 * tiny and huge numbers, to 1, to where results over- and underflow, to the borders of what the tables divide, to
 * poles, axes and branch cuts, and to whole and half exponents; boxes to one or a few doubles, to the very wide and to
 * infinite ends. */

#include "support/support.h"

#include "number/elementary.h"
#include "number/elementary_constants.h"

#include <mpfr.h>

#define POINTS UINT64_C(5000)
#define BOXES UINT64_C(18000)
#define SAMPLES 15

typedef enum function { EXP, LOG, ATAN, TAN, ATAN2, POW, FUNCTIONS } function;
static const char *const names[FUNCTIONS] = {"exp", "log", "atan", "tan", "atan2", "pow"};

/* How many doubles an end may lie beyond the tightest. */
static const int allowed[FUNCTIONS] = {1, 1, 1, 2, 2, 3};

static uint64_t seed;
static mpfr_t first, second, exact;

/* Numbers a and b: the second is that of atan2(a, b) and a^b, and not looked at elsewhere. */
typedef struct box {
  toi_interval a, b;
} box;

static toi_interval apply(function f, box x, bool *defined) {
  *defined = true;
  switch (f) {
  case EXP:
    return toi_interval_exp(x.a);
  case LOG:
    return toi_interval_log(x.a, defined);
  case ATAN:
    return toi_interval_atan(x.a);
  case TAN:
    return toi_interval_tan(x.a, defined);
  case ATAN2:
    return toi_interval_atan2(x.a, x.b, defined);
  default:
    return toi_interval_pow(x.a, x.b, defined);
  }
}

/* --- the oracle --- */

static int evaluate(function f, mpfr_rnd_t rounding) {
  switch (f) {
  case EXP:
    return mpfr_exp(exact, first, rounding);
  case LOG:
    return mpfr_log(exact, first, rounding);
  case ATAN:
    return mpfr_atan(exact, first, rounding);
  case TAN:
    return mpfr_tan(exact, first, rounding);
  case ATAN2:
    return mpfr_atan2(exact, first, second, rounding);
  default:
    return mpfr_pow(exact, first, second, rounding);
  }
}

/* The tightest enclosure: rounding down twice, the first time to finer numbers, is rounding down. */
static toi_interval tightest(function f, double a, double b) {
  toi_interval result;
  mpfr_set_d(first, a + 0.0, MPFR_RNDN);
  mpfr_set_d(second, b + 0.0, MPFR_RNDN);
  int side = evaluate(f, MPFR_RNDD);
  result.lo = mpfr_get_d(exact, MPFR_RNDD);
  if (side != 0)
    mpfr_nextabove(exact);
  result.hi = mpfr_get_d(exact, MPFR_RNDU);
  return result;
}

/* The C library, good to a few ulps, decides where that is plain; MPFR elsewhere. */
static double guess(function f, double a, double b) {
  switch (f) {
  case EXP:
    return exp(a);
  case LOG:
    return log(a);
  case ATAN:
    return atan(a);
  case TAN:
    return tan(a);
  case ATAN2:
    return atan2(a + 0.0, b + 0.0);
  default:
    return pow(a, b);
  }
}

static bool holds(function f, toi_interval range, double a, double b) {
  double value = guess(f, a, b), margin = 0x1p-50 * fabs(value);
  if (fabs(value) > 1e-300 && fabs(value) < 1e300 && value - margin > range.lo && value + margin < range.hi)
    return true;
  return toi_interval_encloses(range, tightest(f, a, b));
}

static bool is_defined(function f, double a, double b) {
  switch (f) {
  case LOG:
    return a > 0;
  case ATAN2:
    return a != 0 || b != 0;
  case POW:
    return a > 0 || (a == 0 && b >= 0);
  default:
    return true;
  }
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

/* --- arguments --- */

static double random_sign(double x) {
  return test_random(&seed) & 1 ? -x : x;
}

static uint64_t below(uint64_t n) {
  return test_random(&seed) % n;
}

/* A few doubles beside x. */
static double beside(double x) {
  for (uint64_t i = below(4); i > 0 && x < DBL_MAX; i--)
    x = toi_next_up(x);
  for (uint64_t i = below(4); i > 0 && x > -DBL_MAX; i--)
    x = toi_next_down(x);
  return x;
}

/* 2^from ... 2^to and anything between. */
static double power_of_two_and_more(int from, int to) {
  return ldexp(1 + test_random_unit(&seed), from + (int)below((uint64_t)(to - from)));
}

static double random_exponent(void) {
  static const double edges[] = {
      0, 0x1.62e42fefa39efp9, -0x1.6232bdd7abcd2p9, -0x1.74910d52d3051p9, 0x1.63p9, -0x1.75p9, 1.0};
  switch (below(8)) {
  case 0:
    return beside(edges[below(sizeof edges / sizeof *edges)]);
  case 1:
    return random_sign(power_of_two_and_more(-1074, 10));
  case 2:
    return test_random_extreme(&seed, (int)below(4));
  case 3:
    return random_sign(beside(((double)below(70000) + 0.5) / toi_64_over_log_two));
  case 4:
    return random_sign(test_random_unit(&seed) * 750);
  default:
    return random_sign(test_random_unit(&seed) * 7);
  }
}

static double random_positive(void) {
  switch (below(8)) {
  case 0:
    return fabs(beside(1));
  case 1:
    return 1 + random_sign(power_of_two_and_more(-53, -1));
  case 2:
    return power_of_two_and_more(-1074, 1024);
  case 3:
    return beside(toi_from_bits(TOI_LOG_ORIGIN + (below(65) << 46)));
  case 4:
    return fabs(test_random_extreme(&seed, (int)below(4)));
  case 5:
    return (double)below(20);
  default:
    return test_random_unit(&seed) * 7;
  }
}

static double random_slope(void) {
  switch (below(8)) {
  case 0:
    return random_sign(beside(((double)below(129)) / 128));
  case 1:
    return random_sign(beside(128 / (double)(1 + below(128))));
  case 2:
    return random_sign(power_of_two_and_more(-1074, 1024));
  case 3:
    return random_sign(power_of_two_and_more(-36, 36));
  case 4:
    return test_random_extreme(&seed, (int)below(4));
  default:
    return random_sign(test_random_unit(&seed) * 7);
  }
}

static double random_angle(void) {
  switch (below(6)) {
  case 0:
    return random_sign(beside((double)below(16) * 0x1.921fb54442d18p0));
  case 1:
    return random_sign(beside((double)below(667000) * 0x1.921fb54442d18p0));
  case 2:
    return random_sign(power_of_two_and_more(-1074, 20));
  default:
    return random_sign(test_random_unit(&seed) * 7);
  }
}

static double random_power(double x) {
  switch (below(8)) {
  case 0:
    return random_sign((double)below(20));
  case 1:
    return random_sign((double)below(40) / 2);
  case 2:
    return random_sign((double)below(300) / 2);
  case 3:
    // Where it over- or underflows.
    return beside(random_sign(745 * test_random_unit(&seed)) / (x > 0 && x != 1 ? log(x) : 1));
  case 4:
    return test_random_extreme(&seed, (int)below(4));
  case 5:
    return random_sign(power_of_two_and_more(-1074, 80));
  default:
    return random_sign(test_random_unit(&seed) * 7);
  }
}

static void random_point(function f, double *a, double *b) {
  *b = 0;
  switch (f) {
  case EXP:
    *a = random_exponent();
    return;
  case LOG:
    *a = random_positive();
    return;
  case ATAN:
    *a = random_slope();
    return;
  case TAN:
    *a = random_angle();
    return;
  case ATAN2:
    *b = below(4) ? random_slope() : random_sign((double)below(3));
    *a = below(2) ? random_slope() : *b * random_slope();
    *a = fabs(*a) <= DBL_MAX ? *a : *b;
    return;
  default:
    *a = random_positive();
    *b = random_power(*a);
    *b = fabs(*b) <= DBL_MAX ? *b : 2;
    return;
  }
}

/* From x to another number: itself, a double nearby, one of its size, any, or none at all. */
static toi_interval from_to(double x, double y) {
  switch (below(8)) {
  case 0:
    y = x;
    break;
  case 1:
    y = beside(x);
    break;
  case 2:
    y = x + random_sign(fabs(x) * ldexp(1, -(int)below(60)));
    break;
  case 3:
    y = x + random_sign(test_random_unit(&seed));
    break;
  case 4:
    y = below(4) ? 0 : random_sign(INFINITY);
    break;
  default:
    break;
  }
  return toi_interval_make(fmin(x, y), fmax(x, y));
}

static box random_box(function f) {
  double a, b, c, d;
  random_point(f, &a, &b);
  random_point(f, &c, &d);
  return (box){from_to(a, c), from_to(b, d)};
}

/* A number of the interval: an end, or one between, by value or by size. */
static double inside(toi_interval x, int how) {
  double lo = fmax(x.lo, -DBL_MAX), hi = fmin(x.hi, DBL_MAX), t = test_random_unit(&seed);
  if (how < 2)
    return how ? hi : lo;
  if (how % 2 == 0)
    return fmin(fmax(lo * (1 - t) + hi * t, lo), hi);
  double reach = fmax(fabs(lo), fabs(hi)), y = random_sign(ldexp(reach, -(int)below(80)));
  return fmin(fmax(y, lo), hi);
}

/* --- points --- */

static int worst_steps[FUNCTIONS];

static void check_point(function f, double a, double b) {
  bool defined;
  toi_interval got = apply(f, (box){toi_interval_point(a), toi_interval_point(b)}, &defined);
  if (!is_defined(f, a, b) || (f == TAN && fabs(a) > TOI_ANGLE_MOST)) {
    if (defined || (f != ATAN2 && (got.lo != -INFINITY || got.hi != INFINITY)))
      fail_msg("%s of %a, %a: [%a, %a], defined: %d", names[f], a, b, got.lo, got.hi, defined);
    return;
  }
  toi_interval best = tightest(f, a, b);
  int low = steps(got.lo, best.lo), high = steps(best.hi, got.hi);
  worst_steps[f] = low > worst_steps[f] ? low : worst_steps[f];
  worst_steps[f] = high > worst_steps[f] ? high : worst_steps[f];
  if (!defined || !toi_interval_encloses(got, best) || low > allowed[f] || high > allowed[f])
    fail_msg("%s of %a, %a: [%a, %a], the tightest is [%a, %a], defined: %d", names[f], a, b, got.lo, got.hi, best.lo,
             best.hi, defined);
  if (best.lo == best.hi && f == POW && (b == 0 || a == 1 || a == 0))
    assert_true(got.lo == best.lo && got.hi == best.hi);
}

static void points_within_few_doubles_of_the_tightest(void **state) {
  (void)state;
  seed = test_seed(0xe1ef);
  for (function f = EXP; f < FUNCTIONS; f++) {
    for (uint64_t i = test_count(POINTS); i > 0; i--) {
      double a, b;
      random_point(f, &a, &b);
      check_point(f, a, b);
    }
    print_message("%s: at most %d doubles beyond the tightest\n", names[f], worst_steps[f]);
  }
}

/* --- boxes --- */

static void points_of_boxes_stay_inside(void **state) {
  (void)state;
  seed = test_seed(0xe1f0);
  for (function f = EXP; f < FUNCTIONS; f++)
    for (uint64_t i = test_count(BOXES); i > 0; i--) {
      box x = random_box(f);
      bool defined, all = true;
      toi_interval range = apply(f, x, &defined);
      assert_true(toi_interval_is_valid(range));
      for (int j = 0; j < SAMPLES; j++) {
        double a = inside(x.a, j < 4 ? j % 2 : 2 + (int)below(2)), b = inside(x.b, j < 4 ? j / 2 : 2 + (int)below(2));
        all = all && is_defined(f, a, b);
        if (is_defined(f, a, b) && !holds(f, range, a, b))
          fail_msg("%s of %a, %a in [%a, %a], [%a, %a] leaves [%a, %a]", names[f], a, b, x.a.lo, x.a.hi, x.b.lo, x.b.hi,
                   range.lo, range.hi);
      }
      if (defined && !all)
        fail_msg("%s is not defined in all of [%a, %a], [%a, %a]", names[f], x.a.lo, x.a.hi, x.b.lo, x.b.hi);
    }
}

/* Whether the function is continuous over the box and has its extreme values at corners. */
static bool is_plain(function f, box x) {
  switch (f) {
  case LOG:
    return x.a.lo > 0;
  case TAN:
    return x.a.lo >= -TOI_ANGLE_MOST && x.a.hi <= TOI_ANGLE_MOST && x.a.hi - x.a.lo < 3 && tan(x.a.lo) <= tan(x.a.hi) &&
           cos(x.a.lo) * cos(x.a.hi) > 0;
  case ATAN2:
    return x.a.lo > 0 || x.a.hi < 0 || x.b.lo > 0;
  case POW:
    return x.a.lo > 0;
  default:
    return true;
  }
}

static void ranges_are_those_of_the_corners(void **state) {
  (void)state;
  seed = test_seed(0xe1f1);
  uint64_t plain = 0;
  for (function f = EXP; f < FUNCTIONS; f++)
    for (uint64_t i = test_count(BOXES / 8); i > 0; i--) {
      box x = random_box(f);
      bool finite = fmax(fabs(x.a.lo), fabs(x.a.hi)) <= DBL_MAX && fmax(fabs(x.b.lo), fabs(x.b.hi)) <= DBL_MAX;
      if (!finite || !is_plain(f, x))
        continue;
      plain++;
      toi_interval best = toi_interval_hull(tightest(f, x.a.lo, x.b.lo), tightest(f, x.a.hi, x.b.hi));
      if (f >= ATAN2) {
        best = toi_interval_hull(best, tightest(f, x.a.lo, x.b.hi));
        best = toi_interval_hull(best, tightest(f, x.a.hi, x.b.lo));
      }
      bool defined;
      toi_interval got = apply(f, x, &defined);
      bool close = steps(got.lo, best.lo) <= allowed[f] && steps(best.hi, got.hi) <= allowed[f];
      if (!defined || !toi_interval_encloses(got, best) || !close)
        fail_msg("%s of [%a, %a], [%a, %a]: [%a, %a], the tightest is [%a, %a], defined: %d", names[f], x.a.lo, x.a.hi,
                 x.b.lo, x.b.hi, got.lo, got.hi, best.lo, best.hi, defined);
    }
  assert_true(plain > test_count(BOXES / 8));
}

static void smaller_boxes_have_smaller_ranges(void **state) {
  (void)state;
  seed = test_seed(0xe1f2);
  for (function f = EXP; f < FUNCTIONS; f++)
    for (uint64_t i = test_count(BOXES); i > 0; i--) {
      box x = random_box(f), y;
      double a = inside(x.a, (int)below(4)), b = inside(x.a, (int)below(4));
      y.a = (toi_interval){fmin(a, b), fmax(a, b)};
      a = inside(x.b, (int)below(4)), b = inside(x.b, (int)below(4));
      y.b = (toi_interval){fmin(a, b), fmax(a, b)};
      bool in_large, in_small;
      toi_interval large = apply(f, x, &in_large), small = apply(f, y, &in_small);
      // Where nothing of the smaller one is defined there is nothing to compare.
      if (!in_small)
        continue;
      if (steps(small.lo, large.lo) > allowed[f] || steps(large.hi, small.hi) > allowed[f])
        fail_msg("%s of [%a, %a], [%a, %a] is [%a, %a], of [%a, %a], [%a, %a] inside [%a, %a]", names[f], x.a.lo,
                 x.a.hi, x.b.lo, x.b.hi, large.lo, large.hi, y.a.lo, y.a.hi, y.b.lo, y.b.hi, small.lo, small.hi);
    }
}

/* --- special cases --- */

#define WHOLE                                                                                                          \
  { -INFINITY, INFINITY }
#define PI_UP 0x1.921fb54442d19p1
#define HALF_PI_DOWN 0x1.921fb54442d18p0
#define HALF_PI_UP 0x1.921fb54442d19p0

static void exact_and_infinite_and_undefined(void **state) {
  (void)state;
  static const struct {
    function f;
    box x;
    toi_interval result;
    bool defined;
  } cases[] = {
      {EXP, {{0, 0}, {0, 0}}, {1, 1}, true},
      {EXP, {{-INFINITY, 0}, {0, 0}}, {0, 1}, true},
      {EXP, {{0, INFINITY}, {0, 0}}, {1, INFINITY}, true},
      {EXP, {WHOLE, {0, 0}}, {0, INFINITY}, true},
      {EXP, {{710, 1e300}, {0, 0}}, {DBL_MAX, INFINITY}, true},
      {EXP, {{DBL_MAX, DBL_MAX}, {0, 0}}, {DBL_MAX, INFINITY}, true},
      {EXP, {{-DBL_MAX, -746}, {0, 0}}, {0, 0x1p-1074}, true},
      {EXP, {{-0x1p-1074, 0x1p-1074}, {0, 0}}, {1 - 0x1p-53, 1 + 0x1p-52}, true},
      {LOG, {{1, 1}, {0, 0}}, {0, 0}, true},
      {LOG, {{0, 1}, {0, 0}}, {-INFINITY, 0}, false},
      {LOG, {{-1, 1}, {0, 0}}, {-INFINITY, 0}, false},
      {LOG, {{1, INFINITY}, {0, 0}}, {0, INFINITY}, true},
      {LOG, {{0, 0}, {0, 0}}, WHOLE, false},
      {LOG, {{-2, -1}, {0, 0}}, WHOLE, false},
      {LOG, {{-INFINITY, 0}, {0, 0}}, WHOLE, false},
      {LOG, {WHOLE, {0, 0}}, WHOLE, false},
      {ATAN, {{0, 0}, {0, 0}}, {0, 0}, true},
      {ATAN, {WHOLE, {0, 0}}, {-HALF_PI_UP, HALF_PI_UP}, true},
      {ATAN, {{0, INFINITY}, {0, 0}}, {0, HALF_PI_UP}, true},
      {ATAN, {{DBL_MAX, DBL_MAX}, {0, 0}}, {HALF_PI_DOWN, HALF_PI_UP}, true},
      {ATAN, {{0x1p-1074, 0x1p-1074}, {0, 0}}, {0, 0x1p-1074}, true},
      {TAN, {{0, 0}, {0, 0}}, {0, 0}, true},
      {TAN, {{1, 2}, {0, 0}}, WHOLE, false},
      {TAN, {{-1, 3}, {0, 0}}, WHOLE, false},
      {TAN, {{-1.5, 1.5 + 0x1.921fb54442d18p1}, {0, 0}}, WHOLE, false},
      {TAN, {{HALF_PI_DOWN, HALF_PI_UP}, {0, 0}}, WHOLE, false},
      {TAN, {WHOLE, {0, 0}}, WHOLE, false},
      {TAN, {{0x1p21, 0x1p21}, {0, 0}}, WHOLE, false},
      // The origin, inside and on the border.
      {ATAN2, {{-1, 1}, {-1, 1}}, {-PI_UP, PI_UP}, false},
      {ATAN2, {{0, 0}, {0, 0}}, {-PI_UP, PI_UP}, false},
      {ATAN2, {{0, 1}, {0, 1}}, {-PI_UP, PI_UP}, false},
      {ATAN2, {WHOLE, WHOLE}, {-PI_UP, PI_UP}, false},
      // Across the cut, touching it from below and from above, and on it.
      {ATAN2, {{-1, 1}, {-2, -1}}, {-PI_UP, PI_UP}, true},
      {ATAN2, {{-1, 0}, {-2, -1}}, {-PI_UP, PI_UP}, true},
      {ATAN2, {{0, 1}, {-2, -1}}, {0x1.2d97c7f3321d2p1, PI_UP}, true},
      {ATAN2, {{0, 0}, {-2, -1}}, {0x1.921fb54442d18p1, PI_UP}, true},
      {ATAN2, {{0, 0}, {-INFINITY, -1}}, {0x1.921fb54442d18p1, PI_UP}, true},
      // Axes and infinite ends.
      {ATAN2, {{0, 0}, {1, 2}}, {0, 0}, true},
      {ATAN2, {{1, 2}, {0, 0}}, {HALF_PI_DOWN, HALF_PI_UP}, true},
      {ATAN2, {{-2, -1}, {0, 0}}, {-HALF_PI_UP, -HALF_PI_DOWN}, true},
      {ATAN2, {{0, INFINITY}, {1, INFINITY}}, {0, HALF_PI_UP}, true},
      {ATAN2, {WHOLE, {1, 1}}, {-HALF_PI_UP, HALF_PI_UP}, true},
      {ATAN2, {{1, 1}, WHOLE}, {0, PI_UP}, true},
      {ATAN2, {{-1, -1}, WHOLE}, {-PI_UP, 0}, true},
      {ATAN2, {{1, INFINITY}, {-INFINITY, 0}}, {HALF_PI_DOWN, PI_UP}, true},
      {POW, {{0, 0}, {0, 0}}, {1, 1}, true},
      {POW, {{0, 5}, {0, 0}}, {1, 1}, true},
      {POW, {{0, 0}, {0, 2}}, {0, 1}, true},
      {POW, {{0, 0}, {0.5, 2}}, {0, 0}, true},
      {POW, {{1, 1}, WHOLE}, {1, 1}, true},
      {POW, {{0, INFINITY}, {0, 0}}, {1, 1}, true},
      {POW, {{0, 1}, {0.1, INFINITY}}, {0, 1}, true},
      {POW, {{0, 4}, {0.5, 1.5}}, {0, 8}, true},
      {POW, {{4, 9}, {-1.5, -0.5}}, {0x1.2f684bda12f68p-5, 0.5}, true},
      {POW, {{4, 16}, {-0.5, 1.5}}, {0.25, 64}, true},
      {POW, {{0.25, 4}, {-2, 3}}, {0x1p-6, 64}, true},
      {POW, {{0.25, 1}, {-2, 3}}, {0x1p-6, 16}, true},
      {POW, {{3, 3}, {5, 5}}, {243, 243}, true},
      {POW, {{0x1p-1074, 0x1p-1074}, {0.5, 0.5}}, {0x1p-537, 0x1p-537}, true},
      {POW, {{2, 2}, {1000, 2000}}, {0x1.fffffffffffffp999, INFINITY}, true},
      {POW, {{2, 2}, {1e300, 1e300}}, {DBL_MAX, INFINITY}, true},
      {POW, {{2, INFINITY}, {-INFINITY, -1}}, {0, 0.5}, true},
      {POW, {{0, 1}, {-1, 1}}, {0, INFINITY}, false},
      {POW, {{0, 1}, {-1, -1}}, {1, INFINITY}, false},
      {POW, {{0, 0}, {-2, -1}}, WHOLE, false},
      {POW, {{-2, -1}, {2, 2}}, WHOLE, false},
      {POW, {{-2, 3}, {2, 2}}, {0, 9}, false},
      {POW, {{-1, 0}, {-2, -1}}, WHOLE, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool defined;
    toi_interval got = apply(cases[i].f, cases[i].x, &defined), want = cases[i].result;
    if (got.lo != want.lo || got.hi != want.hi || defined != cases[i].defined)
      fail_msg("%s of [%a, %a], [%a, %a]: [%a, %a], defined: %d", names[cases[i].f], cases[i].x.a.lo, cases[i].x.a.hi,
               cases[i].x.b.lo, cases[i].x.b.hi, got.lo, got.hi, defined);
  }
}

static void small_whole_and_half_powers_are_exact(void **state) {
  (void)state;
  for (int x = 1; x <= 12; x++)
    for (int n = 0; n <= 12; n++) {
      double power = 1;
      for (int i = 0; i < n; i++)
        power *= x;
      toi_interval whole = toi_interval_pow(toi_interval_point(x), toi_interval_point(n), NULL);
      toi_interval half = toi_interval_pow(toi_interval_point(x * x), toi_interval_point(0.5 * n), NULL);
      assert_true(whole.lo == power && whole.hi == power && half.lo == power && half.hi == power);
      toi_interval inverse = toi_interval_pow(toi_interval_point(ldexp(1, x)), toi_interval_point(-0.5 * n), NULL);
      assert_true((x * n) % 2 != 0 || (inverse.lo == ldexp(1, -x * n / 2) && inverse.hi == inverse.lo));
    }
}

/* Where no pole lies between two doubles around one, and where one does. */
static void tangents_up_to_the_poles(void **state) {
  (void)state;
  seed = test_seed(0xe1f3);
  double up = HALF_PI_DOWN;
  bool defined;
  toi_interval wide = toi_interval_tan((toi_interval){-up, up}, &defined);
  assert_true(defined && wide.hi > 1.6e16 && wide.lo < -1.6e16 && wide.hi < 1.7e16);
  for (uint64_t i = test_count(POINTS); i > 0; i--) {
    double pole = (2 * (double)below(330000) + 1) * HALF_PI_DOWN, a = beside(pole), b = beside(pole);
    toi_interval x = {fmin(a, b), fmax(a, b)}, got = toi_interval_tan(x, &defined);
    // The C library's signs are right.
    bool rises = (tan(x.lo) > 0) == (tan(x.hi) > 0);
    if (defined != rises || (defined && !(holds(TAN, got, x.lo, 0) && holds(TAN, got, x.hi, 0))))
      fail_msg("tan of [%a, %a]: [%a, %a], defined: %d", x.lo, x.hi, got.lo, got.hi, defined);
  }
}

/* exp(log x) holds x, and so do tan(atan x) and (x^y)^(1/y): what one of them loses the other would have to. */
static void inverses_hold_the_number(void **state) {
  (void)state;
  seed = test_seed(0xe1f4);
  for (uint64_t i = test_count(10 * POINTS); i > 0; i--) {
    double x = random_positive(), y = 1 + (double)below(9);
    if (x == 0)
      continue;
    toi_interval p = toi_interval_point(x), n = toi_interval_point(y);
    assert_true(toi_interval_contains(toi_interval_exp(toi_interval_log(p, NULL)), x));
    assert_true(toi_interval_contains(toi_interval_tan(toi_interval_atan(p), NULL), x));
    toi_interval power = toi_interval_pow(p, n, NULL);
    assert_true(toi_interval_contains(toi_interval_pow(power, toi_interval_div(toi_interval_point(1), n), NULL), x));
    toi_interval turned = toi_interval_atan2(p, n, NULL), slope = toi_interval_atan(toi_interval_div(p, n));
    assert_true(turned.lo <= slope.hi && slope.lo <= turned.hi);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_within_few_doubles_of_the_tightest),
      cmocka_unit_test(points_of_boxes_stay_inside),
      cmocka_unit_test(ranges_are_those_of_the_corners),
      cmocka_unit_test(smaller_boxes_have_smaller_ranges),
      cmocka_unit_test(exact_and_infinite_and_undefined),
      cmocka_unit_test(small_whole_and_half_powers_are_exact),
      cmocka_unit_test(tangents_up_to_the_poles),
      cmocka_unit_test(inverses_hold_the_number),
  };
  mpfr_inits2(80, first, second, exact, (mpfr_ptr)0);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(first, second, exact, (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
