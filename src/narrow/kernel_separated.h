/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The filter with a separation; a part of kernel_body.h.
 *
 * Box. All corners beyond d on an axis, on one side (hull_box). Both norms measure an axis by 1.
 *
 * Sign. 0 is at least |f| / |N|* from the hull's plane. |N|* <= |N|_1 in both norms, and |N_i| <= 2 e_j e_k at all
 * times, where e_j is the largest |edge| on axis j over two edges and both ends: edges move linearly. (The filter takes
 * 2 X for e_x, which is cheaper and enough for small d; projections come back to it.) So each Bernstein coefficient of
 * f beyond its error and d W, W = 2 (e_x e_y + e_y e_z + e_z e_x), all on one side, shows that they stay apart. A
 * computed edge is off by 2 u X (its corners) + 2 u X (rounding): 8 u X is added; the products and sums of W and d W
 * round fewer than 16 times: the factor 1 + 2^-48. Where d W underflows, the bound's slack of u V is larger.
 *
 * Projections. If the hull comes within d of 0, it holds a point x with coordinates of at most d, and the hull moved by
 * -x holds 0. That changes an area p x q by x x (q - p), at most d (|e_i| + |e_j|), e = q - p; and f by at most d W. So
 * areas of opposite sign beyond that, or the cubic beyond it, prove on each half that they stay apart. Errors as above:
 * the constants of kernel_bounds.h, for coefficients times 4 and 24.
 *
 * Planes. The lemma of turning_planes.c on the whole step, with the directions m, n from 0 to about the nearest points
 * of the hull at its ends, made to size 1; or on each half, where corners in the middle are off by 2 u X. A dot product
 * with a corner is off by at most (2 u + 3 u) (|m_x| X + |m_y| Y + |m_z| Z), the sum of two rounds once more: 8 u of
 * these sums covers it, PLANE_ERROR. Squares of nearest points below 2^-500 are not used, so that the sums are at least
 * m . x = 2^-250: underflow costs less. */

/* W: a bound on the sum of the magnitudes of the normal's components, over the step. */
TOI_INLINE real normal_bound(int n, const moving_hull *hull) {
  real e[AXES];
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    e[axis] = every(0);
    TOI_UNROLL
    for (int time = 0; time < TIMES; time++) {
      real first = hull->at[time][1][axis] - hull->at[time][0][axis];
      real last = hull->at[time][last_corner(n)][axis] - hull->at[time][0][axis];
      e[axis] = most(e[axis], most(magnitude(first), magnitude(last)));
    }
    e[axis] += hull->size[axis] * (8 * TOI_U);
  }
  return ((e[0] * e[1] + e[1] * e[2]) + e[2] * e[0]) * (2 * TOI_SEPARATED_OUTWARD);
}

/* The same with the corners' sizes: edges are at most twice as long, and their roundings are covered. */
TOI_INLINE real normal_bound_by_size(const moving_hull *hull) {
  const real *x = hull->size;
  return ((x[0] * x[1] + x[1] * x[2]) + x[2] * x[0]) * (8 * TOI_SEPARATED_OUTWARD);
}

/* Whether the cubic stays beyond `limit` on one side. */
TOI_INLINE mask cubic_beyond(const cubic *f, real limit) {
  real end = f->volume * TOI_BOUND_SIGN_END + limit, mid = f->volume * TOI_BOUND_SIGN_MID + limit * 3.0;
  real lo_end = least(f->b[0], f->b[3]), hi_end = most(f->b[0], f->b[3]);
  real lo_mid = least(f->b[1], f->b[2]), hi_mid = most(f->b[1], f->b[2]);
  return (greater(lo_end, end) & greater(lo_mid, mid)) | (less(hi_end, -end) & less(hi_mid, -mid));
}

