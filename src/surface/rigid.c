/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* First contact of models in rigid motion.
 *
 * The step is walked from its start in pieces of time. Over a piece both motions are taken as linear ones, whose
 * distance from the true ones is part of the patches' error (rigid_body.c), and the question goes to the solver of
 * linear motion. Pieces start long: far apart, one is enough. Where the answer is no miss, the walk goes on from the
 * time before which nothing touches, with a shorter piece; the error falls with the square of its length, so that
 * a contact is closed in on in a few pieces. After a miss they grow again.
 *
 * Claim: nothing touches before `now`, and a contact by best.t_hi is proved if `found`. Why: a miss over the closed
 *   piece [t0, t1] proves that there is none in it; t_lo of a hit or a near one that there is none before t0 + t_lo,
 *   rounded down; and a hit that there is one by t0 + t_hi, rounded up. All three hold for what is meant by the
 *   patches, the true motion, since their error is counted in them.
 *
 * Parts that nearly fit. Where the error of the linear motion must be below a gap, pieces of time are short, and many.
 * So when the walk has gone on for a while, longer pieces are tried, in which curved separators follow the turn itself
 * (separator.h): a miss there is a miss of the true motion as well. Where they fail the walk goes on as before.
 *
 * Times at which pieces start and end are multiples of the last place of t_max: differences are exact.
 *
 * Bounds: every piece of time counts for a check a patch, beside the solver's own, so that max_checks bounds the work;
 * memory is a copy of both models, and the solver's. */

#include <float.h>
#include <math.h>
#include <string.h>

#include "surface/model.h"
#include "surface/rigid_body.h"

/* Checks, unless the caller says otherwise: for the walk, and more for each patch. */
#define CHECKS_DEFAULT 131072
#define CHECKS_EACH 256

/* A long piece's question is accepted at this multiple of what the turn adds to the errors: what is nearer cannot be
 * told apart. */
#define BLUR 256

/* And a contact's bracket, as a distance, is not to be narrower than this multiple. */
#define BLURRED_BRACKET 256

/* Where the turn adds no more than this part of the tolerance, a near answer is taken as it is. */
#define FINE 0x1p-13

/* How a hit's bracket compares with the tolerance: see toi_surface_options. */
#define BRACKET 0x1p-10

/* Looking for a contact after a near answer, pieces are this part of the way from it. */
#define AHEAD 0.25

/* Pieces of time with separators that turn are first tried after so many checks, then after so many times those spent;
 * of angles up to TURN_MOST, and as long as FAILURES_MOST of them have not failed since the last success. */
#define FIRST_TURNING 32768
#define TURNING_AGAIN 8
#define TURN_MOST 1.25
#define FAILURES_MOST 3

/* The part of the checks that are left for a look at what touches at one time; and so many times are tried. */
#define INSTANT_SHARE 8
#define INSTANTS 6

/* A piece of time that stands for the start alone, where patches are put to rest. */
#define START 0x1p-500

/* A failure that moves the walk on by this part of a piece is none. */
#define PROGRESS 0.25

typedef struct walk {
  toi_context *context;
  const toi_surface_options *options;
  toi_rigid_body bodies[2];
  double unit;          /* times are multiples of it */
  double now, end;      /* nothing touches before; nothing after matters */
  double first;         /* nothing touches before either, when the walk is over */
  double length;        /* of the next piece */
  double safe;          /* strictly before the first contact */
  double distance;      /* the tolerance as a distance, roughly */
  double speed;         /* no two points move faster relative to each other, roughly */
  toi_surface_hit best; /* the earliest contact proved, if found; otherwise the near answer that is left, if open */
  bool found, open;
  uint64_t checks, pieces; /* of the answers so far */
  uint64_t spent, most;
  double t0, t1;         /* the piece of time asked about last */
  uint64_t next_turning; /* at so many checks spent: separators that turn */
  bool capped;           /* it had only the checks up to there */
} walk;

/* --- one piece --- */

