/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Formulas: terms by calls, names, the first failure, and values over a box. */

#include "number/formula_parts.h"

#include "number/series.h"
#include "number/trigonometry.h"

static const toi_function functions[] = {
    {"abs", TOI_OP_ABS, 1, 1}, {"sqrt", TOI_OP_SQRT, 1, 1}, {"sin", TOI_OP_SIN, 1, 1}, {"cos", TOI_OP_COS, 1, 1},
    {"tan", TOI_OP_TAN, 1, 1}, {"atan", TOI_OP_ATAN, 1, 1}, {"exp", TOI_OP_EXP, 1, 1}, {"log", TOI_OP_LOG, 1, 1},
    {"pow", TOI_OP_POW, 2, 2}, {"min", TOI_OP_MIN, 2, 0},   {"max", TOI_OP_MAX, 2, 0}, {"atan2", TOI_OP_ATAN2, 2, 2},
};

bool toi_function_find(const char *name, toi_function *function) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(name, functions[i].name) == 0) {
      *function = functions[i];
      return true;
    }
  return false;
}

const char *toi_operator_name(toi_operator op) {
  static const char *const names[TOI_OP_COUNT] = {"-", "abs", "sqrt", "sin", "cos", "tan", "atan", "exp",  "log",
                                                  "+", "-",   "*",    "/",   "^",   "min", "max",  "atan2"};
  return (unsigned)op < TOI_OP_COUNT ? names[op] : NULL;
}

/* --- failures --- */

toi_term toi_formula_note(toi_formula *formula, toi_status status) {
  toi_context *context = formula->context;
  if (formula->status == TOI_OK) {
    const char *sentence = toi_context_error(context);
    size_t length = strlen(sentence);
    length = length < sizeof formula->sentence ? length : sizeof formula->sentence - 1;
    memcpy(formula->sentence, sentence, length);
    formula->sentence[length] = 0;
    formula->status = status;
  } else {
    toi_fail(context, formula->status, "%s", formula->sentence);
  }
  return TOI_NO_TERM;
}

void toi_formula_recall(const toi_formula *formula) {
  if (formula->status != TOI_OK)
    toi_fail(formula->context, formula->status, "%s", formula->sentence);
}

toi_status toi_formula_status(const toi_formula *formula) {
  toi_call call;
  toi_call_begin(&call, formula->context);
  toi_formula_recall(formula);
  toi_call_end(&call);
  return formula->status;
}

/* A term that could not be built: the builder left the sentence in the context. */
static toi_term settle(toi_formula *formula, toi_term term) {
  if (term != TOI_NO_TERM)
    return term;
  toi_status status = formula->terms.status;
  formula->terms.status = TOI_OK;
  return toi_formula_note(formula, status != TOI_OK ? status : TOI_ERROR_MEMORY);
}

/* --- making --- */

static bool is_name(const char *name) {
  if (name == NULL)
    return false;
  size_t length = 0;
  for (const char *c = name; *c; c++, length++) {
    bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
    if (!letter && !(length > 0 && *c >= '0' && *c <= '9'))
      return false;
  }
  return length > 0 && length < TOI_NAME_SIZE;
}

static bool is_taken(const toi_formula *formula, const char *name) {
  toi_function function;
  if (toi_function_find(name, &function) || strcmp(name, "pi") == 0 || strcmp(name, "e") == 0)
    return true;
  for (size_t i = 0; i < formula->variable_count; i++)
    if (strcmp(name, formula->variables[i]) == 0)
      return true;
  for (size_t i = 0; i < formula->name_count; i++)
    if (strcmp(name, formula->names[i].name) == 0)
      return true;
  return false;
}

static toi_status check_name(toi_context *context, const toi_formula *formula, const char *name) {
  if (!is_name(name))
    return toi_fail(
        context, TOI_ERROR_INPUT,
        "\"%.80s\" is not a valid name in a formula; it must be a letter, then letters, digits and _, up to %d",
        name ? name : "", TOI_NAME_SIZE - 1);
  if (is_taken(formula, name))
    return toi_fail(context, TOI_ERROR_INPUT, "the name %s is already in use in this formula; choose another one",
                    name);
  return TOI_OK;
}

