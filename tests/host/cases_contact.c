/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* contact.h: the first contact of bodies. */

#include "host/cases.h"
#include "host/shapes.h"

static bool is_safe(const toi_contact_answer *answer) {
  return answer->verdict == TOI_NEAR && answer->t_lo == 0 && answer->t_safe == 0;
}

/* Not for the digest: how long it took. */
static void record(host_run *run, const toi_contact_answer *answer) {
  run->short_of_memory = run->short_of_memory || answer->end == TOI_CONTACT_MEMORY;
  HOST_BITS(run, answer->verdict);
  HOST_BITS(run, answer->end);
  HOST_BITS(run, answer->t_lo);
  HOST_BITS(run, answer->t_hi);
  HOST_BITS(run, answer->t_safe);
  HOST_BITS(run, answer->touching_at_start);
  HOST_BITS(run, answer->inside_at_start);
  HOST_BITS(run, answer->tolerance_reached);
  HOST_BITS(run, answer->contacts);
  HOST_BITS(run, answer->boxes);
  HOST_BITS(run, answer->pairs);
  HOST_BITS(run, answer->culled);
}

static toi_status receive(void *user, const toi_contact_point *contact) {
  host_run *run = user;
  host_called(run, HOST_RECEIVES);
  HOST_BITS(run, contact->a);
  HOST_BITS(run, contact->b);
  HOST_BITS(run, contact->certificate);
  HOST_BITS(run, contact->proved);
  HOST_BITS(run, contact->t_lo);
  HOST_BITS(run, contact->t_hi);
  HOST_BITS(run, contact->point);
  HOST_BITS(run, contact->error);
  HOST_BITS(run, contact->normal_a);
  HOST_BITS(run, contact->normal_b);
  HOST_BITS(run, contact->parameters_a);
  HOST_BITS(run, contact->patch_a);
  HOST_BITS(run, contact->patch_b);
  HOST_BITS(run, contact->parameters_b);
  return TOI_OK;
}

#define END_WITH TOI_ERROR_UNSUPPORTED
static toi_status stop(void *user, const toi_contact_point *contact) {
  (void)contact;
  host_called(user, HOST_RECEIVES);
  return END_WITH;
}

static toi_contact_options options_of(host_run *run, int way) {
  toi_contact_options options;
  HOST_DO(run, toi_contact_options_init, (&options, sizeof options));
  options.max_boxes = host_share(run, 40);
  options.tolerance = host_number(run->input, 1);
  options.spacing = host_number(run->input, 30);
  options.order = (toi_contact_order)(way % 3);
  options.newton = (toi_contact_newton)(way % 3);
  options.progress = host_progress;
  options.progress_user = run;
  return options;
}

/* A sphere or an ellipsoid; NULL if refused. */
static toi_shape *make_ball(host_run *run, toi_shape_form form) {
  const double size[3] = {host_number(run->input, 40), host_number(run->input, 51), host_number(run->input, 33)};
  toi_shape *shape = host_nowhere();
  toi_status status;
  HOST_CALL(
      run, status, toi_shape_library,
      (run->context, form == TOI_SHAPE_FORM_IMPLICIT ? TOI_SHAPE_SPHERE : TOI_SHAPE_ELLIPSOID, form, size, &shape));
  return host_shape_made(run, status, shape) ? shape : NULL;
}

/* The plane: one of the library, or a function of the caller's own. */
static toi_shape *make_plane(host_run *run, bool own) {
  const toi_interval side = {host_number(run->input, -90), host_number(run->input, 90)};
  const toi_parametric plane = {.u = side, .v = side, .edges = TOI_EDGES};
  toi_shape *shape = host_nowhere();
  toi_status status;
  if (own)
    HOST_CALL(run, status, toi_shape_own, (run->context, host_enclose_plane, run, &plane, NULL, &shape));
  else
    HOST_CALL(run, status, toi_shape_library, (run->context, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, NULL, &shape));
  return host_shape_made(run, status, shape) ? shape : NULL;
}

/* Falls and turns; NULL if refused. */
static toi_motion *make_motion(host_run *run) {
  double shift[3], velocity[3];
  host_point(run->input, (const int[]){3, 5, 80}, shift);
  host_point(run->input, (const int[]){2, -1, run->input == HOST_RESTING ? 0 : -70}, velocity);
  toi_motion *motion;
  toi_status status;
  HOST_CALL(run, status, toi_motion_create, (run->context, &motion));
  if (!host_context_status(run, status))
    return NULL;
  HOST_CALL(run, status, toi_motion_turn, (motion, ((const double[]){0.1, 0.2, 1}), NULL, 0.1, 0.3));
  bool well = host_context_status(run, status);
  if (well) {
    HOST_CALL(run, status, toi_motion_move, (motion, shift, velocity));
    well = host_context_status(run, status);
  }
  if (well)
    return motion;
  HOST_DO(run, toi_motion_destroy, (motion));
  return NULL;
}

