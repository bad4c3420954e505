/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* contact.h: shapes, how they are made and what they look like. */

#include "host/cases.h"
#include "host/shapes.h"

#include <string.h>

bool host_shape_made(host_run *run, toi_status status, toi_shape *shape) {
  if (host_context_status(run, status))
    return true;
  HOST_CHECK(run, shape == NULL);
  return false;
}

/* Extent, a point or a value, and the end. */
static void record(host_run *run, toi_shape *shape) {
  toi_extent extent;
  HOST_CALL(run, extent, toi_shape_extent, (shape));
  HOST_BITS(run, extent.implicit);
  HOST_BITS(run, extent.solid);
  HOST_BITS(run, extent.edges);
  HOST_BITS(run, extent.u);
  HOST_BITS(run, extent.v);
  HOST_BITS(run, extent.bounds);
  double point[3], normal[3], value;
  HOST_SPOIL(point);
  HOST_SPOIL(normal);
  HOST_SPOIL(value);
  toi_status status;
  if (extent.implicit) {
    double at[3];
    host_point(run->input, (const int[]){101, 21, 40}, at);
    HOST_CALL(run, status, toi_shape_value, (shape, at, 0.4, &value, normal));
  } else
    HOST_CALL(run, status, toi_shape_point, (shape, 0.3, 0.6, 0.4, point, normal));
  if (host_context_status(run, status)) {
    HOST_BITS(run, value);
    HOST_BITS(run, point);
    HOST_BITS(run, normal);
  }
  HOST_DO(run, toi_shape_destroy, (shape));
}

static void library(host_run *run) {
  for (int kind = 0; kind < TOI_SHAPE_KIND_COUNT; kind++)
    for (int form = 0; form < 3; form++) {
      double size[5];
      for (int i = 0; i < 5; i++)
        size[i] = host_number(run->input, 101 - 30 * i);
      if (kind == TOI_SHAPE_SUPERQUADRIC)
        memcpy(size + 3, (const double[]){0.9, 1.1}, 2 * sizeof size[0]);
      if (kind == TOI_SHAPE_BUMPY_SPHERE)
        memcpy(size + 1, (const double[]){0.1, 3, 4}, 3 * sizeof size[0]);
      toi_shape *shape = host_nowhere();
      toi_status status;
      HOST_CALL(run, status, toi_shape_library,
                (run->context, (toi_shape_kind)kind, (toi_shape_form)form, size, &shape));
      if (host_shape_made(run, status, shape))
        record(run, shape);
    }
}

/* A formula whose terms are a parametric and an implicit shape. */
static void terms(host_run *run) {
  static const char *const variables[2][4] = {{"u", "v", "t"}, {"x", "y", "z", "t"}};
  static const char *const texts[2][3] = {{"0.1*u + 4.9e-324", "v + t/3", "u*v - 1e-5*t"}, {"x^2/3 + y^2 + z - 0.1*t"}};
  for (size_t implicit = 0; implicit < 2; implicit++) {
    toi_formula *formula;
    toi_status status;
    HOST_CALL(run, status, toi_formula_create, (run->context, variables[implicit], 3 + implicit, &formula));
    if (!host_context_status(run, status))
      continue;
    toi_term at[3] = {TOI_NO_TERM, TOI_NO_TERM, TOI_NO_TERM};
    for (size_t i = 0; i < 3 && texts[implicit][i] != NULL; i++)
      HOST_CALL(run, at[i], toi_formula_parse, (formula, texts[implicit][i]));
    const toi_interval side = {host_number(run->input, -40), host_number(run->input, 40)};
    const toi_parametric p = {
        .formula = formula, .at = {at[0], at[1], at[2]}, .u = side, .v = side, .edges = TOI_EDGES};
    const toi_implicit i = {.formula = formula, .function = at[0], .bounds = {side, side, side}};
    toi_shape *shape = host_nowhere();
    if (implicit != 0)
      HOST_CALL(run, status, toi_shape_implicit, (run->context, &i, &shape));
    else
      HOST_CALL(run, status, toi_shape_parametric, (run->context, &p, &shape));
    if (host_shape_made(run, status, shape))
      record(run, shape);
    HOST_DO(run, toi_formula_destroy, (formula));
  }
}

