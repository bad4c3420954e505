/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of rigid bodies in JSON, plain or gzipped, and what toi_rigid_scene_step() says of small ones. */

#include "fuzz/fuzz.h"

#include <toi/io.h>

#include <math.h>
#include <string.h>

/* Larger scenes are only read. */
enum { MOST_BODIES = 4, MOST_VERTICES = 8, MOST_PIECES = 3 };

static void check_impact(const toi_rigid_impact *impact, size_t bodies) {
  const toi_hit *hit = &impact->hit;
  FUZZ_CHECK(hit->verdict <= TOI_NEAR);
  if (hit->verdict == TOI_MISS)
    return;
  FUZZ_CHECK(impact->bodies[0] < bodies && impact->bodies[1] < bodies && impact->bodies[0] != impact->bodies[1]);
  FUZZ_CHECK(hit->t_lo >= 0 && hit->t_lo <= hit->t_hi && hit->t_hi <= 1);
  FUZZ_CHECK(hit->t_safe >= 0 && hit->t_safe <= hit->t_lo);
}

static void check_pose(const toi_moving_body *body) {
  for (int k = 0; k <= 2; k++) {
    toi_pose pose;
    FUZZ_CHECK(toi_moving_body_at(body, 0.5 * k, &pose) == TOI_OK);
  }
}

static void ask(toi_context *context, const toi_sweep_scene *scene) {
  toi_rigid_scene *rigid;
  toi_options options = toi_default_options();
  toi_rigid_impact impact;
  options.min_separation = scene->min_separation;
  toi_status status = toi_rigid_scene_create(context, &rigid);
  for (size_t i = 0; i < scene->count && status == TOI_OK; i++)
    status = toi_rigid_scene_add(rigid, &scene->meshes[i], scene->fixed[i], NULL);
  for (size_t i = 0; i < scene->ignored_count && status == TOI_OK; i++)
    status = toi_rigid_scene_ignore(rigid, scene->ignored[i][0], scene->ignored[i][1]);
  for (size_t k = 0; k < scene->piece_count && status == TOI_OK; k++) {
    status = toi_rigid_scene_step(rigid, scene->motions + k * scene->count, scene->count, &options, &impact);
    if (status == TOI_OK)
      check_impact(&impact, scene->count);
    else
      FUZZ_CHECK(impact.hit.verdict == TOI_NEAR && impact.hit.t_lo == 0 && impact.hit.t_safe == 0);
  }
  if (status != TOI_OK)
    fuzz_refused(context, status);
  toi_rigid_scene_destroy(rigid);
}

static bool is_small(const toi_sweep_scene *scene) {
  bool small = scene->count <= MOST_BODIES && scene->piece_count <= MOST_PIECES;
  for (size_t i = 0; i < scene->count; i++)
    small = small && scene->meshes[i].vertex_count <= MOST_VERTICES;
  return small;
}

static void check_scene(toi_context *context, const toi_sweep_scene *scene) {
  FUZZ_CHECK(scene->count >= 2 && scene->piece_count >= 1 && scene->min_separation >= 0);
  for (size_t i = 0; i < scene->count; i++)
    FUZZ_CHECK(scene->names[i] != NULL && scene->meshes[i].vertex_count > 0);
  for (size_t k = 0; k < scene->piece_count; k++)
    FUZZ_CHECK(scene->times[k] < scene->times[k + 1]);
  if (!is_small(scene))
    return;
  for (size_t i = 0; i < scene->count * scene->piece_count; i++)
    check_pose(&scene->motions[i]);
  // A joint moves alone, and what it carries.
  const double range[2] = {0, 1};
  toi_moving_body motions[2 * MOST_BODIES];
  for (size_t i = 0; i < scene->count; i++)
    if (scene->joints[i] != 0) {
      const toi_status status = toi_sweep_scene_joint(context, scene, i, range, 2, motions, NULL, NULL);
      if (status != TOI_OK)
        fuzz_refused(context, status);
    }
  ask(context, scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  toi_context *context = fuzz_context();
  toi_sweep_scene scene;
  memset(&scene, 0xa5, sizeof scene);
  const toi_status status = toi_sweep_scene_read(context, fuzz_file("scene.json", data, size), &scene);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(scene.names == NULL && scene.count == 0 && scene.motions == NULL && scene.owned == NULL);
  } else {
    check_scene(context, &scene);
  }
  toi_sweep_scene_free(context, &scene);
  toi_context_destroy(context);
  return 0;
}
