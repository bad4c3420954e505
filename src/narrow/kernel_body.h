/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels, written once for any number of lanes. kernel_scalar.c, kernel_two.c and kernel_avx2.c define TOI_LANES
 * and include this file.
 *
 * The hull. A query is a hull of moving corners, each on a straight line:
 * - vertex-face: v - f0, v - f1, v - f2;
 * - edge-edge: a0 - b0, a1 - b0, a1 - b1, a0 - b1, in this cyclic order: a parallelogram.
 * The primitives touch at t if and only if 0 lies in the hull at t. From this follow three tests:
 * - Box. If all corners are strictly on one side of 0 on an axis, at both times, there is no contact: they are so at
 *   all times between. The sign of a rounded difference is exact, so this test has no error at all.
 * - Cubic. f = det of the first, second and last corner is 0 at every contact: 0 is an affine combination of these
 *   three, as the third corner of a parallelogram is the second plus the last less the first.
 * - Areas. Let a_k be the area (corner k) x (corner k+1) in a projection along an axis.
 *   - If 0 is in the hull, no two of them have strictly opposite signs (docs/guarantees.md, lemma 2).
 *   - If all have the same strict sign and f = 0, the hull's normal is not 0 along that axis, and 0 is in the hull
 *     (lemma 3).
 * Each computed quantity is compared with its bound of kernel_bounds.h, never with 0. */

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <toi/explain.h>

#include "narrow/kernel.h"
#include "narrow/kernel_bounds.h"
#include "number/lanes.h"
#include "number/twofold.h"

#define TIMES 2
#define CORNERS 4
#define AXES 3

/* The corners of F at t = 0 and t = 1. */
typedef struct moving_hull {
  real at[TIMES][CORNERS][AXES];
  real size[AXES]; /* X, Y, Z of kernel_bounds.h */
  mask apart;      /* the box test */
} moving_hull;

/* The coefficients of the cubic: b[0] = b0, b[1] = 3 b1, b[2] = 3 b2, b[3] = b3, and V. */
typedef struct cubic {
  real b[4];
  real volume;
} cubic;

TOI_INLINE mask all_true(void) {
  return less(every(0), every(1));
}

/* Which of a query's points make corner k: first minus second. */
TOI_INLINE void corner_points(int n, int k, int *first, int *second) {
  *first = n == 4 ? (k == 1 || k == 2) : 0;
  *second = n == 4 ? 2 + (k >= 2) : 1 + k;
}

/* The corner numbers that make the cubic. */
TOI_INLINE int last_corner(int n) {
  return n - 1;
}

/* --- loading --- */

/* Points of a query at one time. */
TOI_INLINE int point_count(int n) {
  return n == 4 ? 4 : n + 1;
}

/* The points at one time; rows of 12 doubles a time, or 9 in one lane. */
TOI_INLINE void load_points(int n, const double *const row[TOI_LANES], int time, real x[12]) {
  int doubles = 3 * point_count(n);
  TOI_UNROLL
  for (int i = 0; i < doubles; i += TOI_LANES)
    load_columns(row, (size_t)(doubles * time + i), x + i);
}

TOI_INLINE void hull_load(int n, const double *const row[TOI_LANES], moving_hull *hull) {
  TOI_UNROLL
  for (int time = 0; time < TIMES; time++) {
    real x[12];
    load_points(n, row, time, x);
    TOI_UNROLL
    for (int k = 0; k < n; k++) {
      int first, second;
      corner_points(n, k, &first, &second);
      TOI_UNROLL
      for (int axis = 0; axis < AXES; axis++)
        hull->at[time][k][axis] = x[3 * first + axis] - x[3 * second + axis];
    }
  }
}

/* Sizes, and the box test with separation d: rounding is monotone and d is a double, so a rounded difference above d is
 * one above d. */
TOI_INLINE void hull_box(int n, real d, moving_hull *hull) {
  mask apart = less(every(1), every(0));
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    real lo = hull->at[0][0][axis], hi = lo;
    TOI_UNROLL
    for (int time = 0; time < TIMES; time++)
      TOI_UNROLL
    for (int k = time == 0; k < n; k++) {
      lo = least(hull->at[time][k][axis], lo);
      hi = most(hull->at[time][k][axis], hi);
    }
    hull->size[axis] = most(hi, -lo);
    apart |= less(hi, -d) | greater(lo, d);
  }
  hull->apart = apart;
}

/* Whether every coordinate is finite and no corner overflowed: an infinity or NaN in any point survives the sum of
 * corners in which each point occurs. */
TOI_INLINE mask hull_finite(int n, const moving_hull *hull) {
  real sum = every(0);
  TOI_UNROLL
  for (int time = 0; time < TIMES; time++)
    TOI_UNROLL
  for (int k = 0; k < n; k += n == 4 ? 2 : 1)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    sum += hull->at[time][k][axis];
  return less(magnitude(sum), every(INFINITY));
}

