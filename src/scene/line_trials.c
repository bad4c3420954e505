/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which steps a line search tries, and how positions are rounded there: line_search.c says why these. They depend on
 * the first impact alone, so that searches over meshes in parts try the same ones. */

#include "scene/line_trials.h"

#include <float.h>
#include <math.h>

#include "base/internal.h"
#include "number/interval.h"
#include "number/vector.h"

/* Pairs that are rounded away from each other in one try, one by one. */
#define MENDS 16

/* Steps (1 - 2^-k) t before a contact at t; floats have no digits for the first. */
static const int nearness[] = {40, 16, 8};
#define NEAR_STEPS 3

/* Fractions that the last of them is tried with, as parts of the one that was asked for. */
static const double lowered[] = {1, 0.5, 0.25, 0};
#define LOWERED 4

/* Shorter steps t 2^-n, n = 1, 2, 4, ... 1024. */
#define CUTS 11

/* --- steps --- */

static double cut_step(double t, uint32_t number) {
  return toi_larger(ldexp(t, -(1 << number)), DBL_TRUE_MIN);
}

/* Before t, which is positive. */
static double near_step(double t, uint32_t number) {
  return toi_larger(t * (1 - ldexp(1, -nearness[number])), DBL_TRUE_MIN);
}

static toi_line_trial ask(double step, double fraction, toi_rounding rounding, uint32_t mends) {
  return (toi_line_trial){
      .step = step, .fraction = fraction, .what = TOI_TRIAL_ASK, .rounding = rounding, .mends = mends};
}

/* A little before t; the last step with other roundings and lower fractions, of which there are none without one. */
static bool step_before(const toi_line_trials *trials, double t, uint32_t *index, toi_line_trial *trial) {
  const uint32_t skipped = trials->scalar == TOI_FLOAT32 ? 1 : 0, steps = NEAR_STEPS - skipped;
  const double p = trials->fraction;
  if (*index < steps) {
    *trial = ask(near_step(t, *index + skipped), p, TOI_ROUND_NEAREST, 0);
    return true;
  }
  *index -= steps;
  const uint32_t ways = 2 * (p > 0 ? LOWERED : 1);
  if (*index < ways) {
    *trial = ask(near_step(t, NEAR_STEPS - 1), p * lowered[*index / 2],
                 *index % 2 == 0 ? TOI_ROUND_NEAREST : TOI_ROUND_TO_START, MENDS);
    return true;
  }
  *index -= ways;
  return false;
}

/* Distances of a few units in the last place: shorter and shorter steps, and at last none. */
static toi_line_trial shorter(const toi_line_trials *trials, double t, uint32_t index) {
  const double p = trials->fraction;
  const uint32_t each = p > 0 ? 2 : 1, number = index / each;
  if (number < CUTS)
    return ask(cut_step(t, number), index % each == 0 ? p : 0, TOI_ROUND_TO_START, MENDS);
  return (toi_line_trial){.step = cut_step(t, CUTS - 1), .fraction = p, .what = TOI_TRIAL_START};
}

toi_line_trial toi_line_trial_number(const toi_line_trials *trials, uint32_t index) {
  const toi_hit *first = &trials->first;
  const bool free = first->verdict == TOI_MISS;
  const double t_max = trials->t_max;
  // The whole step; or none, because nobody asked for more, or a pair touches.
  if (free && (t_max == 1 || t_max == 0))
    return (toi_line_trial){
        .step = t_max, .fraction = trials->fraction, .what = t_max == 1 ? TOI_TRIAL_END : TOI_TRIAL_START, .tries = 1};
  if (!free && (first->touching_at_start || (first->verdict == TOI_NEAR && first->t_lo == 0)))
    return (toi_line_trial){.what = TOI_TRIAL_START};
  const double t = free ? t_max : first->t_lo;
  if (free && index-- == 0)
    return ask(t, trials->fraction, TOI_ROUND_NEAREST, 0);
  toi_line_trial trial;
  return t > 0 && step_before(trials, t, &index, &trial) ? trial : shorter(trials, t, index);
}

/* --- positions --- */

/* x0 + step (x1 - x0), never outside of the two. */
static double between(double x0, double x1, double step) {
  const double way = x1 - x0, at = isinf(way) ? (1 - step) * x0 + step * x1 : x0 + step * way;
  return toi_larger(toi_smaller(x0, x1), toi_smaller(at, toi_larger(x0, x1)));
}

/* The number of the mesh's next to x in a direction. */
static double next_number(toi_scalar scalar, double x, double towards) {
  return scalar == TOI_FLOAT32 ? (double)nextafterf((float)x, (float)towards) : nextafter(x, towards);
}

double toi_line_trial_coordinate(toi_scalar scalar, double x0, double x1, double step, toi_rounding how) {
  const double at = between(x0, x1, step), rounded = scalar == TOI_FLOAT32 ? (double)(float)at : at;
  if (how == TOI_ROUND_NEAREST)
    return rounded;
  const bool falls = x1 < x0;
  const double lower = falls ? x1 : x0, upper = falls ? x0 : x1;
  const double towards = how == TOI_ROUND_TO_START ? x0 : how == TOI_ROUND_DOWN ? lower : upper;
  // A double was rounded before it is seen here; a float is on the right side already, or not.
  const bool there = scalar == TOI_FLOAT32 && (towards < at ? rounded <= at : rounded >= at);
  return towards == at || there ? rounded : next_number(scalar, rounded, towards);
}

/* --- for callers --- */

static TOI_APART toi_line_trial trial_of(const toi_options *options, toi_scalar scalar, const toi_hit *first,
                                         uint32_t index) {
  const toi_line_trials trials = {.t_max = options != NULL ? options->t_max : 1,
                                  .fraction = options != NULL ? options->separation_fraction : 0,
                                  .first = *first,
                                  .scalar = scalar};
  toi_line_trial trial = toi_line_trial_number(&trials, index);
  trial.scalar = scalar;
  return trial;
}

toi_line_trial toi_line_trial_at(const toi_options *options, toi_scalar scalar, const toi_hit *first, uint32_t index) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_line_trial trial = trial_of(options, scalar, first, index);
  toi_call_end(&call);
  return trial;
}

static TOI_APART bool place(const toi_line_trial *trial, const double *start, const double *end, size_t count,
                            double *placed) {
  bool moved = false;
  for (size_t i = 0; i < count; i++) {
    placed[i] = toi_line_trial_coordinate(trial->scalar, start[i], end[i], trial->step, trial->rounding);
    moved = moved || placed[i] != start[i];
  }
  return moved;
}

bool toi_line_trial_place(const toi_line_trial *trial, const double *start, const double *end, size_t count,
                          double *placed) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const bool moved = place(trial, start, end, count, placed);
  toi_call_end(&call);
  return moved;
}
