/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Records about pairs of a mesh, made on all threads, streamed in order, in bounded memory.
 *
 * The broad phase gives candidates to the caller's consumer, which makes a record of those it wants with
 * toi_parts_add(), or only notes them with toi_parts_note(), if the visitor can make their records itself. Afterwards
 * the records go to the visitor, ordered by kind (edges with faces before those of narrow.h, half-spaces last), then
 * first, then second number. If they do not fit the context's budget, the work is done again in parts, by kind and by
 * ranges of the first number.
 *
 * Promise: the visitor sees the same records in the same order for any number of threads and any budget that suffices
 * for the records of one first number; it is called from the calling thread. */

#ifndef TOI_SCENE_PARTS_H
#define TOI_SCENE_PARTS_H

#include "broad/broad.h"

/* Gets records, or toi_part_pair where the record size is 0. */
typedef toi_status (*toi_parts_visitor)(void *user, const void *records, size_t count);

/* A pair that was noted. */
typedef struct toi_part_pair {
  toi_join_kind kind;
  toi_pair pair;
} toi_part_pair;

/* The most bytes of a record. */
#define TOI_RECORD_MOST 512

typedef struct toi_parts {
  /* Set by the caller. */
  toi_context *context;
  toi_status (*run)(const void *run_user, const toi_broad_question *question); /* gives the pairs to its consumer */
  const void *run_user;
  toi_broad_question question; /* all but its range and progress */
  size_t record_size;          /* 0: pairs are noted */
  toi_parts_visitor visit;     /* any status but TOI_OK ends the call, which returns it */
  void *visit_user;

  /* The outcome; hits are records, of queries and half-spaces. What the question's options point to is not touched. */
  toi_work work;

  /* Its own. */
  struct toi_part_store *stores; /* one a thread */
  double from, span;             /* the part at work is [from, from + span] of the whole */
  uint64_t overflow;             /* records that were there when the last part did not fit */
} toi_parts;

/* Runs the question and streams the records. Fails as `run` and the visitor do. */
toi_status toi_parts_run(toi_parts *parts);

/* A record of the pair, to be filled in before the next call on this thread; or NULL: then return TOI_ERROR_MEMORY. For
 * consumers; at most one record a pair. */
void *toi_parts_add(const toi_parts *parts, uint32_t thread, toi_join_kind kind, toi_pair pair);

/* Notes the pairs; false: then return TOI_ERROR_MEMORY. For consumers; each pair once. */
bool toi_parts_note(const toi_parts *parts, uint32_t thread, toi_join_kind kind, const toi_pair *pairs, size_t count);

#endif
