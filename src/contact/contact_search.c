/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The search for first contacts. Why nothing is lost: a box leaves the queue only if
 *   - its equations cannot hold: they are fulfilled by every first contact (lemma 13);
 *   - it begins later than the bound and the simultaneity;
 *   - it lies in a region whose only solution was noted;
 *   - its contents are left open, and its beginning goes into the earliest open time;
 *   - all of it is left out of the question;
 *   - its parts that may hold a solution are in the queue. */

#include "contact/contact_search.h"

#include "contact/solid.h"
#include "contact/time_bound.h"
#include "solve/vector.h"

/* Boxes looked at between two glances at clock and memory. */
#define CHUNK 64

/* After so many boxes a contact is guessed for the first time, and the surfaces are examined as a whole. */
#define FIRST_GUESS 8
#define FIRST_SAMPLES 64

/* The same where a bound is known before the search: most such pairs do not touch before. */
#define FIRST_GUESS_BOUNDED 64

/* A box earns a part of a try to bound its time by models, divided by how many were in vain, and a try that succeeds
 * several; no more than so many wait. One takes about as long as a box or two. Boxes that are late, but not enough, are
 * few where a contact is well isolated: they earn more. */
#define MODEL_FOR_BOX 0x1p-6
#define MODEL_FOR_LATE 0x1p-3
#define MODEL_FOR_SUCCESS 4
#define MODEL_MOST 8

/* What was in vain in a box may succeed in one that was halved so many times more. */
#define MODEL_DEEPER 2

/* A model that takes off all but this part of the time before the bound, and still does not reach it, is of a box with
 * an earlier contact, perhaps: it is guessed there. After guesses in vain, at twice as many such boxes. */
#define MODEL_NEARLY 0x1p-4

/* After so many guesses in vain none is made in boxes as wide as a sample stands for. */
#define WIDE_GUESSES 4

/* Boxes as wide as a sample stands for may be wider by rounding. */
#define SLIGHTLY_MORE (1 + 0x1p-20)

/* A side that is so much shorter than another one, as parts of their domains, is not halved on suspicion. */
#define THIN 0x1p-10

typedef struct item {
  toi_search_key key;
  uint32_t problem, level;
  toi_box box;
} item;

static toi_search_fate examine(void *user, toi_search *search, const void *next);

static const toi_search_rules rules = {sizeof(item), TOI_SEARCH_BEST_FIRST, examine};

/* --- the queue --- */

/* Along a curve of contacts times differ by rounding errors: those that differ by less than a part of the simultaneity
 * are taken as equal, and the smaller box comes first, in whatever frame. */
static void push(toi_contact_queue *queue, uint32_t problem, uint32_t level, const toi_box *box) {
  toi_interval time = box->x[toi_body_pair_time(queue->run->problems[problem].pair)];
  double moment = TOI_CONTACT_LATER * queue->run->options->simultaneity, key = queue->by_end ? time.hi : time.lo;
  double rounded = moment * rint(key / moment);
  item next = {{rounded <= DBL_MAX ? rounded : key, -(double)level}, problem, level, *box};
  toi_search_push(&queue->search, &rules, &next);
}

/* Room for so many more boxes; the queue moves. */
static bool make_room(toi_contact_search *run, toi_contact_queue *queue, size_t more) {
  toi_search *s = &queue->search;
  if (queue->memory != NULL && s->count + more <= s->capacity)
    return true;
  size_t bytes = toi_search_bytes(&rules, s->capacity + more);
  if (queue->memory == NULL) {
    queue->memory = toi_allocate(run->context, bytes);
    if (queue->memory == NULL)
      return false;
    *s = toi_search_make(&rules, queue->memory, bytes);
  } else {
    toi_search old = *s;
    void *memory = toi_resize(run->context, queue->memory, queue->bytes, bytes);
    if (memory == NULL)
      return false;
    queue->memory = memory;
    *s = toi_search_make(&rules, memory, bytes);
    s->count = old.count;
    s->checks = old.checks;
  }
  queue->bytes = bytes;
  return true;
}

/* The covered box is left open, and remembered. */
static toi_status leave_covered(toi_contact_search *run, toi_contact_queue *queue, const toi_covered *one) {
  toi_covered *more =
      toi_grow(run->context, queue->covered, queue->covered_count, &queue->covered_room, sizeof *more, 64);
  if (more == NULL)
    return TOI_ERROR_MEMORY;
  queue->covered = more;
  queue->covered[queue->covered_count++] = *one;
  return TOI_OK;
}

