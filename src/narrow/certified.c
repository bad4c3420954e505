/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `certified`: a cascade in which every level proves its answer or passes the query on.
 *
 * A chunk goes through the levels together, survivors compacted between them: the filter, the projections and the roots
 * in SIMD (kernel.h), then one by one the reduction by comparisons, the kernels on scaled axes, and the integers, which
 * decide whatever is left. Which levels a query passes, and so its bracket, depends on its coordinates alone: every
 * level looks at all of [0, 1], and t_max is compared with the bracket at the end. */

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/frame.h"
#include "narrow/kernel.h"
#include "narrow/method.h"
#include "narrow/reduce.h"

#define ROOT_GROUP 64

static const toi_kernels *best_kernels(size_t count) {
  if (count == 1)
    return &toi_kernels_scalar;
  switch (toi_simd_best()) {
#if defined(__x86_64__)
  case TOI_SIMD_AVX2:
    return &toi_kernels_avx2;
#endif
  case TOI_SIMD_NATIVE_2:
    return &toi_kernels_two;
  default:
    return &toi_kernels_scalar;
  }
}

static const double *query_at(const toi_chunk *chunk, size_t number) {
  return chunk->queries + number * 6 * toi_kind_points(chunk->kind);
}

static void settle_miss(const toi_chunk *chunk, size_t number, toi_level level) {
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
    settle_miss(chunk, number, level);
  return TOI_OK;
}

