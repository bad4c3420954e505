/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels, in OpenCL C 1.2: boxes, the tree above them, and the traversal with the contact filter in it. The file
 * is built behind prelude.cl, narrow/contact_filter_bounds.h and narrow/contact_filter_core_body.h.
 *
 * No division, no root, no relaxed mathematics; atomics of 32 bits. A work item takes a block of eight query primitives
 * down the target's tree, then each of the eight against the blocks that it meets, eight targets at a time.
 *
 * A pair leaves through a queue of fixed capacity. What does not fit is counted and not written, and the host asks
 * again for less. */

#define LANES 8

/* Bits of `flags`; join.c has the same. */
#define FLAG_SELF 1u
#define FLAG_TIES 2u
#define FLAG_FILTER 4u
#define FLAG_FINE 8u
#define FLAG_FINE_FIRST 16u
#define TIE 0x80000000u

/* What a queue's counters hold, each in two words, low first: pairs, then those refuted by box, sign, projection. */
#define COUNTERS 4

/* One side of a join: level 0 of its boxes first; lo x y z, -hi x y z of eight boxes each. */
typedef struct side {
  __global const float8 *nodes;
  __global const uint8 *vertices;
  __global const float8 *high, *low;
} side;

/* --- boxes and the tree --- */

/* Boxes of primitives around their vertices at both times. A place without a primitive holds NaN, which stays. */
__kernel void boxes(__global const float8 *high, uint points, uint count, __global float8 *nodes) {
  const uint block = (uint)get_global_id(0);
  if (block >= count)
    return;
  for (uint axis = 0; axis < 3; axis++) {
    float8 lo = high[(size_t)points * block * 6 + axis], minus_hi = -lo;
    for (uint i = 0; i < 2 * points; i++) {
      const float8 x = high[((size_t)points * block + i / 2) * 6 + i % 2 * 3 + axis];
      lo = least(x, lo);
      minus_hi = least(-x, minus_hi);
    }
    nodes[(size_t)block * 6 + axis] = lo;
    nodes[(size_t)block * 6 + 3 + axis] = minus_hi;
  }
}

/* One level from the one below, a work item for each place. */
__kernel void refit(__global float *nodes, uint below, uint below_count, uint level, uint places) {
  const uint place = (uint)get_global_id(0);
  if (place >= places)
    return;
  __global float *to = nodes + ((size_t)level + place / LANES) * 6 * LANES + place % LANES;
  __global const float *from = nodes + ((size_t)below + place) * 6 * LANES;
  for (uint k = 0; k < 6; k++) {
    float least_of = INFINITY;
    for (uint lane = 0; lane < LANES && place < below_count; lane++)
      least_of = from[k * LANES + lane] < least_of ? from[k * LANES + lane] : least_of;
    to[k * LANES] = place < below_count ? least_of : NAN;
  }
}

/* --- counting --- */

/* Adds to a counter of two words; returns the low one as it was. */
TOI_INLINE uint count_on(volatile __global uint *counter, uint more) {
  const uint before = atomic_add(counter, more);
  if (before + more < before)
    atomic_inc(counter + 1);
  return before;
}

/* Lanes that are set, added up. */
TOI_INLINE uint sum_of(int8 m) {
  const int4 a = m.lo + m.hi;
  const int2 b = a.lo + a.hi;
  return (uint)(b.x + b.y);
}

/* The earliest time of a contact that is proved, as the bits of a positive float, which have its order. The host rounds
 * what it has proved up, so that no bound lies below a contact; the first work item of a launch lowers the common one,
 * for launches under way too. An older value is larger, and as right. */
TOI_INLINE float earliest(volatile __global uint *limit, uint proved) {
  const uint known = get_global_id(0) == 0 ? atomic_min(limit, proved) : *limit;
  return as_float(min(known, proved));
}

/* --- the filter --- */

typedef struct tally {
  int8 by_box, by_sign, by_projection;
} tally;

