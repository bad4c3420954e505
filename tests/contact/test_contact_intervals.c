/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts over time: spheres that pass through each other, whose surfaces touch while the distance of their centres
 * lies between difference and sum of the radii, beside the roots of quadratics; what touches at an instant, from the
 * start, to the end, all the time without crossing; the same on any number of threads. */

#include "contact/many.h"

#include <float.h>

static uint64_t seed;

enum { MOST = 64 };

typedef struct record {
  toi_contact_history history;
  toi_contact_interval at[MOST];
  size_t count;
} record;

static toi_status take(void *user, const toi_contact_interval *one) {
  record *r = user;
  assert_true(r->count < MOST);
  r->at[r->count++] = *one;
  return TOI_OK;
}

static void ask(crowd *c, const toi_contact_options *options, record *r) {
  *r = (record){.count = 0};
  crowd_must(c, toi_contact_intervals(c->context, c->bodies, c->count, options, &r->history, take, r));
  assert_int_equal(r->history.intervals, r->count);
}

/* --- two spheres --- */

/* The times in [0, 1] at which |d + t v| = reach, in order. */
static int crossings(const double d[3], const double v[3], double reach, long double at[2]) {
  long double vv = 0, dv = 0, dd = -(long double)reach * reach;
  for (int k = 0; k < 3; k++) {
    vv += (long double)v[k] * v[k];
    dv += (long double)d[k] * v[k];
    dd += (long double)d[k] * d[k];
  }
  const long double root = dv * dv - vv * dd;
  int count = 0;
  if (root <= 0)
    return 0;
  for (int side = -1; side <= 1; side += 2) {
    const long double t = (-dv + side * sqrtl(root)) / vv;
    if (t >= 0 && t <= 1)
      at[count++] = t;
  }
  return count;
}

typedef struct span {
  long double begin, end;
} span;

/* The spans of time with inner <= |d + t v| <= outer. */
static size_t spans_of(const double d[3], const double v[3], double inner, double outer, span *spans) {
  long double times[6] = {0}, at[2];
  size_t count = 1, found = 0;
  for (int which = 0; which < 2; which++) {
    const int n = crossings(d, v, which == 0 ? outer : inner, at);
    for (int i = 0; i < n; i++)
      times[count++] = at[i];
  }
  times[count++] = 1;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && times[j] < times[j - 1]; j--) {
      const long double held = times[j];
      times[j] = times[j - 1];
      times[j - 1] = held;
    }
  for (size_t i = 0; i + 1 < count; i++) {
    const long double t = (times[i] + times[i + 1]) / 2;
    long double square = 0;
    for (int k = 0; k < 3; k++)
      square += (d[k] + t * v[k]) * (d[k] + t * v[k]);
    const long double distance = sqrtl(square);
    if (distance < inner || distance > outer || times[i] == times[i + 1])
      continue;
    if (found > 0 && spans[found - 1].end == times[i])
      spans[found - 1].end = times[i + 1];
    else
      spans[found++] = (span){times[i], times[i + 1]};
  }
  return found;
}

static void assert_bracket(double lo, double hi, long double truth, double width) {
  assert_true(lo <= truth + 1e-14L && hi >= truth - 1e-14L);
  assert_true(hi - lo <= width);
}

static void check_spheres(toi_context *context, const double radius[2], const double d[3], const double v[3],
                          unsigned forms) {
  crowd *c = calloc(1, sizeof *c);
  record *r = calloc(1, sizeof *r);
  assert_non_null(c);
  assert_non_null(r);
  crowd_open(c, context, 2);
  for (int i = 0; i < 2; i++)
    crowd_shape(c, TOI_SHAPE_SPHERE, forms >> i & 1 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT, &radius[i]);
  crowd_add(c, c->shapes[0], (double[]){0, 0, 0}, NULL, 0);
  crowd_add(c, c->shapes[1], d, v, 0);
  const toi_contact_options options = toi_default_contact_options();
  span spans[4];
  const size_t count = spans_of(d, v, fabs(radius[0] - radius[1]), radius[0] + radius[1], spans);
  ask(c, &options, r);
  assert_int_equal(r->count, count);
  assert_true(r->history.pairs == 1 && r->history.touching == (count > 0));
  const double width = 1e-9;
  for (size_t i = 0; i < count; i++) {
    const toi_contact_interval *one = &r->at[i];
    assert_true(one->proved && one->doubt < 0.05 && one->a == 0 && one->b == 1);
    assert_bracket(one->begin_lo, one->begin_hi, spans[i].begin, width);
    assert_bracket(one->end_lo, one->end_hi, spans[i].end, width);
  }
  crowd_close(c);
  free(c);
  free(r);
}

