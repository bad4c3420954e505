/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Each operator of formulas over random boxes: value, first and second derivatives at random points lie in what is
 * computed for the box, and where a box is said to be defined all its points are. MPFR is the oracle, in 320 bits; long
 * double decides first where that is plain. Boxes are biased to zero, branch points, the huge and the subnormal, and to
 * a few doubles' width. */

#include "support/support.h"

#include "number/jet_oracle.h"
#include "number/tape.h"

#define BOXES UINT64_C(5000)
#define POINTS 16

static uint64_t seed;
static toi_context *context;
static mpfr_t arguments[2], parts[ORACLE_PARTS];

/* An operator of u and v, or of u and a constant whole exponent. */
typedef struct subject {
  toi_operator op;
  bool whole;
  double exponent;
} subject;

/* --- boxes and points --- */

static double random_end(void) {
  static const double places[] = {0, 1, -1, 0x1.921fb54442d18p0, -0x1.921fb54442d18p+1, 0x1p-1074, 2, 0.5, -0.0, 709.7};
  double unit = test_random_unit(&seed) * 2 - 1;
  switch (test_random(&seed) % 8) {
  case 0:
    return places[test_random(&seed) % 10];
  case 1:
    return test_random_extreme(&seed, (int)(test_random(&seed) % 4));
  case 2:
    return unit * 0x1p-1022;
  case 3:
    return unit * 1e3;
  default:
    return unit * 4;
  }
}

static toi_interval random_interval(void) {
  double a = random_end(), b = a;
  switch (test_random(&seed) % 8) {
  case 0:
    break;
  case 1:
    for (uint64_t i = test_random(&seed) % 5; i > 0 && b < DBL_MAX; i--)
      b = toi_next_up(b);
    break;
  case 2:
  case 3:
    b = random_end();
    break;
  default:
    b = a + fabs(a) * 0x1p-4 * test_random_unit(&seed);
    break;
  }
  return a <= b ? toi_interval_make(a, fabs(b) <= DBL_MAX ? b : a) : toi_interval_make(b, a);
}

static double random_point(toi_interval x) {
  double unit = test_random_unit(&seed), at;
  switch (test_random(&seed) % 8) {
  case 0:
    return x.lo;
  case 1:
    return x.hi;
  case 2:
    return toi_interval_contains(x, 0) ? 0 : toi_interval_midpoint(x);
  default:
    at = x.lo * (1 - unit) + x.hi * unit;
    return at < x.lo ? x.lo : at > x.hi ? x.hi : at;
  }
}

/* --- one point --- */

static void report(const subject *s, const toi_interval *box, const double *at, int part, toi_interval got) {
  fail_msg("%s (exponent %g) over [%a, %a] x [%a, %a] at (%a, %a): part %d is not in [%a, %a]",
           toi_operator_name(s->op), s->exponent, box[0].lo, box[0].hi, box[1].lo, box[1].hi, at[0], at[1], part,
           got.lo, got.hi);
}

/* Parts in long double, and what their rounding errors are measured by. */
typedef struct guess {
  long double of[ORACLE_PARTS], scale[ORACLE_PARTS];
} guess;

/* Plainly inside: a long double, off by at most 2^-61 of its scale, is inside by 2^-60. */
static bool is_plain(long double x, long double scale, toi_interval range) {
  // Zeros are exact: nothing underflows here.
  if (x == 0 && scale == 0)
    return toi_interval_contains(range, 0);
  long double margin = 0x1p-60L * scale;
  return x - margin > (long double)range.lo && x + margin < (long double)range.hi;
}

static bool guess_one(toi_operator op, long double a, long double *f) {
  switch (op) {
  case TOI_OP_SIN:
    f[0] = sinl(a), f[1] = cosl(a), f[3] = -f[0];
    return true;
  case TOI_OP_COS:
    f[0] = cosl(a), f[1] = -sinl(a), f[3] = -f[0];
    return true;
  case TOI_OP_TAN:
    f[0] = tanl(a), f[1] = 1 + f[0] * f[0], f[3] = 2 * f[0] * f[1];
    return true;
  case TOI_OP_EXP:
    f[0] = f[1] = f[3] = expl(a);
    return true;
  case TOI_OP_LOG:
    f[0] = a > 0 ? logl(a) : 0, f[1] = 1 / a, f[3] = -1 / (a * a);
    return a > 0;
  case TOI_OP_SQRT:
    f[0] = a > 0 ? sqrtl(a) : 0, f[1] = 0.5L / f[0], f[3] = -f[1] / (2 * a);
    return a > 0;
  case TOI_OP_ATAN:
    f[0] = atanl(a), f[1] = 1 / (1 + a * a), f[3] = -2 * a * f[1] * f[1];
    return true;
  default:
    return false;
  }
}

