/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Formulas: building and parsing, what is simplified, every sentence with its column, faults of tapes, and what happens
 * when memory runs out. */

#include "support/support.h"

#include "number/tape.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

static toi_formula *make(toi_context *context) {
  toi_formula *f;
  assert_int_equal(toi_formula_create(context, (const char *const[]){"u", "v", "t"}, 3, &f), TOI_OK);
  return f;
}

/* --- building --- */

static void equal_terms_are_one(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_formula *f = make(context);
  const char *const pairs[][2] = {
      {"u + v", "v + u"},
      {"2*(u*v)", "v*u*2"},
      {"u + 0", "u"},
      {"1*u", "u"},
      {"u*0 + v", "v"},
      {"u*u", "u^2"},
      {"u^2*u", "pow(u, 3)"},
      {"u - u", "0"},
      {"u^1", "u"},
      {"u^0", "1"},
      {"--u", "u"},
      {"-u - v", "-u + -v"},
      {"-u^2", "-(u^2)"},
      {"2^3^2", "512"},
      {"(2^3)^2", "64"},
      {"-2^2", "-4"},
      {"8/4/2", "1"},
      {"7 - 4 - 2", "1"},
      {"sqrt(u*u)", "abs(u)"},
      {"u/4", "0.25*u"},
      {"0.10", "1e-1"},
      {"1.5e3", "1500"},
      {"min(u, v, t)", "min(min(u, v), t)"},
      {"abs(-u)", "abs(abs(u))"},
      {"sin(0)", "0"},
      {"+u", "u"},
      {"u ^ -1", "1/u"},
      {"6*pi*u", "(pi*6)*u"},
      {" ( u )\t\n", "u"},
      {"2*(3*u)", "6*u"},
      {"cos(-u)", "cos(u)"},
      {"u^0.5", "sqrt(u)"},
      {"(-u)*v", "-(u*v)"},
      {"u+u", "2*u"},
      {".5", "0.5"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    toi_term a = toi_formula_parse(f, pairs[i][0]), b = toi_formula_parse(f, pairs[i][1]);
    if (a != b || a == TOI_NO_TERM)
      fail_msg("%s is %u, %s is %u: %s", pairs[i][0], a, pairs[i][1], b, toi_context_error(context));
  }
  // Numbers that are known to the same bounds are still two numbers.
  toi_interval range = {1, 2};
  toi_term a = toi_formula_enclosed(f, range), b = toi_formula_enclosed(f, range), zero = toi_formula_constant(f, 0);
  assert_int_equal(toi_formula_apply(f, TOI_OP_SUB, a, a), zero);
  assert_int_not_equal(toi_formula_apply(f, TOI_OP_SUB, a, b), zero);
  assert_int_not_equal(toi_formula_parse(f, "0.1"), toi_formula_parse(f, "0.1000000000000000000001"));
  // What is not defined everywhere is not dropped.
  assert_int_not_equal(toi_formula_parse(f, "0*log(u)"), zero);
  assert_int_not_equal(toi_formula_parse(f, "1/u - 1/u"), zero);
  assert_int_equal(toi_formula_status(f), TOI_OK);
  toi_formula_destroy(f);
  toi_context_destroy(context);
}

static toi_interval value_of(toi_formula *f, const char *text) {
  toi_interval box[3] = {{0, 0}, {0, 0}, {0, 0}}, value;
  assert_int_equal(toi_formula_bounds(f, toi_formula_parse(f, text), box, 0, &value, NULL), TOI_OK);
  return value;
}

static void decimals_are_enclosed(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_formula *f = make(context);
  uint64_t seed = test_seed(77);
  mpfr_t exact;
  mpfr_init2(exact, 4000);
  char text[80];
  for (uint64_t i = test_count(20000); i > 0; i--) {
    int exponent = (int)(test_random(&seed) % (i % 2 ? 630 : 40)) - (i % 2 ? 330 : 20);
    unsigned long long digits = (unsigned long long)(test_random(&seed) >> test_random(&seed) % 64);
    const char *more = i % 5 ? "" : "12345678900";
    snprintf(text, sizeof text, "%llu%s.%llue%d", digits, more, digits % 1000, exponent);
    mpfr_set_str(exact, text, 10, MPFR_RNDN);
    if (mpfr_cmp_d(exact, 1e308) > 0)
      continue;
    toi_interval x = value_of(f, text);
    // The number itself is off by 2^-3900 of it at most.
    bool inside = mpfr_get_d(exact, MPFR_RNDU) >= x.lo && mpfr_get_d(exact, MPFR_RNDD) <= x.hi &&
                  mpfr_cmp_d(exact, x.lo) >= 0 && mpfr_cmp_d(exact, x.hi) <= 0;
    if (!inside || x.hi - x.lo > 0x1p-47 * x.hi + 0x1p-1073)
      fail_msg("%s gives [%a, %a]", text, x.lo, x.hi);
  }
  mpfr_clear(exact);
  mpfr_free_cache();
  toi_interval tenth = value_of(f, "0.1"), pi = value_of(f, "pi"), tiny = value_of(f, "1e-999");
  assert_true(tenth.hi == 0.1 && tenth.lo == toi_next_down(0.1));
  assert_true(pi.lo == 0x1.921fb54442d18p+1 && pi.hi == 0x1.921fb54442d19p+1);
  assert_true(tiny.lo == 0 && tiny.hi == 0x1p-1074);
  toi_interval half = value_of(f, "0.500000000000000000000000"), e = value_of(f, "e");
  assert_true(half.lo == 0.5 && half.hi == 0.5 && e.lo < 2.718281828459046 && e.hi > 2.718281828459045);
  toi_formula_destroy(f);
  toi_context_destroy(context);
}

/* --- sentences --- */

static char *repeated(const char *part, size_t count) {
  size_t length = strlen(part);
  char *text = malloc(length * count + 1);
  assert_non_null(text);
  for (size_t i = 0; i < count; i++)
    memcpy(text + i * length, part, length);
  text[length * count] = 0;
  return text;
}

static void check_sentence(const char *text, const char *sentence) {
  toi_context *context = test_context(1);
  toi_formula *f = make(context);
  assert_int_equal(toi_formula_parse(f, text), TOI_NO_TERM);
  if (strstr(toi_context_error(context), sentence) == NULL)
    fail_msg("%.60s gives: %s; not: %s", text ? text : "NULL", toi_context_error(context), sentence);
  assert_int_equal(toi_formula_status(f), TOI_ERROR_INPUT);
  // The first failure stays, and what is built of it fails without another sentence.
  assert_int_equal(toi_formula_parse(f, "nonsense"), TOI_NO_TERM);
  assert_non_null(strstr(toi_context_error(context), sentence));
  toi_interval box[3] = {{0, 1}, {0, 1}, {0, 1}}, jet;
  assert_int_equal(toi_formula_bounds(f, TOI_NO_TERM, box, 0, &jet, NULL), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), sentence));
  toi_formula_destroy(f);
  toi_context_destroy(context);
}

