/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels of `tight-inclusion` with AVX2. Compiled with -mavx2 -mfma; run only where the CPU has both. */

#if defined(__x86_64__)

#define TOI_TIGHT_KERNEL toi_tight_kernel_avx2
#include "narrow/tight_inclusion_body.h"

#else

typedef int toi_no_kernel_here; /* an empty file is no C */

#endif
