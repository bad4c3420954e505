/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Boolean shapes made for tests: operands put together one by one, and joined. */

#ifndef TOI_TESTS_CONTACT_BOOLEAN_SHAPES_H
#define TOI_TESTS_CONTACT_BOOLEAN_SHAPES_H

#include "contact/stage.h"

#define OPERANDS 20

typedef struct operands {
  toi_context *context;
  toi_body bodies[OPERANDS];
  toi_shape *shapes[OPERANDS];
  toi_motion *motions[OPERANDS];
  size_t count;
} operands;

/* Takes a shape; shift may be NULL. The motion goes on from there. */
static inline toi_motion *add_shape(operands *o, toi_shape *shape, const double shift[3]) {
  toi_motion *motion = NULL;
  assert_true(o->count < OPERANDS);
  assert_int_equal(toi_motion_create(o->context, &motion), TOI_OK);
  if (shift != NULL)
    assert_int_equal(toi_motion_move(motion, shift, NULL), TOI_OK);
  o->shapes[o->count] = shape;
  o->motions[o->count] = motion;
  o->bodies[o->count++] = (toi_body){.shape = shape, .motion = motion};
  return motion;
}

static inline toi_shape *formula_shape(toi_context *context, const char *text, const double *side, bool solid) {
  toi_formula *formula = NULL;
  toi_shape *shape = NULL;
  assert_int_equal(toi_formula_create(context, (const char *const[]){"x", "y", "z", "t"}, 4, &formula), TOI_OK);
  toi_implicit implicit = {.formula = formula, .function = toi_formula_parse(formula, text), .solid = solid};
  for (int k = 0; k < 3; k++)
    implicit.bounds[k] = side == NULL ? (toi_interval){-INFINITY, INFINITY} : (toi_interval){-*side, *side};
  if (toi_shape_implicit(context, &implicit, &shape) != TOI_OK)
    fail_msg("%s: %s", text, toi_context_error(context));
  toi_formula_destroy(formula);
  return shape;
}

static inline toi_motion *add_formula(operands *o, const char *text, const double shift[3]) {
  return add_shape(o, formula_shape(o->context, text, NULL, true), shift);
}

static inline toi_motion *add_ball(operands *o, double radius, const double shift[3]) {
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_library(o->context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius, &shape), TOI_OK);
  return add_shape(o, shape, shift);
}

/* Operands are freed, whatever became of it. side: bounds from -side to side; 0: none. */
static inline toi_status join(operands *o, toi_boolean_operation operation, double side, toi_shape **shape) {
  toi_boolean boolean = {.operation = operation, .count = o->count, .operands = o->bodies};
  for (int k = 0; k < 3 && side > 0; k++)
    boolean.bounds[k] = (toi_interval){-side, side};
  const toi_status status = toi_shape_boolean(o->context, &boolean, shape);
  for (size_t i = 0; i < o->count; i++) {
    toi_shape_destroy(o->shapes[i]);
    toi_motion_destroy(o->motions[i]);
  }
  o->count = 0;
  return status;
}

static inline toi_shape *joined(operands *o, toi_boolean_operation operation, double side) {
  toi_shape *shape = NULL;
  if (join(o, operation, side, &shape) != TOI_OK)
    fail_msg("%s", toi_context_error(o->context));
  return shape;
}

/* Of these half sizes: three slabs. */
static inline toi_shape *box_of_slabs(toi_context *context, double x, double y, double z) {
  operands o = {.context = context};
  char text[64];
  const double half[3] = {x, y, z};
  for (int k = 0; k < 3; k++) {
    snprintf(text, sizeof text, "%c^2 - %.17g^2", "xyz"[k], half[k]);
    (void)add_formula(&o, text, NULL);
  }
  return joined(&o, TOI_BOOLEAN_INTERSECTION, 1.1 * (x + y + z));
}

#endif
