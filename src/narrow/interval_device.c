/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `interval-queue` on a device, in floats (device/intervals.cl): the rows that the device reads, and the
 * answers from what it found.
 *
 * Claim: with every length of a query multiplied by the power of two that brings the largest |p| + |a| + |b| into
 * [1/2, 1), the interval that the device computes for F over a box of parameters, widened on both sides by
 *
 *   filter = 11 e M + 2^-118,   e = 2^-24,   M of the axis as in tight_inclusion.c, in these units,
 *
 * holds the exact one, whether products and sums are fused or not, and where numbers below 2^-126 are taken as zero.
 *
 * Why. The derivation in tight_inclusion.c counts roundings, each of a relative e, of the same operations in the same
 * order. What differs:
 * 1. p, a and b at both ends are doubles, rounded, and then rounded to floats: a relative e + 2^-53, and at a t_max
 *    before the end p + t_max (p1 - p) is wrong by 6 2^-53 M more. Both are below 2^-25 e, which the excess of the
 *    constant over the sum of the derivation, 4 %, covers.
 * 2. The motion is asked about over [0, 1] from the start to t_max. Times, centres and half widths are multiples of
 *    2^-23 up to 1, and exact.
 * 3. A fused operation has one rounding where two were counted.
 * 4. No number is larger than 6. There are 18 coordinates of a row, and 36 operations on each axis at both times
 *    together: what is taken as zero among them changes the result by 2^-126 at most each, 2^-120 in all.
 * The reach is (filter + d) (1 + 4 e); a ball's d squared is raised by (1 + 16 e) and 2^-100, as in doubles. Every
 * number of the row that bounds something is rounded up.
 *
 * Queries beyond 2^-900 and 2^900, and those that fill a queue alone, are answered on threads. */

#include <math.h>

#include "base/device.h"
#include "narrow/batch.h"
#include "narrow/interval_queue.h"
#include "narrow/mesh.h"

#define MOST_EXPONENT 900

/* From the filter of doubles, 11 * 2^-53 M. */
#define FLOAT_FILTERS 0x1p29
#define FLOAT_LEAST 0x1p-118

#define DEFAULT_CHECKS 1000000

/* Queries whose rows are made at a time, and that a task takes. */
#define PIECE_QUERIES ((size_t)1 << 16)
#define TASK_QUERIES 128

/* Of a query that the device does not answer; of one of which nothing was found. */
#define ON_THREADS UINT32_MAX
#define NOTHING (UINT32_MAX - 1)

typedef struct piece {
  toi_batch_job *job;
  const toi_tight_kernel *kernel;
  size_t first, count;
  float *rows;
  toi_device_box *found; /* the earliest of each query */
} piece;

/* --- rows --- */

static float float_above(double x) {
  const float rounded = (float)x;
  return (double)rounded < x ? nextafterf(rounded, INFINITY) : rounded;
}

/* The power of two that brings the query to its units; false if there is none. */
static bool units_of(const toi_tight_query *query, int *exponent) {
  const double most = fmax(query->size[0], fmax(query->size[1], query->size[2]));
  frexp(most, exponent);
  return most == 0 || (*exponent <= MOST_EXPONENT && *exponent >= -MOST_EXPONENT);
}

/* Coordinates at the start and at t_max. */
static void write_motion(const toi_tight_query *query, int exponent, float *row) {
  const double *const start[3] = {query->p, query->a, query->b}, *const step[3] = {query->dp, query->da, query->db};
  for (int i = 0; i < 3; i++)
    for (int axis = 0; axis < 3; axis++) {
      const double x = start[i][axis];
      row[3 * i + axis] = (float)ldexp(x, -exponent);
      row[TOI_DEVICE_ROW_END + 3 * i + axis] = (float)ldexp(x + query->t_max * step[i][axis], -exponent);
    }
}

