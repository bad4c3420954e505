/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A chunk goes through the levels together, survivors compacted between them: box and sign, then roots in SIMD
 * (rotating_kernel.h, rotating_find.c), and one by one the walk over what that leaves open; contacts are narrowed in
 * SIMD again, and the integers decide whatever is left. Which way a query goes, and so its bracket, depends on its
 * coordinates alone: t_max is compared with the bracket at the end. */

#include "narrow/rotating_chunk.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/hull.h"
#include "number/interval.h"
#include "number/vector.h"

enum { GROUP = TOI_FIND_ROWS, ROW = 12 };

/* At most this wide. */
#define WIDTH 0x1p-48

const toi_turn_kernels *toi_turn_kernels_best(size_t count) {
  if (count == 1)
    return &toi_turn_kernels_scalar;
  switch (toi_simd_best()) {
#if defined(__x86_64__)
  case TOI_SIMD_AVX2:
    return &toi_turn_kernels_avx2;
#endif
  case TOI_SIMD_NATIVE_2:
    return &toi_turn_kernels_two;
  default:
    return &toi_turn_kernels_scalar;
  }
}

static toi_rotating query_of(const toi_turn_question *ask, const double *points) {
  return (toi_rotating){ask->pair, ask->kind, points};
}

toi_status toi_turn_decide(const toi_turn_question *ask, const toi_rotating *query, double guess, toi_hit *hit) {
  void *scratch = toi_borrow(ask->context, ask->thread, toi_rotating_exact_scratch(query));
  if (scratch == NULL)
    return TOI_ERROR_MEMORY;
  toi_rotating_exact(query, ask->options.t_max, guess, scratch, hit);
  toi_give_back(ask->context, scratch);
  return TOI_OK;
}

/* The contact point in the world: the vertex, or the point on the second edge; and the normal, made unit. */
void toi_turn_place(const toi_rotating *query, const double direction[3], toi_hit *hit) {
  const toi_moving_pair *pair = query->pair;
  bool edges = query->kind == TOI_EDGE_EDGE;
  double rotation[3][3], position[3], local[3], n[3];
  const double *points = query->points;
  for (int axis = 0; axis < 3; axis++)
    local[axis] = edges ? (1 - hit->v) * points[6 + axis] + hit->v * points[9 + axis] : points[axis];
  toi_pose_at(pair, edges ? 1 : 0, hit->t_lo, rotation, position);
  for (int axis = 0; axis < 3; axis++)
    hit->point[axis] = position[axis] + toi_dot(rotation[axis], local);
  toi_pose_at(pair, 1, hit->t_lo, rotation, position);
  double most = toi_larger(fabs(direction[0]), toi_larger(fabs(direction[1]), fabs(direction[2])));
  for (int axis = 0; axis < 3; axis++)
    n[axis] = most > 0 ? direction[axis] / most : 0;
  double length = sqrt(toi_dot(n, n));
  for (int axis = 0; axis < 3 && length > 0; axis++)
    hit->normal[axis] = toi_dot(rotation[axis], n) / length + 0.0;
}

/* A contact that the filter proved: a hit, unless it comes after t_max. */
static toi_status settle_hit(const toi_turn_question *ask, const toi_rotating *query, const toi_turn_root *root,
                             const double bracket[2], toi_hit *hit) {
  double t_max = ask->options.t_max;
  *hit = toi_hit_miss(t_max, root->level);
  if (bracket[0] > t_max)
    return TOI_OK;
  // t_max inside the bracket: only the integers can tell.
  toi_hit exact = {.verdict = TOI_HIT};
  toi_status status = bracket[1] <= t_max ? TOI_OK : toi_turn_decide(ask, query, bracket[0], &exact);
  if (status != TOI_OK || exact.verdict != TOI_HIT)
    return status;
  *hit = (toi_hit){.t_lo = bracket[0], .t_hi = bracket[1], .u = root->u, .v = root->v};
  hit->t_safe = toi_next_down(hit->t_lo);
  hit->verdict = TOI_HIT;
  hit->level = (uint8_t)root->level;
  toi_turn_place(query, root->normal, hit);
  return TOI_OK;
}

/* --- groups of queries that box and sign left open --- */

/* Contacts of a group, narrowed together. */
static toi_status settle_contacts(const toi_turn_question *ask, const toi_turn_kernels *kernels, const toi_rows *rows,
                                  const toi_turn_root *roots, toi_hit *hits) {
  double times[GROUP], values[GROUP];
  for (size_t i = 0; i < rows->count; i++)
    times[i] = roots[i].at;
  kernels->residual((int)toi_corner_count(ask->kind), &ask->pair->ends, rows, times, values);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < rows->count && status == TOI_OK; i++) {
    const toi_rotating query = query_of(ask, rows->queries + rows->row_size * rows->numbers[i]);
    toi_hit *hit = &hits[rows->numbers[i]];
    double bracket[2];
    if (toi_turn_narrow(&roots[i], values[i], TOI_TURN_RESIDUAL_ERROR * roots[i].size, WIDTH, bracket))
      status = settle_hit(ask, &query, &roots[i], bracket, hit);
    else
      status = toi_turn_decide(ask, &query, roots[i].at, hit);
  }
  return status;
}

