/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of rigid bodies for tests: random triangles, loose edges and loose points in random motion; and every pair of
 * their primitives, asked one by one. */

#ifndef TOI_TESTS_SCENE_RIGID_CASES_H
#define TOI_TESTS_SCENE_RIGID_CASES_H

#include "narrow/rotating_cases.h"

#include <toi/broad.h>

enum { RIGID_BODIES = 4, RIGID_VERTICES = 16, RIGID_FACES = 10, RIGID_LOOSE = 4, RIGID_EDGES = 40 };

typedef struct rigid_shape {
  double vertices[RIGID_VERTICES][3];
  uint32_t faces[RIGID_FACES][3], edges[RIGID_EDGES][2];
  toi_mesh mesh;
  bool vertex_free[RIGID_VERTICES], edge_free[RIGID_EDGES]; /* loose */
} rigid_shape;

typedef struct rigid_case {
  rigid_shape shape[RIGID_BODIES];
  toi_moving_body body[RIGID_BODIES];
  bool fixed[RIGID_BODIES];
  size_t count;
} rigid_case;

/* Which vertices and edges are loose, from the mesh alone. */
static inline void rigid_find_loose(rigid_shape *shape) {
  for (size_t i = 0; i < shape->mesh.edge_count; i++)
    shape->edge_free[i] = true;
  for (size_t i = 0; i < shape->mesh.vertex_count; i++)
    shape->vertex_free[i] = true;
  for (size_t i = 0; i < shape->mesh.edge_count; i++)
    shape->vertex_free[shape->edges[i][0]] = shape->vertex_free[shape->edges[i][1]] = false;
  for (size_t f = 0; f < shape->mesh.face_count; f++)
    for (int c = 0; c < 3; c++)
      for (size_t i = 0; i < shape->mesh.edge_count; i++) {
        const uint32_t *e = shape->edges[i], a = shape->faces[f][c], b = shape->faces[f][(c + 1) % 3];
        if ((e[0] == a && e[1] == b) || (e[0] == b && e[1] == a))
          shape->edge_free[i] = false;
      }
}

/* A few triangles of a small size around random places, loose edges and points; numbers may repeat. */
static inline void rigid_make_shape(toi_context *context, uint64_t *state, int style, rigid_shape *shape) {
  uint32_t loose[RIGID_LOOSE][2], (*edges)[2];
  size_t count;
  const bool whole = style == CASE_GRID || style == CASE_ENDS;
  memset(shape, 0, sizeof *shape);
  for (int i = 0; i < RIGID_VERTICES; i++)
    for (int axis = 0; axis < 3; axis++)
      shape->vertices[i][axis] = whole ? case_small(state, 2) : case_between(state, -1, 1);
  for (int i = 0; i < RIGID_VERTICES && style == CASE_SLIDING; i++)
    shape->vertices[i][2] = 0;
  const size_t faces = test_random(state) % RIGID_FACES, loosened = test_random(state) % RIGID_LOOSE;
  for (size_t i = 0; i < faces; i++)
    for (int c = 0; c < 3; c++)
      shape->faces[i][c] = (uint32_t)(test_random(state) % RIGID_VERTICES);
  for (size_t i = 0; i < loosened; i++)
    for (int c = 0; c < 2; c++)
      loose[i][c] = (uint32_t)(test_random(state) % RIGID_VERTICES);
  assert_int_equal(toi_mesh_edges(context, (const uint32_t(*)[3])shape->faces, faces, (const uint32_t(*)[2])loose,
                                  loosened, &edges, &count),
                   TOI_OK);
  assert_true(count <= RIGID_EDGES);
  if (count > 0)
    memcpy(shape->edges, edges, count * sizeof *edges);
  toi_mesh_edges_free(context, edges, count);
  toi_mesh_init(&shape->mesh, sizeof shape->mesh);
  shape->mesh.start = shape->vertices;
  shape->mesh.vertex_count = RIGID_VERTICES;
  shape->mesh.faces = (const uint32_t(*)[3])shape->faces;
  shape->mesh.face_count = faces;
  shape->mesh.edges = (const uint32_t(*)[2])shape->edges;
  shape->mesh.edge_count = count;
  rigid_find_loose(shape);
}

static inline void rigid_random(toi_context *context, uint64_t *state, int style, rigid_case *c) {
  c->count = 2 + test_random(state) % (RIGID_BODIES - 1);
  for (size_t i = 0; i < c->count; i++) {
    const rotating_case of = case_random(state, style, TOI_VERTEX_FACE);
    c->body[i] = of.body[0];
    c->fixed[i] = test_random(state) % 3 == 0;
    if (c->fixed[i])
      c->body[i].end = c->body[i].start;
    // Some are far apart, so that boxes have something to tell.
    const double away = test_random(state) % 2 == 0 && style != CASE_GRID ? case_between(state, 0, 4) : 0;
    c->body[i].start.position[0] += away;
    c->body[i].end.position[0] += c->fixed[i] || test_random(state) % 2 == 0 ? away : 0;
    rigid_make_shape(context, state, style, &c->shape[i]);
  }
}

