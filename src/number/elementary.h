/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Exponentials, logarithms, powers, tangents and angles of intervals, with outward rounding.
 *
 * Promise, as in interval.h: valid intervals give valid intervals, and whatever numbers are taken from the arguments
 * where the function is defined, its value lies in the result. Nothing is asked of the system's mathematical library;
 * the bits are the same on every machine. Where nothing of the argument is defined, or the function has no bound over
 * it, the end (or the whole line) is infinite; *defined, where it is given, is set to false unless the function is
 * defined in all of the argument. Finite ends are within two doubles of the tightest, of powers three; log 1, exp 0,
 * tan 0, atan 0, and powers that products and square roots give exactly, are exact.
 *
 * Assumed, as in interval.h: the mode of toi_float_mode. Why the bounds hold: elementary.c, elementary_angle.c. */

#ifndef TOI_NUMBER_ELEMENTARY_H
#define TOI_NUMBER_ELEMENTARY_H

#include "number/trigonometry.h"

toi_interval toi_interval_exp(toi_interval x);
/* Of x > 0. */
toi_interval toi_interval_log(toi_interval x, bool *defined);
/* Beyond TOI_ANGLE_MOST it is not evaluated, and so not known to be defined. */
toi_interval toi_interval_tan(toi_interval x, bool *defined);
toi_interval toi_interval_atan(toi_interval x);
/* The angle of (x, y) in (-pi, pi], as C's atan2(y, x); not defined at the origin. Across the negative x axis, where it
 * jumps, the result is [-pi, pi]. */
toi_interval toi_interval_atan2(toi_interval y, toi_interval x, bool *defined);
/* x^y of x >= 0 and any y (0^0 = 1; 0 to a negative power is not defined); exact ends where x^y is 0 or 1. */
toi_interval toi_interval_pow(toi_interval x, toi_interval y, bool *defined);

#endif
