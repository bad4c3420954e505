/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/rigid_pose.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "motion/slerp.h"

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

toi_pose toi_rigid_pose_at(const toi_moving_body *body, double t) {
  toi_pose pose = body->start;
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
