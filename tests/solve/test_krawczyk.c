/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Inverses of points, the operator of Krawczyk and Moore, and what lemmas 10 and 11 of docs/guarantees.md conclude from
 * it, on systems whose zeros are known. */

#include "support/support.h"

#include "solve/linear.h"

#define ROUNDS UINT64_C(40000)

static uint64_t seed;

static double random_between(double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(&seed);
}

/* --- inverses --- */

/* The largest entry of |A B - I|, A of m x n. */
static double residual(size_t m, size_t n, const toi_row *a, const toi_row *b) {
  double worst = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      double sum = i == j ? -1 : 0;
      for (size_t k = 0; k < n; k++)
        sum += a[i][k] * b[k][j];
      worst = fmax(worst, fabs(sum));
    }
  return worst;
}

/* Small entries next to a diagonal of ones, the rows and columns then shuffled: well conditioned, zeros as pivots. */
static void random_regular(size_t n, toi_row *a) {
  size_t place[TOI_UNKNOWNS] = {0, 1, 2, 3, 4};
  for (size_t i = n; i-- > 1;) {
    size_t other = test_random(&seed) % (i + 1), kept = place[i];
    place[i] = place[other];
    place[other] = kept;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double small = test_random(&seed) & 1 ? 0 : random_between(-0.15, 0.15);
      a[i][j] = j == place[i] ? 1 + small : small;
    }
}

static void inverses_undo(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    size_t n = 1 + test_random(&seed) % TOI_UNKNOWNS;
    toi_row a[TOI_UNKNOWNS] = {{0}}, b[TOI_UNKNOWNS] = {{0}}, scaled[TOI_UNKNOWNS] = {{0}}, c[TOI_UNKNOWNS] = {{0}};
    int rows[TOI_UNKNOWNS] = {0}, columns[TOI_UNKNOWNS] = {0};
    random_regular(n, a);
    assert_true(toi_linear_inverse(n, (const toi_row *)a, b));
    assert_true(residual(n, n, (const toi_row *)a, (const toi_row *)b) < 1e-13);
    // Units of measure do not matter: rows and columns times powers of two.
    for (size_t i = 0; i < n; i++) {
      rows[i] = (int)(test_random(&seed) % 600) - 300;
      columns[i] = (int)(test_random(&seed) % 11) - 5;
    }
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        scaled[i][j] = ldexp(a[i][j], rows[i] + columns[j]);
    assert_true(toi_linear_inverse(n, (const toi_row *)scaled, c));
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        assert_true(fabs(ldexp(c[i][j], columns[i] + rows[j]) - b[i][j]) < 1e-10);
  }
}

static void no_inverse_of_what_is_not_finite_or_singular(void **state) {
  (void)state;
  static const toi_row cases[][2] = {{{0, 0}, {0, 0}},         {{1, 1}, {1, 1}},          {{1, 0}, {1, 0}},
                                     {{1, 2}, {NAN, 1}},       {{NAN, NAN}, {NAN, NAN}},  {{INFINITY, 1}, {1, 1}},
                                     {{0x1p-1074, 0}, {0, 1}}, {{1, 1}, {1, 1 + 0x1p-50}}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    toi_row inverse[2];
    const double weights[2] = {1, 1};
    assert_false(toi_linear_inverse(2, cases[k], inverse));
    assert_false(toi_linear_right_inverse(2, 2, cases[k], weights, inverse));
  }
}

