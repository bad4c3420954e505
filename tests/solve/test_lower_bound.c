/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Lower bounds of time against contacts that were put there: polynomials of second degree with coefficients in eighths,
 * so that their zero is exact. Quadratic forms against their values at corners, definite matrices against elimination
 * in rational numbers, balls against rational numbers. */

#include "support/support.h"

#include "solve/lower_bound.h"

#include <gmp.h>

#define ROUNDS UINT64_C(60000)

static uint64_t seed;

static double eighth(int most) {
  return ((double)(test_random(&seed) % (uint64_t)(16 * most + 1)) - 8 * most) / 8;
}

/* --- balls --- */

static bool ball_holds(toi_midrad a, const mpq_t x) {
  mpq_t off, radius;
  mpq_inits(off, radius, NULL);
  mpq_set_d(off, a.x);
  mpq_sub(off, off, x);
  mpq_abs(off, off);
  mpq_set_d(radius, a.r);
  bool holds = mpq_cmp(off, radius) <= 0;
  mpq_clears(off, radius, NULL);
  return holds;
}

static toi_midrad random_ball(void) {
  double x = ldexp(test_random_unit(&seed) - 0.5, (int)(test_random(&seed) % 60) - 30);
  return (toi_midrad){x, test_random(&seed) % 3 == 0 ? 0 : fabs(x) * ldexp(1, -(int)(test_random(&seed) % 60))};
}

/* An end of a ball, exactly. */
static void set_end(mpq_t x, toi_midrad a, bool high) {
  mpq_t radius;
  mpq_init(radius);
  mpq_set_d(x, a.x);
  mpq_set_d(radius, a.r);
  (high ? mpq_add : mpq_sub)(x, x, radius);
  mpq_clear(radius);
}

static void balls_hold_sums_and_products_of_their_ends(void **state) {
  (void)state;
  mpq_t x, y, z;
  mpq_inits(x, y, z, NULL);
  uint64_t rounds = test_count(ROUNDS / 4);
  for (uint64_t round = 0; round < rounds; round++) {
    toi_midrad a = random_ball(), b = random_ball();
    for (int ends = 0; ends < 4; ends++) {
      set_end(x, a, ends & 1);
      set_end(y, b, ends & 2);
      mpq_add(z, x, y);
      assert_true(ball_holds(toi_midrad_add(a, b), z));
      mpq_sub(z, x, y);
      assert_true(ball_holds(toi_midrad_sub(a, b), z));
      mpq_mul(z, x, y);
      assert_true(ball_holds(toi_midrad_mul(a, b), z));
    }
    toi_interval hull = {fmin(a.x, b.x), fmax(a.x, b.x)};
    mpq_set_d(x, a.x);
    assert_true(ball_holds(toi_midrad_of(hull), x) && ball_holds(toi_midrad_hull(hull.lo, hull.hi, 0), x));
    mpq_set_d(x, b.x);
    assert_true(ball_holds(toi_midrad_of(hull), x) && ball_holds(toi_midrad_hull(hull.lo, hull.hi, 0), x));
  }
  mpq_clears(x, y, z, NULL);
}

/* --- definite matrices --- */

/* Elimination without rounding: whether all pivots are positive. */
static bool is_positive_exactly(size_t n, const toi_row *matrix) {
  mpq_t a[TOI_UNKNOWNS][TOI_UNKNOWNS], factor, product;
  bool positive = true;
  mpq_inits(factor, product, NULL);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      mpq_init(a[i][j]);
      mpq_set_d(a[i][j], matrix[i > j ? i : j][i > j ? j : i]);
    }
  for (size_t c = 0; c < n && positive; c++) {
    positive = mpq_sgn(a[c][c]) > 0;
    for (size_t r = c + 1; r < n && positive; r++) {
      mpq_div(factor, a[r][c], a[c][c]);
      for (size_t k = c; k < n; k++) {
        mpq_mul(product, factor, a[c][k]);
        mpq_sub(a[r][k], a[r][k], product);
      }
    }
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      mpq_clear(a[i][j]);
  mpq_clears(factor, product, NULL);
  return positive;
}

