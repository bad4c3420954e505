/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Random formulas of up to a few dozen terms over random boxes, and Chebyshev series: value, first and second
 * derivatives at random points, by the chain rule in MPFR, lie in what is computed for the box. Terms are drawn from
 * those made so far, so that equal ones meet and rules of simplification are used. */

#include "support/support.h"

#include "number/interval_branchless.h"
#include "number/jet_oracle.h"
#include "number/tape.h"

#define TREES UINT64_C(4000)
#define POINTS 3
#define VARIABLES 3
#define JET TOI_JET_SIZE(VARIABLES, 2)
#define NODES_MOST 26

static uint64_t seed;
static toi_context *context;

/* A formula as the oracle knows it: nodes by operator, leaves by value. */
typedef struct tree_node {
  int op; /* -1: a leaf */
  int a, b;
  bool whole;            /* a constant whole exponent */
  int variable;          /* of a leaf, or -1 */
  toi_interval constant; /* of a leaf without variable */
  toi_term term;
} tree_node;

typedef struct expression {
  tree_node nodes[NODES_MOST];
  int count;
} expression;

static mpfr_t jets[NODES_MOST][JET];
static mpfr_t parts[ORACLE_PARTS], scale, t[2];

static uint64_t pick(uint64_t count) {
  return test_random(&seed) % count;
}

/* --- random trees --- */

static void add_constant(expression *tree, toi_formula *f) {
  static const double values[] = {0, 1, -1, 2, 0.5, 3, -2, 0x1.999999999999ap-4, 1e-3, 10};
  double x = values[pick(10)];
  tree_node *n = &tree->nodes[tree->count++];
  *n = (tree_node){.op = -1, .variable = -1, .constant = {x, x}};
  if (pick(4) == 0) {
    n->constant.hi = x + test_random_unit(&seed) * 0.01;
    n->term = toi_formula_enclosed(f, n->constant);
  } else {
    n->term = toi_formula_constant(f, x);
  }
}

static void add_power(expression *tree, toi_formula *f, int base) {
  static const double exponents[] = {0, 1, 2, 3, 4, -1, -2, 0.5, 1.5, 5};
  double x = exponents[pick(10)];
  int exponent = tree->count++;
  tree->nodes[exponent] = (tree_node){.op = -1, .variable = -1, .constant = {x, x}, .term = toi_formula_constant(f, x)};
  tree->nodes[tree->count] = (tree_node){.op = TOI_OP_POW, .a = base, .b = exponent, .whole = x == floor(x)};
  tree->nodes[tree->count].term = toi_formula_apply(f, TOI_OP_POW, tree->nodes[base].term, tree->nodes[exponent].term);
  tree->count++;
}

/* Recent terms are drawn more often. */
static int some_term(const expression *tree) {
  uint64_t last = (uint64_t)tree->count, from = pick(2) ? last / 2 : 0;
  return (int)(from + pick(last - from));
}

static void make_tree(expression *tree, toi_formula *f) {
  tree->count = 0;
  for (int i = 0; i < VARIABLES; i++)
    tree->nodes[tree->count++] = (tree_node){.op = -1, .variable = i, .term = toi_formula_variable(f, (size_t)i)};
  add_constant(tree, f);
  add_constant(tree, f);
  int operations = 1 + (int)pick(14);
  for (int i = 0; i < operations && tree->count + 2 < NODES_MOST; i++) {
    // Sums and products half of the time: the others soon leave their domains.
    static const toi_operator plain[] = {TOI_OP_ADD, TOI_OP_SUB, TOI_OP_MUL, TOI_OP_SIN, TOI_OP_COS};
    toi_operator op = pick(2) ? plain[pick(5)] : (toi_operator)pick(TOI_OP_COUNT);
    int a = some_term(tree), b = some_term(tree);
    if (op == TOI_OP_POW && pick(4)) {
      add_power(tree, f, a);
      continue;
    }
    tree_node *n = &tree->nodes[tree->count++];
    *n = (tree_node){.op = (int)op, .a = a, .b = b};
    // The library takes a constant whole exponent for what it is.
    const tree_node *exponent = &tree->nodes[b];
    n->whole = exponent->op == -1 && exponent->variable < 0 && exponent->constant.lo == exponent->constant.hi &&
               exponent->constant.lo == floor(exponent->constant.lo);
    n->term = toi_formula_apply(f, op, tree->nodes[a].term, op >= TOI_OP_ADD ? tree->nodes[b].term : TOI_NO_TERM);
  }
}

