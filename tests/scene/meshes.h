/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes that the tests of whole scenes make: grids of cloth, balls, triangles, edges and points at random; and all
 * pairs of one, straight from the definition. */

#ifndef TOI_TESTS_SCENE_MESHES_H
#define TOI_TESTS_SCENE_MESHES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <toi/scene.h>

#include "support/support.h"

enum { MADE_VERTICES = 4096, MADE_FACES = 8192, MADE_EDGES = 16384 };

typedef struct made_mesh {
  double start[MADE_VERTICES][3], end[MADE_VERTICES][3];
  float narrow_start[MADE_VERTICES][3], narrow_end[MADE_VERTICES][3];
  uint32_t faces[MADE_FACES][3], edges[MADE_EDGES][2];
  uint32_t bodies[MADE_VERTICES];
  uint8_t fixed[MADE_VERTICES];
  double thickness[MADE_VERTICES], body_thickness[16];
  size_t vertex_count, face_count, edge_count;
} made_mesh;

static inline made_mesh *made_new(void) {
  made_mesh *m = calloc(1, sizeof(*m));
  assert_non_null(m);
  return m;
}

static inline uint32_t made_vertex(made_mesh *m, double x, double y, double z) {
  assert_true(m->vertex_count < MADE_VERTICES);
  double at[3] = {x, y, z};
  memcpy(m->start[m->vertex_count], at, sizeof(at));
  memcpy(m->end[m->vertex_count], at, sizeof(at));
  return (uint32_t)m->vertex_count++;
}

static inline void made_edge(made_mesh *m, uint32_t a, uint32_t b) {
  assert_true(m->edge_count < MADE_EDGES);
  m->edges[m->edge_count][0] = a < b ? a : b;
  m->edges[m->edge_count++][1] = a < b ? b : a;
}

static inline void made_face(made_mesh *m, uint32_t a, uint32_t b, uint32_t c) {
  assert_true(m->face_count < MADE_FACES);
  uint32_t face[3] = {a, b, c};
  memcpy(m->faces[m->face_count++], face, sizeof(face));
  made_edge(m, a, b);
  made_edge(m, b, c);
  made_edge(m, c, a);
}

/* n by n squares of a side, two triangles each, around (x, y) at height z. */
static inline void made_grid(made_mesh *m, uint32_t n, double side, const double centre[3]) {
  uint32_t first = (uint32_t)m->vertex_count;
  for (uint32_t i = 0; i <= n; i++)
    for (uint32_t j = 0; j <= n; j++)
      made_vertex(m, centre[0] + side * (i - 0.5 * n), centre[1] + side * (j - 0.5 * n), centre[2]);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      uint32_t a = first + i * (n + 1) + j, b = a + n + 1;
      made_face(m, a, b, a + 1);
      made_face(m, b, b + 1, a + 1);
    }
}

/* A ball of `rings` circles of 2 * rings points, and two poles. */
static inline void made_ball(made_mesh *m, uint32_t rings, double radius, const double centre[3]) {
  const double pi = 3.14159265358979323846;
  uint32_t around = 2 * rings, first = (uint32_t)m->vertex_count;
  for (uint32_t i = 0; i < rings; i++)
    for (uint32_t j = 0; j < around; j++) {
      double latitude = pi * (i + 1) / (rings + 1), longitude = 2 * pi * (j + 0.5 * i) / around;
      made_vertex(m, centre[0] + radius * sin(latitude) * cos(longitude),
                  centre[1] + radius * sin(latitude) * sin(longitude), centre[2] + radius * cos(latitude));
    }
  uint32_t north = made_vertex(m, centre[0], centre[1], centre[2] + radius);
  uint32_t south = made_vertex(m, centre[0], centre[1], centre[2] - radius);
  for (uint32_t j = 0; j < around; j++) {
    uint32_t next = (j + 1) % around;
    made_face(m, north, first + j, first + next);
    made_face(m, south, first + (rings - 1) * around + next, first + (rings - 1) * around + j);
    for (uint32_t i = 0; i + 1 < rings; i++) {
      uint32_t a = first + i * around + j, b = first + i * around + next;
      made_face(m, a, a + around, b);
      made_face(m, b, a + around, b + around);
    }
  }
}

static inline int made_edge_order(const void *a, const void *b) {
  const uint32_t *p = a, *q = b;
  if (p[1] != q[1])
    return p[1] < q[1] ? -1 : 1;
  return p[0] == q[0] ? 0 : p[0] < q[0] ? -1 : 1;
}

