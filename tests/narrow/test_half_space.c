/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A vertex and a half-space against rational arithmetic. The oracle may be believed everywhere: h(t) = n . x(t) - c is
 * a rational number, and whether it is above d |n| is told by squares, or by the sum of magnitudes, in GMP's fractions.
 */

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <toi/distance.h>

#include "narrow/exact_order.h"
#include "narrow/half_space.h"
#include "number/interval.h"
#include "support/support.h"

typedef struct question {
  double start[3], end[3];
  toi_half_space half_space;
  toi_options options;
} question;

/* --- the oracle --- */

typedef struct oracle {
  mpq_t start, end, size, at, limit, t, other; /* size: |n|^2, or |n| in the maximum norm */
} oracle;

static void height(const double x[3], const toi_half_space *half_space, mpq_t out) {
  mpq_t a, b;
  mpq_inits(a, b, NULL);
  mpq_set_d(out, -half_space->offset);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(a, half_space->normal[k]);
    mpq_set_d(b, x[k]);
    mpq_mul(a, a, b);
    mpq_add(out, out, a);
  }
  mpq_clears(a, b, NULL);
}

static void oracle_make(oracle *o, const question *q) {
  mpq_inits(o->start, o->end, o->size, o->at, o->limit, o->t, o->other, NULL);
  height(q->start, &q->half_space, o->start);
  height(q->end, &q->half_space, o->end);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(o->other, q->half_space.normal[k]);
    mpq_abs(o->other, o->other);
    if (q->options.norm == TOI_NORM_L2)
      mpq_mul(o->other, o->other, o->other);
    mpq_add(o->size, o->size, o->other);
  }
}

static void oracle_free(oracle *o) {
  mpq_clears(o->start, o->end, o->size, o->at, o->limit, o->t, o->other, NULL);
}

/* The sign of a - b |n|. */
static int beyond(const oracle *o, toi_norm norm, const mpq_t a, const mpq_t b) {
  mpq_t left, right;
  int sign = mpq_sgn(a);
  if (norm == TOI_NORM_L2 && (sign < 0) != (mpq_sgn(b) < 0))
    return sign < 0 ? -1 : sign > 0 || mpq_sgn(b) < 0;
  mpq_inits(left, right, NULL);
  mpq_set(left, a);
  mpq_set(right, b);
  if (norm == TOI_NORM_L2) {
    mpq_mul(left, left, left);
    mpq_mul(right, right, right);
  }
  mpq_mul(right, right, o->size);
  int order = mpq_cmp(left, right);
  order = (order > 0) - (order < 0);
  // Of two negative numbers the one with the larger square is smaller.
  order = norm == TOI_NORM_L2 && sign < 0 ? -order : order;
  mpq_clears(left, right, NULL);
  return order;
}

/* The sign of h(t) - d |n|. */
static int beyond_at(oracle *o, toi_norm norm, double t, double d) {
  mpq_set_d(o->t, t);
  mpq_sub(o->at, o->end, o->start);
  mpq_mul(o->at, o->at, o->t);
  mpq_add(o->at, o->at, o->start);
  mpq_set_d(o->limit, d);
  return beyond(o, norm, o->at, o->limit);
}

/* The sign of T + F max(0, d0 - T) - x, T = min_separation. */
static int share_beyond(oracle *o, const toi_options *options, double x) {
  const double least = options->min_separation;
  if (beyond_at(o, options->norm, 0, least) <= 0)
    return (least > x) - (least < x);
  // F h - (x - T + F T) |n|.
  mpq_set_d(o->t, options->separation_fraction);
  mpq_mul(o->at, o->start, o->t);
  mpq_set_d(o->limit, least);
  mpq_mul(o->t, o->t, o->limit);
  mpq_sub(o->t, o->t, o->limit);
  mpq_set_d(o->limit, x);
  mpq_add(o->limit, o->limit, o->t);
  return beyond(o, options->norm, o->at, o->limit);
}

/* --- questions --- */

static double pick(uint64_t *random, int style) {
  if (style == 0)
    return ((double)(test_random(random) % 17) - 8) / 4;
  if (style == 1)
    return 2 * test_random_unit(random) - 1;
  return test_random_extreme(random, style - 2);
}

