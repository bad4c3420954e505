/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "cluster/directory.h"

#include <inttypes.h>
#include <stdlib.h>

/* What came from all ranks, in order. */
static toi_status fill(toi_cluster *cluster, const char *what, const toi_mail *mail, toi_directory *d) {
  const size_t count = mail->in_begin[mail->ranks];
  uint64_t *rows = toi_cluster_allocate(cluster, 2 * count, sizeof *rows); // numbers, owners
  d->count = count;
  d->numbers = toi_cluster_allocate(cluster, count, sizeof *d->numbers);
  d->owners = toi_cluster_allocate(cluster, count, sizeof *d->owners);
  toi_status status = rows && d->numbers && d->owners ? TOI_OK : TOI_ERROR_MEMORY;
  for (int r = 0; status == TOI_OK && r < mail->ranks; r++)
    for (size_t i = mail->in_begin[r]; i < mail->in_begin[r + 1]; i++) {
      rows[2 * i] = mail->in[i];
      rows[2 * i + 1] = (uint64_t)r;
    }
  // Of one rank they are in order already.
  if (status == TOI_OK && cluster->ranks > 1 && !toi_sort_rows(rows, count))
    status = toi_cluster_fail(cluster, TOI_ERROR_MEMORY, "out of memory for vertex numbers; use more ranks");
  for (size_t i = 0; status == TOI_OK && i < count; i++) {
    d->numbers[i] = rows[2 * i];
    d->owners[i] = (int)rows[2 * i + 1];
    if (i > 0 && d->numbers[i - 1] == d->numbers[i])
      status = toi_cluster_fail(cluster, TOI_ERROR_INPUT,
                                "%s %" PRIu64 " is given by rank %d and by rank %d; each belongs to one rank", what,
                                d->numbers[i], d->owners[i - 1], d->owners[i]);
  }
  free(rows);
  return status;
}

/* Sends each number to the rank that knows its block. */
static toi_status ask(toi_cluster *cluster, const toi_directory *d, const uint64_t *numbers, const uint64_t *things,
                      size_t count, toi_mail *mail) {
  toi_status status = toi_mail_begin(cluster, mail);
  const size_t each = things != NULL ? 2 : 1;
  for (size_t i = 0; status == TOI_OK && i < count; i++) {
    // What is beyond all blocks has no owner: the last rank says so.
    const uint64_t rank = numbers[i] / d->block, last = (uint64_t)cluster->ranks - 1;
    uint64_t *words = toi_words_add(&mail->out[rank < last ? rank : last], each);
    if (words == NULL) {
      status = toi_cluster_fail(cluster, TOI_ERROR_MEMORY, "out of memory for messages; use more ranks");
      break;
    }
    words[0] = numbers[i];
    if (things != NULL)
      words[1] = things[i];
  }
  return toi_mail_exchange(cluster, mail, status);
}

toi_status toi_directory_make(toi_cluster *cluster, const char *what, const uint64_t *numbers, size_t count,
                              toi_directory *directory) {
  *directory = (toi_directory){0};
  uint64_t most = count > 0 ? numbers[count - 1] : 0;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, cluster->comm);
  // One rank, and all numbers there are: the last one falls behind the block, and is this rank's all the same.
  directory->block = most / (uint64_t)cluster->ranks;
  directory->block += directory->block < UINT64_MAX;
  toi_mail mail;
  toi_status status = ask(cluster, directory, numbers, NULL, count, &mail);
  if (status == TOI_OK)
    status = toi_agree(cluster, fill(cluster, what, &mail, directory));
  toi_mail_end(&mail);
  return status;
}

void toi_directory_free(toi_directory *directory) {
  free(directory->numbers);
  free(directory->owners);
  *directory = (toi_directory){0};
}

