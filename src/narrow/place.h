/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where two primitives are nearest to each other: parameters, point and normal of an answer with a separation. */

#ifndef TOI_NARROW_PLACE_H
#define TOI_NARROW_PLACE_H

#include "narrow/nearest.h"

/* The parameters of the point of a hull that is nearest to 0, in doubles, exactly within their ranges: not negative, at
 * most 1, and u + v at most 1 for three corners. */
typedef struct toi_place {
  double u, v;
} toi_place;
toi_place toi_place_on(toi_kind kind, const toi_hull *hull, toi_norm norm, const toi_nearest *nearest);

/* The point of the hull with these parameters: c0 + u (c1 - c0) + v (last - c0), in this order of operations. */
void toi_place_point(const toi_hull *hull, toi_place place, double x[3]);

/* The corners at time t, divided by 2^exponent, so that their size is from 1/2 to 1; false if all of them are 0. At
 * t = 0 that is exact: corners that vanish beside huge coordinates are not 0. */
bool toi_place_corners(toi_kind kind, const double *query, double t, toi_hull *hull, int *exponent);

/* The points with these parameters on the two primitives, at time t; first may be NULL. */
void toi_place_points(toi_kind kind, const double *query, double t, toi_place place, double first[3], double second[3]);

/* Fills u, v, point, normal and distance of *hit for the instant t, in doubles: rounded, not enclosed. Where many pairs
 * of points are equally near, the smallest u, then the smallest v, but for rounding. */
void toi_place_nearest(toi_kind kind, const double *query, toi_norm norm, double t, toi_hit *hit);

#endif
