/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Half-spaces as they are given, without exact arithmetic: whether one is valid, and its unit normal. */

#ifndef TOI_NARROW_HALF_SPACE_NORMAL_H
#define TOI_NARROW_HALF_SPACE_NORMAL_H

#include <toi/narrow.h>

/* Why a half-space is none, beginning with a verb; NULL if it is one. */
const char *toi_half_space_fault(const toi_half_space *half_space);

/* The unit normal, rounded; |n| of any size. */
void toi_half_space_unit(const double normal[3], double unit[3]);

#endif
