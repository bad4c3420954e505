/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The broad phase `sweep`: Sweep and Tiniest Queue (Belgrod 2023, section 6.2).
 *
 * The axis is that along which the boxes' centres vary most. Boxes are sorted by their lower ends along it, by whole
 * keys: an order of cut keys with an exact end of the sweep would lose pairs. A join of two sets is two passes, each
 * box of one set with those of the other that begin within it; boxes that begin together belong to the first pass. So
 * each pair is met once, by the box that begins first. The queue that shrinks is in sweep_body.h. */

#include "broad/sweep.h"

#include <math.h>
#include <string.h>

#include "broad/cache.h"
#include "broad/device_join.h"

/* Boxes that are put in order by one task. */
#define ARRANGE_GRAIN 4096

/* Digits of the sort. */
#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define PASSES 3

/* A box in the sort: the bits of its lower end, in an order that integers share, and its row. */
typedef struct sort_item {
  uint32_t key, row;
} sort_item;

/* --- the axis --- */

typedef struct moments {
  double sum[3], squares[3];
} moments;

static void add_moments(const toi_box_set *set, moments *m) {
  for (size_t i = 0; i < set->count; i++) {
    toi_box_row made;
    const float *const row = toi_set_row(set, i, made);
    for (int axis = 0; axis < 3; axis++) {
      const double centre = (double)row[axis] - (double)row[4 + axis];
      m->sum[axis] += centre;
      m->squares[axis] += centre * centre;
    }
  }
}

/* The axis along which the centres of all boxes vary most. */
static int axis_of(const toi_join *join) {
  moments m = {{0}, {0}};
  add_moments(&join->a, &m);
  if (!join->self)
    add_moments(&join->b, &m);
  const double count = (double)join->a.count + (join->self ? 0 : (double)join->b.count);
  int best = 0;
  double most = -INFINITY;
  for (int axis = 0; axis < 3; axis++) {
    const double variance = m.squares[axis] - m.sum[axis] * (m.sum[axis] / count);
    if (variance > most) {
      most = variance;
      best = axis;
    }
  }
  return best;
}

/* --- the order --- */

/* Integers in the order of floats; a negative zero comes before a positive one, which is as good as any. */
static uint32_t key_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* Sorts by key, digit by digit, to and fro between two arrays; returns the one that holds the result. */
static const sort_item *sort(sort_item *items, sort_item *spare, size_t count) {
  uint32_t places[PASSES][DIGITS];
  memset(places, 0, sizeof(places));
  for (size_t i = 0; i < count; i++)
    for (int pass = 0; pass < PASSES; pass++)
      places[pass][items[i].key >> (pass * DIGIT_BITS) & (DIGITS - 1)]++;

  for (int pass = 0; pass < PASSES; pass++) {
    uint32_t next = 0;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
      const uint32_t own = places[pass][digit];
      places[pass][digit] = next;
      next += own;
    }
    for (size_t i = 0; i < count; i++)
      spare[places[pass][items[i].key >> (pass * DIGIT_BITS) & (DIGITS - 1)]++] = items[i];
    sort_item *const swap = items;
    items = spare;
    spare = swap;
  }
  return items;
}

/* One array of a set's order: the boxes and the padding. */
static size_t column(const toi_box_set *set) {
  return set->count + TOI_SWEEP_PADDING;
}

/* Bytes of a set's order: six coordinates, the number and the vertices of each box. */
static size_t order_bytes(const toi_box_set *set) {
  return column(set) * (7 + toi_primitive_points(set->primitive)) * sizeof(uint32_t);
}

/* What the tasks that arrange a set share. */
typedef struct arrangement {
  const toi_join *join;
  const toi_box_set *set;
  const sort_item *items;
  const toi_sweep_order *order;
  int axis;
} arrangement;

/* Boxes [begin, end) of the order from their rows. */
static toi_status arrange(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const arrangement *const a = user;
  const toi_sweep_order *const order = a->order;
  for (size_t i = begin; i < end; i++) {
    const uint32_t at = a->items[i].row;
    toi_box_row made;
    const float *const row = toi_set_row(a->set, at, made);
    for (int k = 0; k < 3; k++) {
      const int axis = (a->axis + k) % 3;
      order->lo[k][i] = row[axis];
      order->hi[k][i] = -row[4 + axis];
    }
    const uint32_t number = a->set->numbers ? a->set->numbers[at] : at;
    const uint32_t *const vertices = toi_primitive_vertices(a->join->boxer->mesh, a->set->primitive, &number);
    order->number[i] = number;
    for (size_t k = 0; k < order->points; k++)
      order->vertex[k][i] = vertices[k];
  }
  return TOI_OK;
}

