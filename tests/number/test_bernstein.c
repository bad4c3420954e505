/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials in Bernstein form against the same computed in rationals: a true polynomial is chosen within the error of
 * the coefficients, often at its edge, and must stay within the error of every result. */

#include "number/rational_polynomial.h"

#define CHAIN 50

/* --- comparisons --- */

/* The largest part of an error bound that was used, where the arguments had no error of their own. */
static double worst_ratio;
static bool measuring;

/* Whether every true coefficient is within the error. */
static bool stands_for(const toi_bernstein *f, const exact *p) {
  bool right = f->degree == p->degree;
  if (f->error > DBL_MAX)
    return right;
  for (int i = 0; i <= p->degree && right; i++) {
    mpq_set_d(scratch[0], f->b[i]);
    mpq_sub(scratch[0], scratch[0], p->c[i]);
    mpq_abs(scratch[0], scratch[0]);
    mpq_set_d(scratch[1], f->error);
    right = mpq_cmp(scratch[0], scratch[1]) <= 0;
    if (f->error > 0 && measuring) {
      mpq_div(scratch[0], scratch[0], scratch[1]);
      double ratio = mpq_get_d(scratch[0]);
      worst_ratio = ratio > worst_ratio ? ratio : worst_ratio;
    }
  }
  for (int i = 0; i <= f->degree && !right; i++)
    print_error("b[%d] = %a, error %a\n", i, f->b[i], f->error);
  return right;
}

static bool holds(toi_interval a, const mpq_t value) {
  bool right = true;
  if (a.lo >= -DBL_MAX) {
    mpq_set_d(scratch[0], a.lo);
    right = mpq_cmp(scratch[0], value) <= 0;
  }
  if (a.hi <= DBL_MAX) {
    mpq_set_d(scratch[0], a.hi);
    right = right && mpq_cmp(scratch[0], value) >= 0;
  }
  return right;
}

/* Prints how much of the bounds was used, and fails if they are absurdly loose. Under a small scale too few were tried.
 */
static void report(const char *name, double least) {
  print_message("%s: at most %.3f of the error bound used\n", name, worst_ratio);
  if (test_count(100) >= 100)
    assert_true(worst_ratio >= least);
  worst_ratio = 0;
}

/* --- error bounds --- */

/* Both halves of random polynomials, `depth` times over. */
static void check_halves(int depth, uint64_t rounds) {
  exact p;
  exact_init(&p);
  for (uint64_t round = test_count(rounds); round > 0; round--) {
    measuring = round % 4;
    toi_bernstein f = random_pair(random_degree(TOI_BERNSTEIN_DEGREE), !measuring, &p), left, right;
    for (int i = 0; i < depth; i++) {
      bool go_left = test_random(&seed) & 1;
      toi_bernstein_halve(&f, &left, &right);
      f = go_left ? left : right;
      exact_split(&p, 0.5, go_left);
      assert_true(i % 8 || stands_for(&f, &p));
    }
    assert_true(stands_for(&f, &p));
  }
  exact_clear(&p);
}

static void halves_stay_within_their_error(void **state) {
  (void)state;
  seed = test_seed(0xbe00);
  check_halves(1, 4000);
  report("halving", 0.2);
}

static void chains_of_halves_stay_within_their_error(void **state) {
  (void)state;
  seed = test_seed(0xbe01);
  check_halves(CHAIN, 250);
  report("halving 50 times", 0.02);
}

static void chains_of_splits_stay_within_their_error(void **state) {
  (void)state;
  seed = test_seed(0xbe02);
  exact p;
  exact_init(&p);
  measuring = true;
  for (uint64_t round = test_count(24); round > 0; round--) {
    toi_bernstein f = random_pair(1 + random_degree(round % 8 ? 5 : 14), false, &p), rest;
    for (int i = 0; i < (round % 8 ? CHAIN : 6); i++) {
      // Towards the larger part, so that the error does not end with the polynomial; ends and neighbours of ends too.
      static const double special[] = {0, 1, 0x1p-1074, 0x1.fffffffffffffp-1, 0.5};
      uint64_t choice = test_random(&seed) % 20;
      double t = choice < 5 ? special[choice] : ldexp((double)(test_random(&seed) >> 40), -24);
      if (t < 0.5)
        toi_bernstein_split(&f, t, &rest, &f);
      else
        toi_bernstein_split(&f, t, &f, &rest);
      exact_split(&p, t, t >= 0.5);
      assert_true(i % 8 || stands_for(&f, &p));
    }
    assert_true(stands_for(&f, &p));
  }
  report("splitting 50 times", 0.05);
  exact_clear(&p);
}

