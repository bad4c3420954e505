/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Why a query is answered as it is: the answer itself, what the levels concluded, and the parts that the kernels
 * (kernel_explain.h) and the integers (explain_roots.c) write down.
 *
 * Which levels a query passed follows from the one that decided: a level decides whatever it can, and the order is
 * fixed (certified.c, certified_separated.c). */

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/explain.h"
#include "narrow/hull.h"
#include "narrow/kernel.h"
#include "narrow/method.h"
#include "narrow/reduce.h"

const char *toi_outcome_name(toi_outcome outcome) {
  static const char *const names[] = {"absent", "skipped", "open", "miss", "hit", "near"};
  return (unsigned)outcome < sizeof names / sizeof names[0] ? names[outcome] : NULL;
}

const char *toi_root_source_name(toi_root_source source) {
  static const char *const names[TOI_ROOT_SOURCES] = {"cubic", "start", "area", "corner"};
  return (unsigned)source < TOI_ROOT_SOURCES ? names[source] : NULL;
}

/* --- levels --- */

static uint8_t outcome_of(const toi_hit *hit) {
  static const uint8_t outcomes[] = {
      [TOI_MISS] = TOI_OUTCOME_MISS, [TOI_HIT] = TOI_OUTCOME_HIT, [TOI_NEAR] = TOI_OUTCOME_NEAR};
  return outcomes[hit->verdict];
}

/* Whether projection or root decided on axes that were scaled, after the reduction: the kernels did not on those as
 * they are. */
static bool decided_scaled(toi_kind kind, const double *query, toi_level level) {
  const int corners = (int)toi_corner_count(kind);
  if (level != TOI_LEVEL_PROJECTION && level != TOI_LEVEL_ROOT)
    return false;
  if (corners < 3)
    return true;
  const uint32_t number = 0;
  const toi_rows rows = {query, 24, &number, 1};
  uint8_t miss = 0;
  toi_root_answer root = {.code = TOI_ROOT_OPEN};
  if (level == TOI_LEVEL_PROJECTION)
    toi_kernels_scalar.projection(corners, &rows, &miss);
  else
    toi_kernels_scalar.root(corners, &rows, &root);
  return !miss && root.code == TOI_ROOT_OPEN;
}

#define MOST_LEVELS 6

/* The levels of `certified` in the order in which the query passes them, TOI_LEVEL_COUNT at the end. */
static const toi_level *cascade_of(toi_kind kind, bool separates, const toi_explanation *e) {
  static const toi_level contact[3][MOST_LEVELS + 1] = {
      {TOI_LEVEL_BOX, TOI_LEVEL_SIGN, TOI_LEVEL_PROJECTION, TOI_LEVEL_ROOT, TOI_LEVEL_REDUCTION, TOI_LEVEL_EXACT,
       TOI_LEVEL_COUNT},
      {TOI_LEVEL_BOX, TOI_LEVEL_SIGN, TOI_LEVEL_ROOT, TOI_LEVEL_REDUCTION, TOI_LEVEL_PROJECTION, TOI_LEVEL_EXACT,
       TOI_LEVEL_COUNT},
      {TOI_LEVEL_BOX, TOI_LEVEL_SIGN, TOI_LEVEL_PROJECTION, TOI_LEVEL_REDUCTION, TOI_LEVEL_ROOT, TOI_LEVEL_EXACT,
       TOI_LEVEL_COUNT}};
  static const toi_level separated[] = {TOI_LEVEL_BOX,   TOI_LEVEL_SIGN,  TOI_LEVEL_PROJECTION,
                                        TOI_LEVEL_PLANE, TOI_LEVEL_EXACT, TOI_LEVEL_COUNT};
  // One corner or two: there are no kernels but, for an edge, the projection on scaled axes.
  static const toi_level edge[] = {TOI_LEVEL_REDUCTION, TOI_LEVEL_PROJECTION, TOI_LEVEL_EXACT, TOI_LEVEL_COUNT};
  static const toi_level point[] = {TOI_LEVEL_REDUCTION, TOI_LEVEL_EXACT, TOI_LEVEL_COUNT};
  if (toi_corner_count(kind) >= 3)
    return separates ? separated : contact[!e->scaled ? 0 : e->hit.level == TOI_LEVEL_PROJECTION ? 1 : 2];
  if (separates)
    return separated + 3;
  return kind == TOI_VERTEX_VERTEX ? point : edge;
}

