/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The table of kinds: what a query is made of, and which differences are its corners. */

#include "narrow/hull.h"

#include <assert.h>

typedef struct kind_description {
  const char *name;
  uint32_t points;
  unsigned corner_count;
  toi_corner corners[TOI_MOST_CORNERS];
} kind_description;

static const kind_description kinds[TOI_KIND_COUNT] = {
    [TOI_VERTEX_FACE] = {"vertex-face", 4, 3, {{0, 1, 0, 0}, {0, 2, 1, 0}, {0, 3, 0, 1}}},
    [TOI_EDGE_EDGE] = {"edge-edge", 4, 4, {{0, 2, 0, 0}, {1, 2, 1, 0}, {1, 3, 1, 1}, {0, 3, 0, 1}}},
    [TOI_VERTEX_EDGE] = {"vertex-edge", 3, 2, {{0, 1, 0, 0}, {0, 2, 1, 0}}},
    [TOI_VERTEX_VERTEX] = {"vertex-vertex", 2, 1, {{0, 1, 0, 0}}},
};

static bool is_kind(toi_kind kind) {
  return (unsigned)kind < TOI_KIND_COUNT;
}

uint32_t toi_kind_points(toi_kind kind) {
  return is_kind(kind) ? kinds[kind].points : 0;
}

const char *toi_kind_name(toi_kind kind) {
  if (is_kind(kind))
    return kinds[kind].name;
  static const char *const others[] = {"edge-face", "face-face", "vertex-half-space"};
  return kind >= TOI_EDGE_FACE && kind <= TOI_VERTEX_HALF_SPACE ? others[kind - TOI_EDGE_FACE] : NULL;
}

const char *toi_point_name(toi_kind kind, size_t point) {
  static const char *const names[TOI_KIND_COUNT][4] = {
      {"v", "f0", "f1", "f2"}, {"ea0", "ea1", "eb0", "eb1"}, {"v", "e0", "e1"}, {"a", "b"}};
  assert(is_kind(kind) && point < kinds[kind].points);
  return names[kind][point];
}

unsigned toi_corner_count(toi_kind kind) {
  assert(is_kind(kind));
  return kinds[kind].corner_count;
}

const toi_corner *toi_corners(toi_kind kind) {
  assert(is_kind(kind));
  return kinds[kind].corners;
}

void toi_point_at(toi_kind kind, const double *query, double t, size_t point, double out[3]) {
  const double *start = query + 3 * point, *end = start + (size_t)3 * toi_kind_points(kind);
  for (size_t axis = 0; axis < 3; axis++)
    out[axis] = (1 - t) * start[axis] + t * end[axis];
}
