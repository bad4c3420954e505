/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Batches whose misses are not written.
 *
 * A segment of the queries at a time: its chunks are answered by the threads, each into a place of its own that is
 * touched only where something is not a miss, and then appended to the caller's list in order. So the list does not
 * depend on the threads, and neither does the query at which it is full. Pairs of a mesh go through the contact filter
 * first, if they are many enough for the mesh to be rounded to floats. */

#include <string.h>

#include "narrow/batch.h"
#include "narrow/contact_filter.h"
#include "narrow/kept.h"
#include "narrow/mesh.h"

/* Chunks of a segment, for each thread. */
#define SEGMENT_CHUNKS 8

/* What a chunk leaves behind. */
typedef struct chunk_hits {
  size_t count;
  toi_hit hits[TOI_CHUNK_QUERIES];
  uint32_t numbers[TOI_CHUNK_QUERIES]; /* from the chunk's first query on */
} chunk_hits;

typedef struct hits_job {
  toi_batch_job batch;
  toi_hit_list *list;
  chunk_hits *chunks;
  size_t first; /* query of the segment */
  toi_contact_filter filter;
  toi_float_mesh floats; /* high is NULL: there are none */
} hits_job;

/* --- one chunk --- */

static void append(chunk_hits *to, const toi_hit *hits, const uint32_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (hits[i].verdict == TOI_MISS)
      continue;
    to->hits[to->count] = hits[i];
    to->numbers[to->count++] = numbers[i];
  }
}

/* Answers some queries of a chunk, at most TOI_GATHER_PAIRS, by their numbers from its first query on. `filtered`: the
 * contact filter left them open. */
static toi_status answer_some(hits_job *job, uint32_t thread, size_t first, const uint32_t *numbers, size_t count,
                              bool filtered, chunk_hits *to) {
  toi_batch_job *batch = &job->batch;
  toi_counters counters = {0};
  toi_hit hits[TOI_GATHER_PAIRS];
  toi_chunk chunk = toi_batch_chunk(batch, thread, &counters);
  size_t unanswered = 0;
  toi_status status;
  chunk.count = count;
  chunk.hits = hits;
  chunk.quiet = true;
  chunk.filtered = filtered;
  if (batch->queries) {
    chunk.queries = batch->queries + (first + numbers[0]) * 6 * toi_kind_points(batch->kind);
    status = toi_answer(&batch->answerer, &chunk, &unanswered);
  } else {
    toi_pair pairs[TOI_GATHER_PAIRS];
    for (size_t i = 0; i < count; i++)
      pairs[i] = batch->pairs[first + numbers[i]];
    status = toi_answer_pairs(&batch->answerer, &chunk, &batch->mesh, pairs, &unanswered);
  }
  toi_batch_count(batch, &counters);
  if (status == TOI_ERROR_PLUGIN)
    toi_batch_note_unanswered(batch, first + numbers[unanswered]);
  if (status == TOI_OK)
    append(to, hits, numbers, count);
  return status;
}

/* The numbers of a chunk that are to be answered: all, or what the contact filter leaves open. */
static size_t open_numbers(hits_job *job, size_t first, size_t count, uint32_t numbers[TOI_CHUNK_QUERIES]) {
  if (!job->floats.high) {
    for (size_t i = 0; i < count; i++)
      numbers[i] = (uint32_t)i;
    return count;
  }
  toi_contact_block block = {
      .kind = job->batch.kind, .pairs = job->batch.pairs + first, .count = count, .open = numbers};
  toi_counters counters = {0};
  const size_t left = job->filter(&job->floats, &block);
  toi_count_filtered(&block, &counters);
  toi_batch_count(&job->batch, &counters);
  return left;
}

/* Whether the pairs of a chunk can be read. With floats all vertices of edges and faces are known to be there. */
static bool pairs_fine(const hits_job *job, size_t first, size_t count) {
  const toi_batch_job *batch = &job->batch;
  const bool edges = batch->kind == TOI_EDGE_EDGE;
  const size_t firsts = edges ? batch->mesh.edge_count : batch->mesh.vertex_count;
  const size_t seconds = edges ? batch->mesh.edge_count : batch->mesh.face_count;
  bool fine = true;
  for (size_t i = first; i < first + count && fine; i++)
    fine = job->floats.high ? batch->pairs[i].first < firsts && batch->pairs[i].second < seconds
                            : !toi_pair_fault(batch->kind, &batch->mesh, batch->pairs[i]);
  return fine;
}

static toi_status hits_task(void *user, uint32_t thread, size_t begin, size_t end) {
  hits_job *job = user;
  chunk_hits *to = &job->chunks[begin / TOI_CHUNK_QUERIES];
  uint32_t numbers[TOI_CHUNK_QUERIES];
  const size_t first = job->first + begin;
  to->count = 0;
  if (!job->batch.queries && !pairs_fine(job, first, end - begin))
    return TOI_ERROR_INPUT;
  const size_t left = open_numbers(job, first, end - begin, numbers);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < left && status == TOI_OK; i += TOI_GATHER_PAIRS) {
    const size_t size = left - i < TOI_GATHER_PAIRS ? left - i : TOI_GATHER_PAIRS;
    status = answer_some(job, thread, first, numbers + i, size, job->floats.high, to);
  }
  return status;
}

/* --- segments --- */

