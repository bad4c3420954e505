/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes of a scene: those of the library by their sizes, others by formulas or as patches.
 *
 * Promise: an edge of a parametric surface is a real one unless the file says that it is a seam. A domain holds the one
 * that is written, also where its ends are no doubles. */

#include "contact/shape.h"
#include "io/contact_scene.h"
#include "io/model_parts.h"

#include <math.h>
#include <string.h>

/* --- the library --- */

#define SIZE_FIELDS 3
#define SIZES 8

/* The sizes of a shape, field by field; each is a number, or a list of them. What is not a length may have any sign. */
typedef struct size_field {
  const char *name;
  size_t count;
  bool ratio;
} size_field;

static const struct {
  const char *what;
  size_field fields[SIZE_FIELDS];
} library[TOI_SHAPE_KIND_COUNT] = {
    [TOI_SHAPE_PLANE] = {"a plane", {{"size", 2, false}}},
    [TOI_SHAPE_SPHERE] = {"a sphere", {{"radius", 1, false}}},
    [TOI_SHAPE_ELLIPSOID] = {"an ellipsoid", {{"half_axes", 3, false}}},
    [TOI_SHAPE_CYLINDER] = {"a cylinder", {{"radius", 1, false}, {"height", 1, false}}},
    [TOI_SHAPE_CONE] = {"a cone", {{"radius", 1, false}, {"height", 1, false}}},
    [TOI_SHAPE_TORUS] = {"a torus", {{"ring_radius", 1, false}, {"tube_radius", 1, false}}},
    [TOI_SHAPE_SUPERQUADRIC] = {"a superquadric", {{"half_axes", 3, false}, {"exponents", 2, true}}},
    [TOI_SHAPE_BUMPY_SPHERE] = {"a bumpy sphere", {{"radius", 1, false}, {"bump", 1, true}, {"waves", 2, true}}},
    [TOI_SHAPE_BOX] = {"a box", {{"size", 3, false}}},
    [TOI_SHAPE_CAPPED_CYLINDER] = {"a capped cylinder", {{"radius", 1, false}, {"height", 1, false}}},
    [TOI_SHAPE_CAPSULE] = {"a capsule", {{"radius", 1, false}, {"height", 1, false}}},
    [TOI_SHAPE_CAPPED_CONE] = {"a capped cone", {{"radius", 1, false}, {"height", 1, false}}},
    [TOI_SHAPE_WEDGE] = {"a wedge", {{"size", 3, false}}},
};

/* The last field is how it is written down. */
static toi_status read_form(const toi_scene_reader *r, const toi_json_node *node, toi_shape_form *form) {
  static const char *const names[] = {"parametric", "implicit"};
  *form = TOI_SHAPE_FORM_DEFAULT;
  if (node == NULL)
    return TOI_OK;
  size_t number = 0;
  const toi_status status = toi_tree_choice(&r->tree, node, names, 2, &number);
  *form = number == 0 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT;
  return status;
}

static toi_status read_sizes(toi_scene_reader *r, const toi_json_node *node, const size_field *field, double *sizes) {
  const toi_status status =
      field->count == 1 ? toi_scene_number(r, node, sizes) : toi_scene_numbers(r, node, field->count, sizes);
  for (size_t i = 0; i < field->count && status == TOI_OK && !field->ratio; i++)
    if (!(sizes[i] > 0))
      return toi_tree_fail(&r->tree, node, "must be greater than 0, not %.17g", sizes[i]);
  return status;
}

/* A plane is all of it unless it is drawn over a rectangle. */
static toi_status check_plane(const toi_scene_reader *r, const toi_json_node *node, const toi_json_node *size,
                              toi_shape_form form) {
  if (form == TOI_SHAPE_FORM_PARAMETRIC && size == NULL)
    return toi_tree_fail(&r->tree, node, "a parametric plane needs the field \"size\"; add it");
  if (form != TOI_SHAPE_FORM_PARAMETRIC && size != NULL)
    return toi_tree_fail(&r->tree, size,
                         "an implicit plane has no size; remove it, or give it \"form\": \"parametric\"");
  return TOI_OK;
}

