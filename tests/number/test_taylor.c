/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Taylor models hold what they promise: a function P + r or P - r of a random model is computed with in MPFR, and the
 * result lies within the remainder of the result's polynomial, at corners, in the middle and in between. Coefficients
 * of one sign and the corner (1, ..., 1) make products reach their remainder, so that one that is too small is seen. */

#include "support/support.h"

#include "number/jet_oracle.h"
#include "number/taylor.h"

#define ROUNDS UINT64_C(3000)
#define POINTS 4

static uint64_t seed;
static toi_context *context;
static toi_taylor_space spaces[TOI_TAYLOR_VARIABLES + 1][TOI_TAYLOR_ORDER + 1];
static mpfr_t value[3], parts[ORACLE_PARTS], polynomial, power, gap;
static uint64_t checked;

static uint64_t pick(uint64_t count) {
  return test_random(&seed) % count;
}

/* --- models, and a function of each --- */

/* The function is the polynomial and `side` times the remainder. */
typedef struct drawn {
  toi_taylor model;
  double side;
} drawn;

static const toi_taylor_space *draw_space(void) {
  unsigned variables = (unsigned)pick(TOI_TAYLOR_VARIABLES + 1);
  unsigned most = variables == 4 ? TOI_TAYLOR_ORDER4 : TOI_TAYLOR_ORDER;
  return &spaces[variables][1 + pick(most)];
}

/* Around `centre`, as far as `reach` or a small part of it. */
static drawn draw_model(const toi_taylor_space *space, double centre, double reach) {
  drawn d = {.side = pick(2) ? 1 : -1};
  bool positive = pick(2);
  d.model.degree = (unsigned)pick(space->order + 1);
  unsigned count = space->first[d.model.degree + 1];
  double scale = ldexp(reach, -(int)pick(12)) / count;
  for (unsigned i = 0; i < count; i++) {
    double x = scale * test_random_unit(&seed);
    d.model.c[i] = pick(4) == 0 ? 0 : positive || pick(2) ? x : -x;
  }
  d.model.c[0] = centre;
  d.model.r = pick(3) ? ldexp(scale, -(int)pick(30)) * test_random_unit(&seed) : 0;
  return d;
}

static void evaluate(const toi_taylor_space *space, const toi_taylor *a, const double *y, mpfr_t out) {
  mpfr_set_zero(out, 1);
  for (unsigned i = 0; i < space->first[a->degree + 1]; i++) {
    mpfr_set_d(power, a->c[i], MPFR_RNDN);
    for (unsigned v = 0; v < space->variables; v++)
      for (unsigned k = 0; k < space->power[i][v]; k++)
        mpfr_mul_d(power, power, y[v], MPFR_RNDN);
    mpfr_add(out, out, power, MPFR_RNDN);
  }
}

static void value_of(const toi_taylor_space *space, const drawn *d, const double *y, mpfr_t out) {
  evaluate(space, &d->model, y, out);
  mpfr_set_d(power, d->model.r, MPFR_RNDN);
  mpfr_mul_d(power, power, d->side, MPFR_RNDN);
  mpfr_add(out, out, power, MPFR_RNDN);
}

static void draw_point(unsigned number, double y[TOI_TAYLOR_VARIABLES]) {
  for (int v = 0; v < TOI_TAYLOR_VARIABLES; v++) {
    double unit = 2 * test_random_unit(&seed) - 1;
    y[v] = number == 0 ? 1 : number == 1 ? (pick(2) ? 1 : -1) : number == 2 && pick(2) ? 0 : unit;
  }
}