/* Whether an exponent is made of other terms: the library may find that it is a constant whole number. */
static bool has_folded_exponent(const expression *tree) {
  for (int i = 0; i < tree->count; i++)
    if (tree->nodes[i].op == TOI_OP_POW && tree->nodes[tree->nodes[i].b].op != -1)
      return true;
  return false;
}

/* --- the chain rule --- */

static void note_scale(const mpfr_t x) {
  if (mpfr_cmpabs(x, scale) > 0)
    mpfr_abs(scale, x, MPFR_RNDN);
}

static void leaf_jet(const tree_node *n, int at, const double *point) {
  for (int k = 0; k < JET; k++)
    mpfr_set_zero(jets[at][k], 1);
  if (n->variable >= 0) {
    mpfr_set_d(jets[at][0], point[n->variable], MPFR_RNDN);
    mpfr_set_ui(jets[at][1 + n->variable], 1, MPFR_RNDN);
  } else {
    double unit = test_random_unit(&seed), x = n->constant.lo * (1 - unit) + n->constant.hi * unit;
    x = x < n->constant.lo ? n->constant.lo : x > n->constant.hi ? n->constant.hi : x;
    mpfr_set_d(jets[at][0], n->constant.lo == n->constant.hi ? n->constant.lo : x, MPFR_RNDN);
  }
}

/* out += f x y; y may be NULL. */
static void add_product(mpfr_t out, const mpfr_t f, mpfr_srcptr x, mpfr_srcptr y) {
  mpfr_mul(t[0], f, x, MPFR_RNDN);
  if (y != NULL)
    mpfr_mul(t[0], t[0], y, MPFR_RNDN);
  note_scale(t[0]);
  mpfr_add(out, out, t[0], MPFR_RNDN);
}

/* From the partial derivatives F, F_a, F_b, F_aa, F_ab, F_bb. */
static void chain(int at, mpfr_t *a, mpfr_t *b) {
  mpfr_t *out = jets[at];
  for (int k = 0; k < JET; k++)
    mpfr_set_zero(out[k], 1);
  mpfr_set(out[0], parts[0], MPFR_RNDN);
  note_scale(out[0]);
  for (int k = 1; k < JET; k++) {
    add_product(out[k], parts[1], a[k], NULL);
    add_product(out[k], parts[2], b[k], NULL);
  }
  int ij = 1 + VARIABLES;
  for (int i = 1; i <= VARIABLES; i++)
    for (int j = i; j <= VARIABLES; j++, ij++) {
      add_product(out[ij], parts[3], a[i], a[j]);
      add_product(out[ij], parts[4], a[i], b[j]);
      add_product(out[ij], parts[4], a[j], b[i]);
      add_product(out[ij], parts[5], b[i], b[j]);
    }
}

/* Whether all of a jet is within what even MPFR can hold. */
static bool is_finite(mpfr_t *jet) {
  for (int k = 0; k < JET; k++)
    if (!mpfr_number_p(jet[k]))
      return false;
  return true;
}

/* The jets of all nodes at a point; what is least known of any of them. *finite: they are within reach. */
static oracle_answer evaluate(const expression *tree, const bool *used, const double *point, bool *finite) {
  oracle_answer worst = ORACLE_ALL;
  mpfr_set_ui(scale, 1, MPFR_RNDN);
  *finite = true;
  for (int i = 0; i < tree->count && *finite; i++) {
    const tree_node *n = &tree->nodes[i];
    if (!used[i])
      continue;
    if (n->op == -1) {
      leaf_jet(n, i, point);
      continue;
    }
    int b = n->op >= TOI_OP_ADD ? n->b : n->a;
    oracle_answer answer = oracle_parts((toi_operator)n->op, jets[n->a][0], jets[b][0], n->whole, parts);
    if (answer == ORACLE_UNDEFINED)
      return answer;
    worst = answer < worst ? answer : worst;
    chain(i, jets[n->a], jets[b]);
    *finite = is_finite(jets[i]);
  }
  return worst;
}

/* --- random trees over random boxes --- */

static toi_interval random_side(void) {
  double a = test_random_unit(&seed) * 6 - 3, width = ldexp(1, -(int)pick(30));
  if (pick(20) == 0)
    a = test_random_extreme(&seed, (int)pick(4));
  if (pick(6) == 0)
    a = floor(a);
  return toi_interval_make(a, a + fabs(a) * width * (pick(8) != 0));
}

static void mark_used(const expression *tree, bool *used) {
  for (int i = 0; i < tree->count; i++)
    used[i] = i == tree->count - 1;
  for (int i = tree->count - 1; i >= 0; i--) {
    const tree_node *n = &tree->nodes[i];
    if (!used[i] || n->op == -1)
      continue;
    used[n->a] = true;
    if (n->op >= TOI_OP_ADD)
      used[n->b] = true;
  }
}

