/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Decimal rationals to doubles and back, without rounding.
 *
 * Claim: toi_rational_read() accepts n/d exactly if n/d is a double, and then returns that double.
 * Why: write n = 2^a n', d = 2^b d' with n', d' odd. n/d is a dyadic rational exactly if d' divides n'; with q = n'/d',
 * odd, it is q 2^(a-b). That is a double exactly if q < 2^53, a-b >= -1074 and q 2^(a-b) < 2^1024.
 * Sizes: at most TOI_RATIONAL_DIGITS = 4096 digits, so n, d < 10^4096 < 2^13607: 213 limbs of 64 bits each.
 *
 * Numbers of at most 19 digits fit 64 bits (10^19 < 2^64), and nearly all of them end there: eight digits at a time in
 * one word. The rest goes through limbs on the stack; nothing is allocated at this size (number/integer.h). */

#include "io/rational.h"

#include <assert.h>
#include <string.h>

#include "number/integer_text.h"

#define SHORT_DIGITS 19
#define LIMBS TOI_DECIMAL_LIMBS(TOI_RATIONAL_DIGITS)
#define MANTISSA_BITS 53

static_assert(TOI_LIMB_BITS == 64, "limb counts are for limbs of 64 bits");

typedef struct integer_text {
  const char *digits;
  size_t count;   /* of digits; 0: no integer */
  uint64_t value; /* if count <= SHORT_DIGITS */
  bool negative;
} integer_text;

bool toi_double_compose(bool negative, uint64_t mantissa, int64_t exponent, double *value) {
  uint64_t bits = 0;
  if (mantissa != 0) {
    int zeros = __builtin_ctzll(mantissa);
    mantissa >>= zeros;
    exponent += zeros;
    int width = 64 - __builtin_clzll(mantissa);
    int64_t top = exponent + width - 1; /* value = 1.xxx * 2^top */
    if (width > MANTISSA_BITS || top > 1023 || exponent < -1074)
      return false;
    bits = top >= -1022 ? ((mantissa << (MANTISSA_BITS - width)) & ((1ull << 52) - 1)) | ((uint64_t)(top + 1023) << 52)
                        : mantissa << (exponent + 1074);
    bits |= (uint64_t)negative << 63;
  }
  memcpy(value, &bits, sizeof bits);
  return true;
}

/* --- reading --- */

