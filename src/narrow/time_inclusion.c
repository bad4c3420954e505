/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `time-inclusion`, after Chen 2024: subdivide the parameters, never time.
 *
 * A piece of the parameters carries the times at which its image may touch: those that remain when the times at which
 * it lies beside the origin along some axis are taken away, from crossing envelopes (search/envelope.h). Pieces are
 * looked at earliest first. At a piece's earliest time a close pair of points, the witness, is sought in it; if that is
 * within the tolerance, the piece is the answer, after some more checks that mostly refute it or find the contact as
 * closely as doubles tell (they converge fast). Otherwise the piece is halved, and its halves are tested along the
 * coordinate axes and, with oriented boxes, along axes of the piece at that time: its normal, the normal's products
 * with its two directions, and the direction of the witness, which is where a piece that is not met yet keeps away
 * longest.
 *
 * Promise: nothing touches before t_lo; at t_lo the two are within d + tolerance_reached of each other. Times at which
 * a piece may touch are shrunk by proved gaps only, whose ends are apart too: so t_lo > 0 is before contact itself, and
 * contact that lasts is found at once. Whatever the search does, it ends: by its budget, its queue, or where halving no
 * longer tells more than rounding hides. */

#include "narrow/time_inclusion.h"

#include <assert.h>
#include <math.h>

#include "number/vector.h"

/* Pieces examined by default; beyond the tolerance; so many without a later time; to make a time of impact of 0 a later
 * one. Pieces that may wait. */
#define MOST_CHECKS 16384
#define MOST_POLISHING 64
#define MOST_IDLE 12
#define MOST_ZERO_CHECKS 1024
#define MOST_PIECES 1024

/* Parameters are halved down to this: all of them and their sums stay exact. */
#define LEAST_WIDTH 0x1p-48

/* A time that is later by less than this part is not. */
#define LEAST_GAIN 0x1p-40

/* A piece that is this many times its rounding errors large need not be halved. */
#define FLOOR_SIZES 4

/* Three coordinate axes, four of the piece, and products of both. */
#define MOST_AXES 16

typedef struct inquiry {
  toi_relative_motion motion;
  toi_gauge gauge;
  double tolerance;
  bool oriented, no_zero;
  toi_projection axes[MOST_AXES];
  toi_witness witness; /* of the piece examined last */
  uint64_t enough;     /* checks after which the tolerance is enough; 0: it was not reached yet */
  double last_time;    /* the earliest time left open, and the check that last made it later */
  uint64_t last_gain;
} inquiry;

/* A cube that meets a piece edge to edge: the axes are products of its edges, the coordinate axes, with the piece's. */
static size_t orient_to_cube(inquiry *q, size_t count) {
  const toi_witness *w = &q->witness;
  double side[3] = {w->u[0] - w->v[0], w->u[1] - w->v[1], w->u[2] - w->v[2]};
  const double *edges[3] = {w->u, w->v, side};
  for (int k = 0; k < (q->motion.triangle ? 3 : 2); k++)
    for (int a = 0; a < 3; a++) {
      double unit[3] = {a == 0, a == 1, a == 2}, axis[3];
      toi_cross(edges[k], unit, axis);
      count += toi_project(&q->motion, &q->gauge, axis, &q->axes[count]);
    }
  return count;
}

/* The axes of a piece at its earliest time, behind the coordinate axes; returns how many axes there are. */
static size_t orient(inquiry *q) {
  const toi_witness *w = &q->witness;
  size_t count = 3;
  double n[3], across[3];
  // Coordinate boxes do not tell a ball from a cube.
  bool ball = q->gauge.norm == TOI_NORM_L2 && q->gauge.d > 0;
  if (q->oriented || ball)
    count += toi_project(&q->motion, &q->gauge, w->away, &q->axes[count]);
  if (!q->oriented)
    return count;
  toi_cross(w->u, w->v, n);
  count += toi_project(&q->motion, &q->gauge, n, &q->axes[count]);
  toi_cross(n, w->u, across);
  count += toi_project(&q->motion, &q->gauge, across, &q->axes[count]);
  toi_cross(n, w->v, across);
  count += toi_project(&q->motion, &q->gauge, across, &q->axes[count]);
  return q->gauge.norm == TOI_NORM_LINF && q->gauge.d > 0 ? orient_to_cube(q, count) : count;
}

