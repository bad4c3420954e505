/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whole rigid bodies that turn: `toi-bench-rigid [OPTIONS]`.
 *
 * Two bumpy balls of about 50,000 faces turn by 1 radian and touch in the first tenth of the step; a ball turns by 1
 * radian inside a slightly larger one, and misses it. Then many balls of about 1,000 faces, each of whose swept boxes
 * meets those of eight others, on two threads, and a tenth as many at the same density. CPU time, the least of all
 * rounds; and the verdict, which must be the one that was planned.
 *
 *   --faces N     of each of the two large bodies (50000)
 *   --bodies N    in the crowd (1000)
 *   --gap R       radius of the outer of two nested balls, the inner one's being 1 (1.01)
 *   --rounds N    (3) */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <toi/toi.h>

typedef struct arguments {
  size_t faces, bodies;
  double gap;
  int rounds;
} arguments;

static void die(const char *what) {
  fprintf(stderr, "toi-bench-rigid: %s\n", what);
  exit(2);
}

static void must(toi_context *context, toi_status status) {
  if (status != TOI_OK)
    die(toi_context_error(context));
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static uint64_t random_state = 1;

/* Uniform in [-1, 1). */
static double uniform(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) * 0x1p-52 - 1;
}

/* --- a bumpy ball: rings of quadrilaterals, each two faces --- */

typedef struct ball {
  double (*vertices)[3];
  uint32_t (*faces)[3];
  size_t vertex_count, face_count;
} ball;

static void *room(size_t count, size_t size) {
  void *memory = calloc(count == 0 ? 1 : count, size);
  if (memory == NULL)
    die("out of memory");
  return memory;
}

static ball make_ball(size_t faces, double bump) {
  const uint32_t rings = (uint32_t)fmax(3, sqrt((double)faces / 4)), slices = 2 * rings;
  ball b = {.vertex_count = (size_t)(rings - 1) * slices + 2};
  b.vertices = room(b.vertex_count, sizeof *b.vertices);
  b.faces = room((size_t)2 * rings * slices, sizeof *b.faces);
  for (uint32_t i = 0; i < b.vertex_count; i++) {
    const uint32_t ring = i == 0 ? 0 : i == b.vertex_count - 1 ? rings : 1 + (i - 1) / slices;
    const double theta = M_PI * ring / rings, phi = 2 * M_PI * (i == 0 ? 0 : (i - 1) % slices) / slices;
    const double r = 1 + bump * sin(7 * theta) * cos(9 * phi) * sin(theta);
    b.vertices[i][0] = r * sin(theta) * cos(phi);
    b.vertices[i][1] = r * sin(theta) * sin(phi);
    b.vertices[i][2] = r * cos(theta);
  }
  const uint32_t last = (uint32_t)b.vertex_count - 1;
  for (uint32_t ring = 0; ring < rings; ring++)
    for (uint32_t s = 0; s < slices; s++) {
      const uint32_t next = (s + 1) % slices, up = 1 + (ring - 1) * slices, down = 1 + ring * slices;
      const uint32_t a = ring == 0 ? 0 : up + s, c = ring == 0 ? 0 : up + next;
      const uint32_t d = ring + 1 == rings ? last : down + s, e = ring + 1 == rings ? last : down + next;
      if (ring > 0)
        memcpy(b.faces[b.face_count++], (const uint32_t[]){a, c, d}, sizeof *b.faces);
      if (ring + 1 < rings)
        memcpy(b.faces[b.face_count++], (const uint32_t[]){c, e, d}, sizeof *b.faces);
    }
  return b;
}

static toi_mesh mesh_of(const ball *b) {
  return (toi_mesh){.start = b->vertices,
                    .vertex_count = b->vertex_count,
                    .faces = (const uint32_t(*)[3])b->faces,
                    .face_count = b->face_count};
}

static toi_moving_body turning(double angle) {
  toi_moving_body body;
  toi_moving_body_init(&body, sizeof body);
  double axis[3], length = 0;
  for (int i = 0; i < 3; i++) {
    axis[i] = uniform();
    length += axis[i] * axis[i];
  }
  body.end.quaternion[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++)
    body.end.quaternion[i + 1] = sin(angle / 2) * axis[i] / sqrt(length);
  return body;
}

/* --- measuring --- */

typedef struct measured {
  double ms;
  toi_counters counters;
  toi_work work;
  toi_rigid_impact impact;
} measured;

static measured measure(toi_context *context, toi_rigid_scene *scene, const toi_moving_body *bodies, size_t count,
                        int rounds) {
  measured best = {.ms = INFINITY};
  for (int i = 0; i < rounds; i++) {
    toi_options options = toi_default_options();
    toi_counters counters = {0};
    toi_mesh_options on_mesh = toi_default_mesh_options();
    on_mesh.work = &best.work;
    options.on_mesh = &on_mesh;
    options.counters = &counters;
    const double start = now_ms();
    must(context, toi_rigid_scene_step(scene, bodies, count, &options, &best.impact));
    best.ms = fmin(best.ms, now_ms() - start);
    best.counters = counters;
  }
  return best;
}

