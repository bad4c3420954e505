/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The public calls of the narrow phase: options checked, queries cut into chunks, chunks handed to a method on the
 * context's threads. */

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/answer.h"
#include "narrow/hull.h"
#include "narrow/mesh.h"
#include "narrow/method.h"

/* Queries gathered from a mesh at a time: 24 KiB of them on the stack. */
#define GATHER_QUERIES 128

const char *toi_verdict_name(toi_verdict verdict) {
  static const char *const names[] = {"miss", "hit", "near"};
  return (unsigned)verdict < 3 ? names[verdict] : NULL;
}

const char *toi_level_name(toi_level level) {
  static const char *const names[TOI_LEVEL_COUNT] = {"box",   "sign",  "projection", "root",   "reduction",
                                                     "plane", "exact", "search",     "outside"};
  return (unsigned)level < TOI_LEVEL_COUNT ? names[level] : NULL;
}

/* --- one query --- */

static TOI_APART toi_status answer_single(toi_kind kind, const double (*start)[3], const double (*end)[3],
                                          const toi_options *given, toi_hit *hit) {
  if (!hit)
    return TOI_ERROR_INPUT;
  *hit = toi_hit_unknown();
  const size_t points = toi_kind_points(kind);
  if (!start || !end || points == 0)
    return TOI_ERROR_INPUT;
  toi_options options;
  toi_answerer answerer;
  toi_status status = toi_options_take(NULL, given, &options);
  if (status == TOI_OK)
    status = toi_options_check(NULL, &options);
  if (status == TOI_OK)
    status = toi_answerer_find(NULL, &options, &answerer);
  if (status != TOI_OK)
    return status;

  double query[24];
  memcpy(query, start, points * sizeof *start);
  memcpy(query + 3 * points, end, points * sizeof *end);
  toi_counters counters = {0};
  toi_chunk chunk = {.kind = kind,
                     .queries = query,
                     .count = 1,
                     .options = &options,
                     .hits = hit,
                     .counters = options.counters ? options.counters : &counters};
  status = answerer.method->run(&chunk);
  if (status != TOI_OK)
    *hit = toi_hit_unknown();
  return status;
}

static toi_status single(toi_kind kind, const double (*start)[3], const double (*end)[3], const toi_options *options,
                         toi_hit *hit) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = answer_single(kind, start, end, options, hit);
  toi_call_end(&call);
  return status;
}

toi_status toi_query(toi_kind kind, const double (*start)[3], const double (*end)[3], const toi_options *options,
                     toi_hit *hit) {
  return single(kind, start, end, options, hit);
}

toi_status toi_vertex_face(const double start[4][3], const double end[4][3], const toi_options *options, toi_hit *hit) {
  return single(TOI_VERTEX_FACE, start, end, options, hit);
}

toi_status toi_edge_edge(const double start[4][3], const double end[4][3], const toi_options *options, toi_hit *hit) {
  return single(TOI_EDGE_EDGE, start, end, options, hit);
}

toi_status toi_vertex_edge(const double start[3][3], const double end[3][3], const toi_options *options, toi_hit *hit) {
  return single(TOI_VERTEX_EDGE, start, end, options, hit);
}

toi_status toi_vertex_vertex(const double start[2][3], const double end[2][3], const toi_options *options,
                             toi_hit *hit) {
  return single(TOI_VERTEX_VERTEX, start, end, options, hit);
}

/* --- many queries --- */

/* A batch under way, shared by the threads. */
typedef struct batch_job {
  toi_context *context;
  toi_kind kind;
  const double *queries; /* NULL: gathered from the mesh */
  toi_mesh mesh;
  const toi_pair *pairs;
  size_t count;
  toi_options options;
  toi_hit *hits;
  toi_answerer answerer;
  _Atomic uint64_t verdicts[TOI_COUNTERS];
  _Atomic uint64_t levels[TOI_COUNTERS];
  _Atomic size_t unanswered; /* the first query that the plug-in could not answer */
} batch_job;

static void note_unanswered(batch_job *job, size_t number) {
  size_t first = job->unanswered;
  bool noted = number >= first;
  while (!noted)
    noted = atomic_compare_exchange_weak(&job->unanswered, &first, number) || number >= first;
}

