/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions given by formulas: as text, as terms, and as Chebyshev series. */

#include "motion/stage.h"
#include "number/series.h"

#define CHEBYSHEV TOI_LAYOUT(toi_chebyshev, translation)

/* --- terms --- */

/* Fails with a sentence unless all are terms. */
static toi_status check_terms(toi_context *context, const char *name, const toi_term *terms, size_t count) {
  for (size_t i = 0; terms && i < count; i++)
    if (terms[i] == TOI_NO_TERM)
      return toi_fail(context, TOI_ERROR_INPUT, "%s[%zu] is not a term", name, i);
  return TOI_OK;
}

/* A tape of terms in t alone. */
static toi_status make_tape(toi_motion *motion, const toi_formula *formula, const toi_term *terms, size_t count,
                            toi_tape **tape) {
  toi_status status = toi_tape_make(motion->context, formula, terms, count, tape);
  if (status != TOI_OK || toi_tape_arity(*tape) == 1)
    return status;
  size_t dimension = toi_tape_arity(*tape);
  toi_tape_destroy(*tape);
  *tape = NULL;
  return toi_fail(motion->context, TOI_ERROR_INPUT, "the formula has %zu variables; a motion's has one, t", dimension);
}

toi_status toi_motion_add_terms(toi_motion *motion, const toi_formula *formula, const toi_term *quaternion,
                                const toi_term *translation) {
  toi_term terms[7] = {0};
  size_t count = 0;
  for (size_t i = 0; quaternion && i < 4; i++)
    terms[count++] = quaternion[i];
  for (size_t i = 0; translation && i < 3; i++)
    terms[count++] = translation[i];
  if (count == 0)
    return TOI_OK;
  toi_stage stage = {.turns = quaternion != NULL, .moves = translation != NULL};
  toi_status status = make_tape(motion, formula, terms, count, &stage.tape);
  return status == TOI_OK ? toi_motion_add(motion, &stage, NULL) : status;
}

static toi_status add_turn(toi_motion *motion, const double axis[3], const toi_formula *formula, toi_term angle) {
  toi_tape *tape = NULL;
  toi_status status = make_tape(motion, formula, &angle, 1, &tape);
  if (status != TOI_OK)
    return status;
  toi_screw screw = {0};
  toi_stage stage = {0};
  memcpy(screw.axis, axis, sizeof(screw.axis));
  toi_wave_screw(&screw, tape, &stage.wave);
  const toi_motion_part part = {.kind = TOI_PART_SCREW, .given = screw, .angle = tape};
  return toi_motion_add(motion, &stage, &part);
}

static TOI_APART toi_status move_by_terms(toi_motion *motion, const toi_formula *formula, const toi_term quaternion[4],
                                          const toi_term translation[3]) {
  if (!formula)
    return toi_fail(motion->context, TOI_ERROR_INPUT, "formula is NULL");
  toi_status status = check_terms(motion->context, "quaternion", quaternion, 4);
  if (status == TOI_OK)
    status = check_terms(motion->context, "translation", translation, 3);
  return status == TOI_OK ? toi_motion_add_terms(motion, formula, quaternion, translation) : status;
}

toi_status toi_motion_terms(toi_motion *motion, const toi_formula *formula, const toi_term quaternion[4],
                            const toi_term translation[3]) {
  TOI_MOTION_CALL(motion, move_by_terms(motion, formula, quaternion, translation));
}

static TOI_APART toi_status turn_by_term(toi_motion *motion, const double axis[3], const toi_formula *formula,
                                         toi_term angle) {
  toi_status status = toi_motion_check_axis(motion->context, axis);
  if (status != TOI_OK)
    return status;
  if (!formula)
    return toi_fail(motion->context, TOI_ERROR_INPUT, "formula is NULL");
  if (angle == TOI_NO_TERM)
    return toi_fail(motion->context, TOI_ERROR_INPUT, "angle is not a term");
  return add_turn(motion, axis, formula, angle);
}

