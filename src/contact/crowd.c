/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Many bodies: parts of the time, rounds of searches, and the answer.
 *
 * Why nothing is lost. Each part of the time is asked about up to the simultaneity beyond its end. A pair of bodies
 * that touches in it has boxes that overlap (crowd_pairs.c), so it is among the jobs; each job is searched, or was
 * culled with a proof, or is left open and says so. The part that follows is left out only when a contact is proved to
 * happen by the end of the one before. Parts are made shorter where their pairs are too many to be listed, and where
 * even the shortest has too many, pairs are listed by ranges of their first numbers.
 *
 * Why the answer is a function of the question: rounds have sizes, and their searches boxes, that follow from the
 * number of jobs, from boxes counted before and from bounds found before; what a search finds depends on its own pair,
 * the bound and its boxes. Threads only share out a round. */

#include "contact/crowd.h"
#include "contact/boolean.h"

#include <assert.h>

/* Boxes for the first search of a pair; each one after it may take so many times more. */
#define FIRST_BOXES 256
#define MORE_BOXES 16

/* Searches in the first rounds, which find a bound for the others, and in the largest. */
#define FIRST_ROUND 4
#define LARGEST_ROUND 1024

/* Pairs that are listed at once: for each body, and besides. */
#define PAIRS_OF_BODY 16
#define PAIRS_BESIDES 65536

/* The shortest part of the time. */
#define SHORTEST 0x1p-12

/* Each search that is done again may lower the bound, and call for others: no more often than this. */
#define AGAIN 8

/* Times are distinguished from this part of the simultaneity on. */
#define ALIKE TOI_CONTACT_LATER

/* --- findings --- */

static void drop_contacts(toi_crowd *c, toi_crowd_finding *finding) {
  if (finding->contacts != NULL)
    toi_free(c->q->context, finding->contacts, finding->room * sizeof *finding->contacts);
  finding->contacts = NULL;
  finding->count = finding->room = 0;
}

static void drop_findings(toi_crowd *c) {
  for (size_t i = 0; i < c->finding_count; i++)
    drop_contacts(c, &c->findings[i]);
  c->finding_count = 0;
}

static bool has_proof(const toi_crowd_finding *finding) {
  for (size_t i = 0; i < finding->count; i++)
    if (finding->contacts[i].point.proved)
      return true;
  return false;
}

/* What a later search found in the place of what an earlier one did, whose proofs stay if there is none now. */
static void replace_finding(toi_crowd *c, toi_crowd_finding *old, const toi_crowd_finding *finding) {
  toi_crowd_finding now = *finding, gone = *old;
  if (has_proof(old) && !has_proof(&now)) {
    gone = now;
    now = *old;
    now.outcome = finding->outcome;
  }
  drop_contacts(c, &gone);
  *old = now;
}

/* *at: the number of what an earlier search of the pair found, from 1; 0: there was none. */
static toi_status keep_finding(toi_crowd *c, const toi_crowd_finding *finding, size_t *at) {
  if (*at != 0) {
    replace_finding(c, &c->findings[*at - 1], finding);
    return TOI_OK;
  }
  toi_crowd_finding *more = toi_grow(c->q->context, c->findings, c->finding_count, &c->finding_room, sizeof *more, 64);
  if (more == NULL)
    return TOI_ERROR_MEMORY;
  c->findings = more;
  c->findings[c->finding_count++] = *finding;
  *at = c->finding_count;
  return TOI_OK;
}

/* What comes after a time is found again. */
static void forget_after(toi_crowd *c, double time) {
  for (size_t i = 0; i < c->finding_count; i++) {
    toi_crowd_finding *f = &c->findings[i];
    size_t kept = 0;
    for (size_t k = 0; k < f->count; k++)
      if (f->contacts[k].time <= time)
        f->contacts[kept++] = f->contacts[k];
    f->count = kept;
    if (f->outcome.earliest > time)
      f->outcome.earliest = f->outcome.open_hi = INFINITY;
  }
}

static double latest(const toi_crowd *c) {
  return c->bound + c->q->options->simultaneity;
}

/* --- a round --- */

typedef struct round {
  toi_crowd *c;
  toi_crowd_task *tasks;
} round_of;

static bool has_own(const toi_crowd *c, const toi_crowd_task *task) {
  return c->bodies[task->job.a].own || c->bodies[task->job.b].own;
}

