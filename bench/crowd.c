/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* First contact of many curved bodies: `toi-bench-crowd [OPTIONS]`.
 *
 * Balls, tori and superquadrics, two kinds of these, stand on a jittered grid over a bowl, gaps of half a radius before
 * the jitter, and turn and move by one radius each; then a tenth as many. Then parametric bodies that fly at one
 * implicit surface that rests: a smooth union of 40 ellipsoids in one formula. Wall and CPU time of the fastest round;
 * the bracket, which must be the same on one thread; and the most memory that the contexts held.
 *
 *   --bodies N    on the grid (10000)
 *   --flying N    at the implicit surface (300)
 *   --threads N   (2)
 *   --rounds N    (3)
 *   --seed N      (1) */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <toi/toi.h>

enum { SHAPES = 4, ELLIPSOIDS = 40 };

typedef struct arguments {
  size_t bodies, flying;
  uint32_t threads;
  int rounds;
  uint64_t seed;
} arguments;

static void die(const char *what) {
  fprintf(stderr, "toi-bench-crowd: %s\n", what);
  exit(2);
}

static void must(toi_context *context, toi_status status) {
  if (status != TOI_OK)
    die(toi_context_error(context));
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t random_state = 1;

/* Uniform in [-1, 1). */
static double uniform(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) * 0x1p-52 - 1;
}

static void direction(double d[3]) {
  double square;
  do {
    square = 0;
    for (int k = 0; k < 3; k++) {
      d[k] = uniform();
      square += d[k] * d[k];
    }
  } while (!(square > 0.01 && square <= 1));
  for (int k = 0; k < 3; k++)
    d[k] /= sqrt(square);
}

/* --- scenes --- */

typedef struct scene {
  toi_context *context;
  toi_shape *shapes[SHAPES + 1];
  toi_motion **motions;
  toi_body *bodies;
  size_t count;
} scene;

static scene scene_open(size_t count, uint32_t threads) {
  scene s = {.count = count, .bodies = calloc(count, sizeof(toi_body)), .motions = calloc(count, sizeof(toi_motion *))};
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  if (s.bodies == NULL || s.motions == NULL || toi_context_create(&options, &s.context) != TOI_OK)
    die("out of memory");
  toi_body_init(&s.bodies[0], sizeof s.bodies[0]);
  return s;
}

static void scene_close(scene *s) {
  for (size_t i = 0; i < s->count; i++)
    toi_motion_destroy(s->motions[i]);
  for (int i = 0; i <= SHAPES; i++)
    toi_shape_destroy(s->shapes[i]);
  toi_context_destroy(s->context);
  free(s->bodies);
  free(s->motions);
}

/* Turned anyhow, spinning by half a radian, and carried along. */
static void set_body(scene *s, size_t i, const toi_shape *shape, const double at[3], const double velocity[3]) {
  double axis[3];
  toi_motion *motion;
  must(s->context, toi_motion_create(s->context, &motion));
  direction(axis);
  must(s->context, toi_motion_turn(motion, axis, NULL, 3 * uniform(), 0.5));
  must(s->context, toi_motion_move(motion, at, velocity));
  s->motions[i] = motion;
  s->bodies[i] = (toi_body){.size = i == 0 ? sizeof *s->bodies : 0, .shape = shape, .motion = motion};
}

static double bowl(double x, double y, double width) {
  return 0.5 * (x * x + y * y) / width;
}

static void make_shapes(scene *s, double width) {
  const double sizes[SHAPES][5] = {{1}, {0.7, 0.3}, {0.55, 0.55, 0.55, 0.3, 0.3}, {0.8, 0.8, 0.9, 1.3, 0.8}};
  const toi_shape_kind kinds[SHAPES] = {TOI_SHAPE_SPHERE, TOI_SHAPE_TORUS, TOI_SHAPE_SUPERQUADRIC,
                                        TOI_SHAPE_SUPERQUADRIC};
  char height[80];
  for (int i = 0; i < SHAPES; i++)
    must(s->context, toi_shape_library(s->context, kinds[i], TOI_SHAPE_FORM_DEFAULT, sizes[i], &s->shapes[i]));
  (void)snprintf(height, sizeof height, "0.5*(u^2 + v^2)/%.17g", width);
  const toi_interval side = {-width, width};
  must(s->context, toi_shape_height_field(s->context, height, side, side, &s->shapes[SHAPES]));
}