static void leave_open(toi_contact_queue *queue, toi_interval time) {
  if (time.lo >= queue->open_lo)
    return;
  queue->open_lo = time.lo;
  queue->open_hi = time.hi;
}

/* --- one box --- */

typedef enum fate { GONE, OPEN, SPLIT, FAILED } fate;

/* Whether the equations, or what else a contact fulfils, fail over the whole box. */
static bool is_refuted(const toi_contact_search *run, const toi_problem *problem, const toi_box *box,
                       const toi_system *system) {
  size_t rows = system->contact + (run->options->tangency ? system->tangency : 0);
  for (size_t i = 0; i < rows; i++)
    if (!toi_interval_contains(i < system->contact ? system->value[i] : toi_system_tangency(system, i), 0))
      return true;
  if (system->sides.hi < 0 || system->inside || !toi_problem_reaches(problem, box, system->place))
    return true;
  return !problem->at_start && (system->incoming[0].hi < 0 || system->incoming[1].hi < 0);
}

/* Whether the surfaces are flat enough in the box for second derivatives to be worth while: their normals keep to one
 * side of each other. */
static bool is_mild(const toi_system *system) {
  return toi_interval_sign(toi_dot3(system->normal[0], system->normal[1])) != 0;
}

bool toi_contact_search_asks(const toi_contact_search *run, uint32_t problem, const toi_box *box, bool *failed) {
  *failed = false;
  if (run->leave_out == NULL)
    return true;
  toi_system system;
  *failed = !toi_system_at(&run->problems[problem], box, TOI_SYSTEM_SLOPES, &system);
  return !*failed && run->leave_out(run->leave_out_user, &run->problems[problem], box, &system) == TOI_LEFT_OUT_NONE;
}

toi_status toi_contact_search_settle(toi_contact_search *run, uint32_t number, toi_newton_region *unique,
                                     bool *settled) {
  bool failed;
  *settled = false;
  if (!toi_contact_search_asks(run, number, &unique->root, &failed))
    return failed ? TOI_ERROR_CALLBACK : TOI_OK;
  return toi_problem_holds(&run->problems[number], &unique->root)
             ? toi_contact_search_note_unique(run, number, unique, settled)
             : TOI_OK;
}

/* Whether the box is smaller than the tolerance. */
static bool is_tiny(const toi_contact_search *run, const toi_problem *problem, const toi_box *box,
                    const toi_system *system) {
  const double tolerance = run->options->tolerance, thick = 2 * toi_problem_thickness(problem);
  for (int k = 0; k < 3; k++)
    if (!(toi_interval_width(system->place[k]) < tolerance + thick))
      return false;
  if (problem->pair->kind == TOI_BODY_PAIR_PP)
    for (int k = 0; k < 3; k++)
      if (!(toi_interval_width(system->value[k]) < 2 * (tolerance + thick)))
        return false;
  toi_interval time = box->x[toi_body_pair_time(problem->pair)];
  return toi_interval_width(time) <= tolerance * run->options->t_max;
}

static bool can_be_halved(toi_interval x) {
  double middle = toi_interval_midpoint(x);
  return x.lo < middle && middle < x.hi;
}

/* Slopes from here on count as unbounded. */
#define UNBOUNDED 1e150

/* The unit of an equation: implicit functions are taken as lengths, by their gradients; the others are alike. */
static double unit_of(const toi_system *system, size_t row) {
  double gradient = system->contact > 1 && !system->vector ? toi_plain_size3(system->slope[row]) : 0;
  return gradient > 1e-150 && gradient < UNBOUNDED ? gradient : 1;
}

/* How much an unknown moves the surfaces. Unbounded slopes, such as those of a root at 0, say nothing about lengths:
 * there, and where nothing else tells unknowns apart, it is the part of its domain that counts. */
static double measure_of(const toi_problem *problem, const toi_box *box, const toi_system *system, size_t i,
                         const double *unit) {
  double width = toi_interval_width(box->x[i]), part = width / toi_interval_width(problem->domain.x[i]), sum = 0;
  for (size_t row = 0; row < system->contact; row++) {
    double slope = toi_interval_magnitude(system->slope[row][i]);
    sum += slope < UNBOUNDED ? slope / unit[row] * width : UNBOUNDED * part;
  }
  return sum + 1e-9 * part;
}

