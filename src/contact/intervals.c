/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts over time: when the surfaces of two bodies touch at all, and when they do not.
 *
 * The time in which a pair can touch is cut into pieces. A search over a piece, with the time frozen to all of it, says
 *   apart      every box of the other unknowns is refuted for all times of the piece at once;
 *   touching   a box of them is proved to hold a contact at each time of the piece: solve/touch.h, with values and
 *              slopes that are enclosed over all of it;
 *   neither    the piece is halved, unless it is as short as the resolution.
 * What follows a piece that is apart is asked for its first contact as well, which has a far narrower bracket, and
 * proves also what touches at an instant only.
 *
 * Claim: outside of the intervals nothing touches; within them, but for their ends and gaps, something does. Why: the
 * pieces cover the time, and each says the one or the other, or is part of an end or a gap. */

#include "contact/crowd.h"

#include <stdlib.h>

/* Boxes for a search over a piece. What touches, or is apart by more than the piece's own change, is settled with far
 * fewer; what is neither is worth no more. */
#define PIECE_BOXES 256

/* For the first contact of a piece. */
#define FIRST_BOXES 20000

/* Pieces of a pair, at most. */
#define MOST_PIECES 256

/* The resolution is the simultaneity, or this part of t_max if that is more. */
#define PART_OF_TIME 0x1p-12

typedef enum fate { OPEN = 0, APART, TOUCHING } fate;

typedef struct piece {
  toi_interval time;
  fate fate;
} piece;

typedef struct pieces {
  piece *at;
  size_t count, room;
} pieces;

/* The intervals of a pair. */
typedef struct found {
  toi_contact_interval *at;
  size_t count, room;
} found;

typedef struct record {
  toi_crowd crowd;
  toi_contact_options options; /* incoming is off, samples are far apart */
  double resolution;
  found *found; /* of each job */
  uint64_t *boxes;
  bool *cut;    /* a budget ended it */
  double shown; /* of the progress, by the calling thread */
} record;

/* A pair on its way, on a thread. */
typedef struct pair_run {
  record *r;
  toi_question q;
  size_t number; /* of its job */
  bool shows;    /* it is on the calling thread, which alone may ask the caller */
  uint64_t boxes;
  bool cut;
} pair_run;

/* --- lists --- */

static bool add_piece(toi_context *context, pieces *p, piece one) {
  piece *more = toi_grow(context, p->at, p->count, &p->room, sizeof *more, 64);
  if (more == NULL)
    return false;
  p->at = more;
  p->at[p->count++] = one;
  return true;
}

static void end_pieces(toi_context *context, pieces *p) {
  if (p->at != NULL)
    toi_free(context, p->at, p->room * sizeof *p->at);
  *p = (pieces){NULL, 0, 0};
}

static bool add_interval(toi_context *context, found *f, const toi_contact_interval *one) {
  toi_contact_interval *more = toi_grow(context, f->at, f->count, &f->room, sizeof *more, 4);
  if (more == NULL)
    return false;
  f->at = more;
  f->at[f->count++] = *one;
  return true;
}

/* --- searches --- */

/* Contacts at other times, of other intervals, are none of the question. */
static void keep_within(void *user, toi_problem *problem) {
  const toi_question *q = user;
  problem->domain.x[toi_body_pair_time(problem->pair)] = q->times;
}

/* The progress after a search: pairs that are done, and of this one the part of its boxes. It never goes back. */
static toi_status show_progress(pair_run *p) {
  record *r = p->r;
  const toi_question *q = r->crowd.q;
  const toi_contact_options *o = q->options;
  if (!p->shows || o->progress == NULL)
    return TOI_OK;
  const double part = fmin((double)p->boxes / (double)q->most, 1);
  r->shown = fmax(r->shown, ((double)p->number + part) / (double)r->crowd.job_count);
  return toi_progress_made(p->q.context, o->progress, o->progress_user, r->shown)
             ? TOI_OK
             : toi_fail(p->q.context, TOI_ERROR_CANCELLED, "stopped by the progress callback");
}

