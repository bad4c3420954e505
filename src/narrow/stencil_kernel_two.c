/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stencils in two lanes: SSE2 on x86-64, NEON on aarch64. */

#define TOI_LANES 2

#include "narrow/stencil_kernel_body.h"

#include "narrow/stencil_derive_body.h"
#include "narrow/stencil_mollify_body.h"
#include "narrow/stencil_place_body.h"

const toi_stencil_kernel toi_stencil_kernel_two = {derive, mollify, place};
