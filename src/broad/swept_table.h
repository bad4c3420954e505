/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where the boxes of one turning body can be, seen from the frame of another, over pieces of a step.
 *
 * Bodies A and B, point p of A: in the frame of B it is at y(t) = R_B' (a - b + R_A p). The table has y at the times
 * k / 64, in the coordinates of both trees (body_tree.h), as rows r and t in floats: y = t + r c for c in A's tree. A
 * piece is the time between two of them; a group is eight pieces.
 *
 * Claim. For a point of A within h of c on each axis, at any time of piece k, y in the coordinates of B's tree lies on
 * axis i in
 *
 *   [min(y0, y1) - e, max(y0, y1) + e],   y0 = t_i + sum_j r_ij c_j at k, y1 the same at k + 1,
 *                                         e = sum_j max(|r_ij(k)|, |r_ij(k + 1)|) h_j + slack,
 *
 * as toi_swept_meets() computes it in floats, and boxes of B whose ends are computed in floats are apart from it only
 * if they are. Likewise for projections on a vector n, with slack times |n_1| + |n_2| + |n_3|.
 *
 * Why (u = 2^-24, and M = |t| + 3 |r| + 1, the largest of a piece):
 * - Let y'' be bounded by K on the piece, of length h. A path deviates from the chord between its ends by at most h^2 K
 *   / 8, in the Euclidean norm. The chord of a point c + d is that of c plus a convex combination of r(k) d and
 *   r(k + 1) d. This is the claim in real numbers, with slack = h^2 K / 8.
 * - K: let w and e bound the angular speed and acceleration of each body on the piece, V the relative speed of the
 *   origins, X their largest distance, c the acceleration of each origin, P the reach of A. With d = a - b + R_A p,
 *   y'' = R_B' (d'' - 2 w_B x d' - e_B x d + w_B x (w_B x d)), |d''| <= (w_A^2 + e_A) P + c_A + c_B, |d'| <= V + w_A
 *   P, |d| <= X + P: K = ((w_A + w_B)^2 + e_A + e_B) P + 2 w_B V + (w_B^2 + e_B) X + c_A + c_B.
 * - At constant rates w is the angle of the turn, 2 phi, and e is 0. The origin of a screw moves across its axis on a
 *   circle of radius |d_across| / (2 sin phi), d the displacement, at the angular speed w: its speed is at most |d|
 *   pi / 2, as phi / sin phi <= pi / 2, and its acceleration w^2 times the radius, at most w |d| pi / 2; it deviates
 *   from the straight line by no more than an eighth of that. Other origins move straight, and c is 0.
 * - Angular speed: q moves on a straight line in a plane through 0, so that its direction turns at the rate |q0 ^ q1|
 *   / N, N = |q|^2, about one axis, and the body at twice that. On the piece [s, t] N is at least (1 - t)^2 n0 + 2 d
 *   min (x (1 - x)) + s^2 n1, n0 = |q0|^2, d = q0 . q1 >= 0, n1 = |q1|^2, as each term is. Acceleration: 2 |q0 ^ q1|
 *   |N'| / N^2, N' linear in t.
 * - Poses in doubles: (1 - t) q0 and t q1 are not longer than q, since d >= 0. At constant rates motion/slerp.h says
 *   the same, with 2^-49 |d| for positions. So q is off by 2^-50 |q|, R by 2^-46, products of two by 2^-43, and
 *   positions by 2^-43 of the magnitudes S that enter: |a|, |b|, both reaches and centres. Together less than 2^-40
 *   S, which is added to the slack.
 * - Motions (toi/motion.h): R and its derivatives are enclosed over each piece: R' R^T crosses with the angular
 * velocity, the skew part of R'' R^T with the angular acceleration, as that of [w]^2 is 0; V and c come from T' and
 * T''. Poses are middles of enclosures: what those are wide is added to the slack, of rotations three times, one for
 * each entry of a row, and of the second body times X + P.
 * - Floats: entries are off by u; y takes a product and three sums, 6 u M; e 5 u M; their sum 2 u M; ends of B's box 2
 *   u; those of single primitives, which are off by 2 u each and by what vertices are off, 2 u + 6 u: less than 32 u M
 * = 2^-19 M, which is added to the slack. A projection: n r and n t take a product and two sums, then a product and
 * three sums; vertices are off by u: 12 u M |n|, B's 5 u |n|, so again less.
 * - Slabs: for d = x - c of A, |d_j| <= h_j, m = n r and any number q, m . d = q (n_A . d) + (m - q n_A) . d, so that
 *   |m . d| <= |q| thickness + sum_j |m_j - q n_Aj| h_j, n_A the direction of A's slab and its bound. q is about the
 * one that makes the rest smallest, |q n_Aj| <= 2 |n| R, R the largest entry of r: computed, the rest is off by 10 u
 * |n| R on each axis, 30 u |n| R <= 10 u M |n| in all. Relative errors are covered by a factor of 1 + 2^-20. With 12 u
 * M |n| for the projection of c, 8 u M |n| for the ends of B's slab and 4 u M |n| for the comparison this is less
 * than 1.125 times the slack of a projection.
 * - Underflow is less than 2^-140, far below 2^-19 M. Where an entry exceeds 2^100 the slack is infinite, so that
 * nothing is apart and no sum of finite numbers overflows. */