static toi_status read_library(toi_scene_reader *r, const toi_json_node *node, toi_shape_kind kind, toi_shape **shape) {
  const size_field *sized = library[kind].fields;
  toi_tree_field fields[SIZE_FIELDS + 1];
  size_t count = 0;
  for (; count < SIZE_FIELDS && sized[count].name != NULL; count++)
    fields[count] = (toi_tree_field){sized[count].name, kind != TOI_SHAPE_PLANE};
  fields[count] = (toi_tree_field){"form", false};
  const toi_tree_form form = {library[kind].what, fields, count + 1};
  const toi_json_node *values[SIZE_FIELDS + 1];
  toi_shape_form written = TOI_SHAPE_FORM_DEFAULT;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = read_form(r, values[count], &written);
  if (status == TOI_OK && kind == TOI_SHAPE_PLANE)
    status = check_plane(r, node, values[0], written);
  double sizes[SIZES] = {1, 1};
  size_t used = 0;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    if (values[i] != NULL)
      status = read_sizes(r, values[i], &sized[i], sizes + used);
    used += sized[i].count;
  }
  if (status != TOI_OK)
    return status;
  return toi_tree_fail_made(&r->tree, node, toi_shape_library(r->tree.context, kind, written, sizes, shape));
}

/* --- formulas --- */

/* Which edges are real; seams and closed may be NULL. */
static toi_status read_edges(const toi_scene_reader *r, const toi_json_node *seams, const toi_json_node *closed,
                             uint32_t *edges) {
  static const char *const names[] = {"u", "v", "u_lo", "u_hi", "v_lo", "v_hi"};
  static const uint32_t bits[] = {TOI_EDGES_U, TOI_EDGES_V, TOI_EDGE_U_LO, TOI_EDGE_U_HI, TOI_EDGE_V_LO, TOI_EDGE_V_HI};
  bool whole = false;
  toi_status status = closed == NULL ? TOI_OK : toi_tree_bool(&r->tree, closed, &whole);
  *edges = whole ? 0 : TOI_EDGES;
  if (seams == NULL || status != TOI_OK)
    return status;
  if (whole)
    return toi_tree_fail(&r->tree, seams,
                         "a closed surface has no other edges than seams; give \"closed\" or \"seams\"");
  if (seams->kind != TOI_JSON_LIST)
    return toi_tree_misplaced(&r->tree, seams, "a list of seams");
  for (const toi_json_node *seam = seams->first; seam != NULL && status == TOI_OK; seam = seam->next) {
    size_t number = 0;
    status = toi_tree_choice(&r->tree, seam, names, sizeof names / sizeof names[0], &number);
    if (status == TOI_OK)
      *edges &= ~bits[number];
  }
  return status;
}

static toi_status read_solid(const toi_scene_reader *r, const toi_json_node *node, bool *solid) {
  *solid = false;
  return node == NULL ? TOI_OK : toi_tree_bool(&r->tree, node, solid);
}

/* Makes the shape of terms that are in the scope's formula. */
static toi_status make_parametric(toi_scene_reader *r, const toi_json_node *node, toi_parametric *parametric,
                                  const toi_scope *scope, toi_shape **shape) {
  parametric->formula = scope->formula;
  return toi_tree_fail_made(&r->tree, node, toi_shape_parametric(r->tree.context, parametric, shape));
}

static toi_status read_parametric(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape) {
  enum { X, Y, Z, U, V, LET, SEAMS, CLOSED, SOLID, TRIANGLE, COUNT };
  static const toi_tree_field fields[COUNT] = {[X] = {"x", true},          [Y] = {"y", true},
                                               [Z] = {"z", true},          [U] = {"u", true},
                                               [V] = {"v", true},          [LET] = {"let", false},
                                               [SEAMS] = {"seams", false}, [CLOSED] = {"closed", false},
                                               [SOLID] = {"solid", false}, [TRIANGLE] = {"triangle", false}};
  static const toi_tree_form form = {"a parametric surface", fields, COUNT};
  const toi_json_node *values[COUNT];
  toi_parametric parametric = {0};
  toi_scope scope = {0};
  bool triangle = false;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = toi_scene_range(r, values[U], &parametric.u);
  if (status == TOI_OK)
    status = toi_scene_range(r, values[V], &parametric.v);
  if (status == TOI_OK)
    status = read_edges(r, values[SEAMS], values[CLOSED], &parametric.edges);
  if (status == TOI_OK)
    status = read_solid(r, values[SOLID], &parametric.solid);
  if (status == TOI_OK && values[TRIANGLE] != NULL)
    status = toi_tree_bool(&r->tree, values[TRIANGLE], &triangle);
  if (triangle)
    parametric.edges |= TOI_TRIANGLE;
  if (status == TOI_OK)
    status = toi_scope_open(&scope, &r->tree, r->constants, values[LET], "uvt");
  for (size_t i = 0; i < 3 && status == TOI_OK; i++)
    status = toi_scope_term(&scope, values[X + i], &parametric.at[i]);
  if (status == TOI_OK)
    status = make_parametric(r, node, &parametric, &scope, shape);
  toi_scope_close(&scope);
  return status;
}

