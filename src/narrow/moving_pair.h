/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The relative motion of two bodies under nlerp: doubles for the filter, made with the pair, and integer forms for the
 * decision, made when a query first needs them.
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

#include <stdatomic.h>

#include <toi/rigid.h>

#include "motion/slerp.h"
#include "number/polynomial.h"

#define TOI_TURN_DEGREE 5
#define TOI_TURN_COEFFICIENTS (TOI_TURN_DEGREE + 1)

/* --- doubles --- */

/* Bernstein coefficients of W, R, T and S over a piece of time. */
typedef struct toi_turn_table {
  double w[TOI_TURN_COEFFICIENTS], r[3][3][TOI_TURN_COEFFICIENTS], t[3][TOI_TURN_COEFFICIENTS],
      s[3][3][TOI_TURN_COEFFICIENTS];
} toi_turn_table;

/* A table with its bounds: entries of w are in [0, most_r] and off by at most unit most_r, those of r have magnitudes
 * of at most most_r and are off by at most unit most_r, those of t and s likewise by most_t. */
typedef struct toi_turn_piece {
  toi_turn_table table;
  double from, to; /* the step's times, dyadic */
  double most_r, most_t;
  double unit;
  double
      slope_unit; /* of tables that are fitted: the derivatives, over the piece's time from 0 to 1, are off by this */
  bool in_range;  /* if not, nothing is said about the doubles */
  bool finest;    /* a shorter piece would not be much better */
} toi_turn_piece;

/* What twofold arithmetic needs of the bodies: quaternions scaled by powers of two, one for each body, so that the
 * largest component is in [1/2, 1); x at both ends as unevaluated sums hi + lo of doubles, exact. */
typedef struct toi_turn_ends {
  double quaternion[2][2][4]; /* of a body, at an end */
  double x_hi[2][3], x_lo[2][3];
  bool steady[2]; /* the body turns at a constant rate, and: */
  toi_slerp slerp[2];
} toi_turn_ends;

/* --- integers --- */

/* A body's pose as forms of degree 2: rows of M, and N. */
typedef struct toi_pose_forms {
  toi_integer_form m[3][3], n;
} toi_pose_forms;

typedef struct toi_turn_integers {
  toi_pose_forms pose[2];
  toi_integer_form w, r[3][3], t[3], s[3][3];
} toi_turn_integers;

/* Which integers there are. */
enum { TOI_INTEGERS_NONE, TOI_INTEGERS_COMING, TOI_INTEGERS_THERE };

struct toi_moving_pair {
  toi_context *context;
  size_t bytes;            /* of all of it */
  toi_moving_body body[2]; /* with end.quaternion negated where that is the shorter way */
  toi_turn_ends ends;
  double square, far;   /* at least N_A N_B, and |x| */
  bool rational;        /* every query is decided in integers */
  toi_turn_piece piece; /* all of [0, 1]; if not rational, only its bounds */

  /* Of a pair that only turns, one body at a constant rate: under nlerp it goes the same way, at other times. */
  toi_moving_pair *same_way;
  int turning; /* which body turns */

  /* If one of the bodies follows a motion: moving_law.h; in memory of its own. */
  struct toi_turn_law *of_laws;
  size_t law_bytes;

  /* If not rational: moving_fit.c. */
  double sixth[2];        /* bounds of the sixth derivatives of R, and of T and S */
  uint32_t coarse, fine;  /* pieces of [0, 1], and finer ones in each of these */
  toi_turn_piece *pieces; /* the coarse ones, then the fine ones in the order of time */

  int exponent;             /* x / 2^exponent are integers, INT32_MAX if x is 0 */
  int top;                  /* and |x| < 2^top at both ends, INT32_MIN if x is 0 */
  int quaternion_low[2];    /* quaternions of a body / 2^this are integers */
  uint32_t quaternion_bits; /* 2 (bits of A's) + 2 (bits of B's): see moving_integers.c */
  uint32_t integer_limbs;   /* at most, of each integer that is kept */
  atomic_int made;
  toi_turn_integers *kept; /* written once, before `made` becomes TOI_INTEGERS_THERE */
  toi_limb *limbs;         /* room for them */
};

/* The calls of rigid.h, for tasks. */
toi_status toi_moving_pair_make(toi_context *context, const toi_moving_body *first, const toi_moving_body *second,
                                toi_moving_pair **pair);
void toi_moving_pair_free(toi_moving_pair *pair);

/* Fails with a sentence unless the motion of a body, if it follows one, is finite over the step. Not from two threads
 * at once on one motion. */
toi_status toi_moving_body_check_motion(toi_context *context, const char *which, const toi_moving_body *body);

/* What is wrong with a body, by name in the sentence; its copy, in today's layout. */
toi_status toi_moving_body_take(toi_context *context, const char *which, const toi_moving_body *given,
                                toi_moving_body *taken);
size_t toi_moving_body_stride(const toi_moving_body *first);

/* Rotation and position of a body at a time t in [0, 1], rounded. */
void toi_pose_at(const toi_moving_pair *pair, int number, double t, double rotation[3][3], double position[3]);

/* Bytes of scratch, aligned to 64, that toi_turn_integers_of may take. */
size_t toi_turn_integers_scratch(const toi_moving_pair *pair);

/* The integers of a pair: kept ones, or, while another thread makes them, some of the caller's own in *own and scratch.
 * Both must stay while they are used. */
const toi_turn_integers *toi_turn_integers_of(const toi_moving_pair *pair, toi_turn_integers *own, void *scratch);

/* Sets the fields of the pair that speak of the size of its integers. */
void toi_turn_integers_measure(toi_moving_pair *pair);

/* Bytes of those that are kept. */
size_t toi_turn_integers_bytes(const toi_moving_pair *pair);

/* The sign of q0 . q1, exactly. */
int toi_quaternion_dot_sign(const double q0[4], const double q1[4]);

/* Whether two bodies that go the shorter way turn by the same angle, exactly, and the lengths of their quaternions
 * change by the same ratio: then slerp and nlerp take both through the same poses at the same other times. */
bool toi_quaternions_turn_alike(const toi_moving_body *first, const toi_moving_body *second);

/* Doubles of the pair, from its bodies; tables only of bodies under nlerp: moving_table.c. */
void toi_turn_tables_make(toi_moving_pair *pair);

/* Bounds of sixth derivatives; what a fit on a piece of this length leaves out, of the magnitudes; and the fit. */
void toi_turn_growth(toi_moving_pair *pair);
double toi_turn_remainder(const toi_moving_pair *pair, double length);
void toi_turn_fit(const toi_moving_pair *pair, double from, double to, toi_turn_piece *piece);

/* The quaternion of a body at a time, in units of its scaled ends, and how far a screw is from the line, in doubles. */
void toi_turn_pose_at(const toi_turn_ends *ends, int body, double t, double q[4], double off[3]);

#endif