/* All bodies but the last, the bowl, in columns that stand in it. */
static scene make_grid(size_t count, uint32_t threads) {
  scene s = scene_open(count + 1, threads);
  const size_t side = (size_t)ceil(cbrt((double)count));
  const double step = 2.5, width = 0.5 * step * (double)side + 3;
  make_shapes(&s, width);
  for (size_t i = 0; i < count; i++) {
    const size_t cells[3] = {i % side, i / side % side, i / side / side};
    const double cell[3] = {(double)cells[0], (double)cells[1], (double)cells[2]};
    double at[3], velocity[3];
    for (int k = 0; k < 2; k++)
      at[k] = step * (cell[k] - 0.5 * (double)(side - 1));
    at[2] = bowl(at[0], at[1], width) + 2.4 + step * cell[2];
    for (int k = 0; k < 3; k++)
      at[k] += 0.2 * uniform();
    direction(velocity);
    set_body(&s, i, s.shapes[(size_t)(2 + 2 * uniform()) % SHAPES], at, velocity);
  }
  s.bodies[count].shape = s.shapes[SHAPES];
  return s;
}

/* log of a sum of exp, of 40 ellipsoids about the origin: one surface. */
static void make_union(scene *s) {
  char *text = malloc((size_t)ELLIPSOIDS * 240);
  if (text == NULL)
    die("out of memory");
  size_t length = (size_t)sprintf(text, "-log(");
  for (int i = 0; i < ELLIPSOIDS; i++) {
    const double c[3] = {4 * uniform(), 4 * uniform(), 4 * uniform()};
    length += (size_t)sprintf(
        text + length, "%sexp(4*(1 - ((x - %.6f)/%.6f)^2 - ((y - %.6f)/%.6f)^2 - ((z - %.6f)/%.6f)^2))",
        i == 0 ? "" : " + ", c[0], 1.2 + 0.4 * uniform(), c[1], 1.2 + 0.4 * uniform(), c[2], 1.2 + 0.4 * uniform());
  }
  (void)sprintf(text + length, ")");
  toi_formula *formula;
  toi_implicit given;
  toi_implicit_init(&given, sizeof given);
  static const char *const names[] = {"x", "y", "z", "t"};
  must(s->context, toi_formula_create(s->context, names, 4, &formula));
  given.function = toi_formula_parse(formula, text);
  must(s->context, toi_formula_status(formula));
  given.formula = formula;
  for (int k = 0; k < 3; k++)
    given.bounds[k] = (toi_interval){-8, 8};
  given.solid = true;
  must(s->context, toi_shape_implicit(s->context, &given, &s->shapes[SHAPES]));
  toi_formula_destroy(formula);
  free(text);
}

/* All but the last on a sphere around the last, flying about at its middle. */
static scene make_flight(size_t count, uint32_t threads) {
  scene s = scene_open(count + 1, threads);
  const double torus[] = {0.4, 0.15}, ball[] = {0.4}, bumpy[] = {0.45, 0.08, 6, 8};
  must(s.context, toi_shape_library(s.context, TOI_SHAPE_TORUS, TOI_SHAPE_FORM_DEFAULT, torus, &s.shapes[0]));
  must(s.context, toi_shape_library(s.context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, ball, &s.shapes[1]));
  must(s.context, toi_shape_library(s.context, TOI_SHAPE_BUMPY_SPHERE, TOI_SHAPE_FORM_DEFAULT, bumpy, &s.shapes[2]));
  make_union(&s);
  for (size_t i = 0; i < count; i++) {
    // A spiral of points, evenly far apart.
    const double z = 1 - 2 * ((double)i + 0.5) / (double)count, around = 2.399963229728653 * (double)i;
    const double r = 12 + uniform(), flat = sqrt(1 - z * z);
    const double at[3] = {r * flat * cos(around), r * flat * sin(around), r * z};
    double velocity[3];
    for (int k = 0; k < 3; k++)
      velocity[k] = -at[k] + 2 * uniform();
    set_body(&s, i, s.shapes[i % 3], at, velocity);
  }
  s.bodies[count].shape = s.shapes[SHAPES];
  return s;
}

