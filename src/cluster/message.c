/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Words between ranks, and statuses that all agree on.
 *
 * Counts of messages are ints in MPI-3: a message has at most 2^31 - 1 words, 16 GiB, and all that a rank receives at a
 * time as many; more is refused before anything is sent. */

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/internal.h"

/* --- memory --- */

void *toi_cluster_allocate(toi_cluster *cluster, size_t count, size_t size) {
  void *memory = count <= (SIZE_MAX - 1) / size ? calloc(count * size + 1, 1) : NULL;
  if (memory == NULL)
    (void)toi_cluster_fail(cluster, TOI_ERROR_MEMORY, "out of memory for %zu times %zu bytes; use more ranks", count,
                           size);
  return memory;
}

uint64_t *toi_words_add(toi_words *words, size_t more) {
  if (words->count + more > words->room) {
    const size_t room = words->count + more + words->room + 64;
    uint64_t *at = room <= SIZE_MAX / sizeof *at ? realloc(words->at, room * sizeof *at) : NULL;
    if (at == NULL)
      return NULL;
    words->at = at;
    words->room = room;
  }
  uint64_t *added = words->at + words->count;
  words->count += more;
  return added;
}

void toi_words_free(toi_words *words) {
  free(words->at);
  *words = (toi_words){0};
}

/* --- agreement --- */

toi_status toi_cluster_fail(toi_cluster *cluster, toi_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cluster->sentence, sizeof cluster->sentence, format, arguments);
  va_end(arguments);
  return status;
}

toi_status toi_cluster_fail_context(toi_cluster *cluster, toi_status status) {
  const char *sentence = toi_context_error(cluster->context);
  return status == TOI_OK
             ? TOI_OK
             : toi_cluster_fail(cluster, status, "%s", sentence[0] != '\0' ? sentence : toi_status_text(status));
}

toi_status toi_agree(toi_cluster *cluster, toi_status status) {
  int mine = status == TOI_OK ? INT_MAX : cluster->rank, first = INT_MAX;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, cluster->comm);
  if (first == INT_MAX)
    return TOI_OK;
  struct {
    int status;
    char sentence[TOI_CLUSTER_SENTENCE];
  } said = {.status = (int)status};
  const char *sentence = cluster->sentence[0] != '\0' ? cluster->sentence : toi_status_text(status);
  snprintf(said.sentence, sizeof said.sentence, "%s", sentence);
  MPI_Bcast(&said, (int)sizeof said, MPI_BYTE, first, cluster->comm);
  said.sentence[sizeof said.sentence - 1] = '\0';
  snprintf(cluster->error, sizeof cluster->error, "rank %d: %.990s", first, said.sentence);
  cluster->sentence[0] = '\0';
  return (toi_status)said.status;
}

toi_status toi_cluster_agree(toi_cluster *cluster, toi_status status, const char *sentence) {
  cluster->error[0] = '\0';
  if (status != TOI_OK)
    (void)toi_cluster_fail(cluster, status, "%s", sentence != NULL ? sentence : "");
  return toi_agree(cluster, status);
}

toi_status toi_cluster_meet(toi_cluster *cluster, toi_status status, uint64_t digest) {
  cluster->error[0] = '\0';
  if (status == TOI_OK)
    cluster->sentence[0] = '\0';
  const uint64_t own = digest;
  MPI_Bcast(&digest, 1, MPI_UINT64_T, 0, cluster->comm);
  if (status == TOI_OK && own != digest)
    status = toi_cluster_fail(cluster, TOI_ERROR_OPTION,
                              "does not make the same call as rank 0: another function, other options, or another "
                              "version of the library (%s here); make the same call on all ranks",
                              toi_version());
  return toi_agree(cluster, status);
}

uint64_t toi_digest(uint64_t digest, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    digest = (digest ^ at[i]) * UINT64_C(0x100000001b3);
  return digest;
}

static uint64_t digest_text(uint64_t digest, const char *text) {
  return toi_digest(digest, text, strlen(text) + 1);
}

uint64_t toi_digest_options(const toi_options *o, const char *call) {
  uint64_t digest = digest_text(digest_text(UINT64_C(0xcbf29ce484222325), toi_version()), call);
  if (o == NULL)
    return digest_text(digest, "defaults");
  digest = digest_text(digest, o->method != NULL ? o->method : toi_method_name(0));
  const double numbers[] = {o->tolerance,      o->t_max,          o->min_separation, o->separation_fraction,
                            o->scene_bound[0], o->scene_bound[1], o->scene_bound[2]};
  const uint64_t words[] = {o->norm, o->inclusion, o->max_checks, o->no_zero_toi, o->filter};
  return toi_digest(toi_digest(digest, numbers, sizeof numbers), words, sizeof words);
}

/* --- messages --- */

