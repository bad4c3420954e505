/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a simulator's iteration costs: `toi-bench-iteration [OPTIONS] START END [START END ...]`.
 *
 * For each pair of states, in one run: the candidates of the whole step counted, toi_step() without separation, the
 * line search with a fraction of the initial distance, its first pass alone (toi_step() with the fraction), and the
 * pairs that are closer than a radius. Rounds are taken in turn, the least time of each counts; the columns beside the
 * times are ratios to the step of the same run.
 *
 *   --rounds N      rounds (7)
 *   --fraction F    of the line search (0.2)
 *   --radius R      of the proximity, as a part of the diagonal of the bounding box (1e-3)
 *   --threads N     threads (1)
 *   --clock wall|cpu  what times mean (cpu, the time of the process) */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

typedef struct arguments {
  int rounds;
  double fraction, radius;
  uint32_t threads;
  clockid_t clock;
} arguments;

/* What is measured, in the order of the columns. */
typedef enum measured { CANDIDATES, STEP, FIRST_PASS, LINE_SEARCH, PROXIMITY, MEASURED } measured;

/* Iterations with small motions. */
#define ITERATIONS 24

typedef struct scene {
  const char *name;
  toi_context *context;
  toi_frame frames[2];
  toi_mesh mesh;
  double diagonal;
  void *positions;
} scene;

typedef struct outcome {
  double least[MEASURED]; /* ms */
  size_t candidates, close;
  toi_advance advance;
} outcome;

static void die(const char *what) {
  fprintf(stderr, "toi-bench-iteration: %s\n", what);
  exit(2);
}

static void must(const scene *s, toi_status status) {
  if (status != TOI_OK)
    die(toi_context_error(s->context));
}

static double now_ms(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static toi_status count_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  (void)kind;
  (void)pairs;
  *(size_t *)user += count;
  return TOI_OK;
}

static toi_status count_close(void *user, const toi_proximal *pairs, size_t count) {
  (void)pairs;
  *(size_t *)user += count;
  return TOI_OK;
}

static void scene_open(scene *s, const arguments *a, char *files[2]) {
  toi_context_options options = toi_default_context_options();
  options.threads = a->threads;
  s->name = files[0];
  if (toi_context_create(&options, &s->context) != TOI_OK)
    die("no context");
  for (int i = 0; i < 2; i++)
    must(s, toi_frame_read(s->context, files[i], &s->frames[i]));
  const toi_frame *start = &s->frames[0], *end = &s->frames[1];
  if (start->vertex_count != end->vertex_count || start->scalar != end->scalar)
    die("the two states have different vertices");
  s->mesh = (toi_mesh){.start = start->vertices,
                       .end = end->vertices,
                       .scalar = start->scalar,
                       .vertex_count = start->vertex_count,
                       .faces = (const uint32_t(*)[3])start->faces,
                       .face_count = start->face_count};
  uint32_t(*edges)[2];
  must(s, toi_mesh_edges(s->context, s->mesh.faces, s->mesh.face_count, NULL, 0, &edges, &s->mesh.edge_count));
  s->mesh.edges = (const uint32_t(*)[2])edges;
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, square = 0;
  for (size_t i = 0; i < 3 * start->vertex_count; i++) {
    const double x =
        start->scalar == TOI_FLOAT32 ? (double)((float *)start->vertices)[i] : ((double *)start->vertices)[i];
    lo[i % 3] = fmin(lo[i % 3], x);
    hi[i % 3] = fmax(hi[i % 3], x);
  }
  for (int k = 0; k < 3; k++)
    square += (hi[k] - lo[k]) * (hi[k] - lo[k]);
  s->diagonal = sqrt(square);
  s->positions = calloc(start->vertex_count + 1, 3 * sizeof(double));
  if (!s->positions)
    die("out of memory");
}

static void scene_close(scene *s) {
  free(s->positions);
  toi_context_destroy(s->context);
}

static void run_one(const scene *s, const arguments *a, measured what, outcome *out) {
  toi_options plain = toi_default_options(), fraction = plain;
  toi_impact impact;
  fraction.separation_fraction = a->fraction;
  switch (what) {
  case CANDIDATES:
    out->candidates = 0;
    must(s, toi_candidates(s->context, &s->mesh, &plain, count_pairs, &out->candidates));
    return;
  case STEP:
    must(s, toi_step(s->context, &s->mesh, &plain, &impact));
    return;
  case FIRST_PASS:
    must(s, toi_step(s->context, &s->mesh, &fraction, &impact));
    return;
  case LINE_SEARCH:
    must(s, toi_line_search(s->context, &s->mesh, &fraction, s->positions, &out->advance));
    return;
  case PROXIMITY:
  case MEASURED:
    out->close = 0;
    must(s, toi_proximity(s->context, &s->mesh, a->radius * s->diagonal, &plain, count_close, &out->close));
  }
}

/* --- small motions --- */

static double random_sided(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return 2 * ((double)(*state >> 11) * 0x1p-53) - 1;
}

/* Where vertices are in iteration after iteration, in doubles: around the first state, by up to a tenth of the radius.
 */
typedef struct motion {
  double *origin, *start, *end;
  size_t count; /* of numbers */
  double most;
  uint64_t state;
} motion;

