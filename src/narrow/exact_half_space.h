/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A vertex that moves on a straight line, and a half-space, in integers: right for every finite input. */

#ifndef TOI_NARROW_EXACT_HALF_SPACE_H
#define TOI_NARROW_EXACT_HALF_SPACE_H

#include "narrow/exact_apart.h"
#include "narrow/exact_distance.h"

/* A query: the vertex at the start and at the end, normal, offset. */
#define TOI_HALF_SPACE_NORMAL 6
#define TOI_HALF_SPACE_OFFSET 9
#define TOI_HALF_SPACE_QUERY 10

/* The initial distance, for the questions of exact_distance.h, and the bytes of scratch that it takes with a share
 * of any kind. The arena is over scratch that is kept as long as the distance is used. */
size_t toi_exact_half_space_distance_bytes(const double *query);
void toi_exact_half_space_distance(const double *query, toi_norm norm, toi_arena arena, toi_exact_distance *distance);

/* -1, 0, 1 as the vertex is behind the plane, on it, or in front of it at the start. */
int toi_exact_half_space_side(const double *query, toi_arena arena);

/* The first time at which the distance is at most d into search->bracket; bounds of that time, and the limbs of arena
 * that finding it takes. d is finite and not negative. */
toi_time_bound toi_exact_half_space_bound(const double *query, double d, size_t *limbs);
void toi_exact_half_space_search(const double *query, double d, toi_norm norm, toi_arena *arena,
                                 toi_exact_search *search);

#endif