toi_status toi_mail_begin(toi_cluster *cluster, toi_mail *mail) {
  *mail = (toi_mail){.ranks = cluster->ranks};
  const size_t ranks = (size_t)cluster->ranks;
  mail->out = toi_cluster_allocate(cluster, ranks, sizeof *mail->out);
  mail->in_begin = toi_cluster_allocate(cluster, ranks + 1, sizeof *mail->in_begin);
  return mail->out != NULL && mail->in_begin != NULL ? TOI_OK : TOI_ERROR_MEMORY;
}

void toi_mail_end(toi_mail *mail) {
  for (int r = 0; mail->out != NULL && r < mail->ranks; r++)
    toi_words_free(&mail->out[r]);
  free(mail->out);
  free(mail->in);
  free(mail->in_begin);
  *mail = (toi_mail){0};
}

/* Counts and places as MPI wants them, by slot: out counts, out places, in counts, in places. */
typedef struct plan {
  const toi_graph *graph; /* NULL: a slot for each rank */
  size_t slots;
  int *numbers;
  uint64_t *out; /* all words in one row */
} plan;

static size_t rank_of(const plan *p, size_t slot) {
  return p->graph != NULL ? (size_t)p->graph->ranks[slot] : slot;
}

static toi_status make_plan(toi_cluster *cluster, const toi_mail *mail, plan *p) {
  size_t words = 0;
  for (size_t i = 0; i < p->slots; i++)
    words += mail->out[rank_of(p, i)].count;
  if (words > INT_MAX)
    return toi_cluster_fail(cluster, TOI_ERROR_MEMORY,
                            "%zu words to send at a time, 2^31 - 1 are possible; use more ranks", words);
  p->numbers = toi_cluster_allocate(cluster, 4 * p->slots, sizeof *p->numbers);
  p->out = toi_cluster_allocate(cluster, words, sizeof *p->out);
  if (p->numbers == NULL || p->out == NULL)
    return TOI_ERROR_MEMORY;
  size_t at = 0;
  for (size_t i = 0; i < p->slots; i++) {
    toi_words *list = &mail->out[rank_of(p, i)];
    p->numbers[i] = (int)list->count;
    p->numbers[p->slots + i] = (int)at;
    if (list->count > 0)
      memcpy(p->out + at, list->at, list->count * sizeof *p->out);
    at += list->count;
    toi_words_free(list);
  }
  return TOI_OK;
}

/* Room for what will come; from ranks without a slot there is nothing. */
static toi_status make_room(toi_cluster *cluster, toi_mail *mail, const plan *p) {
  const size_t ranks = (size_t)mail->ranks;
  size_t total = 0;
  for (size_t slot = 0, r = 0; r < ranks; r++) {
    mail->in_begin[r] = total;
    if (slot < p->slots && rank_of(p, slot) == r) {
      p->numbers[3 * p->slots + slot] = total <= INT_MAX ? (int)total : 0;
      total += (size_t)p->numbers[2 * p->slots + slot++];
    }
  }
  mail->in_begin[ranks] = total;
  if (total > INT_MAX)
    return toi_cluster_fail(cluster, TOI_ERROR_MEMORY,
                            "%zu words to receive at a time, 2^31 - 1 are possible; use more ranks", total);
  free(mail->in);
  mail->in = toi_cluster_allocate(cluster, total, sizeof *mail->in);
  return mail->in == NULL ? TOI_ERROR_MEMORY : TOI_OK;
}

static toi_status exchange(toi_cluster *cluster, plan *p, toi_mail *mail, toi_status status) {
  const size_t n = p->slots;
  if (status == TOI_OK)
    status = make_plan(cluster, mail, p);
  status = toi_agree(cluster, status);
  if (status == TOI_OK) {
    if (p->graph != NULL)
      MPI_Neighbor_alltoall(p->numbers, 1, MPI_INT, p->numbers + 2 * n, 1, MPI_INT, p->graph->comm);
    else
      MPI_Alltoall(p->numbers, 1, MPI_INT, p->numbers + 2 * n, 1, MPI_INT, cluster->comm);
    status = toi_agree(cluster, make_room(cluster, mail, p));
  }
  if (status == TOI_OK) {
    if (p->graph != NULL)
      MPI_Neighbor_alltoallv(p->out, p->numbers, p->numbers + n, MPI_UINT64_T, mail->in, p->numbers + 2 * n,
                             p->numbers + 3 * n, MPI_UINT64_T, p->graph->comm);
    else
      MPI_Alltoallv(p->out, p->numbers, p->numbers + n, MPI_UINT64_T, mail->in, p->numbers + 2 * n, p->numbers + 3 * n,
                    MPI_UINT64_T, cluster->comm);
    for (size_t i = 0; i < n; i++)
      mail->sent += (int)rank_of(p, i) == cluster->rank ? 0 : (uint64_t)p->numbers[i] * sizeof(uint64_t);
  }
  free(p->numbers);
  free(p->out);
  return status;
}

toi_status toi_mail_exchange(toi_cluster *cluster, toi_mail *mail, toi_status status) {
  plan p = {.slots = (size_t)mail->ranks};
  return exchange(cluster, &p, mail, status);
}

