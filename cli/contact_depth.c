/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What is in front of what, on a coarse grid of the paper: parametric surfaces as small triangles, implicit ones by
 * walking from the eye through each cell.
 *
 * Near an outline the nearest surface changes much within a cell; a point counts as hidden only if something lies
 * before it in all cells around, and by more than a margin. So lines end a little late there, and never too early. */

#include <math.h>
#include <stdlib.h>

#include "contact_paper.h"
#include "memory.h"

#define CELL 5.0    /* pixels */
#define PIECES 96   /* of a parametric surface, in each direction */
#define STEPS 48    /* of a walk through an implicit one */
#define MARGIN 0.02 /* of the size of the scene */

double paper_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void paper_project(const paper *p, const double at[3], double pixel[2], double *nearness) {
  pixel[0] = p->scale * (paper_dot(p->right, at) - p->x_lo);
  pixel[1] = p->scale * (p->y_hi - paper_dot(p->up, at));
  *nearness = paper_dot(p->towards, at);
}

bool depth_map_make(const paper *p, depth_map *map) {
  *map = (depth_map){.paper = p, .columns = (int)(p->width / CELL) + 1, .rows = (int)(p->height / CELL) + 1};
  const size_t count = (size_t)map->columns * (size_t)map->rows;
  map->cells = memory_allocate(count * sizeof *map->cells);
  for (size_t i = 0; map->cells != NULL && i < count; i++)
    map->cells[i] = -(double)INFINITY;
  return map->cells != NULL;
}

void depth_map_free(depth_map *map) {
  memory_free(map->cells);
  *map = (depth_map){0};
}

static double *cell_at(const depth_map *map, int column, int row) {
  return &map->cells[(size_t)row * (size_t)map->columns + (size_t)column];
}

/* --- parametric surfaces --- */

typedef struct corner {
  double x, y, nearness; /* in cells */
  bool known;
} corner;

static double smallest(double a, double b, double c) {
  return fmin(a, fmin(b, c));
}

static double largest(double a, double b, double c) {
  return fmax(a, fmax(b, c));
}

/* Raises the cells whose middle lies in the triangle. */
static void put_triangle(depth_map *map, const corner *a, const corner *b, const corner *c) {
  const double area = (b->x - a->x) * (c->y - a->y) - (c->x - a->x) * (b->y - a->y);
  if (!a->known || !b->known || !c->known || area == 0)
    return;
  const int left = (int)fmax(0, ceil(smallest(a->x, b->x, c->x) - 0.5));
  const int right = (int)fmin(map->columns - 1, floor(largest(a->x, b->x, c->x) - 0.5));
  const int top = (int)fmax(0, ceil(smallest(a->y, b->y, c->y) - 0.5));
  const int bottom = (int)fmin(map->rows - 1, floor(largest(a->y, b->y, c->y) - 0.5));
  for (int row = top; row <= bottom; row++) {
    for (int column = left; column <= right; column++) {
      const double x = column + 0.5, y = row + 0.5;
      const double of_b = ((x - a->x) * (c->y - a->y) - (c->x - a->x) * (y - a->y)) / area;
      const double of_c = ((b->x - a->x) * (y - a->y) - (x - a->x) * (b->y - a->y)) / area;
      if (of_b >= 0 && of_c >= 0 && of_b + of_c <= 1) {
        double *cell = cell_at(map, column, row);
        *cell = fmax(*cell, a->nearness + of_b * (b->nearness - a->nearness) + of_c * (c->nearness - a->nearness));
      }
    }
  }
}

static corner find_corner(const depth_map *map, const drawing *d, int i, int k) {
  const toi_interval u = d->extent.u, v = d->extent.v;
  double at[3], normal[3], pixel[2];
  corner found = {0};
  if (toi_shape_point(d->shape, u.lo + (u.hi - u.lo) * i / PIECES, v.lo + (v.hi - v.lo) * k / PIECES, d->t, at,
                      normal) != TOI_OK)
    return found;
  paper_project(map->paper, drawing_place(d, at, normal).at, pixel, &found.nearness);
  found.x = pixel[0] / CELL;
  found.y = pixel[1] / CELL;
  found.known = isfinite(found.x) && isfinite(found.y) && isfinite(found.nearness);
  return found;
}

