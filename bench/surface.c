/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* First contact of curved surfaces: `toi-bench-surface [--rounds N] [--budget N] [DIRECTORY]`.
 *
 * In one run, on one thread, the method `time-inclusion` and beside it `swept-boxes`, the traditional one: the cloth
 * on the teapot at five moments in steps of the five sizes of Chen 2024, table 2; the cloth that hangs by two corners
 * with itself; sheets of up to 102,400 patches that pass each other closely, where nearly all of it is broad phase;
 * and, from a DIRECTORY that holds them, pairs of random patches (T1.f64 to Q3.f64) and the bunny in the torus
 * (bunny_torus.f64). The baseline may need hours, so it gives up after a budget of checks: such answers are `near`, and
 * their times are lower bounds. What it answers must not contradict the other method: that fails the run. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

#include "scenes/cloth_patches.h"

#define ROUNDS_MOST 100
#define METHODS 2

static const char *const methods[METHODS] = {"time-inclusion", "swept-boxes"};

typedef struct bench {
  toi_context *context;
  int rounds;
  uint64_t budget; /* of the baseline */
  bool consistent;
} bench;

/* A question, and what a method made of it. */
typedef struct question {
  const toi_model *a, *b;
  double t_max;
} question;

typedef struct figures {
  toi_surface_hit hit;
  double best, median; /* seconds */
} figures;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what) {
  fprintf(stderr, "toi-bench-surface: %s\n", what);
  exit(2);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* --- one question --- */

static figures measure(const bench *all, const question *q, int method) {
  toi_surface_options options = toi_default_surface_options();
  options.method = methods[method];
  options.t_max = q->t_max;
  options.max_checks = method == 0 ? 0 : all->budget;
  figures f = {.best = 0};
  double seconds[ROUNDS_MOST] = {0};
  // The first round warms up; the baseline is slow enough to need one only.
  const int rounds = method == 0 ? all->rounds + 1 : 1;
  for (int round = 0; round < rounds; round++) {
    const double begin = now();
    if (toi_model_pair(all->context, q->a, q->b, &options, &f.hit) != TOI_OK)
      die(toi_context_error(all->context));
    seconds[rounds == 1 || round == 0 ? 0 : round - 1] = now() - begin;
  }
  const int counted = rounds == 1 ? 1 : rounds - 1;
  qsort(seconds, (size_t)counted, sizeof(double), compare);
  f.best = seconds[0];
  f.median = seconds[counted / 2];
  return f;
}

/* Proved answers exclude each other only if one of them is wrong. */
static bool agree(const toi_surface_hit *a, const toi_surface_hit *b) {
  if (a->verdict != TOI_MISS && b->verdict != TOI_MISS)
    return (a->verdict == TOI_NEAR || b->t_lo <= a->t_hi) && (b->verdict == TOI_NEAR || a->t_lo <= b->t_hi);
  return a->verdict != TOI_HIT && b->verdict != TOI_HIT;
}

static void print_heads(void) {
  printf("%-18s %8s %9s %-15s %-5s %-9s %14s %9s %9s %9s %10s %10s\n", "scene", "patches", "step s", "method", "",
         "end", "t_lo", "bracket", "checks", "pieces", "best ms", "median ms");
}

static void report(bench *all, const char *name, const question *q) {
  figures f[METHODS];
  for (int method = 0; method < METHODS; method++) {
    f[method] = measure(all, q, method);
    const toi_surface_hit *hit = &f[method].hit;
    const size_t patches = q->a->patch_count + (q->b ? q->b->patch_count : 0);
    const double width = hit->verdict == TOI_HIT ? hit->t_hi - hit->t_lo : 0;
    printf("%-18s %8zu %9g %-15s %-5s %-9s %14.10f %9.1e %9llu %9llu %10.3f %10.3f\n", name, patches, q->t_max,
           methods[method], toi_verdict_name((toi_verdict)hit->verdict),
           toi_surface_end_name((toi_surface_end)hit->end), hit->t_lo, width, (unsigned long long)hit->checks,
           (unsigned long long)hit->pieces, 1e3 * f[method].best, 1e3 * f[method].median);
  }
  if (agree(&f[0].hit, &f[1].hit))
    return;
  fprintf(stderr, "toi-bench-surface: the methods disagree on %s\n", name);
  all->consistent = false;
}

/* --- cloths --- */

static toi_model cloth_model(const cloth_patches *cloth) {
  toi_patch *patches = calloc(cloth->count, sizeof(*patches));
  if (!patches)
    die("out of memory");
  for (size_t i = 0; i < cloth->count; i++)
    patches[i] = (toi_patch){.degree = {3, 3},
                             .points = (const double(*)[3])cloth->points + CLOTH_PATCH_POINTS * i,
                             .velocities = (const double(*)[3])cloth->velocities + CLOTH_PATCH_POINTS * i};
  return (toi_model){.patches = patches, .patch_count = cloth->count};
}

static void free_cloth(cloth_patches *cloth, toi_model *model) {
  free((void *)model->patches);
  cloth_free(cloth);
}

static void bench_teapot(bench *all) {
  static const double steps[] = {0.001, 0.002, 0.005, 0.01, 0.02};
  toi_model teapot;
  if (toi_model_teapot(all->context, &teapot) != TOI_OK)
    die(toi_context_error(all->context));
  for (int moment = 0; moment < CLOTH_MOMENTS; moment++) {
    cloth_patches cloth;
    if (!cloth_over_teapot(20, (cloth_moment)moment, &cloth))
      die("out of memory");
    toi_model model = cloth_model(&cloth);
    char name[32];
    snprintf(name, sizeof(name), "cloth %s", cloth_moment_name((cloth_moment)moment));
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
      report(all, name, &(question){&model, &teapot, steps[i]});
    free_cloth(&cloth, &model);
  }
  toi_model_free(all->context, &teapot);
}

static void bench_pinned(bench *all) {
  for (uint32_t size = 10; size <= 40; size *= 2) {
    cloth_patches cloth;
    if (!cloth_pinned(size, &cloth))
      die("out of memory");
    toi_model model = cloth_model(&cloth);
    report(all, "cloth with itself", &(question){&model, NULL, 1});
    free_cloth(&cloth, &model);
  }
}

/* Two sheets, one above the other by a third of a patch, that slide past each other by a little more than a tenth. */
static void bench_sheets(bench *all) {
  for (uint32_t size = 20; size <= 320; size *= 4) {
    cloth_patches cloths[2];
    toi_model models[2];
    for (int i = 0; i < 2; i++) {
      if (!cloth_over_teapot(size, CLOTH_SLIDES, &cloths[i]))
        die("out of memory");
      for (size_t k = 0; k < cloths[i].count * CLOTH_PATCH_POINTS; k++) {
        cloths[i].points[k][2] += 2.0 / size * i;
        cloths[i].velocities[k][0] *= i ? 1 : -1;
      }
      models[i] = cloth_model(&cloths[i]);
    }
    report(all, "sheets", &(question){&models[0], &models[1], 0.4 / size});
    for (int i = 0; i < 2; i++)
      free_cloth(&cloths[i], &models[i]);
  }
}

/* --- files --- */

/* All doubles of a file; NULL if it is not there. */
static double *read_doubles(const char *directory, const char *name, size_t *count) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s", directory, name);
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  double *numbers = NULL;
  if (fseek(file, 0, SEEK_END) == 0) {
    *count = (size_t)ftell(file) / sizeof(double);
    rewind(file);
    numbers = malloc(*count * sizeof(double) + 1);
  }
  if (!numbers || fread(numbers, sizeof(double), *count, file) != *count)
    die("a file cannot be read");
  fclose(file);
  return numbers;
}

