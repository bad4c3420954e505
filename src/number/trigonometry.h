/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sines and cosines one can trust: of a double with a proved error, of an interval with outward rounding.
 *
 * Promise: valid intervals give valid intervals within [-1, 1], and whatever number is taken from the argument, its
 * sine (cosine) lies in the result. Nothing is asked of the system's mathematical library; the bits are the same on
 * every machine. Where an end of the result is not -1 or 1 by a turning point in the argument, it is within two doubles
 * of the tightest one. sin 0 = 0 and cos 0 = 1 are exact.
 *
 * Arguments are radians. Beyond TOI_ANGLE_MOST, where a double says little about an angle, the answer is [-1, 1].
 *
 * Assumed, as in interval.h: the mode of toi_float_mode. Why the bounds hold: trigonometry.c. */

#ifndef TOI_NUMBER_TRIGONOMETRY_H
#define TOI_NUMBER_TRIGONOMETRY_H

#include "number/interval.h"

#define TOI_ANGLE_MOST 0x1p20

toi_interval toi_interval_sin(toi_interval x);
toi_interval toi_interval_cos(toi_interval x);

/* Both at once, for little more than one. */
void toi_interval_sin_cos(toi_interval x, toi_interval *sine, toi_interval *cosine);

/* |sin x - sin| <= sin_error, at most 2^-52 |sin| + 2^-1074, and the same for the cosine. Beyond TOI_ANGLE_MOST, and
 * for NaN, both are 0 within 1. */
typedef struct toi_sine_cosine {
  double sin, cos;
  double sin_error, cos_error;
} toi_sine_cosine;
toi_sine_cosine toi_sin_cos(double x);

/* The tightest interval around pi. */
static inline toi_interval toi_interval_pi(void) {
  return (toi_interval){0x1.921fb54442d18p+1, 0x1.921fb54442d19p+1};
}

#endif
