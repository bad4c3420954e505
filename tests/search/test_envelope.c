/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Gaps from crossing envelopes, against rational arithmetic: at both ends of a gap every line is exactly on its side
 * (the envelopes are convex, so it is everywhere between), and just beyond an end it is not. */

#include <math.h>

#include <gmp.h>

#include "search/envelope.h"
#include "support/support.h"

#define MOST_LINES 100

typedef struct set {
  double start[MOST_LINES], end[MOST_LINES];
  size_t count;
} set;

static toi_lines lines_of(const set *s) {
  return (toi_lines){s->start, s->end, s->count};
}

/* Values that meet, repeat, differ in magnitude and have no short form. */
static double value(uint64_t *state) {
  static const double scales[] = {1, 1, 1, 0x1p-20, 0x1p30, 0x1p-400, 0x1p400, 0x1p-1070};
  double x = 2 * test_random_unit(state) - 1;
  switch (test_random(state) % 8) {
  case 0:
    return 0;
  case 1:
    return (double)(int)(4 * x);
  case 2:
    return x * scales[test_random(state) % 8];
  default:
    return x;
  }
}

static set random_set(uint64_t *state, size_t most, double shift) {
  set s = {.count = 1 + test_random(state) % most};
  double drift = 3 * (2 * test_random_unit(state) - 1);
  for (size_t i = 0; i < s.count; i++) {
    s.start[i] = value(state) + shift + drift;
    s.end[i] = value(state) + shift - drift;
  }
  return s;
}

/* The exact extreme value of the lines at a time: the largest for sign 1, the smallest for sign -1. */
static void extreme_at(const set *s, double t, int sign, mpq_t result) {
  mpq_t a, b, time;
  mpq_inits(a, b, time, NULL);
  mpq_set_d(time, t);
  for (size_t i = 0; i < s->count; i++) {
    mpq_set_d(a, s->start[i]);
    mpq_set_d(b, s->end[i]);
    mpq_sub(b, b, a);
    mpq_mul(b, b, time);
    mpq_add(a, a, b);
    if (i == 0 || sign * mpq_cmp(a, result) > 0)
      mpq_set(result, a);
  }
  mpq_clears(a, b, time, NULL);
}

/* The sign of (the smallest of upper) - (the largest of lower) - slack at a time. */
static int clearance(const set *lower, const set *upper, double slack, double t) {
  mpq_t top, bottom, extra;
  mpq_inits(top, bottom, extra, NULL);
  extreme_at(lower, t, 1, top);
  extreme_at(upper, t, -1, bottom);
  mpq_set_d(extra, slack);
  mpq_add(top, top, extra);
  int sign = mpq_cmp(bottom, top);
  mpq_clears(top, bottom, extra, NULL);
  return sign;
}

static void fail_with(const set *lower, const set *upper, double slack, toi_interval gap) {
  for (size_t i = 0; i < lower->count; i++)
    print_error("lower %a %a\n", lower->start[i], lower->end[i]);
  for (size_t i = 0; i < upper->count; i++)
    print_error("upper %a %a\n", upper->start[i], upper->end[i]);
  fail_msg("slack %a, gap [%a, %a]", slack, gap.lo, gap.hi);
}

/* Whether the gap is where all lines are below -level (lower side) or above level, and is all of it. */
static bool right_side(const set *s, double level, toi_interval gap, bool lower_side) {
  set wall = {.count = 1};
  wall.start[0] = wall.end[0] = lower_side ? -level : level;
  const set *lower = lower_side ? s : &wall, *upper = lower_side ? &wall : s;
  if (clearance(lower, upper, 0, gap.lo) <= 0 || clearance(lower, upper, 0, gap.hi) <= 0)
    return false;
  if (gap.lo > 0x1p-1000 && clearance(lower, upper, 0, gap.lo * (1 - 0x1p-48)) > 0)
    return false;
  return gap.hi == 1 || clearance(lower, upper, 0, fmin(1, gap.hi * (1 + 0x1p-48) + 0x1p-1020)) <= 0;
}

/* Whether the lines are on neither side at a time. */
static bool between(const set *s, double level, double t) {
  set low = {{-level}, {-level}, 1}, high = {{level}, {level}, 1};
  return clearance(s, &low, 0, t) <= 0 && clearance(&high, s, 0, t) <= 0;
}