/* Corners of one query primitive with eight targets. */
TOI_INLINE void corners_of(const int n, const int fine, const float *own, const float *own_low, const side *b, uint block,
                           float_hull *hull) {
  const int own_points = n == 4 ? 2 : 1, points = 4 - own_points;
  TOI_UNROLL
  for (int time = 0; time < TIMES; time++)
    TOI_UNROLL
  for (int k = 0; k < n; k++) {
    int first, second;
    corner_points(n, k, &first, &second);
    TOI_UNROLL
    for (int axis = 0; axis < AXES; axis++) {
      const int i = AXES * time + axis;
      const size_t at = ((size_t)points * block + (size_t)(second - own_points)) * 6 + (size_t)i;
      hull->at[time][k][axis] = every(own[6 * first + i]) - b->high[at];
      if (fine)
        hull->at[time][k][axis] += every(own_low[6 * first + i]) - b->low[at];
    }
  }
}

TOI_INLINE float_bounds bounds_for(const int fine, float4 r) {
  float_bounds bounds;
  bounds.r[0] = every(r.x);
  bounds.r[1] = every(r.y);
  bounds.r[2] = every(r.z);
  bounds.end = fine ? TOI_FINE_END : TOI_COARSE_END;
  bounds.mid = fine ? TOI_FINE_MID : TOI_COARSE_MID;
  bounds.halves = fine ? TOI_FINE_HALVES : TOI_COARSE_HALVES;
  bounds.areas = fine ? TOI_FINE_AREAS : TOI_COARSE_AREAS;
  return bounds;
}

/* Box and sign. Returns what is left of `open`. */
TOI_INLINE mask first_stage(const int n, const int fine, float4 r, const float *own, const float *own_low, const side *b,
                            uint block, mask open, mask counted, tally *settled) {
  const float_bounds bounds = bounds_for(fine, r);
  float_hull hull;
  corners_of(n, fine, own, own_low, b, block, &hull);
  const mask by_box = hull_box(n, &bounds, &hull) & open;
  settled->by_box -= by_box & counted;
  open &= ~by_box;
  if (!any(open))
    return open;
  const float_cubic f = hull_cubic(n, &bounds, &hull);
  const mask by_sign = cubic_one_sign(&bounds, &hull, &f) & open;
  settled->by_sign -= by_sign & counted;
  return open & ~by_sign;
}

/* All three, and whether they touch up to a time. */
TOI_INLINE mask second_stage(const int n, const int fine, float4 r, const float *own, const float *own_low, const side *b,
                             uint block, float until, mask open, mask counted, tally *settled) {
  const float_bounds bounds = bounds_for(fine, r);
  float_hull hull;
  corners_of(n, fine, own, own_low, b, block, &hull);
  mask by_box = hull_box(n, &bounds, &hull) & open;
  if (until < 1)
    by_box |= hull_box_until(n, &bounds, &hull, every(until)) & open;
  const float_cubic f = hull_cubic(n, &bounds, &hull);
  const mask by_sign = cubic_one_sign(&bounds, &hull, &f) & open & ~by_box;
  const mask by_projection = projection_miss(n, &bounds, &hull, &f) & open & ~by_box & ~by_sign;
  settled->by_box -= by_box & counted;
  settled->by_sign -= by_sign & counted;
  settled->by_projection -= by_projection & counted;
  return open & ~by_box & ~by_sign & ~by_projection;
}

/* --- the traversal --- */

/* What a work item knows. */
typedef struct visit {
  side a, b;
  uint a_first, b_first; /* the number of each side's block 0 */
  uint query;            /* block of side a */
  uint flags;
  float4 coarse, fine;
  __global uint2 *queue;
  uint capacity;
  volatile __global uint *counters;
  float until; /* contacts after this time are not asked for */
  tally settled;
} visit;

/* Lanes whose boxes meet one box, closed: lo x y z, -hi x y z. */
TOI_INLINE mask meets(__global const float8 *node, const float box[6]) {
  return (node[0] <= -box[3]) & (node[1] <= -box[4]) & (node[2] <= -box[5]) & (node[3] <= -box[0]) &
         (node[4] <= -box[1]) & (node[5] <= -box[2]);
}

