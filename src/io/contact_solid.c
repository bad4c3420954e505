/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Solids of several faces in a scene.
 *
 * Promise: numbers may be formulas without variables, as everywhere in a scene, and are rounded once. */

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
