/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Interval systems against real ones that lie in them, solved in rational numbers: a solution is never lost, a matrix
 * that is singular is never missed. Coefficients are biased to zeros, points, ends of intervals, unbounded ones and the
 * largest and smallest doubles. */

#include "support/support.h"

#include "solve/linear.h"

#include <gmp.h>

#define ROUNDS UINT64_C(60000)

static uint64_t seed;

/* --- rational systems --- */

typedef struct exact {
  mpq_t a[TOI_EQUATIONS][TOI_UNKNOWNS], b[TOI_EQUATIONS], x[TOI_UNKNOWNS], scratch;
} exact;

static exact *oracle;

static int set_up(void **state) {
  static exact it;
  (void)state;
  oracle = &it;
  for (size_t i = 0; i < TOI_EQUATIONS; i++) {
    mpq_init(it.b[i]);
    for (size_t j = 0; j < TOI_UNKNOWNS; j++)
      mpq_init(it.a[i][j]);
  }
  for (size_t j = 0; j < TOI_UNKNOWNS; j++)
    mpq_init(it.x[j]);
  mpq_init(it.scratch);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  for (size_t i = 0; i < TOI_EQUATIONS; i++) {
    mpq_clear(oracle->b[i]);
    for (size_t j = 0; j < TOI_UNKNOWNS; j++)
      mpq_clear(oracle->a[i][j]);
  }
  for (size_t j = 0; j < TOI_UNKNOWNS; j++)
    mpq_clear(oracle->x[j]);
  mpq_clear(oracle->scratch);
  return 0;
}

/* a -= b c */
static void take_off(mpq_t a, const mpq_t b, const mpq_t c) {
  mpq_mul(oracle->scratch, b, c);
  mpq_sub(a, a, oracle->scratch);
}

/* Solves a x = b, which it uses up; false: a is singular. */
static bool solve_exactly(size_t n) {
  exact *o = oracle;
  for (size_t k = 0; k < n; k++) {
    size_t r = k;
    while (r < n && mpq_sgn(o->a[r][k]) == 0)
      r++;
    if (r == n)
      return false;
    for (size_t j = 0; j < n; j++)
      mpq_swap(o->a[k][j], o->a[r][j]);
    mpq_swap(o->b[k], o->b[r]);
    for (size_t i = k + 1; i < n; i++) {
      mpq_t factor;
      mpq_init(factor);
      mpq_div(factor, o->a[i][k], o->a[k][k]);
      for (size_t j = k; j < n; j++)
        take_off(o->a[i][j], factor, o->a[k][j]);
      take_off(o->b[i], factor, o->b[k]);
      mpq_clear(factor);
    }
  }
  for (size_t i = n; i-- > 0;) {
    mpq_set(o->x[i], o->b[i]);
    for (size_t j = i + 1; j < n; j++)
      take_off(o->x[i], o->a[i][j], o->x[j]);
    mpq_div(o->x[i], o->x[i], o->a[i][i]);
  }
  return true;
}

static bool holds(toi_interval a, const mpq_t x) {
  bool above = a.lo<-DBL_MAX, below = a.hi> DBL_MAX;
  if (!toi_interval_is_valid(a))
    return false;
  if (!above) {
    mpq_set_d(oracle->scratch, a.lo);
    above = mpq_cmp(oracle->scratch, x) <= 0;
  }
  if (!below) {
    mpq_set_d(oracle->scratch, a.hi);
    below = mpq_cmp(x, oracle->scratch) <= 0;
  }
  return above && below;
}

/* --- interval systems --- */

typedef struct task {
  size_t m, n;
  toi_interval_row matrix[TOI_EQUATIONS];
  toi_interval b[TOI_EQUATIONS], x[TOI_UNKNOWNS];
} task;

static void print_interval(const char *what, size_t i, size_t j, toi_interval a) {
  print_message("  %s[%zu][%zu] = {%a, %a}\n", what, i, j, a.lo, a.hi);
}

