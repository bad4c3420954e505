/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of many bodies for tests: shapes and motions of one context, and all that an answer tells. */

#ifndef TOI_TESTS_CONTACT_MANY_H
#define TOI_TESTS_CONTACT_MANY_H

#include "support/support.h"

#include <toi/contact.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CROWD_SHAPES 8
#define CROWD_POINTS 256

typedef struct crowd {
  toi_context *context;
  toi_shape *shapes[CROWD_SHAPES];
  size_t shape_count, count, room;
  toi_motion **motions;
  toi_body *bodies;
  toi_contact_answer answer;
  toi_contact_point points[CROWD_POINTS];
  size_t point_count;
} crowd;

static inline void crowd_must(const crowd *c, toi_status status) {
  if (status != TOI_OK)
    fail_msg("%s: %s", toi_status_text(status), toi_context_error(c->context));
}

static inline void crowd_open(crowd *c, toi_context *context, size_t room) {
  *c = (crowd){.context = context, .room = room};
  c->motions = calloc(room, sizeof(toi_motion *));
  c->bodies = calloc(room, sizeof *c->bodies);
  assert_non_null(c->motions);
  assert_non_null(c->bodies);
}

static inline void crowd_close(crowd *c) {
  for (size_t i = 0; i < c->count; i++)
    toi_motion_destroy(c->motions[i]);
  for (size_t i = 0; i < c->shape_count; i++)
    toi_shape_destroy(c->shapes[i]);
  free(c->motions);
  free(c->bodies);
}

static inline toi_shape *crowd_shape(crowd *c, toi_shape_kind kind, toi_shape_form form, const double *size) {
  assert_true(c->shape_count < CROWD_SHAPES);
  crowd_must(c, toi_shape_library(c->context, kind, form, size, &c->shapes[c->shape_count]));
  return c->shapes[c->shape_count++];
}

/* turn: radians about an axis along (1, 2, 3) in the whole step; velocity NULL: it rests there. */
static inline void crowd_add(crowd *c, const toi_shape *shape, const double at[3], const double *velocity,
                             double turn) {
  static const double axis[] = {1, 2, 3};
  assert_true(c->count < c->room);
  toi_motion *motion = NULL;
  crowd_must(c, toi_motion_create(c->context, &motion));
  if (turn != 0)
    crowd_must(c, toi_motion_turn(motion, axis, NULL, 0.3, turn));
  crowd_must(c, toi_motion_move(motion, at, velocity));
  c->motions[c->count] = motion;
  c->bodies[c->count++] = (toi_body){.size = sizeof(toi_body), .shape = shape, .motion = motion};
}

static inline toi_status crowd_take(void *user, const toi_contact_point *point) {
  crowd *c = user;
  if (c->point_count < CROWD_POINTS)
    c->points[c->point_count++] = *point;
  return TOI_OK;
}

static inline toi_status crowd_try(crowd *c, const toi_contact_options *options) {
  c->point_count = 0;
  return toi_contact(c->context, c->bodies, c->count, options, &c->answer, crowd_take, c);
}

static inline void crowd_ask(crowd *c, const toi_contact_options *options) {
  crowd_must(c, crowd_try(c, options));
}

/* Verdict, bracket and contacts, to the bit; counters may differ. */
static inline void assert_same_answers(const crowd *x, const crowd *y) {
  const toi_contact_answer *a = &x->answer, *b = &y->answer;
  assert_int_equal(a->verdict, b->verdict);
  assert_int_equal(a->end, b->end);
  const double times[2][4] = {{a->t_lo, a->t_hi, a->t_safe, a->tolerance_reached},
                              {b->t_lo, b->t_hi, b->t_safe, b->tolerance_reached}};
  assert_memory_equal(times[0], times[1], sizeof times[0]);
  assert_int_equal(a->touching_at_start, b->touching_at_start);
  assert_int_equal(a->contacts, b->contacts);
  assert_int_equal(x->point_count, y->point_count);
  assert_memory_equal(x->points, y->points, x->point_count * sizeof *x->points);
}

#endif
