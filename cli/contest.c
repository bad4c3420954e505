/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Methods on files of queries. One file is in memory at a time. */

#include "contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <toi/plugin.h>

#include "contest_share.h"
#include "memory.h"
#include "progress.h"
#include "session.h"
#include "spread.h"

#define QUERY_DOUBLES 24

/* Answers take at most this part of the memory that is left, but are at least so many. */
#define HITS_PART 8
#define BATCH_MIN ((size_t)256)

/* --- entries --- */

static int add_entry(contest *c, const char *name, bool outside, const toi_options *options) {
  if (c->count == ENTRIES_MAX)
    return cli_fail("more than %d combinations of methods and separations; give fewer", ENTRIES_MAX);
  entry *e = &c->entries[c->count++];
  e->options = *options;
  e->options.method = name;
  e->outside = outside;
  return EXIT_DONE;
}

int contest_load(contest *c, const text_list *paths, text_list *names) {
  for (size_t i = 0; i < paths->count; i++) {
    toi_status status = toi_plugin_load(c->context, paths->items[i], &names->items[i]);
    if (status != TOI_OK)
      return session_fail(c->context, status, NULL);
    names->count++;
  }
  return EXIT_DONE;
}

/* The loaded plug-in or built-in method whose name has this length; NULL if there is none. */
static const char *find_name(const char *text, size_t length, const text_list *plugins, bool *outside) {
  for (size_t i = 0; toi_method_name(i) != NULL; i++) {
    const char *name = toi_method_name(i);
    *outside = false;
    if (strlen(name) == length && strncmp(name, text, length) == 0)
      return name;
  }
  for (size_t i = 0; i < plugins->count; i++) {
    const char *name = plugins->items[i];
    *outside = true;
    if (strlen(name) == length && strncmp(name, text, length) == 0)
      return name;
  }
  return NULL;
}

int contest_enter(contest *c, const char *methods, const text_list *plugins, const toi_options *options) {
  int result = EXIT_DONE;
  const bool all = methods != NULL && strcmp(methods, "all") == 0;
  for (size_t i = 0; result == EXIT_DONE && all && toi_method_name(i) != NULL; i++)
    result = add_entry(c, toi_method_name(i), false, options);
  for (size_t i = 0; result == EXIT_DONE && (all || methods == NULL) && i < plugins->count; i++)
    result = add_entry(c, plugins->items[i], true, options);
  if (methods == NULL && plugins->count == 0)
    result = add_entry(c, toi_method_name(0), false, options);
  for (const char *text = all ? NULL : methods; result == EXIT_DONE && text != NULL;) {
    size_t length = strcspn(text, ",");
    bool outside;
    const char *name = find_name(text, length, plugins, &outside);
    if (name == NULL)
      return cli_fail("--method %.*s: unknown method; toi methods lists them", (int)length, text);
    result = add_entry(c, name, outside, options);
    text = text[length] == ',' ? text + length + 1 : NULL;
  }
  return result;
}

/* --- one file --- */

/* The part of a file that one batch call answers. */
typedef struct piece {
  const query_file *file;
  const toi_query_set *set;
  truth_view truth; /* of the whole file */
  size_t begin, count;
} piece;

static const void *shifted(const void *array, size_t offset) {
  return array == NULL ? NULL : (const char *)array + offset;
}

/* How far apart the queries lie that are timed one by one, if a batch of all takes so long. */
static size_t sample_stride(const contest *c, const piece *p, double seconds) {
  size_t stride = samples_stride(p->set->count, c->samples);
  if (c->sample_seconds > 0) {
    const double wanted = ceil(SINGLE_CALLS * seconds / c->sample_seconds);
    stride = wanted > (double)stride ? (size_t)wanted : stride;
  }
  return stride;
}

/* Answers one piece by one method: batch, single calls, counts. */
static toi_status run_piece(contest *c, const piece *p, const entry *e, tally *t) {
  const batch b = {.context = c->context,
                   .kind = p->file->kind,
                   .queries = p->set->queries + p->begin * QUERY_DOUBLES,
                   .count = p->count,
                   .options = &e->options,
                   .outside = e->outside};
  double seconds;
  toi_status status = measure_batch(&b, c->repeat, c->hits, &seconds);
  if (status != TOI_OK)
    return status;
  t->seconds += seconds;
  truth_view truth = p->truth;
  truth.hit = shifted(p->truth.hit, p->begin);
  truth.t_lo = shifted(p->truth.t_lo, p->begin * sizeof(double));
  truth.t_hi = shifted(p->truth.t_hi, p->begin * sizeof(double));
  tally_hits(t, c->hits, p->count, &truth, e->options.t_max);
  if (c->take_answers != NULL)
    status = c->take_answers(c, c->hits, p->count);
  if (status == TOI_OK && c->samples > 0)
    status = measure_singles(&b, sample_stride(c, p, seconds), &t->samples);
  return status;
}

/* All pieces of a file by one entry; `done` and `weight` place them on the progress bar. */
static toi_status run_entry(contest *c, piece *p, size_t number, double done, double weight) {
  entry *e = &c->entries[number];
  tally *t = &e->files[p->file - c->files.items];
  for (p->begin = 0; p->begin < p->set->count; p->begin += p->count) {
    size_t left = p->set->count - p->begin;
    p->count = left < c->hit_capacity ? left : c->hit_capacity;
    toi_status status = run_piece(c, p, e, t);
    if (status != TOI_OK || progress_stopped())
      return status;
    progress_show(done + weight * (double)(p->begin + p->count) / (double)p->set->count, p->file->path);
  }
  return TOI_OK;
}

