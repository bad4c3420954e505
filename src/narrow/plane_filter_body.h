/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The plane filter, written once for any number of lanes. plane_filter_scalar.c, plane_filter_two.c and
 * plane_filter_avx2.c define TOI_LANES and TOI_PLANE_FILTER and include this file.
 *
 * Letters. c_k(t) are the corners of a pair's hull (hull.h), linear in t; T, F, d and rho as in plane_filter.h, tau its
 * t_max. |.|* is the dual norm: Euclidean for l2, the sum of magnitudes for linf. u = 2^-53. X_j is the largest
 * computed |c_kj| over all corners k and both ends of the step; S(m) = sum_j |m_j| X_j.
 *
 * Claim 1 (a bound of d). Let x be the computed nearest point at the start (hull_lanes.h). Then
 *     D = T + F max(0, |x| + 32 u (X + Y + Z) - T)
 * is not below d. Why: x is within 23 u X_j of a point of the hull in coordinate j, and no norm of such an error
 * exceeds the sum of its coordinates; so the initial distance is at most |x| + 23 u (X + Y + Z).
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

#include "narrow/hull_lanes.h"
#include "narrow/plane_filter.h"

#define UNIT 0x1p-53
#define HEIGHT_ERROR (16 * UNIT)
#define PLACE_ERROR (32 * UNIT)
#define OUTWARD (1 + 64 * UNIT)
#define LEAST 0x1p-900

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

/* --- planes --- */

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
  hull_place place;
  direction to;
  TOI_UNROLL
  for (int k = 0; k < n; k++)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    at.c[k][axis] = start->c[k][axis] + q->tau * (end->c[k][axis] - start->c[k][axis]);
  nearest_place(n, &at, &place);
  direction_make(place.x, size, q->cube, &to);
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
  real size[AXES] = {every(0), every(0), every(0)};
  hull_place place;
  direction m;
  real x[CORNERS][AXES];
  load_points(n, rows, 0, x);
  corners_of(n, x, &start);
  hull_sizes(n, &start, size);
  if (moving) {
    load_points(n, rows, TOI_STILL_ROW, x);
    corners_of(n, x, &end);
    hull_sizes(n, &end, size);
  }
  nearest_place(n, &start, &place);
  direction_make(place.x, size, q->cube, &m);
  direction_heights(n, &start, moving ? &end : NULL, q, &m);
  real d = separation_bound(place.x, &m, size, q);
  unsigned settled = bits_of(plane_apart(n, &m, height_bound(&m, d, q)));
  if (moving && settled != (1u << TOI_LANES) - 1)
    settled |= bits_of(turning_apart(n, &start, &end, size, &m, d, q));
  return settled;
}

TOI_INLINE size_t filter_kind(int n, int moving, int cube, const toi_filter_mesh *mesh,
                              const toi_plane_question *question, const toi_pair *pairs, size_t count, uint32_t *open) {
  lane_question q = {every(question->t_max), every(question->separation), every(question->fraction),
                     every(question->rounding), cube};
  size_t left = 0;
  for (size_t i = 0; i < count; i += TOI_LANES) {
    const double *rows[CORNERS][TOI_LANES], *separations[TOI_LANES];
    group_rows(n, mesh, pairs, i, count, rows);
    for (size_t j = 0; j < TOI_LANES && question->separations; j++)
      separations[j] = question->separations + (i + j < count ? i + j : count - 1);
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
