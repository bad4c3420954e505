/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Decimal numbers to doubles or floats and back.
 *
 * Claim: both ways the result is the nearest number, ties to even.
 * Why: a number D 10^E is brought to q 2^x exactly, q an integer of 64 bits and a bit that tells whether anything
 * follows it; one rounding at the end. Three ways to q, cheapest first:
 *   D <= 2^53, |E| <= 22    D and 10^|E| are doubles, so one operation rounds once;
 *   D < 2^64, |E| <= 27     5^|E| < 2^64: one product of 128 bits, or one division with its remainder;
 *   else                    limbs. Of more than KEPT digits the rest only matters by being there: a tie has at most
 * 768. Sizes: D < 10^(KEPT + 1) < 2^2661; |E| is at most KEPT + 1 + FAR, beyond which the result is zero or infinite,
 * and 5^(KEPT + 1 + FAR) < 2^2789; a numerator has at most 66 bits more than the larger of the two. LIMBS hold 3840
 * bits, and D 5^FAR < 2^3590: few enough that nothing is allocated (number/integer.h). */

#include "io/decimal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "io/rational.h"
#include "number/integer_text.h"

#define SHORT_DIGITS 19
#define SHORT_POWER 27
#define EXACT_POWER 22 /* 10^22 is a double */
#define KEPT 800
#define FAR 400
#define LIMBS 60

/* Exponents are cut here: far beyond any double, far from overflow. */
#define EXPONENT_LIMIT 1000000

static const uint64_t fives[SHORT_POWER + 1] = {1,
                                                5,
                                                25,
                                                125,
                                                625,
                                                3125,
                                                15625,
                                                78125,
                                                390625,
                                                1953125,
                                                9765625,
                                                48828125,
                                                244140625,
                                                1220703125,
                                                6103515625,
                                                30517578125,
                                                152587890625,
                                                762939453125,
                                                3814697265625,
                                                19073486328125,
                                                95367431640625,
                                                476837158203125,
                                                2384185791015625,
                                                11920928955078125,
                                                59604644775390625,
                                                298023223876953125,
                                                1490116119384765625,
                                                7450580596923828125};