static void put_parametric(depth_map *map, const drawing *d) {
  corner rows[2][PIECES + 1];
  for (int i = 0; i <= PIECES; i++) {
    corner *here = rows[i % 2];
    const corner *before = rows[(i + 1) % 2];
    for (int k = 0; k <= PIECES; k++)
      here[k] = find_corner(map, d, i, k);
    for (int k = 0; i > 0 && k < PIECES; k++) {
      put_triangle(map, &before[k], &before[k + 1], &here[k]);
      put_triangle(map, &here[k], &here[k + 1], &before[k + 1]);
    }
  }
}

/* --- implicit surfaces --- */

/* A point of the world in the coordinates of the body; a direction, if it does not count where the body is. */
static void to_own(const drawing *d, const double world[3], bool direction, double own[3]) {
  for (int k = 0; k < 3; k++) {
    own[k] = 0;
    for (int i = 0; i < 3; i++)
      own[k] += d->rotation[i][k] * (world[i] - (direction ? 0 : d->translation[i]));
  }
}

/* The part of a line from + s along in a box; false if there is none. */
static bool clip(const double from[3], const double along[3], const toi_interval box[3], toi_interval *part) {
  *part = (toi_interval){-(double)INFINITY, (double)INFINITY};
  for (int k = 0; k < 3; k++) {
    if (along[k] == 0) {
      if (from[k] < box[k].lo || from[k] > box[k].hi)
        return false;
      continue;
    }
    const double a = (box[k].lo - from[k]) / along[k], b = (box[k].hi - from[k]) / along[k];
    part->lo = fmax(part->lo, fmin(a, b));
    part->hi = fmin(part->hi, fmax(a, b));
  }
  return part->lo < part->hi && isfinite(part->lo) && isfinite(part->hi);
}

static bool is_inside(const drawing *d, const double from[3], const double along[3], double s) {
  const double at[3] = {from[0] + s * along[0], from[1] + s * along[1], from[2] + s * along[2]};
  double value, normal[3];
  return toi_shape_value(d->shape, at, d->t, &value, normal) == TOI_OK && value < 0;
}

/* The nearest change between inside and outside. */
static double walk(const drawing *d, const double from[3], const double along[3], toi_interval part) {
  const double step = (part.hi - part.lo) / STEPS;
  const bool inside = is_inside(d, from, along, part.hi);
  for (int i = 1; i <= STEPS; i++) {
    const double s = part.hi - i * step;
    if (is_inside(d, from, along, s) != inside)
      return s + step / 2;
  }
  return -(double)INFINITY;
}

static void put_implicit(depth_map *map, const drawing *d) {
  const paper *p = map->paper;
  double along[3];
  to_own(d, p->towards, true, along);
  for (int row = 0; row < map->rows; row++) {
    for (int column = 0; column < map->columns; column++) {
      const double x = p->x_lo + (column + 0.5) * CELL / p->scale, y = p->y_hi - (row + 0.5) * CELL / p->scale;
      double world[3], from[3];
      toi_interval part;
      for (int k = 0; k < 3; k++)
        world[k] = x * p->right[k] + y * p->up[k];
      to_own(d, world, false, from);
      if (clip(from, along, d->box, &part)) {
        double *cell = cell_at(map, column, row);
        *cell = fmax(*cell, walk(d, from, along, part));
      }
    }
  }
}

void depth_map_put(depth_map *map, const drawing *d) {
  if (d->extent.implicit)
    put_implicit(map, d);
  else
    put_parametric(map, d);
}

/* --- questions --- */

bool depth_map_hides(const depth_map *map, const double at[3]) {
  double pixel[2], nearness, before = (double)INFINITY;
  paper_project(map->paper, at, pixel, &nearness);
  const double x = pixel[0] / CELL, y = pixel[1] / CELL;
  if (!(x >= 1 && y >= 1 && x < map->columns - 1 && y < map->rows - 1))
    return false;
  for (int i = -1; i <= 1; i++)
    for (int k = -1; k <= 1; k++)
      before = fmin(before, *cell_at(map, (int)x + i, (int)y + k));
  return before > nearness + MARGIN * map->paper->size;
}
