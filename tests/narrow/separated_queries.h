/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries for a separation d, made to be hard to decide: distances that stay near d, ties between features, flat and
 * thin primitives, slow approaches, small differences far from the origin. Nobody knows their answers; two methods are
 * compared on them. */

#ifndef TOI_TESTS_NARROW_SEPARATED_QUERIES_H
#define TOI_TESTS_NARROW_SEPARATED_QUERIES_H

#include <math.h>
#include <string.h>

#include <toi/toi.h>

#include "planted/planted.h"
#include "support/support.h"

typedef struct query_draft {
  uint64_t *state;
  toi_kind kind;
  toi_norm norm;
  double d; /* in units of the coordinates as they are made: of size 1, scaled afterwards */
  double query[24];
} query_draft;

static inline int draft_half(const query_draft *q) {
  return 3 * (int)toi_kind_points(q->kind);
}

/* Uniform in [-1, 1). */
static inline double draft_sided(query_draft *q) {
  return 2 * test_random_unit(q->state) - 1;
}

static inline bool draft_once_in(query_draft *q, uint64_t of) {
  return test_random(q->state) % of == 0;
}

/* 10^-k, k in [from, to]. */
static inline double draft_small(query_draft *q, int from, int to) {
  return pow(10, -from - (double)(to - from) * test_random_unit(q->state));
}

static inline void draft_spread(query_draft *q) {
  for (int i = 0; i < 2 * draft_half(q); i++)
    q->query[i] = draft_sided(q);
}

static inline void draft_short(query_draft *q) {
  int half = draft_half(q);
  double step = draft_small(q, 0, 4);
  for (int i = 0; i < half; i++) {
    q->query[i] = draft_sided(q);
    q->query[half + i] = q->query[i] + step * draft_sided(q);
  }
}

/* Few integers: corners, parallel edges, flat and axis-aligned faces, ties. Some move together. */
static inline void draft_lattice(query_draft *q) {
  int half = draft_half(q), most = 1 + (int)(test_random(q->state) % 4);
  bool flat = draft_once_in(q, 6), together = draft_once_in(q, 4);
  double way[2][3];
  for (int i = 0; i < 6; i++)
    way[i / 3][i % 3] = (double)(test_random(q->state) % (uint64_t)(2 * most + 1)) - most;
  int first = 3 * (q->kind == TOI_EDGE_EDGE ? 2 : 1);
  for (int i = 0; i < half; i++) {
    double from = (double)(test_random(q->state) % (uint64_t)(2 * most + 1)) - most;
    double to = (double)(test_random(q->state) % (uint64_t)(2 * most + 1)) - most;
    q->query[i] = flat && i % 3 == 2 ? 0 : from;
    q->query[half + i] = together ? q->query[i] + way[i < first][i % 3] : flat && i % 3 == 2 ? 0 : to;
  }
}

/* The lattice, a few units in the last place off. */
static inline void draft_near_lattice(query_draft *q) {
  draft_lattice(q);
  double off = draft_small(q, 10, 17);
  for (int i = 0; i < 2 * draft_half(q); i++)
    if (draft_once_in(q, 3))
      q->query[i] += off * draft_sided(q);
}

/* Faces of three points nearly on a line, edges nearly parallel, at both times; some of them exactly. */
static inline void draft_thin(query_draft *q) {
  int half = draft_half(q), points = half / 3;
  double width = draft_once_in(q, 4) ? 0 : draft_small(q, 2, 16), step = draft_small(q, 0, 3);
  for (int i = 0; i < half; i++)
    q->query[i] = draft_sided(q);
  double s = draft_sided(q);
  for (int axis = 0; axis < 3 && points == 4; axis++) {
    double *p = q->query + axis, along = q->kind == TOI_EDGE_EDGE ? p[3] - p[0] : p[6] - p[3];
    p[9] = (q->kind == TOI_EDGE_EDGE ? p[6] : p[3]) + s * along + width * draft_sided(q);
  }
  for (int i = 0; i < half; i++)
    q->query[half + i] = q->query[i] + step * draft_sided(q);
  for (int i = 0; i < half && draft_once_in(q, 2); i++)
    q->query[half + i] = q->query[i] + step * q->query[i % 3];
}

