/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The sweep in four lanes: SSE2, NEON, or whatever the compiler makes of it. */

#define SWEEP_LANES 4
#define SWEEP_KERNEL toi_sweep_plain

#include "broad/sweep_body.h"