static void lines_beside_a_level_are_so_exactly_and_not_beyond(void **unused) {
  (void)unused;
  uint64_t state = test_seed(11), rounds = test_count(40000);
  size_t whole = 0, partial = 0, inner = 0, both = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    set s = random_set(&state, 6, 0);
    double level = fabs(value(&state));
    toi_lines lines = lines_of(&s);
    toi_interval gaps[2] = {{2, -1}, {2, -1}};
    unsigned count = toi_envelope_sides(&lines, level, gaps);
    bool wrong = false;
    for (unsigned i = 0; i < count; i++) {
      wrong |= !right_side(&s, level, gaps[i], true) && !right_side(&s, level, gaps[i], false);
      whole += gaps[i].lo == 0 && gaps[i].hi == 1;
      partial += (gaps[i].lo == 0) != (gaps[i].hi == 1);
      inner += gaps[i].lo > 0 && gaps[i].hi < 1;
    }
    for (int k = 0; k <= 8; k++) {
      bool in = false;
      for (unsigned i = 0; i < count; i++)
        in |= gaps[i].lo <= k / 8.0 && k / 8.0 <= gaps[i].hi;
      // Only at an end of a gap, to a rounding, may a time be missing.
      wrong |= !in && !between(&s, level, k / 8.0) && !between(&s, level, fmin(1, k / 8.0 * (1 + 0x1p-48))) &&
               !between(&s, level, k / 8.0 * (1 - 0x1p-48));
    }
    both += count == 2;
    if (wrong)
      fail_with(&s, &s, level, gaps[0]);
  }
  print_message("%zu whole steps, %zu from an end, %zu inside; %zu on both sides\n", whole, partial, inner, both);
  assert_true(whole > 0 && partial > 0 && inner > 0 && both > 0);
}

/* Largest magnitude, as the bound takes it. */
static double magnitude(const set *a, const set *b) {
  double most = 0x1p-1000;
  for (size_t i = 0; i < a->count; i++)
    most = fmax(most, fmax(fabs(a->start[i]), fabs(a->end[i])));
  for (size_t i = 0; i < b->count; i++)
    most = fmax(most, fmax(fabs(b->start[i]), fabs(b->end[i])));
  return most;
}

/* Where the sets are apart by so much, they are in the gap. */
static bool complete(const set *lower, const set *upper, double slack, bool any, toi_interval gap) {
  double more = slack + magnitude(lower, upper) * 0x1p-48;
  for (int k = 0; k <= 16; k++) {
    double t = k / 16.0;
    bool in = any && gap.lo <= t && t <= gap.hi;
    if (!in && clearance(lower, upper, more, t) > 0)
      return false;
  }
  double before = any ? gap.lo - 0x1p-30 : 0, after = any ? gap.hi + 0x1p-30 : 0;
  more = slack + magnitude(lower, upper) * 0x1p-20;
  return !any || ((before < 0 || clearance(lower, upper, more, before) <= 0) &&
                  (after > 1 || clearance(lower, upper, more, after) <= 0));
}

static void two_sets_with_up_to(size_t most, uint64_t rounds, uint64_t *state) {
  size_t found = 0, inner = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    set lower = random_set(state, most, 0), upper = random_set(state, most, 2.5);
    double slack = round % 3 ? 0 : 0.25 * test_random_unit(state);
    toi_lines a = lines_of(&lower), b = lines_of(&upper);
    toi_interval gap = {2, -1};
    bool any = toi_envelope_apart(&a, &b, slack, &gap);
    if (any && (clearance(&lower, &upper, slack, gap.lo) <= 0 || clearance(&lower, &upper, slack, gap.hi) <= 0))
      fail_with(&lower, &upper, slack, gap);
    if (!complete(&lower, &upper, slack, any, gap))
      fail_with(&lower, &upper, slack, gap);
    found += any;
    inner += any && gap.lo > 0 && gap.hi < 1;
  }
  print_message("up to %zu lines: %zu gaps, %zu inside the step\n", most, found, inner);
  assert_true(found > 0);
}

static void two_small_sets_are_apart_exactly_in_their_gap(void **unused) {
  (void)unused;
  uint64_t state = test_seed(12);
  two_sets_with_up_to(4, test_count(20000), &state);
}

static void two_sets_of_many_points_are_apart_exactly_in_their_gap(void **unused) {
  (void)unused;
  uint64_t state = test_seed(13);
  two_sets_with_up_to(MOST_LINES, test_count_from(400, 20), &state);
}

/* A line of the lower set that comes down steeply, so that the search goes on from where it has passed; and one that
 * follows the upper set's only line, a few units in the last place off: whether it is above or below, only exact
 * arithmetic can tell, and evaluation in doubles is wrong by as much. */
