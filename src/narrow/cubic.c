/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `cubic`, after Huh 2014 (fastCCD): the coplanarity cubic's roots between its extrema by Householder's
 * iteration, the area inclusion test with one tolerance, and fewer dimensions where the motion is degenerate.
 *
 * Beyond the paper: rounding is accounted for everywhere, so that nothing is missed and no time is late; a root is an
 * interval of time; contact is proved (`hit`) or left open (`near`); separation in both norms; all kinds of queries as
 * one hull of corners. What the area test leaves open is narrowed by separating planes.
 *
 * Corners are brought to a unit in which the largest lies in [2^-100, 2^100], by a power of two where they do not. */

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/certified.h"
#include "narrow/cubic_solve.h"
#include "narrow/kernel.h"
#include "narrow/kernel_bounds.h"
#include "narrow/method.h"
#include "narrow/reduce.h"
#include "number/interval.h"

#define CHECKS_DEFAULT 128
#define CHECKS_MOST 65536

/* --- the hull of a query --- */

/* Fills in the corners of the query times a factor; returns the largest coordinate. */
static double load_corners(toi_kind kind, const double *query, double factor, toi_cubic_hull *hull) {
  const toi_corner *corners = toi_corners(kind);
  size_t points = toi_kind_points(kind);
  memset(hull->size, 0, sizeof(hull->size));
  for (size_t time = 0; time < 2; time++)
    for (unsigned k = 0; k < hull->count; k++) {
      const double *a = query + 3 * (points * time + corners[k].first);
      const double *b = query + 3 * (points * time + corners[k].second);
      for (int axis = 0; axis < 3; axis++) {
        double c = hull->at[time][k][axis] = a[axis] * factor - b[axis] * factor;
        hull->size[axis] = fabs(c) > hull->size[axis] ? fabs(c) : hull->size[axis];
      }
    }
  return fmax(hull->size[0], fmax(hull->size[1], hull->size[2]));
}

/* A quarter of the coordinates keeps every difference finite. */
#define QUARTER 0.25

/* Chooses the unit: hull->scale with 2^scale the factor from the query's to the hull's. */
static void rescale(toi_kind kind, const double *query, toi_cubic_hull *hull, double largest) {
  int exponent = 0;
  bool quartered = !isfinite(largest);
  if (quartered)
    largest = load_corners(kind, query, QUARTER, hull);
  (void)frexp(largest, &exponent);
  for (int time = 0; time < 2; time++)
    for (unsigned k = 0; k < hull->count; k++)
      for (int axis = 0; axis < 3; axis++)
        hull->at[time][k][axis] = ldexp(hull->at[time][k][axis], -exponent);
  for (int axis = 0; axis < 3; axis++)
    hull->size[axis] = ldexp(hull->size[axis], -exponent);
  hull->scale = -exponent - 2 * quartered;
}

static void make_hull(toi_kind kind, const double *query, double d, toi_norm norm, toi_cubic_hull *hull) {
  const toi_corner *corners = toi_corners(kind);
  hull->count = toi_corner_count(kind);
  hull->norm = norm;
  hull->scale = 0;
  double largest = load_corners(kind, query, 1, hull);
  if (!(largest >= TOI_RANGE_LO && largest <= TOI_RANGE_HI) && largest != 0)
    rescale(kind, query, hull, largest);
  const unsigned roles[3] = {0, hull->count > 1, hull->count - 1};
  for (int i = 0; i < 3; i++) {
    hull->place[i][0] = corners[roles[i]].u;
    hull->place[i][1] = corners[roles[i]].v;
  }
  hull->d_lo = hull->d_hi = d;
  if (d > 0 && hull->scale != 0) {
    hull->d_lo = toi_scale_down(d, hull->scale);
    hull->d_hi = toi_scale_up(d, hull->scale);
  }
}

/* Whether a corner is exactly at 0 at the start (time 0) or the end. */
static bool corner_touches(toi_kind kind, const double *query, size_t time) {
  const toi_corner *corners = toi_corners(kind);
  size_t points = toi_kind_points(kind);
  for (unsigned k = 0; k < toi_corner_count(kind); k++) {
    const double *a = query + 3 * (points * time + corners[k].first);
    const double *b = query + 3 * (points * time + corners[k].second);
    if (a[0] == b[0] && a[1] == b[1] && a[2] == b[2])
      return true;
  }
  return false;
}

/* Whether all corners stay farther than d from 0 on an axis; a corner is off by u of itself. */
static bool is_apart(const toi_cubic_hull *hull) {
  double beyond = hull->d_hi * (1 + 4 * TOI_U) + TOI_CUBIC_TINY;
  for (int axis = 0; axis < 3; axis++) {
    bool up = true, down = true;
    for (int time = 0; time < 2; time++)
      for (unsigned k = 0; k < hull->count; k++) {
        up &= hull->at[time][k][axis] > beyond;
        down &= hull->at[time][k][axis] < -beyond;
      }
    if (up || down)
      return true;
  }
  return false;
}