/* Room for the answers of one batch: of the whole file, if they take no more than a fraction of the memory left. */
static int reserve_hits(contest *c, size_t count) {
  const uint64_t fitting = memory_left() / HITS_PART / sizeof *c->hits;
  if (count > BATCH_QUERIES)
    count = BATCH_QUERIES;
  if (count > fitting)
    count = fitting > BATCH_MIN ? (size_t)fitting : BATCH_MIN;
  if (count <= c->hit_capacity)
    return EXIT_DONE;
  memory_free(c->hits);
  c->hit_capacity = 0;
  c->hits = memory_allocate(count * sizeof *c->hits);
  if (c->hits == NULL)
    return memory_fail("the answers", "split the file");
  c->hit_capacity = count;
  return EXIT_DONE;
}

static int file_fail(const contest *c, const piece *p, toi_status status) {
  if (status == TOI_ERROR_PLUGIN && p->begin > 0) {
    // A batch counts from its own first query.
    return cli_fail("%s: counted from query %zu, %s", p->file->path, p->begin, toi_context_error(c->context));
  }
  return session_fail(c->context, status, status == TOI_ERROR_FILE ? NULL : p->file->path);
}

static int answer_file(contest *c, size_t number, const toi_query_set *set) {
  const query_file *file = &c->files.items[number];
  const double weight = (double)file->bytes / (double)c->bytes / (double)c->count;
  int result = reserve_hits(c, set->count);
  for (size_t i = 0; result == EXIT_DONE && i < c->count && !progress_stopped(); i++) {
    piece p = {.file = file, .set = set, .truth = {.hit = set->truth}};
    if (c->entries[i].unsupported)
      continue;
    if (c->find_truth != NULL)
      result = c->find_truth(c, number, i, set, &p.truth);
    if (result == EXIT_DONE) {
      toi_status status = run_entry(c, &p, i, (double)c->bytes_done / (double)c->bytes + (double)i * weight, weight);
      result = status == TOI_OK ? EXIT_DONE : file_fail(c, &p, status);
    }
  }
  if (result == EXIT_DONE && c->take_file != NULL && !progress_stopped()) {
    const piece p = {.file = file};
    toi_status status = c->take_file(c, file, set);
    result = status == TOI_OK ? EXIT_DONE : file_fail(c, &p, status);
  }
  return result;
}

size_t contest_pick(size_t i, size_t count, uint64_t limit) {
  return limit == 0 || count <= limit ? i : (size_t)((double)i * (double)count / (double)limit);
}

/* Leaves as many queries as the limit says; they move to the front. */
static void thin(toi_query_set *set, uint64_t limit) {
  if (limit == 0 || set->count <= limit)
    return;
  for (size_t i = 0; i < limit; i++) {
    const size_t from = contest_pick(i, set->count, limit);
    memmove(set->queries + i * QUERY_DOUBLES, set->queries + from * QUERY_DOUBLES, QUERY_DOUBLES * sizeof(double));
    if (set->truth != NULL)
      set->truth[i] = set->truth[from];
  }
}

static int run_file(contest *c, size_t number) {
  const query_file *file = &c->files.items[number];
  progress_show((double)c->bytes_done / (double)c->bytes, file->path);
  toi_query_set set;
  double begin = clock_seconds();
  toi_status status = toi_queries_read(c->context, file->path, &set);
  if (status != TOI_OK)
    return session_fail(c->context, status, status == TOI_ERROR_MEMORY ? file->path : NULL);
  double seconds = clock_seconds() - begin;
  for (size_t i = 0; i < c->count; i++)
    c->entries[i].files[number].read_seconds = seconds;
  // The set keeps its size: the context takes back what it gave.
  toi_query_set some = set;
  thin(&some, c->limit);
  some.count = c->limit > 0 && c->limit < set.count ? (size_t)c->limit : set.count;
  int result = answer_file(c, number, &some);
  toi_queries_free(c->context, &set);
  c->bytes_done += file->bytes + 1;
  return result;
}

/* --- all of it --- */

static int make_tallies(contest *c) {
  const size_t count = c->files.count;
  for (size_t i = 0; i < count; i++)
    c->bytes += c->files.items[i].bytes + 1;
  for (size_t i = 0; i < c->count; i++) {
    c->entries[i].files = memory_zeroed(count, sizeof *c->entries[i].files);
    if (c->entries[i].files == NULL)
      return memory_fail("the files", "name fewer at a time");
  }
  return EXIT_DONE;
}

int contest_run(contest *c) {
  int result = spread_agree(make_tallies(c));
  const size_t ranks = spread_ranks();
  // Of several ranks each has one file at a time; the first takes what they found before they go on.
  for (size_t round = 0; result == EXIT_DONE && round * ranks < c->files.count; round++) {
    const size_t file = round * ranks + spread_rank();
    if (file < c->files.count)
      result = run_file(c, file);
    if (result == EXIT_DONE && progress_stopped())
      result = cli_fail("stopped; nothing was written");
    if (ranks > 1)
      result = contest_share(c, file, spread_agree(result));
  }
  return result;
}

int contest_finish(contest *c) {
  for (size_t i = 0; i < c->count; i++) {
    for (size_t f = 0; f < c->files.count; f++)
      if (!tally_merge(&c->entries[i].total, &c->entries[i].files[f]))
        return memory_fail("the times", "give a smaller --samples");
  }
  return EXIT_DONE;
}

void contest_free(contest *c) {
  for (size_t i = 0; i < c->count; i++) {
    for (size_t f = 0; f < c->files.count && c->entries[i].files != NULL; f++)
      samples_free(&c->entries[i].files[f].samples);
    samples_free(&c->entries[i].total.samples);
    memory_free(c->entries[i].files);
  }
  files_free(&c->files);
  memory_free(c->letter.bytes);
  memory_free(c->answers.bytes);
  memory_free(c->hits);
  toi_context_destroy(c->context);
}
