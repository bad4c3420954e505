/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A patch at one parameter, in the forest's frame, homogeneous: (w x, w y, w z, their velocities, w), with derivatives.
 *
 * Claim: every coordinate of a position (k < 3), as the patch is given, is within errors.value[0] of the computed one,
 * of a first derivative within errors.first[0]; of velocities (3 <= k < 6) likewise with [1], and of the weight with
 * [2]. Every second derivative, anywhere on the patch, is at most errors.second in magnitude. Why: evaluate.c. */

#ifndef TOI_SURFACE_EVALUATE_H
#define TOI_SURFACE_EVALUATE_H

#include "surface/piece.h"

typedef struct toi_jet {
  double value[8];
  double first[2][8];  /* d/du, d/dv */
  double second[3][8]; /* d2/du2, d2/dudv, d2/dv2; not bounded */
} toi_jet;

/* At (u, v) of the patch's domain; second derivatives if they are wanted, else they are left as they were. */
void toi_root_jet(const toi_root *root, const double uv[2], bool second, toi_jet *jet);

/* Bounds for the whole patch, found once a root: positions, velocities, weight. */
typedef struct toi_jet_errors {
  double value[3], first[3];
  double second[3][3]; /* of positions, velocities, weight: d2/du2, d2/dudv, d2/dv2 */
  double magnitude[3]; /* of the values */
  double slope[3];     /* of the first derivatives */
} toi_jet_errors;

void toi_root_bounds(const toi_root *root, toi_jet_errors *errors);

#endif