static void print_task(const task *t) {
  for (size_t i = 0; i < t->m; i++) {
    for (size_t j = 0; j < t->n; j++)
      print_interval("matrix", i, j, t->matrix[i][j]);
    print_interval("b", i, 0, t->b[i]);
  }
  for (size_t j = 0; j < t->n; j++)
    print_interval("x", j, 0, t->x[j]);
}

static double random_number(bool extreme) {
  uint64_t choice = test_random(&seed) % 8;
  if (extreme && choice < 2)
    return test_random_extreme(&seed, (int)(test_random(&seed) % 4));
  if (choice < 4)
    return (double)(test_random(&seed) % 7) - 3;
  return 4 * test_random_unit(&seed) - 2;
}

/* A width of 0, of any small size, or about one. */
static double random_width(void) {
  uint64_t choice = test_random(&seed) % 4;
  if (choice == 0)
    return 0;
  double unit = test_random_unit(&seed);
  return choice == 1 ? ldexp(unit, -(int)(test_random(&seed) % 60)) : unit;
}

/* Holds x, as an end or inside. */
static toi_interval random_around(double x, bool extreme) {
  toi_interval a = {x, x};
  uint64_t choice = test_random(&seed) % 16;
  if (choice & 1)
    a.lo = toi_sum_down(x, -random_width());
  if (choice & 2)
    a.hi = toi_sum_up(x, random_width());
  if (extreme && choice >= 14) {
    a.lo = choice == 14 ? -INFINITY : a.lo;
    a.hi = choice == 15 ? INFINITY : a.hi;
  }
  return a;
}

/* A system with a real one in it, a y = b exactly for the y that x holds; y in oracle->x. */
static void random_consistent(task *t, bool extreme) {
  t->n = 1 + test_random(&seed) % TOI_UNKNOWNS;
  t->m = 1 + test_random(&seed) % TOI_EQUATIONS;
  for (size_t j = 0; j < t->n; j++) {
    double y = random_number(extreme);
    mpq_set_d(oracle->x[j], y);
    t->x[j] = random_around(y, extreme);
  }
  for (size_t i = 0; i < t->m; i++) {
    mpq_set_ui(oracle->b[i], 0, 1);
    toi_interval sum = {0, 0};
    for (size_t j = 0; j < t->n; j++) {
      double a = random_number(extreme);
      t->matrix[i][j] = random_around(a, extreme);
      mpq_set_d(oracle->a[i][j], a);
      mpq_mul(oracle->scratch, oracle->a[i][j], oracle->x[j]);
      mpq_add(oracle->b[i], oracle->b[i], oracle->scratch);
      toi_interval product = toi_interval_mul(toi_interval_point(a), toi_interval_point(mpq_get_d(oracle->x[j])));
      sum = toi_interval_add(sum, product);
    }
    t->b[i] = sum;
    if (test_random(&seed) & 1)
      t->b[i] = toi_interval_add(sum, (toi_interval){-random_width(), random_width()});
  }
}

static void check_kept(const task *t, const toi_interval *before) {
  for (size_t j = 0; j < t->n; j++)
    if (!holds(t->x[j], oracle->x[j]) || !toi_interval_encloses(before[j], t->x[j])) {
      print_task(t);
      fail_msg("unknown %zu was lost from [%a, %a]", j, before[j].lo, before[j].hi);
    }
}

static void solutions_in_the_box_stay(void **state) {
  (void)state;
  uint64_t smaller = 0, rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    task t = {0};
    toi_interval before[TOI_UNKNOWNS];
    random_consistent(&t, round % 2 != 0);
    memcpy(before, t.x, sizeof before);
    if (!toi_linear_solve(t.m, t.n, (const toi_interval_row *)t.matrix, t.b, t.x)) {
      print_task(&t);
      fail_msg("a system with a solution was refused");
    }
    check_kept(&t, before);
    for (size_t j = 0; j < t.n; j++)
      smaller += toi_interval_width(t.x[j]) < toi_interval_width(before[j]);
  }
  assert_true(smaller > rounds / 10);
}

