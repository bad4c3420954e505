/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distances in four lanes. Compiled with -mavx2 -mfma; run only where the CPU has both. */

#if defined(__x86_64__)

#define TOI_LANES 4
#define TOI_DISTANCE_KERNEL toi_distance_kernel_avx2

#include "narrow/distance_kernel_body.h"

#else

typedef int toi_no_distance_kernel_here; /* an empty file is no C */

#endif
