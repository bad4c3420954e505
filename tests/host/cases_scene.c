/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* broad.h and scene.h: calls on whole meshes, by every broad phase, with all functions of the caller's own. */

#include "host/cases.h"

#include <math.h>
#include <string.h>

static const char *const broads[] = {"auto", "bvh", "sweep", "brute"};
enum { BROADS = sizeof broads / sizeof broads[0] };

/* Leaves out a few pairs. */
static bool may_collide(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  host_called(user, HOST_TAKES_PART);
  return (first * 7 + second * 5 + (uint32_t)kind) % 17 != 0;
}

/* Options of way 0, 1, 2...: without and with a separation, a fraction or both, and the broad phases in turn. */
static toi_options options_of(host_run *run, size_t way) {
  toi_options options;
  HOST_DO(run, toi_options_init, (&options, sizeof options));
  if (way % 3 == 1 || way % 6 == 5)
    options.min_separation = host_number(run->input, 3);
  if (way % 3 == 2)
    options.separation_fraction = 0.3;
  options.norm = way % 2 == 0 ? TOI_NORM_L2 : TOI_NORM_LINF;
  return options;
}

/* What is asked of a mesh, with all functions of the caller's own. */
static toi_mesh_options on_mesh_of(host_run *run, size_t way) {
  toi_mesh_options on_mesh;
  HOST_DO(run, toi_mesh_options_init, (&on_mesh, sizeof on_mesh));
  on_mesh.broad = broads[way % BROADS];
  on_mesh.may_collide = may_collide;
  on_mesh.may_collide_user = run;
  on_mesh.progress = host_progress;
  on_mesh.progress_user = run;
  on_mesh.kinds = way % 5 == 3 ? TOI_KINDS_EDGE_EDGE : way % 5 == 4 ? TOI_KINDS_VERTEX_FACE : 0;
  return on_mesh;
}

/* Without thickness where there is a fraction. */
static toi_mesh mesh_of(host_run *run, size_t way) {
  toi_mesh mesh = host_mesh_of(run->input)->mesh;
  if (way % 3 == 2)
    mesh.thickness = NULL;
  static const uint64_t skipped[2] = {1u << 5, 0};
  mesh.size = sizeof mesh;
  mesh.skipped = way % 4 == 3 ? skipped : NULL;
  return mesh;
}

/* What a visitor received. */
typedef struct received {
  host_run *run;
  uint64_t sum; /* whatever the order */
  size_t count;
} received;

static toi_status receive_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits[3] = {(uint32_t)kind, pairs[i].first, pairs[i].second};
    host_sum(&all->sum, bits, sizeof bits);
  }
  all->count += count;
  return TOI_OK;
}

static void candidates(host_run *run) {
  for (size_t way = 0; way < 2 * BROADS; way++) {
    const toi_mesh mesh = mesh_of(run, way);
    toi_options options = options_of(run, way);
    toi_work work;
    HOST_SPOIL(work);
    toi_mesh_options on_mesh = on_mesh_of(run, way);
    on_mesh.work = &work;
    options.on_mesh = &on_mesh;
    received all = {.run = run};
    toi_status status;
    HOST_CALL(run, status, toi_candidates, (run->context, &mesh, &options, receive_pairs, &all));
    host_context_status(run, status);
    HOST_CHECK(run, status != TOI_OK || run->input == HOST_RESTING || all.count > 0);
    HOST_BITS(run, all.sum);
    HOST_BITS(run, all.count);
    HOST_BITS(run, work.candidates);
  }
}

static toi_status receive_boxes(void *user, const toi_pair *pairs, size_t count) {
  return receive_pairs(user, TOI_VERTEX_VERTEX, pairs, count);
}

static void box_pairs(host_run *run) {
  enum { BOXES = 60 };
  double boxes[BOXES][6];
  for (int i = 0; i < BOXES * 6; i++)
    boxes[i / 6][i % 6] = host_number(run->input, i / 6 * 37 % 100 + i % 3 * 11 + (i % 6 < 3 ? 0 : 13));
  for (size_t way = 0; way < BROADS; way++) {
    toi_work work;
    HOST_SPOIL(work);
    toi_mesh_options on_mesh = on_mesh_of(run, way);
    on_mesh.work = &work;
    received all = {.run = run};
    toi_status status;
    HOST_CALL(run, status, toi_box_pairs,
              (run->context, (const double(*)[6])boxes, BOXES, &on_mesh, receive_boxes, &all));
    host_context_status(run, status);
    HOST_CHECK(run, status != TOI_OK || all.count > 0);
    HOST_BITS(run, all.sum);
    HOST_BITS(run, all.count);
    HOST_BITS(run, work.candidates);
  }
}