static double bend(const walk *w) {
  return w->bodies[0].bend + w->bodies[1].bend;
}

/* The larger angle for each unit of time. */
static double spin(const walk *w) {
  return fmax(w->bodies[0].rate, w->bodies[1].rate);
}

static uint64_t patch_count(const walk *w) {
  return w->bodies[0].model->patch_count + w->bodies[1].model->patch_count;
}

static bool report(void *user, double done) {
  const walk *w = user;
  double t = w->t0 + done * (w->t1 - w->t0);
  return toi_progress_made(w->context, w->options->progress, w->options->progress_user,
                           t < w->options->t_max ? t / w->options->t_max : 1);
}

/* The answer in the step's time. */
static void shift(const walk *w, toi_surface_hit *hit) {
  double t_max = w->options->t_max;
  hit->t_safe = hit->t_safe > 0 ? toi_sum_down(w->t0, hit->t_safe) : 0;
  hit->touching_at_start = hit->touching_at_start && w->t0 == 0;
  if (hit->verdict == TOI_MISS)
    return;
  hit->t_lo = toi_sum_down(w->t0, hit->t_lo);
  hit->t_hi = toi_sum_up(w->t0, hit->t_hi);
  hit->t_hi = hit->t_hi < t_max ? hit->t_hi : t_max;
  hit->t_lo = hit->t_lo < hit->t_hi ? hit->t_lo : hit->t_hi;
  if (hit->verdict == TOI_NEAR)
    hit->tolerance_reached += 2 * bend(w);
}

/* The question about the moved models, whose times are those asked about last. */
static toi_status put(walk *w, toi_surface_question *question, toi_surface_hit *hit) {
  if (question->options->progress) {
    question->progress = report;
    question->progress_user = w;
    if (!report(w, 0))
      return TOI_ERROR_CANCELLED;
  }
  toi_status status = toi_model_ask(w->context, &w->bodies[0].moved, &w->bodies[1].moved, question, hit);
  if (status != TOI_OK)
    return status;
  shift(w, hit);
  w->checks += hit->checks;
  w->pieces += hit->pieces;
  w->spent += hit->checks + patch_count(w);
  return TOI_OK;
}

/* Both bodies over [t0, t1]. */
static toi_status move(walk *w, double t0, double t1) {
  w->t0 = t0;
  w->t1 = t1;
  const toi_status status = toi_rigid_body_move(w->context, &w->bodies[0], t0, t1);
  return status == TOI_OK ? toi_rigid_body_move(w->context, &w->bodies[1], t0, t1) : status;
}

/* The safe answer, with nothing before t_lo. */
static toi_surface_hit near_from(double t_lo, double t_hi) {
  toi_surface_hit hit = toi_surface_near();
  hit.t_lo = t_lo;
  hit.t_hi = t_hi;
  return hit;
}

/* Asks about [t0, t1] with a part of the checks that are left. */
static toi_status ask(walk *w, double t0, double t1, uint64_t share, toi_surface_hit *hit) {
  assert(w->spent < w->most && t0 < t1 && t1 <= w->options->t_max);
  const toi_status status = move(w, t0, t1);
  if (status != TOI_OK)
    return status;
  // Nothing is known about the motion over so long a time.
  if (!(bend(w) <= DBL_MAX)) {
    w->capped = false;
    w->spent += patch_count(w);
    *hit = near_from(t0, w->end);
    return TOI_OK;
  }
  toi_surface_options options = *w->options;
  toi_surface_question question = {.options = &options};
  options.t_max = t1 - t0;
  options.max_checks = (w->most - w->spent) / share + 1;
  // Not much more than it takes to try separators that turn.
  w->capped = !w->found && w->spent < w->next_turning && w->next_turning - w->spent < options.max_checks;
  if (w->capped)
    options.max_checks = w->next_turning - w->spent;
  if (BLUR * bend(w) > w->distance) {
    options.accept = TOI_ACCEPT_WORLD;
    options.tolerance = fmin(BLUR * bend(w), DBL_MAX);
  }
  if (options.accept == TOI_ACCEPT_PARAMETER)
    question.bracket = options.tolerance * BRACKET * w->options->t_max;
  question.rough = bend(w) > FINE * w->distance;
  if (question.rough && w->speed > 0)
    question.bracket = fmax(question.bracket, BLURRED_BRACKET * bend(w) / w->speed);
  return put(w, &question, hit);
}