/* J P = 1, and no step P e + z with J z = 0 is shorter, in units of the weights: P e is orthogonal to all z. */
static void right_inverses_are_shortest(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    size_t n = 1 + test_random(&seed) % TOI_UNKNOWNS, m = 1 + test_random(&seed) % n;
    toi_row a[TOI_UNKNOWNS] = {{0}}, p[TOI_UNKNOWNS] = {{0}};
    double weights[TOI_UNKNOWNS] = {0}, z[TOI_UNKNOWNS] = {0};
    random_regular(n, a);
    for (size_t j = 0; j < n; j++) {
      weights[j] = ldexp(1, (int)(test_random(&seed) % 5) - 2);
      z[j] = random_between(-1, 1);
    }
    assert_true(toi_linear_right_inverse(m, n, (const toi_row *)a, weights, p));
    assert_true(residual(m, n, (const toi_row *)a, (const toi_row *)p) < 1e-12);
    // z less what J sees of it.
    double seen[TOI_UNKNOWNS] = {0};
    for (size_t i = 0; i < m; i++)
      for (size_t k = 0; k < n; k++)
        seen[i] += a[i][k] * z[k];
    for (size_t k = 0; k < n; k++)
      for (size_t i = 0; i < m; i++)
        z[k] -= p[k][i] * seen[i];
    for (size_t i = 0; i < m; i++) {
      double along = 0;
      for (size_t k = 0; k < n; k++)
        along += p[k][i] * z[k] / (weights[k] * weights[k]);
      assert_true(fabs(along) < 1e-11);
    }
  }
}

static void dependent_rows_have_no_right_inverse(void **state) {
  (void)state;
  const toi_row rows[3] = {{1, 2, 3, 4, 5}, {2, -1, 0, 1, 1}, {4, 3, 6, 9, 11}};
  const double weights[5] = {1, 3, 1, 0.5, 1};
  toi_row inverse[TOI_UNKNOWNS];
  assert_true(toi_linear_right_inverse(2, 5, rows, weights, inverse));
  assert_false(toi_linear_right_inverse(3, 5, rows, weights, inverse));
}

/* --- Krawczyk --- */

/* f_i = sum of A_ij d_j + q_i d_i^2 with d = x - root: zero at the root, where doubles know it. */
typedef struct system_of {
  size_t n;
  toi_row a[TOI_UNKNOWNS];
  double q[TOI_UNKNOWNS], root[TOI_UNKNOWNS];
} system_of;

static void random_system(system_of *s) {
  s->n = 1 + test_random(&seed) % TOI_UNKNOWNS;
  random_regular(s->n, s->a);
  for (size_t i = 0; i < s->n; i++) {
    s->q[i] = random_between(-0.5, 0.5);
    s->root[i] = random_between(-2, 2);
  }
}

static toi_interval value_at(const system_of *s, size_t i, const double *x) {
  toi_interval sum = {0, 0};
  for (size_t j = 0; j < s->n; j++) {
    toi_interval d = toi_interval_sub(toi_interval_point(x[j]), toi_interval_point(s->root[j]));
    sum = toi_interval_add(sum, toi_interval_mul(toi_interval_point(s->a[i][j]), d));
    if (i == j)
      sum = toi_interval_add(sum, toi_interval_mul(toi_interval_point(s->q[i]), toi_interval_square(d)));
  }
  return sum;
}

static void jacobian_over(const system_of *s, const toi_interval *box, toi_interval_row *jacobian) {
  for (size_t i = 0; i < s->n; i++)
    for (size_t j = 0; j < s->n; j++) {
      toi_interval d = toi_interval_sub(box[j], toi_interval_point(s->root[j]));
      toi_interval bend = toi_interval_mul(toi_interval_point(i == j ? 2 * s->q[i] : 0), d);
      jacobian[i][j] = toi_interval_add(toi_interval_point(s->a[i][j]), bend);
    }
}

/* A box that holds the root, as an end or inside, with any point of it as the centre. */
static void random_box(const system_of *s, toi_interval *box, double *centre, double size) {
  for (size_t j = 0; j < s->n; j++) {
    double below = test_random(&seed) % 4 ? size * test_random_unit(&seed) : 0;
    double above = test_random(&seed) % 4 ? size * test_random_unit(&seed) : 0;
    box[j] = (toi_interval){s->root[j] - below, s->root[j] + above};
    centre[j] = test_random(&seed) & 1 ? toi_interval_midpoint(box[j]) : box[j].lo;
  }
}

