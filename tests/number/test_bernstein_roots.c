/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Roots are planted, alone, double, triple, in clusters, at 0, 1/2 and 1, in a polynomial with rational coefficients;
 * none may be lost or miscounted. */

#include "number/rational_polynomial.h"

typedef struct planted {
  int count; /* different roots in [0, 1] */
  double root[COUNT];
  int multiplicity[COUNT];
} planted;

/* p = p (t - root). */
static void plant(planted *plan, exact *p, double root) {
  exact factor;
  exact_init(&factor);
  factor.degree = 1;
  mpq_set_d(factor.c[0], -root);
  mpq_set_ui(factor.c[1], 1, 1);
  mpq_add(factor.c[1], factor.c[1], factor.c[0]);
  exact_multiply(p, &factor);
  exact_clear(&factor);
  if (root < 0 || root > 1)
    return;
  for (int i = 0; i < plan->count; i++)
    if (plan->root[i] == root) {
      plan->multiplicity[i]++;
      return;
    }
  plan->root[plan->count] = root;
  plan->multiplicity[plan->count++] = 1;
}

/* The nearest polynomial in doubles, or one off by at most the error. */
static toi_bernstein rounded(const exact *p) {
  double b[COUNT], size = 0;
  bool is_exact = true;
  for (int i = 0; i <= p->degree; i++) {
    b[i] = mpq_get_d(p->c[i]);
    size = fmax(size, fabs(b[i]));
    mpq_set_d(scratch[0], b[i]);
    is_exact = is_exact && mpq_equal(scratch[0], p->c[i]);
  }
  return toi_bernstein_make(p->degree, b, is_exact ? 0 : size * 0x1p-52);
}

static int roots_in(const planted *plan, toi_interval t, int *multiplicity) {
  int count = 0;
  *multiplicity = 0;
  for (int i = 0; i < plan->count; i++)
    if (toi_interval_contains(t, plan->root[i])) {
      count++;
      *multiplicity += plan->multiplicity[i];
    }
  return count;
}

/* Whether pieces are in order, every root is in one, and marks tell the truth. */
static bool roots_are_right(const planted *plan, const toi_roots *roots) {
  int found = 0;
  bool right = true;
  for (int i = 0; i < roots->count; i++) {
    const toi_bernstein_root *r = &roots->root[i];
    int multiplicity, count = roots_in(plan, r->t, &multiplicity);
    found += count;
    right = right && toi_interval_is_valid(r->t) && r->t.lo >= 0 && r->t.hi <= 1;
    right = right && (i == 0 || r[-1].t.hi <= r->t.lo);
    right = right && (!r->exists || count > 0) && (!r->single || multiplicity <= 1);
  }
  if (right && found == plan->count)
    return true;
  for (int i = 0; i < plan->count; i++)
    print_error("root %a, %d times\n", plan->root[i], plan->multiplicity[i]);
  for (int i = 0; i < roots->count; i++)
    print_error("piece [%a, %a]%s%s\n", roots->root[i].t.lo, roots->root[i].t.hi,
                roots->root[i].exists ? " exists" : "", roots->root[i].single ? " single" : "");
  return false;
}

static int simple_count(const toi_roots *roots) {
  int count = 0;
  for (int i = 0; i < roots->count; i++)
    count += roots->root[i].exists && roots->root[i].single;
  return count;
}

/* Narrowing keeps the root. */
static void check_narrowing(const toi_bernstein *f, const planted *plan, const toi_roots *roots) {
  for (int i = 0; i < roots->count; i++) {
    toi_bernstein_root before = roots->root[i], after = before;
    if (!before.single)
      continue;
    int multiplicity, count = roots_in(plan, before.t, &multiplicity);
    bool may_exist = toi_bernstein_narrow(f, 0, &after);
    assert_true(may_exist || count == 0);
    assert_int_equal(roots_in(plan, after.t, &multiplicity), count);
    assert_true(toi_interval_encloses(before.t, after.t) && (!after.exists || count == 1));
  }
}

/* A root of a random kind: anywhere, at an end, near or equal to an earlier one, outside. */
static double random_root(const planted *plan) {
  uint64_t kind = test_random(&seed) % 8;
  double coarse = (double)(test_random(&seed) % 65) / 64;
  if (kind == 0)
    return (double)(test_random(&seed) % 3) / 2;
  if (kind == 1 && plan->count > 0)
    return plan->root[0];
  if (kind == 2 && plan->count > 0)
    return fmin(1, plan->root[plan->count - 1] + ldexp(1, -4 * (int)(1 + test_random(&seed) % 10)));
  // Outside, but hardly.
  if (kind == 3)
    return test_random(&seed) & 1 ? -ldexp(1, -(int)(test_random(&seed) % 60))
                                  : 1 + ldexp(1, -(int)(test_random(&seed) % 53));
  if (kind == 4)
    return ldexp(1 + coarse, -(int)(test_random(&seed) % 60) - 1);
  return kind == 5 ? coarse : test_random_unit(&seed);
}

