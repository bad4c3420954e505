/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Many queries at a time: options checked, queries cut into chunks, chunks handed to a method on the context's threads.
 */

#include "narrow/batch.h"

#include <math.h>

#include "narrow/hull.h"
#include "narrow/interval_queue.h"
#include "narrow/mesh.h"

/* Queries gathered from a mesh at a time: 24 KiB of them on the stack. */
#define GATHER_QUERIES TOI_GATHER_PAIRS

void toi_batch_note_unanswered(toi_batch_job *job, size_t number) {
  size_t first = job->unanswered;
  bool noted = number >= first;
  while (!noted)
    noted = atomic_compare_exchange_weak(&job->unanswered, &first, number) || number >= first;
}

void toi_batch_count(toi_batch_job *job, const toi_counters *counters) {
  if (!job->options.counters)
    return;
  for (size_t i = 0; i <= TOI_NEAR; i++)
    atomic_fetch_add_explicit(&job->verdicts[i], counters->verdicts[i], memory_order_relaxed);
  for (size_t i = 0; i < TOI_LEVEL_COUNT; i++)
    atomic_fetch_add_explicit(&job->levels[i], counters->levels[i], memory_order_relaxed);
}

toi_status toi_batch_run(toi_batch_job *job, const toi_chunk *chunk, size_t first) {
  size_t unanswered = 0;
  const toi_status status = toi_answer(&job->answerer, chunk, &unanswered);
  if (status == TOI_ERROR_PLUGIN)
    toi_batch_note_unanswered(job, first + unanswered);
  toi_batch_count(job, chunk->counters);
  return status;
}

toi_chunk toi_batch_chunk(const toi_batch_job *job, uint32_t thread, toi_counters *counters) {
  return (toi_chunk){
      .kind = job->kind, .options = &job->options, .counters = counters, .context = job->context, .thread = thread};
}

static toi_status batch_task(void *user, uint32_t thread, size_t begin, size_t end) {
  toi_batch_job *job = user;
  toi_counters counters = {0};
  toi_chunk chunk = toi_batch_chunk(job, thread, &counters);
  chunk.queries = job->queries + begin * 6 * toi_kind_points(job->kind);
  chunk.count = end - begin;
  chunk.hits = job->hits + begin;
  return toi_batch_run(job, &chunk, begin);
}

void toi_batch_add_counters(const toi_batch_job *job) {
  toi_counters *counters = job->options.counters;
  if (!counters)
    return;
  counters->queries += job->count;
  for (size_t i = 0; i <= TOI_NEAR; i++)
    counters->verdicts[i] += job->verdicts[i];
  for (size_t i = 0; i < TOI_LEVEL_COUNT; i++)
    counters->levels[i] += job->levels[i];
}

toi_status toi_batch_begin(toi_batch_job *job, const toi_options *given) {
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
toi_status toi_batch_explain(const toi_batch_job *job, toi_status status) {
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

/* All queries: on the context's device, if it has one that the method uses, or by a task for each chunk. */
static toi_status run_all(toi_batch_job *job, toi_task task) {
  bool finished;
  const toi_status status = toi_interval_batch_on_device(job, &finished);
  return status == TOI_OK && !finished ? toi_parallel(job->context, job->count, TOI_CHUNK_QUERIES, task, job) : status;
}

/* Nothing is known of any query. */
static void give_up(toi_hit *hits, size_t count) {
  for (size_t i = 0; hits && i < count; i++)
    hits[i] = toi_hit_unknown();
}

static TOI_APART toi_status batch(toi_batch_job *job, const toi_options *options) {
  toi_status status = toi_batch_begin(job, options);
  if (status != TOI_OK)
    return status;
  if (job->count > 0 && (!job->queries || !job->hits))
    return toi_fail(job->context, TOI_ERROR_INPUT, "%s is NULL", job->queries ? "hits" : "queries");
  status = run_all(job, batch_task);
  if (status != TOI_OK)
    return toi_batch_explain(job, status);
  toi_batch_add_counters(job);
  return TOI_OK;
}

toi_status toi_batch(toi_context *context, toi_kind kind, const double *queries, size_t count,
                     const toi_options *options, toi_hit *hits) {
  toi_call call;
  toi_call_begin(&call, context);
  toi_batch_job job = {.context = context, .kind = kind, .queries = queries, .count = count, .hits = hits};
  job.unanswered = SIZE_MAX;
  const toi_status status = context ? batch(&job, options) : TOI_ERROR_INPUT;
  if (status != TOI_OK)
    give_up(hits, count);
  toi_call_end(&call);
  return status;
}

/* --- many queries, from a mesh --- */

static toi_status indexed_task(void *user, uint32_t thread, size_t begin, size_t end) {
  toi_batch_job *job = user;
  size_t row = 6 * toi_kind_points(job->kind);
  double queries[GATHER_QUERIES * 24];
  for (; begin < end; begin += GATHER_QUERIES) {
    toi_counters counters = {0};
    toi_chunk chunk = toi_batch_chunk(job, thread, &counters);
    chunk.queries = queries;
    chunk.count = end - begin < GATHER_QUERIES ? end - begin : GATHER_QUERIES;
    chunk.hits = job->hits + begin;
    for (size_t i = 0; i < chunk.count; i++) {
      if (toi_pair_fault(job->kind, &job->mesh, job->pairs[begin + i]))
        return TOI_ERROR_INPUT;
      toi_pair_query(job->kind, &job->mesh, job->pairs[begin + i], queries + i * row);
    }
    toi_status status = toi_batch_run(job, &chunk, begin);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

/* The sentence for the first pair at fault. */
toi_status toi_batch_explain_indexed(const toi_batch_job *job, toi_status status) {
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
  return toi_batch_explain(job, status);
}

toi_status toi_batch_take_mesh(toi_batch_job *job, const toi_mesh *given) {
  const toi_mesh *mesh = &job->mesh;
  const toi_status status = toi_mesh_take(job->context, given, &job->mesh);
  if (status != TOI_OK)
    return status;
  if ((mesh->vertex_count && (!mesh->start || !mesh->end)) || (mesh->edge_count && !mesh->edges) ||
      (mesh->face_count && !mesh->faces))
    return toi_fail(job->context, TOI_ERROR_INPUT,
                    "an array of the mesh is NULL, but its count is not 0; give the array");
  return TOI_OK;
}

static TOI_APART toi_status batch_indexed(toi_batch_job *job, const toi_mesh *mesh, const toi_options *options) {
  toi_status status = toi_batch_begin(job, options);
  if (status == TOI_OK)
    status = toi_batch_take_mesh(job, mesh);
  if (status != TOI_OK)
    return status;
  if (job->count > 0 && (!job->pairs || !job->hits))
    return toi_fail(job->context, TOI_ERROR_INPUT, "%s is NULL", job->pairs ? "hits" : "pairs");
  status = run_all(job, indexed_task);
  if (status != TOI_OK)
    return toi_batch_explain_indexed(job, status);
  toi_batch_add_counters(job);
  return TOI_OK;
}

toi_status toi_batch_indexed(toi_context *context, toi_kind kind, const toi_mesh *mesh, const toi_pair *pairs,
                             size_t count, const toi_options *options, toi_hit *hits) {
  toi_call call;
  toi_call_begin(&call, context);
  toi_batch_job job = {.context = context, .kind = kind, .pairs = pairs, .count = count, .hits = hits};
  job.unanswered = SIZE_MAX;
  const toi_status status = context ? batch_indexed(&job, mesh, options) : TOI_ERROR_INPUT;
  if (status != TOI_OK)
    give_up(hits, count);
  toi_call_end(&call);
  return status;
}