static toi_status receive_collisions(void *user, const toi_collision *collisions, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  for (size_t i = 0; i < count; i++) {
    host_bits(all->run, "hit", &collisions[i].hit, sizeof collisions[i].hit);
    host_bits(all->run, "first", collisions[i].first, sizeof collisions[i].first);
    host_bits(all->run, "second", collisions[i].second, sizeof collisions[i].second);
    host_bits(all->run, "kind", &collisions[i].kind, sizeof collisions[i].kind);
    host_bits(all->run, "pair", &collisions[i].pair, sizeof collisions[i].pair);
  }
  all->count += count;
  return TOI_OK;
}

static void collisions(host_run *run) {
  for (size_t way = 0; way < host_share(run, 8); way++) {
    const toi_mesh mesh = mesh_of(run, way);
    toi_options options = options_of(run, way);
    toi_work work;
    HOST_SPOIL(work);
    toi_mesh_options on_mesh = on_mesh_of(run, way);
    on_mesh.work = &work;
    options.on_mesh = &on_mesh;
    received all = {.run = run};
    toi_status status;
    HOST_CALL(run, status, toi_collisions, (run->context, &mesh, &options, receive_collisions, &all));
    host_context_status(run, status);
    HOST_CHECK(run, status != TOI_OK || run->input == HOST_RESTING || all.count > 0);
    HOST_BITS(run, all.count);
    HOST_BITS(run, work.candidates);
    HOST_BITS(run, work.hits);
  }
}

static toi_status receive_proximal(void *user, const toi_proximal *pairs, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  for (size_t i = 0; i < count; i++) {
    host_bits(all->run, "distance", &pairs[i].distance, sizeof pairs[i].distance);
    host_bits(all->run, "kind", &pairs[i].kind, sizeof pairs[i].kind);
    host_bits(all->run, "pair", &pairs[i].pair, sizeof pairs[i].pair);
  }
  all->count += count;
  return TOI_OK;
}

static void proximity(host_run *run) {
  for (size_t way = 0; way < host_share(run, 8); way++) {
    const toi_mesh mesh = mesh_of(run, way);
    toi_options options = options_of(run, way % 2 * 3);
    const toi_mesh_options on_mesh = on_mesh_of(run, way);
    options.on_mesh = &on_mesh;
    received all = {.run = run};
    toi_status status;
    HOST_CALL(run, status, toi_proximity,
              (run->context, &mesh, host_number(run->input, 60 + (int)way), &options, receive_proximal, &all));
    if (!host_context_status(run, status))
      continue;
    HOST_CHECK(run, all.count > 0);
    HOST_BITS(run, all.count);
  }
}

static void safe_displacements(host_run *run) {
  for (size_t way = 0; way < host_share(run, 4); way++) {
    const toi_mesh mesh = mesh_of(run, way);
    toi_options options = options_of(run, way % 2 * 3);
    const toi_mesh_options on_mesh = on_mesh_of(run, way);
    options.on_mesh = &on_mesh;
    double displacements[128] = {0};
    HOST_CHECK(run, mesh.vertex_count <= sizeof displacements / sizeof displacements[0]);
    toi_status status;
    HOST_CALL(
        run, status, toi_safe_displacements,
        (run->context, &mesh, host_number(run->input, (int)way), host_number(run->input, 40), &options, displacements));
    if (!host_context_status(run, status))
      HOST_CHECK(run, displacements[0] == 0 && displacements[mesh.vertex_count - 1] == 0);
    HOST_BITS(run, displacements);
  }
}

static void record_impact(host_run *run, const toi_impact *impact) {
  host_bits(run, "hit", &impact->hit, sizeof impact->hit);
  host_bits(run, "kind", &impact->kind, sizeof impact->kind);
  host_bits(run, "pair", &impact->pair, sizeof impact->pair);
}

