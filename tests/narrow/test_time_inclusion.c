/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `time-inclusion`: whatever it refutes is refuted by `exact` or by construction, nothing touches before its
 * t_lo, and at t_lo the two are as close as it says, by an exact oracle. It always ends. */

#include <math.h>

#include "narrow/asking.h"
#include "narrow/separation_oracle.h"
#include "narrow/time_inclusion.h"
#include "planted/grazing.h"

static toi_options with(toi_inclusion inclusion) {
  toi_options options = toi_default_options();
  options.method = "time-inclusion";
  options.inclusion = inclusion;
  return options;
}

/* What is wrong with an answer by itself; NULL if nothing is. */
static const char *misshapen(toi_kind kind, const double *query, const toi_options *options, const toi_hit *hit) {
  if (hit->verdict == TOI_MISS)
    return isinf(hit->t_lo) && isinf(hit->t_hi) && hit->t_safe == options->t_max ? NULL : "a miss with a time";
  if (hit->verdict != TOI_NEAR)
    return "a hit that cannot be proved";
  if (!(0 <= hit->t_lo && hit->t_lo <= hit->t_hi && hit->t_hi <= options->t_max && hit->t_safe <= hit->t_lo))
    return "times out of order";
  if (isinf(hit->tolerance_reached))
    return hit->t_lo == 0 && hit->t_safe == 0 ? NULL : "a time without a distance";
  if (!(0 <= hit->u && hit->u <= 1 && 0 <= hit->v && hit->v <= 1))
    return "parameters out of range";
  double d = nextafter(hit->separation + hit->tolerance_reached, INFINITY);
  return oracle_within(kind, query, d, options->norm, hit->t_lo) ? NULL : "not as close at t_lo as it says";
}

/* What is wrong with it beside the truth: first contact in [t_lo, t_hi] if there is one. */
static const char *wrong(bool touches, double t_lo, double t_max, const toi_hit *hit) {
  if (!touches || t_lo > t_max)
    return NULL;
  if (hit->verdict == TOI_MISS)
    return "a contact is missed";
  if (hit->t_lo > t_lo)
    return "t_lo is after contact";
  return hit->t_safe > 0 && hit->t_safe > t_lo ? "t_safe is after contact" : NULL;
}

static void fail_at(toi_kind kind, const double *query, const toi_options *options, const toi_hit *hit,
                    const char *fault) {
  test_print_query(kind, query);
  fail_msg("%s: %s [%a, %a], reached %g; inclusion %d, norm %d, d %a, t_max %a", fault,
           toi_verdict_name((toi_verdict)hit->verdict), hit->t_lo, hit->t_hi, hit->tolerance_reached,
           (int)options->inclusion, (int)options->norm, options->min_separation, options->t_max);
}

/* --- against construction and `exact` --- */

static void planted_contacts_are_neither_missed_nor_late(void **unused) {
  (void)unused;
  uint64_t seed = test_seed(21), rounds = test_count(4000);
  size_t invented = 0, missed = 0, asked_count = 0;
  for (toi_kind kind = TOI_VERTEX_FACE; kind < TOI_KIND_COUNT; kind++) {
    for (uint64_t i = 0; i < rounds; i++) {
      planted_query p;
      planted_mixed(kind, seed, i, &p);
      toi_hit truth = ask_one(kind, p.points, "exact", 1);
      for (int inclusion = 0; inclusion < 2; inclusion++) {
        toi_options options = with((toi_inclusion)inclusion);
        options.t_max = i % 3 ? 1 : i % 2 ? 0.5 : truth.t_lo < 1 ? truth.t_lo : 0;
        toi_hit hit = ask_with(kind, p.points, &options);
        const char *fault = misshapen(kind, p.points, &options, &hit);
        bool touches = truth.verdict == TOI_HIT && truth.t_hi <= options.t_max;
        if (!fault)
          fault = wrong(touches, truth.t_lo, options.t_max, &hit);
        if (fault)
          fail_at(kind, p.points, &options, &hit, fault);
        asked_count++;
        missed += hit.verdict == TOI_MISS;
        invented += hit.verdict != TOI_MISS && !touches;
      }
    }
  }
  print_message("%zu queries, %zu refuted, %zu left open without contact\n", asked_count, missed, invented);
  assert_true(missed > asked_count / 10);
}

