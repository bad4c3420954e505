/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Reading a mesh: its vertices in doubles, and the vertices of a pair. */

#ifndef TOI_NARROW_MESH_H
#define TOI_NARROW_MESH_H

#include <string.h>

#include <toi/narrow.h>

#include "number/interval.h"

/* Copies the caller's mesh, of whatever layout, and checks that its vertices can be read: scalar and stride. */
toi_status toi_mesh_take(toi_context *context, const toi_mesh *given, toi_mesh *taken);

/* What is wrong with a pair's numbers; NULL if nothing is. */
const char *toi_pair_fault(toi_kind kind, const toi_mesh *mesh, toi_pair pair);

/* Bytes of a coordinate, and of a vertex. */
static inline size_t toi_mesh_scalar(const toi_mesh *mesh) {
  return mesh->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double);
}

static inline size_t toi_mesh_row(const toi_mesh *mesh) {
  return 3 * toi_mesh_scalar(mesh);
}

/* Bytes from one coordinate of a vertex to the next. */
static inline size_t toi_mesh_step(const toi_mesh *mesh) {
  return mesh->component_stride ? mesh->component_stride : toi_mesh_scalar(mesh);
}

/* Bytes from one vertex to the next. */
static inline size_t toi_mesh_stride(const toi_mesh *mesh) {
  return mesh->stride ? mesh->stride : toi_mesh_row(mesh);
}

/* A vertex of a state of the mesh (its start or its end), widened exactly. */
static inline void toi_mesh_point(const toi_mesh *mesh, const void *state, size_t number, double out[3]) {
  const unsigned char *at = (const unsigned char *)state + number * toi_mesh_stride(mesh);
  if (mesh->scalar == TOI_FLOAT64 && mesh->component_stride == 0) {
    memcpy(out, at, 3 * sizeof(double));
    return;
  }
  const size_t step = toi_mesh_step(mesh);
  for (size_t i = 0; i < 3; i++) {
    float narrow;
    if (mesh->scalar == TOI_FLOAT64) {
      memcpy(&out[i], at + i * step, sizeof(double));
      continue;
    }
    memcpy(&narrow, at + i * step, sizeof(float));
    out[i] = (double)narrow;
  }
}

/* Writes a vertex of numbers of the mesh's to an array laid out like its states. */
static inline void toi_mesh_put(const toi_mesh *mesh, void *state, size_t number, const double at[3]) {
  unsigned char *to = (unsigned char *)state + number * toi_mesh_stride(mesh);
  for (size_t i = 0; i < 3; i++) {
    const float narrow = (float)at[i];
    if (mesh->scalar == TOI_FLOAT64)
      memcpy(to + i * toi_mesh_step(mesh), &at[i], sizeof(double));
    else
      memcpy(to + i * toi_mesh_step(mesh), &narrow, sizeof(float));
  }
}

static inline bool toi_mesh_is_thick(const toi_mesh *mesh) {
  return mesh->thickness || (mesh->body_thickness && mesh->bodies);
}

/* The thickness of a vertex, with that of its body, rounded up. */
static inline double toi_mesh_thickness(const toi_mesh *mesh, uint32_t vertex) {
  double thickness = mesh->thickness ? mesh->thickness[vertex] : 0;
  if (mesh->body_thickness && mesh->bodies && mesh->bodies[vertex] != TOI_NO_BODY)
    thickness = toi_sum_up(thickness, mesh->body_thickness[mesh->bodies[vertex]]);
  return thickness;
}

/* The thickness of the thickest of some vertices. */
static inline double toi_mesh_thickest(const toi_mesh *mesh, const uint32_t *vertices, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) {
    double own = toi_mesh_thickness(mesh, vertices[i]);
    most = own > most ? own : most;
  }
  return most;
}

/* The vertices of a pair, in the order of the query's points. */
static inline void toi_pair_vertices(toi_kind kind, const toi_mesh *mesh, toi_pair pair, uint32_t vertices[4]) {
  size_t first = 1;
  vertices[0] = pair.first;
  if (kind == TOI_EDGE_EDGE) {
    memcpy(vertices, mesh->edges[pair.first], 2 * sizeof(uint32_t));
    first = 2;
  }
  if (kind == TOI_VERTEX_FACE)
    memcpy(vertices + first, mesh->faces[pair.second], 3 * sizeof(uint32_t));
  else if (kind == TOI_VERTEX_VERTEX)
    vertices[first] = pair.second;
  else
    memcpy(vertices + first, mesh->edges[pair.second], 2 * sizeof(uint32_t));
}

/* The query of a pair, as toi_batch takes it: 6 * toi_kind_points(kind) doubles. */
static inline void toi_pair_query(toi_kind kind, const toi_mesh *mesh, toi_pair pair, double *query) {
  uint32_t vertices[4] = {0};
  size_t points = toi_kind_points(kind);
  toi_pair_vertices(kind, mesh, pair, vertices);
  for (size_t i = 0; i < points; i++) {
    toi_mesh_point(mesh, mesh->start, vertices[i], query + 3 * i);
    toi_mesh_point(mesh, mesh->end, vertices[i], query + 3 * (points + i));
  }
}

#endif
