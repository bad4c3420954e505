/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The contact filter in one lane: the reference, and the choice of a kernel. */

#define TOI_FLOAT_LANES 1
#define TOI_CONTACT_FILTER toi_contact_filter_scalar

#include "narrow/contact_filter_body.h"

#include "base/internal.h"

toi_contact_filter toi_contact_filter_best(void) {
  switch (toi_simd_best()) {
#if defined(__x86_64__)
  case TOI_SIMD_AVX2:
    return toi_contact_filter_avx2;
#endif
  case TOI_SIMD_NATIVE_2:
    return toi_contact_filter_four;
  default:
    return toi_contact_filter_scalar;
  }
}
