/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/mesh_call.h"

#include <assert.h>
#include <string.h>

#include "narrow/mesh.h"
#include "scene/kept_scene.h"

/* Rows begin on a line of the cache. */
#define ALIGNMENT 64

typedef struct pack_job {
  const toi_mesh *mesh;
  double *points;
  bool moves;
} pack_job;

static toi_status pack_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const pack_job *job = user;
  const size_t row = job->moves ? TOI_MOVING_ROW : TOI_STILL_ROW;
  for (size_t i = begin; i < end; i++) {
    double *to = job->points + row * i;
    toi_mesh_point(job->mesh, job->mesh->start, i, to);
    to[3] = 0;
    if (!job->moves)
      continue;
    toi_mesh_point(job->mesh, job->mesh->end, i, to + TOI_STILL_ROW);
    to[TOI_STILL_ROW + 3] = 0;
  }
  return TOI_OK;
}

/* The scene's memory if it is large enough, or new one. */
static bool take_buffer(toi_mesh_call *call, size_t size) {
  if (call->asked.scene)
    call->buffer = toi_scene_lend(call->asked.scene);
  if (call->buffer.size >= size)
    return true;
  toi_free(call->context, call->buffer.memory, call->buffer.size);
  call->buffer = (toi_scene_buffer){toi_allocate(call->context, size), size};
  call->buffer.size = call->buffer.memory ? size : 0;
  return call->buffer.memory != NULL;
}

static void give_buffer(const toi_mesh_call *call) {
  if (call->buffer.memory && call->asked.scene)
    toi_scene_take_back(call->asked.scene, call->buffer);
  else
    toi_free(call->context, call->buffer.memory, call->buffer.size);
}

