/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distances at one instant, for calls with a context and without. */

#ifndef TOI_NARROW_DISTANCE_H
#define TOI_NARROW_DISTANCE_H

#include <toi/distance.h>

#include "narrow/filter_mesh.h"
#include "narrow/share.h"

typedef struct toi_instant {
  toi_kind kind;
  const double *points; /* finite */
  toi_norm norm;
  toi_context *context; /* NULL: none */
  uint32_t thread;
} toi_instant;

/* The largest double that is not above the share of the distance; or TOI_ERROR_MEMORY. */
toi_status toi_instant_share(const toi_instant *instant, const toi_share *share, double *value);

/* -1, 0, 1 as the distance is <, =, > x, which is finite and not negative: in integers; or TOI_ERROR_MEMORY. */
toi_status toi_instant_compare(const toi_instant *instant, double x, int *order);

/* Not below the distance, and hardly above: in doubles; infinite where they do not tell. */
double toi_instant_most(const toi_instant *instant);

/* Pairs of a mesh, at its start. */
typedef struct toi_pair_instants {
  toi_filter_mesh mesh;
  toi_kind kind;
  toi_norm norm;
  toi_context *context; /* NULL: none */
  uint32_t thread;
} toi_pair_instants;

/* The points of a pair, as toi_instant has them. */
void toi_pair_points(const toi_pair_instants *instants, toi_pair pair, double points[12]);

/* As toi_instant_distance() for each of at most TOI_DISTANCE_PAIRS pairs, the same bits, in SIMD. Answers are `stride`
 * bytes apart: they may be parts of records. */
toi_status toi_pair_distances(const toi_pair_instants *instants, const toi_pair *pairs, size_t count,
                              toi_distance *distances, size_t stride);

/* As toi_distance_fast(); or TOI_ERROR_MEMORY: then all but the width of [lo, hi] is as promised. */
toi_status toi_instant_distance(const toi_instant *instant, toi_distance *distance);

#endif