/* --- row by row, where one knows what comes out --- */

static void equations_that_dominate_close_in(void **state) {
  (void)state;
  const toi_interval_row matrix[2] = {{{4, 4}, {1, 1}}, {{1, 1}, {4, 4}}};
  const toi_interval b[2] = {{5, 5}, {5, 5}};
  toi_interval x[2] = {{-10, 10}, {-INFINITY, INFINITY}};
  assert_true(toi_linear_solve(2, 2, matrix, b, x));
  for (size_t j = 0; j < 2; j++) {
    assert_true(toi_interval_contains(x[j], 1));
    assert_true(toi_interval_width(x[j]) < 1e-6);
  }
}

static void coefficients_that_hold_zero_cut_a_gap(void **state) {
  (void)state;
  static const struct {
    toi_interval m, b, x, expected;
    bool some;
  } cases[] = {
      {{-1, 1}, {2, 3}, {-1.5, 3}, {2, 3}, true},
      {{-1, 1}, {-3, -2}, {-1.5, 3}, {2, 3}, true},
      {{-1, 1}, {2, 3}, {-3, 1.5}, {-3, -2}, true},
      {{-1, 1}, {2, 3}, {-3, 3}, {-3, 3}, true},
      {{-1, 1}, {2, 3}, {-1, 1}, {0, 0}, false},
      {{0, 2}, {4, 4}, {-INFINITY, INFINITY}, {2, INFINITY}, true},
      {{-2, 0}, {4, 4}, {-INFINITY, INFINITY}, {-INFINITY, -2}, true},
      {{0, 0}, {1, 1}, {-1, 1}, {0, 0}, false},
      {{0, 0}, {0, 1}, {-1, 1}, {-1, 1}, true},
      {{-INFINITY, INFINITY}, {1, 2}, {-1, 1}, {-1, 1}, true},
      {{0, INFINITY}, {1, 2}, {-1, 1}, {0, 1}, true},
      {{1, INFINITY}, {1, 2}, {-1, 3}, {0, 2}, true},
      {{1, INFINITY}, {-INFINITY, INFINITY}, {-1, 3}, {-1, 3}, true},
      {{DBL_MAX, DBL_MAX}, {0x1p-1074, 1}, {-1, 1}, {0, 0x1p-1024}, true},
      {{0x1p-1074, 1}, {DBL_MAX, DBL_MAX}, {-INFINITY, INFINITY}, {DBL_MAX, INFINITY}, true},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const toi_interval_row matrix[1] = {{cases[k].m}};
    toi_interval x = cases[k].x;
    bool some = toi_linear_solve(1, 1, matrix, &cases[k].b, &x);
    if (some != cases[k].some ||
        (some && (!toi_interval_encloses(x, cases[k].expected) || x.lo < cases[k].expected.lo - 1e-300 ||
                  x.hi > cases[k].expected.hi + 1e-300)))
      fail_msg("case %zu: %d [%a, %a]", k, some, x.lo, x.hi);
  }
}

static void equations_without_common_solution_are_refused(void **state) {
  (void)state;
  // x + y = 0 and x + y = 3 and x = 1, in a box: three equations for two unknowns.
  const toi_interval_row matrix[3] = {{{1, 1}, {1, 1}}, {{1, 1}, {1, 1}}, {{1, 1}, {0, 0}}};
  const toi_interval b[3] = {{0, 0}, {3, 3}, {1, 1}};
  toi_interval x[2] = {{-5, 5}, {-5, 5}};
  assert_false(toi_linear_solve(3, 2, matrix, b, x));
}

/* --- LU --- */