/* Contact in a corner at time t, nothing before. */
static void find_corner(const toi_cubic_hull *hull, double t, toi_cubic_finding *finding) {
  toi_cubic_point point = toi_cubic_closest(hull, t);
  finding->verdict = TOI_HIT;
  finding->at_start = t == 0;
  finding->t_hi = t;
  finding->u = point.u;
  finding->v = point.v;
}

/* What rounding left open, without separation: signs of corners are exact, and they may leave one corner or none. */
static void find_by_signs(toi_kind kind, const double *query, const toi_cubic_hull *hull, double t_max,
                          toi_cubic_finding *finding) {
  toi_remainder remainder;
  toi_reduction reduction = toi_reduce(kind, query, &remainder);
  if (reduction == TOI_REDUCED_MISS || (reduction == TOI_REDUCED_CORNER && remainder.t > t_max)) {
    finding->verdict = TOI_MISS;
  } else if (reduction == TOI_REDUCED_CORNER) {
    find_corner(hull, remainder.t, finding);
    finding->t_lo = remainder.t;
  } else if (t_max == 1 && corner_touches(kind, query, 1)) {
    find_corner(hull, 1, finding);
  }
}

/* The finding about one query, in all its cases. */
static void find(toi_kind kind, const double *query, const toi_cubic_hull *hull, const toi_cubic_question *question,
                 toi_cubic_finding *finding) {
  if (corner_touches(kind, query, 0)) {
    *finding = (toi_cubic_finding){.flat = true};
    find_corner(hull, 0, finding);
    return;
  }
  // Below the unit's scale a corner may have become 0 without being so.
  if (hull->d_hi == 0 && hull->scale >= 0)
    toi_cubic_solve_flat(hull, question, finding);
  else
    toi_cubic_solve(hull, question, finding);
  if (hull->d_hi == 0 && finding->verdict == TOI_NEAR)
    find_by_signs(kind, query, hull, question->t_max, finding);
}

/* --- the answer --- */

/* The place u, v on the second primitive. */
static void place_point(toi_kind kind, const double *query, toi_hit *hit) {
  size_t points = toi_kind_points(kind), second = kind == TOI_EDGE_EDGE ? 2 : 1;
  double p[3][3], first = kind == TOI_EDGE_EDGE ? hit->v : hit->u, other = kind == TOI_VERTEX_FACE ? hit->v : 0;
  for (size_t i = 0; i < 3; i++)
    toi_point_at(kind, query, hit->t_lo, second + i < points ? second + i : second, p[i]);
  for (int axis = 0; axis < 3; axis++)
    hit->point[axis] = ((1 - first - other) * p[0][axis] + first * p[1][axis]) + other * p[2][axis];
}

/* Unit; zero where it is not defined or out of range. */
static void unit(const double direction[3], double normal[3]) {
  double largest = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
  memset(normal, 0, 3 * sizeof(double));
  if (!(largest > 0 && largest < INFINITY))
    return;
  double square = 0;
  for (int axis = 0; axis < 3; axis++) {
    normal[axis] = direction[axis] / largest;
    square += normal[axis] * normal[axis];
  }
  for (int axis = 0; axis < 3; axis++)
    normal[axis] /= sqrt(square);
}

static toi_hit answer(const toi_chunk *chunk, const double *query, const toi_cubic_hull *hull,
                      const toi_cubic_finding *finding) {
  toi_hit hit = {.t_lo = finding->t_lo, .t_hi = finding->t_hi, .u = NAN, .v = NAN, .distance = NAN};
  hit.t_safe = hit.t_lo > 0 ? toi_next_down(hit.t_lo) : 0;
  hit.verdict = (uint8_t)finding->verdict;
  hit.level = TOI_LEVEL_SEARCH;
  if (finding->verdict == TOI_NEAR) {
    double excess = toi_sum_up(finding->reach, -hull->d_lo);
    hit.tolerance_reached = excess > 0 ? toi_scale_up(excess, -hull->scale) : 0;
    return hit;
  }
  hit.u = finding->u;
  hit.v = finding->v;
  hit.touching_at_start = finding->at_start;
  hit.distance = ldexp(hull->d_lo, -hull->scale);
  if (finding->at_start) {
    double reach = ldexp(finding->reach, -hull->scale);
    hit.distance = hull->d_hi > 0 && reach < hit.distance ? reach : hit.distance;
  } else {
    unit(hull->d_hi > 0 && hull->norm == TOI_NORM_L2 ? finding->point : finding->direction, hit.normal);
  }
  place_point(chunk->kind, query, &hit);
  return hit;
}

