/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How the tests of whole answers ask: single and batch calls that must succeed, and planted queries back to
 * back with their truth. */

#ifndef TOI_TESTS_NARROW_ASKING_H
#define TOI_TESTS_NARROW_ASKING_H

#include <stdlib.h>
#include <string.h>

#include <toi/toi.h>

#include "planted/planted.h"
#include "support/support.h"

/* The widest bracket that `certified` may give. */
#define BRACKET_MOST_WIDE 0x1p-48

/* One query. */
static inline toi_hit ask_with(toi_kind kind, const double *query, const toi_options *options) {
  const double(*start)[3] = (const double(*)[3])query, (*end)[3] = start + toi_kind_points(kind);
  toi_hit hit;
  assert_int_equal(toi_query(kind, start, end, options, &hit), TOI_OK);
  return hit;
}

/* What is wrong with the times of a hit, if lo and hi are the tightest doubles around its time; NULL if nothing is. */
static inline const char *fault_of_time(const toi_hit *hit, double lo, double hi) {
  if (!(hit->t_lo <= lo && hi <= hit->t_hi))
    return "the bracket does not hold the time";
  if (!(hit->t_hi - hit->t_lo <= BRACKET_MOST_WIDE && hit->t_lo >= 0 && hit->t_hi <= 1))
    return "the bracket is too wide, or beyond the step";
  if (hit->touching_at_start != (hi == 0))
    return "touching_at_start is wrong";
  if (hit->t_lo == 0 && lo > 0)
    return "a bracket from 0, though the contact is later";
  if (!(hit->t_safe >= 0 && (hi == 0 ? hit->t_safe == 0 : lo == hi ? hit->t_safe < lo : hit->t_safe <= lo)))
    return "t_safe is not before the contact";
  return hit->tolerance_reached != 0 ? "a hit that is not sure" : NULL;
}

/* Doubles of a query. */
static inline size_t row_of(toi_kind kind) {
  return 6 * (size_t)toi_kind_points(kind);
}

static inline toi_hit ask_one(toi_kind kind, const double *query, const char *method, double t_max) {
  toi_options options = toi_default_options();
  options.method = method;
  options.t_max = t_max;
  return ask_with(kind, query, &options);
}

/* Queries of one kind with what is known of them, and the answers of both methods. */
typedef struct asked {
  toi_kind kind;
  size_t count;
  double *queries;
  planted_query *truth;
  toi_hit *certified, *exact;
} asked;

static inline void ask_batch(toi_context *context, const asked *a, const char *method, toi_counters *counters,
                             toi_hit *hits) {
  toi_options options = toi_default_options();
  options.method = method;
  options.counters = counters;
  toi_status status = toi_batch(context, a->kind, a->queries, a->count, &options, hits);
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

/* The planted mixture, asked of both methods. */
static inline asked ask_planted(toi_kind kind, uint64_t seed, size_t count, toi_counters *counters) {
  asked a = {.kind = kind, .count = count};
  a.queries = calloc(count * row_of(kind), sizeof(double));
  a.truth = calloc(count, sizeof(planted_query));
  a.certified = calloc(count, sizeof(toi_hit));
  a.exact = calloc(count, sizeof(toi_hit));
  assert_true(a.queries && a.truth && a.certified && a.exact);
  for (size_t i = 0; i < count; i++) {
    planted_mixed(kind, seed, i, &a.truth[i]);
    memcpy(a.queries + row_of(kind) * i, a.truth[i].points, row_of(kind) * sizeof(double));
  }
  toi_context *context = test_context(1);
  ask_batch(context, &a, "certified", counters, a.certified);
  ask_batch(context, &a, "exact", NULL, a.exact);
  toi_context_destroy(context);
  return a;
}

static inline void asked_free(asked *a) {
  free(a->queries);
  free(a->truth);
  free(a->certified);
  free(a->exact);
}

static inline const double *asked_query(const asked *a, size_t i) {
  return a->queries + row_of(a->kind) * i;
}

/* Fails with the query, and where it comes from. */
static inline void complain(const asked *a, size_t i, const char *what) {
  const toi_hit *c = &a->certified[i], *e = &a->exact[i];
  test_print_query(a->kind, asked_query(a, i));
  print_error("certified: %s [%a, %a] by %s; exact: %s [%a, %a]\n", toi_verdict_name((toi_verdict)c->verdict), c->t_lo,
              c->t_hi, toi_level_name((toi_level)c->level), toi_verdict_name((toi_verdict)e->verdict), e->t_lo,
              e->t_hi);
  fail_msg("query %zu, class %s: %s", i, planted_class_name(a->truth[i].number), what);
}

#endif
