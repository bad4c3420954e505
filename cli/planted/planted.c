/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The table of classes, and queries by their number. */

#include "planted/draft.h"

#include <assert.h>
#include <string.h>

enum {
  FACE = 1u << TOI_VERTEX_FACE,
  EDGES = 1u << TOI_EDGE_EDGE,
  POINT_EDGE = 1u << TOI_VERTEX_EDGE,
  POINTS = 1u << TOI_VERTEX_VERTEX,
  SOLID = FACE | EDGES,
  LONG = SOLID | POINT_EDGE,
  ALL = LONG | POINTS
};

typedef struct planted_class {
  const char *name, *description;
  planted_maker make;
  uint32_t kinds;
  uint32_t weight; /* in the mixture */
  bool degenerate;
} planted_class;

static const planted_class classes[] = {
    {"inside", "contact inside the primitives, everything on one side before it", planted_inside, ALL, 6, false},
    {"edge", "a vertex meets the inside of an edge", planted_edge, LONG, 2, true},
    {"corner", "a vertex meets a vertex", planted_corner, ALL, 2, true},
    {"outside", "coplanar for an instant, with or without contact", planted_outside, LONG, 6, false},
    {"coplanar", "motion within one plane", planted_coplanar, LONG, 2, true},
    {"collinear", "motion along one line", planted_collinear, ALL, 2, true},
    {"parallel", "all points on one line or on two parallel lines at the time of contact", planted_parallel, LONG, 2,
     true},
    {"collapsed", "triangles and edges shrunk to segments or points", planted_collapsed, LONG, 2, true},
    {"near-boundary", "contact on the boundary, moved by at most one unit", planted_near_boundary, LONG, 2, true},
    {"near-time", "contact at the start or the end, at most one unit too early or too late", planted_near_time, ALL, 2,
     true},
    {"at-start", "contact exactly at t = 0", planted_at_start, ALL, 2, true},
    {"at-end", "contact exactly at t = 1", planted_at_end, ALL, 2, true},
};

enum { CLASSES = sizeof classes / sizeof classes[0] };

uint32_t planted_class_count(void) {
  return CLASSES;
}

const char *planted_class_name(uint32_t number) {
  return number < CLASSES ? classes[number].name : NULL;
}

const char *planted_class_description(uint32_t number) {
  return number < CLASSES ? classes[number].description : NULL;
}

bool planted_class_has(uint32_t number, toi_kind kind) {
  return number < CLASSES && (unsigned)kind < TOI_KIND_COUNT && ((classes[number].kinds >> kind) & 1) != 0;
}

bool planted_class_is_degenerate(uint32_t number) {
  return number < CLASSES && classes[number].degenerate;
}

uint32_t planted_points(toi_kind kind) {
  static const uint32_t points[TOI_KIND_COUNT] = {4, 4, 3, 2};
  return (unsigned)kind < TOI_KIND_COUNT ? points[kind] : 0;
}

uint32_t planted_first_points(toi_kind kind) {
  return kind == TOI_EDGE_EDGE ? 2 : 1;
}

/* Faces and edges more often than the rest. */
static toi_kind some_kind(planted_random *random, uint32_t number) {
  static const toi_kind kinds[] = {TOI_VERTEX_FACE, TOI_VERTEX_FACE, TOI_VERTEX_FACE, TOI_EDGE_EDGE,
                                   TOI_EDGE_EDGE,   TOI_EDGE_EDGE,   TOI_VERTEX_EDGE, TOI_VERTEX_VERTEX};
  toi_kind kind;
  do {
    kind = kinds[planted_bits(random) % 8];
  } while (!planted_class_has(number, kind));
  return kind;
}

void planted_make(uint32_t number, toi_kind kind, uint64_t seed, uint64_t index, planted_query *query) {
  assert(number < CLASSES && (kind == PLANTED_ANY || planted_class_has(number, kind)));
  planted_draft draft;
  memset(&draft, 0, sizeof draft);
  draft.random = planted_seed(seed, number, index);
  draft.kind = kind == PLANTED_ANY ? some_kind(&draft.random, number) : kind;
  draft.points = planted_points(draft.kind);
  draft.first = planted_first_points(draft.kind);
  draft.unit[0] = draft.unit[1] = draft.unit[2] = (int)planted_between(&draft.random, -30, 10);

  classes[number].make(&draft);
  planted_finish(&draft, query);
  query->number = number;
}

void planted_mixed(toi_kind kind, uint64_t seed, uint64_t index, planted_query *query) {
  uint32_t total = 0;
  for (uint32_t i = 0; i < CLASSES; i++) {
    total += kind == PLANTED_ANY || planted_class_has(i, kind) ? classes[i].weight : 0;
  }
  planted_random random = planted_seed(seed, CLASSES, index);
  uint32_t ticket = (uint32_t)(planted_bits(&random) % total);
  uint32_t number = 0;
  for (;; number++) {
    const uint32_t weight = kind == PLANTED_ANY || planted_class_has(number, kind) ? classes[number].weight : 0;
    if (ticket < weight) {
      break;
    }
    ticket -= weight;
  }
  planted_make(number, kind, seed, index, query);
}