/* Appends the hits of a segment to the list; false if it is full. */
static bool list_segment(const hits_job *job, size_t size) {
  toi_hit_list *list = job->list;
  for (size_t begin = 0; begin < size; begin += TOI_CHUNK_QUERIES) {
    const chunk_hits *from = &job->chunks[begin / TOI_CHUNK_QUERIES];
    for (size_t i = 0; i < from->count; i++) {
      const size_t number = job->first + begin + from->numbers[i];
      list->answered = number;
      if (list->count == list->room)
        return false;
      list->hits[list->count] = from->hits[i];
      list->numbers[list->count++] = number;
    }
  }
  list->answered = job->first + size;
  return true;
}

static toi_status run_segments(hits_job *job) {
  toi_context *context = job->batch.context;
  const size_t most = (size_t)SEGMENT_CHUNKS * toi_context_threads(context) * TOI_CHUNK_QUERIES;
  toi_status status = TOI_OK;
  bool goes_on = true;
  for (; job->first < job->batch.count && goes_on && status == TOI_OK; job->first += most) {
    const size_t left = job->batch.count - job->first, size = left < most ? left : most;
    status = toi_parallel(context, size, TOI_CHUNK_QUERIES, hits_task, job);
    goes_on = status == TOI_OK && list_segment(job, size);
  }
  return status;
}

/* Floats, if the question is one for the contact filter and they pay. */
static void make_floats(hits_job *job) {
  const toi_batch_job *batch = &job->batch;
  const toi_mesh *mesh = &batch->mesh;
  const toi_options *options = &batch->options;
  const bool touching = options->min_separation == 0 && options->separation_fraction == 0;
  const bool edges = batch->kind == TOI_EDGE_EDGE;
  const size_t primitives = edges ? mesh->edge_count : mesh->face_count;
  if (batch->queries || batch->kind > TOI_EDGE_EDGE || batch->answerer.method != &toi_method_certified || !touching ||
      options->filter == TOI_FILTER_DOUBLE || batch->count < 2 * mesh->vertex_count + primitives)
    return;
  const uint32_t *vertices = edges ? (const uint32_t *)mesh->edges : (const uint32_t *)mesh->faces;
  bool fine = true;
  for (size_t i = 0; i < (edges ? 2 : 3) * primitives; i++)
    fine = fine && vertices[i] < mesh->vertex_count;
  if (fine)
    toi_float_mesh_make(batch->context, mesh, &job->floats);
}

static toi_status list_hits(hits_job *job) {
  toi_context *context = job->batch.context;
  const size_t size = (size_t)SEGMENT_CHUNKS * toi_context_threads(context) * sizeof(chunk_hits);
  job->chunks = toi_kept_take(context, TOI_KEPT_HITS, size);
  if (!job->chunks)
    return TOI_ERROR_MEMORY;
  make_floats(job);
  const toi_status status = run_segments(job);
  toi_float_mesh_free(context, &job->floats);
  toi_kept_give(context, TOI_KEPT_HITS);
  if (status != TOI_OK)
    return job->batch.queries ? toi_batch_explain(&job->batch, status) : toi_batch_explain_indexed(&job->batch, status);
  job->batch.count = job->list->answered;
  toi_batch_add_counters(&job->batch);
  return TOI_OK;
}

/* --- for callers --- */

static toi_status check_list(toi_context *context, const toi_hit_list *list) {
  if (!list)
    return toi_fail(context, TOI_ERROR_INPUT, "list is NULL; give a place for the answers");
  if (list->room == 0 || !list->hits || !list->numbers)
    return toi_fail(context, TOI_ERROR_INPUT, "the list has no room; give arrays for hits and numbers");
  return TOI_OK;
}

static TOI_APART toi_status batch_hits(hits_job *job, bool indexed, const toi_mesh *mesh, const toi_options *options) {
  toi_batch_job *batch = &job->batch;
  toi_status status = toi_batch_begin(batch, options);
  if (status == TOI_OK)
    status = check_list(batch->context, job->list);
  if (status == TOI_OK && indexed)
    status = toi_batch_take_mesh(batch, mesh);
  if (status != TOI_OK)
    return status;
  if (batch->count > 0 && !batch->queries && !batch->pairs)
    return toi_fail(batch->context, TOI_ERROR_INPUT, "%s is NULL", indexed ? "pairs" : "queries");
  // Thickness is for calls on whole meshes.
  batch->mesh.thickness = batch->mesh.body_thickness = NULL;
  return list_hits(job);
}

static toi_status run(hits_job *job, bool indexed, const toi_mesh *mesh, const toi_options *options) {
  toi_context *context = job->batch.context;
  toi_call call;
  toi_call_begin(&call, context);
  job->batch.unanswered = SIZE_MAX;
  job->filter = toi_contact_filter_best();
  if (job->list)
    job->list->count = job->list->answered = 0;
  const toi_status status = context ? batch_hits(job, indexed, mesh, options) : TOI_ERROR_INPUT;
  if (status != TOI_OK && job->list)
    job->list->count = job->list->answered = 0;
  toi_call_end(&call);
  return status;
}

toi_status toi_batch_hits(toi_context *context, toi_kind kind, const double *queries, size_t count,
                          const toi_options *options, toi_hit_list *list) {
  hits_job job = {.batch = {.context = context, .kind = kind, .queries = queries, .count = count}, .list = list};
  return run(&job, false, NULL, options);
}

toi_status toi_batch_indexed_hits(toi_context *context, toi_kind kind, const toi_mesh *mesh, const toi_pair *pairs,
                                  size_t count, const toi_options *options, toi_hit_list *list) {
  hits_job job = {.batch = {.context = context, .kind = kind, .pairs = pairs, .count = count}, .list = list};
  return run(&job, true, mesh, options);
}
