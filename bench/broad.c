/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the broad phases cost: `toi-bench-broad [OPTIONS] START END ...` or `toi-bench-broad [OPTIONS] SHAPE:FACES ...`.
 *
 * For each scene, broad phase and number of threads, in one run: the first call on a fresh context, later calls with
 * all pairs written to memory that is there already, later calls whose pairs are only counted, and the most that the
 * context held. The pairs of all broad phases are compared by a sum of their hashes: a difference ends the run with
 * status 1. Rounds are taken in turn, so that a busy moment of the machine does not fall on one of them only; the gain
 * of threads stands beside that of a loop that only computes.
 *
 *   --broad NAME       one broad phase (all of them; brute only below 60,000 boxes)
 *   --rounds N         rounds (7)
 *   --threads N        from 1 up to this many threads (1)
 *   --replicate K      the scene K times side by side, far enough apart that copies do not meet (1)
 *   --clock wall|cpu   what times mean (wall); cpu, the time of the process, is of use on a busy machine and one thread
 *
 * Shapes made here: soup (triangles at random), rod (the same, a thousand times as long as wide), sheets (three sheets
 * that fall onto each other), pile (triangles whose boxes all overlap). */

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

#define METHODS 4
#define THREADS 16
#define BRUTE_BOXES 60000
#define PAIRS_IN_MEMORY ((size_t)1 << 28)
#define COMPUTE_STEPS 10000000

typedef struct arguments {
  const char *broad;
  int rounds;
  uint32_t threads, replicate;
  clockid_t clock;
} arguments;

static void die(const char *what) {
  fprintf(stderr, "toi-bench-broad: %s\n", what);
  exit(2);
}

static void *take(size_t count, size_t size) {
  void *const memory = calloc(count + 1, size);
  if (!memory)
    die("out of memory");
  return memory;
}

