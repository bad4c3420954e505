/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `swept-boxes`: contacts in closed form, agreement with `time-inclusion`, answers that grow better with the
 * budget, separations in both norms, memory that is kept to, and questions that it does not answer. */

#include "surface/cases.h"

/* What the method says that it takes, and room for the context itself. */
#define BYTES_MOST ((UINT64_C(26) << 20) + (UINT64_C(1) << 19))

static toi_surface_options swept(double tolerance, uint64_t checks) {
  toi_surface_options options = toi_default_surface_options();
  options.method = "swept-boxes";
  options.tolerance = tolerance;
  options.max_checks = checks;
  return options;
}

/* A bilinear square at z = 0, and a point over it that falls from z = 1 to -1. */
static void make_fall(test_case *c) {
  patch_make(&c->a, TOI_PATCH_QUAD, 0, 0);
  patch_make(&c->b, TOI_PATCH_QUAD, 1, 1);
  c->t_max = 1;
  c->a.points[0][0] = 0.3;
  c->a.points[0][1] = 0.4;
  c->a.points[0][2] = 1;
  c->a.velocities[0][2] = -2;
  for (int i = 0; i < 4; i++) {
    c->b.points[i][0] = i < 2 ? 0 : 1;
    c->b.points[i][1] = i % 2;
  }
}

static void a_point_falls_on_a_square(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  test_case c;
  make_fall(&c);
  for (int accept = 0; accept < 2; accept++) {
    toi_surface_options options = swept(1e-6, 0);
    options.accept = (toi_accept)accept;
    toi_surface_hit hit = ask(context, &c, &options);
    check_form(&c, &hit);
    assert_int_equal(hit.verdict, TOI_HIT);
    assert_int_equal(hit.end, TOI_SURFACE_ACCEPTED);
    assert_true(hit.t_lo <= 0.5 && 0.5 <= hit.t_hi && hit.t_hi - hit.t_lo <= 1e-5);
    assert_true(fabs(hit.b[0] - 0.3) <= 1e-5 && fabs(hit.b[1] - 0.4) <= 1e-5);
    assert_true(fabs(hit.normal_b[2]) > 0.999);
  }
  // Beyond the edge there is nothing to land on.
  c.a.points[0][0] = -0.001;
  toi_surface_options options = swept(1e-6, 0);
  toi_surface_hit hit = ask(context, &c, &options);
  check_form(&c, &hit);
  assert_int_equal(hit.verdict, TOI_MISS);
  assert_int_equal(hit.end, TOI_SURFACE_REFUTED);
  toi_context_destroy(context);
}

/* Around the edge of the square a ball and a cube differ. */
static void separations_are_measured_in_both_norms(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  test_case c;
  make_fall(&c);
  c.a.points[0][0] = c.a.points[0][1] = -0.1;
  for (int norm = 0; norm < 2; norm++)
    for (int part = 1; part < 10; part++) {
      double d = 0.05 * part;
      toi_surface_options options = swept(1e-5, 0);
      options.norm = (toi_norm)norm;
      options.min_separation = d;
      toi_surface_hit hit = ask(context, &c, &options);
      check_form(&c, &hit);
      // The corner is 0.1 away in x and in y.
      double height = norm == TOI_NORM_LINF ? (d > 0.1 ? d : NAN) : sqrt(d * d - 0.02), t = (1 - height) / 2;
      if (isnan(height)) {
        assert_true(hit.verdict == TOI_MISS || fabs(d - 0.1) < 1e-9);
        continue;
      }
      assert_int_not_equal(hit.verdict, TOI_MISS);
      // A cube's face comes down flat: boxes of all places are left for the earliest time, until memory is full.
      assert_true(hit.t_lo <= t + 1e-15 && hit.t_lo >= t - (norm == TOI_NORM_LINF ? 1e-2 : 1e-4));
      assert_true(hit.verdict == TOI_NEAR || hit.t_hi >= t - 1e-15);
    }
  toi_context_destroy(context);
}

