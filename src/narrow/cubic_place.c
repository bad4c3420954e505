/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The inclusion tests of the method `cubic`: areas over a zone, planes, and points of the hull. Claim, bound, why.
 *
 * AREAS. Claim: two areas (corner k) x (corner k+1) of strictly opposite sign in one projection at every time of a zone
 * exclude contact; all of one strict sign, and no separation, make each root of the cubic in it a contact
 * (docs/guarantees.md, lemmas 2 and 3). This is the paper's test, that the areas around 0 add up to the hull's, with
 * their signs kept. The zone lies within r of its middle x, where an area is known to POINT_AREA u XY and from which it
 * drifts by AREA_DRIFT r XY (kernel_bounds.h): the paper's E_tol C1 C2 with the rounding it leaves out. With a
 * separation, contact means that 0 is in the hull moved by some q, |q| <= d; that changes an area by q x (edge k), at
 * most d dual(edge k) <= d 2 (X + Y). The bounds of the separation and of rounding are added.
 *
 * PLANES. Claim: if w . p_k(t) > d dual(w) for all corners, 0 is farther than d from the hull at t, as |w . q| <=
 * dual(w) |q|. Each w . p_k is linear in t, so it suffices at both ends of an interval. Bound: with S = |wx| X + |wy| Y
 * + |wz| Z the product w . p_k(0) passes 1 (corner) + 1 (product) + 2 (sums) roundings, on at most S; so does that at
 * t = 1; (1 - t) a + t b passes 3 more. 7 u S; PLANE = 12 u S covers S's own roundings, the comparison and second
 * order. Any w will do. In the Euclidean norm, where 0 is off the hull, one of the following is the direction of the
 * closest point: a corner, the foot of the perpendicular on an edge's line, the normal. In the maximum norm a cube and
 * the hull are separated by an axis, the normal, or the cross product of an axis and an edge.
 *
 * POINTS. Claim: a point of the hull is p_0 + u (p_1 - p_0) + v (p_last - p_0) with u, v in [0, 1], and u + v <= 1 for
 * triangles. Bound: a position is off by 8 u X, and the three weights add up to 3 in magnitude at most: 24 u X. Two
 * differences round on 2 X, their products on 2 X, the sums on 3 X and 5 X: 16. u + v may exceed 1 by u, which moves
 * the point by 2 u X. 42 u X; POINT = 48. */

#include <assert.h>
#include <math.h>
#include <string.h>

#include "narrow/cubic.h"
#include "narrow/kernel_bounds.h"
#include "number/vector.h"

#define BOUND_PLANE (12 * TOI_U)
#define BOUND_POINT (48 * TOI_U)
#define SLACK (1 + 0x1p-40)

/* Planes that are tried after the gap fell below the tolerance: they close in quadratically on a simple root, and by
 * halves on a double one. */
#define PLANES_AFTER 24
/* A plane that gains less than this part of the time it starts from has met the rounding. */
#define GAIN_LEAST 0x1p-46
/* Steps back from a root that rounding has moved too far, by 2^-50 of it and 64 times more each. */
#define BACKWARD_STEPS 8

void toi_cubic_positions(const toi_cubic_hull *hull, double t, double p[TOI_MOST_CORNERS][3]) {
  for (unsigned k = 0; k < hull->count; k++)
    for (int axis = 0; axis < 3; axis++) {
      double start = hull->at[0][k][axis];
      p[k][axis] = start + t * (hull->at[1][k][axis] - start);
    }
}

/* --- areas --- */

int toi_cubic_areas(const toi_cubic_hull *hull, double lo, double hi) {
  double x = lo + 0.5 * (hi - lo), r = (hi - x > x - lo ? hi - x : x - lo) * SLACK;
  double p[TOI_MOST_CORNERS][3] = {{0}};
  toi_cubic_positions(hull, x, p);
  bool inside = false;
  for (int axis = 0; axis < 3; axis++) {
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double size = hull->size[i] * hull->size[j];
    double separation = hull->d_hi > 0 ? hull->d_hi * 2 * (hull->size[i] + hull->size[j]) : 0;
    double bound = size * (TOI_BOUND_POINT_AREA + TOI_BOUND_AREA_DRIFT * r) + separation;
    bound = bound * SLACK + TOI_CUBIC_TINY;
    unsigned up = 0, down = 0;
    for (unsigned k = 0; k < hull->count; k++) {
      const double *a = p[k], *b = p[k + 1 < hull->count ? k + 1 : 0];
      double area = a[i] * b[j] - a[j] * b[i];
      up += area > bound;
      down += area < -bound;
    }
    if (up && down)
      return -1;
    inside |= up == hull->count || down == hull->count;
  }
  return inside && hull->d_hi == 0;
}

/* --- planes --- */

/* At most: corners, edges and the normal; or axes, the normal, and three cross products an edge. */
#define MOST_DIRECTIONS 16

