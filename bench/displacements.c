/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Displacements that are safe for each vertex, beside a line search: `toi-bench-displacements [OPTIONS] START END ...`.
 *
 * For each pair of states, in one run: the step of the line search that keeps a fraction of the initial distances; how
 * much of the displacement is left if the whole motion is scaled until every vertex goes less than its number; how much
 * of it is done if each vertex goes as far as its own number allows, in one round and in ten; and what a round costs
 * beside the line search. Least of all rounds, CPU time.
 *
 *   --rounds N      rounds (7)
 *   --fraction F    of the line search (0.2)
 *   --radius R      of the numbers, as a part of the diagonal of the bounding box (1e-3)
 *   --threads N     threads (1) */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

#define MANY 10

/* Vertices stop a little before their number. */
#define SHORT 0.99

typedef struct arguments {
  int rounds;
  double fraction, radius;
  uint32_t threads;
} arguments;

typedef struct scene {
  const char *name;
  toi_context *context;
  toi_mesh mesh; /* from `at` to `end`, in doubles */
  double (*start)[3], (*at)[3], (*end)[3], (*placed)[3];
  double *numbers;
  double diagonal;
} scene;

static void die(const char *what) {
  fprintf(stderr, "toi-bench-displacements: %s\n", what);
  exit(2);
}

static void must(const scene *s, toi_status status) {
  if (status != TOI_OK)
    die(toi_context_error(s->context));
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void *room(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory)
    die("out of memory");
  return memory;
}

static double length(const double a[3], const double b[3]) {
  return hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
}

static void widen(const toi_frame *frame, double (*to)[3]) {
  for (size_t i = 0; i < 3 * frame->vertex_count; i++)
    to[i / 3][i % 3] = frame->scalar == TOI_FLOAT32 ? (double)((const float *)frame->vertices)[i]
                                                    : ((const double *)frame->vertices)[i];
}

static void scene_open(scene *s, const arguments *a, char *files[2]) {
  toi_context_options options = toi_default_context_options();
  options.threads = a->threads;
  s->name = files[0];
  if (toi_context_create(&options, &s->context) != TOI_OK)
    die("no context");
  toi_frame frames[2];
  for (int i = 0; i < 2; i++)
    must(s, toi_frame_read(s->context, files[i], &frames[i]));
  const size_t count = frames[0].vertex_count;
  if (count != frames[1].vertex_count)
    die("the two states have different vertices");
  s->start = room(count, sizeof *s->start);
  s->at = room(count, sizeof *s->at);
  s->end = room(count, sizeof *s->end);
  s->placed = room(count, sizeof *s->placed);
  s->numbers = room(count, sizeof *s->numbers);
  widen(&frames[0], s->start);
  widen(&frames[1], s->end);
  s->mesh = (toi_mesh){.start = s->at,
                       .end = s->end,
                       .vertex_count = count,
                       .faces = (const uint32_t(*)[3])frames[0].faces,
                       .face_count = frames[0].face_count};
  uint32_t(*edges)[2];
  must(s, toi_mesh_edges(s->context, s->mesh.faces, s->mesh.face_count, NULL, 0, &edges, &s->mesh.edge_count));
  s->mesh.edges = (const uint32_t(*)[2])edges;
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < 3 * count; i++) {
    lo[i % 3] = fmin(lo[i % 3], s->start[i / 3][i % 3]);
    hi[i % 3] = fmax(hi[i % 3], s->start[i / 3][i % 3]);
  }
  s->diagonal = length(lo, hi);
}

static void scene_close(scene *s) {
  free(s->start);
  free(s->at);
  free(s->end);
  free(s->placed);
  free(s->numbers);
  toi_context_destroy(s->context);
}

/* Back to the start. */
static void rewind_scene(const scene *s) {
  memcpy(s->at, s->start, s->mesh.vertex_count * sizeof *s->at);
}

static void ask(const scene *s, double radius) {
  const toi_options options = toi_default_options();
  must(s, toi_safe_displacements(s->context, &s->mesh, 0, radius, &options, s->numbers));
}

/* How much of all displacements is done after some rounds. */
static double advance(const scene *s, double radius, int rounds) {
  double all = 0, left = 0;
  rewind_scene(s);
  for (int round = 0; round < rounds; round++) {
    ask(s, radius);
    for (size_t i = 0; i < s->mesh.vertex_count; i++) {
      const double away = length(s->at[i], s->end[i]), part = fmin(1, SHORT * s->numbers[i] / away);
      for (int k = 0; k < 3 && away > 0; k++)
        s->at[i][k] = part == 1 ? s->end[i][k] : s->at[i][k] + part * (s->end[i][k] - s->at[i][k]);
    }
  }
  for (size_t i = 0; i < s->mesh.vertex_count; i++) {
    all += length(s->start[i], s->end[i]);
    left += length(s->at[i], s->end[i]);
  }
  rewind_scene(s);
  return all > 0 ? 1 - left / all : 1;
}

/* The fraction of the whole motion in which every vertex goes no further than its number. */
static double scaled(const scene *s, double radius) {
  double part = 1;
  ask(s, radius);
  for (size_t i = 0; i < s->mesh.vertex_count; i++) {
    const double away = length(s->at[i], s->end[i]);
    part = away > 0 ? fmin(part, s->numbers[i] / away) : part;
  }
  return part;
}

static void measure(const arguments *a, char *files[2]) {
  scene s;
  scene_open(&s, a, files);
  toi_options options = toi_default_options();
  options.separation_fraction = a->fraction;
  toi_advance found = {0};
  double least[2] = {INFINITY, INFINITY};
  rewind_scene(&s);
  const double radius = a->radius * s.diagonal;
  for (int round = 0; round < a->rounds; round++)
    for (int i = 0; i < 2; i++) {
      const double begin = now_ms();
      if (i == 0)
        must(&s, toi_line_search(s.context, &s.mesh, &options, s.placed, &found));
      else
        ask(&s, radius);
      least[i] = fmin(least[i], now_ms() - begin);
    }
  const size_t size = strlen(s.name);
  printf("%-32.32s %8.2g %8.2f %8.2g %8.2g %8.4f %8.4f %8.2f %6.2f\n", s.name + (size > 32 ? size - 32 : 0), found.step,
         least[0], radius, scaled(&s, radius), advance(&s, radius, 1), advance(&s, radius, MANY), least[1],
         least[1] / least[0]);
  fflush(stdout);
  scene_close(&s);
}

static const char usage[] = "usage: toi-bench-displacements [--rounds N] [--fraction F] [--radius R] [--threads N] "
                            "START END ...";

int main(int argc, char **argv) {
  arguments a = {7, 0.2, 1e-3, 1};
  int i = 1;
  for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2)
    if (strcmp(argv[i], "--rounds") == 0)
      a.rounds = (int)strtol(argv[i + 1], NULL, 10);
    else if (strcmp(argv[i], "--fraction") == 0)
      a.fraction = strtod(argv[i + 1], NULL);
    else if (strcmp(argv[i], "--radius") == 0)
      a.radius = strtod(argv[i + 1], NULL);
    else if (strcmp(argv[i], "--threads") == 0)
      a.threads = (uint32_t)strtoul(argv[i + 1], NULL, 10);
    else
      die(usage);
  if (i + 1 >= argc || (argc - i) % 2 != 0 || a.rounds < 1)
    die(usage);
  printf("%-32s %8s %8s %8s %8s %8s %8s %8s %6s\n", "", "step", "ms", "radius", "scaled", "1 round", "10", "ms",
         "ratio");
  for (; i < argc; i += 2)
    measure(&a, argv + i);
  return 0;
}
