/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Ways that are open to two points on the domains of two patches, and guesses of where and when these meet. Nothing
 * here is proved or needs to be. */

#ifndef TOI_SURFACE_DIRECTIONS_H
#define TOI_SURFACE_DIRECTIONS_H

#include "number/vector.h"
#include "surface/prove.h"

#define TOI_UNKNOWNS_MOST 8

/* Which sides of its domain a point lies on: u = 0, v = 0, u = 1, v = 1; a triangle's third is u + v = 1. */
typedef struct toi_sides {
  bool on[2][4];
} toi_sides;

/* The sides that the points lie on, or next to; they are put there. */
void toi_sides_find(const toi_prover *prover, toi_moment *at, toi_sides *sides);

/* Points that left the domain go back to the side they crossed, and stay on it. True: one did. */
bool toi_sides_stop(const toi_prover *prover, toi_moment *at, toi_sides *sides);

/* Off all sides, so far, so that every direction is open. */
void toi_sides_leave(const toi_prover *prover, double far, toi_moment *at, toi_sides *sides);

/* Lets one point go from a side if n . F falls more than a little when it goes inward, F's derivatives being these.
 * False: none was let go. */
bool toi_sides_release(const toi_prover *prover, toi_sides *sides, const double slope[5][3], const double n[3]);

/* Time, and the directions open to both points: two for each that is on no side, one along a side, none in a corner. */
int toi_free_directions(const toi_prover *prover, const toi_sides *sides, toi_direction directions[5]);

/* The two of the directions which, with time, make the best system: *chosen (may be NULL). n is the normal for which t
 * + n . F is stationary along all three. False: there are none. */
bool toi_best_directions(const double slope[5][3], const toi_direction *directions, int count, toi_direction chosen[3],
                         double n[3]);

/* Gauss's elimination with row pivots; the solution replaces the last column. */
bool toi_eliminate(double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1], int size);

/* The part of a piece's domain that a point can be in, around its middle. */
typedef struct toi_part {
  double middle[2];
  double corner[4][2]; /* relative to the middle, in turn */
  int corners;         /* 4, 3; 2 for a curve, 1 for a point */
} toi_part;

toi_part toi_part_of(const toi_piece *piece);

/* The first contact of the two pieces if they were flat, as they are at their middles at the time in *at. False: no
 * solution. */
bool toi_guess_flat(const toi_prover *prover, const toi_part regions[2], toi_moment *at);

/* The least time of contact near *at. */
void toi_guess_least_time(const toi_prover *prover, toi_moment *at, toi_sides *sides);

/* Nearest points at the time of *at, roughly; and the time near it at which nearest points are so far apart, in the
 * Euclidean norm. False: no such time. */
void toi_guess_nearest(const toi_prover *prover, toi_moment *at, toi_sides *sides);
bool toi_guess_apart(const toi_prover *prover, double distance, toi_moment *at, toi_sides *sides);

static inline double toi_determinant(const double a[3], const double b[3], const double c[3]) {
  double n[3];
  toi_cross(b, c, n);
  return toi_dot(a, n);
}

#endif
