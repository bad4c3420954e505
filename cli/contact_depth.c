/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What is in front of what, sample by sample (raster.h): parametric surfaces as small triangles, implicit ones by
 * walking from the eye through each sample.
 *
 * At an outline the nearest surface changes much within a sample; a point counts as hidden only if something lies
 * before it in all samples around, and by more than a margin. So lines end half a pixel late there, and never too
 * early. */

#include <math.h>
#include <stdlib.h>

#include "contact_paper.h"
#include "memory.h"

#define PIECES 192    /* of a parametric surface, in each direction, */
#define FEW_PIECES 32 /* or of one of many patches */
#define MANY 8
#define STEPS 48     /* of a walk through an implicit one */
#define HALVINGS 9   /* of the step in which it is met */
#define MARGIN 0.004 /* of the size of the scene */

/* Light from above and from the left of the eye; both sides of a surface are lit alike. */
static double shade_of(const paper *p, const double normal[3]) {
  double light[3], lit = 0, length = 0;
  for (int k = 0; k < 3; k++) {
    light[k] = p->towards[k] + 0.5 * p->up[k] - 0.4 * p->right[k];
    lit += light[k] * normal[k];
    length += normal[k] * normal[k];
  }
  return length > 0 ? 0.62 + 0.38 * fabs(lit) / sqrt(1.41 * length) : 0.62;
}

bool depth_map_make(const paper *p, size_t surfaces, depth_map *map) {
  *map = (depth_map){.paper = p, .many = surfaces > MANY};
  return raster_make(&map->image, p->width, p->height);
}

void depth_map_free(depth_map *map) {
  raster_free(&map->image);
  *map = (depth_map){.paper = NULL};
}

/* --- parametric surfaces --- */

static raster_corner find_corner(const depth_map *map, const drawing *d, double i, double k) {
  const toi_interval u = d->extent.u, v = d->extent.v;
  double at[3], normal[3], pixel[2];
  raster_corner found = {.x = (double)NAN};
  const double uv[2] = {u.lo + (u.hi - u.lo) * i, v.lo + (v.hi - v.lo) * k};
  if (!toi_shape_holds(d->shape, uv[0], uv[1]) || toi_shape_point(d->shape, uv[0], uv[1], d->t, at, normal) != TOI_OK)
    return found;
  const wire_point place = drawing_place(d, at, normal);
  paper_project(map->paper, place.at, pixel, &found.nearness);
  found.x = pixel[0];
  found.y = pixel[1];
  found.shade = shade_of(map->paper, place.normal);
  return found;
}

