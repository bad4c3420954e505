/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh in parts: what reading, dealing out and asking take on this many ranks, beside a loop that computes and
 * nothing else, of which each rank has its share. docs/scaling.md has the figures. mpirun -n N toi-bench-cluster START
 * END [TIMES [THREADS]]    each call so often, the least time of it */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <toi/cluster.h>

/* Additions of the loop on all ranks together: about a second. */
#define LOOP 400000000.0

/* Figures that the slowest rank decides, and sums over ranks. */
enum {
  LOOP_WALL,
  LOOP_CPU,
  READ_WALL,
  READ_CPU,
  DEAL_WALL,
  ALL_WALL,
  ALL_CPU,
  STEP_WALL,
  STEP_CPU,
  MEMORY,
  READ_MEMORY,
  DEAL_MEMORY,
  FACES,
  LARGEST
};
enum { PAIRS, SENT, HITS, SUMS };

typedef struct run {
  toi_context *context;
  toi_cluster *cluster;
  toi_cluster_frames frames;
  int times;
  double largest[LARGEST];
  uint64_t sums[SUMS];
  double busiest; /* pairs of this rank */
} run;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double wall(void) {
  return seconds(CLOCK_MONOTONIC);
}

static double cpu(void) {
  return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* All begin at once. */
static void line_up(run *r) {
  uint64_t nothing = 0;
  toi_cluster_sum(r->cluster, &nothing, 1);
}

static double least(double a, double b) {
  return a < b ? a : b;
}

static void time_loop(run *r) {
  volatile double kept;
  line_up(r);
  const double begin = wall(), busy = cpu();
  double sum = 0;
  const long rounds = (long)(LOOP / toi_cluster_ranks(r->cluster));
  for (long i = 0; i < rounds; i++)
    sum = sum * 0.5 + (double)i;
  kept = sum;
  (void)kept;
  r->largest[LOOP_WALL] = wall() - begin;
  r->largest[LOOP_CPU] = cpu() - busy;
}

static double peak_megabytes(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  unsigned long long kilobytes = 0;
  while (file != NULL && kilobytes == 0 && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, "VmHWM:", 6) == 0)
      kilobytes = strtoull(line + 6, NULL, 10);
  if (file != NULL)
    fclose(file);
  return (double)kilobytes / 1000;
}

static toi_status count(void *user, const toi_cluster_collision *collisions, size_t number) {
  (void)collisions;
  ((run *)user)->sums[HITS] += number;
  return TOI_OK;
}

static toi_status read_mesh(run *r, const char *start, const char *end) {
  toi_cluster_part extra;
  toi_cluster_part_init(&extra, sizeof extra);
  const toi_options options = toi_default_options();
  line_up(r);
  double begin = wall();
  const double busy = cpu();
  toi_status status = toi_cluster_read(r->cluster, start, end, &extra, NULL, &r->frames);
  r->largest[READ_WALL] = wall() - begin;
  if (status != TOI_OK)
    return status;
  r->largest[READ_MEMORY] = peak_megabytes();
  begin = wall();
  status = toi_cluster_rebalance(r->cluster, &extra, &options, &r->frames);
  r->largest[DEAL_WALL] = wall() - begin;
  r->largest[READ_CPU] = cpu() - busy;
  r->largest[DEAL_MEMORY] = peak_megabytes();
  return status;
}

static toi_status ask(run *r) {
  const toi_positions positions = toi_cluster_frames_positions(&r->frames);
  toi_status status = TOI_OK;
  r->largest[ALL_WALL] = r->largest[ALL_CPU] = r->largest[STEP_WALL] = r->largest[STEP_CPU] = 1e300;
  for (int i = 0; i < r->times && status == TOI_OK; i++) {
    toi_cluster_impact impact;
    line_up(r);
    double begin = wall(), busy = cpu();
    status = toi_cluster_step(r->cluster, &positions, NULL, &impact);
    r->largest[STEP_WALL] = least(r->largest[STEP_WALL], wall() - begin);
    r->largest[STEP_CPU] = least(r->largest[STEP_CPU], cpu() - busy);
    if (status != TOI_OK)
      break;
    r->sums[HITS] = 0;
    line_up(r);
    begin = wall();
    busy = cpu();
    status = toi_cluster_collisions(r->cluster, &positions, NULL, false, count, r);
    r->largest[ALL_WALL] = least(r->largest[ALL_WALL], wall() - begin);
    r->largest[ALL_CPU] = least(r->largest[ALL_CPU], cpu() - busy);
  }
  const toi_cluster_work work = toi_cluster_last_work(r->cluster);
  r->largest[FACES] = (double)work.halo_faces;
  r->sums[SENT] = work.bytes_sent;
  for (int kind = 0; kind < TOI_COUNTERS; kind++)
    r->sums[PAIRS] += work.candidates[kind];
  r->busiest = (double)r->sums[PAIRS];
  r->largest[MEMORY] = peak_megabytes();
  return status;
}

