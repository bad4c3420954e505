/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "cluster/merge.h"

#include <stdlib.h>
#include <string.h>

/* --- order --- */

/* Of two keys, or of two records that are held, which begin with one. */
static int compare(const void *a, const void *b) {
  const toi_merge_key *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->second > y->second) - (x->second < y->second);
}

static size_t held_size(const toi_merge *merge) {
  return sizeof(toi_merge_key) + merge->size;
}

static size_t held_count(const toi_merge *merge) {
  return merge->held.count * sizeof(uint64_t) / held_size(merge);
}

/* --- handing on --- */

static toi_status hand_over(toi_merge *merge) {
  const toi_status status = merge->in_hand > 0 ? merge->visit(merge->user, merge->handful, merge->in_hand) : TOI_OK;
  merge->in_hand = 0;
  return status;
}

static toi_status hand_on(toi_merge *merge, const void *record) {
  memcpy(merge->handful + merge->in_hand++ * merge->size, record, merge->size);
  return merge->in_hand == TOI_MERGE_HANDFUL ? hand_over(merge) : TOI_OK;
}

/* Those that are held and come before this one; NULL: all that are left. */
static toi_status hand_on_before(toi_merge *merge, const toi_merge_key *limit) {
  toi_status status = TOI_OK;
  while (status == TOI_OK && merge->next < held_count(merge)) {
    const char *held = (const char *)merge->held.at + merge->next * held_size(merge);
    if (limit != NULL && compare(held, limit) > 0)
      break;
    status = hand_on(merge, held + sizeof(toi_merge_key));
    merge->next++;
  }
  return status;
}

/* --- taking --- */

/* Into the own list, or a message. */
static toi_status hold(const toi_merge *merge, toi_words *list, toi_merge_key key, const void *record) {
  uint64_t *words = toi_words_add(list, held_size(merge) / sizeof(uint64_t));
  if (words == NULL)
    return toi_cluster_fail(merge->cluster, TOI_ERROR_MEMORY, "out of memory for %s; use more ranks", merge->what);
  memcpy(words, &key, sizeof key);
  memcpy((char *)words + sizeof key, record, merge->size);
  return TOI_OK;
}

/* A copy for each other rank that owns a vertex. */
static toi_status post(toi_merge *merge, toi_merge_key key, const int *owners, size_t count) {
  const size_t own = merge->held.count - merge->size / sizeof(uint64_t);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    bool due = owners[i] != merge->cluster->rank;
    for (size_t j = 0; j < i; j++)
      due = due && owners[j] != owners[i];
    if (!due)
      continue;
    toi_words *list = &merge->mail.out[owners[i]];
    status = hold(merge, list, key, merge->held.at + own);
    if (status == TOI_OK)
      ((char *)(list->at + list->count) - merge->size)[merge->decided_at] = 0;
  }
  return status;
}

toi_status toi_merge_take_seam(toi_merge *merge, toi_merge_key key, const void *record, const int *owners,
                               size_t count) {
  const toi_status status = hold(merge, &merge->held, key, record);
  return status == TOI_OK && merge->to_owners ? post(merge, key, owners, count) : status;
}

toi_status toi_merge_take_inner(toi_merge *merge, toi_merge_key key, const void *record) {
  if (merge->to_owners)
    return hold(merge, &merge->held, key, record);
  const toi_status status = hand_on_before(merge, &key);
  return status == TOI_OK ? hand_on(merge, record) : status;
}

/* --- all of it --- */

static toi_status flush(toi_merge *merge) {
  const toi_status status = hand_on_before(merge, NULL);
  return status == TOI_OK ? hand_over(merge) : status;
}

/* What came is held too, and all of it in order. */
static toi_status take_posted(toi_merge *merge) {
  const size_t words = merge->mail.in_begin[merge->mail.ranks];
  uint64_t *room = toi_words_add(&merge->held, words);
  if (room == NULL && words > 0)
    return toi_cluster_fail(merge->cluster, TOI_ERROR_MEMORY, "out of memory for %s; use more ranks", merge->what);
  if (words > 0)
    memcpy(room, merge->mail.in, words * sizeof *room);
  if (held_count(merge) > 1)
    qsort(merge->held.at, held_count(merge), held_size(merge), compare);
  return flush(merge);
}

toi_status toi_merge_run(toi_merge *merge, toi_status (*ask)(void *user), void *user) {
  toi_cluster *cluster = merge->cluster;
  merge->handful = toi_cluster_allocate(cluster, TOI_MERGE_HANDFUL, merge->size);
  toi_status status = merge->handful == NULL ? TOI_ERROR_MEMORY : TOI_OK;
  if (merge->to_owners) {
    if (status == TOI_OK)
      status = toi_mail_begin(cluster, &merge->mail);
    if (status == TOI_OK)
      status = ask(user);
    merge->mail.ranks = cluster->ranks;
    status = toi_mail_exchange(cluster, &merge->mail, status);
    if (status == TOI_OK)
      status = take_posted(merge);
    cluster->work.bytes_sent += merge->mail.sent;
    toi_mail_end(&merge->mail);
  } else {
    if (status == TOI_OK)
      status = ask(user);
    if (status == TOI_OK)
      status = flush(merge);
  }
  // What the visitor returns goes to all ranks too.
  status = toi_agree(cluster, status);
  toi_words_free(&merge->held);
  free(merge->handful);
  return status;
}