static void zeros_stay_in_krawczyk_and_in_the_linear_equation(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS), inside = 0, contracting = 0, enclosed = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    system_of s = {0};
    toi_interval box[TOI_UNKNOWNS] = {{0}}, f[TOI_UNKNOWNS] = {{0}}, k[TOI_UNKNOWNS] = {{0}}, z[TOI_UNKNOWNS] = {{0}};
    toi_interval_row jacobian[TOI_UNKNOWNS] = {{{0}}};
    double centre[TOI_UNKNOWNS] = {0};
    toi_row y[TOI_UNKNOWNS] = {{0}};
    bool contracts = false, within = true;
    random_system(&s);
    random_box(&s, box, centre, ldexp(1, -(int)(test_random(&seed) % 20)));
    for (size_t i = 0; i < s.n; i++)
      f[i] = toi_interval_neg(value_at(&s, i, centre));
    jacobian_over(&s, box, jacobian);
    // Any Y will do; the inverse is only the best.
    if (round % 4 == 0 || !toi_linear_inverse(s.n, (const toi_row *)s.a, y))
      random_regular(s.n, y);
    const toi_interval_row *j = (const toi_interval_row *)jacobian;
    bool regular = toi_linear_enclose(s.n, j, f, z);
    for (size_t i = 0; i < s.n; i++)
      f[i] = toi_interval_neg(f[i]);
    toi_linear_krawczyk(s.n, j, f, (const toi_row *)y, centre, box, k, &contracts);
    for (size_t i = 0; i < s.n; i++) {
      toi_interval moved = toi_interval_add(toi_interval_point(centre[i]), z[i]);
      assert_true(toi_interval_contains(k[i], s.root[i]));
      assert_true(!regular || toi_interval_contains(moved, s.root[i]));
      within = within && toi_interval_surrounds(box[i], k[i]);
    }
    inside += within;
    contracting += contracts;
    enclosed += regular;
  }
  assert_true(inside > rounds / 100 && contracting > rounds / 10 && enclosed > rounds / 10);
}

/* x^2 + y^2 = 1 and x = y: zeros at +-(r, r), r^2 = 1/2. */
typedef struct outcome {
  bool inside, apart, contracts;
  toi_interval k[2];
} outcome;

static outcome circle_and_line(toi_interval x, toi_interval y) {
  const toi_interval box[2] = {x, y};
  double c[2] = {toi_interval_midpoint(x), toi_interval_midpoint(y)};
  const toi_interval_row jacobian[2] = {{toi_interval_scale(x, 1), toi_interval_scale(y, 1)}, {{1, 1}, {-1, -1}}};
  toi_interval squares =
      toi_interval_add(toi_interval_square(toi_interval_point(c[0])), toi_interval_square(toi_interval_point(c[1])));
  toi_interval f[2] = {toi_interval_sub(squares, toi_interval_point(1)),
                       toi_interval_sub(toi_interval_point(c[0]), toi_interval_point(c[1]))};
  const toi_row middle[2] = {{2 * c[0], 2 * c[1]}, {1, -1}};
  toi_row inverse[2] = {{1, 0}, {0, 1}};
  (void)toi_linear_inverse(2, middle, inverse);
  outcome o = {.inside = true};
  toi_linear_krawczyk(2, jacobian, f, (const toi_row *)inverse, c, box, o.k, &o.contracts);
  for (size_t i = 0; i < 2; i++) {
    toi_interval common;
    o.inside = o.inside && toi_interval_surrounds(box[i], o.k[i]);
    o.apart = o.apart || !toi_interval_intersect(box[i], o.k[i], &common);
  }
  return o;
}

static void circle_meets_line_once_twice_and_not_at_all(void **state) {
  (void)state;
  outcome once = circle_and_line((toi_interval){0.6, 0.8}, (toi_interval){0.65, 0.8});
  assert_true(once.inside && once.contracts);
  assert_true(toi_interval_contains(once.k[0], 0x1.6a09e667f3bcdp-1) && toi_interval_width(once.k[0]) < 0.05);
  // Both zeros: nothing may be proved.
  outcome twice = circle_and_line((toi_interval){-0.9, 1}, (toi_interval){-0.9, 1});
  assert_true(!twice.inside && !twice.contracts && !twice.apart);
  outcome none = circle_and_line((toi_interval){0.2, 0.4}, (toi_interval){0.2, 0.4});
  assert_true(none.apart);
}

