/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The relative motion of two bodies under nlerp, as integer forms of degree 5 and as doubles made from them.
 *
 * With q = (1 - t) q0 + t q1 of a body, M(q) is the matrix with M / N = R, the rotation, where N = |q|^2; both are of
 * degree 2 in t. Let A be the first body, B the second, x = a - b the difference of their positions, of degree 1. In
 * the frame of B, point p of A is at P / W with
 *
 *   W = N_A N_B,   P = T + R p,   T = N_A M_B' x,   R = M_B' M_A          (' transposes),
 *
 * of degrees 4, 5, 4. W > 0 on [0, 1]: the coefficients of N are |q0|^2, 2 q0 . q1, |q1|^2, where q0 . q1 >= 0. The
 * line through points p and q of A has, in the frame of B, the direction and the moment
 *
 *   (P(q) - P(p)) / W = D / W,           D = R d, d = q - p,
 *   P(p) x P(q) / W^2 = L / W,           L = S d + R (p x q),   S = M_B' [x] M_A  of degree 5,
 *
 * since M M' = N^2 I and det M = N^3 give (M' y) x (M' z) = N M' (y x z), hence T x R d = W S d, (R p) x (R q) = W R (p
 * x q). So nothing that a query asks for has a degree above 5. R and W are kept elevated to degree 5.
 *
 * The integers of each body's quaternions, and those of x, have a power of two of their own. That of the quaternions
 * divides out of everything. T and S, times 2^exponent, are in the units of the positions. */

#ifndef TOI_NARROW_MOVING_PAIR_H
#define TOI_NARROW_MOVING_PAIR_H

#include <toi/rigid.h>

#include "number/polynomial.h"

#define TOI_TURN_DEGREE 5
#define TOI_TURN_COEFFICIENTS (TOI_TURN_DEGREE + 1)

/* Integer forms. */
typedef struct toi_turn_table {
  toi_integer_form w, r[3][3], t[3], s[3][3];
} toi_turn_table;

/* The coefficients of a table as doubles hi + lo within 2^-104 |hi|, scaled by one power of two for all so that those
 * of w are at most 1, the largest at least 1/2; t and s in units of the positions. */
typedef struct toi_turn_part {
  double w[TOI_TURN_COEFFICIENTS], r[3][3][TOI_TURN_COEFFICIENTS], t[3][TOI_TURN_COEFFICIENTS],
      s[3][3][TOI_TURN_COEFFICIENTS];
} toi_turn_part;

/* A body's pose as forms of degree 2: rows of M, and N. */
typedef struct toi_pose_forms {
  toi_integer_form m[3][3], n;
} toi_pose_forms;

struct toi_moving_pair {
  toi_context *context;
  size_t bytes;            /* of all of it */
  toi_moving_body body[2]; /* with end.quaternion negated where that is the shorter way */
  toi_pose_forms pose[2];
  toi_turn_table table;
  int exponent;             /* x / 2^exponent are integers, INT32_MAX if x is 0 */
  int top;                  /* and |x| < 2^top at both ends, INT32_MIN if x is 0 */
  uint32_t quaternion_bits; /* 2 (bits of A's) + 2 (bits of B's): see moving_pair.c */

  /* For arithmetic in doubles: the sums hi + lo of the forms' coefficients, and Bernstein coefficients, which are hi
   * divided by binomials, each within 5 u of the largest of its kind. */
  toi_turn_part hi, lo, bernstein;
  double most_w, most_r, most_t, most_s; /* at least the largest magnitude of each kind of `bernstein` */
  bool in_range;                         /* the doubles are as promised; if not, nothing is said about them */
};

/* The calls of rigid.h, for tasks: scratch is that of the thread. */
toi_status toi_moving_pair_make(toi_context *context, uint32_t thread, const toi_moving_body *first,
                                const toi_moving_body *second, toi_moving_pair **pair);
void toi_moving_pair_free(toi_moving_pair *pair);

/* What is wrong with a body, by name in the sentence; its copy, in today's layout. */
toi_status toi_moving_body_take(toi_context *context, const char *which, const toi_moving_body *given,
                                toi_moving_body *taken);
size_t toi_moving_body_stride(const toi_moving_body *first);

/* Rotation and position of a body at a time t in [0, 1], rounded. */
void toi_pose_at(const toi_moving_body *body, double t, double rotation[3][3], double position[3]);

#endif
