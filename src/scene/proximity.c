/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs that are close at one instant.
 *
 * Claim: a pair is given if and only if its distance is at most D, the largest double that rounding down makes of
 * `distance` and the two thicknesses. Why: the boxes of its primitives, each grown outward by half of `distance`,
 * rounded up, and by its thickness, then overlap, since on no axis are the two farther apart than D; so it is a
 * candidate. Its distance is bounded from both sides, and where D lies between the bounds, the rational number that its
 * square (or itself, in the maximum norm) is decides, in integers. */

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/distance.h"
#include "narrow/mesh.h"
#include "number/interval.h"
#include "scene/mesh_call.h"
#include "scene/parts.h"

#include <toi/scene.h>

typedef struct proximity {
  toi_mesh_call call;
  toi_parts parts;
  double distance;
  toi_norm norm;
  toi_proximity_visitor visit;
  void *user;
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

/* The distance of a pair, and whether it is at most D. */
static toi_status measure(const toi_instant *instant, double reach, toi_distance *distance, bool *close) {
  toi_status status = toi_instant_distance(instant, distance);
  *close = distance->hi <= reach;
  if (status != TOI_OK || *close || distance->lo > reach)
    return status;
  int order = 1;
  status = toi_instant_compare(instant, reach, &order);
  *close = order <= 0;
  return status;
}

/* Measures pairs that no plane cleared, and records those that are close. */
static toi_status record_close(const proximity *p, uint32_t thread, toi_kind kind, const toi_pair *pairs,
                               size_t count) {
  double points[12];
  toi_instant instant = {kind, points, p->norm, p->parts.context, thread};
  for (size_t i = 0; i < count; i++) {
    uint32_t vertices[4] = {0};
    toi_pair_vertices(kind, &p->call.asked.mesh, pairs[i], vertices);
    for (size_t k = 0; k < toi_kind_points(kind); k++)
      toi_mesh_point(&p->call.asked.mesh, p->call.asked.mesh.start, vertices[k], points + 3 * k);
    toi_distance distance;
    bool close;
    toi_status status = measure(&instant, reach_of(p, kind, pairs[i]), &distance, &close);
    if (status != TOI_OK)
      return status;
    if (!close)
      continue;
    toi_proximal *own = toi_parts_add(&p->parts, thread, (toi_join_kind)kind, pairs[i]);
    if (!own)
      return TOI_ERROR_MEMORY;
    memset(own, 0, sizeof(*own));
    own->distance = distance;
    own->kind = kind;
    own->pair = pairs[i];
  }
  return TOI_OK;
}

static toi_status keep_close(void *user, uint32_t thread, toi_join_kind join, const toi_pair *pairs, size_t count) {
  const proximity *p = user;
  const toi_plane_question question = {.separation = p->distance, .norm = p->norm};
  toi_pair open[TOI_FILTER_PAIRS];
  toi_status status = TOI_OK;
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += TOI_FILTER_PAIRS) {
    const size_t size = count - begin < TOI_FILTER_PAIRS ? count - begin : TOI_FILTER_PAIRS;
    const size_t left = toi_mesh_call_filter(&p->call, thread, (toi_kind)join, &question, pairs + begin, size, open);
    status = record_close(p, thread, (toi_kind)join, open, left);
  }
  return status;
}

static toi_status visit_close(void *user, const void *records, size_t count) {
  const proximity *p = user;
  const toi_callback callback = toi_callback_begin(p->call.context, 0);
  const toi_status status = p->visit(p->user, records, count);
  toi_callback_end(callback);
  return status;
}

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
                         .run = toi_broad_run,
                         .question = {.mesh = &p->call.asked.mesh,
                                      .options = &p->call.asked.on_mesh,
                                      .radius = half_up(p->distance),
                                      .kinds = (1u << TOI_KIND_COUNT) - 1,
                                      .consume = keep_close,
                                      .user = p},
                         .record_size = sizeof(toi_proximal),
                         .visit = visit_close,
                         .visit_user = p};
  status = toi_parts_run(&p->parts);
  toi_work *work = request->on_mesh.work;
  if (work) {
    *work = p->parts.work;
    memset(work->hits, 0, sizeof(work->hits));
  }
  toi_mesh_call_end(&p->call);
  return status;
}

static TOI_APART toi_status take_and_find(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                          proximity *p) {
  toi_mesh_request request;
  toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  if (status != TOI_OK)
    return status;
  if (!p->visit)
    return toi_fail(context, TOI_ERROR_INPUT, "visit is NULL; give a function that takes the pairs");
  if (!(p->distance >= 0) || isinf(p->distance))
    return toi_fail(context, TOI_ERROR_INPUT, "distance is %g; it must be finite and not negative", p->distance);
  return toi_mesh_request_end(&request, find_close(context, &request, p));
}

toi_status toi_proximity(toi_context *context, const toi_mesh *mesh, double distance, const toi_options *options,
                         toi_proximity_visitor visit, void *user) {
  proximity p = {.distance = distance, .visit = visit, .user = user};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = take_and_find(context, mesh, options, &p);
  toi_call_end(&call);
  return status;
}
