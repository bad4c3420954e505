/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All candidates in order, in a given amount of memory.
 *
 * Claim: the list takes at most `bytes`, or else what is needed at least: eight bytes a row, and its longest row or
 * 256 KiB. Why: a row is the pairs of one kind and one first number. A first run of the broad phase counts the pairs of
 * each row. Rows are then taken together as long as their second numbers, four bytes each, fit; a run of the broad
 * phase puts these at their places, and each row is sorted by itself. The broad phase gives the same pairs each time,
 * so that each place is filled once. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pair_file.h"
#include "session.h"

/* Pairs that are handed on at a time. */
#define HANDFUL 512

/* A part's places are numbered by 32 bits. */
#define PART_MAX ((uint64_t)1 << 31)

/* And hold at least this many pairs. */
#define PART_MIN ((uint64_t)1 << 16)

typedef struct rows {
  size_t begin[PAIR_KINDS + 1]; /* rows of kind number k of pair_row(): from begin[k] to begin[k + 1] */
  uint32_t *counts;
  uint32_t *places; /* where the next second number of a row goes */
  uint32_t *seconds;
  size_t part_begin, part_end; /* the rows that are being listed */
} rows;

static bool rows_make(const toi_mesh *mesh, rows *r) {
  const size_t vertices = mesh->vertex_count, meeting = mesh->half_space_count > 0 ? vertices : 0;
  const size_t sizes[PAIR_KINDS] = {vertices, mesh->edge_count, vertices, vertices, meeting};
  for (int kind = 0; kind < PAIR_KINDS; kind++)
    r->begin[kind + 1] = r->begin[kind] + sizes[kind];
  const size_t count = r->begin[PAIR_KINDS] + 1;
  r->counts = memory_zeroed(count, sizeof *r->counts);
  r->places = memory_zeroed(count, sizeof *r->places);
  return r->counts != NULL && r->places != NULL;
}

static void rows_free(rows *r) {
  memory_free(r->counts);
  memory_free(r->places);
  memory_free(r->seconds);
}

static toi_status count_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  rows *r = user;
  uint32_t *counts = r->counts + r->begin[pair_row(kind)];
  for (size_t i = 0; i < count; i++)
    counts[pairs[i].first]++;
  return TOI_OK;
}

static toi_status place_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  rows *r = user;
  for (size_t i = 0; i < count; i++) {
    const size_t row = r->begin[pair_row(kind)] + pairs[i].first;
    if (row >= r->part_begin && row < r->part_end)
      r->seconds[r->places[row]++] = pairs[i].second;
  }
  return TOI_OK;
}

/* Takes rows from part_begin on, as long as they fit; returns how many pairs they hold. */
static uint64_t take_part(rows *r, uint64_t most) {
  uint64_t held = 0;
  size_t row = r->part_begin;
  while (row < r->begin[PAIR_KINDS] && (held == 0 || held + r->counts[row] <= most)) {
    r->places[row] = (uint32_t)held;
    held += r->counts[row++];
  }
  r->part_end = row;
  return held;
}

/* The pairs of the largest part there will be: memory is taken once. */
static uint64_t largest_part(rows *r, uint64_t most) {
  uint64_t largest = 0;
  for (; r->part_begin < r->begin[PAIR_KINDS]; r->part_begin = r->part_end) {
    const uint64_t held = take_part(r, most);
    largest = held > largest ? held : largest;
  }
  r->part_begin = 0;
  return largest;
}

/* How many pairs a part may hold, so that it fits beside the rows. */
static uint64_t part_pairs(const rows *r, uint64_t bytes) {
  const uint64_t own = r->begin[PAIR_KINDS] * (sizeof *r->counts + sizeof *r->places);
  const uint64_t most = bytes > own ? (bytes - own) / sizeof *r->seconds : 0;
  return most < PART_MIN ? PART_MIN : most > PART_MAX ? PART_MAX : most;
}

static int compare(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Most rows are short and almost in order already. */
static void sort_seconds(uint32_t *seconds, size_t count) {
  if (count > 32) {
    qsort(seconds, count, sizeof *seconds, compare);
    return;
  }
  for (size_t i = 1; i < count; i++) {
    const uint32_t second = seconds[i];
    size_t j = i;
    for (; j > 0 && seconds[j - 1] > second; j--)
      seconds[j] = seconds[j - 1];
    seconds[j] = second;
  }
}

static toi_status append_row(const rows *r, size_t row, toi_kind kind, pair_file *file) {
  const size_t count = r->counts[row];
  uint32_t *seconds = r->seconds + r->places[row] - count;
  sort_seconds(seconds, count);
  toi_pair handful[HANDFUL];
  toi_status status = TOI_OK;
  for (size_t i = 0; status == TOI_OK && i < count;) {
    size_t held = 0;
    while (i < count && held < HANDFUL)
      handful[held++] = (toi_pair){(uint32_t)(row - r->begin[pair_row(kind)]), seconds[i++]};
    status = pair_file_append(file, kind, handful, held);
  }
  return status;
}

static toi_status append_part(const rows *r, pair_file *file) {
  int kind = 0;
  for (size_t row = r->part_begin; row < r->part_end; row++) {
    while (row >= r->begin[kind + 1])
      kind++;
    toi_status status = r->counts[row] > 0 ? append_row(r, row, pair_kind(kind), file) : TOI_OK;
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

static void add_up(const rows *r, uint64_t counts[TOI_COUNTERS]) {
  for (int kind = 0; kind < PAIR_KINDS; kind++) {
    counts[pair_kind(kind)] = 0;
    for (size_t row = r->begin[kind]; row < r->begin[kind + 1]; row++)
      counts[pair_kind(kind)] += r->counts[row];
  }
}

toi_status candidates_append(toi_context *context, const toi_mesh *mesh, const toi_options *options, uint64_t bytes,
                             pair_file *file, uint64_t counts[TOI_COUNTERS]) {
  rows r = {0};
  if (!rows_make(mesh, &r)) {
    rows_free(&r);
    return TOI_ERROR_MEMORY;
  }
  toi_status status = toi_candidates(context, mesh, options, count_pairs, &r);
  session_warn(context);
  add_up(&r, counts);

  const uint64_t most = part_pairs(&r, bytes);
  if (status == TOI_OK) {
    r.seconds = memory_allocate((largest_part(&r, most) + 1) * sizeof *r.seconds);
    status = r.seconds == NULL ? TOI_ERROR_MEMORY : TOI_OK;
  }
  for (; status == TOI_OK && r.part_begin < r.begin[PAIR_KINDS]; r.part_begin = r.part_end) {
    if (take_part(&r, most) == 0)
      continue;
    status = toi_candidates(context, mesh, options, place_pairs, &r);
    session_warn(context);
    if (status == TOI_OK)
      status = append_part(&r, file);
  }
  rows_free(&r);
  return status;
}
