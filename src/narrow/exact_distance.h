/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The distance of two primitives at one instant, as a rational number: the distance of 0 to the hull of their corners
 * (hull.h), squared in the Euclidean norm, itself in the maximum norm; right for every finite input. */

#ifndef TOI_NARROW_EXACT_DISTANCE_H
#define TOI_NARROW_EXACT_DISTANCE_H

#include <toi/narrow.h>

#include "narrow/share.h"
#include "number/integer.h"

/* numerator / denominator 2^exponent is the squared distance (TOI_NORM_L2) or the distance (TOI_NORM_LINF). */
typedef struct toi_exact_distance {
  toi_arena arena; /* free memory of the scratch, for the questions below */
  toi_norm norm;
  toi_integer numerator, denominator; /* >= 0, > 0; in the scratch */
  int exponent;
  /* The feature of the hull that holds a closest point: a corner (dimension 0) of this number, the segment (1) from the
   * corner of this number to the next, the face (2). */
  int dimension, feature;
} toi_exact_distance;

/* Bytes of scratch for this kind and its toi_kind_points(kind) points; and for a share of their distance. */
size_t toi_exact_distance_scratch(toi_kind kind, const double *points);
size_t toi_exact_share_scratch(toi_kind kind, const double *points, const toi_share *share);

/* The distance; all coordinates finite, the arena over 64-byte aligned scratch that is kept as long as the distance is
 * used. */
void toi_exact_distance_at(toi_kind kind, const double *points, toi_norm norm, toi_arena arena,
                           toi_exact_distance *distance);

/* -1, 0, 1 as factor times the distance <, =, > x; factor and x finite and not negative. */
int toi_exact_distance_compare(const toi_exact_distance *distance, double factor, double x);

/* -1, 0, 1 as the share of the distance <, =, > x, which is finite and not negative. */
int toi_exact_share_compare(const toi_exact_distance *distance, const toi_share *share, double x);

/* The largest double that is not above the share of the distance. */
double toi_exact_share(const toi_exact_distance *distance, const toi_share *share);

/* The rational (squared in the Euclidean norm) in lowest terms as "numerator/denominator", hexadecimal digits without
 * a prefix, with a final zero byte. Returns the bytes it takes, that one included; writes nothing if size is less. */
size_t toi_exact_distance_text(const toi_exact_distance *distance, char *text, size_t size);

#endif
