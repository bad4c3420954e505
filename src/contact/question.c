/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A question about first contact: what is asked, what there is to solve, and what searches say about it. */

#include "base/platform.h"
#include "contact/boolean_pair.h"
#include "contact/crowd.h"
#include "contact/inside.h"
#include "solve/vector.h"

#include <stdio.h>

#define CONTACT_BOXES UINT64_C(2000000)

/* The part of t_max to within which the times are known at which a pair may touch. */
#define FINE 0x1p-10

#define OPTIONS TOI_LAYOUT(toi_contact_options, progress_user)
#define BODY TOI_LAYOUT(toi_body, motion)

/* Static, so that its padding is zero: callers receive all of its bytes. */
static const toi_contact_options defaults = {
    .size = sizeof(toi_contact_options),
    .t_max = 1,
    .tolerance = 1e-6,
    .simultaneity = 1e-6,
    .spacing = 0.1,
    .tangency = true,
    .mean_value = true,
    .spheres = true,
    .guesses = true,
    .polish = true,
    .clearance = true,
};

void toi_contact_options_init(toi_contact_options *options, size_t size) {
  toi_init_struct(OPTIONS, &defaults, options, size);
}

void toi_body_init(toi_body *body, size_t size) {
  toi_init_struct(BODY, NULL, body, size);
}

typedef toi_question question;

double toi_question_elapsed(const question *q) {
  return 1e-9 * (double)(toi_clock() - q->start);
}

static double elapsed(void *user) {
  return toi_question_elapsed(user);
}

/* --- what is asked --- */

static toi_status check_options(toi_context *context, const toi_contact_options *o) {
  if (!(o->t_max >= 0 && o->t_max <= DBL_MAX))
    return toi_fail(context, TOI_ERROR_OPTION, "t_max is %g; it must be finite and not negative", o->t_max);
  const struct {
    const char *name;
    double value;
  } positive[] = {{"tolerance", o->tolerance}, {"simultaneity", o->simultaneity}, {"spacing", o->spacing}};
  for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
    if (!(positive[i].value > 0 && positive[i].value <= DBL_MAX))
      return toi_fail(context, TOI_ERROR_OPTION, "%s is %g; it must be positive and finite", positive[i].name,
                      positive[i].value);
  if (!(o->max_seconds >= 0 && o->max_seconds <= DBL_MAX))
    return toi_fail(context, TOI_ERROR_OPTION, "max_seconds is %g; it must be 0 or positive, and finite",
                    o->max_seconds);
  if (o->order > TOI_CONTACT_RACE || o->newton > TOI_NEWTON_NONE || o->incoming > TOI_INCOMING_ON)
    return toi_fail(context, TOI_ERROR_OPTION, "order, newton or incoming is not one of its constants");
  return TOI_OK;
}

/* Of whatever layout they are. */
static toi_status take_bodies(question *q) {
  if (q->count == 0)
    return TOI_OK;
  toi_body first = {0};
  q->stride = toi_description_stride(BODY, q->bodies);
  return toi_take_description(q->context, BODY, q->bodies, &first);
}

static toi_body body_at(const question *q, size_t number) {
  toi_body body = {0};
  memcpy(&body, (const char *)q->bodies + number * q->stride, q->stride);
  return body;
}

#define NAME_SIZE 80

/* "bodies[2].shape", and which of its patches. */
static void name_shape(const toi_body_surface *surface, char name[NAME_SIZE]) {
  (void)snprintf(name, NAME_SIZE, "bodies[%u].shape", surface->body);
  const size_t length = strlen(name);
  if (surface->shape->nets != NULL)
    (void)snprintf(name + length, NAME_SIZE - length, ", patch %u", surface->piece);
}

/* Room for all surfaces of all bodies. */
static toi_status reserve_surfaces(question *q) {
  toi_status status = take_bodies(q);
  for (size_t i = 0; i < q->count && status == TOI_OK; i++) {
    const toi_body body = body_at(q, i);
    if (body.shape == NULL)
      return toi_fail(q->context, TOI_ERROR_INPUT, "bodies[%zu] has no shape", i);
    q->surface_room += toi_shape_pieces(body.shape);
  }
  if (status != TOI_OK)
    return status;
  q->surface = toi_allocate(q->context, (q->surface_room + 1) * sizeof *q->surface);
  return q->surface == NULL ? TOI_ERROR_MEMORY : TOI_OK;
}

