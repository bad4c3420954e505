/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One pair of a crowd on one thread: a question of two bodies with memories and tapes of its own.
 *
 * The same on every thread: memories are emptied before a search, because what they hold depends on what was asked
 * before; and tapes are twins, because a tape's registers are its own. */

#include "contact/boolean.h"
#include "contact/crowd.h"

/* The part of the times to within which it is known when a pair may touch. */
#define FINE 0x1p-5

struct toi_crowd_worker {
  struct toi_jet_memory *jets[2];
  struct toi_motion_memory *motions; /* of a search */
  struct toi_motion_memory *scouts;  /* of order 0 alone, so that it does not matter what was asked before */
  struct {
    toi_body_surface *surfaces;
    toi_shape *shapes; /* whose tapes are twins */
    size_t room;
    unsigned char *twins;
    size_t bytes;
  } side[2];
  toi_body_surface *both; /* of both bodies, one after the other */
  size_t both_room;
  toi_contact_options options;
};

/* --- memory --- */

/* The progress of all searches, from within one of them. */
static bool watch(void *user, double done) {
  const toi_crowd *c = user;
  (void)done;
  return c->q->options->progress(c->q->options->progress_user, (double)c->q->boxes / (double)c->q->most);
}

toi_status toi_crowd_workers_begin(toi_crowd *c) {
  toi_context *context = c->q->context;
  c->threads = toi_context_threads(context);
  c->workers = toi_allocate(context, c->threads * sizeof *c->workers);
  if (c->workers == NULL)
    return TOI_ERROR_MEMORY;
  memset(c->workers, 0, c->threads * sizeof *c->workers);
  toi_status status = TOI_OK;
  for (uint32_t i = 0; i < c->threads && status == TOI_OK; i++) {
    toi_crowd_worker *w = &c->workers[i];
    w->options = *c->q->options;
    // Only the calling thread may ask the caller.
    w->options.progress = i == 0 && c->q->options->progress != NULL ? watch : NULL;
    w->options.progress_user = c;
    status = toi_motions_begin(context, &w->motions);
    if (status == TOI_OK)
      status = toi_motions_begin(context, &w->scouts);
    for (int side = 0; side < 2 && status == TOI_OK; side++)
      status = toi_jets_begin(context, &w->jets[side]);
  }
  return status;
}

void toi_crowd_workers_end(toi_crowd *c) {
  toi_context *context = c->q->context;
  for (uint32_t i = 0; i < c->threads && c->workers != NULL; i++) {
    toi_crowd_worker *w = &c->workers[i];
    toi_motions_end(context, w->motions);
    toi_motions_end(context, w->scouts);
    for (int side = 0; side < 2; side++) {
      toi_jets_end(context, w->jets[side]);
      if (w->side[side].surfaces != NULL)
        toi_free(context, w->side[side].surfaces, w->side[side].room * sizeof *w->side[side].surfaces);
      if (w->side[side].shapes != NULL)
        toi_free(context, w->side[side].shapes, w->side[side].room * sizeof *w->side[side].shapes);
      if (w->side[side].twins != NULL)
        toi_free(context, w->side[side].twins, w->side[side].bytes);
    }
    if (w->both != NULL)
      toi_free(context, w->both, w->both_room * sizeof *w->both);
  }
  if (c->workers != NULL)
    toi_free(context, c->workers, c->threads * sizeof *c->workers);
}

/* Room for so many of what is `size` bytes; contents are not kept. */
static bool make_room(toi_context *context, void **memory, size_t *room, size_t wanted, size_t size) {
  if (*room >= wanted)
    return true;
  void *more = toi_allocate(context, wanted * size);
  if (more == NULL)
    return false;
  if (*memory != NULL)
    toi_free(context, *memory, *room * size);
  *memory = more;
  *room = wanted;
  return true;
}

