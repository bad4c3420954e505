/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A tracked contact over a time, cut into pieces in which its boxes do not move.
 *
 * A piece begins with the boxes that held the contact at the end of the one before, and a margin around them. One look
 * over the whole piece says where the contact is, which must be away from the border of these boxes, and that it is not
 * too deep; otherwise the piece is halved. Where it is found is where the next piece begins: so the boxes move along,
 * whatever the motion is, and nothing depends on a prediction.
 *
 * Claim: at each time of a piece all contacts of the pair within its boxes, margin included, are in `near`, which lies
 * in the boxes of the next piece, margin included, as well. Why: lemma 51 of docs/guarantees.md. */

#include "contact/track.h"

/* Boxes that one look takes, at most. */
#define LOOK_BOXES 8192

/* Boxes as small as this part of the margin need not be split. */
#define FINE 0x1p-3

/* After a piece that had to be halved, so many follow before one is twice as long again. */
#define PATIENCE 3

/* How often the end of a contact is bracketed, and what has become too deep is asked about again later. */
#define HALVINGS 40

/* How often boxes grow that do not hold the contact they are made for, each time twice as much. */
#define GROWTHS 12

/* --- boxes --- */

toi_track_boxes toi_track_boxes_of(const toi_track *track) {
  toi_track_boxes boxes = {{{{0, 0}}}};
  memcpy(boxes.of[0], track->box_a, sizeof boxes.of[0]);
  memcpy(boxes.of[1], track->box_b, sizeof boxes.of[1]);
  return boxes;
}

toi_track_boxes toi_track_grown(const toi_track_boxes *boxes, double margin) {
  toi_track_boxes grown;
  const toi_interval around = {-margin, margin};
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 3; k++)
      grown.of[side][k] = toi_interval_add(boxes->of[side][k], around);
  return grown;
}

static toi_track_region region_of(const toi_track *track, toi_interval time, const toi_track_boxes *boxes,
                                  double margin) {
  return (toi_track_region){.track = track,
                            .time = time,
                            .within = toi_track_grown(boxes, margin),
                            .fine = FINE * track->margin,
                            .most = LOOK_BOXES};
}

/* --- pieces --- */

static bool add_piece(toi_context *context, toi_track_path *p, const toi_track_region *r) {
  toi_track_piece *more = toi_grow(context, p->pieces, p->count, &p->room, sizeof *more, 16);
  if (more == NULL)
    return false;
  p->pieces = more;
  p->pieces[p->count++] = (toi_track_piece){r->time, r->within, r->near};
  return true;
}

void toi_track_path_end(toi_context *context, toi_track_path *path) {
  if (path->pieces != NULL)
    toi_free(context, path->pieces, path->room * sizeof *path->pieces);
  path->pieces = NULL;
}

static toi_status look(toi_question *q, toi_track_path *p, toi_track_region *r) {
  const toi_status status = toi_track_look(q, r);
  p->boxes += r->boxes;
  return status;
}

/* --- ends --- */

/* It is apart at time hi, and was not known to be at lo, in the same boxes: when it is. */
static toi_status end_apart(toi_question *q, toi_track_path *p, const toi_track_region *r, double lo, double hi) {
  toi_status status = TOI_OK;
  for (int i = 0; i < HALVINGS && status == TOI_OK; i++) {
    const double middle = lo + (hi - lo) / 2;
    if (hi - lo <= q->options->simultaneity || !(lo < middle && middle < hi))
      break;
    toi_track_region at = *r;
    at.time = toi_interval_point(middle);
    status = look(q, p, &at);
    if (at.apart)
      hi = middle;
    else
      lo = middle;
  }
  p->state = TOI_TRACK_ENDED;
  p->proved = true;
  p->t_lo = lo;
  p->t_hi = p->end = hi;
  return status;
}

