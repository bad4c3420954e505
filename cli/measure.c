/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How long a method takes.
 *
 * Wall time on a monotonic clock. A batch is timed after a call that touches its memory and starts the threads. A
 * single call is short against the clock and against other processes, so the shortest of several is taken, and the
 * shortest distance between two readings of the clock is taken off. */

#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "progress.h"
#include "session.h"

#define QUERY_DOUBLES 24
#define WARM_QUERIES 256
#define WARM_SECONDS 1.0
#define CLOCK_READINGS 1000

/* --- batches --- */

static toi_status timed_batch(const batch *b, size_t count, toi_hit *hits, double *seconds) {
  double begin = clock_seconds();
  toi_status status = toi_batch(b->context, b->kind, b->queries, count, b->options, hits);
  *seconds = clock_seconds() - begin;
  session_warn(b->context);
  return status;
}

toi_status measure_batch(const batch *b, uint64_t repeat, toi_hit *hits, double *seconds) {
  size_t some = b->count < WARM_QUERIES ? b->count : WARM_QUERIES;
  double once, sum = 0;
  toi_status status = timed_batch(b, some, hits, &once);
  if (status == TOI_OK && some < b->count && once / (double)some * (double)b->count < WARM_SECONDS)
    status = timed_batch(b, b->count, hits, &once);
  for (uint64_t i = 0; i < repeat && status == TOI_OK && !progress_stopped(); i++) {
    status = timed_batch(b, b->count, hits, &once);
    sum += once;
  }
  *seconds = sum / (double)repeat;
  return status;
}

/* --- single calls --- */

static toi_status ask_one(const batch *b, const double *query, toi_hit *hit) {
  if (b->outside)
    return toi_batch(b->context, b->kind, query, 1, b->options, hit);
  const double(*start)[3] = (const double(*)[3])query;
  return b->kind == TOI_VERTEX_FACE ? toi_vertex_face(start, start + 4, b->options, hit)
                                    : toi_edge_edge(start, start + 4, b->options, hit);
}

size_t samples_stride(size_t count, uint64_t wanted) {
  if (wanted == 0 || count <= wanted)
    return wanted == 0 ? 0 : 1;
  return count / (size_t)wanted + (count % (size_t)wanted != 0);
}

double clock_cost(void) {
  double least = 1;
  for (int i = 0; i < CLOCK_READINGS; i++) {
    double begin = clock_seconds(), cost = clock_seconds() - begin;
    least = cost < least ? cost : least;
  }
  return least;
}

static toi_status time_one(const batch *b, const double *query, double cost, double *ns) {
  double least = (double)INFINITY, spent = 0;
  for (int i = 0; i < SINGLE_CALLS && spent < SINGLE_SECONDS; i++) {
    toi_hit hit;
    double begin = clock_seconds();
    toi_status status = ask_one(b, query, &hit);
    double time = clock_seconds() - begin;
    if (status != TOI_OK)
      return status;
    least = time < least ? time : least;
    spent += time;
  }
  *ns = least > cost ? 1e9 * (least - cost) : 0;
  return TOI_OK;
}

toi_status measure_singles(const batch *b, size_t stride, sample_list *samples) {
  if (!samples_reserve(samples, b->count / stride + 1))
    return TOI_ERROR_MEMORY;
  double cost = clock_cost();
  for (size_t i = 0; i < b->count && !progress_stopped(); i += stride) {
    size_t left = b->count - i;
    sample *s = &samples->items[samples->count];
    toi_status status = time_one(b, b->queries + i * QUERY_DOUBLES, cost, &s->ns);
    if (status != TOI_OK)
      return status;
    s->weight = (double)(left < stride ? left : stride);
    samples->count++;
  }
  samples->sorted = false;
  return TOI_OK;
}

double mean_ns(double seconds, uint64_t queries) {
  return queries > 0 ? 1e9 * seconds / (double)queries : (double)NAN;
}

/* --- samples --- */

bool samples_reserve(sample_list *samples, size_t count) {
  if (samples->count + count <= samples->capacity)
    return true;
  size_t capacity = 2 * samples->capacity + count;
  sample *items = memory_resize(samples->items, capacity, sizeof *items);
  if (items == NULL)
    return false;
  samples->items = items;
  samples->capacity = capacity;
  return true;
}

bool samples_append(sample_list *samples, const sample_list *others) {
  if (!samples_reserve(samples, others->count))
    return false;
  if (others->count > 0)
    memcpy(samples->items + samples->count, others->items, others->count * sizeof *others->items);
  samples->count += others->count;
  samples->sorted = false;
  return true;
}

static int compare_samples(const void *a, const void *b) {
  double x = ((const sample *)a)->ns, y = ((const sample *)b)->ns;
  return (x > y) - (x < y);
}

double samples_percentile(sample_list *samples, double share) {
  if (samples->count == 0)
    return (double)NAN;
  if (!samples->sorted) {
    qsort(samples->items, samples->count, sizeof *samples->items, compare_samples);
    samples->sorted = true;
  }
  double total = 0, below = 0;
  for (size_t i = 0; i < samples->count; i++)
    total += samples->items[i].weight;
  for (size_t i = 0; i < samples->count; i++) {
    below += samples->items[i].weight;
    if (below >= share * total)
      return samples->items[i].ns;
  }
  return samples->items[samples->count - 1].ns;
}

void samples_free(sample_list *samples) {
  memory_free(samples->items);
  *samples = (sample_list){0};
}
