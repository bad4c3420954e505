/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Boolean shapes: solids that are unions, intersections and differences of implicit ones.
 *
 * A solid is an expression over primitives F_i <= 0: a union is the least of its operands, an intersection the
 * greatest, a complement has the sign changed. Complements go down to the primitives, so that a tree of least and
 * greatest is left. The boundary is made of faces, F_i = 0 where i decides; of rims, F_i = F_j = 0 where both do; and
 * of vertices, of three of them. Each is a feature: a set of primitives that are 0, `active`, and conditions on the
 * others, its sides: at every operation above an active one, the other operands are on the side that leaves the
 * decision to it. */

#ifndef TOI_CONTACT_BOOLEAN_H
#define TOI_CONTACT_BOOLEAN_H

#include "contact/body_pair.h"

/* Primitives of one shape, and operations inside each other. */
#define TOI_BOOLEAN_PRIMITIVES 16
#define TOI_BOOLEAN_DEPTH 5

#define TOI_BOOLEAN_NODES (2 * TOI_BOOLEAN_PRIMITIVES)

/* Primitives that a feature makes 0, at most. */
#define TOI_FEATURE_ACTIVE 3

/* An implicit solid, placed: F(R^T (x - T)), or the negative of that. */
typedef struct toi_operand {
  toi_shape shape; /* a copy */
  bool negative;
  bool placed, turned;     /* T, or R, is not that of rest */
  toi_interval turn[3][3]; /* R^T */
  toi_interval shift[3];   /* -R^T T */
} toi_operand;

/* A primitive, or the least or the greatest of its children. */
typedef struct toi_boolean_node {
  bool greatest;
  int8_t leaf;         /* -1: an operation */
  uint8_t first, next; /* child and sibling; 0: none, as the root is nobody's */
  uint32_t leaves;     /* all below it */
} toi_boolean_node;

typedef struct toi_boolean_tree {
  size_t primitive_count, node_count, depth;
  toi_operand primitive[TOI_BOOLEAN_PRIMITIVES];
  toi_boolean_node node[TOI_BOOLEAN_NODES]; /* 0: the root */
  toi_solid_feature *features;              /* of a shape that does not deform; else NULL */
  size_t feature_count;
} toi_boolean_tree;

void toi_boolean_destroy(toi_context *context, toi_boolean_tree *b);

/* Value and derivatives of a primitive at a place of the whole shape's coordinates. False: as toi_shape_jets. */
bool toi_boolean_field(const toi_boolean_tree *b, size_t primitive, const toi_interval place[3], toi_interval t,
                       unsigned order, toi_field *f);

/* Values of those that are asked for; the others are not written. False: as above. */
bool toi_boolean_values(const toi_boolean_tree *b, uint32_t asked, const toi_interval place[3], toi_interval t,
                        toi_interval values[TOI_BOOLEAN_PRIMITIVES]);

/* The expression's value, from all values. */
toi_interval toi_boolean_value(const toi_boolean_tree *b, const toi_interval values[TOI_BOOLEAN_PRIMITIVES]);

/* Whether the boundary passes where the active primitives are 0 and the others have these values: 1: proved, -1:
 * refuted, 0: neither. Values of active ones are not read. */
int toi_boolean_side(const toi_boolean_tree *b, uint32_t active, const toi_interval values[TOI_BOOLEAN_PRIMITIVES]);

/* Whether they meet in intersections alone. */
bool toi_boolean_is_convex(const toi_boolean_tree *b, uint32_t active);

/* The features that there may be within the bounds at these times, each with a hull; to be freed. */
toi_status toi_boolean_features(toi_context *context, const toi_boolean_tree *b, const toi_interval bounds[3],
                                toi_interval t, toi_solid_feature **features, size_t *count);

/* As toi_shape_jets, toi_shape_check and toi_shape_explain. */
bool toi_boolean_jets(const toi_shape *shape, const toi_interval *box, unsigned order, toi_interval *jets);
toi_status toi_boolean_check(const toi_shape *shape, double t_max, const char *what);
toi_status toi_boolean_explain(const toi_shape *shape, const toi_interval *box, unsigned order, const char *what);

/* --- normal cones: boolean_cone.c --- */

/* Gradients of functions, all negative inside, and their slopes by time at rest. */
#define TOI_CONE_MOST 4
typedef struct toi_cone {
  size_t n;
  toi_interval gradient[TOI_CONE_MOST][3], by_time[TOI_CONE_MOST];
} toi_cone;

/* Whether the interiors met at the contact or just before it, whatever the gradients in these enclosures. */
bool toi_cone_is_refuted(const toi_cone *cone);

/* Multipliers l with sum l_k gradient_k = 0 at a contact, where the gradients are dependent, up to a common factor; and
 * sum l_k by_time_k. False: they are not enclosed. */
bool toi_cone_multipliers(const toi_cone *cone, toi_interval multiplier[TOI_CONE_MOST], toi_interval *by_time);

#endif
