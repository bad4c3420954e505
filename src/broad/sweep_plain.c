/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The sweep in four lanes: SSE2, NEON, or whatever the compiler makes of it. */

#include "broad/sweep.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define SWEEP_LANES 4
#define SWEEP_KERNEL toi_sweep_plain

typedef int32_t four_numbers __attribute__((vector_size(16)));

static inline unsigned bits(four_numbers mask) {
#if defined(__SSE2__)
  return (unsigned)_mm_movemask_ps((__m128)mask);
#else
  return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

/* Writes four pairs, of which some count. */
static inline void put_pairs(toi_pair *pairs, uint64_t packed, const uint32_t *numbers, uint32_t own,
                             toi_sweep_turn turn) {
  for (int i = 0; i < SWEEP_LANES; i++) {
    const uint32_t other = numbers[packed >> 8 * i & 3];
    const bool turned = turn == TOI_SWEEP_TURNED || (turn == TOI_SWEEP_SORTED && other < own);
    pairs[i] = (toi_pair){turned ? other : own, turned ? own : other};
  }
}

#include "broad/sweep_body.h"