/* B B^T with fewer columns than rows is singular; a little more or less on the diagonal decides, in whatever units. */
static void matrices_called_definite_are(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS / 8), definite = 0, known = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    size_t n = 1 + test_random(&seed) % TOI_UNKNOWNS, rank = test_random(&seed) % (n + 1);
    double b[TOI_UNKNOWNS][TOI_UNKNOWNS];
    toi_row matrix[TOI_UNKNOWNS] = {{0}};
    double more = ldexp(eighth(1), -(int)(test_random(&seed) % 50));
    const int units = (int)(test_random(&seed) % 200) - 100;
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < rank; k++)
        b[i][k] = test_random_unit(&seed) - 0.5;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j <= i; j++) {
        for (size_t k = 0; k < rank; k++)
          matrix[i][j] += b[i][k] * b[j][k];
        matrix[i][j] = ldexp(matrix[i][j] + (i == j ? more : 0), units);
      }
    bool truth = is_positive_exactly(n, (const toi_row *)matrix);
    bool said = toi_positive_definite(n, (const toi_row *)matrix, 0);
    assert_true(truth || !said);
    definite += truth;
    known += said;
  }
  assert_true(2 * known > definite && known < rounds);
}

/* --- forms --- */

/* Middles about -m times the identity, and radii, all multiples of 2^-20 so that nothing here rounds. */
static void random_form(size_t n, toi_row *middle, toi_row *radius) {
  double size = ldexp(1, -(int)(test_random(&seed) % 8)), m = ldexp(1, (int)(test_random(&seed) % 12) - 10);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double mixed = test_random(&seed) & 1 ? 0 : size * ((double)(test_random(&seed) % 17) - 8) * 0x1p-8;
      middle[i][j] = middle[j][i] = i == j ? (test_random(&seed) & 3 ? -m : m) : mixed;
      radius[i][j] = radius[j][i] = size * (double)(test_random(&seed) % 9) * 0x1p-3;
    }
}

/* The least of y M y - |y| R |y| over the corners of the cube, where all radii count in full. */
static double least_at_corners(size_t n, const toi_row *middle, const toi_row *radius) {
  double least = INFINITY;
  for (unsigned corner = 0; corner < 1u << n; corner++) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        sum += ((corner >> i ^ corner >> j) & 1 ? -middle[i][j] : middle[i][j]) - radius[i][j];
    least = fmin(least, sum);
  }
  return least;
}

static void forms_are_bounded_below_at_all_corners(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS), known = 0, close = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    size_t n = 1 + test_random(&seed) % TOI_UNKNOWNS;
    toi_row middle[TOI_UNKNOWNS] = {{0}}, radius[TOI_UNKNOWNS] = {{0}};
    toi_midrad s[TOI_UNKNOWNS][TOI_UNKNOWNS] = {{{0}}};
    random_form(n, middle, radius);
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j <= i; j++)
        s[i][j] = (toi_midrad){middle[i][j], radius[i][j]};
    double bound = toi_least_form(n, s);
    double truth = least_at_corners(n, (const toi_row *)middle, (const toi_row *)radius);
    if (!(bound <= truth))
      fail_msg("%zu unknowns: bounded by %a, but %a is reached", n, bound, truth);
    known += bound > -INFINITY;
    close += bound > 2.5 * fmin(truth, 0);
  }
  print_message("  %llu of %llu bounded, %llu of them well\n", (unsigned long long)known, (unsigned long long)rounds,
                (unsigned long long)close);
  assert_true(known > rounds / 2 && close > rounds / 4);
}

/* --- times --- */

/* G_k = a_k + b_k.y + y C_k y / 2, with a zero at `zero`, in the domain of y. */
typedef struct quadratic {
  double a[3], b[3][TOI_UNKNOWNS], c[3][TOI_UNKNOWNS][TOI_UNKNOWNS], zero[TOI_UNKNOWNS];
} quadratic;

