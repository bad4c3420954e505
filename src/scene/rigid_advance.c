/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The largest safe step of a scene of rigid bodies.
 *
 * The first contact t* is found, poses shortly before it are rounded, and the motion from the starts to those poses is
 * asked about in turn: only poses for which the answer is a miss are given. An unnormalised quaternion on the way from
 * q0 to q1 lies on the line between them, so that nlerp to it is the same motion but for rounding, cut at that time,
 * and so are motions at constant rates; if rounding alone makes a contact, an earlier time is tried. */

#include <math.h>
#include <string.h>

#include "narrow/method.h"
#include "scene/rigid_pose.h"
#include "scene/rigid_step.h"

/* How far before the contact: fractions of its time, tried in turn; then it is halved. */
static const double before[] = {0x1p-32, 0x1p-22, 0x1p-14, 0x1p-8};
enum { TRIES = sizeof before / sizeof before[0], HALVINGS = 60 };

static bool is_zero(const toi_pose *pose) {
  const double *q = pose->quaternion;
  return q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0;
}

/* Whether the motion from the starts to the poses touches nothing. */
static toi_status is_free(const toi_rigid_call *call, const toi_pose *poses, bool *proved) {
  toi_rigid_call cut = *call;
  const size_t count = call->scene->count;
  *proved = false;
  for (size_t i = 0; i < count; i++)
    if (is_zero(&poses[i]))
      return TOI_OK;
  cut.options.t_max = 1;
  cut.bodies = toi_allocate(call->context, count * sizeof *cut.bodies);
  cut.samples = toi_allocate(call->context, count * sizeof *cut.samples);
  toi_status status = cut.bodies == NULL || cut.samples == NULL ? TOI_ERROR_MEMORY : TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    cut.bodies[i] = call->bodies[i];
    cut.bodies[i].end = poses[i];
    toi_shorter_way(&cut.bodies[i]);
    toi_body_samples_make(&cut.bodies[i], &cut.samples[i]);
  }
  toi_rigid_impact impact = toi_rigid_impact_unknown();
  if (status == TOI_OK)
    status = toi_rigid_step_of_call(&cut, &impact);
  *proved = status == TOI_OK && impact.hit.verdict == TOI_MISS;
  if (cut.samples != NULL)
    toi_free(call->context, cut.samples, count * sizeof *cut.samples);
  if (cut.bodies != NULL)
    toi_free(call->context, cut.bodies, count * sizeof *cut.bodies);
  return status;
}

static void put_poses(const toi_rigid_call *call, double t, toi_pose *poses) {
  for (size_t i = 0; i < call->scene->count; i++)
    poses[i] = toi_rigid_pose_at(&call->bodies[i], t);
}

/* The time of try number `tries`. */
static double time_of(double contact, uint32_t tries) {
  if (tries < TRIES)
    return contact * (1 - before[tries]);
  return ldexp(contact, -1 - (int)(tries - TRIES));
}

static toi_status advance_of_call(const toi_rigid_call *call, toi_pose *poses, toi_rigid_advance *advance) {
  toi_status status = toi_rigid_step_of_call(call, &advance->first);
  if (status != TOI_OK)
    return status;
  const toi_hit *hit = &advance->first.hit;
  const bool whole = hit->verdict == TOI_MISS;
  const double contact = whole ? call->options.t_max : hit->t_lo;
  bool proved = false;
  // The whole of the given motion was just proved free.
  if (whole && contact == 1) {
    put_poses(call, 1, poses);
    advance->step = advance->tries = 1;
    return TOI_OK;
  }
  for (uint32_t tries = 0; tries < TRIES + HALVINGS && !proved && contact > 0; tries++) {
    const double t = whole && tries == 0 ? contact : time_of(contact, tries);
    advance->tries = tries + 1;
    put_poses(call, t, poses);
    status = is_free(call, poses, &proved);
    if (status != TOI_OK)
      return status;
    advance->step = proved ? t : 0;
  }
  if (!proved)
    put_poses(call, 0, poses);
  return TOI_OK;
}

static TOI_APART toi_status find_advance(toi_rigid_scene *scene, const toi_moving_body *bodies, size_t count,
                                         const toi_options *options, toi_pose *poses, toi_rigid_advance *advance) {
  toi_rigid_call call;
  if (count > 0 && poses == NULL)
    return toi_fail(scene->context, TOI_ERROR_INPUT, "poses is NULL; give room for the pose of each body");
  toi_status status = toi_rigid_call_begin(&call, scene, bodies, count, options);
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    if (call.bodies[i].law == TOI_LAW_MOTION)
      status = toi_fail(scene->context, TOI_ERROR_UNSUPPORTED,
                        "body %zu follows a motion, which no rounded pose ends; use toi_rigid_scene_step() and the "
                        "t_safe of its hit",
                        i);
  const bool taken = status == TOI_OK;
  if (taken)
    status = advance_of_call(&call, poses, advance);
  if (taken && status != TOI_OK) {
    put_poses(&call, 0, poses);
    *advance = (toi_rigid_advance){.first = toi_rigid_impact_unknown()};
  }
  toi_rigid_call_end(&call);
  return status;
}

toi_status toi_rigid_scene_advance(toi_rigid_scene *scene, const toi_moving_body *bodies, size_t count,
                                   const toi_options *options, toi_pose *poses, toi_rigid_advance *advance) {
  if (advance == NULL)
    return TOI_ERROR_INPUT;
  *advance = (toi_rigid_advance){.first = toi_rigid_impact_unknown()};
  if (scene == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(scene->context, find_advance(scene, bodies, count, options, poses, advance));
}