/* A number of the interval: an end, the middle, or any. */
static double random_in(toi_interval a) {
  uint64_t choice = test_random(&seed) % 4;
  if (choice == 0 && a.lo >= -DBL_MAX)
    return a.lo;
  if (choice == 1 && a.hi <= DBL_MAX)
    return a.hi;
  double x = toi_interval_midpoint(a);
  if (choice == 2 || toi_interval_width(a) > DBL_MAX)
    return x;
  x = a.lo + (a.hi - a.lo) * test_random_unit(&seed);
  return x < a.lo ? a.lo : x > a.hi ? a.hi : x;
}

static void random_square(task *t, bool extreme, double width) {
  t->n = t->m = 1 + test_random(&seed) % TOI_UNKNOWNS;
  for (size_t i = 0; i < t->n; i++) {
    t->b[i] = random_around(random_number(extreme), extreme);
    for (size_t j = 0; j < t->n; j++) {
      double a = random_number(extreme), size = width * random_width();
      t->matrix[i][j] = extreme ? random_around(a, true) : (toi_interval){a - size, a + size};
    }
  }
}

static bool sample_and_solve(const task *t) {
  for (size_t i = 0; i < t->n; i++) {
    mpq_set_d(oracle->b[i], random_in(t->b[i]));
    for (size_t j = 0; j < t->n; j++)
      mpq_set_d(oracle->a[i][j], random_in(t->matrix[i][j]));
  }
  return solve_exactly(t->n);
}

static void solutions_anywhere_are_enclosed(void **state) {
  (void)state;
  uint64_t settled = 0, rounds = test_count(ROUNDS / 3);
  for (uint64_t round = 0; round < rounds; round++) {
    task t = {0};
    random_square(&t, round % 8 > 5, ldexp(1, -(int)(round % 12)));
    if (!toi_linear_enclose(t.n, (const toi_interval_row *)t.matrix, t.b, t.x))
      continue;
    settled++;
    for (int sample = 0; sample < 4; sample++) {
      bool regular = sample_and_solve(&t);
      for (size_t j = 0; regular && j < t.n; j++)
        regular = holds(t.x[j], oracle->x[j]);
      if (!regular) {
        print_task(&t);
        fail_msg("a solution outside, or none");
      }
    }
  }
  assert_true(settled > rounds / 10);
}

/* Whole numbers, the last row a combination of the others: exact in doubles. */
static void random_singular(size_t n, toi_row *a) {
  double factors[TOI_UNKNOWNS];
  for (size_t i = 0; i < n; i++) {
    factors[i] = (double)(test_random(&seed) % 7) - 3;
    for (size_t j = 0; j < n; j++)
      a[i][j] = i + 1 < n ? (double)(test_random(&seed) % 15) - 7 : 0;
  }
  for (size_t i = 0; i + 1 < n; i++)
    for (size_t j = 0; j < n; j++)
      a[n - 1][j] += factors[i] * a[i][j];
}

static void singular_matrices_are_seen(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS / 3);
  for (uint64_t round = 0; round < rounds; round++) {
    task t = {.n = 1 + test_random(&seed) % TOI_UNKNOWNS};
    toi_row a[TOI_UNKNOWNS] = {{0}}, inverse[TOI_UNKNOWNS];
    random_singular(t.n, a);
    assert_false(toi_linear_inverse(t.n, (const toi_row *)a, inverse));
    t.m = t.n;
    for (size_t i = 0; i < t.n; i++) {
      t.b[i] = random_around(random_number(false), false);
      for (size_t j = 0; j < t.n; j++)
        t.matrix[i][j] = random_around(a[i][j], round % 4 == 0);
    }
    if (toi_linear_enclose(t.n, (const toi_interval_row *)t.matrix, t.b, t.x)) {
      print_task(&t);
      fail_msg("a singular matrix was missed");
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_in_the_box_stay),
      cmocka_unit_test(equations_that_dominate_close_in),
      cmocka_unit_test(coefficients_that_hold_zero_cut_a_gap),
      cmocka_unit_test(equations_without_common_solution_are_refused),
      cmocka_unit_test(solutions_anywhere_are_enclosed),
      cmocka_unit_test(singular_matrices_are_seen),
  };
  seed = test_seed(601);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
