/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* On which side of a plane is a point? The exact sign for four points of any finite coordinates, without memory from
 * anybody. */

#ifndef TOI_NUMBER_ORIENTATION_H
#define TOI_NUMBER_ORIENTATION_H

#include <stdbool.h>
#include <stddef.h>

/* The sign of det(a - d, b - d, c - d): 1 if a, b, c turn counterclockwise as seen from the side of their plane that d
 * is not on, -1 if they turn clockwise, 0 if the four points lie in one plane. Coordinates are finite; the rounding
 * mode is to nearest. */
int toi_orientation(const double a[3], const double b[3], const double c[3], const double d[3]);

/* Whether the edge pq crosses the face abc: p and q are strictly on different sides of its plane, and the line pq
 * passes strictly inside it. Decided exactly. */
bool toi_edge_crosses(const double p[3], const double q[3], const double a[3], const double b[3], const double c[3]);

/* The determinant in floating point. */
typedef struct toi_volume {
  double value; /* |value - determinant| <= bound */
  double bound; /* infinite where nothing is known */
} toi_volume;

toi_volume toi_orientation_volume(const double a[3], const double b[3], const double c[3], const double d[3]);

/* Many signs at a time: points[j][k] are the coordinates on axis k of the j-th of four points, one row for all. Each
 * sign is that of the determinant where its value in floating point is beyond the error, 0 where nothing is known.
 * Rows are filled up to a multiple of TOI_ORIENTATION_LANES. */
#define TOI_ORIENTATIONS 64
#define TOI_ORIENTATION_LANES 4
void toi_orientation_signs(const double (*const points[4])[TOI_ORIENTATIONS], size_t count,
                           int signs[TOI_ORIENTATIONS]);

/* The same in lanes, for each instruction set. */
void toi_orientation_signs_two(const double (*const points[4])[TOI_ORIENTATIONS], size_t count,
                               int signs[TOI_ORIENTATIONS]);
void toi_orientation_signs_avx2(const double (*const points[4])[TOI_ORIENTATIONS], size_t count,
                                int signs[TOI_ORIENTATIONS]);

/* The error bound that all of these share; derived in orientation.c. */
#define TOI_ORIENTATION_ROUNDINGS 48
#define TOI_ORIENTATION_SMALLEST 0x1p-300
#define TOI_ORIENTATION_LARGEST 0x1p300

/* The sign in integers alone. */
int toi_orientation_exact(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