/* Close to a tip u moves hardly anything, and turns the normal all the same: a part of the turn is halved like v until
 * it is smaller than this. */
#define TIP_PART 0x1p-5

static double tip_measure(const toi_problem *problem, const toi_box *box, size_t i, const double *measures) {
  const toi_body_pair *pair = problem->pair;
  if (pair->kind > TOI_BODY_PAIR_PI || i == toi_body_pair_time(pair))
    return measures[i];
  const toi_shape *shape = pair->surface[i / 2]->shape;
  if (shape->face == NULL || shape->face->poles == 0 || i % 2 != shape->face->around)
    return measures[i];
  const double part = toi_interval_width(box->x[i]) / toi_interval_width(shape->domain[i % 2]);
  return fmax(measures[i], measures[i ^ 1] * part / TIP_PART);
}

/* The unknown that moves the surfaces most. */
static size_t widest(const toi_problem *problem, const toi_box *box, const toi_system *system) {
  toi_columns columns = toi_problem_columns(problem);
  double unit[TOI_EQUATIONS];
  for (size_t row = 0; row < system->contact; row++)
    unit[row] = unit_of(system, row);
  size_t chosen = columns.at[0];
  double most = -1, measures[TOI_UNKNOWNS] = {0};
  for (size_t j = 0; j < columns.count; j++)
    measures[columns.at[j]] = measure_of(problem, box, system, columns.at[j], unit);
  for (size_t j = 0; j < columns.count; j++) {
    size_t i = columns.at[j];
    if (!can_be_halved(box->x[i]))
      continue;
    const double measure = tip_measure(problem, box, i, measures);
    if (measure > most) {
      most = measure;
      chosen = i;
    }
  }
  return chosen;
}

/* Whether an unknown is a far smaller part of its domain than another one is. */
static bool is_thin(const toi_problem *problem, const toi_box *box, size_t unknown) {
  toi_columns columns = toi_problem_columns(problem);
  double part = toi_interval_width(box->x[unknown]) / toi_interval_width(problem->domain.x[unknown]);
  for (size_t j = 0; j < columns.count; j++) {
    size_t i = columns.at[j];
    if (!(part >= THIN * toi_interval_width(box->x[i]) / toi_interval_width(problem->domain.x[i])))
      return true;
  }
  return false;
}

static bool is_smaller(const toi_problem *problem, const toi_box *box, const toi_box *than) {
  toi_columns columns = toi_problem_columns(problem);
  double volume = 1;
  for (size_t j = 0; j < columns.count; j++) {
    size_t i = columns.at[j];
    double before = toi_interval_width(than->x[i]);
    if (before > 0)
      volume *= toi_interval_width(box->x[i]) / before;
  }
  return volume < 0.25;
}

/* Whether the time is bounded by models, which is tried ever more seldom while it is in vain, but always along curves
 * of contact; *bound is it then. */
static toi_status try_model(toi_contact_search *run, const item *now, const toi_box *box, toi_model_use use,
                            double *bound) {
  const toi_problem *problem = &run->problems[now->problem];
  toi_model_tries *tries = &run->models[use];
  *bound = -INFINITY;
  if (run->bound != tries->bound)
    *tries = (toi_model_tries){.credit = tries->credit, .bound = run->bound};
  double earned = use == TOI_MODEL_LATE ? MODEL_FOR_LATE : MODEL_FOR_BOX / (1 + (double)tries->in_vain);
  tries->credit = fmin(tries->credit + earned, MODEL_MOST);
  bool worth = (use == TOI_MODEL_EARLY && run->sampled) ||
               ((use == TOI_MODEL_EARLY || use == TOI_MODEL_BEYOND) && now->level >= tries->deeper);
  if (!run->options->clearance || (tries->credit < 1 && !worth))
    return TOI_OK;
  toi_contact_model model;
  toi_status status = toi_clearance_model(&run->clearance, run->context, problem, box, &model);
  if (status != TOI_OK)
    return status;
  toi_interval time = box->x[toi_body_pair_time(problem->pair)];
  const double after[TOI_MODEL_USES] = {-1, -1, TOI_CONTACT_LATER, 1};
  double enough = run->bound + after[use] * run->options->simultaneity;
  *bound = toi_time_model_bound(problem, &model, time, enough);
  bool success = *bound > enough;
  tries->credit += success ? MODEL_FOR_SUCCESS - 1 : -1;
  tries->in_vain = success ? 0 : tries->in_vain + 1;
  tries->deeper = success ? tries->deeper : now->level + MODEL_DEEPER;
  if (use == TOI_MODEL_EARLY && !success && run->bound - *bound < MODEL_NEARLY * (run->bound - time.lo)) {
    const uint64_t before = tries->nearly++;
    if ((before & tries->nearly) == 0 && run->boxes < run->next_guess)
      run->next_guess = run->boxes;
  }
  return TOI_OK;
}

