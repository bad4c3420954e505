/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The contact filter in four lanes: SSE2 on x86-64, NEON on aarch64. */

#define TOI_FLOAT_LANES 4
#define TOI_CONTACT_FILTER toi_contact_filter_four

#include "narrow/contact_filter_body.h"
