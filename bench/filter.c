/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the filter in single precision brings: `toi-bench-filter [--rounds N] [--threads N] START END [START END ...]`.
 *
 * For each pair of states, with floats and with doubles in turn: toi_collisions(), toi_step(), and all candidates again
 * as batches, written in full (toi_batch_indexed()) and without misses (toi_batch_indexed_hits()). CPU time of the
 * process in ms, the median of the rounds; and the share of the candidates that the levels box, sign and projection
 * leave open. Answers are compared, and the program fails if they differ. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

/* What is measured, in the order of the columns. */
typedef enum measured { COLLISIONS, STEP, BATCH, BATCH_HITS, MEASURED } measured;

#define ROUNDS_MOST 99

/* Hits that are written at a time. */
#define ROOM 65536

typedef struct scene {
  const char *name;
  toi_context *context;
  toi_frame frames[2];
  toi_mesh mesh;
  uint32_t (*edges)[2];
  size_t edge_count;
  toi_pair *pairs[2]; /* candidates, vertex-face and edge-edge */
  size_t counts[2], rooms[2];
  toi_hit *hits; /* ROOM of them */
  size_t *numbers;
} scene;

typedef struct answers {
  size_t hits;
  uint64_t hash; /* of collisions but for their level */
  double t_lo;
  double open; /* share */
} answers;

static void die(const char *what) {
  fprintf(stderr, "toi-bench-filter: %s\n", what);
  exit(2);
}

static void must(const scene *s, toi_status status) {
  if (status != TOI_OK)
    die(toi_context_error(s->context));
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* --- what is asked --- */

static toi_status add_hits(void *user, const toi_collision *collisions, size_t count) {
  answers *to = user;
  to->hits += count;
  for (size_t i = 0; i < count; i++) {
    toi_collision own = collisions[i];
    unsigned char bytes[sizeof own];
    own.hit.level = 0;
    memcpy(bytes, &own, sizeof own);
    for (size_t k = 0; k < sizeof bytes; k++)
      to->hash = (to->hash ^ bytes[k]) * UINT64_C(1099511628211);
  }
  return TOI_OK;
}

static toi_status keep_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  scene *s = user;
  if (kind > TOI_EDGE_EDGE)
    return TOI_OK;
  if (s->counts[kind] + count > s->rooms[kind]) {
    s->rooms[kind] = 2 * (s->counts[kind] + count);
    s->pairs[kind] = realloc(s->pairs[kind], s->rooms[kind] * sizeof *pairs);
    if (!s->pairs[kind])
      die("out of memory");
  }
  memcpy(s->pairs[kind] + s->counts[kind], pairs, count * sizeof *pairs);
  s->counts[kind] += count;
  return TOI_OK;
}

/* All candidates as batches, with and without their misses. */
static void answer_candidates(const scene *s, const toi_options *options) {
  for (int kind = 0; kind < 2; kind++)
    for (size_t begin = 0; begin < s->counts[kind]; begin += ROOM) {
      const size_t left = s->counts[kind] - begin, size = left < ROOM ? left : ROOM;
      must(s, toi_batch_indexed(s->context, (toi_kind)kind, &s->mesh, s->pairs[kind] + begin, size, options, s->hits));
    }
}

static void list_candidates(const scene *s, const toi_options *options) {
  for (int kind = 0; kind < 2; kind++)
    for (size_t begin = 0; begin < s->counts[kind];) {
      toi_hit_list list = {.hits = s->hits, .numbers = s->numbers, .room = ROOM};
      must(s, toi_batch_indexed_hits(s->context, (toi_kind)kind, &s->mesh, s->pairs[kind] + begin,
                                     s->counts[kind] - begin, options, &list));
      begin += list.answered;
    }
}

static double measure(const scene *s, measured what, toi_filter filter, answers *to) {
  toi_options options = toi_default_options();
  toi_counters counters = {0};
  toi_impact impact;
  options.filter = filter;
  options.counters = &counters;
  const double begin = now();
  if (what == COLLISIONS)
    must(s, toi_collisions(s->context, &s->mesh, &options, add_hits, to));
  else if (what == STEP)
    must(s, toi_step(s->context, &s->mesh, &options, &impact));
  else if (what == BATCH)
    answer_candidates(s, &options);
  else
    list_candidates(s, &options);
  const double time = now() - begin;
  const uint64_t *levels = counters.levels;
  if (what == COLLISIONS)
    to->open = 1 - (double)(levels[TOI_LEVEL_BOX] + levels[TOI_LEVEL_SIGN] + levels[TOI_LEVEL_PROJECTION]) /
                       (double)counters.queries;
  if (what == STEP)
    to->t_lo = impact.hit.t_lo;
  return time;
}

