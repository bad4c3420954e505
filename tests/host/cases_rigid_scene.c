/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* rigid.h: whole scenes of turning bodies. */

#include "host/cases.h"

#include <math.h>
#include <string.h>

enum { BODIES = 3 };

enum { FACES = 3, VERTICES = 6 }; /* few: pairs of subnormal, huge and spread numbers take long integers */

/* The first faces of the host's mesh, their vertices and a loose point, thrice, without what rigid bodies have not. */
static toi_rigid_scene *make(host_run *run) {
  toi_rigid_scene *scene = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_rigid_scene_create, (run->context, &scene));
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, scene == NULL);
    return NULL;
  }
  toi_mesh mesh = host_mesh_of(run->input)->mesh;
  mesh.size = sizeof mesh;
  mesh.vertex_count = VERTICES;
  mesh.face_count = FACES;
  mesh.edges = NULL;
  mesh.edge_count = 0;
  mesh.thickness = mesh.body_thickness = NULL;
  mesh.half_spaces = NULL;
  mesh.half_space_count = 0;
  bool made = true;
  for (uint32_t i = 0; i < BODIES && made; i++) {
    uint32_t number = 77;
    HOST_CALL(run, status, toi_rigid_scene_add, (scene, &mesh, i == 2, &number));
    made = host_context_status(run, status);
    HOST_CHECK(run, number == (made ? i : 77));
  }
  if (made)
    return scene;
  HOST_DO(run, toi_rigid_scene_destroy, (scene));
  return NULL;
}

static void make_motions(host_run *run, toi_moving_body bodies[BODIES]) {
  const bool turns = run->input != HOST_RESTING;
  for (size_t i = 0; i < BODIES; i++)
    HOST_DO(run, toi_moving_body_init, (&bodies[i], sizeof bodies[i]));
  for (int k = 0; k < 4 && turns; k++)
    bodies[0].end.quaternion[k] = host_number(run->input == HOST_REFUSED ? HOST_ORDINARY : run->input, 3 + 5 * k);
  host_point(run->input, (const int[]){117, -30, 7}, bodies[1].start.position);
  host_point(run->input, turns ? (const int[]){-11, 3, 140} : (const int[]){117, -30, 7}, bodies[1].end.position);
}

static toi_options options_of(host_run *run, toi_mesh_options *on_mesh) {
  toi_options options;
  HOST_DO(run, toi_options_init, (&options, sizeof options));
  HOST_DO(run, toi_mesh_options_init, (on_mesh, sizeof *on_mesh));
  on_mesh->progress = host_progress;
  on_mesh->progress_user = run;
  options.on_mesh = on_mesh;
  return options;
}

static void add(host_run *run) {
  toi_rigid_scene *scene = make(run);
  toi_status status;
  if (scene != NULL) {
    HOST_CALL(run, status, toi_rigid_scene_ignore, (scene, 1, 0));
    host_context_status(run, status);
  }
  HOST_DO(run, toi_rigid_scene_destroy, (scene));
}

static void step(host_run *run) {
  toi_rigid_scene *scene = make(run);
  toi_moving_body bodies[BODIES];
  toi_mesh_options on_mesh;
  make_motions(run, bodies);
  const toi_options options = options_of(run, &on_mesh);
  if (scene != NULL) {
    toi_rigid_impact impact;
    HOST_SPOIL(impact);
    toi_status status;
    HOST_CALL(run, status, toi_rigid_scene_step, (scene, bodies, BODIES, &options, &impact));
    if (!host_context_status(run, status))
      HOST_CHECK(run, impact.hit.verdict == TOI_NEAR && impact.hit.t_lo == 0 && impact.hit.t_safe == 0);
    HOST_BITS(run, impact);
  }
  HOST_DO(run, toi_rigid_scene_destroy, (scene));
}

typedef struct received {
  host_run *run;
  uint64_t sum;
  size_t count;
} received;

static toi_status receive(void *user, const toi_rigid_impact *impacts, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  host_sum(&all->sum, impacts, count * sizeof *impacts);
  all->count += count;
  return TOI_OK;
}

