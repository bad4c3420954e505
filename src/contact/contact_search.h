/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The search for the first contacts of many pairs at once: constrained minimisation of time by branch and prune.
 *
 * Boxes of unknowns of all problems wait in one queue, so that nothing is spent on what comes after the first contact.
 * A box is discarded if its equations cannot hold, if it comes later than a proved contact (and the simultaneity), or
 * if it lies in a region that is known to hold a single contact; it is left open, and its time is noted, if it cannot
 * be told from a contact that was found: by being as early and within the spacing of it, or by being tiny. Only proved
 * contacts lower the bound.
 *
 * Promise: no contact is earlier than toi_contact_search_earliest(), and none that could be the first one is lost. */

#ifndef TOI_CONTACT_CONTACT_SEARCH_H
#define TOI_CONTACT_CONTACT_SEARCH_H

#include "contact/clearance.h"
#include "contact/newton.h"
#include "search/search.h"

/* What comes later than a contact by more than this part of the simultaneity is no contact of the same moment that
 * rounding has put off. */
#define TOI_CONTACT_LATER 0x1p-10

/* A contact, or what cannot be told from one. */
typedef struct toi_found_contact {
  uint32_t problem;
  toi_contact_certificate certificate;
  bool proved;
  bool counts;       /* false: a region whose only solution is no contact: they move apart, or it is out of bounds */
  bool strict;       /* unique: it is the only one also among those of the faces and edges that meet there */
  bool known;        /* it is reported already, or will be, from the other side of a seam */
  toi_box region;    /* unique: where there is no other; else the same as box */
  toi_box box;       /* it lies in here */
  double t_lo, t_hi; /* so does its time */
  double place[3];   /* rounded, as the second body sees it */
  double error;      /* how far off the place may be */
  uint32_t next;     /* unique: the one before it; else the next sample in its cell. From 1; 0: none */
} toi_found_contact;

/* A contact that is proved and not tangential: a little later than a first one beside it. */
typedef struct toi_spare {
  bool there;
  uint32_t problem;
  toi_box box;
} toi_spare;

/* A box that was left open because a sample stands for it: counted from 1, 0: none does. */
typedef struct toi_covered {
  uint32_t problem, level, by;
  toi_box box;
} toi_covered;

/* A queue of boxes, by the beginning or by the end of their times. */
typedef struct toi_contact_queue {
  struct toi_contact_search *run;
  bool by_end;
  toi_search search;
  void *memory;
  size_t bytes;
  toi_search_end end;
  double open_lo, open_hi; /* of the earliest box that was left open; infinite: none */
  toi_covered *covered;
  size_t covered_count, covered_room;
} toi_contact_queue;

/* How much of a box is left out of the question, such as contacts that are tracked. Its system is of order SLOPES. */
typedef enum toi_left_out { TOI_LEFT_OUT_NONE = 0, TOI_LEFT_OUT_PART, TOI_LEFT_OUT_ALL } toi_left_out;
typedef toi_left_out toi_contact_leave_out(void *user, const toi_problem *problem, const toi_box *box,
                                           const toi_system *system);

/* What a model of the equations bounds the time of a box for: to show that it is no earlier than what was found; the
 * same where the box is large; that it is later than a unique contact; that it is later than what is reported. */
typedef enum toi_model_use {
  TOI_MODEL_EARLY = 0,
  TOI_MODEL_ROUGH,
  TOI_MODEL_LATE,
  TOI_MODEL_BEYOND,
  TOI_MODEL_USES
} toi_model_use;

typedef struct toi_model_tries {
  double credit;    /* tries that may be made */
  uint64_t in_vain; /* since the last success */
  uint32_t deeper;  /* boxes from this level on are worth a try all the same */
  uint64_t nearly;  /* boxes that may hold an earlier contact */
  double bound;     /* what was known then: with a lower one it is another question */
} toi_model_tries;

