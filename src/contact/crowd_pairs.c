/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which pairs of bodies may touch over some times: boxes around what each of them sweeps, and the broad phase.
 *
 * Claim: at a time t in the times, all of the body lies in its box. Why: R(t) and T(t) lie in the enclosures over the
 * piece of the times that t is in; so R p + T lies in the interval product for p in the box around the shape, and in
 * that for its centre, grown by the radius. Each is computed in intervals, the smaller one is taken axis by axis, and
 * the pieces cover the times. */

#include "broad/broad.h"
#include "contact/crowd.h"
#include "solve/vector.h"

/* Pieces of the times over which a body that turns is enclosed. */
#define PIECES 8

#define BOX_GRAIN 64

/* Balls of such different sizes say little about when their bodies meet. */
#define ALIKE 8

/* Keys: about the part of the time after which balls meet; where they overlap from the start; where one is far larger;
 * where they never meet. */
#define KEY_CLOSE 0.5
#define KEY_INSIDE 1
#define KEY_NEVER 2

/* --- boxes --- */

static void add_piece(const toi_body_surface *surface, toi_interval t, bool first, toi_interval box[3]) {
  toi_motion_jet m;
  toi_body_surface_motion(surface, t, 0, &m);
  toi_interval place[3], centre[3], ball[3];
  for (int k = 0; k < 3; k++)
    centre[k] = toi_interval_point(surface->centre[k]);
  toi_times3((const toi_interval(*)[3])m.rotation[0], surface->bounds, place);
  toi_times3((const toi_interval(*)[3])m.rotation[0], centre, ball);
  for (int k = 0; k < 3; k++) {
    toi_interval own = toi_interval_add(place[k], m.translation[0][k]);
    if (surface->radius <= DBL_MAX) {
      const toi_interval around = {-surface->radius, surface->radius};
      ball[k] = toi_interval_add(toi_interval_add(ball[k], m.translation[0][k]), around);
      (void)toi_interval_intersect(own, ball[k], &own);
    }
    box[k] = first ? own : toi_interval_hull(box[k], own);
  }
}

static toi_interval piece_of(toi_interval times, int number, int count) {
  const double width = times.hi - times.lo;
  const double lo = number == 0 ? times.lo : times.lo + width * number / count;
  const double hi = number + 1 == count ? times.hi : times.lo + width * (number + 1) / count;
  // Neighbours compute the same ends.
  return (toi_interval){lo, hi < lo ? lo : hi};
}

static double middle(const toi_interval box[3], int k) {
  return toi_interval_midpoint(box[k]);
}

static void note_path(toi_crowd_body *body, const toi_interval first[3], const toi_interval last[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double half = 0.5 * toi_interval_width(first[k]);
    body->from[k] = middle(first, k);
    body->way[k] = middle(last, k) - body->from[k];
    square += half * half;
  }
  body->ball = fmin(body->ball, sqrt(square));
}

static void enclose_body(toi_crowd *c, toi_crowd_body *body, const toi_body_surface *surfaces, double to[6]) {
  const toi_interval ends[2] = {toi_interval_point(c->times.lo), toi_interval_point(c->times.hi)};
  toi_interval all[3] = {{0, 0}}, at[2][3] = {{{0, 0}}};
  body->ball = INFINITY;
  for (size_t i = 0; i < body->count; i++) {
    const bool still = body->rests || c->times.lo == c->times.hi || toi_motion_is_shift(surfaces[i].motion);
    const int pieces = still ? 1 : PIECES;
    for (int n = 0; n < pieces; n++)
      add_piece(&surfaces[i], piece_of(c->times, n, pieces), i == 0 && n == 0, all);
    for (int end = 0; end < 2; end++)
      add_piece(&surfaces[i], ends[end], i == 0, at[end]);
    body->ball = body->count == 1 ? surfaces[i].radius : INFINITY;
  }
  note_path(body, at[0], at[1]);
  body->bounded = true;
  for (int k = 0; k < 3; k++) {
    body->bounded &= all[k].lo >= -DBL_MAX && all[k].hi <= DBL_MAX;
    to[k] = all[k].lo;
    to[3 + k] = all[k].hi;
  }
}

static toi_status box_task(void *user, uint32_t thread, size_t begin, size_t end) {
  toi_crowd *c = user;
  for (size_t i = begin; i < end; i++) {
    toi_body_surface *surfaces;
    toi_status status = toi_crowd_load(c, thread, (uint32_t)i, false, &surfaces);
    if (status != TOI_OK)
      return status;
    enclose_body(c, &c->bodies[i], surfaces, c->boxes[i]);
  }
  return TOI_OK;
}

toi_status toi_crowd_boxes(toi_crowd *c, toi_interval times) {
  c->times = times;
  return toi_parallel(c->q->context, c->q->count, BOX_GRAIN, box_task, c);
}

/* --- keys --- */

static double key_of(const toi_crowd_body *a, const toi_crowd_body *b) {
  double d[3], v[3];
  const double reach = a->ball + b->ball, larger = fmax(a->ball, b->ball);
  for (int k = 0; k < 3; k++) {
    d[k] = b->from[k] - a->from[k];
    v[k] = b->way[k] - a->way[k];
  }
  const double speed = toi_dot(v, v), along = toi_dot(d, v), gap = toi_dot(d, d) - reach * reach;
  if (!(gap > 0))
    return larger <= ALIKE * fmin(a->ball, b->ball) ? KEY_CLOSE : KEY_INSIDE;
  const double root = along * along - speed * gap;
  return root >= 0 && along < 0 ? (-along - sqrt(root)) / speed : KEY_NEVER;
}

