/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Boolean shapes of a scene: an operation and the shapes that it is of, each placed by steps that rest.
 *
 * Promise: what an operand cannot be is refused at the operand: open or parametric shapes, a motion that moves, one
 * primitive or one operation inside another too many. */

#include "io/contact_scene.h"

#include <stdlib.h>
#include <string.h>

/* Operands that a shape may have; the library counts primitives. */
#define OPERANDS 16

typedef struct operands {
  toi_scene_reader *reader;
  size_t count;
  const toi_json_node *nodes[OPERANDS];
  toi_body bodies[OPERANDS];
} operands;

static void destroy(operands *o) {
  for (size_t i = 0; i < o->count; i++) {
    toi_shape_destroy((toi_shape *)(uintptr_t)o->bodies[i].shape);
    toi_motion_destroy((toi_motion *)(uintptr_t)o->bodies[i].motion);
  }
}

static toi_status read_operand(operands *o, const toi_json_node *node) {
  enum { SHAPE, MOTION, NOTE, COUNT };
  static const toi_tree_field fields[COUNT] = {
      [SHAPE] = {"shape", true}, [MOTION] = {"motion", false}, [NOTE] = {"note", false}};
  static const toi_tree_form form = {"an operand", fields, COUNT};
  const toi_json_node *values[COUNT];
  toi_scene_reader *r = o->reader;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status != TOI_OK)
    return status;
  toi_shape *shape = NULL;
  toi_motion *motion = NULL;
  toi_model model = {0};
  status = toi_scene_shape(r, values[SHAPE], &shape, &model);
  if (status == TOI_OK && model.patch_count > 0)
    status =
        toi_tree_fail(&r->tree, values[SHAPE], "patches have no inside; a Boolean shape is made of implicit solids");
  toi_model_free(r->tree.context, &model);
  if (status == TOI_OK && values[MOTION] != NULL)
    status = toi_scene_motion(r, values[MOTION], &motion);
  o->nodes[o->count] = node;
  o->bodies[o->count++] = (toi_body){.size = sizeof(toi_body), .shape = shape, .motion = motion};
  return status;
}

static toi_status read_operands(operands *o, const toi_json_node *node) {
  const toi_tree *tree = &o->reader->tree;
  if (node->kind != TOI_JSON_LIST)
    return toi_tree_misplaced(tree, node, "a list of operands");
  toi_status status = TOI_OK;
  for (const toi_json_node *one = node->first; one != NULL && status == TOI_OK; one = one->next) {
    if (o->count == OPERANDS)
      return toi_tree_fail(tree, one, "one operand too many: a Boolean shape has at most %d primitives", OPERANDS);
    status = read_operand(o, one);
  }
  return status;
}

/* The operand that a failure is about; else the whole. */
static const toi_json_node *blamed(const operands *o, const toi_json_node *node) {
  static const char begin[] = "operands[";
  const char *error = toi_context_error(o->reader->tree.context);
  if (strncmp(error, begin, sizeof begin - 1) != 0)
    return node;
  const unsigned long number = strtoul(error + sizeof begin - 1, NULL, 10);
  return number < o->count ? o->nodes[number] : node;
}

toi_status toi_scene_boolean(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape) {
  enum { OPERATION, OF, BOUNDS, COUNT };
  static const toi_tree_field fields[COUNT] = {
      [OPERATION] = {"operation", true}, [OF] = {"of", true}, [BOUNDS] = {"bounds", false}};
  static const toi_tree_form form = {"a Boolean shape", fields, COUNT};
  static const char *const names[] = {"union", "intersection", "difference"};
  const toi_json_node *values[COUNT];
  operands o = {.reader = r};
  toi_boolean boolean = {.size = sizeof boolean};
  size_t number = 0;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = toi_tree_choice(&r->tree, values[OPERATION], names, sizeof names / sizeof names[0], &number);
  if (status == TOI_OK && values[BOUNDS] != NULL && values[BOUNDS]->kind != TOI_JSON_NULL)
    status = toi_scene_bounds(r, values[BOUNDS], boolean.bounds);
  if (status == TOI_OK)
    status = read_operands(&o, values[OF]);
  boolean.operation = (toi_boolean_operation)number;
  boolean.operands = o.bodies;
  boolean.count = o.count;
  if (status == TOI_OK) {
    status = toi_shape_boolean(r->tree.context, &boolean, shape);
    status = toi_tree_fail_made(&r->tree, status == TOI_OK ? node : blamed(&o, node), status);
  }
  destroy(&o);
  return status;
}