typedef struct toi_contact_search {
  toi_context *context;
  const toi_contact_options *options;
  const toi_problem *problems;
  size_t problem_count, problem_room;
  double bound; /* a contact is proved to happen not after it; infinite: none is */
  double given; /* the bound that it begins with, of a contact of other bodies */
  toi_found_contact *contacts;
  size_t contact_count, room; /* room: of found, points and cells alike */
  toi_contact_point *points;  /* to describe them in at the end: what is found can be reported */
  size_t contact_room, point_room;
  uint32_t last_unique; /* from 1; 0: none */
  bool sampled;         /* a contact was found that is not unique, or nearly so: there may be a curve of them */
  uint32_t *cells;      /* the first sample of each cell of space, by a hash of it */
  size_t cell_count;
  toi_contact_queue queues[2];
  size_t queue_count;
  const toi_contact_queue *winner; /* the one that tells what is left open */
  uint64_t boxes, max_boxes;
  toi_spare spare; /* the earliest one */
  uint64_t next_guess;
  int wide_guesses; /* that may still be made */
  toi_clearance clearance;
  toi_model_tries models[TOI_MODEL_USES];
  bool surfaces_sampled;
  double (*elapsed)(void *user); /* seconds */
  void *elapsed_user;
  toi_contact_leave_out *leave_out; /* NULL: nothing is left out */
  void *leave_out_user;
  double unfound; /* the size of the largest box that was left open because it cannot be halved */
  toi_contact_end end;
  toi_status status; /* of what went wrong inside */
} toi_contact_search;

/* The caller fills in context to problem_count, given, max_boxes and elapsed; the rest is zero. What was found is in
 * `found` until toi_contact_search_end, which is called after a failure as well. Memory that does not suffice is an end
 * of the search, and a failure only where it cannot even begin. */
toi_status toi_contact_search_run(toi_contact_search *run);
void toi_contact_search_end(toi_contact_search *run);

/* No contact is earlier; infinite: there is none at all. */
double toi_contact_search_earliest(const toi_contact_search *run);

/* Whether a contact that is proved to lie in the box counts: none of the box is left out. False with *failed: a
 * function of the user's did. */
bool toi_contact_search_asks(const toi_contact_search *run, uint32_t problem, const toi_box *box, bool *failed);

/* Looks for a contact from the middle of the box, and notes what is proved; anyhow: also where it is not tangential. */
toi_status toi_contact_search_guess(toi_contact_search *run, uint32_t number, const toi_box *box, bool anyhow);

/* Notes the only contact of a region, if it lies in the domain; *settled is false if nothing can be said about it. */
toi_status toi_contact_search_settle(toi_contact_search *run, uint32_t number, toi_newton_region *unique,
                                     bool *settled);

/* Where edges or vertices of solids meet at x and nothing can be proved of these: whether faces cross beside them,
 * which is noted; solid_crossing.c. */
toi_status toi_contact_search_cross(toi_contact_search *run, uint32_t number, const double from[TOI_UNKNOWNS]);

/* Looks for contacts from places where the surfaces of a problem come close. */
toi_status toi_contact_search_sample(toi_contact_search *run, uint32_t number);

/* Whether no other first contact lies in a box around the only one of its problem, in `root`, inside `region`, of
 * whichever face, edge or corner: lemma 15, problem_strict.c. False with *failed: a function of the user's did. */
bool toi_problem_is_strict(const toi_problem *problem, const toi_newton_region *unique, bool *failed);

/* --- what was found: contact_search_notes.c --- */

/* Whether the box lies in a region that is settled. */
bool toi_contact_search_is_settled(const toi_contact_search *run, uint32_t problem, const toi_box *box);

/* The sample that stands for everything in the box, whose system this is, or that of a larger one; from 1; 0: none
 * does. open: the earliest time that is left open anyway. */
uint32_t toi_contact_search_cover(const toi_contact_search *run, uint32_t problem, const toi_box *box,
                                  const toi_system *system, double open);
/* Whether that sample still counts: a bound that falls leaves later ones behind. */
bool toi_contact_search_covers(const toi_contact_search *run, uint32_t sample);

/* Notes a region with a single solution; *settled is false if nothing can be said about it after all. */
toi_status toi_contact_search_note_unique(toi_contact_search *run, uint32_t number, toi_newton_region *region,
                                          bool *settled);

/* Notes a contact that is proved to lie in the box, or a tiny box that may hold one. Not if another one within the
 * spacing stands for it; *bound is lowered by a proved one anyway. *by (may be NULL): the sample that stands for the
 * box; 0: it needs none. */
toi_status toi_contact_search_note_box(toi_contact_search *run, uint32_t number, const toi_box *box, bool proved,
                                       uint32_t *by);

/* At the end: if no proved contact is reported, but one is proved by the bound, that one is. */
toi_status toi_contact_search_note_bound(toi_contact_search *run);

/* Whether it is proved to be the only one around, of whichever patches. */
bool toi_contact_search_is_unique(const toi_contact_search *run, const toi_found_contact *found);

/* Whether a contact is early enough to be told. */
bool toi_contact_search_reports(const toi_contact_search *run, const toi_found_contact *found);

#endif
