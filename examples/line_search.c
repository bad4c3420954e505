/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A cloth falls on a ball. In each step every vertex of the cloth wants to go on as before, pulled by gravity and held
 * by its edges; toi_scene_proximity() finds what is close, where it must not come closer; and toi_scene_line_search()
 * goes as far towards that as is safe. The cloth never passes through the ball or itself, however large the steps are.
 * The scene is made once: it keeps what connectivity and small motions allow.
 *
 *   example_line_search [STEPS]
 *
 * It takes a square root, so by hand it is linked with -lm too. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toi/toi.h>

enum { SIDE = 24, RINGS = 10, AROUND = 20, CLOTH = (SIDE + 1) * (SIDE + 1), BALL = RINGS * AROUND + 2 };
enum { VERTICES = CLOTH + BALL, FACES = 2 * SIDE * SIDE + 2 * AROUND * RINGS };

static const double pi = 3.14159265358979323846;
static const double step_time = 1.0 / 50, gravity = 9.81, close_by = 0.004;

typedef struct scene {
  double at[VERTICES][3], wanted[VERTICES][3], reached[VERTICES][3], velocity[VERTICES][3];
  uint32_t faces[FACES][3];
  size_t face_count;
  const uint32_t (*edges)[2]; /* those that the scene found */
  double *rest;               /* their lengths */
  size_t edge_count;
  uint8_t fixed[VERTICES];
  toi_scene *kept;
  toi_positions positions;
} scene;

static void add_face(scene *s, int a, int b, int c) {
  uint32_t face[3] = {(uint32_t)a, (uint32_t)b, (uint32_t)c};
  memcpy(s->faces[s->face_count++], face, sizeof(face));
}

static void make_cloth(scene *s) {
  for (int i = 0; i < CLOTH; i++) {
    int row = i / (SIDE + 1), column = i % (SIDE + 1);
    s->at[i][0] = 2.0 * row / SIDE - 1;
    s->at[i][1] = 2.0 * column / SIDE - 1;
    s->at[i][2] = 0.6;
  }
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      int a = i * (SIDE + 1) + j, b = a + SIDE + 1;
      add_face(s, a, b, a + 1);
      add_face(s, b, b + 1, a + 1);
    }
}

static void make_ball(scene *s) {
  int north = CLOTH + RINGS * AROUND, south = north + 1;
  for (int i = 0; i < RINGS * AROUND; i++) {
    int ring = i / AROUND + 1, spoke = i % AROUND;
    double latitude = pi * ring / (RINGS + 1), longitude = 2 * pi * spoke / AROUND;
    s->at[CLOTH + i][0] = 0.5 * sin(latitude) * cos(longitude);
    s->at[CLOTH + i][1] = 0.5 * sin(latitude) * sin(longitude);
    s->at[CLOTH + i][2] = 0.5 * cos(latitude);
  }
  s->at[north][2] = 0.5;
  s->at[south][2] = -0.5;
  for (int j = 0; j < AROUND; j++) {
    int next = (j + 1) % AROUND, last = CLOTH + (RINGS - 1) * AROUND;
    add_face(s, north, CLOTH + j, CLOTH + next);
    add_face(s, south, last + next, last + j);
    for (int i = 0; i + 1 < RINGS; i++) {
      int a = CLOTH + i * AROUND + j, b = CLOTH + i * AROUND + next;
      add_face(s, a, a + AROUND, b);
      add_face(s, b, a + AROUND, b + AROUND);
    }
  }
  memset(s->fixed + CLOTH, 1, BALL);
}

