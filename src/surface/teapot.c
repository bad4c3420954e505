/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The Utah teapot: Martin Newell's 28 bicubic patches of 1975 at the height that they are commonly drawn with, and the
 * four of the bottom that were added to them.
 *
 * Its control points are symmetric, so that a few numbers say them all: six profiles that are turned about the z axis
 * in quarters, and the sections of handle and spout, which are mirrored at the plane y = 0. Coordinates are the doubles
 * next to the published decimals; what is meant is what is given. u follows a profile or the length of handle and
 * spout, v goes around, and all normals point outwards. The middle of the lid and that of the bottom are edges
 * collapsed to a point. In order: rim, body, handle, spout, lid, bottom. */

#include "surface/builder.h"

#define PATCHES 32
#define PATCH_POINTS 16

/* A ring of control points: a quarter of it is (r, 0), (r, s), (s, r), (0, r), all at height z. */
typedef struct ring {
  double r, s, z;
} ring;

/* A section: (x, 0, z), (x, y, z), (x', y, z'), (x', 0, z'), and back on the other side. */
typedef struct section {
  double x[2], z[2], y;
} section;

/* Four rings a row of patches. */
static const ring rim[4] = {{1.4, 0.784, 2.4}, {1.3375, 0.749, 2.53125}, {1.4375, 0.805, 2.53125}, {1.5, 0.84, 2.4}};
static const ring shoulder[4] = {{1.5, 0.84, 2.4}, {1.75, 0.98, 1.875}, {2, 1.12, 1.35}, {2, 1.12, 0.9}};
static const ring belly[4] = {{2, 1.12, 0.9}, {2, 1.12, 0.45}, {1.5, 0.84, 0.225}, {1.5, 0.84, 0.15}};
static const ring knob[4] = {{0, 0, 3.15}, {0.8, 0.45, 3.15}, {0, 0, 2.85}, {0.2, 0.112, 2.7}};
static const ring lid[4] = {{0.2, 0.112, 2.7}, {0.4, 0.224, 2.55}, {1.3, 0.728, 2.55}, {1.3, 0.728, 2.4}};
static const ring bottom[4] = {{0, 0, 0}, {1.425, 0.798, 0}, {1.5, 0.84, 0.075}, {1.5, 0.84, 0.15}};

/* Seven sections for two patches one after the other; both have the fourth. */
static const section handle[7] = {{{-1.6, -1.5}, {2.025, 2.25}, 0.3}, {{-2.3, -2.5}, {2.025, 2.25}, 0.3},
                                  {{-2.7, -3}, {2.025, 2.25}, 0.3},   {{-2.7, -3}, {1.8, 1.8}, 0.3},
                                  {{-2.7, -3}, {1.575, 1.35}, 0.3},   {{-2.5, -2.65}, {1.125, 0.9375}, 0.3},
                                  {{-2, -1.9}, {0.9, 0.6}, 0.3}};
static const section spout[7] = {{{1.7, 1.7}, {1.425, 0.6}, 0.66},       {{2.6, 3.1}, {1.425, 0.825}, 0.66},
                                 {{2.3, 2.4}, {2.1, 2.025}, 0.25},       {{2.7, 3.3}, {2.4, 2.4}, 0.25},
                                 {{2.8, 3.525}, {2.475, 2.49375}, 0.25}, {{2.9, 3.45}, {2.475, 2.5125}, 0.15},
                                 {{2.8, 3.2}, {2.4, 2.4}, 0.15}};

static void put(double point[3], double x, double y, double z) {
  point[0] = x;
  point[1] = y;
  point[2] = z;
}

/* Zero keeps its sign, so that equal points have equal bits. */
static double minus(double x) {
  return x == 0 ? 0 : -x;
}

/* A quarter turn, `times` times, counterclockwise (way 1) or clockwise (-1). */
static void turn(double point[3], int times, int way) {
  for (int k = 0; k < times; k++) {
    const double x = point[0], y = point[1];
    point[0] = way > 0 ? minus(y) : y;
    point[1] = way > 0 ? x : minus(x);
  }
}

/* Four patches around the axis. v goes clockwise for the bottom, so that its normals point down. */
static void add_rings(toi_builder *builder, const ring rings[4], int way) {
  for (int quarter = 0; quarter < 4; quarter++) {
    const toi_draft draft = toi_builder_quad(builder, 3, 3);
    for (size_t i = 0; i < 4; i++) {
      const ring *at = &rings[i];
      double(*row)[3] = draft.points + 4 * i;
      put(row[0], at->r, 0, at->z);
      put(row[1], at->r, way > 0 ? at->s : minus(at->s), at->z);
      put(row[2], at->s, way > 0 ? at->r : minus(at->r), at->z);
      put(row[3], 0, way > 0 ? at->r : minus(at->r), at->z);
      for (size_t j = 0; j < 4; j++)
        turn(row[j], quarter, way);
    }
  }
}

/* Two patches: the side of positive y from the first end of the sections to the second, and the other side back. */
static void add_tube(toi_builder *builder, const section sections[4]) {
  for (size_t side = 0; side < 2; side++) {
    const toi_draft draft = toi_builder_quad(builder, 3, 3);
    for (size_t i = 0; i < 4; i++) {
      const section *at = &sections[i];
      double(*row)[3] = draft.points + 4 * i;
      const size_t from = side, to = 1 - side;
      const double y = side == 0 ? at->y : -at->y;
      put(row[0], at->x[from], 0, at->z[from]);
      put(row[1], at->x[from], y, at->z[from]);
      put(row[2], at->x[to], y, at->z[to]);
      put(row[3], at->x[to], 0, at->z[to]);
    }
  }
}

static TOI_APART toi_status make_teapot(toi_context *context, toi_model *model) {
  if (model != NULL)
    *model = (toi_model){0};
  if (context == NULL || model == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_model_teapot needs a context and a place for the model");
  const toi_model_size size = {.patches = PATCHES, .points = PATCHES * PATCH_POINTS};
  toi_builder builder;
  const toi_status status = toi_builder_start(context, &size, model, &builder);
  if (status != TOI_OK)
    return status;
  add_rings(&builder, rim, 1);
  add_rings(&builder, shoulder, 1);
  add_rings(&builder, belly, 1);
  add_tube(&builder, handle);
  add_tube(&builder, handle + 3);
  add_tube(&builder, spout);
  add_tube(&builder, spout + 3);
  add_rings(&builder, knob, 1);
  add_rings(&builder, lid, 1);
  add_rings(&builder, bottom, -1);
  return TOI_OK;
}

toi_status toi_model_teapot(toi_context *context, toi_model *model) {
  TOI_CALL(context, make_teapot(context, model));
}
