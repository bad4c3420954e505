/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi bench`: any methods on any sets of queries, side by side: who errs, how tight the times are, how long it takes.
 *
 * One thread, so that the figures of methods compare. The truth is what lies beside the files, or the answers of the
 * method `exact` in the same run, which know every separation. */

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "memory.h"
#include "progress.h"
#include "question.h"
#include "session.h"
#include "spread.h"

#define DEFAULT_SAMPLES 100000
#define SAMPLE_SECONDS 2.0
#define SEPARATIONS_MAX 16

typedef struct bench_options {
  question asked;
  const char *method, *kind, *separations, *truth_by, *plot, *csv;
  text_list plugins;
  uint64_t repeat, samples, limit, memory;
  session_device device;
  bool pool, json, markdown, wide;
  char **paths;
  int path_count;

  /* Settled: one question for each separation. */
  toi_options questions[SEPARATIONS_MAX + 1];
  size_t question_count;
} bench_options;

/* The truth of one file. */
typedef struct known {
  size_t file, question; /* of which this is the truth */
  bool any;
  toi_truth read; /* from a file */
  uint8_t *hit;   /* or of `exact` */
  double *t_lo, *t_hi;
  size_t capacity;
} known;

enum { PLOT, CSV, OUTPUTS };

typedef struct bench {
  bench_options options;
  contest contest;
  bench_sets sets;
  known known;
  tally *tallies;
  output outputs[OUTPUTS];
} bench;

/* --- truth --- */

static bool separated(const toi_options *options) {
  return options->min_separation > 0 || options->separation_fraction > 0;
}

static int reserve_truth(known *k, size_t count) {
  if (count <= k->capacity)
    return EXIT_DONE;
  memory_free(k->hit);
  memory_free(k->t_lo);
  memory_free(k->t_hi);
  k->hit = memory_allocate(count);
  k->t_lo = memory_allocate(count * sizeof(double));
  k->t_hi = memory_allocate(count * sizeof(double));
  k->capacity = k->hit != NULL && k->t_lo != NULL && k->t_hi != NULL ? count : 0;
  return k->capacity == count ? EXIT_DONE : memory_fail("the truth", "set --limit");
}

static void keep_answers(known *k, size_t begin, const toi_hit *hits, size_t count) {
  for (size_t i = 0; i < count; i++) {
    k->hit[begin + i] = hits[i].verdict == TOI_HIT;
    k->t_lo[begin + i] = hits[i].t_lo;
    k->t_hi[begin + i] = hits[i].t_hi;
  }
}

/* What the method `exact` says, for this question. */
static int truth_by_exact(contest *c, size_t file, const toi_options *asked, const toi_query_set *set) {
  known *k = &((bench *)c->user)->known;
  int result = reserve_truth(k, set->count);
  if (result != EXIT_DONE)
    return result;
  toi_options options = *asked;
  options.method = "exact";
  options.t_max = 1;
  for (size_t begin = 0; begin < set->count; begin += c->hit_capacity) {
    const size_t left = set->count - begin, count = left < c->hit_capacity ? left : c->hit_capacity;
    toi_status status =
        toi_batch(c->context, c->files.items[file].kind, set->queries + 24 * begin, count, &options, c->hits);
    if (status != TOI_OK)
      return session_fail(c->context, status, c->files.items[file].path);
    keep_answers(k, begin, c->hits, count);
  }
  return EXIT_DONE;
}

/* What lies beside the file; the set may be a part of it. */
static int truth_by_file(contest *c, size_t file, const toi_query_set *set) {
  const bench *b = c->user;
  known *k = &((bench *)c->user)->known;
  const query_file *f = &c->files.items[file];
  char *path;
  int result = bench_truth_find(f, &path);
  if (result != EXIT_DONE || path == NULL)
    return result;
  toi_status status = toi_truth_read(c->context, path, &k->read);
  if (status != TOI_OK) {
    result = session_fail(c->context, status, NULL);
  } else if (k->read.count < set->count || (b->options.limit == 0 && k->read.count != set->count)) {
    result = cli_fail("%s: the truth of %zu queries, but %s has %zu; remove or rename it", path, k->read.count, f->path,
                      set->count);
  }
  memory_free(path);
  const toi_truth *t = &k->read;
  for (size_t i = 0; result == EXIT_DONE && i < set->count; i++) {
    const size_t from = contest_pick(i, t->count, b->options.limit);
    t->hit[i] = t->hit[from];
    if (t->t_lo != NULL) {
      t->t_lo[i] = t->t_lo[from];
      t->t_hi[i] = t->t_hi[from];
    }
  }
  return result;
}

/* The entries of one question stand together, so that the last truth is mostly the one that is wanted. */
static int find_truth(contest *c, size_t file, size_t number, const toi_query_set *set, truth_view *truth) {
  bench *b = c->user;
  known *k = &b->known;
  const size_t asking = number / (c->count / b->options.question_count);
  const toi_options *asked = &c->entries[number].options;
  const bool exact = b->options.truth_by != NULL;
  int result = EXIT_DONE;
  if (!k->any || k->file != file || (exact && k->question != asking)) {
    toi_truth_free(c->context, &k->read);
    result = exact ? truth_by_exact(c, file, asked, set) : truth_by_file(c, file, set);
    k->any = true;
    k->file = file;
    k->question = asking;
  }
  if (exact) {
    *truth = (truth_view){.hit = k->hit, .t_lo = k->t_lo, .t_hi = k->t_hi};
    return result;
  }
  if (k->read.hit != NULL)
    *truth = (truth_view){.hit = k->read.hit, .t_lo = k->read.t_lo, .t_hi = k->read.t_hi};
  if (separated(asked)) {
    // What touches comes within d, at an earlier time; the rest may too.
    *truth = (truth_view){.hit = truth->hit, .contacts_only = truth->hit != NULL};
  }
  return result;
}

/* --- beginning and end --- */

/* Methods that do not answer a question are left out of it, unless they are all there is. */
static int leave_out_unsupported(contest *c) {
  size_t left = 0;
  const entry *refused = NULL;
  for (size_t i = 0; i < c->count; i++) {
    entry *e = &c->entries[i];
    toi_status status = toi_batch(c->context, TOI_VERTEX_FACE, NULL, 0, &e->options, NULL);
    e->unsupported = status == TOI_ERROR_UNSUPPORTED;
    if (status != TOI_OK && !e->unsupported)
      return session_fail(c->context, status, e->options.method);
    refused = e->unsupported ? e : refused;
    left += !e->unsupported;
  }
  if (left == 0 && refused != NULL)
    return cli_fail("%s does not support a separation; choose a method that does", refused->options.method);
  return EXIT_DONE;
}

static int prepare(bench *b) {
  contest *c = &b->contest;
  const bench_options *o = &b->options;
  text_list plugins = {0};
  b->outputs[PLOT] = (output){.option = "--plot", .path = o->plot};
  b->outputs[CSV] = (output){.option = "--csv", .path = o->csv};
  int result = outputs_check(b->outputs, OUTPUTS, o->json);
  if (result == EXIT_DONE)
    result = session_open_on(1, o->memory, &o->device, &c->context);
  for (size_t i = 0; result == EXIT_DONE && i < OUTPUTS; i++)
    result = output_open(c->context, &b->outputs[i]);
  if (result == EXIT_DONE)
    result = contest_load(c, &o->plugins, &plugins);
  for (size_t i = 0; result == EXIT_DONE && i < o->question_count; i++)
    result = contest_enter(c, o->method, &plugins, &o->questions[i]);
  if (result == EXIT_DONE)
    result = leave_out_unsupported(c);
  if (result == EXIT_DONE)
    result = files_collect(o->paths, o->path_count, o->kind, &c->files);
  return result == EXIT_DONE ? bench_sets_make(&c->files, o->paths, o->pool, &b->sets) : result;
}

/* Writes the files that were asked for, and what is printed. */
static int report(bench *b, const bench_result *found) {
  const bench_options *o = &b->options;
  toi_status status = TOI_OK;
  if (output_is_open(&b->outputs[CSV]))
    status = bench_csv(found, &b->outputs[CSV]);
  if (status == TOI_OK && output_is_open(&b->outputs[PLOT]))
    status = bench_draw(found, o->question_count, &b->outputs[PLOT]);
  if (status != TOI_OK)
    return session_fail(b->contest.context, status, NULL);
  bool table = false;
  const int result =
      outputs_finish(b->contest.context, b->outputs, OUTPUTS, o->json ? bench_json(found) : NULL, &table);
  if (table)
    bench_print(found, o->markdown ? BENCH_MARKDOWN : o->wide ? BENCH_WIDE : BENCH_NARROW);
  return result;
}

/* Adds up the files of each set and shows the sums. */
static int finish(bench *b) {
  contest *c = &b->contest;
  b->tallies = memory_zeroed(b->sets.count * c->count, sizeof *b->tallies);
  bool whole = b->tallies != NULL;
  for (size_t s = 0; whole && s < b->sets.count; s++) {
    const bench_set *set = &b->sets.items[s];
    for (size_t e = 0; e < c->count; e++)
      for (size_t f = 0; whole && f < set->count; f++)
        whole = tally_merge(&b->tallies[s * c->count + e], &c->entries[e].files[set->files[f]]);
  }
  if (!whole)
    return memory_fail("the times", "give a smaller --samples");
  bool separations = false;
  for (size_t i = 0; i < b->options.question_count; i++)
    separations |= separated(&b->options.questions[i]);
  const bench_result found = {.contest = c, .sets = &b->sets, .tallies = b->tallies, .separations = separations};
  progress_clear();
  return report(b, &found);
}

static void bench_free(bench *b) {
  for (size_t i = 0; b->tallies != NULL && i < b->sets.count * b->contest.count; i++)
    samples_free(&b->tallies[i].samples);
  memory_free(b->tallies);
  bench_sets_free(&b->sets);
  outputs_discard(b->outputs, OUTPUTS);
  toi_truth_free(b->contest.context, &b->known.read);
  memory_free(b->known.hit);
  memory_free(b->known.t_lo);
  memory_free(b->known.t_hi);
  contest_free(&b->contest);
}

/* --- the command line --- */

static const char notes[] =
    "Sets: the files of one scene and one kind; the scene is the last folder of the path that is not named after a\n"
    "kind and not called queries. Truth: truth/SCENE__KIND__FILE.csv.gz or mma_bool/FILE_mma_bool.json in the file's\n"
    "folder or one above it, otherwise the file's 7th column. With a separation this says only which queries must be\n"
    "hits; --truth-by exact gives the full truth.\n\n"
    "ns/query is the mean time per query of a batch call on one thread; p99 and max are of single calls. early is how\n"
    "long before the true time t_lo lies, as a fraction of the step; late counts brackets whose t_lo lies after it.\n";

static parse_result parse(int argc, char **argv, bench_options *o) {
  const cli_option options[] = {
      {"--method", OPTION_TEXT, &o->method, "NAME,...|all", "methods and plug-ins by name (default all)"},
      {"--plugin", OPTION_LIST, &o->plugins, "FILE.so", "loads a plug-in method; may be repeated"},
      {"--kind", OPTION_TEXT, &o->kind, "vf|ee",
       "vertex-face or edge-edge (default: as the last part of the path that names a kind says)"},
      {"--min-separation", OPTION_TEXT, &o->separations, "D,...",
       "runs once for each D: contact is distance <= D (default 0)"},
      QUESTION_OPTIONS(&o->asked),
      {"--truth-by", OPTION_TEXT, &o->truth_by, "exact", "uses the answers of exact as the truth"},
      {"--pool", OPTION_FLAG, &o->pool, NULL, "makes one set per argument and kind, named after the argument"},
      {"--repeat", OPTION_NUMBER, &o->repeat, "N", "answers each file N times and gives the mean time (default 1)"},
      {"--samples", OPTION_NUMBER, &o->samples, "N",
       "queries of each file to time one by one, for p99 and max, fewer if that takes more than a few seconds; 0: none "
       "(default 100000)"},
      {"--memory", OPTION_SIZE, &o->memory, "BYTES", MEMORY_HELP},
      DEVICE_OPTIONS(&o->device, "answers interval-queue"),
      {"--limit", OPTION_NUMBER, &o->limit, "N", "queries of each file to use, evenly chosen; 0: all (default)"},
      {"--plot", OPTION_TEXT, &o->plot, "FILE.svg", "draws the mean times, on a logarithmic scale"},
      {"--csv", OPTION_TEXT, &o->csv, "FILE", "writes all figures as comma-separated values"},
      {"--wide", OPTION_FLAG, &o->wide, NULL, "prints all columns, not only those that fit 100 characters"},
      {"--markdown", OPTION_FLAG, &o->markdown, NULL, "prints the table as Markdown"},
      {"--json", OPTION_FLAG, &o->json, NULL, "prints one JSON object instead of a table"},
      {0},
  };
  const cli_command command = {"bench", "FILE|DIR...",
                               "Compares methods on sets of queries: errors against the truth, tightness of the time "
                               "of impact, and time per query on one thread.",
                               options, notes};
  o->paths = argv;
  return options_parse(&command, argc, argv, &o->path_count);
}

/* One question for each separation that is given, and one for the fraction; without any, one. */
static const char *settle_questions(bench_options *o) {
  const char *text = o->separations;
  const double fraction = o->asked.toi.separation_fraction;
  o->asked.toi.separation_fraction = 0;
  while (text != NULL) {
    char *end;
    const double d = strtod(text, &end);
    if (end == text || (*end != ',' && *end != '\0') || !(d >= 0) || isinf(d))
      return "--min-separation must be finite numbers, not negative, separated by commas, such as 1e-2,1e-4";
    if (o->question_count == SEPARATIONS_MAX)
      return "--min-separation: more than 16 values; give at most 16";
    o->questions[o->question_count] = o->asked.toi;
    o->questions[o->question_count++].min_separation = d;
    text = *end == ',' ? end + 1 : NULL;
  }
  if (fraction > 0 || o->question_count == 0) {
    o->questions[o->question_count] = o->asked.toi;
    o->questions[o->question_count++].separation_fraction = fraction;
  }
  return NULL;
}

/* What is wrong with the values; NULL if nothing is. */
static const char *fault(bench_options *o) {
  if (o->path_count == 0)
    return "toi bench needs a file or a directory; see toi bench --help";
  if (o->kind != NULL && kind_from_name(o->kind) == TOI_KIND_COUNT)
    return "--kind must be vf or ee";
  if (o->truth_by != NULL && strcmp(o->truth_by, "exact") != 0)
    return "--truth-by must be exact";
  if (o->json && o->markdown)
    return "--json and --markdown exclude each other; give one";
  const char *sentence = repeat_fault(o->repeat);
  sentence = sentence != NULL ? sentence : question_fault(&o->asked);
  return sentence != NULL ? sentence : settle_questions(o);
}

int command_bench(int argc, char **argv) {
  bench *b = memory_zeroed(1, sizeof *b);
  if (b == NULL)
    return memory_fail("the command", "close other programs");
  b->options = (bench_options){.asked = question_default(), .method = "all", .repeat = 1, .samples = DEFAULT_SAMPLES};
  int result = EXIT_DONE;
  parse_result parsed = parse(argc, argv, &b->options);
  const char *sentence = parsed == PARSE_FINE ? fault(&b->options) : NULL;
  if (parsed == PARSE_FAILED || sentence != NULL) {
    result = sentence != NULL ? cli_fail("%s", sentence) : EXIT_BAD;
  } else if (parsed == PARSE_FINE) {
    contest *c = &b->contest;
    c->repeat = b->options.repeat;
    c->samples = b->options.samples;
    c->sample_seconds = SAMPLE_SECONDS;
    c->limit = b->options.limit;
    c->user = b;
    c->find_truth = find_truth;
    progress_start();
    result = spread_agree(prepare(b));
    result = result == EXIT_DONE ? contest_run(c) : result;
    result = result == EXIT_DONE && spread_rank() == 0 ? finish(b) : result;
  }
  bench_free(b);
  memory_free(b);
  return result;
}