static void parts_and_values_stay_within_their_error(void **state) {
  (void)state;
  seed = test_seed(0xbe03);
  exact p, q;
  exact_init(&p);
  exact_init(&q);
  for (uint64_t round = test_count(1500); round > 0; round--) {
    measuring = round % 2;
    toi_bernstein f = random_pair(random_degree(TOI_BERNSTEIN_DEGREE), !measuring, &p);
    double s = test_random_unit(&seed), e = s + (1 - s) * test_random_unit(&seed);
    toi_bernstein part = toi_bernstein_part(&f, s, e);
    // The blossom of p: coefficient j with j arguments e, the rest s, in the other order.
    exact_copy(&q, &p);
    for (int j = 0; j <= p.degree; j++) {
      exact row;
      exact_init(&row);
      exact_copy(&row, &p);
      for (int level = 0; level < p.degree; level++) {
        mpq_set_d(scratch[1], level < j ? e : s);
        exact_mix(row.c, p.degree - level, scratch[1]);
      }
      mpq_set(q.c[j], row.c[0]);
      exact_clear(&row);
    }
    assert_true(stands_for(&part, &q));
    // Values, over the part and at its ends, and within the range.
    double t[] = {s, e, 0, 1, test_random_unit(&seed)};
    for (int i = 0; i < 5; i++) {
      exact_at(&p, t[i], scratch[2]);
      assert_true(holds(toi_bernstein_at(&f, t[i]), scratch[2]));
      assert_true(holds(toi_bernstein_range(&f), scratch[2]));
      assert_true(i > 1 || holds(toi_bernstein_range(&part), scratch[2]));
      int sign = toi_bernstein_sign(&f);
      assert_true(sign == 0 || sign == mpq_sgn(scratch[2]));
    }
  }
  report("parts", 0.1);
  exact_clear(&p);
  exact_clear(&q);
}

static void arithmetic_stays_within_its_error(void **state) {
  (void)state;
  seed = test_seed(0xbe04);
  exact p, q, r;
  exact_init(&p);
  exact_init(&q);
  exact_init(&r);
  for (uint64_t round = test_count(1500); round > 0; round--) {
    measuring = round % 2;
    toi_bernstein f = random_pair(random_degree(8), !measuring, &p), g = random_pair(random_degree(7), !measuring, &q);
    exact_copy(&r, &p);
    exact_multiply(&r, &q);
    toi_bernstein product = toi_bernstein_product(&f, &g);
    assert_true(stands_for(&product, &r));

    exact_copy(&r, &p);
    exact_elevate(&r, p.degree > q.degree ? p.degree : q.degree);
    exact_elevate(&q, r.degree);
    for (int i = 0; i <= r.degree; i++)
      mpq_sub(r.c[i], r.c[i], q.c[i]);
    toi_bernstein minus = toi_bernstein_negate(&g), difference = toi_bernstein_sum(&f, &minus);
    assert_true(stands_for(&difference, &r));

    toi_bernstein derivative = toi_bernstein_derivative(&f);
    int slope = toi_bernstein_slope(&f);
    for (int i = 0; i < p.degree; i++) {
      mpq_sub(p.c[i], p.c[i + 1], p.c[i]);
      mpq_set_si(scratch[0], p.degree, 1);
      mpq_mul(p.c[i], p.c[i], scratch[0]);
      assert_true(slope == 0 || mpq_sgn(p.c[i]) == slope);
    }
    p.degree = derivative.degree;
    if (f.degree == 0)
      mpq_set_ui(p.c[0], 0, 1);
    assert_true(stands_for(&derivative, &p));
  }
  report("products, sums and derivatives", 0.1);
  exact_clear(&p);
  exact_clear(&q);
  exact_clear(&r);
}