/* --- the walk --- */

static double on_grid(const walk *w, double t) {
  return floor(t / w->unit) * w->unit;
}

/* Where a piece from t0 on ends. */
static double piece_end(const walk *w, double t0, double length) {
  double part = on_grid(w, length);
  double t1 = t0 + (part > w->unit ? part : w->unit);
  return t1 < w->end ? t1 : w->end;
}

/* A contact by hit->t_hi. */
static void note_contact(walk *w, const toi_surface_hit *hit) {
  if (w->found && hit->t_hi > w->best.t_hi)
    return;
  w->best = *hit;
  w->found = true;
  // Rounded up, and no piece of time is empty.
  double end = on_grid(w, hit->t_hi);
  end = end < hit->t_hi ? end + w->unit : fmax(end, w->unit);
  w->end = end < w->end ? end : w->end;
}

/* Whether the bracket from t_lo on is as narrow as the options ask. */
static bool narrow(const walk *w, double t_lo, double t_hi) {
  double part = w->options->tolerance * BRACKET, width = t_hi - t_lo;
  return w->options->accept == TOI_ACCEPT_WORLD ? width * w->speed <= part : width <= part * w->options->t_max;
}

/* Whether shorter pieces bring nothing more. */
static bool is_enough(const walk *w, const toi_surface_hit *hit) {
  if (w->spent >= w->most || w->t1 - w->t0 <= w->unit)
    return true;
  if (bend(w) <= w->bodies[0].rounding + w->bodies[1].rounding)
    return true;
  if (hit->verdict == TOI_NEAR)
    return bend(w) <= FINE * w->distance;
  // The place should be as good as the time.
  return narrow(w, hit->t_lo, hit->t_hi) ? BLUR * bend(w) <= w->distance
                                         : hit->end == TOI_SURFACE_BRACKETED && bend(w) <= FINE * w->distance;
}

/* The length of the next piece after an answer that is not enough. */
static double shorter(const walk *w, const toi_surface_hit *hit) {
  double length = w->t1 - w->t0, fine = toi_rigid_body_length(w->bodies, FINE / 2 * w->distance);
  // Too long to follow the turn: half a turn or less at once.
  if (!w->bodies[0].followed || !w->bodies[1].followed)
    return fmin(length / 2, 2 / spin(w));
  double part = length / 4;
  if (hit->verdict == TOI_HIT)
    part = fmin(2 * (hit->t_hi - hit->t_lo), length / 4);
  return length > 4 * fine ? fmax(part, fine) : part;
}

/* Everything up to the end is a miss. That cannot be where a contact is proved: then what the contact's own answer says
 * stands. */
static toi_status end_of_walk(walk *w) {
  assert(!w->found);
  if (w->found) {
    w->first = w->best.t_lo;
    w->safe = w->best.t_safe;
  }
  return TOI_OK;
}

/* Whether separators can follow both, in a frame that drifts with what turns; baselines go without. */
static bool can_turn(const walk *w) {
  const char *method = w->options->method;
  if (w->options->inclusion != TOI_INCLUSION_OBB || (method && strcmp(method, "time-inclusion") != 0))
    return false;
  const toi_rigid_body *a = &w->bodies[0], *b = &w->bodies[1];
  const double *u = a->velocity, *v = b->velocity;
  return toi_rigid_body_can_pose(a) && toi_rigid_body_can_pose(b) &&
         (a->shifts || b->shifts || (u[0] == v[0] && u[1] == v[1] && u[2] == v[2]));
}