/* --- scenes --- */

static void open_scene(scene *s, char **paths, uint32_t threads) {
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  options.memory_budget = UINT64_C(1) << 36;
  *s = (scene){.name = paths[0]};
  if (toi_context_create(&options, &s->context) != TOI_OK)
    die("no context");
  for (int i = 0; i < 2; i++)
    must(s, toi_frame_read(s->context, paths[i], &s->frames[i]));
  must(s, toi_frames_match(s->context, &s->frames[0], paths[0], &s->frames[1], paths[1]));
  const toi_frame *frame = &s->frames[0];
  must(s, toi_mesh_edges(s->context, (const uint32_t(*)[3])frame->faces, frame->face_count,
                         (const uint32_t(*)[2])frame->loose, frame->loose_count, &s->edges, &s->edge_count));
  s->mesh = (toi_mesh){.start = frame->vertices,
                       .end = s->frames[1].vertices,
                       .scalar = frame->scalar,
                       .vertex_count = frame->vertex_count,
                       .edges = (const uint32_t(*)[2])s->edges,
                       .edge_count = s->edge_count,
                       .faces = (const uint32_t(*)[3])frame->faces,
                       .face_count = frame->face_count};
  const toi_options asked = toi_default_options();
  must(s, toi_candidates(s->context, &s->mesh, &asked, keep_pairs, s));
  s->hits = malloc(ROOM * sizeof *s->hits);
  s->numbers = malloc(ROOM * sizeof *s->numbers);
  if (!s->hits || !s->numbers)
    die("out of memory");
}

static void close_scene(scene *s) {
  for (int i = 0; i < 2; i++) {
    toi_frame_free(s->context, &s->frames[i]);
    free(s->pairs[i]);
  }
  toi_mesh_edges_free(s->context, s->edges, s->edge_count);
  toi_context_destroy(s->context);
  free(s->hits);
  free(s->numbers);
}

static void run_scene(char **paths, int rounds, uint32_t threads) {
  scene s;
  double times[2][MEASURED][ROUNDS_MOST];
  answers found[2] = {{.hits = 0}, {.hits = 0}};
  open_scene(&s, paths, threads);
  // The first round of each warms up: a context keeps the order of the last call's boxes.
  for (int what = 0; what < MEASURED; what++)
    for (int round = -1; round < rounds; round++)
      for (int filter = 0; filter < 2; filter++) {
        if (what == COLLISIONS)
          found[filter] = (answers){.hash = 1};
        const double time = measure(&s, (measured)what, (toi_filter)filter, &found[filter]);
        times[filter][what][round < 0 ? 0 : round] = time;
      }
  if (found[0].hits != found[1].hits || found[0].hash != found[1].hash || found[0].t_lo != found[1].t_lo)
    die("floats and doubles give different answers");
  printf("%-48s %9zu %7zu", s.name, s.counts[0] + s.counts[1], found[0].hits);
  for (int what = 0; what < MEASURED; what++) {
    double median[2];
    for (int filter = 0; filter < 2; filter++) {
      qsort(times[filter][what], (size_t)rounds, sizeof(double), ascending);
      median[filter] = times[filter][what][rounds / 2];
    }
    printf("  %8.2f %8.2f %5.2f", median[1], median[0], median[1] / median[0]);
  }
  printf("  %7.4f %7.4f\n", 100 * found[1].open, 100 * found[0].open);
  close_scene(&s);
}

int main(int argc, char **argv) {
  int rounds = 5, at = 1;
  uint32_t threads = 1;
  for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
    if (strcmp(argv[at], "--rounds") == 0)
      rounds = (int)strtol(argv[at + 1], NULL, 10);
    else if (strcmp(argv[at], "--threads") == 0)
      threads = (uint32_t)strtoul(argv[at + 1], NULL, 10);
    else
      die("unknown option; give --rounds or --threads");
  if (rounds < 1 || rounds > ROUNDS_MOST || at >= argc || (argc - at) % 2 != 0)
    die("give two meshes per scene, and 1 to 99 rounds");
  printf("doubles, floats, ratio: toi_collisions, toi_step, toi_batch_indexed (always doubles), "
         "toi_batch_indexed_hits; left open in %%, doubles and "
         "floats\n");
  for (; at < argc; at += 2)
    run_scene(argv + at, rounds, threads);
  return 0;
}