TOI_INLINE mask in_range(real size) {
  return greater(size, every(TOI_RANGE_LO)) & less(size, every(TOI_RANGE_HI));
}

TOI_INLINE mask hull_in_range(const moving_hull *hull) {
  return in_range(hull->size[0]) & in_range(hull->size[1]) & in_range(hull->size[2]);
}

/* --- the cubic --- */

TOI_INLINE void cross(const real p[AXES], const real q[AXES], real out[AXES]) {
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    out[axis] = p[i] * q[j] - p[j] * q[i];
  }
}

TOI_INLINE real dot(const real p[AXES], const real q[AXES]) {
  return (p[0] * q[0] + p[1] * q[1]) + p[2] * q[2];
}

TOI_INLINE cubic hull_cubic(int n, const moving_hull *hull) {
  int last = last_corner(n);
  cubic f;
  TOI_UNROLL
  for (int time = 0; time < TIMES; time++) {
    const real *a = hull->at[time][0], *b = hull->at[time][1], *c = hull->at[time][last];
    const real *a2 = hull->at[1 - time][0], *b2 = hull->at[1 - time][1], *c2 = hull->at[1 - time][last];
    real bc[AXES], ca[AXES], ab[AXES];
    cross(b, c, bc);
    cross(c, a, ca);
    cross(a, b, ab);
    f.b[3 * time] = dot(a, bc);
    f.b[1 + time] = (dot(a2, bc) + dot(b2, ca)) + dot(c2, ab);
  }
  f.volume = (hull->size[0] * hull->size[1]) * hull->size[2];
  return f;
}

/* Whether all four coefficients have the same strict sign. */
TOI_INLINE mask cubic_one_sign(const cubic *f) {
  real end = f->volume * TOI_BOUND_SIGN_END, mid = f->volume * TOI_BOUND_SIGN_MID;
  real lo_end = least(f->b[0], f->b[3]), hi_end = most(f->b[0], f->b[3]);
  real lo_mid = least(f->b[1], f->b[2]), hi_mid = most(f->b[1], f->b[2]);
  return (greater(lo_end, end) & greater(lo_mid, mid)) | (less(hi_end, -end) & less(hi_mid, -mid));
}

/* The coefficients of the cubic on the left (side 0) or right half of [0, 1], times 24, from the outer end inwards. */
TOI_INLINE void cubic_half(const cubic *f, int side, real c[4]) {
  const real near = f->b[side ? 3 : 0], near_mid = f->b[side ? 2 : 1];
  const real far_mid = f->b[side ? 1 : 2], far = f->b[side ? 0 : 3];
  c[0] = near * 24.0;
  c[1] = near * 12.0 + near_mid * 4.0;
  c[2] = (near * 6.0 + near_mid * 4.0) + far_mid * 2.0;
  c[3] = (((near + near_mid) + far_mid) + far) * 3.0;
}

/* Whether the cubic has one strict sign on a half, beyond `bound` for its coefficients times 24. */
TOI_INLINE mask cubic_half_sign(const cubic *f, int side, real bound) {
  real c[4];
  cubic_half(f, side, c);
  real lo = least(least(c[0], c[1]), least(c[2], c[3])), hi = most(most(c[0], c[1]), most(c[2], c[3]));
  return greater(lo, bound) | less(hi, -bound);
}

/* --- the filter --- */

TOI_INLINE void filter_group(int n, const double *const row[TOI_LANES], unsigned *boxes, unsigned *signs) {
  moving_hull hull;
  hull_load(n, row, &hull);
  hull_box(n, every(0), &hull);
  mask finite = hull_finite(n, &hull);
  *boxes = bits_of(hull.apart & finite);
  *signs = 0;
  if (*boxes == (1u << TOI_LANES) - 1)
    return;
  cubic f = hull_cubic(n, &hull);
  *signs = bits_of(cubic_one_sign(&f) & hull_in_range(&hull) & finite);
}

/* How far ahead of the arithmetic the filter asks for memory, in bytes. */
#define FILTER_AHEAD 1536

TOI_INLINE void filter_kind(int n, const double *queries, size_t count, uint8_t *codes) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    const double *row[TOI_LANES];
    for (size_t j = 0; j < TOI_LANES; j++) {
      row[j] = queries + 24 * (i + j < count ? i + j : count - 1);
      for (size_t line = 0; line < 192; line += 64)
        __builtin_prefetch((const void *)((uintptr_t)row[j] + FILTER_AHEAD + line));
    }
    unsigned boxes, signs;
    filter_group(n, row, &boxes, &signs);
    for (size_t j = 0; j < TOI_LANES && i + j < count; j++)
      codes[i + j] = boxes >> j & 1 ? TOI_FILTER_BOX : signs >> j & 1 ? TOI_FILTER_SIGN : TOI_FILTER_OPEN;
  }
}

static void filter(int n, const double *queries, size_t count, uint8_t *codes) {
  if (n == 3)
    filter_kind(3, queries, count, codes);
  else
    filter_kind(4, queries, count, codes);
}