toi_status toi_scene_bounds(toi_scene_reader *r, const toi_json_node *node, toi_interval bounds[3]) {
  for (size_t i = 0; i < 3; i++)
    bounds[i] = (toi_interval){-INFINITY, INFINITY};
  if (node == NULL || node->kind == TOI_JSON_NULL)
    return TOI_OK;
  toi_status status = toi_tree_list(&r->tree, node, 3, "a list of 3 intervals");
  if (status != TOI_OK)
    return status;
  for (const toi_json_node *range = node->first; range != NULL && status == TOI_OK; range = range->next)
    status = toi_scene_range(r, range, bounds++);
  return status;
}

static toi_status read_implicit(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape) {
  enum { FUNCTION, BOUNDS, LET, SOLID, COUNT };
  static const toi_tree_field fields[COUNT] = {
      [FUNCTION] = {"f", true}, [BOUNDS] = {"bounds", false}, [LET] = {"let", false}, [SOLID] = {"solid", false}};
  static const toi_tree_form form = {"an implicit surface", fields, COUNT};
  const toi_json_node *values[COUNT];
  toi_implicit implicit = {0};
  toi_scope scope = {0};
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = toi_scene_bounds(r, values[BOUNDS], implicit.bounds);
  if (status == TOI_OK)
    status = read_solid(r, values[SOLID], &implicit.solid);
  if (status == TOI_OK)
    status = toi_scope_open(&scope, &r->tree, r->constants, values[LET], "xyzt");
  if (status == TOI_OK)
    status = toi_scope_term(&scope, values[FUNCTION], &implicit.function);
  implicit.formula = scope.formula;
  if (status == TOI_OK)
    status = toi_tree_fail_made(&r->tree, node, toi_shape_implicit(r->tree.context, &implicit, shape));
  toi_scope_close(&scope);
  return status;
}

/* Radius and height, formulas in v and t: one in u is refused, though the formula has it. */
static toi_status read_profile(toi_scope *scope, toi_scene_reader *r, const toi_json_node *let,
                               const toi_json_node *const profile[2], toi_term terms[2]) {
  toi_status status = TOI_OK;
  static const char *const variables[] = {"vt", "uvt"};
  for (size_t k = 0; k < 2 && status == TOI_OK; k++) {
    toi_scope_close(scope);
    status = toi_scope_open(scope, &r->tree, r->constants, let, variables[k]);
    for (size_t i = 0; i < 2 && status == TOI_OK; i++)
      status = toi_scope_term(scope, profile[i], &terms[i]);
  }
  return status;
}

static toi_status read_revolution(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape) {
  enum { RADIUS, HEIGHT, V, LET, SEAMS, CLOSED, SOLID, COUNT };
  static const toi_tree_field fields[COUNT] = {
      [RADIUS] = {"radius", true}, [HEIGHT] = {"height", true},  [V] = {"v", true},         [LET] = {"let", false},
      [SEAMS] = {"seams", false},  [CLOSED] = {"closed", false}, [SOLID] = {"solid", false}};
  static const toi_tree_form form = {"a surface of revolution", fields, COUNT};
  const toi_json_node *values[COUNT];
  toi_parametric parametric = {.u = {0, 1}};
  toi_scope scope = {0};
  toi_term profile[2] = {TOI_NO_TERM, TOI_NO_TERM};
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = toi_scene_range(r, values[V], &parametric.v);
  if (status == TOI_OK)
    status = read_edges(r, values[SEAMS], values[CLOSED], &parametric.edges);
  if (status == TOI_OK)
    status = read_solid(r, values[SOLID], &parametric.solid);
  if (status == TOI_OK)
    status = read_profile(&scope, r, values[LET], &values[RADIUS], profile);
  if (status == TOI_OK) {
    parametric.edges &= TOI_EDGES_V;
    toi_shape_turn_profile(scope.formula, profile, parametric.at);
    status = toi_formula_status(scope.formula);
  }
  if (status == TOI_OK)
    status = make_parametric(r, node, &parametric, &scope, shape);
  toi_scope_close(&scope);
  return status;
}