/* As ask, with separators that turn. The safe answer if that cannot be. */
static toi_status ask_turning(walk *w, double t0, double t1, toi_surface_hit *hit) {
  toi_turning turning;
  *hit = near_from(t0, INFINITY);
  w->t0 = t0;
  w->t1 = t1;
  if (!toi_rigid_body_pose(&w->bodies[0], t0, t1, &turning.side[0]) ||
      !toi_rigid_body_pose(&w->bodies[1], t0, t1, &turning.side[1]))
    return TOI_OK;
  memcpy(turning.drift, w->bodies[w->bodies[0].shifts ? 1 : 0].velocity, sizeof(turning.drift));
  toi_surface_options options = *w->options;
  toi_surface_question question = {.options = &options, .rough = true, .turning = &turning};
  options.t_max = t1 - t0;
  options.max_checks = (w->most - w->spent) / 2 + 1;
  return put(w, &question, hit);
}

/* Asks about the shortest piece of time from t on, which has next to no error; true: they touch there. */
static toi_status ask_instant(walk *w, double t, bool *touch) {
  toi_surface_hit hit;
  const toi_status status = ask(w, t, piece_end(w, t, w->unit), INSTANT_SHARE, &hit);
  *touch = status == TOI_OK && hit.verdict == TOI_HIT;
  if (*touch)
    note_contact(w, &hit);
  return status;
}

/* Where neither gets on, the two may touch already, or at the end; then where they come to is narrowed down. */
static toi_status ask_instants(walk *w) {
  bool touch = false;
  double clear_of = w->now, touched = on_grid(w, w->end - w->unit);
  toi_status status = ask_instant(w, clear_of, &touch);
  if (status != TOI_OK || touch || !(clear_of < touched) || w->spent >= w->most)
    return status;
  status = ask_instant(w, touched, &touch);
  for (int i = 0; i < INSTANTS && status == TOI_OK && w->found && w->spent < w->most; i++) {
    const double middle = on_grid(w, 0.5 * clear_of + 0.5 * touched);
    if (!(clear_of < middle && middle < touched))
      break;
    status = ask_instant(w, middle, &touch);
    *(touch ? &touched : &clear_of) = middle;
  }
  return status;
}

/* Moves the walk on as far as separators that turn can; they have w->next_turning checks to wait after that. */
static toi_status walk_turning(walk *w) {
  bool touch = false;
  // What touches at the start would take all the checks.
  const toi_status at_start = w->now > 0 ? TOI_OK : ask_instant(w, w->now, &touch);
  if (at_start != TOI_OK || touch || w->spent >= w->most)
    return at_start;
  double length = fmin(w->end - w->now, TURN_MOST / spin(w));
  for (int failures = 0; failures < FAILURES_MOST && w->spent < w->most && w->now < w->end;) {
    toi_surface_hit hit;
    const double t0 = w->now, t1 = piece_end(w, t0, length);
    const toi_status status = ask_turning(w, t0, t1, &hit);
    if (status != TOI_OK)
      return status;
    const double reached = hit.verdict == TOI_MISS ? t1 : on_grid(w, hit.t_lo);
    w->now = w->first = fmax(t0, reached);
    w->safe = fmax(w->safe, hit.t_safe);
    const bool failed = hit.verdict != TOI_MISS && !(reached - t0 > PROGRESS * (t1 - t0));
    failures = failed ? failures + 1 : 0;
    length = fmin(failed ? length / 2 : 2 * length, TURN_MOST / spin(w));
  }
  w->next_turning = TURNING_AGAIN * w->spent;
  return w->now < w->end && w->spent < w->most ? ask_instants(w) : TOI_OK;
}

/* The checks are spent: nothing is known from here on. */
static toi_status give_up(walk *w) {
  if (!w->found)
    w->best = near_from(w->now, w->end);
  w->first = w->now;
  w->open = true;
  return TOI_OK;
}

