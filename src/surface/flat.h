/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of flat triangles, answered exactly: hit or miss, never near, whether they graze, rest on each other or lie in
 * one plane. */

#ifndef TOI_SURFACE_FLAT_H
#define TOI_SURFACE_FLAT_H

#include <toi/surface.h>

/* Whether the pair is one of flat triangles that are known exactly: triangles of degree 1, polynomial or of equal
 * weights, without errors, each coordinate of whose corners at t_max is a double. Both patches were checked. A budget
 * of checks that is smaller than such a pair may take is left to the search. */
bool toi_flat_suits(const toi_patch *a, const toi_patch *b, const toi_surface_options *options);

/* First contact of a pair that suits: the bracket is at most 2^-48 of t_max wide, up to rounding. Checks are queries of
 * the narrow phase: none where boxes or a crossing at the start decide. The hit is written unless memory is short,
 * TOI_ERROR_MEMORY; that comes from scratch of worker `thread`. The floating-point mode is the library's. */
toi_status toi_flat_pair(toi_context *context, uint32_t thread, const toi_patch *a, const toi_patch *b,
                         const toi_surface_options *options, toi_surface_hit *hit);

#endif
