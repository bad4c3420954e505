/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The classes of grazing queries, and queries by their numbers. */

#include "planted/grazing.h"

#include <assert.h>
#include <string.h>

#include "planted/stage.h"

static const char *const names[GRAZING_MOTIONS][GRAZING_REGIONS] = {
    [GRAZING_APPROACH] = {"approach-corner", "approach-edge", "approach-face", "approach-line"},
    [GRAZING_ARRIVE] = {"arrive-corner", "arrive-edge", "arrive-face", "arrive-line"},
    [GRAZING_LEAVE] = {"leave-corner", "leave-edge", "leave-face", "leave-line"},
    [GRAZING_STEADY] = {"steady-corner", "steady-edge", "steady-face", "steady-line"},
    [GRAZING_TANGENT] = {"tangent-corner", "tangent-edge", "tangent-face", "tangent-line"},
    [GRAZING_OBLIQUE] = {"oblique-corner", "oblique-edge", "oblique-face", "oblique-line"},
};

static const char *const motions[GRAZING_MOTIONS] = {
    [GRAZING_APPROACH] = "the distance falls through d at a planted time",
    [GRAZING_ARRIVE] = "the distance ends at d, or one unit above or below it",
    [GRAZING_LEAVE] = "the distance begins at d, or one unit above or below it, and grows",
    [GRAZING_STEADY] = "the distance is d for the whole step, or one unit more or less",
    [GRAZING_TANGENT] = "the distance touches d, or comes within a few units of it, and grows again",
    [GRAZING_OBLIQUE] = "they pass each other well within d",
};

static const uint32_t kinds[GRAZING_REGIONS] = {
    [GRAZING_CORNER] = 1u << TOI_VERTEX_FACE | 1u << TOI_EDGE_EDGE | 1u << TOI_VERTEX_EDGE | 1u << TOI_VERTEX_VERTEX,
    [GRAZING_EDGE] = 1u << TOI_VERTEX_FACE | 1u << TOI_EDGE_EDGE | 1u << TOI_VERTEX_EDGE,
    [GRAZING_FACE] = 1u << TOI_VERTEX_FACE | 1u << TOI_EDGE_EDGE,
    [GRAZING_PARALLEL] = 1u << TOI_VERTEX_FACE | 1u << TOI_EDGE_EDGE,
};

enum { CLASSES = (int)GRAZING_MOTIONS * (int)GRAZING_REGIONS };

static grazing_motion motion_of(uint32_t number) {
  return (grazing_motion)(number / GRAZING_REGIONS);
}

static grazing_region region_of(uint32_t number) {
  return (grazing_region)(number % GRAZING_REGIONS);
}

uint32_t grazing_class_count(void) {
  return CLASSES;
}

const char *grazing_class_name(uint32_t number) {
  return number < CLASSES ? names[motion_of(number)][region_of(number)] : NULL;
}

const char *grazing_class_description(uint32_t number) {
  return number < CLASSES ? motions[motion_of(number)] : NULL;
}

bool grazing_class_has(uint32_t number, toi_kind kind) {
  return number < CLASSES && (unsigned)kind < TOI_KIND_COUNT && ((kinds[region_of(number)] >> kind) & 1) != 0;
}

void grazing_make(uint32_t number, toi_kind kind, const grazing_group *group, uint64_t seed, uint64_t index,
                  planted_query *query) {
  assert(grazing_class_has(number, kind));
  planted_draft draft;
  memset(&draft, 0, sizeof draft);
  draft.random = planted_seed(seed, (uint64_t)number << 8 | (uint64_t)group->norm << 4 | (uint64_t)kind, index);
  draft.kind = kind;
  draft.points = planted_points(kind);
  draft.first = planted_first_points(kind);
  draft.rigid = true;
  draft.unit[0] = draft.unit[1] = draft.unit[2] = group->exponent;

  grazing_stage stage;
  if (group->norm == TOI_NORM_L2)
    grazing_stage_l2(&draft, group, motion_of(number), &stage);
  else
    grazing_stage_linf(&draft, group, motion_of(number), region_of(number), &stage);
  grazing_shape(&draft, &stage, region_of(number));
  planted_finish(&draft, query);
  query->number = number;
}
