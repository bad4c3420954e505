/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts that last: two bodies that stay in touch, in a box of each that moves with the contact.
 *
 * Claims: lemmas 50 to 52 of docs/guarantees.md. */

#ifndef TOI_CONTACT_TRACK_H
#define TOI_CONTACT_TRACK_H

#include "contact/newton.h"
#include "contact/question.h"

#include <toi/track.h>

/* A box of body a and a box of body b, each in the body's own coordinates. */
typedef struct toi_track_boxes {
  toi_interval of[2][3];
} toi_track_boxes;

/* --- track_region.c: one look at a tracked contact, over a time --- */

/* Asked: points of body a in within.of[0], of body b in within.of[1], at any moment of the time, on the faces of the
 * track. Their distance along the normal is g where the point of a is g normals above the point of b; points that are
 * not above each other have none. */
typedef struct toi_track_region {
  const toi_track *track;
  toi_interval time;
  toi_track_boxes within;
  double fine;   /* boxes that are near and smaller than it are not split */
  uint64_t most; /* boxes, at most */
  /* Found: */
  bool inside;          /* what is near is away from the border of the boxes; otherwise the look ends at once */
  bool safe;            /* proved: it is inside, and no such distance is -delta or less */
  bool apart;           /* proved: none is delta or less */
  bool opens;           /* all distances that were met may be above delta at some time */
  bool deep;            /* a place was met at which it seems to be less than -delta: x, of the pair of surfaces `of` */
  toi_track_boxes near; /* proved if safe: all contacts within are in here */
  uint64_t boxes;       /* processed */
  double x[TOI_UNKNOWNS];
  toi_body_surface *of[2];
} toi_track_region;

/* Fails where memory is refused or a function of the user's fails. */
toi_status toi_track_look(toi_question *q, toi_track_region *r);

/* Whether it is proved that at the moment t a distance within is -delta or less, near the place that was met. */
toi_status toi_track_prove_deep(toi_question *q, const toi_track_region *r, double t, bool *proved);

/* A box of places of a surface, in axes of its own, as one in the body's coordinates; and a direction the other way. */
void toi_track_own(const toi_body_surface *surface, const toi_interval place[3], toi_interval own[3]);

/* Whether a surface belongs to a side, 0 or 1, of the track. */
bool toi_track_has(const toi_track *track, int side, const toi_body_surface *surface);

/* --- track_path.c: a tracked contact over a time --- */

/* Over the time all contacts within are in `near`. */
typedef struct toi_track_piece {
  toi_interval time;
  toi_track_boxes within, near;
} toi_track_piece;

typedef struct toi_track_path {
  toi_track *track;
  toi_track_piece *pieces; /* from the start, one after the other */
  size_t count, room;
  double end;            /* they go so far */
  toi_track_state state; /* how it ended there */
  bool proved;
  double t_lo, t_hi;
  bool spent; /* no boxes or no time are left */
  int patience;
  uint64_t boxes;
} toi_track_path;

/* Follows the contact over q->times, or until something becomes of it. */
toi_status toi_track_follow(toi_question *q, toi_track_path *path);
void toi_track_path_end(toi_context *context, toi_track_path *path);

/* What of a contact is left as it begins, at the first of q->times: boxes grow while it does not fit. */
toi_status toi_track_look_at_start(toi_question *q, toi_track *track, toi_track_region *r);

/* The boxes of a track, and with its margin around them. */
toi_track_boxes toi_track_boxes_of(const toi_track *track);
toi_track_boxes toi_track_grown(const toi_track_boxes *boxes, double margin);

/* --- track.c --- */

/* Fails with a sentence unless it may be a track of the question's bodies. */
toi_status toi_track_check(toi_question *q, const toi_track *track, size_t number);

/* The scene, of whatever layout; a question about it, over [t_from, t_max]; and toi_track_begin(). */
toi_status toi_track_take_scene(toi_context *context, const toi_track_scene *scene, toi_track_scene *taken);
toi_status toi_track_question(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                              toi_contact_options *taken, toi_question *q);
toi_status toi_track_begin_all(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options);

/* Boxes in space: whether two have a point in common, and whether the first holds the second. */
static inline bool toi_places_meet(const toi_interval a[3], const toi_interval b[3]) {
  for (int k = 0; k < 3; k++)
    if (a[k].lo > b[k].hi || a[k].hi < b[k].lo)
      return false;
  return true;
}

static inline bool toi_place_encloses(const toi_interval a[3], const toi_interval b[3]) {
  for (int k = 0; k < 3; k++)
    if (!toi_interval_encloses(a[k], b[k]))
      return false;
  return true;
}

#endif