typedef struct directions {
  unsigned count;
  double w[MOST_DIRECTIONS][3];
} directions;

static void add_direction(directions *all, const double w[3]) {
  assert(all->count < MOST_DIRECTIONS);
  memcpy(all->w[all->count++], w, 3 * sizeof(double));
}

/* Edges of the hull: as many as corners, but one of a segment and none of a point; of a parallelogram the first and the
 * last are parallel to the others. */
static unsigned edge_count(unsigned corners) {
  return corners < 3 ? corners - 1 : corners;
}

static void euclidean_directions(unsigned count, double p[TOI_MOST_CORNERS][3], directions *all) {
  for (unsigned k = 0; k < count; k++)
    add_direction(all, p[k]);
  for (unsigned k = 0; k < edge_count(count); k++) {
    double edge[3], foot[3];
    toi_minus(p[k + 1 < count ? k + 1 : 0], p[k], edge);
    double s = toi_dot(p[k], edge) / toi_dot(edge, edge);
    for (int axis = 0; axis < 3; axis++)
      foot[axis] = p[k][axis] - s * edge[axis];
    add_direction(all, foot);
  }
}

static void maximum_directions(unsigned count, double p[TOI_MOST_CORNERS][3], directions *all) {
  for (int axis = 0; axis < 3; axis++) {
    double unit[3] = {axis == 0, axis == 1, axis == 2};
    add_direction(all, unit);
    for (unsigned k = 0; k < edge_count(count) && k < 3; k++) {
      double edge[3], across[3];
      toi_minus(p[k + 1 < count ? k + 1 : 0], p[k], edge);
      toi_cross(unit, edge, across);
      add_direction(all, across);
    }
  }
}

/* The direction in which the hull at positions p is farthest from 0, on the hull's side; false if it is nowhere off 0.
 */
static bool best_direction(const toi_cubic_hull *hull, double p[TOI_MOST_CORNERS][3], double best[3], double *gap) {
  directions all = {.count = 0};
  if (hull->norm == TOI_NORM_LINF)
    maximum_directions(hull->count, p, &all);
  else
    euclidean_directions(hull->count, p, &all);
  if (hull->count > 2) {
    double edge[2][3], normal[3];
    toi_minus(p[1], p[0], edge[0]);
    toi_minus(p[hull->count - 1], p[0], edge[1]);
    toi_cross(edge[0], edge[1], normal);
    add_direction(&all, normal);
  }
  *gap = 0;
  for (unsigned i = 0; i < all.count; i++) {
    double least = INFINITY, most = -INFINITY;
    for (unsigned k = 0; k < hull->count; k++) {
      double height = toi_dot(all.w[i], p[k]);
      least = height < least ? height : least;
      most = height > most ? height : most;
    }
    double side = least > 0 ? 1 : -1, height = least > 0 ? least : -most;
    height /= toi_cubic_dual(hull, all.w[i]);
    if (!(height > *gap))
      continue;
    *gap = height;
    for (int axis = 0; axis < 3; axis++)
      best[axis] = side * all.w[i][axis];
  }
  return *gap > 0;
}

/* A plane w . x = floor that separates where every corner is above it: see PLANES. */
typedef struct plane {
  double height[2][TOI_MOST_CORNERS]; /* w . corner at both times */
  double floor;
} plane;

static bool is_above(const plane *wall, unsigned count, double t) {
  for (unsigned k = 0; k < count; k++)
    if (!((1 - t) * wall->height[0][k] + t * wall->height[1][k] > wall->floor))
      return false;
  return true;
}

/* The last time up to which the plane with direction w separates, from lo on; a little less, or lo - 1 if it does not
 * at lo. */
static double separated_until(const toi_cubic_hull *hull, const double w[3], double lo) {
  plane wall;
  double sizes = (fabs(w[0]) * hull->size[0] + fabs(w[1]) * hull->size[1]) + fabs(w[2]) * hull->size[2];
  double separation = hull->d_hi > 0 ? hull->d_hi * toi_cubic_dual(hull, w) : 0;
  wall.floor = (separation + BOUND_PLANE * sizes) * SLACK + TOI_CUBIC_TINY;
  double until = 1;
  for (unsigned k = 0; k < hull->count; k++) {
    double start = wall.height[0][k] = toi_dot(w, hull->at[0][k]);
    double end = wall.height[1][k] = toi_dot(w, hull->at[1][k]);
    if (!(end > wall.floor)) {
      double t = (start - wall.floor) / (start - end);
      until = t < until ? t : until;
    }
  }
  if (!is_above(&wall, hull->count, lo))
    return lo - 1;
  // The root is rounded: step back from it until the test holds.
  double back = 0x1p-50;
  for (int attempt = 0; attempt < BACKWARD_STEPS && until > lo; attempt++) {
    if (is_above(&wall, hull->count, until))
      return until;
    until -= back * until;
    back *= 64;
  }
  return lo;
}