static bool job_before(const toi_crowd_job *x, const toi_crowd_job *y) {
  if (x->key != y->key)
    return x->key < y->key;
  return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static void sift(toi_crowd_job *jobs, size_t at, size_t count) {
  const toi_crowd_job held = jobs[at];
  for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    child += child + 1 < count && job_before(&jobs[child], &jobs[child + 1]);
    if (!job_before(&held, &jobs[child]))
      break;
    jobs[at] = jobs[child];
    at = child;
  }
  jobs[at] = held;
}

/* Heap sort: no memory, and no bad case. */
static void sort_jobs(toi_crowd_job *jobs, size_t count) {
  for (size_t i = count / 2; i > 0; i--)
    sift(jobs, i - 1, count);
  for (size_t end = count; end > 1; end--) {
    const toi_crowd_job held = jobs[0];
    jobs[0] = jobs[end - 1];
    jobs[end - 1] = held;
    sift(jobs, 0, end - 1);
  }
}

/* --- pairs --- */

toi_status toi_crowd_add_job(toi_crowd *c, const toi_crowd_job *job) {
  toi_crowd_job *jobs = toi_grow(c->q->context, c->jobs, c->job_count, &c->job_room, sizeof *jobs, 1024);
  if (jobs == NULL)
    return TOI_ERROR_MEMORY;
  c->jobs = jobs;
  c->jobs[c->job_count++] = *job;
  return TOI_OK;
}

typedef struct taker {
  toi_crowd *c;
  uint32_t begin, end;
  size_t most;
  bool many;
} taker;

static toi_status take(taker *t, uint32_t x, uint32_t y) {
  toi_crowd *c = t->c;
  const uint32_t a = x < y ? x : y, b = x < y ? y : x;
  if (a < t->begin || a >= t->end || (c->q->moves && c->bodies[a].rests && c->bodies[b].rests))
    return TOI_OK;
  if (c->job_count == t->most) {
    t->many = true;
    return TOI_ERROR_CANCELLED;
  }
  return toi_crowd_add_job(c, &(toi_crowd_job){.a = a, .b = b});
}

/* A toi_pairs_visitor: pairs of places in the list. */
static toi_status take_all(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  taker *t = user;
  (void)kind;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    status = take(t, t->c->listed[pairs[i].first], t->c->listed[pairs[i].second]);
  return status;
}

/* The boxes of bounded bodies, side by side. */
static toi_status join_boxes(toi_crowd *c, taker *t) {
  size_t count = 0;
  double(*boxes)[6] = toi_allocate(c->q->context, (c->q->count + 1) * sizeof *boxes);
  if (boxes == NULL)
    return TOI_ERROR_MEMORY;
  for (uint32_t i = 0; i < c->q->count; i++)
    if (c->bodies[i].bounded) {
      memcpy(boxes[count], c->boxes[i], sizeof *boxes);
      c->listed[count++] = i;
    }
  // A box is a vertex that goes from one corner to the opposite one, as for toi_box_pairs().
  const toi_mesh mesh = {
      .size = sizeof mesh, .start = boxes, .end = boxes[0] + 3, .stride = sizeof *boxes, .vertex_count = count};
  toi_mesh_options options;
  toi_status status = toi_mesh_options_take(c->q->context, NULL, &options);
  const toi_broad_question question = {.mesh = &mesh,
                                       .options = &options,
                                       .t_max = 1,
                                       .kinds = 1u << TOI_JOIN_VERTEX_VERTEX,
                                       .every = 1u << TOI_JOIN_VERTEX_VERTEX,
                                       .done_share = 1,
                                       .first_end = UINT32_MAX};
  if (status == TOI_OK && count > 1)
    status = toi_broad_visit(c->q->context, &question, take_all, t);
  toi_free(c->q->context, boxes, (c->q->count + 1) * sizeof *boxes);
  return status;
}

/* A body without a box may touch all others. */
static toi_status join_unbounded(toi_crowd *c, taker *t) {
  toi_status status = TOI_OK;
  for (uint32_t i = 0; i < c->q->count; i++)
    for (uint32_t j = 0; j < c->q->count && !c->bodies[i].bounded && status == TOI_OK; j++)
      if (j != i && (c->bodies[j].bounded || j > i))
        status = take(t, i, j);
  return status;
}

toi_status toi_crowd_pairs(toi_crowd *c, uint32_t begin, uint32_t end, size_t most, bool *many) {
  taker t = {.c = c, .begin = begin, .end = end, .most = most};
  c->job_count = 0;
  toi_status status = join_boxes(c, &t);
  if (status == TOI_OK)
    status = join_unbounded(c, &t);
  *many = t.many;
  if (t.many) {
    c->job_count = 0;
    toi_clear_error(c->q->context);
    return TOI_OK;
  }
  for (size_t i = 0; i < c->q->count; i++)
    c->bodies[i].degree = 0;
  for (size_t i = 0; i < c->job_count; i++) {
    toi_crowd_job *job = &c->jobs[i];
    job->key = key_of(&c->bodies[job->a], &c->bodies[job->b]);
    c->bodies[job->a].degree++;
    c->bodies[job->b].degree++;
  }
  sort_jobs(c->jobs, c->job_count);
  return status;
}
