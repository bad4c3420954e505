/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A plate turns beneath a beam: when does it jam, and how far may it turn? Poses sampled at 0, 1/8, ..., 1 would not
 * see it: the plate's corner passes through the beam between two of them. */

#include <stdio.h>
#include <stdlib.h>

#include <toi/rigid.h>

static void require(toi_context *context, toi_status status) {
  if (status == TOI_OK)
    return;
  fprintf(stderr, "rigid: %s\n", toi_context_error(context));
  exit(1);
}

int main(void) {
  static const double plate[4][3] = {{-1, -0.2, 0}, {1, -0.2, 0}, {1, 0.2, 0}, {-1, 0.2, 0}};
  static const uint32_t plate_faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
  static const double beam[3][3] = {{0.72, 0.72, -1}, {0.72, 0.72, 1}, {2, 0.74, 0}};
  static const uint32_t beam_face[1][3] = {{0, 1, 2}};
  const toi_mesh meshes[2] = {
      {.start = plate, .vertex_count = 4, .faces = plate_faces, .face_count = 2},
      {.start = beam, .vertex_count = 3, .faces = beam_face, .face_count = 1},
  };
  toi_context *context;
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 1;
  toi_rigid_scene *scene;
  require(context, toi_rigid_scene_create(context, &scene));
  require(context, toi_rigid_scene_add(scene, &meshes[0], false, NULL));
  require(context, toi_rigid_scene_add(scene, &meshes[1], true, NULL));

  toi_moving_body bodies[2];
  for (int i = 0; i < 2; i++)
    toi_moving_body_init(&bodies[i], sizeof bodies[i]);
  bodies[0].end.quaternion[3] = 1; /* w = z = 1: a quarter turn about z */

  const toi_options options = toi_default_options();
  toi_rigid_impact impact;
  require(context, toi_rigid_scene_step(scene, bodies, 2, &options, &impact));
  printf("%s", toi_verdict_name((toi_verdict)impact.hit.verdict));
  if (impact.hit.verdict == TOI_HIT)
    printf(" at t = %.17g: %s of bodies %u and %u, at %.6g %.6g %.6g", impact.hit.t_lo, toi_kind_name(impact.kind),
           (unsigned)impact.bodies[0], (unsigned)impact.bodies[1], impact.hit.point[0], impact.hit.point[1],
           impact.hit.point[2]);
  printf("\n");

  // The pose to step to: the motion from the start to these very doubles touches nothing.
  toi_pose poses[2];
  toi_rigid_advance advance;
  require(context, toi_rigid_scene_advance(scene, bodies, 2, &options, poses, &advance));
  printf("safe step %.17g, to the quaternion %.17g %.17g %.17g %.17g\n", advance.step, poses[0].quaternion[0],
         poses[0].quaternion[1], poses[0].quaternion[2], poses[0].quaternion[3]);
  toi_rigid_scene_destroy(scene);
  toi_context_destroy(context);
  return 0;
}