/* A toi_task: searches with functions of the user's wait for the calling thread. */
static toi_status search_some(void *user, uint32_t thread, size_t begin, size_t end) {
  const round_of *r = user;
  toi_status status = TOI_OK;
  for (size_t i = begin; i < end && status == TOI_OK; i++) {
    r->tasks[i].waits = has_own(r->c, &r->tasks[i]);
    if (!r->tasks[i].waits)
      status = toi_crowd_search(r->c, thread, &r->tasks[i]);
  }
  return status;
}

static bool is_late(const toi_crowd *c) {
  const toi_contact_options *o = c->q->options;
  return o->max_seconds > 0 && toi_question_elapsed(c->q) >= o->max_seconds;
}

static void leave_open(toi_crowd *c, double from, toi_contact_end end) {
  c->open_from = fmin(c->open_from, from);
  c->end = end;
}

/* What a search of the round says; it may be asked again. */
static toi_status take_task(toi_crowd *c, toi_crowd_task *task, size_t *again) {
  toi_crowd_finding *f = &task->finding;
  c->left -= task->boxes < c->left ? task->boxes : c->left;
  c->q->boxes += task->boxes;
  c->q->culled -= !task->culled && !c->at_start && task->job.finding == 0 && c->q->culled > 0;
  c->bound = fmin(c->bound, f->outcome.bound);
  const bool ended = f->outcome.end != TOI_CONTACT_BOXES;
  if (f->outcome.end == TOI_CONTACT_SECONDS || f->outcome.end == TOI_CONTACT_MEMORY)
    c->end = f->outcome.end;
  if (ended && task->job.finding == 0 && f->count == 0 && !(f->outcome.earliest <= DBL_MAX))
    return TOI_OK;
  toi_status status = keep_finding(c, f, &task->job.finding);
  if (status != TOI_OK)
    return status;
  *f = (toi_crowd_finding){.contacts = NULL};
  if (!ended)
    c->jobs[(*again)++] = task->job;
  return TOI_OK;
}

static toi_status run_round(toi_crowd *c, toi_crowd_task *tasks, size_t count) {
  round_of r = {c, tasks};
  const size_t grain = count / 64 + 1;
  toi_status status = toi_parallel(c->q->context, count, grain, search_some, &r);
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    if (tasks[i].waits)
      status = toi_crowd_search(c, 0, &tasks[i]);
  return status;
}

/* After a failure. */
static void drop_tasks(toi_crowd *c, toi_crowd_task *tasks, size_t count) {
  for (size_t i = 0; i < count; i++)
    drop_contacts(c, &tasks[i].finding);
}

static bool goes_on(toi_crowd *c) {
  const toi_contact_options *o = c->q->options;
  return toi_progress_made(c->q->context, o->progress, o->progress_user, (double)c->q->boxes / (double)c->q->most);
}

/* The next `count` jobs, each with so many boxes at most. */
static void fill_round(const toi_crowd *c, toi_crowd_task *tasks, size_t from, size_t count, uint64_t boxes) {
  const uint64_t share = c->left / count;
  for (size_t i = 0; i < count; i++)
    tasks[i] = (toi_crowd_task){.job = c->jobs[from + i], .boxes = share < boxes ? share : boxes};
}

/* What was not searched, or not to the end. */
static void leave_jobs_open(toi_crowd *c, size_t from, toi_contact_end end) {
  for (size_t i = from; i < c->job_count; i++)
    leave_open(c, c->jobs[i].finding == 0 ? c->times.lo : c->findings[c->jobs[i].finding - 1].outcome.earliest, end);
}

/* The jobs in turn; those whose searches do not end come to the front of the list again. */
static toi_status search_once(toi_crowd *c, toi_crowd_task *tasks, uint64_t boxes, size_t *again) {
  toi_status status = TOI_OK;
  size_t size = FIRST_ROUND;
  *again = 0;
  for (size_t from = 0; from < c->job_count && status == TOI_OK; size = size < LARGEST_ROUND ? 2 * size : size) {
    size_t count = c->job_count - from < size ? c->job_count - from : size;
    count = count > c->left ? (size_t)c->left : count;
    if (count == 0 || is_late(c)) {
      leave_jobs_open(c, from, count == 0 ? TOI_CONTACT_BOXES : TOI_CONTACT_SECONDS);
      return TOI_OK;
    }
    fill_round(c, tasks, from, count, boxes);
    status = run_round(c, tasks, count);
    for (size_t i = 0; i < count && status == TOI_OK; i++)
      status = take_task(c, &tasks[i], again);
    drop_tasks(c, tasks, count);
    from += count;
    if (status == TOI_OK && !goes_on(c))
      status = toi_fail(c->q->context, TOI_ERROR_CANCELLED, "stopped by the progress callback");
  }
  return status;
}

