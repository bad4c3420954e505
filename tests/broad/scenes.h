/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Small moving meshes for the tests of whole meshes: built piece by piece, with every edge of every face listed. */

#ifndef TOI_TESTS_BROAD_SCENES_H
#define TOI_TESTS_BROAD_SCENES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <toi/toi.h>

#include "support/support.h"

/* A mesh that owns its arrays; `mesh` points to them. */
typedef struct test_scene {
  double (*start)[3], (*end)[3];
  uint32_t (*edges)[2], (*faces)[3];
  size_t room[3]; /* for vertices, edges, faces */
  toi_mesh mesh;
} test_scene;

static inline void *test_grown(void *array, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return array;
  *room = 2 * *room + 64;
  void *const grown = realloc(array, *room * size);
  assert_non_null(grown);
  return grown;
}

static inline uint32_t test_add_vertex(test_scene *scene, const double start[3], const double end[3]) {
  toi_mesh *const mesh = &scene->mesh;
  size_t room = scene->room[0];
  scene->start = test_grown(scene->start, mesh->vertex_count, &room, sizeof(*scene->start));
  scene->end = test_grown(scene->end, mesh->vertex_count, &scene->room[0], sizeof(*scene->end));
  memcpy(scene->start[mesh->vertex_count], start, sizeof(*scene->start));
  memcpy(scene->end[mesh->vertex_count], end, sizeof(*scene->end));
  mesh->start = scene->start;
  mesh->end = scene->end;
  return (uint32_t)mesh->vertex_count++;
}

/* An edge that is not there yet. */
static inline void test_add_new_edge(test_scene *scene, uint32_t low, uint32_t high) {
  toi_mesh *const mesh = &scene->mesh;
  scene->edges = test_grown(scene->edges, mesh->edge_count, &scene->room[1], sizeof(*scene->edges));
  scene->edges[mesh->edge_count][0] = low;
  scene->edges[mesh->edge_count][1] = high;
  mesh->edges = (const uint32_t(*)[2])scene->edges;
  mesh->edge_count++;
}

/* An edge, unless it is there. */
static inline void test_add_edge(test_scene *scene, uint32_t i, uint32_t j) {
  const uint32_t low = i < j ? i : j, high = i < j ? j : i;
  for (size_t k = scene->mesh.edge_count; k-- > 0;)
    if (scene->edges[k][0] == low && scene->edges[k][1] == high)
      return;
  test_add_new_edge(scene, low, high);
}

static inline void test_add_face(test_scene *scene, uint32_t a, uint32_t b, uint32_t c) {
  toi_mesh *const mesh = &scene->mesh;
  scene->faces = test_grown(scene->faces, mesh->face_count, &scene->room[2], sizeof(*scene->faces));
  const uint32_t face[3] = {a, b, c};
  memcpy(scene->faces[mesh->face_count], face, sizeof(face));
  mesh->faces = (const uint32_t(*)[3])scene->faces;
  mesh->face_count++;
  test_add_edge(scene, a, b);
  test_add_edge(scene, b, c);
  test_add_edge(scene, c, a);
}

static inline void test_scene_free(test_scene *scene) {
  free(scene->start);
  free(scene->end);
  free(scene->edges);
  free(scene->faces);
  memset(scene, 0, sizeof(*scene));
}

static inline double test_random_between(uint64_t *state, double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(state);
}

/* How a soup is drawn. */
typedef struct test_soup {
  size_t points, segments, triangles; /* loose points and edges; triangles share no vertex */
  double extent;                      /* places lie in [0, extent] on each axis */
  double size;                        /* of the largest primitive and the longest way; see `octaves` */
  int octaves;                        /* sizes go down by up to this many powers of two */
  double offset;                      /* added to every coordinate */
} test_soup;

/* A primitive of `corners` vertices, all near one random place. */
static inline void test_add_random(test_scene *scene, const test_soup *soup, size_t corners, uint64_t *state) {
  const double size = ldexp(soup->size, -(int)(test_random(state) % (unsigned)(soup->octaves + 1)));
  double place[3];
  uint32_t vertex[3] = {0, 0, 0};
  for (int axis = 0; axis < 3; axis++)
    place[axis] = soup->offset + test_random_between(state, 0, soup->extent);
  for (size_t k = 0; k < corners; k++) {
    double start[3], end[3];
    for (int axis = 0; axis < 3; axis++) {
      start[axis] = place[axis] + test_random_between(state, -size, size);
      end[axis] = start[axis] + test_random_between(state, -size, size);
    }
    vertex[k] = test_add_vertex(scene, start, end);
  }
  if (corners == 2)
    test_add_edge(scene, vertex[0], vertex[1]);
  if (corners == 3)
    test_add_face(scene, vertex[0], vertex[1], vertex[2]);
}

/* A soup; kinds of primitives in turn, so that numbers of loose ones lie between those of others. */
static inline test_scene test_scene_soup(const test_soup *soup, uint64_t *state) {
  test_scene scene = {0};
  size_t left[3] = {soup->points, soup->segments, soup->triangles};
  while (left[0] + left[1] + left[2] > 0)
    for (size_t k = 0; k < 3; k++)
      if (left[k] > 0) {
        test_add_random(&scene, soup, k + 1, state);
        left[k]--;
      }
  return scene;
}

/* A square sheet of n x n vertices across `axis`, at the height `from` at the start and `to` at the end. */
static inline void test_add_sheet(test_scene *scene, uint32_t n, int axis, double from, double to) {
  const uint32_t first = (uint32_t)scene->mesh.vertex_count;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      double start[3], end[3];
      start[(axis + 1) % 3] = end[(axis + 1) % 3] = 0.1 * i;
      start[(axis + 2) % 3] = end[(axis + 2) % 3] = 0.1 * j;
      start[axis] = from;
      end[axis] = to;
      test_add_vertex(scene, start, end);
    }
  for (uint32_t i = 0; i + 1 < n; i++)
    for (uint32_t j = 0; j + 1 < n; j++) {
      const uint32_t v = first + i * n + j;
      test_add_face(scene, v, v + 1, v + n);
      test_add_face(scene, v + 1, v + n + 1, v + n);
    }
}

/* Triangles whose boxes are the cells of an n x n x n grid with lines at line[0..n]: neighbours touch. */
static inline test_scene test_scene_cells(uint32_t n, const double *line) {
  test_scene scene = {0};
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      for (uint32_t k = 0; k < n; k++) {
        const double p[3][3] = {
            {line[i], line[j], line[k]}, {line[i + 1], line[j + 1], line[k]}, {line[i], line[j + 1], line[k + 1]}};
        uint32_t vertex[3];
        for (int c = 0; c < 3; c++)
          vertex[c] = test_add_vertex(&scene, p[c], p[c]);
        test_add_face(&scene, vertex[0], vertex[1], vertex[2]);
      }
  return scene;
}

#endif
