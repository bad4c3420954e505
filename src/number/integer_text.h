/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Integers to and from decimal text, in memory of the caller's only.
 *
 * Nineteen digits at a time, by division and multiplication by 10^19: the time is quadratic in the number of digits,
 * about 0.5 ms for 10,000 of them. GMP's own conversions are faster there, but allocate (integer.h). */

#ifndef TOI_NUMBER_INTEGER_TEXT_H
#define TOI_NUMBER_INTEGER_TEXT_H

#include "number/integer.h"

/* Digits that fit one limb: 10^19 < 2^64. */
#define TOI_LIMB_DIGITS 19

/* Limbs for a number of so many digits: log2(10) / 64 < 0.0520. */
#define TOI_DECIMAL_LIMBS(digits) ((digits)*52 / 1000 + 1)

/* Bytes that toi_limbs_decimal may write for a number of so many bits: log10(2) < 0.302, rounded up to whole limbs of
 * digits. */
#define TOI_DECIMAL_BYTES(bits) ((size_t)(bits)*302 / 1000 + TOI_LIMB_DIGITS + 1)

/* Writes the number in `count` limbs, the top one not 0, without sign and final zero byte; returns the digits written.
 * The limbs are overwritten. */
size_t toi_limbs_decimal(toi_limb *limbs, size_t count, char *text);

/* Reads `count` > 0 decimal digits into TOI_DECIMAL_LIMBS(count) limbs; returns how many of them the number has. */
size_t toi_limbs_from_decimal(const char *digits, size_t count, toi_limb *limbs);

/* Bytes that toi_integer_decimal may write, the final zero byte included. */
size_t toi_integer_decimal_size(toi_integer a);

/* Writes a in decimal with a final zero byte; returns the characters before it. The arena is used for a copy. */
size_t toi_integer_decimal(toi_arena *arena, toi_integer a, char *text);

#endif