/* Along a curve of contact nothing is unique, and the question is whether the box can hold an earlier one; where the
 * first contact is hardly before the others, whether it holds one that counts. */
static fate raise_time(toi_contact_search *run, const item *now, bool mild, toi_box *box) {
  const toi_problem *problem = &run->problems[now->problem];
  toi_interval *time = &box->x[toi_body_pair_time(problem->pair)];
  bool early = time->lo < run->bound - run->options->simultaneity, failed = false;
  // Only what is unique stands for what comes later.
  bool unique = run->last_unique != 0;
  bool later = time->lo > run->bound + TOI_CONTACT_LATER * run->options->simultaneity;
  if (!(run->bound <= DBL_MAX) || (later && (unique || !mild)) || (!early && !unique && !mild))
    return SPLIT;
  double bound;
  run->status = try_model(run, now, box,
                          !mild    ? TOI_MODEL_ROUGH
                          : early  ? TOI_MODEL_EARLY
                          : unique ? TOI_MODEL_LATE
                                   : TOI_MODEL_BEYOND,
                          &bound);
  if (run->status != TOI_OK)
    return FAILED;
  if (early && mild && bound == -INFINITY && (problem->pair->kind == TOI_BODY_PAIR_PP || run->sampled))
    bound = toi_time_lower_bound(problem, box, &failed);
  if (failed)
    return FAILED;
  if (bound > time->hi)
    return GONE;
  time->lo = bound > time->lo ? bound : time->lo;
  return SPLIT;
}

/* Shrinks the box by what the options allow. */
static fate shrink(toi_contact_search *run, const item *now, const toi_system *system, toi_box *box) {
  const toi_problem *problem = &run->problems[now->problem];
  const toi_contact_options *options = run->options;
  if (options->mean_value || options->newton == TOI_NEWTON_LINEAR) {
    toi_newton_end end = toi_newton_contact(problem, system, options->newton == TOI_NEWTON_LINEAR, box);
    if (end != TOI_NEWTON_SHRUNK)
      return end == TOI_NEWTON_EMPTY ? GONE : FAILED;
  }
  if (problem->at_start || !options->tangency || options->newton == TOI_NEWTON_NONE)
    return SPLIT;
  if (problem->frozen == 0 && !is_mild(system))
    return raise_time(run, now, false, box);
  toi_newton_region unique;
  toi_newton_end end = toi_newton_all(problem, options->newton, box, &unique);
  if (end == TOI_NEWTON_UNIQUE) {
    bool settled;
    run->status = toi_contact_search_settle(run, now->problem, &unique, &settled);
    return run->status != TOI_OK ? FAILED : settled ? GONE : SPLIT;
  }
  if (end == TOI_NEWTON_SHRUNK)
    return raise_time(run, now, true, box);
  return end == TOI_NEWTON_EMPTY ? GONE : end == TOI_NEWTON_FAILED ? FAILED : SPLIT;
}

static double square_of(const toi_interval place[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++)
    square += toi_interval_width(place[k]) * toi_interval_width(place[k]);
  return square;
}

static bool is_wide(const toi_contact_search *run, const toi_system *system) {
  const toi_interval *at = square_of(system->own) < square_of(system->place) ? system->own : system->place;
  double size = 0;
  for (int k = 0; k < 3; k++)
    size = fmax(size, toi_interval_width(at[k]));
  return size >= run->options->spacing;
}

/* Whether now is the time to look for a contact: seldom, until one is proved; and where a box cannot be told from the
 * contacts that are. */
