/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Lanes of floats: several at a time, one source for every width. The sibling of lanes.h, whose conventions hold here.
 *
 * A file that wants them defines TOI_FLOAT_LANES as 1, 4 or 8 and includes this header, and not lanes.h. `real` then
 * holds that many floats, `mask` as many truth values. + - * and negation are the C operators on every width.
 *
 * Claim: the same inputs give the same bits in each lane on every width and instruction set. Why: as in lanes.h. */

#ifndef TOI_NUMBER_FLOAT_LANES_BODY_H
#define TOI_NUMBER_FLOAT_LANES_BODY_H

#include <stddef.h>
#include <stdint.h>

#include "number/unroll.h"

#if TOI_FLOAT_LANES != 1 && TOI_FLOAT_LANES != 4 && TOI_FLOAT_LANES != 8
#error "TOI_FLOAT_LANES must be 1, 4 or 8"
#endif

#if TOI_FLOAT_LANES == 8 && defined(__AVX2__)
#include <immintrin.h>
#elif TOI_FLOAT_LANES == 4 && defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Floats from one row to the next: see load_six(). */
#define FLOAT_ROW 8

#if TOI_FLOAT_LANES == 1

typedef float real;
typedef int32_t mask;

TOI_INLINE mask less(real a, real b) {
  return a < b ? -1 : 0;
}

TOI_INLINE unsigned bits_of(mask m) {
  return (unsigned)(m & 1);
}

TOI_INLINE real least(real a, real b) {
  return a < b ? a : b;
}

TOI_INLINE real most(real a, real b) {
  return a > b ? a : b;
}

TOI_INLINE real every(float x) {
  return x;
}

#else

typedef float real __attribute__((vector_size(4 * TOI_FLOAT_LANES)));
typedef int32_t mask __attribute__((vector_size(4 * TOI_FLOAT_LANES)));

TOI_INLINE mask less(real a, real b) {
  return (mask)(a < b);
}

TOI_INLINE real every(float x) {
#if TOI_FLOAT_LANES == 8
  return (real){x, x, x, x, x, x, x, x};
#else
  return (real){x, x, x, x};
#endif
}

/* minps and maxps return their second operand unless the comparison holds, as the selections do. */
#if TOI_FLOAT_LANES == 8 && defined(__AVX2__)

TOI_INLINE unsigned bits_of(mask m) {
  return (unsigned)_mm256_movemask_ps((__m256)m);
}

TOI_INLINE real least(real a, real b) {
  return (real)_mm256_min_ps((__m256)a, (__m256)b);
}

TOI_INLINE real most(real a, real b) {
  return (real)_mm256_max_ps((__m256)a, (__m256)b);
}

#elif TOI_FLOAT_LANES == 4 && defined(__SSE2__)

TOI_INLINE unsigned bits_of(mask m) {
  return (unsigned)_mm_movemask_ps((__m128)m);
}

TOI_INLINE real least(real a, real b) {
  return (real)_mm_min_ps((__m128)a, (__m128)b);
}

TOI_INLINE real most(real a, real b) {
  return (real)_mm_max_ps((__m128)a, (__m128)b);
}

#else

TOI_INLINE unsigned bits_of(mask m) {
  unsigned bits = 0;
  for (unsigned i = 0; i < TOI_FLOAT_LANES; i++)
    bits |= (unsigned)(m[i] & 1) << i;
  return bits;
}

TOI_INLINE real least(real a, real b) {
  mask m = (mask)(a < b);
  return (real)((m & (mask)a) | (~m & (mask)b));
}

TOI_INLINE real most(real a, real b) {
  mask m = (mask)(a > b);
  return (real)((m & (mask)a) | (~m & (mask)b));
}

#endif
#endif

/* a > b, false on NaN. */
TOI_INLINE mask greater(real a, real b) {
  return less(b, a);
}

/* --- rows in memory to columns in lanes --- */

#if TOI_FLOAT_LANES > 1

typedef float four_floats __attribute__((vector_size(16)));
typedef float four_in_memory __attribute__((vector_size(16), aligned(4)));

/* Floats `offset` to offset + 3 of the row of each lane, as four columns. */
TOI_INLINE void load_four(const float *rows, const uint32_t numbers[TOI_FLOAT_LANES], size_t offset, real column[4]) {
  real row[4];
  TOI_UNROLL
  for (int i = 0; i < 4; i++) {
    four_floats own = *(const four_in_memory *)(rows + FLOAT_ROW * (size_t)numbers[i] + offset);
#if TOI_FLOAT_LANES == 8
    four_floats other = *(const four_in_memory *)(rows + FLOAT_ROW * (size_t)numbers[i + 4] + offset);
    row[i] = __builtin_shufflevector(own, other, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    row[i] = own;
#endif
  }
  // Four by four, in each half of eight lanes.
#if TOI_FLOAT_LANES == 8
  real lo01 = __builtin_shufflevector(row[0], row[1], 0, 8, 1, 9, 4, 12, 5, 13);
  real hi01 = __builtin_shufflevector(row[0], row[1], 2, 10, 3, 11, 6, 14, 7, 15);
  real lo23 = __builtin_shufflevector(row[2], row[3], 0, 8, 1, 9, 4, 12, 5, 13);
  real hi23 = __builtin_shufflevector(row[2], row[3], 2, 10, 3, 11, 6, 14, 7, 15);
  column[0] = __builtin_shufflevector(lo01, lo23, 0, 1, 8, 9, 4, 5, 12, 13);
  column[1] = __builtin_shufflevector(lo01, lo23, 2, 3, 10, 11, 6, 7, 14, 15);
  column[2] = __builtin_shufflevector(hi01, hi23, 0, 1, 8, 9, 4, 5, 12, 13);
  column[3] = __builtin_shufflevector(hi01, hi23, 2, 3, 10, 11, 6, 7, 14, 15);
#else
  real lo01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
  real hi01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
  real lo23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
  real hi23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  column[0] = __builtin_shufflevector(lo01, lo23, 0, 1, 4, 5);
  column[1] = __builtin_shufflevector(lo01, lo23, 2, 3, 6, 7);
  column[2] = __builtin_shufflevector(hi01, hi23, 0, 1, 4, 5);
  column[3] = __builtin_shufflevector(hi01, hi23, 2, 3, 6, 7);
#endif
}

#endif

/* The first six floats of the row of each lane. */
TOI_INLINE void load_six(const float *rows, const uint32_t numbers[TOI_FLOAT_LANES], real column[6]) {
#if TOI_FLOAT_LANES == 1
  for (int i = 0; i < 6; i++)
    column[i] = rows[FLOAT_ROW * (size_t)numbers[0] + (size_t)i];
#else
  real rest[4];
  load_four(rows, numbers, 0, column);
  load_four(rows, numbers, 4, rest);
  column[4] = rest[0];
  column[5] = rest[1];
#endif
}

#endif
