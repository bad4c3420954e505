/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Answers from proofs. The verdict and the bracket are what a level proved; contact point and normal are computed from
 * them in doubles, and only these may be off by rounding. */

#include "narrow/settle.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "narrow/hull.h"
#include "number/interval.h"
#include "number/vector.h"

/* Components of a normal below this part of the products that cancel in them are taken as zero. */
#define NORMAL_NOISE 0x1p-40

void toi_settle_miss(const toi_chunk *chunk, size_t number, toi_level level) {
  chunk->hits[number] = toi_hit_miss(chunk->options->t_max, level);
}

/* The answer to a query whose first contact in [0, 1] is `hit`: that, or a miss if it comes after t_max. */
static toi_status settle_time(const toi_chunk *chunk, size_t number, const toi_hit *hit) {
  double t_max = chunk->options->t_max;
  toi_level level = (toi_level)hit->level;
  if (hit->t_hi <= t_max) {
    chunk->hits[number] = *hit;
    return TOI_OK;
  }
  // t_max inside the bracket: only the integers can tell.
  toi_hit exact = {.verdict = TOI_MISS};
  if (hit->t_lo <= t_max) {
    toi_status status = toi_exact_in_chunk(chunk, number, hit->t_lo, &exact);
    if (status != TOI_OK)
      return status;
  }
  if (exact.verdict == TOI_HIT)
    chunk->hits[number] = *hit;
  else
    toi_settle_miss(chunk, number, level);
  return TOI_OK;
}

/* A point of the query at time t. */
static void point_at(const toi_chunk *chunk, size_t number, double t, size_t point, double out[3]) {
  toi_point_at(chunk->kind, toi_query_at(chunk, number), t, point, out);
}

/* Where they touch: the moving vertex itself, or the point on the second edge. */
static void contact_point(const toi_chunk *chunk, size_t number, toi_hit *hit) {
  if (chunk->kind != TOI_EDGE_EDGE) {
    point_at(chunk, number, hit->t_lo, 0, hit->point);
    return;
  }
  double eb0[3], eb1[3];
  point_at(chunk, number, hit->t_lo, 2, eb0);
  point_at(chunk, number, hit->t_lo, 3, eb1);
  for (size_t axis = 0; axis < 3; axis++)
    hit->point[axis] = (1 - hit->v) * eb0[axis] + hit->v * eb1[axis];
}

/* Brings a vector to a size whose squares and products stay in range; zero if it is infinite. */
static void tame_size(double v[3]) {
  double largest = toi_larger(fabs(v[0]), toi_larger(fabs(v[1]), fabs(v[2])));
  if (largest > 0x1p-200 && largest < 0x1p200)
    return;
  for (size_t axis = 0; axis < 3; axis++)
    v[axis] = largest > 0 && largest < INFINITY ? v[axis] / largest : 0;
}

static void unit_normal(const double direction[3], double normal[3]) {
  memcpy(normal, direction, 3 * sizeof(double));
  tame_size(normal);
  double square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
  double inverse = square > 0 ? 1 / sqrt(square) : 0;
  for (size_t axis = 0; axis < 3; axis++)
    normal[axis] *= inverse;
}

toi_status toi_settle_root(const toi_chunk *chunk, size_t number, const toi_root_answer *answer, toi_level level) {
  toi_hit hit = {.t_lo = answer->t_lo, .t_hi = answer->t_hi, .u = answer->u, .v = answer->v};
  assert(hit.t_lo > 0 && hit.t_hi <= 1);
  hit.t_safe = toi_next_down(hit.t_lo);
  hit.verdict = TOI_HIT;
  hit.level = (uint8_t)level;
  contact_point(chunk, number, &hit);
  unit_normal(answer->normal, hit.normal);
  return settle_time(chunk, number, &hit);
}

