/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A method: what stands behind a built-in name in toi_options.method. It answers a chunk of queries of one kind;
 * narrow.c drives it. */

#ifndef TOI_NARROW_METHOD_H
#define TOI_NARROW_METHOD_H

#include <toi/narrow.h>

/* A chunk of queries back to back, on one thread. */
typedef struct toi_chunk {
  toi_kind kind;
  const double *queries; /* 2 * toi_kind_points(kind) * 3 doubles each */
  size_t count;
  const toi_options *options; /* taken and checked */
  toi_hit *hits;
  toi_counters *counters; /* this thread's own; never NULL */
  toi_context *context;   /* NULL in single calls */
  uint32_t thread;
  bool quiet;                  /* of a miss only the verdict is wanted: the rest may be left unwritten */
  bool filtered;               /* the contact filter left them open: `certified` begins with the roots of the cubic */
  const _Atomic double *limit; /* where only the earliest of all is asked for: `interval-queue` may call a query that
                                  has nothing up to this time a miss; NULL: none */
  const double *thickness;     /* of each query, added to its separation; NULL: none */
} toi_chunk;

/* The most queries in a chunk. */
#define TOI_CHUNK_QUERIES 512

typedef struct toi_method {
  const char *name;
  const char *promise;
  /* TOI_OK, or why not: TOI_ERROR_INPUT for a coordinate that is not finite, or TOI_ERROR_MEMORY. */
  toi_status (*run)(const toi_chunk *chunk);
  bool separates; /* it answers with a separation too */
} toi_method;

/* The built-in method of this name, the default for NULL; NULL if there is none. */
const toi_method *toi_method_find(const char *name);

extern const toi_method toi_method_certified;
extern const toi_method toi_method_exact;
extern const toi_method toi_method_tight_inclusion;
extern const toi_method toi_method_interval_queue;
extern const toi_method toi_method_time_inclusion;
extern const toi_method toi_method_cubic;

/* --- what methods share --- */

/* Copies the caller's options, of whatever layout; then, what is wrong with their values. Said in the context if there
 * is one. */
toi_status toi_options_take(toi_context *context, const toi_options *given, toi_options *taken);
toi_status toi_options_check(toi_context *context, const toi_options *options);

/* The coordinates of a query of the chunk. */
static inline const double *toi_query_at(const toi_chunk *chunk, size_t number) {
  return chunk->queries + number * 6 * toi_kind_points(chunk->kind);
}

/* Whether queries of the chunk have a separation. */
static inline bool toi_chunk_separates(const toi_chunk *chunk) {
  return chunk->options->min_separation > 0 || chunk->options->separation_fraction > 0 || chunk->thickness;
}

/* The separation d of a query of the chunk, whose coordinates are finite: T, which is min_separation and the thickness,
 * their sum rounded down; with a fraction F, T + F max(0, d0 - T), d0 the distance at t = 0, rounded down once. The
 * same for every method. */
toi_status toi_separation_of(const toi_chunk *chunk, size_t number, double *d);

/* The answer "nothing touches in [0, t_max]". */
toi_hit toi_hit_miss(double t_max, toi_level level);

/* The answer "not known": what a failed call leaves behind. */
toi_hit toi_hit_unknown(void);

/* Adds one answer to the counters. */
void toi_count(toi_counters *counters, const toi_hit *hit);

/* Whether all doubles are finite. */
bool toi_all_finite(const double *values, size_t count);

/* Decides one query of the chunk in integers; memory is the thread's scratch, or the stack and malloc in single calls.
 */
toi_status toi_exact_in_chunk(const toi_chunk *chunk, size_t number, double guess, toi_hit *hit);

#endif
