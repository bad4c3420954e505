/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The plane filter, written once for any number of lanes. plane_filter_scalar.c, plane_filter_two.c and
 * plane_filter_avx2.c define TOI_LANES and TOI_PLANE_FILTER and include this file.
 *
 * Letters. c_k(t) are the corners of a pair's hull (hull.h), linear in t; T, F, d and rho as in plane_filter.h, tau its
 * t_max. |.|* is the dual norm: Euclidean for l2, the sum of magnitudes for linf. u = 2^-53. X_j is the largest
 * computed |c_kj| over all corners k and both ends of the step; S(m) = sum_j |m_j| X_j.
 *
 * Claim 1 (a bound of d). x = c_0 + s (c_1 - c_0) + t (c_last - c_0), as computed at the start for the parameters s and
 * t of the nearest point, makes the initial distance at most |x| + 32 u (X + Y + Z), so that D = T + F max(0, |x| + 32
 * u (X + Y + Z) - T) is not below d. Why: s and t are clipped to [0, 1], and to s + t <= 1 but for one rounding for
 * three corners, so that they belong to a point of the hull, up to 2 u X_j. How they were found plays no part. In a
 * coordinate, in u X_j:
 *   - the parameters                                                                          2
 *   - c_0                                                                                     1
 *   - each difference, at most 2: corners 2, rounding 2; its product with the parameter: 2    6 + 6
 *   - the sums, on at most 3 and 5                                                            3 + 5
 * Together 23; no norm of such an error exceeds the sum of its coordinates.
 *
 * Claim 2 (one plane). If for a direction m and all corners
 *     m . c_k(0) > R   and   m . c_k(tau) > R,   R = D |m|* + 2 rho |m|_1,
 * the pair is farther than d on every motion asked about. Why: at a time t of it a corner is c_k(t') + e, 0 <= t' <=
 * tau, |e_j| <= 2 rho; m . c_k(t') lies between the two values, and m . e >= -2 rho |m|_1.
 *
 * Claim 3 (a plane that turns). The same holds if for directions m and n
 *     m . c_k(0) > R(m),   m . c_k(tau) + n . c_k(0) > R(m) + R(n),   n . c_k(tau) > R(n).
 * Why: the lemma of turning_planes.c, with R in the place of d |m|*, which is as subadditive.
 *
 * Bound. A computed product is off by at most 16 u S(m), the sum of two by 16 u (S(m) + S(n)). Why, in u S(m):
 *   - m . c_k at one end: the corner's rounding 1, the product's 1, two sums 2                4
 *   - their difference rounds on at most 2, its product with tau likewise, the sum on at most 3:  7
 *   - the sum of two of them rounds once more on S(m) + S(n)                                  2
 * Together 13, and the rest covers second orders. All other terms are sums and products of numbers that are not
 * negative, with fewer than 30 roundings from the coordinates on: the factor OUTWARD = 1 + 64 u covers them.
 *
 * Range. m . m > 2^-900 and m . c_k > 2^-900 are asked for. Then what underflows, at most some 2^-1074 (1 + |m|_1), is
 * below the 3 u S(m) that the bound has to spare: S(m) is at least m . c_k, and at least |m|_1 2^-460, as |m_j| <= 5
 * X_j makes S(m) >= m . m / 5. Overflow: |m . c_k| <= S(m) holds for the computed numbers as well, since rounding is
 * monotone and both are summed in the same order; so where a height overflows the bound does, and nothing is above
 * infinity. NaN is above nothing, and S(m) is NaN where m or a corner makes it so. */

#include <math.h>
#include <string.h>

#include "narrow/plane_filter.h"
#include "number/lanes.h"

#define CORNERS 4
#define AXES 3

#define UNIT 0x1p-53
#define HEIGHT_ERROR (16 * UNIT)
#define PLACE_ERROR (32 * UNIT)
#define OUTWARD (1 + 64 * UNIT)
#define LEAST 0x1p-900

/* The corners at one end of the step. */
typedef struct corners {
  real c[CORNERS][AXES];
} corners;

/* The question in lanes. */
typedef struct lane_question {
  real tau, separation, fraction, rounding;
  int cube; /* linf */
} lane_question;

/* A direction, with its heights over the corners at both ends of the step and what they are off by. */
typedef struct direction {
  real m[AXES];
  real size, sum; /* |m|* and |m|_1 */
  real start[CORNERS], end[CORNERS];
  real error;
  mask usable;
} direction;

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

/* The corners at the end of the step whose points lie at `offset` of the rows. */
TOI_INLINE void load_corners(int n, const double *const rows[CORNERS][TOI_LANES], size_t offset, corners *hull) {
  real x[CORNERS][AXES];
  const int points = n == 4 ? 4 : n + 1;
  TOI_UNROLL
  for (int i = 0; i < points; i++)
    load_point(rows[i], offset, x[i]);
  TOI_UNROLL
  for (int k = 0; k < n; k++) {
    int first, second;
    corner_points(n, k, &first, &second);
    minus3(x[first], x[second], hull->c[k]);
  }
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
  *t = least(choose(inside, in_t, *t), one - *s);
}

/* On a parallelogram: one coordinate, then the other, then the first again. */
TOI_INLINE void nearest_in_parallelogram(const real p[3], const real q[2], real *s, real *t) {
  const real a = p[0], b = p[1], c = p[2], d = q[0], e = q[1];
  *s = clip_unit((d * c - e * b) / (a * c - b * b));
  *t = clip_unit((e - b * *s) / c);
  *s = clip_unit((d - b * *t) / a);
}

TOI_INLINE void nearest_point(int n, const corners *hull, real x[AXES]) {
  real first[AXES], last[AXES], s = every(0), t = every(0);
  minus3(hull->c[n > 1], hull->c[0], first);
  minus3(hull->c[n - 1], hull->c[0], last);
  real products[3] = {dot3(first, first), dot3(first, last), dot3(last, last)};
  real towards[2] = {-dot3(first, hull->c[0]), -dot3(last, hull->c[0])};
  if (n == 4)
    nearest_in_parallelogram(products, towards, &s, &t);
  else if (n == 3)
    nearest_in_triangle(products, towards, &s, &t);
  else if (n == 2)
    s = clip_unit(towards[0] / products[0]);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    x[axis] = hull->c[0][axis];
    if (n > 1)
      x[axis] += s * first[axis];
    if (n > 2)
      x[axis] += t * last[axis];
  }
}

/* --- planes --- */

/* X, Y and Z. */
TOI_INLINE void hull_sizes(int n, const corners *hull, real size[AXES]) {
  TOI_UNROLL
  for (int k = 0; k < n; k++)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    size[axis] = most(magnitude(hull->c[k][axis]), size[axis]);
}

/* Everything about the direction m but its heights. */
TOI_INLINE void direction_make(const real m[AXES], const real size[AXES], int cube, direction *to) {
  real a = magnitude(m[0]), b = magnitude(m[1]), e = magnitude(m[2]), square = dot3(m, m);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    to->m[axis] = m[axis];
  to->sum = (a + b) + e;
  to->size = cube ? to->sum : root(square);
  to->error = ((a * size[0] + b * size[1]) + e * size[2]) * HEIGHT_ERROR;
  to->usable = greater(square, every(LEAST));
}

TOI_INLINE void direction_heights(int n, const corners *start, const corners *end, const lane_question *q,
                                  direction *to) {
  TOI_UNROLL
  for (int k = 0; k < n; k++) {
    to->start[k] = dot3(to->m, start->c[k]);
    to->end[k] = end ? to->start[k] + q->tau * (dot3(to->m, end->c[k]) - to->start[k]) : to->start[k];
  }
}

/* R and what the heights are off by. */
TOI_INLINE real height_bound(const direction *of, real d, const lane_question *q) {
  return ((d * of->size + q->rounding * of->sum * 2.0) + of->error) * OUTWARD;
}

/* D of claim 1. */
TOI_INLINE real separation_bound(const real x[AXES], const direction *of, const real size[AXES],
                                 const lane_question *q) {
  real a = magnitude(x[0]), b = magnitude(x[1]), e = magnitude(x[2]);
  real distance = q->cube ? most(a, most(b, e)) : of->size;
  real most_distance = (distance + ((size[0] + size[1]) + size[2]) * PLACE_ERROR) * OUTWARD;
  return (q->separation + q->fraction * most(most_distance - q->separation, every(0))) * OUTWARD;
}

/* Claim 2. */
TOI_INLINE mask plane_apart(int n, const direction *m, real bound) {
  real low = least(m->start[0], m->end[0]);
  mask above = greater(low, bound);
  TOI_UNROLL
  for (int k = 1; k < n; k++) {
    real next = least(m->start[k], m->end[k]);
    above &= greater(next, bound);
    low = least(next, low);
  }
  return above & greater(low, every(LEAST)) & m->usable;
}

/* Claim 3: from m at the start to the nearest point at tau. */
TOI_INLINE mask turning_apart(int n, const corners *start, const corners *end, const real size[AXES],
                              const direction *m, real d, const lane_question *q) {
  corners at;
  real x[AXES];
  direction to;
  TOI_UNROLL
  for (int k = 0; k < n; k++)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    at.c[k][axis] = start->c[k][axis] + q->tau * (end->c[k][axis] - start->c[k][axis]);
  nearest_point(n, &at, x);
  direction_make(x, size, q->cube, &to);
  direction_heights(n, start, end, q, &to);
  real begin = height_bound(m, d, q), stop = height_bound(&to, d, q), middle = (begin + stop) * OUTWARD;
  mask apart = m->usable & to.usable;
  TOI_UNROLL
  for (int k = 0; k < n; k++) {
    apart &= greater(m->start[k], begin) & greater(to.end[k], stop) & greater(m->end[k] + to.start[k], middle);
    apart &= greater(least(m->start[k], to.end[k]), every(LEAST));
  }
  return apart;
}

/* --- blocks of pairs --- */

/* Bits of the lanes that are settled. */
TOI_INLINE unsigned settle_group(int n, const double *const rows[CORNERS][TOI_LANES], int moving,
                                 const lane_question *q) {
  corners start, end;
  real size[AXES] = {every(0), every(0), every(0)}, x[AXES];
  direction m;
  load_corners(n, rows, 0, &start);
  hull_sizes(n, &start, size);
  if (moving) {
    load_corners(n, rows, TOI_STILL_ROW, &end);
    hull_sizes(n, &end, size);
  }
  nearest_point(n, &start, x);
  direction_make(x, size, q->cube, &m);
  direction_heights(n, &start, moving ? &end : NULL, q, &m);
  real d = separation_bound(x, &m, size, q);
  unsigned settled = bits_of(plane_apart(n, &m, height_bound(&m, d, q)));
  if (moving && settled != (1u << TOI_LANES) - 1)
    settled |= bits_of(turning_apart(n, &start, &end, size, &m, d, q));
  return settled;
}

/* The rows of a pair's vertices, in the order of its points. */
TOI_INLINE void pair_rows(int n, const toi_filter_mesh *mesh, toi_pair pair, const double *rows[CORNERS]) {
  uint32_t vertices[CORNERS] = {pair.first};
  if (n == 4)
    memcpy(vertices, mesh->edges[pair.first], 2 * sizeof(uint32_t));
  if (n == 4)
    memcpy(vertices + 2, mesh->edges[pair.second], 2 * sizeof(uint32_t));
  else if (n == 3)
    memcpy(vertices + 1, mesh->faces[pair.second], 3 * sizeof(uint32_t));
  else if (n == 2)
    memcpy(vertices + 1, mesh->edges[pair.second], 2 * sizeof(uint32_t));
  else
    vertices[1] = pair.second;
  const int points = n == 4 ? 4 : n + 1;
  TOI_UNROLL
  for (int i = 0; i < points; i++)
    rows[i] = mesh->points + mesh->row * vertices[i];
}

TOI_INLINE size_t filter_kind(int n, int moving, int cube, const toi_filter_mesh *mesh,
                              const toi_plane_question *question, const toi_pair *pairs, size_t count, uint32_t *open) {
  lane_question q = {every(question->t_max), every(question->separation), every(question->fraction),
                     every(question->rounding), cube};
  size_t left = 0;
  for (size_t i = 0; i < count; i += TOI_LANES) {
    const double *rows[CORNERS][TOI_LANES], *separations[TOI_LANES];
    for (size_t j = 0; j < TOI_LANES; j++) {
      const size_t number = i + j < count ? i + j : count - 1;
      const double *own[CORNERS] = {NULL};
      pair_rows(n, mesh, pairs[number], own);
      for (int k = 0; k < CORNERS; k++)
        rows[k][j] = own[k];
      separations[j] = question->separations ? question->separations + number : &question->separation;
    }
    if (question->separations)
      q.separation = gather(separations);
    const unsigned settled = settle_group(n, (const double *const(*)[TOI_LANES])rows, moving, &q);
    for (size_t j = 0; j < TOI_LANES && i + j < count; j++) {
      open[left] = (uint32_t)(i + j);
      left += !(settled >> j & 1);
    }
  }
  return left;
}

/* A function of its own for each number of corners, so that the compiler keeps their registers apart. */
#define FILTER_OF(name, n)                                                                                             \
  static __attribute__((noinline)) size_t name(const toi_filter_mesh *mesh, const toi_plane_question *question,        \
                                               const toi_pair *pairs, size_t count, uint32_t *open) {                  \
    const int cube = question->norm == TOI_NORM_LINF;                                                                  \
    if (question->t_max > 0)                                                                                           \
      return filter_kind(n, 1, cube, mesh, question, pairs, count, open);                                              \
    return filter_kind(n, 0, cube, mesh, question, pairs, count, open);                                                \
  }
FILTER_OF(filter_points, 1)
FILTER_OF(filter_segments, 2)
FILTER_OF(filter_triangles, 3)
FILTER_OF(filter_parallelograms, 4)

size_t TOI_PLANE_FILTER(toi_kind kind, const toi_filter_mesh *mesh, const toi_plane_question *question,
                        const toi_pair *pairs, size_t count, uint32_t *open) {
  switch (kind) {
  case TOI_VERTEX_FACE:
    return filter_triangles(mesh, question, pairs, count, open);
  case TOI_EDGE_EDGE:
    return filter_parallelograms(mesh, question, pairs, count, open);
  case TOI_VERTEX_EDGE:
    return filter_segments(mesh, question, pairs, count, open);
  default:
    return filter_points(mesh, question, pairs, count, open);
  }
}