/* The difference of the two points that make a corner, at time t. */
static void corner_at(const toi_chunk *chunk, size_t number, double t, unsigned corner, double out[3]) {
  toi_corner c = toi_corners(chunk->kind)[corner];
  double first[3], second[3];
  point_at(chunk, number, t, c.first, first);
  point_at(chunk, number, t, c.second, second);
  for (size_t axis = 0; axis < 3; axis++)
    out[axis] = first[axis] - second[axis];
}

/* The cross product of the hull's first and last edge at time t, up to a factor; zero where it cannot be told from
 * rounding. An edge, a difference of two corners, is a difference of two points of the query: the others cancel. */
static void hull_normal(const toi_chunk *chunk, size_t number, double t, double normal[3]) {
  static const uint8_t face_edges[2][2] = {{1, 2}, {1, 3}}, pair_edges[2][2] = {{1, 0}, {2, 3}};
  const uint8_t(*edges)[2] = chunk->kind == TOI_VERTEX_FACE ? face_edges : pair_edges;
  double edge[2][3];
  for (size_t i = 0; i < 2; i++) {
    double to[3], from[3];
    point_at(chunk, number, t, edges[i][0], to);
    point_at(chunk, number, t, edges[i][1], from);
    for (size_t axis = 0; axis < 3; axis++)
      edge[i][axis] = to[axis] - from[axis];
    tame_size(edge[i]);
  }
  for (size_t axis = 0; axis < 3; axis++) {
    size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    double plus = edge[0][i] * edge[1][j], minus = edge[0][j] * edge[1][i];
    normal[axis] = fabs(plus - minus) > NORMAL_NOISE * (fabs(plus) + fabs(minus)) ? plus - minus : 0;
  }
}

/* Unit, and on the side of `direction`: the hull's normal at time t if it has one that is not square to the direction,
 * or else the direction itself. */
static void normal_towards(const toi_chunk *chunk, size_t number, double t, const double direction[3],
                           double normal[3]) {
  double side = 0, towards[3] = {direction[0], direction[1], direction[2]}, hull[3] = {0};
  tame_size(towards);
  if (toi_corner_count(chunk->kind) > 2)
    hull_normal(chunk, number, t, hull);
  for (size_t axis = 0; axis < 3; axis++)
    side += hull[axis] * towards[axis];
  for (size_t axis = 0; axis < 3 && side != 0; axis++)
    towards[axis] = side < 0 ? -hull[axis] : hull[axis];
  unit_normal(towards, normal);
}

toi_status toi_settle_corner(const toi_chunk *chunk, size_t number, const toi_remainder *remainder) {
  double t = remainder->t;
  toi_corner corner = toi_corners(chunk->kind)[remainder->corners[0]];
  toi_hit hit = {.t_lo = t, .t_hi = t, .u = corner.u, .v = corner.v};
  hit.t_safe = t > 0 ? toi_next_down(t) : 0;
  hit.touching_at_start = t == 0;
  hit.verdict = TOI_HIT;
  hit.level = TOI_LEVEL_REDUCTION;
  contact_point(chunk, number, &hit);
  // The corner comes straight from where it was at the start.
  if (t > 0) {
    double from[3];
    corner_at(chunk, number, 0, remainder->corners[0], from);
    normal_towards(chunk, number, t, from, hit.normal);
  }
  return settle_time(chunk, number, &hit);
}

toi_status toi_settle_start(const toi_chunk *chunk, size_t number, double u, double v) {
  toi_hit hit = {.u = u, .v = v, .verdict = TOI_HIT, .level = TOI_LEVEL_REDUCTION, .touching_at_start = 1};
  contact_point(chunk, number, &hit);
  return settle_time(chunk, number, &hit);
}

toi_status toi_settle_flat(const toi_chunk *chunk, size_t number, toi_root_answer *answer) {
  double normal[3];
  normal_towards(chunk, number, answer->t_lo, answer->normal, normal);
  memcpy(answer->normal, normal, sizeof(normal));
  return toi_settle_root(chunk, number, answer, TOI_LEVEL_REDUCTION);
}
