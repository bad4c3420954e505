/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The earliest contact of a scene of rigid bodies.
 *
 * Earliest: windows of the step one after the other, each with a search. Claim: when a window has been searched, every
 * pair that touches at a time up to its end, and not after the best time known, has been met in it or before; so if the
 * best contact is not after its end, it is the earliest. A pair is answered over the whole step whatever the window,
 * and the winner is the least by its tightest bracket, then by toi_rigid_order(): a total order, so that neither
 * windows nor threads matter. Contacts that are certainly later than the best are left out before their tightest
 * bracket is known.
 *
 * Where no integers decide, brackets have a width and pairs may be near. Then the answer begins where the first of all
 * begins, and ends where the first proved contact is proved to have begun: the least t_lo, and the least t_hi of the
 * hits; without a hit it is that of the first. What begins after a proved contact cannot change either. */

#include <math.h>
#include <string.h>

#include "scene/rigid_search.h"
#include "scene/rigid_step.h"

/* Ends of the windows, in pieces. */
static const int window_ends[] = {4, 16, TOI_PIECES};
enum { WINDOWS = sizeof window_ends / sizeof window_ends[0] };

typedef struct step {
  toi_rigid_search search;
  struct earliest *best; /* one for each thread */
} step;

/* A miss: none yet. */
typedef struct earliest {
  toi_rigid_impact any, hit; /* the first that may touch, and the hit that is proved first */
} earliest;

toi_rigid_impact toi_rigid_impact_unknown(void) {
  return (toi_rigid_impact){.hit = toi_hit_unknown()};
}

/* Whether a comes before b, neither a miss. */
static bool comes_first(const toi_rigid_impact *a, const toi_rigid_impact *b) {
  if (a->hit.t_lo != b->hit.t_lo)
    return a->hit.t_lo < b->hit.t_lo;
  if (a->hit.t_hi != b->hit.t_hi)
    return a->hit.t_hi < b->hit.t_hi;
  return toi_rigid_order(a, b) < 0;
}

static bool is_proved_first(const toi_rigid_impact *a, const toi_rigid_impact *b) {
  return a->hit.t_hi != b->hit.t_hi ? a->hit.t_hi < b->hit.t_hi : comes_first(a, b);
}

static void offer(earliest *best, const toi_rigid_impact *any, const toi_rigid_impact *hit) {
  if (any->hit.verdict != TOI_MISS && (best->any.hit.verdict == TOI_MISS || comes_first(any, &best->any)))
    best->any = *any;
  if (hit->hit.verdict == TOI_HIT && (best->hit.hit.verdict != TOI_HIT || is_proved_first(hit, &best->hit)))
    best->hit = *hit;
}

/* One answer of both. */
static toi_rigid_impact joined(const earliest *best) {
  toi_rigid_impact answer = best->any;
  if (best->hit.hit.verdict != TOI_HIT)
    return answer;
  if (answer.hit.verdict != TOI_HIT)
    answer = best->hit;
  answer.hit.t_lo = fmin(best->any.hit.t_lo, answer.hit.t_lo);
  answer.hit.t_safe = fmin(best->any.hit.t_safe, answer.hit.t_safe);
  answer.hit.t_hi = best->hit.hit.t_hi;
  return answer;
}

static void lower_limit(toi_rigid_search *search, double t) {
  double limit = atomic_load_explicit(&search->limit, memory_order_relaxed);
  bool lowered = false;
  while (t < limit && !lowered)
    lowered =
        atomic_compare_exchange_weak_explicit(&search->limit, &limit, t, memory_order_relaxed, memory_order_relaxed);
}

static toi_status offer_found(void *user, uint32_t thread, const toi_rigid_found *found) {
  step *s = user;
  toi_rigid_impact impact = found->impact;
  if (impact.hit.t_lo > atomic_load_explicit(&s->search.limit, memory_order_relaxed))
    return TOI_OK;
  const toi_status status = toi_rigid_found_exactly(found, thread, &impact.hit);
  if (status != TOI_OK)
    return status;
  offer(&s->best[thread], &impact, &impact);
  if (impact.hit.verdict == TOI_HIT)
    lower_limit(&s->search, impact.hit.t_hi);
  return TOI_OK;
}

static toi_status search_windows(step *s) {
  const toi_rigid_call *call = s->search.call;
  toi_status status = TOI_OK;
  for (int i = 0; i < WINDOWS && status == TOI_OK; i++) {
    s->search.begin = i == 0 ? 0 : window_ends[i - 1];
    s->search.end = window_ends[i];
    s->search.done_before = s->search.begin / (double)TOI_PIECES;
    s->search.done_share = (s->search.end - s->search.begin) / (double)TOI_PIECES;
    const double begin = s->search.done_before, limit = atomic_load(&s->search.limit);
    if (begin > limit || begin > call->options.t_max)
      break;
    status = toi_rigid_search_run(&s->search);
  }
  return status;
}

toi_status toi_rigid_step_of_call(const toi_rigid_call *call, toi_rigid_impact *impact) {
  toi_context *context = call->context;
  const uint32_t threads = toi_context_threads(context);
  step s = {.search = {.call = call, .limit = call->options.t_max, .consume = offer_found}};
  s.search.user = &s;
  s.best = toi_allocate(context, threads * sizeof *s.best);
  if (s.best == NULL)
    return TOI_ERROR_MEMORY;
  const toi_rigid_impact none = {.hit = toi_hit_miss(call->options.t_max, TOI_LEVEL_BOX)};
  for (uint32_t i = 0; i < threads; i++)
    s.best[i] = (earliest){none, none};
  const toi_status status = search_windows(&s);
  for (uint32_t i = 1; i < threads; i++)
    offer(&s.best[0], &s.best[i].any, &s.best[i].hit);
  if (status == TOI_OK)
    *impact = joined(&s.best[0]);
  if (status == TOI_OK && call->on_mesh.work != NULL)
    *call->on_mesh.work = s.search.work;
  toi_free(context, s.best, threads * sizeof *s.best);
  return status;
}

static TOI_APART toi_status find_first(toi_rigid_scene *scene, const toi_moving_body *bodies, size_t count,
                                       const toi_options *options, toi_rigid_impact *impact) {
  toi_rigid_call call;
  toi_status status = toi_rigid_call_begin(&call, scene, bodies, count, options);
  if (status == TOI_OK)
    status = toi_rigid_step_of_call(&call, impact);
  toi_rigid_call_end(&call);
  return status;
}

toi_status toi_rigid_scene_step(toi_rigid_scene *scene, const toi_moving_body *bodies, size_t count,
                                const toi_options *options, toi_rigid_impact *impact) {
  if (impact == NULL)
    return TOI_ERROR_INPUT;
  *impact = toi_rigid_impact_unknown();
  if (scene == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(scene->context, find_first(scene, bodies, count, options, impact));
}
