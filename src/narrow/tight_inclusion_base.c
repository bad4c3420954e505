/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels of `tight-inclusion` for any CPU. */

#define TOI_TIGHT_KERNEL toi_tight_kernel_base
#include "narrow/tight_inclusion_body.h"
