/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rotation and translation of a motion at one time, in twofold numbers with radii. */

#ifndef TOI_MOTION_MOTION_BALL_H
#define TOI_MOTION_MOTION_BALL_H

#include "motion/motion.h"
#include "number/ball.h"

typedef struct toi_motion_ball {
  toi_ball rotation[3][3], translation[3];
} toi_motion_ball;

/* registers: as many as toi_motion_ball_registers() says. motion NULL: rest. From any number of threads at once. */
size_t toi_motion_ball_registers(const toi_motion *motion);
void toi_motion_ball_at(const toi_motion *motion, toi_ball t, toi_ball *registers, toi_motion_ball *ball);

/* The rotation of a quaternion of any length but 0. */
void toi_ball_rotation(const toi_ball q[4], toi_ball rotation[3][3]);

#endif
