/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All contacts of a scene of rigid bodies, in order and in bounded memory.
 *
 * Every thread keeps the contacts that it finds, at most its share of memory: when that is full, the last half of them
 * in the order of toi_rigid_order() is dropped, and whatever comes after from then on. What all threads have kept below
 * the first contact that any of them dropped is complete: it is delivered, and the search runs again for the rest.
 * Claim: every contact is delivered once, in order, whatever the memory. Why: a run keeps all contacts at or after its
 * `from` and before its end, which is where the next one begins; and each run delivers one at least, as a thread that
 * drops keeps half. */

#include <math.h>
#include <string.h>

#include "scene/rigid_search.h"
#include "scene/rigid_step.h"

/* All lists together take this part of the budget, and no list more than so many contacts. */
enum { BUDGET_PART = 8, MOST_KEPT = 65536, LEAST_KEPT = 64 };

typedef struct list {
  toi_rigid_impact *at;
  size_t count, room, next;
  bool dropped;
  toi_rigid_impact end; /* the first that was dropped */
} list;

typedef struct collisions {
  toi_rigid_search search;
  list *lists; /* one for each thread */
  uint32_t threads;
  size_t most; /* contacts in a list */
  bool begun;
  toi_rigid_impact from; /* once begun, nothing before it is wanted */
} collisions;

/* --- one list --- */

static void sift(toi_rigid_impact *heap, size_t at, size_t count) {
  for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    child += child + 1 < count && toi_rigid_order(&heap[child], &heap[child + 1]) < 0;
    if (toi_rigid_order(&heap[at], &heap[child]) >= 0)
      return;
    const toi_rigid_impact held = heap[at];
    heap[at] = heap[child];
    heap[child] = held;
    at = child;
  }
}

/* Heap sort: no memory, and no bad case. */
static void sort(toi_rigid_impact *heap, size_t count) {
  for (size_t i = count / 2; i > 0; i--)
    sift(heap, i - 1, count);
  for (size_t end = count; end > 1; end--) {
    const toi_rigid_impact held = heap[0];
    heap[0] = heap[end - 1];
    heap[end - 1] = held;
    sift(heap, 0, end - 1);
  }
}

static void drop_half(list *own) {
  sort(own->at, own->count);
  own->count /= 2;
  own->end = own->at[own->count];
  own->dropped = true;
}

static toi_status keep_found(void *user, uint32_t thread, const toi_rigid_found *found) {
  const collisions *all = user;
  list *own = &all->lists[thread];
  const toi_rigid_impact *impact = &found->impact;
  if ((all->begun && toi_rigid_order(impact, &all->from) < 0) ||
      (own->dropped && toi_rigid_order(impact, &own->end) >= 0))
    return TOI_OK;
  if (own->count == all->most)
    drop_half(own);
  toi_rigid_impact *grown =
      toi_grow(all->search.call->context, own->at, own->count, &own->room, sizeof *own->at, LEAST_KEPT);
  if (grown == NULL)
    return TOI_ERROR_MEMORY;
  own->at = grown;
  // It may belong to the half that was dropped.
  if (!own->dropped || toi_rigid_order(impact, &own->end) < 0)
    own->at[own->count++] = *impact;
  return TOI_OK;
}

/* --- all lists --- */

static toi_status visit_some(const collisions *all, const toi_rigid_impact *some, size_t count, toi_rigid_visitor visit,
                             void *user) {
  const toi_callback callback = toi_callback_begin(all->search.call->context, 0);
  const toi_status status = visit(user, some, count);
  toi_callback_end(callback);
  return status;
}

/* The first contact of all lists that is not delivered yet, and its list; NULL: there is none. */
static list *first_of(const collisions *all) {
  list *first = NULL;
  for (uint32_t i = 0; i < all->threads; i++) {
    list *own = &all->lists[i];
    if (own->next < own->count && (first == NULL || toi_rigid_order(&own->at[own->next], &first->at[first->next]) < 0))
      first = own;
  }
  return first;
}

/* The first contact that any list dropped; NULL: none did. */
static const toi_rigid_impact *end_of(const collisions *all) {
  const toi_rigid_impact *end = NULL;
  for (uint32_t i = 0; i < all->threads; i++) {
    const list *own = &all->lists[i];
    if (own->dropped && (end == NULL || toi_rigid_order(&own->end, end) < 0))
      end = &own->end;
  }
  return end;
}

