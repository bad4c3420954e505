/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The point of a hull nearest to 0 at one instant, in doubles: a guess, which others prove.
 *
 * A direction n shows how far the hull is: if n . c >= h for all corners c, the distance is at least h / |n|*, where
 * |n|* is the dual norm (Euclidean for l2, the sum of magnitudes for linf). The best direction comes from one of a few
 * features of the hull, and is a polynomial of the corners; so it can be made again with more digits (height.h). */

#ifndef TOI_NARROW_NEAREST_H
#define TOI_NARROW_NEAREST_H

#include <math.h>
#include <toi/narrow.h>

#include "narrow/hull.h"
#include "number/vector.h"

/* The size of a vector, rounded. */
static inline double toi_size_in(toi_norm norm, const double x[3]) {
  return norm == TOI_NORM_L2 ? sqrt(toi_dot(x, x)) : toi_larger(fabs(x[0]), toi_larger(fabs(x[1]), fabs(x[2])));
}

typedef enum toi_feature_kind {
  TOI_FEATURE_CORNER = 0,  /* l2: n = corner `index` */
  TOI_FEATURE_SEGMENT,     /* l2: n is square to segment `index`, in the plane of it and 0 */
  TOI_FEATURE_FACE,        /* both: n is the hull's normal */
  TOI_FEATURE_AXIS,        /* linf: n is an axis */
  TOI_FEATURE_SEGMENT_AXIS /* linf: n is square to segment `index` and to an axis */
} toi_feature_kind;

typedef struct toi_feature {
  toi_feature_kind kind;
  int index, axis;
  int sign; /* linf and faces: n is the direction as made, times this */
} toi_feature;

typedef struct toi_nearest {
  double distance; /* in the norm asked for; 0 where the hull holds 0 */
  double n[3];     /* towards the hull, of dual norm 1 but for rounding; 0 if there is none */
  toi_feature feature;
} toi_nearest;

/* The corners of a hull at one instant, in the order of hull.h, of sizes up to about 1. */
typedef struct toi_hull {
  int count;
  double c[TOI_MOST_CORNERS][3];
} toi_hull;

void toi_nearest_to(const toi_hull *hull, toi_norm norm, toi_nearest *nearest);

/* Segments of a hull's boundary: 3, 4, 1, 0. Directions among them that differ: 3, 2, 1, 0. */
static inline int toi_hull_segments(int corners) {
  return corners > 2 ? corners : corners - 1;
}
static inline int toi_hull_directions(int corners) {
  return corners == 4 ? 2 : toi_hull_segments(corners);
}

static inline int toi_hull_next(int corners, int k) {
  return k + 1 < corners ? k + 1 : 0;
}

#endif