static void lines_that_nearly_coincide_are_not_told_apart_by_rounding(void **unused) {
  (void)unused;
  uint64_t state = test_seed(16), rounds = test_count(200000);
  size_t found = 0, none = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    set lower = {.count = 2}, upper = {.count = 1};
    upper.start[0] = 1 + test_random_unit(&state);
    upper.end[0] = -1 - test_random_unit(&state);
    lower.start[0] = upper.start[0] + test_random_unit(&state);
    lower.end[0] = upper.end[0] - test_random_unit(&state);
    lower.start[1] = upper.start[0] + (double)(test_random(&state) % 8) * 0x1p-52;
    lower.end[1] = upper.end[0] - (double)(8 + test_random(&state) % 16) * 0x1p-52;
    toi_lines a = lines_of(&lower), b = lines_of(&upper);
    toi_interval gap = {2, -1};
    bool any = toi_envelope_apart(&a, &b, 0, &gap);
    if (any && (clearance(&lower, &upper, 0, gap.lo) <= 0 || clearance(&lower, &upper, 0, gap.hi) <= 0))
      fail_with(&lower, &upper, 0, gap);
    found += any;
    none += !any;
  }
  print_message("%zu gaps, %zu without\n", found, none);
  assert_true(found > 0 && none > 0);
}

/* Two lines that cross at 1/3 with values of 53 bits: a gap that began at the rounded crossing would be wrong in every
 * second case. */
static void crossings_that_are_no_double_are_rounded_into_the_gap(void **unused) {
  (void)unused;
  uint64_t state = test_seed(14), rounds = test_count(20000);
  for (uint64_t round = 0; round < rounds; round++) {
    double high = 1 + test_random_unit(&state), fall = 3 + test_random_unit(&state);
    set falling = {.count = 1}, still = {.count = 1};
    falling.start[0] = high;
    falling.end[0] = high - fall;
    toi_lines a = lines_of(&falling), b = lines_of(&still);
    toi_interval one[2], two;
    assert_int_equal(toi_envelope_sides(&a, 0, one), 2);
    assert_true(toi_envelope_apart(&a, &b, 0, &two));
    assert_true(clearance(&falling, &still, 0, one[0].lo) > 0 && clearance(&falling, &still, 0, two.lo) > 0);
    assert_true(clearance(&still, &falling, 0, one[1].hi) > 0);
    assert_true(one[0].hi == 1 && two.hi == 1 && fabs(one[0].lo - two.lo) < 0x1p-46);
  }
}

static void a_dip_below_the_level_is_one_gap_inside_the_step(void **unused) {
  (void)unused;
  // V-shaped: the larger of 1 - 4t and 4t - 3 is below zero in (1/4, 3/4).
  set v = {{1, -3}, {-3, 1}, 2}, zero = {{0}, {0}, 1};
  toi_lines lines = lines_of(&v), level = lines_of(&zero);
  toi_interval gap, gaps[2];
  assert_int_equal(toi_envelope_sides(&lines, 0, gaps), 1);
  gap = gaps[0];
  assert_true(gap.lo > 0.25 && gap.lo < 0.25 + 0x1p-48 && gap.hi < 0.75 && gap.hi > 0.75 - 0x1p-48);
  assert_true(toi_envelope_apart(&lines, &level, 0, &gap));
  assert_true(gap.lo > 0.25 && gap.lo < 0.25 + 0x1p-46 && gap.hi < 0.75 && gap.hi > 0.75 - 0x1p-46);
  assert_int_equal(toi_envelope_sides(&lines, 1, gaps), 0);
  assert_false(toi_envelope_apart(&lines, &level, 1, &gap));
}

static void touching_lines_have_no_gap(void **unused) {
  (void)unused;
  set touching = {{0, -1}, {-1, 0}, 2}, zero = {{0}, {0}, 1};
  toi_lines lines = lines_of(&touching), level = lines_of(&zero);
  toi_interval gap, gaps[2];
  assert_int_equal(toi_envelope_sides(&lines, 0, gaps), 1);
  assert_true(gaps[0].lo > 0 && gaps[0].hi < 1);
  assert_true(toi_envelope_apart(&lines, &level, 0, &gap) && gap.lo > 0 && gap.hi < 1);
  toi_lines first = {touching.start, touching.start, 1};
  assert_int_equal(toi_envelope_sides(&first, 0, gaps), 0);
  assert_false(toi_envelope_apart(&first, &level, 0, &gap));
}

