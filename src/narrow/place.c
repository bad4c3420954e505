/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Nearest points in doubles. In the Euclidean norm the nearest point of the hull is unique, but parameters need not be:
 * every feature that holds it is checked. In the largest-coordinate norm it is a polygon: the hull cut by the cube.
 */

#include "narrow/place.h"

#include <math.h>
#include <string.h>

#include "narrow/nearest.h"

/* Euclidean: points of a hull of size 1 that are taken as the same. */
#define SAME_PLACE 0x1p-48

/* Euclidean: a point of such a hull is not moved by less. */
#define SLIDE 0x1p-48

/* Largest coordinate: points whose distances differ by less are taken as equally near. Distances of a hull of size 1
 * are off by less, so that there is such a point. */
#define EQUALLY_NEAR 0x1p-48

/* A point of the hull, with its parameters. */
typedef struct placed {
  double u, v, x[3];
} placed;

static double clipped(double x) {
  return x > 0 ? toi_smaller(x, 1) : 0;
}

static placed between(const placed *a, const placed *b, double s) {
  placed p = {(1 - s) * a->u + s * b->u, (1 - s) * a->v + s * b->v, {0}};
  for (int axis = 0; axis < 3; axis++)
    p.x[axis] = (1 - s) * a->x[axis] + s * b->x[axis];
  return p;
}

static bool before(const placed *a, const placed *b) {
  return a->u != b->u ? a->u < b->u : a->v < b->v;
}

/* --- Euclidean --- */

typedef struct best_place {
  double x[3]; /* the nearest point */
  bool found;
  placed at;
} best_place;

static void offer(best_place *best, const placed *p) {
  double off = 0;
  for (int axis = 0; axis < 3; axis++)
    off = toi_larger(off, fabs(p->x[axis] - best->x[axis]));
  if (off <= SAME_PLACE && (!best->found || before(p, &best->at))) {
    best->found = true;
    best->at = *p;
  }
}

static void offer_segment(best_place *best, const placed *p, const placed *q) {
  double e[3] = {q->x[0] - p->x[0], q->x[1] - p->x[1], q->x[2] - p->x[2]};
  double along = -toi_dot(p->x, e), square = toi_dot(e, e);
  if (along > 0 && along < square) {
    placed foot = between(p, q, along / square);
    offer(best, &foot);
  }
}

/* The foot in the face: parameters by areas, relative to the first corner. */
static void offer_face(best_place *best, const placed corners[], int count, const toi_nearest *nearest) {
  const placed *c = &corners[0], *a = &corners[1], *b = &corners[count - 1];
  double e[3], f[3], w[3], n[3];
  for (int axis = 0; axis < 3; axis++) {
    e[axis] = a->x[axis] - c->x[axis];
    f[axis] = b->x[axis] - c->x[axis];
    w[axis] = nearest->distance * nearest->n[axis] - c->x[axis];
  }
  for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3)
    n[i] = e[j] * f[k] - e[k] * f[j];
  double we[3], fw[3], square = toi_dot(n, n);
  for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3) {
    fw[i] = w[j] * f[k] - w[k] * f[j];
    we[i] = e[j] * w[k] - e[k] * w[j];
  }
  placed p = {clipped(toi_dot(n, fw) / square), clipped(toi_dot(n, we) / square), {0}};
  memcpy(p.x, best->x, sizeof(p.x));
  offer(best, &p);
}

/* Moves p by the best step times (du, dv) that stays in the hull, where the gain is above rounding. */
static void slide(placed *p, const placed corners[], int count, double du, double dv) {
  const placed *c = &corners[0], *a = &corners[1], *b = &corners[count - 1];
  double x[3], way[3];
  for (int axis = 0; axis < 3; axis++) {
    double e = a->x[axis] - c->x[axis], f = b->x[axis] - c->x[axis];
    x[axis] = c->x[axis] + p->u * e + p->v * f;
    way[axis] = du * e + dv * f;
  }
  double square = toi_dot(way, way), step = -toi_dot(x, way) / square;
  if (!(step * step * square > SLIDE * SLIDE))
    return;
  double most = du > 0 ? 1 - p->u : 1 - p->v, least = du > 0 ? -p->u : -p->v;
  if (du < 0) {
    most = toi_smaller(most, p->u);
    least = toi_larger(least, p->u - 1);
  } else if (count == 3) {
    most = toi_smaller(most, 1 - p->u - p->v);
  }
  step = toi_larger(least, toi_smaller(step, most));
  p->u = clipped(p->u + step * du);
  p->v = clipped(p->v + step * dv);
}

