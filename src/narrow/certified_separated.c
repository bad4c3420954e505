/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `certified` with a separation d > 0.
 *
 * The filter in SIMD, then query by query: within d at the start? One turning plane for the whole step? For what is
 * left, contact itself is decided first: it tells where to look, and is within any d. Then the search of
 * turning_planes.h, and the integers decide the rest. As without separation, every level looks at all of [0, 1] and
 * t_max comes last. */

#include <math.h>
#include <string.h>

#include "narrow/certified.h"
#include "narrow/distance.h"
#include "narrow/hull.h"
#include "narrow/place.h"
#include "narrow/turning_planes.h"
#include "number/interval.h"
#include "number/vector.h"

static void answer_miss(const toi_chunk *chunk, size_t number, double d, toi_level level) {
  chunk->hits[number] = toi_hit_miss(chunk->options->t_max, level);
  chunk->hits[number].separation = d;
}

/* First within d in [t_lo, t_hi], which may lie beyond t_max. */
static toi_status answer_hit(const toi_chunk *chunk, size_t number, double d, double t_lo, double t_hi) {
  const toi_options *options = chunk->options;
  toi_hit *hit = &chunk->hits[number];
  if (t_lo > options->t_max) {
    answer_miss(chunk, number, d, TOI_LEVEL_PLANE);
    return TOI_OK;
  }
  if (t_hi > options->t_max) {
    // t_max inside the bracket: only the integers can tell.
    toi_status status = toi_exact_in_chunk(chunk, number, t_lo, hit);
    if (status != TOI_OK)
      return status;
    if (hit->verdict == TOI_MISS) {
      answer_miss(chunk, number, d, TOI_LEVEL_PLANE);
      return TOI_OK;
    }
  }
  *hit = (toi_hit){.t_lo = t_lo, .t_hi = t_hi, .separation = d, .verdict = TOI_HIT, .level = TOI_LEVEL_PLANE};
  hit->t_safe = t_lo > 0 ? toi_next_down(t_lo) : 0;
  hit->touching_at_start = t_hi == 0;
  toi_place_nearest(chunk->kind, toi_query_at(chunk, number), options->norm, t_hi, hit);
  return TOI_OK;
}

static toi_status answer_exactly(const toi_chunk *chunk, size_t number, double guess) {
  return toi_exact_in_chunk(chunk, number, guess, &chunk->hits[number]);
}

/* Contact of the open queries, without separation and up to t = 1: into chunk->hits. */
static toi_status find_contacts(const toi_chunk *chunk, const uint32_t *open, size_t count) {
  toi_options options = *chunk->options;
  toi_counters unused = {0};
  toi_chunk contact = *chunk;
  uint32_t numbers[TOI_CHUNK_QUERIES];
  options.t_max = 1;
  options.min_separation = options.separation_fraction = 0;
  contact.options = &options;
  contact.thickness = NULL;
  contact.counters = &unused;
  memcpy(numbers, open, count * sizeof(numbers[0]));
  return toi_certified_contacts(&contact, numbers, count);
}

/* One query that the kernels left open, with what is known of contact in its place. */
static toi_status settle_open(const toi_chunk *chunk, size_t number, double d) {
  const toi_hit *contact = &chunk->hits[number];
  toi_known_contact known = {contact->verdict == TOI_HIT, contact->t_lo, contact->t_hi};
  toi_moving moving;
  toi_turning_planes_answer answer;
  if (!toi_moving_make(chunk->kind, toi_query_at(chunk, number), d, chunk->options->norm, &moving))
    return answer_exactly(chunk, number, NAN);
  toi_turning_planes(&moving, &known, &answer);
  switch (answer.code) {
  case TOI_TURNING_PLANES_MISS:
    answer_miss(chunk, number, d, TOI_LEVEL_PLANE);
    return TOI_OK;
  case TOI_TURNING_PLANES_HIT:
    return answer_hit(chunk, number, d, answer.t_lo, answer.t_hi);
  case TOI_TURNING_PLANES_OPEN:
    break;
  }
  return answer_exactly(chunk, number, answer.guess);
}