static void it_agrees_with_time_inclusion(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0051), rounds = test_count(300), hits = 0, misses = 0;
  toi_context *context = test_context(1);
  toi_surface_options best = toi_default_surface_options(), options = swept(1e-2, 30000);
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    random_mixed_case(&seed, &c);
    options.accept = (toi_accept)(i % 2);
    best.norm = options.norm = (toi_norm)(i / 2 % 2);
    best.min_separation = options.min_separation = i % 3 == 0 ? 0.03 : 0;
    toi_surface_hit x = ask(context, &c, &best), y = ask(context, &c, &options);
    check_form(&c, &y);
    bool one_misses =
        (x.verdict == TOI_MISS && y.verdict == TOI_HIT) || (x.verdict == TOI_HIT && y.verdict == TOI_MISS);
    bool apart = (x.verdict == TOI_HIT && y.t_lo > x.t_hi) || (y.verdict == TOI_HIT && x.t_lo > y.t_hi);
    if (one_misses || apart) {
      case_print(&c, &x);
      case_print(&c, &y);
      fail_msg("the methods disagree");
    }
    hits += y.verdict == TOI_HIT;
    misses += y.verdict == TOI_MISS;
  }
  print_message("%u hits and %u misses of %u\n", (unsigned)hits, (unsigned)misses, (unsigned)rounds);
  toi_context_destroy(context);
  assert_true(hits > 0 && misses > 0);
}

/* The budget is kept to, memory as well, and more of it never tells less. */
static void budgets_are_kept_and_pay(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0052), rounds = test_count(20);
  toi_context *context = test_context(1);
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    double last = 0;
    random_paper_case(&seed, TOI_PATCH_QUAD, 3, &c);
    for (uint64_t checks = 1; checks < 100000; checks *= 8) {
      toi_surface_options options = swept(1e-6, checks);
      toi_surface_hit hit = ask(context, &c, &options);
      check_form(&c, &hit);
      assert_true(hit.checks <= checks);
      assert_true(hit.verdict == TOI_MISS || hit.t_lo >= last);
      assert_true(hit.end != TOI_SURFACE_BUDGET || hit.checks == checks);
      if (checks == 1)
        assert_int_equal(hit.end, TOI_SURFACE_BUDGET);
      last = hit.verdict == TOI_MISS ? INFINITY : hit.t_lo;
    }
  }
  // Coincident patches never end by themselves.
  test_case c;
  random_paper_case(&seed, TOI_PATCH_QUAD, 3, &c);
  patch_copy(&c.b, &c.a);
  toi_surface_options options = swept(1e-12, 0);
  toi_surface_hit hit = ask(context, &c, &options);
  check_form(&c, &hit);
  assert_true(hit.verdict != TOI_MISS && hit.t_lo == 0 && hit.checks <= UINT64_C(1) << 19);
  assert_true(toi_context_bytes(context) <= BYTES_MOST);
  toi_context_destroy(context);
}

static bool stop(void *user, double done) {
  ++*(int *)user;
  return done < 0;
}

static void it_stops_when_asked(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0053);
  toi_context *context = test_context(1);
  toi_surface_options options = swept(1e-12, 0);
  toi_surface_hit hit;
  int calls = 0;
  test_case c;
  random_paper_case(&seed, TOI_PATCH_QUAD, 3, &c);
  options.progress = stop;
  options.progress_user = &calls;
  assert_int_equal(toi_patch_pair(context, &c.a.patch, &c.b.patch, &options, &hit), TOI_ERROR_CANCELLED);
  assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0 && calls == 1);
  toi_context_destroy(context);
}

static toi_status see(void *user, const toi_surface_hit *contact) {
  (void)user;
  (void)contact;
  return TOI_OK;
}

static void it_does_not_list_contacts(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_surface_options options = swept(1e-3, 0);
  test_case c;
  make_fall(&c);
  const toi_model a = {.patches = &c.a.patch, .patch_count = 1}, b = {.patches = &c.b.patch, .patch_count = 1};
  toi_surface_hit hit;
  assert_int_equal(toi_model_contacts(context, &a, &b, &options, &hit, see, NULL), TOI_ERROR_UNSUPPORTED);
  assert_non_null(strstr(toi_context_error(context), "swept-boxes"));
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_point_falls_on_a_square),     cmocka_unit_test(separations_are_measured_in_both_norms),
      cmocka_unit_test(it_agrees_with_time_inclusion), cmocka_unit_test(budgets_are_kept_and_pay),
      cmocka_unit_test(it_stops_when_asked),           cmocka_unit_test(it_does_not_list_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