/* One unknown: |1 - J| is known exactly, next to 1 from either side. */
static void contraction_is_strict(void **state) {
  (void)state;
  static const struct {
    toi_interval jacobian;
    bool contracts;
  } cases[] = {{{0x1p-53, 1.5}, true},     {{0, 1}, false},          {{0x1p-1074, 1}, false},        {{0.5, 2}, false},
               {{0.5, 2 - 0x1p-52}, true}, {{0.5, INFINITY}, false}, {{-INFINITY, INFINITY}, false}, {{1, 1}, true}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const toi_interval_row jacobian[1] = {{cases[k].jacobian}};
    const toi_row y[1] = {{1}};
    const toi_interval f = {-0.25, 0.25}, box = {-1, 1};
    const double centre = 0;
    toi_interval result;
    bool contracts = !cases[k].contracts;
    toi_linear_krawczyk(1, jacobian, &f, y, &centre, &box, &result, &contracts);
    assert_int_equal(contracts, cases[k].contracts);
    assert_true(toi_interval_is_valid(result));
    toi_linear_krawczyk(1, jacobian, &f, y, &centre, &box, &result, NULL);
  }
  // Two halves make one: no contraction in the sum of a row.
  const toi_interval_row halves[2] = {{{0.5, 1}, {0, 0.5}}, {{0, 0}, {1, 1}}};
  const toi_row unit[2] = {{1, 0}, {0, 1}};
  const toi_interval f[2] = {{0, 0}, {0, 0}}, box[2] = {{-1, 1}, {-1, 1}};
  const double centre[2] = {0, 0};
  toi_interval result[2];
  bool contracts = true;
  toi_linear_krawczyk(2, halves, f, unit, centre, box, result, &contracts);
  assert_false(contracts);
}

static void overflow_gives_no_bound_and_no_nan(void **state) {
  (void)state;
  const toi_interval_row huge[2] = {{{DBL_MAX, INFINITY}, {-DBL_MAX, DBL_MAX}}, {{-INFINITY, 1}, {DBL_MAX, DBL_MAX}}};
  const toi_interval f[2] = {{-DBL_MAX, DBL_MAX}, {DBL_MAX, INFINITY}}, box[2] = {{-DBL_MAX, DBL_MAX}, {0, INFINITY}};
  const toi_row y[2] = {{DBL_MAX, -DBL_MAX}, {0, DBL_MAX}};
  const double centre[2] = {DBL_MAX, 0};
  toi_interval result[2], x[2] = {box[0], box[1]};
  bool contracts = true;
  toi_linear_krawczyk(2, huge, f, y, centre, box, result, &contracts);
  assert_true(toi_interval_is_valid(result[0]) && toi_interval_is_valid(result[1]) && !contracts);
  if (toi_linear_solve(2, 2, huge, f, x))
    assert_true(toi_interval_is_valid(x[0]) && toi_interval_is_valid(x[1]));
  if (toi_linear_enclose(2, huge, f, x))
    assert_true(toi_interval_is_valid(x[0]) && toi_interval_is_valid(x[1]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverses_undo),
      cmocka_unit_test(no_inverse_of_what_is_not_finite_or_singular),
      cmocka_unit_test(right_inverses_are_shortest),
      cmocka_unit_test(dependent_rows_have_no_right_inverse),
      cmocka_unit_test(zeros_stay_in_krawczyk_and_in_the_linear_equation),
      cmocka_unit_test(circle_meets_line_once_twice_and_not_at_all),
      cmocka_unit_test(contraction_is_strict),
      cmocka_unit_test(overflow_gives_no_bound_and_no_nan),
  };
  seed = test_seed(602);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
