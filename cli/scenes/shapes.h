/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes to make scenes of: a sheet, a ball and a ring, each of unit size about the origin.
 *
 * Promise: points come from sums, products, quotients and square roots only, which IEEE arithmetic fixes to the bit, so
 * that a shape is the same on every machine. Faces are numbered from the shape's own points. */

#ifndef SCENES_SHAPES_H
#define SCENES_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct shape {
  double (*points)[3];
  size_t point_count;
  uint32_t (*faces)[3];
  size_t face_count;
} shape;

/* Each returns false, with nothing to free, if there is not enough memory. */

/* The square [-1, 1] x [-1, 1] at z = 0, cells x cells squares of two triangles each, their diagonals in turn. */
bool shape_sheet(uint32_t cells, shape *made);

/* The unit sphere: an octahedron whose edges are cut into `cuts` pieces, blown up. 8 cuts^2 triangles, facing out. */
bool shape_ball(uint32_t cuts, shape *made);

/* A torus about the z axis, of radius 1 and the given thickness: 16 * eighths * across triangles, facing out. `across`
 * is a multiple of 8. */
bool shape_ring(uint32_t eighths, uint32_t across, double thickness, shape *made);

void shape_free(shape *made);

/* Point k of 8 * eighths on the unit circle, almost evenly spaced, from (1, 0) towards (0, 1). */
void circle_point(uint32_t k, uint32_t eighths, double point[2]);

#endif
