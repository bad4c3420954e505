/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stencils in four lanes. Compiled with -mavx2 -mfma; run only where the CPU has both. */

#if defined(__x86_64__)

#define TOI_LANES 4

#include "narrow/stencil_kernel_body.h"

#include "narrow/stencil_derive_body.h"
#include "narrow/stencil_mollify_body.h"
#include "narrow/stencil_place_body.h"

const toi_stencil_kernel toi_stencil_kernel_avx2 = {derive, mollify, place};

#else

typedef int toi_no_stencil_kernel_here; /* an empty file is no C */

#endif
