/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The hull that all kinds share: two primitives touch at a time if and only if 0 lies in the hull of their corners,
 * the differences between a point of the first and a point of the second. In cyclic order around the hull:
 *
 *   vertex-face    v - f0, v - f1, v - f2
 *   edge-edge      ea0 - eb0, ea1 - eb0, ea1 - eb1, ea0 - eb1
 *   vertex-edge    v - e0, v - e1
 *   vertex-vertex  a - b */

#ifndef TOI_NARROW_HULL_H
#define TOI_NARROW_HULL_H

#include <toi/narrow.h>

#define TOI_MOST_CORNERS 4

typedef struct toi_corner {
  uint8_t first, second; /* points of the query: first minus second */
  uint8_t u, v;          /* contact parameters in this corner */
} toi_corner;

/* The name of a query's point, for messages: "v", "f0" and so on. */
const char *toi_point_name(toi_kind kind, size_t point);

/* Number of corners: 3, 4, 2, 1. */
unsigned toi_corner_count(toi_kind kind);

/* The corners of a kind. */
const toi_corner *toi_corners(toi_kind kind);

/* A point of a query at time t, rounded; query as toi_batch takes it. */
void toi_point_at(toi_kind kind, const double *query, double t, size_t point, double out[3]);

#endif