static void every_mistake_has_its_sentence_and_column(void **state) {
  (void)state;
  const char *const cases[][2] = {
      {"", "formula \"\", column 1: the formula is empty"},
      {"  ", "column 3: the formula is empty"},
      {"u + w", "formula \"u + w\", column 5: the name \"w\" is not known"},
      {"2*sinh(u)", "column 3: the function \"sinh\" is not known"},
      {"atan2(u)", "column 1: atan2 takes 2 arguments, 1 given"},
      {"1 + sin(u, v)", "column 5: sin takes 1 argument, 2 given"},
      {"max(u)", "column 1: max takes at least 2 arguments, 1 given"},
      {"exp()", "column 1: exp takes 1 argument, 0 given"},
      {"pow(u, v, t)", "column 1: pow takes 2 arguments, 3 given"},
      {"sin u", "column 1: the function sin takes its arguments in parentheses"},
      {"u(v)", "column 1: u is not a function; write * to multiply"},
      {"(u + v", "column 7: the text ends where a closing parenthesis is missing"},
      {"sin(u", "column 6: the text ends where a closing parenthesis is missing"},
      {"u + v)", "column 6: a closing parenthesis has no opening one"},
      {"u v", "column 3: \"v\" stands where an operator such as + or * is missing"},
      {"2u", "column 2: \"u\" stands where an operator such as + or * is missing"},
      {"u + * v", "column 5: \"*\" stands where a number, a name or a parenthesis is missing"},
      {"u +", "column 4: the text ends where a number, a name or a parenthesis is missing"},
      {"u $ v", "column 3: the character \"$\" means nothing in a formula"},
      {"u + \xc3\xa9", "column 5: the byte 0xc3 means nothing in a formula"},
      {"1e999", "column 1: the number is beyond the largest double"},
      {"u*1e309", "column 3: the number is beyond the largest double"},
      {"2 + .", "column 5: a point without digits is not a number"},
      {"1..2", "column 3: \".\" stands where"},
      {"u^2000000", "column 2: the whole exponent 2e+06 is beyond 1000000"},
      {"(u", "column 3: the text ends"},
      {"min(u,)", "column 7: \")\" stands where a number"},
      {NULL, "a formula to parse is NULL"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_sentence(cases[i][0], cases[i][1]);
}

static void nested_ten_thousand_deep(void **state) {
  (void)state;
  const char *const parts[] = {"(", "sin(", "2^", "-(", "max(u,"};
  const char *const columns[] = {"column 201", "column 801", "column 402", "column 402", "column 1201"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char *text = repeated(parts[i], 10000), sentence[80];
    snprintf(sentence, sizeof sentence, "%s: the formula is nested deeper than 200", columns[i]);
    check_sentence(text, sentence);
    free(text);
  }
  // Signs, sums and terms made by calls nest as deep as one likes.
  toi_context *context = test_context(1);
  toi_formula *f = make(context);
  char *signs = repeated("-", 10000), *sums = repeated("+u*v", 10000);
  assert_int_not_equal(toi_formula_parse(f, sums), TOI_NO_TERM);
  signs[9999] = 'u';
  assert_int_not_equal(toi_formula_parse(f, signs), TOI_NO_TERM);
  free(signs);
  free(sums);
  toi_term deep = toi_formula_variable(f, 0);
  for (int i = 0; i < 10000; i++)
    deep = toi_formula_apply(f, i % 2 ? TOI_OP_COS : TOI_OP_SIN, deep, TOI_NO_TERM);
  toi_interval box[3] = {{0, 1}, {0, 1}, {0, 1}}, jet[10];
  bool defined;
  assert_int_equal(toi_formula_bounds(f, deep, box, 2, jet, &defined), TOI_OK);
  assert_true(defined && jet[0].hi <= 1);
  toi_formula_destroy(f);
  toi_context_destroy(context);
}

static void text_too_long(void **state) {
  (void)state;
  char *text = repeated(" ", ((size_t)1 << 20) + 1);
  check_sentence(text, "column 1048577: the text is longer than 1048576 characters");
  free(text);
}

/* --- calls --- */

/* Each makes a formula fail; the sentence says why. */
static void check_call(int which, const char *sentence) {
  toi_context *context = test_context(1);
  toi_formula *f = make(context);
  toi_term u = toi_formula_variable(f, 0), none = TOI_NO_TERM, got = none;
  const double c[2] = {1, NAN}, errors[3] = {0, -1, 0};
  toi_interval domain = {0, 1};
  if (which == 0)
    got = toi_formula_variable(f, 3);
  else if (which == 1)
    got = toi_formula_constant(f, INFINITY);
  else if (which == 2)
    got = toi_formula_enclosed(f, (toi_interval){1, 0});
  else if (which == 3)
    got = toi_formula_apply(f, TOI_OP_SIN, u, u);
  else if (which == 4)
    got = toi_formula_apply(f, TOI_OP_ADD, u, 1000);
  else if (which == 5)
    got = toi_formula_apply(f, TOI_OP_COUNT, u, u);
  else if (which == 6)
    got = toi_formula_series(f, u, (toi_interval){1, 1}, c, 1, NULL);
  else if (which == 7)
    got = toi_formula_series(f, u, domain, c, 2, NULL);
  else if (which == 8)
    got = toi_formula_series(f, u, domain, c, 1, errors);
  else if (which == 9)
    got = toi_formula_series(f, u, domain, c, 0, NULL);
  else if (which == 10)
    got = toi_formula_series(f, none, domain, c, 1, NULL);
  else if (which == 11)
    got = toi_formula_name(f, "sin", u) == TOI_ERROR_INPUT ? none : u;
  else if (which == 12)
    got = toi_formula_name(f, "2x", u) == TOI_ERROR_INPUT ? none : u;
  else
    got = toi_formula_name(f, "x", 1000) == TOI_ERROR_INPUT ? none : u;
  assert_int_equal(got, none);
  if (strstr(toi_context_error(context), sentence) == NULL)
    fail_msg("call %d gives: %s", which, toi_context_error(context));
  assert_int_equal(toi_formula_status(f), TOI_ERROR_INPUT);
  toi_formula_destroy(f);
  toi_context_destroy(context);
}

static void calls_that_make_no_sense(void **state) {
  (void)state;
  const char *const sentences[] = {"there is no variable 3; the formula has 3",
                                   "the constant inf of a formula is not finite",
                                   "cannot lie in [1, 0]",
                                   "sin takes 1 terms",
                                   "+ takes 2 terms",
                                   "unknown operator 17",
                                   "the domain [1, 1] of a series",
                                   "coefficient 1 of a series is nan",
                                   "error[1] of a series is -1",
                                   "a series has 1 to 1024 coefficients, 0 given",
                                   "the argument of a series is not a term",
                                   "the name sin is already in use",
                                   "\"2x\" is not a valid name",
                                   "the name x was given to no term"};
  for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
    check_call((int)i, sentences[i]);
  toi_context *context = test_context(1);
  toi_formula *f;
  assert_int_equal(toi_formula_create(context, (const char *const[]){"u", "u"}, 2, &f), TOI_ERROR_INPUT);
  assert_null(f);
  assert_int_equal(toi_formula_create(context, (const char *const[]){"pi"}, 1, &f), TOI_ERROR_INPUT);
  assert_int_equal(toi_formula_create(context, NULL, 5, &f), TOI_ERROR_INPUT);
  assert_string_equal(toi_operator_name(TOI_OP_ATAN2), "atan2");
  assert_null(toi_operator_name(TOI_OP_COUNT));
  toi_context_destroy(context);
}

static void names_stand_for_terms(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_formula *f = make(context);
  assert_int_equal(toi_formula_name(f, "r", toi_formula_parse(f, "1 + u*v")), TOI_OK);
  assert_int_equal(toi_formula_parse(f, "r*sin(t)"), toi_formula_parse(f, "(1 + u*v)*sin(t)"));
  assert_int_equal(toi_formula_name(f, "r", 0), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "the name r is already in use"));
  toi_formula_destroy(f);
  toi_context_destroy(context);
}

/* --- faults --- */

static void faults_say_where_they_are(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_formula *f = make(context);
  const toi_interval box[3] = {{-1, 3}, {0, 1}, {0, 1}};
  const struct {
    const char *text, *operation, *wrong;
    size_t column;
  } cases[] = {
      {"v + 1/(u - 2)", "/", "divides by a number that may be 0", 6},
      {"sqrt(u)", "sqrt", "takes the root of a number that may be negative", 1},
      {"2*log(u)", "log", "takes the logarithm of a number that may be 0 or negative", 3},
      {"v + u^-2", "^", "raises a number that may be 0 to a negative power", 6},
      {"u^1.5", "^", "raises a number that may be negative, or 0 to a power that may not be positive", 2},
      {"1 + tan(u)", "tan", "of an angle that may be an odd multiple of pi/2", 5},
      {"atan2(v - 0.5, u)", "atan2",
       "of a point that may be the origin, or across the negative x axis where the angle jumps", 1},
      {"3 + exp(exp(10*u))", "exp", "is not bounded", 5},
      {"1/0 + u", "/", "divides by a number that may be 0", 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    toi_tape *tape;
    toi_tape_fault fault;
    toi_interval place[3], value[2];
    toi_term terms[2] = {toi_formula_variable(f, 1), toi_formula_parse(f, cases[i].text)};
    assert_int_equal(toi_tape_make(context, f, terms, 2, &tape), TOI_OK);
    assert_false(toi_tape_check(tape, box, &fault, place));
    assert_string_equal(fault.operation, cases[i].operation);
    assert_string_equal(fault.wrong, cases[i].wrong);
    assert_int_equal(fault.column, cases[i].column);
    assert_int_equal(fault.term, 1);
    assert_true(toi_interval_encloses(box[0], place[0]));
    bool unbounded = strcmp(cases[i].wrong, "is not bounded") == 0;
    assert_true(toi_tape_bounds(tape, place, 0, value) == unbounded);
    assert_true(toi_tape_find_fault(tape, place, &fault) == !unbounded);
    toi_tape_destroy(tape);
  }
  toi_formula_destroy(f);
  toi_context_destroy(context);
}

static void halving_proves_what_one_look_does_not(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_formula *f = make(context);
  const toi_interval box[3] = {{-2, 3}, {-1, 1}, {0, 1}};
  toi_tape *tape;
  toi_tape_fault fault;
  toi_interval place[3];
  toi_term term = toi_formula_parse(f, "sqrt(u*(u - 1) + v*(v - u) + 1.5)");
  assert_int_equal(toi_tape_make(context, f, &term, 1, &tape), TOI_OK);
  assert_true(toi_tape_find_fault(tape, box, &fault));
  assert_true(toi_tape_check(tape, box, &fault, place));
  assert_int_equal(toi_tape_variables(tape), 3);
  assert_int_equal(toi_tape_arity(tape), 3);
  toi_tape_destroy(tape);
  toi_formula_destroy(f);
  toi_context_destroy(context);
}

/* --- memory --- */

/* A formula with names, a series and a long sum, and its values. */
static toi_status try_everything(toi_context *context, toi_interval *jet) {
  toi_formula *f;
  toi_status status = toi_formula_create(context, (const char *const[]){"u", "v", "t"}, 3, &f);
  if (status != TOI_OK)
    return status;
  const double c[4] = {1, 0.5, 0.25, 0.125};
  toi_term series = toi_formula_series(f, toi_formula_variable(f, 2), (toi_interval){0, 1}, c, 4, NULL);
  toi_term term = TOI_NO_TERM;
  if (toi_formula_name(f, "s", series) == TOI_OK)
    term = toi_formula_parse(f, "s*(1 + 0.08*cos(6*pi*u)*sin(pi*u)^2*cos(8*pi*v)) + atan2(u, 2 + v)*exp(t)/(3 + u) +"
                                "abs(u - v)*min(u, v, t) + sqrt(1 + u^4) + (1 + u^2)^v + log(2 + t*v)");
  const toi_interval box[3] = {{0.25, 0.5}, {0, 0.25}, {0.5, 0.75}};
  bool defined;
  status = toi_formula_bounds(f, term, box, 2, jet, &defined);
  if (status == TOI_OK)
    assert_true(defined);
  if (status != TOI_OK)
    assert_true(toi_context_error(context)[0] != 0);
  toi_formula_destroy(f);
  return status;
}

static void each_allocation_refused_in_turn(void **state) {
  (void)state;
  toi_interval wanted[10], jet[10];
  size_t refused = 0;
  for (size_t at = 0;; at++) {
    test_allocator allocator = {0};
    toi_context *context = test_context_on(&allocator);
    size_t before = allocator.calls;
    allocator.refuse_at = at ? before + at : 0;
    uint64_t bytes = toi_context_bytes(context);
    toi_status status = try_everything(context, at ? jet : wanted);
    assert_int_equal(toi_context_bytes(context), bytes);
    bool reached = at && allocator.calls >= before + at;
    toi_context_destroy(context);
    assert_true(allocator.blocks == 0 && allocator.bytes == 0 && allocator.wrong_sizes == 0);
    if (status == TOI_OK && at)
      assert_memory_equal(jet, wanted, sizeof jet);
    if (reached) {
      assert_int_equal(status, TOI_ERROR_MEMORY);
      refused++;
    } else {
      assert_int_equal(status, TOI_OK);
    }
    if (at && !reached)
      break;
  }
  assert_true(refused > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_terms_are_one),
      cmocka_unit_test(decimals_are_enclosed),
      cmocka_unit_test(every_mistake_has_its_sentence_and_column),
      cmocka_unit_test(nested_ten_thousand_deep),
      cmocka_unit_test(text_too_long),
      cmocka_unit_test(calls_that_make_no_sense),
      cmocka_unit_test(names_stand_for_terms),
      cmocka_unit_test(faults_say_where_they_are),
      cmocka_unit_test(halving_proves_what_one_look_does_not),
      cmocka_unit_test(each_allocation_refused_in_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