/* Each edge once, in the library's order; call it when all is there. */
static inline void made_finish(made_mesh *m) {
  size_t kept = 0;
  qsort(m->edges, m->edge_count, sizeof(m->edges[0]), made_edge_order);
  for (size_t i = 0; i < m->edge_count; i++) {
    if (m->edges[i][0] == m->edges[i][1] || (kept > 0 && made_edge_order(m->edges[i], m->edges[kept - 1]) == 0))
      continue;
    memmove(m->edges[kept++], m->edges[i], sizeof(m->edges[0]));
  }
  m->edge_count = kept;
}

/* To floats and back. Not in one loop over all: gcc 12 at -O3 leaves some of them as they were. */
static inline void made_round(double at[3], float narrow[3]) {
  for (int k = 0; k < 3; k++) {
    volatile float rounded = (float)at[k];
    narrow[k] = rounded;
    at[k] = (double)rounded;
  }
}

/* As the library takes it; as floats, both states are rounded and kept so. */
static inline toi_mesh made_as(made_mesh *m, toi_scalar scalar) {
  toi_mesh mesh = {.start = m->start,
                   .end = m->end,
                   .vertex_count = m->vertex_count,
                   .edges = (const uint32_t(*)[2])m->edges,
                   .edge_count = m->edge_count,
                   .faces = (const uint32_t(*)[3])m->faces,
                   .face_count = m->face_count};
  if (scalar == TOI_FLOAT64)
    return mesh;
  for (size_t i = 0; i < m->vertex_count; i++) {
    made_round(m->start[i], m->narrow_start[i]);
    made_round(m->end[i], m->narrow_end[i]);
  }
  mesh.start = m->narrow_start;
  mesh.end = m->narrow_end;
  mesh.scalar = TOI_FLOAT32;
  return mesh;
}

/* --- all pairs, from the definition --- */

static inline uint32_t pair_points(const toi_mesh *mesh, toi_kind kind, toi_pair pair, uint32_t vertices[4]) {
  uint32_t count = 0;
  if (kind == TOI_EDGE_EDGE) {
    vertices[count++] = mesh->edges[pair.first][0];
    vertices[count++] = mesh->edges[pair.first][1];
  } else {
    vertices[count++] = pair.first;
  }
  if (kind == TOI_VERTEX_VERTEX)
    vertices[count++] = pair.second;
  else
    for (uint32_t k = 0; k < (kind == TOI_VERTEX_FACE ? 3u : 2u); k++)
      vertices[count++] = kind == TOI_VERTEX_FACE ? mesh->faces[pair.second][k] : mesh->edges[pair.second][k];
  return count;
}

/* Whether the vertex is in an edge or a face; whether the edge is in a face. */
static inline bool is_loose_point(const toi_mesh *mesh, uint32_t vertex) {
  for (size_t i = 0; i < mesh->edge_count; i++)
    if (mesh->edges[i][0] == vertex || mesh->edges[i][1] == vertex)
      return false;
  for (size_t i = 0; i < mesh->face_count; i++)
    for (int k = 0; k < 3; k++)
      if (mesh->faces[i][k] == vertex &&
          (mesh->faces[i][0] != mesh->faces[i][1] || mesh->faces[i][0] != mesh->faces[i][2]))
        return false;
  return true;
}

static inline bool is_loose_edge(const toi_mesh *mesh, uint32_t edge) {
  for (size_t i = 0; i < mesh->face_count; i++) {
    int both = 0;
    for (int k = 0; k < 3; k++)
      both += mesh->faces[i][k] == mesh->edges[edge][0] || mesh->faces[i][k] == mesh->edges[edge][1];
    if (both >= 2)
      return false;
  }
  return true;
}

/* Whether two vertices may collide, as far as their bodies go. */
static inline bool vertices_collide(const toi_mesh *mesh, uint32_t v, uint32_t w) {
  if (!mesh->bodies || mesh->bodies[v] == TOI_NO_BODY || mesh->bodies[w] == TOI_NO_BODY)
    return true;
  const size_t a = mesh->bodies[v], b = mesh->bodies[w];
  const size_t bit = a <= b ? a * mesh->body_count + b : b * mesh->body_count + a;
  return mesh->body_pairs ? (mesh->body_pairs[bit / 64] >> bit % 64) % 2 : a != b;
}