static double squared(const double a[3]) {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

/* The halves of a piece along its longer side; or the piece itself if it has none. */
static unsigned halve(const inquiry *q, const toi_time_piece *piece, toi_time_piece halves[2]) {
  double du = piece->u1 - piece->u0, dv = piece->v1 - piece->v0;
  assert(du >= 0 && dv >= 0 && (!q->motion.triangle || piece->u0 + piece->v0 <= 1));
  halves[0] = halves[1] = *piece;
  if (du == 0 && dv == 0)
    return 1;
  bool along_u = du * du * squared(q->witness.u) >= dv * dv * squared(q->witness.v);
  if (dv < LEAST_WIDTH || (along_u && du >= LEAST_WIDTH)) {
    halves[0].u1 = halves[1].u0 = 0.5 * (piece->u0 + piece->u1);
    if (q->motion.triangle && halves[1].u0 + piece->v1 > 1)
      halves[1].v1 = 1 - halves[1].u0;
  } else {
    halves[0].v1 = halves[1].v0 = 0.5 * (piece->v0 + piece->v1);
    if (q->motion.triangle && halves[1].v0 + piece->u1 > 1)
      halves[1].u1 = 1 - halves[1].v0;
  }
  return 2;
}

/* Whether halving the piece further tells nothing: its image is no larger than what rounding hides. */
static bool indivisible(const inquiry *q, const toi_time_piece *piece) {
  const toi_witness *w = &q->witness;
  double du = piece->u1 - piece->u0, dv = piece->v1 - piece->v0, size = 0;
  if (du == 0 && dv == 0)
    return false;
  if (du < LEAST_WIDTH && dv < LEAST_WIDTH)
    return true;
  for (int a = 0; a < 3; a++) {
    double extent = du * fabs(w->u[a]) + dv * fabs(w->v[a]);
    size = extent > size ? extent : size;
  }
  return size <= FLOOR_SIZES * w->floor;
}

/* Whether the witness ends the search: at what rounding hides at once; at the tolerance after some more checks, or when
 * they no longer make the time later (plain boxes converge too slowly to tell). */
static bool close_enough(inquiry *q, const toi_time_piece *piece, uint64_t checks) {
  const toi_witness *w = &q->witness;
  double time = piece->key.first;
  if (w->distance <= q->gauge.d + FLOOR_SIZES * w->floor)
    return true;
  if (time > q->last_time * (1 + LEAST_GAIN)) {
    q->last_time = time;
    q->last_gain = checks;
  }
  if (!(w->distance <= q->gauge.d + q->tolerance))
    return false;
  if (q->no_zero && time == 0 && checks < MOST_ZERO_CHECKS)
    return false;
  if (q->enough == 0)
    q->enough = checks + MOST_POLISHING;
  return checks >= q->enough || (q->oriented && checks >= q->last_gain + MOST_IDLE);
}

static toi_search_fate examine(void *user, toi_search *search, const void *item);

static const toi_search_rules rules = {sizeof(toi_time_piece), TOI_SEARCH_BEST_FIRST, examine};

static toi_search_fate examine(void *user, toi_search *search, const void *item) {
  inquiry *q = user;
  toi_time_piece piece = *(const toi_time_piece *)item, halves[2];
  toi_witness_find(&q->motion, &q->gauge, &piece, &q->witness);
  if (indivisible(q, &piece) || close_enough(q, &piece, search->checks))
    return TOI_BOX_ACCEPTED;

  size_t axes = orient(q);
  unsigned count = halve(q, &piece, halves);
  for (unsigned i = 0; i < count; i++) {
    toi_time_piece *half = &halves[i];
    if (!toi_time_piece_clip(&q->motion, q->axes, axes, half))
      continue;
    // What cannot be halved must have become later.
    if (count == 1 && half->key.first == piece.key.first)
      return TOI_BOX_ACCEPTED;
    half->key.second = (half->u1 - half->u0) + (half->v1 - half->v0);
    toi_search_push(search, &rules, half);
  }
  return TOI_BOX_SPLIT;
}

/* The answer of a search that left a piece open. */
static toi_hit near_from(inquiry *q, const toi_time_piece *piece) {
  toi_hit hit = toi_hit_unknown();
  toi_witness_find(&q->motion, &q->gauge, piece, &q->witness);
  const toi_witness *w = &q->witness;
  double reached = toi_sum_up(w->distance, -q->gauge.d);
  hit.t_lo = hit.t_safe = piece->key.first;
  hit.t_hi = piece->t_end;
  hit.u = w->s;
  hit.v = w->t;
  hit.tolerance_reached = reached > 0 ? reached : 0;
  hit.level = TOI_LEVEL_SEARCH;
  return hit;
}

/* Coordinates too large to multiply. */
static toi_hit near_at_once(double t_max) {
  toi_hit hit = toi_hit_unknown();
  hit.t_hi = t_max;
  hit.level = TOI_LEVEL_SEARCH;
  return hit;
}

static toi_hit answer(const toi_chunk *chunk, size_t number, inquiry *q) {
  const double *query = toi_query_at(chunk, number);
  double t_max = chunk->options->t_max;
  toi_time_piece whole = {.t_hi = t_max, .t_end = t_max};
  if (q->gauge.d == 0 && !toi_time_piece_clip_exactly(chunk->kind, query, &whole))
    return toi_hit_miss(t_max, TOI_LEVEL_BOX);
  q->motion = toi_relative_motion_of(chunk->kind, query);
  whole.u1 = q->motion.u_max;
  whole.v1 = q->motion.v_max;
  for (int a = 0; a < 3; a++) {
    if (!(q->motion.reach[a] <= TOI_RELATIVE_MOTION_MOST))
      return near_at_once(t_max);
    q->axes[a] = toi_project_coordinate(&q->motion, &q->gauge, a);
  }
  if (q->gauge.d > 0 && !toi_time_piece_clip(&q->motion, q->axes, 3, &whole))
    return toi_hit_miss(t_max, TOI_LEVEL_BOX);

  _Alignas(64) unsigned char memory[MOST_PIECES * sizeof(toi_time_piece)];
  toi_search search = toi_search_make(&rules, memory, sizeof(memory));
  search.max_checks = chunk->options->max_checks > 0 ? chunk->options->max_checks : MOST_CHECKS;
  toi_search_push(&search, &rules, &whole);
  if (toi_search_run(&search, &rules, q) == TOI_SEARCH_EMPTY)
    return toi_hit_miss(t_max, TOI_LEVEL_SEARCH);
  return near_from(q, search.answer);
}

static toi_status run_time_inclusion(const toi_chunk *chunk) {
  const toi_options *options = chunk->options;
  size_t row = 6 * toi_kind_points(chunk->kind);
  for (size_t i = 0; i < chunk->count; i++) {
    if (!toi_all_finite(toi_query_at(chunk, i), row))
      return TOI_ERROR_INPUT;
    inquiry q;
    q.gauge.norm = options->norm;
    q.tolerance = options->tolerance;
    q.oriented = options->inclusion == TOI_INCLUSION_OBB;
    q.no_zero = options->no_zero_toi;
    q.enough = q.last_gain = 0;
    q.last_time = 0;
    toi_status status = toi_separation_of(chunk, i, &q.gauge.d);
    if (status != TOI_OK)
      return status;
    chunk->hits[i] = answer(chunk, i, &q);
    chunk->hits[i].separation = q.gauge.d;
    toi_count(chunk->counters, &chunk->hits[i]);
  }
  return TOI_OK;
}

const toi_method toi_method_time_inclusion = {
    "time-inclusion",
    "Subdivides the parameters and computes the times at which boxes around the moving pieces overlap, after Chen "
    "2024: miss or near, never hit. A miss is proved, and so is that nothing touches before t_lo. The tolerance "
    "bounds the distance at t_lo, beyond the separation, not the time: pairs that only come this close may be "
    "reported as near too, although a few more checks refute most of them. tolerance_reached says how close they are "
    "at t_lo; it exceeds the tolerance only where the limit max_checks (default 16384 pieces), the queue of 1021 "
    "waiting pieces or the precision of doubles is exhausted.",
    run_time_inclusion, true};
