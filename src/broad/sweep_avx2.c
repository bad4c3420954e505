/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The sweep in eight lanes. Compiled with -mavx2; run only where the CPU has it. */

#include "broad/sweep.h"

#include <immintrin.h>

#define SWEEP_LANES 8
#define SWEEP_KERNEL toi_sweep_avx2

typedef int32_t eight_numbers __attribute__((vector_size(32)));

static inline unsigned bits(eight_numbers mask) {
  return (unsigned)_mm256_movemask_ps((__m256)mask);
}

/* Writes eight pairs, of which some count. */
static inline void put_pairs(toi_pair *pairs, uint64_t packed, const uint32_t *numbers, uint32_t own,
                             toi_sweep_turn turn) {
  const __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)packed));
  const __m256i other = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)numbers), lanes);
  const __m256i one = _mm256_set1_epi32((int)own);
  const __m256i sorted[2] = {_mm256_min_epu32(one, other), _mm256_max_epu32(one, other)};
  const __m256i first = turn == TOI_SWEEP_SORTED ? sorted[0] : turn == TOI_SWEEP_AS_IS ? one : other;
  const __m256i second = turn == TOI_SWEEP_SORTED ? sorted[1] : turn == TOI_SWEEP_AS_IS ? other : one;
  const __m256i even = _mm256_unpacklo_epi32(first, second), odd = _mm256_unpackhi_epi32(first, second);
  _mm256_storeu_si256((__m256i *)pairs, _mm256_permute2x128_si256(even, odd, 0x20));
  _mm256_storeu_si256((__m256i *)(pairs + 4), _mm256_permute2x128_si256(even, odd, 0x31));
}

#include "broad/sweep_body.h"
