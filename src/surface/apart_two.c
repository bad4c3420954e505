/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The test of pairs of pieces, two lanes at a time, and which of the tests this machine runs. */

#define TOI_LANES 2
#define APART_KERNEL toi_apart_two
#include "surface/apart_body.h"

const toi_apart_kernel *toi_apart_best(void) {
#if defined(__x86_64__)
  if (toi_simd_best() == TOI_SIMD_AVX2)
    return &toi_apart_avx2;
#endif
  return &toi_apart_two;
}
