/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries of one kind with one separation, the answers of `certified` and `exact` to them, and what must hold of every
 * answer. */

#ifndef TOI_TESTS_NARROW_SEPARATED_ASKING_H
#define TOI_TESTS_NARROW_SEPARATED_ASKING_H

#include "narrow/asking.h"
#include "narrow/separated_queries.h"

#define SEPARATED_MOST 256

typedef struct separated {
  toi_kind kind;
  toi_norm norm;
  double d, fraction;
  size_t count;
  double queries[SEPARATED_MOST * 24];
  toi_hit certified[SEPARATED_MOST], exact[SEPARATED_MOST];
  toi_counters counters;
} separated;

static inline const double *separated_query(const separated *s, size_t i) {
  return s->queries + row_of(s->kind) * i;
}

static inline void separated_add(separated *s, const double *query) {
  assert_true(s->count < SEPARATED_MOST);
  memcpy(s->queries + row_of(s->kind) * s->count++, query, row_of(s->kind) * sizeof(double));
}

static inline toi_options separated_options(const separated *s, const char *method) {
  toi_options options = toi_default_options();
  options.method = method;
  options.norm = s->norm;
  options.min_separation = s->d;
  options.separation_fraction = s->fraction;
  return options;
}

static inline void separated_ask(toi_context *context, separated *s) {
  for (int exact = 0; exact < 2; exact++) {
    toi_options options = separated_options(s, exact ? "exact" : "certified");
    options.counters = exact ? NULL : &s->counters;
    toi_hit *hits = exact ? s->exact : s->certified;
    memset(hits, 0xff, sizeof(s->exact));
    if (toi_batch(context, s->kind, s->queries, s->count, &options, hits) != TOI_OK)
      fail_msg("%s", toi_context_error(context));
  }
}

/* Fails with the query. */
static inline void separated_complain(const separated *s, size_t i, const char *what) {
  const toi_hit *c = &s->certified[i], *e = &s->exact[i];
  test_print_query(s->kind, separated_query(s, i));
  for (int exact = 0; exact < 2; exact++) {
    const toi_hit *hit = exact ? e : c;
    print_error("%s: %s [%a, %a] by %s, distance %a, u %a, v %a\n", exact ? "exact" : "certified",
                toi_verdict_name((toi_verdict)hit->verdict), hit->t_lo, hit->t_hi,
                toi_level_name((toi_level)hit->level), hit->distance, hit->u, hit->v);
  }
  fail_msg("%s: norm %d, d = %a, fraction %a", what, (int)s->norm, c->separation, s->fraction);
}

/* --- what must hold --- */

static inline const char *fault_of_separated_miss(const toi_hit *hit) {
  if (!isinf(hit->t_lo) || !isinf(hit->t_hi) || hit->t_safe != 1 || !isnan(hit->u) || !isnan(hit->v))
    return "a miss with a time or a place";
  for (int axis = 0; axis < 3; axis++)
    if (hit->point[axis] != 0 || hit->normal[axis] != 0)
      return "a miss with a point or a normal";
  return hit->touching_at_start || hit->tolerance_reached != 0 || !isnan(hit->distance) ? "a miss that touches" : NULL;
}

static inline long double separated_norm(toi_norm norm, const long double x[3]) {
  if (norm == TOI_NORM_L2)
    return hypotl(hypotl(x[0], x[1]), x[2]);
  return fmaxl(fabsl(x[0]), fmaxl(fabsl(x[1]), fabsl(x[2])));
}