static void powers_become_bernstein_coefficients(void **state) {
  (void)state;
  seed = test_seed(0xbe05);
  for (uint64_t round = test_count(600); round > 0; round--) {
    // p(x) at the ends and in the middle of [lo, hi], by Horner's rule in rationals.
    int n = random_degree(TOI_BERNSTEIN_DEGREE);
    toi_interval a[COUNT];
    for (int j = 0; j <= n; j++)
      a[j] = toi_interval_around(2 * test_random_unit(&seed) - 1, round % 2 ? 0 : 0x1p-50);
    double lo = round % 3 ? 4 * test_random_unit(&seed) - 2 : 0, hi = round % 3 ? lo + test_random_unit(&seed) : 1;
    toi_bernstein f = toi_bernstein_from_power(n, a, lo, hi);
    double t[] = {0, 0.25, 0.5, 1};
    for (int i = 0; i < 4; i++) {
      mpq_set_d(scratch[0], lo);
      mpq_set_d(scratch[1], hi);
      mpq_sub(scratch[1], scratch[1], scratch[0]);
      mpq_set_d(scratch[2], t[i]);
      mpq_mul(scratch[1], scratch[1], scratch[2]);
      mpq_add(scratch[1], scratch[1], scratch[0]);
      mpq_set_ui(scratch[2], 0, 1);
      for (int j = n; j >= 0; j--) {
        mpq_mul(scratch[2], scratch[2], scratch[1]);
        mpq_set_d(scratch[0], j % 2 ? a[j].lo : a[j].hi);
        mpq_add(scratch[2], scratch[2], scratch[0]);
      }
      assert_true(holds(toi_bernstein_at(&f, t[i]), scratch[2]));
    }
    assert_true(f.error <= 0x1p-44 * pow(1 + fabs(lo) + fabs(hi), n));
  }
  // (x - 1)(x - 2)(x - 3) on [0, 4], in integers throughout.
  const toi_interval cubic[] = {{-6, -6}, {11, 11}, {-6, -6}, {1, 1}};
  toi_bernstein f = toi_bernstein_from_power(3, cubic, 0, 4);
  assert_true(f.b[0] == -6 && f.b[3] == 6 && f.error <= 0x1p-48);
}

static void signs_and_slopes_are_strict_at_the_edge_of_the_error(void **state) {
  (void)state;
  const double e = 0.3;
  for (int sign = -1; sign <= 1; sign += 2) {
    // The true polynomial may be 0, or constant.
    double at_edge[] = {sign * e, sign * 3 * e}, beyond[] = {sign * toi_next_up(e), sign * 4 * e};
    toi_bernstein f = toi_bernstein_make(1, at_edge, e), g = toi_bernstein_make(1, beyond, e);
    assert_int_equal(toi_bernstein_sign(&f), 0);
    assert_int_equal(toi_bernstein_sign(&g), sign);
    double level[] = {0, sign * 2 * e}, rising[] = {0, sign * toi_next_up(2 * e)};
    f = toi_bernstein_make(1, level, e);
    g = toi_bernstein_make(1, rising, e);
    assert_int_equal(toi_bernstein_slope(&f), 0);
    assert_int_equal(toi_bernstein_slope(&g), sign);
  }
}

static void overflow_and_nan_claim_nothing(void **state) {
  (void)state;
  const double huge[] = {0x1p999, -0x1p999, 0x1p999}, beyond[] = {1, 1e308, 1}, none[] = {1, NAN, 1};
  toi_bernstein f = toi_bernstein_make(2, huge, 0), square = toi_bernstein_product(&f, &f);
  toi_bernstein slope = toi_bernstein_derivative(&f), left, right;
  const toi_bernstein unknown[] = {square,
                                   slope,
                                   toi_bernstein_make(2, beyond, 0),
                                   toi_bernstein_make(2, none, 0),
                                   toi_bernstein_make(2, huge, NAN),
                                   toi_bernstein_make(2, huge, INFINITY)};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    const toi_bernstein *x = &unknown[i];
    toi_roots roots;
    assert_true(x->error == INFINITY && toi_bernstein_sign(x) == 0 && toi_bernstein_slope(x) == 0);
    assert_true(toi_bernstein_range(x).lo == -INFINITY && toi_bernstein_at(x, 0.3).hi == INFINITY);
    toi_bernstein_halve(x, &left, &right);
    toi_bernstein sum = toi_bernstein_sum(&left, &f), product = toi_bernstein_product(&right, &unknown[0]);
    assert_true(left.error == INFINITY && sum.error == INFINITY && product.error == INFINITY);
    toi_bernstein_roots(x, 0, 0, &roots);
    assert_true(roots.count == 1 && roots.root[0].t.lo == 0 && roots.root[0].t.hi == 1 && !roots.root[0].exists);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_stay_within_their_error),
      cmocka_unit_test(chains_of_halves_stay_within_their_error),
      cmocka_unit_test(chains_of_splits_stay_within_their_error),
      cmocka_unit_test(parts_and_values_stay_within_their_error),
      cmocka_unit_test(arithmetic_stays_within_its_error),
      cmocka_unit_test(powers_become_bernstein_coefficients),
      cmocka_unit_test(signs_and_slopes_are_strict_at_the_edge_of_the_error),
      cmocka_unit_test(overflow_and_nan_claim_nothing),
  };
  scratch_init();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_clear();
  return failed;
}
