/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `exact` with a separation d > 0: is the distance of 0 to the moving hull (see hull.h) ever at most d, in
 * the Euclidean or the maximum norm, and when first? Decided in integers, right for every finite input, with the
 * tightest doubles around that time. */

#ifndef TOI_NARROW_EXACT_SEPARATION_H
#define TOI_NARROW_EXACT_SEPARATION_H

#include <toi/narrow.h>

/* Bytes of scratch that toi_exact_separation needs for this query and separation, from their exponents. */
size_t toi_exact_separation_scratch(toi_kind kind, const double *query, double d, toi_norm norm);

/* Decides one query: 2 * toi_kind_points(kind) * 3 doubles, all finite, and a finite d > 0. guess: of the time, or NaN;
 * it changes the time taken, not the answer. scratch: as many bytes as said, 64-byte aligned. Fills verdict, times,
 * level, separation and touching_at_start; where they are closest is left open: u, v and distance are NaN, point and
 * normal zero. */
void toi_exact_separation(toi_kind kind, const double *query, double d, toi_norm norm, double t_max, double guess,
                          void *scratch, toi_hit *hit);

#endif
