/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The lines of a scene: the list they go into, where bodies are, parametric surfaces, and what is drawn of implicit
 * ones that have no bounds: what lies around the others. */

#include "contact_wires.h"

#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "memory.h"
#include "session.h"

#define LINES 16      /* of each parameter */
#define PATCH_LINES 4 /* of a patch, one of many */
#define SEGMENTS 96   /* of a line */
#define AROUND 0.12   /* of the size of the others, drawn around them */

/* --- the list --- */

void wires_begin(wires *w, uint32_t body, bool solid) {
  wire *grown = array_grow(w->lines, w->count, &w->capacity, sizeof *grown);
  w->failed |= grown == NULL;
  w->lines = grown == NULL ? w->lines : grown;
  if (!w->failed)
    w->lines[w->count++] = (wire){.first = w->point_count, .body = body, .solid = solid};
}

void wires_add(wires *w, const wire_point *point) {
  wire_point *grown = array_grow(w->points, w->point_count, &w->point_capacity, sizeof *grown);
  w->failed |= grown == NULL;
  w->points = grown == NULL ? w->points : grown;
  if (!w->failed) {
    w->points[w->point_count++] = *point;
    w->lines[w->count - 1].count++;
  }
}

void wires_free(wires *w) {
  memory_free(w->points);
  memory_free(w->lines);
  memory_free(w->surfaces);
  *w = (wires){0};
}

/* --- where bodies are --- */

static double middle(toi_interval a) {
  return a.lo + (a.hi - a.lo) / 2;
}

static toi_status place_body(const toi_motion *motion, drawing *d) {
  if (motion == NULL) {
    d->rotation[0][0] = d->rotation[1][1] = d->rotation[2][2] = 1;
    return TOI_OK;
  }
  toi_interval rotation[9], translation[3];
  const toi_status status = toi_motion_at(motion, (toi_interval){d->t, d->t}, rotation, translation);
  for (int i = 0; status == TOI_OK && i < 3; i++) {
    for (int k = 0; k < 3; k++)
      d->rotation[i][k] = middle(rotation[3 * i + k]);
    d->translation[i] = middle(translation[i]);
  }
  return status;
}

wire_point drawing_place(const drawing *d, const double at[3], const double normal[3]) {
  wire_point point = {.at = {0}};
  for (int i = 0; i < 3; i++) {
    const double *row = d->rotation[i];
    point.at[i] = d->translation[i] + row[0] * at[0] + row[1] * at[1] + row[2] * at[2];
    point.normal[i] = row[0] * normal[0] + row[1] * normal[1] + row[2] * normal[2];
  }
  return point;
}

/* --- parametric surfaces --- */

static double along(toi_interval range, int part, int parts) {
  return part == parts ? range.hi : range.lo + (range.hi - range.lo) * part / parts;
}

static toi_status draw_line(const drawing *d, int number, bool in_u) {
  const toi_interval u_range = d->extent.u, v_range = d->extent.v;
  bool drawn = false;
  for (int i = 0; i <= SEGMENTS && !d->w->failed; i++) {
    const double u = in_u ? along(u_range, i, SEGMENTS) : along(u_range, number, d->lines);
    const double v = in_u ? along(v_range, number, d->lines) : along(v_range, i, SEGMENTS);
    const bool before = drawn;
    drawn = toi_shape_holds(d->shape, u, v);
    if (!drawn)
      continue;
    if (!before)
      wires_begin(d->w, d->body, d->extent.solid);
    double at[3], normal[3];
    const toi_status status = toi_shape_point(d->shape, u, v, d->t, at, normal);
    if (status != TOI_OK)
      return status;
    const wire_point point = drawing_place(d, at, normal);
    wires_add(d->w, &point);
  }
  return d->w->failed ? TOI_ERROR_MEMORY : TOI_OK;
}

/* The last line of a seam is the first one again. */
static toi_status draw_parametric(const drawing *d) {
  const int edge_u = (d->extent.edges & TOI_EDGE_U_HI) != 0, edge_v = (d->extent.edges & TOI_EDGE_V_HI) != 0;
  toi_status status = TOI_OK;
  for (int i = 0; status == TOI_OK && i < d->lines + edge_v; i++)
    status = draw_line(d, i, true);
  for (int i = 0; status == TOI_OK && i < d->lines + edge_u; i++)
    status = draw_line(d, i, false);
  return status;
}

