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

#include "base/internal.h"
#include "narrow/certified.h"
#include "narrow/hull.h"
#include "narrow/reduce.h"
#include "narrow/settle.h"

#define ROOT_GROUP 64

const toi_kernels *toi_best_kernels(size_t count) {
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

/* Segments in a plane that wait for the kernel, so that its lanes are full. */
typedef struct planar_group {
  size_t count;
  toi_planar segments[ROOT_GROUP];
  uint32_t numbers[ROOT_GROUP];
  toi_corner ends[ROOT_GROUP][2];
} planar_group;

/* The segment between two corners that stay in the plane where `axis` is 0. */
static toi_planar planar_segment(const toi_chunk *chunk, size_t number, toi_corner p, toi_corner q, int axis) {
  return (toi_planar){
      toi_query_at(chunk, number), (int)toi_kind_points(chunk->kind), {p.first, q.first}, {p.second, q.second}, axis};
}

/* Contact parameters of the query from those along the segment. */
static void place_on_segment(toi_root_answer *answer, toi_corner p, toi_corner q) {
  double s = answer->u;
  answer->u = (1 - s) * p.u + s * q.u;
  answer->v = (1 - s) * p.v + s * q.v;
}

static toi_status settle_planar(const toi_chunk *chunk, size_t number, toi_root_answer *answer) {
  if (answer->code == TOI_ROOT_OPEN)
    return toi_exact_in_chunk(chunk, number, answer->guess, &chunk->hits[number]);
  if (answer->code == TOI_ROOT_HIT)
    return toi_settle_flat(chunk, number, answer);
  toi_settle_miss(chunk, number, TOI_LEVEL_REDUCTION);
  return TOI_OK;
}

static toi_status flush_group(const toi_chunk *chunk, const toi_kernels *kernels, planar_group *group) {
  toi_root_answer answers[ROOT_GROUP];
  kernels->planar(group->segments, group->count, answers);
  for (size_t i = 0; i < group->count; i++) {
    place_on_segment(&answers[i], group->ends[i][0], group->ends[i][1]);
    toi_status status = settle_planar(chunk, group->numbers[i], &answers[i]);
    if (status != TOI_OK)
      return status;
  }
  group->count = 0;
  return TOI_OK;
}

static void add_segment(const toi_chunk *chunk, size_t number, const toi_remainder *remainder, planar_group *group) {
  const toi_corner *corners = toi_corners(chunk->kind);
  toi_corner p = corners[remainder->corners[0]], q = corners[remainder->corners[1]];
  size_t i = group->count++;
  group->segments[i] = planar_segment(chunk, number, p, q, remainder->axis);
  group->numbers[i] = (uint32_t)number;
  group->ends[i][0] = p;
  group->ends[i][1] = q;
}

/* A hull that stays in a plane. Either 0 is in it at the start, or it first touches 0 with its boundary: the earliest
 * contact of a boundary segment (docs/guarantees.md, lemma 4). Contacts that cannot be told apart go to the integers.
 */
static toi_status settle_plane(const toi_chunk *chunk, const toi_kernels *kernels, size_t number, int axis) {
  const toi_corner *corners = toi_corners(chunk->kind);
  unsigned count = toi_corner_count(chunk->kind);
  double u, v;
  int start = toi_kernel_start_in_plane((int)count, toi_query_at(chunk, number), axis, &u, &v);
  if (start > 0)
    return toi_settle_start(chunk, number, u, v);
  toi_planar segments[TOI_MOST_CORNERS];
  toi_root_answer answers[TOI_MOST_CORNERS];
  for (unsigned k = 0; k < count; k++)
    segments[k] = planar_segment(chunk, number, corners[k], corners[(k + 1) % count], axis);
  kernels->planar(segments, count, answers);
  toi_root_answer first = {.code = start < 0 ? TOI_ROOT_MISS : TOI_ROOT_OPEN, .guess = NAN};
  for (unsigned k = 0; k < count && first.code != TOI_ROOT_OPEN; k++) {
    toi_root_answer next = answers[k];
    place_on_segment(&next, corners[k], corners[(k + 1) % count]);
    bool both = first.code == TOI_ROOT_HIT && next.code == TOI_ROOT_HIT;
    if (next.code == TOI_ROOT_OPEN || (both && next.t_lo <= first.t_hi && first.t_lo <= next.t_hi))
      first.code = TOI_ROOT_OPEN;
    else if (next.code == TOI_ROOT_HIT && (!both || next.t_hi < first.t_lo))
      first = next;
  }
  return settle_planar(chunk, number, &first);
}

/* A query in general position, out of the kernels' range if guess is NaN. */
static toi_status settle_rest(const toi_chunk *chunk, size_t number, double guess) {
  if (isnan(guess) && chunk->kind != TOI_VERTEX_VERTEX) {
    toi_scaled_answer scaled;
    toi_kernel_scaled((int)toi_corner_count(chunk->kind), toi_query_at(chunk, number), &scaled);
    if (scaled.root.code == TOI_ROOT_HIT)
      return toi_settle_root(chunk, number, &scaled.root, TOI_LEVEL_ROOT);
    if (scaled.projection_miss || scaled.root.code == TOI_ROOT_MISS) {
      toi_settle_miss(chunk, number, scaled.projection_miss ? TOI_LEVEL_PROJECTION : TOI_LEVEL_ROOT);
      return TOI_OK;
    }
    guess = scaled.root.guess;
  }
  return toi_exact_in_chunk(chunk, number, guess, &chunk->hits[number]);
}

/* What the kernels left open. guess: of a root of the cubic; NaN if the query was out of their range. The group must
 * have room; a segment in a plane is put there and settled when the group is flushed. */
static toi_status settle_one(const toi_chunk *chunk, const toi_kernels *kernels, size_t number, double guess,
                             planar_group *group) {
  const double *query = toi_query_at(chunk, number);
  // The kernels guess only for finite queries.
  if (isnan(guess) && !toi_all_finite(query, 6 * toi_kind_points(chunk->kind)))
    return TOI_ERROR_INPUT;
  toi_remainder remainder;
  switch (toi_reduce(chunk->kind, query, &remainder)) {
  case TOI_REDUCED_CORNER:
    return toi_settle_corner(chunk, number, &remainder);
  case TOI_REDUCED_SEGMENT:
    add_segment(chunk, number, &remainder, group);
    return TOI_OK;
  case TOI_REDUCED_PLANE:
    return settle_plane(chunk, kernels, number, remainder.axis);
  case TOI_REDUCED_MISS:
    toi_settle_miss(chunk, number, TOI_LEVEL_REDUCTION);
    return TOI_OK;
  case TOI_REDUCED_OPEN:
    break;
  }
  return settle_rest(chunk, number, guess);
}

/* The root kernel and what follows, for `rows->count` <= ROOT_GROUP queries. */
static toi_status settle_group(const toi_chunk *chunk, const toi_kernels *kernels, const toi_rows *rows) {
  toi_root_answer answers[ROOT_GROUP];
  planar_group group = {.count = 0};
  kernels->root((int)toi_corner_count(chunk->kind), rows, answers);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < rows->count && status == TOI_OK; i++) {
    uint32_t number = rows->numbers[i];
    if (answers[i].code == TOI_ROOT_HIT)
      status = toi_settle_root(chunk, number, &answers[i], TOI_LEVEL_ROOT);
    else if (answers[i].code == TOI_ROOT_MISS)
      chunk->hits[number].level = TOI_LEVEL_ROOT; /* the rest of a miss stands there already */
    else
      status = settle_one(chunk, kernels, number, answers[i].guess, &group);
  }
  return status == TOI_OK ? flush_group(chunk, kernels, &group) : status;
}