/* Patches of one shape, one after another: all positions, then all velocities. */
static const double *take_patches(const double *from, size_t count, const toi_patch *as, toi_patch *patches) {
  const size_t points = toi_patch_points(as->shape, as->degree);
  const double(*rows)[3] = (const double(*)[3])from;
  for (size_t i = 0; i < count; i++) {
    patches[i] = *as;
    patches[i].points = rows + points * i;
    patches[i].velocities = rows + points * (count + i);
  }
  return from + 6 * points * count;
}

/* Seconds of all cases of a type, and how they came out. */
static void bench_cases(bench *all, const char *directory, const char *name, const toi_patch *as) {
  char file[16];
  snprintf(file, sizeof(file), "%s.f64", name);
  size_t numbers, cases;
  double *data = read_doubles(directory, file, &numbers);
  if (!data)
    return;
  cases = numbers / (12 * toi_patch_points(as->shape, as->degree));
  double *seconds = calloc(cases + 1, sizeof(double));
  if (!seconds)
    die("out of memory");
  for (int method = 0; method < METHODS; method++) {
    const double *next = data;
    size_t verdicts[3] = {0};
    double sum = 0;
    for (size_t i = 0; i < cases; i++) {
      toi_patch pair[2];
      next = take_patches(take_patches(next, 1, as, &pair[0]), 1, as, &pair[1]);
      const toi_model a = {.patches = &pair[0], .patch_count = 1}, b = {.patches = &pair[1], .patch_count = 1};
      const figures f = measure(all, &(question){&a, &b, 1}, method);
      verdicts[f.hit.verdict]++;
      seconds[i] = f.best;
      sum += f.best;
    }
    qsort(seconds, cases, sizeof(double), compare);
    printf("%-3s %4zu cases  %-15s %4zu hit %4zu near %4zu miss  mean %9.1f  median %9.1f  p99 %9.1f  most %9.1f us\n",
           name, cases, methods[method], verdicts[TOI_HIT], verdicts[TOI_NEAR], verdicts[TOI_MISS],
           1e6 * sum / (double)cases, 1e6 * seconds[cases / 2], 1e6 * seconds[cases * 99 / 100],
           1e6 * seconds[cases - 1]);
  }
  free(seconds);
  free(data);
}

