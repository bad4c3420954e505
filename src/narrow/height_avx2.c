/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Heights where products are fused: their errors cost one operation. */

#define TOI_HEIGHTS toi_heights_avx2

#include "narrow/height_body.h"
