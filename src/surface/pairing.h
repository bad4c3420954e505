/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of pieces, as searches over patches use them: what a search needs of memory, the pairs that it starts from, and
 * the halves of a pair that are not apart. */

#ifndef TOI_SURFACE_PAIRING_H
#define TOI_SURFACE_PAIRING_H

#include "search/search.h"
#include "surface/apart.h"
#include "surface/fitting.h"
#include "surface/surface.h"

/* Two pieces, and the span of time in which they may touch: an item of a search, whose key the search sets. */
typedef struct toi_piece_pair {
  toi_search_key key;
  toi_interval times;
  toi_piece *a, *b;
  uint64_t number; /* of the pair of patches in the question; with TOI_PAIR_RESTARTED: see fitting.h */
} toi_piece_pair;

/* The pair comes from whole patches from which the search was restarted. */
#define TOI_PAIR_RESTARTED ((uint64_t)1 << 63)

static inline uint64_t toi_pair_number(const toi_piece_pair *pair) {
  return pair->number & ~TOI_PAIR_RESTARTED;
}

/* What a search has done about a pair of patches. */
typedef struct toi_pair_notes {
  uint8_t attempted; /* the level down to which contacts were looked for */
  uint8_t stuck;     /* pairs of pieces within the tolerance in which none was found */
  uint8_t restarted; /* 1: from the whole patches; pairs that were not are covered */
} toi_pair_notes;

/* What searches share. */
typedef struct toi_pairing {
  toi_context *context;
  const toi_surface_question *question;
  const toi_surface_options *options;
  const toi_apart_kernel *kernel;
  toi_apart_rules rules;
  toi_forest forest;
  toi_finder finder;
  double bracket;        /* as narrow as an answer should be, in time */
  uint64_t tests;        /* pairs of pieces tested */
  bool cancelled;        /* the caller wants no more */
  toi_pair_notes *notes; /* for each pair of patches */
  toi_piece **roots;     /* of the patches of the first model, then of the second; NULL: not met yet */
  toi_moments *moments[3];
  toi_fitting fitting;
} toi_pairing;

/* How a search goes, and what it may take. */
typedef struct toi_pairing_limits {
  const toi_search_rules *rules; /* its items begin with a toi_piece_pair */
  uint64_t checks, checks_each;  /* unless the caller says otherwise; more for each pair of patches */
  size_t piece_bytes;            /* memory for pieces */
  size_t waiting;                /* pairs in the queue, besides those it starts from */
} toi_pairing_limits;

/* On scratch of the question's thread: a pairing, and an empty search with its budget. */
toi_status toi_pairing_open(toi_context *context, const toi_surface_question *question,
                            const toi_pairing_limits *limits, toi_pairing **pairing, toi_search *search);

/* Pair number i of the question, whole patches, over the whole time; false: no memory. */
bool toi_pairing_take(toi_pairing *p, const toi_patch_pairs *pairs, size_t i, toi_piece_pair *pair);

/* Tells the caller how far the search is, every so many checks; false: it wants no more, and p->cancelled says so. */
bool toi_pairing_goes_on(toi_pairing *p, const toi_search *search);

/* Halves one of the two pieces; the pairs that are not apart within the span, up to two. -1: no memory. */
int toi_pairing_halve(toi_pairing *p, const toi_piece_pair *pair, toi_interval span, toi_piece_pair halves[2]);

/* Tests the pair itself, on its span: false if it is apart; else its span is what is left. */
bool toi_pairing_test(toi_pairing *p, toi_piece_pair *pair);

/* Whether the pieces of a pair are small enough to be called near. */
bool toi_pairing_small(const toi_pairing *p, const toi_piece_pair *pair);

/* The middle of the pair at a time, as if they touched there. */
toi_touch toi_pair_middle(const toi_piece_pair *pair, double t);

/* How close the two are at a time, at most, if they have not been told apart. */
double toi_pair_distance(const toi_pairing *p, const toi_piece_pair *pair, double t);

#endif
