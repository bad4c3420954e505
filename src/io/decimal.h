/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Decimal numbers to doubles or floats and back; no locale matters. */

#ifndef TOI_IO_DECIMAL_H
#define TOI_IO_DECIMAL_H

#include <toi/narrow.h>

/* Digits that tell all doubles, and all floats, apart. */
#define TOI_DOUBLE_DIGITS 17
#define TOI_FLOAT_DIGITS 9

/* Room for a number as toi_decimal_write() makes it. */
#define TOI_DECIMAL_TEXT 32

/* Reads `[sign] digits [. digits] [e [sign] digits]` and rounds it once, to the nearest double or float, ties to even;
 * infinity if it is beyond the largest. Zero keeps its sign. Returns what follows it, NULL if there is no number. The
 * text ends with a byte that is no part of a number. Must run in the default floating-point mode. */
const char *toi_decimal_read(const char *text, toi_scalar scalar, double *value);

/* Writes a finite double with at most this many digits, rounded to nearest, ties to even; reading it gives the double
 * back with TOI_DOUBLE_DIGITS, and the float, if it was one, with TOI_FLOAT_DIGITS. Returns the length; no zero byte.
 */
size_t toi_decimal_write(double value, int digits, char text[TOI_DECIMAL_TEXT]);

#endif
