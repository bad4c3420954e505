/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_mesh_intersects: whether one state of a mesh intersects itself, with the first pair of those that meet.
 *
 * The first pair: crossings before contacts, then by kind, first and second number. Of what is not before the first
 * pair found so far nothing is asked; the outcome is the smallest of all whichever thread sees it when. */

#include <pthread.h>

#include "base/internal.h"
#include "scene/crossing.h"
#include "scene/requests.h"

/* What is found, in the order of the header: rank 0 is a crossing, 1 + kind a contact. */
typedef struct finding {
  uint32_t rank, first, second;
} finding;

#define NOTHING ((finding){UINT32_MAX, UINT32_MAX, UINT32_MAX})

typedef struct first_search {
  toi_crossing_search search;
  pthread_mutex_t lock;
  finding best;
} first_search;

static bool is_before(const finding *a, const finding *b) {
  if (a->rank != b->rank)
    return a->rank < b->rank;
  return a->first != b->first ? a->first < b->first : a->second < b->second;
}

static finding read_best(first_search *s) {
  pthread_mutex_lock(&s->lock);
  finding best = s->best;
  pthread_mutex_unlock(&s->lock);
  return best;
}

static void offer(first_search *s, const finding *found) {
  pthread_mutex_lock(&s->lock);
  if (is_before(found, &s->best))
    s->best = *found;
  pthread_mutex_unlock(&s->lock);
}

static finding finding_of(toi_join_kind kind, toi_pair pair) {
  return (finding){kind == TOI_JOIN_EDGE_FACE ? 0 : 1 + (uint32_t)toi_join_public(kind), pair.first, pair.second};
}

/* Decides a block; the first of the pairs that meet into *best, if it is before. */
static toi_status decide(const first_search *s, toi_crossing_block *block, finding *best) {
  const toi_status status = toi_crossing_decide(&s->search, block);
  for (size_t i = 0; i < block->count && status == TOI_OK; i++) {
    const finding own = finding_of(block->kind, block->pairs[i]);
    if (block->meets[i] && is_before(&own, best))
      *best = own;
  }
  block->count = 0;
  return status;
}

static toi_status consume(void *user, uint32_t thread, toi_join_kind kind, const toi_pair *pairs, size_t count) {
  first_search *s = user;
  finding best = read_best(s);
  toi_crossing_block block = {.thread = thread, .kind = kind};
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const finding own = finding_of(kind, pairs[i]);
    if (is_before(&own, &best))
      block.pairs[block.count++] = pairs[i];
    if (block.count == TOI_CROSSING_PAIRS || (i + 1 == count && block.count > 0))
      status = decide(s, &block, &best);
  }
  offer(s, &best);
  return status;
}

/* --- the call --- */

static toi_status run(first_search *s) {
  toi_broad_question question;
  toi_status status = toi_crossing_question(&s->search, &question);
  if (status != TOI_OK)
    return status;
  question.consume = consume;
  question.user = s;
  if (pthread_mutex_init(&s->lock, NULL) != 0)
    return toi_fail(s->search.context, TOI_ERROR_MEMORY, "the system refused a lock");
  status = toi_crossing_run(&s->search, &question);
  pthread_mutex_destroy(&s->lock);
  return status;
}

toi_intersection toi_intersection_unknown(void) {
  // Nothing is known to be apart.
  return (toi_intersection){.found = 1, .pair = {UINT32_MAX, UINT32_MAX}};
}

toi_status toi_intersects_of_request(toi_context *context, const toi_mesh_request *request,
                                     toi_intersection *intersection) {
  first_search s = {.best = NOTHING};
  toi_status status = toi_crossing_begin(&s.search, context, request);
  if (status == TOI_OK)
    status = run(&s);
  toi_crossing_end(&s.search);
  if (status != TOI_OK)
    return status;
  *intersection = (toi_intersection){0};
  if (s.best.rank == UINT32_MAX)
    return TOI_OK;
  intersection->found = 1;
  intersection->crossing = s.best.rank == 0;
  intersection->kind = s.best.rank == 0 ? TOI_VERTEX_FACE : (toi_kind)(s.best.rank - 1);
  intersection->pair = (toi_pair){s.best.first, s.best.second};
  if (intersection->kind != TOI_VERTEX_HALF_SPACE)
    return TOI_OK;
  toi_crossing_block block = {.kind = TOI_JOIN_VERTEX_HALF_SPACE, .count = 1, .pairs = {intersection->pair}};
  status = toi_crossing_decide(&s.search, &block);
  if (status == TOI_OK)
    intersection->behind = block.behind[0];
  else
    *intersection = toi_intersection_unknown();
  return status;
}

static TOI_APART toi_status find_first(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                       toi_intersection *intersection) {
  if (!intersection)
    return toi_fail(context, TOI_ERROR_INPUT, "intersection is NULL; give a place for the answer");
  *intersection = toi_intersection_unknown();
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_intersects_of_request(context, &request, intersection));
}

toi_status toi_mesh_intersects(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                               toi_intersection *intersection) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = find_first(context, mesh, options, intersection);
  toi_call_end(&call);
  return status;
}
