/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Records of pairs of both meshes on their way to a visitor, in order: by kind, then first, then second number.
 *
 * Both meshes give theirs in order. Those of the seam are held: they are few. Those of the inner mesh pass through, and
 * the others are merged in where they belong. Where other owners of a pair's vertices are to know of it, everything is
 * held until what other ranks found has come. */

#ifndef TOI_CLUSTER_MERGE_H
#define TOI_CLUSTER_MERGE_H

#include "cluster/call.h"

#define TOI_MERGE_HANDFUL 64

/* What records are ordered by. A record that is held follows its key, as words. */
typedef struct toi_merge_key {
  uint64_t kind, first, second;
} toi_merge_key;

typedef struct toi_merge {
  toi_cluster *cluster;
  const char *what; /* such as "collisions" */
  size_t size;      /* of a record; a multiple of 8 */
  toi_status (*visit)(void *user, const void *records, size_t count);
  void *user;
  size_t decided_at; /* in a record: a byte that is 1 here and 0 in the copies of other owners */
  bool to_owners;
  toi_mail mail;  /* of these copies */
  toi_words held; /* records of the seam, or all of them */
  size_t next;    /* of those, the first that was not handed on */
  char *handful;  /* TOI_MERGE_HANDFUL records */
  size_t in_hand;
} toi_merge;

/* Asks both meshes, those of the seam first, on a merge whose first seven fields are set; then hands everything on that
 * is left. ask calls the two functions below, and says what went wrong. Collective. */
toi_status toi_merge_run(toi_merge *merge, toi_status (*ask)(void *user), void *user);

/* A record of the seam, with the ranks of its vertices. */
toi_status toi_merge_take_seam(toi_merge *merge, toi_merge_key key, const void *record, const int *owners,
                               size_t count);

/* A record of the inner mesh: those that are held and come before it are handed on first. */
toi_status toi_merge_take_inner(toi_merge *merge, toi_merge_key key, const void *record);

static inline toi_merge_key toi_merge_key_of(toi_kind kind, toi_cluster_pair pair) {
  return (toi_merge_key){(uint64_t)kind, pair.first, pair.second};
}

#endif