static question make_question(uint64_t *random) {
  const int style = (int)(test_random(random) % 5);
  question q = {.options = toi_default_options()};
  do {
    for (int k = 0; k < 3; k++) {
      q.start[k] = pick(random, style);
      q.end[k] = pick(random, style);
      q.half_space.normal[k] = test_random(random) % 3 ? pick(random, style) : 0;
    }
    q.half_space.offset = test_random(random) % 3 ? pick(random, style) : 0;
  } while (toi_half_space_fault(&q.half_space));
  // Often the plane goes through the vertex at some time, but for rounding.
  if (style == 1 && test_random(random) % 2) {
    const double t = (double)(test_random(random) % 5) / 4;
    double at = 0;
    for (int k = 0; k < 3; k++)
      at += q.half_space.normal[k] * (q.start[k] + t * (q.end[k] - q.start[k]));
    q.half_space.offset = at;
  }
  q.options.norm = (toi_norm)(test_random(random) % 2);
  if (test_random(random) % 2)
    q.options.min_separation = fabs(pick(random, style)) / (test_random(random) % 2 ? 1 : 64);
  if (test_random(random) % 3 == 0)
    q.options.separation_fraction = (double)(test_random(random) % 8) / 8;
  if (test_random(random) % 4 == 0)
    q.options.t_max = (double)(test_random(random) % 9) / 8;
  return q;
}

static void print_question(const question *q) {
  for (int k = 0; k < 3; k++)
    print_error("%a %a %a\n", q->start[k], q->end[k], q->half_space.normal[k]);
  print_error("offset %a norm %d separation %a fraction %a t_max %a\n", q->half_space.offset, (int)q->options.norm,
              q->options.min_separation, q->options.separation_fraction, q->options.t_max);
}

/* --- answers --- */

/* NULL, or what is wrong with the answer. */
static const char *fault_of(const question *q, const toi_hit *hit, oracle *o) {
  const toi_norm norm = q->options.norm;
  const double d = hit->separation, t_max = q->options.t_max;
  if (q->options.separation_fraction > 0) {
    if (share_beyond(o, &q->options, d) < 0)
      return "the separation is too large";
    if (d < DBL_MAX && share_beyond(o, &q->options, toi_next_up(d)) >= 0)
      return "the separation is not the largest";
  } else if (d != q->options.min_separation) {
    return "the separation is another";
  }
  const bool touches = beyond_at(o, norm, 0, d) <= 0 || beyond_at(o, norm, t_max, d) <= 0;
  if (hit->verdict != (touches ? TOI_HIT : TOI_MISS))
    return "the verdict is wrong";
  if (!touches)
    return NULL;
  const int lo = beyond_at(o, norm, hit->t_lo, d), hi = beyond_at(o, norm, hit->t_hi, d);
  if (hit->touching_at_start != (beyond_at(o, norm, 0, d) <= 0))
    return "touching_at_start is wrong";
  if (hit->touching_at_start)
    return hit->t_hi == 0 && hit->t_lo == 0 && hit->t_safe == 0 ? NULL : "the bracket at the start is not 0";
  if (hit->t_lo == hit->t_hi ? lo != 0 : lo <= 0 || hi >= 0 || hit->t_hi != toi_next_up(hit->t_lo))
    return "the bracket is not the tightest";
  return beyond_at(o, norm, hit->t_safe, d) > 0 ? NULL : "t_safe is not safe";
}

static void answers_are_those_of_rational_arithmetic(void **state) {
  (void)state;
  uint64_t random = test_seed(71);
  size_t found[4] = {0};
  for (uint64_t i = 0; i < test_count(20000); i++) {
    const question q = make_question(&random);
    toi_hit hit;
    oracle o;
    assert_int_equal(toi_vertex_half_space(q.start, q.end, &q.half_space, &q.options, &hit), TOI_OK);
    oracle_make(&o, &q);
    const char *fault = fault_of(&q, &hit, &o);
    if (fault)
      print_question(&q);
    if (fault)
      fail_msg("%s: verdict %d, %a <= t <= %a, separation %a", fault, hit.verdict, hit.t_lo, hit.t_hi, hit.separation);
    found[hit.verdict == TOI_MISS ? 0 : hit.touching_at_start ? 1 : hit.t_lo < hit.t_hi ? 2 : 3]++;
    oracle_free(&o);
  }
  for (int i = 0; i < 4; i++)
    assert_true(found[i] > test_count(20000) / 1000);
}

static void distances_are_those_of_rational_arithmetic(void **state) {
  (void)state;
  uint64_t random = test_seed(72);
  for (uint64_t i = 0; i < test_count(20000); i++) {
    const question q = make_question(&random);
    toi_distance distance;
    oracle o;
    assert_int_equal(toi_half_space_distance(q.start, &q.half_space, q.options.norm, &distance), TOI_OK);
    oracle_make(&o, &q);
    if (mpq_sgn(o.start) <= 0) {
      assert_true(distance.lo == 0 && distance.hi == 0);
      assert_memory_equal(distance.second, q.start, sizeof q.start);
    } else if (beyond_at(&o, q.options.norm, 0, distance.lo) < 0 ||
               (distance.hi < INFINITY && beyond_at(&o, q.options.norm, 0, distance.hi) > 0) ||
               (distance.hi < INFINITY && distance.hi - distance.lo > 0x1p-44 * distance.hi &&
                distance.hi != toi_next_up(distance.lo))) {
      print_question(&q);
      fail_msg("the distance is not in [%a, %a], or that is wide", distance.lo, distance.hi);
    }
    oracle_free(&o);
  }
}