static bool make_side_room(toi_context *context, toi_crowd_worker *w, int side, size_t count, size_t bytes) {
  size_t room = w->side[side].room;
  void *surfaces = w->side[side].surfaces, *shapes = w->side[side].shapes, *twins = w->side[side].twins;
  bool fine = make_room(context, &shapes, &room, count, sizeof(toi_shape));
  w->side[side].shapes = shapes;
  if (!fine)
    return false;
  room = w->side[side].room;
  fine = make_room(context, &surfaces, &room, count, sizeof(toi_body_surface));
  w->side[side].surfaces = surfaces;
  if (!fine)
    return false;
  w->side[side].room = room;
  fine = make_room(context, &twins, &w->side[side].bytes, bytes, 1);
  w->side[side].twins = twins;
  return fine;
}

/* --- a body of one's own --- */

static size_t round_up(size_t bytes) {
  return (bytes + 15) / 16 * 16;
}

/* A shape is asked for its motion alone unless it is the `whole` or deforms. */
static bool needs_twin(const toi_shape *shape, bool whole) {
  return (shape->tape != NULL || shape->boolean != NULL) && (whole || shape->deforming);
}

static size_t tape_bytes(const toi_tape *tape) {
  return tape != NULL ? toi_tape_twin_bytes(tape) : 0;
}

/* Of its tape, or of a Boolean shape's tree and the tapes in it. */
static size_t twin_bytes(const toi_shape *shape) {
  size_t bytes = tape_bytes(shape->tape);
  for (size_t i = 0; shape->boolean != NULL && i < shape->boolean->primitive_count; i++)
    bytes += tape_bytes(shape->boolean->primitive[i].shape.tape);
  return bytes + (shape->boolean != NULL ? round_up(sizeof *shape->boolean) : 0);
}

static toi_tape *twin_tape(const toi_tape *tape, unsigned char **at) {
  if (tape == NULL)
    return NULL;
  unsigned char *memory = *at;
  *at += toi_tape_twin_bytes(tape);
  return toi_tape_twin(tape, memory);
}

/* All else of the shape is shared. */
static void make_twin(const toi_shape *from, toi_shape *shape, unsigned char **at) {
  *shape = *from;
  shape->tape = twin_tape(from->tape, at);
  if (from->boolean == NULL)
    return;
  shape->boolean = (toi_boolean_tree *)(void *)*at;
  *at += round_up(sizeof *shape->boolean);
  *shape->boolean = *from->boolean;
  for (size_t i = 0; i < from->boolean->primitive_count; i++)
    shape->boolean->primitive[i].shape.tape = twin_tape(from->boolean->primitive[i].shape.tape, at);
}

static toi_status load(toi_crowd *c, toi_crowd_worker *w, int side, uint32_t number, bool whole) {
  const toi_crowd_body *body = &c->bodies[number];
  const toi_body_surface *from = &c->q->surface[body->surface];
  size_t bytes = round_up(toi_motion_twin_bytes(from->motion));
  for (size_t i = 0; i < body->count; i++)
    bytes += needs_twin(from[i].shape, whole) ? twin_bytes(from[i].shape) : 0;
  if (!make_side_room(c->q->context, w, side, body->count, bytes + 16))
    return TOI_ERROR_MEMORY;
  unsigned char *at = w->side[side].twins;
  const toi_motion *motion = toi_motion_twin(from->motion, at);
  at += round_up(toi_motion_twin_bytes(from->motion));
  for (size_t i = 0; i < body->count; i++) {
    toi_body_surface *to = &w->side[side].surfaces[i];
    *to = from[i];
    to->motion = motion;
    to->jets = w->jets[side];
    if (!needs_twin(from[i].shape, whole))
      continue;
    toi_shape *shape = &w->side[side].shapes[i];
    make_twin(from[i].shape, shape, &at);
    // What it is the straight one of stays; one that is its own, too.
    to->given = from[i].given == from[i].shape ? shape : from[i].given;
    to->shape = shape;
  }
  return TOI_OK;
}

