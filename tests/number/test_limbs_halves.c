/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The same with limbs multiplied and divided in halves, as where the compiler has no integers of 128 bits. */

#define TOI_LIMB_HALVES
#include "number/test_limbs.c" /* NOLINT(bugprone-suspicious-include) */