TOI_INLINE void filter_separated_kind(int n, const double *queries, const double *separation, size_t count,
                                      uint8_t *codes) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    const double *row[TOI_LANES], *own[TOI_LANES];
    for (size_t j = 0; j < TOI_LANES; j++) {
      size_t number = i + j < count ? i + j : count - 1;
      row[j] = queries + 24 * number;
      own[j] = separation + number;
      for (size_t line = 0; line < 192; line += 64)
        __builtin_prefetch((const void *)((uintptr_t)row[j] + FILTER_AHEAD + line));
    }
    moving_hull hull;
    real d = gather(own);
    hull_load(n, row, &hull);
    hull_box(n, d, &hull);
    mask finite = hull_finite(n, &hull);
    unsigned boxes = bits_of(hull.apart & finite), signs = 0;
    if (boxes != (1u << TOI_LANES) - 1) {
      cubic f = hull_cubic(n, &hull);
      real limit = d * normal_bound_by_size(&hull) * TOI_SEPARATED_OUTWARD;
      signs = bits_of(cubic_beyond(&f, limit) & hull_in_range(&hull) & finite);
    }
    for (size_t j = 0; j < TOI_LANES && i + j < count; j++)
      codes[i + j] = boxes >> j & 1 ? TOI_FILTER_BOX : signs >> j & 1 ? TOI_FILTER_SIGN : TOI_FILTER_OPEN;
  }
}

static void filter_separated(int n, const double *queries, const double *separation, size_t count, uint8_t *codes) {
  if (n == 3)
    filter_separated_kind(3, queries, separation, count, codes);
  else
    filter_separated_kind(4, queries, separation, count, codes);
}

/* --- projections --- */

TOI_INLINE mask projection_beyond(int n, const moving_hull *hull, real d) {
  mask none = less(every(1), every(0));
  mask sides[2] = {none, none};
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    areas_oppose(n, hull, axis, &d, sides);
  cubic f = hull_cubic(n, hull);
  mask usable = hull_in_range(hull);
  real bound = f.volume * TOI_BOUND_HALVES + (d * normal_bound(n, hull)) * (24 * TOI_SEPARATED_OUTWARD);
  TOI_UNROLL
  for (int side = 0; side < 2; side++)
    sides[side] |= cubic_half_sign(&f, side, bound) & usable;
  return sides[0] & sides[1];
}

/* The separations of a group of rows. */
TOI_INLINE real group_separations(const toi_rows *rows, size_t first, const double *separation) {
  const double *own[TOI_LANES];
  for (size_t j = 0; j < TOI_LANES; j++)
    own[j] = separation + rows->numbers[first + j < rows->count ? first + j : rows->count - 1];
  return gather(own);
}

TOI_INLINE void projection_separated_kind(int n, const toi_rows *rows, const double *separation, uint8_t *miss) {
  for (size_t i = 0; i < rows->count; i += TOI_LANES) {
    const double *row[TOI_LANES];
    group_rows(rows, i, row);
    moving_hull hull;
    hull_load(n, row, &hull);
    hull_box(n, every(0), &hull);
    real d = group_separations(rows, i, separation);
    unsigned bits = bits_of(projection_beyond(n, &hull, d) & hull_finite(n, &hull));
    for (size_t j = 0; j < TOI_LANES && i + j < rows->count; j++)
      miss[i + j] = bits >> j & 1;
  }
}

static void projection_separated(int n, const toi_rows *rows, const double *separation, uint8_t *miss) {
  if (n == 3)
    projection_separated_kind(3, rows, separation, miss);
  else
    projection_separated_kind(4, rows, separation, miss);
}

/* --- planes --- */

#define PLANE_ERROR (8 * TOI_U)

TOI_INLINE void choose_point(mask m, const real x[AXES], real square, real best[AXES], real *best_square) {
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    best[axis] = choose(m, x[axis], best[axis]);
  *best_square = choose(m, square, *best_square);
}

/* About the point of the hull nearest to 0 at one end of the step. */
TOI_INLINE void nearest_point(int n, const real c[CORNERS][AXES], real best[AXES], real *best_square) {
  *best_square = every(INFINITY);
  TOI_UNROLL
  for (int k = 0; k < n; k++) {
    const real *p = c[k], *q = c[(k + 1) % n];
    real e[AXES], x[AXES];
    TOI_UNROLL
    for (int axis = 0; axis < AXES; axis++)
      e[axis] = q[axis] - p[axis];
    // Clipped, it is the segment with its ends.
    real along = clip_unit(-dot(p, e) / dot(e, e));
    TOI_UNROLL
    for (int axis = 0; axis < AXES; axis++)
      x[axis] = p[axis] + along * e[axis];
    real square = dot(x, x);
    choose_point(less(square, *best_square), x, square, best, best_square);
  }
  real first[AXES], last[AXES], normal[AXES], x[AXES];
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    first[axis] = c[1][axis] - c[0][axis];
    last[axis] = c[last_corner(n)][axis] - c[0][axis];
  }
  cross(first, last, normal);
  mask inside = all_true();
  TOI_UNROLL
  for (int k = 0; k < n; k++) {
    real area[AXES];
    cross(c[k], c[(k + 1) % n], area);
    inside &= greater(dot(normal, area), every(0));
  }
  real scale = dot(normal, c[0]) / dot(normal, normal);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    x[axis] = normal[axis] * scale;
  choose_point(inside, x, dot(x, x), best, best_square);
}

