/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The motion from one pose to another by nlerp, slerp or on a screw, over t in [0, 1]: enclosed over a time, as Taylor
 * models, and in twofold numbers.
 *
 * Under nlerp the quaternion is q0 + t (q1 - q0) and the position p0 + t d, d = p1 - p0. At a constant rate
 * (motion/slerp.h), a = phi t, C = cos a, S = sin a:
 *
 *   q = C q0 + S q_side,   q' = phi (C q_side - S q0),   q'' = -phi^2 q,
 *
 * and on a screw, with m = n x across, k = phi / sin phi, b = phi (1 - t) and c = phi (2 t - 1) = a - b,
 *
 *   p = p0 + t d + across (G - t) + m H,   G = sin a cos b / sin phi,   H = -sin a sin b / sin phi,
 *   G' = k cos c,   H' = k sin c,   G'' = -2 phi k sin c,   H'' = 2 phi k cos c.
 *
 * Why: S (C f + S s) of slerp.h is across S (C cos phi + S sin phi) / sin phi + m S (S cos phi - C sin phi) / sin phi.
 * Where phi < 2^-30, k is in [1, 1 + phi^2], cos c in [1 - phi^2, 1] and sin a sin b in a b [1 - phi^2, 1]: there G - t
 * and G' - 1 are within phi^2 of 0 (the first vanishes at t = 0), G'' within 3 phi^2, H is -phi t (1 - t), H' phi (2 t
 * - 1) and H'' 2 phi, each up to a factor within 2 phi^2 of 1.
 *
 * Claim: the intervals kept hold phi, q_side, across and m. Why, with u = 2^-53 and the errors of slerp.h: phi is off
 * by 200 u^2. The axis n is off by 85 u^2 / sin phi, and so are q_side, of |q0|, across, of 2 |d|, and m, of 3 |d|.
 * Twofold numbers become intervals around their high parts, as wide as the low parts and 1024 u^2 / sin phi of those
 * lengths. Where there is no axis q0 is off by 2^-110 |q0| (slerp.h): q' and what it adds are within 2^-109 of 0.
 *
 * In twofold numbers q is off by 512 u^2 |q0| and p by 2048 u^2 |across|, by the claim of slerp.h; under nlerp each
 * component takes one difference, two products and a sum: the balls hold their errors themselves. */

#ifndef TOI_MOTION_POSES_H
#define TOI_MOTION_POSES_H

#include "motion/motion.h"
#include "motion/motion_ball.h"
#include "motion/slerp.h"

typedef struct toi_poses {
  double quaternion[2][4]; /* of largest component in [1/2, 1), under nlerp the larger of both; q0 . q1 >= 0 */
  double position[2][3];
  bool steady; /* at a constant rate, else nlerp */
  toi_slerp slerp;

  /* Enclosures: q1 - q0, or q_side; d; phi; sin phi; across, m. */
  toi_interval side[4], way[3], angle, sine, across[3], turned[3];
} toi_poses;

/* Quaternions of any length but 0, going the shorter way; everything finite. */
void toi_poses_make(const double quaternion[2][4], const double position[2][3], bool steady, bool screw,
                    toi_poses *poses);

void toi_poses_jet(const toi_poses *poses, toi_interval t, unsigned order, toi_motion_jet *jet);
void toi_poses_taylor(const toi_poses *poses, const toi_taylor_space *space, const toi_taylor *t,
                      toi_motion_taylor *pose);
void toi_poses_ball(const toi_poses *poses, toi_ball t, toi_motion_ball *ball);

/* Whether both poses are the same. */
bool toi_poses_rest(const toi_poses *poses);

#endif
