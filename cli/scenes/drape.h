/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A scene to show and to test with: a cloth falls over a ball and through three rings, all in one fast step.
 *
 * Promise: the scene is a pure function of size and seed, the same bits on every machine; nothing touches at the start;
 * coordinates are floats. */

#ifndef SCENES_DRAPE_H
#define SCENES_DRAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The cloth, the ball, the rings. */
enum { DRAPE_CLOTH, DRAPE_BALL, DRAPE_RINGS, DRAPE_PARTS };

/* Squares along a side of the cloth. */
#define DRAPE_SIZE_MIN 4
#define DRAPE_SIZE_MAX 2000

typedef struct drape {
  float (*start)[3], (*end)[3];
  size_t vertex_count;
  uint32_t (*faces)[3];
  size_t face_count;
  /* Part p has the vertices and faces from [p] to [p + 1]. */
  size_t vertex_begin[DRAPE_PARTS + 1], face_begin[DRAPE_PARTS + 1];
} drape;

/* False, with nothing to free, if there is not enough memory. */
bool drape_make(uint32_t size, uint64_t seed, drape *scene);

void drape_free(drape *scene);

/* "cloth", "ball", "rings". */
const char *drape_part_name(int part);

/* The part that a vertex belongs to. */
int drape_part_of(const drape *scene, uint32_t vertex);

#endif
