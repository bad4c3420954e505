/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stencils inside the library: which features of a pair are active, and their derivatives and places for points of any
 * magnitude. */

#ifndef TOI_NARROW_STENCIL_H
#define TOI_NARROW_STENCIL_H

#include "narrow/stencil_kernel.h"

/* --- active features --- */

/* The regions of the two primitives of a pair that hold the closest points. */
typedef struct toi_regions {
  toi_region first, second;
} toi_regions;

/* Two features as a pair of their own: its kind, and which points of the given pair are its points. */
typedef struct toi_features {
  toi_kind kind;
  uint8_t points[4];
  bool swapped; /* its first point is of the pair's second primitive */
} toi_features;

/* Whether a pair of this kind has such regions. */
bool toi_regions_valid(toi_kind kind, toi_regions regions);

/* The features of valid regions. */
toi_features toi_features_of(toi_kind kind, toi_regions regions);

/* Regions whose features have the extent that derivatives need: those given, or smaller ones that are as near, but for
 * what stencil.h says about thin features. The points are finite. */
toi_regions toi_regions_with_extent(toi_kind kind, const toi_stencil_points *points, toi_regions regions);

/* --- derivatives and places; at most TOI_STENCIL_BLOCK stencils of one kind --- */

/* As toi_stencil_derivatives() for each: whether all have derivatives. Else *failed is the first that has none; what
 * was written is to be thrown away. */
bool toi_stencil_derive(toi_kind kind, const toi_stencil_points *points, size_t count,
                        const toi_stencil_results *results, size_t *failed);

/* As toi_stencil_mollifier() for each, with positive and finite thresholds; likewise. The value goes to `squared`. */
bool toi_stencil_mollify(const toi_stencil_points *points, const double *thresholds, size_t count,
                         const toi_stencil_results *results, size_t *failed);

/* What toi_stencil says about its place, for finite points with extent. Where `close` becomes true the square is not as
 * accurate as promised: the distance must be asked for exactly. */
void toi_stencil_locate(toi_kind kind, const toi_stencil_points *points, size_t count, toi_stencil_place *places,
                        bool *close);

/* |ea x eb|^2 of four points, the same bits as the mollifier compares with its threshold. */
double toi_edges_cross_squared(const toi_stencil_points *points);

/* --- points of any magnitude --- */

/* Points moved and scaled by 2^-exponent, so that their largest difference is about 1, without another rounding than
 * those of differences; false if all points of the pair are the same, or one is not finite. */
bool toi_stencil_rescale(toi_kind kind, const toi_stencil_points *points, toi_stencil_points *scaled, int *exponent);

#endif
