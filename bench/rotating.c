/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Turning bodies beside linear motion: `toi-bench-rotating [OPTIONS]`.
 *
 * Two sets of queries, in one run: random primitives of two bodies in random motion, and the broad phase's candidates
 * of two bumpy balls that graze each other. Each is answered by the kernel for turning bodies, and by the linear kernel
 * on the linearised motion, in which every point goes straight from where it is at the start to where it is at the end:
 * time per query of both, how many queries were left to the integers, and how many verdicts linearising changes. Then
 * `exact` alone, and what a pair of bodies costs. Lines below have the same queries under slerp and screw and within a
 * separation of 0.01: time per query, how often that of nlerp it is, and how many are `near`. Least of all rounds, CPU
 * time; nlerp is measured again beside each.
 *
 *   --angle A       by which bodies turn, radians (1)
 *   --count N       random queries (200000)
 *   --rounds N      rounds (5) */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

typedef struct arguments {
  double angle;
  size_t count;
  int rounds;
} arguments;

static void die(const char *what) {
  fprintf(stderr, "toi-bench-rotating: %s\n", what);
  exit(2);
}

static void must(toi_context *context, toi_status status) {
  if (status != TOI_OK)
    die(toi_context_error(context));
}

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void *room(size_t count, size_t size) {
  void *memory = calloc(count == 0 ? 1 : count, size);
  if (memory == NULL)
    die("out of memory");
  return memory;
}

static uint64_t random_state = 1;

/* Uniform in [-1, 1). */
static double uniform(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) * 0x1p-52 - 1;
}

/* --- bodies --- */

/* Where a point is at an end of the step. */
static void world(const toi_pose *pose, const double p[3], double out[3]) {
  const double *q = pose->quaternion;
  double n = 0, inner[3];
  for (int i = 0; i < 4; i++)
    n += q[i] * q[i];
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    inner[i] = q[y + 1] * p[z] - q[z + 1] * p[y] + q[0] * p[i];
  }
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i] = pose->position[i] + p[i] + 2 * (q[y + 1] * inner[z] - q[z + 1] * inner[y]) / n;
  }
}

/* Turned by an angle about a random axis, from a random orientation. */
static toi_moving_body turning(double angle) {
  toi_moving_body body;
  toi_moving_body_init(&body, sizeof body);
  double axis[3], length = 0, *q = body.start.quaternion, *r = body.end.quaternion;
  for (int i = 0; i < 3; i++) {
    axis[i] = uniform();
    length += axis[i] * axis[i];
    q[i + 1] = uniform();
  }
  double w = cos(angle / 2), s = sin(angle / 2) / sqrt(length);
  r[0] = w * q[0] - s * (axis[0] * q[1] + axis[1] * q[2] + axis[2] * q[3]);
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    r[i + 1] = w * q[i + 1] + s * (axis[i] * q[0] + axis[y] * q[z + 1] - axis[z] * q[y + 1]);
  }
  return body;
}

/* --- a set of queries --- */

/* Queries of one kind between two bodies: in their frames, and linearised in the world. */
typedef struct set {
  const char *name;
  toi_kind kind;
  toi_moving_body body[2];
  size_t count;
  double *local, *linear; /* 12 and 24 numbers each */
} set;

static void add(set *s, const double points[4][3]) {
  int first = s->kind == TOI_EDGE_EDGE ? 2 : 1;
  double *local = s->local + 12 * s->count, *linear = s->linear + 24 * s->count;
  memcpy(local, points, 12 * sizeof(double));
  for (int i = 0; i < 4; i++) {
    const toi_moving_body *body = &s->body[i < first ? 0 : 1];
    world(&body->start, points[i], linear + 3 * (size_t)i);
    world(&body->end, points[i], linear + 12 + 3 * (size_t)i);
  }
  s->count++;
}

