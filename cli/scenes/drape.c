/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The cloth, the ball and the rings. Lengths are in metres, the step is about a third of a second of free fall.
 *
 * The ball has radius 1/2 about the origin and ends a little higher. The cloth starts as a wavy sheet of three by
 * three, 0.65 or more above the origin, so that nothing touches it; in the step its middle falls by half a metre,
 * through the ball's top, and the further out, the deeper it falls and the more it is drawn inwards, through the rings.
 * These lie level below the cloth, one under another, each smaller than the one above, clear of the ball and of each
 * other. */

#include "scenes/drape.h"

#include <stdlib.h>

#include "planted/random.h"
#include "scenes/shapes.h"

#define RINGS 3
#define RING_THICKNESS 0.06 /* of the ring's radius */

/* What the seed decides. */
typedef struct draw {
  double phase[4]; /* of the waves at the start and at the end, in x and in y; in [0, 2) */
  double tilt[2];  /* how far the cloth drifts sideways */
  double turn;     /* of the ball, as the tangent of half its angle */
} draw;

static const struct {
  double radius, height, rise;
} rings[RINGS] = {{1.05, 0.05, 0.05}, {0.875, -0.4, 0.1}, {0.7, -0.85, 0.15}};

static double draw_unit(planted_random *random) {
  return (double)planted_between(random, 0, 1023) / 1024;
}

static draw draw_make(uint64_t seed) {
  planted_random random = planted_seed(seed, 0, 0);
  draw d;
  for (int k = 0; k < 4; k++)
    d.phase[k] = 2 * draw_unit(&random);
  for (int k = 0; k < 2; k++)
    d.tilt[k] = draw_unit(&random) / 8 - 1.0 / 16;
  d.turn = draw_unit(&random) / 4 - 1.0 / 8;
  return d;
}

/* A wave of parabolas, of period 2 and height 1, for x > -64. */
static double wave(double x) {
  const int64_t whole = (int64_t)(x + 64);
  const double part = x + 64 - (double)whole;
  const double height = 4 * part * (1 - part);
  return whole % 2 == 0 ? height : -height;
}

/* --- the parts: where a point of a unit shape starts and ends --- */

static void place_cloth(const draw *d, const double p[3], double start[3], double end[3]) {
  const double x = 1.5 * p[0], y = 1.5 * p[1], far = x * x + y * y;
  start[0] = x;
  start[1] = y;
  start[2] = 0.75 + wave(1.5 * x + d->phase[0]) * wave(1.5 * y + d->phase[1]) / 12;
  const double drawn = 1 / (1 + far / 4);
  end[0] = x * drawn + d->tilt[0];
  end[1] = y * drawn + d->tilt[1];
  end[2] = 0.25 - far / 2 + wave(2 * x + d->phase[2]) * wave(2 * y + d->phase[3]) / 8;
}

static void place_ball(const draw *d, const double p[3], double start[3], double end[3]) {
  const double t = d->turn, c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
  for (int k = 0; k < 3; k++)
    start[k] = p[k] / 2;
  end[0] = c * start[0] - s * start[1];
  end[1] = s * start[0] + c * start[1];
  end[2] = start[2] + 1.0 / 16;
}

static void place_ring(int ring, const double p[3], double start[3], double end[3]) {
  for (int k = 0; k < 3; k++)
    start[k] = end[k] = rings[ring].radius * p[k];
  start[2] += rings[ring].height;
  end[2] = start[2] + rings[ring].rise;
}

/* --- the whole --- */

/* Adds a shape, its points placed; ring is -1 for another part's. */
static void drape_add(drape *scene, const shape *s, const draw *d, int part, int ring) {
  const uint32_t first = (uint32_t)scene->vertex_count;
  for (size_t i = 0; i < s->point_count; i++) {
    double start[3], end[3];
    if (part == DRAPE_CLOTH)
      place_cloth(d, s->points[i], start, end);
    else if (part == DRAPE_BALL)
      place_ball(d, s->points[i], start, end);
    else
      place_ring(ring, s->points[i], start, end);
    for (int k = 0; k < 3; k++) {
      scene->start[scene->vertex_count][k] = (float)start[k];
      scene->end[scene->vertex_count][k] = (float)end[k];
    }
    scene->vertex_count++;
  }
  for (size_t i = 0; i < s->face_count; i++) {
    for (int k = 0; k < 3; k++)
      scene->faces[scene->face_count][k] = first + s->faces[i][k];
    scene->face_count++;
  }
  scene->vertex_begin[part + 1] = scene->vertex_count;
  scene->face_begin[part + 1] = scene->face_count;
}

static bool drape_fill(drape *scene, const shape shapes[DRAPE_PARTS], const draw *d) {
  size_t points = 0, faces = 0;
  for (int part = 0; part < DRAPE_PARTS; part++) {
    const size_t times = part == DRAPE_RINGS ? RINGS : 1;
    points += times * shapes[part].point_count;
    faces += times * shapes[part].face_count;
  }
  scene->start = calloc(points, sizeof *scene->start);
  scene->end = calloc(points, sizeof *scene->end);
  scene->faces = calloc(faces, sizeof *scene->faces);
  if (scene->start == NULL || scene->end == NULL || scene->faces == NULL) {
    drape_free(scene);
    return false;
  }
  drape_add(scene, &shapes[DRAPE_CLOTH], d, DRAPE_CLOTH, -1);
  drape_add(scene, &shapes[DRAPE_BALL], d, DRAPE_BALL, -1);
  for (int ring = 0; ring < RINGS; ring++)
    drape_add(scene, &shapes[DRAPE_RINGS], d, DRAPE_RINGS, ring);
  return true;
}

bool drape_make(uint32_t size, uint64_t seed, drape *scene) {
  const draw d = draw_make(seed);
  shape shapes[DRAPE_PARTS] = {{0}};
  *scene = (drape){0};
  const uint32_t eighths = (size + 7) / 8, across = 8 * ((size + 47) / 48);
  bool made = shape_sheet(size, &shapes[DRAPE_CLOTH]) && shape_ball((size + 3) / 4, &shapes[DRAPE_BALL]) &&
              shape_ring(eighths, across, RING_THICKNESS, &shapes[DRAPE_RINGS]) && drape_fill(scene, shapes, &d);
  for (int part = 0; part < DRAPE_PARTS; part++)
    shape_free(&shapes[part]);
  return made;
}

void drape_free(drape *scene) {
  free(scene->start);
  free(scene->end);
  free(scene->faces);
  *scene = (drape){0};
}

const char *drape_part_name(int part) {
  static const char *const names[DRAPE_PARTS] = {"cloth", "ball", "rings"};
  return part >= 0 && part < DRAPE_PARTS ? names[part] : "";
}

int drape_part_of(const drape *scene, uint32_t vertex) {
  int part = 0;
  while (part < DRAPE_PARTS - 1 && vertex >= scene->vertex_begin[part + 1])
    part++;
  return part;
}