/* --- implicit surfaces --- */

static bool is_bounded(const toi_interval bounds[3]) {
  for (int k = 0; k < 3; k++)
    if (!isfinite(bounds[k].lo) || !isfinite(bounds[k].hi))
      return false;
  return true;
}

/* Comparisons instead of fmin() and fmax(): of loops over those, gcc 12 fails to compile what it makes of them for
 * aarch64. */
static void widen(toi_interval *side, double x) {
  if (x < side->lo)
    side->lo = x;
  if (x > side->hi)
    side->hi = x;
}

/* What holds the lines drawn so far, and some more; a unit cube if there are none. */
static void drawn_box(const wires *w, toi_interval box[3]) {
  for (int k = 0; k < 3; k++)
    box[k] = (toi_interval){w->point_count > 0 ? (double)INFINITY : -1, w->point_count > 0 ? -(double)INFINITY : 1};
  for (size_t i = 0; i < w->point_count; i++)
    for (int k = 0; k < 3; k++)
      widen(&box[k], w->points[i].at[k]);
  double size = 0;
  for (int k = 0; k < 3; k++)
    size = fmax(size, box[k].hi - box[k].lo);
  for (int k = 0; k < 3; k++) {
    box[k].lo -= AROUND * size;
    box[k].hi += AROUND * size;
  }
}

/* A box of the world in the coordinates of a body. */
static void own_box(const drawing *d, const toi_interval world[3], toi_interval own[3]) {
  for (int k = 0; k < 3; k++) {
    own[k] = (toi_interval){(double)INFINITY, -(double)INFINITY};
    for (int corner = 0; corner < 8; corner++) {
      double x = 0;
      for (int i = 0; i < 3; i++) {
        const double end = (corner >> i & 1) != 0 ? world[i].hi : world[i].lo;
        x += d->rotation[i][k] * (end - d->translation[i]);
      }
      widen(&own[k], x);
    }
  }
}

/* Bounded bodies first: the others are drawn around them. */
static toi_status draw_body(drawing *d, const toi_motion *motion, bool bounded) {
  const toi_extent *extent = &d->extent;
  if ((!extent->implicit || is_bounded(extent->bounds)) != bounded)
    return TOI_OK;
  const toi_status status = place_body(motion, d);
  if (status != TOI_OK || !extent->implicit)
    return status == TOI_OK ? draw_parametric(d) : status;
  for (int k = 0; k < 3; k++)
    d->box[k] = extent->bounds[k];
  if (!bounded) {
    toi_interval world[3];
    drawn_box(d->w, world);
    own_box(d, world, d->box);
  }
  return drawing_cut(d) ? TOI_OK : TOI_ERROR_MEMORY;
}

/* Every surface of every body; false if memory ran out. */
static bool list_surfaces(const contact_scene *scene, double t, wires *w) {
  size_t count = 0;
  for (size_t i = 0; i < scene->count; i++)
    count += toi_shape_pieces(scene->bodies[i].shape);
  w->surfaces = memory_zeroed(count, sizeof *w->surfaces);
  for (size_t i = 0; w->surfaces != NULL && i < scene->count; i++) {
    const toi_shape *shape = scene->bodies[i].shape;
    const size_t pieces = toi_shape_pieces(shape);
    for (size_t k = 0; k < pieces; k++)
      w->surfaces[w->surface_count++] = (drawing){.w = w,
                                                  .shape = toi_shape_piece(shape, k),
                                                  .extent = toi_shape_extent(toi_shape_piece(shape, k)),
                                                  .lines = pieces > 1 ? PATCH_LINES : LINES,
                                                  .body = (uint32_t)i,
                                                  .t = t};
  }
  return w->surfaces != NULL;
}

int wires_make(const contact_scene *scene, double t, wires *w) {
  *w = (wires){0};
  toi_status status = list_surfaces(scene, t, w) ? TOI_OK : TOI_ERROR_MEMORY;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; status == TOI_OK && i < w->surface_count; i++)
      status = draw_body(&w->surfaces[i], scene->bodies[w->surfaces[i].body].motion, pass == 0);
  if (status == TOI_ERROR_MEMORY || w->failed)
    return memory_fail("the picture", "leave --picture out");
  return status == TOI_OK ? EXIT_DONE : session_fail(scene->context, status, scene->name);
}