/* The next eight bytes as a number whose lowest byte comes first in the text. */
static inline uint64_t load_eight(const char *text) {
  uint64_t word;
  memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

/* Eight digits 0..9, one a byte, the first in the lowest byte: pairs, then fours, then all. */
static inline uint64_t combine_eight(uint64_t word) {
  word = word * 10 + (word >> 8);
  word = (word & 0x00ff00ff00ff00ff) * 100 + ((word >> 16) & 0x00ff00ff00ff00ff);
  return (word & 0xffff) * 10000 + ((word >> 32) & 0xffff);
}

/* Finds the digits of one integer and, if they are few, its value. Returns what follows it and the spaces behind it. */
static inline const char *integer_scan(const char *text, integer_text *integer) {
  static const uint64_t powers[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  text = toi_skip_spaces(text);
  integer->negative = *text == '-';
  text += *text == '-' || *text == '+';
  integer->digits = text;

  uint64_t value = 0;
  for (;;) {
    // A byte is a digit if it is at most 9 now; a carry from a larger one spoils only the bytes behind it.
    uint64_t word = load_eight(text) ^ 0x3030303030303030;
    uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    if (others == 0) {
      value = value * 100000000 + combine_eight(word);
      text += 8;
      continue;
    }
    unsigned count = (unsigned)__builtin_ctzll(others) / 8;
    if (count > 0) {
      value = value * powers[count] + combine_eight(word << (64 - 8 * count));
      text += count;
    }
    break;
  }
  integer->count = (size_t)(text - integer->digits);
  integer->value = value;
  return toi_skip_spaces(text);
}

/* n/d for numbers of one word. */
static inline bool divide_short(uint64_t n, uint64_t d, bool negative, double *value) {
  assert(d != 0);
  int zeros = __builtin_ctzll(d);
  uint64_t odd = d >> zeros;
  if (odd != 1) {
    if (n % odd != 0)
      return false;
    n /= odd;
  }
  // Nearly always n < 2^53: both factors and their product are doubles, so nothing is rounded in any mode.
  if (n >> MANTISSA_BITS == 0) {
    uint64_t bits = (uint64_t)(1023 - zeros) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    int64_t sign = -(int64_t)negative;
    *value = (double)(((int64_t)n ^ sign) - sign) * scale;
    return true;
  }
  return toi_double_compose(negative, n, -zeros, value);
}

/* A number as limbs, all of its factors 2 taken out and counted. */
typedef struct odd_part {
  toi_limb limbs[LIMBS];
  size_t size; /* 0: the number is 0 */
  int64_t twos;
} odd_part;

static void odd_part_of(const integer_text *integer, odd_part *odd) {
  const char *digits = integer->digits;
  size_t count = integer->count;
  while (count > 0 && *digits == '0') {
    digits++;
    count--;
  }
  odd->size = 0;
  odd->twos = 0;
  if (count == 0)
    return;

  assert(count <= TOI_RATIONAL_DIGITS);
  odd->size = toi_limbs_from_decimal(digits, count, odd->limbs);
  assert(odd->size <= LIMBS);

  const size_t twos = toi_limbs_trailing_zeros(odd->limbs), whole = twos / TOI_LIMB_BITS;
  odd->size -= whole;
  memmove(odd->limbs, odd->limbs + whole, odd->size * sizeof *odd->limbs);
  if (twos % TOI_LIMB_BITS != 0)
    toi_limbs_shift_right(odd->limbs, odd->limbs, odd->size, (unsigned)(twos % TOI_LIMB_BITS));
  odd->size -= odd->limbs[odd->size - 1] == 0;
  odd->twos = (int64_t)twos;
}

static toi_rational_fault divide_long(const integer_text *n, const integer_text *d, double *value) {
  if (n->count > TOI_RATIONAL_DIGITS || d->count > TOI_RATIONAL_DIGITS)
    return TOI_RATIONAL_TOO_LONG;
  odd_part top, bottom;
  odd_part_of(d, &bottom);
  if (bottom.size == 0)
    return TOI_RATIONAL_ZERO;
  odd_part_of(n, &top);
  if (top.size == 0)
    return toi_double_compose(false, 0, 0, value) ? TOI_RATIONAL_FINE : TOI_RATIONAL_NO_DOUBLE;

  // q = n'/d' must come out even, and in one limb: an odd number of two limbs has more than 53 bits.
  if (top.size < bottom.size || top.size - bottom.size > 1)
    return TOI_RATIONAL_NO_DOUBLE;
  toi_limb quotient[2 + LIMBS];
  const size_t digits = top.size - bottom.size + 1;
  toi_limbs_divide(quotient, top.limbs, top.size, bottom.limbs, bottom.size);
  if (!toi_limbs_are_zero(quotient + digits, bottom.size) || (digits > 1 && quotient[1] != 0))
    return TOI_RATIONAL_NO_DOUBLE;
  bool fits = toi_double_compose(n->negative != d->negative, quotient[0], top.twos - bottom.twos, value);
  return fits ? TOI_RATIONAL_FINE : TOI_RATIONAL_NO_DOUBLE;
}

static toi_rational_fault divide(const integer_text *n, const integer_text *d, double *value) {
  if (n->count > SHORT_DIGITS || d->count > SHORT_DIGITS)
    return divide_long(n, d, value);
  if (d->value == 0)
    return TOI_RATIONAL_ZERO;
  bool fits = divide_short(n->value, d->value, n->negative != d->negative, value);
  return fits ? TOI_RATIONAL_FINE : TOI_RATIONAL_NO_DOUBLE;
}

const char *toi_rational_read(const char *text, double *value, toi_rational_fault *fault) {
  integer_text n, d;
  text = integer_scan(text, &n);
  if (n.count == 0 || *text != ',') {
    *fault = TOI_RATIONAL_NO_NUMERATOR;
    return NULL;
  }
  text = integer_scan(text + 1, &d);
  if (d.count == 0) {
    *fault = TOI_RATIONAL_NO_DENOMINATOR;
    return NULL;
  }
  *fault = divide(&n, &d, value);
  return *fault == TOI_RATIONAL_FINE ? text : NULL;
}

/* --- writing --- */

/* mantissa * 2^exponent, exponent >= 0, in decimal. */
static size_t integer_write(uint64_t mantissa, unsigned exponent, char *text) {
  if (mantissa == 0) {
    text[0] = '0';
    return 1;
  }
  // 1024 bits for the largest double, 1075 for the smallest denominator, and the carry out of the shift.
  toi_limb limbs[19] = {0};
  const size_t whole = exponent / TOI_LIMB_BITS;
  assert(whole <= 16);
  limbs[whole] = mantissa;
  if (exponent % TOI_LIMB_BITS != 0)
    limbs[whole + 1] = toi_limbs_shift_left(limbs + whole, limbs + whole, 1, exponent % TOI_LIMB_BITS);
  return toi_limbs_decimal(limbs, whole + 1 + (limbs[whole + 1] != 0), text);
}

size_t toi_rational_write(double value, char text[TOI_RATIONAL_TEXT]) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  unsigned biased = (unsigned)(bits >> 52) & 0x7ff;
  assert(biased != 0x7ff);
  uint64_t mantissa = bits & ((1ull << 52) - 1);
  int exponent = -1074;
  if (biased != 0) {
    mantissa |= 1ull << 52;
    exponent = (int)biased - 1075;
  }

  // Lowest terms: no factor 2 in both.
  if (mantissa == 0) {
    exponent = 0;
  } else if (exponent < 0) {
    int zeros = __builtin_ctzll(mantissa);
    int common = zeros < -exponent ? zeros : -exponent;
    mantissa >>= common;
    exponent += common;
  }

  size_t length = 0;
  if (mantissa != 0 && bits >> 63 != 0)
    text[length++] = '-';
  length += integer_write(mantissa, exponent > 0 ? (unsigned)exponent : 0, text + length);
  text[length++] = ',';
  length += integer_write(1, exponent < 0 ? (unsigned)-exponent : 0, text + length);
  assert(length <= TOI_RATIONAL_TEXT);
  return length;
}
