/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces in which boxes meet, with the baseline of the architecture. */

#define BOXES_MEET toi_boxes_meet_plain
#define LAYERS_MEET toi_layers_meet_plain
#define PLANES_MEET toi_planes_meet_plain
#include "broad/swept_meets_body.h"
