/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A question about first contact while it is answered: bodies, their surfaces, pairs of these; and who is told. */

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
  struct toi_motion_slot *motions;
  toi_body_pair *pairs;
  size_t pair_count, pair_room;
  uint64_t culled; /* pairs of bodies that never come close */
  uint64_t boxes;
  uint64_t start; /* toi_clock() then */
} toi_question;

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
void toi_contact_tell(toi_context *context, toi_listener *who, toi_contact_point *points, size_t count);

#endif
