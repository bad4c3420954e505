/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proofs of a common zero, of polynomials of second degree. What is proved is checked in rational numbers: on every
 * face of the box Y the equation that belongs to it has the face's sign, so that there is a zero (Poincare and
 * Miranda). Where there is none, as the equations are at least some gap, nothing is proved. */

#include "support/support.h"

#include "solve/touch.h"

#include <gmp.h>

#define ROUNDS UINT64_C(20000)

static uint64_t seed;

static double eighth(int most) {
  return ((double)(test_random(&seed) % (uint64_t)(16 * most + 1)) - 8 * most) / 8;
}

/* G_k = a_k + b_k.x + x C_k x / 2, from x0 = 0 on. */
typedef struct quadratic {
  double a[3], b[3][TOI_UNKNOWNS], c[3][TOI_UNKNOWNS][TOI_UNKNOWNS];
} quadratic;

static void random_quadratic(const toi_touch_system *s, double residual, double curved, quadratic *q) {
  memset(q, 0, sizeof *q);
  for (size_t k = 0; k < s->m; k++) {
    q->a[k] = residual * (test_random_unit(&seed) - 0.5);
    for (size_t i = 0; i < s->n; i++) {
      q->b[k][i] = eighth(4) + (i == k ? 4 : 0);
      for (size_t j = 0; j <= i; j++)
        q->c[k][i][j] = q->c[k][j][i] = curved * eighth(2);
    }
  }
}

/* Values, and slopes over x0 + V Y. */
static void fill(const quadratic *q, const double *radius, toi_touch_system *s) {
  double reach[TOI_UNKNOWNS];
  for (size_t j = 0; j < s->n; j++) {
    reach[j] = 0;
    for (size_t k = 0; k < s->m; k++)
      reach[j] = toi_sum_up(reach[j], toi_product_up(fabs(s->inverse[j][k]), radius[k]));
  }
  for (size_t k = 0; k < s->m; k++) {
    s->value[k] = (toi_midrad){q->a[k], 0};
    for (size_t i = 0; i < s->n; i++) {
      s->slope[k][i] = (toi_midrad){q->b[k][i], 0};
      for (size_t j = 0; j < s->n; j++)
        s->slope[k][i].r = toi_sum_up(s->slope[k][i].r, toi_product_up(fabs(q->c[k][i][j]), reach[j]));
    }
  }
}

/* The sign of G_k(V y), exactly. */
static int sign_at(const toi_touch_system *s, const quadratic *q, size_t k, const double *y) {
  mpq_t x[TOI_UNKNOWNS], sum, term, factor;
  mpq_inits(sum, term, factor, NULL);
  for (size_t j = 0; j < s->n; j++) {
    mpq_init(x[j]);
    for (size_t i = 0; i < s->m; i++) {
      mpq_set_d(term, s->inverse[j][i]);
      mpq_set_d(factor, y[i]);
      mpq_mul(term, term, factor);
      mpq_add(x[j], x[j], term);
    }
  }
  mpq_set_d(sum, q->a[k]);
  for (size_t i = 0; i < s->n; i++) {
    mpq_set_d(term, q->b[k][i]);
    mpq_mul(term, term, x[i]);
    mpq_add(sum, sum, term);
    for (size_t j = 0; j < s->n; j++) {
      mpq_set_d(term, q->c[k][i][j] / 2);
      mpq_mul(term, term, x[i]);
      mpq_mul(term, term, x[j]);
      mpq_add(sum, sum, term);
    }
  }
  int sign = mpq_sgn(sum);
  for (size_t j = 0; j < s->n; j++)
    mpq_clear(x[j]);
  mpq_clears(sum, term, factor, NULL);
  return sign;
}

static void check_faces(const toi_touch_system *s, const quadratic *q, const double *radius) {
  for (size_t k = 0; k < s->m; k++)
    for (int side = -1; side <= 1; side += 2) {
      double y[TOI_UNKNOWNS];
      for (size_t i = 0; i < s->m; i++) {
        double part = test_random(&seed) & 1 ? 1 : test_random_unit(&seed);
        y[i] = radius[i] * (test_random(&seed) & 1 ? part : -part);
      }
      y[k] = side * radius[k];
      if (side * sign_at(s, q, k, y) < 0)
        fail_msg("equation %zu has the wrong sign on its face", k);
    }
}

static bool set_inverse(const quadratic *q, toi_touch_system *s) {
  static const double units[TOI_UNKNOWNS] = {1, 1, 1, 1, 1};
  toi_row slopes[TOI_UNKNOWNS] = {{0}};
  for (size_t k = 0; k < s->m; k++)
    memcpy(slopes[k], q->b[k], sizeof slopes[k]);
  return toi_linear_right_inverse(s->m, s->n, (const toi_row *)slopes, units, s->inverse);
}

static void what_is_proved_changes_its_sign(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS), proved = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    toi_touch_system s = {.m = 1 + test_random(&seed) % 3};
    quadratic q;
    double radius[TOI_UNKNOWNS];
    s.n = s.m + test_random(&seed) % (TOI_UNKNOWNS - s.m + 1);
    random_quadratic(&s, ldexp(1, -(int)(test_random(&seed) % 20)), ldexp(1, -(int)(test_random(&seed) % 8)), &q);
    if (!set_inverse(&q, &s))
      continue;
    // From too small to ample.
    double factor = 0.9 + 2 * test_random_unit(&seed);
    for (size_t k = 0; k < s.m; k++)
      radius[k] = factor * fabs(q.a[k]) + 0x1p-60;
    fill(&q, radius, &s);
    if (!toi_touch_proves(&s, radius))
      continue;
    proved++;
    check_faces(&s, &q, radius);
  }
  print_message("  %llu of %llu proved\n", (unsigned long long)proved, (unsigned long long)rounds);
  assert_true(proved > rounds / 10 && proved < rounds);
}

