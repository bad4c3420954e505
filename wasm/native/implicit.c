/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Implicit surfaces as triangles: one vertex in every cell of a grid in which the sign changes, moved onto the surface,
 * and a quadrangle around every edge of the grid that passes through it. */

#include <math.h>
#include <stdlib.h>

#include "sample.h"

#define STEPS 3 /* of Newton's method along the normal: enough for the eye */

typedef struct cells {
  const toi_shape *shape;
  const toi_web_pose *pose;
  double t;
  double from[3], step[3];
  uint32_t count[3]; /* cells along each axis; one more point */
  double *values;    /* at the points */
  uint32_t *vertex;  /* of the cells */
  toi_web_triangles *made;
} cells;

static size_t point_number(const cells *c, uint32_t x, uint32_t y, uint32_t z) {
  return ((size_t)x * (c->count[1] + 1) + y) * (c->count[2] + 1) + z;
}

static size_t cell_number(const cells *c, const uint32_t at[3]) {
  return ((size_t)at[0] * c->count[1] + at[1]) * c->count[2] + at[2];
}

/* A point at which the function is not defined counts as outside. */
static double value_at(const cells *c, const double at[3], double normal[3]) {
  double value;
  return toi_shape_value(c->shape, at, c->t, &value, normal) == TOI_OK && !isnan(value) ? value : (double)INFINITY;
}

static void fill_values(cells *c) {
  double normal[3];
  for (uint32_t x = 0; x <= c->count[0]; x++)
    for (uint32_t y = 0; y <= c->count[1]; y++)
      for (uint32_t z = 0; z <= c->count[2]; z++) {
        const double at[3] = {c->from[0] + x * c->step[0], c->from[1] + y * c->step[1], c->from[2] + z * c->step[2]};
        c->values[point_number(c, x, y, z)] = value_at(c, at, normal);
      }
}

/* Onto the surface, along the normal; stays where that leads out of the cell's neighbourhood. */
static void settle(const cells *c, double at[3], double normal[3]) {
  const double size = fmin(c->step[0], fmin(c->step[1], c->step[2])), small = 1e-4 * size;
  double value = value_at(c, at, normal), went = 0;
  for (int i = 0; i < STEPS && isfinite(value); i++) {
    double beyond[3], ignored[3];
    for (int k = 0; k < 3; k++)
      beyond[k] = at[k] + small * normal[k];
    const double slope = (value_at(c, beyond, ignored) - value) / small, step = -value / slope;
    went += fabs(step);
    if (!(went <= size))
      return;
    for (int k = 0; k < 3; k++)
      at[k] += step * normal[k];
    value = value_at(c, at, normal);
  }
}

/* The vertex of a cell: the mean of where its edges meet the surface. */
static uint32_t cell_vertex(const cells *c, const uint32_t cell[3]) {
  double corner[8], at[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
  for (uint32_t i = 0; i < 8; i++)
    corner[i] = c->values[point_number(c, cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2))];
  unsigned met = 0;
  for (unsigned axis = 0; axis < 3; axis++)
    for (unsigned i = 0; i < 8; i++) {
      const unsigned k = i | 1u << axis;
      if (k == i || (corner[i] < 0) == (corner[k] < 0))
        continue;
      const double along = corner[i] / (corner[i] - corner[k]), part = isfinite(along) ? along : 0.5;
      for (unsigned j = 0; j < 3; j++)
        at[j] += j == axis ? part : (double)(i >> j & 1);
      met++;
    }
  if (met == 0)
    return TOI_WEB_NO_VERTEX;
  for (int j = 0; j < 3; j++)
    at[j] = c->from[j] + (cell[j] + at[j] / met) * c->step[j];
  settle(c, at, normal);
  toi_web_place(c->pose, at, normal);
  return toi_web_add_vertex(c->made, at, normal);
}

static void fill_cells(cells *c) {
  uint32_t at[3];
  for (at[0] = 0; at[0] < c->count[0]; at[0]++)
    for (at[1] = 0; at[1] < c->count[1]; at[1]++)
      for (at[2] = 0; at[2] < c->count[2]; at[2]++)
        c->vertex[cell_number(c, at)] = cell_vertex(c, at);
}

/* The quadrangle around the edge from a point along an axis, seen from where the function is positive. */
static void join_edge(const cells *c, const uint32_t at[3], unsigned axis) {
  const unsigned b = (axis + 1) % 3, d = (axis + 2) % 3;
  if (at[b] == 0 || at[d] == 0 || at[b] == c->count[b] || at[d] == c->count[d] || at[axis] == c->count[axis])
    return;
  uint32_t next[3] = {at[0], at[1], at[2]};
  next[axis]++;
  const bool inside = c->values[point_number(c, at[0], at[1], at[2])] < 0;
  if (inside == (c->values[point_number(c, next[0], next[1], next[2])] < 0))
    return;
  uint32_t around[4];
  for (unsigned i = 0; i < 4; i++) {
    uint32_t cell[3] = {at[0], at[1], at[2]};
    cell[b] -= i == 0 || i == 3;
    cell[d] -= i < 2;
    around[i] = c->vertex[cell_number(c, cell)];
  }
  const unsigned second = inside ? 1 : 3, last = inside ? 3 : 1;
  const uint32_t one[3] = {around[0], around[second], around[2]}, two[3] = {around[0], around[2], around[last]};
  toi_web_add_triangle(c->made, one, 0);
  toi_web_add_triangle(c->made, two, 0);
}

static void join_cells(const cells *c) {
  uint32_t at[3];
  for (at[0] = 0; at[0] <= c->count[0]; at[0]++)
    for (at[1] = 0; at[1] <= c->count[1]; at[1]++)
      for (at[2] = 0; at[2] <= c->count[2]; at[2]++)
        for (unsigned axis = 0; axis < 3; axis++)
          join_edge(c, at, axis);
}

toi_status toi_web_sample_implicit(const toi_shape *shape, const toi_web_pose *pose, const toi_web_view *view,
                                   const toi_interval bounds[3], toi_web_triangles *made) {
  cells c = {.shape = shape, .pose = pose, .t = view->t, .made = made};
  double longest = 0;
  for (int k = 0; k < 3; k++)
    longest = fmax(longest, bounds[k].hi - bounds[k].lo);
  if (!(longest > 0) || !isfinite(longest))
    return TOI_ERROR_OPTION;
  size_t points = 1, all = 1;
  for (int k = 0; k < 3; k++) {
    const double length = bounds[k].hi - bounds[k].lo, wanted = ceil(view->detail * length / longest);
    c.count[k] = wanted < 2 ? 2 : (uint32_t)wanted;
    c.from[k] = bounds[k].lo;
    c.step[k] = length / c.count[k];
    points *= c.count[k] + 1;
    all *= c.count[k];
  }
  c.values = malloc(points * sizeof *c.values);
  c.vertex = malloc(all * sizeof *c.vertex);
  const bool room = c.values != NULL && c.vertex != NULL;
  if (room) {
    fill_values(&c);
    fill_cells(&c);
    join_cells(&c);
  }
  free(c.values);
  free(c.vertex);
  return room && !made->full ? TOI_OK : TOI_ERROR_MEMORY;
}