/* Lays the arrays of an order out in `memory`. */
static void lay_out(const toi_box_set *set, void *memory, toi_sweep_order *order) {
  const size_t step = column(set);
  float *const floats = memory;
  void *const behind = floats + 6 * step;
  uint32_t *const numbers = behind;
  order->count = set->count;
  order->points = toi_primitive_points(set->primitive);
  for (size_t k = 0; k < 3; k++) {
    order->lo[k] = floats + k * step;
    order->hi[k] = floats + (3 + k) * step;
    order->vertex[k] = k < order->points ? numbers + (1 + k) * step : NULL;
  }
  order->number = numbers;

  // NaN overlaps nothing and ends every interval.
  for (size_t i = set->count; i < step; i++) {
    for (int k = 0; k < 3; k++)
      order->lo[k][i] = order->hi[k][i] = NAN;
    for (size_t k = 0; k < order->points; k++)
      order->vertex[k][i] = 0;
    order->number[i] = 0;
  }
}

/* Puts a set in order, in the memory given. */
static toi_status order_set(toi_context *context, arrangement a, void *memory, toi_sweep_order *order) {
  const size_t count = a.set->count;
  sort_item *const items = toi_buffer_reserve(context, &toi_broad_cache_of(context)->sort, 2 * count * sizeof(*items));
  if (!items)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) {
    toi_box_row made;
    items[i] = (sort_item){key_of(toi_set_row(a.set, i, made)[a.axis]), (uint32_t)i};
  }
  a.items = sort(items, items + count, count);
  a.order = order;
  lay_out(a.set, memory, order);
  return toi_parallel(context, count, ARRANGE_GRAIN, arrange, &a);
}

/* --- the passes --- */

typedef struct sweep {
  toi_sweep_pass pass;
  toi_sweep_kernel kernel;
  size_t done, total; /* boxes */
} sweep;

static toi_sweep_kernel best_kernel(void) {
#if defined(__x86_64__)
  if (toi_simd_best() == TOI_SIMD_AVX2)
    return toi_sweep_avx2;
#endif
  return toi_sweep_plain;
}

static toi_status run_queue(void *user, uint32_t thread, size_t begin, size_t end) {
  const sweep *const s = user;
  const toi_status status = toi_join_progress(s->pass.join, thread, s->done + begin, s->total);
  return status == TOI_OK ? s->kernel(&s->pass, thread, begin, end) : status;
}

/* One pass, after `done` boxes of passes before it. */
static toi_status run_pass(toi_context *context, toi_sweep_pass pass, size_t done) {
  const toi_join *const join = pass.join;
  const size_t total = join->a.count + (join->self ? 0 : join->b.count);
  uint64_t packed[256];
  toi_pack_lanes(packed);
  pass.packed = packed;
  sweep s = {.pass = pass, .kernel = best_kernel(), .done = done, .total = total};
  return toi_parallel(context, pass.from->count, TOI_SWEEP_QUEUE, run_queue, &s);
}

/* All passes of a join on the CPU. */
static toi_status run_passes(toi_context *context, const toi_join *join, const toi_sweep_order *a,
                             const toi_sweep_order *b) {
  if (join->self)
    return run_pass(context, (toi_sweep_pass){.join = join, .from = a, .to = a, .turn = TOI_SWEEP_SORTED}, 0);
  const toi_sweep_pass there = {.join = join, .from = a, .to = b, .turn = TOI_SWEEP_AS_IS};
  const toi_sweep_pass back = {.join = join, .from = b, .to = a, .strictly = true, .turn = TOI_SWEEP_TURNED};
  const toi_status status = run_pass(context, there, 0);
  return status == TOI_OK ? run_pass(context, back, a->count) : status;
}

static toi_status join_sweep(toi_context *context, const toi_join *join) {
  toi_broad_cache *const cache = toi_broad_cache_of(context);
  const size_t size = order_bytes(&join->a) + (join->self ? 0 : order_bytes(&join->b));
  char *const memory = cache ? toi_buffer_reserve(context, &cache->lists, size) : NULL;
  if (!memory)
    return TOI_ERROR_MEMORY;
  arrangement each = {.join = join, .set = &join->a, .axis = axis_of(join)};
  toi_sweep_order a, b;
  toi_status status = order_set(context, each, memory, &a);
  each.set = &join->b;
  if (status == TOI_OK && !join->self)
    status = order_set(context, each, memory + order_bytes(&join->a), &b);
  if (status != TOI_OK)
    return status;
  toi_join_done done;
  bool finished;
  status = toi_device_join_sorted(context, join, &a, join->self ? &a : &b, each.axis, &done, &finished);
  if (status != TOI_OK || finished)
    return status;
  toi_join rest = *join;
  rest.done = done.query ? &done : NULL;
  status = run_passes(context, &rest, &a, &b);
  return done.query ? toi_join_done_end(context, &rest, status) : status;
}

const toi_broad_method toi_broad_sweep = {
    .name = "sweep",
    .promise = "Sweep and Tiniest Queue (Belgrod 2023): boxes sorted along the axis of largest variance, and a queue "
               "that shrinks.",
    .on_the_way = true,
    .join = join_sweep,
};
