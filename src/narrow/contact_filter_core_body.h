/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The contact filter's mathematics: the tests of kernel_body.h that refute contact, in floats. What includes this has
 * defined real, mask, less, greater, least, most, every, TOI_INLINE and TOI_UNROLL (float_lanes_body.h); nothing else
 * of C is used but loops, structs and arrays, so that a compiler of another language of the family may take it.
 *
 * Every computed quantity is compared with its bound of contact_filter_bounds.h. */

#define TIMES 2
#define CORNERS 4
#define AXES 3

/* Corners, as computed; and X, Y, Z of contact_filter_bounds.h. */
typedef struct float_hull {
  real at[TIMES][CORNERS][AXES];
  real size[AXES];
} float_hull;

/* b0, 3 b1, 3 b2, b3, and what their bounds are made of. */
typedef struct float_cubic {
  real b[4];
  real volume, change; /* V and D */
} float_cubic;

/* The bounds of a kind of corners. */
typedef struct float_bounds {
  real r[AXES];
  float end, mid, halves, areas;
} float_bounds;

/* Which of a pair's points make corner k: first minus second. */
TOI_INLINE void corner_points(int n, int k, int *first, int *second) {
  *first = n == 4 ? (k == 1 || k == 2) : 0;
  *second = n == 4 ? 2 + (k >= 2) : 1 + k;
}

/* Sizes, and the box test. */
TOI_INLINE mask hull_box(int n, const float_bounds *bounds, float_hull *hull) {
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
    hull->size[axis] = most(hi, -lo) + bounds->r[axis];
    apart |= less(hi, -bounds->r[axis]) | greater(lo, bounds->r[axis]);
  }
  return apart;
}

TOI_INLINE mask in_range(real size) {
  return greater(size, every(TOI_FLOAT_RANGE_LO));
}

/* Claim 3: lanes that touch nowhere in [0, t]. hull_box() has set the sizes. */
TOI_INLINE mask hull_box_until(int n, const float_bounds *bounds, const float_hull *hull, real t) {
  mask apart = less(every(1), every(0));
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    real lo = hull->at[0][0][axis], hi = lo;
    TOI_UNROLL
    for (int k = 0; k < n; k++) {
      const real start = hull->at[0][k][axis], then = start + t * (hull->at[1][k][axis] - start);
      lo = least(least(start, then), lo);
      hi = most(most(start, then), hi);
    }
    const real reach = bounds->r[axis] + hull->size[axis] * TOI_FLOAT_PART;
    apart |= (less(hi, -reach) | greater(lo, reach)) & in_range(hull->size[axis]);
  }
  return apart;
}

TOI_INLINE mask hull_in_range(const float_hull *hull) {
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

TOI_INLINE float_cubic hull_cubic(int n, const float_bounds *bounds, const float_hull *hull) {
  float_cubic f;
  TOI_UNROLL
  for (int time = 0; time < TIMES; time++) {
    const int other = 1 - time, last = n - 1;
    real bc[AXES], ca[AXES], ab[AXES];
    cross(hull->at[time][1], hull->at[time][last], bc);
    cross(hull->at[time][last], hull->at[time][0], ca);
    cross(hull->at[time][0], hull->at[time][1], ab);
    f.b[3 * time] = dot(hull->at[time][0], bc);
    f.b[1 + time] = (dot(hull->at[other][0], bc) + dot(hull->at[other][1], ca)) + dot(hull->at[other][last], ab);
  }
  real area = hull->size[0] * hull->size[1];
  f.volume = area * hull->size[2];
  f.change = (bounds->r[0] * hull->size[1] + hull->size[0] * bounds->r[1]) * hull->size[2] + area * bounds->r[2];
  return f;
}

/* The bounds of claim 2. */
TOI_INLINE real end_bound(const float_bounds *bounds, const float_cubic *f) {
  return f->change * TOI_CHANGE_END + f->volume * bounds->end;
}

TOI_INLINE real mid_bound(const float_bounds *bounds, const float_cubic *f) {
  return f->change * TOI_CHANGE_MID + f->volume * bounds->mid;
}

TOI_INLINE real half_bound(const float_bounds *bounds, const float_cubic *f) {
  return f->change * TOI_CHANGE_HALVES + f->volume * bounds->halves;
}

/* Whether all four coefficients have the same strict sign. */
TOI_INLINE mask cubic_one_sign(const float_bounds *bounds, const float_hull *hull, const float_cubic *f) {
  real end = end_bound(bounds, f), mid = mid_bound(bounds, f);
  real lo_end = least(f->b[0], f->b[3]), hi_end = most(f->b[0], f->b[3]);
  real lo_mid = least(f->b[1], f->b[2]), hi_mid = most(f->b[1], f->b[2]);
  mask up = greater(lo_end, end) & greater(lo_mid, mid), down = less(hi_end, -end) & less(hi_mid, -mid);
  return (up | down) & hull_in_range(hull);
}

/* The coefficients of the cubic on the left (side 0) or right half of [0, 1], times 24, from the outer end inwards. */
TOI_INLINE void cubic_half(const float_cubic *f, int side, real c[4]) {
  const real near = f->b[side ? 3 : 0], near_mid = f->b[side ? 2 : 1];
  const real far_mid = f->b[side ? 1 : 2], far = f->b[side ? 0 : 3];
  c[0] = near * 24.0f;
  c[1] = near * 12.0f + near_mid * 4.0f;
  c[2] = (near * 6.0f + near_mid * 4.0f) + far_mid * 2.0f;
  c[3] = (((near + near_mid) + far_mid) + far) * 3.0f;
}

/* Whether the cubic has one strict sign on a half. */
TOI_INLINE mask cubic_half_sign(const float_cubic *f, int side, real bound) {
  real c[4];
  cubic_half(f, side, c);
  real lo = least(least(c[0], c[1]), least(c[2], c[3])), hi = most(most(c[0], c[1]), most(c[2], c[3]));
  return greater(lo, bound) | less(hi, -bound);
}

/* --- projections --- */

TOI_INLINE real area_bound(const float_bounds *bounds, const float_hull *hull, int axis) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  real change = bounds->r[i] * hull->size[j] + hull->size[i] * bounds->r[j];
  return change * TOI_CHANGE_AREAS + (hull->size[i] * hull->size[j]) * bounds->areas;
}

