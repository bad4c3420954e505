/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command line of `toi query`: the table of its options, and what their values must be. */

#include "query_options.h"

#include <math.h>
#include <string.h>

#include "files.h"

#define DEFAULT_SAMPLES 200000

static const char notes[] =
    "Query files: .csv and .csv.gz (8 rows per query: numerator and denominator of x, y, z, optionally the truth),\n"
    ".bin (24 little-endian doubles per query). Directories are read in sorted order; files that are not query files\n"
    "are skipped there. Points, at the start and then at the end: v f0 f1 f2 (vf), ea0 ea1 eb0 eb1 (ee).\n\n"
    "ns/query is the wall time of the batch call per query, without reading, after a warm-up call. p50, p99 and max "
    "are\n"
    "of single calls, each the shortest of five, without the cost of reading the clock. FP counts hit or near where\n"
    "nothing touches, FN miss where something does, brackets those that do not contain the true time. With a\n"
    "separation, the truth in a query file says only which queries must be hits; --truth gives the truth of the very\n"
    "question that is asked.\n";

static const char purpose[] =
    "Decides queries: do a vertex and a face, or two edges, touch while they move, and when do they first touch?";

static parse_result parse(int argc, char **argv, query_options *q) {
  const cli_option options[] = {
      {"--kind", OPTION_TEXT, &q->kind, "vf|ee",
       "vertex-face or edge-edge (default: as the last part of the path that names a kind says)"},
      {"--method", OPTION_TEXT, &q->method, "NAME,...|all",
       "methods that toi methods lists, or plug-ins (default certified)"},
      {"--min-separation", OPTION_REAL, &q->asked.toi.min_separation, "D", "contact is distance <= D (default 0)"},
      QUESTION_OPTIONS(&q->asked),
      {"--threads", OPTION_NUMBER, &q->threads, "N", "number of threads; 0: one per processor (default)"},
      {"--memory", OPTION_SIZE, &q->memory, "BYTES", MEMORY_HELP},
      DEVICE_OPTIONS(&q->device, "answers interval-queue"),
      {"--truth", OPTION_TEXT, &q->truth, "FILE",
       "truth of the only query file: a JSON list of booleans, or CSV hit,toi_lo,toi_hi; either may be gzipped"},
      {"--out", OPTION_TEXT, &q->out, "FILE",
       "writes the answers as CSV index,verdict,t_lo,t_hi,u,v, the index counted over all files in the order of the "
       "report; -: to standard output, without the table"},
      {"--certificates", OPTION_TEXT, &q->certificates, "FILE",
       "proves every query and writes certificates for toi-verify; -: to standard output"},
      {"--plugin", OPTION_LIST, &q->plugins, "FILE.so", "loads a plug-in method and runs it; may be repeated"},
      {"--repeat", OPTION_NUMBER, &q->repeat, "N", "answers each file N times and gives the mean time (default 1)"},
      {"--samples", OPTION_NUMBER, &q->samples, "N",
       "queries of each file to time one by one, evenly spread, for p50, p99 and max; 0: none (default 200000)"},
      {"--fail-on-hit", OPTION_FLAG, &q->fail_on_hit, NULL, "exits with 1 unless every query is proved to miss"},
      {"--counters", OPTION_FLAG, &q->counters, NULL, "shows how many queries each level of the cascade decided"},
      {"--json", OPTION_FLAG, &q->json, NULL, "prints one JSON object instead of a table"},
      {0},
  };
  const cli_command command = {"query", "FILE|DIR...", purpose, options, notes};
  q->paths = argv;
  return options_parse(&command, argc, argv, &q->path_count);
}

/* What is wrong with the values; NULL if nothing is. */
static const char *fault(query_options *q) {
  const toi_options *o = &q->asked.toi;
  if (q->path_count == 0)
    return "toi query needs a file or a directory; see toi query --help";
  if (q->kind != NULL && kind_from_name(q->kind) == TOI_KIND_COUNT)
    return "--kind must be vf or ee";
  if (!(o->min_separation >= 0) || isinf(o->min_separation))
    return "--min-separation must be finite and not negative";
  const char *sentence = question_fault(&q->asked);
  if (sentence != NULL)
    return sentence;
  if (o->min_separation > 0 && o->separation_fraction > 0)
    return "--min-separation and --separation-fraction exclude each other; give one";
  return repeat_fault(q->repeat);
}

parse_result query_options_parse(int argc, char **argv, query_options *q) {
  memset(q, 0, sizeof *q);
  q->asked = question_default();
  q->repeat = 1;
  q->samples = DEFAULT_SAMPLES;
  parse_result parsed = parse(argc, argv, q);
  if (parsed != PARSE_FINE)
    return parsed;
  const char *sentence = fault(q);
  if (sentence != NULL) {
    cli_fail("%s", sentence);
    return PARSE_FAILED;
  }
  return PARSE_FINE;
}