toi_status toi_motion_turn_term(toi_motion *motion, const double axis[3], const toi_formula *formula, toi_term angle) {
  TOI_MOTION_CALL(motion, turn_by_term(motion, axis, formula, angle));
}

/* --- text --- */

static toi_status make_formula(toi_context *context, toi_formula **formula) {
  return toi_formula_create(context, (const char *const[]){"t"}, 1, formula);
}

/* The terms of some texts; a failure names the one that it is in. */
static toi_status parse(toi_context *context, toi_formula *formula, const char *name, const char *const *texts,
                        toi_term *terms, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!texts[i])
      return toi_fail(context, TOI_ERROR_INPUT, "%s[%zu] is NULL", name, i);
    terms[i] = toi_formula_parse(formula, texts[i]);
    toi_status status = toi_formula_status(formula);
    if (status != TOI_OK)
      return toi_fail(context, status, "%s[%zu]: %s", name, i, toi_context_error(context));
  }
  return TOI_OK;
}

static TOI_APART toi_status move_by_formulas(toi_motion *motion, const char *const quaternion[4],
                                             const char *const translation[3]) {
  toi_formula *formula = NULL;
  toi_term q[4] = {0}, p[3] = {0};
  toi_status status = make_formula(motion->context, &formula);
  if (status == TOI_OK && quaternion)
    status = parse(motion->context, formula, "quaternion", quaternion, q, 4);
  if (status == TOI_OK && translation)
    status = parse(motion->context, formula, "translation", translation, p, 3);
  if (status == TOI_OK)
    status = toi_motion_add_terms(motion, formula, quaternion ? q : NULL, translation ? p : NULL);
  toi_formula_destroy(formula);
  return status;
}

toi_status toi_motion_formula(toi_motion *motion, const char *const quaternion[4], const char *const translation[3]) {
  TOI_MOTION_CALL(motion, move_by_formulas(motion, quaternion, translation));
}

static TOI_APART toi_status turn_by_formula(toi_motion *motion, const double axis[3], const char *angle) {
  toi_status status = toi_motion_check_axis(motion->context, axis);
  if (status != TOI_OK)
    return status;
  if (!angle)
    return toi_fail(motion->context, TOI_ERROR_INPUT, "angle is NULL");
  toi_formula *formula = NULL;
  status = make_formula(motion->context, &formula);
  if (status != TOI_OK)
    return status;
  toi_term term = toi_formula_parse(formula, angle);
  status = toi_formula_status(formula);
  if (status == TOI_OK)
    status = add_turn(motion, axis, formula, term);
  else
    status = toi_fail(motion->context, status, "angle: %s", toi_context_error(motion->context));
  toi_formula_destroy(formula);
  return status;
}

toi_status toi_motion_turn_formula(toi_motion *motion, const double axis[3], const char *angle) {
  TOI_MOTION_CALL(motion, turn_by_formula(motion, axis, angle));
}

/* --- series --- */

/* All arrays, or none; *given says which. */
static toi_status check_arrays(toi_context *context, const char *name, const double *const *arrays, size_t count,
                               bool *given) {
  size_t there = 0;
  for (size_t i = 0; i < count; i++)
    there += arrays[i] != NULL;
  *given = there > 0;
  for (size_t i = 0; *given && i < count; i++)
    if (!arrays[i])
      return toi_fail(context, TOI_ERROR_INPUT, "%s[%zu] is NULL and others are not; give all of them, or none", name,
                      i);
  return TOI_OK;
}

static toi_status check_numbers(toi_context *context, const char *name, const double *const *arrays, size_t count,
                                size_t length) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < length; k++)
      if (!isfinite(arrays[i][k]))
        return toi_fail(context, TOI_ERROR_INPUT, "%s[%zu][%zu] is %g; it must be finite", name, i, k, arrays[i][k]);
  return TOI_OK;
}