static double batch_ns(const arguments *a, toi_context *context, const set *s, const toi_moving_pair *pair,
                       toi_options *options, toi_hit *hits) {
  double least = INFINITY;
  for (int round = 0; round < a->rounds; round++) {
    double start = now_ns();
    must(context, pair != NULL ? toi_moving_pair_batch(pair, s->kind, s->local, s->count, options, hits)
                               : toi_batch(context, s->kind, s->linear, s->count, options, hits));
    least = fmin(least, now_ns() - start);
  }
  return least / (double)s->count;
}

/* One row of the second table. */
static void measure_law(const arguments *a, toi_context *context, const set *s, toi_law law, double separation) {
  static const char *const names[] = {"nlerp", "slerp", "screw"};
  toi_hit *hits = room(s->count, sizeof *hits);
  toi_options options = toi_default_options(), within = options;
  toi_moving_pair *plain, *pair;
  toi_moving_body body[2] = {s->body[0], s->body[1]};
  must(context, toi_moving_pair_create(context, &body[0], &body[1], &plain));
  body[0].law = body[1].law = law;
  must(context, toi_moving_pair_create(context, &body[0], &body[1], &pair));
  within.min_separation = separation;
  double law_ns = INFINITY, plain_ns = INFINITY;
  for (int round = 0; round < a->rounds; round++) {
    arguments once = *a;
    once.rounds = 1;
    plain_ns = fmin(plain_ns, batch_ns(&once, context, s, plain, &options, hits));
    law_ns = fmin(law_ns, batch_ns(&once, context, s, pair, &within, hits));
  }
  size_t found = 0, near = 0;
  for (size_t i = 0; i < s->count; i++) {
    found += hits[i].verdict == TOI_HIT;
    near += hits[i].verdict == TOI_NEAR;
  }
  printf("  %-8s %-12s %-6s d %-5g %8zu hits %4zu near %9.1f ns %6.2f\n", s->name, toi_kind_name(s->kind), names[law],
         separation, found, near, law_ns, law_ns / plain_ns);
  toi_moving_pair_destroy(plain);
  toi_moving_pair_destroy(pair);
  free(hits);
}

static void measure(const arguments *a, toi_context *context, const set *s) {
  if (s->count == 0)
    return;
  toi_hit *turned = room(s->count, sizeof *turned), *linear = room(s->count, sizeof *linear);
  toi_options options = toi_default_options();
  toi_moving_pair *pair;
  must(context, toi_moving_pair_create(context, &s->body[0], &s->body[1], &pair));
  double turned_ns = batch_ns(a, context, s, pair, &options, turned);
  double linear_ns = batch_ns(a, context, s, NULL, &options, linear);
  size_t hits = 0, open = 0, boxes = 0, signs = 0, changed = 0, wrong = 0;
  for (size_t i = 0; i < s->count; i++) {
    hits += turned[i].verdict == TOI_HIT;
    open += turned[i].level == TOI_LEVEL_EXACT;
    boxes += turned[i].level == TOI_LEVEL_BOX;
    signs += turned[i].level == TOI_LEVEL_SIGN;
    changed += turned[i].verdict != linear[i].verdict;
  }
  // `exact` on the first of them, and whether it says the same.
  set few = *s;
  few.count = s->count < 20000 ? s->count : 20000;
  options.method = "exact";
  double exact_ns = batch_ns(a, context, &few, pair, &options, linear);
  for (size_t i = 0; i < few.count; i++)
    wrong += linear[i].verdict != turned[i].verdict;
  const double all = 0.01 * (double)s->count;
  printf("%-8s %-12s %9zu %8zu %6zu %6.1f %6.1f %7.4f %7.3f %8.1f %8.1f %5.2f %9.2f\n", s->name, toi_kind_name(s->kind),
         s->count, hits, wrong, (double)boxes / all, (double)signs / all, (double)open / all, (double)changed / all,
         turned_ns, linear_ns, turned_ns / linear_ns, 1e-3 * exact_ns);
  toi_moving_pair_destroy(pair);
  free(turned);
  free(linear);
  measure_law(a, context, s, TOI_LAW_SLERP, 0);
  measure_law(a, context, s, TOI_LAW_SCREW, 0);
  measure_law(a, context, s, TOI_LAW_NLERP, 0.01);
}

