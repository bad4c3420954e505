/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The plane filter in four lanes. Compiled with -mavx2 -mfma; run only where the CPU has both. */

#if defined(__x86_64__)

#define TOI_LANES 4
#define TOI_PLANE_FILTER toi_plane_filter_avx2

#include "narrow/plane_filter_body.h"

#else

typedef int toi_no_plane_filter_here; /* an empty file is no C */

#endif