/* Separations in both norms: distances that graze d, and plain ones, with the exact answer beside. */
static void separations_are_neither_missed_nor_late(void **unused) {
  (void)unused;
  uint64_t seed = test_seed(22), rounds = test_count(3000);
  size_t missed = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    grazing_group group = grazing_group_make((toi_norm)(i % 2), seed, i / 16);
    uint32_t class = (uint32_t)(i % grazing_class_count());
    toi_kind kind = (toi_kind)(i / 7 % TOI_KIND_COUNT);
    if (!grazing_class_has(class, kind))
      continue;
    planted_query p;
    grazing_make(class, kind, &group, seed, i, &p);
    for (int inclusion = 0; inclusion < 2; inclusion++) {
      toi_options options = with((toi_inclusion)inclusion);
      options.norm = group.norm;
      options.min_separation = group.separation;
      toi_hit hit = ask_with(kind, p.points, &options);
      const char *fault = misshapen(kind, p.points, &options, &hit);
      if (!fault)
        fault = wrong(p.hit, p.time_known ? p.t_lo : 1, 1, &hit);
      if (fault)
        fail_at(kind, p.points, &options, &hit, fault);
      missed += hit.verdict == TOI_MISS;
    }
  }
  print_message("%zu refuted\n", missed);
}

static void random_query(toi_kind kind, uint64_t *state, double query[24]) {
  double drift[3];
  for (int a = 0; a < 3; a++)
    drift[a] = 2 * test_random_unit(state) - 1;
  uint32_t points = toi_kind_points(kind);
  for (uint32_t i = 0; i < 2 * points; i++)
    for (int a = 0; a < 3; a++)
      query[3 * i + (uint32_t)a] =
          2 * test_random_unit(state) - 1 + (i % points ? 0 : (i < points ? -1.5 : 1.5) * drift[a]);
}

static void random_separations_agree_with_exact(void **unused) {
  (void)unused;
  static const double separations[] = {0, 1e-300, 1e-16, 1e-8, 1e-2, 0.3};
  uint64_t state = test_seed(23), rounds = test_count(3000);
  size_t contacts = 0, invented = 0, missed = 0;
  double widest = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    double query[24];
    random_query(kind, &state, query);
    toi_options options = with((toi_inclusion)(i / 4 % 2)), reference;
    options.norm = (toi_norm)(i / 8 % 2);
    options.min_separation = separations[i / 16 % 6];
    reference = options;
    reference.method = "exact";
    toi_hit hit = ask_with(kind, query, &options), truth = ask_with(kind, query, &reference);
    const char *fault = misshapen(kind, query, &options, &hit);
    if (!fault)
      fault = wrong(truth.verdict == TOI_HIT, truth.t_lo, 1, &hit);
    if (fault)
      fail_at(kind, query, &options, &hit, fault);
    contacts += truth.verdict == TOI_HIT;
    missed += hit.verdict == TOI_MISS;
    invented += truth.verdict != TOI_HIT && hit.verdict != TOI_MISS;
    if (truth.verdict == TOI_HIT && hit.tolerance_reached <= 1e-6)
      widest = fmax(widest, truth.t_lo - hit.t_lo);
  }
  print_message("%zu contacts, %zu refuted, %zu invented; t_lo early by %g at most\n", contacts, missed, invented,
                widest);
  assert_true(contacts > 0 && missed > 0 && invented == 0);
}

/* --- it ends, whatever the geometry --- */