static void report(const char *name, const measured *m) {
  printf("%-34s %9.2f ms   %-4s at %-8.5g %9llu face pairs, %llu queries, %llu in integers\n", name, m->ms,
         toi_verdict_name((toi_verdict)m->impact.hit.verdict), m->impact.hit.t_lo,
         (unsigned long long)m->work.candidates[TOI_FACE_FACE], (unsigned long long)m->counters.queries,
         (unsigned long long)m->counters.levels[TOI_LEVEL_EXACT]);
}

static toi_context *context_of(uint32_t threads) {
  toi_context *context;
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  if (toi_context_create(&options, &context) != TOI_OK)
    die("no context");
  return context;
}

static void two_bodies(const arguments *given) {
  toi_context *context = context_of(1);
  const ball b = make_ball(given->faces, 0.03);
  const toi_mesh mesh = mesh_of(&b);
  toi_rigid_scene *scene;
  must(context, toi_rigid_scene_create(context, &scene));
  double start = now_ms();
  for (int i = 0; i < 2; i++)
    must(context, toi_rigid_scene_add(scene, &mesh, false, NULL));
  printf("%-34s %9.2f ms   %zu faces\n", "a tree", (now_ms() - start) / 2, b.face_count);
  toi_moving_body bodies[2] = {turning(1), turning(1)};
  bodies[1].start.position[0] = 2.2;
  bodies[1].end.position[0] = 0.2;
  const measured hit = measure(context, scene, bodies, 2, given->rounds);
  report("contact early in the step", &hit);
  toi_rigid_scene_destroy(scene);
  toi_context_destroy(context);
  free(b.vertices);
  free(b.faces);
}

/* A ball inside another one, that turn against each other: close everywhere, and all the time. */
static void nested_bodies(const arguments *given) {
  toi_context *context = context_of(1);
  const ball b = make_ball(given->faces, 0);
  const toi_mesh mesh = mesh_of(&b);
  toi_rigid_scene *scene;
  must(context, toi_rigid_scene_create(context, &scene));
  must(context, toi_rigid_scene_add(scene, &mesh, false, NULL));
  for (size_t i = 0; i < 3 * b.vertex_count; i++)
    b.vertices[0][i] *= given->gap;
  must(context, toi_rigid_scene_add(scene, &mesh, false, NULL));
  toi_moving_body bodies[2] = {turning(1), turning(0)};
  const measured miss = measure(context, scene, bodies, 2, given->rounds);
  report("a close miss", &miss);
  toi_rigid_scene_destroy(scene);
  toi_context_destroy(context);
  free(b.vertices);
  free(b.faces);
}

/* Balls on a grid that move by more than a radius along two axes, all nearly alike: the boxes of their paths meet those
 * of eight others, and they stay apart. */
static double crowd(const arguments *given, size_t count) {
  toi_context *context = context_of(2);
  const ball b = make_ball(1000, 0.05);
  const toi_mesh mesh = mesh_of(&b);
  toi_rigid_scene *scene;
  must(context, toi_rigid_scene_create(context, &scene));
  toi_moving_body *bodies = room(count, sizeof *bodies);
  const size_t side = (size_t)ceil(cbrt((double)count));
  for (size_t i = 0; i < count; i++) {
    must(context, toi_rigid_scene_add(scene, &mesh, false, NULL));
    bodies[i] = turning(1);
    const size_t row = i / side, place[3] = {i % side, row % side, row / side};
    const double at[3] = {(double)place[0], (double)place[1], (double)place[2]};
    for (int axis = 0; axis < 3; axis++) {
      bodies[i].start.position[axis] = 2.17 * at[axis];
      bodies[i].end.position[axis] = 2.17 * at[axis] + (axis < 2 ? 1.5 : 0.05) + 0.02 * uniform();
    }
  }
  const measured m = measure(context, scene, bodies, count, given->rounds);
  char name[64];
  (void)snprintf(name, sizeof name, "%zu bodies of %zu faces", count, b.face_count);
  report(name, &m);
  toi_rigid_scene_destroy(scene);
  toi_context_destroy(context);
  free(bodies);
  free(b.vertices);
  free(b.faces);
  return m.ms / (double)count;
}

int main(int count, char **words) {
  arguments given = {50000, 1000, 1.01, 3};
  for (int i = 1; i < count; i += 2) {
    if (i + 1 == count)
      die("every option takes a number");
    const double value = strtod(words[i + 1], NULL);
    if (!(value >= 1 && value < 1e9))
      die("numbers are from 1 to 10^9");
    if (strcmp(words[i], "--faces") == 0)
      given.faces = (size_t)value;
    else if (strcmp(words[i], "--bodies") == 0)
      given.bodies = (size_t)value;
    else if (strcmp(words[i], "--gap") == 0)
      given.gap = value;
    else if (strcmp(words[i], "--rounds") == 0)
      given.rounds = (int)value;
    else
      die("options are --faces, --bodies, --gap, --rounds");
  }
  two_bodies(&given);
  nested_bodies(&given);
  const double small = crowd(&given, given.bodies / 10 > 0 ? given.bodies / 10 : 1),
               large = crowd(&given, given.bodies);
  printf("%-34s %9.2f\n", "cost per body, large by small", large / small);
  return 0;
}
