/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The join: slabs of both sides, ranges of query blocks, and the pairs that come back.
 *
 * Promise: every open pair is handed on once, or, if the device is lost, `done` says which were. A list that
 * overflowed is thrown away as a whole, with what was counted beside it, and asked for again in halves: of the query
 * blocks, then of the target blocks, down to one pair of blocks, whose 64 pairs fit any list. No list grows.
 *
 * Two lists are under way: while the device fills one, the CPU settles the other. */

#include "base/device.h"

#ifdef TOI_OPENCL

#include "device/join.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define LANES TOI_DEVICE_LANES

/* Query blocks asked about at a time: at first, and so that there are some for both lists. */
#define FIRST_QUERIES 256
#define SHARES 8

/* Buffers are refused to a device whose memory is full; with less than this they cannot serve. */
#define LEAST_SLAB ((uint64_t)512 << 10)

/* Lists are not made smaller than this for want of memory of the host; one pair of blocks has 64. */
#define LEAST_PAIRS 1024

/* Bits of `flags` in kernels.cl. */
#define FLAG_SELF 1u
#define FLAG_TIES 2u
#define FLAG_FILTER 4u
#define FLAG_FINE 8u
#define FLAG_FINE_FIRST 16u

/* --- one range --- */

/* A device that takes small numbers as zero may see a tie where there is none. */
static cl_uint flags_of(const toi_device_join *join, bool keeps_subnormals) {
  const bool ties = join->ties || !keeps_subnormals;
  const toi_device_floats *floats = &join->floats;
  return (join->self ? FLAG_SELF : 0) | (ties ? FLAG_TIES : 0) | (floats->high ? FLAG_FILTER : 0) |
         (floats->high && floats->low ? FLAG_FINE : 0) |
         (floats->high && floats->low && floats->fine_first ? FLAG_FINE_FIRST : 0);
}

/* Some buffer, where the kernel will not look at it. */
static cl_mem or_nodes(const toi_device_buffer *buffer, const toi_device_slab *slab, bool used) {
  return used ? buffer->memory : slab->nodes.memory;
}

/* The bits of the time that contacts are asked for up to, rounded up to a float. */
static cl_uint proved_bits(const toi_device_join *join) {
  const double limit = join->limit ? atomic_load_explicit(join->limit, memory_order_relaxed) : INFINITY;
  float above = (float)limit;
  if ((double)above < limit)
    above = nextafterf(above, INFINITY);
  cl_uint bits;
  memcpy(&bits, &above, sizeof bits);
  return bits;
}

/* Begins a range: counters to zero, then the kernel. */
static bool launch(toi_join_job *job, toi_device_slot *slot, toi_range range) {
  static const cl_uint zero[TOI_COUNTER_WORDS];
  toi_device *device = job->device;
  const toi_device_join *join = job->join;
  const toi_device_floats *floats = &join->floats;
  const toi_device_slab *a = job->query.buffers, *b = job->target.buffers;
  const bool high = floats->high != NULL, low = high && floats->low != NULL;
  cl_mem a_high = or_nodes(&a->high, a, high), a_low = or_nodes(&a->low, a, low);
  cl_mem b_high = or_nodes(&b->high, b, high), b_low = or_nodes(&b->low, b, low);
  const cl_uint first[2] = {(cl_uint)job->query.first, (cl_uint)job->target.first};
  const cl_uint query = (cl_uint)range.query, queries = (cl_uint)range.queries, target = (cl_uint)range.target;
  const cl_uint end = (cl_uint)(range.target + range.targets), flags = flags_of(join, device->info.keeps_subnormals);
  const cl_uint capacity = (cl_uint)job->capacity, levels = job->target.levels, axis = join->axis;
  const cl_uint proved = proved_bits(join);
  cl_float4 coarse, fine;
  for (int k = 0; k < 4; k++) {
    coarse.s[k] = k < 3 ? floats->coarse[k] : 0;
    fine.s[k] = k < 3 ? floats->fine[k] : 0;
  }
#define ARGUMENT(value)                                                                                                \
  { &(value), sizeof(value) }
#define BUFFER(value)                                                                                                  \
  { &(value), sizeof(cl_mem) }
  const toi_kernel_argument arguments[] = {BUFFER(a->nodes.memory),
                                           BUFFER(a->vertices.memory),
                                           BUFFER(a_high),
                                           BUFFER(a_low),
                                           BUFFER(b->nodes.memory),
                                           BUFFER(b->vertices.memory),
                                           BUFFER(b_high),
                                           BUFFER(b_low),
                                           BUFFER(b->offsets.memory),
                                           ARGUMENT(levels),
                                           ARGUMENT(first[0]),
                                           ARGUMENT(first[1]),
                                           ARGUMENT(query),
                                           ARGUMENT(queries),
                                           ARGUMENT(target),
                                           ARGUMENT(end),
                                           ARGUMENT(flags),
                                           ARGUMENT(coarse),
                                           ARGUMENT(fine),
                                           BUFFER(slot->pairs.memory),
                                           ARGUMENT(capacity),
                                           BUFFER(slot->counters.memory),
                                           BUFFER(device->limit.memory),
                                           ARGUMENT(proved),
                                           BUFFER(b->reaches.memory),
                                           ARGUMENT(axis)};
  const toi_kernel tree = join->query.points == 1 ? TOI_KERNEL_VERTEX_FACE : TOI_KERNEL_EDGE_EDGE;
  const toi_kernel sweep = join->query.points == 1 ? TOI_KERNEL_SWEEP_VERTEX_FACE : TOI_KERNEL_SWEEP_EDGE_EDGE;
  const toi_kernel kernel = join->sweep ? sweep : tree;
  // The last two are for the sweep.
  const size_t count = sizeof arguments / sizeof arguments[0] - (join->sweep ? 0 : 2);
  return toi_device_worked(device, "clEnqueueWriteBuffer",
                           device->cl.EnqueueWriteBuffer(slot->commands, slot->counters.memory, CL_FALSE, 0,
                                                         sizeof zero, zero, 0, NULL, NULL)) &&
         toi_device_arguments(device, kernel, arguments, count) &&
         toi_device_run(device, slot->commands, kernel, range.queries) &&
         toi_device_worked(device, "clFlush", device->cl.Flush(slot->commands));
}