/* --- the order of times --- */

typedef struct timed_question {
  question q;
  double query[TOI_HALF_SPACE_QUERY];
  toi_timed timed;
} timed_question;

/* False if it is no hit after the start. */
static bool time_question(timed_question *t) {
  toi_hit hit;
  assert_int_equal(toi_vertex_half_space(t->q.start, t->q.end, &t->q.half_space, &t->q.options, &hit), TOI_OK);
  memcpy(t->query, t->q.start, sizeof t->q.start);
  memcpy(t->query + 3, t->q.end, sizeof t->q.end);
  memcpy(t->query + 6, t->q.half_space.normal, sizeof t->q.half_space.normal);
  t->query[9] = t->q.half_space.offset;
  t->timed = (toi_timed){TOI_VERTEX_HALF_SPACE, t->q.options.norm, t->query, hit.separation, hit.t_lo, hit.t_hi};
  return hit.verdict == TOI_HIT && !hit.touching_at_start;
}

/* A half-space scaled by 3 has the same times; a vertex of a face in the plane too. One that is moved away by the least
 * possible has later ones. */
static void times_are_ordered_exactly(void **state) {
  (void)state;
  uint64_t random = test_seed(73);
  size_t ordered = 0;
  for (uint64_t i = 0; i < test_count(3000); i++) {
    timed_question a = {.q = make_question(&random)}, b;
    int order;
    a.q.options.separation_fraction = 0;
    a.q.options.t_max = 1;
    bool small = true;
    for (int k = 0; k < 3; k++) {
      a.q.half_space.normal[k] = (double)(float)a.q.half_space.normal[k];
      small = small && fabs(a.q.half_space.normal[k]) < 1e30 && fabs(a.q.start[k]) < 1e30 && fabs(a.q.end[k]) < 1e30;
    }
    a.q.half_space.offset = (double)(float)a.q.half_space.offset;
    if (!small || toi_half_space_fault(&a.q.half_space) || !isfinite(a.q.half_space.offset) || !time_question(&a))
      continue;
    b = a;
    for (int k = 0; k < 3; k++)
      b.q.half_space.normal[k] *= 3;
    b.q.half_space.offset *= 3;
    assert_true(time_question(&b));
    assert_int_equal(toi_exact_order(NULL, 0, &a.timed, &b.timed, &order), TOI_OK);
    assert_int_equal(order, 0);
    b.q.half_space.offset = toi_next_down(b.q.half_space.offset);
    if (!time_question(&b))
      continue;
    ordered++;
    assert_int_equal(toi_exact_order(NULL, 0, &a.timed, &b.timed, &order), TOI_OK);
    assert_int_equal(order, -1);
    assert_int_equal(toi_exact_order(NULL, 0, &b.timed, &a.timed, &order), TOI_OK);
    assert_int_equal(order, 1);
  }
  assert_true(ordered > test_count(3000) / 50);
}

static void a_face_in_the_plane_is_met_at_the_same_time(void **state) {
  (void)state;
  uint64_t random = test_seed(74);
  for (uint64_t i = 0; i < test_count(500); i++) {
    const double d = test_random(&random) % 2 ? 0.125 * test_random_unit(&random) : 0;
    double query[24] = {0.25, 0.25, 0.5 + test_random_unit(&random), -2, -2, 0, 3, -2, 0, -2, 3, 0};
    memcpy(query + 12, query, 12 * sizeof(double));
    query[14] = -test_random_unit(&random) - 0.01;
    timed_question a = {.q = {.half_space = {{0, 0, 0.75}, 0}, .options = toi_default_options()}};
    memcpy(a.q.start, query, sizeof a.q.start);
    memcpy(a.q.end, query + 12, sizeof a.q.end);
    a.q.options.min_separation = d;
    a.q.options.method = "exact";
    assert_true(time_question(&a));
    toi_hit hit;
    int order;
    assert_int_equal(toi_vertex_face((const double(*)[3])query, (const double(*)[3])(query + 12), &a.q.options, &hit),
                     TOI_OK);
    assert_true(hit.t_lo == a.timed.t_lo && hit.t_hi == a.timed.t_hi);
    const toi_timed face = {TOI_VERTEX_FACE, TOI_NORM_L2, query, d, hit.t_lo, hit.t_hi};
    assert_int_equal(toi_exact_order(NULL, 0, &a.timed, &face, &order), TOI_OK);
    assert_int_equal(order, 0);
  }
}

