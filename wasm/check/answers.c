/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The native library as a partner for the modules: answers batches that come through a pipe, with the kernels of two
 * lanes that the modules have, too, and says how long each took. native.js is the other end.
 *
 * In:  a request, then that many queries, or the bytes of a path.
 * Out: a reply, then that many bytes of answers, or of queries. */

#include <toi/toi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* In the place of the library's, so that wider kernels are not taken. */
int toi_simd_best(void);
int toi_simd_best(void) {
  return 1;
}

typedef enum verb { BATCH = 0, READ } verb;

typedef struct request {
  uint32_t verb, kind;
  uint32_t count; /* of queries; of bytes of the path */
  uint32_t norm;
  double tolerance, t_max, min_separation, separation_fraction;
  char method[32];
} request;

typedef struct reply {
  uint32_t status, bytes;
  double ns;
} reply;

static bool take(void *bytes, size_t size) {
  return fread(bytes, 1, size, stdin) == size;
}

static bool give(const reply *r, const void *bytes) {
  return fwrite(r, sizeof *r, 1, stdout) == 1 && fwrite(bytes, 1, r->bytes, stdout) == r->bytes && fflush(stdout) == 0;
}

static double clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static bool answer_batch(toi_context *context, const request *r) {
  const size_t bytes = (size_t)r->count * 6 * toi_kind_points((toi_kind)r->kind) * sizeof(double);
  double *queries = malloc(bytes + 1);
  toi_hit *hits = calloc((size_t)r->count + 1, sizeof *hits);
  bool fine = queries != NULL && hits != NULL && take(queries, bytes);
  if (fine) {
    toi_options options = toi_default_options();
    options.method = r->method;
    options.tolerance = r->tolerance;
    options.t_max = r->t_max;
    options.min_separation = r->min_separation;
    options.separation_fraction = r->separation_fraction;
    options.norm = (toi_norm)r->norm;
    const double began = clock_ns();
    const toi_status status = toi_batch(context, (toi_kind)r->kind, queries, r->count, &options, hits);
    const reply answer = {.status = status, .bytes = (uint32_t)(r->count * sizeof *hits), .ns = clock_ns() - began};
    fine = give(&answer, hits);
  }
  free(queries);
  free(hits);
  return fine;
}

static bool answer_read(toi_context *context, const request *r) {
  char path[4096];
  if (r->count >= sizeof path || !take(path, r->count))
    return false;
  path[r->count] = '\0';
  toi_query_set set;
  const toi_status status = toi_queries_read(context, path, &set);
  const bool fine = give(&(reply){.status = status, .bytes = (uint32_t)(set.count * 24 * sizeof(double))}, set.queries);
  toi_queries_free(context, &set);
  return fine;
}

int main(void) {
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  toi_context *context;
  if (toi_context_create(&options, &context) != TOI_OK)
    return 1;
  request r;
  bool fine = true;
  while (fine && take(&r, sizeof r))
    fine = r.verb == READ ? answer_read(context, &r) : answer_batch(context, &r);
  toi_context_destroy(context);
  return fine ? 0 : 1;
}