static toi_status deliver(const collisions *all, const toi_rigid_impact *end, toi_rigid_visitor visit, void *user) {
  enum { SOME = 64 };
  toi_rigid_impact some[SOME];
  size_t filled = 0;
  toi_status status = TOI_OK;
  for (uint32_t i = 0; i < all->threads; i++)
    sort(all->lists[i].at, all->lists[i].count);
  for (list *own = first_of(all); own != NULL && status == TOI_OK; own = first_of(all)) {
    const toi_rigid_impact *next = &own->at[own->next];
    if (end != NULL && toi_rigid_order(next, end) >= 0)
      break;
    some[filled++] = *next;
    own->next++;
    if (filled == SOME) {
      status = visit_some(all, some, filled, visit, user);
      filled = 0;
    }
  }
  return status == TOI_OK && filled > 0 ? visit_some(all, some, filled, visit, user) : status;
}

/* Searches until everything is delivered. */
static toi_status search_all(collisions *all, const toi_rigid_call *call, toi_rigid_visitor visit, void *user) {
  toi_rigid_call again = *call;
  toi_status status = toi_rigid_search_run(&all->search);
  if (status == TOI_OK && call->on_mesh.work != NULL)
    *call->on_mesh.work = all->search.work;
  // What is searched again is not counted again, and progress is not made again.
  again.options.counters = NULL;
  again.on_mesh.progress = NULL;
  all->search.call = &again;
  while (status == TOI_OK) {
    const toi_rigid_impact *end = end_of(all);
    status = deliver(all, end, visit, user);
    if (end == NULL || status != TOI_OK)
      break;
    all->from = *end;
    all->begun = true;
    for (uint32_t i = 0; i < all->threads; i++) {
      all->lists[i].count = all->lists[i].next = 0;
      all->lists[i].dropped = false;
    }
    status = toi_rigid_search_run(&all->search);
  }
  return status;
}

toi_status toi_rigid_collisions_of_call(const toi_rigid_call *call, toi_rigid_visitor visit, void *user) {
  toi_context *context = call->context;
  const uint32_t threads = toi_context_threads(context);
  const double t_max = call->options.t_max;
  const int pieces = (int)(t_max * TOI_PIECES) + 1;
  const uint64_t share = toi_budget(context) / BUDGET_PART / threads / sizeof(toi_rigid_impact);
  collisions all = {.search = {.call = call,
                               .begin = 0,
                               .end = pieces < TOI_PIECES ? pieces : TOI_PIECES,
                               .limit = t_max,
                               .consume = keep_found,
                               .done_share = 1},
                    .threads = threads,
                    .most = share < LEAST_KEPT  ? LEAST_KEPT
                            : share < MOST_KEPT ? (size_t)share
                                                : MOST_KEPT};
  all.search.user = &all;
  all.lists = toi_allocate(context, threads * sizeof *all.lists);
  if (all.lists == NULL)
    return TOI_ERROR_MEMORY;
  memset(all.lists, 0, threads * sizeof *all.lists);
  const toi_status status = search_all(&all, call, visit, user);
  for (uint32_t i = 0; i < threads; i++)
    if (all.lists[i].at != NULL)
      toi_free(context, all.lists[i].at, all.lists[i].room * sizeof *all.lists[i].at);
  toi_free(context, all.lists, threads * sizeof *all.lists);
  return status;
}

static TOI_APART toi_status find_all(toi_rigid_scene *scene, const toi_moving_body *bodies, size_t count,
                                     const toi_options *options, toi_rigid_visitor visit, void *user) {
  if (visit == NULL)
    return toi_fail(scene->context, TOI_ERROR_INPUT, "visit is NULL; give a function that takes the contacts");
  toi_rigid_call call;
  toi_status status = toi_rigid_call_begin(&call, scene, bodies, count, options);
  if (status == TOI_OK)
    status = toi_rigid_collisions_of_call(&call, visit, user);
  toi_rigid_call_end(&call);
  return status;
}

toi_status toi_rigid_scene_collisions(toi_rigid_scene *scene, const toi_moving_body *bodies, size_t count,
                                      const toi_options *options, toi_rigid_visitor visit, void *user) {
  if (scene == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(scene->context, find_all(scene, bodies, count, options, visit, user));
}
