/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Lanes: several doubles at a time, one source for every width.
 *
 * A file that wants them defines TOI_LANES as 1, 2 or 4 and includes this header. `real` then holds that many doubles,
 * `mask` as many truth values. + - * / and negation are the C operators on every width; the rest are the functions
 * below.
 *
 * Claim: the same inputs give the same bits in each lane on every width and instruction set.
 * Why: every operation here is either one correctly rounded IEEE operation, a comparison, or a selection, and none may
 * be contracted (-ffp-contract=off). least() and most() are written as one comparison and a selection, so that zeros of
 * different sign and NaNs come out alike everywhere: the second argument is returned unless the comparison holds.
 * product_error() is exact wherever its file's caller keeps the product away from underflow, so that a fused
 * instruction and Dekker's splitting agree. */

#ifndef TOI_NUMBER_LANES_H
#define TOI_NUMBER_LANES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "number/unroll.h"

#if TOI_LANES != 1 && TOI_LANES != 2 && TOI_LANES != 4
#error "TOI_LANES must be 1, 2 or 4"
#endif

#if TOI_LANES == 4 && defined(__AVX2__)
#include <immintrin.h>
#elif TOI_LANES == 2 && defined(__SSE2__)
#include <emmintrin.h>
#elif TOI_LANES == 2 && defined(__aarch64__)
#include <arm_neon.h>
#elif TOI_LANES == 2 && defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#if TOI_LANES == 1

typedef double real;
typedef int64_t mask;

TOI_INLINE mask less(real a, real b) {
  return a < b ? -1 : 0;
}

TOI_INLINE real choose(mask m, real a, real b) {
  return m ? a : b;
}

TOI_INLINE unsigned bits_of(mask m) {
  return (unsigned)(m & 1);
}

TOI_INLINE real magnitude(real a) {
  return fabs(a);
}

TOI_INLINE real root(real a) {
  return sqrt(a);
}

TOI_INLINE real least(real a, real b) {
  return a < b ? a : b;
}

TOI_INLINE real most(real a, real b) {
  return a > b ? a : b;
}

TOI_INLINE real every(double x) {
  return x;
}

TOI_INLINE double lane(real a, unsigned i) {
  (void)i;
  return a;
}

#else

typedef double real __attribute__((vector_size(8 * TOI_LANES)));
typedef int64_t mask __attribute__((vector_size(8 * TOI_LANES)));

TOI_INLINE mask less(real a, real b) {
  return (mask)(a < b);
}

TOI_INLINE real every(double x) {
#if TOI_LANES == 4
  return (real){x, x, x, x};
#else
  return (real){x, x};
#endif
}

TOI_INLINE double lane(real a, unsigned i) {
  return a[i];
}

#if TOI_LANES == 4 && defined(__AVX2__)

TOI_INLINE real choose(mask m, real a, real b) {
  return (real)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m);
}

TOI_INLINE unsigned bits_of(mask m) {
  return (unsigned)_mm256_movemask_pd((__m256d)m);
}

TOI_INLINE real root(real a) {
  return (real)_mm256_sqrt_pd((__m256d)a);
}

/* minpd and maxpd return their second operand unless the comparison holds: just what is promised above. */
TOI_INLINE real least(real a, real b) {
  return (real)_mm256_min_pd((__m256d)a, (__m256d)b);
}

TOI_INLINE real most(real a, real b) {
  return (real)_mm256_max_pd((__m256d)a, (__m256d)b);
}

#else

TOI_INLINE real choose(mask m, real a, real b) {
  return (real)((m & (mask)a) | (~m & (mask)b));
}

#if TOI_LANES == 2 && defined(__SSE2__)

TOI_INLINE unsigned bits_of(mask m) {
  return (unsigned)_mm_movemask_pd((__m128d)m);
}

TOI_INLINE real root(real a) {
  return (real)_mm_sqrt_pd((__m128d)a);
}

TOI_INLINE real least(real a, real b) {
  return (real)_mm_min_pd((__m128d)a, (__m128d)b);
}

TOI_INLINE real most(real a, real b) {
  return (real)_mm_max_pd((__m128d)a, (__m128d)b);
}

#elif TOI_LANES == 2 && defined(__wasm_simd128__)

TOI_INLINE unsigned bits_of(mask m) {
  return wasm_i64x2_bitmask((v128_t)m);
}

TOI_INLINE real root(real a) {
  return (real)wasm_f64x2_sqrt((v128_t)a);
}

/* pmin(x, y) is y < x ? y : x, and pmax(x, y) is x < y ? y : x. */
TOI_INLINE real least(real a, real b) {
  return (real)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
}