/* The coefficients of area k in the projection along `axis`, on both halves of [0, 1], times 4, from the outer end
 * inwards. */
TOI_INLINE void area_halves(int n, const float_hull *hull, int axis, int k, real c[2][3]) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3, l = (k + 1) % n;
  // A0, A2 and M = 2 A1 of corners k and l.
  real a0 = hull->at[0][k][i] * hull->at[0][l][j] - hull->at[0][k][j] * hull->at[0][l][i];
  real a2 = hull->at[1][k][i] * hull->at[1][l][j] - hull->at[1][k][j] * hull->at[1][l][i];
  real m = (hull->at[0][k][i] * hull->at[1][l][j] - hull->at[0][k][j] * hull->at[1][l][i]) +
           (hull->at[1][k][i] * hull->at[0][l][j] - hull->at[1][k][j] * hull->at[0][l][i]);
  real middle = (a0 + m) + a2;
  TOI_UNROLL
  for (int side = 0; side < 2; side++) {
    real end = side ? a2 : a0;
    c[side][0] = end * 4.0f;
    c[side][1] = end * 2.0f + m;
    c[side][2] = middle;
  }
}

/* Adds to `sides` the halves of [0, 1] on which two areas in the projection along `axis` have strictly opposite signs.
 */
TOI_INLINE void areas_oppose(int n, const float_bounds *bounds, const float_hull *hull, int axis, mask sides[2]) {
  real limit = area_bound(bounds, hull, axis);
  mask none = less(every(1), every(0));
  mask up[2] = {none, none}, down[2] = {none, none};
  TOI_UNROLL
  for (int k = 0; k < n; k++) {
    real c[2][3];
    area_halves(n, hull, axis, k, c);
    TOI_UNROLL
    for (int side = 0; side < 2; side++) {
      up[side] |= greater(least(least(c[side][0], c[side][1]), c[side][2]), limit);
      down[side] |= less(most(most(c[side][0], c[side][1]), c[side][2]), -limit);
    }
  }
  mask usable = in_range(hull->size[(axis + 1) % 3]) & in_range(hull->size[(axis + 2) % 3]);
  TOI_UNROLL
  for (int side = 0; side < 2; side++)
    sides[side] |= up[side] & down[side] & usable;
}

/* Whether each half of the step is free of contact. */
TOI_INLINE mask projection_miss(int n, const float_bounds *bounds, const float_hull *hull, const float_cubic *f) {
  mask none = less(every(1), every(0));
  mask sides[2] = {none, none}, usable = hull_in_range(hull);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    areas_oppose(n, bounds, hull, axis, sides);
  TOI_UNROLL
  for (int side = 0; side < 2; side++)
    sides[side] |= cubic_half_sign(f, side, half_bound(bounds, f)) & usable;
  return sides[0] & sides[1];
}