/* Each face in turn, with the outline of a flat one. */
static void record_faces(host_run *run, toi_shape *shape) {
  for (size_t i = 0; i < toi_shape_pieces(shape); i++) {
    double point[3], normal[3];
    bool holds;
    toi_status status;
    HOST_SPOIL(point);
    HOST_SPOIL(normal);
    HOST_CALL(run, holds, toi_shape_holds, (toi_shape_piece(shape, i), 0.3, 0.1));
    HOST_BITS(run, holds);
    HOST_CALL(run, status, toi_shape_point, (toi_shape_piece(shape, i), 0.3, 0.1, 0.4, point, normal));
    if (host_context_status(run, status)) {
      HOST_BITS(run, point);
      HOST_BITS(run, normal);
    }
  }
  record(run, shape);
}

static void prism(host_run *run) {
  toi_shape *shape = host_nowhere();
  const double size = host_number(run->input, 101);
  const double polygon[4][2] = {{-size, 0.1}, {0.7, -size}, {size, 0.3}, {0.2, size}};
  toi_status status;
  HOST_CALL(run, status, toi_shape_prism, (run->context, polygon, 4, size, &shape));
  if (host_shape_made(run, status, shape))
    record_faces(run, shape);
}

static void turned(host_run *run) {
  toi_shape *shape = host_nowhere();
  const double size = host_number(run->input, 101);
  const double profile[3][2] = {{size, 0.1}, {host_number(run->input, 30), size}, {0, host_number(run->input, 150)}};
  toi_status status;
  HOST_CALL(run, status, toi_shape_turned, (run->context, profile, 3, &shape));
  if (host_shape_made(run, status, shape))
    record_faces(run, shape);
}

static void revolution(host_run *run) {
  toi_shape *shape = host_nowhere();
  const toi_interval v = {host_number(run->input, 2), host_number(run->input, 33)};
  toi_status status;
  HOST_CALL(run, status, toi_shape_revolution,
            (run->context, "1.1 + 0.1*sin(v)", "v/3 + t", v, TOI_EDGES_V, false, &shape));
  if (host_shape_made(run, status, shape))
    record(run, shape);
}

static void height_field(host_run *run) {
  toi_shape *shape = host_nowhere();
  const toi_interval side = {host_number(run->input, -40), host_number(run->input, 40)};
  toi_status status;
  HOST_CALL(run, status, toi_shape_height_field, (run->context, "0.1*u*u - v/3 + 7.9e-323*t", side, side, &shape));
  if (host_shape_made(run, status, shape))
    record(run, shape);
}

/* The plane (u, v, 0): bounds that need no arithmetic. */
bool host_enclose_plane(void *user, const toi_interval *box, unsigned order, toi_interval *jets) {
  host_called(user, HOST_TAKES_PART);
  const size_t size = TOI_JET_SIZE(3, order);
  memset(jets, 0, 3 * size * sizeof jets[0]);
  for (size_t axis = 0; axis < 2; axis++) {
    jets[axis * size] = box[axis];
    if (order >= 1)
      jets[axis * size + 1 + axis] = (toi_interval){1, 1};
  }
  return true;
}

static void own(host_run *run) {
  const toi_interval side = {host_number(run->input, -40), host_number(run->input, 40)};
  const toi_parametric plane = {.u = side, .v = side, .edges = TOI_EDGES};
  toi_shape *shape = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_shape_own, (run->context, host_enclose_plane, run, &plane, NULL, &shape));
  if (host_shape_made(run, status, shape))
    record(run, shape);
}

/* Two patches, one of them rational: the pieces, and a point of each. */
static void patches(host_run *run) {
  double points[2][4][3];
  const double weights[4] = {1, 0.5, host_number(run->input, 3) * host_number(run->input, 3) + 1, 1};
  for (int i = 0; i < 8; i++)
    host_point(run->input, (const int[]){7 * i, 3 * i * i, 40 - i}, points[i / 4][i % 4]);
  toi_patch both[2];
  for (int i = 0; i < 2; i++)
    both[i] = (toi_patch){.size = sizeof both[i],
                          .degree = {1, 1},
                          .points = (const double(*)[3])points[i],
                          .weights = i == 0 ? NULL : weights};
  const toi_model model = {.patches = both, .patch_count = 2};
  toi_shape *shape = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_shape_patches, (run->context, &model, &shape));
  if (!host_shape_made(run, status, shape))
    return;
  size_t count;
  HOST_CALL(run, count, toi_shape_pieces, (shape));
  HOST_BITS(run, count);
  for (size_t i = 0; i < count; i++) {
    const toi_shape *piece;
    double point[3], normal[3];
    HOST_SPOIL(point);
    HOST_SPOIL(normal);
    HOST_CALL(run, piece, toi_shape_piece, (shape, i));
    HOST_CALL(run, status, toi_shape_point, (piece, 0.3, 0.6, 0.4, point, normal));
    if (host_context_status(run, status)) {
      HOST_BITS(run, point);
      HOST_BITS(run, normal);
    }
  }
  HOST_DO(run, toi_shape_destroy, (shape));
}