static void spheres_that_pass_touch_when_quadratics_say(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const uint64_t rounds = test_count_from(6, 2);
  for (uint64_t i = 0; i < rounds;) {
    double radius[2], d[3], v[3];
    for (int k = 0; k < 2; k++)
      radius[k] = 0.3 + test_random_unit(&seed);
    for (int k = 0; k < 3; k++) {
      d[k] = 4 * test_random_unit(&seed) - 2;
      v[k] = -2 * d[k] + 1.5 * test_random_unit(&seed);
    }
    // Nothing that grazes: no crossings of either kind close together, or close to an end of the time.
    long double at[2];
    bool plain = true;
    for (int which = 0; which < 2 && plain; which++) {
      const int n = crossings(d, v, which == 0 ? radius[0] + radius[1] : fabs(radius[0] - radius[1]), at);
      for (int k = 0; k < n; k++)
        plain = plain && at[k] > 0.01 && at[k] < 0.99 && (n < 2 || at[1] - at[0] > 0.05);
    }
    if (!plain || fabs(radius[0] - radius[1]) < 0.05)
      continue;
    check_spheres(context, radius, d, v, (unsigned)i % 4);
    i++;
  }
  toi_context_destroy(context);
}

/* A smaller one all the way through a larger one: in, inside, out. */
static void a_ball_through_a_larger_one_touches_twice(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (unsigned forms = 0; forms < 2; forms++)
    check_spheres(context, (double[]){1, 0.25}, (double[]){-2, 0, 0}, (double[]){4, 0, 0}, forms);
  toi_context_destroy(context);
}

/* --- what is no plain crossing --- */

/* Past a sphere at exactly the sum of the radii: one instant, proved. */
static void a_ball_that_grazes_touches_at_an_instant(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const double one = 1;
  crowd *c = calloc(1, sizeof *c);
  record r;
  assert_non_null(c);
  crowd_open(c, context, 2);
  crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &one);
  crowd_add(c, c->shapes[0], (double[]){0, 0, 0}, NULL, 0);
  crowd_add(c, c->shapes[0], (double[]){2, -1, 0}, (double[]){0, 2, 0}, 0);
  const toi_contact_options options = toi_default_contact_options();
  ask(c, &options, &r);
  assert_int_equal(r.count, 1);
  assert_true(r.at[0].begin_lo <= 0.5 && r.at[0].end_hi >= 0.5 && r.at[0].end_hi - r.at[0].begin_lo < 1e-3);
  crowd_close(c);
  free(c);
  toi_context_destroy(context);
}

/* A ball that slides on a plane touches all the time, and never crosses it: left open, within the budget. */
static void a_ball_that_slides_is_left_open(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const double one = 1;
  crowd *c = calloc(1, sizeof *c);
  record r;
  assert_non_null(c);
  crowd_open(c, context, 2);
  crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &one);
  crowd_shape(c, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_IMPLICIT, NULL);
  crowd_add(c, c->shapes[0], (double[]){0, 0, 1}, (double[]){1, 0, 0}, 0);
  crowd_add(c, c->shapes[1], (double[]){0, 0, 0}, NULL, 0);
  toi_contact_options options = toi_default_contact_options();
  options.max_boxes = 5000;
  ask(c, &options, &r);
  assert_int_equal(r.count, 1);
  assert_true(!r.at[0].proved && r.at[0].begin_lo == 0 && r.at[0].end_hi == 1);
  assert_true(!r.history.complete && r.history.open == 1);
  crowd_close(c);
  free(c);
  toi_context_destroy(context);
}

/* --- a scene --- */

