/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `swept-boxes`: the traditional subdivision of both patches and of time, algorithm 1 of Chen 2024, as the
 * baseline.
 *
 * A box in five dimensions is a piece of each patch and an interval of time. Each piece is enclosed in the coordinate
 * box of all that it sweeps meanwhile; if the two are apart the box is pruned. Boxes are processed earliest first; one
 * that is small in all five is accepted, another one is halved where it is widest, as a part of the whole.
 *
 * Promise: nothing touches before t_lo. Intervals of time are closed, and one that starts at t_lo > 0 is the later half
 * of one whose earlier half, which ends there, has been pruned with all of its pieces: so nothing touches at t_lo
 * either, and it is a safe time to step to. A contact is proved once, where the search ends.
 *
 * Claim: boxes found apart are farther than d apart. Why: a gap along an axis is rounded down; a sum of three squares
 * has a relative error below 4u and that of d^2 is below u, u = 2^-53, where nothing underflows, and 2^-48 exceeds both
 * together.
 *
 * Memory: 16 MiB for pieces besides the whole patches, 7 MiB for boxes that wait, or less for a small budget. */

#include <assert.h>
#include <math.h>

#include "surface/pairing.h"

/* Parts of patches and of time that are not halved further. */
#define LEAST_WIDTH 0x1p-40

/* A piece this many times as large as its error need not be halved. */
#define FLOOR_SIZES 8

/* The rounding of squares of distances: see the claim. */
#define SQUARES_OUTWARD (1 + 32 * TOI_UNIT)

/* Below this separation its square would underflow: plain boxes must do. */
#define LEAST_SQUARED 0x1p-450

/* A box is a pair of pieces with its span of time. */
typedef toi_piece_pair swept_box;

/* --- one box --- */

/* The box of a piece over an interval of time. */
typedef struct extent {
  double lo[3], hi[3];
} extent;

static extent extent_of(const toi_piece *piece, const swept_box *box) {
  extent e = {{0}, {0}};
  toi_piece_box(piece, box->times.lo, box->times.hi, e.lo, e.hi);
  return e;
}

static bool are_apart(const extent *a, const extent *b, const toi_surface_options *options) {
  double d = options->min_separation, sum = 0;
  for (int k = 0; k < 3; k++) {
    // Without a separation nothing is rounded.
    if (d == 0 && (a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k]))
      return true;
    double gap = fmax(toi_sum_down(a->lo[k], -b->hi[k]), toi_sum_down(b->lo[k], -a->hi[k]));
    if (gap > d)
      return true;
    sum += gap > 0 ? gap * gap : 0;
  }
  return options->norm == TOI_NORM_L2 && d > LEAST_SQUARED && sum > d * d * SQUARES_OUTWARD;
}

static double longest_side(const extent *e) {
  return fmax(e->hi[0] - e->lo[0], fmax(e->hi[1] - e->lo[1], e->hi[2] - e->lo[2]));
}

/* The larger width in u and v of a piece, as a part of its patch; where the patch has no extent it has none. */
static double width_of(const toi_piece *piece) {
  const toi_patch *patch = piece->root->patch;
  if (patch->shape == TOI_PATCH_TRIANGLE)
    return patch->degree[0] == 0 ? 0 : fmax(toi_piece_width(piece, 0), toi_piece_width(piece, 1));
  return fmax(patch->degree[0] == 0 ? 0 : toi_piece_width(piece, 0),
              patch->degree[1] == 0 ? 0 : toi_piece_width(piece, 1));
}

/* What is small enough in the world: the tolerance, or what rounding hides. */
static double world_tolerance(const toi_pairing *q, const toi_piece *piece) {
  return fmax(q->options->tolerance, FLOOR_SIZES * piece->error);
}

/* The width of a piece if it is still to be halved, and 0 if not. */
static double piece_width(const toi_pairing *q, const swept_box *box, const toi_piece *piece) {
  double width = width_of(piece);
  bool small = q->options->accept == TOI_ACCEPT_WORLD
                   ? toi_piece_size(piece, box->times.lo, box->times.hi) <= world_tolerance(q, piece)
                   : width <= q->options->tolerance;
  return small || width < LEAST_WIDTH ? 0 : width;
}

static double middle_time(const swept_box *box) {
  return 0.5 * box->times.lo + 0.5 * box->times.hi;
}

/* Not so where no double is. */
static bool is_between(const swept_box *box, double t) {
  return box->times.lo < t && t < box->times.hi;
}

/* Likewise of the time: in the world it is small if what is swept is little more than the pieces. */
static double time_width(const toi_pairing *q, const swept_box *box, const extent *a, const extent *b) {
  double width = (box->times.hi - box->times.lo) / q->options->t_max;
  bool small = q->options->accept == TOI_ACCEPT_WORLD ? longest_side(a) <= 2 * world_tolerance(q, box->a) &&
                                                            longest_side(b) <= 2 * world_tolerance(q, box->b)
                                                      : width <= q->options->tolerance;
  return small || width < LEAST_WIDTH || !is_between(box, middle_time(box)) ? 0 : width;
}

