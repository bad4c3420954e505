/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Nearest points by trying every feature: nothing here is proved, so nothing here needs a bound. */

#include "narrow/nearest.h"

/* The normal of a hull with three corners or four. */
static void hull_normal(const toi_hull *hull, double n[3]) {
  double first[3], last[3];
  toi_minus(hull->c[1], hull->c[0], first);
  toi_minus(hull->c[hull->count - 1], hull->c[0], last);
  toi_cross(first, last, n);
}

/* --- Euclidean --- */

typedef struct best_point {
  double square, x[3];
  toi_feature feature;
} best_point;

static void try_point(best_point *best, const double x[3], toi_feature_kind kind, int index) {
  double square = toi_dot(x, x);
  if (!(square < best->square))
    return;
  *best = (best_point){square, {x[0], x[1], x[2]}, {kind, index, 0, 1}};
}

static void try_segment(best_point *best, const toi_hull *hull, int k) {
  const double *p = hull->c[k], *q = hull->c[toi_hull_next(hull->count, k)];
  double e[3], x[3];
  toi_minus(q, p, e);
  double along = -toi_dot(p, e), square = toi_dot(e, e);
  if (!(along > 0) || !(along < square))
    return;
  for (int axis = 0; axis < 3; axis++)
    x[axis] = p[axis] + along / square * e[axis];
  try_point(best, x, TOI_FEATURE_SEGMENT, k);
}

/* The foot of 0 in the hull's plane; false if it is not inside. */
static bool face_holds(best_point *best, const toi_hull *hull) {
  double n[3];
  hull_normal(hull, n);
  double square = toi_dot(n, n), height = toi_dot(n, hull->c[0]);
  if (!(square > 0))
    return false;
  for (int k = 0; k < hull->count; k++) {
    double area[3];
    toi_cross(hull->c[k], hull->c[toi_hull_next(hull->count, k)], area);
    if (!(toi_dot(n, area) > 0))
      return false;
  }
  double scale = height / square;
  *best = (best_point){
      height * scale, {n[0] * scale, n[1] * scale, n[2] * scale}, {TOI_FEATURE_FACE, 0, 0, height < 0 ? -1 : 1}};
  // The direction is good even where the foot is 0.
  if (best->square < 0x1p-60)
    for (int axis = 0; axis < 3; axis++)
      best->x[axis] = best->feature.sign * n[axis];
  return true;
}

static void boundary_point(best_point *best, const toi_hull *hull) {
  for (int k = 0; k < hull->count; k++)
    try_point(best, hull->c[k], TOI_FEATURE_CORNER, k);
  for (int k = 0; k < toi_hull_segments(hull->count); k++)
    try_segment(best, hull, k);
}

static void nearest_l2(const toi_hull *hull, toi_nearest *nearest) {
  best_point best = {.square = INFINITY};
  if (hull->count < 3 || !face_holds(&best, hull))
    boundary_point(&best, hull);
  double size = sqrt(toi_dot(best.x, best.x));
  nearest->distance = sqrt(best.square);
  nearest->feature = best.feature;
  for (int axis = 0; axis < 3; axis++)
    nearest->n[axis] = size > 0 ? best.x[axis] / size : 0;
}

/* --- largest coordinate --- */

/* The hull against the cube: its distance is the largest gap, over all directions in which their difference can have a
 * face. All of them at a time, each in a column, so that the compiler can use wide registers. */
#define MOST_DIRECTIONS 14

typedef struct direction_set {
  int count; /* rounded up to a multiple of 2 with directions that are 0 */
  double n[3][MOST_DIRECTIONS];
  toi_feature feature[MOST_DIRECTIONS];
} direction_set;

static void add_direction(direction_set *set, double x, double y, double z, toi_feature feature) {
  int i = set->count++;
  set->n[0][i] = x;
  set->n[1][i] = y;
  set->n[2][i] = z;
  set->feature[i] = feature;
}

static void cube_directions(const toi_hull *hull, direction_set *set) {
  set->count = 0;
  add_direction(set, 1, 0, 0, (toi_feature){TOI_FEATURE_AXIS, 0, 0, 1});
  add_direction(set, 0, 1, 0, (toi_feature){TOI_FEATURE_AXIS, 0, 1, 1});
  add_direction(set, 0, 0, 1, (toi_feature){TOI_FEATURE_AXIS, 0, 2, 1});
  for (int k = 0; k < toi_hull_directions(hull->count); k++) {
    double e[3];
    toi_minus(hull->c[toi_hull_next(hull->count, k)], hull->c[k], e);
    add_direction(set, 0, e[2], -e[1], (toi_feature){TOI_FEATURE_SEGMENT_AXIS, k, 0, 1});
    add_direction(set, -e[2], 0, e[0], (toi_feature){TOI_FEATURE_SEGMENT_AXIS, k, 1, 1});
    add_direction(set, e[1], -e[0], 0, (toi_feature){TOI_FEATURE_SEGMENT_AXIS, k, 2, 1});
  }
  if (hull->count > 2) {
    double n[3];
    hull_normal(hull, n);
    add_direction(set, n[0], n[1], n[2], (toi_feature){TOI_FEATURE_FACE, 0, 0, 1});
  }
  if (set->count % 2)
    add_direction(set, 0, 0, 0, (toi_feature){TOI_FEATURE_FACE, 0, 0, 1});
}

/* The gaps along all directions; those that are 0 have none. */
static void cube_gaps(const toi_hull *hull, const direction_set *set, double lo[], double gap[]) {
  double hi[MOST_DIRECTIONS];
  for (int i = 0; i < set->count; i++) {
    lo[i] = INFINITY;
    hi[i] = -INFINITY;
  }
  for (int k = 0; k < hull->count; k++)
    for (int i = 0; i < set->count; i++) {
      double height = set->n[0][i] * hull->c[k][0] + set->n[1][i] * hull->c[k][1] + set->n[2][i] * hull->c[k][2];
      lo[i] = height < lo[i] ? height : lo[i];
      hi[i] = height > hi[i] ? height : hi[i];
    }
  for (int i = 0; i < set->count; i++) {
    double size = fabs(set->n[0][i]) + fabs(set->n[1][i]) + fabs(set->n[2][i]);
    gap[i] = (lo[i] > -hi[i] ? lo[i] : -hi[i]) / size;
  }
}

static void nearest_linf(const toi_hull *hull, toi_nearest *nearest) {
  direction_set set;
  double lo[MOST_DIRECTIONS] = {0}, gap[MOST_DIRECTIONS] = {0};
  int best = 0;
  cube_directions(hull, &set);
  cube_gaps(hull, &set, lo, gap);
  // 0 / 0 is no gap.
  for (int i = 1; i < set.count; i++)
    best = gap[i] > gap[best] ? i : best;
  double x = set.n[0][best], y = set.n[1][best], z = set.n[2][best];
  nearest->feature = set.feature[best];
  nearest->feature.sign = lo[best] > 0 ? 1 : -1;
  double unit = nearest->feature.sign / (fabs(x) + fabs(y) + fabs(z));
  nearest->distance = gap[best] > 0 ? gap[best] : 0;
  nearest->n[0] = x * unit;
  nearest->n[1] = y * unit;
  nearest->n[2] = z * unit;
}

void toi_nearest_to(const toi_hull *hull, toi_norm norm, toi_nearest *nearest) {
  if (norm == TOI_NORM_L2)
    nearest_l2(hull, nearest);
  else
    nearest_linf(hull, nearest);
}
