/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs that are close at one instant.
 *
 * Claim: a pair is given if and only if its distance is at most D, the largest double that rounding down makes of
 * `distance` and the two thicknesses. Why: the boxes of its primitives, each grown outward by half of `distance`,
 * rounded up, and by its thickness, then overlap, since on no axis are the two farther apart than D; so it is a
 * candidate. Its distance is bounded from both sides, and where D lies between the bounds, the rational number that its
 * square (or itself, in the maximum norm) is decides, in integers.
 *
 * Planes clear most candidates on the way (plane_filter.h). The pairs that are left are noted, sorted, and measured
 * when it is their turn: no record waits in memory. */

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/distance.h"
#include "narrow/distance_kernel.h"
#include "narrow/mesh.h"
#include "number/interval.h"
#include "scene/half_spaces.h"
#include "scene/parts.h"
#include "scene/requests.h"

#include <toi/scene.h>

/* Pairs that are measured at a time, on all threads, before the caller sees those that are close. */
#define MEASURED_PAIRS 512

typedef struct proximity {
  toi_mesh_call call;
  toi_parts parts;
  double distance;
  toi_norm norm;
  toi_proximity_visitor visit;
  void *user;
  toi_proximal *records; /* MEASURED_PAIRS of them */
} proximity;

/* D of a pair. */
static double reach_of(const proximity *p, toi_kind kind, toi_pair pair) {
  if (!toi_mesh_is_thick(&p->call.asked.mesh))
    return p->distance;
  double first = toi_thickness_of(&p->call.asked.mesh,
                                  kind == TOI_EDGE_EDGE ? TOI_PRIMITIVE_EDGE : TOI_PRIMITIVE_VERTEX, pair.first);
  toi_primitive other = kind == TOI_VERTEX_FACE     ? TOI_PRIMITIVE_FACE
                        : kind == TOI_VERTEX_VERTEX ? TOI_PRIMITIVE_VERTEX
                                                    : TOI_PRIMITIVE_EDGE;
  return toi_sum_down(toi_sum_down(p->distance, first), toi_thickness_of(&p->call.asked.mesh, other, pair.second));
}

/* Whether the distance of a pair is at most D. */
static toi_status decide(const toi_pair_instants *at, toi_pair pair, double reach, const toi_distance *distance,
                         bool *close) {
  *close = distance->hi <= reach;
  if (*close || distance->lo > reach)
    return TOI_OK;
  double points[12];
  int order = 1;
  toi_pair_points(at, pair, points);
  const toi_instant instant = {at->kind, points, at->norm, at->context, at->thread};
  const toi_status status = toi_instant_compare(&instant, reach, &order);
  *close = order <= 0;
  return status;
}

/* Who gets the pairs. */
typedef struct visitor {
  toi_proximity_visitor visit;
  void *user;
} visitor;

/* --- which pairs: planes clear the others --- */

/* Of this many pairs the filter tells whether most are close, so that measuring the rest at once takes less time. */
#define PROBE 64

static toi_status note_filtered(const proximity *p, uint32_t thread, toi_join_kind join, const toi_pair *pairs,
                                size_t count) {
  const toi_plane_question question = {.separation = p->distance, .norm = p->norm};
  toi_pair open[TOI_FILTER_PAIRS];
  const size_t probe = count < PROBE ? count : PROBE, rest = count - probe;
  size_t left = toi_mesh_call_filter(&p->call, thread, (toi_kind)join, &question, pairs, probe, open);
  bool noted = toi_parts_note(&p->parts, thread, join, open, left);
  if (noted && 4 * left >= 3 * PROBE) {
    noted = toi_parts_note(&p->parts, thread, join, pairs + probe, rest);
  } else if (noted && rest > 0) {
    left = toi_mesh_call_filter(&p->call, thread, (toi_kind)join, &question, pairs + probe, rest, open);
    noted = toi_parts_note(&p->parts, thread, join, open, left);
  }
  return noted ? TOI_OK : TOI_ERROR_MEMORY;
}

static toi_status note_uncleared(void *user, uint32_t thread, toi_join_kind join, const toi_pair *pairs, size_t count) {
  const proximity *p = user;
  if (join == TOI_JOIN_VERTEX_HALF_SPACE)
    return toi_parts_note(&p->parts, thread, join, pairs, count) ? TOI_OK : TOI_ERROR_MEMORY;
  toi_status status = TOI_OK;
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += TOI_FILTER_PAIRS) {
    const size_t size = count - begin < TOI_FILTER_PAIRS ? count - begin : TOI_FILTER_PAIRS;
    status = note_filtered(p, thread, join, pairs + begin, size);
  }
  return status;
}

/* --- in order: the distances of those that are left --- */

/* Pairs of one kind, their records, and whether they are close. */
typedef struct measuring {
  const proximity *p;
  const toi_part_pair *pairs;
  toi_proximal *records;
  bool *close;
} measuring;