static void put_parametric(depth_map *map, const drawing *d, const uint8_t colour[3]) {
  const int pieces = map->many ? FEW_PIECES : PIECES;
  raster_corner rows[2][PIECES + 1];
  for (int i = 0; i <= pieces; i++) {
    raster_corner *here = rows[i % 2];
    const raster_corner *before = rows[(i + 1) % 2];
    for (int k = 0; k <= pieces; k++)
      here[k] = find_corner(map, d, (double)i / pieces, (double)k / pieces);
    for (int k = 0; i > 0 && k < pieces; k++) {
      const raster_corner first[3] = {before[k], before[k + 1], here[k]};
      const raster_corner second[3] = {here[k], here[k + 1], before[k + 1]};
      raster_triangle(&map->image, first, colour);
      raster_triangle(&map->image, second, colour);
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

/* A ray through a sample, from + s along in the coordinates of the body, s the nearness to the eye. */
typedef struct ray {
  double from[3];
  toi_interval part; /* in the box */
} ray;

/* The nearest change between inside and outside in [lo, hi], which are different. */
static double halve(const drawing *d, const ray *r, const double along[3], double lo, double hi) {
  const bool inside = is_inside(d, r->from, along, hi);
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (lo + hi);
    if (is_inside(d, r->from, along, middle) == inside)
      hi = middle;
    else
      lo = middle;
  }
  return 0.5 * (lo + hi);
}

/* The same along all of the ray; `near`: where a ray beside it met the surface, NaN if it did not. */
static double walk(const drawing *d, const ray *r, const double along[3], double near) {
  const double step = (r->part.hi - r->part.lo) / STEPS;
  const bool inside = is_inside(d, r->from, along, r->part.hi);
  // Where it met the surface beside this one, nothing is before it here either, but at outlines, which are walked to.
  const double ahead = near + step, behind = near - step;
  if (ahead < r->part.hi && behind > r->part.lo && is_inside(d, r->from, along, ahead) == inside &&
      is_inside(d, r->from, along, behind) != inside)
    return halve(d, r, along, behind, ahead);
  for (int i = 1; i <= STEPS; i++) {
    const double s = r->part.hi - i * step;
    if (is_inside(d, r->from, along, s) != inside)
      return halve(d, r, along, s, s + step);
  }
  return (double)NAN;
}

/* A sample of an implicit surface that a ray meets at s. */
static void put_met(depth_map *map, const drawing *d, const double own[3], raster_corner *at) {
  double value, normal[3];
  if (toi_shape_value(d->shape, own, d->t, &value, normal) != TOI_OK)
    return;
  at->shade = shade_of(map->paper, drawing_place(d, own, normal).normal);
}

/* The implicit surface being drawn. First, every BLOCK samples in each direction, rays along all of their length; then
 * all samples of a block: none where no corner of it met the surface, near where all did, and along all of their length
 * at outlines. */
#define BLOCK 8

typedef struct implicit {
  depth_map *map;
  const drawing *d;
  const uint8_t *colour;
  double along[3];
  double *met; /* at the corners of the blocks; NaN: not met */
  int columns; /* of these */
} implicit;

/* Where the ray through a sample meets the surface; its point in *own. */
static double meet(const implicit *x, double column, double row, double near, double own[3]) {
  const paper *p = x->map->paper;
  const double right = p->x_lo + (column + 0.5) / (RASTER_SAMPLES * p->scale);
  const double up = p->y_hi - (row + 0.5) / (RASTER_SAMPLES * p->scale);
  double world[3];
  ray r;
  for (int k = 0; k < 3; k++)
    world[k] = right * p->right[k] + up * p->up[k];
  to_own(x->d, world, false, r.from);
  const double s = clip(r.from, x->along, x->d->box, &r.part) ? walk(x->d, &r, x->along, near) : (double)NAN;
  for (int k = 0; k < 3; k++)
    own[k] = r.from[k] + s * x->along[k];
  return s;
}

/* A square of samples, all as the first. */
static void put_square(const implicit *x, int left, int top, int side, const raster_corner *at) {
  raster *image = &x->map->image;
  for (int row = top; row < top + side && row < image->rows; row++)
    for (int column = left; column < left + side && column < image->columns; column++)
      raster_sample(image, column, row, at, x->colour);
}

static void put_block(const implicit *x, int left, int top) {
  const double *corner = &x->met[(size_t)(top / BLOCK) * (size_t)x->columns + (size_t)(left / BLOCK)];
  const double at_corners[4] = {corner[0], corner[1], corner[x->columns], corner[x->columns + 1]};
  int hits = 0;
  for (int k = 0; k < 4; k++)
    hits += !isnan(at_corners[k]);
  // Away from outlines one sample of a pixel will do.
  const int side = hits == 4 ? RASTER_SAMPLES : 1;
  for (int row = top; hits > 0 && row < top + BLOCK; row += side) {
    double near = hits == 4 ? at_corners[0] : (double)NAN;
    for (int column = left; column < left + BLOCK; column += side) {
      double own[3];
      near = meet(x, column, row, near, own);
      if (isnan(near))
        continue;
      raster_corner at = {.nearness = near, .shade = 0.62};
      put_met(x->map, x->d, own, &at);
      put_square(x, column, row, side, &at);
    }
  }
}

static bool put_implicit(depth_map *map, const drawing *d, const uint8_t colour[3]) {
  implicit x = {.map = map, .d = d, .colour = colour, .columns = map->image.columns / BLOCK + 2};
  const int rows = map->image.rows / BLOCK + 2;
  to_own(d, map->paper->towards, true, x.along);
  x.met = memory_allocate((size_t)x.columns * (size_t)rows * sizeof *x.met);
  for (int i = 0; x.met != NULL && i < x.columns * rows; i++) {
    double own[3];
    const int row = i / x.columns, column = i % x.columns;
    x.met[i] = meet(&x, (double)BLOCK * column, (double)BLOCK * row, (double)NAN, own);
  }
  for (int top = 0; x.met != NULL && top < map->image.rows; top += BLOCK)
    for (int left = 0; left < map->image.columns; left += BLOCK)
      put_block(&x, left, top);
  const bool drawn = x.met != NULL;
  memory_free(x.met);
  return drawn;
}

bool depth_map_put(depth_map *map, const drawing *d, const uint8_t colour[3]) {
  if (d->extent.implicit)
    return put_implicit(map, d, colour);
  put_parametric(map, d, colour);
  return true;
}

/* --- questions --- */

bool depth_map_hides(const depth_map *map, const double at[3]) {
  double pixel[2], nearness, before = (double)INFINITY;
  paper_project(map->paper, at, pixel, &nearness);
  for (int i = -1; i <= 1; i++)
    for (int k = -1; k <= 1; k++)
      before = fmin(before, raster_nearest(&map->image, pixel[0] + (double)i / RASTER_SAMPLES,
                                           pixel[1] + (double)k / RASTER_SAMPLES));
  return before > nearness + MARGIN * map->paper->size;
}