/* Writes the filter's misses, counts them, and collects the numbers of the queries it left open. */
static size_t collect_open(const toi_chunk *chunk, const uint8_t *codes, uint32_t *numbers) {
  // Two templates: to change one in place would stall the copy that reads it at once.
  const toi_hit by_box = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_BOX);
  const toi_hit by_sign = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_SIGN);
  size_t open = 0, signs = 0;
  for (size_t i = 0; i < chunk->count; i++) {
    if (chunk->quiet && codes[i] != TOI_FILTER_OPEN)
      chunk->hits[i].verdict = TOI_MISS;
    else
      chunk->hits[i] = *(codes[i] == TOI_FILTER_SIGN ? &by_sign : &by_box);
    signs += codes[i] == TOI_FILTER_SIGN;
    numbers[open] = (uint32_t)i;
    open += codes[i] == TOI_FILTER_OPEN;
  }
  chunk->counters->queries += chunk->count - open;
  chunk->counters->verdicts[TOI_MISS] += chunk->count - open;
  chunk->counters->levels[TOI_LEVEL_SIGN] += signs;
  chunk->counters->levels[TOI_LEVEL_BOX] += chunk->count - open - signs;
  return open;
}

/* Roots and the rest. */
static toi_status contacts_by_roots(const toi_chunk *chunk, const toi_kernels *kernels, const uint32_t *numbers,
                                    size_t count) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i += ROOT_GROUP) {
    toi_rows group = {chunk->queries, 24, numbers + i, count - i < ROOT_GROUP ? count - i : ROOT_GROUP};
    status = settle_group(chunk, kernels, &group);
  }
  return status;
}