/* All steps of the bunny's fall into the torus, in turn; the first that is no miss is shown. */
static void bench_bunny(bench *all, const char *directory) {
  enum { BUNNY = 292, TORUS = 16, STEP = 6 * (3 * BUNNY + 9 * TORUS) };
  static const double weights[9] = {1, 1, 2, 1, 1, 2, 2, 2, 4};
  const toi_patch flat = {.shape = TOI_PATCH_TRIANGLE, .degree = {1, 0}};
  const toi_patch round = {.degree = {2, 2}, .weights = weights};
  size_t numbers;
  double *data = read_doubles(directory, "bunny_torus.f64", &numbers);
  if (!data)
    return;
  for (int method = 0; method < METHODS; method++) {
    double sum = 0;
    size_t first = 0;
    toi_surface_hit hit = {.verdict = TOI_MISS};
    for (size_t i = 0; i < numbers / STEP; i++) {
      toi_patch bunny[BUNNY], torus[TORUS];
      take_patches(take_patches(data + i * STEP, BUNNY, &flat, bunny), TORUS, &round, torus);
      const toi_model a = {.patches = bunny, .patch_count = BUNNY}, b = {.patches = torus, .patch_count = TORUS};
      const figures f = measure(all, &(question){&a, &b, 0.02}, method);
      sum += f.best;
      if (hit.verdict == TOI_MISS && f.hit.verdict != TOI_MISS) {
        hit = f.hit;
        first = i;
      }
    }
    printf("bunny in the torus, %zu steps  %-15s first %s in step %zu at %.12f  all steps %.3f ms\n", numbers / STEP,
           methods[method], toi_verdict_name((toi_verdict)hit.verdict), first, hit.t_lo, 1e3 * sum);
  }
  free(data);
}

static void bench_files(bench *all, const char *directory) {
  static const char *const names[] = {"T1", "T2", "T3", "Q1", "Q2", "Q3"};
  for (uint32_t i = 0; i < 6; i++)
    bench_cases(all, directory, names[i],
                &(toi_patch){.shape = i < 3 ? TOI_PATCH_TRIANGLE : TOI_PATCH_QUAD, .degree = {i % 3 + 1, i % 3 + 1}});
  bench_bunny(all, directory);
}

int main(int argc, char **argv) {
  bench all = {.rounds = 5, .budget = 1000000, .consistent = true};
  const char *directory = NULL;
  for (int i = 1; i < argc; i++) {
    const bool more = i + 1 < argc;
    if (more && strcmp(argv[i], "--rounds") == 0)
      all.rounds = (int)strtol(argv[++i], NULL, 10);
    else if (more && strcmp(argv[i], "--budget") == 0)
      all.budget = strtoull(argv[++i], NULL, 10);
    else if (argv[i][0] != '-' && !directory)
      directory = argv[i];
    else
      die("usage: toi-bench-surface [--rounds N] [--budget N] [DIRECTORY]");
  }
  if (all.rounds < 1 || all.rounds > ROUNDS_MOST || all.budget == 0)
    die("a number is out of range");
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  if (toi_context_create(&options, &all.context) != TOI_OK)
    die("no context");
  print_heads();
  bench_teapot(&all);
  bench_pinned(&all);
  bench_sheets(&all);
  if (directory)
    bench_files(&all, directory);
  toi_context_destroy(all.context);
  return all.consistent ? 0 : 1;
}
