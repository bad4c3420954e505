/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* From the regions that hold the closest points of a pair to features that have derivatives.
 *
 * Claim: toi_stencil_derive() succeeds on what toi_regions_with_extent() gives. Why: the kernels ask for sides longer
 * than 2^-64 M and a sine above 2^-42, here it is 2^-63 M and 2^-20; the few roundings between the two, and a side that
 * is taken from its other end there, change neither by a factor of 2.
 *
 * Bound: where a thin feature gives way to the nearest of its edges and ends, the distance grows by at most the width
 * of what was left out: every point of a face whose sides at one corner have a sine of 2^-20 is within 2^-20 of its
 * longest side of an edge, and so are the points of two edges with that sine, where they are nearest to each other, of
 * points where one of them is an end. */

#include "narrow/stencil.h"

#include <assert.h>
#include <math.h>

#include "number/vector.h"

#define THIN 0x1p-40   /* the sine squared up to which two sides make no plane */
#define SHORT 0x1p-126 /* the square of the part of the size up to which a side has no direction */

/* Squares of sizes in this range need no scaling. */
#define SMALLEST 0x1p-200
#define LARGEST 0x1p200

/* Points of the first primitive. */
static int firsts_of(toi_kind kind) {
  return kind == TOI_EDGE_EDGE ? 2 : 1;
}

/* --- features --- */

bool toi_regions_valid(toi_kind kind, toi_regions regions) {
  const int first = kind == TOI_EDGE_EDGE ? 1 : 0;
  const int second = kind == TOI_VERTEX_FACE ? 2 : kind == TOI_VERTEX_VERTEX ? 0 : 1;
  const toi_region both[2] = {regions.first, regions.second};
  const int dimensions[2] = {first, second};
  for (int k = 0; k < 2; k++) {
    // A region of full dimension is number 0; a face has three edges, and each primitive its points.
    const int count = both[k].dimension == dimensions[k] ? 1 : dimensions[k] + 1;
    if (both[k].dimension > dimensions[k] || both[k].index >= count)
      return false;
  }
  return true;
}

toi_features toi_features_of(toi_kind kind, toi_regions regions) {
  // A vertex with a corner, an edge or all of the second primitive; two edges by their ends, or all of them.
  static const toi_features of_vertex[7] = {{TOI_VERTEX_VERTEX, {0, 1}, false},    {TOI_VERTEX_VERTEX, {0, 2}, false},
                                            {TOI_VERTEX_VERTEX, {0, 3}, false},    {TOI_VERTEX_EDGE, {0, 1, 2}, false},
                                            {TOI_VERTEX_EDGE, {0, 2, 3}, false},   {TOI_VERTEX_EDGE, {0, 3, 1}, false},
                                            {TOI_VERTEX_FACE, {0, 1, 2, 3}, false}};
  static const toi_features of_edges[3][3] = {
      {{TOI_VERTEX_VERTEX, {0, 2}, false}, {TOI_VERTEX_VERTEX, {0, 3}, false}, {TOI_VERTEX_EDGE, {0, 2, 3}, false}},
      {{TOI_VERTEX_VERTEX, {1, 2}, false}, {TOI_VERTEX_VERTEX, {1, 3}, false}, {TOI_VERTEX_EDGE, {1, 2, 3}, false}},
      {{TOI_VERTEX_EDGE, {2, 0, 1}, true}, {TOI_VERTEX_EDGE, {3, 0, 1}, true}, {TOI_EDGE_EDGE, {0, 1, 2, 3}, false}}};
  assert(toi_regions_valid(kind, regions));
  if (kind == TOI_EDGE_EDGE)
    return of_edges[regions.first.dimension ? 2 : regions.first.index]
                   [regions.second.dimension ? 2 : regions.second.index];
  return of_vertex[3 * regions.second.dimension + regions.second.index];
}

/* --- extent --- */

/* Whether two sides make a plane, and each has a direction, beside a vector r. */
static bool makes_plane(const double a[3], const double b[3], const double r[3]) {
  double n[3];
  toi_cross(a, b, n);
  const double aa = toi_dot(a, a), bb = toi_dot(b, b);
  const double size = toi_larger(toi_dot(r, r), toi_larger(aa, bb));
  return aa > SHORT * size && bb > SHORT * size && toi_dot(n, n) > THIN * (aa * bb);
}