/* --- measuring --- */

typedef struct measured {
  double seconds, cpu;
  toi_contact_answer answer;
} measured;

static measured measure(const scene *s, int rounds) {
  measured best = {.seconds = INFINITY};
  const toi_contact_options options = toi_default_contact_options();
  for (int i = 0; i < rounds; i++) {
    toi_contact_answer answer;
    const double begin = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    must(s->context, toi_contact(s->context, s->bodies, s->count, &options, &answer, NULL, NULL));
    const double seconds = now(CLOCK_MONOTONIC) - begin;
    if (seconds < best.seconds)
      best = (measured){seconds, now(CLOCK_PROCESS_CPUTIME_ID) - cpu, answer};
  }
  return best;
}

static double peak_megabytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024;
}

typedef scene (*maker)(size_t count, uint32_t threads);

/* The same bodies on so many threads, and once on one. Gives seconds. */
static double report(const char *what, maker make, size_t count, const arguments *a) {
  random_state = a->seed;
  scene s = make(count, a->threads);
  const measured shared = measure(&s, a->rounds);
  scene_close(&s);
  const double peak = peak_megabytes();
  random_state = a->seed;
  s = make(count, 1);
  const measured alone = measure(&s, 1);
  scene_close(&s);
  const bool same = shared.answer.verdict == alone.answer.verdict && shared.answer.t_lo == alone.answer.t_lo &&
                    shared.answer.t_hi == alone.answer.t_hi && shared.answer.contacts == alone.answer.contacts;
  printf("%-10s %7zu %-5s %-20.17g %-8.2g %9llu %9llu %8.3f %8.3f %8.3f %8.0f  %s\n", what, count,
         toi_verdict_name(shared.answer.verdict), shared.answer.t_lo, shared.answer.t_hi - shared.answer.t_lo,
         (unsigned long long)shared.answer.boxes, (unsigned long long)(shared.answer.pairs - shared.answer.culled),
         shared.seconds, shared.cpu, alone.cpu, peak, same ? "same" : "DIFFERENT");
  if (!same)
    die("the answer depends on the number of threads");
  return shared.cpu;
}

static bool is_option(const char *word, const char *name, const char *value) {
  return strcmp(word, name) == 0 && value != NULL;
}

static arguments parse(int argc, char **argv) {
  arguments a = {10000, 300, 2, 3, 1};
  for (int i = 1; i < argc; i += 2) {
    const char *value = argv[i + 1];
    if (is_option(argv[i], "--bodies", value))
      a.bodies = strtoul(value, NULL, 10);
    else if (is_option(argv[i], "--flying", value))
      a.flying = strtoul(value, NULL, 10);
    else if (is_option(argv[i], "--threads", value))
      a.threads = (uint32_t)strtoul(value, NULL, 10);
    else if (is_option(argv[i], "--rounds", value))
      a.rounds = (int)strtol(value, NULL, 10);
    else if (is_option(argv[i], "--seed", value))
      a.seed = strtoul(value, NULL, 10);
    else
      die("takes --bodies, --flying, --threads, --rounds and --seed, each with a number");
  }
  if (a.bodies < 10 || a.flying < 1 || a.threads < 1 || a.rounds < 1)
    die("10 bodies, 1 that flies, 1 thread and 1 round at least");
  return a;
}

int main(int argc, char **argv) {
  const arguments a = parse(argc, argv);
  printf("%-10s %7s %-5s %-20s %-8s %9s %9s %8s %8s %8s %8s\n", "scene", "bodies", "", "t_lo", "width", "boxes",
         "searched", "seconds", "CPU", "1 thread", "peak MB");
  const size_t tenth = a.bodies / 10;
  const double few = report("grid", make_grid, tenth, &a), many = report("grid", make_grid, a.bodies, &a);
  printf("cost of a body among %zu beside that among %zu: %.2f\n", a.bodies, tenth,
         many / few / ((double)a.bodies / (double)tenth));
  (void)report("flight", make_flight, a.flying, &a);
  return 0;
}