toi_status toi_mail_exchange_near(toi_cluster *cluster, const toi_graph *graph, toi_mail *mail, toi_status status) {
  plan p = {.graph = graph, .slots = (size_t)graph->count};
  return exchange(cluster, &p, mail, status);
}

/* --- neighbours --- */

static bool is_graph(const toi_cluster *cluster, const uint8_t *marks, const toi_graph *graph) {
  int at = 0;
  for (int r = 0; r < cluster->ranks; r++)
    if (marks[r] && (at == graph->count || graph->ranks[at++] != r))
      return false;
  return graph->comm != MPI_COMM_NULL && at == graph->count;
}

void toi_graph_free(toi_graph *graph) {
  if (graph->ranks != NULL && graph->comm != MPI_COMM_NULL)
    MPI_Comm_free(&graph->comm);
  free(graph->ranks);
  *graph = (toi_graph){.comm = MPI_COMM_NULL};
}

toi_status toi_graph_make(toi_cluster *cluster, const uint8_t *marks, toi_graph *graph) {
  // Before the first one there are no ranks: what stands for its communicator is not one.
  int same = graph->ranks != NULL && is_graph(cluster, marks, graph);
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_LAND, cluster->comm);
  if (same)
    return TOI_OK;
  toi_graph_free(graph);
  // Behind the neighbours their weights, which are all alike.
  graph->ranks = toi_cluster_allocate(cluster, 2 * (size_t)cluster->ranks, sizeof *graph->ranks);
  int *weights = graph->ranks + (graph->ranks != NULL ? cluster->ranks : 0);
  const toi_status status = toi_agree(cluster, graph->ranks == NULL ? TOI_ERROR_MEMORY : TOI_OK);
  if (status != TOI_OK)
    return status;
  for (int r = 0; r < cluster->ranks; r++)
    if (marks[r]) {
      weights[graph->count] = 1;
      graph->ranks[graph->count++] = r;
    }
  MPI_Dist_graph_create_adjacent(cluster->comm, graph->count, graph->ranks, weights, graph->count, graph->ranks,
                                 weights, MPI_INFO_NULL, 0, &graph->comm);
  return TOI_OK;
}

/* --- lists of numbers --- */

size_t toi_find_number(const uint64_t *numbers, size_t count, uint64_t number) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (numbers[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && numbers[low] == number ? low : SIZE_MAX;
}

toi_status toi_number_map_make(toi_cluster *cluster, const uint64_t *numbers, size_t count, toi_number_map *map) {
  *map = (toi_number_map){.numbers = numbers, .count = count};
  if (count == 0 || numbers[count - 1] - numbers[0] == count - 1)
    return TOI_OK;
  size_t size = 16;
  while (size < 2 * count)
    size *= 2;
  map->mask = size - 1;
  map->places = toi_cluster_allocate(cluster, size, sizeof *map->places);
  if (map->places == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) {
    size_t at = toi_number_hash(map, numbers[i]);
    while (map->places[at] != 0)
      at = (at + 1) & map->mask;
    map->places[at] = (uint32_t)(i + 1);
  }
  return TOI_OK;
}

void toi_number_map_free(toi_number_map *map) {
  free(map->places);
  *map = (toi_number_map){0};
}

/* Digits of 11 bits, least first; those in which all are alike are skipped. */
#define DIGIT 11
#define DIGITS ((size_t)1 << DIGIT)

/* Rows of `width` words, by their first. */
static bool sort_by_digits(uint64_t *numbers, size_t count, size_t width) {
  uint64_t *other = malloc(count * width * sizeof *other), alike = ~(uint64_t)0, first = numbers[0];
  if (other == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    alike &= ~(numbers[width * i] ^ first);
  uint64_t *from = numbers, *to = other;
  for (unsigned shift = 0; shift < 64; shift += DIGIT) {
    if ((alike >> shift & (DIGITS - 1)) == (UINT64_MAX >> shift & (DIGITS - 1)))
      continue;
    size_t places[DIGITS] = {0}, at = 0;
    for (size_t i = 0; i < count; i++)
      places[from[width * i] >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
      const size_t here = places[d];
      places[d] = at;
      at += here;
    }
    for (size_t i = 0; i < count; i++)
      memcpy(to + width * places[from[width * i] >> shift & (DIGITS - 1)]++, from + width * i, width * sizeof *to);
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != numbers)
    memcpy(numbers, from, count * width * sizeof *numbers);
  free(other);
  return true;
}

bool toi_sort_rows(uint64_t *rows, size_t count) {
  return count < 2 || sort_by_digits(rows, count, 2);
}

static int compare(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

size_t toi_sort_unique(uint64_t *numbers, size_t count) {
  if (count > 1 && (count < DIGITS || !sort_by_digits(numbers, count, 1)))
    qsort(numbers, count, sizeof *numbers, compare);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || numbers[kept - 1] != numbers[i])
      numbers[kept++] = numbers[i];
  return kept;
}