/* It is not known to be safe from the region's time on: when it is known not to be. */
static toi_status end_deep(toi_question *q, toi_track_path *p, const toi_track_region *r) {
  const double from = r->time.lo, most = q->times.hi - from;
  double after = r->time.hi - from;
  toi_status status = TOI_OK;
  p->state = TOI_TRACK_DEEPER;
  p->t_lo = p->end = from;
  p->t_hi = q->times.hi;
  for (int i = 0; i < HALVINGS && status == TOI_OK && !p->proved; i++) {
    toi_track_region at = *r;
    const double t = after < most ? from + after : q->times.hi;
    at.time = toi_interval_point(t);
    status = look(q, p, &at);
    if (status == TOI_OK && at.deep)
      status = toi_track_prove_deep(q, &at, t, &p->proved);
    if (p->proved)
      p->t_hi = t;
    if (after >= most)
      break;
    after *= 2;
  }
  return status;
}

static void end_left(toi_track_path *p, const toi_track_region *r) {
  p->state = TOI_TRACK_LEFT;
  p->t_lo = p->end = r->time.lo;
  p->t_hi = r->time.hi;
}

/* --- the path --- */

/* One that is safe, and apart at its end perhaps. */
static toi_status add_safe_piece(toi_question *q, toi_track_path *p, const toi_track_region *r, bool *over) {
  toi_track_region at = *r;
  p->end = r->time.hi;
  *over = p->end >= q->times.hi;
  if (!add_piece(q->context, p, r))
    return TOI_ERROR_MEMORY;
  if (!r->opens)
    return TOI_OK;
  at.time = toi_interval_point(p->end);
  const toi_status status = look(q, p, &at);
  if (status != TOI_OK || !at.apart)
    return status;
  *over = true;
  return end_apart(q, p, r, r->time.lo, r->time.hi);
}

/* The next piece, from p->end on: *over: nothing follows. */
static toi_status take_piece(toi_question *q, toi_track_path *p, const toi_track_boxes *boxes, double *width,
                             bool *over) {
  const double from = p->end, finest = q->options->simultaneity;
  *over = true;
  for (;;) {
    const double to = from + *width < q->times.hi ? from + *width : q->times.hi;
    toi_track_region r = region_of(p->track, (toi_interval){from, to}, boxes, p->track->margin);
    const toi_status status = look(q, p, &r);
    if (status != TOI_OK)
      return status;
    if (r.apart)
      // It may have been so before: what was near in the piece before lies in these boxes, too.
      return end_apart(q, p, &r, p->count > 0 ? p->pieces[p->count - 1].time.lo : from, from);
    if (r.safe)
      return add_safe_piece(q, p, &r, over);
    const bool spent =
        p->boxes >= q->most || (q->options->max_seconds > 0 && toi_question_elapsed(q) >= q->options->max_seconds);
    if (spent || to - from <= finest || !(from + 0.5 * (to - from) > from)) {
      p->spent = spent;
      if (r.deep && !spent)
        return end_deep(q, p, &r);
      end_left(p, &r);
      return TOI_OK;
    }
    *width = 0.5 * (to - from);
    p->patience = PATIENCE;
  }
}

toi_status toi_track_follow(toi_question *q, toi_track_path *p) {
  toi_track_boxes boxes = toi_track_boxes_of(p->track);
  double width = q->times.hi - q->times.lo;
  bool over = false;
  toi_status status = TOI_OK;
  p->end = q->times.lo;
  p->state = TOI_TRACK_HOLDS;
  while (!over && status == TOI_OK) {
    status = take_piece(q, p, &boxes, &width, &over);
    if (p->count > 0)
      boxes = p->pieces[p->count - 1].near;
    if (p->patience == 0)
      width *= 2;
    else
      p->patience--;
  }
  return status;
}

toi_status toi_track_look_at_start(toi_question *q, toi_track *track, toi_track_region *r) {
  toi_track_boxes boxes = toi_track_boxes_of(track);
  double margin = track->margin;
  for (int i = 0;; i++) {
    *r = region_of(track, toi_interval_point(q->times.lo), &boxes, margin);
    const toi_status status = toi_track_look(q, r);
    if (status != TOI_OK || r->deep || r->apart)
      return status;
    if (r->safe) {
      memcpy(track->box_a, r->near.of[0], sizeof track->box_a);
      memcpy(track->box_b, r->near.of[1], sizeof track->box_b);
      return TOI_OK;
    }
    if (i == GROWTHS)
      return TOI_OK;
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < 3; k++)
        boxes.of[side][k] = toi_interval_hull(boxes.of[side][k], r->near.of[side][k]);
    margin *= 2;
  }
}
