/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi query`: reads query files one after another, has them answered by one or more methods, and reports.
 *
 * One file is in memory at a time. Nothing is printed and no output file appears before everything has gone well. */

#include <stdlib.h>
#include <string.h>
#include <toi/io.h>

#include "answers.h"
#include "commands.h"
#include "contest.h"
#include "progress.h"
#include "query_options.h"
#include "report.h"
#include "session.h"

typedef struct run {
  query_options options;
  contest contest;
  toi_truth truth; /* of --truth */
  toi_output *answers, *certificates;
  uint64_t answered; /* queries so far */
} run;

/* --- preparation --- */

static int open_output(run *r, const char *path, toi_output **output) {
  if (path == NULL) {
    return EXIT_DONE;
  }
  for (size_t i = 0; i < r->contest.files.count; i++) {
    if (files_same(path, r->contest.files.items[i].path)) {
      return cli_fail("%s: holds the queries and would be replaced; write to another file", path);
    }
  }
  if (r->options.truth != NULL && files_same(path, r->options.truth)) {
    return cli_fail("%s: holds the truth and would be replaced; write to another file", path);
  }
  toi_status status = toi_output_create(r->contest.context, path, output);
  return status == TOI_OK ? EXIT_DONE : session_fail(r->contest.context, status, NULL);
}

static int open_outputs(run *r) {
  if (r->options.out != NULL && r->contest.count > 1) {
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
    result = status == TOI_OK ? EXIT_DONE : session_fail(r->contest.context, status, NULL);
  }
  return result;
}

static int read_truth(run *r) {
  if (r->options.truth == NULL) {
    return EXIT_DONE;
  }
  if (r->contest.files.count != 1) {
    return cli_fail("--truth is for one query file, and there are %zu; ask file by file", r->contest.files.count);
  }
  toi_status status = toi_truth_read(r->contest.context, r->options.truth, &r->truth);
  return status == TOI_OK ? EXIT_DONE : session_fail(r->contest.context, status, NULL);
}

static int prepare(run *r) {
  contest *c = &r->contest;
  text_list plugins = {0};
  int result = session_open(r->options.threads, &c->context);
  if (result == EXIT_DONE) {
    result = contest_load(c, &r->options.plugins, &plugins);
  }
  if (result == EXIT_DONE) {
    result = contest_enter(c, r->options.method, &plugins, &r->options.asked.toi);
  }
  if (result == EXIT_DONE) {
    result = files_collect(r->options.paths, r->options.path_count, r->options.kind, &c->files);
  }
  if (result == EXIT_DONE) {
    result = read_truth(r);
  }
  return result == EXIT_DONE ? open_outputs(r) : result;
}

/* --- one file --- */

/* The truth of --truth, or else of the file itself, which is about zero separation. */
static int find_truth(contest *c, size_t file, size_t number, const toi_query_set *set, truth_view *truth) {
  const run *r = c->user;
  const toi_options *asked = &c->entries[number].options;
  if (r->options.truth == NULL) {
    truth->contacts_only = truth->hit != NULL && (asked->min_separation > 0 || asked->separation_fraction > 0);
    return EXIT_DONE;
  }
  if (r->truth.count != set->count) {
    return cli_fail("%s: the truth of %zu queries, but %s has %zu; give the file that belongs to it", r->options.truth,
                    r->truth.count, c->files.items[file].path, set->count);
  }
  *truth = (truth_view){.hit = r->truth.hit, .t_lo = r->truth.t_lo, .t_hi = r->truth.t_hi};
  return EXIT_DONE;
}

static toi_status take_answers(contest *c, const toi_hit *hits, size_t count) {
  run *r = c->user;
  toi_status status = r->answers == NULL ? TOI_OK : answers_append(r->answers, hits, count, r->answered);
  r->answered += count;
  return status;
}

static toi_status take_file(contest *c, const query_file *file, const toi_query_set *set) {
  run *r = c->user;
  if (r->certificates == NULL) {
    return TOI_OK;
  }
  return certificates_append(c->context, r->certificates, file->kind, set->queries, set->count, &r->options.asked.toi);
}

/* --- the end --- */

static int commit(run *r, toi_output **output) {
  if (*output == NULL) {
    return EXIT_DONE;
  }
  toi_status status = toi_output_commit(*output);
  *output = NULL;
  return status == TOI_OK ? EXIT_DONE : session_fail(r->contest.context, status, NULL);
}

static int finish(run *r) {
  contest *c = &r->contest;
  int result = contest_finish(c);
  if (result == EXIT_DONE) {
    result = commit(r, &r->answers);
  }
  if (result == EXIT_DONE) {
    result = commit(r, &r->certificates);
  }
  if (result != EXIT_DONE) {
    return result;
  }
  bool all = r->options.method != NULL && strcmp(r->options.method, "all") == 0;
  const report found = {.entries = c->entries,
                        .count = c->count,
                        .files = &c->files,
                        .threads = toi_context_threads(c->context),
                        .list = all || c->count > 1,
                        .levels = r->options.counters};
  progress_clear();
  if (r->options.json) {
    report_json(&found);
  } else {
    report_table(&found);
  }
  bool touched = false;
  for (size_t i = 0; i < c->count; i++) {
    touched |= c->entries[i].total.verdicts[TOI_HIT] + c->entries[i].total.verdicts[TOI_NEAR] > 0;
  }
  return r->options.fail_on_hit && touched ? EXIT_FINDING : EXIT_DONE;
}

static void run_free(run *r) {
  toi_output_discard(r->answers);
  toi_output_discard(r->certificates);
  toi_truth_free(r->contest.context, &r->truth);
  contest_free(&r->contest);
}

int command_query(int argc, char **argv) {
  run *r = calloc(1, sizeof *r);
  if (r == NULL) {
    return cli_fail("out of memory; close other programs");
  }
  parse_result parsed = query_options_parse(argc, argv, &r->options);
  if (parsed != PARSE_FINE) {
    free(r);
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  }
  r->contest.repeat = r->options.repeat;
  r->contest.samples = r->options.samples;
  r->contest.user = r;
  r->contest.find_truth = find_truth;
  r->contest.take_answers = take_answers;
  r->contest.take_file = take_file;
  progress_start();
  int result = prepare(r);
  if (result == EXIT_DONE) {
    result = contest_run(&r->contest);
  }
  if (result == EXIT_DONE) {
    result = finish(r);
  }
  run_free(r);
  free(r);
  return result;
}
