/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries with exponents from the whole range of doubles, [-1074, 1023]: no truth is planted, they strain exact
 * arithmetic. A query is a pure function of (kind, seed, index). */

#ifndef PLANTED_WIDE_H
#define PLANTED_WIDE_H

#include <toi/narrow.h>

/* Points as toi_batch takes them: start, then end; 6 doubles for each point of the kind. kind: a kind, or PLANTED_ANY
 * (planted.h). Returns the kind. */
toi_kind planted_wide(toi_kind kind, uint64_t seed, uint64_t index, double points[24]);

#endif
