/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proof that some equations have a common zero, where they have as many unknowns or more.
 *
 * Let G be the m equations, x0 a point, V a real n x m matrix, and Y the box |y_k| <= radius_k. If
 *   K = -G(x0) + (I - J V) Y
 * lies in Y for all slopes J of G between x0 and points of x0 + V Y, then y -> y - G(x0 + V y) maps Y into itself, and
 * has a fixed point there (Brouwer), where G = 0. V is a right inverse of the slopes at x0, or an inverse of those of m
 * unknowns, the others frozen; how it was computed does not matter. Nothing needs to be isolated: it serves curves and
 * regions of contact as well. G as it is meant may differ from the given one by any continuous vector, if `value` is
 * widened by it.
 *
 * Claim: toi_touch_proves is true only if that is so. Why: lemma 8 of docs/guarantees.md; magnitudes are rounded up. */

#ifndef TOI_SOLVE_TOUCH_H
#define TOI_SOLVE_TOUCH_H

#include "solve/linear.h"
#include "solve/midrad.h"

typedef struct toi_touch_system {
  size_t m, n;
  toi_midrad value[TOI_UNKNOWNS];               /* G(x0) */
  toi_midrad slope[TOI_UNKNOWNS][TOI_UNKNOWNS]; /* J: a row for each equation */
  toi_row inverse[TOI_UNKNOWNS];                /* V: a row for each unknown */
} toi_touch_system;

bool toi_touch_proves(const toi_touch_system *s, const double *radius);

#endif
