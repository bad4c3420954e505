/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The plane filter in two lanes: SSE2 on x86-64, NEON on aarch64. */

#define TOI_LANES 2
#define TOI_PLANE_FILTER toi_plane_filter_two

#include "narrow/plane_filter_body.h"