/* Waits for a range; *count becomes the pairs that it has, which may be more than fit. */
static bool wait_for(toi_join_job *job, toi_device_slot *slot, uint64_t *count, toi_device_counts *counts) {
  cl_uint words[TOI_COUNTER_WORDS];
  toi_device *device = job->device;
  if (!toi_device_worked(device, "clEnqueueReadBuffer",
                         device->cl.EnqueueReadBuffer(slot->commands, slot->counters.memory, CL_TRUE, 0, sizeof words,
                                                      words, 0, NULL, NULL)))
    return false;
  uint64_t numbers[TOI_COUNTER_WORDS / 2];
  for (int i = 0; i < TOI_COUNTER_WORDS / 2; i++)
    numbers[i] = (uint64_t)words[2 * i + 1] << 32 | words[2 * i];
  *count = numbers[0];
  *counts = (toi_device_counts){numbers[1], numbers[2], numbers[3]};
  return true;
}

/* --- pairs --- */

static uint64_t key_of(toi_device_pair pair) {
  return (uint64_t)(pair.query & ~TOI_DEVICE_TIE) << 32 | pair.target;
}

/* Sorts by query, then target, byte by byte from the least; bytes that all have in common are left out. Returns where
 * the sorted pairs are: one of the two arrays. */
static toi_device_pair *sort_pairs(toi_device_pair *pairs, toi_device_pair *spare, size_t count) {
  uint64_t all = ~(uint64_t)0, some = 0;
  for (size_t i = 0; i < count; i++) {
    all &= key_of(pairs[i]);
    some |= key_of(pairs[i]);
  }
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if (((all ^ some) >> shift & 0xff) == 0)
      continue;
    size_t places[257] = {0};
    for (size_t i = 0; i < count; i++)
      places[(key_of(pairs[i]) >> shift & 0xff) + 1]++;
    for (int i = 0; i < 256; i++)
      places[i + 1] += places[i];
    for (size_t i = 0; i < count; i++)
      spare[places[key_of(pairs[i]) >> shift & 0xff]++] = pairs[i];
    toi_device_pair *swapped = pairs;
    pairs = spare;
    spare = swapped;
  }
  return pairs;
}

/* Hands the pairs of a list on. *status is the taker's. */
static bool hand_on(toi_join_job *job, toi_device_slot *slot, size_t count, const toi_device_counts *counts,
                    toi_status *status) {
  toi_device *device = job->device;
  assert(count <= job->capacity);
  toi_device_pair *pairs = job->sorted + job->capacity;
  if (count > 0 && !toi_device_worked(device, "clEnqueueReadBuffer",
                                      device->cl.EnqueueReadBuffer(slot->commands, slot->pairs.memory, CL_TRUE, 0,
                                                                   count * sizeof *pairs, pairs, 0, NULL, NULL)))
    return false;
  *status = job->join->take(job->join->user, sort_pairs(pairs, job->sorted, count), count, counts);
  return true;
}

