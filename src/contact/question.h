/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A question about first contact while it is answered: bodies, surfaces, pairs of these; and who receives it. */

#ifndef TOI_CONTACT_QUESTION_H
#define TOI_CONTACT_QUESTION_H

#include "contact/contact_search.h"

/* A question on its way. */
typedef struct toi_question {
  toi_context *context;
  const toi_body *bodies; /* the first one; the others are `stride` bytes apart */
  size_t stride, count;
  const toi_contact_options *options;
  toi_body_surface *surface; /* every surface of every body */
  size_t surface_count, surface_room;
  struct toi_motion_memory *motions;
  toi_body_pair *pairs;
  size_t pair_count, pair_room;
  uint64_t culled;      /* pairs of bodies that never come close */
  uint64_t boxes, most; /* processed; at most */
  toi_interval times;   /* that are asked about */
  toi_interval moment;  /* that a search at the start is about: t = 0 */
  double fine;          /* to within which pairs know when they may touch */
  double bound;         /* a contact is proved to happen not after it, of whichever bodies; infinite: none is */
  void (*narrow)(void *user, toi_problem *problem); /* what else is known of where contacts can be; or NULL */
  void *narrow_user;
  toi_contact_leave_out *leave_out; /* what is no contact of the question; NULL: nothing is left out */
  void *leave_out_user;
  bool moves;     /* at least one body does */
  bool crowd;     /* of many bodies: pairs are made one by one, each with memories of its own */
  uint64_t start; /* toi_clock() then */
} toi_question;

/* A question of these bodies and options, which are copied to *taken; then: checks the bodies and makes their surfaces;
 * and ends it all, giving the status, or the sentence for a function of the user's that failed. */
toi_status toi_question_take(toi_context *context, const toi_body *bodies, size_t count,
                             const toi_contact_options *options, toi_contact_options *taken, toi_question *q);
toi_status toi_question_begin(toi_question *q);
toi_status toi_question_end(toi_question *q, toi_status status);

/* Seconds since it was asked. */
double toi_question_elapsed(const toi_question *q);

/* The pairs of surfaces that may touch at these times. */
toi_status toi_question_pairs(toi_question *q);

/* Whether two bodies are no pair: they rest, and others move. */
bool toi_question_skips(const toi_question *q, const toi_body_surface *a, const toi_body_surface *b);

/* The pair of two surfaces of different bodies, without its window. */
toi_status toi_question_pair(toi_question *q, toi_body_surface *first, toi_body_surface *second, toi_body_pair *pair);

/* The search of all pairs, at the start without those that are apart then. To be ended in any case. */
toi_status toi_question_search(toi_question *q, bool at_start, toi_contact_search *run);
void toi_question_search_end(toi_contact_search *run);

/* What a search, or several, say about times. */
typedef struct toi_contact_outcome {
  double bound;    /* of a contact that is proved; infinite: none is */
  double earliest; /* nothing is earlier; infinite: there is nothing */
  double open_hi;  /* the end of what is left open first */
  double reached;  /* how far off contacts may be that are not proved */
  toi_contact_end end;
} toi_contact_outcome;

toi_contact_outcome toi_question_outcome(const toi_contact_search *run);

/* The answer by both searches, the one at the start, which proved no contact, and the one that followed; they may be
 * the same. */
void toi_question_conclude(const toi_question *q, const toi_contact_outcome *start, const toi_contact_outcome *run,
                           toi_contact_answer *answer);

/* The caller's visitor, and what it said last. */
typedef struct toi_listener {
  toi_contact_visitor visit;
  void *user;
  toi_status status;
} toi_listener;

/* Where a contact is, in the world, of a search of this question. False: a function of the user's failed. */
bool toi_contact_describe(const toi_question *q, const toi_contact_search *run, const toi_found_contact *found,
                          toi_contact_point *point);

/* Puts the contacts in order, by bodies, then by time, and gives them to the visitor, if there is one, until it ends
 * that. */
void toi_contact_report(toi_context *context, toi_listener *who, toi_contact_point *points, size_t count);

/* What a search reports, in the world, to whoever asked; *reported: how many. */
toi_status toi_question_report(const toi_question *q, const toi_contact_search *run, toi_listener *who,
                               size_t *reported);

#endif