/* Whether the mesh's rules let the pair be looked at. */
static inline bool pair_counts(const toi_mesh *mesh, const toi_options *options, toi_kind kind, toi_pair pair) {
  uint32_t v[4];
  uint32_t count = pair_points(mesh, kind, pair, v), firsts = kind == TOI_EDGE_EDGE ? 2 : 1;
  bool all_fixed = mesh->fixed, collide = false;
  for (uint32_t i = 0; i < count; i++) {
    all_fixed = all_fixed && mesh->fixed[v[i]];
    for (uint32_t k = 0; k < firsts && i >= firsts; k++) {
      if (v[k] == v[i])
        return false;
      collide = collide || vertices_collide(mesh, v[k], v[i]);
    }
    if (mesh->skipped && (mesh->skipped[v[i] / 64] >> v[i] % 64) % 2)
      return false;
  }
  const toi_mesh_options *rules = options->on_mesh;
  const bool every = rules && (rules->kinds & TOI_KINDS_EVERY_VERTEX_EDGE) && kind == TOI_VERTEX_EDGE;
  if (rules && rules->kinds && !(rules->kinds >> kind & 1) && !every)
    return false;
  return !all_fixed && collide &&
         (!rules || !rules->may_collide || rules->may_collide(rules->may_collide_user, kind, pair.first, pair.second));
}

typedef struct all_pairs {
  toi_pair *pairs[TOI_KIND_COUNT];
  size_t count[TOI_KIND_COUNT];
} all_pairs;

static inline void pairs_add(all_pairs *all, const toi_mesh *mesh, const toi_options *options, toi_kind kind,
                             toi_pair pair) {
  size_t count = all->count[kind];
  if (!pair_counts(mesh, options, kind, pair))
    return;
  if ((count & (count - 1)) == 0)
    all->pairs[kind] = realloc(all->pairs[kind], (count ? 2 * count : 1) * sizeof(toi_pair));
  assert_non_null(all->pairs[kind]);
  all->pairs[kind][count] = pair;
  all->count[kind]++;
}

/* In the order of the streams. */
static inline all_pairs pairs_of(const toi_mesh *mesh, const toi_options *options) {
  all_pairs all = {{NULL}, {0}};
  uint8_t *loose = calloc(mesh->vertex_count + mesh->edge_count + 1, 1);
  uint32_t vertices = (uint32_t)mesh->vertex_count, edges = (uint32_t)mesh->edge_count;
  assert_non_null(loose);
  const bool every = options->on_mesh && (options->on_mesh->kinds & TOI_KINDS_EVERY_VERTEX_EDGE);
  for (uint32_t i = 0; i < vertices; i++)
    loose[i] = is_loose_point(mesh, i);
  for (uint32_t i = 0; i < edges; i++)
    loose[vertices + i] = is_loose_edge(mesh, i);
  for (uint32_t i = 0; i < vertices; i++) {
    for (uint32_t j = 0; j < mesh->face_count; j++)
      pairs_add(&all, mesh, options, TOI_VERTEX_FACE, (toi_pair){i, j});
    for (uint32_t j = 0; j < edges && (loose[i] || every); j++)
      if (loose[vertices + j] || every)
        pairs_add(&all, mesh, options, TOI_VERTEX_EDGE, (toi_pair){i, j});
    for (uint32_t j = i + 1; j < vertices && loose[i]; j++)
      if (loose[j])
        pairs_add(&all, mesh, options, TOI_VERTEX_VERTEX, (toi_pair){i, j});
  }
  for (uint32_t i = 0; i < edges; i++)
    for (uint32_t j = i + 1; j < edges; j++)
      pairs_add(&all, mesh, options, TOI_EDGE_EDGE, (toi_pair){i, j});
  free(loose);
  return all;
}

static inline void pairs_free(all_pairs *all) {
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    free(all->pairs[kind]);
}

/* The points of a pair in one state, given as doubles. */
static inline void pair_place(const toi_mesh *mesh, const double (*state)[3], toi_kind kind, toi_pair pair,
                              double points[4][3]) {
  uint32_t v[4];
  uint32_t count = pair_points(mesh, kind, pair, v);
  for (uint32_t i = 0; i < count; i++)
    memcpy(points[i], state[v[i]], sizeof(points[i]));
}

#endif
