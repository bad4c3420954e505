/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The pattern is a sorted list of keys, one per block; the arrays of columns and rows are made from it. */

#include "system.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE SIZE_MAX

static uint64_t key_of(uint32_t i, uint32_t j) {
  return i >= j ? (uint64_t)j << 32 | i : (uint64_t)i << 32 | j;
}

/* The number of the block of row i and column j <= i. */
static size_t find(const sim_system *s, uint32_t i, uint32_t j) {
  size_t begin = s->column[j], end = s->column[j + 1];
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (s->row[middle] < i)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin < s->column[j + 1] && s->row[begin] == i ? begin : NOWHERE;
}

static int compare_keys(const void *a, const void *b) {
  const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
  return p < q ? -1 : p > q;
}

static size_t sort_unique(uint64_t *keys, size_t count) {
  qsort(keys, count, sizeof *keys, compare_keys);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || keys[kept - 1] != keys[i])
      keys[kept++] = keys[i];
  return kept;
}

/* Columns and rows from the keys. */
static void lay_out(sim_system *s) {
  free(s->row);
  free(s->value);
  s->row = take(s->key_count, sizeof *s->row);
  s->value = take(9 * s->key_count, sizeof *s->value);
  memset(s->column, 0, (s->count + 1) * sizeof *s->column);
  for (size_t i = 0; i < s->key_count; i++) {
    s->row[i] = (uint32_t)s->keys[i];
    s->column[(s->keys[i] >> 32) + 1]++;
  }
  for (size_t j = 0; j < s->count; j++)
    s->column[j + 1] += s->column[j];
  s->generation++;
}

void system_start(sim_system *s, size_t count) {
  *s = (sim_system){.count = count};
  s->column = take(count + 1, sizeof *s->column);
  s->gradient = take(3 * count, sizeof *s->gradient);
  for (uint32_t i = 0; i < count; i++)
    system_need(s, &i, 1);
}

void system_need(sim_system *s, const uint32_t *vertices, int width) {
  for (int i = 0; i < width; i++)
    for (int j = 0; j <= i; j++) {
      if (vertices[i] >= s->count || vertices[j] >= s->count)
        continue;
      const uint64_t key = key_of(vertices[i], vertices[j]);
      if (s->row != NULL && find(s, (uint32_t)key, (uint32_t)(key >> 32)) != NOWHERE)
        continue;
      s->missing = grow(s->missing, &s->missing_room, s->missing_count + 1, sizeof *s->missing);
      s->missing[s->missing_count++] = key;
    }
}

void system_extend(sim_system *s) {
  if (s->missing_count == 0)
    return;
  const size_t more = sort_unique(s->missing, s->missing_count);
  uint64_t *merged = take(s->key_count + more, sizeof *merged);
  size_t i = 0, k = 0, count = 0;
  while (i < s->key_count || k < more)
    merged[count++] = k == more || (i < s->key_count && s->keys[i] < s->missing[k]) ? s->keys[i++] : s->missing[k++];
  free(s->keys);
  s->keys = merged;
  s->key_count = count;
  s->missing_count = 0;
  lay_out(s);
}

void system_finish(sim_system *s) {
  system_extend(s);
  s->base_count = s->key_count;
  s->base_keys = take(s->base_count, sizeof *s->base_keys);
  memcpy(s->base_keys, s->keys, s->base_count * sizeof *s->keys);
}

void system_reset(sim_system *s) {
  if (s->key_count == s->base_count)
    return;
  memcpy(s->keys, s->base_keys, s->base_count * sizeof *s->keys);
  s->key_count = s->base_count;
  lay_out(s);
}

void system_free(sim_system *s) {
  free(s->column);
  free(s->row);
  free(s->value);
  free(s->gradient);
  free(s->keys);
  free(s->base_keys);
  free(s->missing);
  *s = (sim_system){0};
}

void system_clear(sim_system *s) {
  memset(s->value, 0, 9 * s->key_count * sizeof *s->value);
  memset(s->gradient, 0, 3 * s->count * sizeof *s->gradient);
}

void system_add(sim_system *s, uint32_t i, uint32_t j, const double *block) {
  if (i >= s->count || j >= s->count)
    return;
  const bool lower = i >= j;
  const uint32_t row = lower ? i : j, column = lower ? j : i;
  const size_t at = find(s, row, column);
  assert(at != NOWHERE);
  const size_t first = s->column[column], height = 3 * (s->column[column + 1] - first);
  double *value = s->value + 9 * first + 3 * (at - first);
  for (size_t c = 0; c < 3; c++)
    for (size_t r = 0; r < 3; r++)
      value[c * height + r] += block[lower ? 3 * r + c : 3 * c + r];
}

void system_add_gradient(sim_system *s, uint32_t i, const double gradient[3]) {
  for (size_t k = 0; i < s->count && k < 3; k++)
    s->gradient[3 * i + k] += gradient[k];
}
