/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Hilbert keys of 30 bits, ten an axis, on the grid over all centres; then a radix sort of three passes.
 *
 * Where many boxes share a key (one far box stretches the grid until all others lie in one cell), the run is sorted
 * again on the grid over its own centres. The order decides about speed alone, so nothing here needs to be exact. */

#include "broad/order.h"

#include <string.h>

#define AXIS_BITS 10
#define CELLS (1 << AXIS_BITS)
#define RADIX_BITS 10
#define RADIX (1 << RADIX_BITS)
#define GRAIN 16384
#define LONG_RUN 128
#define DEEPEST 8
#define FAR 1e30f /* centres beyond this are no help */

typedef struct keyed {
  uint32_t position, key;
} keyed;

size_t toi_order_memory(size_t count) {
  size_t chunks = count / GRAIN + 1;
  return 2 * count * sizeof(keyed) + chunks * RADIX * sizeof(uint32_t);
}

/* --- the curve --- */

static unsigned rotate(unsigned corner, unsigned by) {
  by %= 3;
  return ((corner << by) | (corner >> (3 - by))) & 7;
}

/* One level: the corner's place on the curve, and the state inside it. Gray codes number the corners along the curve;
 * the state's entry corner and direction carry the standard one into place. */
static unsigned walk(unsigned *state, unsigned corner) {
  unsigned entry = *state & 7, direction = *state >> 3;
  unsigned turned = rotate(corner ^ entry, 3 - (direction + 1) % 3);
  unsigned digit = turned ^ (turned >> 1) ^ (turned >> 2);
  // Where the curve enters and along which axis it leaves the sub-cube of this digit.
  unsigned even = digit == 0 ? 0 : 2 * ((digit - 1) / 2);
  unsigned enters = even ^ (even >> 1);
  unsigned ones = digit == 0 ? 0 : digit % 2 ? digit : digit - 1;
  unsigned trailing = 0;
  while (ones & 1) {
    trailing++;
    ones >>= 1;
  }
  unsigned along = digit == 0 ? 0 : trailing % 3;
  entry ^= rotate(enters, direction + 1);
  direction = (direction + along + 1) % 3;
  *state = direction << 3 | entry;
  return digit;
}

void toi_curve_make(toi_curve *curve) {
  for (unsigned state = 0; state < 24; state++)
    for (unsigned corners = 0; corners < 64; corners++) {
      unsigned at = state;
      unsigned high = walk(&at, corners >> 3);
      unsigned low = walk(&at, corners & 7);
      curve->step[state][corners] = (uint16_t)((high << 3 | low) | at << 6);
    }
}

/* Every third bit. */
static uint32_t spread(uint32_t x) {
  x = (x | x << 16) & 0x030000ff;
  x = (x | x << 8) & 0x0300f00f;
  x = (x | x << 4) & 0x030c30c3;
  return (x | x << 2) & 0x09249249;
}

static uint32_t curve_key(const toi_curve *c, uint32_t x, uint32_t y, uint32_t z) {
  uint32_t corners = spread(x) | spread(y) << 1 | spread(z) << 2;
  uint32_t key = 0, state = 0;
  for (int shift = 3 * AXIS_BITS - 6; shift >= 0; shift -= 6) {
    uint32_t step = c->step[state][corners >> shift & 63];
    key = key << 6 | (step & 63);
    state = step >> 6;
  }
  return key;
}

/* --- the grid --- */

typedef struct grid {
  float low[3], factor[3];
} grid;

/* Twice the centre, on one axis; boxes may be infinite. */
static float centre(const toi_box_row row, int axis) {
  float c = row[axis] - row[4 + axis];
  return c > -FAR && c < FAR ? c : 0;
}

/* A cell edge the same on every axis keeps cells cubes, unless an axis is much shorter. */
static grid grid_over(const float low[3], const float high[3]) {
  grid g;
  float widest = 0;
  for (int k = 0; k < 3; k++)
    widest = high[k] - low[k] > widest ? high[k] - low[k] : widest;
  for (int k = 0; k < 3; k++) {
    g.low[k] = low[k];
    g.factor[k] = widest > 1 / FAR ? (float)(CELLS - 1) / widest : 0;
  }
  return g;
}

static uint32_t cell(const grid *g, const toi_box_row row, int axis) {
  float x = (centre(row, axis) - g->low[axis]) * g->factor[axis];
  return x > 0 ? x < CELLS - 1 ? (uint32_t)x : CELLS - 1 : 0;
}

static void widen(float low[3], float high[3], const toi_box_row row) {
  for (int k = 0; k < 3; k++) {
    float c = centre(row, k);
    low[k] = c < low[k] ? c : low[k];
    high[k] = c > high[k] ? c : high[k];
  }
}

/* --- sorting --- */

typedef struct sort_job {
  const toi_box_set *set;
  const toi_curve *curve;
  grid grid;
  size_t count;
  keyed *from, *to;
  int shift;
  uint32_t *counts; /* RADIX for each chunk: how many, then where the next one goes */
  uint32_t *order;
} sort_job;