static void nan_and_overflow_have_no_gap(void **unused) {
  (void)unused;
  const double bad[] = {NAN, INFINITY, DBL_MAX};
  set zero = {{0}, {0}, 1};
  toi_lines level = lines_of(&zero);
  for (size_t i = 0; i < 3; i++) {
    set s = {{-1, bad[i]}, {-1, -DBL_MAX}, 2}, m = {{-1, -DBL_MAX}, {-1, bad[i]}, 2};
    toi_lines lines = lines_of(&s), mirrored = lines_of(&m);
    toi_interval gap, gaps[2];
    assert_int_equal(toi_envelope_sides(&lines, 0, gaps), 0);
    assert_int_equal(toi_envelope_sides(&mirrored, 0, gaps), 0);
    assert_false(toi_envelope_apart(&lines, &level, 0, &gap) || toi_envelope_apart(&mirrored, &level, 0, &gap));
    assert_false(toi_envelope_apart(&level, &lines, 0, &gap));
  }
  toi_interval gaps[2];
  assert_int_equal(toi_envelope_sides(&level, NAN, gaps), 0);
}

/* --- what gaps leave over --- */

static bool covered(const toi_gaps *gaps, double t) {
  for (size_t i = 0; i < gaps->count; i++)
    if (gaps->gap[i].lo <= t && t <= gaps->gap[i].hi)
      return true;
  return false;
}

/* Against every multiple of 1/64; the gaps' ends are multiples of 1/32, so no piece hides between. */
static void gaps_leave_what_they_do_not_cover(void **unused) {
  (void)unused;
  uint64_t state = test_seed(15), rounds = test_count(50000);
  for (uint64_t round = 0; round < rounds; round++) {
    toi_gaps gaps = {0};
    for (uint64_t k = test_random(&state) % 6; k > 0; k--) {
      double lo = (double)(test_random(&state) % 33) / 32, hi = (double)(test_random(&state) % 33) / 32;
      toi_gaps_add(&gaps, (toi_interval){fmin(lo, hi), fmax(lo, hi)});
    }
    double lo = 2, hi = -1, first = -1;
    for (int k = 8; k <= 56; k++) {
      double t = k / 64.0;
      if (covered(&gaps, t))
        continue;
      lo = fmin(lo, t);
      hi = t;
      if (first < 0 || t - first == 1 / 64.0)
        first = t;
    }
    toi_interval times = {0.125, 0.875};
    bool any = toi_gaps_clip(&gaps, &times);
    assert_int_equal(any, hi >= 0);
    if (!any)
      continue;
    // Ends of pieces may be ends of gaps, one step away and covered.
    assert_true(times.lo == lo || (times.lo == lo - 1 / 64.0 && covered(&gaps, times.lo)));
    assert_true(times.hi == hi || (times.hi == hi + 1 / 64.0 && covered(&gaps, times.hi)));
    double end = toi_gaps_first_end(&gaps, times);
    assert_true(end == first || (end == first + 1 / 64.0 && covered(&gaps, end)));
  }
}

static void a_full_list_forgets_gaps_and_stays_safe(void **unused) {
  (void)unused;
  toi_gaps gaps = {0};
  for (int i = 0; i < TOI_GAPS_MOST + 5; i++)
    toi_gaps_add(&gaps, (toi_interval){0.25, 0.5});
  toi_gaps_add(&gaps, (toi_interval){0, 1});
  toi_interval times = {0, 1};
  assert_true(toi_gaps_clip(&gaps, &times) && times.lo == 0 && times.hi == 1);
  assert_true(toi_gaps_first_end(&gaps, times) == 0.25);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_beside_a_level_are_so_exactly_and_not_beyond),
      cmocka_unit_test(two_small_sets_are_apart_exactly_in_their_gap),
      cmocka_unit_test(two_sets_of_many_points_are_apart_exactly_in_their_gap),
      cmocka_unit_test(lines_that_nearly_coincide_are_not_told_apart_by_rounding),
      cmocka_unit_test(crossings_that_are_no_double_are_rounded_into_the_gap),
      cmocka_unit_test(a_dip_below_the_level_is_one_gap_inside_the_step),
      cmocka_unit_test(touching_lines_have_no_gap),
      cmocka_unit_test(nan_and_overflow_have_no_gap),
      cmocka_unit_test(gaps_leave_what_they_do_not_cover),
      cmocka_unit_test(a_full_list_forgets_gaps_and_stays_safe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