/* Queries that box and sign left open, at most GROUP of them. */
static toi_status settle_group(const toi_turn_question *ask, const toi_turn_kernels *kernels, const toi_rows *rows,
                               const toi_turn_curve *curves, toi_hit *hits) {
  const toi_turn_piece *piece = &ask->pair->piece;
  toi_turn_root roots[GROUP];
  uint32_t numbers[GROUP];
  size_t contacts = 0;
  toi_turn_find(kernels, (int)toi_corner_count(ask->kind), piece, rows, curves, roots);
  for (size_t i = 0; i < rows->count; i++) {
    const uint32_t number = rows->numbers[i];
    const toi_rotating query = query_of(ask, rows->queries + rows->row_size * number);
    toi_turn_root *root = &roots[i];
    if (root->code == TOI_ROTATING_OPEN) {
      if (!toi_all_finite(query.points, ROW))
        return TOI_ERROR_INPUT;
      toi_rotating_walk(&query, piece, root);
      hits[number].level = (uint8_t)root->level;
    }
    if (root->code == TOI_ROTATING_ROOT) {
      roots[contacts] = *root;
      numbers[contacts++] = number;
    } else if (root->code == TOI_ROTATING_OPEN) {
      toi_status status = toi_turn_decide(ask, &query, root->at, &hits[number]);
      if (status != TOI_OK)
        return status;
    }
  }
  const toi_rows found = {rows->queries, rows->row_size, numbers, contacts};
  return contacts == 0 ? TOI_OK : settle_contacts(ask, kernels, &found, roots, hits);
}

/* Queries that are open, in the order of their curves. */
typedef struct open_queries {
  uint32_t numbers[2 * GROUP];
  toi_turn_curve curves[2 * GROUP];
  size_t count;
} open_queries;

/* Settles the first of them, and moves the others up. */
static toi_status settle_first(const toi_turn_question *ask, const toi_turn_kernels *kernels, const double *queries,
                               open_queries *open, toi_hit *hits) {
  const size_t count = open->count < GROUP ? open->count : GROUP, left = open->count - count;
  const toi_rows rows = {queries, ROW, open->numbers, count};
  const toi_status status = settle_group(ask, kernels, &rows, open->curves, hits);
  memcpy(open->numbers, open->numbers + count, left * sizeof *open->numbers);
  memcpy(open->curves, open->curves + count, left * sizeof *open->curves);
  open->count = left;
  return status;
}

/* Faces and edges. */
static toi_status answer_many(const toi_turn_question *ask, const double *queries, size_t count, toi_hit *hits) {
  const toi_turn_kernels *kernels = toi_turn_kernels_best(count);
  const int corners = (int)toi_corner_count(ask->kind);
  toi_hit misses[TOI_FILTER_OPEN + 1];
  // What is left open is a miss until a contact is found.
  misses[TOI_FILTER_BOX] = toi_hit_miss(ask->options.t_max, TOI_LEVEL_BOX);
  misses[TOI_FILTER_SIGN] = toi_hit_miss(ask->options.t_max, TOI_LEVEL_SIGN);
  misses[TOI_FILTER_OPEN] = toi_hit_miss(ask->options.t_max, TOI_LEVEL_ROOT);
  open_queries open;
  open.count = 0;
  toi_status status = TOI_OK;
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += GROUP) {
    uint8_t codes[GROUP];
    const size_t size = count - begin < GROUP ? count - begin : GROUP;
    kernels->filter(corners, &ask->pair->piece, queries + ROW * begin, size, codes, open.curves + open.count);
    for (size_t i = 0; i < size; i++) {
      hits[begin + i] = misses[codes[i]];
      open.numbers[open.count] = (uint32_t)(begin + i);
      open.count += codes[i] == TOI_FILTER_OPEN;
    }
    if (open.count >= GROUP)
      status = settle_first(ask, kernels, queries, &open, hits);
  }
  return status == TOI_OK && open.count > 0 ? settle_first(ask, kernels, queries, &open, hits) : status;
}

/* --- the others --- */

static toi_status answer_one(const toi_turn_question *ask, const double *points, toi_hit *hit) {
  if (!toi_all_finite(points, (size_t)3 * toi_kind_points(ask->kind)))
    return TOI_ERROR_INPUT;
  const toi_rotating query = query_of(ask, points);
  if (!ask->pair->rational || ask->options.min_separation > 0)
    return toi_turn_search_answer(ask, &query, hit);
  toi_turn_root root = {.code = TOI_ROTATING_OPEN, .at = NAN};
  if (!ask->exact)
    toi_rotating_walk(&query, &ask->pair->piece, &root);
  if (root.code != TOI_ROTATING_MISS)
    return toi_turn_decide(ask, &query, NAN, hit);
  *hit = toi_hit_miss(ask->options.t_max, root.level);
  return TOI_OK;
}

toi_status toi_turn_answer(const toi_turn_question *question, const double *queries, size_t count, toi_hit *hits) {
  if (question->pair->same_way != NULL && question->options.min_separation == 0)
    return toi_turn_answer_same_way(question, queries, count, hits);
  const bool filtered = !question->exact && question->pair->piece.in_range && question->options.min_separation == 0;
  if (filtered && toi_corner_count(question->kind) >= 3)
    return question->pair->rational ? answer_many(question, queries, count, hits)
                                    : toi_turn_answer_steady(question, queries, count, hits);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    status = answer_one(question, queries + i * 3 * toi_kind_points(question->kind), &hits[i]);
  return status;
}
