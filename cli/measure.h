/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How long a method takes: over a batch, and query by query. */

#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include <toi/narrow.h>

/* Queries in one batch call at most; a larger set is asked in several, so that its answers need not all be kept. */
#define BATCH_QUERIES ((size_t)1 << 20)

/* Calls of which the shortest counts, where one query is timed alone. */
#define SINGLE_CALLS 5

/* Once these are spent on it, no further call is made. */
#define SINGLE_SECONDS 200e-3

/* Queries of one kind for one method. */
typedef struct batch {
  toi_context *context;
  toi_kind kind;
  const double *queries;
  size_t count; /* at most BATCH_QUERIES */
  const toi_options *options;
  bool outside; /* the method is a plug-in, which only batch calls can ask */
} batch;

/* Times of single calls, each with the number of queries it stands for. */
typedef struct sample {
  double ns;
  double weight;
} sample;

typedef struct sample_list {
  sample *items;
  size_t count, capacity;
  bool sorted;
} sample_list;

/* Answers the batch: once to warm up (the first queries only, if all of them would take more than a second), then
 * `repeat` times. *seconds: the mean of these. */
toi_status measure_batch(const batch *b, uint64_t repeat, toi_hit *hits, double *seconds);

/* Asks every stride-th query alone and adds the shortest of five calls (fewer once 200 ms are spent on it),
 * less what reading the clock costs. */
toi_status measure_singles(const batch *b, size_t stride, sample_list *samples);

/* How far apart the queries are that are timed, if `wanted` of `count` are, or a few less; 0: none. */
size_t samples_stride(size_t count, uint64_t wanted);

/* What reading the clock costs, in seconds: the shortest distance between two readings. */
double clock_cost(void);

/* The mean in nanoseconds; NaN for no queries. */
double mean_ns(double seconds, uint64_t queries);

/* Room for `count` more; false if memory ran out. */
bool samples_reserve(sample_list *samples, size_t count);

/* Adds all samples of another list; false if memory ran out. */
bool samples_append(sample_list *samples, const sample_list *others);

/* The smallest time that at least this share of all queries does not exceed; NaN without samples. */
double samples_percentile(sample_list *samples, double share);

void samples_free(sample_list *samples);

#endif
