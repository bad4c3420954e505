/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Ways that are open to two points on the domains of two patches, and the small linear algebra of those who look for
 * contacts. Nothing here is proved or needs to be. */

#ifndef TOI_SURFACE_WAYS_H
#define TOI_SURFACE_WAYS_H

#include "narrow/vector.h"
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

/* Off all sides, so far, so that every way is open. */
void toi_sides_leave(const toi_prover *prover, double far, toi_moment *at, toi_sides *sides);

/* Lets one point go from a side if going inward takes more than a little off: `fall` is the derivative of what is to be
 * least along a way. False: none was let go. */
bool toi_sides_release(const toi_prover *prover, toi_sides *sides, double (*fall)(const void *user, const toi_way *way),
                       const void *user);

/* The ways open to both points: two for each that is on no side, one along a side, none in a corner. */
int toi_open_ways(const toi_prover *prover, const toi_sides *sides, toi_way ways[4]);

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
bool toi_flat_guess(const toi_prover *prover, const toi_part regions[2], toi_moment *at);

static inline double toi_determinant(const double a[3], const double b[3], const double c[3]) {
  double n[3];
  toi_cross(b, c, n);
  return toi_dot(a, n);
}

#endif