/* A point of the query at time t. */
static void point_at(const toi_chunk *chunk, size_t number, double t, uint32_t point, double out[3]) {
  const double *query = query_at(chunk, number);
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

static toi_status settle_hit(const toi_chunk *chunk, size_t number, const toi_root_answer *answer, toi_level level) {
  toi_hit hit = {.t_lo = answer->t_lo, .t_hi = answer->t_hi, .u = answer->u, .v = answer->v};
  assert(hit.t_lo > 0 && hit.t_hi <= 1);
  hit.t_safe = nextafter(hit.t_lo, 0);
  hit.verdict = TOI_HIT;
  hit.level = (uint8_t)level;
  contact_point(chunk, number, &hit);
  unit_normal(answer->normal, hit.normal);
  return settle_time(chunk, number, &hit);
}

static toi_status settle_root(const toi_chunk *chunk, size_t number, const toi_root_answer *answer) {
  if (answer->code == TOI_ROOT_HIT)
    return settle_hit(chunk, number, answer, TOI_LEVEL_ROOT);
  settle_miss(chunk, number, TOI_LEVEL_ROOT);
  return TOI_OK;
}

/* Contact at the start or the end of the step in one corner. */
static toi_status settle_corner(const toi_chunk *chunk, size_t number, const toi_remainder *remainder) {
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

/* First contact between two corners that stay in the plane where `axis` is 0. */
static toi_root_answer segment_contact(const toi_chunk *chunk, size_t number, unsigned k, unsigned l, int axis) {
  toi_corner p = toi_corners(chunk->kind)[k], q = toi_corners(chunk->kind)[l];
  toi_planar planar = {(int)toi_kind_points(chunk->kind), {p.first, q.first}, {p.second, q.second}, axis};
  toi_scaled_answer answer;
  toi_kernel_planar(&planar, query_at(chunk, number), &answer);
  if (answer.projection_miss)
    answer.root.code = TOI_ROOT_MISS;
  double s = answer.root.u;
  answer.root.u = (1 - s) * p.u + s * q.u;
  answer.root.v = (1 - s) * p.v + s * q.v;
  return answer.root;
}

/* The answer found in a plane, or by the integers if there is none. */
static toi_status settle_flat(const toi_chunk *chunk, size_t number, toi_root_answer *answer) {
  if (answer->code == TOI_ROOT_OPEN)
    return toi_exact_in_chunk(chunk, number, answer->guess, &chunk->hits[number]);
  if (answer->code == TOI_ROOT_MISS) {
    settle_miss(chunk, number, TOI_LEVEL_REDUCTION);
    return TOI_OK;
  }
  /* A hull with a normal keeps it; a flat one is met in its plane. */
  double normal[3] = {0};
  if (toi_corner_count(chunk->kind) > 2)
    hull_normal(chunk, number, answer->t_lo, answer->normal, normal);
  if (normal[0] != 0 || normal[1] != 0 || normal[2] != 0)
    memcpy(answer->normal, normal, sizeof(normal));
  return settle_hit(chunk, number, answer, TOI_LEVEL_REDUCTION);
}

/* Contact at t = 0 strictly inside a hull that stays in a plane. */
static toi_status settle_start(const toi_chunk *chunk, size_t number, double u, double v) {
  toi_hit hit = {.u = u, .v = v, .verdict = TOI_HIT, .level = TOI_LEVEL_REDUCTION, .touching_at_start = 1};
  contact_point(chunk, number, &hit);
  return settle_time(chunk, number, &hit);
}

/* A hull that stays in a plane. Either 0 is in it at the start, or it first touches 0 with its boundary: the earliest
 * contact of a boundary segment (docs/guarantees.md, lemma 4). */
static toi_status settle_plane(const toi_chunk *chunk, size_t number, int axis) {
  unsigned count = toi_corner_count(chunk->kind);
  double u, v;
  int start = toi_kernel_start_in_plane((int)count, query_at(chunk, number), axis, &u, &v);
  if (start > 0)
    return settle_start(chunk, number, u, v);
  toi_root_answer first = {.code = start < 0 ? TOI_ROOT_MISS : TOI_ROOT_OPEN, .guess = NAN};
  for (unsigned k = 0; k < count && first.code != TOI_ROOT_OPEN; k++) {
    toi_root_answer next = segment_contact(chunk, number, k, (k + 1) % count, axis);
    bool both = first.code == TOI_ROOT_HIT && next.code == TOI_ROOT_HIT;
    if (next.code == TOI_ROOT_OPEN || (both && next.t_lo <= first.t_hi && first.t_lo <= next.t_hi))
      first.code = TOI_ROOT_OPEN;
    else if (next.code == TOI_ROOT_HIT && (!both || next.t_hi < first.t_lo))
      first = next;
  }
  return settle_flat(chunk, number, &first);
}

/* What the kernels left open, one by one. guess: of a root of the cubic; NaN if the query was out of their range. */
static toi_status settle_one(const toi_chunk *chunk, size_t number, double guess) {
  const double *query = query_at(chunk, number);
  if (!toi_all_finite(query, 6 * toi_kind_points(chunk->kind)))
    return TOI_ERROR_INPUT;
  toi_remainder remainder;
  switch (toi_reduce(chunk->kind, query, &remainder)) {
  case TOI_REDUCED_CORNER:
    return settle_corner(chunk, number, &remainder);
  case TOI_REDUCED_SEGMENT: {
    toi_root_answer answer = segment_contact(chunk, number, remainder.corners[0], remainder.corners[1], remainder.axis);
    return settle_flat(chunk, number, &answer);
  }
  case TOI_REDUCED_PLANE:
    return settle_plane(chunk, number, remainder.axis);
  case TOI_REDUCED_MISS:
    settle_miss(chunk, number, TOI_LEVEL_REDUCTION);
    return TOI_OK;
  case TOI_REDUCED_OPEN:
    break;
  }
  if (isnan(guess) && chunk->kind != TOI_VERTEX_VERTEX) {
    toi_scaled_answer scaled;
    toi_kernel_scaled((int)toi_corner_count(chunk->kind), query, &scaled);
    if (scaled.projection_miss) {
      settle_miss(chunk, number, TOI_LEVEL_PROJECTION);
      return TOI_OK;
    }
    if (scaled.root.code != TOI_ROOT_OPEN)
      return settle_root(chunk, number, &scaled.root);
    guess = scaled.root.guess;
  }
  return toi_exact_in_chunk(chunk, number, guess, &chunk->hits[number]);
}

/* The root kernel and what follows, for `rows->count` <= ROOT_GROUP queries. */
static toi_status settle_group(const toi_chunk *chunk, const toi_kernels *kernels, const toi_rows *rows) {
  toi_root_answer answers[ROOT_GROUP];
  kernels->root((int)toi_corner_count(chunk->kind), rows, answers);
  for (size_t i = 0; i < rows->count; i++) {
    toi_status status = answers[i].code == TOI_ROOT_OPEN ? settle_one(chunk, rows->numbers[i], answers[i].guess)
                                                         : settle_root(chunk, rows->numbers[i], &answers[i]);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

/* Vertex-face and edge-edge: the kernels on the whole chunk. */
static toi_status run_kernels(const toi_chunk *chunk) {
  const toi_kernels *kernels = best_kernels(chunk->count);
  int corners = (int)toi_corner_count(chunk->kind);
  uint8_t codes[TOI_CHUNK_QUERIES];
  uint32_t numbers[TOI_CHUNK_QUERIES];
  toi_rows open = {chunk->queries, 24, numbers, 0};
  kernels->filter(corners, chunk->queries, chunk->count, codes);

  /* Misses are written, survivors collected. */
  toi_hit miss = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_BOX);
  for (size_t i = 0; i < chunk->count; i++) {
    chunk->hits[i] = miss;
    chunk->hits[i].level = codes[i] == TOI_FILTER_SIGN ? TOI_LEVEL_SIGN : TOI_LEVEL_BOX;
    numbers[open.count] = (uint32_t)i;
    open.count += codes[i] == TOI_FILTER_OPEN;
  }
  if (open.count == 0)
    return TOI_OK;

  /* Projections; codes now says for each survivor whether it is settled. */
  kernels->projection(corners, &open, codes);
  size_t left = 0;
  for (size_t i = 0; i < open.count; i++) {
    if (codes[i])
      chunk->hits[numbers[i]].level = TOI_LEVEL_PROJECTION;
    else
      numbers[left++] = numbers[i];
  }
  for (size_t i = 0; i < left; i += ROOT_GROUP) {
    toi_rows group = {chunk->queries, 24, numbers + i, left - i < ROOT_GROUP ? left - i : ROOT_GROUP};
    toi_status status = settle_group(chunk, kernels, &group);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

static toi_status run_certified(const toi_chunk *chunk) {
  assert(chunk->count <= TOI_CHUNK_QUERIES);
  toi_status status = TOI_OK;
  if (chunk->kind == TOI_VERTEX_FACE || chunk->kind == TOI_EDGE_EDGE)
    status = run_kernels(chunk);
  else
    for (size_t i = 0; i < chunk->count && status == TOI_OK; i++)
      status = settle_one(chunk, i, NAN);
  for (size_t i = 0; i < chunk->count && status == TOI_OK; i++)
    toi_count(chunk->counters, &chunk->hits[i]);
  return status;
}

const toi_method toi_method_certified = {
    "certified",
    "Filters in floating point with proved bounds and settles the rest in integers: hit or miss, never near, and right "
    "for "
    "every finite input. The bracket of the contact time is at most 2^-48 wide. The tolerance is not used.",
    run_certified};