static void count_misses(const toi_chunk *chunk, toi_level level, size_t count) {
  chunk->counters->queries += count;
  chunk->counters->verdicts[TOI_MISS] += count;
  chunk->counters->levels[level] += count;
}

/* Keeps the numbers that are not marked as misses; the others get that level, and are counted. */
static size_t keep_open(const toi_chunk *chunk, const uint8_t *miss, toi_level level, uint32_t *numbers, size_t count) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++)
    if (miss[i])
      chunk->hits[numbers[i]].level = (uint8_t)level;
    else
      numbers[left++] = numbers[i];
  count_misses(chunk, level, count - left);
  return left;
}

/* Numbers of the queries that the first kernel leaves open. Every hit is a miss for now: the rest of it stands there.
 */
static size_t filter_chunk(const toi_chunk *chunk, const double *separation, const uint8_t *codes, uint32_t *numbers) {
  toi_hit by_box = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_BOX);
  toi_hit by_sign = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_SIGN);
  by_box.separation = by_sign.separation = chunk->options->min_separation;
  bool own = chunk->options->separation_fraction > 0 || chunk->thickness;
  size_t open = 0, signs = 0;
  for (size_t i = 0; i < chunk->count; i++) {
    toi_hit *hit = &chunk->hits[i];
    if (chunk->quiet && codes[i] != TOI_FILTER_OPEN)
      hit->verdict = TOI_MISS;
    else
      *hit = *(codes[i] == TOI_FILTER_SIGN ? &by_sign : &by_box);
    if (own)
      hit->separation = separation[i];
    signs += codes[i] == TOI_FILTER_SIGN;
    numbers[open] = (uint32_t)i;
    open += codes[i] == TOI_FILTER_OPEN;
  }
  count_misses(chunk, TOI_LEVEL_SIGN, signs);
  count_misses(chunk, TOI_LEVEL_BOX, chunk->count - open - signs);
  return open;
}

/* Numbers of the queries that the kernels leave open, all of them for kinds without; their misses are counted. */
static size_t run_kernels(const toi_chunk *chunk, const double *separation, uint32_t *numbers) {
  const toi_kernels *kernels = toi_best_kernels(chunk->count);
  int corners = (int)toi_corner_count(chunk->kind);
  uint8_t codes[TOI_CHUNK_QUERIES];
  if (corners >= 3)
    kernels->filter_separated(corners, chunk->queries, separation, chunk->count, codes);
  else
    memset(codes, TOI_FILTER_OPEN, chunk->count);
  toi_rows rows = {chunk->queries, 24, numbers, filter_chunk(chunk, separation, codes, numbers)};
  if (corners < 3)
    return rows.count;
  kernels->projection_separated(corners, &rows, separation, codes);
  rows.count = keep_open(chunk, codes, TOI_LEVEL_PROJECTION, numbers, rows.count);
  kernels->planes(corners, &rows, separation, chunk->options->norm == TOI_NORM_LINF, codes);
  return keep_open(chunk, codes, TOI_LEVEL_PLANE, numbers, rows.count);
}

/* The separation of each query of the chunk. */
static toi_status find_separations(const toi_chunk *chunk, double *separation) {
  toi_status status = TOI_OK;
  if (chunk->options->separation_fraction > 0 || chunk->thickness)
    for (size_t i = 0; i < chunk->count && status == TOI_OK; i++) {
      bool finite = toi_all_finite(toi_query_at(chunk, i), 6 * (size_t)toi_kind_points(chunk->kind));
      status = finite ? toi_separation_of(chunk, i, &separation[i]) : TOI_ERROR_INPUT;
    }
  else
    for (size_t i = 0; i < chunk->count; i++)
      separation[i] = chunk->options->min_separation;
  return status;
}

static toi_status settle_chunk(const toi_chunk *chunk) {
  double separation[TOI_CHUNK_QUERIES];
  uint32_t numbers[TOI_CHUNK_QUERIES];
  toi_status status = find_separations(chunk, separation);
  if (status != TOI_OK)
    return status;
  size_t left = run_kernels(chunk, separation, numbers);
  status = find_contacts(chunk, numbers, left);
  for (size_t i = 0; i < left && status == TOI_OK; i++)
    status = settle_open(chunk, numbers[i], separation[numbers[i]]);
  for (size_t i = 0; i < left && status == TOI_OK; i++)
    toi_count(chunk->counters, &chunk->hits[numbers[i]]);
  return status;
}

