/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Boolean shapes evaluated: primitives where they are placed, the expression, and on which side of the others a feature
 * lies.
 *
 * Claim: toi_boolean_side is -1 only if no point with such values, and 0 for the active ones, is on the boundary with
 * all of them deciding; 1 only if every one is, and no other primitive is 0 that decides. Why: the expression is least
 * and greatest alone. Where an operand without active ones is below the others of a union, or above those of an
 * intersection, it decides there, and what is active does not; where it is strictly on the other side, it does not. */

#include "contact/boolean.h"

#include "solve/vector.h"

#include <stdio.h>

/* --- a primitive where it is placed --- */

static void own_place(const toi_operand *p, const toi_interval place[3], toi_interval own[3]) {
  if (p->turned)
    toi_times3((const toi_interval(*)[3])p->turn, place, own);
  else
    memcpy(own, place, 3 * sizeof *own);
  if (p->placed)
    toi_add3(own, p->shift, own);
}

static void negate(unsigned order, toi_field *f) {
  f->value = toi_interval_neg(f->value);
  for (int i = 0; i < 4 && order >= 1; i++)
    f->slope[i] = toi_interval_neg(f->slope[i]);
  for (int i = 0; i < 4 && order >= 2; i++)
    for (int j = 0; j < 4; j++)
      f->second[i][j] = toi_interval_neg(f->second[i][j]);
}

bool toi_boolean_field(const toi_boolean_tree *b, size_t primitive, const toi_interval place[3], toi_interval t,
                       unsigned order, toi_field *f) {
  const toi_operand *p = &b->primitive[primitive];
  toi_interval box[4], jet[TOI_JET4];
  own_place(p, place, box);
  box[3] = t;
  if (!toi_shape_jets(&p->shape, box, order, jet))
    return false;
  if (p->turned) {
    toi_field own;
    toi_interval column[3][3];
    static const toi_interval rest[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        column[j][i] = p->turn[i][j];
    const toi_place_jet at = {.n = 4, .first = {column[0], column[1], column[2], rest}};
    toi_field_unpack(jet, order, &own);
    toi_field_along(&own, &at, order, f);
  } else {
    toi_field_unpack(jet, order, f);
  }
  if (p->negative)
    negate(order, f);
  return true;
}

bool toi_boolean_values(const toi_boolean_tree *b, uint32_t asked, const toi_interval place[3], toi_interval t,
                        toi_interval values[TOI_BOOLEAN_PRIMITIVES]) {
  for (size_t i = 0; i < b->primitive_count; i++) {
    const toi_operand *p = &b->primitive[i];
    toi_interval box[4];
    if (!(asked >> i & 1))
      continue;
    own_place(p, place, box);
    box[3] = t;
    if (!toi_shape_jets(&p->shape, box, 0, &values[i]))
      return false;
    if (p->negative)
      values[i] = toi_interval_neg(values[i]);
  }
  return true;
}

/* --- the expression --- */

static toi_interval value_of(const toi_boolean_tree *b, uint8_t node, const toi_interval *values) {
  const toi_boolean_node *n = &b->node[node];
  if (n->leaf >= 0)
    return values[n->leaf];
  toi_interval value = value_of(b, n->first, values);
  for (uint8_t i = b->node[n->first].next; i != 0; i = b->node[i].next) {
    const toi_interval child = value_of(b, i, values);
    value = n->greatest ? toi_interval_max(value, child) : toi_interval_min(value, child);
  }
  return value;
}

toi_interval toi_boolean_value(const toi_boolean_tree *b, const toi_interval values[TOI_BOOLEAN_PRIMITIVES]) {
  return value_of(b, 0, values);
}

/* Of a node with active ones below it. */
static int side_at(const toi_boolean_tree *b, uint8_t node, uint32_t active, const toi_interval *values) {
  const toi_boolean_node *n = &b->node[node];
  int side = 1;
  for (uint8_t i = n->first; i != 0; i = b->node[i].next) {
    int of_child;
    if (b->node[i].leaves & active) {
      of_child = side_at(b, i, active, values);
    } else {
      const int sign = toi_interval_sign(value_of(b, i, values));
      of_child = n->greatest ? -sign : sign;
    }
    if (of_child < 0)
      return -1;
    side = of_child < side ? of_child : side;
  }
  return side;
}

int toi_boolean_side(const toi_boolean_tree *b, uint32_t active, const toi_interval values[TOI_BOOLEAN_PRIMITIVES]) {
  assert(active != 0 && (active & ~b->node[0].leaves) == 0);
  return side_at(b, 0, active, values);
}

bool toi_boolean_is_convex(const toi_boolean_tree *b, uint32_t active) {
  for (size_t node = 0; node < b->node_count; node++) {
    const toi_boolean_node *n = &b->node[node];
    int with = 0;
    for (uint8_t i = n->leaf >= 0 ? 0 : n->first; i != 0; i = b->node[i].next)
      with += (b->node[i].leaves & active) != 0;
    if (with > 1 && !n->greatest)
      return false;
  }
  return true;
}

/* Where several primitives may decide, the hull of their derivatives. */
bool toi_boolean_jets(const toi_shape *shape, const toi_interval *box, unsigned order, toi_interval *jets) {
  const toi_boolean_tree *b = shape->boolean;
  const size_t size = TOI_JET_SIZE(4, order);
  toi_interval values[TOI_BOOLEAN_PRIMITIVES];
  if (!toi_boolean_values(b, b->node[0].leaves, box, box[3], values))
    return false;
  jets[0] = toi_boolean_value(b, values);
  bool some = false;
  for (size_t i = 0; i < b->primitive_count && order > 0; i++) {
    toi_field f;
    if (values[i].hi < jets[0].lo || values[i].lo > jets[0].hi)
      continue;
    if (!toi_boolean_field(b, i, box, box[3], 1, &f))
      return false;
    for (size_t k = 0; k < 4; k++)
      jets[1 + k] = some ? toi_interval_hull(jets[1 + k], f.slope[k]) : f.slope[k];
    some = true;
  }
  for (size_t k = 5; k < size; k++)
    jets[k] = toi_interval_whole();
  return true;
}

/* --- checked, and explained --- */

static void name_primitive(char name[80], const char *what, size_t number) {
  (void)snprintf(name, 80, "%s, primitive %zu", what, number);
}

toi_status toi_boolean_check(const toi_shape *shape, double t_max, const char *what) {
  const toi_boolean_tree *b = shape->boolean;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < b->primitive_count && status == TOI_OK; i++) {
    // Wherever the whole is looked for.
    toi_shape over = b->primitive[i].shape;
    own_place(&b->primitive[i], shape->bounds, over.bounds);
    over.known = true;
    char name[80];
    toi_interval bounds[3];
    double centre[3], radius;
    name_primitive(name, what, i);
    status = toi_shape_check(&over, t_max, name, bounds, centre, &radius);
  }
  return status;
}

toi_status toi_boolean_explain(const toi_shape *shape, const toi_interval *box, unsigned order, const char *what) {
  const toi_boolean_tree *b = shape->boolean;
  for (size_t i = 0; i < b->primitive_count; i++) {
    toi_interval own[4], jet[TOI_JET4];
    own_place(&b->primitive[i], box, own);
    own[3] = box[3];
    if (toi_shape_jets(&b->primitive[i].shape, own, order, jet))
      continue;
    char name[80];
    name_primitive(name, what, i);
    return toi_shape_explain(&b->primitive[i].shape, own, order, name);
  }
  return toi_fail(shape->context, TOI_ERROR_CALLBACK, "%s: a function gave no interval, and one when asked again",
                  what);
}
