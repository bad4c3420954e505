/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Triangles for the eye only: curved surfaces at one time, sampled by public functions of the library and joined.
 * Nothing is decided with them. */

#ifndef TOI_WASM_SAMPLE_H
#define TOI_WASM_SAMPLE_H

#include <toi/toi.h>

/* Start from zeroes. */
typedef struct toi_web_triangles {
  float *positions;  /* three per vertex */
  float *normals;    /* unit; zero where there is none */
  uint32_t *indices; /* three per triangle */
  uint32_t *patches; /* of each triangle */
  uint32_t vertex_count, triangle_count;
  uint32_t vertex_room, triangle_room;
  bool full; /* there was no memory for more */
} toi_web_triangles;

/* A pose: x is at rotation x + translation. */
typedef struct toi_web_pose {
  double rotation[3][3];
  double translation[3];
} toi_web_pose;

/* What is drawn, and how finely. */
typedef struct toi_web_view {
  double t;
  uint32_t detail;     /* pieces along each parameter; cells along the longest side of an implicit surface's bounds */
  bool own;            /* in the body's own coordinates, not where its motion puts it */
  bool bounded;        /* bounds are given, */
  double bounds[2][3]; /* lo and hi, for implicit surfaces that have none */
} toi_web_view;

#define TOI_WEB_NO_VERTEX UINT32_MAX

/* Adds a vertex and returns its number; TOI_WEB_NO_VERTEX: it is not finite, or `full` is set. */
uint32_t toi_web_add_vertex(toi_web_triangles *triangles, const double point[3], const double normal[3]);

/* A triangle with a vertex that is none, or twice the same, is left out. */
void toi_web_add_triangle(toi_web_triangles *triangles, const uint32_t corners[3], uint32_t patch);

/* An implicit shape; implicit.c. bounds are in the shape's own coordinates. */
toi_status toi_web_sample_implicit(const toi_shape *shape, const toi_web_pose *pose, const toi_web_view *view,
                                   const toi_interval bounds[3], toi_web_triangles *triangles);

/* A point and a direction where the pose puts them. */
void toi_web_place(const toi_web_pose *pose, double point[3], double normal[3]);

#endif
