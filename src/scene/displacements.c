/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How far each vertex may move, whatever the others do.
 *
 * Let d_i be the distance of pair i, T_i its minimum distance with its thicknesses, and s_i = max(0, d_i - T_i) / 2.
 *
 * Claim 1: r_v is the largest double that is not above s_i for any pair i that contains v, and at most `radius`. Why:
 * rounding down is monotone, so the least of the rounded s_i is the least s_i, rounded. A pair that is not met by the
 * boxes, grown for D = 2 radius + d_min, rounded up, or that a plane clears, is farther apart than D and the
 * thicknesses together (plane_filter.h), and so s_i > radius.
 *
 * Claim 2: displacements u_v with |u_v| < r_v or u_v = 0, in the Euclidean norm, keep every pair with d_i > T_i farther
 * apart than T_i. Why: docs/guarantees.md.
 *
 * Bounds of distances in doubles give bounds lo <= s_i <= hi. most[v] is the least hi so far, not below r_v: only pairs
 * with lo <= most[v] for one of their vertices can be the least one of it, and are rounded exactly. The pair that is
 * the least one of v always is: lo <= r_v <= most[v]. A minimum does not depend on the order, and so not on threads. */

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/distance.h"
#include "narrow/distance_kernel.h"
#include "narrow/mesh.h"
#include "number/interval.h"
#include "scene/half_spaces.h"
#include "scene/requests.h"

#include <toi/scene.h>

/* Larger ones have no finite sum with thicknesses. */
#define FARTHEST 0x1p1020

/* Doubles that are not negative, as their bits: ordered alike. */
typedef _Atomic uint64_t least_double;

typedef struct displacing {
  toi_mesh_call call;
  toi_safe_question asked;
  double reach;               /* D */
  least_double *most, *exact; /* of each vertex */
} displacing;

static void lower(least_double *least, double x) {
  const uint64_t bits = toi_bits(x);
  uint64_t now = atomic_load_explicit(least, memory_order_relaxed);
  bool lowered = false;
  while (bits < now && !lowered)
    lowered = atomic_compare_exchange_weak_explicit(least, &now, bits, memory_order_relaxed, memory_order_relaxed);
}

static double read(const least_double *least) {
  return toi_from_bits(atomic_load_explicit(least, memory_order_relaxed));
}

/* --- pairs --- */

/* Some pairs of one kind that no plane cleared. */
typedef struct open_pairs {
  toi_pair_instants at;
  const toi_pair *pairs;
  size_t count;
} open_pairs;

/* T of a pair. */
static double separation_of(const displacing *d, toi_kind kind, toi_pair pair) {
  const toi_mesh *mesh = &d->call.asked.mesh;
  const double thickness = toi_mesh_is_thick(mesh) ? toi_pair_thickness(kind, mesh, pair) : 0;
  return toi_sum_down(d->asked.min_distance, thickness);
}

/* Whether the pair may be the least one of a vertex, whose s is not below `lo`. */
static bool may_be_least(const displacing *d, const uint32_t *vertices, size_t count, double lo) {
  for (size_t i = 0; i < count; i++)
    if (lo <= read(&d->most[vertices[i]]))
      return true;
  return false;
}

static toi_status limit_exactly(const displacing *d, const open_pairs *open, size_t number, const uint32_t *vertices) {
  const toi_kind kind = open->at.kind;
  double points[12], s;
  toi_pair_points(&open->at, open->pairs[number], points);
  const toi_instant instant = {kind, points, open->at.norm, open->at.context, open->at.thread};
  const toi_share half = {.factor = 0.5, .base = separation_of(d, kind, open->pairs[number])};
  const toi_status status = toi_instant_share(&instant, &half, &s);
  for (size_t i = 0; status == TOI_OK && i < toi_kind_points(kind); i++)
    lower(&d->exact[vertices[i]], s);
  return status;
}

/* Half of x, which is not negative, from below and from above: exact but for the smallest numbers. */
static double half_down(double x) {
  return x > 0x1p-1000 ? 0.5 * x : 0;
}

static double half_up(double x) {
  return x > 0x1p-1000 ? 0.5 * x : x;
}

/* At most TOI_DISTANCE_PAIRS: first all upper bounds, then those that can still be the least. */
static toi_status limit_some(const displacing *d, const open_pairs *open) {
  toi_distance distances[TOI_DISTANCE_PAIRS];
  double lo[TOI_DISTANCE_PAIRS];
  uint32_t vertices[TOI_DISTANCE_PAIRS][4] = {{0}};
  const toi_kind kind = open->at.kind;
  const size_t points = toi_kind_points(kind);
  toi_status status = toi_pair_distances(&open->at, open->pairs, open->count, distances, sizeof distances[0]);
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; i < open->count; i++) {
    const double t = separation_of(d, kind, open->pairs[i]);
    const double hi = distances[i].hi > t ? half_up(toi_sum_up(distances[i].hi, -t)) : 0;
    lo[i] = distances[i].lo > t ? half_down(toi_sum_down(distances[i].lo, -t)) : 0;
    toi_pair_vertices(kind, &d->call.asked.mesh, open->pairs[i], vertices[i]);
    for (size_t k = 0; k < points; k++)
      lower(&d->most[vertices[i][k]], hi);
  }
  for (size_t i = 0; i < open->count && status == TOI_OK; i++)
    if (may_be_least(d, vertices[i], points, lo[i]))
      status = limit_exactly(d, open, i, vertices[i]);
  return status;
}

