/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "broad/device_join.h"

#include <assert.h>

#include "narrow/mesh.h"

/* A join of fewer primitives ends sooner on the CPU than a device begins. */
#define FEW_PRIMITIVES 2048

/* Pairs that a task turns into numbers. */
#define TAKE_GRAIN 1024

typedef struct taking {
  toi_context *context;
  const toi_join *join;
  const uint32_t *query, *target; /* the primitive's number at each place */
  size_t query_count, target_count;
  const toi_device_pair *pairs;
} taking;

/* --- what the device left open --- */

/* From places to numbers; ties are settled in doubles. */
static toi_status take_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const taking *job = user;
  const toi_join *join = job->join;
  toi_sink *sink = toi_join_sink(join, thread);
  for (size_t i = begin; i < end; i++) {
    const toi_device_pair at = job->pairs[i];
    uint32_t first = job->query[at.query & ~TOI_DEVICE_TIE], second = job->target[at.target];
    if (join->self && second < first) {
      const uint32_t swapped = first;
      first = second;
      second = swapped;
    }
    if (at.query & TOI_DEVICE_TIE && !toi_join_touches(join, first, second))
      continue;
    sink->pairs[sink->count++] = (toi_pair){first, second};
    const toi_status status = sink->count >= TOI_SINK_PAIRS ? toi_sink_flush(join, thread) : TOI_OK;
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

static toi_status take(void *user, const toi_device_pair *pairs, size_t count, const toi_device_counts *counts) {
  taking *job = user;
  job->pairs = pairs;
  toi_join_settle(job->join, counts);
  const size_t last = count ? (pairs[count - 1].query & ~TOI_DEVICE_TIE) : 0;
  const toi_status status = toi_join_progress(job->join, 0, last, job->query_count);
  return status == TOI_OK ? toi_parallel(job->context, count, TAKE_GRAIN, take_task, job) : status;
}

/* --- the question --- */

static toi_device_side side_of(const toi_bvh *tree) {
  return (toi_device_side){.count = tree->count,
                           .blocks = tree->sizes[0],
                           .points = (unsigned)tree->points,
                           .boxes = tree->nodes[0].at[0],
                           .vertices = tree->vertices[0].at};
}

/* Whether the boxes are those of the floats: around the whole step, not grown. */
static bool of_points(const toi_boxer *boxer) {
  return boxer->t_max == 1 && boxer->radius == 0 && boxer->reach == 0 && !toi_mesh_is_thick(boxer->mesh);
}

static bool is_for_device(const toi_join *join) {
  const size_t most = join->a.count > join->b.count ? join->a.count : join->b.count;
  return (join->kind == TOI_JOIN_VERTEX_FACE || join->kind == TOI_JOIN_EDGE_EDGE) && most < TOI_DEVICE_TIE &&
         join->a.count + join->b.count >= FEW_PRIMITIVES;
}

/* --- when the device is lost --- */

/* The block of every primitive. */
static toi_status list_blocks(toi_context *context, const uint32_t *numbers, size_t places, size_t count,
                              uint32_t **blocks) {
  *blocks = toi_allocate(context, count * sizeof(uint32_t));
  if (!*blocks)
    return TOI_ERROR_MEMORY;
  for (size_t place = 0; place < places; place++)
    (*blocks)[numbers[place]] = (uint32_t)(place / TOI_BVH_WIDTH);
  return TOI_OK;
}

static void free_done(toi_context *context, toi_join_done *done) {
  toi_free(context, done->query, done->query_count * sizeof(uint32_t));
  if (done->target != done->query)
    toi_free(context, done->target, done->target_count * sizeof(uint32_t));
  *done = (toi_join_done){.query = NULL};
}

static toi_status note_done(const taking *job, const toi_device_done *pairs, toi_join_done *done) {
  toi_context *context = job->context;
  const toi_join *join = job->join;
  const bool none = pairs->target_begin == 0 && pairs->query == 0 && pairs->target == 0;
  if (none)
    return TOI_OK;
  done->query_count = toi_primitive_count(join->boxer->mesh, join->a.primitive);
  done->target_count = toi_primitive_count(join->boxer->mesh, join->b.primitive);
  done->pairs = *pairs;
  toi_status status = list_blocks(context, job->query, job->query_count, done->query_count, &done->query);
  done->target = done->query;
  if (status == TOI_OK && !join->self) {
    done->target = NULL;
    status = list_blocks(context, job->target, job->target_count, done->target_count, &done->target);
  }
  if (status != TOI_OK)
    free_done(context, done);
  return status;
}

static bool is_done(const toi_device_done *done, size_t query, size_t target) {
  return target < done->target_begin ||
         (target < done->target_end && (query < done->query || (query == done->query && target < done->target)));
}

size_t toi_keep_undone(const toi_join *join, toi_pair *pairs, size_t count) {
  const toi_join_done *done = join->done;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    size_t query = done->query[pairs[i].first], target = done->target[pairs[i].second];
    // A tree with itself: the query is the place before.
    if (join->self && target < query) {
      const size_t swapped = query;
      query = target;
      target = swapped;
    }
    pairs[kept] = pairs[i];
    kept += !is_done(&done->pairs, query, target);
  }
  return kept;
}