static const double tens[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A number as it is written: D * 10^exponent. */
typedef struct decimal {
  const char *first; /* the first digit that is not 0 */
  int64_t digits;    /* of D, from there; a point may lie among them */
  uint64_t value;    /* D, if it has at most SHORT_DIGITS digits */
  int64_t exponent;
  bool negative;
} decimal;

/* q 2^exponent, and a little more if `more` says so. */
typedef struct scaled {
  uint64_t q;
  int64_t exponent;
  bool more;
} scaled;

/* --- the last step --- */

/* The nearest number with the scalar's precision and range. */
static double round_scaled(scaled s, bool negative, toi_scalar scalar) {
  const int64_t precision = scalar == TOI_FLOAT32 ? 24 : 53;
  const int64_t lowest = scalar == TOI_FLOAT32 ? -149 : -1074; /* the last bit of the smallest numbers */
  const int64_t highest = scalar == TOI_FLOAT32 ? 128 : 1024;  /* 2^highest is too large */
  assert(s.q != 0);
  const int zeros = __builtin_clzll(s.q);
  const uint64_t q = s.q << zeros;
  const int64_t exponent = s.exponent - zeros;

  // Bits that do not fit: behind the precision, or behind the last bit there is.
  int64_t drop = 64 - precision;
  if (exponent + drop < lowest)
    drop = lowest - exponent;
  if (drop > 64)
    return negative ? -0.0 : 0.0;
  uint64_t kept = drop == 64 ? 0 : q >> drop;
  const uint64_t half = UINT64_C(1) << (drop - 1), rest = drop == 64 ? q : q & ((half << 1) - 1);
  kept += rest > half || (rest == half && (s.more || (kept & 1) != 0));
  double value;
  if (kept == 0)
    return negative ? -0.0 : 0.0;
  if (exponent + drop + 64 - __builtin_clzll(kept) > highest ||
      !toi_double_compose(negative, kept, exponent + drop, &value))
    return negative ? -HUGE_VAL : HUGE_VAL;
  return value;
}

/* --- numbers of one word --- */

static scaled scale_up(uint64_t value, int64_t power) {
  toi_limb low;
  const toi_limb high = toi_limb_multiply(&low, value, fives[power], 0, 0);
  if (high == 0)
    return (scaled){low, power, false};
  const int zeros = __builtin_clzll(high);
  return (scaled){high << zeros | low >> 1 >> (63 - zeros), power + 64 - zeros, low << zeros != 0};
}

/* value / 10^power: both brought to 64 bits, so that the quotient has 63 or 64. */
static scaled scale_down(uint64_t value, int64_t power) {
  const int zeros = __builtin_clzll(value), divisor_zeros = __builtin_clzll(fives[power]);
  const uint64_t divisor = fives[power] << divisor_zeros, numerator = value << zeros;
  // The numerator times 2^63: its upper half is below 2^63, and the divisor is not.
  toi_limb rest;
  const toi_limb quotient = toi_limb_divide(numerator >> 1, numerator << 63, divisor, &rest);
  return (scaled){quotient, divisor_zeros - zeros - 63 - power, rest != 0};
}

/* --- longer ones --- */

typedef struct big {
  toi_limb limbs[LIMBS];
  size_t size; /* no leading zeros */
} big;

static void trim(big *b) {
  while (b->size > 0 && b->limbs[b->size - 1] == 0)
    b->size--;
}

static int64_t big_bits(const big *b) {
  assert(b->size > 0);
  return (int64_t)b->size * 64 - __builtin_clzll(b->limbs[b->size - 1]);
}

static void big_times_fives(big *b, int64_t power) {
  for (; power > 0; power -= SHORT_POWER) {
    const toi_limb five = fives[power < SHORT_POWER ? power : SHORT_POWER];
    const toi_limb carry = toi_limbs_multiply_limb(b->limbs, b->limbs, b->size, five);
    assert(b->size < LIMBS);
    b->limbs[b->size++] = carry;
    trim(b);
  }
}

static void big_shift_left(big *b, int64_t bits) {
  const size_t whole = (size_t)(bits / 64);
  assert(b->size + whole < LIMBS);
  memmove(b->limbs + whole, b->limbs, b->size * sizeof *b->limbs);
  memset(b->limbs, 0, whole * sizeof *b->limbs);
  b->size += whole;
  b->limbs[b->size] = 0;
  if (bits % 64 != 0)
    b->limbs[b->size] =
        toi_limbs_shift_left(b->limbs + whole, b->limbs + whole, b->size - whole, (unsigned)(bits % 64));
  b->size++;
  trim(b);
}

/* The leading 64 bits of b 2^exponent, and whether anything follows. */
static scaled big_top(const big *b, int64_t exponent, bool more) {
  const int64_t drop = big_bits(b) - 64;
  if (drop <= 0)
    return (scaled){b->limbs[0], exponent, more};
  const size_t whole = (size_t)(drop / 64);
  const unsigned bits = (unsigned)(drop % 64);
  uint64_t q = b->limbs[whole] >> bits;
  if (bits != 0)
    q |= b->limbs[whole + 1] << (64 - bits);
  more = more || toi_limbs_trailing_zeros(b->limbs) < (size_t)drop;
  return (scaled){q, exponent + drop, more};
}

/* The digits as an integer; of those beyond KEPT only whether one is not 0. Returns how many digits it stands for. */
static int64_t big_digits(const decimal *d, big *b) {
  char digits[KEPT + 1];
  int64_t count = 0;
  bool more = false;
  const char *text = d->first;
  for (int64_t i = 0; i < d->digits; text++) {
    if (*text == '.')
      continue;
    if (count < KEPT)
      digits[count++] = *text;
    else
      more = more || *text != '0';
    i++;
  }
  if (more)
    digits[count++] = '1';
  b->size = toi_limbs_from_decimal(digits, (size_t)count, b->limbs);
  trim(b);
  return count;
}

/* b / 5^power with a quotient of 65 bits at least. */
static scaled big_divide(big *b, int64_t power) {
  big divisor = {.limbs = {1}, .size = 1};
  big_times_fives(&divisor, power);
  const int64_t missing = big_bits(&divisor) + 66 - big_bits(b), shift = missing > 0 ? missing : 0;
  big_shift_left(b, shift);
  // The remainder lies above the quotient.
  big quotient = {.size = b->size - divisor.size + 1};
  const toi_limb *rest = quotient.limbs + quotient.size;
  assert(b->size < LIMBS);
  toi_limbs_divide(quotient.limbs, b->limbs, b->size, divisor.limbs, divisor.size);
  const bool more = !toi_limbs_are_zero(rest, divisor.size);
  trim(&quotient);
  return big_top(&quotient, -power - shift, more);
}

static double decimal_long(const decimal *d, toi_scalar scalar) {
  const int64_t magnitude = d->digits + d->exponent;
  if (magnitude > FAR)
    return d->negative ? -HUGE_VAL : HUGE_VAL;
  if (magnitude < -FAR)
    return d->negative ? -0.0 : 0.0;
  big b;
  const int64_t exponent = magnitude - big_digits(d, &b);
  if (exponent < 0)
    return round_scaled(big_divide(&b, -exponent), d->negative, scalar);
  big_times_fives(&b, exponent);
  return round_scaled(big_top(&b, exponent, false), d->negative, scalar);
}

/* --- reading --- */

static inline bool is_digit(char c) {
  return (unsigned char)(c - '0') < 10;
}

/* Digits of the number itself; false if there are none. */
static bool scan_digits(const char **place, decimal *d) {
  const char *text = *place;
  bool any = false, point = false;
  for (;; text++) {
    if (*text == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(*text))
      break;
    any = true;
    d->exponent -= point;
    if (d->digits == 0) {
      if (*text == '0')
        continue;
      d->first = text;
    }
    if (d->digits < SHORT_DIGITS)
      d->value = d->value * 10 + (uint64_t)(*text - '0');
    d->digits++;
  }
  *place = text;
  return any;
}

static const char *scan_exponent(const char *text, decimal *d) {
  const char *digits = text + 1;
  const bool negative = *digits == '-';
  digits += *digits == '-' || *digits == '+';
  if (!is_digit(*digits))
    return NULL;
  int64_t exponent = 0;
  for (; is_digit(*digits); digits++)
    exponent = exponent < EXPONENT_LIMIT ? exponent * 10 + (*digits - '0') : exponent;
  d->exponent += negative ? -exponent : exponent;
  return digits;
}

static double decimal_value(const decimal *d, toi_scalar scalar) {
  if (d->digits == 0)
    return d->negative ? -0.0 : 0.0;
  const int64_t power = d->exponent < 0 ? -d->exponent : d->exponent;
  if (d->digits > SHORT_DIGITS || power > SHORT_POWER)
    return decimal_long(d, scalar);
  if (scalar == TOI_FLOAT64 && d->value <= UINT64_C(1) << 53 && power <= EXACT_POWER) {
    const double value = (double)d->value, result = d->exponent < 0 ? value / tens[power] : value * tens[power];
    return d->negative ? -result : result;
  }
  const scaled s = d->exponent < 0 ? scale_down(d->value, power) : scale_up(d->value, power);
  return round_scaled(s, d->negative, scalar);
}

const char *toi_decimal_read(const char *text, toi_scalar scalar, double *value) {
  decimal d = {.negative = *text == '-'};
  text += *text == '-' || *text == '+';
  if (!scan_digits(&text, &d))
    return NULL;
  if (*text == 'e' || *text == 'E')
    text = scan_exponent(text, &d);
  if (text != NULL)
    *value = decimal_value(&d, scalar);
  return text;
}

/* --- writing --- */

/* high 2^64 + low divided by 2^bits, 0 < bits < 127, to the nearest integer, ties to even; it is below 2^63. */
static uint64_t round_shifted(toi_limb high, toi_limb low, unsigned bits) {
  // The 64 bits behind the point, and whether anything follows them.
  uint64_t whole, fraction;
  bool more = false;
  if (bits <= 64) {
    whole = bits == 64 ? high : high << (64 - bits) | low >> bits;
    fraction = low << (64 - bits);
  } else {
    whole = high >> (bits - 64);
    fraction = high << (128 - bits) | low >> (bits - 64);
    more = low << (128 - bits) != 0;
  }
  const uint64_t half = UINT64_C(1) << 63;
  return whole + (fraction > half || (fraction == half && (more || (whole & 1) != 0)));
}

/* mantissa 2^exponent 10^power to the nearest integer, ties to even; it is below 2^63. */
static uint64_t scale_round(uint64_t mantissa, int64_t exponent, int64_t power) {
  const int64_t shift = exponent + power;
  if (power >= 0 && power <= SHORT_POWER && shift < 0 && shift > -127) {
    toi_limb low, high = toi_limb_multiply(&low, mantissa, fives[power], 0, 0);
    return round_shifted(high, low, (unsigned)-shift);
  }
  big top = {.limbs = {mantissa}, .size = 1}, bottom = {.limbs = {1}, .size = 1};
  big_times_fives(&top, power);
  big_times_fives(&bottom, -power);
  big_shift_left(shift > 0 ? &top : &bottom, shift > 0 ? shift : -shift);
  if (top.size < bottom.size)
    return 0;
  toi_limb quotient[LIMBS + 1], *rest = quotient + (top.size - bottom.size + 1);
  toi_limbs_divide(quotient, top.limbs, top.size, bottom.limbs, bottom.size);

  // Twice the remainder against the divisor.
  const toi_limb over = toi_limbs_shift_left(rest, rest, bottom.size, 1);
  const int order = over != 0 ? 1 : toi_limbs_compare(rest, bottom.limbs, bottom.size);
  return quotient[0] + (order > 0 || (order == 0 && (quotient[0] & 1) != 0));
}

/* Without the zeros at its end. */
static size_t write_digits(uint64_t number, int digits, char *text) {
  for (int i = digits; i > 0; number /= 10)
    text[--i] = (char)('0' + number % 10);
  size_t count = (size_t)digits;
  while (count > 1 && text[count - 1] == '0')
    count--;
  return count;
}

/* Digits that stand for d.ddd 10^exponent, with a point or an exponent, as is shorter to read. */
static size_t layout(const char *digits, size_t count, int64_t exponent, char *text) {
  size_t length = 0;
  if (exponent >= -5 && exponent < TOI_DOUBLE_DIGITS) {
    for (int64_t i = exponent < 0 ? exponent : 0; i < (int64_t)count || i <= exponent; i++) {
      if (i == exponent + 1 && i > 0)
        text[length++] = '.';
      text[length++] = i < 0 || i >= (int64_t)count ? '0' : digits[i];
      if (i == exponent && exponent < 0)
        text[length++] = '.';
    }
    return length;
  }
  text[length++] = digits[0];
  if (count > 1)
    text[length++] = '.';
  memcpy(text + length, digits + 1, count - 1);
  length += count - 1;
  text[length++] = 'e';
  if (exponent < 0)
    text[length++] = '-';
  char power[3] = {0};
  const uint64_t magnitude = (uint64_t)(exponent < 0 ? -exponent : exponent);
  const int places = magnitude >= 100 ? 3 : magnitude >= 10 ? 2 : 1;
  (void)write_digits(magnitude, places, power);
  memcpy(text + length, power, (size_t)places);
  return length + (size_t)places;
}

size_t toi_decimal_write(double value, int digits, char text[TOI_DECIMAL_TEXT]) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const int64_t biased = (int64_t)(bits >> 52 & 0x7ff);
  assert(biased != 0x7ff && digits >= 1 && digits <= TOI_DOUBLE_DIGITS);
  uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
  size_t length = 0;
  if (bits >> 63 != 0)
    text[length++] = '-';
  if (biased == 0 && mantissa == 0) {
    text[length++] = '0';
    return length;
  }
  mantissa |= biased == 0 ? 0 : UINT64_C(1) << 52;
  const int64_t exponent = biased == 0 ? -1074 : biased - 1075;

  // log10(2) from below: the power of ten is this one or the next.
  const int64_t top = exponent + 63 - __builtin_clzll(mantissa);
  int64_t ten = (top * 78913 - (top < 0 ? (1 << 18) - 1 : 0)) / (1 << 18);
  uint64_t limit = 1;
  for (int i = 0; i < digits; i++)
    limit *= 10;
  uint64_t number = scale_round(mantissa, exponent, digits - 1 - ten);
  if (number >= limit)
    number = scale_round(mantissa, exponent, digits - 1 - ++ten);
  assert(number < limit && number >= limit / 10);
  char all[TOI_DOUBLE_DIGITS] = {0};
  const size_t count = write_digits(number, digits, all);
  return length + layout(all, count, ten, text + length);
}
