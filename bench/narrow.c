/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What limits the narrow phase: `toi-bench-narrow vf|ee FILE.bin...`.
 *
 * For each file of queries, in one run: the cost of streaming the queries through one core (one load for each cache
 * line), the same with the answers written behind them, the method `certified` on one thread, and its gain on two
 * threads beside the gain of a pure compute loop. The best of several rounds each, taken in turn, so that a busy moment
 * of the machine does not fall on one of them only. To compare with other methods use `toi query --plugin`. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

#define ROUNDS 9
#define COMPUTE_STEPS 20000000

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what) {
  fprintf(stderr, "toi-bench-narrow: %s\n", what);
  exit(2);
}

/* What one file is measured on. */
typedef struct subject {
  toi_kind kind;
  toi_query_set set;
  toi_hit *hits;
  toi_context *contexts[2]; /* one thread, two threads */
} subject;

/* Best seconds so far. */
typedef struct figures {
  double stream, stream_write, certified[2], compute[2];
} figures;

static void keep_best(double *best, double seconds) {
  if (*best == 0 || seconds < *best)
    *best = seconds;
}

/* One load for each cache line of the queries. */
static double stream(const subject *s) {
  const volatile double *x = s->set.queries;
  double begin = now(), sum = 0;
  for (size_t i = 0; i < s->set.count * 24; i += 8)
    sum += x[i];
  double seconds = now() - begin;
  if (sum == 0.123456789)
    die("an impossible sum");
  return seconds;
}

/* The same, and an answer's bytes written for each query. */
static double stream_write(const subject *s) {
  const volatile double *x = s->set.queries;
  toi_hit answer;
  memset(&answer, 0, sizeof(answer));
  double begin = now();
  for (size_t i = 0; i < s->set.count; i++) {
    answer.t_lo = x[24 * i] + x[24 * i + 8] + x[24 * i + 16];
    s->hits[i] = answer;
  }
  return now() - begin;
}

static double certified(const subject *s, int threads) {
  toi_options options = toi_default_options();
  double begin = now();
  if (toi_batch(s->contexts[threads - 1], s->kind, s->set.queries, s->set.count, &options, s->hits) != TOI_OK)
    die(toi_context_error(s->contexts[threads - 1]));
  return now() - begin;
}

/* A chain of multiplications that touches no memory. */
static void *compute_loop(void *user) {
  volatile double *out = user;
  double x = 1.0000001;
  for (int i = 0; i < COMPUTE_STEPS; i++)
    x = x * 1.0000001 + 1e-9;
  *out = x;
  return NULL;
}

/* Seconds for `threads` compute loops at once. */
static double compute(int threads) {
  double sink[2];
  pthread_t other;
  double begin = now();
  if (threads == 2 && pthread_create(&other, NULL, compute_loop, &sink[1]) != 0)
    die("cannot start a thread");
  compute_loop(&sink[0]);
  if (threads == 2)
    pthread_join(other, NULL);
  return now() - begin;
}

static figures measure(const subject *s) {
  figures best = {0};
  for (int round = 0; round < ROUNDS; round++) {
    keep_best(&best.stream, stream(s));
    keep_best(&best.stream_write, stream_write(s));
    for (int threads = 1; threads <= 2; threads++) {
      keep_best(&best.certified[threads - 1], certified(s, threads));
      keep_best(&best.compute[threads - 1], compute(threads));
    }
  }
  return best;
}

static void report(const char *path, const subject *s, const figures *f) {
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  double n = 1e-9 * (double)s->set.count;
  double gain = f->certified[0] / f->certified[1], pure = 2 * f->compute[0] / f->compute[1];
  printf("%-28s %9zu %8.1f %8.1f %10.1f %8.2f %8.2f %10.2f %8.2f %8.2f\n", name, s->set.count, f->stream / n,
         f->stream_write / n, f->certified[0] / n, f->certified[0] / f->stream, f->certified[0] / f->stream_write, gain,
         pure, gain / pure);
}

static void bench_file(toi_kind kind, const char *path, toi_context *contexts[2]) {
  subject s = {.kind = kind, .contexts = {contexts[0], contexts[1]}};
  if (toi_queries_read(contexts[0], path, &s.set) != TOI_OK)
    die(toi_context_error(contexts[0]));
  s.hits = calloc(s.set.count, sizeof(*s.hits));
  if (!s.hits)
    die("out of memory");
  figures f = measure(&s);
  report(path, &s, &f);
  free(s.hits);
  toi_queries_free(contexts[0], &s.set);
}

int main(int argc, char **argv) {
  if (argc < 3 || (strcmp(argv[1], "vf") != 0 && strcmp(argv[1], "ee") != 0))
    die("usage: toi-bench-narrow vf|ee FILE...");
  toi_kind kind = strcmp(argv[1], "vf") == 0 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
  toi_context *contexts[2] = {NULL, NULL};
  for (uint32_t i = 0; i < 2; i++) {
    toi_context_options options = toi_default_context_options();
    options.threads = i + 1;
    options.memory_budget = UINT64_C(1) << 34;
    if (toi_context_create(&options, &contexts[i]) != TOI_OK)
      die("cannot make a context");
  }
  printf("libtoi %s, nanoseconds per query, best of %d rounds\n", toi_version(), ROUNDS);
  printf("%-28s %9s %8s %8s %10s %8s %8s %10s %8s %8s\n", "file", "queries", "stream", "+answers", "certified", "ratio",
         "ratio+", "2 threads", "compute", "share");
  for (int i = 2; i < argc; i++)
    bench_file(kind, argv[i], contexts);
  for (int i = 0; i < 2; i++)
    toi_context_destroy(contexts[i]);
  return 0;
}
