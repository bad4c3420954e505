/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_collisions: every candidate through the narrow phase, those that are not refuted to the visitor, in order. */

#include <math.h>
#include <string.h>

#include <toi/scene.h>

#include "narrow/mesh.h"
#include "scene/half_spaces.h"
#include "scene/parts.h"
#include "scene/requests.h"

typedef struct collisions {
  toi_mesh_call call;
  toi_parts parts;
  toi_collisions_visitor visit;
  void *user;
} collisions;

/* The point at parameter s of the way from a to b. */
static void between(const double a[3], const double b[3], double s, double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = a[k] + s * (b[k] - a[k]);
}

/* The points that touch first, where they are at the end of the step. */
static void place_at_end(const toi_mesh *mesh, toi_collision *collision) {
  uint32_t vertices[4] = {0};
  double at[4][3] = {{0}};
  if (collision->kind == TOI_VERTEX_HALF_SPACE) {
    // The plane does not move.
    toi_mesh_point(mesh, mesh->end, collision->pair.first, collision->first);
    memcpy(collision->second, collision->hit.point, sizeof collision->second);
    return;
  }
  toi_pair_vertices(collision->kind, mesh, collision->pair, vertices);
  for (size_t i = 0; i < toi_kind_points(collision->kind); i++)
    toi_mesh_point(mesh, mesh->end, vertices[i], at[i]);
  // A method that does not say where gets the first corner.
  double u = isnan(collision->hit.u) ? 0 : collision->hit.u, v = isnan(collision->hit.v) ? 0 : collision->hit.v;
  memcpy(collision->first, at[0], sizeof(at[0]));
  switch (collision->kind) {
  case TOI_VERTEX_FACE:
    for (int k = 0; k < 3; k++)
      collision->second[k] = at[1][k] + u * (at[2][k] - at[1][k]) + v * (at[3][k] - at[1][k]);
    break;
  case TOI_EDGE_EDGE:
    between(at[0], at[1], u, collision->first);
    between(at[2], at[3], v, collision->second);
    break;
  case TOI_VERTEX_EDGE:
    between(at[1], at[2], u, collision->second);
    break;
  default:
    memcpy(collision->second, at[1], sizeof(at[1]));
    break;
  }
}

/* Records of the pairs that are not refuted. */
static toi_status record(const collisions *all, uint32_t thread, toi_join_kind join, const toi_pair *pairs,
                         const toi_hit *hits, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (hits[i].verdict == TOI_MISS)
      continue;
    toi_collision *collision = toi_parts_add(&all->parts, thread, join, pairs[i]);
    if (!collision)
      return TOI_ERROR_MEMORY;
    *collision = (toi_collision){.hit = hits[i], .kind = toi_join_public(join), .pair = pairs[i]};
    place_at_end(&all->call.asked.mesh, collision);
  }
  return TOI_OK;
}

/* Pairs that were not cleared. */
static toi_status answer_pairs(const collisions *all, uint32_t thread, toi_join_kind join, const toi_pair *pairs,
                               size_t count) {
  toi_hit hits[TOI_GATHER_PAIRS];
  toi_status status = TOI_OK;
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += TOI_GATHER_PAIRS) {
    size_t size = count - begin < TOI_GATHER_PAIRS ? count - begin : TOI_GATHER_PAIRS;
    const toi_half_space_pairs some = {thread, pairs + begin, size};
    status = join == TOI_JOIN_VERTEX_HALF_SPACE
                 ? toi_half_spaces_answer(&all->call, all->call.asked.options.t_max, &some, hits)
                 : toi_mesh_call_answer(&all->call, thread, (toi_kind)join, pairs + begin, size, hits);
    if (status == TOI_OK)
      status = record(all, thread, join, pairs + begin, hits, size);
  }
  return status;
}

/* The contact filter first; what it leaves open is answered as soon as there is enough of it. */
static toi_status filter_and_answer(const collisions *all, uint32_t thread, toi_join_kind join, const toi_pair *pairs,
                                    size_t count) {
  toi_pair open[TOI_GATHER_PAIRS + TOI_FILTER_PAIRS];
  size_t left = 0;
  toi_status status = TOI_OK;
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += TOI_FILTER_PAIRS) {
    const size_t size = count - begin < TOI_FILTER_PAIRS ? count - begin : TOI_FILTER_PAIRS;
    left += toi_mesh_call_filter_contacts(&all->call, thread, (toi_kind)join, pairs + begin, size, open + left);
    const size_t whole = begin + size < count ? left - left % TOI_GATHER_PAIRS : left;
    status = answer_pairs(all, thread, join, open, whole);
    left -= whole;
    memmove(open, open + whole, left * sizeof open[0]);
  }
  return status;
}

static toi_status answer_candidates(void *user, uint32_t thread, toi_join_kind join, const toi_pair *pairs,
                                    size_t count) {
  const collisions *all = user;
  return join < TOI_JOIN_EDGE_FACE && toi_mesh_call_has_filter(&all->call, (toi_kind)join)
             ? filter_and_answer(all, thread, join, pairs, count)
             : answer_pairs(all, thread, join, pairs, count);
}

static void count_settled(void *user, toi_join_kind join, const toi_device_counts *counts) {
  const collisions *all = user;
  (void)join;
  toi_mesh_call_count_settled(&all->call, counts);
}

static toi_status visit_records(void *user, const void *records, size_t count) {
  const collisions *all = user;
  const toi_callback callback = toi_callback_begin(all->call.context, 0);
  const toi_status status = all->visit(all->user, records, count);
  toi_callback_end(callback);
  return status;
}

toi_status toi_collisions_of_request(toi_context *context, const toi_mesh_request *request,
                                     toi_collisions_visitor visit, void *user) {
  if (!visit)
    return toi_fail(context, TOI_ERROR_INPUT, "visit is NULL; give a function that takes the collisions");
  collisions all = {.visit = visit, .user = user};
  toi_status status = toi_mesh_call_begin(&all.call, context, request, true);
  if (status != TOI_OK)
    return status;
  if (toi_mesh_call_may_filter(&all.call))
    toi_mesh_call_make_floats(&all.call);
  all.parts = (toi_parts){.context = context,
                          .run = toi_mesh_call_run,
                          .run_user = &all.call,
                          .record_size = sizeof(toi_collision),
                          .visit = visit_records,
                          .visit_user = &all};
  status = toi_broad_ask(context, &all.call.asked, request->options.t_max, &all.parts.question);
  all.parts.question.consume = answer_candidates;
  all.parts.question.user = &all;
  all.parts.question.settled = count_settled;
  toi_mesh_call_offer_floats(&all.call, &all.parts.question);
  if (status == TOI_OK)
    status = toi_parts_run(&all.parts);
  if (status == TOI_OK && request->on_mesh.work)
    *request->on_mesh.work = all.parts.work;
  toi_mesh_call_end(&all.call);
  return status;
}

static TOI_APART toi_status find_all(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                     toi_collisions_visitor visit, void *user) {
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_collisions_of_request(context, &request, visit, user));
}

toi_status toi_collisions(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                          toi_collisions_visitor visit, void *user) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = find_all(context, mesh, options, visit, user);
  toi_call_end(&call);
  return status;
}