/* The number lies within the model, and within its bounds. Gives how much of the remainder is used. */
static double check(const char *what, const toi_taylor_space *space, const toi_taylor *a, const double *y,
                    const mpfr_t x) {
  if (!(a->r <= DBL_MAX))
    return 0;
  evaluate(space, a, y, polynomial);
  mpfr_sub(gap, x, polynomial, MPFR_RNDN);
  mpfr_abs(gap, gap, MPFR_RNDN);
  if (mpfr_cmp_d(gap, a->r) > 0)
    fail_msg("%s of %u variables, order %u: off by %g, the remainder is %g", what, space->variables, space->order,
             mpfr_get_d(gap, MPFR_RNDN), a->r);
  toi_interval bounds = toi_taylor_bounds(space, a), reach = toi_taylor_reach(space, a);
  if (mpfr_cmp_d(x, bounds.lo) < 0 || mpfr_cmp_d(x, bounds.hi) > 0)
    fail_msg("%s: %a is not in the bounds [%a, %a]", what, mpfr_get_d(x, MPFR_RNDN), bounds.lo, bounds.hi);
  assert_true(mpfr_cmp_d(x, reach.lo) >= 0 && mpfr_cmp_d(x, reach.hi) <= 0);
  checked++;
  return a->r > 0 ? mpfr_get_d(gap, MPFR_RNDN) / a->r : 0;
}

/* A number of an interval, and a variable, may be either end of it. */
static void numbers_and_variables_hold_their_intervals(void **state) {
  (void)state;
  for (uint64_t n = test_count(ROUNDS); n > 0; n--) {
    double a = ldexp(2 * test_random_unit(&seed) - 1, (int)pick(20) - 10), width = ldexp(fabs(a), -(int)pick(60));
    toi_interval x = {a, a + width};
    toi_taylor number, variable;
    toi_taylor_constant(x, &number);
    toi_taylor_variable(x, 1, &variable);
    assert_true(number.degree == 0 && (x.lo < x.hi || number.r == 0));
    for (int end = -1; end <= 1; end += 2) {
      mpfr_set_d(value[0], end < 0 ? x.lo : x.hi, MPFR_RNDN);
      mpfr_sub_d(gap, value[0], number.c[0], MPFR_RNDN);
      assert_true(mpfr_cmpabs(gap, (mpfr_set_d(power, number.r, MPFR_RNDN), power)) <= 0);
      mpfr_sub_d(gap, value[0], variable.c[0], MPFR_RNDN);
      assert_true(mpfr_cmpabs(gap, (mpfr_set_d(power, variable.c[2], MPFR_RNDN), power)) <= 0);
    }
  }
}

/* --- sums and products --- */

static void apply_two(const toi_taylor_space *space, toi_operator op, const toi_taylor *a, const toi_taylor *b,
                      toi_taylor *out) {
  if (op == TOI_OP_MUL)
    toi_taylor_mul(space, a, b, out);
  else if (op == TOI_OP_ADD)
    toi_taylor_add(space, a, b, out);
  else
    toi_taylor_sub(space, a, b, out);
}

static void sums_and_products_of_random_models(void **state) {
  (void)state;
  static const toi_operator ops[] = {TOI_OP_ADD, TOI_OP_SUB, TOI_OP_MUL};
  for (uint64_t n = test_count(ROUNDS); n > 0; n--) {
    const toi_taylor_space *space = draw_space();
    double size = ldexp(1, (int)pick(40) - 20);
    drawn a = draw_model(space, pick(2) ? size * test_random_unit(&seed) : 0, size), b = draw_model(space, 1, 2);
    toi_operator op = ops[pick(3)];
    toi_taylor out, twice, back;
    apply_two(space, op, &a.model, &b.model, &out);
    double factor = 3 * test_random_unit(&seed) - 1.5;
    toi_taylor_scale(space, factor, &a.model, &twice);
    toi_taylor_negate(space, &a.model, &back);
    for (unsigned k = 0; k < POINTS; k++) {
      double y[TOI_TAYLOR_VARIABLES];
      draw_point(k, y);
      value_of(space, &a, y, value[0]);
      value_of(space, &b, y, value[1]);
      (void)oracle_parts(op, value[0], value[1], false, parts);
      check(toi_operator_name(op), space, &out, y, parts[0]);
      mpfr_mul_d(value[2], value[0], factor, MPFR_RNDN);
      check("multiple", space, &twice, y, value[2]);
      mpfr_neg(value[2], value[0], MPFR_RNDN);
      check("opposite", space, &back, y, value[2]);
    }
    // In place.
    apply_two(space, op, &a.model, &b.model, &a.model);
    assert_true(a.model.r == out.r && a.model.degree == out.degree);
    assert_memory_equal(a.model.c, out.c, space->first[out.degree + 1] * sizeof *out.c);
  }
}