static toi_status run_chunk(batch_job *job, const toi_chunk *chunk) {
  size_t unanswered = 0;
  toi_status status = toi_answer(&job->answerer, chunk, &unanswered);
  if (status == TOI_ERROR_PLUGIN)
    note_unanswered(job, (size_t)(chunk->hits - job->hits) + unanswered);
  if (!job->options.counters)
    return status;
  for (size_t i = 0; i <= TOI_NEAR; i++)
    atomic_fetch_add_explicit(&job->verdicts[i], chunk->counters->verdicts[i], memory_order_relaxed);
  for (size_t i = 0; i < TOI_LEVEL_COUNT; i++)
    atomic_fetch_add_explicit(&job->levels[i], chunk->counters->levels[i], memory_order_relaxed);
  return status;
}

static toi_chunk chunk_of(const batch_job *job, uint32_t thread, toi_counters *counters) {
  return (toi_chunk){
      .kind = job->kind, .options = &job->options, .counters = counters, .context = job->context, .thread = thread};
}

static toi_status batch_task(void *user, uint32_t thread, size_t begin, size_t end) {
  batch_job *job = user;
  toi_counters counters = {0};
  toi_chunk chunk = chunk_of(job, thread, &counters);
  chunk.queries = job->queries + begin * 6 * toi_kind_points(job->kind);
  chunk.count = end - begin;
  chunk.hits = job->hits + begin;
  return run_chunk(job, &chunk);
}

static void add_counters(const batch_job *job) {
  toi_counters *counters = job->options.counters;
  if (!counters)
    return;
  counters->queries += job->count;
  for (size_t i = 0; i <= TOI_NEAR; i++)
    counters->verdicts[i] += job->verdicts[i];
  for (size_t i = 0; i < TOI_LEVEL_COUNT; i++)
    counters->levels[i] += job->levels[i];
}

static toi_status begin_batch(batch_job *job, const toi_options *given) {
  toi_context *context = job->context;
  if (toi_kind_points(job->kind) == 0)
    return toi_fail(context, TOI_ERROR_INPUT, "kind is %d; it must be one of toi_kind", (int)job->kind);
  toi_status status = toi_check_entered_once(context);
  if (status == TOI_OK)
    status = toi_options_take(context, given, &job->options);
  if (status == TOI_OK)
    status = toi_options_check(context, &job->options);
  return status == TOI_OK ? toi_answerer_find(context, &job->options, &job->answerer) : status;
}

/* The sentence for a chunk that failed; for want of memory, the one that stands there already. */
static toi_status explain(const batch_job *job, toi_status status) {
  if (status == TOI_ERROR_PLUGIN)
    return toi_fail(job->context, status, "query %zu: the plug-in could not answer it", (size_t)job->unanswered);
  size_t points = toi_kind_points(job->kind);
  for (size_t i = 0; job->queries && i < job->count && status == TOI_ERROR_INPUT; i++)
    for (size_t j = 0; j < 6 * points; j++) {
      double x = job->queries[i * 6 * points + j];
      if (!isfinite(x))
        return toi_fail(job->context, status, "query %zu: coordinate %c of %s at t = %d is %g; it must be finite", i,
                        "xyz"[j % 3], toi_point_name(job->kind, j / 3 % points), j >= 3 * points, x);
    }
  return status;
}

/* Nothing is known of any query. */
static void give_up(toi_hit *hits, size_t count) {
  for (size_t i = 0; hits && i < count; i++)
    hits[i] = toi_hit_unknown();
}

static TOI_APART toi_status batch(batch_job *job, const toi_options *options) {
  toi_status status = begin_batch(job, options);
  if (status != TOI_OK)
    return status;
  if (job->count > 0 && (!job->queries || !job->hits))
    return toi_fail(job->context, TOI_ERROR_INPUT, "%s is NULL", job->queries ? "hits" : "queries");
  status = toi_parallel(job->context, job->count, TOI_CHUNK_QUERIES, batch_task, job);
  if (status != TOI_OK)
    return explain(job, status);
  add_counters(job);
  return TOI_OK;
}