/* Start and end the same. */
static void at_rest(toi_kind kind, const double *points, double query[24]) {
  size_t half = 3 * toi_kind_points(kind);
  memcpy(query, points, half * sizeof(double));
  memcpy(query + half, points, half * sizeof(double));
}

/* Both answers of both inclusions must come within a budget of few pieces. */
static toi_hit ends_soon(toi_kind kind, const double *query, double tolerance) {
  toi_hit hit = {0};
  for (int inclusion = 0; inclusion < 2; inclusion++) {
    toi_options options = with((toi_inclusion)inclusion);
    options.max_checks = 200;
    hit = ask_with(kind, query, &options);
    const char *fault = misshapen(kind, query, &options, &hit);
    if (fault || hit.verdict != TOI_NEAR || !(hit.tolerance_reached <= tolerance) || hit.t_lo != 0)
      fail_at(kind, query, &options, &hit, fault ? fault : "no answer at once");
  }
  return hit;
}

static void contact_at_rest_is_found_at_once(void **unused) {
  (void)unused;
  const double in_face[12] = {0.25, 0.25, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const double on_corner[12] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const double collapsed[12] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
  const double crossing[12] = {-1, 0.1, 0.3, 1, 0, 0.3, 0, -1, 0.3, 0.2, 1, 0.3};
  const double coincident[12] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1};
  const double overlapping[12] = {0, 0, 0, 1, 1, 1, 0.5, 0.5, 0.5, 2, 2, 2};
  const struct {
    toi_kind kind;
    const double *points;
  } cases[] = {{TOI_VERTEX_FACE, in_face},    {TOI_VERTEX_FACE, on_corner}, {TOI_VERTEX_FACE, collapsed},
               {TOI_EDGE_EDGE, crossing},     {TOI_EDGE_EDGE, coincident},  {TOI_EDGE_EDGE, overlapping},
               {TOI_EDGE_EDGE, collapsed},    {TOI_VERTEX_EDGE, on_corner}, {TOI_VERTEX_EDGE, collapsed},
               {TOI_VERTEX_VERTEX, collapsed}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    double query[24];
    at_rest(cases[i].kind, cases[i].points, query);
    ends_soon(cases[i].kind, query, 1e-6);
    // Moving together.
    size_t half = 3 * toi_kind_points(cases[i].kind);
    for (size_t j = half; j < 2 * half; j++)
      query[j] += (double)(j % 3) - 0.75;
    ends_soon(cases[i].kind, query, 1e-6);
  }
}