static toi_status read_height_field(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape) {
  enum { Z, U, V, LET, COUNT };
  static const toi_tree_field fields[COUNT] = {
      [Z] = {"z", true}, [U] = {"u", true}, [V] = {"v", true}, [LET] = {"let", false}};
  static const toi_tree_form form = {"a height field", fields, COUNT};
  const toi_json_node *values[COUNT];
  toi_parametric parametric = {.edges = TOI_EDGES};
  toi_scope scope = {0};
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = toi_scene_range(r, values[U], &parametric.u);
  if (status == TOI_OK)
    status = toi_scene_range(r, values[V], &parametric.v);
  if (status == TOI_OK)
    status = toi_scope_open(&scope, &r->tree, r->constants, values[LET], "uvt");
  if (status == TOI_OK)
    status = toi_scope_term(&scope, values[Z], &parametric.at[2]);
  if (status == TOI_OK) {
    for (size_t i = 0; i < 2; i++)
      parametric.at[i] = toi_formula_variable(scope.formula, i);
    status = make_parametric(r, node, &parametric, &scope, shape);
  }
  toi_scope_close(&scope);
  return status;
}

/* --- any shape --- */

/* Patches, and the body that they are. */
static toi_status read_patches(toi_scene_reader *r, const toi_json_node *node, toi_model_part part, toi_shape **shape,
                               toi_model *model) {
  const toi_status status =
      part == TOI_MODEL_WHOLE ? toi_scene_model(r, node, model) : toi_model_from_tree(&r->tree, node, part, model);
  if (status != TOI_OK)
    return status;
  return toi_tree_fail_made(&r->tree, node, toi_shape_patches(r->tree.context, model, shape));
}

/* What a shape can be: those of the library, then the others. */
enum {
  PRISM = TOI_SHAPE_KIND_COUNT,
  TURNED,
  PARAMETRIC,
  IMPLICIT,
  REVOLUTION,
  HEIGHT_FIELD,
  PATCH,
  NURBS,
  MODEL,
  BOOLEAN,
  FACES,
  SHAPES
};
static const toi_tree_field shape_fields[SHAPES] = {
    [TOI_SHAPE_PLANE] = {"plane", false},
    [TOI_SHAPE_SPHERE] = {"sphere", false},
    [TOI_SHAPE_ELLIPSOID] = {"ellipsoid", false},
    [TOI_SHAPE_CYLINDER] = {"cylinder", false},
    [TOI_SHAPE_CONE] = {"cone", false},
    [TOI_SHAPE_TORUS] = {"torus", false},
    [TOI_SHAPE_SUPERQUADRIC] = {"superquadric", false},
    [TOI_SHAPE_BUMPY_SPHERE] = {"bumpy-sphere", false},
    [TOI_SHAPE_BOX] = {"box", false},
    [TOI_SHAPE_CAPPED_CYLINDER] = {"capped-cylinder", false},
    [TOI_SHAPE_CAPSULE] = {"capsule", false},
    [TOI_SHAPE_CAPPED_CONE] = {"capped-cone", false},
    [TOI_SHAPE_WEDGE] = {"wedge", false},
    [PRISM] = {"prism", false},
    [TURNED] = {"turned", false},
    [PARAMETRIC] = {"parametric", false},
    [IMPLICIT] = {"implicit", false},
    [REVOLUTION] = {"revolution", false},
    [HEIGHT_FIELD] = {"height-field", false},
    [PATCH] = {"patch", false},
    [NURBS] = {"nurbs", false},
    [MODEL] = {"model", false},
    [BOOLEAN] = {"boolean", false},
    [FACES] = {"faces", false},
};
static const toi_tree_form shape_form = {"a shape", shape_fields, SHAPES};

toi_status toi_scene_shape(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape, toi_model *model) {
  *shape = NULL;
  *model = (toi_model){0};
  size_t number = 0;
  const toi_status status = toi_tree_single(&r->tree, node, &shape_form, &number);
  if (status != TOI_OK)
    return status;
  switch (number) {
  case PARAMETRIC:
    return read_parametric(r, node->first, shape);
  case IMPLICIT:
    return read_implicit(r, node->first, shape);
  case REVOLUTION:
    return read_revolution(r, node->first, shape);
  case HEIGHT_FIELD:
    return read_height_field(r, node->first, shape);
  case PRISM:
    return toi_scene_prism(r, node->first, shape);
  case TURNED:
    return toi_scene_turned(r, node->first, shape);
  case PATCH:
    return read_patches(r, node->first, TOI_MODEL_PATCH, shape, model);
  case NURBS:
    return read_patches(r, node->first, TOI_MODEL_NURBS, shape, model);
  case BOOLEAN:
    return toi_scene_boolean(r, node->first, shape);
  case FACES:
    return toi_scene_faces(r, node->first, shape);
  case MODEL:
    return read_patches(r, node->first, TOI_MODEL_WHOLE, shape, model);
  default:
    return read_library(r, node->first, (toi_shape_kind)number, shape);
  }
}
