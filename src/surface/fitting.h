/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* When a search looks for curved separators (separator.h), and what it does with them.
 *
 * One costs as much as some fifty tests of axes, so that a search begins without. When it has gone on for long, the
 * pair at the front is probed: larger pieces around it, the whole patches first. If a separator tells such pieces apart
 * that axes need many halvings for, the search goes over to separators: every pair of patches starts anew from the
 * whole patches, at the time reached, and each pair of pieces is tried before it is halved. Tries are paid from a
 * credit that those that succeed fill up, by what they save; when it is used up the search goes on with axes alone. So
 * scenes that collide hardly pay. */

#ifndef TOI_SURFACE_FITTING_H
#define TOI_SURFACE_FITTING_H

#include "search/search.h"
#include "surface/separator.h"

struct toi_pairing;
struct toi_piece_pair;

/* Motions that turn, over the time of a question: see toi_turn. Nothing else moves but with the drift. */
typedef struct toi_turning {
  toi_turn side[2]; /* centres in the world at the start; they move with the drift */
  double drift[3];  /* a velocity */
} toi_turning;

typedef struct toi_fitting {
  toi_separator_space *space;
  bool turning; /* `turn` holds */
  toi_turn turn[2];
  bool on;
  double credit;
  uint64_t next_probe; /* at so many tests */
  int halve;           /* the piece to halve next: 0 or 1; -1: as lengths say */
} toi_fitting;

/* What becomes of a pair. */
typedef enum toi_fit {
  TOI_FIT_NONE = 0, /* nothing gained: halve it */
  TOI_FIT_APART,    /* it is apart throughout, or covered by another pair */
  TOI_FIT_CHANGED,  /* its times are shorter, or it is the pair of whole patches now */
  TOI_FIT_TIME      /* shorter times may do: halve them */
} toi_fit;

/* Looks for a separator of the pair, if it is time to. */
toi_fit toi_fitting_try(struct toi_pairing *p, struct toi_piece_pair *pair);

/* Whether the pair is covered by one that was restarted. */
bool toi_fitting_covered(const struct toi_pairing *p, const struct toi_piece_pair *pair);

#endif