static void collisions(host_run *run) {
  toi_rigid_scene *scene = make(run);
  toi_moving_body bodies[BODIES];
  toi_mesh_options on_mesh;
  make_motions(run, bodies);
  const toi_options options = options_of(run, &on_mesh);
  if (scene != NULL) {
    received all = {.run = run};
    toi_status status;
    HOST_CALL(run, status, toi_rigid_scene_collisions, (scene, bodies, BODIES, &options, receive, &all));
    host_context_status(run, status);
    HOST_BITS(run, all.sum);
    HOST_BITS(run, all.count);
  }
  HOST_DO(run, toi_rigid_scene_destroy, (scene));
}

static toi_status receive_contacts(void *user, const toi_rigid_contact *contacts, size_t count) {
  received *all = user;
  host_called(all->run, HOST_RECEIVES);
  host_sum(&all->sum, contacts, count * sizeof *contacts);
  all->count += count;
  return TOI_OK;
}

/* The same step twice. */
static void paths(host_run *run) {
  toi_rigid_scene *scene = make(run);
  toi_moving_body bodies[2 * BODIES];
  toi_mesh_options on_mesh;
  make_motions(run, bodies);
  memcpy(bodies + BODIES, bodies, BODIES * sizeof *bodies);
  const toi_options options = options_of(run, &on_mesh);
  static const double times[3] = {0.25, 1, 7};
  const toi_rigid_path path = {
      .size = sizeof path, .times = times, .bodies = bodies, .count = BODIES, .piece_count = 2};
  if (scene != NULL) {
    toi_rigid_contact first;
    received all = {.run = run};
    HOST_SPOIL(first);
    toi_status status;
    HOST_CALL(run, status, toi_rigid_scene_path_step, (scene, &path, &options, &first));
    if (!host_context_status(run, status))
      HOST_CHECK(run, first.impact.hit.verdict == TOI_NEAR);
    HOST_BITS(run, first);
    HOST_CALL(run, status, toi_rigid_scene_path_contacts, (scene, &path, &options, receive_contacts, &all));
    host_context_status(run, status);
    HOST_BITS(run, all.sum);
    HOST_BITS(run, all.count);
  }
  HOST_DO(run, toi_rigid_scene_destroy, (scene));
}

static void clearance(host_run *run) {
  toi_rigid_scene *scene = make(run);
  toi_moving_body bodies[BODIES];
  toi_mesh_options on_mesh;
  make_motions(run, bodies);
  toi_options options = options_of(run, &on_mesh);
  options.tolerance = 0.25;
  if (scene != NULL) {
    toi_rigid_clearance answer;
    HOST_SPOIL(answer);
    toi_status status;
    HOST_CALL(run, status, toi_rigid_scene_clearance, (scene, bodies, BODIES, 1e3, &options, &answer));
    if (!host_context_status(run, status))
      HOST_CHECK(run, answer.lo == 0 && isinf(answer.hi) && answer.closest.hit.verdict == TOI_NEAR);
    HOST_BITS(run, answer);
  }
  HOST_DO(run, toi_rigid_scene_destroy, (scene));
}

static void advance(host_run *run) {
  toi_rigid_scene *scene = make(run);
  toi_moving_body bodies[BODIES];
  toi_mesh_options on_mesh;
  make_motions(run, bodies);
  const toi_options options = options_of(run, &on_mesh);
  if (scene != NULL) {
    toi_rigid_advance answer;
    toi_pose poses[BODIES];
    memset(poses, 0, sizeof poses);
    HOST_SPOIL(answer);
    toi_status status;
    HOST_CALL(run, status, toi_rigid_scene_advance, (scene, bodies, BODIES, &options, poses, &answer));
    if (!host_context_status(run, status))
      HOST_CHECK(run, answer.step == 0 && answer.first.hit.verdict == TOI_NEAR);
    HOST_BITS(run, answer);
    HOST_BITS(run, poses);
  }
  HOST_DO(run, toi_rigid_scene_destroy, (scene));
}

const host_case host_rigid_scene_cases[] = {{"toi_rigid_scene_add", add, HOST_FIGURES},
                                            {"toi_rigid_scene_step", step, HOST_FIGURES},
                                            {"toi_rigid_scene_collisions", collisions, HOST_FIGURES},
                                            {"toi_rigid_scene_path_step", paths, HOST_FIGURES},
                                            {"toi_rigid_scene_clearance", clearance, HOST_FIGURES},
                                            {"toi_rigid_scene_advance", advance, HOST_FIGURES},
                                            {NULL, NULL, 0}};
