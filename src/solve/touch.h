/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proof that some equations have a common zero, where they have as many unknowns or more.
 *
 * Lemma 8 of docs/guarantees.md has the argument: with G the m equations, x0 a point, V any real n x m matrix and Y the
 * box |y_k| <= radius_k, there is a zero in x0 + V Y if K = -G(x0) + (I - J V) Y lies in Y for all slopes J of G
 * between x0 and points of x0 + V Y. V is a right inverse of the slopes at x0, or an inverse of those of m unknowns,
 * the others frozen. G as it is meant may differ from the given one by any continuous vector, if `value` is widened by
 * it.
 *
 * Claim: toi_touch_proves is true only if K lies in Y. Why: magnitudes are rounded up (touch.c). */

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

/* Sets the slopes over the box around x0 of these radii, one for each unknown; false: it leaves the domain, or nothing
 * is known there. */
typedef bool (*toi_touch_over)(void *user, const double *radius, toi_touch_system *s);

/* Tries boxes Y of growing size, from a little more than the values, and `least` beside them, on. True: x0 +- radius,
 * over which the slopes are those in *s then, holds a zero. */
bool toi_touch_prove(toi_touch_system *s, double least, toi_touch_over over, void *user, double radius[TOI_UNKNOWNS]);

#endif