static bool is_time_to_guess(toi_contact_search *run, const item *now, const toi_box *box, const toi_system *system) {
  const toi_problem *problem = &run->problems[now->problem];
  if (!run->options->guesses)
    return false;
  double begin = box->x[toi_body_pair_time(problem->pair)].lo;
  if (begin >= run->bound - run->options->simultaneity) {
    // A sample in the middle of the box then stands for all of it; in smaller ones it is found sooner.
    double square = 0.25 * fmin(square_of(system->place), square_of(system->own)), spacing = run->options->spacing;
    bool wide = is_wide(run, system) && (problem->at_start || run->wide_guesses <= 0);
    return square <= SLIGHTLY_MORE * spacing * spacing && !wide;
  }
  if (run->boxes < run->next_guess)
    return false;
  run->next_guess = run->boxes + run->boxes / 2;
  return true;
}

/* Whether a sample stands for the box: then it is left open. */
static fate cover(toi_contact_queue *queue, const item *now, const toi_box *box, uint32_t sample) {
  toi_contact_search *run = queue->run;
  const toi_covered one = {now->problem, now->level, sample, *box};
  if (sample != 0)
    run->status = leave_covered(run, queue, &one);
  return sample == 0 ? SPLIT : run->status == TOI_OK ? OPEN : FAILED;
}

static fate judge(toi_contact_queue *queue, const item *now, toi_box *box, toi_system *system) {
  toi_contact_search *run = queue->run;
  const toi_problem *problem = &run->problems[now->problem];
  if (!toi_system_at(problem, box, TOI_SYSTEM_SLOPES, system))
    return FAILED;
  bool failed = false;
  if (run->leave_out != NULL && run->leave_out(run->leave_out_user, problem, box, system) == TOI_LEFT_OUT_ALL)
    return GONE;
  if (is_refuted(run, problem, box, system) ||
      (run->options->tangency && toi_solid_tip_refutes(problem, box, system, &failed)))
    return GONE;
  if (failed)
    return FAILED;
  if (run->options->clearance)
    run->status = toi_clearance_try(&run->clearance, run->context, problem, box, system);
  if (run->status != TOI_OK || run->clearance.apart)
    return run->clearance.apart ? GONE : FAILED;
  fate end = shrink(run, now, system, box);
  if (end != SPLIT)
    return end;
  uint32_t sample = toi_contact_search_cover(run, now->problem, box, system, queue->open_lo);
  if (sample != 0)
    return cover(queue, now, box, sample);
  bool tiny = is_tiny(run, problem, box, system);
  if (tiny || is_time_to_guess(run, now, box, system)) {
    run->status = toi_contact_search_guess(run, now->problem, box, tiny);
    if (run->status != TOI_OK)
      return FAILED;
    if (toi_contact_search_is_settled(run, now->problem, box))
      return GONE;
    sample = toi_contact_search_cover(run, now->problem, box, system, queue->open_lo);
    if (is_wide(run, system))
      run->wide_guesses = sample == 0 ? run->wide_guesses - 1 : WIDE_GUESSES;
  }
  if (sample != 0 || !tiny)
    return cover(queue, now, box, sample);
  run->status = toi_contact_search_note_box(run, now->problem, box, false, &sample);
  if (run->status != TOI_OK)
    return FAILED;
  return sample == 0 ? OPEN : cover(queue, now, box, sample);
}

/* What is left of the box, whole if it shrank well, or halved. */
static void push_rest(toi_contact_queue *queue, const item *now, const toi_box *box, const toi_system *system) {
  const toi_problem *problem = &queue->run->problems[now->problem];
  size_t blamed = queue->run->clearance.split;
  if (blamed >= TOI_UNKNOWNS && is_smaller(problem, box, &now->box)) {
    push(queue, now->problem, now->level + 1, box);
    return;
  }
  // Frozen time stays whole.
  const bool frozen = problem->at_start && blamed == toi_body_pair_time(problem->pair);
  const bool as_blamed =
      blamed < TOI_UNKNOWNS && !frozen && can_be_halved(box->x[blamed]) && !is_thin(problem, box, blamed);
  size_t i = as_blamed ? blamed : widest(problem, box, system);
  double middle = toi_interval_midpoint(box->x[i]);
  if (!can_be_halved(box->x[i])) {
    // It cannot be halved.
    for (int k = 0; k < 3; k++)
      queue->run->unfound = fmax(queue->run->unfound, 2 * toi_interval_width(system->place[k]));
    leave_open(queue, box->x[toi_body_pair_time(problem->pair)]);
    return;
  }
  toi_box half = *box;
  half.x[i].hi = middle;
  push(queue, now->problem, now->level + 1, &half);
  half = *box;
  half.x[i].lo = middle;
  push(queue, now->problem, now->level + 1, &half);
}