static void print(const run *r) {
  const int ranks = toi_cluster_ranks(r->cluster);
  const toi_cluster_counts counts = toi_cluster_count(r->cluster);
  const double mean = (double)(r->sums[PAIRS] > 0 ? r->sums[PAIRS] : 1) / ranks, *l = r->largest;
  printf("{\"ranks\": %d, \"threads\": %u, \"faces\": %llu, \"candidates\": %llu, \"hits\": %llu, \"busiest\": %.4f, "
         "\"halo_faces\": %.0f, \"sent\": %llu, \"loop_s\": %.3f, \"loop_cpu_s\": %.3f, \"read_s\": %.3f, \"deal_s\": "
         "%.3f, \"read_cpu_s\": "
         "%.3f, \"collisions_s\": %.3f, \"collisions_cpu_s\": %.3f, \"step_s\": %.3f, \"step_cpu_s\": %.3f, "
         "\"peak_mb\": %.1f, \"read_mb\": %.1f, \"deal_mb\": %.1f}\n",
         ranks, toi_context_threads(r->context), (unsigned long long)counts.faces, (unsigned long long)r->sums[PAIRS],
         (unsigned long long)r->sums[HITS], r->busiest / mean, l[FACES], (unsigned long long)r->sums[SENT],
         l[LOOP_WALL], l[LOOP_CPU], l[READ_WALL], l[DEAL_WALL], l[READ_CPU], l[ALL_WALL], l[ALL_CPU], l[STEP_WALL],
         l[STEP_CPU], l[MEMORY], l[READ_MEMORY], l[DEAL_MEMORY]);
}

static toi_status measure(run *r, char **argv) {
  time_loop(r);
  toi_status status = read_mesh(r, argv[1], argv[2]);
  if (status == TOI_OK)
    status = ask(r);
  if (status != TOI_OK)
    return status;
  toi_cluster_sum(r->cluster, r->sums, SUMS);
  toi_cluster_largest(r->cluster, r->largest, LARGEST);
  toi_cluster_largest(r->cluster, &r->busiest, 1);
  if (toi_cluster_rank(r->cluster) == 0)
    print(r);
  return TOI_OK;
}

int main(int argc, char **argv) {
  run r = {.times = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 3};
#ifdef __GLIBC__
  // Peaks are those of what is held, not of what the C library keeps.
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
  toi_context_options options = toi_default_context_options();
  options.memory_budget = (uint64_t)8 << 30;
  options.threads = argc > 4 ? (uint32_t)strtol(argv[4], NULL, 10) : 1;
  toi_status status = argc > 2 ? toi_cluster_begin() : TOI_ERROR_INPUT;
  if (status == TOI_OK)
    status = toi_context_create(&options, &r.context);
  if (status == TOI_OK)
    status = toi_cluster_create(r.context, NULL, &r.cluster);
  if (status == TOI_OK)
    status = measure(&r, argv);
  if (status != TOI_OK && (r.cluster == NULL || toi_cluster_rank(r.cluster) == 0))
    fprintf(stderr, "%s\n", r.cluster != NULL ? toi_cluster_error(r.cluster) : toi_status_text(status));
  toi_cluster_frames_free(&r.frames);
  toi_cluster_destroy(r.cluster);
  toi_context_destroy(r.context);
  toi_cluster_end();
  return status == TOI_OK ? 0 : 1;
}
