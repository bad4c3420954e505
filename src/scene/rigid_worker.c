/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/rigid_worker.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "narrow/method.h"

/* Nodes as small as this, in paths over a group of pieces, are tested by pieces. */
#define FINE 2.0f

/* What a slot asks: which body the first primitive is of, and the kind. */
static const struct {
  int first;
  toi_kind kind;
} slots[TOI_RIGID_SLOTS] = {{0, TOI_VERTEX_FACE}, {1, TOI_VERTEX_FACE}, {0, TOI_EDGE_EDGE},
                            {0, TOI_VERTEX_EDGE}, {1, TOI_VERTEX_EDGE}, {0, TOI_VERTEX_VERTEX}};

/* --- the pair of bodies at hand --- */

static void drop_pair(toi_rigid_worker *worker) {
  for (int i = 0; i < 2; i++) {
    toi_moving_pair_free(worker->moving[i]);
    worker->moving[i] = NULL;
  }
  worker->pair = SIZE_MAX;
}

void toi_rigid_worker_begin(toi_rigid_worker *worker, toi_rigid_search *search) {
  worker->search = search;
  worker->pair = SIZE_MAX;
  worker->moving[0] = worker->moving[1] = NULL;
  worker->leaves = 0;
  memset(worker->asked, 0, sizeof worker->asked);
  for (int i = 0; i < TOI_RIGID_SLOTS; i++)
    worker->slots[i].count = 0;
}

void toi_rigid_worker_end(toi_rigid_worker *worker) {
  toi_rigid_search *s = worker->search;
  drop_pair(worker);
  s->work.candidates[TOI_FACE_FACE] += worker->leaves;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    s->work.candidates[kind] += worker->asked[kind];
}

toi_status toi_rigid_worker_turn(toi_rigid_worker *worker, uint32_t thread, toi_pair bodies, size_t pair) {
  (void)thread;
  if (worker->pair == pair)
    return TOI_OK;
  drop_pair(worker);
  const toi_rigid_call *call = worker->search->call;
  worker->bodies[0] = bodies.first;
  worker->bodies[1] = bodies.second;
  const toi_body_samples *samples[2];
  const toi_body_tree *tree[2];
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < 2; i++) {
      const uint32_t number = worker->bodies[side ^ i];
      samples[i] = &call->samples[number];
      tree[i] = &call->scene->parts[number].tree;
    }
    toi_swept_table_make(samples, tree, call->options.min_separation, &worker->table[side]);
    worker->part[side] = &call->scene->parts[worker->bodies[side]];
  }
  worker->pair = pair;
  return TOI_OK;
}

/* The pair for queries whose first primitive is of this body. */
static toi_status moving_pair(toi_rigid_worker *worker, int first) {
  const toi_rigid_call *call = worker->search->call;
  if (worker->moving[first] != NULL)
    return TOI_OK;
  return toi_moving_pair_make(call->context, &call->bodies[worker->bodies[first]],
                              &call->bodies[worker->bodies[!first]], &worker->moving[first]);
}

/* --- queries --- */

static void gather(const toi_rigid_worker *worker, int slot, toi_pair pair, double *points) {
  const toi_rigid_part *first = worker->part[slots[slot].first], *second = worker->part[!slots[slot].first];
  uint32_t own[2] = {pair.first, 0}, other[3] = {pair.second, 0, 0};
  size_t owns = 1, others = 1;
  if (slots[slot].kind == TOI_EDGE_EDGE) {
    memcpy(own, first->edges[pair.first], sizeof own);
    owns = 2;
  }
  if (slots[slot].kind == TOI_VERTEX_FACE) {
    memcpy(other, second->faces[pair.second], sizeof other);
    others = 3;
  } else if (slots[slot].kind != TOI_VERTEX_VERTEX) {
    memcpy(other, second->edges[pair.second], 2 * sizeof other[0]);
    others = 2;
  }
  for (size_t i = 0; i < owns; i++)
    memcpy(points + 3 * i, first->vertices[own[i]], sizeof *first->vertices);
  for (size_t i = 0; i < others; i++)
    memcpy(points + 3 * (owns + i), second->vertices[other[i]], sizeof *second->vertices);
}

