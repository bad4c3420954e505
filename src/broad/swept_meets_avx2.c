/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces in which boxes meet, eight to a register. Compiled with -mavx2; run only where the CPU has it. */

#define BOXES_MEET toi_boxes_meet_avx2
#define LAYERS_MEET toi_layers_meet_avx2
#define PLANES_MEET toi_planes_meet_avx2
#include "broad/swept_meets_body.h"
