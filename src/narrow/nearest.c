/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Nearest points by trying every feature: nothing here is proved, so nothing here needs a bound. */

#include "narrow/nearest.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int axis = 0; axis < 3; axis++)
    out[axis] = a[axis] - b[axis];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The normal of a hull with three corners or four. */
static void hull_normal(const toi_hull *hull, double n[3]) {
  double first[3], last[3];
  subtract(hull->c[1], hull->c[0], first);
  subtract(hull->c[hull->count - 1], hull->c[0], last);
  cross(first, last, n);
}

/* --- Euclidean --- */

typedef struct best_point {
  double square, x[3];
  toi_feature feature;
} best_point;

static void try_point(best_point *best, const double x[3], toi_feature_kind kind, int index) {
  double square = dot(x, x);
  if (!(square < best->square))
    return;
  *best = (best_point){square, {x[0], x[1], x[2]}, {kind, index, 0, 1}};
}

static void try_segment(best_point *best, const toi_hull *hull, int k) {
  const double *p = hull->c[k], *q = hull->c[toi_hull_next(hull->count, k)];
  double e[3], x[3];
  subtract(q, p, e);
  double along = -dot(p, e), square = dot(e, e);
  if (!(along > 0) || !(along < square))
    return;
  for (int axis = 0; axis < 3; axis++)
    x[axis] = p[axis] + along / square * e[axis];
  try_point(best, x, TOI_FEATURE_SEGMENT, k);
}

/* The foot of 0 in the hull's plane, if it is inside. */
static void try_face(best_point *best, const toi_hull *hull) {
  double n[3];
  hull_normal(hull, n);
  double square = dot(n, n), height = dot(n, hull->c[0]);
  if (!(square > 0))
    return;
  for (int k = 0; k < hull->count; k++) {
    double area[3];
    cross(hull->c[k], hull->c[toi_hull_next(hull->count, k)], area);
    if (!(dot(n, area) > 0))
      return;
  }
  double scale = height / square;
  *best = (best_point){
      height * scale, {n[0] * scale, n[1] * scale, n[2] * scale}, {TOI_FEATURE_FACE, 0, 0, height < 0 ? -1 : 1}};
  /* The direction is good even where the foot is 0. */
  if (best->square < 0x1p-60)
    for (int axis = 0; axis < 3; axis++)
      best->x[axis] = best->feature.sign * n[axis];
}

static void nearest_l2(const toi_hull *hull, toi_nearest *nearest) {
  best_point best = {.square = INFINITY};
  for (int k = 0; k < hull->count; k++)
    try_point(&best, hull->c[k], TOI_FEATURE_CORNER, k);
  for (int k = 0; k < toi_hull_segments(hull->count); k++)
    try_segment(&best, hull, k);
  if (hull->count > 2)
    try_face(&best, hull);
  double size = sqrt(dot(best.x, best.x));
  nearest->distance = sqrt(best.square);
  nearest->feature = best.feature;
  for (int axis = 0; axis < 3; axis++)
    nearest->n[axis] = size > 0 ? best.x[axis] / size : 0;
}

/* --- largest coordinate --- */

/* The hull against the cube: its distance is the largest gap, over all directions in which their difference can have a
 * face. */
typedef struct best_gap {
  double gap; /* over size */
  double n[3];
  toi_feature feature;
} best_gap;

static void try_heights(best_gap *best, double lo, double hi, const double n[3], double size, toi_feature feature) {
  double gap = lo > -hi ? lo : -hi;
  if (!(gap > best->gap * size))
    return;
  feature.sign = lo > -hi ? 1 : -1;
  double unit = feature.sign / size;
  *best = (best_gap){gap / size, {n[0] * unit, n[1] * unit, n[2] * unit}, feature};
}

static void try_axis(best_gap *best, const toi_hull *hull, int axis) {
  double lo = hull->c[0][axis], hi = lo, n[3] = {axis == 0, axis == 1, axis == 2};
  for (int k = 1; k < hull->count; k++) {
    lo = hull->c[k][axis] < lo ? hull->c[k][axis] : lo;
    hi = hull->c[k][axis] > hi ? hull->c[k][axis] : hi;
  }
  try_heights(best, lo, hi, n, 1, (toi_feature){TOI_FEATURE_AXIS, 0, axis, 1});
}

/* Square to segment k and to an axis: heights are areas in the projection along it, and the segment's ends are level.
 */
static void try_segment_axis(best_gap *best, const toi_hull *hull, int k, const double e[3], int axis) {
  int i = (axis + 1) % 3, j = (axis + 2) % 3, others = hull->count - 1;
  double n[3] = {0}, size = fabs(e[i]) + fabs(e[j]);
  if (!(size > 0))
    return;
  n[i] = e[j];
  n[j] = -e[i];
  double lo = e[j] * hull->c[k][i] - e[i] * hull->c[k][j], hi = lo;
  for (int other = 2; other <= others; other++) {
    const double *c = hull->c[(k + other) % hull->count];
    double height = e[j] * c[i] - e[i] * c[j];
    lo = height < lo ? height : lo;
    hi = height > hi ? height : hi;
  }
  try_heights(best, lo, hi, n, size, (toi_feature){TOI_FEATURE_SEGMENT_AXIS, k, axis, 1});
}

static void nearest_linf(const toi_hull *hull, toi_nearest *nearest) {
  best_gap best = {.gap = -INFINITY};
  for (int axis = 0; axis < 3; axis++)
    try_axis(&best, hull, axis);
  for (int k = 0; k < toi_hull_directions(hull->count); k++) {
    double e[3];
    subtract(hull->c[toi_hull_next(hull->count, k)], hull->c[k], e);
    for (int axis = 0; axis < 3; axis++)
      try_segment_axis(&best, hull, k, e, axis);
  }
  if (hull->count > 2) {
    double n[3];
    hull_normal(hull, n);
    double size = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), lo = dot(n, hull->c[0]), hi = lo;
    /* Of a thin face the normal is little more than rounding: then its corners are not level. */
    for (int k = 1; k < hull->count; k++) {
      double height = dot(n, hull->c[k]);
      lo = height < lo ? height : lo;
      hi = height > hi ? height : hi;
    }
    if (size > 0)
      try_heights(&best, lo, hi, n, size, (toi_feature){TOI_FEATURE_FACE, 0, 0, 1});
  }
  *nearest = (toi_nearest){best.gap > 0 ? best.gap : 0, {best.n[0], best.n[1], best.n[2]}, best.feature};
}

void toi_nearest_to(const toi_hull *hull, toi_norm norm, toi_nearest *nearest) {
  if (norm == TOI_NORM_L2)
    nearest_l2(hull, nearest);
  else
    nearest_linf(hull, nearest);
}