static toi_status key_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  sort_job *job = user;
  const grid g = job->grid;
  for (size_t i = begin; i < end; i++) {
    toi_box_row made;
    const float *row = toi_set_row(job->set, i, made);
    job->from[i] = (keyed){(uint32_t)i, curve_key(job->curve, cell(&g, row, 0), cell(&g, row, 1), cell(&g, row, 2))};
  }
  return TOI_OK;
}

static toi_status count_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  sort_job *job = user;
  uint32_t *counts = job->counts + begin / GRAIN * RADIX;
  memset(counts, 0, RADIX * sizeof(counts[0]));
  for (size_t i = begin; i < end; i++)
    counts[job->from[i].key >> job->shift & (RADIX - 1)]++;
  return TOI_OK;
}

static toi_status scatter_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  sort_job *job = user;
  uint32_t *next = job->counts + begin / GRAIN * RADIX;
  for (size_t i = begin; i < end; i++)
    job->to[next[job->from[i].key >> job->shift & (RADIX - 1)]++] = job->from[i];
  return TOI_OK;
}

/* One pass: stable, chunks one after the other in every digit. */
static toi_status sort_pass(toi_context *context, sort_job *job) {
  toi_status status = toi_parallel(context, job->count, GRAIN, count_task, job);
  size_t chunks = (job->count + GRAIN - 1) / GRAIN;
  uint32_t sum = 0;
  for (size_t digit = 0; digit < RADIX; digit++)
    for (size_t chunk = 0; chunk < chunks; chunk++) {
      uint32_t own = job->counts[chunk * RADIX + digit];
      job->counts[chunk * RADIX + digit] = sum;
      sum += own;
    }
  if (status == TOI_OK)
    status = toi_parallel(context, job->count, GRAIN, scatter_task, job);
  keyed *swapped = job->from;
  job->from = job->to;
  job->to = swapped;
  return status;
}

/* Sorts a run of equal keys on its own grid: by a small radix sort of the same kind, on this thread. */
static void sort_run(sort_job *job, size_t begin, size_t end, int depth) {
  size_t count = end - begin;
  keyed *from = job->from + begin, *to = job->to + begin;
  float low[3] = {2 * FAR, 2 * FAR, 2 * FAR}, high[3] = {-2 * FAR, -2 * FAR, -2 * FAR};
  for (size_t i = 0; i < count; i++) {
    toi_box_row made;
    widen(low, high, toi_set_row(job->set, from[i].position, made));
  }
  const grid g = grid_over(low, high);
  if (g.factor[0] == 0)
    return;
  for (size_t i = 0; i < count; i++) {
    toi_box_row made;
    const float *row = toi_set_row(job->set, from[i].position, made);
    from[i].key = curve_key(job->curve, cell(&g, row, 0), cell(&g, row, 1), cell(&g, row, 2));
  }
  for (int shift = 0; shift < 3 * AXIS_BITS; shift += RADIX_BITS) {
    uint32_t next[RADIX] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
      next[from[i].key >> shift & (RADIX - 1)]++;
    for (size_t digit = 0; digit < RADIX; digit++) {
      uint32_t own = next[digit];
      next[digit] = sum;
      sum += own;
    }
    for (size_t i = 0; i < count; i++)
      to[next[from[i].key >> shift & (RADIX - 1)]++] = from[i];
    memcpy(from, to, count * sizeof(from[0]));
  }
  if (depth >= DEEPEST)
    return;
  for (size_t i = begin; i < end;) {
    size_t last = i + 1;
    while (last < end && job->from[last].key == job->from[i].key)
      last++;
    if (last - i >= LONG_RUN && last - i < count)
      sort_run(job, i, last, depth + 1);
    i = last;
  }
}

static void sort_long_runs(sort_job *job) {
  for (size_t i = 0; i < job->count;) {
    size_t last = i + 1;
    while (last < job->count && job->from[last].key == job->from[i].key)
      last++;
    if (last - i >= LONG_RUN)
      sort_run(job, i, last, 1);
    i = last;
  }
}

/* Around all centres, or around those of all vertices of the mesh, which will do as well. */
static grid grid_of_set(const toi_box_set *set) {
  float low[3] = {2 * FAR, 2 * FAR, 2 * FAR}, high[3] = {-2 * FAR, -2 * FAR, -2 * FAR};
  size_t count = set->rows ? set->count : set->vertex_count;
  toi_box_row *rows = set->rows ? set->rows : set->vertex_rows;
  for (size_t i = 0; i < count; i++)
    widen(low, high, rows[i]);
  return grid_over(low, high);
}

toi_status toi_order_boxes(toi_context *context, const toi_curve *curve, const toi_box_set *set, void *memory,
                           uint32_t *order) {
  sort_job job = {.set = set, .curve = curve, .count = set->count};
  job.from = memory;
  job.to = job.from + job.count;
  job.counts = (uint32_t *)(job.to + job.count);
  job.grid = grid_of_set(set);
  toi_status status = toi_parallel(context, job.count, GRAIN, key_task, &job);
  for (job.shift = 0; job.shift < 3 * AXIS_BITS && status == TOI_OK; job.shift += RADIX_BITS)
    status = sort_pass(context, &job);
  if (status != TOI_OK)
    return status;
  sort_long_runs(&job);
  for (size_t i = 0; i < job.count; i++)
    order[i] = job.from[i].position;
  return TOI_OK;
}
