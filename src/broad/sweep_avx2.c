/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The sweep in eight lanes. Compiled with -mavx2; run only where the CPU has it. */

#if defined(__x86_64__)

#define SWEEP_LANES 8
#define SWEEP_KERNEL toi_sweep_avx2

#include "broad/sweep_body.h"

#else

typedef int toi_no_sweep_here; /* an empty file is no C */

#endif