/* Moves the first primitive by `by`, at one time. */
static inline void draft_shift(query_draft *q, int time, const double by[3]) {
  int first = q->kind == TOI_EDGE_EDGE ? 2 : 1;
  for (int i = 0; i < 3 * first; i++)
    q->query[draft_half(q) * time + i] += by[i % 3];
}

/* Where they are closest at one time, and the direction from the second to the first; false if they touch. */
static inline bool draft_direction(const query_draft *q, int time, double n[3], double *distance) {
  toi_distance at;
  const double(*points)[3] = (const double(*)[3])(q->query + draft_half(q) * time);
  if (toi_distance_fast(q->kind, points, q->norm, &at) != TOI_OK || !(at.hi > 0x1p-20))
    return false;
  *distance = at.hi;
  for (int axis = 0; axis < 3; axis++)
    n[axis] = (at.first[axis] - at.second[axis]) / at.hi;
  return true;
}

/* They close in on d along the nearest direction, or pass it: d + a at the start, d - b at the end, both small, one
 * perhaps zero but for rounding; the first primitive slides, and both turn a little. */
static inline void draft_slow(query_draft *q) {
  int half = draft_half(q);
  double n[3], distance, slide = draft_once_in(q, 2) ? 0 : draft_small(q, 0, 8);
  double turn = draft_once_in(q, 2) ? 0 : draft_small(q, 3, 16);
  if (draft_once_in(q, 3))
    draft_lattice(q);
  else if (draft_once_in(q, 3))
    draft_thin(q);
  else
    draft_spread(q);
  if (!draft_direction(q, 0, n, &distance))
    return;
  double aim = q->d < 4 ? q->d : 1, across[3];
  for (int axis = 0; axis < 3; axis++)
    across[axis] = draft_sided(q);
  double along = n[0] * across[0] + n[1] * across[1] + n[2] * across[2];
  double before = draft_once_in(q, 4) ? 0 : draft_small(q, 0, 17), after = draft_small(q, 4, 17);
  after *= draft_once_in(q, 2) ? -1 : 1;
  for (int i = 0; i < half; i++)
    q->query[half + i] = q->query[i] + turn * draft_sided(q);
  for (int time = 0; time < 2; time++) {
    double way = aim - distance + (time == 0 ? before : -after), by[3];
    for (int axis = 0; axis < 3; axis++)
      by[axis] = way * n[axis] + (time == 0 ? -0.5 : 0.5) * slide * (across[axis] - along * n[axis]);
    draft_shift(q, time, by);
  }
}

static inline void draft_planted(query_draft *q) {
  planted_query planted;
  uint64_t seed = test_random(q->state);
  planted_mixed(q->kind, seed, test_random(q->state) % 1000, &planted);
  memcpy(q->query, planted.points, (size_t)(2 * draft_half(q)) * sizeof(double));
}

typedef enum query_family {
  QUERY_SPREAD,
  QUERY_SHORT,
  QUERY_LATTICE,
  QUERY_NEAR_LATTICE,
  QUERY_THIN,
  QUERY_SLOW,
  QUERY_PLANTED,
  QUERY_FAMILIES
} query_family;

/* A query of the family for a separation d. Coordinates are of size 1, or near d if it is a double near none of the
 * ends; or they lie far from the origin. */
static inline void draft_make(query_family family, query_draft *q, double d) {
  static void (*const makers[QUERY_FAMILIES])(query_draft *) = {
      draft_spread, draft_short, draft_lattice, draft_near_lattice, draft_thin, draft_slow, draft_planted};
  int exponent = 0;
  if (d > 1e-290 && d < 1e290 && family != QUERY_PLANTED && draft_once_in(q, 2)) {
    (void)frexp(d, &exponent);
    exponent += (int)(test_random(q->state) % 8) - 2;
  }
  q->d = ldexp(d, -exponent);
  makers[family](q);
  double far[3] = {0};
  for (int axis = 0; axis < 3 && family != QUERY_PLANTED && draft_once_in(q, 6); axis++)
    far[axis] = 1e6 * draft_sided(q);
  for (int i = 0; i < 2 * draft_half(q); i++)
    q->query[i] = ldexp(q->query[i] + far[i % 3], exponent);
}

#endif