static void contact_that_lasts_the_whole_step_is_found_at_once(void **unused) {
  (void)unused;
  // A vertex slides in the face's plane; an edge slides along the other.
  double sliding[24] = {0.1, 0.1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.6, 0.2, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  double along[24] = {0, 0, 0, 1, 0, 0, -1, 0, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0, -1, 0, 0, 2, 0, 0};
  ends_soon(TOI_VERTEX_FACE, sliding, 1e-6);
  ends_soon(TOI_EDGE_EDGE, along, 1e-6);
}

static void contact_at_the_start_that_separates_is_found_at_once(void **unused) {
  (void)unused;
  double leaving[24] = {0.25, 0.25, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  ends_soon(TOI_VERTEX_FACE, leaving, 1e-6);
}

static void budgets_of_any_size_give_a_safe_answer(void **unused) {
  (void)unused;
  uint64_t state = test_seed(24), rounds = test_count(1000);
  for (uint64_t i = 0; i < rounds; i++) {
    toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    double query[24];
    random_query(kind, &state, query);
    toi_hit truth = ask_one(kind, query, "exact", 1);
    toi_options options = with((toi_inclusion)(i / 4 % 2));
    options.tolerance = 1e-12;
    options.max_checks = 1 + i % 30;
    toi_hit hit = ask_with(kind, query, &options);
    const char *fault = misshapen(kind, query, &options, &hit);
    if (!fault)
      fault = wrong(truth.verdict == TOI_HIT, truth.t_lo, 1, &hit);
    if (fault)
      fail_at(kind, query, &options, &hit, fault);
  }
}

static void overflow_is_near_at_once_and_never_a_wrong_miss(void **unused) {
  (void)unused;
  static const double huge[] = {0x1p300, 1e200, 1e300, 0x1.fffffffffffffp1023};
  for (size_t i = 0; i < 4; i++) {
    double x = huge[i];
    // The vertex crosses the face.
    double query[24] = {0, 0, x, -x, -x, 0, x, -x, 0, 0, x, 0, 0, 0, -x, -x, -x, 0, x, -x, 0, 0, x, 0};
    for (int inclusion = 0; inclusion < 2; inclusion++) {
      toi_options options = with((toi_inclusion)inclusion);
      toi_hit hit = ask_with(TOI_VERTEX_FACE, query, &options);
      assert_int_equal(hit.verdict, TOI_NEAR);
      assert_true(hit.t_lo <= 0.5 && isfinite(hit.t_lo) && isfinite(hit.t_hi));
    }
  }
}

static void tiny_coordinates_are_never_a_wrong_miss(void **unused) {
  (void)unused;
  for (int k = -1074; k < -200; k += 3) {
    double x = ldexp(1, k);
    double query[24] = {0, 0, x, -x, -x, 0, x, -x, 0, 0, x, 0, 0, 0, -x, -x, -x, 0, x, -x, 0, 0, x, 0};
    toi_options options = with((toi_inclusion)(k & 1));
    options.tolerance = 1e-320;
    toi_hit hit = ask_with(TOI_VERTEX_FACE, query, &options);
    assert_int_equal(hit.verdict, TOI_NEAR);
    assert_true(hit.t_lo <= 0.5);
  }
}

static void nan_and_infinity_are_refused(void **unused) {
  (void)unused;
  toi_options options = with(TOI_INCLUSION_OBB);
  for (int k = 0; k < 24; k++) {
    double query[8][3] = {{0.2, 0.2, 1},  {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                          {0.2, 0.2, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    query[k / 3][k % 3] = k % 2 ? NAN : INFINITY;
    toi_hit hit;
    const double(*start)[3] = (const double(*)[3])query;
    assert_int_equal(toi_vertex_face(start, start + 4, &options, &hit), TOI_ERROR_INPUT);
    assert_int_equal(toi_edge_edge(start, start + 4, &options, &hit), TOI_ERROR_INPUT);
  }
}

static void a_time_of_impact_of_zero_is_refined_when_asked(void **unused) {
  (void)unused;
  // Closer than the tolerance at the start, and passing through later; or leaving.
  double h = 1e-7;
  double coming[24] = {0.2, 0.3, h, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.3, -h, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  double leaving[24] = {0.2, 0.3, h, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  for (int inclusion = 0; inclusion < 2; inclusion++) {
    toi_options options = with((toi_inclusion)inclusion);
    options.no_zero_toi = true;
    toi_hit hit = ask_with(TOI_VERTEX_FACE, coming, &options);
    assert_true(hit.verdict == TOI_NEAR && hit.t_lo > 0 && hit.t_lo <= 0.5);
    assert_int_equal(ask_with(TOI_VERTEX_FACE, leaving, &options).verdict, TOI_MISS);
    // Real contact at the start stays, and ends.
    double touching[24] = {0.2, 0.3, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.3, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    hit = ask_with(TOI_VERTEX_FACE, touching, &options);
    assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0);
  }
}

/* --- the error bound --- */

/* Computed projections of corners beside those in extended precision: within E, and not far within. */
static void projections_err_by_no_more_than_their_bound(void **unused) {
  (void)unused;
  uint64_t state = test_seed(25), rounds = test_count(200000);
  long double worst = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    toi_kind kind = (toi_kind)(i % 2);
    double query[24], axis[3], u = test_random_unit(&state), v = (1 - u) * test_random_unit(&state);
    random_query(kind, &state, query);
    for (int a = 0; a < 3; a++)
      axis[a] = 2 * test_random_unit(&state) - 1;
    axis[i % 3] = 1;
    toi_relative_motion m = toi_relative_motion_of(kind, query);
    toi_gauge gauge = {0, TOI_NORM_L2};
    toi_projection n;
    assert_true(toi_project(&m, &gauge, axis, &n));
    int end = (int)(i / 2 % 2);
    double value = n.p[end] + u * n.u[end] + v * n.v[end];
    const double *x = query + 12 * end;
    long double truth = 0;
    for (int a = 0; a < 3; a++) {
      long double p[4] = {x[a], x[3 + a], x[6 + a], x[9 + a]};
      long double f = kind == TOI_VERTEX_FACE ? p[0] - p[1] + u * (p[1] - p[2]) + v * (p[1] - p[3])
                                              : p[0] - p[2] + u * (p[1] - p[0]) + v * (p[2] - p[3]);
      truth += axis[a] * f;
    }
    long double ratio = fabsl(value - truth) / n.level;
    worst = ratio > worst ? ratio : worst;
  }
  print_message("largest error: %.3Lf of the bound\n", worst);
  assert_true(worst <= 1 && worst > 0.02L);
}

/* A contact in the plane of three exact corners whose projection rounds to either side: a bound below what really is
 * lost would refute some. */
static void contacts_hidden_by_rounding_are_kept(void **unused) {
  (void)unused;
  uint64_t state = test_seed(26), rounds = test_count(20000);
  for (uint64_t i = 0; i < rounds; i++) {
    double query[24] = {0}, shift[3];
    // The vertex is the midpoint of f0 and f1 all the time, and everything is moved far away and back.
    for (int a = 0; a < 3; a++) {
      shift[a] = ldexp((double)(test_random(&state) % 1024), -10 + (int)(test_random(&state) % 12));
      for (int end = 0; end < 2; end++) {
        double f0 = (double)(int64_t)(test_random(&state) % (1u << 20)) * 0x1p-30 + shift[a];
        double f1 = (double)(int64_t)(test_random(&state) % (1u << 20)) * 0x1p-30 + shift[a];
        double *x = query + 12 * end + a;
        x[0] = 0.5 * (f0 + f1);
        x[3] = f0;
        x[6] = f1;
        x[9] = test_random_unit(&state);
      }
    }
    toi_options options = with((toi_inclusion)(i % 2));
    options.tolerance = 1e-300;
    toi_hit hit = ask_with(TOI_VERTEX_FACE, query, &options);
    if (hit.verdict != TOI_NEAR || hit.t_lo != 0)
      fail_at(TOI_VERTEX_FACE, query, &options, &hit, "a contact is missed");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_contacts_are_neither_missed_nor_late),
      cmocka_unit_test(separations_are_neither_missed_nor_late),
      cmocka_unit_test(random_separations_agree_with_exact),
      cmocka_unit_test(contact_at_rest_is_found_at_once),
      cmocka_unit_test(contact_that_lasts_the_whole_step_is_found_at_once),
      cmocka_unit_test(contact_at_the_start_that_separates_is_found_at_once),
      cmocka_unit_test(budgets_of_any_size_give_a_safe_answer),
      cmocka_unit_test(overflow_is_near_at_once_and_never_a_wrong_miss),
      cmocka_unit_test(tiny_coordinates_are_never_a_wrong_miss),
      cmocka_unit_test(nan_and_infinity_are_refused),
      cmocka_unit_test(a_time_of_impact_of_zero_is_refined_when_asked),
      cmocka_unit_test(projections_err_by_no_more_than_their_bound),
      cmocka_unit_test(contacts_hidden_by_rounding_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