/* All jobs, to the end of each search, or of the boxes. */
static toi_status search_jobs(toi_crowd *c) {
  const size_t most = c->job_count < LARGEST_ROUND ? c->job_count : LARGEST_ROUND;
  toi_crowd_task *tasks = toi_allocate(c->q->context, (most + 1) * sizeof *tasks);
  if (tasks == NULL)
    return TOI_ERROR_MEMORY;
  toi_status status = TOI_OK;
  for (uint64_t boxes = FIRST_BOXES; c->job_count > 0 && c->end == TOI_CONTACT_DONE && status == TOI_OK;
       boxes = boxes < c->q->most ? MORE_BOXES * boxes : boxes) {
    size_t again;
    status = search_once(c, tasks, boxes, &again);
    c->job_count = again;
  }
  toi_free(c->q->context, tasks, (most + 1) * sizeof *tasks);
  return status;
}

/* --- parts of the time --- */

/* The pairs by ranges of their first numbers, as many as can be listed at once. */
static toi_status search_ranges(toi_crowd *c, size_t most) {
  const uint32_t count = (uint32_t)c->q->count;
  uint32_t width = count;
  toi_status status = TOI_OK;
  for (uint32_t begin = 0; begin < count && c->end == TOI_CONTACT_DONE && status == TOI_OK;) {
    bool many;
    const uint32_t end = count - begin < width ? count : begin + width;
    status = toi_crowd_pairs(c, begin, end, width == 1 ? SIZE_MAX : most, &many);
    if (status == TOI_OK && many) {
      width /= 2;
      continue;
    }
    if (status == TOI_OK)
      status = toi_crowd_grids(c);
    if (status == TOI_OK)
      status = search_jobs(c);
    begin = end;
  }
  if (c->end == TOI_CONTACT_BOXES || c->end == TOI_CONTACT_SECONDS)
    leave_open(c, c->times.lo, c->end);
  return status;
}

/* Whether the pairs of these times are few enough. */
static toi_status count_pairs(toi_crowd *c, toi_interval times, size_t most, bool *many) {
  toi_status status = toi_crowd_boxes(c, times);
  return status == TOI_OK ? toi_crowd_pairs(c, 0, (uint32_t)c->q->count, most, many) : status;
}

static size_t most_pairs(const toi_crowd *c) {
  return PAIRS_OF_BODY * c->q->count + PAIRS_BESIDES;
}

static toi_status search_part(toi_crowd *c, bool many) {
  if (many)
    return search_ranges(c, most_pairs(c));
  toi_status status = toi_crowd_grids(c);
  return status == TOI_OK ? search_jobs(c) : status;
}

/* Part after part, until a contact is proved in one of them. */
static toi_status search_times(toi_crowd *c) {
  const double t_max = c->q->options->t_max, shortest = SHORTEST * t_max;
  double from = 0, width = t_max;
  toi_status status = TOI_OK;
  while (status == TOI_OK && c->end == TOI_CONTACT_DONE) {
    const double to = t_max - from <= width ? t_max : from + width;
    const double beyond = to + c->q->options->simultaneity;
    const toi_interval times = {from, beyond < t_max ? beyond : t_max};
    bool many;
    status = count_pairs(c, times, most_pairs(c), &many);
    if (status == TOI_OK && many && width > shortest) {
      width /= 2;
      continue;
    }
    if (status == TOI_OK)
      status = search_part(c, many);
    if (c->bound <= to || to >= t_max)
      break;
    forget_after(c, to);
    from = to;
    width *= 2;
  }
  return status;
}

/* --- the answer --- */

static toi_contact_outcome sum_up(const toi_crowd *c) {
  toi_contact_outcome all = {
      .bound = c->bound, .earliest = c->open_from, .open_hi = c->open_from, .reached = 0, .end = c->end};
  for (size_t i = 0; i < c->finding_count; i++) {
    const toi_contact_outcome *o = &c->findings[i].outcome;
    if (o->earliest < all.earliest) {
      all.earliest = o->earliest;
      all.open_hi = o->open_hi;
    }
    all.reached = fmax(all.reached, o->reached);
  }
  if (c->end != TOI_CONTACT_DONE) {
    all.reached = INFINITY;
    all.open_hi = c->q->options->t_max;
  }
  // A contact that is proved is never later than the bound.
  if (all.earliest > all.bound)
    all.earliest = 0;
  return all;
}