/* A surface in axes of its own, if there are better ones. */
static toi_status straighten(question *q, const toi_shape *whole, toi_body_surface *surface) {
  toi_motion_jet frame;
  surface->shape = surface->given->straight;
  toi_motion_jet_at(whole->frame, (toi_interval){0, 0}, 0, &frame);
  memcpy(surface->frame, frame.rotation[0], sizeof surface->frame);
  return toi_shape_check(surface->shape, q->options->t_max, "straightened", surface->bounds, surface->centre,
                         &surface->radius);
}

/* All surfaces of a body, or none: wherever one as it was given is defined it is, too, but not everywhere in the box
 * around the bounds of an implicit one. */
static toi_status straighten_body(question *q, const toi_shape *whole, toi_body_surface *surfaces, size_t count) {
  toi_status status = TOI_OK;
  if (whole->straight == NULL)
    return TOI_OK;
  toi_body_surface *given = toi_allocate(q->context, count * sizeof *given);
  if (given == NULL)
    return TOI_ERROR_MEMORY;
  memcpy(given, surfaces, count * sizeof *given);
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    status = straighten(q, whole, &surfaces[i]);
  if (status != TOI_OK && status != TOI_ERROR_MEMORY) {
    memcpy(surfaces, given, count * sizeof *given);
    toi_clear_error(q->context);
    status = TOI_OK;
  }
  toi_free(q->context, given, count * sizeof *given);
  return status;
}

static bool rests(const toi_body_surface *surface) {
  return !surface->shape->deforming && toi_motion_rests(surface->motion);
}

static toi_status check_pieces(question *q, uint32_t number, const toi_body *body) {
  const size_t first = q->surface_count, count = toi_shape_pieces(body->shape);
  toi_status status = TOI_OK;
  for (uint32_t piece = 0; piece < count && status == TOI_OK; piece++) {
    toi_body_surface *surface = &q->surface[first + piece];
    const toi_shape *shape = toi_shape_piece(body->shape, piece);
    *surface =
        (toi_body_surface){.shape = shape, .given = shape, .motion = body->motion, .body = number, .piece = piece};
    char what[NAME_SIZE];
    name_shape(surface, what);
    status = toi_shape_check(shape, q->options->t_max, what, surface->bounds, surface->centre, &surface->radius);
  }
  if (status == TOI_OK)
    status = straighten_body(q, body->shape, &q->surface[first], count);
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    status = toi_boolean_surface_begin(q->context, q->options->t_max, &q->surface[first + i]);
  q->moves |= count > 0 && status == TOI_OK && !rests(&q->surface[first]);
  for (size_t i = 0; i < count && status == TOI_OK; i++, q->surface_count++)
    if (!q->crowd)
      status = toi_body_surface_begin(q->context, &q->surface[q->surface_count]);
  return status;
}

static toi_status check_bodies(question *q) {
  toi_status status = reserve_surfaces(q);
  for (size_t i = 0; i < q->count && status == TOI_OK; i++) {
    const toi_body body = body_at(q, i);
    char what[64];
    (void)snprintf(what, sizeof what, "bodies[%zu].motion", i);
    if (body.motion != NULL)
      status = toi_motion_check(q->context, body.motion, q->options->t_max, what);
    if (status == TOI_OK)
      status = check_pieces(q, (uint32_t)i, &body);
  }
  return status;
}

/* --- what there is to solve --- */

static bool is_shifted(const toi_body_surface *surface) {
  return toi_motion_is_shift(surface->motion) && !toi_body_surface_is_turned(surface);
}

static toi_body_pair_kind kind_of(const toi_shape *first, const toi_shape *second) {
  const bool boolean = first->boolean != NULL || second->boolean != NULL;
  if (first->implicit)
    return boolean ? TOI_BODY_PAIR_BB : TOI_BODY_PAIR_II;
  return !second->implicit ? TOI_BODY_PAIR_PP : boolean ? TOI_BODY_PAIR_PB : TOI_BODY_PAIR_PI;
}

