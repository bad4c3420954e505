/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Solids of several faces in a scene.
 *
 * Promise: numbers may be formulas without variables, as everywhere in a scene, and are rounded once. */

#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "io/contact_scene.h"

/* A list of pairs of numbers. */
typedef struct pairs {
  double (*at)[2];
  size_t count, bytes;
} pairs;

static toi_status read_pairs(toi_scene_reader *r, const toi_json_node *node, pairs *read) {
  if (node->kind != TOI_JSON_LIST)
    return toi_tree_misplaced(&r->tree, node, "a list of points [a, b]");
  for (const toi_json_node *point = node->first; point != NULL; point = point->next)
    read->count++;
  read->bytes = (read->count + 1) * sizeof *read->at;
  read->at = toi_allocate(r->tree.context, read->bytes);
  if (read->at == NULL)
    return TOI_ERROR_MEMORY;
  toi_status status = TOI_OK;
  size_t i = 0;
  for (const toi_json_node *point = node->first; point != NULL && status == TOI_OK; point = point->next)
    status = toi_scene_numbers(r, point, 2, read->at[i++]);
  return status;
}

static void free_pairs(const toi_scene_reader *r, const pairs *read) {
  if (read->at != NULL)
    toi_free(r->tree.context, read->at, read->bytes);
}

toi_status toi_scene_prism(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape) {
  static const toi_tree_field fields[] = {{"polygon", true}, {"height", true}};
  static const toi_tree_form form = {"a prism", fields, 2};
  const toi_json_node *values[2];
  pairs polygon = {.at = NULL};
  double height = 0;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = toi_scene_number(r, values[1], &height);
  if (status == TOI_OK)
    status = read_pairs(r, values[0], &polygon);
  if (status == TOI_OK)
    status = toi_tree_fail_made(
        &r->tree, node, toi_shape_prism(r->tree.context, (const double(*)[2])polygon.at, polygon.count, height, shape));
  free_pairs(r, &polygon);
  return status;
}

toi_status toi_scene_turned(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape) {
  static const toi_tree_field fields[] = {{"profile", true}};
  static const toi_tree_form form = {"a turned solid", fields, 1};
  const toi_json_node *values[1];
  pairs profile = {.at = NULL};
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = read_pairs(r, values[0], &profile);
  if (status == TOI_OK)
    status = toi_tree_fail_made(
        &r->tree, node, toi_shape_turned(r->tree.context, (const double(*)[2])profile.at, profile.count, shape));
  free_pairs(r, &profile);
  return status;
}

/* --- faces --- */

/* Faces that a scene may list: patches of models count one by one in the library. */
#define FACES_MOST 1024

typedef struct face_list {
  toi_scene_reader *reader;
  size_t count, room;
  const toi_json_node **nodes;
  toi_shape **shapes;
} face_list;

static void free_faces(const face_list *f) {
  toi_context *context = f->reader->tree.context;
  for (size_t i = 0; i < f->count; i++)
    toi_shape_destroy(f->shapes[i]);
  if (f->nodes != NULL)
    toi_free(context, f->nodes, f->room * sizeof(const toi_json_node *));
  if (f->shapes != NULL)
    toi_free(context, f->shapes, f->room * sizeof(toi_shape *));
}

static toi_status read_face(face_list *f, const toi_json_node *node) {
  enum { SHAPE, TRIM, NOTE, COUNT };
  static const toi_tree_field fields[COUNT] = {
      [SHAPE] = {"shape", true}, [TRIM] = {"trim", false}, [NOTE] = {"note", false}};
  static const toi_tree_form form = {"a face", fields, COUNT};
  const toi_json_node *values[COUNT];
  toi_scene_reader *r = f->reader;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK && values[TRIM] != NULL)
    status = toi_tree_fail(&r->tree, values[TRIM],
                           "faces with trimming curves are not supported yet; remove it, and give faces that end at "
                           "the edges of their parameters");
  if (status != TOI_OK)
    return status;
  toi_model model = {0};
  status = toi_scene_shape(r, values[SHAPE], &f->shapes[f->count], &model);
  toi_model_free(r->tree.context, &model);
  f->nodes[f->count] = node;
  f->count += status == TOI_OK;
  return status;
}

static toi_status read_faces(face_list *f, const toi_json_node *node) {
  const toi_tree *tree = &f->reader->tree;
  if (node->kind != TOI_JSON_LIST)
    return toi_tree_misplaced(tree, node, "a list of faces");
  for (const toi_json_node *one = node->first; one != NULL; one = one->next)
    f->room++;
  if (f->room < 1 || f->room > FACES_MOST)
    return toi_tree_fail(tree, node, "%zu faces; a solid has %d at most, and one model at least", f->room, FACES_MOST);
  f->nodes = toi_allocate(tree->context, f->room * sizeof(const toi_json_node *));
  f->shapes = toi_allocate(tree->context, f->room * sizeof(toi_shape *));
  if (f->nodes == NULL || f->shapes == NULL)
    return TOI_ERROR_MEMORY;
  toi_status status = TOI_OK;
  for (const toi_json_node *one = node->first; one != NULL && status == TOI_OK; one = one->next)
    status = read_face(f, one);
  return status;
}

/* The face that a failure is about; else the whole. */
static const toi_json_node *blamed_face(const face_list *f, const toi_json_node *node) {
  static const char begin[] = "faces[";
  const char *error = toi_context_error(f->reader->tree.context);
  if (strncmp(error, begin, sizeof begin - 1) != 0)
    return node;
  const unsigned long number = strtoul(error + sizeof begin - 1, NULL, 10);
  return number < f->count ? f->nodes[number] : node;
}

toi_status toi_scene_faces(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape) {
  enum { OF, TOLERANCE, COUNT };
  static const toi_tree_field fields[COUNT] = {[OF] = {"of", true}, [TOLERANCE] = {"tolerance", false}};
  static const toi_tree_form form = {"a solid of faces", fields, COUNT};
  const toi_json_node *values[COUNT];
  face_list f = {.reader = r};
  toi_faces faces;
  toi_faces_init(&faces, sizeof faces);
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = toi_scene_number(r, values[TOLERANCE], &faces.tolerance);
  if (status == TOI_OK && !(faces.tolerance > 0))
    status = toi_tree_fail(&r->tree, values[TOLERANCE], "must be greater than 0, not %.17g", faces.tolerance);
  if (status == TOI_OK)
    status = read_faces(&f, values[OF]);
  faces.count = f.count;
  faces.shapes = (const toi_shape *const *)f.shapes;
  if (status == TOI_OK) {
    status = toi_shape_faces(r->tree.context, &faces, shape);
    status = toi_tree_fail_made(&r->tree, status == TOI_OK ? node : blamed_face(&f, node), status);
  }
  free_faces(&f);
  return status;
}
