/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The test of pairs of pieces, four lanes at a time. */

#define TOI_LANES 4
#define APART_KERNEL toi_apart_avx2
#include "surface/apart_body.h"
