/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Steps of motions that go as a body does between its poses. */

#include <string.h>

#include "motion/poses.h"
#include "motion/stage.h"
#include "narrow/moving_pair.h"

/* The body's poses as toi_poses_make() takes them, the shorter way. */
static void make_poses(const toi_moving_body *body, toi_poses *poses) {
  double quaternion[2][4], position[2][3];
  const bool longer = toi_quaternion_dot_sign(body->start.quaternion, body->end.quaternion) < 0;
  for (int i = 0; i < 4; i++) {
    quaternion[0][i] = body->start.quaternion[i];
    quaternion[1][i] = longer ? -body->end.quaternion[i] : body->end.quaternion[i];
  }
  memcpy(position[0], body->start.position, sizeof position[0]);
  memcpy(position[1], body->end.position, sizeof position[1]);
  toi_poses_make((const double(*)[4])quaternion, (const double(*)[3])position, body->law != TOI_LAW_NLERP,
                 body->law == TOI_LAW_SCREW, poses);
}

static TOI_APART toi_status go_on(toi_motion *motion, const toi_moving_body *given) {
  toi_moving_body body;
  toi_interval domain;
  toi_status status = toi_moving_body_take(motion->context, "the", given, &body);
  if (status == TOI_OK && body.law == TOI_LAW_MOTION)
    status = toi_fail(motion->context, TOI_ERROR_INPUT,
                      "the body follows a motion itself; give it nlerp, slerp or screw between its poses");
  if (status == TOI_OK && !toi_interval_intersect(motion->domain, (toi_interval){0, 1}, &domain))
    status = toi_fail(motion->context, TOI_ERROR_INPUT,
                      "the poses are for times from 0 to 1, but the series before for those from %g to %g",
                      motion->domain.lo, motion->domain.hi);
  if (status != TOI_OK)
    return status;
  toi_stage stage = {.poses = toi_allocate(motion->context, sizeof *stage.poses)};
  if (stage.poses == NULL)
    return TOI_ERROR_MEMORY;
  make_poses(&body, stage.poses);
  status = toi_motion_add(motion, &stage, NULL);
  if (status == TOI_OK)
    motion->domain = domain;
  return status;
}

toi_status toi_motion_poses(toi_motion *motion, const toi_moving_body *body) {
  TOI_MOTION_CALL(motion, go_on(motion, body));
}