toi_status toi_crowd_load(toi_crowd *c, uint32_t thread, uint32_t body, bool whole, toi_body_surface **surfaces) {
  toi_crowd_worker *w = &c->workers[thread];
  *surfaces = NULL;
  const toi_status status = load(c, w, 0, body, whole);
  if (status == TOI_OK)
    *surfaces = w->side[0].surfaces;
  return status;
}

static void clear_jets(toi_crowd_worker *w) {
  for (int side = 0; side < 2; side++)
    toi_jets_clear(w->jets[side]);
}

/* Both bodies of a pair as a question. */
static toi_status make_question(toi_crowd *c, toi_crowd_worker *w, const toi_crowd_task *task, bool whole,
                                toi_question *q) {
  const uint32_t body[2] = {task->job.a, task->job.b};
  const size_t count[2] = {c->bodies[body[0]].count, c->bodies[body[1]].count};
  void *both = w->both;
  const bool fine = make_room(c->q->context, &both, &w->both_room, count[0] + count[1], sizeof *w->both);
  w->both = both;
  if (!fine)
    return TOI_ERROR_MEMORY;
  for (int side = 0; side < 2; side++) {
    const toi_status status = load(c, w, side, body[side], whole);
    if (status != TOI_OK)
      return status;
    memcpy(&w->both[side == 0 ? 0 : count[0]], w->side[side].surfaces, count[side] * sizeof *w->both);
  }
  *q = *c->q;
  q->options = &w->options;
  q->surface = w->both;
  q->surface_count = q->surface_room = count[0] + count[1];
  q->motions = whole ? w->motions : w->scouts;
  q->pairs = NULL;
  q->pair_count = q->pair_room = 0;
  q->boxes = 0;
  q->most = task->boxes;
  q->bound = c->at_start ? INFINITY : c->bound;
  q->times = c->times;
  const double latest = c->bound + q->options->simultaneity;
  if (!c->at_start && q->times.hi > latest)
    q->times.hi = latest > q->times.lo ? latest : q->times.lo;
  q->fine = FINE * (q->times.hi - q->times.lo);
  return TOI_OK;
}

toi_status toi_crowd_question(toi_crowd *c, uint32_t thread, const toi_crowd_task *task, toi_question *q) {
  toi_crowd_worker *w = &c->workers[thread];
  clear_jets(w);
  toi_motions_clear(w->motions);
  return make_question(c, w, task, true, q);
}

void toi_crowd_drop_pairs(toi_question *q) {
  if (q->pairs != NULL)
    toi_free(q->context, q->pairs, (q->pair_room + 1) * sizeof *q->pairs);
  q->pairs = NULL;
}

/* --- the parts of large surfaces --- */

static toi_crowd_grid *grid_of(const toi_crowd *c, const toi_body_pair *pair, int side) {
  return c->bodies[pair->body[side]].grid;
}

/* Narrows what is searched to the part of a large surface that the other one reaches. */
static void narrow(const toi_crowd *c, toi_problem *problem) {
  const toi_body_pair *pair = problem->pair;
  for (int side = 0; side < 2; side++) {
    toi_interval part[2];
    if (grid_of(c, pair, side) == NULL || !toi_crowd_grid_part(grid_of(c, pair, side), pair, side, pair->window, part))
      continue;
    for (size_t i = 0; i < 2; i++)
      if ((problem->frozen >> (2 * (size_t)side + i) & 1) == 0)
        (void)toi_interval_intersect(problem->first.x[2 * (size_t)side + i], part[i],
                                     &problem->first.x[2 * (size_t)side + i]);
  }
}

/* Whether a large surface has no part that the other one reaches. Of single surfaces only. */
static bool is_out_of_reach(const toi_crowd *c, const toi_question *q) {
  for (size_t i = 0; i < q->pair_count; i++) {
    const toi_body_pair *pair = &q->pairs[i];
    bool reached = true;
    for (int side = 0; side < 2 && reached; side++) {
      toi_interval part[2];
      reached =
          grid_of(c, pair, side) == NULL || toi_crowd_grid_part(grid_of(c, pair, side), pair, side, pair->window, part);
    }
    if (reached)
      return false;
  }
  return true;
}

