/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How long proofs take at most: `toi-bench-prove [--queries N] [--seed S] [vf|ee FILE...]`.
 *
 * N queries of the planted mixture (what `toi demo --queries` draws from), N with exponents from the whole range of
 * doubles, and those of the files: each proved without a certificate, with one, and the certificate checked by the code
 * of toi-verify. CPU time of the thread, the least of three runs of each query; the median, the 99th percentile and the
 * largest over all queries of a set are printed, with the number that is above 10 ms and the index of the slowest.
 *
 * Exit 0 if no proof takes longer than 10 ms, 1 if one does, 2 if something fails. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

#include "planted/planted.h"
#include "planted/wide.h"
#include "verify/verify.h"

#define RUNS 3
#define LIMIT_SECONDS 0.010
#define DEFAULT_QUERIES 100000

enum { NUMBER, CERTIFICATE, CHECK, MEASURES };

static const char *const measure_names[MEASURES] = {"number", "certificate", "check"};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what) {
  fprintf(stderr, "toi-bench-prove: %s\n", what);
  exit(2);
}

/* Where the queries of a set come from. */
typedef struct source {
  const char *name;
  toi_kind (*make)(const struct source *source, size_t index, double points[24]);
  uint64_t seed;
  toi_kind kind;        /* of a file */
  const double *points; /* of a file */
  size_t count;
} source;

static toi_kind make_planted(const source *from, size_t index, double points[24]) {
  // The kinds in turn, more of those that have files.
  static const toi_kind kinds[] = {TOI_VERTEX_FACE, TOI_EDGE_EDGE,   TOI_VERTEX_FACE,
                                   TOI_EDGE_EDGE,   TOI_VERTEX_EDGE, TOI_VERTEX_VERTEX};
  planted_query query;
  planted_mixed(kinds[index % 6], from->seed, index, &query);
  memcpy(points, query.points, sizeof query.points);
  return query.kind;
}

static toi_kind make_wide(const source *from, size_t index, double points[24]) {
  return planted_wide(PLANTED_ANY, from->seed, index, points);
}

static toi_kind make_from_file(const source *from, size_t index, double points[24]) {
  memcpy(points, from->points + 24 * index, 24 * sizeof *points);
  return from->kind;
}

/* Seconds of one run of each measure. */
static void run(toi_context *context, toi_kind kind, const double *points, double seconds[MEASURES]) {
  const toi_options options = toi_default_options();
  for (int i = NUMBER; i <= CERTIFICATE; i++) {
    const toi_proof_request request = i == NUMBER ? TOI_PROOF_NUMBER : TOI_PROOF_CERTIFICATE;
    toi_proof *proof = NULL;
    const double begin = now();
    const toi_status status =
        toi_prove(context, kind, points, points + (size_t)3 * toi_kind_points(kind), &options, request, &proof);
    seconds[i] = now() - begin;
    if (status != TOI_OK)
      die(toi_context_error(context));
    if (i == CERTIFICATE) {
      verify_report report = {0};
      const double start = now();
      if (verify_text(proof->certificate, strlen(proof->certificate), &report) != VERIFY_ACCEPTED)
        die("a certificate is rejected");
      seconds[CHECK] = now() - start;
    }
    toi_proof_free(context, proof);
  }
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints one line; returns whether all are within the limit. */
static bool report(const source *from, int measure, double *seconds) {
  const size_t n = from->count;
  size_t slowest = 0, above = 0;
  for (size_t i = 0; i < n; i++) {
    slowest = seconds[i] > seconds[slowest] ? i : slowest;
    above += seconds[i] > LIMIT_SECONDS;
  }
  qsort(seconds, n, sizeof *seconds, compare);
  printf("%-40s %-12s %8zu %9.4f %9.4f %9.4f %8zu %9zu\n", from->name, measure_names[measure], n, 1e3 * seconds[n / 2],
         1e3 * seconds[n - 1 - n / 100], 1e3 * seconds[n - 1], above, slowest);
  return measure == CHECK || above == 0;
}

static bool bench(toi_context *context, const source *from) {
  if (from->count == 0)
    return true;
  double *seconds[MEASURES];
  for (int m = 0; m < MEASURES; m++) {
    seconds[m] = malloc(from->count * sizeof(double));
    if (seconds[m] == NULL)
      die("out of memory");
  }
  for (size_t i = 0; i < from->count; i++) {
    double points[24], one[MEASURES];
    const toi_kind kind = from->make(from, i, points);
    for (int r = 0; r < RUNS; r++) {
      run(context, kind, points, one);
      for (int m = 0; m < MEASURES; m++)
        seconds[m][i] = r == 0 || one[m] < seconds[m][i] ? one[m] : seconds[m][i];
    }
  }
  bool good = true;
  for (int m = 0; m < MEASURES; m++) {
    good = report(from, m, seconds[m]) && good;
    free(seconds[m]);
  }
  return good;
}

static bool bench_file(toi_context *context, toi_kind kind, const char *path) {
  toi_query_set set;
  if (toi_queries_read(context, path, &set) != TOI_OK)
    die(toi_context_error(context));
  const size_t length = strlen(path);
  const source from = {.name = length > 40 ? path + length - 40 : path,
                       .make = make_from_file,
                       .kind = kind,
                       .points = set.queries,
                       .count = set.count};
  const bool good = bench(context, &from);
  toi_queries_free(context, &set);
  return good;
}

static uint64_t number_of(const char *text) {
  char *end;
  const uint64_t value = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0')
    die("--queries and --seed need a whole number");
  return value;
}

int main(int argc, char **argv) {
  uint64_t queries = DEFAULT_QUERIES, seed = 1;
  int at = 1;
  for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
    if (strcmp(argv[at], "--queries") == 0)
      queries = number_of(argv[at + 1]);
    else if (strcmp(argv[at], "--seed") == 0)
      seed = number_of(argv[at + 1]);
    else
      die("usage: toi-bench-prove [--queries N] [--seed S] [vf|ee FILE...]");
  toi_context *context;
  if (toi_context_create(NULL, &context) != TOI_OK)
    die("no context");
  (void)setvbuf(stdout, NULL, _IOLBF, 0);
  printf("%-40s %-12s %8s %9s %9s %9s %8s %9s\n", "set", "measure", "queries", "p50 ms", "p99 ms", "max ms", "> 10 ms",
         "slowest");
  const source mixture = {.name = "planted mixture", .make = make_planted, .seed = seed, .count = queries};
  const source wide = {.name = "exponents from the whole range", .make = make_wide, .seed = seed, .count = queries};
  bool good = bench(context, &mixture);
  good = bench(context, &wide) && good;
  toi_kind kind = TOI_VERTEX_FACE;
  for (; at < argc; at++)
    if (strcmp(argv[at], "vf") == 0 || strcmp(argv[at], "ee") == 0)
      kind = strcmp(argv[at], "vf") == 0 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
    else
      good = bench_file(context, kind, argv[at]) && good;
  toi_context_destroy(context);
  return good ? 0 : 1;
}