/* --- ranges --- */

/* What is handed on, up to the end of this range. */
static void note_done(toi_join_job *job, toi_range range) {
  toi_device_done *done = &job->join->done;
  const bool whole = range.target + range.targets >= job->target.count;
  done->query = job->query.first + range.query + (whole ? range.queries : 0);
  done->target = whole ? 0 : job->target.first + range.target + range.targets;
}

/* A range that overflowed, in halves. Recursion is as deep as the blocks have bits. */
static bool run_halves(toi_join_job *job, toi_device_slot *slot, toi_range range, toi_status *status);

/* What became of a range that was begun. */
static bool finish(toi_join_job *job, toi_device_slot *slot, toi_range range, uint64_t *count, toi_status *status) {
  toi_device_counts counts;
  if (!wait_for(job, slot, count, &counts))
    return false;
  if (*count > job->capacity)
    return run_halves(job, slot, range, status);
  if (!hand_on(job, slot, (size_t)*count, &counts, status))
    return false;
  if (*status == TOI_OK)
    note_done(job, range);
  return true;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static bool run_halves(toi_join_job *job, toi_device_slot *slot, toi_range range, toi_status *status) {
  assert(range.queries > 1 || range.targets > 1);
  toi_range halves[2] = {range, range};
  if (range.queries > 1) {
    halves[0].queries = range.queries / 2;
    halves[1].query += halves[0].queries;
    halves[1].queries -= halves[0].queries;
  } else {
    halves[0].targets = range.targets / 2;
    halves[1].target += halves[0].targets;
    halves[1].targets -= halves[0].targets;
  }
  bool fine = true;
  uint64_t count;
  for (int i = 0; i < 2 && fine && *status == TOI_OK; i++)
    fine = launch(job, slot, halves[i]) && finish(job, slot, halves[i], &count, status);
  return fine;
}

/* How many query blocks to ask about next: so many that the list is half full, and that both lists have some. */
static size_t next_queries(const toi_join_job *job, size_t queries, uint64_t count) {
  const size_t share = job->query.count / SHARES > FIRST_QUERIES ? job->query.count / SHARES : FIRST_QUERIES;
  if (count > job->capacity / 2)
    queries = (size_t)((double)queries * (double)job->capacity / 2 / (double)count);
  else if (count < job->capacity / 4)
    queries = 2 * queries;
  return queries < 1 ? 1 : queries > share ? share : queries;
}

/* All blocks of the query slab with all of the target slab. */
static bool run_slabs(toi_join_job *job, toi_status *status) {
  toi_range under_way[TOI_DEVICE_SLOTS] = {{0, 0, 0, 0}};
  size_t begun = 0, queries = FIRST_QUERIES;
  unsigned next = 0;
  bool fine = true;
  for (;;) {
    // One list is begun before the other one is waited for.
    const bool more = begun < job->query.count;
    const toi_range range = {begun, queries < job->query.count - begun ? queries : job->query.count - begun, 0,
                             job->target.count};
    if (more && !launch(job, &job->device->slots[next], range))
      return false;
    under_way[next] = more ? range : (toi_range){0, 0, 0, 0};
    begun += more ? range.queries : 0;
    next = 1 - next;
    if (under_way[next].queries == 0) {
      if (!more)
        return true;
      continue;
    }
    uint64_t count = 0;
    fine = finish(job, &job->device->slots[next], under_way[next], &count, status);
    queries = next_queries(job, under_way[next].queries, count);
    under_way[next].queries = 0;
    if (!fine || *status != TOI_OK)
      return fine;
  }
}

/* --- slabs --- */

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Chooses the largest slabs that fit into so much memory. */
static void shape_slabs(toi_join_job *job, uint64_t memory) {
  const toi_device_join *join = job->join;
  const uint64_t whole = toi_slab_bytes(join, &join->query, join->query.blocks) +
                         (join->self ? 0 : toi_slab_bytes(join, &join->target, join->target.blocks));
  job->query_blocks = join->query.blocks;
  job->target_blocks = join->target.blocks;
  if (whole <= memory)
    return;
  // Half of the memory for either side; a tree takes an eighth more than its blocks.
  while (toi_slab_bytes(join, &join->query, job->query_blocks) > memory / 2)
    job->query_blocks = (job->query_blocks + 1) / 2;
  while (toi_slab_bytes(join, &join->target, job->target_blocks) > memory / 2)
    job->target_blocks = (job->target_blocks + 1) / 2;
}

/* Whether no buffer would be larger than the device allows. */
static uint64_t slab_memory(const toi_device *device) {
  const uint64_t memory = device->memory - 2 * device->queue, largest = device->info.largest_buffer;
  return memory / 2 < largest ? memory : 2 * largest;
}

/* Buffers for slabs, smaller ones if the device has no memory for these. */
static bool reserve(toi_join_job *job) {
  toi_device *device = job->device;
  for (uint64_t memory = slab_memory(device);; memory /= 2) {
    const bool last = memory < 2 * LEAST_SLAB;
    shape_slabs(job, memory);
    const bool single = job->join->self && job->query_blocks == job->join->query.blocks;
    bool fine = toi_slab_reserve(job, &job->join->target, &device->slabs[1], job->target_blocks) &&
                (single || toi_slab_reserve(job, &job->join->query, &device->slabs[0], job->query_blocks));
    for (int i = 0; i < TOI_DEVICE_SLOTS && fine; i++)
      fine = toi_device_reserve(device, &device->slots[i].pairs, (size_t)device->queue) &&
             toi_device_reserve(device, &device->slots[i].counters, TOI_COUNTER_BYTES);
    fine = fine && toi_device_reserve(device, &device->limit, sizeof(cl_uint));
    if (fine || last)
      return fine;
    device->failure[0] = '\0';
    toi_device_release_slabs(device);
  }
}

/* Target slab after target slab, and for each the query slabs: the order that toi_device_done speaks of. */
static bool run_join(toi_join_job *job, toi_status *status) {
  toi_device_join *join = job->join;
  toi_device *device = job->device;
  const size_t targets = join->target.blocks, all_queries = join->query.blocks;
  for (size_t target = 0; target < targets; target += job->target_blocks) {
    const size_t target_end = smaller(target + job->target_blocks, targets);
    join->done = (toi_device_done){.target_begin = target, .target_end = target_end};
    job->target.buffers = &device->slabs[1];
    if (!toi_slab_load(job, &join->target, &job->target, target, target_end - target))
      return false;
    const size_t queries = join->self ? target_end : all_queries;
    for (size_t query = 0; query < queries;) {
      // In a self join the slab of the targets comes last, and serves for both sides.
      const bool same = join->self && query >= target;
      const size_t end = same ? target_end : smaller(query + job->query_blocks, join->self ? target : queries);
      job->query.buffers = &device->slabs[same ? 1 : 0];
      if (same)
        job->query = job->target;
      else if (!toi_slab_load(job, &join->query, &job->query, query, end - query))
        return false;
      if (!run_slabs(job, status))
        return false;
      if (*status != TOI_OK)
        return true;
      query = end;
    }
  }
  return true;
}

/* No contact is proved yet. */
static bool reset_limit(toi_device *device) {
  const cl_float none = INFINITY;
  return toi_device_worked(device, "clEnqueueWriteBuffer",
                           device->cl.EnqueueWriteBuffer(device->slots[0].commands, device->limit.memory, CL_TRUE, 0,
                                                         sizeof none, &none, 0, NULL, NULL));
}

/* Room to sort a list, of less pairs if the budget has no more; 0 if there is none. */
static size_t take_room(toi_join_job *job) {
  for (;; job->capacity /= 2) {
    const size_t bytes = 2 * job->capacity * sizeof(toi_device_pair);
    job->sorted = toi_allocate(job->context, bytes);
    if (job->sorted)
      toi_clear_error(job->context);
    if (job->sorted || job->capacity < LEAST_PAIRS)
      return job->sorted ? bytes : 0;
  }
}

toi_status toi_device_join_run(toi_context *context, toi_device *device, toi_device_join *join) {
  toi_join_job job = {
      .context = context, .device = device, .join = join, .capacity = (size_t)device->queue / sizeof(toi_device_pair)};
  toi_status status = TOI_OK;
  join->lost = false;
  join->done = (toi_device_done){.query = 0};
  // Cleared, so that a failure says what failed now.
  device->failure[0] = '\0';
  size_t bytes = take_room(&job);
  if (bytes == 0)
    return TOI_ERROR_MEMORY;
  if (!reserve(&job) || !reset_limit(device) || !run_join(&job, &status)) {
    join->lost = true;
    toi_device_lose(context, device);
  }
  for (int i = 0; i < TOI_DEVICE_SLOTS; i++)
    device->cl.Finish(device->slots[i].commands);
  toi_free(context, job.sorted, bytes);
  return status;
}

#endif