static bool guess_two(const subject *s, long double a, long double b, guess *g) {
  long double *f = g->of, r = a * a + b * b;
  switch (s->op) {
  case TOI_OP_DIV:
    f[0] = a / b, f[1] = 1 / b, f[2] = -f[0] / b, f[4] = -f[1] / b, f[5] = -2 * f[2] / b;
    return b != 0;
  case TOI_OP_ATAN2:
    f[0] = atan2l(a, b), f[1] = b / r, f[2] = -a / r;
    f[5] = -2 * f[1] * f[2], f[3] = -f[5], f[4] = (a - b) * (a + b) / (r * r);
    return a != 0 && r > 0;
  case TOI_OP_POW:
    if (!(a > 0))
      return false;
    f[0] = powl(a, b), f[1] = b * powl(a, b - 1), f[3] = b * (b - 1) * powl(a, b - 2);
    f[2] = f[0] * logl(a), f[5] = f[2] * logl(a), f[4] = powl(a, b - 1) * (1 + b * logl(a));
    g->scale[4] = powl(a, b - 1) * (1 + fabsl(b * logl(a)));
    for (int k = 2; s->whole && k < ORACLE_PARTS; k += k == 2 ? 2 : 1)
      f[k] = g->scale[k] = 0;
    return true;
  default:
    return false;
  }
}

/* The parts of operators where rounding is of interest; false: not this one, or not there. */
static bool make_guess(const subject *s, const double *at, guess *g) {
  *g = (guess){{0}, {0}};
  if (!guess_one(s->op, at[0], g->of) && !guess_two(s, at[0], at[1], g))
    return false;
  for (int k = 0; k < ORACLE_PARTS; k++)
    g->scale[k] = g->scale[k] > 0 ? g->scale[k] : fabsl(g->of[k]);
  return true;
}

static uint64_t looked_at, by_mpfr;

static void check_point(const subject *s, const toi_interval *box, const toi_interval *jet, bool defined) {
  double at[2] = {random_point(box[0]), s->whole ? s->exponent : random_point(box[1])};
  guess g;
  bool guessed = make_guess(s, at, &g), plain[ORACLE_PARTS], all = true;
  for (int k = 0; k < ORACLE_PARTS; k++) {
    plain[k] = guessed && is_plain(g.of[k], g.scale[k], jet[k]);
    all = all && plain[k];
  }
  looked_at++;
  if (all)
    return;
  by_mpfr++;
  mpfr_set_d(arguments[0], at[0], MPFR_RNDN);
  mpfr_set_d(arguments[1], at[1], MPFR_RNDN);
  oracle_answer answer = oracle_parts(s->op, arguments[0], arguments[1], s->whole, parts);
  if (answer == ORACLE_UNDEFINED && defined)
    fail_msg("%s over [%a, %a] x [%a, %a] is said to be defined, and is not at (%a, %a)", toi_operator_name(s->op),
             box[0].lo, box[0].hi, box[1].lo, box[1].hi, at[0], at[1]);
  int count = answer == ORACLE_ALL ? ORACLE_PARTS : answer == ORACLE_VALUE ? 1 : 0;
  for (int k = 0; k < count; k++) {
    bool by_second = k == 2 || k == 4 || k == 5;
    if (!plain[k] && !(s->whole && by_second) && !oracle_lies_in(parts[k], jet[k], parts[k]))
      report(s, box, at, k, jet[k]);
  }
}

/* --- one operator --- */

