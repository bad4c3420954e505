/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Boolean shapes made: operands are joined into one tree of least and greatest over placed primitives.
 *
 * Promise: the tree is the set that was written, as complements change signs and swap least and greatest (De Morgan);
 * what is refused is refused with the number of the operand. Operands are copied. */

#include "contact/boolean.h"

#include "solve/vector.h"

#include <stdio.h>

#define BOOLEAN TOI_LAYOUT(toi_boolean, bounds)
#define OPERAND TOI_LAYOUT(toi_body, motion)

/* Times over which an operand's motion must rest. */
#define REST_UNTIL 0x1p60

static const char *const parts[] = {"F"};

void toi_boolean_init(toi_boolean *boolean, size_t size) {
  toi_init_struct(BOOLEAN, NULL, boolean, size);
}

const char *toi_boolean_operation_name(toi_boolean_operation operation) {
  static const char *const names[] = {"union", "intersection", "difference"};
  return (size_t)operation < sizeof names / sizeof *names ? names[operation] : NULL;
}

void toi_boolean_destroy(toi_context *context, toi_boolean_tree *b) {
  for (size_t i = 0; i < b->primitive_count; i++)
    toi_tape_destroy(b->primitive[i].shape.tape);
  if (b->features != NULL)
    toi_free(context, b->features, b->feature_count * sizeof *b->features);
  toi_free(context, b, sizeof *b);
}

/* --- a tree being made --- */

typedef struct builder {
  toi_context *context;
  toi_boolean_tree *tree;
  size_t operand;  /* that is being added */
  toi_body given;  /* as it was given */
  bool complement; /* it is taken away */
  toi_motion_jet place;
} builder;

static toi_status fail_operand(const builder *b, const char *wrong) {
  return toi_fail(b->context, TOI_ERROR_INPUT, "operands[%zu]%s", b->operand, wrong);
}

static bool is_zero(toi_interval x) {
  return x.lo == 0 && x.hi == 0;
}

/* Where an operand lies: a motion that is none. */
static toi_status take_place(builder *b) {
  toi_motion_jet over;
  const toi_motion *motion = b->given.motion;
  toi_motion_jet_at(NULL, toi_interval_point(0), 0, &b->place);
  if (motion == NULL)
    return TOI_OK;
  char what[64];
  (void)snprintf(what, sizeof what, "operands[%zu].motion", b->operand);
  toi_status status = toi_motion_check(b->context, motion, 0, what);
  if (status != TOI_OK)
    return status;
  toi_motion_jet_at(motion, (toi_interval){0, REST_UNTIL}, 1, &over);
  for (int i = 0; i < 3; i++) {
    bool rests = is_zero(over.translation[1][i]);
    for (int j = 0; j < 3; j++)
      rests = rests && is_zero(over.rotation[1][i][j]);
    if (!rests)
      return fail_operand(b, ".motion depends on time, but operands must be at rest; give the motion to the body");
  }
  toi_motion_jet_at(motion, toi_interval_point(0), 0, &b->place);
  return TOI_OK;
}

