/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models of many random patches, of all shapes, for tests. */

#ifndef TOI_TESTS_SURFACE_CROWD_H
#define TOI_TESTS_SURFACE_CROWD_H

#include "support/support.h"

#include <stdlib.h>

#include <toi/surface.h>

#define CROWD_POINTS 16

typedef struct crowd {
  toi_patch *patches;
  double (*points)[3];
  double (*velocities)[3]; /* CROWD_POINTS of each a patch */
  toi_model model;
} crowd;

static inline crowd crowd_make(size_t count) {
  crowd made = {.patches = calloc(count, sizeof(toi_patch)),
                .points = calloc(count * CROWD_POINTS, sizeof(double[3])),
                .velocities = calloc(count * CROWD_POINTS, sizeof(double[3]))};
  assert_true(made.patches && made.points && made.velocities);
  for (size_t i = 0; i < count; i++)
    made.patches[i] = (toi_patch){.degree = {3, 3},
                                  .points = (const double(*)[3])made.points + CROWD_POINTS * i,
                                  .velocities = (const double(*)[3])made.velocities + CROWD_POINTS * i};
  made.model = (toi_model){.patches = made.patches, .patch_count = count};
  return made;
}

static inline void crowd_free(crowd *made) {
  free(made->patches);
  free(made->points);
  free(made->velocities);
}

/* Patches of degree 1 to 3 of edge 1, spread over a cube of the given edge, whose points move by less than `speed` a
 * unit of time on every axis. */
static inline crowd crowd_draw(size_t count, double edge, double speed, uint64_t *seed) {
  crowd made = crowd_make(count);
  for (size_t i = 0; i < count; i++) {
    made.patches[i].shape = (toi_patch_shape)(test_random(seed) % 2);
    made.patches[i].degree[0] = 1 + (uint32_t)(test_random(seed) % 3);
    made.patches[i].degree[1] = 1 + (uint32_t)(test_random(seed) % 3);
    double at[3];
    for (int k = 0; k < 3; k++)
      at[k] = edge * test_random_unit(seed);
    for (size_t j = CROWD_POINTS * i; j < CROWD_POINTS * (i + 1); j++)
      for (int k = 0; k < 3; k++) {
        made.points[j][k] = at[k] + test_random_unit(seed);
        made.velocities[j][k] = speed * (2 * test_random_unit(seed) - 1);
      }
  }
  return made;
}

/* Bilinear patches at rest on whole numbers, whose boxes and corners touch often. */
static inline crowd crowd_on_grid(size_t count, uint64_t edge, uint64_t *seed) {
  crowd made = crowd_make(count);
  for (size_t i = 0; i < count; i++) {
    made.patches[i].degree[0] = made.patches[i].degree[1] = 1;
    made.patches[i].velocities = NULL;
    double at[3];
    for (int k = 0; k < 3; k++)
      at[k] = (double)(test_random(seed) % edge);
    for (size_t j = CROWD_POINTS * i; j < CROWD_POINTS * i + 4; j++)
      for (int k = 0; k < 3; k++)
        made.points[j][k] = at[k] + (double)(test_random(seed) % 2);
  }
  return made;
}

#endif