/* Pieces in which the primitives of a query may meet, by their own boxes; whatever the search knows. */
static uint64_t pieces_of_pair(const toi_rigid_worker *worker, int slot, toi_pair pair) {
  const int first = slots[slot].first;
  const toi_rigid_part *own = worker->part[first], *other = worker->part[!first];
  uint32_t corners[2][3] = {{pair.first, pair.first, pair.first}, {pair.second, pair.second, pair.second}};
  float box[2][6];
  if (slots[slot].kind == TOI_EDGE_EDGE)
    for (int i = 0; i < 3; i++)
      corners[0][i] = own->edges[pair.first][i > 0];
  for (int i = 0; i < 3 && slots[slot].kind != TOI_VERTEX_VERTEX; i++)
    corners[1][i] =
        slots[slot].kind == TOI_VERTEX_FACE ? other->faces[pair.second][i] : other->edges[pair.second][i > 0];
  toi_body_primitive_box(&own->tree, corners[0], box[0]);
  toi_body_primitive_box(&other->tree, corners[1], box[1]);
  const uint64_t mask = toi_swept_meets(&worker->table[first], box[0], box[1], true, UINT64_MAX);
  return toi_swept_meets(&worker->table[!first], box[1], box[0], true, mask);
}

/* Where integers do not decide, an interval left open may be wide: it is cut to the pieces in which the primitives may
 * meet, a function of the bodies and the pair alone; so what is later than a proved contact never changes the answer,
 * met or not. False: they meet in none of it, which proves a miss. */
static bool narrow_open(toi_hit *hit, uint64_t pieces) {
  int begin = 0, end = TOI_PIECES;
  while (begin < TOI_PIECES && (!(pieces >> begin & 1) || (begin + 1.0) / TOI_PIECES < hit->t_lo))
    begin++;
  while (end > 0 && (!(pieces >> (end - 1) & 1) || (end - 1.0) / TOI_PIECES > hit->t_hi))
    end--;
  if (begin >= end)
    return false;
  const double from = (double)begin / TOI_PIECES, to = (double)end / TOI_PIECES;
  // The piece before is closed: nothing touches at its end.
  if (from > hit->t_lo)
    hit->t_lo = hit->t_safe = from;
  hit->t_hi = to < hit->t_hi ? to : hit->t_hi;
  return true;
}

static toi_status report(toi_rigid_worker *worker, uint32_t thread, int slot, size_t number) {
  const toi_rigid_search *s = worker->search;
  const int first = slots[slot].first;
  toi_hit *hit = &worker->hits[number];
  if (hit->verdict == TOI_NEAR && (!narrow_open(hit, pieces_of_pair(worker, slot, worker->slots[slot].pairs[number])) ||
                                   hit->t_lo > s->call->options.t_max))
    return TOI_OK;
  const size_t row = (size_t)3 * toi_kind_points(slots[slot].kind);
  const toi_rigid_found found = {.impact = {.hit = worker->hits[number],
                                            .kind = slots[slot].kind,
                                            .bodies = {worker->bodies[first], worker->bodies[!first]},
                                            .pair = worker->slots[slot].pairs[number]},
                                 .worker = worker,
                                 .query = worker->queries + number * row};
  return s->consume(s->user, thread, &found);
}

static toi_status answer_slot(toi_rigid_worker *worker, uint32_t thread, int number) {
  toi_rigid_slot *slot = &worker->slots[number];
  const toi_rigid_call *call = worker->search->call;
  const toi_kind kind = slots[number].kind;
  const size_t row = (size_t)3 * toi_kind_points(kind), count = slot->count;
  if (count == 0)
    return TOI_OK;
  toi_status status = moving_pair(worker, slots[number].first);
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; i < count; i++)
    gather(worker, number, slot->pairs[i], worker->queries + i * row);
  const toi_moving_pair *moving = worker->moving[slots[number].first];
  status = toi_rotating_answers(moving, thread, kind, worker->queries, count, &call->options, worker->hits);
  worker->asked[kind] += count;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    if (call->options.counters != NULL)
      toi_count(&call->counters[thread], &worker->hits[i]);
    if (worker->hits[i].verdict != TOI_MISS)
      status = report(worker, thread, number, i);
  }
  slot->count = 0;
  return status;
}

toi_status toi_rigid_found_exactly(const toi_rigid_found *found, uint32_t thread, toi_hit *hit) {
  const toi_rigid_worker *worker = found->worker;
  toi_options options = worker->search->call->options;
  options.method = "exact";
  const int first = found->impact.bodies[0] == worker->bodies[0] ? 0 : 1;
  // What no integers decide stays as it is.
  *hit = found->impact.hit;
  if (options.min_separation > 0 || !worker->moving[first]->rational)
    return TOI_OK;
  return toi_rotating_answers(worker->moving[first], thread, found->impact.kind, found->query, 1, &options, hit);
}

static toi_status ask(toi_rigid_worker *worker, uint32_t thread, int number, uint32_t first, uint32_t second) {
  toi_rigid_slot *slot = &worker->slots[number];
  slot->pairs[slot->count++] = (toi_pair){first, second};
  return slot->count == TOI_RIGID_BLOCK ? answer_slot(worker, thread, number) : TOI_OK;
}