/* With coefficients of one sign nothing of the remainder is wasted: smaller by a tenth it would be wrong. */
static void products_of_positive_models_reach_their_remainder(void **state) {
  (void)state;
  for (unsigned variables = 1; variables <= TOI_TAYLOR_VARIABLES; variables++) {
    const toi_taylor_space *space = &spaces[variables][variables == 4 ? 3 : 4];
    drawn a = {.side = 1}, b = {.side = 1};
    a.model.degree = b.model.degree = space->order;
    for (unsigned i = 0; i < space->first[space->order + 1]; i++)
      a.model.c[i] = b.model.c[i] = 1 + 0.5 * test_random_unit(&seed);
    a.model.r = b.model.r = 0.25;
    toi_taylor out;
    toi_taylor_mul(space, &a.model, &b.model, &out);
    const double y[TOI_TAYLOR_VARIABLES] = {1, 1, 1, 1};
    value_of(space, &a, y, value[0]);
    value_of(space, &b, y, value[1]);
    mpfr_mul(value[2], value[0], value[1], MPFR_RNDN);
    assert_true(check("product", space, &out, y, value[2]) > 0.999);
  }
}

/* Nothing is left out, and rounding alone is in the remainder: it is there, and it is small. */
static void rounding_is_in_the_remainder(void **state) {
  (void)state;
  double most = 0;
  for (uint64_t n = test_count(ROUNDS); n > 0; n--) {
    const toi_taylor_space *space = &spaces[3][6];
    drawn a = draw_model(space, test_random_unit(&seed), 1), b = draw_model(space, test_random_unit(&seed), 1);
    a.model.degree = a.model.degree < 3 ? a.model.degree : 3;
    b.model.degree = b.model.degree < 3 ? b.model.degree : 3;
    a.model.r = b.model.r = 0;
    toi_taylor out;
    toi_taylor_mul(space, &a.model, &b.model, &out);
    double y[TOI_TAYLOR_VARIABLES];
    draw_point((unsigned)pick(3), y);
    value_of(space, &a, y, value[0]);
    value_of(space, &b, y, value[1]);
    mpfr_mul(value[2], value[0], value[1], MPFR_RNDN);
    most = fmax(most, check("product", space, &out, y, value[2]));
    assert_true(out.r < 1e-13);
  }
  print_message("rounding takes up to %g of its bound\n", most);
  assert_true(most > 0.005);
}

/* --- functions --- */

/* A function of a model: an operator, or a power. */
typedef struct function {
  toi_operator op;
  double exponent;
  bool whole;
} function;

static function draw_function(void) {
  static const toi_operator ops[] = {TOI_OP_NEG, TOI_OP_ABS,  TOI_OP_SQRT, TOI_OP_SIN, TOI_OP_COS,
                                     TOI_OP_TAN, TOI_OP_ATAN, TOI_OP_EXP,  TOI_OP_LOG, TOI_OP_POW};
  static const double exponents[] = {0.5, 1.5, -0.25, 2.75, 0, 1, 2, 3, 7, -1, -2, -3};
  function f = {.op = ops[pick(10)], .exponent = exponents[pick(12)]};
  f.whole = f.exponent == floor(f.exponent);
  return f;
}