static void motion_open(motion *m, const scene *s, double most) {
  m->count = 3 * s->mesh.vertex_count;
  m->most = most;
  m->state = 1;
  m->origin = calloc(m->count + 1, sizeof(double));
  m->start = calloc(m->count + 1, sizeof(double));
  m->end = calloc(m->count + 1, sizeof(double));
  if (!m->origin || !m->start || !m->end)
    die("out of memory");
  for (size_t i = 0; i < m->count; i++)
    m->origin[i] = m->end[i] =
        s->mesh.scalar == TOI_FLOAT32 ? (double)((const float *)s->mesh.start)[i] : ((const double *)s->mesh.start)[i];
}

static void motion_next(motion *m) {
  for (size_t i = 0; i < m->count; i++) {
    m->start[i] = m->end[i];
    m->end[i] = m->origin[i] + 0.5 * m->most / sqrt(3) * random_sided(&m->state);
  }
}

/* The mean times of an iteration's two calls: fresh, and with a scene. */
static void iterate(const scene *s, const arguments *a, double times[2]) {
  toi_options plain = toi_default_options(), fraction = plain;
  fraction.separation_fraction = a->fraction;
  const double distance = a->radius * s->diagonal;
  motion m;
  motion_open(&m, s, 0.1 * distance);
  toi_mesh mesh = s->mesh;
  mesh.scalar = TOI_FLOAT64;
  mesh.start = m.start;
  mesh.end = m.end;
  const toi_topology topology = {.vertex_count = mesh.vertex_count,
                                 .edges = mesh.edges,
                                 .edge_count = mesh.edge_count,
                                 .faces = mesh.faces,
                                 .face_count = mesh.face_count};
  const toi_positions at = {.start = m.start, .end = m.end, .vertex_count = mesh.vertex_count};
  double *const placed = calloc(m.count + 1, sizeof(double));
  toi_scene *kept;
  must(s, toi_scene_create(s->context, &topology, &kept));
  times[0] = times[1] = 0;
  for (int i = -2; i < ITERATIONS; i++) {
    toi_advance advance;
    size_t close[2] = {0, 0};
    motion_next(&m);
    const double begin = now_ms(a->clock);
    must(s, toi_proximity(s->context, &mesh, distance, &plain, count_close, &close[0]));
    must(s, toi_line_search(s->context, &mesh, &fraction, placed, &advance));
    const double middle = now_ms(a->clock);
    must(s, toi_scene_proximity(s->context, kept, &at, distance, &plain, count_close, &close[1]));
    must(s, toi_scene_line_search(s->context, kept, &at, &fraction, placed, &advance));
    const double end = now_ms(a->clock);
    if (close[0] != close[1])
      die("the scene gives other pairs");
    // The first two find no list yet.
    times[0] += i < 0 ? 0 : (middle - begin) / ITERATIONS;
    times[1] += i < 0 ? 0 : (end - middle) / ITERATIONS;
  }
  toi_scene_destroy(kept);
  free(placed);
  free(m.origin);
  free(m.start);
  free(m.end);
}

static void measure(const arguments *a, char *files[2]) {
  scene s;
  outcome out = {.candidates = 0};
  scene_open(&s, a, files);
  for (int i = 0; i < MEASURED; i++)
    out.least[i] = INFINITY;
  for (int round = 0; round < a->rounds; round++)
    for (int i = 0; i < MEASURED; i++) {
      const double begin = now_ms(a->clock);
      run_one(&s, a, (measured)i, &out);
      out.least[i] = fmin(out.least[i], now_ms(a->clock) - begin);
    }
  double iteration[2];
  iterate(&s, a, iteration);
  const size_t length = strlen(s.name);
  printf("%-32.32s %9zu %8.2f %8.2f %8.2f %8.2f %5.2f %8.2f %5.2f %9zu %8.2f %8.2f %5.2f  step %.4g, tries %u\n",
         s.name + (length > 32 ? length - 32 : 0), out.candidates, out.least[CANDIDATES], out.least[STEP],
         out.least[FIRST_PASS], out.least[LINE_SEARCH], out.least[LINE_SEARCH] / out.least[STEP], out.least[PROXIMITY],
         out.least[PROXIMITY] / out.least[STEP], out.close, iteration[0], iteration[1], iteration[1] / iteration[0],
         out.advance.step, out.advance.tries);
  fflush(stdout);
  scene_close(&s);
}

static const char usage[] = "usage: toi-bench-iteration [--rounds N] [--fraction F] [--radius R] [--threads N] "
                            "[--clock wall|cpu] START END ...";

int main(int argc, char **argv) {
  arguments a = {7, 0.2, 1e-3, 1, CLOCK_PROCESS_CPUTIME_ID};
  int i = 1;
  for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
    const char *value = argv[i + 1];
    if (strcmp(argv[i], "--rounds") == 0)
      a.rounds = (int)strtol(value, NULL, 10);
    else if (strcmp(argv[i], "--fraction") == 0)
      a.fraction = strtod(value, NULL);
    else if (strcmp(argv[i], "--radius") == 0)
      a.radius = strtod(value, NULL);
    else if (strcmp(argv[i], "--threads") == 0)
      a.threads = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(argv[i], "--clock") == 0)
      a.clock = strcmp(value, "wall") == 0 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    else
      die(usage);
  }
  if (i + 1 >= argc || (argc - i) % 2 != 0 || a.rounds < 1)
    die(usage);
  printf("%-32s %9s %8s %8s %8s %8s %5s %8s %5s %9s %8s %8s %5s\n", "ms", "pairs", "broad", "step", "step F", "search",
         "/step", "close", "/step", "close", "fresh", "kept", "ratio");
  for (; i < argc; i += 2)
    measure(&a, argv + i);
  return 0;
}