/* --- a fraction, where misses need not say of what --- */

/* Not below the separation of a query whose initial distance is at most `most`. Claim: T + F max(0, d0 - T) grows
 * with d0, and for F <= 1 with T, so that upper bounds of both will do. */
static double separation_bound(const toi_chunk *chunk, size_t number, double most) {
  const double thickness = chunk->thickness ? chunk->thickness[number] : 0;
  const double least = toi_sum_up(chunk->options->min_separation, thickness);
  if (!(most > least))
    return least;
  return toi_sum_up(least, toi_product_up(chunk->options->separation_fraction, toi_sum_up(most, -least)));
}

/* Not below the initial distance: the closest corner's. Each of its coordinates is a rounded difference, and its
 * size has a few more roundings, relative ones while nothing underflows: 2^-48 covers them. */
static double corner_distance(const toi_chunk *chunk, size_t number) {
  const double *query = toi_query_at(chunk, number);
  const toi_corner *corners = toi_corners(chunk->kind);
  double least = INFINITY;
  for (unsigned k = 0; k < toi_corner_count(chunk->kind); k++) {
    double c[3];
    toi_minus(query + (size_t)3 * corners[k].first, query + (size_t)3 * corners[k].second, c);
    least = toi_smaller(least, toi_dot(c, c));
  }
  bool in_range = least > 0x1p-900 && least < 0x1p900;
  return in_range ? sqrt(least) * (1 + 0x1p-48) : INFINITY;
}

/* Most pairs of a mesh that are close to each other stay far enough apart for a bound of the separation to show it; to
 * find the separation itself, rounded right, takes longer than all else. Claim: who misses with a larger separation
 * misses. Numbers of the queries left open; misses are written and counted. */
static size_t sift_by_bounds(const toi_chunk *chunk, uint32_t *numbers) {
  const toi_kernels *kernels = toi_best_kernels(chunk->count);
  int corners = (int)toi_corner_count(chunk->kind);
  double bound[TOI_CHUNK_QUERIES];
  uint8_t codes[TOI_CHUNK_QUERIES];
  for (size_t i = 0; i < chunk->count; i++)
    bound[i] = separation_bound(chunk, i, corner_distance(chunk, i));
  kernels->filter_separated(corners, chunk->queries, bound, chunk->count, codes);
  toi_rows rows = {chunk->queries, 24, numbers, filter_chunk(chunk, bound, codes, numbers)};
  for (size_t i = 0; i < rows.count; i++) {
    toi_instant instant = {chunk->kind, toi_query_at(chunk, numbers[i]), chunk->options->norm, chunk->context,
                           chunk->thread};
    bound[numbers[i]] = separation_bound(chunk, numbers[i], toi_instant_most(&instant));
  }
  kernels->planes(corners, &rows, bound, chunk->options->norm == TOI_NORM_LINF, codes);
  return keep_open(chunk, codes, TOI_LEVEL_PLANE, numbers, rows.count);
}

toi_status toi_certified_separated(const toi_chunk *chunk) {
  const double fraction = chunk->options->separation_fraction;
  bool bounds_do = chunk->quiet && fraction > 0 && fraction <= 1;
  if (!bounds_do || toi_corner_count(chunk->kind) < 3)
    return settle_chunk(chunk);
  uint32_t numbers[TOI_CHUNK_QUERIES];
  size_t left = sift_by_bounds(chunk, numbers);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < left && status == TOI_OK; i++) {
    toi_chunk one = *chunk;
    one.queries = toi_query_at(chunk, numbers[i]);
    one.count = 1;
    one.hits = &chunk->hits[numbers[i]];
    one.thickness = chunk->thickness ? chunk->thickness + numbers[i] : NULL;
    status = settle_chunk(&one);
  }
  return status;
}
