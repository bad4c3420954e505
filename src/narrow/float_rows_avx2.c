/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rounding to floats in four lanes. Compiled with -mavx2 -mfma; run only where the CPU has both. */

#if defined(__x86_64__)

#define TOI_LANES 4
#define TOI_FLOAT_ROWS toi_float_rows_avx2

#include "narrow/float_rows_body.h"

#else

typedef int toi_no_float_rows_here; /* an empty file is no C */

#endif
