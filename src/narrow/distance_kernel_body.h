/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distances at one instant, written once for any number of lanes. distance_kernel_scalar.c, distance_kernel_two.c and
 * distance_kernel_avx2.c define TOI_LANES and TOI_DISTANCE_KERNEL and include this file.
 *
 * Letters. c_k are the corners of a pair's hull, X the largest computed |c_kj|, u = 2^-53.
 *
 * Claim: for a settled pair lo <= distance <= hi, and hi - lo <= 2^-45 X.
 *   - hi = |x| (1 + 8 u) + 64 u X, x the computed nearest point. It is within 23 u X of a point of the hull in each
 *     coordinate (hull_lanes.h), 40 u X in all. |x| rounds by 3 u in the sum of squares and 2.5 u after the root; its
 *     product and the sum by 2 u: the factor covers them, and 24 u X is left for those of the second term.
 *   - lo = (h - 8 u X |m|_1) (1 - 16 u) / |m|, h the lowest m . c_k. For any direction m the distance is at least the
 *     exact lowest product divided by |m|. A product is off by 4 u X |m|_1: a corner's rounding, the product's and two
 *     sums'. |m| and the quotient round by less than 8 u together.
 *   - The difference is compared as computed: it rounds by u 2^-45 X at most, and X by u X: below 2^-44 times the exact
 *     largest difference, which is what distance.h promises.
 * Range: 2^-120 < X < 2^120 and m . m > 2^-800, so that nothing overflows and what underflows, some 2^-1074, is nothing
 * beside the 4 u X |m|_1 > 2^-600 to spare. NaN fails every comparison.
 *
 * The direction. Close to the hull x is known badly, but not how the best direction stands: square to the sides of the
 * feature that holds x. Inside it is the hull's normal; on a side, x less its part along that side; in a corner, x. */

#include "narrow/distance_kernel.h"
#include "narrow/hull_lanes.h"

#define UNIT 0x1p-53
#define HIGH_ERROR (64 * UNIT)
#define LOW_ERROR (8 * UNIT)
#define WIDEST 0x1p-45
#define SMALLEST 0x1p-120
#define LARGEST 0x1p120
#define LEAST_SQUARE 0x1p-800

/* Sides whose parallelogram has less than this part of the area that their lengths allow have no normal to rely on;
 * each of them is then square to the same directions. */
#define THIN 0x1p-40

TOI_INLINE mask strictly_inside(real x) {
  return greater(x, every(0)) & less(x, every(1));
}

TOI_INLINE void choose3(mask m, const real a[AXES], real to[AXES]) {
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    to[axis] = choose(m, a[axis], to[axis]);
}

