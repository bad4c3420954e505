/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `exact`: a query decided in integers, right for every finite input, with the tightest doubles around the
 * time of first contact. The last level of `certified` and the reference for everything else. */

#ifndef TOI_NARROW_EXACT_H
#define TOI_NARROW_EXACT_H

#include <toi/narrow.h>

/* Bytes of scratch that toi_exact needs for this query, from its exponents. */
size_t toi_exact_scratch(toi_kind kind, const double *query);

/* Decides one query: 2 * toi_kind_points(kind) * 3 doubles, all finite. guess: of the contact time, or NaN; it changes
 * the time taken, not the answer. scratch: toi_exact_scratch() bytes, 64-byte aligned. Fills all of *hit. */
void toi_exact(toi_kind kind, const double *query, double t_max, double guess, void *scratch, toi_hit *hit);

#endif