static void step(host_run *run) {
  for (size_t way = 0; way < host_share(run, 8); way++) {
    const toi_mesh mesh = mesh_of(run, way);
    const toi_mesh_options on_mesh = on_mesh_of(run, way);
    toi_options options = options_of(run, way);
    options.on_mesh = &on_mesh;
    toi_impact impact;
    HOST_SPOIL(impact);
    toi_status status;
    HOST_CALL(run, status, toi_step, (run->context, &mesh, &options, &impact));
    if (host_context_status(run, status))
      record_impact(run, &impact);
    else
      HOST_CHECK(run, impact.hit.verdict == TOI_NEAR && impact.hit.t_lo == 0 && impact.hit.t_safe == 0);
  }
}

static void line_search(host_run *run) {
  for (size_t way = 2 - host_share(run, 4) / 4; way < 3; way++) {
    toi_mesh mesh = mesh_of(run, way);
    mesh.thickness = NULL;
    const toi_mesh_options on_mesh = on_mesh_of(run, way);
    toi_options options = options_of(run, way);
    options.on_mesh = &on_mesh;
    double positions[128][3];
    HOST_CHECK(run, mesh.vertex_count <= sizeof positions / sizeof positions[0]);
    toi_advance advance;
    HOST_SPOIL(advance);
    toi_status status;
    HOST_CALL(run, status, toi_line_search, (run->context, &mesh, &options, positions, &advance));
    if (!host_context_status(run, status)) {
      HOST_CHECK(run, advance.step == 0);
      continue;
    }
    host_bits(run, "positions", positions, mesh.vertex_count * sizeof positions[0]);
    HOST_BITS(run, advance.step);
    HOST_BITS(run, advance.fraction);
    HOST_BITS(run, advance.tries);
    record_impact(run, &advance.first);
  }
}

/* All trials after a miss, a contact, and one at the start; positions of each. */
static void line_trials(host_run *run) {
  const toi_hit firsts[] = {
      {.verdict = TOI_MISS, .t_lo = INFINITY},
      {.verdict = TOI_HIT, .t_lo = host_number(run->input, 3), .t_hi = host_number(run->input, 3)},
      {.verdict = TOI_HIT, .touching_at_start = 1}};
  for (size_t i = 0; i < 12; i++) {
    toi_options options = toi_default_options();
    options.t_max = i % 4 == 3 ? 1 : 0.75;
    options.separation_fraction = i < 6 ? 0.25 : 0;
    toi_line_trial trial;
    for (uint32_t index = 0; index < 64; index++) {
      HOST_SPOIL(trial);
      HOST_CALL(run, trial, toi_line_trial_at, (&options, i % 2 ? TOI_FLOAT32 : TOI_FLOAT64, &firsts[i % 3], index));
      HOST_BITS(run, trial);
      if (trial.what != TOI_TRIAL_ASK)
        break;
      const double start[3] = {0, host_number(run->input, -7), host_number(run->input, 5)},
                   end[3] = {host_number(run->input, 11), 0, 1};
      double placed[3];
      bool moved;
      HOST_CALL(run, moved, toi_line_trial_place, (&trial, start, end, 3, placed));
      HOST_BITS(run, moved);
      HOST_BITS(run, placed);
    }
    HOST_CHECK(run, trial.what != TOI_TRIAL_ASK);
  }
}

/* The sheets apart, and passing through each other. */
static void mesh_intersects(host_run *run) {
  for (size_t way = 0; way < 4; way++) {
    toi_mesh mesh = mesh_of(run, way);
    if (way % 2 == 1)
      mesh.start = host_mesh_of(run->input)->tangled;
    const toi_mesh_options on_mesh = on_mesh_of(run, way);
    toi_options options = options_of(run, 0);
    options.on_mesh = &on_mesh;
    toi_intersection intersection;
    HOST_SPOIL(intersection);
    toi_status status;
    HOST_CALL(run, status, toi_mesh_intersects, (run->context, &mesh, &options, &intersection));
    if (!host_context_status(run, status))
      HOST_CHECK(run, intersection.found != 0);
    HOST_BITS(run, intersection.found);
    HOST_BITS(run, intersection.crossing);
    HOST_BITS(run, intersection.kind);
    HOST_BITS(run, intersection.pair);
  }
}

static toi_status receive_crossings(void *user, const toi_crossing *crossings, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  host_bits(all->run, "crossings", crossings, count * sizeof *crossings);
  all->count += count;
  return TOI_OK;
}

