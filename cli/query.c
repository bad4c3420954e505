/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi query`: reads query files one after another, has them answered by one or more methods, and reports.
 *
 * One file is in memory at a time. Nothing is printed and no output file appears before everything has gone well. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <toi/io.h>
#include <toi/plugin.h>

#include "answers.h"
#include "commands.h"
#include "measure.h"
#include "progress.h"
#include "query_options.h"
#include "report.h"
#include "session.h"
#include "tally.h"

#define QUERY_DOUBLES 24
#define METHODS_MAX 64

typedef struct run {
  query_options options;
  toi_context *context;
  file_list files;
  toi_truth truth; /* of --truth */
  toi_output *answers, *certificates;

  outcome outcomes[METHODS_MAX];
  bool outside[METHODS_MAX]; /* the method is a plug-in */
  size_t methods;

  toi_hit *hits; /* answers to one batch */
  size_t hit_capacity;
  uint64_t answered; /* queries of the files before this one */
  uint64_t bytes_done, bytes;
} run;

/* --- methods --- */

static int add_method(run *r, const char *name, bool outside) {
  if (r->methods == METHODS_MAX) {
    return cli_fail("more than %d methods; name fewer", METHODS_MAX);
  }
  if (!outside && r->options.toi.min_separation > 0) {
    return cli_fail("%s answers at zero separation only; leave --min-separation out", name);
  }
  r->outcomes[r->methods].method = name;
  r->outside[r->methods++] = outside;
  return EXIT_DONE;
}

/* Loads the plug-ins and adds the methods that were asked for. */
static int choose_methods(run *r) {
  const query_options *q = &r->options;
  bool all = q->method != NULL && strcmp(q->method, "all") == 0;
  int result = EXIT_DONE;
  for (size_t i = 0; result == EXIT_DONE && all && toi_method_name(i) != NULL; i++) {
    result = add_method(r, toi_method_name(i), false);
  }
  for (size_t i = 0; result == EXIT_DONE && i < q->plugins.count; i++) {
    const char *name;
    toi_status status = toi_plugin_load(r->context, q->plugins.items[i], &name);
    if (status != TOI_OK) {
      return session_fail(r->context, status, NULL);
    }
    if (all || q->method == NULL || strcmp(q->method, name) == 0) {
      result = add_method(r, name, true);
    }
  }
  if (result != EXIT_DONE || r->methods > 0) {
    return result;
  }
  const char *name = q->method != NULL ? q->method : toi_method_name(0);
  if (toi_method_promise(name) == NULL) {
    return cli_fail("--method %s: no method is called so; toi methods lists them", name);
  }
  return add_method(r, name, false);
}

/* --- preparation --- */

static int open_output(run *r, const char *path, toi_output **output) {
  if (path == NULL) {
    return EXIT_DONE;
  }
  for (size_t i = 0; i < r->files.count; i++) {
    if (files_same(path, r->files.items[i].path)) {
      return cli_fail("%s: holds the queries and would be replaced; write to another file", path);
    }
  }
  if (r->options.truth != NULL && files_same(path, r->options.truth)) {
    return cli_fail("%s: holds the truth and would be replaced; write to another file", path);
  }
  toi_status status = toi_output_create(r->context, path, output);
  return status == TOI_OK ? EXIT_DONE : session_fail(r->context, status, NULL);
}

static int open_outputs(run *r) {
  if (r->options.out != NULL && r->methods > 1) {
    return cli_fail("--out takes the answers of one method; name it with --method");
  }
  if (r->options.out != NULL && r->options.certificates != NULL &&
      strcmp(r->options.out, r->options.certificates) == 0) {
    return cli_fail("%s: --out and --certificates name the same file; write to two", r->options.out);
  }
  int result = open_output(r, r->options.out, &r->answers);
  if (result == EXIT_DONE) {
    result = open_output(r, r->options.certificates, &r->certificates);
  }
  if (result == EXIT_DONE && r->answers != NULL) {
    toi_status status = answers_header(r->answers);
    result = status == TOI_OK ? EXIT_DONE : session_fail(r->context, status, NULL);
  }
  return result;
}

static int read_truth(run *r) {
  if (r->options.truth == NULL) {
    return EXIT_DONE;
  }
  if (r->files.count != 1) {
    return cli_fail("--truth is for one query file, and there are %zu; ask file by file", r->files.count);
  }
  toi_status status = toi_truth_read(r->context, r->options.truth, &r->truth);
  return status == TOI_OK ? EXIT_DONE : session_fail(r->context, status, NULL);
}

static int make_tallies(run *r) {
  size_t count = r->files.count;
  for (size_t i = 0; i < count; i++) {
    r->bytes += r->files.items[i].bytes + 1;
  }
  for (size_t i = 0; count > 0 && i < r->methods; i++) {
    r->outcomes[i].files = calloc(count, sizeof *r->outcomes[i].files);
    if (r->outcomes[i].files == NULL) {
      return cli_fail("out of memory for %zu files; name fewer at a time", count);
    }
  }
  return EXIT_DONE;
}

static int prepare(run *r) {
  int result = session_open(r->options.threads, &r->context);
  if (result == EXIT_DONE) {
    result = choose_methods(r);
  }
  if (result == EXIT_DONE) {
    result = files_collect(r->options.paths, r->options.path_count, r->options.kind, &r->files);
  }
  if (result == EXIT_DONE) {
    result = read_truth(r);
  }
  if (result == EXIT_DONE) {
    result = make_tallies(r);
  }
  return result == EXIT_DONE ? open_outputs(r) : result;
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

/* Answers one piece by one method: batch, single calls, counts. */
static toi_status run_piece(run *r, const piece *p, size_t method, tally *t) {
  toi_options options = r->options.toi;
  options.method = r->outcomes[method].method;
  const batch b = {.context = r->context,
                   .kind = p->file->kind,
                   .queries = p->set->queries + p->begin * QUERY_DOUBLES,
                   .count = p->count,
                   .options = &options,
                   .outside = r->outside[method]};
  double seconds;
  toi_status status = measure_batch(&b, r->options.repeat, r->hits, &seconds);
  if (status != TOI_OK) {
    return status;
  }
  t->seconds += seconds;
  const truth_view truth = {.hit = shifted(p->truth.hit, p->begin),
                            .t_lo = shifted(p->truth.t_lo, p->begin * sizeof(double)),
                            .t_hi = shifted(p->truth.t_hi, p->begin * sizeof(double))};
  tally_hits(t, r->hits, p->count, &truth, options.t_max);
  if (r->answers != NULL) {
    status = answers_append(r->answers, r->hits, p->count, r->answered + p->begin);
  }
  if (status == TOI_OK && r->options.samples > 0) {
    size_t stride = (p->set->count + r->options.samples - 1) / r->options.samples;
    status = measure_singles(&b, stride, &t->samples);
  }
  return status;
}

static toi_status run_methods(run *r, piece *p, size_t file) {
  const double weight = (double)p->file->bytes / (double)r->bytes, before = (double)r->bytes_done / (double)r->bytes;
  for (size_t method = 0; method < r->methods; method++) {
    tally *t = &r->outcomes[method].files[file];
    for (p->begin = 0; p->begin < p->set->count; p->begin += p->count) {
      size_t left = p->set->count - p->begin;
      p->count = left < BATCH_QUERIES ? left : BATCH_QUERIES;
      toi_status status = run_piece(r, p, method, t);
      if (status != TOI_OK || progress_stopped()) {
        return status;
      }
      double part = ((double)method + (double)(p->begin + p->count) / (double)p->set->count) / (double)r->methods;
      progress_show(before + weight * part, p->file->path);
    }
  }
  return TOI_OK;
}

static int reserve_hits(run *r, size_t count) {
  if (count > BATCH_QUERIES) {
    count = BATCH_QUERIES;
  }
  if (count <= r->hit_capacity) {
    return EXIT_DONE;
  }
  free(r->hits);
  r->hit_capacity = 0;
  r->hits = malloc(count * sizeof *r->hits);
  if (r->hits == NULL) {
    return cli_fail("out of memory for %zu answers; split the file", count);
  }
  r->hit_capacity = count;
  return EXIT_DONE;
}

/* The truth of --truth, or else of the file itself. */
static int choose_truth(const run *r, const query_file *file, const toi_query_set *set, truth_view *truth) {
  *truth = (truth_view){.hit = set->truth};
  if (r->options.truth == NULL) {
    return EXIT_DONE;
  }
  if (r->truth.count != set->count) {
    return cli_fail("%s: the truth of %zu queries, but %s has %zu; give the file that belongs to it", r->options.truth,
                    r->truth.count, file->path, set->count);
  }
  *truth = (truth_view){.hit = r->truth.hit, .t_lo = r->truth.t_lo, .t_hi = r->truth.t_hi};
  return EXIT_DONE;
}

static int answer_file(run *r, size_t number, const toi_query_set *set) {
  const query_file *file = &r->files.items[number];
  piece p = {.file = file, .set = set};
  int result = choose_truth(r, file, set, &p.truth);
  if (result == EXIT_DONE) {
    result = reserve_hits(r, set->count);
  }
  if (result != EXIT_DONE) {
    return result;
  }
  toi_status status = run_methods(r, &p, number);
  if (status == TOI_OK && r->certificates != NULL) {
    status = certificates_append(r->context, r->certificates, file->kind, set->queries, set->count, &r->options.toi);
  }
  if (status == TOI_ERROR_PLUGIN && p.begin > 0) {
    /* A batch counts from its own first query. */
    return cli_fail("%s: counted from query %zu, %s", file->path, p.begin, toi_context_error(r->context));
  }
  if (status != TOI_OK) {
    return session_fail(r->context, status, status == TOI_ERROR_FILE ? NULL : file->path);
  }
  r->answered += set->count;
  return EXIT_DONE;
}

static int run_file(run *r, size_t number) {
  const query_file *file = &r->files.items[number];
  progress_show((double)r->bytes_done / (double)r->bytes, file->path);
  toi_query_set set;
  double begin = clock_seconds();
  toi_status status = toi_queries_read(r->context, file->path, &set);
  if (status != TOI_OK) {
    return session_fail(r->context, status, status == TOI_ERROR_MEMORY ? file->path : NULL);
  }
  double seconds = clock_seconds() - begin;
  for (size_t i = 0; i < r->methods; i++) {
    r->outcomes[i].files[number].read_seconds = seconds;
  }
  int result = answer_file(r, number, &set);
  toi_queries_free(r->context, &set);
  r->bytes_done += file->bytes + 1;
  return result;
}

/* --- the end --- */

static int commit(run *r, toi_output **output) {
  if (*output == NULL) {
    return EXIT_DONE;
  }
  toi_status status = toi_output_commit(*output);
  *output = NULL;
  return status == TOI_OK ? EXIT_DONE : session_fail(r->context, status, NULL);
}

static int finish(run *r) {
  for (size_t i = 0; i < r->methods; i++) {
    for (size_t f = 0; f < r->files.count; f++) {
      if (!tally_merge(&r->outcomes[i].total, &r->outcomes[i].files[f])) {
        return cli_fail("out of memory for the times; give a smaller --samples");
      }
    }
  }
  int result = commit(r, &r->answers);
  if (result == EXIT_DONE) {
    result = commit(r, &r->certificates);
  }
  if (result != EXIT_DONE) {
    return result;
  }
  bool all = r->options.method != NULL && strcmp(r->options.method, "all") == 0;
  const report found = {.outcomes = r->outcomes,
                        .count = r->methods,
                        .files = &r->files,
                        .threads = toi_context_threads(r->context),
                        .list = all || r->methods > 1,
                        .levels = r->options.counters};
  progress_clear();
  if (r->options.json) {
    report_json(&found);
  } else {
    report_table(&found);
  }
  bool touched = false;
  for (size_t i = 0; i < r->methods; i++) {
    touched |= r->outcomes[i].total.verdicts[TOI_HIT] + r->outcomes[i].total.verdicts[TOI_NEAR] > 0;
  }
  return r->options.fail_on_hit && touched ? EXIT_FINDING : EXIT_DONE;
}

static void run_free(run *r) {
  toi_output_discard(r->answers);
  toi_output_discard(r->certificates);
  toi_truth_free(r->context, &r->truth);
  for (size_t i = 0; i < r->methods; i++) {
    for (size_t f = 0; f < r->files.count && r->outcomes[i].files != NULL; f++) {
      samples_free(&r->outcomes[i].files[f].samples);
    }
    samples_free(&r->outcomes[i].total.samples);
    free(r->outcomes[i].files);
  }
  files_free(&r->files);
  free(r->hits);
  toi_context_destroy(r->context);
}

int command_query(int argc, char **argv) {
  run r = {0};
  parse_result parsed = query_options_parse(argc, argv, &r.options);
  if (parsed != PARSE_FINE) {
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  }
  progress_start();
  int result = prepare(&r);
  for (size_t i = 0; result == EXIT_DONE && i < r.files.count; i++) {
    result = run_file(&r, i);
    if (result == EXIT_DONE && progress_stopped()) {
      result = cli_fail("stopped; nothing was written");
    }
  }
  if (result == EXIT_DONE) {
    result = finish(&r);
  }
  run_free(&r);
  return result;
}
