/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distances at one instant, for calls with a context and without. */

#ifndef TOI_NARROW_DISTANCE_H
#define TOI_NARROW_DISTANCE_H

#include <toi/distance.h>

typedef struct toi_instant {
  toi_kind kind;
  const double *points; /* finite */
  toi_norm norm;
  toi_context *context; /* NULL: none */
  uint32_t thread;
} toi_instant;

/* The largest double that is not above factor times the distance; or TOI_ERROR_MEMORY. */
toi_status toi_instant_part(const toi_instant *instant, double factor, double *part);

/* -1, 0, 1 as the distance is <, =, > x, which is finite and not negative: in integers; or TOI_ERROR_MEMORY. */
toi_status toi_instant_compare(const toi_instant *instant, double x, int *order);

/* Not below the distance, and hardly above: in doubles; infinite where they do not tell. */
double toi_instant_most(const toi_instant *instant);

/* As toi_distance_fast(); or TOI_ERROR_MEMORY: then all but the width of [lo, hi] is as promised. */
toi_status toi_instant_distance(const toi_instant *instant, toi_distance *distance);

#endif