static double length(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static toi_status make_scene(toi_context *context, scene *s) {
  make_cloth(s);
  make_ball(s);
  const toi_topology topology = {
      .vertex_count = VERTICES, .faces = s->faces, .face_count = s->face_count, .fixed = s->fixed};
  const toi_status status = toi_scene_create(context, &topology, &s->kept);
  if (status != TOI_OK)
    return status;
  s->edge_count = toi_scene_edges(s->kept, &s->edges);
  s->rest = malloc(s->edge_count * sizeof(double));
  for (size_t i = 0; s->rest && i < s->edge_count; i++)
    s->rest[i] = length(s->at[s->edges[i][0]], s->at[s->edges[i][1]]);
  s->positions = (toi_positions){.start = s->at, .end = s->wanted, .vertex_count = VERTICES};
  return s->rest ? TOI_OK : TOI_ERROR_MEMORY;
}

/* Where the cloth would be after a step if nothing were in its way: edges keep their length, more or less. */
static void want(scene *s) {
  for (int i = 0; i < VERTICES; i++)
    for (int k = 0; k < 3; k++) {
      s->velocity[i][k] = s->fixed[i] ? 0 : 0.99 * s->velocity[i][k] - (k == 2 ? gravity * step_time : 0);
      s->wanted[i][k] = s->at[i][k] + step_time * s->velocity[i][k];
    }
  for (int round = 0; round < 20; round++)
    for (size_t i = 0; i < s->edge_count; i++) {
      double *a = s->wanted[s->edges[i][0]], *b = s->wanted[s->edges[i][1]], now = length(a, b);
      for (int k = 0; k < 3 && !s->fixed[s->edges[i][0]]; k++) {
        double half = 0.5 * (1 - s->rest[i] / now) * (b[k] - a[k]);
        a[k] += half;
        b[k] -= half;
      }
    }
}

/* A vertex may not go against the direction n. */
static void hold(scene *s, uint32_t vertex, const double n[3], double side) {
  double against = 0;
  for (int k = 0; k < 3; k++)
    against += side * n[k] * (s->wanted[vertex][k] - s->at[vertex][k]);
  for (int k = 0; k < 3 && against < 0 && !s->fixed[vertex]; k++)
    s->wanted[vertex][k] -= against * side * n[k];
}

/* What is close comes no closer. */
static toi_status hold_pairs(void *user, const toi_proximal *pairs, size_t count) {
  scene *s = user;
  for (size_t i = 0; i < count; i++) {
    const toi_distance *d = &pairs[i].distance;
    toi_pair pair = pairs[i].pair;
    double n[3], size = length(d->first, d->second);
    for (int k = 0; k < 3; k++)
      n[k] = size > 0 ? (d->first[k] - d->second[k]) / size : 0;
    if (pairs[i].kind == TOI_VERTEX_FACE) {
      hold(s, pair.first, n, 1);
      for (int k = 0; k < 3; k++)
        hold(s, s->faces[pair.second][k], n, -1);
    }
    for (int k = 0; k < 2 && pairs[i].kind == TOI_EDGE_EDGE; k++) {
      hold(s, s->edges[pair.first][k], n, 1);
      hold(s, s->edges[pair.second][k], n, -1);
    }
  }
  return TOI_OK;
}

static toi_status advance(toi_context *context, scene *s, int number) {
  toi_options options = toi_default_options();
  toi_advance gone;
  want(s);
  toi_status status = toi_scene_proximity(context, s->kept, &s->positions, close_by, &options, hold_pairs, s);
  if (status != TOI_OK)
    return status;
  options.separation_fraction = 0.2;
  status = toi_scene_line_search(context, s->kept, &s->positions, &options, s->reached, &gone);
  if (status != TOI_OK)
    return status;
  double lowest = INFINITY;
  for (int i = 0; i < CLOTH; i++) {
    for (int k = 0; k < 3; k++)
      s->velocity[i][k] = (s->reached[i][k] - s->at[i][k]) / step_time;
    lowest = fmin(lowest, s->reached[i][2]);
  }
  memcpy(s->at, s->reached, sizeof(s->at));
  printf("%4d  %9.6f  %7.4f  %2u  ", number, gone.step, lowest, gone.tries);
  if (gone.first.hit.verdict == TOI_MISS)
    printf("free\n");
  else
    printf("%s %u, %u\n", toi_kind_name(gone.first.kind), gone.first.pair.first, gone.first.pair.second);
  return TOI_OK;
}

int main(int count, char **arguments) {
  long steps = count > 1 ? strtol(arguments[1], NULL, 10) : 60;
  toi_context *context;
  scene *s = calloc(1, sizeof(*s));
  if (!s || toi_context_create(NULL, &context) != TOI_OK) {
    free(s);
    return 2;
  }
  toi_status status = make_scene(context, s);
  printf("step  part gone   lowest  tries  stopped by\n");
  for (int i = 1; i <= steps && status == TOI_OK; i++)
    status = advance(context, s, i);
  toi_options options = toi_default_options();
  toi_intersection found = {0};
  if (status == TOI_OK)
    status = toi_scene_intersects(context, s->kept, &s->positions, &options, &found);
  if (status == TOI_OK)
    printf("the cloth %s\n", found.found ? "intersects something" : "is free of intersections");
  else
    fprintf(stderr, "line_search: %s: %s\n", toi_status_text(status), toi_context_error(context));
  toi_scene_destroy(s->kept);
  toi_context_destroy(context);
  free(s->rest);
  free(s);
  return status == TOI_OK && !found.found ? 0 : 2;
}
