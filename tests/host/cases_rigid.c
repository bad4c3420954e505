/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* rigid.h: pairs of turning bodies, single queries and batches by both methods. */

#include "host/cases.h"

#include <string.h>

static const char *const methods[] = {"certified", "exact"};
enum { METHODS = 2, FEW = 6 };

static toi_options options_of(host_run *run, size_t way) {
  toi_options options;
  HOST_DO(run, toi_options_init, (&options, sizeof options));
  options.method = methods[way % METHODS];
  return options;
}

static bool are_safe(const toi_hit *hits, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (hits[i].verdict != TOI_NEAR || hits[i].t_lo != 0 || hits[i].t_safe != 0)
      return false;
  return true;
}

/* One body turns about two axes, the other moves. */
static toi_moving_pair *make(host_run *run) {
  const bool turns = run->input != HOST_RESTING;
  toi_moving_body bodies[2];
  for (size_t i = 0; i < 2; i++)
    HOST_DO(run, toi_moving_body_init, (&bodies[i], sizeof bodies[i]));
  for (int k = 0; k < 4 && turns; k++)
    bodies[0].end.quaternion[k] = host_number(run->input == HOST_REFUSED ? HOST_ORDINARY : run->input, 3 + 5 * k);
  host_point(run->input, (const int[]){117, -30, 7}, bodies[1].start.position);
  host_point(run->input, turns ? (const int[]){-11, 3, 140} : (const int[]){117, -30, 7}, bodies[1].end.position);
  toi_moving_pair *pair = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_moving_pair_create, (run->context, &bodies[0], &bodies[1], &pair));
  if (host_context_status(run, status))
    return pair;
  HOST_CHECK(run, pair == NULL);
  return NULL;
}

/* A body that goes between two poses by a law, its start and end of the input's size. */
static toi_moving_body body_of(host_run *run, toi_law law) {
  toi_moving_body body;
  HOST_DO(run, toi_moving_body_init, (&body, sizeof body));
  for (int k = 0; k < 4; k++)
    body.end.quaternion[k] = host_number(run->input == HOST_REFUSED ? HOST_ORDINARY : run->input, 3 + 5 * k);
  host_point(run->input, (const int[]){117, -30, 7}, body.start.position);
  host_point(run->input, (const int[]){-11, 3, 140}, body.end.position);
  body.law = law;
  return body;
}

static void body_at(host_run *run) {
  for (int law = TOI_LAW_NLERP; law <= TOI_LAW_SCREW; law++) {
    const toi_moving_body body = body_of(run, (toi_law)law);
    toi_pose pose;
    HOST_SPOIL(pose);
    toi_status status;
    HOST_CALL(run, status, toi_moving_body_at, (&body, 0.3, &pose));
    host_status(run, status);
    HOST_BITS(run, pose);
  }
}

/* A chain of two links, and a pair of which one body follows it. */
static void follow(host_run *run) {
  toi_motion *motion = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_motion_create, (run->context, &motion));
  if (!host_context_status(run, status))
    return;
  for (int law = TOI_LAW_NLERP; law <= TOI_LAW_SCREW; law++) {
    const toi_moving_body body = body_of(run, (toi_law)law);
    HOST_CALL(run, status, toi_motion_poses, (motion, &body));
    host_context_status(run, status);
  }
  toi_moving_body bodies[2];
  for (size_t i = 0; i < 2; i++)
    HOST_DO(run, toi_moving_body_init, (&bodies[i], sizeof bodies[i]));
  bodies[0].law = TOI_LAW_MOTION;
  bodies[0].motion = motion;
  toi_moving_pair *pair = host_nowhere();
  HOST_CALL(run, status, toi_moving_pair_create, (run->context, &bodies[0], &bodies[1], &pair));
  if (!host_context_status(run, status))
    pair = NULL;
  for (size_t i = 0; i < FEW && pair != NULL; i++) {
    const toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    const double(*points)[3] = (const double(*)[3])(const void *)host_queries(run->input, kind);
    const toi_options options = options_of(run, 0);
    toi_hit hit;
    HOST_SPOIL(hit);
    HOST_CALL(run, status, toi_moving_pair_query, (pair, kind, points, &options, &hit));
    if (!host_status(run, status))
      HOST_CHECK(run, are_safe(&hit, 1));
    host_bits(run, "hit", &hit, sizeof hit);
  }
  HOST_DO(run, toi_moving_pair_destroy, (pair));
  HOST_DO(run, toi_motion_destroy, (motion));
}

static void create(host_run *run) {
  toi_moving_pair *pair = make(run);
  HOST_DO(run, toi_moving_pair_destroy, (pair));
}

static void query(host_run *run) {
  toi_moving_pair *pair = make(run);
  for (size_t i = 0; i < FEW && pair != NULL; i++) {
    const toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    const double(*points)[3] = (const double(*)[3])(const void *)host_queries(run->input, kind);
    const toi_options options = options_of(run, i);
    toi_hit hit;
    HOST_SPOIL(hit);
    toi_status status;
    HOST_CALL(run, status, toi_moving_pair_query, (pair, kind, points, &options, &hit));
    if (!host_status(run, status))
      HOST_CHECK(run, are_safe(&hit, 1));
    host_bits(run, "hit", &hit, sizeof hit);
  }
  HOST_DO(run, toi_moving_pair_destroy, (pair));
}

static void record(host_run *run, toi_status status, const toi_hit *hits, size_t count) {
  if (!host_context_status(run, status))
    HOST_CHECK(run, are_safe(hits, count));
  host_bits(run, "hits", hits, count * sizeof *hits);
}

static void batch(host_run *run) {
  toi_moving_pair *pair = make(run);
  for (size_t way = 0; way < 2 * METHODS && pair != NULL; way++) {
    const toi_kind kind = way < METHODS ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
    const toi_options options = options_of(run, way);
    toi_hit hits[FEW];
    HOST_SPOIL(hits);
    toi_status status;
    HOST_CALL(run, status, toi_moving_pair_batch, (pair, kind, host_queries(run->input, kind), FEW, &options, hits));
    record(run, status, hits, FEW);
  }
  HOST_DO(run, toi_moving_pair_destroy, (pair));
}

static void batch_indexed(host_run *run) {
  const host_mesh *data = host_mesh_of(run->input);
  const toi_mesh *const meshes[2] = {&data->mesh, &data->mesh};
  toi_moving_pair *pair = make(run);
  for (size_t way = 0; way < METHODS && pair != NULL; way++) {
    const toi_options options = options_of(run, way);
    toi_hit hits[FEW];
    HOST_SPOIL(hits);
    toi_status status;
    HOST_CALL(run, status, toi_moving_pair_batch_indexed,
              (pair, TOI_VERTEX_FACE, meshes, data->pairs, FEW, &options, hits));
    record(run, status, hits, FEW);
  }
  HOST_DO(run, toi_moving_pair_destroy, (pair));
}

const host_case host_rigid_cases[] = {{"toi_moving_pair_create", create, HOST_FIGURES},
                                      {"toi_moving_pair_query", query, HOST_FIGURES},
                                      {"toi_moving_pair_batch", batch, HOST_FIGURES},
                                      {"toi_moving_pair_batch_indexed", batch_indexed, HOST_FIGURES},
                                      {"toi_moving_body_at", body_at, HOST_FIGURES},
                                      {"toi_motion_poses", follow, HOST_FIGURES},
                                      {NULL, NULL, 0}};
