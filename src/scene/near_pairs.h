/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The pairs of a scene that are near each other, listed once and asked again while vertices move little. */

#ifndef TOI_SCENE_NEAR_PAIRS_H
#define TOI_SCENE_NEAR_PAIRS_H

#include "broad/broad.h"
#include "scene/pair_lists.h"

struct toi_mesh_call;

typedef struct toi_near_pairs {
  toi_pair_lists lists;
  double *reference;    /* positions, in still rows: where the lists were made, or where pairs were asked about last */
  bool referenced;      /* they are there */
  bool listed;          /* the lists hold all of them */
  bool shelled;         /* and shells: how far apart each is at least, at the reference */
  double radius;        /* R: half the distance that pairs have at most, beyond their thickness */
  double least_refused; /* lists of this radius or more did not fit; infinite: none was refused */
  uint32_t patience;    /* so many questions are let pass then, before such a list is tried again */
  uint32_t waiting;     /* of these, how many are left */
} toi_near_pairs;

toi_status toi_near_pairs_begin(toi_near_pairs *near, toi_context *context);
void toi_near_pairs_end(toi_near_pairs *near, size_t vertex_count);

/* Gives the pairs, but for those with half-spaces, to the question's consumer, if the lists of the call's scene hold
 * all that it asks about, or if it is worth making them now: *streamed. */
toi_status toi_near_pairs_stream(const struct toi_mesh_call *call, const toi_broad_question *question, bool *streamed);

#endif
