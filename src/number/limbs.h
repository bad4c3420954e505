/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Natural numbers as rows of limbs, least significant first: what the integers of this room are made of.
 *
 * Two ways to compute the same bits: GMP's mpn layer, or, with TOI_WITHOUT_GMP, functions of our own (limbs.c,
 * limbs_multiply.c, limbs_divide.c, limbs_gcd.c). The build chooses (TOI_WITH_GMP in CMake); nobody above this header
 * can tell which. tests/number/test_limbs.c compares each function with GMP's.
 *
 * A limb has 64 bits on every machine. The steps between two limbs are written once for a compiler that knows integers
 * of 128 bits and once in halves of 32 bits, for others (TOI_LIMB_HALVES; tests/number/test_limbs_halves.c).
 *
 * Neither way allocates: integer.h says why GMP does not, and limbs_multiply.c how much of the stack our own take.
 * Where nothing else is said, the result overlaps no operand. */

#ifndef TOI_NUMBER_LIMBS_H
#define TOI_NUMBER_LIMBS_H

#ifndef TOI_WITHOUT_GMP
#include <gmp.h>
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef TOI_WITHOUT_GMP
typedef uint64_t toi_limb;
#else
typedef mp_limb_t toi_limb;
#endif

#define TOI_LIMB_BITS 64u

/* Factors, dividends and operands of the gcd have no more limbs, so that temporaries stay on the stack: GMP's
 * (integer.h) and our own (limbs_multiply.c). */
#define TOI_INTEGER_LIMBS_MAX 1000

#if !defined(__SIZEOF_INT128__) && !defined(TOI_LIMB_HALVES)
#define TOI_LIMB_HALVES
#endif

/* --- one limb and another --- */

#ifndef TOI_LIMB_HALVES
__extension__ typedef unsigned __int128 toi_limb_pair;
#endif

/* a b + c + d, at most (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1: *low its low limb, the result the high one. */
static inline toi_limb toi_limb_multiply(toi_limb *low, toi_limb a, toi_limb b, toi_limb c, toi_limb d) {
#ifdef TOI_LIMB_HALVES
  const toi_limb half = UINT32_MAX, a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
  // Column by column, of 32 bits each; (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1, so no sum overflows.
  const toi_limb lowest = a0 * b0 + (c & half) + (d & half);
  const toi_limb cross = a1 * b0 + (lowest >> 32) + (c >> 32);
  const toi_limb other = a0 * b1 + (cross & half) + (d >> 32);
  *low = other << 32 | (lowest & half);
  return a1 * b1 + (cross >> 32) + (other >> 32);
#else
  const toi_limb_pair sum = (toi_limb_pair)a * b + c + d;
  *low = (toi_limb)sum;
  return (toi_limb)(sum >> 64);
#endif
}

/* a + b + carry: *sum its low limb, the result the carry, 0 or 1 as the one before. */
static inline toi_limb toi_limb_add(toi_limb *sum, toi_limb a, toi_limb b, toi_limb carry) {
#ifdef TOI_LIMB_HALVES
  const toi_limb first = a + b, second = first + carry;
  *sum = second;
  return (toi_limb)(first < a) | (toi_limb)(second < first);
#else
  const toi_limb_pair wide = (toi_limb_pair)a + b + carry;
  *sum = (toi_limb)wide;
  return (toi_limb)(wide >> 64);
#endif
}

/* a - b - borrow likewise. */
static inline toi_limb toi_limb_subtract(toi_limb *difference, toi_limb a, toi_limb b, toi_limb borrow) {
#ifdef TOI_LIMB_HALVES
  const toi_limb first = a - b, second = first - borrow;
  *difference = second;
  return (toi_limb)(a < b) | (toi_limb)(first < borrow);
#else
  const toi_limb_pair wide = (toi_limb_pair)a - b - borrow;
  *difference = (toi_limb)wide;
  return (toi_limb)(wide >> 64) & 1;
#endif
}

/* high 2^64 + low by d > high: *rest the remainder, the result the quotient, which fits a limb. */
static inline toi_limb toi_limb_divide(toi_limb high, toi_limb low, toi_limb d, toi_limb *rest) {
#ifdef TOI_LIMB_HALVES
  // Two digits of 32 bits, each estimated by the upper half of d, which is at least 2^31 once d is shifted: the
  // estimate is too large by at most two (Knuth, The Art of Computer Programming 2, 4.3.1, theorem B).
  const unsigned zeros = (unsigned)__builtin_clzll(d);
  const toi_limb divisor = d << zeros, upper = divisor >> 32, lower = divisor & UINT32_MAX;
  const toi_limb bits = low << zeros;
  toi_limb left = high << zeros | (low >> 1 >> (TOI_LIMB_BITS - 1 - zeros)), quotient = 0;
  for (unsigned shift = 32; shift <= 32; shift -= 32) {
    const toi_limb next = bits >> shift & UINT32_MAX;
    toi_limb digit = left / upper, over = left % upper;
    while (digit >> 32 != 0 || digit * lower > (over << 32 | next)) {
      digit--;
      over += upper;
      if (over >> 32 != 0)
        break;
    }
    left = (left << 32 | next) - digit * divisor;
    quotient = quotient << 32 | digit;
  }
  *rest = left >> zeros;
  return quotient;
#else
  const toi_limb_pair wide = (toi_limb_pair)high << 64 | low;
  *rest = (toi_limb)(wide % d);
  return (toi_limb)(wide / d);
#endif
}

