/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distances in one lane: the reference, and the choice of a kernel. */

#define TOI_LANES 1
#define TOI_DISTANCE_KERNEL toi_distance_kernel_scalar

#include "narrow/distance_kernel_body.h"

#include "base/internal.h"

toi_distance_kernel toi_distance_kernel_best(size_t count) {
  if (count == 1)
    return toi_distance_kernel_scalar;
  switch (toi_simd_best()) {
#if defined(__x86_64__)
  case TOI_SIMD_AVX2:
    return toi_distance_kernel_avx2;
#endif
  case TOI_SIMD_NATIVE_2:
    return toi_distance_kernel_two;
  default:
    return toi_distance_kernel_scalar;
  }
}
