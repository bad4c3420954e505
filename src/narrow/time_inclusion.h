/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What `time-inclusion` knows of a query: its motion, projections of it, and pieces of its parameters.
 *
 * All kinds are one: the difference of a point of the first and a point of the second primitive is
 *   F(u, v, t) = P(t) + u U(t) + v V(t),  P, U, V linear in t,
 * over a triangle (vertex-face), a square (edge-edge), a segment (vertex-edge) or a point (vertex-vertex) of
 * parameters. They touch where F = 0, and are within d where |F| <= d. A piece is a rectangle of parameters, cut by
 * u + v <= 1 in the triangle; F maps it to the hull of its corners.
 *
 * Claim: along an axis n, taken as exact, the computed n F of a corner at t = 0 or 1 is off by at most
 *   E(n) = 12 u S(n),  S(n) = sum over axes of |n_a| R_a,  R_a = |P_a| + |U_a| + |V_a|, the larger of both ends,
 * with S(n) at least 2^-1000; as n F is linear in t, so it is in between. u = 2^-53.
 * Why: P_a, U_a and V_a are rounded differences of coordinates (1); a product with n_a (1) and two sums (2) give n P,
 * n U and n V; a product with u or v, which are exact (1), and two sums (2) give n F: 7 roundings each, so 7u S to
 * first order; S is itself computed, with less than 8. Products that underflow lose 2^-1075 each, less than 12 of them,
 * where u S is at least 2^-1053. 12 > 7 leaves room for both, and for a parameter v that is 1 - u rounded (1 more). */

#ifndef TOI_NARROW_TIME_INCLUSION_H
#define TOI_NARROW_TIME_INCLUSION_H

#include "narrow/method.h"
#include "search/envelope.h"
#include "search/search.h"

typedef struct toi_relative_motion {
  double p[2][3], u[2][3], v[2][3]; /* P, U, V at t = 0 and at t = 1 */
  double reach[3];                  /* R_a */
  bool triangle;                    /* the parameters keep u + v <= 1 */
  double u_max, v_max;              /* 0: there is no such parameter */
} toi_relative_motion;

toi_relative_motion toi_relative_motion_of(toi_kind kind, const double *query);

/* |F_a| beyond which products of three leave the range of doubles. */
#define TOI_RELATIVE_MOTION_MOST 0x1p300

/* F along an axis, and the level beyond which a piece is apart from the origin: the separation along it, and E. */
typedef struct toi_projection {
  double p[2], u[2], v[2];
  double level;
} toi_projection;

/* The distance asked for. */
typedef struct toi_gauge {
  double d;
  toi_norm norm;
} toi_gauge;

/* Coordinate axis a; never fails. */
toi_projection toi_project_coordinate(const toi_relative_motion *motion, const toi_gauge *gauge, int a);

/* Any axis; false if it is zero or not finite. */
bool toi_project(const toi_relative_motion *motion, const toi_gauge *gauge, const double axis[3],
                 toi_projection *projection);

/* A rectangle of parameters, with the times at which it may touch; an item of the search. */
typedef struct toi_time_piece {
  toi_search_key key;    /* the earliest time; the size, so that of the same time the smaller comes first */
  double t_hi, t_end;    /* the latest time; the end of the earliest interval left open */
  double u0, u1, v0, v1; /* multiples of 2^-50 */
} toi_time_piece;

/* Shrinks the piece's times to those at which the projections overlap the origin; false: there are none. */
bool toi_time_piece_clip(const toi_relative_motion *motion, const toi_projection *projections, size_t count,
                         toi_time_piece *piece);

/* The same for all parameters at once, along the coordinate axes, without a separation: the corners are single rounded
 * differences, and against zero these err as exact ones do (envelope.h). */
bool toi_time_piece_clip_exactly(toi_kind kind, const double *query, toi_time_piece *whole);

/* F at the piece's earliest time: a point of it close to the origin, and P, U, V. */
typedef struct toi_witness {
  double p[3], u[3], v[3];
  double away[3];  /* F, or as much of it as is beyond the cube of radius d */
  double s, t;     /* its parameters */
  double distance; /* |F| at most: of the two primitives at that time */
  double floor;    /* what of it is rounding */
} toi_witness;

void toi_witness_find(const toi_relative_motion *motion, const toi_gauge *gauge, const toi_time_piece *piece,
                      toi_witness *witness);

#endif