static void random_quadratic(toi_second_order *s, quadratic *q) {
  memset(q, 0, sizeof *q);
  for (size_t i = 0; i < s->n; i++) {
    s->inward[i] = i < s->n - 1 && test_random(&seed) % 4 == 0;
    q->zero[i] = test_random(&seed) % 3 == 0 ? 0 : s->inward[i] ? fabs(eighth(1)) : eighth(1);
  }
  double curved = ldexp(1, -(int)(test_random(&seed) % 8));
  for (size_t k = 0; k < s->m; k++) {
    for (size_t i = 0; i < s->n; i++) {
      q->b[k][i] = eighth(4);
      q->a[k] -= q->b[k][i] * q->zero[i];
      for (size_t j = 0; j <= i; j++) {
        q->c[k][i][j] = q->c[k][j][i] = curved * eighth(2);
        q->a[k] -= (i == j ? 0.5 : 1) * q->c[k][i][j] * q->zero[i] * q->zero[j];
      }
    }
  }
}

static void fill_centre(const quadratic *q, toi_second_order *s) {
  for (size_t k = 0; k < s->m; k++) {
    s->value[k] = (toi_midrad){q->a[k], 0};
    for (size_t i = 0; i < s->n; i++)
      s->slope[k][i] = (toi_midrad){q->b[k][i], 0};
  }
}

static void fill_box(const quadratic *q, toi_second_order *s) {
  for (size_t k = 0; k < s->m; k++)
    for (size_t i = 0; i < s->n; i++) {
      double radius = 0;
      for (size_t j = 0; j < s->n; j++)
        radius += fabs(q->c[k][i][j]);
      s->over[k][i] = (toi_midrad){q->b[k][i], radius};
    }
  for (size_t i = 0; i < s->n; i++)
    for (size_t j = 0; j <= i; j++) {
      s->hessian[i][j] = (toi_midrad){0, 0};
      for (size_t k = 0; k < s->m; k++)
        s->hessian[i][j] = toi_midrad_add(s->hessian[i][j], toi_midrad_scale((toi_midrad){q->c[k][i][j], 0}, s->l[k]));
    }
}

static void no_contact_is_earlier_than_its_bound(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS), known = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    toi_second_order s = {.m = 1 + test_random(&seed) % 3, .time = {0.5, 0}, .length = ldexp(1, -(int)(round % 9))};
    quadratic q;
    s.n = s.m + test_random(&seed) % (TOI_UNKNOWNS - s.m + 1);
    random_quadratic(&s, &q);
    fill_centre(&q, &s);
    if (!toi_lower_bound_begin(&s))
      continue;
    fill_box(&q, &s);
    double bound = toi_lower_bound(&s, round % 2 == 0), t = 0.5 + s.length * q.zero[s.n - 1];
    if (bound > t)
      fail_msg("round %llu: a contact at %a, but none before %a", (unsigned long long)round, t, bound);
    known += bound > 0.5 - s.length;
  }
  print_message("  %llu of %llu bounded by more than the box\n", (unsigned long long)known, (unsigned long long)rounds);
  assert_true(known > rounds / 20);
}

/* z = gap + (x^2 + y^2) / 8 - t: the least time is that of the middle, and nothing is lost. With a residual in the
 * equation it is earlier by that. */
static void strict_minimum_is_its_own_bound(void **state) {
  (void)state;
  for (int inward = 0; inward < 2; inward++)
    for (int power = 4; power < 40; power += 4) {
      toi_second_order s = {.m = 1, .n = 3, .time = {0.5, 0}, .length = 0.25, .residual = ldexp(1, -power)};
      s.inward[0] = inward;
      s.slope[0][0].x = inward ? 0.5 : 0;
      s.slope[0][2].x = -s.length;
      assert_true(toi_lower_bound_begin(&s));
      assert_true(fabs(s.l[0] - 1) < 1e-12);
      for (size_t i = 0; i < 2; i++) {
        s.over[0][i] = (toi_midrad){s.slope[0][i].x, 0.25};
        s.hessian[i][i].x = 0.25 * s.l[0];
      }
      s.over[0][2] = s.slope[0][2];
      double bound = toi_lower_bound(&s, true);
      assert_true(bound <= 0.5 - s.residual && bound > 0.5 - 16 * s.residual - 1e-12);
    }
}

