/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels in two lanes: SSE2 on x86-64, NEON on aarch64. */

#define TOI_LANES 2
#define TOI_KERNELS toi_kernels_two

#include "narrow/kernel_body.h"
