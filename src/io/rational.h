/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Decimal rationals to doubles and back, without rounding. */

#ifndef TOI_IO_RATIONAL_H
#define TOI_IO_RATIONAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits in one numerator or denominator. A double in lowest terms needs at most 309 and 324; the rest is for fractions
 * that are not in lowest terms. */
#define TOI_RATIONAL_DIGITS 4096

/* Bytes that must be readable, whatever they hold, behind a text that toi_rational_read() is given. */
#define TOI_RATIONAL_PADDING 8

/* The longest text toi_rational_write() makes: a sign, 309 digits, a comma and 324 digits fit. */
#define TOI_RATIONAL_TEXT 640

typedef enum toi_rational_fault {
  TOI_RATIONAL_FINE = 0,
  TOI_RATIONAL_NO_NUMERATOR,   /* no integer followed by a comma */
  TOI_RATIONAL_NO_DENOMINATOR, /* no integer behind the comma */
  TOI_RATIONAL_TOO_LONG,       /* more than TOI_RATIONAL_DIGITS digits */
  TOI_RATIONAL_ZERO,           /* a denominator of 0 */
  TOI_RATIONAL_NO_DOUBLE       /* between two doubles, or beyond the largest */
} toi_rational_fault;

/* The first byte that is neither space nor tab. */
static inline const char *toi_skip_spaces(const char *text) {
  while (*text == ' ' || *text == '\t')
    text++;
  return text;
}

/* Reads `numerator,denominator` (spaces around either, a sign before either) and decides whether it is exactly a
 * double. Returns the first byte behind it that is no space; on a fault NULL. The text ends with a newline. Zero is +0.
 */
const char *toi_rational_read(const char *text, double *value, toi_rational_fault *fault);

/* Writes a finite double as `numerator,denominator` in lowest terms, without a final zero byte. Returns its length. */
size_t toi_rational_write(double value, char text[TOI_RATIONAL_TEXT]);

/* The double mantissa * 2^exponent; false if there is none. Integer arithmetic only: no floating-point mode matters. */
bool toi_double_compose(bool negative, uint64_t mantissa, int64_t exponent, double *value);

#endif
