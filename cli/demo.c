/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi demo`: its command line, and which of the demonstrations it means. */

#include "demo.h"

#include <string.h>

#include "commands.h"
#include "files.h"
#include "options.h"
#include "progress.h"
#include "scenes/drape.h"

#define DEFAULT_COUNT 100000
#define DEFAULT_SIZE 48
#define NOT_GIVEN UINT64_MAX

/* Queries of one kind are numbered below 2^40. */
#define COUNT_MAX 1000000000000

static const char notes[] =
    "Without --queries: a cloth falls over a ball and through three rings, in one fast step; the first impact and all\n"
    "collisions are found. --grazing, --count, --out and --certificates imply --queries.\n"
    "Exit code 1: an answer is wrong.\n";

/* Queries with known answers are made by GMP's rationals. */
#ifdef TOI_WITHOUT_GMP
static int run_queries(const demo_options *options) {
  (void)options;
  return cli_fail("queries with known answers need GMP, and this toi was built without it (TOI_WITH_GMP=OFF); leave "
                  "--queries, --grazing, --count, --out and --certificates out, or build toi with GMP");
}
#else
static int run_queries(const demo_options *options) {
  return demo_queries(options);
}
#endif

/* What is wrong with the values; NULL if nothing is. */
static const char *fault(const demo_options *o) {
  if (o->queries && (o->size != NOT_GIVEN || o->write != NULL))
    return "--size and --write are for the scene, the other options for queries; leave one or the other out";
  if (o->grazing && (o->out != NULL || o->certificates != NULL))
    return "--grazing uses many separations, which --out and --certificates cannot store; leave them out";
  if (o->count != NOT_GIVEN && (o->count == 0 || o->count > COUNT_MAX))
    return "--count must lie between 1 and 1000000000000";
  if (o->size != NOT_GIVEN && (o->size < DRAPE_SIZE_MIN || o->size > DRAPE_SIZE_MAX))
    return "--size must lie between 4 and 2000";
  return NULL;
}

static parse_result parse(int argc, char **argv, demo_options *o) {
  const cli_option options[] = {
      {"--size", OPTION_NUMBER, &o->size, "N",
       "squares along a side of the cloth, 4 to 2000 (default 48: about 8,000 triangles in all)"},
      {"--seed", OPTION_NUMBER, &o->seed, "S",
       "seed of the random numbers that the scene or the queries are made from (default 1)"},
      {"--write", OPTION_TEXT, &o->write, "DIR",
       "writes the scene to DIR/frame0.ply and DIR/frame1.ply, for toi step, and a picture of the first impact"},
      {"--queries", OPTION_FLAG, &o->queries, NULL,
       "decides queries whose answers are known by construction, many of them degenerate, by the methods certified and "
       "exact"},
      {"--grazing", OPTION_FLAG, &o->grazing, NULL,
       "queries with a minimum separation, in both norms, whose smallest distance is exactly that, or a little more or "
       "less"},
      {"--count", OPTION_NUMBER, &o->count, "N", "queries in all, the same number of each class (default 100000)"},
      {"--out", OPTION_TEXT, &o->out, "FILE.csv|.bin",
       "writes the queries to FILE-vf and FILE-ee; .csv with the truth"},
      {"--certificates", OPTION_TEXT, &o->certificates, "FILE",
       "proves the first 64 queries of each class and kind and writes certificates for toi-verify; -: to standard "
       "output"},
      {"--memory", OPTION_SIZE, &o->memory, "BYTES",
       "hard limit for the memory of the work, the scene or queries themselves excluded, such as 64M (default: three "
       "quarters of the machine's memory)"},
      {"--threads", OPTION_NUMBER, &o->threads, "N", "number of threads; 0: one per processor (default)"},
      {"--json", OPTION_FLAG, &o->json, NULL, "prints one JSON object instead of a table"},
      {0},
  };
  const cli_command command = {"demo", "", "Shows what the library does, on a generated scene or on generated queries.",
                               options, notes};
  int count;
  parse_result parsed = options_parse(&command, argc, argv, &count);
  if (parsed != PARSE_FINE)
    return parsed;
  if (count > 0) {
    cli_fail("%s: toi demo takes no arguments; leave it out", argv[0]);
    return PARSE_FAILED;
  }
  if (o->out != NULL && strcmp(o->out, "-") == 0) {
    cli_fail("--out -: queries are written to two files, not to standard output; give a name");
    return PARSE_FAILED;
  }
  if (o->write != NULL && (strcmp(o->write, "-") == 0 || o->write[0] == '\0')) {
    cli_fail("--write needs a directory for two files, not standard output; give its name");
    return PARSE_FAILED;
  }
  if (o->out != NULL && !path_ends(o->out, ".csv") && !path_ends(o->out, ".bin")) {
    cli_fail("--out %s: queries are written to .csv or .bin; change the name", o->out);
    return PARSE_FAILED;
  }
  o->queries |= o->grazing || o->count != NOT_GIVEN || o->out != NULL || o->certificates != NULL;
  const char *sentence = fault(o);
  if (sentence != NULL) {
    cli_fail("%s", sentence);
    return PARSE_FAILED;
  }
  o->count = o->count != NOT_GIVEN ? o->count : DEFAULT_COUNT;
  o->size = o->size != NOT_GIVEN ? o->size : DEFAULT_SIZE;
  return PARSE_FINE;
}

int command_demo(int argc, char **argv) {
  demo_options options = {.seed = 1, .size = NOT_GIVEN, .count = NOT_GIVEN};
  parse_result parsed = parse(argc, argv, &options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  return options.queries ? run_queries(&options) : demo_scene(&options);
}