/* --- the search --- */

static double time_of(const toi_found_contact *found) {
  return found->certificate == TOI_CONTACT_SINGULAR && found->proved ? found->t_hi : found->t_lo;
}

static toi_status keep_contacts(const toi_question *q, const toi_contact_search *run, toi_crowd_finding *finding) {
  size_t count = 0;
  for (size_t i = 0; i < run->contact_count; i++)
    count += toi_contact_search_reports(run, &run->contacts[i]);
  if (count == 0)
    return TOI_OK;
  finding->contacts = toi_allocate(q->context, count * sizeof *finding->contacts);
  if (finding->contacts == NULL)
    return TOI_ERROR_MEMORY;
  finding->count = finding->room = count;
  toi_crowd_contact *at = finding->contacts;
  for (size_t i = 0; i < run->contact_count; i++)
    if (toi_contact_search_reports(run, &run->contacts[i])) {
      at->time = time_of(&run->contacts[i]);
      if (!toi_contact_describe(q, run, &run->contacts[i], &at++->point))
        return TOI_ERROR_CALLBACK;
    }
  return TOI_OK;
}

void toi_crowd_note_failure(toi_crowd *c, const toi_crowd_task *task, const toi_question *q) {
  const size_t first = c->bodies[task->job.a].count;
  for (size_t i = 0; i < q->surface_count; i++) {
    const toi_body_surface *from = &q->surface[i];
    if (!from->failed)
      continue;
    toi_body_surface *to = i < first ? &c->q->surface[c->bodies[task->job.a].surface + i]
                                     : &c->q->surface[c->bodies[task->job.b].surface + i - first];
    to->failed = true;
    memcpy(to->asked, from->asked, sizeof to->asked);
    to->asked_order = from->asked_order;
  }
}

static bool deforms(const toi_crowd *c, uint32_t body) {
  return c->q->surface[c->bodies[body].surface].shape->deforming;
}

static toi_status search_pair(toi_crowd *c, toi_crowd_worker *w, toi_crowd_task *task, toi_question *q) {
  clear_jets(w);
  toi_contact_search run;
  toi_status status = toi_question_search(q, c->at_start, &run);
  if (status == TOI_OK) {
    task->finding.outcome = toi_question_outcome(&run);
    status = keep_contacts(q, &run, &task->finding);
  } else {
    toi_crowd_note_failure(c, task, q);
  }
  task->boxes = run.boxes;
  toi_question_search_end(&run);
  return status;
}

static void narrow_all(void *user, toi_problem *problem) {
  narrow(user, problem);
}

toi_status toi_crowd_search(toi_crowd *c, uint32_t thread, toi_crowd_task *task) {
  toi_crowd_worker *w = &c->workers[thread];
  toi_question q;
  task->finding = (toi_crowd_finding){
      .a = task->job.a, .b = task->job.b, .outcome = {.bound = INFINITY, .earliest = INFINITY, .open_hi = INFINITY}};
  task->culled = true;
  if (deforms(c, task->job.a) || deforms(c, task->job.b))
    clear_jets(w);
  // First the motions alone: most pairs never come close.
  toi_status status = make_question(c, w, task, false, &q);
  if (status == TOI_OK)
    status = toi_question_pairs(&q);
  task->culled = status == TOI_OK && (q.pair_count == 0 || is_out_of_reach(c, &q));
  toi_crowd_drop_pairs(&q);
  if (status == TOI_OK && !task->culled) {
    toi_motions_clear(w->motions);
    status = make_question(c, w, task, true, &q);
    if (status == TOI_OK)
      status = toi_question_pairs(&q);
    q.narrow = narrow_all;
    q.narrow_user = c;
    if (status == TOI_OK)
      status = search_pair(c, w, task, &q);
    toi_crowd_drop_pairs(&q);
  } else {
    task->boxes = 0;
  }
  return status;
}