/* --- primitives --- */

typedef enum sort { FACE, EDGE, POINT } sort;

static sort sort_of(const toi_rigid_part *part, uint32_t primitive) {
  return primitive < part->face_count ? FACE : primitive < part->face_count + part->loose_count ? EDGE : POINT;
}

/* Vertices that primitive `own` of body `side` owns, with face `other` of the other body. */
static toi_status ask_vertices(toi_rigid_worker *worker, uint32_t thread, int side, uint32_t own, uint32_t other) {
  const toi_rigid_part *part = worker->part[side];
  toi_status status = TOI_OK;
  for (int i = 0; i < 3 && status == TOI_OK; i++)
    if (part->owned[own] >> i & 1)
      status = ask(worker, thread, side, part->corners[own][i], other);
  return status;
}

static toi_status ask_edges(toi_rigid_worker *worker, uint32_t thread, const uint32_t primitive[2]) {
  const toi_rigid_part *a = worker->part[0], *b = worker->part[1];
  toi_status status = TOI_OK;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3 && status == TOI_OK; j++)
      if (a->owned[primitive[0]] >> (3 + i) & b->owned[primitive[1]] >> (3 + j) & 1)
        status = ask(worker, thread, 2, a->sides[primitive[0]][i], b->sides[primitive[1]][j]);
  return status;
}

/* All queries that two primitives stand for. */
static toi_status ask_pair(toi_rigid_worker *worker, uint32_t thread, const uint32_t primitive[2]) {
  const toi_rigid_part *const *part = worker->part;
  const sort is[2] = {sort_of(part[0], primitive[0]), sort_of(part[1], primitive[1])};
  toi_status status = TOI_OK;
  for (int side = 0; side < 2 && status == TOI_OK; side++) {
    const uint32_t own = primitive[side], other = primitive[!side];
    if (is[!side] == FACE)
      status = ask_vertices(worker, thread, side, own, other);
    else if (is[side] == POINT && is[!side] == EDGE)
      status = ask(worker, thread, 3 + side, part[side]->corners[own][0], part[!side]->sides[other][0]);
  }
  if (status == TOI_OK && is[0] == POINT && is[1] == POINT)
    return ask(worker, thread, 5, part[0]->corners[primitive[0]][0], part[1]->corners[primitive[1]][0]);
  return status == TOI_OK && is[0] != POINT && is[1] != POINT ? ask_edges(worker, thread, primitive) : status;
}

/* The normal of a triangle, scaled so that its largest component is 1; false if it is too small to be of use. */
static bool normal_of(const float *const p[3], float n[3]) {
  float d[3], e[3], most = 0;
  for (int i = 0; i < 3; i++) {
    d[i] = p[1][i] - p[0][i];
    e[i] = p[2][i] - p[0][i];
  }
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    n[i] = d[y] * e[z] - d[z] * e[y];
    most = fabsf(n[i]) > most ? fabsf(n[i]) : most;
  }
  if (!(most > 0x1p-60f))
    return false;
  for (int i = 0; i < 3; i++)
    n[i] /= most;
  return true;
}

/* Pieces in which the plane of neither face separates the two. */
static uint64_t planes_cross(const toi_rigid_worker *worker, const uint32_t primitive[2], uint64_t mask) {
  const float *at[2][3];
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      at[side][i] = worker->part[side]->tree.local[worker->part[side]->corners[primitive[side]][i]];
  for (int side = 0; side < 2 && mask != 0; side++) {
    float n[3];
    if (sort_of(worker->part[!side], primitive[!side]) == FACE && normal_of(at[!side], n))
      mask = toi_swept_crosses(&worker->table[side], at[side], at[!side], n, mask);
  }
  return mask;
}