static TOI_APART toi_status create(toi_context *context, const char *const *variables, size_t count,
                                   toi_formula **formula) {
  if (formula == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_formula_create() was given no place for the formula");
  *formula = NULL;
  if (context == NULL)
    return TOI_ERROR_INPUT;
  if (count > TOI_FORMULA_VARIABLES || (count > 0 && variables == NULL))
    return toi_fail(context, TOI_ERROR_INPUT, "a formula has up to %d variables, %zu given", TOI_FORMULA_VARIABLES,
                    variables ? count : 0);
  toi_formula *f = toi_allocate(context, sizeof *f);
  if (f == NULL)
    return TOI_ERROR_MEMORY;
  *f = (toi_formula){.context = context, .terms = {.context = context}};
  for (size_t i = 0; i < count; i++) {
    toi_status status = check_name(context, f, variables[i]);
    if (status != TOI_OK) {
      toi_formula_destroy(f);
      return status;
    }
    memcpy(f->variables[i], variables[i], strlen(variables[i]) + 1);
    f->variable_count++;
  }
  *formula = f;
  return TOI_OK;
}

toi_status toi_formula_create(toi_context *context, const char *const *variables, size_t count, toi_formula **formula) {
  TOI_CALL(context, create(context, variables, count, formula));
}

static TOI_APART void destroy(toi_formula *formula) {
  if (formula == NULL)
    return;
  toi_context *context = formula->context;
  toi_tape_destroy(formula->tape);
  toi_terms_free(&formula->terms);
  if (formula->names)
    toi_free(context, formula->names, formula->name_room * sizeof *formula->names);
  toi_free(context, formula, sizeof *formula);
}

void toi_formula_destroy(toi_formula *formula) {
  TOI_CALL_VOID(NULL, destroy(formula));
}

/* --- terms by calls --- */

static TOI_APART toi_term variable(toi_formula *formula, size_t number) {
  if (number >= formula->variable_count)
    return toi_formula_note(formula, toi_fail(formula->context, TOI_ERROR_INPUT,
                                              "there is no variable %zu; the formula has %zu, numbered from 0", number,
                                              formula->variable_count));
  return settle(formula, toi_terms_variable(&formula->terms, (uint32_t)number));
}

toi_term toi_formula_variable(toi_formula *formula, size_t number) {
  toi_call call;
  toi_call_begin(&call, formula->context);
  const toi_term term = variable(formula, number);
  toi_formula_recall(formula);
  toi_call_end(&call);
  return term;
}

static TOI_APART toi_term constant(toi_formula *formula, double value) {
  if (!(fabs(value) <= DBL_MAX))
    return toi_formula_note(
        formula, toi_fail(formula->context, TOI_ERROR_INPUT, "the constant %g of a formula is not finite", value));
  return settle(formula, toi_terms_constant(&formula->terms, value));
}

toi_term toi_formula_constant(toi_formula *formula, double value) {
  toi_call call;
  toi_call_begin(&call, formula->context);
  const toi_term term = constant(formula, value);
  toi_formula_recall(formula);
  toi_call_end(&call);
  return term;
}

static TOI_APART toi_term enclosed(toi_formula *formula, toi_interval value) {
  if (!(value.lo <= value.hi && fabs(value.lo) <= DBL_MAX && fabs(value.hi) <= DBL_MAX))
    return toi_formula_note(formula, toi_fail(formula->context, TOI_ERROR_INPUT,
                                              "a constant of a formula cannot lie in [%g, %g]", value.lo, value.hi));
  return settle(formula, toi_terms_enclosed(&formula->terms, value, TOI_CONSTANT_ENCLOSED, 0, 0));
}

toi_term toi_formula_enclosed(toi_formula *formula, toi_interval value) {
  toi_call call;
  toi_call_begin(&call, formula->context);
  const toi_term term = enclosed(formula, value);
  toi_formula_recall(formula);
  toi_call_end(&call);
  return term;
}

static TOI_APART toi_term apply(toi_formula *formula, toi_operator op, toi_term a, toi_term b) {
  toi_context *context = formula->context;
  if ((unsigned)op >= TOI_OP_COUNT)
    return toi_formula_note(
        formula, toi_fail(context, TOI_ERROR_INPUT, "unknown operator %d; use one of toi_operator", (int)op));
  bool two = toi_term_operands((uint32_t)op) == 2;
  // What failed before was said before.
  if (formula->status != TOI_OK && (a == TOI_NO_TERM || (two && b == TOI_NO_TERM)))
    return toi_formula_note(formula, formula->status);
  uint32_t count = formula->terms.count;
  if (a >= count || (two ? b >= count : b != TOI_NO_TERM))
    return toi_formula_note(formula, toi_fail(context, TOI_ERROR_INPUT,
                                              "%s takes %d terms of this formula, and was given another number",
                                              toi_operator_name(op), two ? 2 : 1));
  return settle(formula, toi_terms_build(&formula->terms, (uint32_t)op, a, b));
}

toi_term toi_formula_apply(toi_formula *formula, toi_operator op, toi_term a, toi_term b) {
  toi_call call;
  toi_call_begin(&call, formula->context);
  const toi_term term = apply(formula, op, a, b);
  toi_formula_recall(formula);
  toi_call_end(&call);
  return term;
}

static TOI_APART toi_term series_of(toi_formula *formula, toi_term x, toi_interval domain, const double *coefficients,
                                    size_t count, const double error[3]) {
  toi_context *context = formula->context;
  if (formula->status != TOI_OK && x == TOI_NO_TERM)
    return toi_formula_note(formula, formula->status);
  if (x >= formula->terms.count)
    return toi_formula_note(
        formula, toi_fail(context, TOI_ERROR_INPUT, "the argument of a series is not a term of this formula"));
  toi_series *series;
  toi_status status = toi_series_make(context, &(toi_series_input){domain, coefficients, count, error}, &series);
  if (status != TOI_OK)
    return toi_formula_note(formula, status);
  uint32_t number = 0;
  bool added = toi_terms_add_series(&formula->terms, series, &number);
  toi_series_release(context, series);
  return settle(formula, added ? toi_terms_series(&formula->terms, x, number, 0) : TOI_NO_TERM);
}

toi_term toi_formula_series(toi_formula *formula, toi_term x, toi_interval domain, const double *coefficients,
                            size_t count, const double error[3]) {
  toi_call call;
  toi_call_begin(&call, formula->context);
  const toi_term term = series_of(formula, x, domain, coefficients, count, error);
  toi_formula_recall(formula);
  toi_call_end(&call);
  return term;
}

static TOI_APART toi_status name_term(toi_formula *formula, const char *name, toi_term term) {
  toi_context *context = formula->context;
  if (term == TOI_NO_TERM && formula->status != TOI_OK)
    return toi_formula_status(formula);
  toi_status status = check_name(context, formula, name);
  if (status == TOI_OK && term >= formula->terms.count)
    status = toi_fail(context, TOI_ERROR_INPUT, "the name %s was given to no term of this formula", name);
  if (status == TOI_OK) {
    toi_formula_named *names =
        toi_grow(context, formula->names, formula->name_count, &formula->name_room, sizeof *names, 8);
    status = names == NULL ? TOI_ERROR_MEMORY : TOI_OK;
    formula->names = names == NULL ? formula->names : names;
  }
  if (status != TOI_OK) {
    toi_formula_note(formula, status);
    return status;
  }
  toi_formula_named *named = &formula->names[formula->name_count++];
  memcpy(named->name, name, strlen(name) + 1);
  named->term = term;
  return TOI_OK;
}

toi_status toi_formula_name(toi_formula *formula, const char *name, toi_term term) {
  TOI_CALL(formula->context, name_term(formula, name, term));
}

/* --- values --- */

static toi_status check_box(const toi_formula *formula, const toi_interval *box) {
  for (size_t i = 0; i < formula->variable_count; i++)
    if (!toi_interval_is_valid(box[i]))
      return toi_fail(formula->context, TOI_ERROR_INPUT, "%s in [%g, %g] is not an interval", formula->variables[i],
                      box[i].lo, box[i].hi);
  return TOI_OK;
}

static TOI_APART toi_status bounds(toi_formula *formula, toi_term term, const toi_interval *box, unsigned order,
                                   toi_interval *jet, bool *defined) {
  if (formula->status != TOI_OK && term == TOI_NO_TERM)
    return toi_formula_status(formula);
  if (order > 2 || jet == NULL || (box == NULL && formula->variable_count > 0))
    return toi_fail(formula->context, TOI_ERROR_INPUT,
                    "toi_formula_bounds() needs a box, a place for the answer and an order of 0 to 2");
  toi_status status = check_box(formula, box);
  if (status == TOI_OK && (formula->tape == NULL || formula->tape_term != term)) {
    toi_tape_destroy(formula->tape);
    formula->tape = NULL;
    status = toi_tape_make(formula->context, formula, &term, 1, &formula->tape);
    formula->tape_term = term;
  }
  if (status != TOI_OK)
    return status;
  bool all = toi_tape_bounds(formula->tape, box, order, jet);
  if (defined)
    *defined = all;
  return TOI_OK;
}

toi_status toi_formula_bounds(toi_formula *formula, toi_term term, const toi_interval *box, unsigned order,
                              toi_interval *jet, bool *defined) {
  TOI_CALL(formula->context, bounds(formula, term, box, order, jet, defined));
}
