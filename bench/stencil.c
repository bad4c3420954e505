/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What stencils cost: `toi-bench-stencil [OPTIONS] [STATE ...]`.
 *
 * Without a state: derivatives of random stencils, kind by kind, in blocks whose results stay in the cache, as in an
 * assembly that uses them up. In the same run, as a baseline, the same coordinates are read and as many bytes written
 * without any arithmetic. With states (PLY or OBJ): the pairs within a radius, their stencils, and the derivatives of
 * these. Rounds are taken in turn, the least time of each counts.
 *
 *   --rounds N      rounds (15)
 *   --block N       stencils in a call (256)
 *   --radius R      as a part of the diagonal of the bounding box (1e-3)
 *   --threads N     threads (1)
 *   --clock wall|cpu  what times mean (cpu, the time of the process) */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

enum { VERTICES = 4096, STENCILS = 16384, MOST_BLOCK = 4096 };

typedef struct arguments {
  int rounds;
  size_t block;
  double radius;
  uint32_t threads;
  clockid_t clock;
} arguments;

static double squared[MOST_BLOCK], gradients[MOST_BLOCK][12], hessians[MOST_BLOCK][144];
static double mollifiers[MOST_BLOCK], slopes[MOST_BLOCK][12], bends[MOST_BLOCK][144];

static void die(const char *what) {
  fprintf(stderr, "toi-bench-stencil: %s\n", what);
  exit(2);
}

static double now_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static toi_context *open_context(const arguments *a) {
  toi_context_options options = toi_default_context_options();
  toi_context *context;
  options.threads = a->threads;
  if (toi_context_create(&options, &context) != TOI_OK)
    die("no context");
  return context;
}

static void must(const toi_context *context, toi_status status) {
  if (status != TOI_OK)
    die(toi_context_error(context));
}

/* --- derivatives --- */

/* What is measured, in the order of the columns. */
typedef enum measured { STREAM, SQUARED, GRADIENT, HESSIAN, BOTH, MOLLIFIED, MEASURED } measured;

/* Reads the coordinates and writes as many bytes as the gradient and the Hessian take. */
static void stream(const toi_mesh *mesh, const toi_stencil *stencils, size_t count) {
  const double(*x)[3] = (const double(*)[3])mesh->start;
  for (size_t i = 0; i < count; i++) {
    double sum[3] = {0, 0, 0};
    const size_t n = (size_t)3 * stencils[i].vertex_count;
    for (uint32_t k = 0; k < stencils[i].vertex_count; k++)
      for (int axis = 0; axis < 3; axis++)
        sum[axis] += x[stencils[i].vertices[k]][axis];
    squared[i] = sum[0];
    for (size_t k = 0; k < n; k++)
      gradients[i][k] = sum[1];
    for (size_t k = 0; k < n * n; k++)
      hessians[i][k] = sum[2];
  }
}

static void derive(toi_context *context, const arguments *a, const toi_mesh *mesh, const toi_stencil *stencils,
                   size_t count, measured what) {
  toi_stencil_arrays arrays = {.size = sizeof arrays};
  arrays.squared = what == SQUARED || what >= BOTH ? squared : NULL;
  arrays.gradients = what == GRADIENT || what >= BOTH ? gradients : NULL;
  arrays.hessians = what >= HESSIAN ? hessians : NULL;
  if (what == MOLLIFIED) {
    arrays.mollifiers = mollifiers;
    arrays.mollifier_gradients = slopes;
    arrays.mollifier_hessians = bends;
  }
  for (size_t i = 0; i < count; i += a->block) {
    const size_t size = count - i < a->block ? count - i : a->block;
    if (what == STREAM)
      stream(mesh, stencils + i, size);
    else
      must(context, toi_stencil_batch(context, mesh, stencils + i, size, &arrays));
  }
}

static void measure(toi_context *context, const arguments *a, const toi_mesh *mesh, const toi_stencil *stencils,
                    size_t count) {
  double least[MEASURED];
  for (int i = 0; i < MEASURED; i++)
    least[i] = INFINITY;
  for (int round = 0; round < a->rounds; round++)
    for (int i = 0; i < MEASURED; i++) {
      const double begin = now_ns(a->clock);
      derive(context, a, mesh, stencils, count, (measured)i);
      least[i] = fmin(least[i], (now_ns(a->clock) - begin) / (double)count);
    }
  for (int i = 0; i < MEASURED; i++)
    printf(" %9.1f", least[i]);
  printf("\n");
}

static double random_unit(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

/* A cloud of vertices; stencils of one kind, each of vertices that follow one another, as neighbours do. */
static void measure_kinds(const arguments *a) {
  static double x[VERTICES + 4][3];
  static toi_stencil stencils[STENCILS];
  uint64_t random = 1;
  toi_context *context = open_context(a);
  const toi_mesh mesh = {.start = x, .vertex_count = VERTICES + 4};
  for (int i = 0; i < VERTICES + 4; i++)
    for (int k = 0; k < 3; k++)
      x[i][k] = random_unit(&random);
  printf("%-15s %9s %9s %9s %9s %9s %9s   ns per stencil\n", "kind", "stream", "squared", "gradient", "hessian", "all",
         "mollifier");
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
    for (size_t i = 0; i < STENCILS; i++) {
      toi_stencil *s = &stencils[i];
      const uint32_t first = (uint32_t)(random_unit(&random) * VERTICES);
      *s = (toi_stencil){.kind = (toi_kind)kind, .vertex_count = toi_kind_points((toi_kind)kind)};
      for (uint32_t k = 0; k < s->vertex_count; k++)
        s->vertices[k] = first + k;
      if (kind == TOI_EDGE_EDGE) {
        s->on_first.dimension = s->on_second.dimension = 1;
        s->mollifier_threshold = 1;
      }
    }
    printf("%-15s", toi_kind_name((toi_kind)kind));
    measure(context, a, &mesh, stencils, STENCILS);
  }
  toi_context_destroy(context);
}