static void apply_function(const toi_taylor_space *space, const function *f, const toi_taylor *a, toi_taylor *out) {
  if (f->op != TOI_OP_POW)
    toi_taylor_function(space, f->op, a, out);
  else if (f->whole)
    toi_taylor_whole_power(space, a, (int32_t)f->exponent, out);
  else
    toi_taylor_power(space, a, toi_interval_point(f->exponent), out);
}

static void functions_of_random_models(void **state) {
  (void)state;
  uint64_t defined = 0, sharp = 0, rounds = test_count(3 * ROUNDS);
  for (uint64_t n = rounds; n > 0; n--) {
    const toi_taylor_space *space = draw_space();
    function f = draw_function();
    double centre = 4 * test_random_unit(&seed) - (f.op == TOI_OP_LOG || f.op == TOI_OP_SQRT ? 0 : 2);
    drawn a = draw_model(space, centre, 1.5);
    toi_taylor out;
    apply_function(space, &f, &a.model, &out);
    defined += out.r <= DBL_MAX;
    for (unsigned k = 0; k < POINTS && out.r <= DBL_MAX; k++) {
      double y[TOI_TAYLOR_VARIABLES];
      draw_point(k, y);
      value_of(space, &a, y, value[0]);
      mpfr_set_d(value[1], f.exponent, MPFR_RNDN);
      // A model that is finite is proved to be defined.
      assert_int_not_equal(oracle_parts(f.op, value[0], value[1], f.whole, parts), ORACLE_UNDEFINED);
      sharp += check(toi_operator_name(f.op), space, &out, y, parts[0]) > 0.5;
    }
    apply_function(space, &f, &a.model, &a.model);
    assert_true(a.model.r == out.r || !(out.r <= DBL_MAX));
  }
  print_message("%llu of %llu defined; more than half of the remainder used %llu times\n", (unsigned long long)defined,
                (unsigned long long)rounds, (unsigned long long)sharp);
  assert_true(defined > rounds / 2 && sharp > rounds / 50);
}

static void undefined_functions_say_nothing(void **state) {
  (void)state;
  const toi_taylor_space *space = &spaces[1][4];
  toi_taylor x, out;
  toi_taylor_variable((toi_interval){-1, 2}, 0, &x);
  static const toi_operator ops[] = {TOI_OP_SQRT, TOI_OP_LOG, TOI_OP_ABS, TOI_OP_TAN};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    toi_taylor_function(space, ops[i], &x, &out);
    assert_true(toi_taylor_bounds(space, &out).lo == -INFINITY && toi_taylor_bounds(space, &out).hi == INFINITY);
  }
  toi_taylor_inverse(space, &x, &out);
  assert_true(toi_taylor_bounds(space, &out).hi == INFINITY);
  // Overflow is not a number that may be relied on.
  toi_taylor_variable((toi_interval){1e300, 2e300}, 0, &x);
  toi_taylor_mul(space, &x, &x, &out);
  assert_true(toi_taylor_bounds(space, &out).lo == -INFINITY && toi_taylor_bounds(space, &out).hi == INFINITY);
  toi_taylor_sub(space, &out, &out, &out);
  assert_true(toi_taylor_bounds(space, &out).lo == -INFINITY && toi_taylor_bounds(space, &out).hi == INFINITY);
}

/* b y + a y^2 is bounded as one. */
static void parabolas_have_tight_bounds(void **state) {
  (void)state;
  const toi_taylor_space *space = &spaces[2][2];
  toi_taylor x, y, square;
  toi_taylor_variable((toi_interval){-1, 1}, 0, &x);
  toi_taylor_variable((toi_interval){-1, 1}, 1, &y);
  // x^2 - x + y^2 has values from -1/4 to 3.
  toi_taylor_mul(space, &x, &x, &square);
  toi_taylor_sub(space, &square, &x, &square);
  toi_taylor_mul(space, &y, &y, &y);
  toi_taylor_add(space, &square, &y, &square);
  toi_interval bounds = toi_taylor_bounds(space, &square);
  assert_true(bounds.lo <= -0.25 && bounds.lo > -0.25 - 1e-12 && bounds.hi >= 3 && bounds.hi < 3 + 1e-12);
}