/* gap + x^2 / 2 is never zero, whatever V and Y are; at a slope of 1 and a gap of 1/2 + 2^-k it nearly is. */
static void nothing_is_proved_where_there_is_no_zero(void **state) {
  (void)state;
  for (int k = 4; k < 50; k++)
    for (int i = -8; i <= 8; i++)
      for (int j = 1; j < 64; j++) {
        toi_touch_system s = {.m = 1, .n = 1};
        const quadratic q = {.a = {0.5 + ldexp(1, -k)}, .b = {{1}}, .c = {{{1}}}};
        double radius = j / 16.0;
        s.inverse[0][0] = i / 4.0;
        fill(&q, &radius, &s);
        assert_false(toi_touch_proves(&s, &radius));
      }
}

/* Numbers that overflowed prove nothing, and do no harm. */
static void what_is_no_number_proves_nothing(void **state) {
  (void)state;
  static const double bad[] = {INFINITY, -INFINITY, NAN};
  for (size_t i = 0; i < 3; i++)
    for (int where = 0; where < 5; where++) {
      toi_touch_system s = {.m = 1, .n = 1, .value = {{0.5, 0}}, .slope = {{{1, 0}}}, .inverse = {{1}}};
      double radius = 1, *const places[5] = {&s.value[0].x, &s.value[0].r, &s.slope[0][0].x, &s.slope[0][0].r,
                                             &s.inverse[0][0]};
      assert_true(toi_touch_proves(&s, &radius));
      *places[where] = where % 2 == 1 ? fabs(bad[i]) : bad[i];
      assert_false(toi_touch_proves(&s, &radius));
    }
}

/* An equation of one unknown, and what was asked about it. */
typedef struct growing {
  quadratic q;
  double last, most; /* the radius asked for last; beyond the most there is nothing */
  int asked;
} growing;

static bool slopes_over(void *user, const double *radius, toi_touch_system *s) {
  growing *g = user;
  // The first box reaches half as far again as the value says, the next ones sixteen times as far as the one before.
  const double size = g->asked++ == 0 ? 1.5 * fabs(g->q.a[0] * s->inverse[0][0]) : 16 * g->last;
  assert_true(radius[0] >= size && radius[0] <= size * (1 + 1e-11) + 0x1p-59);
  g->last = radius[0];
  s->slope[0][0] = (toi_midrad){g->q.b[0][0], fabs(g->q.c[0][0][0]) * radius[0] * (1 + 0x1p-50)};
  return radius[0] <= g->most;
}

/* x / 2 with V = 1 takes boxes of twice the value, which is the second one's; with V = 2, the first one's. Slopes that
 * nobody knows are asked for five times, and a box beyond the domain is the last. */
static void boxes_grow_until_one_holds_a_zero(void **state) {
  (void)state;
  for (int i = -40; i <= 40; i++)
    for (int v = 1; v <= 2; v++) {
      toi_touch_system s = {.m = 1, .n = 1, .value = {{ldexp(1, i), 0}}, .inverse = {{v}}};
      double radius[TOI_UNKNOWNS];
      growing g = {.q = {.a = {ldexp(1, i)}, .b = {{0.5}}}, .most = INFINITY}, out = g, unknown = g, gap = g;
      assert_true(toi_touch_prove(&s, 0, slopes_over, &g, radius));
      assert_true(g.asked == (v == 1 ? 2 : 1) && radius[0] >= 2 * g.q.a[0] && radius[0] == g.last);
      out.most = 1.6 * out.q.a[0];
      assert_true(toi_touch_prove(&s, 0, slopes_over, &out, radius) == false && out.asked == (v == 1 ? 2 : 1));
      unknown.q.c[0][0][0] = INFINITY;
      assert_true(toi_touch_prove(&s, 0, slopes_over, &unknown, radius) == false && unknown.asked == 5);
      // a + x^2 / (2 a) has no zero.
      gap.q.b[0][0] = 0;
      gap.q.c[0][0][0] = 1 / gap.q.a[0];
      assert_false(toi_touch_prove(&s, 0, slopes_over, &gap, radius));
    }
  // What does not move stays where it is, and has no radius.
  toi_touch_system two = {.m = 1, .n = 2, .value = {{1, 0}}, .slope = {{{1, 0}, {7, 0}}}, .inverse = {{1}, {0}}};
  double radii[TOI_UNKNOWNS];
  growing still = {.q = {.a = {1}, .b = {{1}}}, .most = INFINITY};
  assert_true(toi_touch_prove(&two, 0, slopes_over, &still, radii) && radii[0] > 1 && radii[1] == 0);
  // An exact zero needs some room around it.
  toi_touch_system s = {.m = 1, .n = 1, .slope = {{{1, 0}}}, .inverse = {{1}}};
  growing g = {.q = {.b = {{1}}}, .most = INFINITY};
  double radius[TOI_UNKNOWNS];
  assert_true(toi_touch_prove(&s, 0x1p-60, slopes_over, &g, radius) && radius[0] >= 0x1p-60 && radius[0] < 0x1p-59);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_proved_changes_its_sign),
      cmocka_unit_test(nothing_is_proved_where_there_is_no_zero),
      cmocka_unit_test(what_is_no_number_proves_nothing),
      cmocka_unit_test(boxes_grow_until_one_holds_a_zero),
  };
  seed = test_seed(1503);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
