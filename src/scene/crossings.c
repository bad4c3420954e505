/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_mesh_crossings: every candidate of one state of a mesh that meets, to the visitor, in order. */

#include <string.h>

#include "base/internal.h"
#include "scene/crossing.h"
#include "scene/parts.h"
#include "scene/requests.h"

typedef struct crossings {
  toi_crossing_search search;
  toi_parts parts;
  toi_crossings_visitor visit;
  void *user;
} crossings;

/* Records of the pairs that meet. */
static toi_status record(const crossings *all, const toi_crossing_block *block) {
  const bool crossing = block->kind == TOI_JOIN_EDGE_FACE;
  for (size_t i = 0; i < block->count; i++) {
    if (!block->meets[i])
      continue;
    toi_crossing *own = toi_parts_add(&all->parts, block->thread, block->kind, block->pairs[i]);
    if (!own)
      return TOI_ERROR_MEMORY;
    *own = (toi_crossing){.crossing = crossing,
                          .behind = block->kind == TOI_JOIN_VERTEX_HALF_SPACE && block->behind[i],
                          .kind = crossing ? TOI_VERTEX_FACE : toi_join_public(block->kind),
                          .pair = block->pairs[i]};
  }
  return TOI_OK;
}

static toi_status decide_candidates(void *user, uint32_t thread, toi_join_kind kind, const toi_pair *pairs,
                                    size_t count) {
  const crossings *all = user;
  toi_crossing_block block = {.thread = thread, .kind = kind};
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    block.pairs[block.count++] = pairs[i];
    if (block.count < TOI_CROSSING_PAIRS && i + 1 < count)
      continue;
    status = toi_crossing_decide(&all->search, &block);
    if (status == TOI_OK)
      status = record(all, &block);
    block.count = 0;
  }
  return status;
}

static toi_status visit_records(void *user, const void *records, size_t count) {
  const crossings *all = user;
  const toi_callback callback = toi_callback_begin(all->search.context, 0);
  const toi_status status = all->visit(all->user, records, count);
  toi_callback_end(callback);
  return status;
}

static toi_status stream_crossings(crossings *all) {
  const toi_crossing_search *search = &all->search;
  all->parts = (toi_parts){.context = search->context,
                           .run = toi_crossing_run,
                           .run_user = search,
                           .record_size = sizeof(toi_crossing),
                           .visit = visit_records,
                           .visit_user = all};
  toi_status status = toi_crossing_question(search, &all->parts.question);
  all->parts.question.consume = decide_candidates;
  all->parts.question.user = all;
  if (status == TOI_OK)
    status = toi_parts_run(&all->parts);
  toi_work *work = search->asked.on_mesh.work;
  if (status == TOI_OK && work) {
    *work = all->parts.work;
    memset(work->hits, 0, sizeof(work->hits));
  }
  return status;
}

toi_status toi_crossings_of_request(toi_context *context, const toi_mesh_request *request, toi_crossings_visitor visit,
                                    void *user) {
  crossings all = {.visit = visit, .user = user};
  toi_status status = toi_crossing_begin(&all.search, context, request);
  if (status == TOI_OK && !visit)
    status = toi_fail(context, TOI_ERROR_INPUT, "visit is NULL; give a function that takes the crossings");
  if (status == TOI_OK)
    status = stream_crossings(&all);
  toi_crossing_end(&all.search);
  return status;
}

static TOI_APART toi_status find_crossings(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                           toi_crossings_visitor visit, void *user) {
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_crossings_of_request(context, &request, visit, user));
}

toi_status toi_mesh_crossings(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                              toi_crossings_visitor visit, void *user) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = find_crossings(context, mesh, options, visit, user);
  toi_call_end(&call);
  return status;
}