TOI_INLINE mask meets_strictly(__global const float8 *node, const float box[6]) {
  return (node[0] < -box[3]) & (node[1] < -box[4]) & (node[2] < -box[5]) & (node[3] < -box[0]) & (node[4] < -box[1]) &
         (node[5] < -box[2]);
}

/* Writes pairs to the queue, as far as they fit. */
TOI_INLINE void put(visit *v, uint lane, uint block, mask open, mask ties) {
  int is_open[LANES], is_tie[LANES];
  vstore8(open, 0, is_open);
  vstore8(ties, 0, is_tie);
  uint at = count_on(v->counters, sum_of(-open));
  for (uint j = 0; j < LANES; j++)
    if (is_open[j]) {
      const uint query = (v->a_first + v->query) * LANES + lane;
      if (at < v->capacity)
        v->queue[at] = (uint2)((v->b_first + block) * LANES + j, is_tie[j] ? query | TIE : query);
      at++;
    }
}

/* One primitive with a block. */
TOI_INLINE void meet_block(const int n, visit *v, uint lane, uint block) {
  const uint own_points = n == 4 ? 2 : 1, points = 4 - own_points;
  __global const float *own_box = (__global const float *)(v->a.nodes + (size_t)v->query * 6) + lane;
  __global const uint *own_vertices = (__global const uint *)(v->a.vertices + (size_t)v->query * own_points) + lane;
  __global const float8 *node = v->b.nodes + (size_t)block * 6;
  float box[6];
  for (int k = 0; k < 6; k++)
    box[k] = own_box[k * LANES];
  mask open = meets(node, box);
  if (v->flags & FLAG_SELF && v->a_first + v->query == v->b_first + block)
    open &= (int8)(0, 1, 2, 3, 4, 5, 6, 7) > (int8)(int)lane;
  TOI_UNROLL
  for (uint i = 0; i < points; i++)
    TOI_UNROLL
  for (uint k = 0; k < own_points; k++)
    open &= v->b.vertices[(size_t)points * block + i] != (uint8)own_vertices[k * LANES];
  if (!any(open))
    return;
  mask ties = (mask)(0);
  if (v->flags & FLAG_TIES)
    ties = open & ~meets_strictly(node, box);
  if (v->flags & FLAG_FILTER) {
    float own[12], own_low[12];
    const int fine = (v->flags & FLAG_FINE) != 0, fine_first = (v->flags & FLAG_FINE_FIRST) != 0;
    const size_t at = (size_t)v->query * own_points * 6 * LANES + lane;
    for (uint i = 0; i < own_points * 6; i++) {
      own[i] = ((__global const float *)v->a.high)[at + i * LANES];
      own_low[i] = fine ? ((__global const float *)v->a.low)[at + i * LANES] : 0;
    }
    mask left = first_stage(n, fine_first, fine_first ? v->fine : v->coarse, own, own_low, &v->b, block, open, ~ties,
                            &v->settled);
    if (any(left))
      left =
          second_stage(n, fine, fine ? v->fine : v->coarse, own, own_low, &v->b, block, v->until, left, ~ties, &v->settled);
    open = left | ties;
    if (!any(open))
      return;
  }
  put(v, lane, block, open, ties);
}

/* The eight primitives of the work item with a block whose box is given. */
TOI_INLINE void meet_lanes(const int n, visit *v, uint block, const float box[6]) {
  int lanes[LANES];
  vstore8(meets(v->a.nodes + (size_t)v->query * 6, box), 0, lanes);
  for (uint lane = 0; lane < LANES; lane++)
    if (lanes[lane])
      meet_block(n, v, lane, block);
}

/* The box around the eight of a node. */
TOI_INLINE void around(__global const float8 *node, float box[6]) {
  for (int k = 0; k < 6; k++) {
    float x[LANES];
    vstore8(node[k], 0, x);
    box[k] = INFINITY;
    for (int lane = 0; lane < LANES; lane++)
      box[k] = x[lane] < box[k] ? x[lane] : box[k];
  }
}

/* Nodes of at most this many levels, seven of each waiting, and the eight of the last. */
#define LEVEL_SHIFT 27
#define STACK 80