/* To the first contact, or to where nothing more can be told. */
static toi_status walk_on(walk *w) {
  for (;;) {
    toi_surface_hit hit;
    if (w->spent >= w->next_turning && !w->found) {
      const toi_status turned = walk_turning(w);
      if (turned != TOI_OK || w->now >= w->end)
        return turned;
      if (w->spent >= w->most)
        return give_up(w);
    }
    double t0 = w->now, t1 = piece_end(w, t0, w->length);
    toi_status status = ask(w, t0, t1, 2, &hit);
    if (status != TOI_OK)
      return status;
    w->safe = fmax(w->safe, hit.t_safe);
    if (hit.verdict == TOI_MISS) {
      w->now = w->first = t1;
      w->length = 2 * (t1 - t0);
      if (t1 >= w->end)
        return end_of_walk(w);
      if (w->spent < w->most)
        continue;
      hit = near_from(t1, w->end);
    }
    if (hit.verdict == TOI_HIT)
      note_contact(w, &hit);
    double start = fmin(on_grid(w, hit.t_lo), w->end - w->unit);
    w->now = start > w->now ? start : w->now;
    if (w->capped && hit.verdict == TOI_NEAR && hit.end == TOI_SURFACE_BUDGET && w->spent < w->most) {
      w->next_turning = w->spent;
      continue;
    }
    w->length = shorter(w, &hit);
    if (!is_enough(w, &hit))
      continue;
    w->open = hit.verdict == TOI_NEAR;
    if (w->open && !w->found)
      w->best = hit;
    w->first = fmax(w->now, hit.t_lo);
    return TOI_OK;
  }
}

/* After a near answer: the first contact that can be proved, for the end of the bracket. Pieces grow with the way. */
static toi_status search_ahead(walk *w) {
  double start = w->now, t0 = start, length = w->length;
  while (t0 < w->end && w->spent < w->most) {
    toi_surface_hit hit;
    double t1 = piece_end(w, t0, length);
    toi_status status = ask(w, t0, t1, 8, &hit);
    if (status != TOI_OK)
      return status;
    if (hit.verdict == TOI_HIT) {
      note_contact(w, &hit);
      return TOI_OK;
    }
    t0 = t1;
    length = fmax(length, AHEAD * (t0 - start));
  }
  return TOI_OK;
}

/* --- the answer --- */

/* Point, normals and distance from the true places of the two patches, as far as they are rounded. */
static toi_status place(walk *w, toi_surface_hit *hit) {
  double t = hit->verdict == TOI_HIT ? hit->t_hi : hit->t_lo, next = t > w->unit ? toi_next_up(t) : t + w->unit;
  double point[2][3], normal[2][3], square = 0;
  const double *uv[2] = {hit->a, hit->b};
  const uint32_t number[2] = {hit->patch_a, hit->patch_b};
  const toi_status status = move(w, t, next);
  if (status != TOI_OK)
    return status;
  for (int i = 0; i < 2; i++) {
    const toi_patch *patch = &w->bodies[i].moved.patches[number[i]];
    // Parameters on the rim may round out of it; then what the solver says is near enough.
    if (toi_patch_point(w->context, patch, uv[i][0], uv[i][1], 0, point[i], normal[i]) != TOI_OK) {
      toi_clear_error(w->context);
      return TOI_OK;
    }
  }
  for (int k = 0; k < 3; k++) {
    hit->point[k] = 0.5 * point[0][k] + 0.5 * point[1][k];
    square += (point[0][k] - point[1][k]) * (point[0][k] - point[1][k]);
  }
  hit->distance = sqrt(square);
  memcpy(hit->normal_a, normal[0], sizeof(normal[0]));
  memcpy(hit->normal_b, normal[1], sizeof(normal[1]));
  return TOI_OK;
}

