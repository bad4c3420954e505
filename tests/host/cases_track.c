/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* track.h: a ball that rests on a plane, and goes on. */

#include "host/cases.h"
#include "host/shapes.h"

#include <string.h>

enum { ROOM = 2 };

typedef struct rest {
  toi_shape *ball, *plane;
  toi_motion *lies, *rolls;
  toi_body bodies[2];
  toi_track tracks[ROOM];
  toi_track_scene scene;
  toi_contact_options options;
} rest;

static toi_shape *make(host_run *run, toi_shape_kind kind, const double *size) {
  toi_shape *shape = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_shape_library, (run->context, kind, TOI_SHAPE_FORM_DEFAULT, size, &shape));
  return host_shape_made(run, status, shape) ? shape : NULL;
}

static toi_motion *move(host_run *run, const double shift[3], const double velocity[3]) {
  toi_motion *motion;
  toi_status status;
  HOST_CALL(run, status, toi_motion_create, (run->context, &motion));
  if (!host_context_status(run, status))
    return NULL;
  HOST_CALL(run, status, toi_motion_move, (motion, shift, velocity));
  if (host_context_status(run, status))
    return motion;
  HOST_DO(run, toi_motion_destroy, (motion));
  return NULL;
}

static void record(host_run *run, const rest *r, size_t count) {
  for (size_t i = 0; i < count && i < ROOM; i++) {
    const toi_track *track = &r->tracks[i];
    HOST_BITS(run, track->a);
    HOST_BITS(run, track->b);
    HOST_BITS(run, track->state);
    HOST_BITS(run, track->proved);
    HOST_BITS(run, track->normal);
    HOST_BITS(run, track->box_a);
    HOST_BITS(run, track->box_b);
    HOST_BITS(run, track->t_lo);
    HOST_BITS(run, track->t_hi);
  }
}

static toi_status receive(void *user, const toi_contact_point *contact) {
  host_run *run = user;
  host_called(run, HOST_RECEIVES);
  HOST_BITS(run, contact->point);
  return TOI_OK;
}

static void step(host_run *run, rest *r) {
  toi_track_answer answer;
  toi_status status;
  HOST_SPOIL(answer);
  HOST_CALL(run, status, toi_track_step, (run->context, &r->scene, &r->options, &answer, receive, run));
  if (!host_context_status(run, status))
    HOST_CHECK(run, answer.verdict == TOI_NEAR && answer.t_safe == 0);
  run->short_of_memory = run->short_of_memory || answer.end == TOI_CONTACT_MEMORY;
  HOST_BITS(run, answer.verdict);
  HOST_BITS(run, answer.event);
  HOST_BITS(run, answer.t_lo);
  HOST_BITS(run, answer.t_hi);
  HOST_BITS(run, answer.t_safe);
  HOST_BITS(run, answer.contacts);
  HOST_BITS(run, answer.boxes);
  HOST_BITS(run, answer.pieces);
  const char *text;
  HOST_CALL(run, text, toi_track_event_name, (answer.event));
  host_text(run, "event", text);
  HOST_CALL(run, text, toi_track_state_name, (r->tracks[0].state));
  host_text(run, "state", text);
  record(run, r, r->scene.track_count);
}

/* What touches at the start is tracked; then made of the same track again, examined, and moved on. */
static void follow(host_run *run, rest *r) {
  toi_track_contacts contacts = {.size = sizeof contacts, .room = ROOM, .delta = 1e-4, .margin = 0.05};
  toi_status status;
  HOST_CALL(run, status, toi_track_rest, (run->context, &r->scene, &r->options, &contacts, &r->scene.track_count));
  if (!host_context_status(run, status))
    HOST_CHECK(run, r->scene.track_count == 0);
  HOST_BITS(run, r->scene.track_count);
  record(run, r, r->scene.track_count);
  HOST_CALL(run, status, toi_track_begin, (run->context, &r->scene, &r->options));
  (void)host_context_status(run, status);
  size_t made;
  HOST_CALL(run, status, toi_track_make, (run->context, &r->scene, &r->options, &contacts, &made));
  if (host_context_status(run, status))
    HOST_CHECK(run, made == 0);
  r->bodies[0].motion = r->rolls;
  step(run, r);
}

static void track(host_run *run) {
  const double radius[1] = {0.5}, at[3] = {0, 0, 0.5}, rests[3] = {0, 0, 0};
  const double rolls[3] = {host_number(run->input, 20), 0, 0};
  rest r = {.ball = make(run, TOI_SHAPE_SPHERE, radius), .plane = make(run, TOI_SHAPE_PLANE, NULL)};
  r.lies = move(run, at, rests);
  r.rolls = move(run, at, rolls);
  if (r.ball != NULL && r.plane != NULL && r.lies != NULL && r.rolls != NULL) {
    r.bodies[0] = (toi_body){.size = sizeof(toi_body), .shape = r.ball, .motion = r.lies};
    r.bodies[1] = (toi_body){.size = sizeof(toi_body), .shape = r.plane};
    r.scene = (toi_track_scene){
        .size = sizeof r.scene, .bodies = r.bodies, .body_count = 2, .tracks = r.tracks, .track_count = 0};
    HOST_DO(run, toi_contact_options_init, (&r.options, sizeof r.options));
    r.options.t_max = 0.125;
    r.options.max_boxes = host_share(run, 1000);
    r.options.progress = host_progress;
    r.options.progress_user = run;
    follow(run, &r);
  }
  HOST_DO(run, toi_motion_destroy, (r.lies));
  HOST_DO(run, toi_motion_destroy, (r.rolls));
  HOST_DO(run, toi_shape_destroy, (r.ball));
  HOST_DO(run, toi_shape_destroy, (r.plane));
}

const host_case host_track_cases[] = {{"toi_track_step", track, 1 << HOST_ORDINARY | 1 << HOST_REFUSED},
                                      {NULL, NULL, 0}};
