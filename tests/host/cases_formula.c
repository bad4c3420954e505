/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* formula.h: terms built by calls and parsed from text, and their bounds. */

#include "host/cases.h"

static const char *const variables[] = {"u", "v", "t"};

/* A formula of u, v and t; NULL if there is none. */
static toi_formula *make(host_run *run) {
  toi_formula *formula = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_formula_create, (run->context, variables, 3, &formula));
  if (host_context_status(run, status))
    return formula;
  HOST_CHECK(run, formula == NULL);
  return NULL;
}

/* Notes the formula's status and ends it. */
static void end(host_run *run, toi_formula *formula) {
  toi_status status;
  HOST_CALL(run, status, toi_formula_status, (formula));
  host_context_status(run, status);
  HOST_DO(run, toi_formula_destroy, (formula));
}

/* Bounds of order 2 around u = 3, v = -2, t = 1 units, and at a point. On failure nothing is known. */
static void record_bounds(host_run *run, toi_formula *formula, toi_term term) {
  const toi_interval boxes[2][3] = {{{host_number(run->input, 2), host_number(run->input, 3)},
                                     {host_number(run->input, -2), host_number(run->input, -1)},
                                     {host_number(run->input, 0), host_number(run->input, 1)}},
                                    {{host_number(run->input, 3), host_number(run->input, 3)},
                                     {host_number(run->input, -2), host_number(run->input, -2)},
                                     {host_number(run->input, 105), host_number(run->input, 117)}}};
  for (size_t i = 0; i < 2; i++) {
    toi_interval jet[TOI_JET_SIZE(3, 2)];
    bool defined;
    HOST_SPOIL(jet);
    toi_status status;
    HOST_CALL(run, status, toi_formula_bounds, (formula, term, boxes[i], 2, jet, &defined));
    if (!host_context_status(run, status))
      continue;
    HOST_BITS(run, jet);
    HOST_BITS(run, defined);
  }
}

static void bounds(host_run *run) {
  static const char *const texts[] = {"(2 + 0.5*cos(v))*cos(u) + t",
                                      "u * 0x1p0 - v^3 / (1.7 + t^2)",
                                      "exp(u) * log(abs(v) + 1e-3) - sqrt(u^2 + t^2)",
                                      "atan2(u, v) + atan(t) + tan(0.1*u)",
                                      "max(u, v, t) + min(u*v, 4.9e-324) + pow(abs(u), 0.3)",
                                      "u * 7.9e-323",
                                      "0.1 * u + 1e300 * v",
                                      "u / v + pi * e",
                                      "(u"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    toi_formula *formula = make(run);
    if (formula == NULL)
      continue;
    toi_term term;
    HOST_CALL(run, term, toi_formula_parse, (formula, texts[i]));
    HOST_BITS(run, term);
    record_bounds(run, formula, term);
    end(run, formula);
  }
}

static void apply(host_run *run) {
  for (int op = 0; op <= TOI_OP_COUNT; op++) {
    toi_formula *formula = make(run);
    if (formula == NULL)
      continue;
    toi_term u, v, term;
    HOST_CALL(run, u, toi_formula_variable, (formula, 0));
    HOST_CALL(run, v, toi_formula_variable, (formula, 1));
    HOST_CALL(run, term, toi_formula_apply, (formula, (toi_operator)op, u, op < TOI_OP_ADD ? TOI_NO_TERM : v));
    HOST_BITS(run, term);
    record_bounds(run, formula, term);
    end(run, formula);
  }
}

/* Constants meet constants, which are computed when the term is made. */
static void constants(host_run *run) {
  toi_formula *formula = make(run);
  if (formula == NULL)
    return;
  toi_term third, small, large, product, named;
  HOST_CALL(run, third, toi_formula_enclosed, (formula, (toi_interval){0x1.5555555555555p-2, 0x1.5555555555556p-2}));
  HOST_CALL(run, small, toi_formula_constant, (formula, host_number(run->input, 117)));
  HOST_CALL(run, large, toi_formula_constant, (formula, 0x1.23456789abcdfp500));
  HOST_CALL(run, product, toi_formula_apply, (formula, TOI_OP_MUL, small, large));
  HOST_CALL(run, product, toi_formula_apply, (formula, TOI_OP_DIV, product, third));
  toi_status status;
  HOST_CALL(run, status, toi_formula_name, (formula, "w", product));
  host_context_status(run, status);
  HOST_CALL(run, named, toi_formula_parse, (formula, "w + u"));
  HOST_BITS(run, named);
  record_bounds(run, formula, named);
  end(run, formula);
}

static void series(host_run *run) {
  static const double coefficients[] = {0.3, -1.7, 0x1p-1070, 0.01, 1e-9};
  static const double error[3] = {1e-12, 0x1p-1074, 0};
  for (int bounded = 0; bounded < 2; bounded++) {
    toi_formula *formula = make(run);
    if (formula == NULL)
      continue;
    toi_term u, term;
    HOST_CALL(run, u, toi_formula_variable, (formula, 0));
    const toi_interval domain = {host_number(run->input, -9), host_number(run->input, 9)};
    HOST_CALL(run, term, toi_formula_series, (formula, u, domain, coefficients, 5, bounded ? error : NULL));
    HOST_BITS(run, term);
    record_bounds(run, formula, term);
    end(run, formula);
  }
}

static void names(host_run *run) {
  for (int op = -1; op <= TOI_OP_COUNT; op++) {
    const char *text;
    HOST_CALL(run, text, toi_operator_name, ((toi_operator)op));
    host_text(run, "name", text);
  }
}

const host_case host_formula_cases[] = {
    {"toi_formula_bounds", bounds, HOST_FIGURES},      {"toi_formula_apply", apply, HOST_FIGURES},
    {"toi_formula_constant", constants, HOST_FIGURES}, {"toi_formula_series", series, HOST_FIGURES},
    {"toi_operator_name", names, HOST_ONCE},           {NULL, NULL, 0}};
