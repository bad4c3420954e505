/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sorted lists of pairs of all ranks in one JSON file, written by all of them at once.
 *
 * A list is dealt out by the first number of its pairs: what rank r gets comes before what rank r + 1 gets. Each sorts
 * its own, makes text of it, and writes it where the texts before it end (shared_file.h). */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/shared_file.h"

#define LISTS 5
#define PAIR_TEXT 26 /* ",[4294967295,4294967295]" and some */

struct toi_cluster_list {
  toi_cluster *cluster;
  toi_shared_file file;
  toi_words pairs[LISTS]; /* first << 32 | second */
  bool half_spaces;
  uint64_t offset;
};

static int row_of(toi_kind kind) {
  return kind == TOI_VERTEX_HALF_SPACE ? LISTS - 1 : (int)kind;
}

toi_status toi_cluster_list_create(toi_cluster *cluster, const char *path, bool half_spaces, toi_cluster_list **list) {
  *list = NULL;
  uint64_t digest = toi_digest_options(NULL, half_spaces ? "list with half-spaces" : "list");
  digest = toi_digest(digest, path, strlen(path) + 1);
  toi_cluster_list *made = toi_cluster_allocate(cluster, 1, sizeof *made);
  toi_status status = toi_cluster_meet(cluster, made == NULL ? TOI_ERROR_MEMORY : TOI_OK, digest);
  if (status != TOI_OK) {
    free(made);
    return status;
  }
  made->cluster = cluster;
  made->half_spaces = half_spaces;
  // Before any work is done: who cannot write should not wait for the end to hear of it.
  status = toi_shared_file_create(&made->file, cluster, path);
  if (status != TOI_OK)
    toi_cluster_list_destroy(made);
  else
    *list = made;
  return status;
}

toi_status toi_cluster_list_add(toi_cluster_list *list, toi_kind kind, const toi_cluster_pair *pairs, size_t count) {
  uint64_t *words = toi_words_add(&list->pairs[row_of(kind)], count);
  if (words == NULL && count > 0)
    return toi_cluster_fail(list->cluster, TOI_ERROR_MEMORY, "out of memory for a list of pairs; use more ranks");
  for (size_t i = 0; i < count; i++) {
    if (pairs[i].first > UINT32_MAX || pairs[i].second > UINT32_MAX)
      return toi_cluster_fail(list->cluster, TOI_ERROR_UNSUPPORTED,
                              "a primitive has the number %" PRIu64 "; lists have numbers below 2^32", pairs[i].first);
    words[i] = pairs[i].first << 32 | pairs[i].second;
  }
  return TOI_OK;
}

/* --- dealing out --- */

static toi_status deal_out(toi_cluster_list *list, toi_words *pairs) {
  toi_cluster *cluster = list->cluster;
  uint64_t most = 0;
  for (size_t i = 0; i < pairs->count; i++)
    most = pairs->at[i] >> 32 > most ? pairs->at[i] >> 32 : most;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, cluster->comm);
  const uint64_t block = most / (uint64_t)cluster->ranks + 1;
  toi_mail mail;
  toi_status status = toi_mail_begin(cluster, &mail);
  for (size_t i = 0; status == TOI_OK && i < pairs->count; i++) {
    uint64_t *word = toi_words_add(&mail.out[(pairs->at[i] >> 32) / block], 1);
    if (word == NULL)
      status = toi_cluster_fail(cluster, TOI_ERROR_MEMORY, "out of memory for a list of pairs; use more ranks");
    else
      *word = pairs->at[i];
  }
  toi_words_free(pairs);
  status = toi_mail_exchange(cluster, &mail, status);
  if (status == TOI_OK) {
    const size_t count = mail.in_begin[mail.ranks];
    *pairs = (toi_words){mail.in, toi_sort_unique(mail.in, count), count};
    mail.in = NULL;
  }
  toi_mail_end(&mail);
  return status;
}

/* --- text --- */

static char *put_number(char *at, uint32_t number) {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0)
    *at++ = digits[--count];
  return at;
}

/* The text of pairs [begin, end); a comma in front of each but the first of the list. */
static size_t put_pairs(char *text, const uint64_t *pairs, size_t count, bool first) {
  char *at = text;
  for (size_t i = 0; i < count; i++) {
    if (!first || i > 0)
      *at++ = ',';
    *at++ = '[';
    at = put_number(at, (uint32_t)(pairs[i] >> 32));
    *at++ = ',';
    at = put_number(at, (uint32_t)pairs[i]);
    *at++ = ']';
  }
  return (size_t)(at - text);
}

/* --- writing --- */

/* Texts of all ranks, one behind the other. */
static toi_status write_texts(toi_cluster_list *list, const char *text, uint64_t size) {
  toi_cluster *cluster = list->cluster;
  uint64_t before = 0, total = size;
  MPI_Exscan(&size, &before, 1, MPI_UINT64_T, MPI_SUM, cluster->comm);
  if (cluster->rank == 0)
    before = 0;
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_UINT64_T, MPI_SUM, cluster->comm);
  const toi_status status = toi_shared_file_write(&list->file, text, size, list->offset + before);
  list->offset += total;
  return toi_agree(cluster, status);
}

/* Text of the first rank alone. */
static toi_status write_word(toi_cluster_list *list, const char *word) {
  return write_texts(list, word, list->cluster->rank == 0 ? strlen(word) : 0);
}

static toi_status write_list(toi_cluster_list *list, int row) {
  static const char *const names[LISTS] = {"{\"vf\":[", "],\n\"ee\":[", "],\n\"ve\":[", "],\n\"vv\":[", "],\n\"vh\":["};
  toi_cluster *cluster = list->cluster;
  toi_words *pairs = &list->pairs[row];
  toi_status status = write_word(list, names[row]);
  if (status == TOI_OK)
    status = deal_out(list, pairs);
  if (status != TOI_OK)
    return status;
  uint64_t own = pairs->count, before = 0;
  MPI_Exscan(&own, &before, 1, MPI_UINT64_T, MPI_SUM, cluster->comm);
  char *text = toi_cluster_allocate(cluster, pairs->count, PAIR_TEXT);
  status = toi_agree(cluster, text == NULL ? TOI_ERROR_MEMORY : TOI_OK);
  if (status == TOI_OK)
    status = write_texts(list, text, put_pairs(text, pairs->at, pairs->count, cluster->rank == 0 || before == 0));
  free(text);
  toi_words_free(pairs);
  return status;
}

toi_status toi_cluster_list_write(toi_cluster_list *list) {
  toi_status status = TOI_OK;
  for (int row = 0; row < (list->half_spaces ? LISTS : LISTS - 1) && status == TOI_OK; row++)
    status = write_list(list, row);
  if (status == TOI_OK)
    status = write_word(list, "]}\n");
  return status == TOI_OK ? toi_shared_file_close(&list->file) : status;
}

toi_status toi_cluster_list_commit(toi_cluster_list *list) {
  const toi_status status = toi_shared_file_commit(&list->file);
  toi_cluster_list_destroy(list);
  return status;
}

void toi_cluster_list_destroy(toi_cluster_list *list) {
  if (list == NULL)
    return;
  toi_shared_file_discard(&list->file);
  for (int row = 0; row < LISTS; row++)
    toi_words_free(&list->pairs[row]);
  free(list);
}