/* A ball with a part taken away, whose bounds are its own. */
static void boolean(host_run *run) {
  const double radius = host_number(run->input, 10) * host_number(run->input, 10) + 1, less = 0.5 * radius;
  toi_shape *balls[2] = {host_nowhere(), host_nowhere()}, *shape = host_nowhere();
  bool made[2];
  for (int i = 0; i < 2; i++) {
    toi_status status;
    HOST_CALL(run, status, toi_shape_library,
              (run->context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_IMPLICIT, i == 0 ? &radius : &less, &balls[i]));
    made[i] = host_shape_made(run, status, balls[i]);
  }
  if (made[0] && made[1]) {
    const toi_body operands[2] = {{.shape = balls[0]}, {.shape = balls[1]}};
    for (int operation = 0; operation < 3; operation++) {
      const toi_boolean of = {.operation = (toi_boolean_operation)operation, .count = 2, .operands = operands};
      toi_status status;
      HOST_CALL(run, status, toi_shape_boolean, (run->context, &of, &shape));
      if (host_shape_made(run, status, shape))
        record(run, shape);
    }
  }
  for (int i = 0; i < 2; i++)
    if (made[i])
      HOST_DO(run, toi_shape_destroy, (balls[i]));
}

/* A tetrahedron of four flat triangles. */
static void faces(host_run *run) {
  static const int corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const double size = host_number(run->input, 101) * host_number(run->input, 101) + 0.5;
  const double at[4][3] = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0.1, 0.2, size}};
  toi_shape *sides[4] = {host_nowhere(), host_nowhere(), host_nowhere(), host_nowhere()}, *shape = host_nowhere();
  size_t made = 0;
  for (int i = 0; i < 4; i++) {
    double points[3][3];
    for (int n = 0; n < 3; n++)
      memcpy(points[n], at[corners[i][n]], sizeof points[n]);
    const toi_patch patch = {.shape = TOI_PATCH_TRIANGLE, .degree = {1, 0}, .points = (const double(*)[3])points};
    const toi_model model = {.patches = &patch, .patch_count = 1};
    toi_status status;
    HOST_CALL(run, status, toi_shape_patches, (run->context, &model, &sides[made]));
    made += host_shape_made(run, status, sides[made]);
  }
  const toi_faces of = {.count = made, .shapes = (const toi_shape *const *)sides};
  toi_status status;
  HOST_CALL(run, status, toi_shape_faces, (run->context, &of, &shape));
  if (host_shape_made(run, status, shape))
    record_faces(run, shape);
  for (size_t i = 0; i < made; i++)
    HOST_DO(run, toi_shape_destroy, (sides[i]));
}

static void operations(host_run *run) {
  for (int operation = -1; operation < 4; operation++) {
    const char *text;
    HOST_CALL(run, text, toi_boolean_operation_name, ((toi_boolean_operation)operation));
    host_text(run, "name", text);
  }
}

static void names(host_run *run) {
  for (int kind = -1; kind <= TOI_SHAPE_KIND_COUNT; kind++) {
    const char *text;
    size_t sizes;
    HOST_CALL(run, text, toi_shape_kind_name, ((toi_shape_kind)kind));
    host_text(run, "name", text);
    HOST_CALL(run, sizes, toi_shape_kind_sizes, ((toi_shape_kind)kind));
    HOST_BITS(run, sizes);
  }
}

const host_case host_shape_cases[] = {{"toi_shape_library", library, HOST_FIGURES},
                                      {"toi_shape_parametric", terms, HOST_FIGURES},
                                      {"toi_shape_revolution", revolution, HOST_FIGURES},
                                      {"toi_shape_prism", prism, HOST_FIGURES},
                                      {"toi_shape_turned", turned, HOST_FIGURES},
                                      {"toi_shape_height_field", height_field, HOST_FIGURES},
                                      {"toi_shape_own", own, HOST_FIGURES},
                                      {"toi_shape_patches", patches, HOST_FIGURES},
                                      {"toi_shape_kind_name", names, HOST_ONCE},
                                      {"toi_shape_boolean", boolean, HOST_FIGURES},
                                      {"toi_shape_faces", faces, HOST_FIGURES},
                                      {"toi_boolean_operation_name", operations, HOST_ONCE},
                                      {NULL, NULL, 0}};