static uint64_t numbers;

static void check_at(const expression *tree, const toi_interval *box, const toi_interval *jet, bool defined) {
  bool used[NODES_MOST];
  double point[VARIABLES];
  mark_used(tree, used);
  for (int i = 0; i < VARIABLES; i++) {
    double unit = pick(6) ? test_random_unit(&seed) : (double)pick(2);
    double lo = box[i].lo >= -DBL_MAX ? box[i].lo : -DBL_MAX, hi = box[i].hi <= DBL_MAX ? box[i].hi : DBL_MAX;
    double x = lo * (1 - unit) + hi * unit;
    point[i] = x < box[i].lo ? box[i].lo : x > box[i].hi ? box[i].hi : x;
  }
  bool finite;
  oracle_answer answer = evaluate(tree, used, point, &finite);
  if (!finite)
    return;
  if (answer == ORACLE_UNDEFINED && defined)
    fail_msg("said to be defined, and is not at (%a, %a, %a)", point[0], point[1], point[2]);
  int top = tree->count - 1, count = answer == ORACLE_ALL ? JET : answer == ORACLE_VALUE ? 1 : 0;
  for (int k = 0; k < count; k++, numbers++) {
    if (oracle_lies_in(jets[top][k], jet[k], scale))
      continue;
    for (int i = 0; i < tree->count; i++)
      print_message("%d: %s of %d, %d; variable %d, [%a, %a]\n", i,
                    tree->nodes[i].op < 0 ? "leaf" : toi_operator_name((toi_operator)tree->nodes[i].op),
                    tree->nodes[i].a, tree->nodes[i].b, tree->nodes[i].variable, tree->nodes[i].constant.lo,
                    tree->nodes[i].constant.hi);
    fail_msg("part %d at (%a, %a, %a) is %g, not in [%a, %a]", k, point[0], point[1], point[2],
             mpfr_get_d(jets[top][k], MPFR_RNDN), jet[k].lo, jet[k].hi);
  }
}

static void random_formulas_over_random_boxes(void **state) {
  (void)state;
  for (uint64_t n = test_count(TREES); n > 0; n--) {
    toi_formula *f;
    expression tree;
    toi_interval jet[JET], box[VARIABLES];
    bool defined;
    assert_int_equal(toi_formula_create(context, (const char *const[]){"u", "v", "t"}, VARIABLES, &f), TOI_OK);
    do
      make_tree(&tree, f);
    while (has_folded_exponent(&tree));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < VARIABLES; i++)
        box[i] = random_side();
      assert_int_equal(toi_formula_bounds(f, tree.nodes[tree.count - 1].term, box, 2, jet, &defined), TOI_OK);
      for (int k = 0; k < JET; k++)
        assert_true(toi_interval_is_valid(jet[k]));
      for (int k = 0; k < POINTS; k++)
        check_at(&tree, box, jet, defined);
    }
    toi_formula_destroy(f);
  }
  print_message("%llu numbers\n", (unsigned long long)numbers);
  assert_true(numbers > 0);
}

/* --- Chebyshev series --- */

/* The sum and its derivatives by s, by the three-term recurrence and its derivatives. */
static void series_at(const double *c, size_t count, const mpfr_t s, mpfr_t *out) {
  mpfr_t last[3], now[3], next[3];
  oracle_init(last, 3);
  oracle_init(now, 3);
  oracle_init(next, 3);
  mpfr_set_ui(last[0], 1, MPFR_RNDN);
  mpfr_set(now[0], s, MPFR_RNDN);
  mpfr_set_ui(now[1], 1, MPFR_RNDN);
  for (int k = 0; k < 3; k++)
    mpfr_mul_d(out[k], last[k], c[0], MPFR_RNDN);
  for (size_t n = 1; n < count; n++) {
    for (int k = 0; k < 3; k++) {
      mpfr_mul_d(t[0], now[k], c[n], MPFR_RNDN);
      mpfr_add(out[k], out[k], t[0], MPFR_RNDN);
      // (2 s T)' = 2 T + 2 s T', (2 s T)'' = 4 T' + 2 s T''
      mpfr_mul(next[k], now[k], s, MPFR_RNDN);
      if (k > 0) {
        mpfr_mul_ui(t[0], now[k - 1], (unsigned long)k, MPFR_RNDN);
        mpfr_add(next[k], next[k], t[0], MPFR_RNDN);
      }
      mpfr_mul_ui(next[k], next[k], 2, MPFR_RNDN);
      mpfr_sub(next[k], next[k], last[k], MPFR_RNDN);
    }
    for (int k = 0; k < 3; k++) {
      mpfr_set(last[k], now[k], MPFR_RNDN);
      mpfr_set(now[k], next[k], MPFR_RNDN);
    }
  }
  oracle_clear(last, 3);
  oracle_clear(now, 3);
  oracle_clear(next, 3);
}

