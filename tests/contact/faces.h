/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Solids that are joined from faces: patches and formulas, over rectangles and triangles. */

#ifndef TOI_TESTS_CONTACT_FACES_H
#define TOI_TESTS_CONTACT_FACES_H

#include "contact/context.h"

#include <toi/contact.h>

#include <stdio.h>
#include <string.h>

#define FACES_MOST 16

typedef struct faces {
  toi_shape *shape[FACES_MOST];
  size_t count;
} faces;

static inline void faces_clear(faces *f) {
  for (size_t i = 0; i < f->count; i++)
    toi_shape_destroy(f->shape[i]);
  f->count = 0;
}

static inline toi_status faces_join(const faces *f, double tolerance, toi_shape **shape) {
  toi_faces joined;
  toi_faces_init(&joined, sizeof joined);
  joined.count = f->count;
  joined.shapes = (const toi_shape *const *)f->shape;
  joined.tolerance = tolerance;
  return toi_shape_faces(context, &joined, shape);
}

/* The solid; its faces are not needed any more. */
static inline toi_shape *faces_solid(faces *f) {
  toi_shape *shape = NULL;
  if (faces_join(f, 0, &shape) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  faces_clear(f);
  return shape;
}

static inline void faces_keep(faces *f, toi_status status, toi_shape *const *shape) {
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  assert_true(f->count < FACES_MOST);
  f->shape[f->count++] = *shape;
}

static inline void faces_patch(faces *f, const toi_patch *patch) {
  toi_shape *shape = NULL;
  const toi_model model = {.patches = patch, .patch_count = 1};
  faces_keep(f, toi_shape_patches(context, &model, &shape), &shape);
}

/* A flat face through four corners, a at u = v = 0, b where u is 1, d where v is 1. */
static inline void faces_quad(faces *f, const double a[3], const double b[3], const double c[3], const double d[3]) {
  double points[4][3];
  memcpy(points[0], a, sizeof points[0]);
  memcpy(points[1], d, sizeof points[0]);
  memcpy(points[2], b, sizeof points[0]);
  memcpy(points[3], c, sizeof points[0]);
  const toi_patch patch = {.size = sizeof patch, .degree = {1, 1}, .points = (const double(*)[3])points};
  faces_patch(f, &patch);
}

/* A flat triangle, counterclockwise from outside. */
static inline void faces_triangle(faces *f, const double a[3], const double b[3], const double c[3]) {
  double points[3][3];
  memcpy(points[0], a, sizeof points[0]);
  memcpy(points[1], b, sizeof points[0]);
  memcpy(points[2], c, sizeof points[0]);
  const toi_patch patch = {
      .size = sizeof patch, .shape = TOI_PATCH_TRIANGLE, .degree = {1, 0}, .points = (const double(*)[3])points};
  faces_patch(f, &patch);
}

static inline void faces_formula_over(faces *f, const char *const at[3], toi_interval u, toi_interval v,
                                      uint32_t edges) {
  static const char *const names[] = {"u", "v", "t"};
  toi_formula *formula = NULL;
  toi_shape *shape = NULL;
  toi_parametric p;
  toi_parametric_init(&p, sizeof p);
  assert_int_equal(toi_formula_create(context, names, 3, &formula), TOI_OK);
  p.formula = formula;
  p.u = u;
  p.v = v;
  p.edges = edges;
  for (int k = 0; k < 3; k++)
    p.at[k] = toi_formula_parse(formula, at[k]);
  faces_keep(f, toi_shape_parametric(context, &p, &shape), &shape);
  toi_formula_destroy(formula);
}

/* The same four corners by formulas. */
static inline void faces_formula_quad(faces *f, const double a[3], const double b[3], const double c[3],
                                      const double d[3]) {
  char text[3][200];
  const char *const at[3] = {text[0], text[1], text[2]};
  for (int k = 0; k < 3; k++)
    snprintf(text[k], sizeof text[k], "(1-v)*((1-u)*(%.17g) + u*(%.17g)) + v*((1-u)*(%.17g) + u*(%.17g))", a[k], b[k],
             d[k], c[k]);
  faces_formula_over(f, at, (toi_interval){0, 1}, (toi_interval){0, 1}, TOI_EDGES);
}

static inline void faces_formula_triangle(faces *f, const double a[3], const double b[3], const double c[3]) {
  char text[3][200];
  const char *const at[3] = {text[0], text[1], text[2]};
  for (int k = 0; k < 3; k++)
    snprintf(text[k], sizeof text[k], "(1-u-v)*(%.17g) + u*(%.17g) + v*(%.17g)", a[k], b[k], c[k]);
  faces_formula_over(f, at, (toi_interval){0, 1}, (toi_interval){0, 1}, TOI_EDGES | TOI_TRIANGLE);
}

/* The six sides of a box of these lengths, outwards; formulas or patches, or mixed: a bit for each face. */
static inline void faces_box(faces *f, const double size[3], unsigned formulas) {
  static const int corners[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  double at[8][3];
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++)
      at[i][k] = ((i >> k & 1) - 0.5) * size[k];
  for (int i = 0; i < 6; i++)
    (formulas >> i & 1 ? faces_formula_quad : faces_quad)(f, at[corners[i][0]], at[corners[i][1]], at[corners[i][2]],
                                                          at[corners[i][3]]);
}

#endif
