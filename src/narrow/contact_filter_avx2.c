/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The contact filter in eight lanes. Compiled with -mavx2 -mfma; run only where the CPU has both. */

#if defined(__x86_64__)

#define TOI_FLOAT_LANES 8
#define TOI_CONTACT_FILTER toi_contact_filter_avx2

#include "narrow/contact_filter_body.h"

#else

typedef int toi_no_contact_filter_here; /* an empty file is no C */

#endif
