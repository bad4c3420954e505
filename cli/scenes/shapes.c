/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes by their rational or algebraic parametrisations: no sine, whose last bit differs between machines. */

#include "scenes/shapes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static bool shape_make(size_t points, size_t faces, shape *made) {
  *made = (shape){.points = calloc(points, sizeof *made->points), .faces = calloc(faces, sizeof *made->faces)};
  if (made->points == NULL || made->faces == NULL) {
    shape_free(made);
    return false;
  }
  return true;
}

void shape_free(shape *made) {
  free(made->points);
  free(made->faces);
  *made = (shape){0};
}

static void add_point(shape *made, double x, double y, double z) {
  double *point = made->points[made->point_count++];
  point[0] = x;
  point[1] = y;
  point[2] = z;
}

static void add_face(shape *made, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *face = made->faces[made->face_count++];
  face[0] = a;
  face[1] = b;
  face[2] = c;
}

/* Two triangles, a and c on the diagonal between them. */
static void add_square(shape *made, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  add_face(made, a, b, c);
  add_face(made, a, c, d);
}

/* --- the sheet --- */

bool shape_sheet(uint32_t cells, shape *made) {
  const uint32_t side = cells + 1;
  if (!shape_make((size_t)side * side, 2 * (size_t)cells * cells, made))
    return false;
  for (uint32_t j = 0; j < side; j++)
    for (uint32_t i = 0; i < side; i++)
      add_point(made, 2.0 * i / cells - 1, 2.0 * j / cells - 1, 0);
  for (uint32_t j = 0; j < cells; j++) {
    for (uint32_t i = 0; i < cells; i++) {
      const uint32_t a = j * side + i, b = a + 1, c = b + side, d = a + side;
      if ((i + j) % 2 == 0)
        add_square(made, a, b, c, d);
      else
        add_square(made, b, c, d, a);
    }
  }
  return true;
}

/* --- the ball --- */

/* The number of the lattice point (x, y, z), |x| + |y| + |z| = cuts: row by row of y, the upper half and the rim first,
 * then the lower half. A row holds the x with |x| <= room. */
static uint32_t lattice_number(int32_t cuts, int32_t x, int32_t y, bool below) {
  const int32_t room = cuts - abs(y);
  // Rows above y hold 2 room + 1 points each (below: two less, without the rim).
  int32_t before;
  if (!below) {
    before = y <= 0 ? (cuts + y) * (cuts + y) : 2 * cuts * cuts + 2 * cuts + 1 - (room + 1) * (room + 1);
    return (uint32_t)(before + x + room);
  }
  const int32_t upper = 2 * cuts * cuts + 2 * cuts + 1, inner = cuts - 1;
  before = y <= 0 ? (inner + y) * (inner + y) : 2 * inner * inner + 2 * inner + 1 - room * room;
  return (uint32_t)(upper + before + x + room - 1);
}

static void add_lattice_points(shape *made, int32_t cuts, bool below) {
  const int32_t top = below ? cuts - 1 : cuts;
  for (int32_t y = -top; y <= top; y++) {
    const int32_t reach = top - abs(y);
    for (int32_t x = -reach; x <= reach; x++) {
      assert(made->point_count == lattice_number(cuts, x, y, below));
      const double z = (below ? -1.0 : 1.0) * (cuts - abs(x) - abs(y));
      const double length = sqrt((double)x * x + (double)y * y + z * z);
      add_point(made, x / length, y / length, z / length);
    }
  }
}

/* The corner (a, b) of an eighth of the lattice. */
static uint32_t eighth_corner(int32_t cuts, const int32_t sign[3], int32_t a, int32_t b) {
  const bool below = sign[2] < 0 && a + b < cuts;
  return lattice_number(cuts, sign[0] * a, sign[1] * b, below);
}

static void add_eighth(shape *made, int32_t cuts, const int32_t sign[3]) {
  const bool flip = sign[0] * sign[1] * sign[2] < 0;
  for (int32_t b = 0; b < cuts; b++) {
    for (int32_t a = 0; a + b < cuts; a++) {
      const uint32_t p = eighth_corner(cuts, sign, a, b), q = eighth_corner(cuts, sign, a + 1, b);
      const uint32_t r = eighth_corner(cuts, sign, a, b + 1);
      add_face(made, p, flip ? r : q, flip ? q : r);
      if (a + b + 1 < cuts) {
        const uint32_t s = eighth_corner(cuts, sign, a + 1, b + 1);
        add_face(made, q, flip ? r : s, flip ? s : r);
      }
    }
  }
}

bool shape_ball(uint32_t cuts, shape *made) {
  if (!shape_make(4 * (size_t)cuts * cuts + 2, 8 * (size_t)cuts * cuts, made))
    return false;
  add_lattice_points(made, (int32_t)cuts, false);
  add_lattice_points(made, (int32_t)cuts, true);
  for (int32_t eighth = 0; eighth < 8; eighth++) {
    const int32_t sign[3] = {1 - 2 * (eighth & 1), 1 - (eighth & 2), 1 - (eighth & 4) / 2};
    add_eighth(made, (int32_t)cuts, sign);
  }
  return true;
}

/* --- the ring --- */

void circle_point(uint32_t k, uint32_t eighths, double point[2]) {
  const uint32_t eighth = k / eighths % 8, step = k % eighths;
  // Odd eighths are run through backwards and mirrored at the diagonal.
  const uint32_t i = eighth % 2 == 0 ? step : eighths - step;
  const double t = (sqrt(2.0) - 1) * i / eighths;
  const double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
  const double x = eighth % 2 == 0 ? c : s, y = eighth % 2 == 0 ? s : c;
  switch (eighth / 2) {
  case 0:
    point[0] = x, point[1] = y;
    break;
  case 1:
    point[0] = -y, point[1] = x;
    break;
  case 2:
    point[0] = -x, point[1] = -y;
    break;
  default:
    point[0] = y, point[1] = -x;
    break;
  }
}

bool shape_ring(uint32_t eighths, uint32_t across, double thickness, shape *made) {
  const uint32_t around = 8 * eighths;
  assert(across % 8 == 0);
  if (!shape_make((size_t)around * across, 2 * (size_t)around * across, made))
    return false;
  for (uint32_t j = 0; j < around; j++) {
    double large[2];
    circle_point(j, eighths, large);
    for (uint32_t i = 0; i < across; i++) {
      double small[2];
      circle_point(i, across / 8, small);
      const double reach = 1 + thickness * small[0];
      add_point(made, reach * large[0], reach * large[1], thickness * small[1]);
    }
  }
  for (uint32_t j = 0; j < around; j++) {
    for (uint32_t i = 0; i < across; i++) {
      const uint32_t here = j * across, next = (j + 1) % around * across, up = (i + 1) % across;
      add_square(made, here + i, next + i, next + up, here + up);
    }
  }
  return true;
}