static bool is_plane(toi_kind kind, const toi_stencil_points *points) {
  const int base = firsts_of(kind);
  double a[3], b[3], r[3];
  toi_minus(points->x[0], points->x[base], r);
  if (kind == TOI_EDGE_EDGE)
    toi_minus(points->x[1], points->x[0], a);
  else
    toi_minus(points->x[2], points->x[1], a);
  toi_minus(points->x[3], points->x[base], b);
  return makes_plane(a, b, r);
}

/* The nearest point of an edge to a point: its parameter in [0, 1], and the square of the distance. */
static double nearest_on_edge(const double point[3], const double e0[3], const double e1[3], double *squared) {
  double e[3], r[3];
  toi_minus(e1, e0, e);
  toi_minus(point, e0, r);
  const double ee = toi_dot(e, e), along = ee > 0 ? toi_dot(r, e) / ee : 0;
  const double p = along > 0 ? toi_smaller(along, 1) : 0;
  for (int axis = 0; axis < 3; axis++)
    r[axis] -= p * e[axis];
  *squared = toi_dot(r, r);
  return p;
}

/* The region of an edge, number `edge` of a primitive with so many corners, with this parameter. */
static toi_region region_on_edge(double p, int edge, int corners) {
  if (p > 0 && p < 1)
    return (toi_region){1, (uint8_t)edge};
  return (toi_region){0, (uint8_t)(p > 0 ? (edge + 1) % corners : edge)};
}

/* The nearest of a face's edges; of several the first. */
static toi_regions onto_sides(const toi_stencil_points *points) {
  toi_regions best = {{0, 0}, {0, 0}};
  double least = INFINITY;
  for (int k = 0; k < 3; k++) {
    double squared;
    const double p = nearest_on_edge(points->x[0], points->x[1 + k], points->x[1 + (k + 1) % 3], &squared);
    if (!(squared < least))
      continue;
    least = squared;
    best.second = region_on_edge(p, k, 3);
  }
  return best;
}

/* The nearest of an edge's ends to the other edge; of several the first. */
static toi_regions onto_ends(const toi_stencil_points *points) {
  toi_regions best = {{0, 0}, {0, 0}};
  double least = INFINITY;
  for (int k = 0; k < 4; k++) {
    const int other = k < 2 ? 2 : 0;
    double squared;
    const double p = nearest_on_edge(points->x[k], points->x[other], points->x[other + 1], &squared);
    if (!(squared < least))
      continue;
    least = squared;
    const toi_region end = {0, (uint8_t)(k % 2)}, edge = region_on_edge(p, 0, 2);
    best = k < 2 ? (toi_regions){end, edge} : (toi_regions){edge, end};
  }
  return best;
}

/* Whether the edge among two features with three points has a direction. */
static bool is_line(const toi_stencil_points *points, const toi_features *features) {
  const double *e0 = points->x[features->points[1]], *e1 = points->x[features->points[2]];
  double e[3], r[3];
  toi_minus(e1, e0, e);
  toi_minus(points->x[features->points[0]], e0, r);
  const double ee = toi_dot(e, e);
  return ee > SHORT * toi_larger(ee, toi_dot(r, r));
}

static bool in_range(toi_kind kind, const toi_stencil_points *points) {
  double size = 0, r[3];
  for (uint32_t i = 1; i < toi_kind_points(kind); i++) {
    toi_minus(points->x[i], points->x[0], r);
    size = toi_larger(size, toi_dot(r, r));
  }
  return size > SMALLEST && size < LARGEST;
}

toi_regions toi_regions_with_extent(toi_kind kind, const toi_stencil_points *points, toi_regions regions) {
  toi_stencil_points scaled;
  int exponent;
  if (!in_range(kind, points)) {
    // All in one point: the first vertices of both.
    if (!toi_stencil_rescale(kind, points, &scaled, &exponent))
      return (toi_regions){{0, 0}, {0, 0}};
    points = &scaled;
  }
  if (regions.first.dimension + regions.second.dimension == 2) {
    if (is_plane(kind, points))
      return regions;
    regions = kind == TOI_EDGE_EDGE ? onto_ends(points) : onto_sides(points);
  }
  const toi_features features = toi_features_of(kind, regions);
  if (features.kind == TOI_VERTEX_EDGE && !is_line(points, &features)) {
    // The edge is a point: its first one.
    toi_region *edge = regions.first.dimension == 1 ? &regions.first : &regions.second;
    edge->dimension = 0;
  }
  return regions;
}
