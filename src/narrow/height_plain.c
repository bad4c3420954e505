/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Heights for any machine. */

#define TOI_HEIGHTS toi_heights_plain

#include "narrow/height_body.h"