/* One search of the pair. */
static toi_status search(pair_run *p, bool frozen, toi_interval time, uint64_t most, toi_contact_outcome *outcome) {
  toi_question *q = &p->q;
  *outcome = (toi_contact_outcome){.bound = INFINITY, .earliest = INFINITY, .open_hi = INFINITY};
  q->times = q->moment = time;
  q->narrow = keep_within;
  q->narrow_user = q;
  q->fine = 0x1p-5 * (time.hi - time.lo);
  q->most = most;
  q->boxes = 0;
  toi_status status = toi_question_pairs(q);
  if (status == TOI_OK && q->pair_count > 0) {
    toi_contact_search run;
    status = toi_question_search(q, frozen, &run);
    if (status == TOI_OK)
      *outcome = toi_question_outcome(&run);
    p->cut |= outcome->end == TOI_CONTACT_MEMORY;
    p->boxes += run.boxes;
    toi_question_search_end(&run);
  }
  toi_crowd_drop_pairs(q);
  return status == TOI_OK ? show_progress(p) : status;
}

static bool is_spent(const pair_run *p) {
  const toi_contact_options *o = &p->r->options;
  return p->boxes >= p->r->crowd.q->most ||
         (o->max_seconds > 0 && toi_question_elapsed(p->r->crowd.q) >= o->max_seconds);
}

static toi_status settle(pair_run *p, piece *one) {
  toi_contact_outcome outcome;
  if (is_spent(p)) {
    p->cut = true;
    return TOI_OK;
  }
  const toi_status status = search(p, true, one->time, PIECE_BOXES, &outcome);
  if (status == TOI_OK && outcome.bound <= DBL_MAX)
    one->fate = TOUCHING;
  else if (status == TOI_OK && outcome.end == TOI_CONTACT_DONE && !(outcome.earliest <= DBL_MAX))
    one->fate = APART;
  return status;
}

/* --- pieces --- */

static bool can_be_halved(toi_interval time) {
  const double middle = toi_interval_midpoint(time);
  return time.lo < middle && middle < time.hi;
}

/* Halves those that are open, once. *halved: there were any. */
static toi_status refine(pair_run *p, pieces *from, bool *halved) {
  toi_context *context = p->q.context;
  pieces to = {NULL, 0, 0};
  toi_status status = TOI_OK;
  *halved = false;
  for (size_t i = 0; i < from->count && status == TOI_OK; i++) {
    const piece one = from->at[i];
    const bool coarse = one.fate == OPEN && one.time.hi - one.time.lo > p->r->resolution && can_be_halved(one.time);
    const bool cut = coarse && (from->count >= MOST_PIECES || is_spent(p));
    p->cut |= cut;
    if (!coarse || cut) {
      status = add_piece(context, &to, one) ? TOI_OK : TOI_ERROR_MEMORY;
      continue;
    }
    const double middle = toi_interval_midpoint(one.time);
    piece half[2] = {{{one.time.lo, middle}, OPEN}, {{middle, one.time.hi}, OPEN}};
    for (int k = 0; k < 2 && status == TOI_OK; k++) {
      status = settle(p, &half[k]);
      if (status == TOI_OK && !add_piece(context, &to, half[k]))
        status = TOI_ERROR_MEMORY;
    }
    *halved = true;
  }
  end_pieces(context, from);
  *from = to;
  return status;
}

/* Neighbours of one fate become one. */
static void join(pieces *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->count; i++)
    if (kept > 0 && p->at[kept - 1].fate == p->at[i].fate)
      p->at[kept - 1].time.hi = p->at[i].time.hi;
    else
      p->at[kept++] = p->at[i];
  p->count = kept;
}

/* The pieces of all times at which the pair can touch. */
static toi_status cut_time(pair_run *p, toi_interval window, pieces *all) {
  piece whole = {window, OPEN};
  toi_status status = settle(p, &whole);
  if (status == TOI_OK && !add_piece(p->q.context, all, whole))
    status = TOI_ERROR_MEMORY;
  for (bool halved = true; halved && status == TOI_OK;)
    status = refine(p, all, &halved);
  join(all);
  return status;
}

/* --- intervals --- */

/* The first contact of an open piece that follows one that is apart; *none: there is none after all. */
static toi_status sharpen(pair_run *p, toi_interval open, double *lo, double *hi, bool *proved, bool *none) {
  toi_contact_outcome outcome;
  *lo = open.lo;
  *hi = open.hi;
  *proved = *none = false;
  if (is_spent(p))
    return TOI_OK;
  const toi_status status = search(p, false, open, FIRST_BOXES, &outcome);
  if (status != TOI_OK)
    return status;
  *none = outcome.end == TOI_CONTACT_DONE && !(outcome.earliest <= DBL_MAX);
  *proved = outcome.bound <= open.hi;
  *lo = outcome.earliest > open.lo && outcome.earliest <= open.hi ? outcome.earliest : open.lo;
  *hi = *proved ? outcome.bound : open.hi;
  return TOI_OK;
}