/* --- states of a mesh --- */

typedef struct stencil_list {
  toi_stencil *items;
  size_t count, room;
} stencil_list;

static toi_status collect(void *user, const toi_stencil *stencils, size_t count) {
  stencil_list *list = user;
  if (list->count + count > list->room) {
    list->room = 2 * (list->count + count);
    list->items = realloc(list->items, list->room * sizeof *list->items);
    if (!list->items)
      die("out of memory");
  }
  memcpy(list->items + list->count, stencils, count * sizeof *stencils);
  list->count += count;
  return TOI_OK;
}

static toi_status count_close(void *user, const toi_proximal *pairs, size_t count) {
  (void)pairs;
  *(size_t *)user += count;
  return TOI_OK;
}

static toi_status count_stencils(void *user, const toi_stencil *stencils, size_t count) {
  (void)stencils;
  *(size_t *)user += count;
  return TOI_OK;
}

/* The vertices in doubles. */
static double (*vertices_of(const toi_frame *frame))[3] {
  double(*x)[3] = calloc(frame->vertex_count + 1, sizeof *x);
  if (!x)
    die("out of memory");
  for (size_t i = 0; i < 3 * frame->vertex_count; i++)
    x[i / 3][i % 3] =
        frame->scalar == TOI_FLOAT32 ? (double)((float *)frame->vertices)[i] : ((double *)frame->vertices)[i];
  return x;
}

static double diagonal_of(const double (*x)[3], size_t count) {
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, sum = 0;
  for (size_t i = 0; i < 3 * count; i++) {
    lo[i % 3] = fmin(lo[i % 3], x[i / 3][i % 3]);
    hi[i % 3] = fmax(hi[i % 3], x[i / 3][i % 3]);
  }
  for (int k = 0; k < 3; k++)
    sum += (hi[k] - lo[k]) * (hi[k] - lo[k]);
  return sqrt(sum);
}

static void measure_state(const arguments *a, const char *file) {
  toi_context *context = open_context(a);
  toi_frame frame;
  must(context, toi_frame_read(context, file, &frame));
  double(*x)[3] = vertices_of(&frame);
  toi_mesh mesh = {.start = x,
                   .vertex_count = frame.vertex_count,
                   .faces = (const uint32_t(*)[3])frame.faces,
                   .face_count = frame.face_count};
  uint32_t(*edges)[2];
  must(context, toi_mesh_edges(context, mesh.faces, mesh.face_count, NULL, 0, &edges, &mesh.edge_count));
  mesh.edges = (const uint32_t(*)[2])edges;
  const toi_options options = toi_default_options();
  const double radius = a->radius * diagonal_of((const double(*)[3])x, mesh.vertex_count);
  double proximity = INFINITY, stencils = INFINITY;
  size_t close = 0, kinds[TOI_KIND_COUNT] = {0};
  for (int round = 0; round < a->rounds; round++) {
    size_t count = 0;
    close = 0;
    double begin = now_ns(a->clock);
    must(context, toi_proximity(context, &mesh, radius, &options, count_close, &close));
    proximity = fmin(proximity, now_ns(a->clock) - begin);
    begin = now_ns(a->clock);
    must(context, toi_stencils(context, &mesh, radius, &options, NULL, count_stencils, &count));
    stencils = fmin(stencils, now_ns(a->clock) - begin);
  }
  stencil_list list = {0};
  must(context, toi_stencils(context, &mesh, radius, &options, NULL, collect, &list));
  for (size_t i = 0; i < list.count; i++)
    kinds[list.items[i].kind]++;
  const size_t length = strlen(file);
  printf("%-24.24s %8zu %8.2f %8zu %8.2f  %zu %zu %zu %zu\n%15s", file + (length > 24 ? length - 24 : 0), close,
         proximity * 1e-6, list.count, stencils * 1e-6, kinds[0], kinds[1], kinds[2], kinds[3], "");
  if (list.count > 0)
    measure(context, a, &mesh, list.items, list.count);
  else
    printf("\n");
  free(list.items);
  free(x);
  toi_context_destroy(context);
}

static const char usage[] = "usage: toi-bench-stencil [--rounds N] [--block N] [--radius R] [--threads N] "
                            "[--clock wall|cpu] [STATE ...]";

int main(int argc, char **argv) {
  arguments a = {15, 256, 1e-3, 1, CLOCK_PROCESS_CPUTIME_ID};
  int i = 1;
  for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
    const char *value = argv[i + 1];
    if (strcmp(argv[i], "--rounds") == 0)
      a.rounds = (int)strtol(value, NULL, 10);
    else if (strcmp(argv[i], "--block") == 0)
      a.block = (size_t)strtol(value, NULL, 10);
    else if (strcmp(argv[i], "--radius") == 0)
      a.radius = strtod(value, NULL);
    else if (strcmp(argv[i], "--threads") == 0)
      a.threads = (uint32_t)strtol(value, NULL, 10);
    else if (strcmp(argv[i], "--clock") == 0)
      a.clock = strcmp(value, "wall") == 0 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    else
      die(usage);
  }
  if (a.rounds < 1 || a.block < 1 || a.block > MOST_BLOCK || (i < argc && argv[i][0] == '-'))
    die(usage);
  if (i == argc)
    measure_kinds(&a);
  else
    printf("%-24s %8s %8s %8s %8s  %s\n", "ms", "close", "", "stencils", "", "by kind; below: ns per stencil");
  for (; i < argc; i++)
    measure_state(&a, argv[i]);
  return 0;
}
