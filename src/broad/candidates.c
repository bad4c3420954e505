/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_candidates: the broad phase for callers, one visit at a time. */

#include <pthread.h>
#include <string.h>

#include "broad/broad.h"
#include "broad/edges.h"
#include "narrow/method.h"

typedef struct visits {
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
  (void)thread;
  visits *all = user;
  lock_soon(&all->lock);
  if (all->stopped == TOI_OK)
    all->stopped = all->visit(all->user, (toi_kind)kind, pairs, count);
  toi_status status = all->stopped;
  pthread_mutex_unlock(&all->lock);
  return status;
}

toi_status toi_candidates(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                          toi_pairs_visitor visit, void *user) {
  if (!context)
    return TOI_ERROR_INPUT;
  toi_clear_error(context);
  if (!visit)
    return toi_fail(context, TOI_ERROR_INPUT, "visit is NULL");
  toi_status status = toi_options_check(context, options);
  if (status == TOI_OK)
    status = toi_mesh_usable(context, mesh, options->t_max > 0);
  toi_broad_question question;
  if (status == TOI_OK)
    status = toi_broad_ask(context, mesh, options, options->t_max, &question);
  if (status != TOI_OK)
    return status;
  if (options->work)
    memset(options->work, 0, sizeof(*options->work));
  visits all = {.visit = visit, .user = user, .stopped = TOI_OK};
  if (pthread_mutex_init(&all.lock, NULL) != 0)
    return toi_fail(context, TOI_ERROR_MEMORY, "the system refused a lock");
  toi_mesh whole = *mesh;
  question.mesh = &whole;
  question.consume = visit_pairs;
  question.user = &all;
  toi_edge_list found;
  status = toi_edges_find(context, &whole, &found);
  if (status == TOI_OK)
    status = toi_broad_run(context, &question);
  toi_mesh_edges_free(context, found.pairs, found.count);
  pthread_mutex_destroy(&all.lock);
  return all.stopped != TOI_OK ? all.stopped : status;
}