static double now_ms(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* --- scenes --- */

/* A mesh in doubles or floats that owns its arrays. */
typedef struct scene {
  char name[64];
  void *start, *end;
  uint32_t (*faces)[3], (*edges)[2];
  toi_mesh mesh;
} scene;

static double random_unit(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Triangles that share no vertex; each about as large as the way to the next, and moving half as far. */
static void make_soup(scene *s, size_t faces, const double extent[3], double size) {
  uint64_t state = 1;
  double *const start = s->start, *const end = s->end;
  for (size_t f = 0; f < faces; f++) {
    double place[3];
    for (size_t axis = 0; axis < 3; axis++)
      place[axis] = extent[axis] * random_unit(&state);
    for (size_t k = 0; k < 9; k++) {
      start[9 * f + k] = place[k % 3] + size * random_unit(&state);
      end[9 * f + k] = start[9 * f + k] + size * (random_unit(&state) - 0.5);
    }
    for (size_t k = 0; k < 3; k++)
      s->faces[f][k] = (uint32_t)(3 * f + k);
  }
  s->mesh.vertex_count = 3 * faces;
  s->mesh.face_count = faces;
}

/* Three waving sheets, one above the other, that fall through each other's place. */
static void make_sheets(scene *s, size_t faces) {
  const size_t n = (size_t)fmax(2, sqrt((double)faces / 6) + 1);
  double(*const start)[3] = s->start, (*const end)[3] = s->end;
  size_t vertex = 0, face = 0;
  for (size_t sheet = 0; sheet < 3; sheet++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++, vertex++) {
        const double x = (double)i / (double)n, y = (double)j / (double)n;
        start[vertex][0] = end[vertex][0] = x;
        start[vertex][1] = end[vertex][1] = y;
        start[vertex][2] = 0.02 * (double)sheet + 0.01 * sin(20 * x) * cos(17 * y);
        end[vertex][2] = start[vertex][2] - 0.015 * (double)sheet;
        if (i + 1 == n || j + 1 == n)
          continue;
        const uint32_t v = (uint32_t)vertex, w = (uint32_t)n;
        const uint32_t both[2][3] = {{v, v + 1, v + w}, {v + 1, v + w + 1, v + w}};
        memcpy(s->faces[face], both, sizeof(both));
        face += 2;
      }
  s->mesh.vertex_count = vertex;
  s->mesh.face_count = face;
}

static bool make_shape(scene *s, const char *text) {
  const char *const colon = strchr(text, ':');
  char *rest = NULL;
  const unsigned long faces = colon ? strtoul(colon + 1, &rest, 10) : 0;
  if (faces == 0 || faces > 100000000 || *rest)
    return false;
  s->start = take(9 * faces + 64, sizeof(double));
  s->end = take(9 * faces + 64, sizeof(double));
  s->faces = take(faces + 64, sizeof(*s->faces));
  const double side = cbrt((double)faces), cube[3] = {side, side, side};
  const double rod[3] = {0.1 * side, 100 * side, 0.1 * side}, point[3] = {0, 0, 0};
  if (strncmp(text, "soup:", 5) == 0)
    make_soup(s, faces, cube, 1);
  else if (strncmp(text, "rod:", 4) == 0)
    make_soup(s, faces, rod, 0.1);
  else if (strncmp(text, "pile:", 5) == 0)
    make_soup(s, faces, point, 1);
  else if (strncmp(text, "sheets:", 7) == 0)
    make_sheets(s, faces);
  else
    die("no such shape: soup, rod, sheets or pile");
  return true;
}

static void *copy(const void *from, size_t count, size_t size) {
  void *const to = take(count, size);
  if (count > 0)
    memcpy(to, from, count * size);
  return to;
}

static void read_scene(toi_context *context, scene *s, const char *start, const char *end) {
  toi_frame a, b;
  if (toi_frame_read(context, start, &a) != TOI_OK || toi_frame_read(context, end, &b) != TOI_OK ||
      toi_frames_match(context, &a, start, &b, end) != TOI_OK)
    die(toi_context_error(context));
  if (a.scalar != b.scalar)
    die("the frames have different scalars");
  const size_t size = 3 * (a.scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double));
  s->start = copy(a.vertices, a.vertex_count, size);
  s->end = copy(b.vertices, b.vertex_count, size);
  s->faces = copy(a.faces, a.face_count, sizeof(*s->faces));
  s->mesh = (toi_mesh){.scalar = a.scalar, .vertex_count = a.vertex_count, .face_count = a.face_count};
  toi_frame_free(context, &a);
  toi_frame_free(context, &b);
}

/* All positions as doubles; what was there is freed. */
static double *widen(void *positions, toi_scalar scalar, size_t count) {
  if (scalar == TOI_FLOAT64)
    return positions;
  double *const wide = take(count, sizeof(double));
  for (size_t i = 0; i < count; i++)
    wide[i] = (double)((const float *)positions)[i];
  free(positions);
  return wide;
}

/* The scene `times` over, in a cube of copies; each is moved by a power of two, so that few digits are lost. */
static void replicate(scene *s, uint32_t times) {
  const size_t vertices = s->mesh.vertex_count, faces = s->mesh.face_count;
  double *const at[2] = {widen(s->start, s->mesh.scalar, 3 * vertices), widen(s->end, s->mesh.scalar, 3 * vertices)};
  double most = 0x1p-1000;
  for (size_t i = 0; i < 6 * vertices; i++)
    most = fmax(most, fabs(at[i % 2][i / 2]));
  const double step = exp2(ceil(log2(2.1 * most)));
  const size_t side = (size_t)ceil(cbrt((double)times));
  double *const all[2] = {take(3 * vertices * times, sizeof(double)), take(3 * vertices * times, sizeof(double))};
  uint32_t(*const all_faces)[3] = take(faces * times, sizeof(*all_faces));
  for (size_t copy_number = 0; copy_number < times; copy_number++) {
    const size_t cell[3] = {copy_number % side, copy_number / side % side, copy_number / side / side};
    for (size_t i = 0; i < 3 * vertices; i++)
      for (int end = 0; end < 2; end++)
        all[end][3 * vertices * copy_number + i] = at[end][i] + step * (double)cell[i % 3];
    for (size_t i = 0; i < 3 * faces; i++)
      all_faces[faces * copy_number + i / 3][i % 3] = s->faces[i / 3][i % 3] + (uint32_t)(vertices * copy_number);
  }
  free(at[0]);
  free(at[1]);
  free(s->faces);
  s->start = all[0];
  s->end = all[1];
  s->faces = all_faces;
  s->mesh = (toi_mesh){.vertex_count = vertices * times, .face_count = faces * times};
}

/* Points the mesh to its arrays and finds its edges. */
static void finish_scene(toi_context *context, scene *s, const arguments *a) {
  if (a->replicate > 1)
    replicate(s, a->replicate);
  uint32_t(*edges)[2];
  size_t count;
  s->mesh.start = s->start;
  s->mesh.end = s->end;
  s->mesh.faces = (const uint32_t(*)[3])s->faces;
  if (toi_mesh_edges(context, s->mesh.faces, s->mesh.face_count, NULL, 0, &edges, &count) != TOI_OK)
    die(toi_context_error(context));
  s->edges = copy(edges, count, sizeof(*edges));
  toi_mesh_edges_free(context, edges, count);
  s->mesh.edges = (const uint32_t(*)[2])s->edges;
  s->mesh.edge_count = count;
}

static void free_scene(scene *s) {
  free(s->start);
  free(s->end);
  free(s->faces);
  free(s->edges);
}

/* --- one call --- */

/* Bytes that a context holds, and the most it held. */
typedef struct meter {
  size_t bytes, peak;
} meter;

static void *metered(void *user, void *pointer, size_t old_size, size_t new_size) {
  meter *const m = user;
  void *const moved = new_size > 0 ? realloc(pointer, new_size) : NULL;
  if (new_size == 0)
    free(pointer);
  if (new_size == 0 || moved) {
    m->bytes += new_size - old_size;
    m->peak = m->bytes > m->peak ? m->bytes : m->peak;
  }
  return moved;
}

static toi_context *make_context(meter *m, uint32_t threads) {
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  options.memory_budget = UINT64_C(1) << 36;
  options.allocator = (toi_allocator){.resize = metered, .user = m};
  toi_context *context;
  if (toi_context_create(&options, &context) != TOI_OK)
    die("no context");
  return context;
}

/* Where pairs go. */
typedef struct sink {
  toi_pair *memory; /* NULL: they are only counted */
  size_t count;
  uint64_t hash;
  bool hashing;
} sink;

static toi_status receive(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  sink *const s = user;
  if (s->memory)
    memcpy(s->memory + s->count, pairs, count * sizeof(*pairs));
  s->count += count;
  for (size_t i = 0; s->hashing && i < count; i++) {
    uint64_t x = ((uint64_t)pairs[i].first << 32 | pairs[i].second) + (uint64_t)kind * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9u;
    s->hash += x ^ x >> 29;
  }
  return TOI_OK;
}

/* Times of one broad phase on one number of threads. */
typedef struct series {
  const char *broad;
  uint32_t threads;
  clockid_t clock;
  toi_context *context;
  meter meter;
  double *first, *memory, *streamed; /* one a round */
  size_t pairs;
  uint64_t hash;
} series;

static double call(toi_context *context, const scene *s, const series *of, sink *to) {
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  on_mesh.broad = of->broad;
  to->count = 0;
  const double begin = now_ms(of->clock);
  if (toi_candidates(context, &s->mesh, &options, receive, to) != TOI_OK)
    die(toi_context_error(context));
  return now_ms(of->clock) - begin;
}

/* --- rounds --- */

static void *compute_loop(void *user) {
  volatile double *const out = user;
  double x = 1.0000001;
  for (int i = 0; i < COMPUTE_STEPS; i++)
    x = x * 1.0000001 + 1e-9;
  *out = x;
  return NULL;
}

/* Milliseconds for this many compute loops at once. */
static double compute(uint32_t threads, clockid_t clock) {
  pthread_t others[THREADS];
  double out[THREADS];
  const double begin = now_ms(clock);
  for (uint32_t i = 1; i < threads; i++)
    if (pthread_create(&others[i], NULL, compute_loop, &out[i]) != 0)
      die("cannot start a thread");
  compute_loop(&out[0]);
  for (uint32_t i = 1; i < threads; i++)
    pthread_join(others[i], NULL);
  return now_ms(clock) - begin;
}

static void run_round(const scene *s, series *of, toi_pair *memory, int round) {
  meter fresh = {0};
  toi_context *const context = make_context(&fresh, of->threads);
  sink counted = {0}, kept = {.memory = memory};
  of->first[round] = call(context, s, of, &counted);
  toi_context_destroy(context);
  of->streamed[round] = call(of->context, s, of, &counted);
  of->memory[round] = memory ? call(of->context, s, of, &kept) : NAN;
}

/* One series for each broad phase and number of threads, warmed up; returns how many. */
static size_t prepare(const scene *s, const arguments *a, series *all) {
  const size_t boxes = s->mesh.vertex_count + s->mesh.edge_count + s->mesh.face_count;
  size_t count = 0;
  for (size_t number = 0; number < METHODS && toi_broad_name(number); number++)
    for (uint32_t threads = 1; threads <= a->threads; threads++) {
      series *const of = &all[count];
      of->broad = toi_broad_name(number);
      if (a->broad ? strcmp(a->broad, of->broad) != 0 : strcmp(of->broad, "brute") == 0 && boxes > BRUTE_BOXES)
        continue;
      of->threads = threads;
      of->clock = a->clock;
      of->context = make_context(&of->meter, threads);
      of->first = take((size_t)a->rounds, sizeof(double));
      of->memory = take((size_t)a->rounds, sizeof(double));
      of->streamed = take((size_t)a->rounds, sizeof(double));
      sink hashed = {.hashing = true};
      call(of->context, s, of, &hashed);
      of->pairs = hashed.count;
      of->hash = hashed.hash;
      count++;
    }
  return count;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void sort_series(series *of, size_t rounds) {
  qsort(of->first, rounds, sizeof(double), by_value);
  qsort(of->memory, rounds, sizeof(double), by_value);
  qsort(of->streamed, rounds, sizeof(double), by_value);
}

static void free_series(series *of) {
  toi_context_destroy(of->context);
  free(of->first);
  free(of->memory);
  free(of->streamed);
}

/* --- the table --- */

static void report(const scene *s, const arguments *a, const series *of, const series *one, const double *pure) {
  const size_t boxes = s->mesh.vertex_count + s->mesh.edge_count + s->mesh.face_count;
  const size_t middle = (size_t)a->rounds / 2;
  const double best = isnan(of->memory[0]) ? of->streamed[0] : of->memory[0];
  const double gain = one->streamed[0] / of->streamed[0], pure_gain = of->threads * pure[1] / pure[of->threads];
  printf("%-22s %-6s %2u %9zu %11zu %9.2f %9.2f %9.2f %9.2f %9.2f %8.1f %8.2f %6.2f %6.2f %8.1f\n", s->name, of->broad,
         of->threads, boxes, of->pairs, of->first[0], of->memory[0], of->memory[middle], of->streamed[0],
         of->streamed[middle], 1e6 * best / (double)boxes, of->pairs ? 1e6 * best / (double)of->pairs : NAN, gain,
         gain / pure_gain, (double)of->meter.peak / 1048576);
  fflush(stdout);
}

/* Returns whether all broad phases gave the same pairs. */
static bool bench_scene(const scene *s, const arguments *a) {
  series all[METHODS * THREADS];
  memset(all, 0, sizeof(all));
  const size_t count = prepare(s, a, all);
  double pure[THREADS + 1] = {0};
  toi_pair *memory = NULL;
  if (count > 0 && all[0].pairs <= PAIRS_IN_MEMORY) {
    memory = take(all[0].pairs, sizeof(*memory));
    memset(memory, 1, all[0].pairs * sizeof(*memory));
  }
  for (int round = 0; round < a->rounds; round++) {
    for (size_t i = 0; i < count; i++)
      run_round(s, &all[i], memory, round);
    for (uint32_t threads = 1; threads <= a->threads; threads++) {
      const double ms = compute(threads, a->clock);
      pure[threads] = round == 0 ? ms : fmin(pure[threads], ms);
    }
  }
  bool same = true;
  for (size_t i = 0; i < count; i++) {
    sort_series(&all[i], (size_t)a->rounds);
    report(s, a, &all[i], &all[i] - (all[i].threads - 1), pure);
    same = same && all[i].pairs == all[0].pairs && all[i].hash == all[0].hash;
  }
  for (size_t i = 0; i < count; i++)
    free_series(&all[i]);
  free(memory);
  if (!same)
    printf("%s: the broad phases gave different pairs\n", s->name);
  return same;
}

/* The value of an option, or the default. */
static uint32_t number_of(const char *text, uint32_t most) {
  char *rest;
  const unsigned long value = strtoul(text, &rest, 10);
  if (*rest || value == 0 || value > most)
    die("an option's number is out of range");
  return (uint32_t)value;
}

static int parse(int argc, char **argv, arguments *a) {
  int i = 1;
  for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2)
    if (strcmp(argv[i], "--broad") == 0)
      a->broad = argv[i + 1];
    else if (strcmp(argv[i], "--rounds") == 0)
      a->rounds = (int)number_of(argv[i + 1], 1000);
    else if (strcmp(argv[i], "--threads") == 0)
      a->threads = number_of(argv[i + 1], THREADS);
    else if (strcmp(argv[i], "--replicate") == 0)
      a->replicate = number_of(argv[i + 1], 1000);
    else if (strcmp(argv[i], "--clock") == 0 && (strcmp(argv[i + 1], "cpu") == 0 || strcmp(argv[i + 1], "wall") == 0))
      a->clock = strcmp(argv[i + 1], "cpu") == 0 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    else
      die("no such option");
  return i;
}

int main(int argc, char **argv) {
  arguments a = {.rounds = 7, .threads = 1, .replicate = 1, .clock = CLOCK_MONOTONIC};
  int i = parse(argc, argv, &a);
  if (i >= argc)
    die("usage: toi-bench-broad [--broad NAME] [--rounds N] [--threads N] [--replicate K] [--clock wall|cpu] "
        "START END|SHAPE:FACES ...");
  meter m = {0};
  toi_context *const context = make_context(&m, 1);
  printf("%-22s %-6s %2s %9s %11s %9s %9s %9s %9s %9s %8s %8s %6s %6s %8s\n", "scene", "broad", "th", "boxes", "pairs",
         "first ms", "memory ms", "median", "stream ms", "median", "ns/box", "ns/pair", "gain", "/pure", "peak MiB");
  bool same = true;
  while (i < argc) {
    scene s = {.name = ""};
    const bool made = make_shape(&s, argv[i]);
    if (!made && i + 1 >= argc)
      die("a scene is two files, START and END, or SHAPE:FACES");
    if (!made)
      read_scene(context, &s, argv[i], argv[i + 1]);
    const size_t length = strlen(argv[i]);
    snprintf(s.name, sizeof(s.name), "%s", argv[i] + (length > 22 ? length - 22 : 0));
    i += made ? 1 : 2;
    finish_scene(context, &s, &a);
    same = bench_scene(&s, &a) && same;
    free_scene(&s);
  }
  toi_context_destroy(context);
  return same ? 0 : 1;
}