toi_status toi_batch(toi_context *context, toi_kind kind, const double *queries, size_t count,
                     const toi_options *options, toi_hit *hits) {
  toi_call call;
  toi_call_begin(&call, context);
  batch_job job = {.context = context, .kind = kind, .queries = queries, .count = count, .hits = hits};
  job.unanswered = SIZE_MAX;
  const toi_status status = context ? batch(&job, options) : TOI_ERROR_INPUT;
  if (status != TOI_OK)
    give_up(hits, count);
  toi_call_end(&call);
  return status;
}

/* --- many queries, from a mesh --- */

static toi_status indexed_task(void *user, uint32_t thread, size_t begin, size_t end) {
  batch_job *job = user;
  size_t row = 6 * toi_kind_points(job->kind);
  double queries[GATHER_QUERIES * 24];
  for (; begin < end; begin += GATHER_QUERIES) {
    toi_counters counters = {0};
    toi_chunk chunk = chunk_of(job, thread, &counters);
    chunk.queries = queries;
    chunk.count = end - begin < GATHER_QUERIES ? end - begin : GATHER_QUERIES;
    chunk.hits = job->hits + begin;
    for (size_t i = 0; i < chunk.count; i++) {
      if (toi_pair_fault(job->kind, &job->mesh, job->pairs[begin + i]))
        return TOI_ERROR_INPUT;
      toi_pair_query(job->kind, &job->mesh, job->pairs[begin + i], queries + i * row);
    }
    toi_status status = run_chunk(job, &chunk);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

/* The sentence for the first pair at fault. */
static toi_status explain_indexed(const batch_job *job, toi_status status) {
  size_t row = 6 * toi_kind_points(job->kind);
  for (size_t i = 0; i < job->count && status == TOI_ERROR_INPUT; i++) {
    const char *fault = toi_pair_fault(job->kind, &job->mesh, job->pairs[i]);
    if (fault)
      return toi_fail(job->context, status, "pair %zu (%u, %u): %s", i, (unsigned)job->pairs[i].first,
                      (unsigned)job->pairs[i].second, fault);
    double query[24];
    toi_pair_query(job->kind, &job->mesh, job->pairs[i], query);
    if (!toi_all_finite(query, row))
      return toi_fail(job->context, status, "pair %zu (%u, %u): a coordinate is not finite", i,
                      (unsigned)job->pairs[i].first, (unsigned)job->pairs[i].second);
  }
  return explain(job, status);
}

static toi_status check_mesh(toi_context *context, const toi_mesh *mesh) {
  if ((mesh->vertex_count && (!mesh->start || !mesh->end)) || (mesh->edge_count && !mesh->edges) ||
      (mesh->face_count && !mesh->faces))
    return toi_fail(context, TOI_ERROR_INPUT, "an array of the mesh is NULL, but its count is not 0; give the array");
  return TOI_OK;
}

static TOI_APART toi_status batch_indexed(batch_job *job, const toi_mesh *mesh, const toi_options *options) {
  toi_status status = begin_batch(job, options);
  if (status == TOI_OK)
    status = toi_mesh_take(job->context, mesh, &job->mesh);
  if (status == TOI_OK)
    status = check_mesh(job->context, &job->mesh);
  if (status != TOI_OK)
    return status;
  if (job->count > 0 && (!job->pairs || !job->hits))
    return toi_fail(job->context, TOI_ERROR_INPUT, "%s is NULL", job->pairs ? "hits" : "pairs");
  status = toi_parallel(job->context, job->count, TOI_CHUNK_QUERIES, indexed_task, job);
  if (status != TOI_OK)
    return explain_indexed(job, status);
  add_counters(job);
  return TOI_OK;
}

toi_status toi_batch_indexed(toi_context *context, toi_kind kind, const toi_mesh *mesh, const toi_pair *pairs,
                             size_t count, const toi_options *options, toi_hit *hits) {
  toi_call call;
  toi_call_begin(&call, context);
  batch_job job = {.context = context, .kind = kind, .pairs = pairs, .count = count, .hits = hits};
  job.unanswered = SIZE_MAX;
  const toi_status status = context ? batch_indexed(&job, mesh, options) : TOI_ERROR_INPUT;
  if (status != TOI_OK)
    give_up(hits, count);
  toi_call_end(&call);
  return status;
}
