/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Small meshes in one state for tests of intersections: triangles, segments and points, by hand or at random, biased to
 * those that meet. */

#ifndef TOI_TESTS_SCENE_SHAPES_H
#define TOI_TESTS_SCENE_SHAPES_H

#include <math.h>
#include <string.h>

#include <toi/scene.h>

#include "support/support.h"

enum { MOST_VERTICES = 64, MOST_EDGES = 128, MOST_FACES = 32 };

typedef struct shape {
  double points[MOST_VERTICES][3];
  uint32_t edges[MOST_EDGES][2], faces[MOST_FACES][3];
  uint32_t loose[MOST_EDGES][2];
  size_t vertex_count, edge_count, face_count, loose_count;
} shape;

static inline uint32_t add_point(shape *s, double x, double y, double z) {
  assert_true(s->vertex_count < MOST_VERTICES);
  memcpy(s->points[s->vertex_count], (double[3]){x, y, z}, sizeof s->points[0]);
  return (uint32_t)s->vertex_count++;
}

static inline void add_face(shape *s, uint32_t a, uint32_t b, uint32_t c) {
  assert_true(s->face_count < MOST_FACES);
  memcpy(s->faces[s->face_count++], (uint32_t[3]){a, b, c}, sizeof s->faces[0]);
}

static inline void add_loose(shape *s, uint32_t a, uint32_t b) {
  assert_true(s->loose_count < MOST_EDGES);
  memcpy(s->loose[s->loose_count++], (uint32_t[2]){a, b}, sizeof s->loose[0]);
}

/* A triangle of three new points. */
static inline void add_triangle(shape *s, const double p[9]) {
  uint32_t a = add_point(s, p[0], p[1], p[2]), b = add_point(s, p[3], p[4], p[5]);
  add_face(s, a, b, add_point(s, p[6], p[7], p[8]));
}

static inline void add_segment(shape *s, const double p[6]) {
  uint32_t a = add_point(s, p[0], p[1], p[2]);
  add_loose(s, a, add_point(s, p[3], p[4], p[5]));
}

/* The mesh, its edges numbered as the library does. */
static inline toi_mesh mesh_of(shape *s) {
  toi_context *context = test_context(1);
  uint32_t(*edges)[2];
  assert_int_equal(toi_mesh_edges(context, (const uint32_t(*)[3])s->faces, s->face_count,
                                  (const uint32_t(*)[2])s->loose, s->loose_count, &edges, &s->edge_count),
                   TOI_OK);
  assert_true(s->edge_count <= MOST_EDGES);
  if (s->edge_count)
    memcpy(s->edges, edges, s->edge_count * sizeof s->edges[0]);
  toi_mesh_edges_free(context, edges, s->edge_count);
  toi_context_destroy(context);
  return (toi_mesh){.start = s->points,
                    .vertex_count = s->vertex_count,
                    .edges = (const uint32_t(*)[2])s->edges,
                    .edge_count = s->edge_count,
                    .faces = (const uint32_t(*)[3])s->faces,
                    .face_count = s->face_count};
}

static const double floor_face[9] = {0, 0, 0, 8, 0, 0, 0, 8, 0};

/* --- at random --- */

static inline double draw(uint64_t *state, int style) {
  uint64_t bits = test_random(state);
  switch (style) {
  case 0:
    return (double)(bits % 4);
  case 1:
    return (double)(bits % 40) / 4;
  case 2:
    return ldexp((double)(bits % 9) - 4, (int)(bits / 9 % 3) * 30 - 30);
  case 3:
    return (double)(float)test_random_unit(state) * 4;
  default:
    return test_random_unit(state) * 4;
  }
}

static inline void add_point_drawn(uint64_t *state, int style, shape *s) {
  double p[3];
  for (int k = 0; k < 3; k++)
    p[k] = draw(state, style);
  add_point(s, p[0], p[1], p[2]);
}

static inline void draw_shape(uint64_t *state, shape *s) {
  int style = (int)(test_random(state) % 5), triangles = (int)(test_random(state) % 4);
  // Some are points and edges only, on a grid that makes them meet.
  uint64_t crowd = triangles == 0 && style < 3 ? 6 : 0;
  style = crowd > 0 ? 0 : style;
  // Flat meshes, and meshes on a slope.
  int flat = (int)(test_random(state) % 6);
  for (int i = 0; i < triangles; i++) {
    double p[9];
    for (int k = 0; k < 9; k++)
      p[k] = test_random(state) % 3 ? 0 : 4 * i;
    for (int k = 0; k < 9; k++)
      p[k] += draw(state, style);
    add_triangle(s, p);
  }
  for (uint64_t i = test_random(state) % 3; i > 0; i--) {
    double p[6];
    for (int k = 0; k < 6; k++)
      p[k] = draw(state, style);
    add_segment(s, p);
  }
  for (uint64_t i = crowd + test_random(state) % 3; i > 0; i--)
    add_point_drawn(state, style, s);
  // Faces that share vertices, degenerate and double ones among them.
  for (uint64_t i = test_random(state) % 3; i > 0 && s->vertex_count >= 3; i--) {
    uint32_t a = (uint32_t)(test_random(state) % s->vertex_count), b = (uint32_t)(test_random(state) % s->vertex_count);
    uint32_t c = (uint32_t)(test_random(state) % s->vertex_count);
    if (a != b && b != c && a != c)
      add_face(s, a, b, c);
  }
  for (size_t i = 0; i < s->vertex_count && flat < 2; i++)
    s->points[i][2] = flat ? s->points[i][0] + s->points[i][1] : 1;
}

#endif