static void planted_roots_are_never_lost_or_miscounted(void **state) {
  (void)state;
  seed = test_seed(0xbe06);
  exact p;
  exact_init(&p);
  toi_roots roots;
  uint64_t planted_roots = 0, simple = 0;
  for (uint64_t round = test_count(6000); round > 0; round--) {
    planted plan = {0};
    p.degree = 0;
    mpq_set_si(p.c[0], test_random(&seed) & 1 ? 1 : -1, 1 + test_random(&seed) % 7);
    for (int n = 1 + random_degree(round % 4 ? 5 : TOI_BERNSTEIN_DEGREE - 1); n > 0; n--)
      plant(&plan, &p, random_root(&plan));
    toi_bernstein f = rounded(&p);
    double tolerance = round % 3 ? 0 : 0x1p-20;
    toi_bernstein_roots(&f, tolerance, round % 5 ? 0 : (int)(test_random(&seed) % 40), &roots);
    assert_true(roots_are_right(&plan, &roots));
    check_narrowing(&f, &plan, &roots);
    planted_roots += (uint64_t)plan.count;
    simple += (uint64_t)simple_count(&roots);
  }
  print_message("%.3f of the different planted roots separated\n", (double)simple / (double)planted_roots);
  exact_clear(&p);
}

static void separate_roots_are_all_marked_and_narrowed(void **state) {
  (void)state;
  seed = test_seed(0xbe07);
  exact p;
  exact_init(&p);
  toi_roots roots;
  double widest = 0;
  for (uint64_t round = test_count(1000); round > 0; round--) {
    // One root in each eighth, away from its ends, and sometimes none there.
    planted plan = {0};
    p.degree = 0;
    mpq_set_si(p.c[0], round % 2 ? 1 : -1, 1);
    for (int i = 0; i < 8; i++)
      if (test_random(&seed) % 4)
        plant(&plan, &p, (i + 0.25 + 0.5 * test_random_unit(&seed)) / 8);
    toi_bernstein f = rounded(&p);
    toi_bernstein_roots(&f, 0, 0, &roots);
    assert_true(roots_are_right(&plan, &roots));
    assert_int_equal(roots.count, plan.count);
    assert_int_equal(simple_count(&roots), plan.count);
    for (int i = 0; i < roots.count; i++) {
      assert_true(toi_bernstein_narrow(&f, 0, &roots.root[i]));
      widest = fmax(widest, toi_interval_width(roots.root[i].t));
    }
    assert_true(roots_are_right(&plan, &roots));
  }
  print_message("widest after narrowing: %.1e\n", widest);
  assert_true(widest < 1e-6);
  exact_clear(&p);
}

/* (t - r)^multiplicity, with t = lo + (hi - lo) s: the piece around r, and no other. */
static void check_multiple(double r, int multiplicity, double widest) {
  exact p;
  exact_init(&p);
  mpq_set_si(p.c[0], 1, 1);
  planted plan = {0};
  toi_roots roots;
  for (int i = 0; i < multiplicity; i++)
    plant(&plan, &p, r);
  toi_bernstein f = rounded(&p);
  toi_bernstein_roots(&f, 0, 0, &roots);
  assert_true(roots_are_right(&plan, &roots));
  assert_int_equal(roots.count, 1);
  assert_false(roots.root[0].single);
  assert_int_equal(roots.root[0].exists, multiplicity % 2 == 1 && r > 0 && r < 1);
  assert_true(toi_interval_width(roots.root[0].t) <= widest);
  exact_clear(&p);
}

static void double_and_triple_roots_give_one_small_piece(void **state) {
  (void)state;
  check_multiple(0.3, 2, 1e-6);
  check_multiple(0.5, 2, 1e-6);
  check_multiple(0.7, 3, 1e-3);
  check_multiple(0.5, 3, 1e-3);
  check_multiple(0.123, 4, 1e-2);
}