/* --- places, and what is refused --- */

static void a_vertex_falls_on_a_slope(void **state) {
  (void)state;
  const double start[3] = {0, 0, 5}, end[3] = {0, 0, -5};
  const toi_half_space slope = {{0, 6, 8}, 0};
  toi_options options = toi_default_options();
  toi_hit hit;
  assert_int_equal(toi_vertex_half_space(start, end, &slope, &options, &hit), TOI_OK);
  assert_true(hit.verdict == TOI_HIT && hit.t_lo == 0.5 && hit.t_hi == 0.5 && hit.t_safe < 0.5);
  assert_true(hit.u == 0 && hit.v == 0 && hit.distance == 0 && hit.separation == 0);
  assert_true(hit.normal[0] == 0 && fabs(hit.normal[1] - 0.6) < 1e-15 && fabs(hit.normal[2] - 0.8) < 1e-15);
  assert_true(hit.point[0] == 0 && hit.point[1] == 0 && hit.point[2] == 0);
  // 4 away from the plane at the start, 2 at t = 1/4.
  options.min_separation = 2;
  assert_int_equal(toi_vertex_half_space(start, end, &slope, &options, &hit), TOI_OK);
  assert_true(hit.t_lo == 0.25 && hit.t_hi == 0.25 && hit.distance == 2);
  assert_true(fabs(hit.point[1] + 1.2) < 1e-14 && fabs(hit.point[2] - 0.9) < 1e-14);
  // In the maximum norm 40 / 14 at the start, and half of that at 1/4.
  options.min_separation = 0;
  options.separation_fraction = 0.5;
  options.norm = TOI_NORM_LINF;
  assert_int_equal(toi_vertex_half_space(start, end, &slope, &options, &hit), TOI_OK);
  assert_true(fabs(hit.t_lo - 0.25) < 1e-15 && fabs(hit.separation - 20.0 / 14) < 1e-15);
  toi_distance distance;
  assert_int_equal(toi_half_space_distance(start, &slope, TOI_NORM_L2, &distance), TOI_OK);
  assert_true(distance.lo <= 4 && distance.hi >= 4 && distance.on_first.dimension == 0 &&
              distance.on_second.dimension == 2);
  assert_true(fabs(distance.second[1] + 2.4) < 1e-14 && fabs(distance.second[2] - 1.8) < 1e-14);
}

static void what_is_no_question_is_refused(void **state) {
  (void)state;
  const double fine[3] = {0, 0, 1}, bad[3] = {0, NAN, 1};
  const toi_half_space good = {{0, 0, 1}, 0}, flat = {{0, -0.0, 0}, 1}, endless = {{0, 0, 1}, INFINITY};
  toi_options options = toi_default_options();
  toi_hit hit;
  toi_distance distance;
  assert_int_equal(toi_vertex_half_space(bad, fine, &good, &options, &hit), TOI_ERROR_INPUT);
  assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0);
  assert_int_equal(toi_vertex_half_space(fine, bad, &good, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(toi_vertex_half_space(fine, fine, &flat, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(toi_vertex_half_space(fine, fine, &endless, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(toi_vertex_half_space(fine, fine, NULL, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(toi_vertex_half_space(fine, fine, &good, &options, NULL), TOI_ERROR_INPUT);
  options.method = "none such";
  assert_int_equal(toi_vertex_half_space(fine, fine, &good, &options, &hit), TOI_ERROR_UNSUPPORTED);
  assert_int_equal(toi_half_space_distance(bad, &good, TOI_NORM_L2, &distance), TOI_ERROR_INPUT);
  assert_true(distance.lo == 0 && distance.hi == INFINITY);
  assert_int_equal(toi_half_space_distance(fine, &flat, TOI_NORM_L2, &distance), TOI_ERROR_INPUT);
  assert_int_equal(toi_half_space_distance(fine, &good, (toi_norm)7, &distance), TOI_ERROR_INPUT);
  assert_int_equal(toi_half_space_distance(fine, &good, TOI_NORM_L2, NULL), TOI_ERROR_INPUT);
  assert_string_equal(toi_kind_name(TOI_VERTEX_HALF_SPACE), "vertex-half-space");
  assert_int_equal(toi_kind_points(TOI_VERTEX_HALF_SPACE), 0);
  assert_null(toi_kind_name((toi_kind)(TOI_VERTEX_HALF_SPACE + 1)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_those_of_rational_arithmetic),
      cmocka_unit_test(distances_are_those_of_rational_arithmetic),
      cmocka_unit_test(times_are_ordered_exactly),
      cmocka_unit_test(a_face_in_the_plane_is_met_at_the_same_time),
      cmocka_unit_test(a_vertex_falls_on_a_slope),
      cmocka_unit_test(what_is_no_question_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