/* --- random queries --- */

static void run_random(const arguments *a, toi_context *context, toi_kind kind) {
  set s = {.name = "random", .kind = kind};
  s.local = room(a->count, 12 * sizeof(double));
  s.linear = room(a->count, 24 * sizeof(double));
  for (int i = 0; i < 2; i++) {
    s.body[i] = turning(a->angle);
    for (int axis = 0; axis < 3; axis++)
      s.body[i].end.position[axis] = 0.5 * uniform();
  }
  while (s.count < a->count) {
    double points[4][3];
    for (int i = 0; i < 12; i++)
      points[i / 3][i % 3] = uniform();
    add(&s, (const double(*)[3])points);
  }
  measure(a, context, &s);
  free(s.local);
  free(s.linear);
}

/* --- two balls --- */

enum { RINGS = 40, SPOKES = 60, BALL = RINGS * SPOKES };

typedef struct balls {
  double at[2 * BALL][3]; /* in the bodies' frames */
  double start[2 * BALL][3], end[2 * BALL][3];
  uint32_t faces[4 * BALL][3], bodies[2 * BALL];
  size_t face_count;
  uint32_t (*edges)[2];
  size_t edge_count;
  set *sets; /* vertex-face with the vertex in either body, edge-edge */
  size_t most;
} balls;

static void make_ball(balls *b, uint32_t number) {
  for (uint32_t ring = 0; ring < RINGS; ring++)
    for (uint32_t spoke = 0; spoke < SPOKES; spoke++) {
      double *p = b->at[number * BALL + ring * SPOKES + spoke], radius = 1 + 0.02 * uniform();
      double polar = 3.14159265358979 * (ring + 0.5) / RINGS, turn = 6.28318530717959 * spoke / SPOKES;
      p[0] = radius * sin(polar) * cos(turn);
      p[1] = radius * sin(polar) * sin(turn);
      p[2] = radius * cos(polar);
      b->bodies[number * BALL + ring * SPOKES + spoke] = number;
      if (ring == 0)
        continue;
      uint32_t next = (spoke + 1) % SPOKES, base = number * BALL + (ring - 1) * SPOKES;
      const uint32_t corner[4] = {base + spoke, base + next, base + SPOKES + spoke, base + SPOKES + next};
      memcpy(b->faces[b->face_count++], (const uint32_t[3]){corner[0], corner[2], corner[1]}, 3 * sizeof(uint32_t));
      memcpy(b->faces[b->face_count++], (const uint32_t[3]){corner[1], corner[2], corner[3]}, 3 * sizeof(uint32_t));
    }
}

static toi_status collect(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  balls *b = user;
  for (size_t i = 0; i < count; i++) {
    uint32_t vertices[4] = {pairs[i].first};
    if (kind == TOI_VERTEX_FACE) {
      memcpy(vertices + 1, b->faces[pairs[i].second], 3 * sizeof(uint32_t));
    } else {
      const uint32_t *first = b->edges[pairs[i].first], *second = b->edges[pairs[i].second];
      const bool swap = b->bodies[first[0]] != 0;
      memcpy(vertices, swap ? second : first, 2 * sizeof(uint32_t));
      memcpy(vertices + 2, swap ? first : second, 2 * sizeof(uint32_t));
    }
    set *s = &b->sets[kind == TOI_EDGE_EDGE ? 2 : b->bodies[vertices[0]]];
    double points[4][3];
    for (int j = 0; j < 4; j++)
      memcpy(points[j], b->at[vertices[j]], sizeof points[j]);
    if (s->count < b->most)
      add(s, (const double(*)[3])points);
  }
  return TOI_OK;
}

