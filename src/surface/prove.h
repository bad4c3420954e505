/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proof that two moving patches touch.
 *
 * Contact is G = 0, where G = X1 w2 - X2 w1 - s w1 w2, X the homogeneous position of each, w > 0 its weight, and s a
 * shift of at most the separation: three polynomial equations in t, u1, v1, u2, v2, linear in t. Freeze all but three
 * unknowns, which may be time or ways to go in the parameters of a patch: solve/touch.h proves that they have a zero.
 *
 * Frozen at a place of one patch, with time and the other patch's parameters unknown, the system is regular whenever
 * the surfaces approach each other at all, also where they first touch tangentially, along a curve or over a region:
 * no case needs the contact to be isolated. With time frozen it serves surfaces that cross without approaching.
 *
 * Claim: toi_prove_touch is true only if the patches, as they are meant, touch (with shift s: come within |s|) at a
 * time not after *t_hi and not after t_max. Why: prove.c. */

#ifndef TOI_SURFACE_PROVE_H
#define TOI_SURFACE_PROVE_H

#include "surface/evaluate.h"

/* Of two roots in one forest: what bounds of rounding and of curvature follow for G. */
typedef struct toi_prover {
  const toi_root *root[2];
  double t_max;
  double shift[3];        /* s */
  double value_error;     /* of G, computed, in every coordinate, with what is meant by the patches */
  double weight_error[2]; /* of the weights of both, computed */
  double slope_error[5];  /* of its derivatives by t, u1, v1, u2, v2 */
  double curvature[5][5]; /* at least the second derivatives, everywhere */
} toi_prover;

/* The shift is 0; it may be set later to vectors of components at most `reach`. */
void toi_prover_make(const toi_root *a, const toi_root *b, double reach, toi_prover *prover);

/* Time, and the parameters of both. */
typedef struct toi_moment {
  double t;
  double uv[2][2];
} toi_moment;

/* G, its derivatives, and (for those who look for contacts) the jets they come from. */
typedef struct toi_gap {
  toi_jet jet[2];     /* positions at time t in [0, 3), the shift taken off the first */
  double value[3];    /* G */
  double slope[5][3]; /* by t, u1, v1, u2, v2 */
} toi_gap;

/* With the jets' second derivatives, or without. */
void toi_gap_at(const toi_prover *prover, const toi_moment *at, bool second, toi_gap *gap);

/* A way to go: time (patch -1), or a direction in the parameters of a patch, components 0, 1 or -1. */
typedef struct toi_way {
  int patch;
  double step[2];
} toi_way;

/* The derivative of G along a way. */
void toi_gap_slope(const toi_gap *gap, const toi_way *way, double slope[3]);

/* Whether the domain of the patch holds the place. */
bool toi_root_holds(const toi_root *root, const double uv[2]);

/* Into the domains and [0, t_max], and triangles' parameters to the grid on which they are added without rounding. */
void toi_moment_settle(const toi_prover *prover, toi_moment *at);

/* The inverse of a 3 x 3 matrix, rounded; false: there is none to speak of. */
bool toi_invert(double m[3][3], double inverse[3][3]);

/* Goes from *at along the three ways to a solution of G = 0, and proves it. On success *at is near the contact. */
bool toi_prove_touch(const toi_prover *prover, const toi_way ways[3], toi_moment *at, double *t_hi);

#endif