/* Two leaves: pairs of their primitives. */
static toi_status visit_leaves(toi_rigid_worker *worker, uint32_t thread, const toi_rigid_task *task) {
  float box[2][TOI_LEAF_PRIMITIVES][6];
  uint32_t number[2][TOI_LEAF_PRIMITIVES], count[2];
  for (int side = 0; side < 2; side++) {
    const toi_body_tree *tree = &worker->part[side]->tree;
    const size_t begin = (size_t)task->node[side].first * TOI_LEAF_PRIMITIVES;
    count[side] = tree->count - begin < TOI_LEAF_PRIMITIVES ? (uint32_t)(tree->count - begin) : TOI_LEAF_PRIMITIVES;
    for (uint32_t i = 0; i < count[side]; i++) {
      number[side][i] = tree->order[begin + i];
      toi_body_primitive_box(tree, worker->part[side]->corners[number[side][i]], box[side][i]);
    }
  }
  toi_status status = TOI_OK;
  for (uint32_t i = 0; i < count[0]; i++)
    for (uint32_t j = 0; j < count[1] && status == TOI_OK; j++) {
      const uint32_t primitive[2] = {number[0][i], number[1][j]};
      uint64_t mask = toi_swept_meets(&worker->table[0], box[0][i], box[1][j], true, task->mask);
      if (mask != 0)
        mask = toi_swept_meets(&worker->table[1], box[1][j], box[0][i], true, mask);
      worker->leaves += mask != 0;
      if (mask != 0)
        mask = planes_cross(worker, primitive, mask);
      if (mask != 0)
        status = ask_pair(worker, thread, primitive);
    }
  return status;
}

/* --- nodes --- */

static const float *box_of(const toi_rigid_worker *worker, const toi_rigid_task *task, int side) {
  return worker->part[side]->tree.box[task->node[side].number];
}

static float size_of(const float box[6]) {
  const float larger = box[3] > box[4] ? box[3] : box[4];
  return larger > box[5] ? larger : box[5];
}

/* Leaves out pieces in which the nodes are apart on axes of one body's frame, or across that one's slab. */
static void meet_in_frame(const toi_rigid_worker *worker, toi_rigid_task *task, int frame, bool fine) {
  const toi_swept_table *table = &worker->table[!frame];
  const toi_body_tree *const tree[2] = {&worker->part[!frame]->tree, &worker->part[frame]->tree};
  const uint32_t node[2] = {task->node[!frame].number, task->node[frame].number};
  task->mask = toi_swept_layers(table, tree, node, fine, task->mask);
  if (task->mask != 0)
    task->mask = toi_swept_meets(table, box_of(worker, task, !frame), box_of(worker, task, frame), fine, task->mask);
}

bool toi_rigid_task_meets(toi_rigid_worker *worker, toi_rigid_task *task) {
  const float size = size_of(box_of(worker, task, 0)) * worker->table[0].unit + size_of(box_of(worker, task, 1));
  const bool fine = size < FINE * worker->table[0].spread;
  // One frame is enough on the way: that of the node that was not divided, where the other one has become smaller.
  const bool leaves = task->node[0].leaves == 1 && task->node[1].leaves == 1;
  meet_in_frame(worker, task, !task->divided, fine);
  if (leaves && task->mask != 0)
    meet_in_frame(worker, task, task->divided, fine);
  return task->mask != 0;
}

void toi_rigid_task_split(const toi_rigid_worker *worker, const toi_rigid_task *task, toi_rigid_task child[2]) {
  const float a = size_of(box_of(worker, task, 0)) * worker->table[0].unit, b = size_of(box_of(worker, task, 1));
  const int side = task->node[0].leaves == 1 || (task->node[1].leaves > 1 && a < b) ? 1 : 0;
  assert(task->node[side].leaves > 1);
  toi_body_node halves[2];
  toi_body_node_split(task->node[side], halves);
  for (int i = 0; i < 2; i++) {
    child[i] = *task;
    child[i].node[side] = halves[i];
    child[i].divided = side;
  }
}

/* Pieces that begin no later than the limit. */
static uint64_t wanted(const toi_rigid_search *s) {
  const double limit = atomic_load_explicit(&s->limit, memory_order_relaxed);
  const int last = (int)(limit * TOI_PIECES);
  return last >= TOI_PIECES - 1 ? UINT64_MAX : (UINT64_C(2) << last) - 1;
}

toi_status toi_rigid_worker_run(toi_rigid_worker *worker, uint32_t thread, const toi_rigid_task *task) {
  // Either tree has fewer than 2^30 leaves, and every step down leaves one task behind.
  enum { DEPTH = 64 };
  toi_rigid_task stack[DEPTH] = {*task};
  size_t count = 1;
  toi_status status = TOI_OK;
  while (count > 0 && status == TOI_OK) {
    toi_rigid_task at = stack[--count];
    at.mask &= wanted(worker->search);
    if (at.mask == 0 || !toi_rigid_task_meets(worker, &at))
      continue;
    if (at.node[0].leaves == 1 && at.node[1].leaves == 1) {
      status = visit_leaves(worker, thread, &at);
      continue;
    }
    assert(count + 2 <= DEPTH);
    toi_rigid_task_split(worker, &at, stack + count);
    count += 2;
  }
  for (int i = 0; i < TOI_RIGID_SLOTS && status == TOI_OK; i++)
    status = answer_slot(worker, thread, i);
  return status;
}