static double up(double a, double b) {
  return toi_interval_sub(toi_interval_point(a), toi_interval_point(b)).hi;
}

static double down(double a, double b) {
  return toi_interval_sub(toi_interval_point(a), toi_interval_point(b)).lo;
}

static bool deforms(const toi_question *q) {
  for (size_t i = 0; i < q->surface_count; i++)
    if (q->surface[i].shape->deforming)
      return true;
  return false;
}

static void set_backwards(toi_question *q, bool backwards) {
  for (size_t i = 0; i < q->surface_count; i++) {
    q->surface[i].backwards = backwards;
    q->surface[i].span = q->options->t_max;
  }
  toi_motions_clear(q->motions);
}

/* The last contact of an open piece that one follows that is apart: the first one with time running backwards. Models
 * know nothing of that. */
static toi_status sharpen_end(pair_run *p, toi_interval open, toi_contact_interval *one, bool *proved) {
  toi_question *q = &p->q;
  const toi_contact_options *options = q->options;
  const double span = options->t_max;
  if (deforms(q) || is_spent(p))
    return TOI_OK;
  toi_contact_options without = *options;
  without.clearance = false;
  toi_contact_outcome outcome;
  const double from = down(span, open.hi), to = up(span, open.lo);
  q->options = &without;
  set_backwards(q, true);
  const toi_status status =
      search(p, false, (toi_interval){from < 0 ? 0 : from, to < span ? to : span}, FIRST_BOXES, &outcome);
  q->options = options;
  set_backwards(q, false);
  if (status != TOI_OK || !(outcome.earliest <= DBL_MAX))
    return status;
  one->end_hi = fmin(one->end_hi, up(span, outcome.earliest));
  if (outcome.bound <= DBL_MAX) {
    one->end_lo = fmax(one->end_lo, down(span, outcome.bound));
    *proved = true;
  }
  return TOI_OK;
}

/* Whether the pair is apart at the start: known of what its boxes say, or searched. */
static toi_status look_at_start(pair_run *p, fate *at_start) {
  piece start = {{0, 0}, OPEN};
  const toi_status status = settle(p, &start);
  *at_start = start.fate;
  return status;
}

/* The interval begins with an open piece. */
static toi_status begin_open(pair_run *p, toi_interval open, toi_contact_interval *one, bool *none) {
  fate before = APART;
  bool proved = false;
  toi_status status = TOI_OK;
  if (open.lo == 0)
    status = look_at_start(p, &before);
  one->begin_hi = open.hi;
  if (status == TOI_OK && before == APART)
    status = sharpen(p, open, &one->begin_lo, &one->begin_hi, &proved, none);
  if (before == TOUCHING) {
    one->begin_hi = 0;
    proved = true;
  }
  one->proved = proved;
  one->end_lo = proved ? one->begin_lo : open.lo;
  return status;
}

/* The part of a piece between the begin and the end. */
static double part_of(const toi_contact_interval *one, toi_interval time) {
  const double lo = fmax(time.lo, one->begin_hi), hi = fmin(time.hi, one->end_lo);
  return hi > lo ? hi - lo : 0;
}

/* The interval that begins with piece i, an open one or one that touches; *next: the first piece behind it. */
static toi_status take_interval(pair_run *p, const pieces *all, size_t i, toi_contact_interval *one, size_t *next,
                                bool *none) {
  const piece *at = all->at;
  toi_status status = TOI_OK;
  *none = false;
  one->begin_lo = one->begin_hi = at[i].time.lo;
  one->end_lo = at[i].time.hi;
  if (at[i].fate == OPEN)
    status = begin_open(p, at[i].time, one, none);
  size_t k = i;
  for (; k < all->count && at[k].fate != APART; k++) {
    one->end_hi = at[k].time.hi;
    if (at[k].fate == TOUCHING) {
      *none = false;
      one->proved = true;
      one->end_lo = at[k].time.hi;
    }
  }
  *next = k;
  const piece *last = &at[k - 1];
  const bool leaves = k < all->count || last->time.hi < p->r->options.t_max;
  if (status == TOI_OK && last->fate == OPEN && leaves && !*none)
    status = sharpen_end(p, last->time, one, &one->proved);
  for (size_t j = i; j < k; j++)
    one->doubt += at[j].fate == OPEN ? part_of(one, at[j].time) : 0;
  return status;
}

