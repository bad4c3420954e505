/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels for turning bodies in two lanes: SSE2 on x86-64, NEON on aarch64. */

#define TOI_LANES 2
#define TOI_TURN_KERNELS toi_turn_kernels_two

#include "narrow/rotating_kernel_body.h"
