/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The search: pairs of bodies from the boxes of their paths, tasks from pairs of nodes, and each task on a thread. */

#include "scene/rigid_search.h"

#include <math.h>
#include <string.h>

#include "broad/broad.h"
#include "number/interval.h"
#include "scene/rigid_worker.h"

/* Tasks are made until there are this many, of at least so many leaves. */
enum { TASKS = 128, TASK_LEAVES = 64 };

typedef struct task_list {
  toi_rigid_task *at;
  size_t count, room;
} task_list;

/* A run under way. */
typedef struct run {
  toi_rigid_search *search;
  toi_pair *pairs; /* of bodies, in order */
  size_t pair_count, pair_room;
  task_list tasks;
  toi_rigid_worker *workers;
  uint32_t threads;
  atomic_size_t done;
} run;

int toi_rigid_order(const toi_rigid_impact *a, const toi_rigid_impact *b) {
  const uint32_t x[5] = {(uint32_t)a->kind, a->bodies[0], a->bodies[1], a->pair.first, a->pair.second};
  const uint32_t y[5] = {(uint32_t)b->kind, b->bodies[0], b->bodies[1], b->pair.first, b->pair.second};
  for (int i = 0; i < 5; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* --- pairs of bodies --- */

static toi_status note_pair(run *r, toi_pair pair) {
  toi_context *context = r->search->call->context;
  if (!toi_rigid_may_collide(r->search->call->scene, pair.first, pair.second))
    return TOI_OK;
  toi_pair *grown = toi_grow(context, r->pairs, r->pair_count, &r->pair_room, sizeof *r->pairs, 8);
  if (grown == NULL)
    return TOI_ERROR_MEMORY;
  r->pairs = grown;
  r->pairs[r->pair_count++] = pair;
  return TOI_OK;
}

/* Visitors run in the caller's floating-point state; what they call here does not. */
static toi_status note_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  const toi_float_mode mode = toi_float_mode_enter();
  toi_status status = TOI_OK;
  (void)kind;
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    status = note_pair(user, pairs[i]);
  toi_float_mode_leave(mode);
  return status;
}

static bool pair_before(toi_pair a, toi_pair b) {
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

/* Heap sort: no memory, and no bad case. */
static void sift(toi_pair *pairs, size_t at, size_t count) {
  for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    child += child + 1 < count && pair_before(pairs[child], pairs[child + 1]);
    if (!pair_before(pairs[at], pairs[child]))
      return;
    const toi_pair held = pairs[at];
    pairs[at] = pairs[child];
    pairs[child] = held;
    at = child;
  }
}

static void sort_pairs(toi_pair *pairs, size_t count) {
  for (size_t i = count / 2; i > 0; i--)
    sift(pairs, i - 1, count);
  for (size_t end = count; end > 1; end--) {
    const toi_pair held = pairs[0];
    pairs[0] = pairs[end - 1];
    pairs[end - 1] = held;
    sift(pairs, 0, end - 1);
  }
}

/* Pairs of bodies the boxes of whose paths overlap. A box is a vertex that goes from one corner to the opposite one, as
 * for toi_box_pairs(). */
static toi_status find_pairs(run *r) {
  const toi_rigid_call *call = r->search->call;
  const size_t count = call->scene->count, bytes = count * sizeof(double[6]);
  double(*boxes)[6] = toi_allocate(call->context, bytes);
  if (boxes == NULL)
    return TOI_ERROR_MEMORY;
  const double grown = 0.5 * call->options.min_separation * (1 + 0x1p-50);
  for (size_t i = 0; i < count; i++) {
    toi_body_swept_box(&call->samples[i], &call->scene->parts[i].tree, r->search->begin, r->search->end, boxes[i]);
    for (int k = 0; k < 6 && grown > 0; k++)
      boxes[i][k] = k < 3 ? toi_sum_down(boxes[i][k], -grown) : toi_sum_up(boxes[i][k], grown);
  }
  const toi_mesh mesh = {
      .size = sizeof mesh, .start = boxes, .end = boxes[0] + 3, .stride = sizeof *boxes, .vertex_count = count};
  toi_mesh_options options;
  toi_status status = toi_mesh_options_take(call->context, NULL, &options);
  const toi_broad_question question = {.mesh = &mesh,
                                       .options = &options,
                                       .t_max = 1,
                                       .kinds = 1u << TOI_JOIN_VERTEX_VERTEX,
                                       .every = 1u << TOI_JOIN_VERTEX_VERTEX,
                                       .done_share = 1,
                                       .first_end = UINT32_MAX};
  if (status == TOI_OK)
    status = toi_broad_visit(call->context, &question, note_pairs, r);
  toi_free(call->context, boxes, bytes);
  if (status == TOI_OK)
    sort_pairs(r->pairs, r->pair_count);
  return status;
}

/* --- tasks --- */

static toi_status add_task(run *r, task_list *list, const toi_rigid_task *task) {
  toi_rigid_task *grown = toi_grow(r->search->call->context, list->at, list->count, &list->room, sizeof *list->at, 8);
  if (grown == NULL)
    return TOI_ERROR_MEMORY;
  list->at = grown;
  list->at[list->count++] = *task;
  return TOI_OK;
}

static void free_tasks(run *r, task_list *list) {
  if (list->at != NULL)
    toi_free(r->search->call->context, list->at, list->room * sizeof *list->at);
  *list = (task_list){NULL, 0, 0};
}

static uint64_t pieces_of(const toi_rigid_search *search) {
  const int count = search->end - search->begin;
  return (count == TOI_PIECES ? UINT64_MAX : (UINT64_C(1) << count) - 1) << search->begin;
}

/* Each task that is large enough becomes two, or none. *changed: one did. */
static toi_status divide_tasks(run *r, bool *changed) {
  task_list next = {NULL, 0, 0};
  toi_status status = TOI_OK;
  *changed = false;
  for (size_t i = 0; i < r->tasks.count && status == TOI_OK; i++) {
    toi_rigid_task task = r->tasks.at[i], child[2];
    if (task.node[0].leaves + task.node[1].leaves < TASK_LEAVES) {
      status = add_task(r, &next, &task);
      continue;
    }
    *changed = true;
    toi_rigid_worker *worker = &r->workers[0];
    status = toi_rigid_worker_turn(worker, 0, r->pairs[task.pair], task.pair);
    if (status != TOI_OK || !toi_rigid_task_meets(worker, &task))
      continue;
    toi_rigid_task_split(worker, &task, child);
    for (int k = 0; k < 2 && status == TOI_OK; k++)
      status = add_task(r, &next, &child[k]);
  }
  free_tasks(r, &r->tasks);
  r->tasks = next;
  return status;
}

static toi_status make_tasks(run *r) {
  const toi_rigid_part *parts = r->search->call->scene->parts;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < r->pair_count && status == TOI_OK; i++) {
    const toi_rigid_task task = {.pair = i,
                                 .node = {toi_body_tree_root(&parts[r->pairs[i].first].tree),
                                          toi_body_tree_root(&parts[r->pairs[i].second].tree)},
                                 .mask = pieces_of(r->search)};
    status = add_task(r, &r->tasks, &task);
  }
  bool changed = true;
  while (status == TOI_OK && changed && r->tasks.count > 0 && r->tasks.count < TASKS)
    status = divide_tasks(r, &changed);
  return status;
}