/* The parametric one first; of two implicit ones a bounded one. */
toi_status toi_question_pair(question *q, toi_body_surface *first, toi_body_surface *second, toi_body_pair *pair) {
  const uint32_t a = first->body, b = second->body;
  bool swap = first->shape->implicit && (!second->shape->implicit || !toi_body_surface_is_bounded(first));
  *pair =
      (toi_body_pair){.body = {swap ? b : a, swap ? a : b}, .surface = {swap ? second : first, swap ? first : second}};
  first = pair->surface[0];
  second = pair->surface[1];
  pair->kind = kind_of(first->shape, second->shape);
  if (toi_body_pair_in_space(pair) && !toi_body_surface_is_bounded(first))
    return toi_fail(q->context, TOI_ERROR_INPUT,
                    "bodies[%u] and bodies[%u] are implicit and neither has bounds; give bounds to one of them", a, b);
  pair->shifts = is_shifted(first) && is_shifted(second);
  bool solids = first->shape->solid && second->shape->solid;
  pair->incoming = solids && q->options->incoming != TOI_INCOMING_OFF;
  pair->motions = q->motions;
  pair->moment = q->moment;
  if (!solids && q->options->incoming == TOI_INCOMING_ON)
    return toi_fail(q->context, TOI_ERROR_OPTION,
                    "incoming is on, but bodies[%u] and bodies[%u] are not both solids; set incoming to auto or off", a,
                    b);
  return TOI_OK;
}

/* The surfaces behind those of the same body. */
static size_t next_body(const question *q, size_t number) {
  return number + toi_shape_pieces(body_at(q, q->surface[number].body).shape);
}

bool toi_question_skips(const question *q, const toi_body_surface *a, const toi_body_surface *b) {
  return q->moves && rests(a) && rests(b);
}

/* The pairs of two bodies, from their first surfaces on, that may touch at all. */
static toi_status add_pairs(question *q, size_t a, size_t b) {
  for (size_t i = a; i < next_body(q, a); i++)
    for (size_t j = b; j < next_body(q, b); j++) {
      toi_body_pair *pair = &q->pairs[q->pair_count];
      toi_status status = toi_question_pair(q, &q->surface[i], &q->surface[j], pair);
      if (status != TOI_OK)
        return status;
      q->pair_count += toi_body_pair_window(pair, q->times, q->fine, q->options->spheres, &pair->window);
    }
  return TOI_OK;
}

toi_status toi_question_pairs(question *q) {
  const size_t n = q->surface_count;
  q->pair_room = q->pair_count = 0;
  for (size_t a = 0; a < n; a = next_body(q, a))
    q->pair_room += (next_body(q, a) - a) * (n - next_body(q, a));
  q->pairs = toi_allocate(q->context, (q->pair_room + 1) * sizeof *q->pairs);
  if (q->pairs == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t a = 0; a < n; a = next_body(q, a))
    for (size_t b = next_body(q, a); b < n; b = next_body(q, b)) {
      if (toi_question_skips(q, &q->surface[a], &q->surface[b]))
        continue;
      const size_t before = q->pair_count;
      const toi_status status = add_pairs(q, a, b);
      if (status != TOI_OK)
        return status;
      q->culled += q->pair_count == before;
    }
  return TOI_OK;
}

/* Of the search at the start, without pairs that are apart then, or of the one that follows. */
static toi_status make_problems(question *q, bool at_start, toi_contact_search *run) {
  double t_max = q->options->t_max;
  for (size_t i = 0; i < q->pair_count; i++)
    run->problem_room += toi_body_pair_problems(&q->pairs[i], at_start, t_max, NULL);
  toi_problem *problems = toi_allocate(q->context, (run->problem_room + 1) * sizeof *problems);
  if (problems == NULL)
    return TOI_ERROR_MEMORY;
  run->problems = problems;
  for (size_t i = 0; i < q->pair_count; i++)
    if (!at_start || !toi_body_pair_apart(&q->pairs[i], q->moment, q->options->spheres))
      run->problem_count += toi_body_pair_problems(&q->pairs[i], at_start, t_max, problems + run->problem_count);
  for (size_t i = 0; i < run->problem_count && q->narrow != NULL; i++)
    q->narrow(q->narrow_user, &problems[i]);
  return TOI_OK;
}

static void end_question(question *q) {
  toi_motions_end(q->context, q->motions);
  if (q->pairs != NULL)
    toi_free(q->context, q->pairs, (q->pair_room + 1) * sizeof *q->pairs);
  for (size_t i = 0; i < q->surface_count; i++)
    toi_body_surface_end(q->context, &q->surface[i]);
  if (q->surface != NULL)
    toi_free(q->context, q->surface, (q->surface_room + 1) * sizeof *q->surface);
}