/* The points with the answer's parameters at the time t, and the largest coordinate of all points. */
static inline long double separated_points(const separated *s, size_t i, const toi_hit *hit, long double first[3],
                                           long double second[3]) {
  const double *query = separated_query(s, i);
  int points = (int)toi_kind_points(s->kind);
  long double at[4][3] = {{0}}, size = 0, t = hit->t_hi, u = hit->u, v = hit->v;
  for (int j = 0; j < 3 * points; j++) {
    at[j / 3][j % 3] = (1 - t) * query[j] + t * query[3 * points + j];
    size = fmaxl(size, fmaxl(fabsl((long double)query[j]), fabsl((long double)query[3 * points + j])));
  }
  for (int axis = 0; axis < 3; axis++) {
    bool edges = s->kind == TOI_EDGE_EDGE;
    first[axis] = edges ? (1 - u) * at[0][axis] + u * at[1][axis] : at[0][axis];
    second[axis] =
        edges ? (1 - v) * at[2][axis] + v * at[3][axis] : (1 - u - v) * at[1][axis] + u * at[2][axis] + v * at[3][axis];
  }
  return size;
}

/* The place of a hit: parameters, point, distance and normal say the same, but for rounding. */
static inline const char *fault_of_separated_place(const separated *s, size_t i, const toi_hit *hit) {
  long double first[3], second[3], gap[3], off[3];
  bool l2 = s->norm == TOI_NORM_L2, triangle = s->kind == TOI_VERTEX_FACE;
  // Those of contact itself are rounded each on its own.
  long double most = hit->separation > 0 ? 1 : 1 + 0x1p-52L;
  if (!(hit->u >= 0 && hit->u <= 1 && hit->v >= 0 && hit->v <= 1 &&
        (!triangle || (long double)hit->u + hit->v <= most)))
    return "parameters out of range";
  long double size = separated_points(s, i, hit, first, second), rounding = size * 0x1p-36L + 0x1p-1068L;
  long double normal[3] = {hit->normal[0], hit->normal[1], hit->normal[2]};
  for (int axis = 0; axis < 3; axis++) {
    gap[axis] = first[axis] - second[axis];
    off[axis] = second[axis] - hit->point[axis];
  }
  if (!(separated_norm(TOI_NORM_LINF, off) <= size * 0x1p-48L + 0x1p-1068L))
    return "the point does not have these parameters";
  if (!(fabsl(separated_norm(s->norm, gap) - hit->distance) <= rounding))
    return "the points are not at that distance";
  if (!(hit->distance <= hit->separation) || (hit->t_hi > 0 && hit->distance != hit->separation))
    return "the distance is not d";
  long double length = separated_norm(TOI_NORM_L2, normal);
  if (length != 0 && fabsl(length - 1) > 0x1p-50L)
    return "the normal is no unit vector";
  for (int axis = 0; axis < 3; axis++)
    off[axis] = gap[axis] - hit->distance * normal[axis];
  // Near the rounding the direction is lost; across thin faces points that differ are all but equally near.
  if (l2 && hit->distance > 0x1p-8L * size + 0x1p-1000L && !(separated_norm(s->norm, off) <= 0x1p-26L * size))
    return "the normal does not lead to the other point";
  return NULL;
}

/* What is wrong with the answers to query i; NULL if nothing is. */
static inline const char *fault_of_separated(const separated *s, size_t i) {
  const toi_hit *c = &s->certified[i], *e = &s->exact[i];
  if (memcmp(&c->separation, &e->separation, sizeof(double)) != 0 ||
      (s->fraction > 0 ? c->separation < s->d : c->separation != s->d))
    return "another separation";
  if (e->verdict == TOI_NEAR || c->verdict != e->verdict)
    return e->verdict == TOI_HIT ? "a contact is missed" : "a contact is invented";
  if (c->verdict == TOI_MISS) {
    const char *fault = fault_of_separated_miss(c);
    return fault ? fault : fault_of_separated_miss(e);
  }
  const char *fault = fault_of_time(c, e->t_lo, e->t_hi);
  fault = fault ? fault : fault_of_time(e, e->t_lo, e->t_hi);
  fault = fault ? fault : fault_of_separated_place(s, i, e);
  return fault ? fault : fault_of_separated_place(s, i, c);
}

static inline void separated_check(const separated *s) {
  for (size_t i = 0; i < s->count; i++) {
    const char *fault = fault_of_separated(s, i);
    if (fault)
      separated_complain(s, i, fault);
  }
}

#endif
