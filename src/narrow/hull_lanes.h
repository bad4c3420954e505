/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Hulls of pairs of a mesh in lanes: loading by vertex numbers, and a guess of the point nearest to 0. Kernels that
 * define TOI_LANES include it; it includes lanes.h. */

#ifndef TOI_NARROW_HULL_LANES_H
#define TOI_NARROW_HULL_LANES_H

#include <string.h>

#include "narrow/filter_mesh.h"
#include "number/lanes.h"

#define CORNERS 4
#define AXES 3

/* The corners at one instant, in the order of hull.h. */
typedef struct corners {
  real c[CORNERS][AXES];
} corners;

/* --- vectors --- */

TOI_INLINE real dot3(const real a[AXES], const real b[AXES]) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

TOI_INLINE void minus3(const real a[AXES], const real b[AXES], real out[AXES]) {
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    out[axis] = a[axis] - b[axis];
}

/* --- loading --- */

/* Points of a pair with n corners. */
TOI_INLINE int points_of(int n) {
  return n == 4 ? 4 : n + 1;
}

/* The point at an offset of each row. */
TOI_INLINE void load_point(const double *const row[TOI_LANES], size_t offset, real x[AXES]) {
  real column[4];
  TOI_UNROLL
  for (size_t i = 0; i < AXES; i += TOI_LANES)
    load_columns(row, offset + i, column + i);
  x[0] = column[0];
  x[1] = column[1];
  x[2] = column[2];
}

/* Which of a pair's points make corner k: first minus second. */
TOI_INLINE void corner_points(int n, int k, int *first, int *second) {
  *first = n == 4 ? (k == 1 || k == 2) : 0;
  *second = n == 4 ? 2 + (k >= 2) : 1 + k;
}

/* The points of the pairs that lie at `offset` of the rows. */
TOI_INLINE void load_points(int n, const double *const rows[CORNERS][TOI_LANES], size_t offset, real x[CORNERS][AXES]) {
  TOI_UNROLL
  for (int i = 0; i < points_of(n); i++)
    load_point(rows[i], offset, x[i]);
}

TOI_INLINE void corners_of(int n, real x[CORNERS][AXES], corners *hull) {
  TOI_UNROLL
  for (int k = 0; k < n; k++) {
    int first, second;
    corner_points(n, k, &first, &second);
    TOI_UNROLL
    for (int axis = 0; axis < AXES; axis++)
      hull->c[k][axis] = x[first][axis] - x[second][axis];
  }
}

/* The rows of a pair's vertices, in the order of its points. */
TOI_INLINE void pair_rows(int n, const toi_filter_mesh *mesh, toi_pair pair, const double *rows[CORNERS]) {
  uint32_t vertices[CORNERS] = {pair.first};
  if (n == 4) {
    memcpy(vertices, mesh->edges[pair.first], 2 * sizeof(uint32_t));
    memcpy(vertices + 2, mesh->edges[pair.second], 2 * sizeof(uint32_t));
  } else if (n == 3)
    memcpy(vertices + 1, mesh->faces[pair.second], 3 * sizeof(uint32_t));
  else if (n == 2)
    memcpy(vertices + 1, mesh->edges[pair.second], 2 * sizeof(uint32_t));
  else
    vertices[1] = pair.second;
  TOI_UNROLL
  for (int i = 0; i < points_of(n); i++)
    rows[i] = mesh->points + mesh->row * vertices[i];
}

/* The rows of a group of pairs from number i on; past the last one, of that. */
TOI_INLINE void group_rows(int n, const toi_filter_mesh *mesh, const toi_pair *pairs, size_t i, size_t count,
                           const double *rows[CORNERS][TOI_LANES]) {
  for (size_t j = 0; j < TOI_LANES; j++) {
    const double *own[CORNERS] = {NULL};
    pair_rows(n, mesh, pairs[i + j < count ? i + j : count - 1], own);
    TOI_UNROLL
    for (int k = 0; k < points_of(n); k++)
      rows[k][j] = own[k];
  }
}