/* Half-spaces do not move, so that the whole of what lies beyond T is the vertex' own. */
static toi_status limit_half_spaces(const displacing *d, uint32_t thread, const toi_pair *pairs, size_t count) {
  const toi_mesh *mesh = &d->call.asked.mesh;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const toi_half_space_query query = toi_half_space_query_of(d->call.context, thread, mesh, pairs[i]);
    const double thickness = toi_mesh_is_thick(mesh) ? toi_mesh_thickness(mesh, pairs[i].first) : 0;
    const toi_share beyond = {.factor = 1, .base = toi_sum_down(d->asked.min_distance, thickness)};
    double s = 0;
    status = toi_half_space_share(&query, d->call.asked.options.norm, &beyond, &s);
    if (status == TOI_OK)
      lower(&d->exact[pairs[i].first], s);
  }
  return status;
}

static toi_status limit_pairs(void *user, uint32_t thread, toi_join_kind join, const toi_pair *pairs, size_t count) {
  const displacing *d = user;
  const toi_kind kind = (toi_kind)join;
  const toi_norm norm = d->call.asked.options.norm;
  const toi_plane_question question = {.separation = d->reach, .norm = norm};
  toi_pair uncleared[TOI_FILTER_PAIRS];
  toi_status status = TOI_OK;
  if (join == TOI_JOIN_VERTEX_HALF_SPACE)
    return limit_half_spaces(d, thread, pairs, count);
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += TOI_FILTER_PAIRS) {
    const size_t size = count - begin < TOI_FILTER_PAIRS ? count - begin : TOI_FILTER_PAIRS;
    const size_t left = toi_mesh_call_filter(&d->call, thread, kind, &question, pairs + begin, size, uncleared);
    for (size_t at = 0; at < left && status == TOI_OK; at += TOI_DISTANCE_PAIRS) {
      const open_pairs open = {.at = {toi_mesh_call_points(&d->call), kind, norm, d->call.context, thread},
                               .pairs = uncleared + at,
                               .count = left - at < TOI_DISTANCE_PAIRS ? left - at : TOI_DISTANCE_PAIRS};
      status = limit_some(d, &open);
    }
  }
  return status;
}

/* --- the call --- */

static toi_status check(toi_context *context, const toi_safe_question *asked, size_t vertex_count) {
  const double given[2] = {asked->min_distance, asked->radius};
  for (int i = 0; i < 2; i++)
    if (!(given[i] >= 0 && given[i] <= FARTHEST))
      return toi_fail(context, TOI_ERROR_INPUT, "%s is %g; it must not be negative, and at most 2^1020",
                      i ? "radius" : "min_distance", given[i]);
  if (!asked->displacements && vertex_count > 0)
    return toi_fail(context, TOI_ERROR_INPUT, "displacements is NULL; give a place for one number per vertex");
  return TOI_OK;
}

/* Everything is there but memory for the vertices. */
static toi_status find(displacing *d) {
  toi_context *context = d->call.context;
  const toi_mesh *mesh = &d->call.asked.mesh;
  const size_t count = mesh->vertex_count, size = 2 * count * sizeof(least_double);
  d->most = toi_allocate(context, size + 1);
  if (!d->most)
    return TOI_ERROR_MEMORY;
  d->exact = d->most + count;
  for (size_t i = 0; i < 2 * count; i++)
    atomic_init(&d->most[i], toi_bits(d->asked.radius));
  d->reach = toi_sum_up(2 * d->asked.radius, d->asked.min_distance);
  const toi_broad_question question = {.mesh = mesh,
                                       .options = &d->call.asked.on_mesh,
                                       .radius = toi_next_up(d->reach / 2),
                                       .kinds = d->call.asked.kinds,
                                       .every = d->call.asked.every,
                                       .done_share = 1,
                                       .first_end = UINT32_MAX,
                                       .consume = limit_pairs,
                                       .user = d};
  const toi_status status = toi_mesh_call_run(&d->call, &question);
  for (size_t i = 0; i < count; i++)
    d->asked.displacements[i] = status == TOI_OK ? read(&d->exact[i]) : 0;
  toi_free(context, d->most, size + 1);
  return status;
}

toi_status toi_safe_displacements_of_request(toi_context *context, const toi_mesh_request *request,
                                             const toi_safe_question *asked) {
  displacing d = {.asked = *asked};
  toi_status status = check(context, asked, request->mesh.vertex_count);
  if (status == TOI_OK)
    status = toi_mesh_call_begin(&d.call, context, request, false);
  if (status != TOI_OK)
    return status;
  // An end of -0.0 has other bits than 0.
  d.asked.radius = fabs(asked->radius);
  if (request->mesh.vertex_count > 0)
    memset(asked->displacements, 0, request->mesh.vertex_count * sizeof(double));
  status = find(&d);
  toi_mesh_call_end(&d.call);
  return status;
}

/* The question is read from memory: see toi_float_mode_enter(). */
static TOI_APART toi_status take_and_find(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                          const toi_safe_question *asked) {
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_safe_displacements_of_request(context, &request, asked));
}

toi_status toi_safe_displacements(toi_context *context, const toi_mesh *mesh, double min_distance, double radius,
                                  const toi_options *options, double *displacements) {
  const toi_safe_question asked = {min_distance, radius, displacements};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = take_and_find(context, mesh, options, &asked);
  toi_call_end(&call);
  return status;
}
