/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The answers of `cubic` without separation: nothing missed, no late time, no hit without contact.
 *
 * Two oracles. The planted truth knows the verdict, and mostly the time, because of how the query was made: it may be
 * believed everywhere. `exact` decides in integers and shares no code with `cubic` but the SIMD filter's bounds. */

#include <inttypes.h>
#include <math.h>

#include "narrow/asking.h"
#include "narrow/cubic.h"

static const size_t planted_counts[TOI_KIND_COUNT] = {24000, 24000, 8000, 4000};

/* What is wrong with an answer; NULL if nothing is. lo, hi: the tightest doubles around the first contact, if there is
 * one. */
static const char *fault_of(const toi_hit *hit, bool touches, double lo, double hi, double t_max) {
  if (hit->verdict == TOI_MISS) {
    if (touches)
      return "a contact is missed";
    return isinf(hit->t_lo) && isinf(hit->t_hi) && hit->t_safe == t_max ? NULL : "a miss with a time";
  }
  if (!(hit->t_lo >= 0 && hit->t_lo <= hit->t_hi && hit->t_hi <= t_max))
    return "an interval that is none, or beyond t_max";
  if (touches && !(hit->t_lo <= lo))
    return "t_lo is late";
  if (touches && !(hit->t_safe <= lo && (hi == 0 || hit->t_safe < hi)))
    return "t_safe is late";
  if (hit->verdict == TOI_NEAR)
    return hit->tolerance_reached >= 0 && !isnan(hit->tolerance_reached) ? NULL : "near without a tolerance";
  if (!touches)
    return "a contact is invented";
  if (!(hi <= hit->t_hi))
    return "the bracket ends before the contact";
  if (hit->touching_at_start && hi != 0)
    return "touching_at_start is wrong";
  return hit->distance == 0 && hit->u >= 0 && hit->u <= 1 && hit->v >= 0 && hit->v <= 1 ? NULL : "a hit out of place";
}

static void complain_of(toi_kind kind, const double *query, const toi_hit *hit, const char *what) {
  test_print_query(kind, query);
  print_error("%s [%a, %a]\n", toi_verdict_name((toi_verdict)hit->verdict), hit->t_lo, hit->t_hi);
  fail_msg("%s: %s", toi_kind_name(kind), what);
}

static void planted_contacts_are_never_missed_nor_late(void **test) {
  (void)test;
  uint64_t seed = test_seed(301);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(planted_counts[kind]), NULL);
    toi_context *context = test_context(1);
    size_t hits = 0, proved = 0, open = 0, misses = 0;
    ask_batch(context, &a, "cubic", NULL, a.certified);
    for (size_t i = 0; i < a.count; i++) {
      const toi_hit *e = &a.exact[i], *c = &a.certified[i];
      const char *fault = fault_of(c, a.truth[i].hit, e->t_lo, e->t_hi, 1);
      if (fault)
        complain(&a, i, fault);
      hits += a.truth[i].hit;
      misses += !a.truth[i].hit;
      proved += c->verdict == TOI_HIT;
      open += c->verdict == TOI_NEAR && !a.truth[i].hit;
    }
    print_message("%s: %zu of %zu contacts proved, %zu of %zu others left open\n", toi_kind_name(kind), proved, hits,
                  open, misses);
    toi_context_destroy(context);
    asked_free(&a);
  }
}

/* --- random queries, from general to degenerate, of all magnitudes --- */

static double random_coordinate(uint64_t *state, unsigned style) {
  double x = test_random_unit(state);
  switch (style % 6) {
  case 0:
    return x;
  case 1: /* on a small grid: coplanar, collinear, coincident, at rest */
    return floor(3 * x);
  case 2: /* the same, away from the origin and inexact */
    return 0x1.999999999999ap+3 + floor(3 * x) * 0.1;
  case 3: /* mixed magnitudes */
    return ldexp(x - 0.5, (int)(test_random(state) % 60) - 30);
  case 4: /* sums overflow */
    return (floor(5 * x) - 2) * 0x1.fp1021;
  default: /* subnormal */
    return floor(4 * x) * 0x1p-1074;
  }
}

static void random_row(uint64_t *state, toi_kind kind, double *query) {
  unsigned style = (unsigned)(test_random(state) % 6);
  uint64_t flat = test_random(state);
  for (size_t i = 0; i < row_of(kind); i++) {
    query[i] = random_coordinate(state, style);
    if (i % 3 == 2 && flat % 4 == 0)
      query[i] = 1;
    if (i % 3 == 1 && flat % 16 == 0)
      query[i] = -2;
  }
}

static void random_queries_of_all_magnitudes_agree_with_exact(void **test) {
  (void)test;
  static const double limits[] = {1, 1, 0.5, 0};
  uint64_t state = test_seed(302), count = test_count(60000);
  for (uint64_t i = 0; i < count; i++) {
    toi_kind kind = (toi_kind)(test_random(&state) % TOI_KIND_COUNT);
    double query[24], t_max = limits[test_random(&state) % 4];
    random_row(&state, kind, query);
    toi_hit e = ask_one(kind, query, "exact", t_max), c = ask_one(kind, query, "cubic", t_max);
    const char *fault = fault_of(&c, e.verdict == TOI_HIT, e.t_lo, e.t_hi, t_max);
    if (fault)
      complain_of(kind, query, &c, fault);
  }
}