/* The target blocks in [begin, end) that the work item's block meets. offsets[l] is where level l begins. */
TOI_INLINE void descend(const int n, visit *v, __constant const uint *offsets, uint levels, uint begin, uint end) {
  float box[6];
  around(v->a.nodes + (size_t)v->query * 6, box);
  if (v->flags & FLAG_SELF && v->a_first + v->query > v->b_first + begin)
    begin = v->a_first + v->query - v->b_first;
  uint stack[STACK], waiting = 0;
  stack[waiting++] = (levels - 1) << LEVEL_SHIFT;
  while (waiting > 0) {
    const uint top = stack[--waiting], level = top >> LEVEL_SHIFT, index = top & ((1u << LEVEL_SHIFT) - 1);
    __global const float8 *node = v->b.nodes + (size_t)(offsets[level] + index) * 6;
    const mask met = meets(node, box);
    if (!any(met))
      continue;
    int lanes[LANES];
    vstore8(met, 0, lanes);
    for (uint j = 0; j < LANES; j++) {
      const uint child = index * LANES + j, shift = 3 * (level - 1);
      if (!lanes[j] || (child + 1) << shift <= begin || child << shift >= end)
        continue;
      if (level > 1) {
        stack[waiting++] = (level - 1) << LEVEL_SHIFT | child;
        continue;
      }
      float block_box[6];
      for (int k = 0; k < 6; k++)
        block_box[k] = ((__global const float *)(node + k))[j];
      meet_lanes(n, v, child, block_box);
    }
  }
}

#define JOIN(name, n)                                                                                                  \
  __kernel void name(__global const float8 *a_nodes, __global const uint8 *a_vertices, __global const float8 *a_high,  \
                     __global const float8 *a_low, __global const float8 *b_nodes, __global const uint8 *b_vertices,   \
                     __global const float8 *b_high, __global const float8 *b_low, __constant const uint *offsets,      \
                     uint levels, uint a_first, uint b_first, uint query_begin, uint query_count, uint target_begin,   \
                     uint target_end, uint flags, float4 coarse, float4 fine, __global uint2 *queue, uint capacity,    \
                     volatile __global uint *counters, volatile __global uint *limit, uint proved) {                   \
    if (get_global_id(0) >= query_count)                                                                               \
      return;                                                                                                          \
    visit v;                                                                                                           \
    v.a.nodes = a_nodes, v.a.vertices = a_vertices, v.a.high = a_high, v.a.low = a_low;                                \
    v.b.nodes = b_nodes, v.b.vertices = b_vertices, v.b.high = b_high, v.b.low = b_low;                                \
    v.a_first = a_first, v.b_first = b_first, v.query = query_begin + (uint)get_global_id(0);                          \
    v.flags = flags, v.coarse = coarse, v.fine = fine, v.queue = queue, v.capacity = capacity, v.counters = counters;  \
    v.settled.by_box = v.settled.by_sign = v.settled.by_projection = (int8)(0);                                        \
    v.until = earliest(limit, proved);                                                                                 \
    descend(n, &v, offsets, levels, target_begin, target_end);                                                         \
    count_on(counters + 2, sum_of(v.settled.by_box));                                                                  \
    count_on(counters + 4, sum_of(v.settled.by_sign));                                                                 \
    count_on(counters + 6, sum_of(v.settled.by_projection));                                                           \
  }
JOIN(join_vertex_face, 3)
JOIN(join_edge_edge, 4)

/* --- sweep and tiniest queue (Belgrod 2023, algorithm 1), on blocks --- */

/* The most work items of a group. */
#define GROUP_MOST 64

/* Blocks are in the order of their lower ends along `axis`. A work item begins with its block and the first target
 * block that may reach it; after each step those that go on are put side by side again, so that the queue shrinks and
 * no work item waits for another one's longer sweep. reaches[t] is the highest end of the blocks up to t. */
TOI_INLINE uint first_reaching(__global const float *reaches, uint count, float lo) {
  uint begin = 0;
  for (uint left = count; left > 0;) {
    const uint half_of = left / 2;
    const bool before = reaches[begin + half_of] < lo;
    begin = before ? begin + half_of + 1 : begin;
    left = before ? left - half_of - 1 : half_of;
  }
  return begin;
}