/* The row of a query; false if it is not one for the device. */
static bool write_row(const toi_tight_query *query, float *row) {
  int exponent = 0;
  if (!units_of(query, &exponent))
    return false;
  write_motion(query, exponent, row);
  const double d = ldexp(query->d, -exponent);
  for (int axis = 0; axis < 3; axis++) {
    const double filter = ldexp(query->filter[axis] * FLOAT_FILTERS, -exponent) * (1 + 0x1p-40) + FLOAT_LEAST;
    row[TOI_DEVICE_ROW_FILTER + axis] = float_above(filter);
    row[TOI_DEVICE_ROW_REACH + axis] = float_above(((double)float_above(filter) + d) * (1 + 0x1p-21));
    row[TOI_DEVICE_ROW_KAPPA + axis] = (float)ldexp(query->kappa[axis] * (axis == 0 ? query->t_max : 1), -exponent);
  }
  row[TOI_DEVICE_ROW_BALL] = query->d_squared > 0 ? float_above(d * d * (1 + 0x1p-19) + 0x1p-100) : 0;
  row[TOI_DEVICE_ROW_TOLERANCE] = (float)ldexp(query->tolerance, -exponent);
  return true;
}

/* The coordinates of query `number`; false if the pair cannot be read. */
static bool coordinates_of(const toi_batch_job *job, size_t number, double *query) {
  const size_t row = 6 * toi_kind_points(job->kind);
  if (job->queries) {
    memcpy(query, job->queries + number * row, row * sizeof *query);
    return true;
  }
  if (toi_pair_fault(job->kind, &job->mesh, job->pairs[number]))
    return false;
  toi_pair_query(job->kind, &job->mesh, job->pairs[number], query);
  return true;
}

/* A chunk of one query, and the query as the kernels want it. *searchable: it is one for a search. */
static toi_status take_query(const piece *p, const toi_chunk *chunk, double *row, toi_tight_query *query,
                             bool *searchable) {
  const toi_batch_job *job = p->job;
  const size_t number = (size_t)(chunk->hits - job->hits);
  double d = 0;
  if (!coordinates_of(job, number, row) || !p->kernel->load(job->kind, row, query))
    return TOI_ERROR_INPUT;
  const toi_status status = toi_chunk_separates(chunk) ? toi_separation_of(chunk, 0, &d) : TOI_OK;
  *searchable = toi_tight_ask(job->kind, &job->options, d, query);
  if (*searchable)
    p->kernel->set_kappa(query);
  return status;
}

static toi_chunk chunk_of(const piece *p, uint32_t thread, size_t i, double *row, toi_counters *counters) {
  toi_chunk chunk = toi_batch_chunk(p->job, thread, counters);
  chunk.queries = row;
  chunk.count = 1;
  chunk.hits = p->job->hits + p->first + i;
  return chunk;
}

static toi_status rows_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const piece *p = user;
  for (size_t i = begin; i < end; i++) {
    double coordinates[24];
    toi_tight_query query;
    bool searchable;
    const toi_chunk chunk = chunk_of(p, thread, i, coordinates, NULL);
    const toi_status status = take_query(p, &chunk, coordinates, &query, &searchable);
    if (status != TOI_OK)
      return status;
    float *row = p->rows + i * TOI_DEVICE_ROW;
    memset(row, 0, TOI_DEVICE_ROW * sizeof *row);
    p->found[i].query = searchable && write_row(&query, row) ? NOTHING : ON_THREADS;
  }
  return TOI_OK;
}

/* --- what was found --- */

static double start_of(uint32_t at) {
  return ldexp((double)(at & ((1u << TOI_DEVICE_HALVINGS_SHIFT) - 1)), -(int)(at >> TOI_DEVICE_HALVINGS_SHIFT));
}

/* By t, then u, then v, then the smaller one. */
static bool is_before(const toi_device_box *a, const toi_device_box *b) {
  for (int i = 0; i < 3; i++)
    if (start_of(a->at[i]) != start_of(b->at[i]))
      return start_of(a->at[i]) < start_of(b->at[i]);
  return a->at[0] > b->at[0];
}

static void take_found(void *user, const toi_device_box *found, size_t count) {
  const piece *p = user;
  for (size_t i = 0; i < count; i++) {
    toi_device_box *own = &p->found[found[i].query];
    if (own->query == NOTHING || (own->query != ON_THREADS && is_before(&found[i], own)))
      *own = found[i];
  }
}

static void leave_to_threads(void *user, size_t query) {
  const piece *p = user;
  p->found[query].query = ON_THREADS;
}

/* The box in the query's own units: its time from the start, rounded down, to its end, rounded up. */
static toi_tight_box box_of(const toi_tight_query *query, const toi_device_box *found) {
  toi_tight_box box;
  for (int i = 0; i < 3; i++) {
    box.corner[i] = start_of(found->at[i]);
    box.width[i] = query->width[i] > 0 ? ldexp(1, -(int)(found->at[i] >> TOI_DEVICE_HALVINGS_SHIFT)) : 0;
  }
  if (query->t_max < 1) {
    const double t = box.corner[0] * query->t_max;
    box.corner[0] = t > 0 ? nextafter(t, 0) : 0;
    box.width[0] *= query->t_max * (1 + 0x1p-48);
  }
  return box;
}