#ifndef TOI_BROAD_SWEPT_TABLE_H
#define TOI_BROAD_SWEPT_TABLE_H

#include <toi/rigid.h>

#include "broad/body_tree.h"

enum { TOI_PIECES = 64, TOI_GROUP = 8, TOI_GROUPS = 8 };

/* Eight pieces, a lane each: r and t at their begin and their end, the larger |r| of both, and the slack. */
typedef struct toi_swept_lanes {
  float r[2][9][TOI_GROUP];
  float t[2][3][TOI_GROUP], most[9][TOI_GROUP], slack[TOI_GROUP];
} toi_swept_lanes;

typedef struct toi_swept_table {
  toi_swept_lanes fine[TOI_GROUPS]; /* pieces, group by group */
  toi_swept_lanes coarse;           /* the groups themselves */
  bool wide;                        /* this machine has AVX2 */
  float unit;                       /* of A, in that of B: 2^(exponent of A - exponent of B) */
  float spread;                     /* at least the length of the path of any point of A over a group, in units of B */
} toi_swept_table;

/* A body at the times k / 64, and bounds of its speeds on pieces. */
typedef struct toi_body_samples {
  double rotation[TOI_PIECES + 1][3][3], position[TOI_PIECES + 1][3];
  double speed[TOI_PIECES], acceleration[TOI_PIECES]; /* angular; may be infinite or NaN: not known */
  double pace, curve;         /* bounds of the speed of the origin, and of its acceleration: 0 if it moves straight */
  double doubt, doubt_turned; /* how far positions and entries of rotations may be off, if that is more than rounding */
} toi_body_samples;

/* The body goes the shorter way: q0 . q1 >= 0. A motion (TOI_LAW_MOTION) passed toi_moving_body_check_motion(), and is
 * asked: not from two threads at once. */
void toi_body_samples_make(const toi_moving_body *body, toi_body_samples *samples);

/* Negates end.quaternion if the exact q0 . q1 is negative. The body is valid. */
void toi_shorter_way(toi_moving_body *body);

/* Body A seen from B. With a separation d, what comes within d of each other is not apart: the slack grows by it. */
void toi_swept_table_make(const toi_body_samples *const samples[2], const toi_body_tree *const tree[2],
                          double separation, toi_swept_table *table);

/* The box that the whole of a body stays in during the pieces [begin, end): lo, then hi, in world coordinates, finite.
 */
void toi_body_swept_box(const toi_body_samples *samples, const toi_body_tree *tree, int begin, int end, double box[6]);

/* Pieces, as bits, in which box a of A may meet box b of B, among those of `mask`. fine: by pieces, else by groups. */
uint64_t toi_swept_meets(const toi_swept_table *table, const float a[6], const float b[6], bool fine, uint64_t mask);

/* Pieces of `mask` in which node a of A may meet the slab of node b of B. */
uint64_t toi_swept_layers(const toi_swept_table *table, const toi_body_tree *const tree[2], const uint32_t node[2],
                          bool fine, uint64_t mask);

/* Pieces of `mask` in which no plane across n, in the frame of B, separates two triangles: rows of three points. */
uint64_t toi_swept_crosses(const toi_swept_table *table, const float *const a[3], const float *const b[3],
                           const float n[3], uint64_t mask);

/* --- the kernels --- */

/* A node of A, and what lies along a direction n in the frame of B. */
typedef struct toi_layer {
  float box[6];             /* of A */
  float own[3], thin, part; /* A's slab: its direction, thickness and 1 / |own|^2, or 0 */
  float n[3], range[2];     /* B's slab */
} toi_layer;

/* Bits of the lanes among those of `mask`, eight of each group one after another, in which box a of A may meet box b of
 * B; and of one group those in which triangle a may, b being given by its projections on n. */
uint64_t toi_boxes_meet_plain(const toi_swept_lanes *of, const float a[6], const float b[6], uint64_t mask);
unsigned toi_planes_meet_plain(const toi_swept_lanes *of, const float *const a[3], const float n[3],
                               const float range[2]);
uint64_t toi_layers_meet_plain(const toi_swept_lanes *of, const toi_layer *layer, uint64_t mask);
uint64_t toi_layers_meet_avx2(const toi_swept_lanes *of, const toi_layer *layer, uint64_t mask);
uint64_t toi_boxes_meet_avx2(const toi_swept_lanes *of, const float a[6], const float b[6], uint64_t mask);
unsigned toi_planes_meet_avx2(const toi_swept_lanes *of, const float *const a[3], const float n[3],
                              const float range[2]);

#endif
