/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_candidates: the broad phase for callers, one visit at a time. */

#include <pthread.h>

#include "broad/broad.h"
#include "broad/edges.h"

typedef struct visits {
  toi_context *context;
  pthread_mutex_t lock;
  toi_pairs_visitor visit;
  void *user;
  toi_status stopped; /* what the visitor returned; nothing is visited after that */
} visits;

/* A visit takes microseconds, and to be woken takes longer: try for a while before going to sleep. */
#define TRIES 4000

static void lock_soon(pthread_mutex_t *lock) {
  for (int i = 0; i < TRIES; i++) {
    if (pthread_mutex_trylock(lock) == 0)
      return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  pthread_mutex_lock(lock);
}

static toi_status visit_pairs(void *user, uint32_t thread, toi_join_kind kind, const toi_pair *pairs, size_t count) {
  visits *all = user;
  lock_soon(&all->lock);
  if (all->stopped == TOI_OK) {
    const toi_callback callback = toi_callback_begin(all->context, thread);
    all->stopped = all->visit(all->user, toi_join_public(kind), pairs, count);
    toi_callback_end(callback);
    toi_float_mode_establish();
  }
  toi_status status = all->stopped;
  pthread_mutex_unlock(&all->lock);
  return status;
}

toi_status toi_broad_visit(toi_context *context, const toi_broad_question *question, toi_pairs_visitor visit,
                           void *user) {
  toi_broad_question own = *question;
  visits all = {.context = context, .visit = visit, .user = user, .stopped = TOI_OK};
  if (pthread_mutex_init(&all.lock, NULL) != 0)
    return toi_fail(context, TOI_ERROR_MEMORY, "the system refused a lock");
  own.consume = visit_pairs;
  own.user = &all;
  const toi_status status = toi_broad_run(context, &own);
  pthread_mutex_destroy(&all.lock);
  return all.stopped != TOI_OK ? all.stopped : status;
}

toi_status toi_candidates_of_request(toi_context *context, const toi_mesh_request *request, toi_pairs_visitor visit,
                                     void *user) {
  toi_broad_question question;
  if (!visit)
    return toi_fail(context, TOI_ERROR_INPUT, "visit is NULL; give a function that takes the pairs");
  toi_status status = toi_mesh_request_valid(context, request, request->options.t_max > 0);
  if (status == TOI_OK)
    status = toi_broad_ask(context, request, request->options.t_max, &question);
  if (status != TOI_OK)
    return status;
  toi_mesh whole = request->mesh;
  toi_edge_list found;
  question.mesh = &whole;
  status = toi_edges_find(context, &whole, &found);
  if (status == TOI_OK)
    status = toi_broad_visit(context, &question, visit, user);
  toi_mesh_edges_free(context, found.pairs, found.count);
  return status;
}

static TOI_APART toi_status candidates(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                       toi_pairs_visitor visit, void *user) {
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_candidates_of_request(context, &request, visit, user));
}

toi_status toi_candidates(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                          toi_pairs_visitor visit, void *user) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = candidates(context, mesh, options, visit, user);
  toi_call_end(&call);
  return status;
}