/* (y - 1/2)^2 - 1/4 on a scale where the square of its coefficients underflows, far above what bounds may leave out. */
static void parabolas_of_any_scale_have_their_least_value(void **state) {
  (void)state;
  const toi_taylor_space *space = &spaces[1][2];
  toi_taylor a = {.degree = 2};
  for (int exponent = -900; exponent <= 900; exponent += 20)
    for (int sign = -1; sign <= 1; sign += 2) {
      const double scale = sign * ldexp(1, exponent);
      a.c[0] = 0;
      a.c[1] = -scale;
      a.c[2] = scale;
      toi_interval bounds = toi_taylor_bounds(space, &a);
      if (sign < 0)
        bounds = toi_interval_neg(bounds);
      if (!(bounds.lo <= -0.25 * fabs(scale) && bounds.lo > -0.2500001 * fabs(scale)))
        fail_msg("2^%d: at least %a", exponent, bounds.lo);
      assert_true(bounds.hi >= 2 * fabs(scale));
    }
}

/* --- tapes --- */

static const char *const texts[] = {
    "u^2 + v^2 + t^2 - 1",
    "(1 + 0.1*cos(3*u)*sin(v))*cos(u)*cos(v) - t*sin(u)/3",
    "sqrt(2 + u*v)/(3 + t)",
    "exp(-u^2)*log(3 + v) + atan(t*u)",
    "pow(2 + u, 0.75) - (2 + v)^-3 + tan(t/3)",
    "max(abs(u + 3), v - 2) + min(t, 5)*0.1",
    "pi*u - e*v + 0.3^2",
    "sin(u + t) - sin(u)*cos(t) - cos(u)*sin(t)",
};
#define TEXTS (sizeof texts / sizeof *texts)

/* At points of the box, where intervals are narrow: these are checked elsewhere. */
static void check_tape(toi_tape *tape, const toi_interval box[3], unsigned order, const char *what) {
  const toi_taylor_space *space = &spaces[3][order];
  toi_taylor registers[128], variables[3], out;
  assert_true(toi_tape_taylor_registers(tape) <= 128);
  for (unsigned i = 0; i < 3; i++)
    toi_taylor_variable(box[i], i, &variables[i]);
  toi_tape_taylor(tape, space, variables, registers, &out);
  if (!(out.r <= DBL_MAX))
    fail_msg("%s has no model", what);
  for (unsigned k = 0; k < POINTS; k++) {
    double y[TOI_TAYLOR_VARIABLES];
    toi_interval at[3], narrow;
    draw_point(k, y);
    for (int i = 0; i < 3; i++) {
      double x = toi_interval_midpoint(box[i]) + y[i] * variables[i].c[1 + i];
      x = x < box[i].lo ? box[i].lo : x > box[i].hi ? box[i].hi : x;
      at[i] = toi_interval_point(x);
      y[i] = (x - variables[i].c[0]) / variables[i].c[1 + i];
    }
    assert_true(toi_tape_bounds(tape, at, 0, &narrow));
    evaluate(space, &out, y, polynomial);
    double p = mpfr_get_d(polynomial, MPFR_RNDN), slack = 1e-14 * (1 + fabs(p));
    if (!(narrow.lo - slack <= p + out.r && p - out.r <= narrow.hi + slack))
      fail_msg("%s at (%a, %a, %a): [%a, %a], and the model %a within %a", what, at[0].lo, at[1].lo, at[2].lo,
               narrow.lo, narrow.hi, p, out.r);
    checked++;
  }
}