bool toi_cubic_advance_to(const toi_cubic_hull *hull, toi_cubic_advance *advance, double hi, double *lo) {
  unsigned after = 0;
  while (advance->checks > 0 && after < PLANES_AFTER) {
    double p[TOI_MOST_CORNERS][3] = {{0}}, w[3] = {0}, gap;
    advance->checks--;
    toi_cubic_positions(hull, *lo, p);
    if (!best_direction(hull, p, w, &gap))
      return true;
    double until = separated_until(hull, w, *lo);
    if (!(until >= *lo))
      return true;
    memcpy(advance->direction, w, sizeof(w));
    advance->moved = true;
    if (until >= hi)
      return false;
    double gained = until - *lo;
    *lo = until;
    if (gained <= GAIN_LEAST * until)
      return true;
    after += gap - hull->d_lo <= advance->tolerance;
  }
  return true;
}

/* --- points --- */

/* The point with parameters u, v, and how far from 0 it may be; kept if it is the closest so far. */
static void try_point(const toi_cubic_hull *hull, const double (*p)[3], double u, double v, toi_cubic_point *best) {
  const double *first = p[0], *second = p[hull->count > 1 ? 1 : 0], *last = p[hull->count - 1];
  double at[3], most[3];
  for (int axis = 0; axis < 3; axis++) {
    at[axis] = first[axis] + u * (second[axis] - first[axis]) + v * (last[axis] - first[axis]);
    most[axis] = fabs(at[axis]) + (hull->size[axis] * BOUND_POINT + TOI_CUBIC_TINY);
  }
  double distance = hull->norm == TOI_NORM_LINF ? fmax(most[0], fmax(most[1], most[2])) : toi_cubic_length(most);
  distance *= SLACK;
  if (!(distance < best->distance))
    return;
  best->distance = distance;
  memcpy(best->at, at, sizeof(at));
  const double(*place)[2] = hull->place;
  best->u = place[0][0] + u * (place[1][0] - place[0][0]) + v * (place[2][0] - place[0][0]);
  best->v = place[0][1] + u * (place[1][1] - place[0][1]) + v * (place[2][1] - place[0][1]);
}

static double clip_unit(double x) {
  return x > 0 ? x < 1 ? x : 1 : 0;
}

/* The parameters of the corners: a segment's last corner is its second. */
static void corner_parameters(unsigned count, unsigned k, double *u, double *v) {
  *u = k == 1 || (count == 4 && k == 2);
  *v = k >= 2;
}

/* The foot of the perpendicular on the hull's plane, if it lies in the hull. */
static bool try_face(const toi_cubic_hull *hull, const double (*p)[3], toi_cubic_point *best) {
  unsigned count = hull->count;
  double e1[3], e2[3];
  toi_minus(p[1], p[0], e1);
  toi_minus(p[count - 1], p[0], e2);
  double g11 = toi_dot(e1, e1), g12 = toi_dot(e1, e2), g22 = toi_dot(e2, e2), r1 = -toi_dot(p[0], e1),
         r2 = -toi_dot(p[0], e2);
  double area = g11 * g22 - g12 * g12, u = (r1 * g22 - r2 * g12) / area, v = (r2 * g11 - r1 * g12) / area;
  if (!(u >= 0 && v >= 0 && (count == 4 ? u <= 1 && v <= 1 : u + v <= 1)))
    return false;
  try_point(hull, p, u, v, best);
  return true;
}

toi_cubic_point toi_cubic_closest(const toi_cubic_hull *hull, double t) {
  double at[TOI_MOST_CORNERS][3] = {{0}};
  const double(*p)[3] = (const double(*)[3])at;
  unsigned count = hull->count;
  toi_cubic_point best = {.distance = INFINITY, .u = hull->place[0][0], .v = hull->place[0][1]};
  toi_cubic_positions(hull, t, at);
  if (count > 2 && try_face(hull, p, &best) && hull->norm == TOI_NORM_L2)
    return best;
  for (unsigned k = 0; k < count; k++) {
    double u, v;
    corner_parameters(count, k, &u, &v);
    try_point(hull, p, u, v, &best);
  }
  for (unsigned k = 0; k < edge_count(count); k++) {
    unsigned next = k + 1 < count ? k + 1 : 0;
    double edge[3], u0, v0, u1, v1;
    toi_minus(p[next], p[k], edge);
    double s = clip_unit(-toi_dot(p[k], edge) / toi_dot(edge, edge));
    corner_parameters(count, k, &u0, &v0);
    corner_parameters(count, next, &u1, &v1);
    try_point(hull, p, u0 + s * (u1 - u0), v0 + s * (v1 - v0), &best);
  }
  return best;
}