/* --- the answer --- */

/* Strictly before contact; 0 if that cannot be. */
static double before(double t) {
  return t > 0 && t <= DBL_MAX ? toi_next_down(t) : t > DBL_MAX ? t : 0;
}

/* How far off contacts may be that are not proved. */
static double reached(const toi_contact_search *run) {
  double most = run->end == TOI_CONTACT_DONE ? run->unfound : INFINITY;
  for (size_t i = 0; i < run->contact_count; i++)
    if (!run->contacts[i].proved)
      most = fmax(most, run->contacts[i].error);
  return most;
}

toi_contact_outcome toi_question_outcome(const toi_contact_search *run) {
  return (toi_contact_outcome){.bound = run->bound,
                               .earliest = toi_contact_search_earliest(run),
                               .open_hi = run->winner->open_hi,
                               .reached = reached(run),
                               .end = run->end};
}

void toi_question_conclude(const question *q, const toi_contact_outcome *start, const toi_contact_outcome *run,
                           toi_contact_answer *answer) {
  const bool open = start->earliest == 0, proved = run->bound <= DBL_MAX;
  const double earliest = open ? 0 : run->earliest;
  answer->verdict = proved ? TOI_HIT : earliest <= DBL_MAX ? TOI_NEAR : TOI_MISS;
  answer->t_lo = earliest;
  answer->t_hi = proved ? run->bound : open ? 0 : earliest <= DBL_MAX ? run->open_hi : INFINITY;
  answer->t_safe = answer->verdict == TOI_MISS ? q->options->t_max : before(earliest);
  answer->tolerance_reached = answer->verdict != TOI_NEAR ? 0 : open ? fmax(start->reached, DBL_MIN) : run->reached;
  answer->end = run->end == TOI_CONTACT_DONE && open ? start->end : run->end;
}

/* --- the searches --- */

toi_status toi_question_search(question *q, bool at_start, toi_contact_search *run) {
  *run = (toi_contact_search){.context = q->context, .options = q->options, .elapsed = elapsed, .elapsed_user = q};
  run->max_boxes = q->most;
  run->given = q->bound;
  run->leave_out = q->leave_out;
  run->leave_out_user = q->leave_out_user;
  toi_status status = make_problems(q, at_start, run);
  if (status != TOI_OK)
    return status;
  run->boxes = q->boxes;
  status = toi_contact_search_run(run);
  q->boxes = run->boxes;
  return status;
}

void toi_question_search_end(toi_contact_search *run) {
  toi_contact_search_end(run);
  if (run->problems != NULL)
    toi_free(run->context, (void *)run->problems, (run->problem_room + 1) * sizeof *run->problems);
}

/* The sentence for a function of the user's that failed in the middle of it all. */
static toi_status explain(const question *q, toi_status status) {
  for (size_t i = 0; i < q->surface_count; i++) {
    const toi_body_surface *surface = &q->surface[i];
    char what[NAME_SIZE];
    name_shape(surface, what);
    if (surface->failed)
      return toi_shape_explain(surface->shape, surface->asked, surface->asked_order, what);
  }
  return status;
}

toi_status toi_question_take(toi_context *context, const toi_body *bodies, size_t count,
                             const toi_contact_options *options, toi_contact_options *taken, toi_question *q) {
  *taken = defaults;
  toi_status status = toi_take_options(context, OPTIONS, options, taken);
  if (status == TOI_OK)
    status = check_options(context, taken);
  if (status != TOI_OK)
    return status;
  if (count > 65536)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu bodies; there may be 65536 at most", count);
  *q = (toi_question){.context = context,
                      .bodies = bodies,
                      .count = count,
                      .options = taken,
                      .times = {0, taken->t_max},
                      .fine = FINE * taken->t_max,
                      .bound = INFINITY,
                      .most = taken->max_boxes == 0 ? CONTACT_BOXES : taken->max_boxes,
                      .crowd = count > TOI_CROWD,
                      .start = toi_clock()};
  return TOI_OK;
}

toi_status toi_question_begin(toi_question *q) {
  toi_status status = toi_motions_begin(q->context, &q->motions);
  return status == TOI_OK ? check_bodies(q) : status;
}

toi_status toi_question_end(toi_question *q, toi_status status) {
  status = explain(q, status);
  end_question(q);
  return status;
}
