/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels for turning bodies in four lanes. Compiled with -mavx2 -mfma; run only where the CPU has both. */

#if defined(__x86_64__)

#define TOI_LANES 4
#define TOI_TURN_KERNELS toi_turn_kernels_avx2

#include "narrow/rotating_kernel_body.h"

#else

typedef int toi_no_turn_kernel_here; /* an empty file is no C */

#endif