/* Pairs that were searched before the bound was known may have been sampled for times that are none of the moment's:
 * these are searched again. */
static toi_status search_again(toi_crowd *c) {
  const double alike = ALIKE * c->q->options->simultaneity;
  c->times = (toi_interval){0, c->q->options->t_max};
  c->job_count = 0;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < c->finding_count && status == TOI_OK; i++) {
    const toi_crowd_finding *f = &c->findings[i];
    if (f->outcome.end == TOI_CONTACT_DONE && f->outcome.earliest <= latest(c) && f->outcome.bound > c->bound + alike)
      status = toi_crowd_add_job(c, &(toi_crowd_job){.a = f->a, .b = f->b, .finding = i + 1});
  }
  return status == TOI_OK && c->job_count > 0 ? search_jobs(c) : status;
}

static toi_status report_all(toi_crowd *c, toi_listener *who, toi_contact_answer *answer) {
  const double alike = ALIKE * c->q->options->simultaneity;
  size_t room = 0, count = 0;
  for (size_t i = 0; i < c->finding_count; i++)
    room += c->findings[i].count;
  toi_contact_point *points = toi_allocate(c->q->context, (room + 1) * sizeof *points);
  if (points == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < c->finding_count; i++) {
    const toi_crowd_finding *f = &c->findings[i];
    const double own = f->outcome.bound <= c->bound + alike ? fmax(c->bound, f->outcome.bound) : c->bound;
    for (size_t k = 0; k < f->count; k++)
      if (f->contacts[k].time <= own + c->q->options->simultaneity)
        points[count++] = f->contacts[k].point;
  }
  toi_contact_report(c->q->context, who, points, count);
  answer->contacts = count;
  toi_free(c->q->context, points, (room + 1) * sizeof *points);
  return TOI_OK;
}

/* --- the searches --- */

static void begin_search(toi_crowd *c, bool at_start) {
  drop_findings(c);
  c->at_start = at_start;
  c->bound = c->open_from = INFINITY;
  c->end = TOI_CONTACT_DONE;
}

static toi_status ask_at_start(toi_crowd *c) {
  const toi_interval start = {0, 0};
  bool many;
  begin_search(c, true);
  toi_status status = count_pairs(c, start, most_pairs(c), &many);
  return status == TOI_OK ? search_part(c, many) : status;
}

static toi_status ask_later(toi_crowd *c) {
  begin_search(c, false);
  toi_status status = search_times(c);
  double bound;
  int times = 0;
  do {
    bound = c->bound;
    status = status == TOI_OK && c->end == TOI_CONTACT_DONE ? search_again(c) : status;
  } while (status == TOI_OK && c->bound < bound && ++times < AGAIN);
  return status;
}

/* First whether any intersect at t = 0, as for few bodies. What the start left open is reported if nothing else is. */
static toi_status ask_both(toi_crowd *c, toi_listener *who, toi_contact_answer *answer) {
  toi_status status = ask_at_start(c);
  if (status != TOI_OK)
    return status;
  const toi_contact_outcome start = sum_up(c);
  if (start.bound == 0) {
    answer->verdict = TOI_HIT;
    answer->touching_at_start = true;
    answer->end = start.end;
    return report_all(c, who, answer);
  }
  if (c->q->options->t_max == 0) {
    toi_question_conclude(c->q, &start, &start, answer);
    return report_all(c, who, answer);
  }
  toi_crowd before = *c;
  c->findings = NULL;
  c->finding_count = c->finding_room = 0;
  status = ask_later(c);
  if (status == TOI_OK) {
    const toi_contact_outcome later = sum_up(c);
    toi_question_conclude(c->q, &start, &later, answer);
    status = report_all(start.earliest == 0 && answer->verdict == TOI_NEAR ? &before : c, who, answer);
  }
  drop_findings(&before);
  if (before.findings != NULL)
    toi_free(c->q->context, before.findings, before.finding_room * sizeof *before.findings);
  return status;
}

/* --- the bodies --- */

