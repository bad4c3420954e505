/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `certified` with a separation d > 0.
 *
 * The filter in SIMD, then query by query: within d at the start? One turning plane for the whole step? For what is
 * left, contact itself is decided first: it tells where to look, and is within any d. Then the search of separate.h,
 * and the integers decide the rest. As without separation, every level looks at all of [0, 1] and t_max comes last. */

#include <math.h>
#include <string.h>

#include "narrow/certified.h"
#include "narrow/frame.h"
#include "narrow/place.h"
#include "narrow/separate.h"
#include "number/interval.h"

/* A query on its way through the levels. */
typedef struct open_query {
  uint32_t number;
  toi_nearest start;
} open_query;

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
    /* t_max inside the bracket: only the integers can tell. */
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

/* What the start and one plane for the whole step settle. True if the query is still open. */
static bool open_after_start(const toi_chunk *chunk, size_t number, double d, toi_status *status, open_query *open) {
  const double *query = toi_query_at(chunk, number);
  toi_moving moving;
  if (!toi_all_finite(query, 6 * toi_kind_points(chunk->kind))) {
    *status = TOI_ERROR_INPUT;
    return false;
  }
  if (!toi_moving_make(chunk->kind, query, d, chunk->options->norm, &moving)) {
    *status = answer_exactly(chunk, number, NAN);
    return false;
  }
  open->number = (uint32_t)number;
  switch (toi_separate_start(&moving, &open->start)) {
  case TOI_SEPARATE_HIT:
    *status = answer_hit(chunk, number, d, 0, 0);
    return false;
  case TOI_SEPARATE_OPEN:
    *status = answer_exactly(chunk, number, NAN);
    return false;
  case TOI_SEPARATE_MISS:
    break;
  }
  /* Where there is a kernel, it has tried such a plane. */
  if (moving.count < 3 && toi_separate_at_once(&moving, &open->start)) {
    answer_miss(chunk, number, d, TOI_LEVEL_PLANE);
    return false;
  }
  return true;
}

/* Contact of the open queries, without separation and up to t = 1: into chunk->hits. */
static toi_status find_contacts(const toi_chunk *chunk, const open_query *open, size_t count) {
  toi_options options = *chunk->options;
  toi_counters unused = {0};
  toi_chunk contact = *chunk;
  uint32_t numbers[TOI_CHUNK_QUERIES];
  options.t_max = 1;
  options.min_separation = options.separation_fraction = 0;
  contact.options = &options;
  contact.counters = &unused;
  for (size_t i = 0; i < count; i++) {
    numbers[i] = open[i].number;
    chunk->hits[numbers[i]] = toi_hit_miss(1, TOI_LEVEL_BOX);
  }
  return toi_certified_contacts(&contact, numbers, count);
}

static toi_status settle_open(const toi_chunk *chunk, const open_query *open, double d) {
  const toi_hit *contact = &chunk->hits[open->number];
  toi_known_contact known = {contact->verdict == TOI_HIT, contact->t_lo, contact->t_hi};
  toi_moving moving;
  toi_separate_answer answer;
  (void)toi_moving_make(chunk->kind, toi_query_at(chunk, open->number), d, chunk->options->norm, &moving);
  toi_separate(&moving, &open->start, &known, &answer);
  switch (answer.code) {
  case TOI_SEPARATE_MISS:
    answer_miss(chunk, open->number, d, TOI_LEVEL_PLANE);
    return TOI_OK;
  case TOI_SEPARATE_HIT:
    return answer_hit(chunk, open->number, d, answer.t_lo, answer.t_hi);
  case TOI_SEPARATE_OPEN:
    break;
  }
  return answer_exactly(chunk, open->number, answer.guess);
}

static void count_misses(const toi_chunk *chunk, toi_level level, size_t count) {
  chunk->counters->queries += count;
  chunk->counters->verdicts[TOI_MISS] += count;
  chunk->counters->levels[level] += count;
}

/* Keeps the numbers that are not marked as misses; the others get that level, and are counted. */
static size_t keep_open(const toi_chunk *chunk, const uint8_t *miss, toi_level level, uint32_t *numbers, size_t count) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    if (miss[i])
      chunk->hits[numbers[i]].level = (uint8_t)level;
    else
      numbers[left++] = numbers[i];
  }
  count_misses(chunk, level, count - left);
  return left;
}

/* Numbers of the queries that the first kernel leaves open. Every hit is a miss for now: the rest of it stands there.
 */
static size_t filter_chunk(const toi_chunk *chunk, const double *separation, uint8_t *codes, uint32_t *numbers) {
  const toi_hit by_box = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_BOX);
  const toi_hit by_sign = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_SIGN);
  size_t open = 0, signs = 0;
  for (size_t i = 0; i < chunk->count; i++) {
    toi_hit *hit = &chunk->hits[i];
    *hit = *(codes[i] == TOI_FILTER_SIGN ? &by_sign : &by_box);
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
  if (chunk->options->separation_fraction > 0)
    for (size_t i = 0; i < chunk->count && status == TOI_OK; i++) {
      bool finite = toi_all_finite(toi_query_at(chunk, i), 6 * (size_t)toi_kind_points(chunk->kind));
      status = finite ? toi_separation_of(chunk, i, &separation[i]) : TOI_ERROR_INPUT;
    }
  else
    for (size_t i = 0; i < chunk->count; i++)
      separation[i] = chunk->options->min_separation;
  return status;
}

toi_status toi_certified_separated(const toi_chunk *chunk) {
  double separation[TOI_CHUNK_QUERIES];
  uint32_t numbers[TOI_CHUNK_QUERIES];
  open_query open[TOI_CHUNK_QUERIES];
  toi_status status = find_separations(chunk, separation);
  if (status != TOI_OK)
    return status;
  size_t left = run_kernels(chunk, separation, numbers), count = 0;
  for (size_t i = 0; i < left && status == TOI_OK; i++)
    count += open_after_start(chunk, numbers[i], separation[numbers[i]], &status, &open[count]);
  if (status == TOI_OK)
    status = find_contacts(chunk, open, count);
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    status = settle_open(chunk, &open[i], separation[open[i].number]);
  for (size_t i = 0; i < left && status == TOI_OK; i++)
    toi_count(chunk->counters, &chunk->hits[numbers[i]]);
  return status;
}
