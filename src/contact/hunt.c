/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The search for first contacts. Why nothing is lost: a box leaves the queue only if
 *   - its equations cannot hold: they are fulfilled by every first contact (lemma 13);
 *   - it begins later than the bound and the simultaneity;
 *   - it lies in a region whose only solution was noted;
 *   - its contents are left open, and its beginning goes into the earliest open time;
 *   - its parts that may hold a solution are in the queue. */

#include "contact/hunt.h"

#include "contact/time_bound.h"
#include "solve/vector.h"

/* Boxes looked at between two glances at clock and memory. */
#define CHUNK 64

/* After so many boxes a contact is guessed for the first time, and the surfaces are looked at as a whole. */
#define FIRST_GUESS 8
#define FIRST_LOOK 64

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

static void push(toi_hunt_queue *queue, uint32_t problem, uint32_t level, const toi_box *box) {
  toi_interval time = box->x[toi_couple_time(queue->hunt->problems[problem].couple)];
  item next = {{queue->by_end ? time.hi : time.lo, -(double)level}, problem, level, *box};
  toi_search_push(&queue->search, &rules, &next);
}

/* Room for so many more boxes; the queue moves. */
static bool make_room(toi_hunt *hunt, toi_hunt_queue *queue, size_t more) {
  toi_search *s = &queue->search;
  if (queue->memory != NULL && s->count + more <= s->capacity)
    return true;
  size_t bytes = toi_search_bytes(&rules, s->capacity + more);
  if (queue->memory == NULL) {
    queue->memory = toi_allocate(hunt->context, bytes);
    if (queue->memory == NULL)
      return false;
    *s = toi_search_make(&rules, queue->memory, bytes);
  } else {
    toi_search old = *s;
    void *memory = toi_resize(hunt->context, queue->memory, queue->bytes, bytes);
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
static toi_status leave_covered(toi_hunt *hunt, toi_hunt_queue *queue, const toi_covered *one) {
  if (queue->covered_count == queue->covered_room) {
    size_t room = queue->covered_room == 0 ? 64 : 2 * queue->covered_room;
    toi_covered *more =
        toi_resize(hunt->context, queue->covered, queue->covered_room * sizeof *more, room * sizeof *more);
    if (more == NULL)
      return TOI_ERROR_MEMORY;
    queue->covered = more;
    queue->covered_room = room;
  }
  queue->covered[queue->covered_count++] = *one;
  return TOI_OK;
}

static void leave_open(toi_hunt_queue *queue, toi_interval time) {
  if (time.lo >= queue->open_lo)
    return;
  queue->open_lo = time.lo;
  queue->open_hi = time.hi;
}

/* --- one box --- */

typedef enum fate { GONE, OPEN, SPLIT, FAILED } fate;

/* Whether the equations, or what else a contact fulfils, fail over the whole box. */
static bool is_refuted(const toi_hunt *hunt, const toi_problem *problem, const toi_system *system) {
  size_t rows = system->contact + (hunt->options->tangency ? system->tangency : 0);
  for (size_t i = 0; i < rows; i++)
    if (!toi_interval_contains(i < system->contact ? system->value[i] : toi_system_tangency(system, i), 0))
      return true;
  if (!toi_couple_reaches(problem->couple, system->place))
    return true;
  return !problem->at_start && (system->incoming[0].hi < 0 || system->incoming[1].hi < 0);
}

/* Whether the surfaces are flat enough in the box for second derivatives to be worth while: their normals keep to one
 * side of each other. */
static bool is_mild(const toi_system *system) {
  return toi_interval_sign(toi_dot3(system->normal[0], system->normal[1])) != 0;
}

static toi_status settle(toi_hunt *hunt, uint32_t problem, toi_newton_region *unique, bool *settled) {
  *settled = false;
  return toi_problem_holds(&hunt->problems[problem], &unique->root)
             ? toi_hunt_note_unique(hunt, problem, unique, settled)
             : TOI_OK;
}

/* At the pole of a sphere there is no normal to tell whether the surfaces approach, and at an edge no room: a place
 * beside it serves. */
static bool prove_near(const toi_problem *problem, const double x[TOI_UNKNOWNS], toi_box *proved) {
  bool incoming = problem->couple->incoming && !problem->at_start;
  for (int attempt = 0; attempt < 3; attempt++) {
    double from[TOI_UNKNOWNS];
    memcpy(from, x, sizeof from);
    for (size_t i = 0; i < toi_couple_time(problem->couple) && attempt > 0; i++) {
      toi_interval domain = problem->domain.x[i];
      double middle = toi_interval_midpoint(domain), aside = 0x1p-18 * toi_interval_width(domain);
      from[i] += (from[i] < middle ? 1 : -1) * (attempt == 1 ? aside : 64 * aside);
    }
    if (toi_newton_prove(problem, from, incoming, proved))
      return true;
  }
  return false;
}

static void set_middle(const toi_problem *problem, const toi_box *box, double x[TOI_UNKNOWNS]) {
  for (size_t i = 0; i < toi_couple_unknowns(problem->couple); i++)
    x[i] = toi_interval_midpoint(box->x[i]);
}

toi_status toi_hunt_guess(toi_hunt *hunt, uint32_t number, const toi_box *box, bool anyhow) {
  const toi_problem *problem = &hunt->problems[number];
  double x[TOI_UNKNOWNS] = {0};
  set_middle(problem, box, x);
  bool converged;
  if (!toi_newton_guess(problem, box, x, &converged)) {
    if ((!anyhow && !(hunt->bound <= DBL_MAX)) || !hunt->options->tangency)
      return TOI_OK;
    // On a ridge there is no tangent plane to go by: the place itself must do.
    set_middle(problem, box, x);
  }
  toi_newton_region unique;
  if (converged && !problem->at_start && hunt->options->tangency && hunt->options->newton != TOI_NEWTON_NONE &&
      toi_newton_isolate(problem, hunt->options->newton, x, box, &unique)) {
    bool settled;
    toi_status status = settle(hunt, number, &unique, &settled);
    if (status != TOI_OK || settled)
      return status;
  }
  toi_box proved;
  if (!prove_near(problem, x, &proved))
    return TOI_OK;
  // Beside a first contact, and later than what is reported of it: its time counts, its place does not.
  double end = proved.x[toi_couple_time(problem->couple)].hi;
  double simultaneity = hunt->options->simultaneity;
  bool flat = box->x[toi_couple_time(problem->couple)].lo >= hunt->bound - simultaneity;
  if (!converged && !anyhow && !(flat && end <= hunt->bound + simultaneity)) {
    if (end < hunt->bound) {
      hunt->bound = end;
      hunt->spare = (toi_spare){true, number, proved};
    }
    return TOI_OK;
  }
  return toi_hunt_note_box(hunt, number, &proved, true, NULL);
}

/* Whether the box is smaller than the tolerance. */
static bool is_tiny(const toi_hunt *hunt, const toi_problem *problem, const toi_box *box, const toi_system *system) {
  double tolerance = hunt->options->tolerance;
  for (int k = 0; k < 3; k++)
    if (!(toi_interval_width(system->place[k]) < tolerance))
      return false;
  if (problem->couple->kind == TOI_COUPLE_PP)
    for (int k = 0; k < 3; k++)
      if (!(toi_interval_width(system->value[k]) < 2 * tolerance))
        return false;
  toi_interval time = box->x[toi_couple_time(problem->couple)];
  return toi_interval_width(time) <= tolerance * hunt->options->t_max;
}

static bool can_be_halved(toi_interval x) {
  double middle = toi_interval_midpoint(x);
  return x.lo < middle && middle < x.hi;
}

/* The unknown that moves the surfaces most. */
static size_t widest(const toi_problem *problem, const toi_box *box, const toi_system *system) {
  toi_columns columns = toi_problem_columns(problem);
  size_t chosen = columns.at[0];
  double most = -1;
  for (size_t j = 0; j < columns.count; j++) {
    size_t i = columns.at[j];
    double width = toi_interval_width(box->x[i]), slope = 0;
    if (!can_be_halved(box->x[i]))
      continue;
    // Unbounded slopes count as huge ones.
    for (size_t row = 0; row < system->contact; row++)
      slope += fmin(toi_interval_magnitude(system->slope[row][i]), 1e150);
    double measure = width * slope + 1e-9 * width / toi_interval_width(problem->domain.x[i]);
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

/* Along a curve of contact nothing is unique, and the question is whether the box can hold an earlier one. */
static fate raise_time(const toi_hunt *hunt, const toi_problem *problem, toi_box *box) {
  toi_interval *time = &box->x[toi_couple_time(problem->couple)];
  bool worth = problem->couple->kind == TOI_COUPLE_PP || hunt->sampled;
  if (!worth || !(hunt->bound <= DBL_MAX) || time->lo >= hunt->bound - hunt->options->simultaneity)
    return SPLIT;
  bool failed;
  double bound = toi_time_lower_bound(problem, box, &failed);
  if (failed)
    return FAILED;
  if (bound > time->hi)
    return GONE;
  time->lo = bound > time->lo ? bound : time->lo;
  return SPLIT;
}

/* Shrinks the box by what the options allow. */
static fate shrink(toi_hunt *hunt, const item *now, const toi_system *system, toi_box *box) {
  const toi_problem *problem = &hunt->problems[now->problem];
  const toi_contact_options *options = hunt->options;
  if (options->mean_value || options->newton == TOI_NEWTON_LINEAR) {
    toi_newton_end end = toi_newton_contact(problem, system, options->newton == TOI_NEWTON_LINEAR, box);
    if (end != TOI_NEWTON_SHRUNK)
      return end == TOI_NEWTON_EMPTY ? GONE : FAILED;
  }
  if (problem->at_start || !options->tangency || options->newton == TOI_NEWTON_NONE ||
      (problem->frozen == 0 && !is_mild(system)))
    return SPLIT;
  toi_newton_region unique;
  toi_newton_end end = toi_newton_all(problem, options->newton, box, &unique);
  if (end == TOI_NEWTON_UNIQUE) {
    bool settled;
    hunt->status = settle(hunt, now->problem, &unique, &settled);
    return hunt->status != TOI_OK ? FAILED : settled ? GONE : SPLIT;
  }
  if (end == TOI_NEWTON_SHRUNK)
    return raise_time(hunt, problem, box);
  return end == TOI_NEWTON_EMPTY ? GONE : end == TOI_NEWTON_FAILED ? FAILED : SPLIT;
}

/* Whether now is the time to look for a contact: seldom, until one is proved; and where a box cannot be told from the
 * contacts that are. */
static bool is_time_to_guess(toi_hunt *hunt, const item *now, const toi_box *box, const toi_system *system) {
  const toi_problem *problem = &hunt->problems[now->problem];
  if (!hunt->options->guesses)
    return false;
  double begin = box->x[toi_couple_time(problem->couple)].lo;
  if (begin >= hunt->bound - hunt->options->simultaneity) {
    double size = 0;
    for (int k = 0; k < 3; k++)
      size = fmax(size, toi_interval_width(system->place[k]));
    return size < hunt->options->spacing;
  }
  if (hunt->boxes < hunt->next_guess)
    return false;
  hunt->next_guess = hunt->boxes + hunt->boxes / 2;
  return true;
}

/* Whether a sample stands for the box: then it is left open. */
static fate cover(toi_hunt_queue *queue, const item *now, const toi_box *box, uint32_t sample) {
  toi_hunt *hunt = queue->hunt;
  const toi_covered one = {now->problem, now->level, sample, *box};
  if (sample != 0)
    hunt->status = leave_covered(hunt, queue, &one);
  return sample == 0 ? SPLIT : hunt->status == TOI_OK ? OPEN : FAILED;
}

static fate judge(toi_hunt_queue *queue, const item *now, toi_box *box, toi_system *system) {
  toi_hunt *hunt = queue->hunt;
  const toi_problem *problem = &hunt->problems[now->problem];
  if (!toi_system_at(problem, box, TOI_SYSTEM_SLOPES, system))
    return FAILED;
  if (is_refuted(hunt, problem, system))
    return GONE;
  if (hunt->options->clearance)
    hunt->status = toi_clearance_try(&hunt->clearance, hunt->context, problem, box, system);
  if (hunt->status != TOI_OK || hunt->clearance.apart)
    return hunt->clearance.apart ? GONE : FAILED;
  fate end = shrink(hunt, now, system, box);
  if (end != SPLIT)
    return end;
  uint32_t sample = toi_hunt_cover(hunt, now->problem, box, system->place, queue->open_lo);
  if (sample != 0)
    return cover(queue, now, box, sample);
  bool tiny = is_tiny(hunt, problem, box, system);
  if (tiny || is_time_to_guess(hunt, now, box, system)) {
    hunt->status = toi_hunt_guess(hunt, now->problem, box, tiny);
    if (hunt->status != TOI_OK)
      return FAILED;
    if (toi_hunt_is_settled(hunt, now->problem, box))
      return GONE;
    sample = toi_hunt_cover(hunt, now->problem, box, system->place, queue->open_lo);
  }
  if (sample != 0 || !tiny)
    return cover(queue, now, box, sample);
  hunt->status = toi_hunt_note_box(hunt, now->problem, box, false, &sample);
  if (hunt->status != TOI_OK)
    return FAILED;
  return sample == 0 ? OPEN : cover(queue, now, box, sample);
}

/* What is left of the box, whole if it shrank well, or halved. */
static void push_rest(toi_hunt_queue *queue, const item *now, const toi_box *box, const toi_system *system) {
  const toi_problem *problem = &queue->hunt->problems[now->problem];
  // Once a contact is proved the rest is about where it ends, which the widest unknown tells sooner.
  size_t blamed = queue->hunt->bound <= DBL_MAX ? TOI_UNKNOWNS : queue->hunt->clearance.split;
  if (blamed >= TOI_UNKNOWNS && is_smaller(problem, box, &now->box)) {
    push(queue, now->problem, now->level + 1, box);
    return;
  }
  const bool as_blamed = blamed < TOI_UNKNOWNS && can_be_halved(box->x[blamed]) && !is_thin(problem, box, blamed);
  size_t i = as_blamed ? blamed : widest(problem, box, system);
  double middle = toi_interval_midpoint(box->x[i]);
  if (!can_be_halved(box->x[i])) {
    // It cannot be halved.
    for (int k = 0; k < 3; k++)
      queue->hunt->unfound = fmax(queue->hunt->unfound, 2 * toi_interval_width(system->place[k]));
    leave_open(queue, box->x[toi_couple_time(problem->couple)]);
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
  toi_hunt_queue *queue = user;
  toi_hunt *hunt = queue->hunt;
  item now;
  memcpy(&now, next, sizeof now);
  size_t t = toi_couple_time(hunt->problems[now.problem].couple);
  double latest = hunt->bound + hunt->options->simultaneity;
  if (now.box.x[t].lo > latest || toi_hunt_is_settled(hunt, now.problem, &now.box)) {
    search->checks--;
    return TOI_BOX_PRUNED;
  }
  if (now.box.x[t].hi > latest)
    now.box.x[t].hi = latest;
  hunt->boxes++;
  toi_box box = now.box;
  toi_system system;
  fate end = judge(queue, &now, &box, &system);
  if (end == FAILED && hunt->status == TOI_ERROR_MEMORY) {
    // What was found stays, and this box is open.
    leave_open(queue, now.box.x[t]);
    hunt->status = TOI_OK;
    hunt->end = TOI_CONTACT_MEMORY;
    return TOI_BOX_ACCEPTED;
  }
  if (end == FAILED) {
    hunt->status = hunt->status != TOI_OK ? hunt->status : TOI_ERROR_CALLBACK;
    return TOI_BOX_ACCEPTED;
  }
  if (end == OPEN)
    leave_open(queue, box.x[t]);
  if (end == SPLIT)
    push_rest(queue, &now, &box, &system);
  return end == SPLIT ? TOI_BOX_SPLIT : TOI_BOX_PRUNED;
}

/* --- all of them --- */

static toi_status begin_queue(toi_hunt *hunt, toi_hunt_queue *queue, bool by_end) {
  *queue = (toi_hunt_queue){.hunt = hunt, .by_end = by_end, .open_lo = INFINITY, .open_hi = INFINITY};
  if (!make_room(hunt, queue, hunt->problem_count + 4 * CHUNK))
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < hunt->problem_count; i++)
    push(queue, (uint32_t)i, 0, &hunt->problems[i].first);
  return TOI_OK;
}

/* A budget is spent: what waits in the queue is left open. */
static void stop_queue(toi_hunt *hunt, toi_hunt_queue *queue) {
  const unsigned char *items = queue->search.now;
  for (size_t i = 0; i < queue->search.count; i++) {
    item now;
    memcpy(&now, items + i * sizeof now, sizeof now);
    leave_open(queue, now.box.x[toi_couple_time(hunt->problems[now.problem].couple)]);
  }
}

static bool is_late(const toi_hunt *hunt) {
  return hunt->options->max_seconds > 0 && hunt->elapsed(hunt->elapsed_user) >= hunt->options->max_seconds;
}

/* Once, if nothing was found so far. */
static toi_status look_around(toi_hunt *hunt) {
  if (hunt->looked || !hunt->options->guesses || hunt->boxes < FIRST_LOOK || hunt->bound <= DBL_MAX)
    return TOI_OK;
  hunt->looked = true;
  for (size_t i = 0; i < hunt->problem_count && !is_late(hunt); i++) {
    toi_status status = toi_hunt_look(hunt, (uint32_t)i);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

/* Boxes go back to the queue whose sample is none any more, as the bound fell or a proved one took its place. False:
 * there are none, and the search is over. */
static bool reopen(toi_hunt *hunt, toi_hunt_queue *queue) {
  size_t kept = 0;
  for (size_t i = 0; i < queue->covered_count; i++) {
    const toi_covered one = queue->covered[i];
    if (toi_hunt_covers(hunt, one.by)) {
      queue->covered[kept++] = one;
      continue;
    }
    if (!make_room(hunt, queue, 4 * CHUNK)) {
      hunt->end = TOI_CONTACT_MEMORY;
      return false;
    }
    push(queue, one.problem, one.level, &one.box);
  }
  queue->covered_count = kept;
  return queue->search.count > 0;
}

/* Whether to stop, and why. */
static bool is_over(toi_hunt *hunt, toi_hunt_queue *queue) {
  if (hunt->boxes >= hunt->max_boxes)
    hunt->end = TOI_CONTACT_BOXES;
  else if (is_late(hunt))
    hunt->end = TOI_CONTACT_SECONDS;
  else if (!make_room(hunt, queue, 4 * CHUNK))
    hunt->end = TOI_CONTACT_MEMORY;
  else
    return false;
  return true;
}

static toi_status run_queues(toi_hunt *hunt) {
  for (size_t turn = 0;; turn = (turn + 1) % hunt->queue_count) {
    toi_hunt_queue *queue = &hunt->queues[turn];
    hunt->winner = queue;
    if (is_over(hunt, queue)) {
      stop_queue(hunt, queue);
      return TOI_OK;
    }
    toi_status status = look_around(hunt);
    if (status == TOI_ERROR_MEMORY) {
      hunt->end = TOI_CONTACT_MEMORY;
      stop_queue(hunt, queue);
      return TOI_OK;
    }
    if (status != TOI_OK)
      return status;
    uint64_t left = hunt->max_boxes - hunt->boxes;
    queue->search.max_checks = queue->search.checks + (left < CHUNK ? left : CHUNK);
    toi_search_end end = toi_search_run(&queue->search, &rules, queue);
    if (hunt->status != TOI_OK)
      return hunt->status;
    if (hunt->end == TOI_CONTACT_MEMORY) {
      stop_queue(hunt, queue);
      return TOI_OK;
    }
    if (end == TOI_SEARCH_EMPTY && !reopen(hunt, queue))
      return TOI_OK;
    const toi_contact_options *options = hunt->options;
    if (!toi_progress_made(hunt->context, options->progress, options->progress_user,
                           (double)hunt->boxes / (double)hunt->max_boxes))
      return toi_fail(hunt->context, TOI_ERROR_CANCELLED, "stopped by the progress callback");
  }
}

/* A proved contact that nobody would want to know, if there is no other to tell. */
static toi_status note_spare(toi_hunt *hunt) {
  for (size_t i = 0; i < hunt->found_count; i++)
    if (toi_hunt_tells(hunt, &hunt->found[i]))
      return TOI_OK;
  return hunt->spare.there ? toi_hunt_note_box(hunt, hunt->spare.problem, &hunt->spare.box, true, NULL) : TOI_OK;
}

/* The boxes that wait are not needed after the search; what was left open of them is known. */
static void end_queues(toi_hunt *hunt) {
  for (size_t i = 0; i < 2; i++) {
    toi_hunt_queue *queue = &hunt->queues[i];
    if (queue->memory != NULL)
      toi_free(hunt->context, queue->memory, queue->bytes);
    if (queue->covered != NULL)
      toi_free(hunt->context, queue->covered, queue->covered_room * sizeof *queue->covered);
    queue->memory = NULL;
    queue->covered = NULL;
  }
}

toi_status toi_hunt_run(toi_hunt *hunt) {
  hunt->bound = INFINITY;
  hunt->status = TOI_OK;
  hunt->end = TOI_CONTACT_DONE;
  hunt->next_guess = FIRST_GUESS;
  hunt->clearance.split = TOI_UNKNOWNS;
  toi_contact_order order = hunt->options->order;
  if (order == TOI_CONTACT_RACE)
    hunt->queue_count = 2;
  else
    hunt->queue_count = 1;
  for (size_t i = 0; i < hunt->queue_count; i++) {
    toi_status status = begin_queue(hunt, &hunt->queues[i], order == TOI_CONTACT_UPPER || i == 1);
    if (status != TOI_OK)
      return status;
  }
  toi_status status = run_queues(hunt);
  end_queues(hunt);
  if (status == TOI_OK)
    status = note_spare(hunt);
  if (status == TOI_ERROR_MEMORY) {
    hunt->end = TOI_CONTACT_MEMORY;
    status = TOI_OK;
  }
  // The refusal that ended the search is no error of the call.
  if (status == TOI_OK && hunt->end == TOI_CONTACT_MEMORY)
    toi_clear_error(hunt->context);
  return status;
}

void toi_hunt_end(toi_hunt *hunt) {
  end_queues(hunt);
  toi_clearance_end(&hunt->clearance, hunt->context);
  if (hunt->points != NULL)
    toi_free(hunt->context, hunt->points, hunt->point_room * sizeof *hunt->points);
  if (hunt->cells != NULL)
    toi_free(hunt->context, hunt->cells, hunt->cell_count * sizeof *hunt->cells);
  if (hunt->found != NULL)
    toi_free(hunt->context, hunt->found, hunt->found_room * sizeof *hunt->found);
}

double toi_hunt_earliest(const toi_hunt *hunt) {
  double earliest = hunt->winner->open_lo;
  for (size_t i = 0; i < hunt->found_count; i++)
    if (hunt->found[i].certificate == TOI_CONTACT_UNIQUE && hunt->found[i].counts && hunt->found[i].t_lo < earliest)
      earliest = hunt->found[i].t_lo;
  // A contact that is proved is never later than the bound, whatever else is known.
  return earliest <= hunt->bound ? earliest : 0;
}
