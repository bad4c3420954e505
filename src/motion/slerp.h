/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Slerp and screws: a pose that turns at a constant rate, in twofold numbers.
 *
 * Let q0 be the quaternion at the start, phi in [0, pi/2] half the angle that the body turns by and n its axis in the
 * world. Then with C = cos(phi t), S = sin(phi t)
 *
 *   q(t) = C q0 + S q_side,   q_side = n q0,
 *
 * and, d = p1 - p0 being the displacement and d_across its part across the axis, a screw is at
 *
 *   p(t) = p0 + t d - t d_across + S (C f + S s),   f = cot phi d_across - n x d_across,   s = n x f.
 *
 * Why: a screw moves across its axis on a circle about a point c, by the angle 2 phi t. With r = p0 - c across the
 * axis, (R - I) r = d_across says r = -(d_across + cot phi n x d_across) / 2 at t = 1, and p0 + (cos 2 phi t - 1) r +
 * sin 2 phi t n x r is what stands above, since cos 2 a - 1 = -2 sin^2 a and sin 2 a = 2 sin a cos a. No term of it is
 * large when phi is small, where c is far away.
 *
 * Claim: with u = 2^-53, q(t) from these numbers, and sines by number/twofold_sine.h, is off by less than 512 u^2 |q0|,
 * and p(t) - p0 - t d by less than 2048 u^2 |d_across|.
 * Why, in u^2. The part w of q1 q0' and its vector v are sums of products of doubles, exact, so that sums round: v is
 * off by less than 64 |q0| |q1|, w by 18, hence angle and, times sin phi, axis by less than 85. A root and a quotient
 * round by 16, the sine and cosine of the angle's first guess by 64, so that phi is off by less than 200, and phi t by
 * 13 more; S and C by 64; side, times S, by 64 + 85 of the axis and 30 of its product; products 8, sum 3: 470. f and s,
 * times S: n 85 + 64, cot phi of d_across 85 + 64 + 24, products and sums below 60; twice (f, s) and t d_across, whose
 * error in n cancels against that of f up to phi^2: below 1500.
 * Where sin phi < 2^-110 or v is 0, there is no axis: q_side is 0, and d_across is taken as 0. Then q(t) is off by less
 * than 2^-110 |q0|, and the circle is closer to the line than phi |d|. */

#ifndef TOI_MOTION_SLERP_H
#define TOI_MOTION_SLERP_H

#include <stdbool.h>

/* [0]: hi, [1]: lo, unevaluated sums. */
typedef struct toi_slerp {
  bool turns; /* else what follows is 0 */
  bool winds; /* a screw whose path is no line */
  double angle[2];
  double side[2][4];
  double across[2][3], first[2][3], second[2][3];
  double turned[2][3]; /* n x d_across */
} toi_slerp;

/* q0, q1: the largest component of each in [1/2, 1); q0 . q1 >= 0. d: hi, lo; only for screws. */
void toi_slerp_make(const double q0[4], const double q1[4], const double d[2][3], bool screw, toi_slerp *slerp);

/* Pose at a time t in [0, 1] in doubles: the quaternion within 8 u |q0|; how far the position is from p0 + t d, within
 * 16 u |d_across|. */
void toi_slerp_at(const toi_slerp *slerp, const double q0[4], double t, double q[4], double off[3]);

#endif