static toi_status answer_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const piece *p = user;
  toi_counters counters = {0};
  toi_status status = TOI_OK;
  for (size_t i = begin; i < end && status == TOI_OK; i++) {
    double coordinates[24];
    toi_tight_query query;
    bool searchable;
    const toi_device_box *found = &p->found[i];
    const toi_chunk chunk = chunk_of(p, thread, i, coordinates, &counters);
    status = take_query(p, &chunk, coordinates, &query, &searchable);
    if (status == TOI_OK && found->query == ON_THREADS) {
      status = p->job->answerer.method->run(&chunk);
      continue;
    }
    *chunk.hits = toi_hit_miss(p->job->options.t_max, TOI_LEVEL_SEARCH);
    if (status == TOI_OK && found->query != NOTHING) {
      const toi_tight_box box = box_of(&query, found);
      *chunk.hits = toi_interval_answer(p->kernel, &query, &box);
    }
    chunk.hits->separation = query.d;
    toi_count(&counters, chunk.hits);
  }
  toi_batch_count(p->job, &counters);
  return status;
}

/* --- a batch --- */

static uint32_t flags_of(const toi_batch_job *job) {
  const bool u = job->kind != TOI_VERTEX_VERTEX, v = job->kind == TOI_VERTEX_FACE || job->kind == TOI_EDGE_EDGE;
  return (job->options.t_max > 0 ? TOI_DEVICE_WITH_TIME : 0) | (u ? TOI_DEVICE_WITH_U : 0) |
         (v ? TOI_DEVICE_WITH_V : 0) | (job->kind == TOI_VERTEX_FACE ? TOI_DEVICE_TRIANGLE : 0) |
         (job->options.no_zero_toi ? TOI_DEVICE_NO_ZERO : 0);
}

/* One piece, by the device as long as it is there. */
static toi_status run_piece(piece *p) {
  toi_context *context = p->job->context;
  const uint64_t checks = p->job->options.max_checks ? p->job->options.max_checks : DEFAULT_CHECKS;
  toi_device_search search = {.rows = p->rows,
                              .count = p->count,
                              .flags = flags_of(p->job),
                              .most_checks = checks < 1u << 31 ? (uint32_t)checks : 1u << 31,
                              .take = take_found,
                              .full = leave_to_threads,
                              .user = p};
  toi_device *device;
  toi_status status = toi_parallel(context, p->count, TASK_QUERIES, rows_task, p);
  if (status == TOI_OK)
    status = toi_device_ready(context, &device);
  if (status == TOI_OK && device)
    status = toi_device_driver_built.search(context, device, &search);
  for (size_t i = search.done; i < p->count && status == TOI_OK; i++)
    p->found[i].query = ON_THREADS;
  return status == TOI_OK ? toi_parallel(context, p->count, TASK_QUERIES, answer_task, p) : status;
}

toi_status toi_interval_batch_on_device(toi_batch_job *job, bool *finished) {
  toi_context *context = job->context;
  toi_device *device = NULL;
  *finished = false;
  const bool asked = job->answerer.method == &toi_method_interval_queue && toi_device_asked(context);
  toi_status status = asked ? toi_device_ready(context, &device) : TOI_OK;
  if (status != TOI_OK || !device)
    return status;
  piece p = {.job = job, .kernel = toi_tight_kernel_best()};
  const size_t most = job->count < PIECE_QUERIES ? job->count : PIECE_QUERIES;
  const size_t row_bytes = most * TOI_DEVICE_ROW * sizeof(float), found_bytes = most * sizeof *p.found;
  p.rows = toi_allocate(context, row_bytes + 1);
  p.found = p.rows ? toi_allocate(context, found_bytes + 1) : NULL;
  status = p.found ? TOI_OK : TOI_ERROR_MEMORY;
  for (; p.first < job->count && status == TOI_OK; p.first += p.count) {
    p.count = most < job->count - p.first ? most : job->count - p.first;
    status = run_piece(&p);
  }
  toi_free(context, p.found, found_bytes + 1);
  toi_free(context, p.rows, row_bytes + 1);
  *finished = status == TOI_OK;
  return status;
}
