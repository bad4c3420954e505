/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distances in two lanes: SSE2 on x86-64, NEON on aarch64. */

#define TOI_LANES 2
#define TOI_DISTANCE_KERNEL toi_distance_kernel_two

#include "narrow/distance_kernel_body.h"