TOI_INLINE void cross3(const real a[AXES], const real b[AXES], real out[AXES]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* x less its part along the side, in the lanes of the mask. */
TOI_INLINE void straighten(mask on_side, const real side[AXES], real m[AXES]) {
  real along = dot3(m, side) / dot3(side, side), square[AXES];
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    square[axis] = m[axis] - along * side[axis];
  choose3(on_side, square, m);
}

/* The direction of the feature that holds the place. */
TOI_INLINE void best_direction(int n, const corners *hull, const hull_place *at, real m[AXES]) {
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    m[axis] = at->x[axis];
  if (n == 1)
    return;
  mask s_free = strictly_inside(at->s);
  if (n == 2) {
    straighten(s_free, at->first, m);
    return;
  }
  real normal[AXES], opposite[AXES], side[AXES];
  cross3(at->first, at->last, normal);
  real square = dot3(normal, normal), lengths = dot3(at->first, at->first) * dot3(at->last, at->last);
  mask t_free = strictly_inside(at->t), inside = s_free & t_free, on_third = inside & ~inside;
  if (n == 3) {
    // On the side between the ends of both, s + t is 1 but for a rounding.
    on_third = inside & greater(at->s + at->t, every(1 - 4 * UNIT));
    inside &= ~on_third;
  }
  mask flat = inside & greater(square, lengths * THIN), on_side = (s_free | t_free) & ~flat;
  minus3(at->last, at->first, opposite);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    side[axis] = choose(s_free, at->first[axis], at->last[axis]);
  choose3(on_third, opposite, side);
  straighten(on_side, side, m);
  mask below = less(dot3(normal, hull->c[0]), every(0));
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    normal[axis] = choose(below, -normal[axis], normal[axis]);
  choose3(flat, normal, m);
}

typedef struct lane_distance {
  real lo, hi;
  mask settled;
} lane_distance;

TOI_INLINE lane_distance bound_distance(int n, const corners *hull, const hull_place *at) {
  real sizes[AXES] = {every(0), every(0), every(0)}, m[AXES];
  hull_sizes(n, hull, sizes);
  real size = most(sizes[0], most(sizes[1], sizes[2]));
  lane_distance d;
  d.hi = root(dot3(at->x, at->x)) * (1 + 8 * UNIT) + size * HIGH_ERROR;
  best_direction(n, hull, at, m);
  real square = dot3(m, m), height = dot3(m, hull->c[0]);
  TOI_UNROLL
  for (int k = 1; k < n; k++)
    height = least(dot3(m, hull->c[k]), height);
  height = height - size * LOW_ERROR * ((magnitude(m[0]) + magnitude(m[1])) + magnitude(m[2]));
  real lo = height * (1 - 16 * UNIT) / root(square);
  d.lo = choose(greater(lo, every(0)), lo, every(0));
  d.settled = greater(size, every(SMALLEST)) & less(size, every(LARGEST)) & greater(square, every(LEAST_SQUARE)) &
              less(d.hi - d.lo, size * WIDEST);
  return d;
}

/* The points of the two primitives with these parameters, as sums of weighted points. */
TOI_INLINE void place_points(int n, real x[CORNERS][AXES], const hull_place *at, real first[AXES], real second[AXES]) {
  const real one = every(1);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    first[axis] = x[0][axis];
    second[axis] = x[1][axis];
    if (n == 4) {
      first[axis] = (one - at->s) * x[0][axis] + at->s * x[1][axis];
      second[axis] = (one - at->t) * x[2][axis] + at->t * x[3][axis];
    } else if (n == 3) {
      second[axis] = (((one - at->s) - at->t) * x[1][axis] + at->s * x[2][axis]) + at->t * x[3][axis];
    } else if (n == 2) {
      second[axis] = (one - at->s) * x[1][axis] + at->s * x[2][axis];
    }
  }
}

TOI_INLINE void store(real x, double *to, size_t count) {
  for (size_t j = 0; j < count; j++)
    to[j] = lane(x, (unsigned)j);
}

/* The group of pairs from number i on. */
TOI_INLINE void measure_group(int n, const double *const rows[CORNERS][TOI_LANES], size_t i, size_t count,
                              toi_distance_block *block) {
  corners hull;
  hull_place at;
  real x[CORNERS][AXES], first[AXES], second[AXES];
  load_points(n, rows, 0, x);
  corners_of(n, x, &hull);
  nearest_place(n, &hull, &at);
  lane_distance d = bound_distance(n, &hull, &at);
  place_points(n, x, &at, first, second);
  store(d.lo, block->lo + i, count);
  store(d.hi, block->hi + i, count);
  store(at.s, block->u + i, count);
  store(at.t, block->v + i, count);
  for (int axis = 0; axis < AXES; axis++) {
    store(first[axis], block->first[axis] + i, count);
    store(second[axis], block->second[axis] + i, count);
  }
  const unsigned settled = bits_of(d.settled);
  for (size_t j = 0; j < count; j++)
    block->settled[i + j] = settled >> j & 1;
}

TOI_INLINE void measure_kind(int n, const toi_filter_mesh *mesh, const toi_pair *pairs, size_t count,
                             toi_distance_block *block) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    const double *rows[CORNERS][TOI_LANES];
    group_rows(n, mesh, pairs, i, count, rows);
    const size_t own = count - i < TOI_LANES ? count - i : TOI_LANES;
    measure_group(n, (const double *const(*)[TOI_LANES])rows, i, own, block);
  }
}

void TOI_DISTANCE_KERNEL(toi_kind kind, const toi_filter_mesh *mesh, const toi_pair *pairs, size_t count,
                         toi_distance_block *block) {
  switch (kind) {
  case TOI_VERTEX_FACE:
    measure_kind(3, mesh, pairs, count, block);
    return;
  case TOI_EDGE_EDGE:
    measure_kind(4, mesh, pairs, count, block);
    return;
  case TOI_VERTEX_EDGE:
    measure_kind(2, mesh, pairs, count, block);
    return;
  default:
    measure_kind(1, mesh, pairs, count, block);
  }
}