static void check_operator(const subject *s) {
  toi_formula *f;
  toi_tape *tape;
  assert_int_equal(toi_formula_create(context, (const char *const[]){"u", "v"}, 2, &f), TOI_OK);
  toi_term u = toi_formula_variable(f, 0), v = toi_formula_variable(f, 1);
  toi_term second = s->whole ? toi_formula_constant(f, s->exponent) : s->op >= TOI_OP_ADD ? v : TOI_NO_TERM;
  toi_term term = toi_formula_apply(f, s->op, u, second);
  assert_int_equal(toi_tape_make(context, f, &term, 1, &tape), TOI_OK);
  toi_formula_destroy(f);
  for (uint64_t i = test_count(BOXES); i > 0; i--) {
    toi_interval box[2] = {random_interval(), random_interval()}, jet[ORACLE_PARTS], low[ORACLE_PARTS];
    bool defined = toi_tape_bounds(tape, box, 2, jet);
    for (int k = 0; k < ORACLE_PARTS; k++)
      assert_true(toi_interval_is_valid(jet[k]));
    for (int k = 0; k < POINTS; k++)
      check_point(s, box, jet, defined);
    // Lower orders are the same numbers.
    assert_true(toi_tape_bounds(tape, box, 1, low) == defined);
    assert_memory_equal(low, jet, 3 * sizeof *jet);
    assert_true(toi_tape_bounds(tape, box, 0, low) == defined);
    assert_memory_equal(low, jet, sizeof *jet);
  }
  toi_tape_destroy(tape);
}

static void operators_and_their_derivatives_over_boxes(void **state) {
  (void)state;
  for (int op = 0; op < TOI_OP_COUNT; op++)
    check_operator(&(subject){(toi_operator)op, false, 0});
}

static void whole_and_broken_powers_over_boxes(void **state) {
  (void)state;
  const double exponents[] = {0, 1, 2, 3, 4, 7, -1, -2, -3, 0.5, 1.5, -0.5, 2.25};
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
    // A broken exponent is a constant v.
    bool whole = exponents[i] == floor(exponents[i]);
    subject s = {TOI_OP_POW, whole, exponents[i]};
    if (whole) {
      check_operator(&s);
      continue;
    }
    toi_formula *f;
    assert_int_equal(toi_formula_create(context, (const char *const[]){"u", "v"}, 2, &f), TOI_OK);
    toi_term c = toi_formula_constant(f, exponents[i]);
    toi_term term = toi_formula_apply(f, TOI_OP_POW, toi_formula_variable(f, 0), c);
    for (uint64_t n = test_count(BOXES); n > 0; n--) {
      toi_interval box[2] = {random_interval(), toi_interval_point(exponents[i])}, jet[ORACLE_PARTS];
      bool defined;
      assert_int_equal(toi_formula_bounds(f, term, box, 2, jet, &defined), TOI_OK);
      jet[2] = jet[4] = jet[5] = toi_interval_whole();
      for (int k = 0; k < POINTS; k++)
        check_point(&s, box, jet, defined);
    }
    toi_formula_destroy(f);
  }
}

static void enough_points_were_looked_at(void **state) {
  (void)state;
  print_message("%llu points, %llu of them by MPFR\n", (unsigned long long)looked_at, (unsigned long long)by_mpfr);
  assert_true(by_mpfr > 0 && by_mpfr < looked_at);
}

/* --- the places where operators are special --- */

typedef struct place {
  const char *text;
  toi_interval u;
  bool defined;
  toi_interval value, first, second;
} place;

#define WHOLE                                                                                                          \
  { -INFINITY, INFINITY }