static void tell_levels(toi_kind kind, bool separates, toi_explanation *e) {
  const toi_level decided = (toi_level)e->hit.level;
  bool passed = true;
  for (const toi_level *level = cascade_of(kind, separates, e); *level != TOI_LEVEL_COUNT; level++) {
    e->outcomes[*level] = *level == decided ? outcome_of(&e->hit) : passed ? TOI_OUTCOME_OPEN : TOI_OUTCOME_SKIPPED;
    passed &= *level != decided;
  }
}

static void tell_reduction(toi_kind kind, const double *query, toi_explanation *e) {
  const uint8_t outcome = e->outcomes[TOI_LEVEL_REDUCTION];
  e->reduced = TOI_REDUCED_NOT_ASKED;
  if (outcome == TOI_OUTCOME_ABSENT || outcome == TOI_OUTCOME_SKIPPED)
    return;
  toi_remainder remainder = {0};
  const toi_reduction left = toi_reduce(kind, query, &remainder);
  static const uint8_t names[] = {[TOI_REDUCED_OPEN] = TOI_REDUCED_TO_ALL,
                                  [TOI_REDUCED_MISS] = TOI_REDUCED_TO_NONE,
                                  [TOI_REDUCED_CORNER] = TOI_REDUCED_TO_CORNER,
                                  [TOI_REDUCED_SEGMENT] = TOI_REDUCED_TO_SEGMENT,
                                  [TOI_REDUCED_PLANE] = TOI_REDUCED_TO_PLANE};
  e->reduced = names[left];
  if (left == TOI_REDUCED_SEGMENT || left == TOI_REDUCED_PLANE)
    e->reduced_axis = (uint8_t)remainder.axis;
  const int corners = left == TOI_REDUCED_SEGMENT ? 2 : left == TOI_REDUCED_CORNER;
  for (int i = 0; i < corners; i++)
    e->reduced_corner[i] = (uint8_t)remainder.corners[i];
}

/* --- the call --- */

/* All that is not the answer; the answer is there. */
static TOI_APART toi_status explain(toi_kind kind, const double *query, const toi_options *given, toi_explanation *e) {
  toi_options options;
  toi_status status = toi_options_take(NULL, given, &options);
  if (status != TOI_OK)
    return status;
  void *scratch = toi_borrow(NULL, 0, toi_explain_scratch(kind, query));
  if (scratch == NULL)
    return TOI_ERROR_MEMORY;
  const int corners = (int)toi_corner_count(kind);
  e->corner_count = (uint8_t)corners;
  e->cubic_defined = corners >= 3;
  e->separation = e->hit.separation;
  for (int i = 0; i < 4 && corners < 3; i++)
    e->coefficient[i] = e->bound[i] = e->exact[i] = e->half[0][i] = e->half[1][i] = NAN;
  toi_kernel_explain(corners, query, e->separation, e);
  toi_explain_roots(kind, query, scratch, e);
  toi_give_back(NULL, scratch);

  const toi_chunk asked = {.kind = kind, .options = &options};
  e->outcomes[e->hit.level] = outcome_of(&e->hit);
  if (toi_method_find(options.method) == &toi_method_certified) {
    const bool separates = toi_chunk_separates(&asked);
    e->scaled = !separates && decided_scaled(kind, query, (toi_level)e->hit.level);
    tell_levels(kind, separates, e);
  }
  tell_reduction(kind, query, e);
  return TOI_OK;
}

toi_status toi_explain(toi_kind kind, const double (*start)[3], const double (*end)[3], const toi_options *options,
                       toi_explanation *explanation) {
  if (explanation == NULL)
    return TOI_ERROR_INPUT;
  memset(explanation, 0, sizeof *explanation);
  toi_status status = toi_query(kind, start, end, options, &explanation->hit);
  if (status != TOI_OK)
    return status;
  double query[24];
  const size_t points = toi_kind_points(kind);
  memcpy(query, start, points * sizeof *start);
  memcpy(query + 3 * points, end, points * sizeof *end);
  toi_call call;
  toi_call_begin(&call, NULL);
  status = explain(kind, query, options, explanation);
  if (status != TOI_OK) {
    memset(explanation, 0, sizeof *explanation);
    explanation->hit = toi_hit_unknown();
  }
  toi_call_end(&call);
  return status;
}