TOI_INLINE real most(real a, real b) {
  return (real)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
}

#else

TOI_INLINE unsigned bits_of(mask m) {
  unsigned bits = 0;
  for (unsigned i = 0; i < TOI_LANES; i++)
    bits |= (unsigned)(m[i] & 1) << i;
  return bits;
}

TOI_INLINE real root(real a) {
  for (unsigned i = 0; i < TOI_LANES; i++)
    a[i] = sqrt(a[i]);
  return a;
}

TOI_INLINE real least(real a, real b) {
  return choose(a < b, a, b);
}

TOI_INLINE real most(real a, real b) {
  return choose(a > b, a, b);
}

#endif
#endif

TOI_INLINE real magnitude(real a) {
  return (real)((mask)a & INT64_MAX);
}

#endif

/* a > b, false on NaN. */
TOI_INLINE mask greater(real a, real b) {
  return less(b, a);
}

/* x clipped to [0, 1]; NaN becomes 0. */
TOI_INLINE real clip_unit(real x) {
  return least(choose(greater(x, every(0)), x, every(0)), every(1));
}

/* --- exact errors --- */

/* a - b = difference + *error exactly (Knuth), for any finite a and b whose difference does not overflow. */
TOI_INLINE real difference_exact(real a, real b, real *error) {
  real d = a - b;
  real bb = a - d;
  *error = (a - (d + bb)) + (bb - b);
  return d;
}

/* a + b = sum + *error exactly (Knuth). */
TOI_INLINE real sum_exact(real a, real b, real *error) {
  real s = a + b;
  real bb = s - a;
  *error = (a - (s - bb)) + (b - bb);
  return s;
}

/* a * b = product + result exactly, given product = a * b rounded, if |a|, |b| < 2^900 and the product is 0 or at least
 * 2^-960 in magnitude. */
TOI_INLINE real product_error(real a, real b, real product) {
#if TOI_LANES == 4 && defined(__FMA__)
  return (real)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)product);
#elif TOI_LANES == 1 && (defined(__FMA__) || defined(__ARM_FEATURE_FMA))
  return __builtin_fma(a, b, -product);
#elif TOI_LANES == 2 && defined(__aarch64__)
  return (real)vfmaq_f64(vnegq_f64((float64x2_t)product), (float64x2_t)a, (float64x2_t)b);
#else
  // Dekker: both factors in halves of 26 bits, whose products are exact.
  real ta = a * 134217729.0, tb = b * 134217729.0;
  real ah = ta - (ta - a), bh = tb - (tb - b);
  real al = a - ah, bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
#endif
}

/* --- rows in memory to columns in lanes --- */

/* *from[i] in lane i. */
TOI_INLINE real gather(const double *const from[TOI_LANES]) {
#if TOI_LANES == 1
  return *from[0];
#elif TOI_LANES == 2
  return (real){*from[0], *from[1]};
#else
  return (real){*from[0], *from[1], *from[2], *from[3]};
#endif
}

/* column[j] holds row[i][offset + j] in lane i, for TOI_LANES consecutive j. */
TOI_INLINE void load_columns(const double *const row[TOI_LANES], size_t offset, real column[TOI_LANES]) {
#if TOI_LANES == 1
  column[0] = row[0][offset];
#elif TOI_LANES == 2
  const double *a = row[0] + offset, *b = row[1] + offset;
  real x = {a[0], a[1]}, y = {b[0], b[1]};
  column[0] = __builtin_shufflevector(x, y, 0, 2);
  column[1] = __builtin_shufflevector(x, y, 1, 3);
#else
  typedef double unaligned __attribute__((vector_size(32), aligned(8)));
  real x0 = *(const unaligned *)(row[0] + offset), x1 = *(const unaligned *)(row[1] + offset);
  real x2 = *(const unaligned *)(row[2] + offset), x3 = *(const unaligned *)(row[3] + offset);
  real lo01 = __builtin_shufflevector(x0, x1, 0, 4, 2, 6), hi01 = __builtin_shufflevector(x0, x1, 1, 5, 3, 7);
  real lo23 = __builtin_shufflevector(x2, x3, 0, 4, 2, 6), hi23 = __builtin_shufflevector(x2, x3, 1, 5, 3, 7);
  column[0] = __builtin_shufflevector(lo01, lo23, 0, 1, 4, 5);
  column[1] = __builtin_shufflevector(hi01, hi23, 0, 1, 4, 5);
  column[2] = __builtin_shufflevector(lo01, lo23, 2, 3, 6, 7);
  column[3] = __builtin_shufflevector(hi01, hi23, 2, 3, 6, 7);
#endif
}

#endif