/* The series at x, give or take its errors, lies in the jet. */
static void check_series_at(const double *c, size_t count, toi_interval domain, double x, const toi_interval *jet,
                            const double *error) {
  mpfr_t s, slope, out[3];
  mpfr_inits2(ORACLE_BITS, s, slope, (mpfr_ptr)0);
  oracle_init(out, 3);
  mpfr_set_d(slope, domain.hi, MPFR_RNDN);
  mpfr_sub_d(slope, slope, domain.lo, MPFR_RNDN);
  mpfr_ui_div(slope, 2, slope, MPFR_RNDN);
  mpfr_set_d(s, x, MPFR_RNDN);
  mpfr_sub_d(s, s, domain.lo, MPFR_RNDN);
  mpfr_mul(s, s, slope, MPFR_RNDN);
  mpfr_sub_ui(s, s, 1, MPFR_RNDN);
  series_at(c, count, s, out);
  mpfr_mul(out[1], out[1], slope, MPFR_RNDN);
  mpfr_mul(out[2], out[2], slope, MPFR_RNDN);
  mpfr_mul(out[2], out[2], slope, MPFR_RNDN);
  for (int k = 0; k < 3; k++)
    for (int side = -1; side <= 1; side += 2) {
      mpfr_set_d(t[1], error[k], MPFR_RNDN);
      mpfr_mul_si(t[1], t[1], side, MPFR_RNDN);
      mpfr_add(t[1], t[1], out[k], MPFR_RNDN);
      mpfr_set_d(scale, 1e10, MPFR_RNDN);
      if (!oracle_lies_in(t[1], jet[k], scale))
        fail_msg("series of %zu over [%a, %a] at %a: derivative %d is %g, not in [%a, %a]", count, domain.lo, domain.hi,
                 x, k, mpfr_get_d(t[1], MPFR_RNDN), jet[k].lo, jet[k].hi);
    }
  oracle_clear(out, 3);
  mpfr_clears(s, slope, (mpfr_ptr)0);
}

static void chebyshev_series_over_random_times(void **state) {
  (void)state;
  for (uint64_t n = test_count(1500); n > 0; n--) {
    toi_formula *f;
    double c[40], from = pick(2) ? 0 : test_random_unit(&seed) * 4 - 2, error[3] = {0, 0, 0};
    size_t count = 1 + pick(pick(4) ? 12 : 40);
    toi_interval domain = {from, from + (pick(2) ? 1 : test_random_unit(&seed) * 3 + 0.01)}, jet[3];
    for (size_t i = 0; i < count; i++)
      c[i] = (test_random_unit(&seed) * 2 - 1) / (double)(1 + i * i);
    for (int k = 0; k < 3 && pick(2); k++)
      error[k] = 1e-6 * test_random_unit(&seed);
    assert_int_equal(toi_formula_create(context, (const char *const[]){"t"}, 1, &f), TOI_OK);
    toi_term series = toi_formula_series(f, toi_formula_variable(f, 0), domain, c, count, error);
    for (int round = 0; round < 6; round++) {
      double a = domain.lo + (domain.hi - domain.lo) * (pick(4) ? test_random_unit(&seed) : 0);
      double b = pick(4) ? a + (domain.hi - a) * ldexp(1, -(int)pick(20)) : domain.hi;
      a = a > domain.hi ? domain.hi : a;
      toi_interval x = {a, b > domain.hi || b < a ? domain.hi : b};
      bool defined;
      assert_int_equal(toi_formula_bounds(f, series, &x, 2, jet, &defined), TOI_OK);
      assert_true(defined);
      for (int k = 0; k < 4; k++) {
        double unit = k < 2 ? k : test_random_unit(&seed), at = x.lo * (1 - unit) + x.hi * unit;
        at = at < x.lo ? x.lo : at > x.hi ? x.hi : at;
        check_series_at(c, count, domain, at, jet, error);
      }
    }
    toi_formula_destroy(f);
  }
}