static toi_status take_intervals(pair_run *p, const pieces *all, const toi_crowd_job *job, found *f) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < all->count && status == TOI_OK;) {
    if (all->at[i].fate == APART) {
      i++;
      continue;
    }
    toi_contact_interval one;
    bool none;
    memset(&one, 0, sizeof one);
    one.a = job->a;
    one.b = job->b;
    status = take_interval(p, all, i, &one, &i, &none);
    if (status == TOI_OK && !none && !add_interval(p->q.context, f, &one))
      status = TOI_ERROR_MEMORY;
  }
  return status;
}

/* --- pairs --- */

/* When its surfaces can touch at all; false: never. */
static toi_status find_window(pair_run *p, toi_interval *window, bool *any) {
  toi_question *q = &p->q;
  toi_status status = toi_question_pairs(q);
  *any = q->pair_count > 0;
  for (size_t i = 0; i < q->pair_count; i++)
    *window = i == 0 ? q->pairs[0].window : toi_interval_hull(*window, q->pairs[i].window);
  toi_crowd_drop_pairs(q);
  return status;
}

static toi_status record_pair(record *r, uint32_t thread, size_t number) {
  toi_crowd_task task = {.job = r->crowd.jobs[number]};
  pair_run p = {.r = r, .number = number, .shows = thread == 0};
  toi_interval window = {0, 0};
  bool any = false;
  pieces all = {NULL, 0, 0};
  toi_status status = toi_crowd_question(&r->crowd, thread, &task, &p.q);
  if (status != TOI_OK)
    return status;
  p.q.options = &r->options;
  status = find_window(&p, &window, &any);
  if (status == TOI_OK && any)
    status = cut_time(&p, window, &all);
  if (status == TOI_OK)
    status = take_intervals(&p, &all, &task.job, &r->found[number]);
  if (status == TOI_ERROR_CALLBACK)
    toi_crowd_note_failure(&r->crowd, &task, &p.q);
  end_pieces(p.q.context, &all);
  r->boxes[number] = p.boxes;
  r->cut[number] = p.cut;
  return status;
}

static bool has_own(const record *r, size_t number) {
  const toi_crowd_job *job = &r->crowd.jobs[number];
  return r->crowd.bodies[job->a].own || r->crowd.bodies[job->b].own;
}

/* A toi_task: pairs with functions of the user's wait for the calling thread. */
static toi_status record_some(void *user, uint32_t thread, size_t begin, size_t end) {
  record *r = user;
  toi_status status = TOI_OK;
  for (size_t i = begin; i < end && status == TOI_OK; i++)
    if (!has_own(r, i))
      status = record_pair(r, thread, i);
  return status;
}

static toi_status record_pairs(record *r) {
  toi_crowd *c = &r->crowd;
  const toi_contact_options *o = c->q->options;
  toi_status status = toi_parallel(c->q->context, c->job_count, 1, record_some, r);
  for (size_t i = 0; i < c->job_count && status == TOI_OK; i++)
    if (has_own(r, i))
      status = record_pair(r, 0, i);
  if (status == TOI_OK && !toi_progress_made(c->q->context, o->progress, o->progress_user, 1))
    status = toi_fail(c->q->context, TOI_ERROR_CANCELLED, "stopped by the progress callback");
  return status;
}

/* --- the answer --- */

typedef struct interval_listener {
  toi_contact_interval_visitor visit;
  void *user;
  toi_status status;
} interval_listener;

static TOI_APART void listen(toi_context *context, interval_listener *who, const toi_contact_interval *one) {
  const toi_callback callback = toi_callback_begin(context, 0);
  who->status = who->visit(who->user, one);
  toi_callback_end(callback);
}

static void report(const record *r, interval_listener *who, toi_contact_history *history) {
  history->resolution = r->resolution;
  history->complete = true;
  for (size_t i = 0; i < r->crowd.job_count; i++) {
    const found *f = &r->found[i];
    history->touching += f->count > 0;
    history->intervals += f->count;
    history->boxes += r->boxes[i];
    history->complete = history->complete && !r->cut[i];
    for (size_t k = 0; k < f->count; k++) {
      history->open += !f->at[k].proved;
      if (who->visit != NULL && who->status == TOI_OK)
        listen(r->crowd.q->context, who, &f->at[k]);
    }
  }
}

