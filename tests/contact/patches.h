/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* For the tests of bodies made of patches: two bodies, the first one of which falls, and what toi_contact says. */

#ifndef TOI_TESTS_CONTACT_PATCHES_H
#define TOI_TESTS_CONTACT_PATCHES_H

#include "contact/context.h"

#include <toi/contact.h>

#include <math.h>
#include <string.h>

/* --- bodies --- */

typedef struct pair {
  toi_model models[2];
  toi_shape *shapes[2];
  toi_motion *motions[2];
  toi_body bodies[2];
} pair;

static inline void well(toi_status status) {
  if (status != TOI_OK)
    fail_msg("%s: %s", toi_status_text(status), toi_context_error(context));
}

/* Turned at first, then lowered from a height of 5 by 8 per unit of time. */
typedef struct fall {
  double axis[3], angle, aside[2];
} fall;

#define HEIGHT 5.0
#define SPEED 8.0

static inline void enter(pair *p, int i, toi_shape *shape) {
  p->shapes[i] = shape;
  well(toi_motion_create(context, &p->motions[i]));
  p->bodies[i] = (toi_body){.size = sizeof(toi_body), .shape = shape, .motion = p->motions[i]};
}

static inline void enter_model(pair *p, int i) {
  toi_shape *shape = NULL;
  well(toi_shape_patches(context, &p->models[i], &shape));
  assert_int_equal(toi_shape_pieces(shape), p->models[i].patch_count);
  enter(p, i, shape);
}

static inline void let_fall(pair *p, const fall *f) {
  well(toi_motion_turn(p->motions[0], f->axis, NULL, f->angle, 0));
  well(toi_motion_move(p->motions[0], (double[]){f->aside[0], f->aside[1], HEIGHT}, (double[]){0, 0, -SPEED}));
}

static inline void leave(pair *p) {
  for (int i = 0; i < 2; i++) {
    toi_motion_destroy(p->motions[i]);
    toi_shape_destroy(p->shapes[i]);
    toi_model_free(context, &p->models[i]);
  }
  *p = (pair){0};
}

typedef struct answer {
  toi_contact_answer found;
  toi_contact_point contacts[512];
  size_t count;
} answer;

static inline toi_status keep(void *user, const toi_contact_point *contact) {
  answer *a = user;
  assert_true(a->count < sizeof a->contacts / sizeof a->contacts[0]);
  a->contacts[a->count++] = *contact;
  return TOI_OK;
}

static inline void ask(const pair *p, answer *a) {
  toi_contact_options options = toi_default_contact_options();
  *a = (answer){0};
  well(toi_contact(context, p->bodies, 2, &options, &a->found, keep, a));
  // What is proved is told.
  bool proved = a->found.verdict != TOI_HIT;
  for (size_t i = 0; i < a->count; i++)
    proved = proved || a->contacts[i].proved;
  assert_true(proved);
}

/* The samples are contacts, so the first one is not later than they; and they come close to it. */
#define SAMPLED 1e-10
#define ROUNDED 1e-13

static inline void expect_time(const answer *a, double t) {
  assert_int_equal(a->found.verdict, TOI_HIT);
  assert_int_equal(a->found.end, TOI_CONTACT_DONE);
  if (!(a->found.t_lo <= t + ROUNDED && t <= a->found.t_hi + SAMPLED))
    fail_msg("%.17g is not in [%.17g, %.17g]", t, a->found.t_lo, a->found.t_hi);
  assert_true(a->found.t_hi - a->found.t_lo < 1e-6);
  assert_true(a->count > 0);
}

static inline toi_shape *make_plane(void) {
  toi_shape *shape = NULL;
  well(toi_shape_library(context, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1}, &shape));
  return shape;
}

#endif