/* --- projections --- */

/* The coefficients of area k in the projection along `axis`, on both halves of [0, 1], times 4, from the outer end
 * inwards. */
TOI_INLINE void area_halves(int n, const moving_hull *hull, int axis, int k, real c[2][3]) {
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const real *p0 = hull->at[0][k], *q0 = hull->at[0][(k + 1) % n];
  const real *p1 = hull->at[1][k], *q1 = hull->at[1][(k + 1) % n];
  real a0 = p0[i] * q0[j] - p0[j] * q0[i], a2 = p1[i] * q1[j] - p1[j] * q1[i];
  real m = (p0[i] * q1[j] - p0[j] * q1[i]) + (p1[i] * q0[j] - p1[j] * q0[i]);
  real middle = (a0 + m) + a2;
  TOI_UNROLL
  for (int side = 0; side < 2; side++) {
    real end = side ? a2 : a0;
    c[side][0] = end * 4.0;
    c[side][1] = end * 2.0 + m;
    c[side][2] = middle;
  }
}

/* What a separation d can change an area by: see kernel_separated.h. */
TOI_INLINE real area_change(int n, const moving_hull *hull, int k, int i, int j, real d) {
  real slack = (hull->size[i] + hull->size[j]) * (8 * TOI_U), edge = every(0);
  TOI_UNROLL
  for (int time = 0; time < TIMES; time++) {
    const real *p = hull->at[time][k], *q = hull->at[time][(k + 1) % n];
    edge = most(edge, magnitude(q[i] - p[i]) + magnitude(q[j] - p[j]));
  }
  return (d * (edge + slack)) * (4 * TOI_SEPARATED_OUTWARD);
}

/* Adds to `sides` the halves of [0, 1] on which two areas in the projection along `axis` have strictly opposite signs,
 * beyond what a separation can change if there is one (not NULL). */
TOI_INLINE void areas_oppose(int n, const moving_hull *hull, int axis, const real *separation, mask sides[2]) {
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  real bound = (hull->size[i] * hull->size[j]) * TOI_BOUND_AREAS;
  mask none = less(every(1), every(0));
  mask up[2] = {none, none}, down[2] = {none, none};
  TOI_UNROLL
  for (int k = 0; k < n; k++) {
    real c[2][3], limit = bound;
    area_halves(n, hull, axis, k, c);
    if (separation)
      limit += area_change(n, hull, k, i, j, *separation);
    TOI_UNROLL
    for (int side = 0; side < 2; side++) {
      up[side] |= greater(least(least(c[side][0], c[side][1]), c[side][2]), limit);
      down[side] |= less(most(most(c[side][0], c[side][1]), c[side][2]), -limit);
    }
  }
  mask usable = in_range(hull->size[i]) & in_range(hull->size[j]);
  TOI_UNROLL
  for (int side = 0; side < 2; side++)
    sides[side] |= up[side] & down[side] & usable;
}

/* Whether each half of the step is free of contact. */
TOI_INLINE mask projection_miss(int n, const moving_hull *hull) {
  mask none = less(every(1), every(0));
  mask sides[2] = {none, none};
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    areas_oppose(n, hull, axis, NULL, sides);
  if (n > 2) {
    cubic f = hull_cubic(n, hull);
    mask usable = hull_in_range(hull);
    TOI_UNROLL
    for (int side = 0; side < 2; side++)
      sides[side] |= cubic_half_sign(&f, side, f.volume * TOI_BOUND_HALVES) & usable;
  }
  return sides[0] & sides[1];
}

/* The rows of one group; the last group repeats its last row. */
TOI_INLINE void group_rows(const toi_rows *rows, size_t first, const double *row[TOI_LANES]) {
  for (size_t j = 0; j < TOI_LANES; j++) {
    size_t i = first + j < rows->count ? first + j : rows->count - 1;
    row[j] = rows->queries + rows->row_size * rows->numbers[i];
  }
}

TOI_INLINE void projection_kind(int n, const toi_rows *rows, uint8_t *miss) {
  for (size_t i = 0; i < rows->count; i += TOI_LANES) {
    const double *row[TOI_LANES];
    group_rows(rows, i, row);
    moving_hull hull;
    hull_load(n, row, &hull);
    hull_box(n, every(0), &hull);
    unsigned bits = bits_of(projection_miss(n, &hull) & hull_finite(n, &hull));
    for (size_t j = 0; j < TOI_LANES && i + j < rows->count; j++)
      miss[i + j] = bits >> j & 1;
  }
}

static void projection(int n, const toi_rows *rows, uint8_t *miss) {
  if (n == 3)
    projection_kind(3, rows, miss);
  else
    projection_kind(4, rows, miss);
}

#include "narrow/kernel_separated.h"

#include "narrow/kernel_root.h"

#include "narrow/kernel_planar.h"

/* Each file that includes this names its table. */
const toi_kernels TOI_KERNELS = {filter, filter_separated, planes, projection_separated, projection, root_rows, planar};