static void series_is_tight_and_ends_at_its_domain(void **state) {
  (void)state;
  toi_formula *f;
  const double t3[4] = {0, 0, 0, 1}, error[3] = {0.5, 1, 2};
  toi_interval jet[3], x = {-1, 1};
  bool defined;
  assert_int_equal(toi_formula_create(context, (const char *const[]){"t"}, 1, &f), TOI_OK);
  toi_term term = toi_formula_series(f, toi_formula_variable(f, 0), x, t3, 4, NULL);
  assert_int_equal(toi_formula_bounds(f, term, &x, 2, jet, &defined), TOI_OK);
  assert_true(defined && jet[0].lo == -1 && jet[0].hi == 1);
  // 4 t^3 - 3 t: from its minimum at 1/2 to 3/4 it is monotone.
  x = (toi_interval){0.5, 0.75};
  assert_int_equal(toi_formula_bounds(f, term, &x, 2, jet, &defined), TOI_OK);
  assert_true(jet[0].lo >= -1 && jet[0].lo < -0.999 && jet[0].hi >= -0.5625 && jet[0].hi < -0.5624);
  // A narrow time: as narrow as the slope allows.
  x = (toi_interval){0.25, 0.25 + 1e-6};
  assert_int_equal(toi_formula_bounds(f, term, &x, 2, jet, &defined), TOI_OK);
  assert_true(jet[0].hi - jet[0].lo < 2.3e-6 && jet[1].hi - jet[1].lo < 1e-5);
  // Partly and wholly beyond the domain.
  x = (toi_interval){0.75, 3};
  assert_int_equal(toi_formula_bounds(f, term, &x, 2, jet, &defined), TOI_OK);
  assert_true(!defined && jet[0].lo <= -0.5625 && jet[0].hi == 1);
  x = (toi_interval){2, 3};
  assert_int_equal(toi_formula_bounds(f, term, &x, 2, jet, &defined), TOI_OK);
  assert_true(!defined && jet[0].lo == -INFINITY && jet[0].hi == INFINITY);
  // Errors are added.
  term = toi_formula_series(f, toi_formula_variable(f, 0), (toi_interval){-1, 1}, t3, 1, error);
  x = (toi_interval){0, 1};
  assert_int_equal(toi_formula_bounds(f, term, &x, 2, jet, &defined), TOI_OK);
  for (int k = 0; k < 3; k++)
    assert_true(jet[k].lo == -error[k] && jet[k].hi == error[k]);
  toi_formula_destroy(f);
}

/* --- sums and products without branches --- */

static toi_interval extreme_interval(void) {
  double a = test_random_extreme(&seed, (int)pick(4)), b = pick(3) ? test_random_extreme(&seed, (int)pick(4)) : a;
  if (pick(3) == 0)
    b = a + fabs(a) * 0x1p-20;
  if (pick(20) == 0)
    b = INFINITY;
  return a <= b ? (toi_interval){a, b} : (toi_interval){b, a};
}

static bool is_same(toi_interval a, toi_interval b) {
  return a.lo == b.lo && a.hi == b.hi;
}

static void steady_sums_and_products_are_those_of_intervals(void **state) {
  (void)state;
  for (uint64_t n = test_count(1000000); n > 0; n--) {
    toi_interval a = extreme_interval(), b = extreme_interval(), c = toi_interval_mul(a, b);
    toi_interval got = toi_branchless_mul(a, b);
    assert_true(is_same(toi_branchless_add(a, b), toi_interval_add(a, b)));
    assert_true(is_same(toi_branchless_sub(a, b), toi_interval_sub(a, b)));
    assert_true(is_same(toi_branchless_square(a), toi_interval_square(a)));
    // A product may be one double wider, at ends that are exact.
    assert_true(got.lo == c.lo || got.lo == toi_next_down(c.lo));
    assert_true(got.hi == c.hi || got.hi == toi_next_up(c.hi));
    if (a.lo > 0)
      assert_true(is_same(toi_branchless_mul_positive(a, b), c));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_formulas_over_random_boxes),
      cmocka_unit_test(chebyshev_series_over_random_times),
      cmocka_unit_test(series_is_tight_and_ends_at_its_domain),
      cmocka_unit_test(steady_sums_and_products_are_those_of_intervals),
  };
  seed = test_seed(20260612);
  context = test_context(1);
  for (int i = 0; i < NODES_MOST; i++)
    oracle_init(jets[i], JET);
  oracle_init(parts, ORACLE_PARTS);
  oracle_init(t, 2);
  mpfr_init2(scale, ORACLE_BITS);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  for (int i = 0; i < NODES_MOST; i++)
    oracle_clear(jets[i], JET);
  oracle_clear(parts, ORACLE_PARTS);
  oracle_clear(t, 2);
  mpfr_clear(scale);
  mpfr_free_cache();
  toi_context_destroy(context);
  return failed;
}
