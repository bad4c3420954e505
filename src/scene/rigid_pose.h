/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where a body is at a time of its motion, rounded to doubles. */

#ifndef TOI_SCENE_RIGID_POSE_H
#define TOI_SCENE_RIGID_POSE_H

#include <toi/rigid.h>

/* The body goes the shorter way; a motion is defined over the step, and not asked from two threads at once. At t = 0,
 * at t = 1 and of a body that rests it is the given pose. Quaternions are not normalised: under nlerp they lie on the
 * line between the given ones. */
toi_pose toi_rigid_pose_at(const toi_moving_body *body, double t);

#endif