/* --- the method --- */

static toi_cubic_question question_of(const toi_options *options, const toi_cubic_hull *hull) {
  uint64_t checks = options->max_checks ? options->max_checks : CHECKS_DEFAULT;
  return (toi_cubic_question){.t_max = options->t_max,
                              .tolerance = hull->scale ? ldexp(options->tolerance, hull->scale) : options->tolerance,
                              .checks = checks < CHECKS_MOST ? checks : CHECKS_MOST};
}

static toi_status answer_one(const toi_chunk *chunk, size_t number) {
  const double *query = toi_query_at(chunk, number);
  const toi_options *options = chunk->options;
  toi_hit *hit = &chunk->hits[number];
  if (!toi_all_finite(query, 6 * toi_kind_points(chunk->kind)))
    return TOI_ERROR_INPUT;
  double d;
  toi_status status = toi_separation_of(chunk, number, &d);
  if (status != TOI_OK)
    return status;
  toi_cubic_hull hull;
  make_hull(chunk->kind, query, d, options->norm, &hull);
  if (is_apart(&hull)) {
    *hit = toi_hit_miss(options->t_max, TOI_LEVEL_BOX);
  } else {
    toi_cubic_question question = question_of(options, &hull);
    toi_cubic_finding finding;
    find(chunk->kind, query, &hull, &question, &finding);
    *hit = finding.verdict == TOI_MISS ? toi_hit_miss(options->t_max, TOI_LEVEL_SEARCH)
                                       : answer(chunk, query, &hull, &finding);
  }
  hit->separation = d;
  return TOI_OK;
}

/* The signs of the corners and of the cubic, for many queries at once: what they leave open. */
static void filter(const toi_chunk *chunk, uint8_t *codes) {
  memset(codes, TOI_FILTER_OPEN, chunk->count);
  bool solid = chunk->kind == TOI_VERTEX_FACE || chunk->kind == TOI_EDGE_EDGE;
  if (!solid || toi_chunk_separates(chunk))
    return;
  toi_best_kernels(chunk->count)->filter((int)toi_corner_count(chunk->kind), chunk->queries, chunk->count, codes);
}

static toi_status run_cubic(const toi_chunk *chunk) {
  assert(chunk->count <= TOI_CHUNK_QUERIES);
  uint8_t codes[TOI_CHUNK_QUERIES];
  filter(chunk, codes);
  for (size_t i = 0; i < chunk->count; i++) {
    if (codes[i] == TOI_FILTER_OPEN) {
      toi_status status = answer_one(chunk, i);
      if (status != TOI_OK)
        return status;
    } else {
      bool box = codes[i] == TOI_FILTER_BOX;
      chunk->hits[i] = toi_hit_miss(chunk->options->t_max, box ? TOI_LEVEL_BOX : TOI_LEVEL_SIGN);
    }
    toi_count(chunk->counters, &chunk->hits[i]);
  }
  return TOI_OK;
}

void toi_cubic_survey(toi_kind kind, const double *queries, size_t count, toi_cubic_statistics *statistics) {
  size_t row = 6 * toi_kind_points(kind);
  for (size_t i = 0; i < count; i++) {
    toi_cubic_hull hull;
    toi_cubic_zones zones;
    toi_cubic_finding finding;
    toi_cubic_question question = {.t_max = 1, .tolerance = 1e-6, .checks = CHECKS_DEFAULT, .count = true};
    make_hull(kind, queries + row * i, 0, TOI_NORM_L2, &hull);
    toi_cubic_find_zones(&hull, &zones);
    find(kind, queries + row * i, &hull, &question, &finding);
    statistics->queries++;
    statistics->degenerate += zones.degenerate;
    statistics->zero_leading += zones.zero_leading && !zones.degenerate;
    statistics->flat += finding.flat;
    statistics->odd += finding.contacts % 2;
    statistics->even += finding.contacts > 0 && finding.contacts % 2 == 0;
  }
}

const toi_method toi_method_cubic = {
    "cubic",
    "Roots of the coplanarity cubic and an area inclusion test, after Huh 2014, with rounding accounted for: never "
    "misses a contact and never gives a late time. Hit where contact is proved, near where it is neither proved nor "
    "refuted; then tolerance_reached bounds the distance beyond the separation. The tolerance is a distance: once the "
    "gap is below it, only a few more of the planes that narrow an open interval are tried; it has no other effect. "
    "max_checks bounds the planes tried per interval (default 128). no_zero_toi has no effect: t_lo is 0 only where "
    "the gap at the start is within rounding.",
    run_cubic, true};