/* A point and a ball, by the sign of its function or by rays. */
static void inside(host_run *run) {
  for (int way = 0; way < 2; way++) {
    toi_shape *ball = make_ball(run, way == 1 ? TOI_SHAPE_FORM_IMPLICIT : TOI_SHAPE_FORM_PARAMETRIC);
    if (ball == NULL)
      continue;
    const toi_body body = {.shape = ball};
    double point[3];
    host_point(run->input, (const int[]){3, 5, 7}, point);
    toi_inside found = TOI_INSIDE_NO;
    toi_status status;
    HOST_CALL(run, status, toi_contact_inside, (run->context, &body, 0, point, &found));
    if (!host_context_status(run, status))
      HOST_CHECK(run, found == TOI_INSIDE_UNKNOWN);
    HOST_BITS(run, found);
    const char *text;
    HOST_CALL(run, text, toi_inside_name, (found));
    host_text(run, "inside", text);
    HOST_DO(run, toi_shape_destroy, (ball));
  }
}

static void contact(host_run *run) {
  for (int way = 0; way < (int)host_share(run, 3); way++) {
    toi_shape *ball = make_ball(run, way == 1 ? TOI_SHAPE_FORM_IMPLICIT : TOI_SHAPE_FORM_PARAMETRIC);
    toi_shape *plane = make_plane(run, way != 0);
    toi_motion *motion = make_motion(run);
    if (ball != NULL && plane != NULL && motion != NULL) {
      const toi_body bodies[2] = {{.shape = plane}, {.shape = ball, .motion = motion}};
      toi_contact_options options = options_of(run, way);
      toi_contact_answer answer;
      HOST_SPOIL(answer);
      toi_status status;
      HOST_CALL(run, status, toi_contact, (run->context, bodies, 2, &options, &answer, receive, run));
      if (!host_context_status(run, status))
        HOST_CHECK(run, is_safe(&answer));
      record(run, &answer);

      // Functions of the caller's own that end the call; where the visitor does, the answer stands.
      options.progress = way == 0 ? host_cancel : host_progress;
      HOST_SPOIL(answer);
      HOST_CALL(run, status, toi_contact, (run->context, bodies, 2, &options, &answer, stop, run));
      if (!host_status(run, status) && status != END_WITH)
        HOST_CHECK(run, is_safe(&answer));
      record(run, &answer);
    }
    HOST_DO(run, toi_motion_destroy, (motion));
    HOST_DO(run, toi_shape_destroy, (plane));
    HOST_DO(run, toi_shape_destroy, (ball));
  }
}

static toi_status receive_interval(void *user, const toi_contact_interval *interval) {
  host_run *run = user;
  host_called(run, HOST_RECEIVES);
  HOST_BITS(run, interval->a);
  HOST_BITS(run, interval->b);
  HOST_BITS(run, interval->begin_lo);
  HOST_BITS(run, interval->begin_hi);
  HOST_BITS(run, interval->end_lo);
  HOST_BITS(run, interval->end_hi);
  HOST_BITS(run, interval->proved);
  HOST_BITS(run, interval->doubt);
  return TOI_OK;
}

static void intervals(host_run *run) {
  toi_shape *ball = make_ball(run, TOI_SHAPE_FORM_IMPLICIT), *plane = make_plane(run, false);
  toi_motion *motion = make_motion(run);
  if (ball != NULL && plane != NULL && motion != NULL) {
    const toi_body bodies[2] = {{.shape = plane}, {.shape = ball, .motion = motion}};
    const toi_contact_options options = options_of(run, 0);
    toi_contact_history history;
    HOST_SPOIL(history);
    toi_status status;
    HOST_CALL(run, status, toi_contact_intervals, (run->context, bodies, 2, &options, &history, receive_interval, run));
    if (!host_context_status(run, status))
      HOST_CHECK(run, history.pairs == 0 && history.intervals == 0);
    run->short_of_memory = run->short_of_memory || !history.complete;
    HOST_BITS(run, history.intervals);
    HOST_BITS(run, history.boxes);
    HOST_BITS(run, history.complete);
  }
  HOST_DO(run, toi_motion_destroy, (motion));
  HOST_DO(run, toi_shape_destroy, (plane));
  HOST_DO(run, toi_shape_destroy, (ball));
}

static void names(host_run *run) {
  for (int i = -1; i < 6; i++) {
    const char *text;
    HOST_CALL(run, text, toi_contact_certificate_name, ((toi_contact_certificate)i));
    host_text(run, "certificate", text);
    HOST_CALL(run, text, toi_contact_end_name, ((toi_contact_end)i));
    host_text(run, "end", text);
  }
}

const host_case host_contact_cases[] = {{"toi_contact", contact, HOST_FIGURES},
                                        {"toi_contact_inside", inside, HOST_FIGURES},
                                        {"toi_contact_intervals", intervals, HOST_FIGURES},
                                        {"toi_contact_end_name", names, HOST_ONCE},
                                        {NULL, NULL, 0}};