static void run_balls(const arguments *a, toi_context *context) {
  balls *b = room(1, sizeof *b);
  set sets[3] = {{.name = "balls", .kind = TOI_VERTEX_FACE},
                 {.name = "balls", .kind = TOI_VERTEX_FACE},
                 {.name = "balls", .kind = TOI_EDGE_EDGE}};
  toi_moving_body body[2] = {turning(a->angle), turning(a->angle)};
  body[1].start.position[0] = 2.1;
  body[1].end.position[0] = 1.99;
  b->sets = sets;
  b->most = 2000000;
  for (int i = 0; i < 3; i++) {
    sets[i].body[0] = body[i == 1];
    sets[i].body[1] = body[i != 1];
    sets[i].local = room(b->most, 12 * sizeof(double));
    sets[i].linear = room(b->most, 24 * sizeof(double));
  }
  for (uint32_t i = 0; i < 2; i++)
    make_ball(b, i);
  for (size_t i = 0; i < 2 * BALL; i++) {
    world(&body[b->bodies[i]].start, b->at[i], b->start[i]);
    world(&body[b->bodies[i]].end, b->at[i], b->end[i]);
  }
  toi_mesh mesh = {.start = b->start,
                   .end = b->end,
                   .vertex_count = 2 * BALL,
                   .bodies = b->bodies,
                   .faces = (const uint32_t(*)[3])b->faces,
                   .face_count = b->face_count};
  must(context, toi_mesh_edges(context, mesh.faces, mesh.face_count, NULL, 0, &b->edges, &b->edge_count));
  mesh.edges = (const uint32_t(*)[2])b->edges;
  mesh.edge_count = b->edge_count;
  toi_options options = toi_default_options();
  must(context, toi_candidates(context, &mesh, &options, collect, b));
  for (int i = 0; i < 3; i++) {
    measure(a, context, &sets[i]);
    free(sets[i].local);
    free(sets[i].linear);
  }
  toi_mesh_edges_free(context, b->edges, b->edge_count);
  free(b);
}

static void run_pairs(const arguments *a, toi_context *context, toi_law law) {
  enum { PAIRS = 2000 };
  double least = INFINITY;
  for (int round = 0; round < a->rounds; round++) {
    toi_moving_body body[2] = {turning(a->angle), turning(a->angle)};
    body[0].law = body[1].law = law;
    double start = now_ns();
    for (int i = 0; i < PAIRS; i++) {
      toi_moving_pair *pair;
      must(context, toi_moving_pair_create(context, &body[0], &body[1], &pair));
      toi_moving_pair_destroy(pair);
    }
    least = fmin(least, (now_ns() - start) / PAIRS);
  }
  printf("a pair of bodies under %s: %.2f us\n", law == TOI_LAW_NLERP ? "nlerp" : "slerp", 1e-3 * least);
}

int main(int argc, char **argv) {
  arguments a = {.angle = 1, .count = 200000, .rounds = 5};
  for (int i = 1; i < argc; i += 2) {
    double value = i + 1 < argc ? strtod(argv[i + 1], NULL) : 0;
    if (!(value > 0))
      die("usage: toi-bench-rotating [--angle A] [--count N] [--rounds N], each positive");
    if (strcmp(argv[i], "--angle") == 0)
      a.angle = value;
    else if (strcmp(argv[i], "--count") == 0)
      a.count = (size_t)value;
    else if (strcmp(argv[i], "--rounds") == 0)
      a.rounds = (int)value;
    else
      die("usage: toi-bench-rotating [--angle A] [--count N] [--rounds N], each positive");
  }
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  toi_context *context;
  if (toi_context_create(&options, &context) != TOI_OK)
    die("no context");
  printf("%-8s %-12s %9s %8s %6s %6s %6s %7s %7s %8s %8s %5s %9s\n", "set", "kind", "queries", "hits", "wrong", "box %",
         "sign %", "open %", "lin. %", "turn ns", "lin. ns", "ratio", "exact us");
  run_random(&a, context, TOI_VERTEX_FACE);
  run_random(&a, context, TOI_EDGE_EDGE);
  run_balls(&a, context);
  run_pairs(&a, context, TOI_LAW_NLERP);
  run_pairs(&a, context, TOI_LAW_SLERP);
  toi_context_destroy(context);
  return 0;
}
