/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes that are kept, of scene.h: every call, again and again, so that some are answered from the lists of near
 * pairs. */

#include "host/cases.h"

/* What visitors received, whatever the order. */
typedef struct received {
  host_run *run;
  uint64_t sum;
  size_t count;
} received;

static toi_status receive_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  for (size_t i = 0; i < count; i++)
    host_sum(&all->sum, (const uint32_t[]){(uint32_t)kind, pairs[i].first, pairs[i].second}, 3 * sizeof(uint32_t));
  all->count += count;
  return TOI_OK;
}

static toi_status receive_collisions(void *user, const toi_collision *collisions, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  for (size_t i = 0; i < count; i++)
    host_bits(all->run, "hit", &collisions[i].hit, sizeof collisions[i].hit);
  all->count += count;
  return TOI_OK;
}

static toi_status receive_proximal(void *user, const toi_proximal *pairs, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  for (size_t i = 0; i < count; i++)
    host_bits(all->run, "distance", &pairs[i].distance, sizeof pairs[i].distance);
  all->count += count;
  return TOI_OK;
}

static toi_status receive_stencils(void *user, const toi_stencil *stencils, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  for (size_t i = 0; i < count; i++)
    host_sum(&all->sum, &stencils[i], sizeof stencils[i]);
  all->count += count;
  return TOI_OK;
}

static toi_status receive_crossings(void *user, const toi_crossing *crossings, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  host_bits(all->run, "crossings", crossings, count * sizeof *crossings);
  all->count += count;
  return TOI_OK;
}

static bool may_collide(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  host_called(user, HOST_TAKES_PART);
  return (first * 7 + second * 5 + (uint32_t)kind) % 17 != 0;
}

/* A question to the scene. */
typedef struct question {
  toi_scene *scene;
  toi_positions at;
  toi_mesh_options on_mesh;
  toi_options options;
} question;

static void ask_one_instant(host_run *run, const question *q) {
  received all = {.run = run};
  toi_status status;
  HOST_CALL(run, status, toi_scene_proximity,
            (run->context, q->scene, &q->at, host_number(run->input, 60), &q->options, receive_proximal, &all));
  host_context_status(run, status);
  HOST_CALL(run, status, toi_scene_stencils,
            (run->context, q->scene, &q->at, host_number(run->input, 60), &q->options, NULL, receive_stencils, &all));
  if (host_context_status(run, status))
    HOST_BITS(run, all.sum);
  double displacements[128] = {0};
  HOST_CHECK(run, q->at.vertex_count <= 128);
  HOST_CALL(run, status, toi_scene_safe_displacements,
            (run->context, q->scene, &q->at, host_number(run->input, 5), host_number(run->input, 30), &q->options,
             displacements));
  if (!host_context_status(run, status))
    HOST_CHECK(run, displacements[0] == 0);
  HOST_BITS(run, displacements);
  toi_intersection intersection;
  HOST_SPOIL(intersection);
  HOST_CALL(run, status, toi_scene_intersects, (run->context, q->scene, &q->at, &q->options, &intersection));
  if (!host_context_status(run, status))
    HOST_CHECK(run, intersection.found != 0);
  HOST_BITS(run, intersection.found);
  HOST_CALL(run, status, toi_scene_crossings, (run->context, q->scene, &q->at, &q->options, receive_crossings, &all));
  host_context_status(run, status);
  HOST_BITS(run, all.count);
}

static void ask_step(host_run *run, const question *q) {
  received all = {.run = run};
  toi_impact impact;
  toi_advance advance;
  double placed[128][3];
  HOST_SPOIL(impact);
  HOST_SPOIL(advance);
  toi_status status;
  HOST_CALL(run, status, toi_scene_step, (run->context, q->scene, &q->at, &q->options, &impact));
  if (!host_context_status(run, status))
    HOST_CHECK(run, impact.hit.verdict == TOI_NEAR && impact.hit.t_safe == 0);
  host_bits(run, "hit", &impact.hit, sizeof impact.hit);
  HOST_CALL(run, status, toi_scene_line_search, (run->context, q->scene, &q->at, &q->options, placed, &advance));
  if (host_context_status(run, status))
    host_bits(run, "placed", placed, q->at.vertex_count * sizeof placed[0]);
  else
    HOST_CHECK(run, advance.step == 0);
  HOST_BITS(run, advance.step);
  HOST_CALL(run, status, toi_scene_collisions, (run->context, q->scene, &q->at, &q->options, receive_collisions, &all));
  host_context_status(run, status);
  HOST_CALL(run, status, toi_scene_candidates, (run->context, q->scene, &q->at, &q->options, receive_pairs, &all));
  host_context_status(run, status);
  HOST_BITS(run, all.sum);
  HOST_BITS(run, all.count);
}

static void scene(host_run *run) {
  const toi_mesh *mesh = &host_mesh_of(run->input)->mesh;
  const toi_topology topology = {.vertex_count = mesh->vertex_count,
                                 .faces = mesh->faces,
                                 .face_count = mesh->face_count,
                                 .bodies = mesh->bodies,
                                 .fixed = mesh->fixed};
  question q = {.at = {.start = mesh->start, .end = mesh->end, .vertex_count = mesh->vertex_count}};
  q.scene = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_scene_create, (run->context, &topology, &q.scene));
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, q.scene == NULL);
    return;
  }
  const uint32_t(*edges)[2];
  size_t count;
  HOST_CALL(run, count, toi_scene_edges, (q.scene, &edges));
  host_bits(run, "edges", edges, count * sizeof edges[0]);
  HOST_DO(run, toi_mesh_options_init, (&q.on_mesh, sizeof q.on_mesh));
  q.on_mesh.may_collide = may_collide;
  q.on_mesh.may_collide_user = run;
  HOST_DO(run, toi_options_init, (&q.options, sizeof q.options));
  q.options.on_mesh = &q.on_mesh;
  for (int round = 0; round < 3; round++) {
    q.options.separation_fraction = round == 2 ? 0.3 : 0;
    ask_one_instant(run, &q);
    ask_step(run, &q);
  }
  HOST_DO(run, toi_scene_destroy, (q.scene));
}

const host_case host_kept_cases[] = {{"toi_scene_create", scene, HOST_FIGURES}, {NULL, NULL, 0}};