/* The vertices in rows, in doubles. */
static toi_status pack_points(toi_mesh_call *call, bool moves) {
  toi_mesh *mesh = &call->asked.mesh;
  if (mesh->vertex_count == 0)
    return TOI_OK;
  const toi_mesh given = *mesh;
  mesh->scalar = TOI_FLOAT64;
  mesh->stride = (moves ? TOI_MOVING_ROW : TOI_STILL_ROW) * sizeof(double);
  mesh->component_stride = 0;
  if (!take_buffer(call, mesh->vertex_count * mesh->stride + ALIGNMENT))
    return TOI_ERROR_MEMORY;
  const uintptr_t address = (uintptr_t)call->buffer.memory;
  call->points = (double *)(void *)((char *)call->buffer.memory + (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT);
  pack_job job = {&given, call->points, moves};
  toi_status status = toi_parallel(call->context, mesh->vertex_count, 16384, pack_task, &job);
  mesh->start = call->points;
  mesh->end = moves ? call->points + TOI_STILL_ROW : NULL;
  // Nothing else looks at an end that is asked for and not moved to.
  if (status == TOI_OK && moves && call->asked.options.t_max == 0)
    status = toi_mesh_finite(call->context, mesh, mesh->end, "end");
  return status;
}

toi_status toi_mesh_call_begin(toi_mesh_call *call, toi_context *context, const toi_mesh_request *request, bool moves) {
  *call = (toi_mesh_call){.context = context,
                          .asked = *request,
                          .filter = toi_plane_filter_best(),
                          .contact_filter = toi_contact_filter_best()};
  toi_status status = toi_mesh_request_valid(context, request, moves);
  if (status == TOI_OK && (request->kinds & ~(TOI_ALL_KINDS | TOI_HALF_SPACES)) != 0)
    status = toi_fail(context, TOI_ERROR_UNSUPPORTED,
                      "kinds has edge-face or face-face pairs, which only toi_candidates() gives; leave them out");
  if (status == TOI_OK)
    status = toi_answerer_find(context, &request->options, &call->answerer);
  if (status != TOI_OK)
    return status;
  call->proves = call->answerer.method == &toi_method_certified || call->answerer.method == &toi_method_exact;
  size_t size = toi_context_threads(context) * sizeof(toi_counters);
  call->counters = toi_allocate(context, size);
  if (!call->counters)
    return TOI_ERROR_MEMORY;
  memset(call->counters, 0, size);
  status = toi_edges_find(context, &call->asked.mesh, &call->found);
  if (status == TOI_OK)
    status = pack_points(call, moves);
  if (status != TOI_OK)
    toi_mesh_call_end(call);
  return status;
}

void toi_mesh_call_end(toi_mesh_call *call) {
  toi_counters *sum = call->asked.options.counters;
  uint32_t threads = toi_context_threads(call->context);
  for (uint32_t i = 0; sum && i < threads; i++) {
    sum->queries += call->counters[i].queries;
    for (size_t k = 0; k <= TOI_NEAR; k++)
      sum->verdicts[k] += call->counters[i].verdicts[k];
    for (size_t k = 0; k < TOI_LEVEL_COUNT; k++)
      sum->levels[k] += call->counters[i].levels[k];
  }
  toi_free(call->context, call->counters, threads * sizeof(toi_counters));
  toi_float_mesh_free(call->context, &call->floats);
  give_buffer(call);
  toi_mesh_edges_free(call->context, call->found.pairs, call->found.count);
}

toi_status toi_mesh_call_run(const void *user, const toi_broad_question *question) {
  const toi_mesh_call *call = user;
  bool streamed = false;
  toi_status status = TOI_OK;
  if (call->asked.scene && call->proves)
    status = toi_near_pairs_stream(call, question, &streamed);
  if (status == TOI_OK)
    status = streamed ? toi_half_space_candidates(call->context, question) : toi_broad_run(call->context, question);
  return status;
}

/* --- the plane filter --- */

static void count_cleared(toi_counters *counters, size_t count) {
  counters->queries += count;
  counters->verdicts[TOI_MISS] += count;
  counters->levels[TOI_LEVEL_PLANE] += count;
}

toi_filter_mesh toi_mesh_call_points(const toi_mesh_call *call) {
  const toi_mesh *mesh = &call->asked.mesh;
  return (toi_filter_mesh){call->points, mesh->stride / sizeof(double), mesh->edges, mesh->faces};
}

size_t toi_mesh_call_filter(const toi_mesh_call *call, uint32_t thread, toi_kind kind,
                            const toi_plane_question *question, const toi_pair *pairs, size_t count, toi_pair *open) {
  assert(count <= TOI_FILTER_PAIRS);
  const toi_mesh *mesh = &call->asked.mesh;
  const toi_filter_mesh points = toi_mesh_call_points(call);
  toi_plane_question own = *question;
  double separations[TOI_FILTER_PAIRS];
  uint32_t numbers[TOI_FILTER_PAIRS];
  if (toi_mesh_is_thick(mesh)) {
    for (size_t i = 0; i < count; i++)
      separations[i] = toi_sum_up(question->separation, toi_pair_thickness(kind, mesh, pairs[i]));
    own.separations = separations;
  }
  const size_t left = call->filter(kind, &points, &own, pairs, count, numbers);
  for (size_t i = 0; i < left; i++)
    open[i] = pairs[numbers[i]];
  count_cleared(&call->counters[thread], count - left);
  return left;
}

/* --- the contact filter --- */

bool toi_mesh_call_may_filter(const toi_mesh_call *call) {
  const toi_options *options = &call->asked.options;
  const bool touching = options->min_separation == 0 && options->separation_fraction == 0;
  return call->answerer.method == &toi_method_certified && touching && !toi_mesh_is_thick(&call->asked.mesh) &&
         options->filter != TOI_FILTER_DOUBLE;
}

void toi_mesh_call_make_floats(toi_mesh_call *call) {
  atomic_store(&call->asked_for, true);
  atomic_store(&call->filters, toi_float_mesh_make(call->context, &call->asked.mesh, &call->floats));
}

void toi_mesh_call_make_floats_alone(toi_mesh_call *call) {
  if (!atomic_exchange(&call->asked_for, true))
    atomic_store(&call->filters, toi_float_mesh_make_alone(call->context, &call->asked.mesh, &call->floats));
}

size_t toi_mesh_call_filter_contacts(const toi_mesh_call *call, uint32_t thread, toi_kind kind, const toi_pair *pairs,
                                     size_t count, toi_pair *open) {
  assert(count <= TOI_FILTER_PAIRS);
  // cppcheck-suppress unassignedVariable // the filter's
  uint32_t numbers[TOI_FILTER_PAIRS];
  toi_contact_block block = {.kind = kind, .pairs = pairs, .count = count, .open = numbers};
  const size_t left = call->contact_filter(&call->floats, &block);
  for (size_t i = 0; i < left; i++)
    // cppcheck-suppress uninitvar // the filter wrote them
    open[i] = pairs[numbers[i]];
  toi_count_filtered(&block, &call->counters[thread]);
  return left;
}

void toi_mesh_call_offer_floats(const toi_mesh_call *call, toi_broad_question *question) {
  question->floats = atomic_load(&call->filters) ? &call->floats : NULL;
}

void toi_mesh_call_count_settled(const toi_mesh_call *call, const toi_device_counts *counts) {
  const toi_contact_block block = {.by_box = (size_t)counts->by_box,
                                   .by_sign = (size_t)counts->by_sign,
                                   .by_projection = (size_t)counts->by_projection};
  toi_count_filtered(&block, &call->counters[0]);
}

/* --- the narrow phase --- */

toi_status toi_mesh_call_answer(const toi_mesh_call *call, uint32_t thread, toi_kind kind, const toi_pair *pairs,
                                size_t count, toi_hit *hits) {
  toi_chunk chunk = {.kind = kind,
                     .count = count,
                     .options = &call->asked.options,
                     .hits = hits,
                     .counters = &call->counters[thread],
                     .context = call->context,
                     .thread = thread,
                     .quiet = true,
                     .filtered = toi_mesh_call_has_filter(call, kind),
                     .limit = call->limit};
  size_t unanswered = 0;
  toi_status status = toi_answer_pairs(&call->answerer, &chunk, &call->asked.mesh, pairs, &unanswered);
  if (status == TOI_ERROR_PLUGIN)
    return toi_fail(call->context, status, "%s pair (%u, %u): the plug-in could not answer it", toi_kind_name(kind),
                    (unsigned)pairs[unanswered].first, (unsigned)pairs[unanswered].second);
  return status;
}

toi_status toi_mesh_call_answer_exactly(const toi_mesh_call *call, uint32_t thread, toi_kind kind, toi_pair pair,
                                        toi_hit *hit) {
  toi_counters unused = {0};
  toi_chunk chunk = {.kind = kind,
                     .count = 1,
                     .options = &call->asked.options,
                     .hits = hit,
                     .counters = &unused,
                     .context = call->context,
                     .thread = thread};
  toi_answerer exact = {.method = &toi_method_exact};
  size_t unanswered;
  return toi_answer_pairs(&exact, &chunk, &call->asked.mesh, &pair, &unanswered);
}