toi_status toi_join_done_end(toi_context *context, const toi_join *join, toi_status status) {
  for (uint32_t i = 0; i < toi_context_threads(context) && status == TOI_OK; i++)
    status = toi_sink_flush(join, i);
  toi_join_done done = *join->done;
  free_done(context, &done);
  return status;
}

/* --- the join --- */

/* The context's device, if it has one and the join is one for it; else NULL. */
static toi_status device_for(toi_context *context, const toi_join *join, toi_device **device) {
  *device = NULL;
  const toi_status status = toi_device_asked(context) ? toi_device_ready(context, device) : TOI_OK;
  if (!is_for_device(join))
    *device = NULL;
  return status;
}

static void offer_floats(const toi_join *join, toi_device_join *asked) {
  const toi_float_mesh *floats = toi_join_floats(join);
  if (!floats)
    return;
  asked->floats = (toi_device_floats){.high = floats->high, .low = floats->low, .fine_first = floats->fine_first};
  for (int k = 0; k < 3; k++) {
    asked->floats.coarse[k] = floats->coarse[k];
    asked->floats.fine[k] = floats->fine[k];
  }
  asked->of_points = of_points(join->boxer);
  asked->limit = toi_join_limit(join);
}

/* Runs the join, whose sides are set; what is left if the device was lost goes to *done. */
static toi_status run(taking *job, toi_device *device, toi_device_join *asked, toi_join_done *done, bool *finished) {
  const toi_join *join = job->join;
  asked->self = join->self;
  asked->ties = !join->boxer->exact;
  asked->take = take;
  asked->user = job;
  offer_floats(join, asked);
  toi_status status = toi_device_driver_built.join(job->context, device, asked);
  *finished = !asked->lost;
  // What waits in the sinks was handed on; the rest of the join keeps out what was.
  for (uint32_t i = 0; i < toi_context_threads(job->context) && status == TOI_OK && asked->lost; i++)
    status = toi_sink_flush(join, i);
  return status == TOI_OK && asked->lost ? note_done(job, &asked->done, done) : status;
}

toi_status toi_device_join_trees(toi_context *context, const toi_join *join, const toi_bvh *query,
                                 const toi_bvh *target, toi_join_done *done, bool *finished) {
  *done = (toi_join_done){.query = NULL};
  *finished = false;
  toi_device *device;
  const toi_status status = device_for(context, join, &device);
  if (status != TOI_OK || !device)
    return status;
  taking job = {.context = context,
                .join = join,
                .query = query->numbers[0].at,
                .target = target->numbers[0].at,
                .query_count = query->count,
                .target_count = target->count};
  toi_device_join asked = {.query = side_of(query), .target = side_of(target)};
  return run(&job, device, &asked, done, finished);
}

/* --- the sweep --- */

/* Bytes of a sorted side in blocks: boxes and vertices. */
static size_t sorted_bytes(const toi_sweep_order *order) {
  const size_t blocks = (order->count + TOI_BVH_WIDTH - 1) / TOI_BVH_WIDTH;
  return blocks * (sizeof(toi_bvh_node) + order->points * sizeof(toi_bvh_eight));
}

/* The side in blocks, in the memory given; in the order, axis 0 is the sweep's. */
static toi_device_side sorted_side(const toi_sweep_order *order, int axis, void *memory) {
  const size_t blocks = (order->count + TOI_BVH_WIDTH - 1) / TOI_BVH_WIDTH;
  toi_bvh_node *nodes = memory;
  toi_bvh_eight *vertices = (void *)(nodes + blocks);
  for (size_t i = 0; i < blocks * TOI_BVH_WIDTH; i++) {
    const size_t block = i / TOI_BVH_WIDTH, lane = i % TOI_BVH_WIDTH;
    for (int k = 0; k < 3; k++) {
      const int own = (axis + k) % 3;
      nodes[block].at[own][lane] = order->lo[k][i];
      nodes[block].at[3 + own][lane] = -order->hi[k][i];
    }
    for (size_t k = 0; k < order->points; k++)
      vertices[order->points * block + k].at[lane] = order->vertex[k][i];
  }
  return (toi_device_side){.count = order->count,
                           .blocks = blocks,
                           .points = (unsigned)order->points,
                           .boxes = nodes[0].at[0],
                           .vertices = vertices[0].at};
}

toi_status toi_device_join_sorted(toi_context *context, const toi_join *join, const toi_sweep_order *query,
                                  const toi_sweep_order *target, int axis, toi_join_done *done, bool *finished) {
  *done = (toi_join_done){.query = NULL};
  *finished = false;
  toi_device *device;
  toi_status status = device_for(context, join, &device);
  if (status != TOI_OK || !device)
    return status;
  const size_t own = sorted_bytes(query), all = own + (join->self ? 0 : sorted_bytes(target));
  char *memory = toi_allocate(context, all);
  if (!memory)
    return TOI_ERROR_MEMORY;
  taking job = {.context = context,
                .join = join,
                .query = query->number,
                .target = target->number,
                .query_count = query->count,
                .target_count = target->count};
  toi_device_join asked = {.query = sorted_side(query, axis, memory), .sweep = true, .axis = (unsigned)axis};
  asked.target = join->self ? asked.query : sorted_side(target, axis, memory + own);
  status = run(&job, device, &asked, done, finished);
  toi_free(context, memory, all);
  return status;
}