static void kinks_cuts_and_poles(void **state) {
  (void)state;
  const place places[] = {
      {"abs(u)", {-1, 2}, true, {0, 2}, {-1, 1}, WHOLE},
      {"abs(u)", {0, 2}, true, {0, 2}, {-1, 1}, WHOLE},
      {"abs(u)", {1, 2}, true, {1, 2}, {1, 1}, {0, 0}},
      {"min(u, 1)", {0, 2}, true, {0, 1}, {0, 1}, WHOLE},
      {"max(u, 1)", {0, 1}, true, {1, 1}, {0, 1}, WHOLE},
      {"max(u, 1)", {2, 3}, true, {2, 3}, {1, 1}, {0, 0}},
      {"max(u, 1)", {-2, 0}, true, {1, 1}, {0, 0}, {0, 0}},
      {"min(2*u, u*u, 5)", {4, 6}, true, {5, 5}, {0, 0}, {0, 0}},
      {"sqrt(u)", {0, 4}, true, {0, 2}, {0.25, INFINITY}, {-INFINITY, -0.03125}},
      {"sqrt(u)", {-1, 4}, false, {0, 2}, {0.25, INFINITY}, {-INFINITY, -0.03125}},
      {"1/u", {-1, 4}, false, WHOLE, WHOLE, WHOLE},
      {"u^-2", {-1, 4}, false, {0.0625, INFINITY}, WHOLE, {0x1.8p-6, INFINITY}},
      {"u^2", {-1, 4}, true, {0, 16}, {-2, 8}, {2, 2}},
      {"u^3", {-1, 4}, true, {-1, 64}, {0, 48}, {-6, 24}},
      {"u/2 - u/2", {-1, 4}, true, {0, 0}, {0, 0}, {0, 0}},
      {"log(u)", {0, 1}, false, {-INFINITY, 0}, {1, INFINITY}, {-INFINITY, -1}},
      {"exp(u)", {-INFINITY, 0}, true, {0, 1}, {0, 1}, {0, 1}},
      {"exp(u)", {0, 1000}, true, {1, INFINITY}, {1, INFINITY}, {1, INFINITY}},
      {"u*u*u*u", {-INFINITY, INFINITY}, true, {0, INFINITY}, WHOLE, {0, INFINITY}},
      {"0*u", {-INFINITY, INFINITY}, true, {0, 0}, {0, 0}, {0, 0}},
  };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const place *p = &places[i];
    toi_formula *f;
    toi_interval jet[3];
    bool defined;
    assert_int_equal(toi_formula_create(context, (const char *const[]){"u"}, 1, &f), TOI_OK);
    assert_int_equal(toi_formula_bounds(f, toi_formula_parse(f, p->text), &p->u, 2, jet, &defined), TOI_OK);
    const toi_interval *wanted[3] = {&p->value, &p->first, &p->second};
    for (int k = 0; k < 3; k++)
      if (jet[k].lo != wanted[k]->lo || jet[k].hi != wanted[k]->hi || defined != p->defined)
        fail_msg("%s over [%g, %g]: derivative %d is [%a, %a], %s", p->text, p->u.lo, p->u.hi, k, jet[k].lo, jet[k].hi,
                 defined ? "defined" : "not defined");
    toi_formula_destroy(f);
  }
}

static void angle_jumps_across_the_negative_axis(void **state) {
  (void)state;
  toi_formula *f;
  toi_interval jet[6];
  bool defined;
  assert_int_equal(toi_formula_create(context, (const char *const[]){"y", "x"}, 2, &f), TOI_OK);
  toi_term angle = toi_formula_parse(f, "atan2(y, x)");
  const struct {
    toi_interval box[2];
    bool defined;
  } cases[] = {
      {{{-1, 1}, {-2, -1}}, false}, {{{-1, 0}, {-2, -1}}, false}, {{{0, 1}, {-2, -1}}, true},
      {{{0, 0}, {-2, -1}}, true},   {{{-1, 1}, {1, 2}}, true},    {{{-1, 1}, {-1, 1}}, false},
      {{{-1, 0}, {0, 1}}, false},   {{{-2, -1}, {-1, 1}}, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(toi_formula_bounds(f, angle, cases[i].box, 2, jet, &defined), TOI_OK);
    if (defined != cases[i].defined)
      fail_msg("case %zu is %s", i, defined ? "defined" : "not defined");
  }
  // Across the cut the derivatives are those of the angle.
  assert_int_equal(toi_formula_bounds(f, angle, cases[0].box, 1, jet, &defined), TOI_OK);
  assert_true(jet[0].lo <= -0x1.921fb54442d18p+1 && jet[0].hi >= 0x1.921fb54442d18p+1);
  assert_true(jet[1].lo >= -2.001 && jet[1].hi <= -0.199);
  toi_formula_destroy(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_and_their_derivatives_over_boxes),
      cmocka_unit_test(whole_and_broken_powers_over_boxes),
      cmocka_unit_test(enough_points_were_looked_at),
      cmocka_unit_test(kinks_cuts_and_poles),
      cmocka_unit_test(angle_jumps_across_the_negative_axis),
  };
  seed = test_seed(20260611);
  context = test_context(1);
  oracle_init(arguments, 2);
  oracle_init(parts, ORACLE_PARTS);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  oracle_clear(arguments, 2);
  oracle_clear(parts, ORACLE_PARTS);
  mpfr_free_cache();
  toi_context_destroy(context);
  return failed;
}