/* --- the search --- */

static toi_search_fate examine(void *user, toi_search *search, const void *item);

static const toi_search_rules rules = {sizeof(swept_box), TOI_SEARCH_BEST_FIRST, examine};

/* Of boxes with one time the smallest comes first: that leads to an end. */
static void push(const toi_pairing *q, toi_search *search, swept_box box) {
  double time = (box.times.hi - box.times.lo) / q->options->t_max;
  box.key = (toi_search_key){box.times.lo, width_of(box.a) + width_of(box.b) + time};
  toi_search_push(search, &rules, &box);
}

static void halve_time(const toi_pairing *q, toi_search *search, const swept_box *box) {
  swept_box early = *box, late = *box;
  early.times.hi = late.times.lo = middle_time(box);
  assert(is_between(box, early.times.hi));
  push(q, search, early);
  push(q, search, late);
}

static void halve_piece(toi_pairing *q, toi_search *search, const swept_box *box, bool first) {
  toi_piece *piece = first ? box->a : box->b;
  if (!toi_piece_split(&q->forest, piece, box->times.lo)) {
    search->full = true;
    return;
  }
  for (int i = 0; i < 2; i++) {
    swept_box half = *box;
    *(first ? &half.a : &half.b) = piece->child[i];
    push(q, search, half);
  }
}

static toi_search_fate examine(void *user, toi_search *search, const void *item) {
  toi_pairing *q = user;
  swept_box box = *(const swept_box *)item;
  extent a = extent_of(box.a, &box), b = extent_of(box.b, &box);
  if (are_apart(&a, &b, q->options))
    return TOI_BOX_PRUNED;

  double width_a = piece_width(q, &box, box.a), width_b = piece_width(q, &box, box.b);
  double width_t = time_width(q, &box, &a, &b);
  if (!toi_pairing_goes_on(q, search) || (width_a == 0 && width_b == 0 && width_t == 0))
    return TOI_BOX_ACCEPTED;
  if (width_t >= width_a && width_t >= width_b)
    halve_time(q, search, &box);
  else
    halve_piece(q, search, &box, width_a >= width_b);
  return TOI_BOX_SPLIT;
}

/* --- the answer --- */

/* A box that is left open, and the contact near it, if there is one. */
static toi_surface_hit answer_open(toi_pairing *q, const swept_box *box) {
  const toi_surface_options *options = q->options;
  toi_surface_hit hit = toi_surface_near();
  hit.t_lo = hit.t_safe = box->times.lo;

  toi_touch touch;
  if (toi_find_touch(&q->finder, box->a, box->b, box->times.lo, &touch)) {
    assert(touch.at.t >= hit.t_lo);
    toi_surface_place(&q->forest, &touch, true, &hit);
    return hit;
  }
  touch = toi_pair_middle(box, hit.t_lo);
  toi_surface_place(&q->forest, &touch, false, &hit);
  hit.t_hi = box->times.hi;
  // The middles are this close, up to rounding.
  double reached = hit.distance + 4 * (box->a->error + box->b->error) - options->min_separation;
  hit.tolerance_reached = isnan(reached) ? INFINITY : fmax(reached, 0);
  return hit;
}

static toi_surface_hit answer(toi_pairing *q, const toi_search *search, toi_search_end end) {
  static const uint8_t ends[] = {TOI_SURFACE_REFUTED, TOI_SURFACE_ACCEPTED, TOI_SURFACE_BUDGET, TOI_SURFACE_MEMORY};
  toi_surface_hit hit = end == TOI_SEARCH_EMPTY ? toi_surface_miss(q->options->t_max) : answer_open(q, search->answer);
  hit.checks = search->checks;
  hit.pieces = q->forest.pieces;
  hit.end = ends[end];
  return hit;
}

toi_status toi_swept_boxes(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit) {
  static const toi_pairing_limits limits = {&rules, (uint64_t)1 << 19, 0, (size_t)16 << 20, (size_t)1 << 17};
  toi_pairing *q = NULL;
  toi_search search;
  *hit = toi_surface_near();
  if (question->visit)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED,
                    "swept-boxes finds the first contact only; use time-inclusion for all contacts");
  toi_status status = toi_pairing_open(context, question, &limits, &q, &search);
  for (size_t i = 0; status == TOI_OK && i < question->pairs.count; i++) {
    swept_box whole;
    if (toi_pairing_take(q, &question->pairs, i, &whole))
      push(q, &search, whole);
    else
      status = TOI_ERROR_MEMORY;
  }
  if (status != TOI_OK)
    return status;
  toi_search_end end = toi_search_run(&search, &rules, q);
  if (q->cancelled)
    return TOI_ERROR_CANCELLED;
  *hit = answer(q, &search, end);
  return TOI_OK;
}