/* A direction of size 1, what d is multiplied with along it, and what its dot products are off by at most. */
typedef struct plane_direction {
  real n[AXES];
  real dual, error;
} plane_direction;

TOI_INLINE mask plane_towards(int n, const moving_hull *hull, const real c[CORNERS][AXES], int cube,
                              plane_direction *to) {
  real x[AXES] = {every(0), every(0), every(0)}, square;
  nearest_point(n, c, x, &square);
  real size = root(square);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    to->n[axis] = x[axis] / size;
  real a = magnitude(to->n[0]), b = magnitude(to->n[1]), e = magnitude(to->n[2]);
  to->error = ((a * hull->size[0] + b * hull->size[1]) + e * hull->size[2]) * PLANE_ERROR;
  to->dual = cube ? ((a + b) + e) * TOI_SEPARATED_OUTWARD : every(TOI_SEPARATED_OUTWARD);
  return greater(square, every(0x1p-500));
}

/* A plane that turns from one direction to the other, while the corners go from p to q. */
TOI_INLINE mask plane_between(int n, const real p[CORNERS][AXES], const real q[CORNERS][AXES], real d,
                              const plane_direction *from, const plane_direction *to) {
  mask fine = all_true();
  real begin = (d * from->dual + from->error) * TOI_SEPARATED_OUTWARD,
       end = (d * to->dual + to->error) * TOI_SEPARATED_OUTWARD;
  real middle = (begin + end) * TOI_SEPARATED_OUTWARD;
  TOI_UNROLL
  for (int k = 0; k < n; k++) {
    fine &= greater(dot(from->n, p[k]), begin) & greater(dot(to->n, q[k]), end);
    fine &= greater(dot(from->n, q[k]) + dot(to->n, p[k]), middle);
  }
  return fine;
}

/* One plane for the whole step, or one for each half. */
TOI_INLINE mask planes_apart(int n, const moving_hull *hull, real d, int cube) {
  const real(*start)[AXES] = (const real(*)[AXES])hull->at[0], (*end)[AXES] = (const real(*)[AXES])hull->at[1];
  plane_direction from, to, half;
  mask fine = plane_towards(n, hull, start, cube, &from) & plane_towards(n, hull, end, cube, &to);
  mask apart = fine & plane_between(n, start, end, d, &from, &to);
  if (bits_of(apart | ~fine) == (1u << TOI_LANES) - 1)
    return apart;
  real middle[CORNERS][AXES];
  TOI_UNROLL
  for (int k = 0; k < n; k++)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    middle[k][axis] = (start[k][axis] + end[k][axis]) * 0.5;
  const real(*at)[AXES] = (const real(*)[AXES])middle;
  fine &= plane_towards(n, hull, at, cube, &half);
  return apart | (fine & plane_between(n, start, at, d, &from, &half) & plane_between(n, at, end, d, &half, &to));
}

/* The largest size in range: an axis on which nothing happens does no harm. */
TOI_INLINE mask planes_in_range(const moving_hull *hull) {
  return in_range(most(hull->size[0], most(hull->size[1], hull->size[2])));
}

TOI_INLINE void planes_kind(int n, const toi_rows *rows, const double *separation, int cube, uint8_t *miss) {
  for (size_t i = 0; i < rows->count; i += TOI_LANES) {
    const double *row[TOI_LANES];
    group_rows(rows, i, row);
    moving_hull hull;
    hull_load(n, row, &hull);
    hull_box(n, every(0), &hull);
    mask usable = hull_finite(n, &hull) & planes_in_range(&hull);
    unsigned bits = bits_of(planes_apart(n, &hull, group_separations(rows, i, separation), cube) & usable);
    for (size_t j = 0; j < TOI_LANES && i + j < rows->count; j++)
      miss[i + j] = bits >> j & 1;
  }
}

static void planes(int n, const toi_rows *rows, const double *separation, int cube, uint8_t *miss) {
  if (n == 3)
    planes_kind(3, rows, separation, cube, miss);
  else
    planes_kind(4, rows, separation, cube, miss);
}