/* Raises size[j] to the largest |c_kj|. */
TOI_INLINE void hull_sizes(int n, const corners *hull, real size[AXES]) {
  TOI_UNROLL
  for (int k = 0; k < n; k++)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    size[axis] = most(magnitude(hull->c[k][axis]), size[axis]);
}

/* --- the nearest point: a guess, whose parameters are in range --- */

/* On a triangle: inside, or on the best of its three sides. f is the square of the distance but for a constant. */
TOI_INLINE void nearest_in_triangle(const real p[3], const real q[2], real *s, real *t) {
  const real zero = every(0), one = every(1);
  const real a = p[0], b = p[1], c = p[2], d = q[0], e = q[1];
  // Sides (s, 0), (0, t) and (1 - w, w).
  real side_s = clip_unit(d / a), side_t = clip_unit(e / c), w = clip_unit(((e - b) - (d - a)) / ((a - b) + (c - b)));
  real f_s = side_s * (side_s * a - d * 2.0), f_t = side_t * (side_t * c - e * 2.0), v = one - w;
  real f_w = v * (v * a - d * 2.0) + w * (w * c - e * 2.0) + v * w * b * 2.0;
  mask second = less(f_t, f_s);
  real best = choose(second, f_t, f_s);
  *s = choose(second, zero, side_s);
  *t = choose(second, side_t, zero);
  mask third = less(f_w, best);
  *s = choose(third, v, *s);
  *t = choose(third, w, *t);
  real area = a * c - b * b, in_s = (d * c - e * b) / area, in_t = (e * a - d * b) / area;
  mask inside = greater(area, zero) & greater(in_s, zero) & greater(in_t, zero) & less(in_s + in_t, one);
  *s = choose(inside, in_s, *s);
  // 1 - s may be rounded up, if it is above a half; then 1 - room is exact.
  real room = one - *s;
  room = choose(less(one - room, *s), room - 0x1p-53, room);
  *t = least(choose(inside, in_t, *t), room);
}

/* On a parallelogram: one coordinate, then the other, then the first again. */
TOI_INLINE void nearest_in_parallelogram(const real p[3], const real q[2], real *s, real *t) {
  const real a = p[0], b = p[1], c = p[2], d = q[0], e = q[1];
  *s = clip_unit((d * c - e * b) / (a * c - b * b));
  *t = clip_unit((e - b * *s) / c);
  *s = clip_unit((d - b * *t) / a);
}

/* A point of the hull: c0 + s first + t last. */
typedef struct hull_place {
  real first[AXES], last[AXES]; /* sides from corner 0 to corners 1 and n - 1 */
  real s, t;
  real x[AXES];
} hull_place;

/* Claim: x, as computed, is off by at most 23 u X_j in coordinate j from a point of the exact hull, u = 2^-53, X_j the
 * largest |c_kj|. Why: s and t are clipped to [0, 1], and to s + t <= 1 but for one rounding for three corners, so that
 * they belong to a point of the hull, up to 2 u X_j. How they were found plays no part. In u X_j:
 *   - the parameters                                                                          2
 *   - c0                                                                                      1
 *   - each side, at most 2: corners 2, rounding 2; its product with the parameter: 2          6 + 6
 *   - the sums, on at most 3 and 5                                                            3 + 5 */
TOI_INLINE void nearest_place(int n, const corners *hull, hull_place *at) {
  at->s = at->t = every(0);
  // cppcheck-suppress uninitvar // there is a corner
  minus3(hull->c[n > 1], hull->c[0], at->first);
  minus3(hull->c[n - 1], hull->c[0], at->last);
  real products[3] = {dot3(at->first, at->first), dot3(at->first, at->last), dot3(at->last, at->last)};
  real towards[2] = {-dot3(at->first, hull->c[0]), -dot3(at->last, hull->c[0])};
  if (n == 4)
    nearest_in_parallelogram(products, towards, &at->s, &at->t);
  else if (n == 3)
    nearest_in_triangle(products, towards, &at->s, &at->t);
  else if (n == 2)
    at->s = clip_unit(towards[0] / products[0]);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    at->x[axis] = hull->c[0][axis];
    if (n > 1)
      at->x[axis] += at->s * at->first[axis];
    if (n > 2)
      at->x[axis] += at->t * at->last[axis];
  }
}

#endif
