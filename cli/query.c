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
#include "contest_share.h"
#include "memory.h"
#include "progress.h"
#include "query_options.h"
#include "report.h"
#include "session.h"
#include "spread.h"

enum { ANSWERS, CERTIFICATES, OUTPUTS };

typedef struct run {
  query_options options;
  contest contest;
  toi_truth truth; /* of --truth */
  output outputs[OUTPUTS];
  uint64_t answered; /* queries so far */
} run;

/* --- preparation --- */

static int open_output(run *r, output *out) {
  const char *path = out->path;
  for (size_t i = 0; path != NULL && i < r->contest.files.count; i++)
    if (files_same(path, r->contest.files.items[i].path))
      return cli_fail("%s: holds the queries and would be replaced; write to another file", path);
  if (path != NULL && r->options.truth != NULL && files_same(path, r->options.truth))
    return cli_fail("%s: holds the truth and would be replaced; write to another file", path);
  return output_open(r->contest.context, out);
}

static int open_outputs(run *r) {
  if (r->options.out != NULL && r->contest.count > 1)
    return cli_fail("--out takes the answers of one method; name it with --method");
  int result = open_output(r, &r->outputs[ANSWERS]);
  if (result == EXIT_DONE)
    result = open_output(r, &r->outputs[CERTIFICATES]);
  if (result == EXIT_DONE && output_is_open(&r->outputs[ANSWERS])) {
    toi_status status = answers_header(&r->outputs[ANSWERS]);
    result = status == TOI_OK ? EXIT_DONE : session_fail(r->contest.context, status, NULL);
  }
  return result;
}

static int read_truth(run *r) {
  if (r->options.truth == NULL)
    return EXIT_DONE;
  if (r->contest.files.count != 1)
    return cli_fail("--truth is for one query file, but there are %zu; run toi query once per file",
                    r->contest.files.count);
  const char *path = r->options.truth;
  toi_status status = toi_truth_read(r->contest.context, path, &r->truth);
  if (status == TOI_OK)
    return EXIT_DONE;
  return session_fail(r->contest.context, status, status == TOI_ERROR_MEMORY ? path : NULL);
}

static int prepare(run *r) {
  contest *c = &r->contest;
  text_list plugins = {0};
  r->outputs[ANSWERS] = (output){.option = "--out", .path = r->options.out};
  r->outputs[CERTIFICATES] = (output){.option = "--certificates", .path = r->options.certificates};
  int result = outputs_check(r->outputs, OUTPUTS, r->options.json);
  if (result == EXIT_DONE)
    result = session_open_on(r->options.threads, r->options.memory, &r->options.device, &c->context);
  if (result == EXIT_DONE)
    result = contest_load(c, &r->options.plugins, &plugins);
  if (result == EXIT_DONE)
    result = contest_enter(c, r->options.method, &plugins, &r->options.asked.toi);
  if (result == EXIT_DONE)
    result = files_collect(r->options.paths, r->options.path_count, r->options.kind, &c->files);
  if (result == EXIT_DONE)
    result = read_truth(r);
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
    return cli_fail("%s: the truth of %zu queries, but %s has %zu; give the truth of that file", r->options.truth,
                    r->truth.count, c->files.items[file].path, set->count);
  }
  *truth = (truth_view){.hit = r->truth.hit, .t_lo = r->truth.t_lo, .t_hi = r->truth.t_hi};
  return EXIT_DONE;
}

static toi_status take_answers(contest *c, const toi_hit *hits, size_t count) {
  run *r = c->user;
  output *out = &r->outputs[ANSWERS];
  // Rows are numbered by the first rank, which alone knows how many come before.
  if (spread_rank() > 0)
    return output_is_open(out) ? contest_hold(c, hits, count) : TOI_OK;
  toi_status status = output_is_open(out) ? answers_append(out, hits, count, r->answered) : TOI_OK;
  r->answered += count;
  return status;
}

static toi_status take_file(contest *c, const query_file *file, const toi_query_set *set) {
  run *r = c->user;
  output *out = &r->outputs[CERTIFICATES];
  if (!output_is_open(out))
    return TOI_OK;
  return certificates_append(c->context, out, file->kind, set->queries, set->count, &r->options.asked.toi);
}

/* --- the end --- */

static int finish(run *r) {
  contest *c = &r->contest;
  int result = contest_finish(c);
  if (result != EXIT_DONE)
    return result;
  bool all = r->options.method != NULL && strcmp(r->options.method, "all") == 0, table;
  const report found = {.entries = c->entries,
                        .count = c->count,
                        .files = &c->files,
                        .threads = toi_context_threads(c->context),
                        .list = all || c->count > 1,
                        .levels = r->options.counters};
  result = outputs_finish(c->context, r->outputs, OUTPUTS, r->options.json ? report_json(&found) : NULL, &table);
  if (result != EXIT_DONE)
    return result;
  if (table)
    report_table(&found);
  bool touched = false;
  for (size_t i = 0; i < c->count; i++)
    touched |= c->entries[i].total.verdicts[TOI_HIT] + c->entries[i].total.verdicts[TOI_NEAR] > 0;
  return r->options.fail_on_hit && touched ? EXIT_FINDING : EXIT_DONE;
}

static void run_free(run *r) {
  outputs_discard(r->outputs, OUTPUTS);
  toi_truth_free(r->contest.context, &r->truth);
  contest_free(&r->contest);
}

int command_query(int argc, char **argv) {
  run *r = memory_zeroed(1, sizeof *r);
  if (r == NULL)
    return memory_fail("the command", "close other programs");
  parse_result parsed = query_options_parse(argc, argv, &r->options);
  if (parsed != PARSE_FINE) {
    memory_free(r);
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  }
  r->contest.repeat = r->options.repeat;
  r->contest.samples = r->options.samples;
  r->contest.user = r;
  r->contest.find_truth = find_truth;
  r->contest.take_answers = take_answers;
  r->contest.take_file = take_file;
  r->contest.written = &r->outputs[CERTIFICATES];
  progress_start();
  int result = spread_agree(prepare(r));
  if (result == EXIT_DONE)
    result = contest_run(&r->contest);
  if (result == EXIT_DONE && spread_rank() == 0)
    result = finish(r);
  run_free(r);
  memory_free(r);
  return result;
}