/* Areas of thin faces tell badly where along them the foot is: each direction in turn, twice. */
static void slide_all(placed *p, const placed corners[], int count) {
  if (count == 3)
    p->v = toi_smaller(p->v, 1 - p->u);
  for (int round = 0; round < 2; round++) {
    slide(p, corners, count, 1, 0);
    slide(p, corners, count, 0, 1);
    if (count == 3)
      slide(p, corners, count, -1, 1);
  }
}

static placed place_l2(const placed corners[], int count, const toi_nearest *nearest) {
  best_place best = {.found = false};
  for (int axis = 0; axis < 3; axis++)
    best.x[axis] = nearest->distance * nearest->n[axis];
  for (int k = 0; k < count; k++)
    offer(&best, &corners[k]);
  for (int k = 0; k < toi_hull_segments(count); k++)
    offer_segment(&best, &corners[k], &corners[toi_hull_next(count, k)]);
  if (nearest->feature.kind == TOI_FEATURE_FACE)
    offer_face(&best, corners, count, nearest);
  placed at = best.found ? best.at : corners[0];
  if (count > 2)
    slide_all(&at, corners, count);
  return at;
}

/* --- largest coordinate --- */

#define MOST_CUT (TOI_MOST_CORNERS + 6)

typedef struct cut_hull {
  int count;
  placed p[MOST_CUT];
} cut_hull;

/* The part where sign * x[axis] <= limit. */
static void cut_by(cut_hull *hull, int axis, int sign, double limit) {
  cut_hull left = {.count = 0};
  for (int k = 0; k < hull->count; k++) {
    const placed *p = &hull->p[k], *q = &hull->p[k + 1 < hull->count ? k + 1 : 0];
    double a = sign * p->x[axis] - limit, b = sign * q->x[axis] - limit;
    if (a <= 0 && left.count < MOST_CUT)
      left.p[left.count++] = *p;
    if ((a < 0) != (b < 0) && a != 0 && b != 0 && left.count < MOST_CUT)
      left.p[left.count++] = between(p, q, a / (a - b));
  }
  *hull = left;
}

/* The part of the hull within `limit` of 0. */
static cut_hull cut_to_cube(const placed corners[], int count, double limit) {
  cut_hull hull = {.count = count};
  memcpy(hull.p, corners, (size_t)count * sizeof(placed));
  for (int axis = 0; axis < 3; axis++)
    for (int sign = -1; sign <= 1; sign += 2)
      cut_by(&hull, axis, sign, limit);
  return hull;
}

static placed place_linf(const placed corners[], int count, const toi_nearest *nearest) {
  double low = INFINITY;
  for (int k = 0; k < count; k++)
    low = toi_smaller(low, toi_dot(nearest->n, corners[k].x));
  // Nothing is farther than the corners; where the direction is none, begin with nothing.
  double limit = (low > 0 && low < 2 ? low : 0) + EQUALLY_NEAR, empty = limit;
  cut_hull hull = cut_to_cube(corners, count, limit);
  // Thin faces: the lowest corner is too low along a direction that is off. Corners are at most 1.
  while (hull.count == 0 && limit < 2) {
    limit *= 2;
    hull = cut_to_cube(corners, count, limit);
  }
  while (limit - empty > EQUALLY_NEAR) {
    double middle = empty + (limit - empty) / 2;
    cut_hull smaller = cut_to_cube(corners, count, middle);
    if (smaller.count == 0) {
      empty = middle;
    } else {
      limit = middle;
      hull = smaller;
    }
  }
  placed first = hull.count > 0 ? hull.p[0] : corners[0];
  for (int k = 1; k < hull.count; k++)
    if (before(&hull.p[k], &first))
      first = hull.p[k];
  return first;
}

/* --- answers --- */

/* The sum of `count` points from `first` on, with weights. */
static void weighted(toi_kind kind, const double *query, double t, uint32_t first, uint32_t count,
                     const double weight[3], double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (uint32_t i = 0; i < count; i++) {
    double x[3];
    toi_point_at(kind, query, t, first + i, x);
    for (int axis = 0; axis < 3; axis++)
      out[axis] += weight[i] * x[axis];
  }
}

void toi_place_points(toi_kind kind, const double *query, double t, toi_place place, double first[3],
                      double second[3]) {
  bool edges = kind == TOI_EDGE_EDGE;
  uint32_t on_first = edges ? 2 : 1;
  double u = place.u, v = place.v;
  const double along_first[3] = {edges ? 1 - u : 1, u}, on_edge[3] = {1 - v, v}, on_face[3] = {1 - u - v, u, v};
  if (first)
    weighted(kind, query, t, 0, on_first, along_first, first);
  weighted(kind, query, t, on_first, toi_kind_points(kind) - on_first, edges ? on_edge : on_face, second);
}

