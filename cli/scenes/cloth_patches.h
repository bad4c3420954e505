/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Cloths of bicubic patches: one that falls on the Utah teapot, at five moments, and one that hangs by two corners and
 * meets itself (after Chen 2024, figures 7 and 8, whose cloths are of bicubic Hermite patches too).
 *
 * Promise: a cloth is a pure function of its size and the moment, the same bits on every machine; patches join smoothly
 * (C1), and those side by side have the same control points and velocities along their edge; nothing touches at the
 * start. Lengths are those of the teapot, whose knob is 3.15 above the ground; velocities are per second. */

#ifndef SCENES_CLOTH_PATCHES_H
#define SCENES_CLOTH_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Patches along a side. */
#define CLOTH_SIZE_MIN 2
#define CLOTH_SIZE_MAX 1000

/* Control points of a patch: number 4 i + j carries the Bernstein polynomials i of u and j of v. */
#define CLOTH_PATCH_POINTS 16

typedef enum cloth_moment {
  CLOTH_FALLS = 0, /* level, just above the knob */
  CLOTH_LANDS,     /* held up by the knob, its sides falling fast on rim, spout and handle */
  CLOTH_SLIDES,    /* lies on the teapot and slides over it, hardly any closer */
  CLOTH_SLIPS,     /* has slid towards the handle, and turns about it */
  CLOTH_LEAVES,    /* beside the teapot, on its way down */
  CLOTH_MOMENTS
} cloth_moment;

typedef struct cloth_patches {
  size_t count; /* patches; size * size */
  double (*points)[3];
  double (*velocities)[3]; /* CLOTH_PATCH_POINTS of each for a patch */
} cloth_patches;

/* Each returns false, with nothing to free, if there is not enough memory. */
bool cloth_over_teapot(uint32_t size, cloth_moment moment, cloth_patches *cloth);
bool cloth_pinned(uint32_t size, cloth_patches *cloth);

void cloth_free(cloth_patches *cloth);

/* "falls", "lands", and so on. */
const char *cloth_moment_name(cloth_moment moment);

#endif