static void mesh_crossings(host_run *run) {
  toi_mesh mesh = mesh_of(run, 0);
  mesh.start = host_mesh_of(run->input)->tangled;
  for (size_t way = 0; way < BROADS; way++) {
    toi_work work;
    HOST_SPOIL(work);
    toi_mesh_options on_mesh = on_mesh_of(run, way);
    on_mesh.work = &work;
    toi_options options = options_of(run, 0);
    options.on_mesh = &on_mesh;
    received all = {.run = run};
    toi_status status;
    HOST_CALL(run, status, toi_mesh_crossings, (run->context, &mesh, &options, receive_crossings, &all));
    host_context_status(run, status);
    HOST_CHECK(run, status != TOI_OK || all.count > 0);
    HOST_BITS(run, work.candidates);
    HOST_BITS(run, work.hits);
  }
}

static void mesh_edges(host_run *run) {
  const toi_mesh *mesh = &host_mesh_of(run->input)->mesh;
  static const uint32_t loose[2][2] = {{32, 33}, {34, 35}};
  uint32_t(*edges)[2] = host_nowhere();
  size_t count;
  HOST_SPOIL(count);
  toi_status status;
  HOST_CALL(run, status, toi_mesh_edges, (run->context, mesh->faces, mesh->face_count, loose, 2, &edges, &count));
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, edges == NULL && count == 0);
    return;
  }
  host_bits(run, "edges", edges, count * sizeof edges[0]);
  HOST_DO(run, toi_mesh_edges_free, (run->context, edges, count));
}

static void mesh_check(host_run *run) {
  toi_status status;
  HOST_CALL(run, status, toi_mesh_check, (run->context, &host_mesh_of(run->input)->mesh));
  host_context_status(run, status);
}

/* Visitors that end the call. */
#define END_WITH TOI_ERROR_UNSUPPORTED
static toi_status end_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  (void)kind, (void)pairs, (void)count;
  host_called(user, HOST_RECEIVES);
  return END_WITH;
}

static toi_status end_collisions(void *user, const toi_collision *all, size_t count) {
  (void)all;
  return end_pairs(user, TOI_VERTEX_FACE, NULL, count);
}

static toi_status end_proximal(void *user, const toi_proximal *all, size_t count) {
  (void)all;
  return end_pairs(user, TOI_VERTEX_FACE, NULL, count);
}

static void ended_by_visitor(host_run *run) {
  const toi_mesh mesh = mesh_of(run, 0);
  const toi_mesh_options on_mesh = on_mesh_of(run, 0);
  toi_options options = options_of(run, 0);
  options.on_mesh = &on_mesh;
  toi_status status;
  HOST_CALL(run, status, toi_candidates, (run->context, &mesh, &options, end_pairs, run));
  HOST_CHECK(run, status == (run->visits > 0 ? END_WITH : status));
  host_status(run, status);
  HOST_CALL(run, status, toi_collisions, (run->context, &mesh, &options, end_collisions, run));
  host_status(run, status);
  HOST_CALL(run, status, toi_proximity,
            (run->context, &mesh, host_number(run->input, 60), &options, end_proximal, run));
  host_status(run, status);
}

static void names(host_run *run) {
  for (size_t i = 0; i < 6; i++) {
    const char *text;
    HOST_CALL(run, text, toi_broad_name, (i));
    host_text(run, "name", text);
    if (text != NULL)
      HOST_CALL(run, text, toi_broad_promise, (text));
    host_text(run, "promise", text);
  }
}

const host_case host_scene_cases[] = {
    {"toi_candidates", candidates, HOST_FIGURES},
    {"toi_box_pairs", box_pairs, HOST_FIGURES},
    {"toi_collisions", collisions, HOST_FIGURES},
    {"toi_proximity", proximity, HOST_FIGURES},
    {"toi_safe_displacements", safe_displacements, HOST_FIGURES},
    {"toi_step", step, HOST_FIGURES},
    {"toi_line_search", line_search, HOST_FIGURES},
    {"toi_line_trial_at, toi_line_trial_place", line_trials, HOST_FIGURES & ~(1 << HOST_REFUSED)},
    {"toi_mesh_intersects", mesh_intersects, HOST_FIGURES},
    {"toi_collisions, ended", ended_by_visitor, HOST_FIGURES},
    {"toi_mesh_crossings", mesh_crossings, HOST_FIGURES},
    {"toi_mesh_edges", mesh_edges, HOST_ONCE},
    {"toi_mesh_check", mesh_check, HOST_FIGURES},
    {"toi_broad_name", names, HOST_ONCE},
    {NULL, NULL, 0}};