bool toi_place_corners(toi_kind kind, const double *query, double t, toi_hull *hull, int *exponent) {
  const toi_corner *corners = toi_corners(kind);
  size_t half = (size_t)3 * toi_kind_points(kind);
  double size = 0, shrink = 1;
  bool apart = false;
  for (size_t i = 0; i < 2 * half; i++)
    shrink = fabs(query[i]) > 0x1p1000 ? 0.25 : shrink;
  hull->count = (int)toi_corner_count(kind);
  for (int k = 0; k < hull->count; k++) {
    const double *a = query + (size_t)3 * corners[k].first, *b = query + (size_t)3 * corners[k].second;
    for (size_t axis = 0; axis < 3; axis++) {
      // Differences first: far from the origin they are small.
      double start = a[axis] * shrink - b[axis] * shrink, end = a[half + axis] * shrink - b[half + axis] * shrink;
      hull->c[k][axis] = (1 - t) * start + t * end;
      size = toi_larger(size, fabs(hull->c[k][axis]));
      // The smallest numbers vanish when they are shrunk.
      apart = apart || a[axis] != b[axis];
    }
  }
  // Powers of two are cheap to multiply with, but not all of them have an inverse that is a double.
  bool plain = size > 0x1p-1000 && size < 0x1p1000;
  (void)frexp(size, exponent);
  double scale = plain ? ldexp(1, -*exponent) : 1;
  for (int k = 0; k < hull->count; k++)
    for (int axis = 0; axis < 3; axis++)
      hull->c[k][axis] = plain ? hull->c[k][axis] * scale : ldexp(hull->c[k][axis], -*exponent);
  *exponent += shrink < 1 ? 2 : 0;
  return size > 0 || (shrink < 1 && apart);
}

toi_place toi_place_on(toi_kind kind, const toi_hull *hull, toi_norm norm, const toi_nearest *nearest) {
  const toi_corner *corners = toi_corners(kind);
  placed at[TOI_MOST_CORNERS] = {0};
  for (int k = 0; k < hull->count; k++)
    at[k] = (placed){corners[k].u, corners[k].v, {hull->c[k][0], hull->c[k][1], hull->c[k][2]}};
  placed found = norm == TOI_NORM_L2 ? place_l2(at, hull->count, nearest) : place_linf(at, hull->count, nearest);
  toi_place place = {clipped(found.u), clipped(found.v)};
  // 1 - u may be rounded up, if it is above a half; then 1 - room is exact.
  double room = 1 - place.u;
  if (1 - room < place.u)
    room -= 0x1p-53;
  if (hull->count == 3)
    place.v = toi_smaller(place.v, room);
  return place;
}

void toi_place_point(const toi_hull *hull, toi_place place, double x[3]) {
  const double *c = hull->c[0], *first = hull->c[hull->count > 1], *last = hull->c[hull->count - 1];
  for (int axis = 0; axis < 3; axis++) {
    x[axis] = c[axis] + place.u * (first[axis] - c[axis]);
    x[axis] += hull->count > 2 ? place.v * (last[axis] - c[axis]) : 0;
  }
}

/* Where the parameters are better than what was found first: ties between features, thin faces. */
static void correct_nearest(const toi_hull *hull, toi_norm norm, toi_place place, toi_nearest *nearest) {
  double x[3];
  toi_place_point(hull, place, x);
  double size = toi_size_in(norm, x);
  // Close to a face its normal is better.
  if (norm == TOI_NORM_L2 && (nearest->feature.kind == TOI_FEATURE_FACE ? size > 0x1p-10 : size > 0))
    for (int axis = 0; axis < 3; axis++)
      nearest->n[axis] = x[axis] / size;
  if (norm == TOI_NORM_L2 || fabs(size - nearest->distance) > 2 * EQUALLY_NEAR)
    nearest->distance = size;
}

void toi_place_nearest(toi_kind kind, const double *query, toi_norm norm, double t, toi_hit *hit) {
  toi_hull hull = {0};
  toi_nearest nearest;
  int exponent;
  (void)toi_place_corners(kind, query, t, &hull, &exponent);
  toi_nearest_to(&hull, norm, &nearest);
  toi_place place = toi_place_on(kind, &hull, norm, &nearest);
  correct_nearest(&hull, norm, place, &nearest);
  hit->u = place.u;
  hit->v = place.v;
  hit->distance = t > 0 ? hit->separation : toi_smaller(ldexp(nearest.distance, exponent), hit->separation);
  double size = toi_size_in(TOI_NORM_L2, nearest.n);
  for (int axis = 0; axis < 3; axis++)
    hit->normal[axis] = nearest.distance > 0 && size > 0 ? nearest.n[axis] / size : 0;
  toi_place_points(kind, query, t, place, NULL, hit->point);
}