static inline toi_rigid_scene *rigid_scene_of(toi_context *context, const rigid_case *c) {
  toi_rigid_scene *scene;
  assert_int_equal(toi_rigid_scene_create(context, &scene), TOI_OK);
  for (size_t i = 0; i < c->count; i++)
    assert_int_equal(toi_rigid_scene_add(scene, &c->shape[i].mesh, c->fixed[i], NULL), TOI_OK);
  return scene;
}

/* --- every pair, one by one --- */

enum { RIGID_MOST = 20000 };

typedef struct rigid_list {
  size_t count, asked;
  toi_rigid_impact at[RIGID_MOST];
} rigid_list;

static inline int rigid_compare(const void *a, const void *b) {
  const toi_rigid_impact *x = a, *y = b;
  const uint32_t p[5] = {(uint32_t)x->kind, x->bodies[0], x->bodies[1], x->pair.first, x->pair.second};
  const uint32_t q[5] = {(uint32_t)y->kind, y->bodies[0], y->bodies[1], y->pair.first, y->pair.second};
  for (int i = 0; i < 5; i++)
    if (p[i] != q[i])
      return p[i] < q[i] ? -1 : 1;
  return 0;
}

static inline void rigid_ask(const toi_moving_pair *pair, const toi_options *options, const rigid_shape *const shape[2],
                             toi_rigid_impact query, rigid_list *list) {
  double points[4][3];
  const toi_kind kind = query.kind;
  uint32_t v[4] = {query.pair.first, query.pair.second, 0, 0};
  const size_t first = kind == TOI_EDGE_EDGE ? 2 : 1;
  if (kind == TOI_EDGE_EDGE)
    memcpy(v, shape[0]->edges[query.pair.first], 2 * sizeof v[0]);
  if (kind == TOI_EDGE_EDGE || kind == TOI_VERTEX_EDGE)
    memcpy(v + first, shape[1]->edges[query.pair.second], 2 * sizeof v[0]);
  if (kind == TOI_VERTEX_FACE)
    memcpy(v + first, shape[1]->faces[query.pair.second], 3 * sizeof v[0]);
  for (size_t i = 0; i < toi_kind_points(kind); i++)
    memcpy(points[i], shape[i < first ? 0 : 1]->vertices[v[i]], sizeof points[i]);
  assert_int_equal(toi_moving_pair_query(pair, kind, (const double(*)[3])points, options, &query.hit), TOI_OK);
  list->asked++;
  if (query.hit.verdict == TOI_MISS)
    return;
  assert_true(list->count < RIGID_MOST);
  list->at[list->count++] = query;
}

/* Pairs whose first primitive is of body i, the second of body j. */
static inline void rigid_ask_bodies(toi_context *context, const rigid_case *c, const toi_options *options, uint32_t i,
                                    uint32_t j, rigid_list *list) {
  const rigid_shape *const shape[2] = {&c->shape[i], &c->shape[j]};
  const toi_mesh *a = &shape[0]->mesh, *b = &shape[1]->mesh;
  toi_moving_pair *pair;
  assert_int_equal(toi_moving_pair_create(context, &c->body[i], &c->body[j], &pair), TOI_OK);
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
    const bool same = kind == TOI_EDGE_EDGE || kind == TOI_VERTEX_VERTEX;
    const size_t firsts = kind == TOI_EDGE_EDGE ? a->edge_count : a->vertex_count;
    const size_t seconds = kind == TOI_VERTEX_FACE     ? b->face_count
                           : kind == TOI_VERTEX_VERTEX ? b->vertex_count
                                                       : b->edge_count;
    for (uint32_t p = 0; p < firsts; p++)
      for (uint32_t q = 0; q < seconds && (!same || i < j); q++) {
        if (kind >= TOI_VERTEX_EDGE && !shape[0]->vertex_free[p])
          continue;
        if ((kind == TOI_VERTEX_EDGE && !shape[1]->edge_free[q]) ||
            (kind == TOI_VERTEX_VERTEX && !shape[1]->vertex_free[q]))
          continue;
        const toi_rigid_impact query = {.kind = (toi_kind)kind, .bodies = {i, j}, .pair = {p, q}};
        rigid_ask(pair, options, shape, query, list);
      }
  }
  toi_moving_pair_destroy(pair);
}

/* Every contact of the case but those of bodies 0 and `ignored`, in order. */
static inline void rigid_brute(toi_context *context, const rigid_case *c, const toi_options *options, uint32_t ignored,
                               rigid_list *list) {
  list->count = list->asked = 0;
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t j = 0; j < c->count; j++)
      if (i != j && !(c->fixed[i] && c->fixed[j]) && !((i == 0 && j == ignored) || (j == 0 && i == ignored)))
        rigid_ask_bodies(context, c, options, i, j, list);
  qsort(list->at, list->count, sizeof list->at[0], rigid_compare);
}

/* Keeps what a visitor gets. */
static inline toi_status rigid_keep(void *user, const toi_rigid_impact *impacts, size_t count) {
  rigid_list *list = user;
  assert_true(list->count + count <= RIGID_MOST);
  memcpy(list->at + list->count, impacts, count * sizeof *impacts);
  list->count += count;
  return TOI_OK;
}

#endif