static toi_status report_progress(run *r, uint32_t thread) {
  const toi_rigid_search *s = r->search;
  const size_t done = atomic_fetch_add_explicit(&r->done, 1, memory_order_relaxed);
  if (thread != 0)
    return TOI_OK;
  const double part = s->done_before + s->done_share * ((double)done / (double)r->tasks.count);
  const toi_mesh_options *options = &s->call->on_mesh;
  const bool goes_on = toi_progress_made(s->call->context, options->progress, options->progress_user, part);
  return goes_on ? TOI_OK : TOI_ERROR_CANCELLED;
}

static toi_status run_tasks(void *user, uint32_t thread, size_t begin, size_t end) {
  run *r = user;
  toi_rigid_worker *worker = &r->workers[thread];
  toi_status status = TOI_OK;
  for (size_t i = begin; i < end && status == TOI_OK; i++) {
    const toi_rigid_task *task = &r->tasks.at[i];
    status = report_progress(r, thread);
    if (status == TOI_OK)
      status = toi_rigid_worker_turn(worker, thread, r->pairs[task->pair], task->pair);
    if (status == TOI_OK)
      status = toi_rigid_worker_run(worker, thread, task);
  }
  return status;
}

static toi_status search_pairs(run *r) {
  toi_context *context = r->search->call->context;
  toi_status status = find_pairs(r);
  if (status == TOI_OK)
    status = make_tasks(r);
  if (status == TOI_OK)
    status = toi_parallel(context, r->tasks.count, r->tasks.count > 8 * TASKS ? 4 : 1, run_tasks, r);
  if (status == TOI_ERROR_CANCELLED)
    status = toi_fail(context, status, "stopped by the progress callback");
  return status;
}

toi_status toi_rigid_search_run(toi_rigid_search *search) {
  toi_context *context = search->call->context;
  run r = {.search = search, .threads = toi_context_threads(context)};
  if (search->call->scene->count < 2)
    return TOI_OK;
  const size_t bytes = r.threads * sizeof *r.workers;
  r.workers = toi_allocate(context, bytes);
  if (r.workers == NULL)
    return TOI_ERROR_MEMORY;
  for (uint32_t i = 0; i < r.threads; i++)
    toi_rigid_worker_begin(&r.workers[i], search);
  const toi_status status = search_pairs(&r);
  search->work.passes++;
  for (uint32_t i = 0; i < r.threads; i++)
    toi_rigid_worker_end(&r.workers[i]);
  toi_free(context, r.workers, bytes);
  free_tasks(&r, &r.tasks);
  if (r.pairs != NULL)
    toi_free(context, r.pairs, r.pair_room * sizeof *r.pairs);
  return status;
}