/* A contact whose time is a double, and t_max around it. */
static void t_max_just_before_the_root_is_no_hit(void **test) {
  (void)test;
  const double query[24] = {0.25, 0.25, 1,  0, 0, 0, 1, 0, 0, 0, 1, 0, /* end */
                            0.25, 0.25, -3, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  toi_hit before = ask_one(TOI_VERTEX_FACE, query, "cubic", nextafter(0.25, 0));
  assert_int_not_equal(before.verdict, TOI_HIT);
  assert_true(before.verdict == TOI_MISS || before.t_lo <= 0.25);
  toi_hit after = ask_one(TOI_VERTEX_FACE, query, "cubic", 1);
  assert_int_equal(after.verdict, TOI_HIT);
  assert_true(after.t_lo <= 0.25 && after.t_hi >= 0.25 && after.t_hi - after.t_lo < 1e-12);
  assert_true(fabs(after.u - 0.25) < 1e-9 && fabs(after.v - 0.25) < 1e-9);
  assert_true(after.normal[2] == 1 && fabs(after.point[2]) < 1e-9);
}

static void nan_and_infinity_are_refused(void **test) {
  (void)test;
  toi_options options = toi_default_options();
  options.method = "cubic";
  toi_context *context = test_context(1);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (size_t i = 0; i < row_of(kind); i++) {
      double queries[3 * 24] = {0};
      toi_hit hits[3];
      queries[row_of(kind) + i] = i % 2 ? NAN : INFINITY;
      assert_int_equal(toi_batch(context, kind, queries, 3, &options, hits), TOI_ERROR_INPUT);
    }
  toi_context_destroy(context);
}

/* Householder between extrema sees no change of sign at a double root: v passes through the plane's tangent. The cubic
 * is a square here, (2 t - 1)^2 in z, as the triangle's height follows the vertex. */
static void double_root_at_an_extremum_is_not_missed(void **test) {
  (void)test;
  uint64_t state = test_seed(303);
  for (int i = 0; i < 2000; i++) {
    // Corners p_k = v - f_k with det(p_0, p_1, p_2) = (1 - 2 t)^2 s and 0 in the hull at 1/2.
    double s = ldexp(1 + test_random_unit(&state), (int)(test_random(&state) % 20) - 10);
    double a = s * (0.5 + test_random_unit(&state)), b = s * (0.5 + test_random_unit(&state));
    double query[24] = {0};
    double corners[2][3][3] = {{{s, 0, 0}, {0, s, 0}, {-a, -b, s}}, {{-s, 0, 0}, {0, -s, 0}, {a, b, s}}};
    for (int time = 0; time < 2; time++)
      for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
          query[12 * time + 3 * (k + 1) + axis] = -corners[time][k][axis];
    toi_hit e = ask_one(TOI_VERTEX_FACE, query, "exact", 1), c = ask_one(TOI_VERTEX_FACE, query, "cubic", 1);
    const char *fault = fault_of(&c, e.verdict == TOI_HIT, e.t_lo, e.t_hi, 1);
    assert_int_equal(e.verdict, TOI_HIT);
    if (fault)
      complain_of(TOI_VERTEX_FACE, query, &c, fault);
  }
}

/* --- the paper's counts --- */

static void random_contacts_are_odd_and_even_as_published(void **test) {
  (void)test;
  enum { BLOCK = 1000 };
  static double queries[BLOCK * 24];
  uint64_t state = test_seed(304), blocks = test_count(100);
  toi_cubic_statistics found = {0};
  for (uint64_t i = 0; i < blocks; i++) {
    for (size_t j = 0; j < BLOCK * 24; j++)
      queries[j] = test_random_unit(&state);
    toi_cubic_survey(TOI_VERTEX_FACE, queries, BLOCK, &found);
  }
  double n = (double)found.queries, odd = (double)found.odd / n, even = (double)found.even / n;
  print_message("odd %.4f %%, even %.4f %%; published 7.4999 %% and 0.2278 %%\n", 100 * odd, 100 * even);
  assert_int_equal(found.queries, blocks * BLOCK);
  assert_true(fabs(odd - 0.074999) <= 5 * sqrt(0.07 / n) && fabs(even - 0.002278) <= 5 * sqrt(0.0023 / n));
  assert_int_equal(found.degenerate, 0);
}

static void flat_and_translating_queries_are_counted_as_such(void **test) {
  (void)test;
  const double flat[24] = {5, 5, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 3, 3, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1};
  const double translating[24] = {0.2, 0.2, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.3, 0.1, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5};
  toi_cubic_statistics found = {0};
  toi_cubic_survey(TOI_VERTEX_FACE, flat, 1, &found);
  assert_true(found.queries == 1 && found.degenerate == 1 && found.flat == 1 && found.zero_leading == 0);
  toi_cubic_survey(TOI_VERTEX_FACE, translating, 1, &found);
  assert_true(found.queries == 2 && found.degenerate == 1 && found.zero_leading == 1 && found.odd == 1);
}

static void answers_do_not_depend_on_the_batch(void **test) {
  (void)test;
  uint64_t seed = test_seed(305);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(2000), NULL);
    toi_context *context = test_context(2);
    ask_batch(context, &a, "cubic", NULL, a.certified);
    for (size_t i = 0; i < a.count; i++) {
      toi_hit one = ask_one(kind, asked_query(&a, i), "cubic", 1);
      if (memcmp(&one, &a.certified[i], sizeof(one)) != 0)
        complain(&a, i, "the answer depends on how it is asked");
    }
    toi_context_destroy(context);
    asked_free(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_contacts_are_never_missed_nor_late),
      cmocka_unit_test(random_queries_of_all_magnitudes_agree_with_exact),
      cmocka_unit_test(t_max_just_before_the_root_is_no_hit),
      cmocka_unit_test(nan_and_infinity_are_refused),
      cmocka_unit_test(double_root_at_an_extremum_is_not_missed),
      cmocka_unit_test(random_contacts_are_odd_and_even_as_published),
      cmocka_unit_test(flat_and_translating_queries_are_counted_as_such),
      cmocka_unit_test(answers_do_not_depend_on_the_batch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
