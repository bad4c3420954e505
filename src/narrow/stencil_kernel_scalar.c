/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stencils in one lane, the reference; and the choice of a kernel. */

#define TOI_LANES 1

#include "base/internal.h"
#include "narrow/stencil_kernel_body.h"

#include "narrow/stencil_derive_body.h"
#include "narrow/stencil_mollify_body.h"
#include "narrow/stencil_place_body.h"

const toi_stencil_kernel toi_stencil_kernel_scalar = {derive, mollify, place};

const toi_stencil_kernel *toi_stencil_kernel_best(size_t count) {
  const toi_simd best = toi_simd_best();
#if defined(__x86_64__)
  if (best == TOI_SIMD_AVX2)
    return count < 2 ? &toi_stencil_kernel_rows : &toi_stencil_kernel_avx2;
#endif
  return best == TOI_SIMD_SCALAR || count < 2 ? &toi_stencil_kernel_scalar : &toi_stencil_kernel_two;
}