/* --- rows of limbs --- */

static inline bool toi_limbs_are_zero(const toi_limb *a, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (a[i] != 0)
      return false;
  return true;
}

/* Zero bits below the lowest set one; there must be one. */
static inline size_t toi_limbs_trailing_zeros(const toi_limb *a) {
  size_t whole = 0;
  while (a[whole] == 0)
    whole++;
  return whole * TOI_LIMB_BITS + (size_t)__builtin_ctzll(a[whole]);
}

#ifdef TOI_WITHOUT_GMP

/* Below 0, 0 or above as a <, =, > b, of the same count. */
int toi_limbs_compare(const toi_limb *a, const toi_limb *b, size_t count);

/* r = a + b or a - b with count_a >= count_b; the carry or borrow. r may be a or b. */
toi_limb toi_limbs_add(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b);
toi_limb toi_limbs_subtract(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b);

/* r[0 .. count_a + count_b) = a b with count_a >= count_b > 0, and count_a <= TOI_INTEGER_LIMBS_MAX. */
void toi_limbs_multiply(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b);

/* r = a b, or r - a b, in count > 0 limbs; what belongs above them. r may be a in the first. */
toi_limb toi_limbs_multiply_limb(toi_limb *r, const toi_limb *a, size_t count, toi_limb b);
toi_limb toi_limbs_subtract_multiple(toi_limb *r, const toi_limb *a, size_t count, toi_limb b);

/* r = a 2^bits with 0 < bits < 64 in count > 0 limbs; the bits that belong above them. r may be a. */
toi_limb toi_limbs_shift_left(toi_limb *r, const toi_limb *a, size_t count, unsigned bits);

/* r = a / 2^bits, rounded down, with 0 < bits < 64. r may be a. */
void toi_limbs_shift_right(toi_limb *r, const toi_limb *a, size_t count, unsigned bits);

/* a by b with count_a >= count_b > 0, the top limb of b not 0: the quotient in r[0 .. count_a - count_b + 1), the
 * remainder in the count_b limbs above it. */
void toi_limbs_divide(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b);

/* The remainder alone, in count_b limbs. */
void toi_limbs_modulo(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b);

/* q = a / d, rounded down, with count > 0 and d > 0; the remainder. q may be a. */
toi_limb toi_limbs_divide_limb(toi_limb *q, const toi_limb *a, size_t count, toi_limb d);
toi_limb toi_limbs_modulo_limb(const toi_limb *a, size_t count, toi_limb d);

/* The greatest common divisor of two odd numbers into r, which has count_b limbs; how many it takes. Both have a top
 * limb that is not 0, a is not the smaller one, and both are overwritten. */
size_t toi_limbs_gcd(toi_limb *r, toi_limb *a, size_t count_a, toi_limb *b, size_t count_b);

#else

static inline int toi_limbs_compare(const toi_limb *a, const toi_limb *b, size_t count) {
  return mpn_cmp(a, b, (mp_size_t)count);
}

static inline toi_limb toi_limbs_add(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b,
                                     size_t count_b) {
  return mpn_add(r, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
}

static inline toi_limb toi_limbs_subtract(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b,
                                          size_t count_b) {
  return mpn_sub(r, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
}

static inline void toi_limbs_multiply(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b,
                                      size_t count_b) {
  mpn_mul(r, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
}

static inline toi_limb toi_limbs_multiply_limb(toi_limb *r, const toi_limb *a, size_t count, toi_limb b) {
  return mpn_mul_1(r, a, (mp_size_t)count, b);
}

static inline toi_limb toi_limbs_subtract_multiple(toi_limb *r, const toi_limb *a, size_t count, toi_limb b) {
  return mpn_submul_1(r, a, (mp_size_t)count, b);
}

static inline toi_limb toi_limbs_shift_left(toi_limb *r, const toi_limb *a, size_t count, unsigned bits) {
  return mpn_lshift(r, a, (mp_size_t)count, bits);
}

static inline void toi_limbs_shift_right(toi_limb *r, const toi_limb *a, size_t count, unsigned bits) {
  mpn_rshift(r, a, (mp_size_t)count, bits);
}

static inline void toi_limbs_divide(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  mpn_tdiv_qr(r, r + (count_a - count_b + 1), 0, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
}

static inline toi_limb toi_limbs_divide_limb(toi_limb *q, const toi_limb *a, size_t count, toi_limb d) {
  return mpn_divrem_1(q, 0, a, (mp_size_t)count, d);
}

static inline toi_limb toi_limbs_modulo_limb(const toi_limb *a, size_t count, toi_limb d) {
  return mpn_mod_1(a, (mp_size_t)count, d);
}

static inline size_t toi_limbs_gcd(toi_limb *r, toi_limb *a, size_t count_a, toi_limb *b, size_t count_b) {
  return (size_t)mpn_gcd(r, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
}

#endif

#endif
