/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh in floats, for the contact filter: coordinates recentred, scaled and rounded (float_map.h), and what that
 * costs, measured.
 *
 * Let y = (x - centre) scale be the exact image of a coordinate, f its high and g its low float.
 *
 * Claim: on each axis, for any two coordinates, of any vertices at either time,
 *     |(y1 - y2) - (f1 - f2)| < coarse                                       (high floats alone)
 *     |(y1 - y2) - ((f1 - f2) + (g1 - g2))| + 2 u max |g| < fine             (high and low floats), u = 2^-24
 * unless it is 0 throughout, where coarse and fine are 0. Both are 0 or above 2^-100, and each exceeds its left side by
 * a factor of more than 1 + 4 u and 2^-101 at least.
 *
 * Bound: coarse = 2 (rest + shift) (1 + 2^-20) + 2^-100 and fine = (2 (left + shift) + 2 u rest) (1 + 2^-20) + 2^-100,
 * with rest, left and most the largest |ŷ - f|, |ŷ - f - g| and |ŷ| of the axis, ŷ the double that y is computed as,
 * and shift = 2^-52 most, or 0 if the centre is 0.
 *
 * Why:
 * - x - centre is rounded once, by at most 2^-53 of the result; the scale is a power of two. With a centre of 0 nothing
 *   is rounded. So |y - ŷ| <= shift / 2.
 * - f is ŷ rounded to 24 bits, so that ŷ - f is a multiple of a unit in the last place of ŷ, with fewer bits than it,
 *   and is computed without an error; so is what is left beside g.
 * - A difference has twice the error of one coordinate. |g| is at most rest (1 + u).
 * - 1 + 2^-20 covers this last factor, the few roundings of the formulas in doubles, and that to a float.
 * - A product with the scale below 2^-1022 may round, by at most 2^-1075. 2^-100 covers it. Where coarse is 0 all y are
 *   floats but for this, and m is monotone: the order of two images is that of the coordinates.
 *
 * No |f| exceeds 2^30 (contact_filter_bounds.h); a mesh that has larger ones is not made. */

#ifndef TOI_NARROW_FLOAT_MESH_H
#define TOI_NARROW_FLOAT_MESH_H

#include "base/internal.h"
#include "narrow/float_map.h"

/* Floats from one vertex to the next: x y z at the start, x y z at the end, two that are 0. */
#define TOI_FLOAT_ROW 8

typedef struct toi_float_mesh {
  const float *high;
  const float *low; /* NULL: all of them are 0 */
  const uint32_t (*edges)[2];
  const uint32_t (*faces)[3];
  float coarse[3], fine[3];
  bool fine_first; /* coarse is much beside the extents of edges: high floats alone would settle little */
} toi_float_mesh;

/* Makes it of a mesh whose vertices can be read; false if there is no memory for it (which is no error), a coordinate
 * is not finite, or the images are too large. Free it if it was made; a context has one at a time. */
bool toi_float_mesh_make(toi_context *context, const toi_mesh *mesh, toi_float_mesh *made);

/* The same on one thread, for tasks; after toi_kept_prepare(). The context's error is left set if there is no memory.
 */
bool toi_float_mesh_make_alone(toi_context *context, const toi_mesh *mesh, toi_float_mesh *made);
void toi_float_mesh_free(toi_context *context, toi_float_mesh *mesh);

/* --- the kernel that rounds --- */

/* Rows of TOI_MOVING_ROW doubles (filter_mesh.h) to rows of floats. */
typedef struct toi_float_rows {
  const toi_float_map *map;
  const double *points;
  size_t count;
  float *high, *low; /* low may be NULL: then it is not written */
} toi_float_rows;

/* The largest of each axis; a fourth number is not used. */
typedef struct toi_float_span {
  double rest[4], left[4], most[4];
  double finite[4]; /* 0, or NaN if a coordinate is not finite */
} toi_float_span;

/* Raises the span. All give the same bits. */
void toi_float_rows_two(const toi_float_rows *rows, toi_float_span *span);
#if defined(__x86_64__)
void toi_float_rows_avx2(const toi_float_rows *rows, toi_float_span *span);
#endif

#endif
