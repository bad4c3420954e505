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
    {"generic-hit", "one planted contact in general position", planted_generic_hit, ALL, 20, false},
    {"generic-miss", "a plane separates them for the whole step", planted_generic_miss, ALL, 20, false},
    {"inside", "contact inside the primitives, everything on one side before it", planted_inside, ALL, 20, false},
    {"outside", "coplanar for an instant, with or without contact", planted_outside, LONG, 20, false},
    {"irrational", "contact at the irrational root of a cubic", planted_irrational, SOLID, 8, false},
    {"roots", "a cubic with three rational roots, some of them contacts", planted_roots, SOLID, 8, false},
    {"returning", "contact at two times or more", planted_returning, SOLID, 4, false},
    {"irrational-edge", "a vertex meets an edge at an irrational time", planted_irrational_edge, LONG, 8, true},
    {"edge", "a vertex meets the inside of an edge", planted_edge, LONG, 8, true},
    {"corner", "a vertex meets a vertex", planted_corner, ALL, 8, true},
    {"coplanar", "motion within one plane", planted_coplanar, LONG, 8, true},
    {"collinear", "motion along one line", planted_collinear, ALL, 8, true},
    {"parallel", "all points on one line or on two parallel lines at the time of contact", planted_parallel, LONG, 8,
     true},
    {"collapsed", "triangles and edges shrunk to segments or points", planted_collapsed, LONG, 8, true},
    {"near-boundary", "contact on the boundary, moved by at most one unit", planted_near_boundary, LONG, 8, true},
    {"near-time", "contact at the start or the end, at most one unit too early or too late", planted_near_time, ALL, 8,
     true},
    {"at-start", "contact exactly at t = 0", planted_at_start, ALL, 8, true},
    {"at-end", "contact exactly at t = 1", planted_at_end, ALL, 8, true},
    {"at-rest", "no relative motion, touching or not", planted_at_rest, ALL, 8, true},
    {"duplicate", "a vertex that both primitives share", planted_duplicate, ALL, 8, true},
    {"riding", "coplanar for the whole step, in contact throughout or never", planted_riding, LONG, 8, true},
    {"gliding", "a contact point that wanders into the primitives through a turning plane", planted_gliding, LONG, 8,
     true},
    {"double-root", "a cubic that touches zero", planted_double_root, SOLID, 8, true},
    {"triple-root", "a cubic with one triple root", planted_triple_root, SOLID, 8, true},
    {"close-roots", "two roots closer than 2^-53", planted_close_roots, SOLID, 8, true},
    {"positive", "a cubic without a root in the step, but almost", planted_positive, SOLID, 8, true},
    {"hourglass", "a triangle that turns inside out (Wang 2021, appendix B)", planted_hourglass, FACE, 4, true},
    {"inflection", "a cubic with an inflection point (Wang 2021, appendix C)", planted_inflection, FACE, 4, true},
    {"slide", "a triangle gliding in its plane over a vertex (Wang 2021, appendix C)", planted_slide, FACE | POINT_EDGE,
     4, true},
    {"mixed-magnitude", "two vertices meet at t = 1, coordinates of all magnitudes", planted_mixed_magnitude, ALL, 8,
     true},
    {"one-ulp", "the same, missed by one ulp", planted_one_ulp, ALL, 8, true},
    {"tiny-time", "contact at times below 2^-960", planted_tiny_time, ALL, 8, true},
    {"scaled", "other classes with coordinates from 2^-500 to 2^300", planted_scaled, ALL, 8, true},
    {"extreme", "other classes with coordinates from 2^-1074 to 2^1023", planted_extreme, ALL, 8, true},
    {"offset", "other classes, far from the origin", planted_offset, ALL, 8, true},
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
  for (uint32_t i = 0; i < CLASSES; i++)
    total += kind == PLANTED_ANY || planted_class_has(i, kind) ? classes[i].weight : 0;
  planted_random random = planted_seed(seed, CLASSES, index);
  uint32_t ticket = (uint32_t)(planted_bits(&random) % total);
  uint32_t number = 0;
  for (;; number++) {
    const uint32_t weight = kind == PLANTED_ANY || planted_class_has(number, kind) ? classes[number].weight : 0;
    if (ticket < weight)
      break;
    ticket -= weight;
  }
  planted_make(number, kind, seed, index, query);
}