/* A run of pairs of one kind, at most TOI_DISTANCE_PAIRS. */
static toi_status measure_run(const measuring *job, uint32_t thread, size_t begin, size_t count) {
  const proximity *p = job->p;
  const toi_kind kind = (toi_kind)job->pairs[begin].kind;
  const toi_pair_instants at = {toi_mesh_call_points(&p->call), kind, p->norm, p->call.context, thread};
  toi_proximal *records = job->records + begin;
  toi_pair pairs[TOI_DISTANCE_PAIRS];
  for (size_t i = 0; i < count; i++)
    pairs[i] = job->pairs[begin + i].pair;
  toi_status status = toi_pair_distances(&at, pairs, count, &records[0].distance, sizeof *records);
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    records[i].kind = kind;
    records[i].pair = pairs[i];
    memset(records[i].reserved, 0, sizeof records[i].reserved);
    status = decide(&at, pairs[i], reach_of(p, kind, pairs[i]), &records[i].distance, &job->close[begin + i]);
  }
  return status;
}

/* The same of vertices and half-spaces. */
static toi_status measure_half_spaces(const measuring *job, uint32_t thread, size_t begin, size_t count) {
  const proximity *p = job->p;
  toi_status status = TOI_OK;
  for (size_t i = begin; i < begin + count && status == TOI_OK; i++) {
    toi_proximal *record = &job->records[i];
    *record = (toi_proximal){.kind = TOI_VERTEX_HALF_SPACE, .pair = job->pairs[i].pair};
    status = toi_half_space_close(&p->call, thread, record->pair, p->distance, &record->distance, &job->close[i]);
  }
  return status;
}

static toi_status measure_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const measuring *job = user;
  toi_status status = TOI_OK;
  while (begin < end && status == TOI_OK) {
    size_t count = 1;
    while (count < TOI_DISTANCE_PAIRS && begin + count < end &&
           job->pairs[begin + count].kind == job->pairs[begin].kind)
      count++;
    status = job->pairs[begin].kind == TOI_JOIN_VERTEX_HALF_SPACE ? measure_half_spaces(job, thread, begin, count)
                                                                  : measure_run(job, thread, begin, count);
    begin += count;
  }
  return status;
}

/* Pairs in order: those that are close go to the caller. */
static toi_status visit_close(void *user, const void *noted, size_t count) {
  const proximity *p = user;
  toi_status status = TOI_OK;
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += MEASURED_PAIRS) {
    const size_t size = count - begin < MEASURED_PAIRS ? count - begin : MEASURED_PAIRS;
    bool close[MEASURED_PAIRS] = {false};
    measuring job = {p, (const toi_part_pair *)noted + begin, p->records, close};
    status = toi_parallel(p->call.context, size, TOI_DISTANCE_PAIRS, measure_task, &job);
    size_t kept = 0;
    // cppcheck-suppress knownConditionTrueFalse // begin < count
    for (size_t i = 0; i < size && status == TOI_OK; i++) {
      if (close[i] && kept < i)
        p->records[kept] = p->records[i];
      kept += close[i];
    }
    if (status != TOI_OK || kept == 0)
      continue;
    const toi_callback callback = toi_callback_begin(p->call.context, 0);
    status = p->visit(p->user, p->records, kept);
    toi_callback_end(callback);
  }
  return status;
}

/* --- the call --- */

/* Half of it, rounded up: only a subnormal number loses its last bit. */
static double half_up(double distance) {
  double half = distance / 2;
  return 2 * half < distance ? toi_next_up(half) : half;
}

/* What the caller gave is taken; p holds distance and visitor. */
static toi_status find_close(toi_context *context, const toi_mesh_request *request, proximity *p) {
  toi_status status = toi_mesh_call_begin(&p->call, context, request, false);
  if (status != TOI_OK)
    return status;
  p->norm = request->options.norm;
  p->parts = (toi_parts){.context = context,
                         .run = toi_mesh_call_run,
                         .run_user = &p->call,
                         .question = {.mesh = &p->call.asked.mesh,
                                      .options = &p->call.asked.on_mesh,
                                      .radius = half_up(p->distance),
                                      .kinds = p->call.asked.kinds,
                                      .every = p->call.asked.every,
                                      .consume = note_uncleared,
                                      .user = p},
                         .visit = visit_close,
                         .visit_user = p};
  p->records = toi_allocate(context, MEASURED_PAIRS * sizeof(toi_proximal));
  status = p->records ? toi_parts_run(&p->parts) : TOI_ERROR_MEMORY;
  toi_free(context, p->records, MEASURED_PAIRS * sizeof(toi_proximal));
  toi_work *work = request->on_mesh.work;
  if (work) {
    *work = p->parts.work;
    memset(work->hits, 0, sizeof(work->hits));
  }
  toi_mesh_call_end(&p->call);
  return status;
}

toi_status toi_proximity_of_request(toi_context *context, const toi_mesh_request *request, double distance,
                                    toi_proximity_visitor visit, void *user) {
  proximity p = {.distance = distance, .visit = visit, .user = user};
  if (!visit)
    return toi_fail(context, TOI_ERROR_INPUT, "visit is NULL; give a function that takes the pairs");
  if (!(distance >= 0) || isinf(distance))
    return toi_fail(context, TOI_ERROR_INPUT, "distance is %g; it must be finite and not negative", distance);
  return find_close(context, request, &p);
}

/* The distance is read from memory: see toi_float_mode_enter(). */
static TOI_APART toi_status take_and_find(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                          const double *distance, const visitor *to) {
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_proximity_of_request(context, &request, *distance, to->visit, to->user));
}

toi_status toi_proximity(toi_context *context, const toi_mesh *mesh, double distance, const toi_options *options,
                         toi_proximity_visitor visit, void *user) {
  const visitor to = {visit, user};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = take_and_find(context, mesh, options, &distance, &to);
  toi_call_end(&call);
  return status;
}
