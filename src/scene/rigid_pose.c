/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/rigid_pose.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/internal.h"
#include "motion/motion.h"
#include "motion/slerp.h"
#include "narrow/moving_pair.h"

/* The largest exponent of some numbers. */
static int exponent_of(const double *numbers, int count) {
  double most = 0;
  int exponent;
  for (int i = 0; i < count; i++)
    most = fmax(most, fabs(numbers[i]));
  (void)frexp(most, &exponent);
  return exponent;
}

static void scaled(const double q[4], int exponent, double out[4]) {
  for (int i = 0; i < 4; i++)
    out[i] = ldexp(q[i], -exponent);
}

/* Both quaternions are scaled alike, so that nothing overflows; in range, the numbers are of the caller's own scale. */
static void on_the_line(const toi_moving_body *body, double t, double q[4]) {
  const double *from = body->start.quaternion, *to = body->end.quaternion;
  const int first = exponent_of(from, 4), second = exponent_of(to, 4), exponent = first > second ? first : second;
  double a[4], b[4];
  scaled(from, exponent > -400 && exponent < 400 ? 0 : exponent, a);
  scaled(to, exponent > -400 && exponent < 400 ? 0 : exponent, b);
  for (int i = 0; i < 4; i++)
    q[i] = (1 - t) * a[i] + t * b[i];
}

/* At a constant rate; how far a screw is from the line is added to the position. */
static void at_a_rate(const toi_moving_body *body, double t, toi_pose *pose) {
  const double *from = body->start.quaternion, *to = body->end.quaternion;
  double q0[4], q1[4], way[2][3] = {{0}}, off[3];
  scaled(from, exponent_of(from, 4), q0);
  scaled(to, exponent_of(to, 4), q1);
  for (int i = 0; i < 3; i++)
    way[0][i] = body->end.position[i] - body->start.position[i];
  toi_slerp slerp;
  toi_slerp_make(q0, q1, (const double(*)[3])way, body->law == TOI_LAW_SCREW, &slerp);
  toi_slerp_at(&slerp, q0, t, pose->quaternion, off);
  for (int i = 0; i < 3; i++)
    pose->position[i] += off[i];
}

/* The quaternion of a rotation, by the largest of its components. */
static void quaternion_of(const double r[3][3], double q[4]) {
  const double trace = r[0][0] + r[1][1] + r[2][2];
  int most = -1;
  for (int i = 0; i < 3; i++)
    if (r[i][i] > (most < 0 ? trace : r[most][most]))
      most = i;
  if (most < 0) {
    q[0] = 1 + trace;
    for (int i = 0; i < 3; i++)
      q[i + 1] = r[(i + 2) % 3][(i + 1) % 3] - r[(i + 1) % 3][(i + 2) % 3];
  } else {
    const int y = (most + 1) % 3, z = (most + 2) % 3;
    q[0] = r[z][y] - r[y][z];
    q[most + 1] = 1 + r[most][most] - r[y][y] - r[z][z];
    q[y + 1] = r[y][most] + r[most][y];
    q[z + 1] = r[z][most] + r[most][z];
  }
  const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++)
    q[i] /= length;
}

/* Of a motion: middles of its enclosures. */
static toi_pose in_motion(const toi_moving_body *body, double t) {
  toi_motion_jet jet;
  toi_pose pose;
  double rotation[3][3];
  const double from = body->motion_from, to = body->motion_to;
  const double time = t == 1 ? to : from + t * (to - from);
  toi_motion_jet_at(body->motion, toi_interval_point(time), 0, &jet);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      rotation[i][j] = toi_interval_midpoint(jet.rotation[0][i][j]);
    pose.position[i] = toi_interval_midpoint(jet.translation[0][i]);
  }
  quaternion_of((const double(*)[3])rotation, pose.quaternion);
  return pose;
}

toi_pose toi_rigid_pose_at(const toi_moving_body *body, double t) {
  toi_pose pose = body->start;
  if (body->law == TOI_LAW_MOTION)
    return in_motion(body, t);
  if (memcmp(&body->start, &body->end, sizeof body->start) == 0 || t == 0)
    return pose;
  if (t == 1)
    return body->end;
  for (int i = 0; i < 3; i++)
    pose.position[i] = (1 - t) * body->start.position[i] + t * body->end.position[i];
  if (body->law == TOI_LAW_NLERP)
    on_the_line(body, t, pose.quaternion);
  else
    at_a_rate(body, t, &pose);
  return pose;
}

static TOI_APART toi_status find_pose(const toi_moving_body *given, double t, toi_pose *pose) {
  toi_moving_body body;
  toi_status status = toi_moving_body_take(NULL, "the", given, &body);
  if (status == TOI_OK && !(t >= 0 && t <= 1))
    status = TOI_ERROR_INPUT;
  if (status == TOI_OK)
    status = toi_moving_body_check_motion(NULL, "the", &body);
  if (status != TOI_OK)
    return status;
  if (body.law != TOI_LAW_MOTION && toi_quaternion_dot_sign(body.start.quaternion, body.end.quaternion) < 0)
    for (int i = 0; i < 4; i++)
      body.end.quaternion[i] = -body.end.quaternion[i];
  *pose = toi_rigid_pose_at(&body, t);
  return TOI_OK;
}

toi_status toi_moving_body_at(const toi_moving_body *body, double t, toi_pose *pose) {
  if (pose == NULL)
    return TOI_ERROR_INPUT;
  *pose = (toi_pose){.quaternion = {1, 0, 0, 0}};
  TOI_CALL(NULL, find_pose(body, t, pose));
}
