/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The plane filter in one lane: the reference, and the choice of a kernel. */

#define TOI_LANES 1
#define TOI_PLANE_FILTER toi_plane_filter_scalar

#include "narrow/plane_filter_body.h"

#include "base/internal.h"

toi_plane_filter toi_plane_filter_best(void) {
  switch (toi_simd_best()) {
#if defined(__x86_64__)
  case TOI_SIMD_AVX2:
    return toi_plane_filter_avx2;
#endif
  case TOI_SIMD_NATIVE_2:
    return toi_plane_filter_two;
  default:
    return toi_plane_filter_scalar;
  }
}
