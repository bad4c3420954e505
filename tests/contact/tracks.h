/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes with tracked contacts: bodies made through the public API, tracks made of what touches at the start. */

#ifndef TOI_TESTS_CONTACT_TRACKS_H
#define TOI_TESTS_CONTACT_TRACKS_H

#include "contact/context.h"

#include <toi/track.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRACK_BODIES = 4, TRACK_ROOM = 4 };

typedef struct track_stage {
  toi_body bodies[TRACK_BODIES];
  toi_shape *shapes[TRACK_BODIES];
  toi_motion *motions[TRACK_BODIES];
  toi_track tracks[TRACK_ROOM];
  toi_track_scene scene;
  toi_contact_options options;
  toi_track_answer answer;
  toi_contact_point contacts[64];
  size_t contact_count;
} track_stage;

static inline void track_open(track_stage *s) {
  *s = (track_stage){.scene = {.size = sizeof s->scene}};
  s->scene.bodies = s->bodies;
  s->scene.tracks = s->tracks;
  s->options = toi_default_contact_options();
}

static inline void track_close(track_stage *s) {
  for (size_t i = 0; i < TRACK_BODIES; i++) {
    toi_shape_destroy(s->shapes[i]);
    toi_motion_destroy(s->motions[i]);
  }
}

static inline void track_well(toi_status status) {
  if (status != TOI_OK)
    print_message("  %s\n", toi_context_error(context));
  assert_int_equal(status, TOI_OK);
}

/* The next body, at rest; its motion is to be filled in. */
static inline toi_motion *track_enter(track_stage *s, toi_shape *shape) {
  const size_t i = s->scene.body_count++;
  assert_true(i < TRACK_BODIES);
  s->shapes[i] = shape;
  track_well(toi_motion_create(context, &s->motions[i]));
  s->bodies[i] = (toi_body){.size = sizeof(toi_body), .shape = shape, .motion = s->motions[i]};
  return s->motions[i];
}

static inline toi_motion *track_library(track_stage *s, toi_shape_kind kind, toi_shape_form form, const double *size) {
  toi_shape *shape;
  track_well(toi_shape_library(context, kind, form, size, &shape));
  return track_enter(s, shape);
}

/* Translated by formulas in t. */
static inline void track_path(toi_motion *motion, const char *x, const char *y, const char *z) {
  track_well(toi_motion_formula(motion, NULL, (const char *const[]){x, y, z}));
}

static inline toi_status track_try_rest(track_stage *s, double delta, double margin) {
  const toi_track_contacts contacts = {.size = sizeof contacts, .room = TRACK_ROOM, .delta = delta, .margin = margin};
  return toi_track_rest(context, &s->scene, &s->options, &contacts, &s->scene.track_count);
}

/* Tracks what touches at t_from. */
static inline void track_rest(track_stage *s, double delta, double margin) {
  track_well(track_try_rest(s, delta, margin));
}

static inline toi_status track_take(void *user, const toi_contact_point *point) {
  track_stage *s = user;
  if (s->contact_count < 64)
    s->contacts[s->contact_count++] = *point;
  return TOI_OK;
}

static inline void track_step(track_stage *s, double t_max) {
  s->options.t_max = t_max;
  s->contact_count = 0;
  track_well(toi_track_step(context, &s->scene, &s->options, &s->answer, track_take, s));
  const toi_track_answer *a = &s->answer;
  assert_true(a->t_safe >= s->scene.t_from && a->t_safe <= t_max);
  assert_true((a->event == TOI_TRACK_NOTHING) == (a->verdict == TOI_MISS));
  assert_true(a->event == TOI_TRACK_NOTHING || (a->t_lo <= a->t_hi && a->t_safe <= a->t_lo));
}

#endif