/* R^T (x - T), of a primitive that had a place before. */
static void set_place(const builder *b, const toi_operand *old, toi_operand *made) {
  const toi_motion_jet *m = &b->place;
  toi_interval back[3][3], turned[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      back[i][j] = m->rotation[0][j][i];
  toi_times3((const toi_interval(*)[3])back, m->translation[0], turned);
  const bool shift = b->given.motion == NULL || toi_motion_is_shift(b->given.motion);
  for (int i = 0; i < 3; i++) {
    // old R^T (R^T x - R^T T) + old shift
    toi_interval sum = old->shift[i];
    for (int j = 0; j < 3; j++) {
      sum = toi_interval_sub(sum, toi_interval_mul(old->turn[i][j], turned[j]));
      const toi_interval column[3] = {back[0][j], back[1][j], back[2][j]};
      made->turn[i][j] = shift ? old->turn[i][j] : toi_dot3(old->turn[i], column);
    }
    made->shift[i] = sum;
  }
  made->turned = old->turned || !shift;
  made->placed = old->placed || b->given.motion != NULL;
}

/* The number of a new node; 0: there is no room. */
static uint8_t add_node(toi_boolean_tree *tree, toi_boolean_node node) {
  assert(tree->node_count < TOI_BOOLEAN_NODES);
  tree->node[tree->node_count] = node;
  return (uint8_t)tree->node_count++;
}

static toi_status add_primitive(builder *b, const toi_operand *old, uint8_t *number) {
  toi_boolean_tree *tree = b->tree;
  if (tree->primitive_count == TOI_BOOLEAN_PRIMITIVES)
    return toi_fail(b->context, TOI_ERROR_INPUT,
                    "operands[%zu]: more than %d primitives in all; use fewer, or join some in one formula", b->operand,
                    TOI_BOOLEAN_PRIMITIVES);
  toi_operand *made = &tree->primitive[tree->primitive_count];
  *made = *old;
  set_place(b, old, made);
  made->negative = old->negative != b->complement;
  made->shape.context = b->context;
  made->shape.straight = NULL;
  made->shape.frame = NULL;
  made->shape.tape = NULL;
  if (old->shape.tape != NULL && toi_tape_copy(b->context, old->shape.tape, &made->shape.tape) != TOI_OK)
    return TOI_ERROR_MEMORY;
  const uint32_t leaves = UINT32_C(1) << tree->primitive_count;
  *number = add_node(tree, (toi_boolean_node){.leaf = (int8_t)tree->primitive_count++, .leaves = leaves});
  return TOI_OK;
}

/* Links a child, whose siblings come before it. */
static void add_child(toi_boolean_tree *tree, uint8_t parent, uint8_t *last, uint8_t child) {
  *(*last == 0 ? &tree->node[parent].first : &tree->node[*last].next) = child;
  *last = child;
  tree->node[parent].leaves |= tree->node[child].leaves;
}

/* A copy of what another tree has below a node. */
static toi_status copy_node(builder *b, const toi_boolean_tree *from, uint8_t node, uint8_t *number) {
  const toi_boolean_node *old = &from->node[node];
  if (old->leaf >= 0)
    return add_primitive(b, &from->primitive[old->leaf], number);
  uint8_t last = 0, child;
  if (b->tree->node_count == TOI_BOOLEAN_NODES)
    return toi_fail(b->context, TOI_ERROR_INPUT, "operands[%zu]: more than %d primitives in all; use fewer", b->operand,
                    TOI_BOOLEAN_PRIMITIVES);
  *number = add_node(b->tree, (toi_boolean_node){.greatest = old->greatest != b->complement, .leaf = -1});
  for (uint8_t i = old->first; i != 0; i = from->node[i].next) {
    const toi_status status = copy_node(b, from, i, &child);
    if (status != TOI_OK)
      return status;
    add_child(b->tree, *number, &last, child);
  }
  return TOI_OK;
}

static toi_status check_operand(const builder *b) {
  const toi_shape *shape = b->given.shape;
  if (shape == NULL)
    return fail_operand(b, " has no shape");
  if (!shape->implicit || shape->piece_count > 0)
    return fail_operand(b, ".shape is not implicit: a Boolean shape needs the sign of a function; ask for the implicit "
                           "form, or give a formula F(x, y, z, t)");
  if (!shape->solid)
    return fail_operand(b, ".shape is not a solid, so it has no inside; declare it a solid, with F negative inside");
  return TOI_OK;
}

static toi_status add_operand(builder *b, uint8_t *last) {
  toi_status status = check_operand(b);
  if (status == TOI_OK)
    status = take_place(b);
  uint8_t child = 0;
  const toi_shape *shape = b->given.shape;
  if (status == TOI_OK && shape->boolean == NULL) {
    toi_operand alone = {.shape = *shape};
    for (int i = 0; i < 3; i++)
      alone.turn[i][i] = toi_interval_point(1);
    status = add_primitive(b, &alone, &child);
  }
  if (status == TOI_OK && shape->boolean != NULL) {
    const size_t depth = shape->boolean->depth + 1;
    if (depth > TOI_BOOLEAN_DEPTH)
      return toi_fail(b->context, TOI_ERROR_INPUT,
                      "operands[%zu].shape: operations are nested %zu deep; at most %d inside each other", b->operand,
                      depth, TOI_BOOLEAN_DEPTH);
    b->tree->depth = depth > b->tree->depth ? depth : b->tree->depth;
    status = copy_node(b, shape->boolean, 0, &child);
  }
  if (status == TOI_OK)
    add_child(b->tree, 0, last, child);
  return status;
}

/* --- where it is looked for --- */

/* A box around a placed operand: all of space where it has no bounds. */
static void operand_bounds(const builder *b, toi_interval bounds[3]) {
  const toi_motion_jet *m = &b->place;
  memcpy(bounds, b->given.shape->bounds, 3 * sizeof *bounds);
  if (!(bounds[0].hi <= DBL_MAX) || b->given.motion == NULL)
    return;
  toi_interval turned[3];
  toi_times3((const toi_interval(*)[3])m->rotation[0], bounds, turned);
  toi_add3(turned, m->translation[0], bounds);
}

/* What is taken away bounds nothing. *empty: operands that have nothing in common. */
static void narrow(const builder *b, toi_boolean_operation operation, toi_interval bounds[3], bool *empty) {
  toi_interval of[3];
  operand_bounds(b, of);
  for (int k = 0; k < 3; k++)
    if (b->operand == 0)
      bounds[k] = of[k];
    else if (operation == TOI_BOOLEAN_UNION)
      bounds[k] = toi_interval_hull(bounds[k], of[k]);
    else if (operation == TOI_BOOLEAN_INTERSECTION)
      *empty = !toi_interval_intersect(bounds[k], of[k], &bounds[k]) || *empty;
}

static toi_status limit_bounds(toi_context *context, const toi_interval limit[3], toi_shape *shape) {
  const bool limited = limit[0].lo != limit[0].hi || limit[1].lo != limit[1].hi || limit[2].lo != limit[2].hi;
  for (int k = 0; k < 3; k++) {
    if (limited && !(limit[k].lo >= -DBL_MAX && limit[k].lo < limit[k].hi && limit[k].hi <= DBL_MAX))
      return toi_fail(context, TOI_ERROR_INPUT,
                      "bounds: %c goes from %g to %g; both must be finite, the first one smaller", "xyz"[k],
                      limit[k].lo, limit[k].hi);
    if (limited && !toi_interval_intersect(shape->bounds[k], limit[k], &shape->bounds[k]))
      return toi_fail(context, TOI_ERROR_INPUT, "bounds: nothing of the shape lies between %c = %g and %g", "xyz"[k],
                      limit[k].lo, limit[k].hi);
    if (!(toi_interval_magnitude(shape->bounds[k]) <= DBL_MAX))
      return toi_fail(context, TOI_ERROR_INPUT,
                      "nothing bounds the shape along %c; give it bounds that contain every part that may be touched",
                      "xyz"[k]);
  }
  return TOI_OK;
}

/* --- all of it --- */

static toi_status add_operands(builder *b, const toi_boolean *given, toi_interval bounds[3]) {
  const size_t stride = toi_description_stride(OPERAND, given->operands);
  toi_body first = {0};
  toi_status status = toi_take_description(b->context, OPERAND, given->operands, &first);
  uint8_t last = 0;
  const bool meet = given->operation != TOI_BOOLEAN_UNION;
  bool empty = false;
  add_node(b->tree, (toi_boolean_node){.greatest = meet, .leaf = -1});
  for (size_t i = 0; i < given->count && status == TOI_OK; i++) {
    b->operand = i;
    b->given = (toi_body){0};
    memcpy(&b->given, (const char *)given->operands + i * stride, stride);
    b->complement = given->operation == TOI_BOOLEAN_DIFFERENCE && i > 0;
    status = add_operand(b, &last);
    if (status == TOI_OK)
      narrow(b, given->operation, bounds, &empty);
  }
  if (status == TOI_OK && empty)
    return toi_fail(b->context, TOI_ERROR_INPUT, "the operands have nothing in common: the shape is empty");
  return status;
}

static toi_status fill(toi_context *context, const toi_boolean *given, toi_shape *shape) {
  builder b = {.context = context, .tree = shape->boolean};
  b.tree->depth = 1;
  toi_status status = add_operands(&b, given, shape->bounds);
  if (status == TOI_OK)
    status = limit_bounds(context, given->bounds, shape);
  for (size_t i = 0; i < b.tree->primitive_count; i++)
    shape->deforming = shape->deforming || b.tree->primitive[i].shape.deforming;
  if (status == TOI_OK && !shape->deforming)
    status = toi_boolean_check(shape, 0, "shape");
  if (status == TOI_OK && !shape->deforming)
    status = toi_boolean_features(context, b.tree, shape->bounds, toi_interval_point(0), &b.tree->features,
                                  &b.tree->feature_count);
  return status;
}

static toi_status take(toi_context *context, const toi_boolean *boolean, toi_boolean *taken) {
  toi_status status = toi_take_description(context, BOOLEAN, boolean, taken);
  if (status != TOI_OK)
    return status;
  if (toi_boolean_operation_name(taken->operation) == NULL)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "operation is %d; it must be TOI_BOOLEAN_UNION, _INTERSECTION or _DIFFERENCE",
                    (int)taken->operation);
  if (taken->count < 2 || taken->operands == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu operands; Boolean operations are of two or more", taken->count);
  return TOI_OK;
}

static TOI_APART toi_status make(toi_context *context, const toi_boolean *boolean, toi_shape **shape) {
  toi_status status = toi_shape_begin(context, boolean, "Boolean", shape);
  toi_boolean taken = {0};
  if (status == TOI_OK)
    status = take(context, boolean, &taken);
  if (status != TOI_OK)
    return status;
  toi_shape *made = toi_allocate(context, sizeof *made);
  toi_boolean_tree *tree = toi_allocate(context, sizeof *tree);
  if (made == NULL || tree == NULL) {
    if (made != NULL)
      toi_free(context, made, sizeof *made);
    if (tree != NULL)
      toi_free(context, tree, sizeof *tree);
    return TOI_ERROR_MEMORY;
  }
  *tree = (toi_boolean_tree){0};
  *made = (toi_shape){
      .context = context, .implicit = true, .solid = true, .reach = INFINITY, .parts = parts, .boolean = tree};
  status = fill(context, &taken, made);
  if (status == TOI_OK)
    *shape = made;
  else
    toi_shape_destroy(made);
  return status;
}

toi_status toi_shape_boolean(toi_context *context, const toi_boolean *boolean, toi_shape **shape) {
  TOI_CALL(context, make(context, boolean, shape));
}