/* What any pair is refused for, whether it comes close or not. */
static toi_status check_pairs(const toi_crowd *c) {
  const toi_question *q = c->q;
  size_t unbounded = SIZE_MAX, open = SIZE_MAX;
  bool moving = false;
  for (size_t i = 0; i < q->count; i++) {
    const toi_body_surface *surface = &q->surface[c->bodies[i].surface];
    if (surface->shape->implicit && !toi_body_surface_is_bounded(surface)) {
      moving |= !c->bodies[i].rests;
      if (unbounded != SIZE_MAX && (moving || !q->moves))
        return toi_fail(q->context, TOI_ERROR_INPUT,
                        "bodies[%zu] and bodies[%zu] are implicit and neither has bounds; give bounds to one of them",
                        unbounded, i);
      unbounded = i;
    }
    if (!surface->shape->solid && open == SIZE_MAX)
      open = i;
  }
  if (q->options->incoming == TOI_INCOMING_ON && open != SIZE_MAX)
    return toi_fail(q->context, TOI_ERROR_OPTION,
                    "incoming is on, but bodies[0] and bodies[%zu] are not both solids; set incoming to auto or off",
                    open == 0 ? (size_t)1 : open);
  return TOI_OK;
}

/* Whether a function of the caller's is a part of it. */
static bool asks_caller(const toi_shape *shape) {
  bool asks = shape->enclose != NULL;
  for (size_t i = 0; shape->boolean != NULL && i < shape->boolean->primitive_count; i++)
    asks = asks || shape->boolean->primitive[i].shape.enclose != NULL;
  return asks;
}

static void take_bodies(toi_crowd *c) {
  size_t at = 0;
  for (size_t i = 0; i < c->q->count; i++) {
    const size_t first = at;
    while (at < c->q->surface_count && c->q->surface[at].body == i)
      at++;
    toi_crowd_body *body = &c->bodies[i];
    *body = (toi_crowd_body){.surface = first, .count = at - first, .rests = true};
    for (size_t k = first; k < at; k++) {
      const toi_body_surface *surface = &c->q->surface[k];
      body->rests = body->rests && !surface->shape->deforming && toi_motion_rests(surface->motion);
      body->own = body->own || asks_caller(surface->shape);
    }
  }
}

toi_status toi_crowd_begin(toi_crowd *c) {
  toi_context *context = c->q->context;
  const size_t count = c->q->count;
  c->bodies = toi_allocate(context, (count + 1) * sizeof *c->bodies);
  if (c->bodies != NULL)
    memset(c->bodies, 0, count * sizeof *c->bodies);
  c->boxes = toi_allocate(context, (count + 1) * sizeof *c->boxes);
  c->listed = toi_allocate(context, (count + 1) * sizeof *c->listed);
  if (c->bodies == NULL || c->boxes == NULL || c->listed == NULL)
    return TOI_ERROR_MEMORY;
  take_bodies(c);
  toi_status status = check_pairs(c);
  return status == TOI_OK ? toi_crowd_workers_begin(c) : status;
}

void toi_crowd_end(toi_crowd *c) {
  toi_context *context = c->q->context;
  const size_t count = c->q->count;
  toi_crowd_workers_end(c);
  drop_findings(c);
  for (size_t i = 0; i < count && c->bodies != NULL; i++)
    toi_crowd_grid_end(context, c->bodies[i].grid);
  if (c->bodies != NULL)
    toi_free(context, c->bodies, (count + 1) * sizeof *c->bodies);
  if (c->boxes != NULL)
    toi_free(context, c->boxes, (count + 1) * sizeof *c->boxes);
  if (c->listed != NULL)
    toi_free(context, c->listed, (count + 1) * sizeof *c->listed);
  if (c->jobs != NULL)
    toi_free(context, c->jobs, c->job_room * sizeof *c->jobs);
  if (c->findings != NULL)
    toi_free(context, c->findings, c->finding_room * sizeof *c->findings);
}

toi_status toi_crowd_ask(toi_question *q, toi_listener *who, toi_contact_answer *answer) {
  toi_crowd c = {.q = q, .left = q->most};
  q->culled = answer->pairs;
  toi_status status = toi_crowd_begin(&c);
  if (status == TOI_OK)
    status = ask_both(&c, who, answer);
  answer->culled = q->culled;
  answer->boxes = q->boxes;
  toi_crowd_end(&c);
  return status;
}