static toi_status make_lists(record *r) {
  toi_context *context = r->crowd.q->context;
  const size_t count = r->crowd.job_count + 1;
  r->found = toi_allocate(context, count * sizeof *r->found);
  r->boxes = toi_allocate(context, count * sizeof *r->boxes);
  r->cut = toi_allocate(context, count * sizeof *r->cut);
  if (r->found != NULL)
    memset(r->found, 0, count * sizeof *r->found);
  if (r->found == NULL || r->boxes == NULL || r->cut == NULL)
    return TOI_ERROR_MEMORY;
  memset(r->boxes, 0, count * sizeof *r->boxes);
  memset(r->cut, 0, count * sizeof *r->cut);
  return TOI_OK;
}

static void end_lists(record *r, size_t jobs) {
  toi_context *context = r->crowd.q->context;
  for (size_t i = 0; i < jobs && r->found != NULL; i++)
    if (r->found[i].at != NULL)
      toi_free(context, r->found[i].at, r->found[i].room * sizeof *r->found[i].at);
  if (r->found != NULL)
    toi_free(context, r->found, (jobs + 1) * sizeof *r->found);
  if (r->boxes != NULL)
    toi_free(context, r->boxes, (jobs + 1) * sizeof *r->boxes);
  if (r->cut != NULL)
    toi_free(context, r->cut, (jobs + 1) * sizeof *r->cut);
}

/* By bodies. */
static int job_order(const void *x, const void *y) {
  const toi_crowd_job *a = x, *b = y;
  if (a->a != b->a)
    return a->a < b->a ? -1 : 1;
  return a->b < b->b ? -1 : a->b > b->b;
}

static toi_status ask(record *r, interval_listener *who, toi_contact_history *history) {
  toi_crowd *c = &r->crowd;
  bool many;
  toi_status status = toi_question_begin(c->q);
  if (status == TOI_OK)
    status = toi_crowd_begin(c);
  if (status == TOI_OK)
    status = toi_crowd_boxes(c, c->q->times);
  if (status == TOI_OK)
    status = toi_crowd_pairs(c, 0, (uint32_t)c->q->count, SIZE_MAX, &many);
  if (status != TOI_OK)
    return status;
  if (c->job_count > 1)
    qsort(c->jobs, c->job_count, sizeof *c->jobs, job_order);
  status = make_lists(r);
  if (status == TOI_OK)
    status = record_pairs(r);
  if (status == TOI_OK)
    report(r, who, history);
  end_lists(r, c->job_count);
  return status;
}

static TOI_APART toi_status intervals(toi_context *context, const toi_body *bodies, size_t count,
                                      const toi_contact_options *options, toi_contact_history *history,
                                      interval_listener *who) {
  if (history != NULL)
    *history = (toi_contact_history){.pairs = 0};
  if (context == NULL || history == NULL || (bodies == NULL && count > 0))
    return toi_fail(context, TOI_ERROR_INPUT, "context, bodies or history is NULL; give all of them");
  toi_contact_options taken;
  toi_question q;
  toi_status status = toi_question_take(context, bodies, count, options, &taken, &q);
  if (status != TOI_OK)
    return status;
  q.crowd = true;
  record r = {.crowd = {.q = &q, .bound = INFINITY}, .options = taken};
  r.options.incoming = TOI_INCOMING_OFF;
  r.options.progress = NULL;
  r.options.spacing = DBL_MAX / 4;
  r.resolution = fmax(taken.simultaneity, PART_OF_TIME * taken.t_max);
  status = ask(&r, who, history);
  toi_crowd_end(&r.crowd);
  status = toi_question_end(&q, status);
  if (status != TOI_OK)
    *history = (toi_contact_history){.pairs = 0};
  else
    history->pairs = count > 0 ? count * (count - 1) / 2 : 0;
  history->seconds = status == TOI_OK ? toi_question_elapsed(&q) : 0;
  return status == TOI_OK ? who->status : status;
}

toi_status toi_contact_intervals(toi_context *context, const toi_body *bodies, size_t count,
                                 const toi_contact_options *options, toi_contact_history *history,
                                 toi_contact_interval_visitor visit, void *user) {
  interval_listener who = {visit, user, TOI_OK};
  TOI_CALL(context, intervals(context, bodies, count, options, history, &who));
}
