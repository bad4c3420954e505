/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rounding to floats in two lanes: SSE2 on x86-64, NEON on aarch64. */

#define TOI_LANES 2
#define TOI_FLOAT_ROWS toi_float_rows_two

#include "narrow/float_rows_body.h"
