/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a motion must be before a search may rely on it.
 *
 * Claim: when toi_motion_check succeeds, the motion is defined and finite at every time asked about, and no
 *   quaternion vanishes there. Why: the tape proves that the given terms are defined and finite; and the times are
 *   covered by pieces, over each of which |q|^2 is enclosed above 0 and the whole motion by finite numbers. Pieces that
 *   do not show it are halved.
 * Bound: at most PIECES_MOST pieces are processed; then the place that is left open is reported. */

#include "motion/stage.h"

#include <stdio.h>

#define PIECES_MOST 4096

/* What a piece of time may lack. */
typedef enum flaw { NONE = 0, VANISHES, INFINITE } flaw;

static flaw find_flaw(const toi_motion *motion, toi_interval t) {
  for (size_t i = 0; i < motion->count; i++) {
    const toi_stage *stage = &motion->stages[i];
    if (stage->tape && stage->turns && !(toi_stage_length(stage, t).lo > 0))
      return VANISHES;
  }
  toi_motion_jet jet = {0};
  toi_motion_jet_at(motion, t, 0, &jet);
  for (int i = 0; i < 3; i++)
    if (!isfinite(jet.translation[0][i].lo) || !isfinite(jet.translation[0][i].hi))
      return INFINITE;
  return NONE;
}

/* Walks over the times in pieces, halved where need be. */
static flaw walk(const toi_motion *motion, toi_interval times, double *near) {
  double now = times.lo, step = times.hi - times.lo;
  int pieces = 0;
  do {
    double end = now + step < times.hi ? now + step : times.hi;
    flaw found = find_flaw(motion, (toi_interval){now, end});
    *near = now;
    if (found == NONE)
      now = end;
    else if (pieces >= PIECES_MOST || !(now + 0.5 * step > now))
      return found;
    step *= found == NONE ? 2 : 0.5;
    pieces++;
  } while (now < times.hi);
  return NONE;
}

/* The term of a stage, as its caller knows it. */
static void term_name(const toi_stage *stage, size_t term, const char **name, size_t *number) {
  size_t quaternion = stage->turns ? 4 : 0;
  *name = !stage->tape ? "angle" : term < quaternion ? "quaternion" : "translation";
  *number = term < quaternion ? term : term - quaternion;
}

static toi_status check_tape(toi_context *context, const toi_stage *stage, toi_interval t, const char *what) {
  toi_tape *tape = stage->tape ? stage->tape : stage->wave.tape;
  toi_interval place = t;
  toi_tape_fault fault = {0};
  if (!tape || toi_tape_check(tape, &t, &fault, &place))
    return TOI_OK;
  const char *name;
  size_t number;
  char column[32] = "";
  term_name(stage, fault.term, &name, &number);
  if (fault.column > 0)
    snprintf(column, sizeof(column), "column %zu: ", fault.column);
  if (!stage->tape)
    return toi_fail(context, TOI_ERROR_INPUT, "%s: angle: %s%s %s near t = %g", what, column, fault.operation,
                    fault.wrong, place.lo);
  return toi_fail(context, TOI_ERROR_INPUT, "%s: %s[%zu]: %s%s %s near t = %g", what, name, number, column,
                  fault.operation, fault.wrong, place.lo);
}

static toi_status check(toi_context *context, const toi_motion *motion, toi_interval times, const char *what) {
  for (size_t i = 0; i < motion->count; i++) {
    toi_status status = check_tape(context, &motion->stages[i], times, what);
    if (status != TOI_OK)
      return status;
  }
  double near = 0;
  switch (walk(motion, times, &near)) {
  case VANISHES:
    return toi_fail(context, TOI_ERROR_INPUT,
                    "%s: the quaternion may vanish near t = %g, where it is not a rotation; it must stay away from 0",
                    what, near);
  case INFINITE:
    return toi_fail(context, TOI_ERROR_INPUT, "%s: the motion may not be finite near t = %g", what, near);
  default:
    return TOI_OK;
  }
}

toi_status toi_motion_check(toi_context *context, const toi_motion *motion, double t_max, const char *what) {
  assert(t_max >= 0);
  return toi_motion_check_over(context, motion, (toi_interval){0, t_max}, what);
}

toi_status toi_motion_check_over(toi_context *context, const toi_motion *motion, toi_interval times, const char *what) {
  assert(isfinite(times.lo) && isfinite(times.hi));
  if (!motion)
    return TOI_OK;
  if (!toi_interval_encloses(motion->domain, times))
    return toi_fail(
        context, TOI_ERROR_INPUT,
        "%s: its series are given over [%g, %g], which does not contain all of [%g, %g], the times of this call", what,
        motion->domain.lo, motion->domain.hi, times.lo, times.hi);
  return check(context, motion, times, what);
}