/* Vertex-face and edge-edge: projections, roots and the rest. Misses by projection are marked as such. */
static toi_status contacts_by_kernels(const toi_chunk *chunk, uint32_t *numbers, size_t count) {
  const toi_kernels *kernels = toi_best_kernels(chunk->count);
  toi_rows open = {chunk->queries, 24, numbers, count};
  uint8_t miss[TOI_CHUNK_QUERIES];
  kernels->projection((int)toi_corner_count(chunk->kind), &open, miss);
  size_t left = 0;
  for (size_t i = 0; i < count; i++)
    if (miss[i])
      chunk->hits[numbers[i]].level = TOI_LEVEL_PROJECTION;
    else
      numbers[left++] = numbers[i];
  return contacts_by_roots(chunk, kernels, numbers, left);
}

/* Vertex-edge and vertex-vertex: one by one, but for the segments in a plane. */
static toi_status contacts_one_by_one(const toi_chunk *chunk, const uint32_t *numbers, size_t count) {
  const toi_kernels *kernels = toi_best_kernels(chunk->count);
  planar_group group = {.count = 0};
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    status = settle_one(chunk, kernels, numbers[i], NAN, &group);
    if (status == TOI_OK && group.count == ROOT_GROUP)
      status = flush_group(chunk, kernels, &group);
  }
  return status == TOI_OK ? flush_group(chunk, kernels, &group) : status;
}

static bool has_kernels(toi_kind kind) {
  return kind == TOI_VERTEX_FACE || kind == TOI_EDGE_EDGE;
}

toi_status toi_certified_contacts(const toi_chunk *chunk, uint32_t *numbers, size_t count) {
  return has_kernels(chunk->kind) ? contacts_by_kernels(chunk, numbers, count)
                                  : contacts_one_by_one(chunk, numbers, count);
}

/* Numbers of the queries that the filter leaves open; its misses are written and counted. */
static size_t filter_chunk(const toi_chunk *chunk, uint32_t *numbers) {
  if (has_kernels(chunk->kind)) {
    uint8_t codes[TOI_CHUNK_QUERIES];
    const toi_kernels *kernels = toi_best_kernels(chunk->count);
    kernels->filter((int)toi_corner_count(chunk->kind), chunk->queries, chunk->count, codes);
    return collect_open(chunk, codes, numbers);
  }
  for (size_t i = 0; i < chunk->count; i++)
    numbers[i] = (uint32_t)i;
  return chunk->count;
}

/* Queries that the contact filter left open: projections in doubles would leave nearly all of them open too. */
static toi_status run_filtered(const toi_chunk *chunk) {
  assert(has_kernels(chunk->kind));
  const toi_hit miss = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_PROJECTION);
  uint32_t numbers[TOI_CHUNK_QUERIES];
  for (size_t i = 0; i < chunk->count; i++) {
    chunk->hits[i] = miss;
    numbers[i] = (uint32_t)i;
  }
  toi_status status = contacts_by_roots(chunk, toi_best_kernels(chunk->count), numbers, chunk->count);
  for (size_t i = 0; i < chunk->count && status == TOI_OK; i++)
    toi_count(chunk->counters, &chunk->hits[i]);
  return status;
}

static toi_status run_certified(const toi_chunk *chunk) {
  assert(chunk->count <= TOI_CHUNK_QUERIES);
  if (toi_chunk_separates(chunk))
    return toi_certified_separated(chunk);
  if (chunk->filtered)
    return run_filtered(chunk);
  uint32_t numbers[TOI_CHUNK_QUERIES], open[TOI_CHUNK_QUERIES];
  size_t count = filter_chunk(chunk, numbers);
  for (size_t i = 0; i < count; i++)
    open[i] = numbers[i];
  toi_status status = toi_certified_contacts(chunk, open, count);
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    toi_count(chunk->counters, &chunk->hits[numbers[i]]);
  return status;
}

const toi_method toi_method_certified = {
    "certified",
    "Filters in floating point with proved bounds and decides the rest in integer arithmetic: hit or miss, never "
    "near, and correct for every finite input, also with a separation. The bracket of the contact time is at most "
    "2^-48 wide. The tolerance is not used.",
    run_certified, true};