static void tapes_agree_with_intervals_at_points(void **state) {
  (void)state;
  for (size_t i = 0; i < TEXTS; i++) {
    toi_formula *f;
    toi_tape *tape;
    assert_int_equal(toi_formula_create(context, (const char *const[]){"u", "v", "t"}, 3, &f), TOI_OK);
    toi_term term = toi_formula_parse(f, texts[i]);
    assert_int_equal(toi_tape_make(context, f, &term, 1, &tape), TOI_OK);
    for (uint64_t n = test_count(100); n > 0; n--) {
      toi_interval box[3];
      for (int k = 0; k < 3; k++) {
        double x = 1.6 * test_random_unit(&seed) - 0.8;
        box[k] = (toi_interval){x, x + ldexp(0.2, -(int)pick(20))};
      }
      check_tape(tape, box, 1 + (unsigned)pick(TOI_TAYLOR_ORDER), texts[i]);
    }
    toi_tape_destroy(tape);
    toi_formula_destroy(f);
  }
}

/* Terms that cancel do so: intervals bound them by the width of the box, models of order k by its (k + 1)st power. */
static void terms_that_cancel_are_bounded_to_their_order(void **state) {
  (void)state;
  toi_formula *f;
  toi_tape *tape;
  toi_taylor registers[64], variables[3], out;
  assert_int_equal(toi_formula_create(context, (const char *const[]){"u", "v", "t"}, 3, &f), TOI_OK);
  toi_term term = toi_formula_parse(f, "cos(u)^2 + sin(u)^2 - 1");
  assert_int_equal(toi_tape_make(context, f, &term, 1, &tape), TOI_OK);
  for (unsigned order = 1; order <= TOI_TAYLOR_ORDER; order++) {
    double half = 0.0625, bound = 4;
    toi_interval box[3] = {{0.5 - half, 0.5 + half}, {0, 1}, {0, 1}};
    for (unsigned i = 0; i < 3; i++)
      toi_taylor_variable(box[i], i, &variables[i]);
    toi_tape_taylor(tape, &spaces[3][order], variables, registers, &out);
    for (unsigned k = 0; k <= order; k++)
      bound *= half;
    toi_interval range = toi_taylor_bounds(&spaces[3][order], &out);
    assert_true(range.lo <= 0 && range.hi >= 0 && toi_interval_magnitude(range) <= bound);
  }
  toi_tape_destroy(tape);
  toi_formula_destroy(f);
}

static int set_up(void **state) {
  (void)state;
  seed = test_seed(20261118);
  context = test_context(1);
  oracle_init(value, 3);
  oracle_init(parts, ORACLE_PARTS);
  mpfr_inits2(ORACLE_BITS, polynomial, power, gap, (mpfr_ptr)0);
  for (unsigned variables = 0; variables <= TOI_TAYLOR_VARIABLES; variables++)
    for (unsigned order = 1; order <= (variables == 4 ? TOI_TAYLOR_ORDER4 : TOI_TAYLOR_ORDER); order++)
      toi_taylor_space_make(&spaces[variables][order], variables, order);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  print_message("%llu numbers\n", (unsigned long long)checked);
  oracle_clear(value, 3);
  oracle_clear(parts, ORACLE_PARTS);
  mpfr_clears(polynomial, power, gap, (mpfr_ptr)0);
  toi_context_destroy(context);
  return checked > 0 ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_and_variables_hold_their_intervals),
      cmocka_unit_test(sums_and_products_of_random_models),
      cmocka_unit_test(products_of_positive_models_reach_their_remainder),
      cmocka_unit_test(rounding_is_in_the_remainder),
      cmocka_unit_test(functions_of_random_models),
      cmocka_unit_test(undefined_functions_say_nothing),
      cmocka_unit_test(parabolas_have_tight_bounds),
      cmocka_unit_test(parabolas_of_any_scale_have_their_least_value),
      cmocka_unit_test(tapes_agree_with_intervals_at_points),
      cmocka_unit_test(terms_that_cancel_are_bounded_to_their_order),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