/* A row of balls, each of which the same one passes through. */
static void one_after_the_other_on_any_number_of_threads(void **state) {
  enum { BALLS = 4 };
  (void)state;
  const double radius = 0.5, small = 0.4;
  const uint32_t threads[] = {1, 2, 5};
  record *all = calloc(3, sizeof *all);
  assert_non_null(all);
  for (int i = 0; i < 3; i++) {
    toi_context *context = test_context(threads[i]);
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    crowd_open(c, context, BALLS + 1);
    crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, &radius);
    crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &small);
    for (int k = 0; k < BALLS; k++)
      crowd_add(c, c->shapes[0], (double[]){2 * k, 0.3, 0}, NULL, 0.1);
    crowd_add(c, c->shapes[1], (double[]){-2, 0, 0}, (double[]){24, 0, 0}, 0);
    const toi_contact_options options = toi_default_contact_options();
    ask(c, &options, &all[i]);
    // Distances between 0.1 and 0.9: from x - sqrt(0.72) to x + sqrt(0.72).
    assert_int_equal(all[i].count, BALLS);
    for (size_t k = 0; k < BALLS; k++) {
      const toi_contact_interval *one = &all[i].at[k];
      assert_true(one->proved && one->a == k && one->b == BALLS);
      assert_bracket(one->begin_lo, one->begin_hi, (2 + 2.0L * k - sqrtl(0.72L)) / 24, 2e-9);
      assert_bracket(one->end_lo, one->end_hi, (2 + 2.0L * k + sqrtl(0.72L)) / 24, 2e-9);
    }
    assert_memory_equal(all[0].at, all[i].at, all[0].count * sizeof *all[0].at);
    crowd_close(c);
    free(c);
    toi_context_destroy(context);
  }
  free(all);
}

static void touching_from_the_start_and_to_the_end(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  check_spheres(context, (double[]){1, 0.8}, (double[]){1, 0, 0}, (double[]){3, 0, 0}, 0);
  check_spheres(context, (double[]){1, 0.8}, (double[]){-4, 0, 0}, (double[]){3, 0, 0}, 1);
  check_spheres(context, (double[]){1, 0.8}, (double[]){1, 0, 0}, (double[]){0.125, 0, 0}, 2);
  check_spheres(context, (double[]){1, 0.8}, (double[]){2, 0, 0}, (double[]){0.125, 0, 0}, 3);
  toi_context_destroy(context);
}

static void refusals_and_refused_memory(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_contact_history history;
  toi_contact_options options = toi_default_contact_options();
  assert_int_equal(toi_contact_intervals(context, NULL, 2, &options, &history, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_contact_intervals(context, NULL, 0, &options, NULL, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_contact_intervals(context, NULL, 0, &options, &history, NULL, NULL), TOI_OK);
  options.t_max = -1;
  assert_int_equal(toi_contact_intervals(context, NULL, 0, &options, &history, NULL, NULL), TOI_ERROR_OPTION);
  toi_context_destroy(context);
  const double one = 1;
  bool whole = false;
  for (size_t at = 1; !whole && at < 400; at += TEST_SANITIZED ? 9 : 3) {
    test_allocator allocator = {0};
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    crowd_open(c, test_context_on(&allocator), 2);
    crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &one);
    crowd_add(c, c->shapes[0], (double[]){0, 0, 0}, NULL, 0);
    crowd_add(c, c->shapes[0], (double[]){3, 0, 0}, (double[]){-2, 0, 0}, 0);
    options = toi_default_contact_options();
    const size_t before = allocator.calls;
    allocator.refuse_at = before + at;
    const toi_status status = toi_contact_intervals(c->context, c->bodies, 2, &options, &history, NULL, NULL);
    whole = allocator.calls - before < at;
    assert_true(status == TOI_ERROR_MEMORY || (status == TOI_OK && history.touching == 1));
    toi_context *const own = c->context;
    crowd_close(c);
    free(c);
    toi_context_destroy(own);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
}

int main(void) {
  seed = test_seed(UINT64_C(0x696e74657276));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_that_pass_touch_when_quadratics_say),
      cmocka_unit_test(a_ball_through_a_larger_one_touches_twice),
      cmocka_unit_test(a_ball_that_grazes_touches_at_an_instant),
      cmocka_unit_test(a_ball_that_slides_is_left_open),
      cmocka_unit_test(one_after_the_other_on_any_number_of_threads),
      cmocka_unit_test(touching_from_the_start_and_to_the_end),
      cmocka_unit_test(refusals_and_refused_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