static void root_at_the_middle_is_simple(void **state) {
  (void)state;
  for (int i = 1; i < 64; i++) {
    planted plan = {.count = 1, .root = {i / 64.0}, .multiplicity = {1}};
    const double b[] = {-i / 64.0, 1 - i / 64.0};
    toi_roots roots;
    toi_bernstein f = toi_bernstein_make(1, b, 0x1p-54);
    toi_bernstein_roots(&f, 0, 0, &roots);
    assert_true(roots_are_right(&plan, &roots));
    assert_int_equal(simple_count(&roots), 1);
  }
}

static void roots_at_the_ends(void **state) {
  (void)state;
  toi_roots roots;
  // t (1 - t), exactly: both ends, each alone.
  const double arch[] = {0, 0.5, 0};
  toi_bernstein f = toi_bernstein_make(2, arch, 0);
  toi_bernstein_roots(&f, 0, 0, &roots);
  assert_int_equal(roots.count, 2);
  assert_int_equal(simple_count(&roots), 2);
  assert_true(roots.root[0].t.lo == 0 && roots.root[0].t.hi == 0);
  assert_true(roots.root[1].t.lo == 1 && roots.root[1].t.hi == 1);
  // The same up to an error: there may be no root at all, but at most one at each end.
  f = toi_bernstein_make(2, arch, 0x1p-50);
  toi_bernstein_roots(&f, 0, 0, &roots);
  assert_int_equal(roots.count, 2);
  for (int i = 0; i < 2; i++) {
    assert_false(roots.root[i].exists);
    assert_true(roots.root[i].single && toi_interval_contains(roots.root[i].t, i));
    assert_true(toi_interval_width(roots.root[i].t) < 0x1p-46);
  }
}

/* Sign changes of a random polynomial on a grid, in rationals: each lies in a piece. */
static void sign_changes_of_random_polynomials_are_found(void **state) {
  (void)state;
  seed = test_seed(0xbe08);
  exact p;
  exact_init(&p);
  toi_roots roots;
  for (uint64_t round = test_count(250); round > 0; round--) {
    toi_bernstein f = random_pair(1 + random_degree(9), round % 2, &p);
    toi_bernstein_roots(&f, 0, 0, &roots);
    int before = mpq_sgn(p.c[0]);
    for (int i = 1; i <= 64; i++) {
      double t = i / 64.0;
      exact_at(&p, t, scratch[2]);
      int sign = mpq_sgn(scratch[2]);
      bool met = false;
      for (int j = 0; j < roots.count; j++)
        met = met || (roots.root[j].t.hi >= (i - 1) / 64.0 && roots.root[j].t.lo <= t);
      assert_true(met || (sign == before && sign != 0));
      before = sign;
    }
    // A root that exists shows in the signs at the ends of its piece.
    for (int j = 0; j < roots.count; j++) {
      if (!roots.root[j].exists || f.error == 0)
        continue;
      exact_at(&p, roots.root[j].t.lo, scratch[2]);
      int sign = mpq_sgn(scratch[2]);
      exact_at(&p, roots.root[j].t.hi, scratch[2]);
      assert_int_equal(sign, -mpq_sgn(scratch[2]));
    }
  }
  exact_clear(&p);
}

static void budgets_and_noise_leave_everything_covered(void **state) {
  (void)state;
  toi_roots roots;
  const double zero[] = {0, 0, 0, 0}, wave[] = {1, -40, 90, -90, 40, -1};
  toi_bernstein f = toi_bernstein_make(3, zero, 0);
  toi_bernstein_roots(&f, 0, 0, &roots);
  assert_int_equal(roots.count, 1);
  assert_true(roots.root[0].t.lo == 0 && roots.root[0].t.hi == 1 && !roots.root[0].single && roots.root[0].exists);
  // Each budget gives pieces that hold all that a larger one finds.
  toi_roots all;
  f = toi_bernstein_make(5, wave, 0);
  toi_bernstein_roots(&f, 0, 0, &all);
  for (int budget = 1; budget < 64; budget++) {
    toi_bernstein_roots(&f, 0, budget, &roots);
    for (int i = 0; i < all.count; i++) {
      bool covered = false;
      for (int j = 0; j < roots.count; j++)
        covered = covered || toi_interval_encloses(roots.root[j].t, all.root[i].t);
      assert_true(covered);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_roots_are_never_lost_or_miscounted),
      cmocka_unit_test(separate_roots_are_all_marked_and_narrowed),
      cmocka_unit_test(double_and_triple_roots_give_one_small_piece),
      cmocka_unit_test(root_at_the_middle_is_simple),
      cmocka_unit_test(roots_at_the_ends),
      cmocka_unit_test(sign_changes_of_random_polynomials_are_found),
      cmocka_unit_test(budgets_and_noise_leave_everything_covered),
  };
  scratch_init();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_clear();
  return failed;
}
