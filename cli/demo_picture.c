/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The scene of `toi demo` at its first impact, in characters: each part has its own, darker ones where less light
 * falls. */

#include <math.h>
#include <stdio.h>

#include "demo.h"
#include "paper.h"
#include "raster.h"

/* A character is about twice as high as wide, and shows one sample across and two down. */
#define ACROSS 72
#define DOWN 26

static const double eye[3] = {1.4, -2.2, 1.1}, light[3] = {0.35, -0.5, 0.79};
/* From light to dark, of each part in turn. */
static const char *const inks[DRAPE_PARTS] = {".:+", "oO0", "=%#"};
enum { INKS = 3 };

typedef struct view {
  const drape *scene;
  double t;
  paper paper;
} view;

static void vertex_at(const view *v, uint32_t vertex, double at[3]) {
  for (int k = 0; k < 3; k++)
    at[k] = (1 - v->t) * (double)v->scene->start[vertex][k] + v->t * (double)v->scene->end[vertex][k];
}

/* All of the scene on the paper. */
static void fit(view *v) {
  paper *p = &v->paper;
  double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
  for (size_t i = 0; i < v->scene->vertex_count; i++) {
    double at[3];
    vertex_at(v, (uint32_t)i, at);
    const double x[2] = {paper_dot(p->right, at), paper_dot(p->up, at)};
    for (int k = 0; k < 2; k++) {
      lo[k] = fmin(lo[k], x[k]);
      hi[k] = fmax(hi[k], x[k]);
    }
  }
  p->scale = fmin(p->width / (hi[0] - lo[0]), p->height / (hi[1] - lo[1]));
  p->x_lo = 0.5 * (lo[0] + hi[0]) - 0.5 * p->width / p->scale;
  p->y_hi = hi[1];
}

/* From 0, where no light falls, to 1; both sides alike. */
static double shade_of(const double a[3], const double b[3], const double c[3]) {
  double length = 0, lit = 0;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double normal = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    length += normal * normal;
    lit += normal * light[k];
  }
  return length > 0 ? fabs(lit) / sqrt(length) : 0;
}

/* The colour of a sample is its part, and how dark it is. */
static void draw_face(const view *v, const uint32_t face[3], raster *r) {
  double at[3][3], pixel[2];
  raster_corner corners[3] = {0};
  for (int k = 0; k < 3; k++) {
    vertex_at(v, face[k], at[k]);
    paper_project(&v->paper, at[k], pixel, &corners[k].nearness);
    corners[k].x = pixel[0];
    corners[k].y = pixel[1];
    corners[k].shade = 1;
  }
  const double dark = 1 - shade_of(at[0], at[1], at[2]);
  const uint8_t colour[3] = {(uint8_t)drape_part_of(v->scene, face[0]), (uint8_t)fmin(INKS - 1, 2 * INKS * dark), 0};
  raster_triangle(r, corners, colour);
}

static const char line_ends[] = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
_Static_assert(sizeof line_ends > DOWN, "one for each line");

bool demo_picture(const drape *scene, double t) {
  view v = {.scene = scene, .t = t, .paper = {.width = ACROSS / RASTER_SAMPLES, .height = 2 * DOWN / RASTER_SAMPLES}};
  raster r;
  if (!raster_make(&r, v.paper.width, v.paper.height))
    return false;
  paper_look(&v.paper, eye);
  fit(&v);
  for (size_t i = 0; i < scene->face_count; i++)
    draw_face(&v, scene->faces[i], &r);
  int empty_lines = 0; // not yet printed: none at the end
  for (int row = 0; row + 1 < r.rows; row += 2) {
    char line[ACROSS + 1];
    int length = 0;
    for (int column = 0; column < r.columns && column < ACROSS; column++) {
      const size_t upper = (size_t)row * (size_t)r.columns + (size_t)column, lower = upper + (size_t)r.columns;
      const size_t shown = r.depth[upper] >= r.depth[lower] ? upper : lower;
      const bool empty = isinf(r.depth[shown]);
      line[column] = empty ? ' ' : inks[r.colour[shown][0]][r.colour[shown][1]];
      length = empty ? length : column + 1;
    }
    empty_lines += length == 0;
    if (length == 0)
      continue;
    printf("%.*s%.*s\n", empty_lines, line_ends, length, line);
    empty_lines = 0;
  }
  raster_free(&r);
  return true;
}
