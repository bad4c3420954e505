/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Signs of orientation in two lanes: SSE2 on x86-64, NEON on aarch64, or whatever there is. */

#define TOI_LANES 2
#define TOI_ORIENTATION_SIGNS toi_orientation_signs_two

#include "number/orientation_body.h"
