/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The parts of the method `cubic` (after Huh 2014): the hull of a query's corners in a unit of its own, the zones in
 * which the coplanarity cubic may vanish, the area test over a zone, and the planes that narrow what is left.
 *
 * Everything here excludes: "no contact in [a, b]" is proved for the exact corners, with rounding accounted for.
 * Contact means that the distance of 0 to the hull is at most the separation d, in the norm asked for. */

#ifndef TOI_NARROW_CUBIC_H
#define TOI_NARROW_CUBIC_H

#include "narrow/hull.h"

/* Added to every bound for what underflows. Corners are at most 2^100, so an operation that underflows, by 2^-1075 at
 * most, is multiplied by less than 2^300 in all that follows, fewer than 2^8 times. */
#define TOI_CUBIC_TINY 0x1p-700

/* A moving convex polygon: corners at t = 0 and t = 1 in cyclic order, rounded once, in a unit of 2^-scale. Where a
 * corner becomes subnormal by the change of unit it is off by 2^-1074 besides, which TOI_CUBIC_TINY covers. */
typedef struct toi_cubic_hull {
  unsigned count;
  toi_norm norm;
  double at[2][TOI_MOST_CORNERS][3];
  double size[3];     /* largest |coordinate| on each axis: X, Y, Z */
  double d_lo, d_hi;  /* the separation in this unit, rounded down and up */
  double place[3][2]; /* the query's u and v in the first, the second and the last corner */
  int scale;
} toi_cubic_hull;

/* The Euclidean length, within 2^-50 of itself, and 2^-1075 where it is subnormal: squares that would underflow are
 * scaled. Components are below 2^500. */
double toi_cubic_length(const double w[3]);

/* A direction's norm that is dual to the distance's: |w . q| <= dual(w) |q|; rounded likewise. */
double toi_cubic_dual(const toi_cubic_hull *hull, const double w[3]);

/* The corners at a time, each coordinate off by at most 8 u of the axis's size (kernel_bounds.h, POINT_AREA). */
void toi_cubic_positions(const toi_cubic_hull *hull, double t, double p[TOI_MOST_CORNERS][3]);

/* --- zones --- */

/* An interval outside of which the cubic excludes contact. A sign is that of the cubic at this end, proved; 0: not
 * known. */
typedef struct toi_cubic_zone {
  double lo, hi;
  int sign_lo, sign_hi;
} toi_cubic_zone;

typedef struct toi_cubic_zones {
  int count;
  toi_cubic_zone zone[3];
  bool degenerate;   /* all four coefficients are within their bound of 0 */
  bool zero_leading; /* the coefficient of t^3 is */
} toi_cubic_zones;

/* In increasing order; they do not overlap. The hull has 3 or 4 corners. */
void toi_cubic_find_zones(const toi_cubic_hull *hull, toi_cubic_zones *zones);

/* The hull's normal at a time, (second - first) x (last - first), rounded. */
void toi_cubic_normal(const toi_cubic_hull *hull, double t, double normal[3]);

/* --- inclusion --- */

/* -1: no contact at any time in [lo, hi]. 1: where the cubic is 0 in [lo, hi], 0 is in the hull. 0: neither is
 * proved. */
int toi_cubic_areas(const toi_cubic_hull *hull, double lo, double hi);

/* Moves *lo up while planes separate 0 from the hull; `checks` planes at most. False: no contact in [*lo, hi].
 * direction, if a plane was found, is the last one's, towards the hull. */
typedef struct toi_cubic_advance {
  double tolerance; /* in the hull's unit: once the gap is below it, a few planes more and no others */
  uint64_t checks;
  bool moved; /* a plane was found */
  double direction[3];
} toi_cubic_advance;
bool toi_cubic_advance_to(const toi_cubic_hull *hull, toi_cubic_advance *advance, double hi, double *lo);

/* A point of the hull close to 0. */
typedef struct toi_cubic_point {
  double distance; /* an upper bound of its distance to 0 */
  double u, v;     /* in the query's parameters */
  double at[3];
} toi_cubic_point;
toi_cubic_point toi_cubic_closest(const toi_cubic_hull *hull, double t);

/* --- counting --- */

/* How often the cases of the paper's tables occur. Calls add to what is there. */
typedef struct toi_cubic_statistics {
  uint64_t queries;
  uint64_t degenerate;   /* coplanar all the time, up to rounding: all coefficients are 0 */
  uint64_t zero_leading; /* the coefficient of t^3 is 0, but not all are */
  uint64_t flat;         /* exactly in an axis plane or line, where the dimension was reduced */
  uint64_t odd, even;    /* contacts proved by simple roots: how many of them, modulo 2 */
} toi_cubic_statistics;

/* The vertex-face or edge-edge queries back to back, finite, without separation. */
void toi_cubic_survey(toi_kind kind, const double *queries, size_t count, toi_cubic_statistics *statistics);

#endif