static toi_search_fate examine(void *user, toi_search *search, const void *next) {
  toi_contact_queue *queue = user;
  toi_contact_search *run = queue->run;
  item now;
  memcpy(&now, next, sizeof now);
  size_t t = toi_body_pair_time(run->problems[now.problem].pair);
  double latest = run->bound + run->options->simultaneity;
  if (now.box.x[t].lo > latest || toi_contact_search_is_settled(run, now.problem, &now.box)) {
    search->checks--;
    return TOI_BOX_PRUNED;
  }
  if (now.box.x[t].hi > latest)
    now.box.x[t].hi = latest;
  run->boxes++;
  toi_box box = now.box;
  toi_system system;
  fate end = judge(queue, &now, &box, &system);
  if (end == FAILED && run->status == TOI_ERROR_MEMORY) {
    // What was found stays, and this box is open.
    leave_open(queue, now.box.x[t]);
    run->status = TOI_OK;
    run->end = TOI_CONTACT_MEMORY;
    return TOI_BOX_ACCEPTED;
  }
  if (end == FAILED) {
    run->status = run->status != TOI_OK ? run->status : TOI_ERROR_CALLBACK;
    return TOI_BOX_ACCEPTED;
  }
  if (end == OPEN)
    leave_open(queue, box.x[t]);
  if (end == SPLIT)
    push_rest(queue, &now, &box, &system);
  return end == SPLIT ? TOI_BOX_SPLIT : TOI_BOX_PRUNED;
}

/* --- all of them --- */

static toi_status begin_queue(toi_contact_search *run, toi_contact_queue *queue, bool by_end) {
  *queue = (toi_contact_queue){.run = run, .by_end = by_end, .open_lo = INFINITY, .open_hi = INFINITY};
  if (!make_room(run, queue, run->problem_count + 4 * CHUNK))
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < run->problem_count; i++)
    push(queue, (uint32_t)i, 0, &run->problems[i].first);
  return TOI_OK;
}

/* A budget is spent: what waits in the queue is left open. */
static void stop_queue(toi_contact_search *run, toi_contact_queue *queue) {
  const unsigned char *items = queue->search.now;
  for (size_t i = 0; i < queue->search.count; i++) {
    item now;
    memcpy(&now, items + i * sizeof now, sizeof now);
    leave_open(queue, now.box.x[toi_body_pair_time(run->problems[now.problem].pair)]);
  }
}

static bool is_late(const toi_contact_search *run) {
  return run->options->max_seconds > 0 && run->elapsed(run->elapsed_user) >= run->options->max_seconds;
}

