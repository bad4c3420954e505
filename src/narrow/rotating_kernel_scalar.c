/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels for turning bodies in one lane: the reference for the others. */

#define TOI_LANES 1
#define TOI_TURN_KERNELS toi_turn_kernels_scalar

#include "narrow/rotating_kernel_body.h"
