/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "narrow/settle.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "narrow/frame.h"

const double *toi_query_at(const toi_chunk *chunk, size_t number) {
  return chunk->queries + number * 6 * toi_kind_points(chunk->kind);
}

void toi_settle_miss(const toi_chunk *chunk, size_t number, toi_level level) {
  chunk->hits[number] = toi_hit_miss(chunk->options->t_max, level);
}

/* A contact time in [t_lo, t_hi], against t_max: TOI_OK with the verdict written to the hit. */
static toi_status settle_time(const toi_chunk *chunk, size_t number, toi_hit *hit) {
  double t_max = chunk->options->t_max;
  toi_level level = (toi_level)hit->level;
  if (hit->t_hi <= t_max) {
    chunk->hits[number] = *hit;
    return TOI_OK;
  }
  /* t_max inside the bracket: only the integers can tell. */
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
static void point_at(const toi_chunk *chunk, size_t number, double t, uint32_t point, double out[3]) {
  const double *query = toi_query_at(chunk, number);
  for (size_t axis = 0; axis < 3; axis++) {
    double start = query[3 * point + axis], end = query[3 * (toi_kind_points(chunk->kind) + point) + axis];
    out[axis] = (1 - t) * start + t * end;
  }
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

static void unit_normal(const double direction[3], double normal[3]) {
  double largest = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
  double square = 0;
  for (size_t axis = 0; axis < 3; axis++) {
    normal[axis] = largest > 0 ? direction[axis] / largest : 0;
    square += normal[axis] * normal[axis];
  }
  for (size_t axis = 0; axis < 3 && square > 0; axis++)
    normal[axis] /= sqrt(square);
}

toi_status toi_settle_root(const toi_chunk *chunk, size_t number, const toi_root_answer *answer, toi_level level) {
  toi_hit hit = {.t_lo = answer->t_lo, .t_hi = answer->t_hi, .u = answer->u, .v = answer->v};
  assert(hit.t_lo > 0 && hit.t_hi <= 1);
  hit.t_safe = nextafter(hit.t_lo, 0);
  hit.verdict = TOI_HIT;
  hit.level = (uint8_t)level;
  contact_point(chunk, number, &hit);
  unit_normal(answer->normal, hit.normal);
  return settle_time(chunk, number, &hit);
}

toi_status toi_settle_corner(const toi_chunk *chunk, size_t number, const toi_remainder *remainder) {
  double t = remainder->t;
  toi_corner corner = toi_corners(chunk->kind)[remainder->corners[0]];
  toi_hit hit = {.t_lo = t, .t_hi = t, .u = corner.u, .v = corner.v};
  hit.t_safe = t > 0 ? nextafter(t, 0) : 0;
  hit.touching_at_start = t == 0;
  hit.verdict = TOI_HIT;
  hit.level = TOI_LEVEL_REDUCTION;
  contact_point(chunk, number, &hit);
  return settle_time(chunk, number, &hit);
}

toi_status toi_settle_start(const toi_chunk *chunk, size_t number, double u, double v) {
  toi_hit hit = {.u = u, .v = v, .verdict = TOI_HIT, .level = TOI_LEVEL_REDUCTION, .touching_at_start = 1};
  contact_point(chunk, number, &hit);
  return settle_time(chunk, number, &hit);
}

/* The hull's normal at time t, on the side of `direction`; zero if the hull has none. */
static void hull_normal(const toi_chunk *chunk, size_t number, double t, const double direction[3], double normal[3]) {
  unsigned count = toi_corner_count(chunk->kind);
  unsigned numbers[3] = {0, 1, count - 1};
  double corner[3][3], edge[2][3], side = 0;
  for (size_t k = 0; k < 3; k++) {
    toi_corner c = toi_corners(chunk->kind)[numbers[k]];
    double first[3], second[3];
    point_at(chunk, number, t, c.first, first);
    point_at(chunk, number, t, c.second, second);
    for (size_t axis = 0; axis < 3; axis++)
      corner[k][axis] = first[axis] - second[axis];
  }
  for (size_t axis = 0; axis < 3; axis++) {
    edge[0][axis] = corner[1][axis] - corner[0][axis];
    edge[1][axis] = corner[2][axis] - corner[0][axis];
  }
  for (size_t axis = 0; axis < 3; axis++) {
    size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    normal[axis] = edge[0][i] * edge[1][j] - edge[0][j] * edge[1][i];
    side += normal[axis] * direction[axis];
  }
  for (size_t axis = 0; axis < 3; axis++)
    normal[axis] = side > 0 ? normal[axis] : side < 0 ? -normal[axis] : 0;
}

toi_status toi_settle_flat(const toi_chunk *chunk, size_t number, toi_root_answer *answer) {
  double normal[3] = {0};
  if (toi_corner_count(chunk->kind) > 2)
    hull_normal(chunk, number, answer->t_lo, answer->normal, normal);
  if (normal[0] != 0 || normal[1] != 0 || normal[2] != 0)
    memcpy(answer->normal, normal, sizeof(normal));
  return toi_settle_root(chunk, number, answer, TOI_LEVEL_REDUCTION);
}