/* The box of a target block, which level 1 holds. */
TOI_INLINE void box_of_block(__global const float8 *nodes, uint level, uint block, float box[6]) {
  __global const float8 *node = nodes + (size_t)(level + block / LANES) * 6;
  for (int k = 0; k < 6; k++)
    box[k] = ((__global const float *)(node + k))[block % LANES];
}

#define SWEEP(name, n)                                                                                                 \
  __kernel void name(__global const float8 *a_nodes, __global const uint8 *a_vertices, __global const float8 *a_high,  \
                     __global const float8 *a_low, __global const float8 *b_nodes, __global const uint8 *b_vertices,   \
                     __global const float8 *b_high, __global const float8 *b_low, __constant const uint *offsets,      \
                     uint levels, uint a_first, uint b_first, uint query_begin, uint query_count, uint target_begin,   \
                     uint target_end, uint flags, float4 coarse, float4 fine, __global uint2 *queue, uint capacity,    \
                     volatile __global uint *counters, volatile __global uint *limit, uint proved,                     \
                     __global const float *reaches, uint axis) {                                                       \
    __local uint2 waiting[2][GROUP_MOST];                                                                              \
    __local uint sizes[2];                                                                                             \
    const uint own = (uint)get_local_id(0);                                                                            \
    visit v;                                                                                                           \
    v.a.nodes = a_nodes, v.a.vertices = a_vertices, v.a.high = a_high, v.a.low = a_low;                                \
    v.b.nodes = b_nodes, v.b.vertices = b_vertices, v.b.high = b_high, v.b.low = b_low;                                \
    v.a_first = a_first, v.b_first = b_first;                                                                          \
    v.flags = flags, v.coarse = coarse, v.fine = fine, v.queue = queue, v.capacity = capacity, v.counters = counters;  \
    v.settled.by_box = v.settled.by_sign = v.settled.by_projection = (int8)(0);                                        \
    v.until = earliest(limit, proved);                                                                                 \
    if (own == 0)                                                                                                      \
      sizes[0] = sizes[1] = 0;                                                                                         \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (get_global_id(0) < query_count) {                                                                              \
      const uint query = query_begin + (uint)get_global_id(0);                                                         \
      float box[6];                                                                                                    \
      around(a_nodes + (size_t)query * 6, box);                                                                        \
      uint begin = target_begin;                                                                                       \
      if (flags & FLAG_SELF)                                                                                           \
        begin = a_first + query > b_first + begin ? a_first + query - b_first : begin;                                 \
      else                                                                                                             \
        begin = max(begin, first_reaching(reaches, target_end, box[axis]));                                            \
      if (begin < target_end)                                                                                          \
        waiting[0][atomic_inc(&sizes[0])] = (uint2)(query, begin);                                                     \
    }                                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    for (uint now = 0; sizes[now] > 0; now = 1 - now) {                                                                \
      if (own < sizes[now]) {                                                                                          \
        const uint2 next = waiting[now][own];                                                                          \
        float box[6], target_box[6];                                                                                   \
        around(a_nodes + (size_t)next.x * 6, box);                                                                     \
        box_of_block(b_nodes, offsets[1], next.y, target_box);                                                         \
        if (target_box[axis] <= -box[3 + axis]) {                                                                      \
          v.query = next.x;                                                                                            \
          meet_lanes(n, &v, next.y, target_box);                                                                       \
          if (next.y + 1 < target_end)                                                                                 \
            waiting[1 - now][atomic_inc(&sizes[1 - now])] = (uint2)(next.x, next.y + 1);                               \
        }                                                                                                              \
      }                                                                                                                \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
      if (own == 0)                                                                                                    \
        sizes[now] = 0;                                                                                                \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    }                                                                                                                  \
    count_on(counters + 2, sum_of(v.settled.by_box));                                                                  \
    count_on(counters + 4, sum_of(v.settled.by_sign));                                                                 \
    count_on(counters + 6, sum_of(v.settled.by_projection));                                                           \
  }
SWEEP(sweep_vertex_face, 3)
SWEEP(sweep_edge_edge, 4)
