/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A stage for scenes whose first contact is known in closed form: bodies built through the public API, all of them put
 * anywhere by one rigid placement, the answer collected, and what is known beside it.
 *
 * A placement turns and shifts every body alike, after all other motion, so that the time of contact is the same real
 * number and points are placed alike: rounding of the placement itself does not matter, as it is one motion. */

#ifndef TOI_TESTS_CONTACT_STAGE_H
#define TOI_TESTS_CONTACT_STAGE_H

#include "support/support.h"

#include <toi/contact.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAGE_BODIES 4
#define STAGE_CONTACTS 4096

/* A rotation about an axis through the origin, then a shift. */
typedef struct placement {
  double axis[3], angle, shift[3];
} placement;

typedef struct stage {
  toi_context *context;
  const placement *place; /* NULL: as written */
  bool miss;              /* what approaches turns back a distance `gap` before it touches */
  double gap;
  toi_body bodies[STAGE_BODIES];
  toi_shape *shapes[STAGE_BODIES];
  toi_motion *motions[STAGE_BODIES];
  size_t count;
} stage;

/* The first contact, before the placement. */
typedef struct truth {
  double t, rounding;  /* the time, and how far from it the true one may be: 0 where it is a double */
  double stop;         /* a near miss that ends here instead of turning back; 0: it turns back */
  size_t points;       /* isolated ones; 0: a curve or a region */
  double at[2][3];     /* them */
  double normal[2][3]; /* the first body's normal there, unit; or its opposite where it is not solid */
  bool unique;         /* the second derivatives tell the contact, so that it can be proved unique */
  size_t samples;      /* of a curve or region */
  double spacing;      /* to ask for there */
  void (*sample)(size_t i, double at[3]);
  double (*distance)(const double p[3]); /* from the curve or region */
} truth;

typedef struct scene {
  const char *name;
  void (*build)(stage *s, truth *known);
} scene;

/* --- building --- */

static inline void well(const stage *s, toi_status status) {
  if (status != TOI_OK)
    fail_msg("%s: %s", toi_status_text(status), toi_context_error(s->context));
}

/* The shape with a motion that starts as rest; the stage frees both. */
static inline toi_motion *enter(stage *s, toi_shape *shape) {
  toi_motion *motion = NULL;
  assert_true(s->count < STAGE_BODIES);
  well(s, toi_motion_create(s->context, &motion));
  s->shapes[s->count] = shape;
  s->motions[s->count] = motion;
  s->bodies[s->count] = (toi_body){.size = sizeof(toi_body), .shape = shape, .motion = motion};
  s->count++;
  return motion;
}

static inline toi_motion *enter_library(stage *s, toi_shape_kind kind, toi_shape_form form, const double *size) {
  toi_shape *shape = NULL;
  well(s, toi_shape_library(s->context, kind, form, size, &shape));
  return enter(s, shape);
}

/* Comes from outside along -axis and is shifted to `contact` at the time t; or turns back the gap before. */
static inline void approach(const stage *s, toi_motion *motion, const double contact[3], const double axis[3],
                            double t) {
  if (!s->miss) {
    double from[3], velocity[3];
    for (int k = 0; k < 3; k++) {
      from[k] = contact[k] + axis[k] * t;
      velocity[k] = -axis[k];
    }
    well(s, toi_motion_move(motion, from, velocity));
    return;
  }
  double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  char text[3][128];
  const char *translation[3];
  for (int k = 0; k < 3; k++) {
    snprintf(text[k], sizeof text[k], "%.17g + %.17g*(%.17g + (t - 0.375)^2)", contact[k], axis[k], s->gap / length);
    translation[k] = text[k];
  }
  well(s, toi_motion_formula(motion, NULL, translation));
}

static inline void put_in_place(const stage *s) {
  for (size_t i = 0; s->place && i < s->count; i++) {
    well(s, toi_motion_turn(s->motions[i], s->place->axis, NULL, s->place->angle, 0));
    well(s, toi_motion_move(s->motions[i], s->place->shift, NULL));
  }
}

static inline void clear(stage *s) {
  for (size_t i = 0; i < s->count; i++) {
    toi_motion_destroy(s->motions[i]);
    toi_shape_destroy(s->shapes[i]);
  }
  s->count = 0;
}

static inline placement random_placement(uint64_t *seed) {
  placement p = {.angle = 6 * test_random_unit(seed)};
  for (int k = 0; k < 3; k++) {
    p.axis[k] = 2 * test_random_unit(seed) - 1;
    p.shift[k] = 20 * test_random_unit(seed) - 10;
  }
  return p;
}

/* --- the placement, and back --- */

/* v turned by the formula of Rodrigues. */
static inline void turn(const double axis[3], double angle, const double v[3], double out[3]) {
  double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double k[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
  const double cross[3] = {k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2], k[0] * v[1] - k[1] * v[0]};
  double along = k[0] * v[0] + k[1] * v[1] + k[2] * v[2];
  for (int i = 0; i < 3; i++)
    out[i] = v[i] * cos(angle) + cross[i] * sin(angle) + k[i] * along * (1 - cos(angle));
}

/* A point, or a direction, as it would be without the placement. */
static inline void undo(const placement *place, const double v[3], bool direction, double out[3]) {
  double moved[3] = {v[0], v[1], v[2]};
  if (!place) {
    memcpy(out, moved, sizeof moved);
    return;
  }
  for (int k = 0; k < 3 && !direction; k++)
    moved[k] -= place->shift[k];
  turn(place->axis, -place->angle, moved, out);
}

static inline double distance_of(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* --- asking --- */

/* The answer, its contacts without the placement. */
typedef struct answered {
  toi_contact_answer answer;
  size_t count;
  toi_contact_point contacts[STAGE_CONTACTS];
} answered;

static inline toi_status collect(void *user, const toi_contact_point *contact) {
  answered *a = user;
  if (a->count < STAGE_CONTACTS)
    a->contacts[a->count++] = *contact;
  return TOI_OK;
}

static inline void ask(const stage *s, const toi_contact_options *options, answered *a) {
  memset(a, 0, sizeof *a);
  well(s, toi_contact(s->context, s->bodies, s->count, options, &a->answer, collect, a));
  assert_int_equal(a->count, a->answer.contacts);
  // What is decided has reached everything.
  assert_true(a->answer.verdict == TOI_NEAR || a->answer.tolerance_reached == 0);
  // What is proved is told.
  bool proved = a->answer.verdict != TOI_HIT;
  for (size_t i = 0; i < a->count; i++)
    proved = proved || a->contacts[i].proved;
  assert_true(proved || a->count == STAGE_CONTACTS);
  for (size_t i = 0; i < a->count; i++) {
    toi_contact_point *c = &a->contacts[i];
    undo(s->place, c->point, false, c->point);
    undo(s->place, c->normal_a, true, c->normal_a);
    undo(s->place, c->normal_b, true, c->normal_b);
  }
}

static inline void tell(const char *name, const stage *s, const answered *a) {
  print_message("  %s%s: %s [%.17g, %.17g], %zu contacts, %llu boxes, %s, %.3f s\n", name, s->place ? ", placed" : "",
                toi_verdict_name(a->answer.verdict), a->answer.t_lo, a->answer.t_hi, a->count,
                (unsigned long long)a->answer.boxes, toi_contact_end_name(a->answer.end), a->answer.seconds);
}

#endif