static toi_status conclude(walk *w, toi_surface_hit *hit) {
  *hit = w->found || w->open ? w->best : toi_surface_miss(w->options->t_max);
  hit->checks = w->checks;
  hit->pieces = w->pieces;
  if (hit->verdict == TOI_MISS)
    return TOI_OK;
  // The walk goes on from times on its grid, which may lie before what was known to be safe.
  hit->t_lo = fmin(fmax(w->first, w->safe), hit->t_hi);
  // Times of pieces of the motion were rounded down together: strictly before is one double before.
  hit->t_safe = w->safe < hit->t_lo || hit->t_lo == 0 ? w->safe : toi_next_down(hit->t_lo);
  if (w->spent >= w->most)
    hit->end = TOI_SURFACE_BUDGET;
  else if (hit->verdict == TOI_HIT && (narrow(w, hit->t_lo, hit->t_hi) || w->open))
    hit->end = narrow(w, hit->t_lo, hit->t_hi) ? TOI_SURFACE_BRACKETED : TOI_SURFACE_ACCEPTED;
  return isnan(hit->a[0]) ? TOI_OK : place(w, hit);
}

static void prepare(walk *w) {
  const toi_surface_options *options = w->options;
  const toi_rigid_body *a = &w->bodies[0], *b = &w->bodies[1];
  int exponent;
  frexp(options->t_max, &exponent);
  w->unit = fmax(ldexp(1, exponent - 53), 0x1p-1074);
  w->end = w->length = options->t_max;
  double extent = fmax(a->extent, b->extent), square = 0;
  w->distance = options->accept == TOI_ACCEPT_WORLD ? options->tolerance : options->tolerance * extent;
  for (int k = 0; k < 3; k++)
    square += (a->velocity[k] - b->velocity[k]) * (a->velocity[k] - b->velocity[k]);
  w->speed = sqrt(square) + a->speed + b->speed;
  w->next_turning = can_turn(w) ? FIRST_TURNING : UINT64_MAX;
  w->most = options->max_checks > 0 ? options->max_checks : CHECKS_DEFAULT + CHECKS_EACH * patch_count(w);
}

static toi_status answer(walk *w, toi_surface_hit *hit) {
  const toi_surface_question question = {.options = w->options};
  const toi_rigid_body *a = &w->bodies[0], *b = &w->bodies[1];
  const double t_max = w->options->t_max;
  // At the start they may be where they are given.
  if (t_max == 0 && a->wave && a->wave->in_place && b->wave && b->wave->in_place)
    return toi_model_ask(w->context, a->model, b->model, &question, hit);
  toi_status status;
  // Without a turn there is one piece, and nothing is added to the errors.
  if (t_max == 0 || (a->shifts && b->shifts)) {
    status = move(w, 0, t_max > 0 ? t_max : START);
    return status == TOI_OK ? toi_model_ask(w->context, &a->moved, &b->moved, &question, hit) : status;
  }
  prepare(w);
  status = walk_on(w);
  if (status == TOI_OK && w->open)
    status = search_ahead(w);
  return status == TOI_OK ? conclude(w, hit) : status;
}

static TOI_APART toi_status first_of_rigid(toi_context *context, const toi_model *a, const toi_motion *motion_a,
                                           const toi_model *b, const toi_motion *motion_b,
                                           const toi_surface_options *options, toi_surface_hit *hit) {
  toi_surface_options taken;
  toi_status status = toi_surface_begin(context, options, &taken, hit);
  if (status != TOI_OK)
    return status;
  walk w = {.context = context, .options = &taken, .bodies = {{.name = "first"}, {.name = "second"}}};
  status = toi_rigid_body_make(context, a, motion_a, taken.t_max, &w.bodies[0]);
  if (status == TOI_OK)
    status = toi_rigid_body_make(context, b, motion_b, taken.t_max, &w.bodies[1]);
  if (status == TOI_OK)
    status = answer(&w, hit);
  toi_rigid_body_free(context, &w.bodies[0]);
  toi_rigid_body_free(context, &w.bodies[1]);
  return toi_surface_end_call(context, status, "these models", hit);
}

toi_status toi_rigid_pair(toi_context *context, const toi_model *a, const toi_motion *motion_a, const toi_model *b,
                          const toi_motion *motion_b, const toi_surface_options *options, toi_surface_hit *hit) {
  TOI_CALL(context, first_of_rigid(context, a, motion_a, b, motion_b, options, hit));
}