/* A bowl over a plane, in three equations: (x - u, y - v, (x^2 + y^2) / 2048 - t) = 0, seen from a frame that is
 * turned.
 */
static void strict_minimum_is_its_own_bound_in_any_frame(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS / 60);
  for (uint64_t round = 0; round < rounds; round++) {
    toi_second_order s = {.m = 3, .n = 5, .time = {0.5, 0}, .length = 0.25};
    quadratic q = {.a = {0}};
    double w = 0.5 + test_random_unit(&seed), v[3], size = w * w;
    for (int k = 0; k < 3; k++) {
      v[k] = test_random_unit(&seed) - 0.5;
      size += v[k] * v[k];
    }
    for (int k = 0; k < 3; k++) {
      // Row k of the rotation of the quaternion (w, v).
      double row[3];
      for (int j = 0; j < 3; j++)
        row[j] =
            2 * (v[k] * v[j] + (j == k ? w * w : ((j - k + 3) % 3 == 1 ? -w : w) * v[3 - j - k])) / size - (j == k);
      for (size_t j = 0; j < 2; j++) {
        q.b[k][j] = row[j];
        q.b[k][2 + j] = -row[j];
        q.c[k][j][j] = 0x1p-10 * row[2];
      }
      q.b[k][4] = -s.length * row[2];
    }
    fill_centre(&q, &s);
    assert_true(toi_lower_bound_begin(&s));
    fill_box(&q, &s);
    const double bound = toi_lower_bound(&s, true);
    if (!(bound <= 0.5 && bound > 0.5 - 1e-12))
      fail_msg("round %llu: 0.5 is bounded by %a", (unsigned long long)round, bound);
  }
}

/* One equation, with a number of which nothing is known. */
static void what_is_not_known_bounds_nothing(void **state) {
  (void)state;
  for (int place = 0; place < 3 * 5; place++)
    for (int inward = 0; inward < 2; inward++) {
      const double unknown = place % 2 ? INFINITY : NAN;
      const int i = place % 3, what = place / 3;
      toi_second_order s = {.m = 1, .n = 3, .time = {0.5, 0}, .length = 0.25};
      s.inward[0] = inward;
      s.slope[0][0].x = inward ? 0.5 : 0;
      s.slope[0][2].x = -s.length;
      assert_true(toi_lower_bound_begin(&s));
      for (size_t k = 0; k < 3; k++)
        s.over[0][k] = s.slope[0][k];
      s.hessian[0][0].x = s.hessian[1][1].x = 0.25;
      double *const places[] = {&s.over[0][i].r, &s.slope[0][i].r, &s.hessian[i][i].r, &s.hessian[i][0].r,
                                &s.value[0].r};
      *places[what] = unknown;
      if (toi_lower_bound(&s, true) != -INFINITY)
        fail_msg("number %d of kind %d, %g, inward %d: %g", i, what, unknown, inward, toi_lower_bound(&s, true));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_hold_sums_and_products_of_their_ends),
      cmocka_unit_test(matrices_called_definite_are),
      cmocka_unit_test(forms_are_bounded_below_at_all_corners),
      cmocka_unit_test(no_contact_is_earlier_than_its_bound),
      cmocka_unit_test(strict_minimum_is_its_own_bound),
      cmocka_unit_test(strict_minimum_is_its_own_bound_in_any_frame),
      cmocka_unit_test(what_is_not_known_bounds_nothing),
  };
  seed = test_seed(1502);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