/* One word back for each number that was asked about, in the order of asking; answers go on from mail to back. */
static toi_status answer(toi_cluster *cluster, const toi_mail *mail, size_t each, const uint64_t *answers,
                         toi_mail *back) {
  toi_status status = toi_mail_begin(cluster, back);
  for (int r = 0; status == TOI_OK && r < mail->ranks; r++) {
    const size_t begin = mail->in_begin[r] / each, count = toi_mail_count(mail, r) / each;
    uint64_t *words = toi_words_add(&back->out[r], count);
    if (words == NULL && count > 0)
      status = toi_cluster_fail(cluster, TOI_ERROR_MEMORY, "out of memory for messages; use more ranks");
    for (size_t i = 0; status == TOI_OK && i < count; i++)
      words[i] = answers[begin + i];
  }
  return toi_mail_exchange(cluster, back, status);
}

toi_status toi_directory_find(toi_cluster *cluster, const toi_directory *directory, const uint64_t *numbers,
                              size_t count, int *owners) {
  toi_mail mail, back = {0};
  toi_status status = ask(cluster, directory, numbers, NULL, count, &mail);
  if (status == TOI_OK) {
    const size_t asked = mail.in_begin[mail.ranks];
    for (size_t i = 0; i < asked; i++) {
      const size_t place = toi_find_number(directory->numbers, directory->count, mail.in[i]);
      mail.in[i] = place == SIZE_MAX ? UINT64_MAX : (uint64_t)directory->owners[place];
    }
    status = answer(cluster, &mail, 1, mail.in, &back);
  }
  // Numbers ascend, and so do the ranks that were asked: answers come in the order of the numbers.
  for (size_t i = 0; status == TOI_OK && i < count; i++)
    owners[i] = back.in[i] == UINT64_MAX ? -1 : (int)back.in[i];
  toi_mail_end(&mail);
  toi_mail_end(&back);
  return status;
}

/* Replaces the things of each vertex of the block by those of all before it, on this rank and those before it. */
static toi_status sum_block(toi_cluster *cluster, const toi_directory *d, const toi_mail *mail, uint64_t *answers) {
  uint64_t *sums = toi_cluster_allocate(cluster, d->count + 1, sizeof *sums);
  const size_t asked = mail->in_begin[mail->ranks] / 2;
  uint64_t total = 0, before = 0;
  for (size_t i = 0; sums != NULL && i < asked; i++)
    sums[toi_find_number(d->numbers, d->count, mail->in[2 * i])] = mail->in[2 * i + 1];
  for (size_t i = 0; sums != NULL && i < d->count; i++) {
    const uint64_t own = sums[i];
    sums[i] = total;
    total += own;
  }
  const toi_status status = toi_agree(cluster, sums == NULL ? TOI_ERROR_MEMORY : TOI_OK);
  if (status == TOI_OK) {
    MPI_Exscan(&total, &before, 1, MPI_UINT64_T, MPI_SUM, cluster->comm);
    if (cluster->rank == 0)
      before = 0;
    for (size_t i = 0; i < asked; i++)
      answers[i] = before + sums[toi_find_number(d->numbers, d->count, mail->in[2 * i])];
  }
  free(sums);
  return status;
}

toi_status toi_directory_sum(toi_cluster *cluster, const toi_directory *directory, const uint64_t *numbers,
                             const uint64_t *things, size_t count, uint64_t *before) {
  toi_mail mail, back = {0};
  toi_status status = ask(cluster, directory, numbers, things, count, &mail);
  uint64_t *answers = NULL;
  if (status == TOI_OK) {
    answers = toi_cluster_allocate(cluster, mail.in_begin[mail.ranks] / 2, sizeof *answers);
    status = toi_agree(cluster, answers == NULL ? TOI_ERROR_MEMORY : TOI_OK);
  }
  if (status == TOI_OK)
    status = sum_block(cluster, directory, &mail, answers);
  if (status == TOI_OK)
    status = answer(cluster, &mail, 2, answers, &back);
  for (size_t i = 0; status == TOI_OK && i < count; i++)
    before[i] = back.in[i];
  free(answers);
  toi_mail_end(&mail);
  toi_mail_end(&back);
  return status;
}