/* Once, if nothing was found so far. */
static toi_status sample_surfaces_once(toi_contact_search *run) {
  if (run->surfaces_sampled || !run->options->guesses || run->boxes < FIRST_SAMPLES || run->bound <= DBL_MAX)
    return TOI_OK;
  run->surfaces_sampled = true;
  for (size_t i = 0; i < run->problem_count && !is_late(run); i++) {
    toi_status status = toi_contact_search_sample(run, (uint32_t)i);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

/* Boxes go back to the queue whose sample is none any more, as the bound fell or a proved one took its place. False:
 * there are none, and the search is over. */
static bool reopen(toi_contact_search *run, toi_contact_queue *queue) {
  size_t kept = 0;
  for (size_t i = 0; i < queue->covered_count; i++) {
    const toi_covered one = queue->covered[i];
    if (toi_contact_search_covers(run, one.by)) {
      queue->covered[kept++] = one;
      continue;
    }
    if (!make_room(run, queue, 4 * CHUNK)) {
      run->end = TOI_CONTACT_MEMORY;
      return false;
    }
    push(queue, one.problem, one.level, &one.box);
  }
  queue->covered_count = kept;
  return queue->search.count > 0;
}

/* Whether to stop, and why. */
static bool is_over(toi_contact_search *run, toi_contact_queue *queue) {
  if (run->boxes >= run->max_boxes)
    run->end = TOI_CONTACT_BOXES;
  else if (is_late(run))
    run->end = TOI_CONTACT_SECONDS;
  else if (!make_room(run, queue, 4 * CHUNK))
    run->end = TOI_CONTACT_MEMORY;
  else
    return false;
  return true;
}

static toi_status run_queues(toi_contact_search *run) {
  for (size_t turn = 0;; turn = (turn + 1) % run->queue_count) {
    toi_contact_queue *queue = &run->queues[turn];
    run->winner = queue;
    if (is_over(run, queue)) {
      stop_queue(run, queue);
      return TOI_OK;
    }
    toi_status status = sample_surfaces_once(run);
    if (status == TOI_ERROR_MEMORY) {
      run->end = TOI_CONTACT_MEMORY;
      stop_queue(run, queue);
      return TOI_OK;
    }
    if (status != TOI_OK)
      return status;
    uint64_t left = run->max_boxes - run->boxes;
    queue->search.max_checks = queue->search.checks + (left < CHUNK ? left : CHUNK);
    toi_search_end end = toi_search_run(&queue->search, &rules, queue);
    if (run->status != TOI_OK)
      return run->status;
    if (run->end == TOI_CONTACT_MEMORY) {
      stop_queue(run, queue);
      return TOI_OK;
    }
    if (end == TOI_SEARCH_EMPTY && !reopen(run, queue))
      return TOI_OK;
    const toi_contact_options *options = run->options;
    if (!toi_progress_made(run->context, options->progress, options->progress_user,
                           (double)run->boxes / (double)run->max_boxes))
      return toi_fail(run->context, TOI_ERROR_CANCELLED, "stopped by the progress callback");
  }
}

/* The boxes that wait are not needed after the search; what was left open of them is known. */
static void end_queues(toi_contact_search *run) {
  for (size_t i = 0; i < 2; i++) {
    toi_contact_queue *queue = &run->queues[i];
    if (queue->memory != NULL)
      toi_free(run->context, queue->memory, queue->bytes);
    if (queue->covered != NULL)
      toi_free(run->context, queue->covered, queue->covered_room * sizeof *queue->covered);
    queue->memory = NULL;
    queue->covered = NULL;
  }
}

toi_status toi_contact_search_run(toi_contact_search *run) {
  run->bound = run->given;
  run->status = TOI_OK;
  run->end = TOI_CONTACT_DONE;
  run->next_guess = run->given <= DBL_MAX ? FIRST_GUESS_BOUNDED : FIRST_GUESS;
  run->wide_guesses = WIDE_GUESSES;
  run->clearance.split = TOI_UNKNOWNS;
  toi_contact_order order = run->options->order;
  if (order == TOI_CONTACT_RACE)
    run->queue_count = 2;
  else
    run->queue_count = 1;
  for (size_t i = 0; i < run->queue_count; i++) {
    toi_status status = begin_queue(run, &run->queues[i], order == TOI_CONTACT_UPPER || i == 1);
    if (status != TOI_OK)
      return status;
  }
  toi_status status = run_queues(run);
  end_queues(run);
  if (status == TOI_OK)
    status = toi_contact_search_note_bound(run);
  if (status == TOI_ERROR_MEMORY) {
    run->end = TOI_CONTACT_MEMORY;
    status = TOI_OK;
  }
  // The refusal that ended the search is no error of the call.
  if (status == TOI_OK && run->end == TOI_CONTACT_MEMORY)
    toi_clear_error(run->context);
  return status;
}

void toi_contact_search_end(toi_contact_search *run) {
  end_queues(run);
  toi_clearance_end(&run->clearance, run->context);
  if (run->points != NULL)
    toi_free(run->context, run->points, run->point_room * sizeof *run->points);
  if (run->cells != NULL)
    toi_free(run->context, run->cells, run->cell_count * sizeof *run->cells);
  if (run->contacts != NULL)
    toi_free(run->context, run->contacts, run->contact_room * sizeof *run->contacts);
}

double toi_contact_search_earliest(const toi_contact_search *run) {
  double earliest = run->winner->open_lo;
  for (size_t i = 0; i < run->contact_count; i++)
    if (run->contacts[i].certificate == TOI_CONTACT_UNIQUE && run->contacts[i].counts &&
        run->contacts[i].t_lo < earliest)
      earliest = run->contacts[i].t_lo;
  // A contact that is proved is never later than the bound, whatever else is known.
  return earliest <= run->bound || !(run->bound < run->given) ? earliest : 0;
}