static toi_status check_chebyshev(toi_context *context, const toi_chebyshev *series) {
  double from = series->t_from, to = series->t_to;
  if (!(from < to) || !isfinite(from) || !isfinite(to - from))
    return toi_fail(context, TOI_ERROR_INPUT, "t_from = %g, t_to = %g is not an interval of finite, positive length",
                    from, to);
  bool turns, moves;
  toi_status status = check_arrays(context, "quaternion", series->quaternion, 4, &turns);
  if (status == TOI_OK)
    status = check_arrays(context, "translation", series->translation, 3, &moves);
  if (status != TOI_OK)
    return status;
  if (!turns && !moves)
    return toi_fail(context, TOI_ERROR_INPUT, "the series has neither a quaternion nor a translation");
  if (series->count == 0 || series->count > TOI_SERIES_MOST)
    return toi_fail(context, TOI_ERROR_INPUT, "count is %zu; it must be 1 to %d", series->count, TOI_SERIES_MOST);
  if (turns)
    status = check_numbers(context, "quaternion", series->quaternion, 4, series->count);
  if (status == TOI_OK && moves)
    status = check_numbers(context, "translation", series->translation, 3, series->count);
  return status;
}

void toi_chebyshev_init(toi_chebyshev *series, size_t size) {
  toi_init_struct(CHEBYSHEV, NULL, series, size);
}

toi_status toi_chebyshev_take(toi_context *context, const toi_chebyshev *given, toi_chebyshev *taken) {
  *taken = (toi_chebyshev){0};
  toi_status status = toi_take_description(context, CHEBYSHEV, given, taken);
  return status == TOI_OK ? check_chebyshev(context, taken) : status;
}

/* Terms of some arrays of coefficients. */
static void make_series(toi_formula *formula, const toi_chebyshev *series, const double *const *arrays,
                        const toi_series_error *error, toi_term *terms) {
  toi_interval domain = {series->t_from, series->t_to};
  toi_term t = toi_formula_variable(formula, 0);
  size_t count = arrays == series->quaternion ? 4 : 3;
  for (size_t i = 0; i < count; i++)
    terms[i] = toi_formula_series(formula, t, domain, arrays[i], series->count, error ? error[i].of : NULL);
}

toi_status toi_motion_add_series(toi_motion *motion, const toi_chebyshev *series, const toi_series_error error[7]) {
  toi_interval domain = {series->t_from, series->t_to}, common = domain;
  if (!toi_interval_intersect(motion->domain, domain, &common))
    return toi_fail(motion->context, TOI_ERROR_INPUT,
                    "the series over [%g, %g] has no time in common with those before, over [%g, %g]", domain.lo,
                    domain.hi, motion->domain.lo, motion->domain.hi);
  toi_formula *formula = NULL;
  toi_status status = make_formula(motion->context, &formula);
  if (status != TOI_OK)
    return status;
  bool turns = series->quaternion[0] != NULL, moves = series->translation[0] != NULL;
  toi_term q[4] = {0}, p[3] = {0};
  if (turns)
    make_series(formula, series, series->quaternion, error, q);
  if (moves)
    make_series(formula, series, series->translation, error ? error + 4 : NULL, p);
  status = toi_formula_status(formula);
  if (status == TOI_OK)
    status = toi_motion_add_terms(motion, formula, turns ? q : NULL, moves ? p : NULL);
  if (status == TOI_OK)
    motion->domain = common;
  toi_formula_destroy(formula);
  return status;
}

static TOI_APART toi_status move_by_series(toi_motion *motion, const toi_chebyshev *series) {
  toi_chebyshev taken;
  toi_status status = toi_chebyshev_take(motion->context, series, &taken);
  return status == TOI_OK ? toi_motion_add_series(motion, &taken, NULL) : status;
}

toi_status toi_motion_chebyshev(toi_motion *motion, const toi_chebyshev *series) {
  TOI_MOTION_CALL(motion, move_by_series(motion, series));
}
