/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The distance of two primitives at one instant, their closest points, and the features that contain them.
 *
 * The points are those of a query at one time (see narrow.h): 4, 4, 3 or 2 of them. Any finite input, of any magnitude,
 * points, segments and triangles without extent included. */

#ifndef TOI_DISTANCE_H
#define TOI_DISTANCE_H

#include <toi/narrow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A feature of a primitive: a point of it, an edge between two of its points, or the face. */
typedef struct toi_region {
  uint8_t dimension; /* 0 a point, 1 an edge, 2 the face */
  uint8_t index;     /* the point's number in its primitive; an edge runs from point `index` to the next, cyclically */
} toi_region;

typedef struct toi_distance {
  double lo, hi;       /* proved: lo <= distance <= hi */
  double u, v;         /* closest points, with the parameters of narrow.h; rounded, like what follows */
  double first[3];     /* on the first primitive */
  double second[3];    /* on the second */
  toi_region on_first; /* the features that contain these points in their inside; one of them if there are several */
  toi_region on_second;
  uint8_t reserved[20];
} toi_distance;

/* On failure the answers are the safe ones: a distance from 0 to infinity, an empty text of size 0, a fraction of
 * 0. */

/* In doubles: hi - lo is below 2^-44 times the largest difference of coordinates between the two (2^-1060 at least).
 * Takes a fraction of a microsecond; some microseconds if doubles do not suffice: the two are very close, or thin. */
TOI_API TOI_MUST_USE toi_status toi_distance_fast(toi_kind kind, const double (*points)[3], toi_norm norm,
                                                  toi_distance *distance);

/* Many of one kind, back to back: toi_kind_points(kind) * 3 doubles each. Uses threads and SIMD; the same bits as
 * toi_distance_fast(). On failure the context says which pair, and every distance is the safe answer. */
TOI_API TOI_MUST_USE toi_status toi_distance_batch(toi_context *context, toi_kind kind, const double *points,
                                                   size_t count, toi_norm norm, toi_distance *distances);

/* The same with the points of a mesh, at its start; end may be NULL. */
TOI_API TOI_MUST_USE toi_status toi_distance_batch_indexed(toi_context *context, toi_kind kind, const toi_mesh *mesh,
                                                           const toi_pair *pairs, size_t count, toi_norm norm,
                                                           toi_distance *distances);

/* For a vertex and a half-space: hi - lo is at most 2^-44 hi, and both are 0 on and behind the plane. u = v = 0, first
 * is the point, second on the plane, or the point itself if the distance is 0. */
TOI_API TOI_MUST_USE toi_status toi_half_space_distance(const double point[3], const toi_half_space *half_space,
                                                        toi_norm norm, toi_distance *distance);

/* Exactly, as a rational number: the square of the distance (TOI_NORM_L2), or the distance (TOI_NORM_LINF), in lowest
 * terms as "numerator/denominator", hexadecimal digits without a prefix. *size is the size of text in bytes, and
 * becomes the size needed, final zero included; text may be NULL to find it. TOI_ERROR_MEMORY if text is too small, or
 * memory for the arithmetic runs out. */
TOI_API TOI_MUST_USE toi_status toi_distance_rational(toi_kind kind, const double (*points)[3], toi_norm norm,
                                                      char *text, size_t *size);

/* The largest double not above factor times the distance, as separation_fraction uses it. factor is finite and not
 * negative. */
TOI_API TOI_MUST_USE toi_status toi_distance_part(toi_kind kind, const double (*points)[3], toi_norm norm,
                                                  double factor, double *part);

#ifdef __cplusplus
}
#endif

#endif
