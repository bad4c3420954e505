/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Signs of orientation in four lanes. */

#define TOI_LANES 4
#define TOI_ORIENTATION_SIGNS toi_orientation_signs_avx2

#include "number/orientation_body.h"
