/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Candidates collected and compared, and an oracle that finds them from the definition in broad.h: every pair, in a
 * double loop. The oracle's boxes are exact where they are not grown and t_max is 1; elsewhere a slightly smaller and a
 * slightly larger growth enclose the right answer. */

#ifndef TOI_TESTS_BROAD_PAIRS_H
#define TOI_TESTS_BROAD_PAIRS_H

#include <stdio.h>

#include "broad/scenes.h"

/* Pairs by kind, as numbers first * 2^32 + second. */
typedef struct test_pairs {
  uint64_t *keys[TOI_COUNTERS];
  size_t count[TOI_COUNTERS], room[TOI_COUNTERS];
} test_pairs;

static inline void test_pairs_add(test_pairs *pairs, toi_kind kind, uint32_t first, uint32_t second) {
  pairs->keys[kind] = test_grown(pairs->keys[kind], pairs->count[kind], &pairs->room[kind], sizeof(uint64_t));
  pairs->keys[kind][pairs->count[kind]++] = (uint64_t)first << 32 | second;
}

static inline void test_pairs_free(test_pairs *pairs) {
  for (int kind = 0; kind < TOI_COUNTERS; kind++)
    free(pairs->keys[kind]);
  memset(pairs, 0, sizeof(*pairs));
}

static inline int test_compare_keys(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static inline void test_pairs_sort(test_pairs *pairs) {
  for (int kind = 0; kind < TOI_COUNTERS; kind++)
    if (pairs->count[kind] > 0)
      qsort(pairs->keys[kind], pairs->count[kind], sizeof(uint64_t), test_compare_keys);
}

static inline toi_status test_collect(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++)
    test_pairs_add(user, kind, pairs[i].first, pairs[i].second);
  return TOI_OK;
}

/* All candidates, sorted; the call must succeed. */
static inline test_pairs test_candidates(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  test_pairs pairs = {0};
  if (toi_candidates(context, mesh, options, test_collect, &pairs) != TOI_OK)
    fail_msg("%s: %s", options->on_mesh ? options->on_mesh->broad : "auto", toi_context_error(context));
  test_pairs_sort(&pairs);
  return pairs;
}

/* Fails unless every pair of `inner` is in `outer`; both sorted, no pair twice. */
static inline void test_pairs_within(const test_pairs *inner, const test_pairs *outer, const char *what) {
  for (int kind = 0; kind < TOI_COUNTERS; kind++) {
    size_t at = 0;
    for (size_t i = 0; i < inner->count[kind]; i++) {
      const uint64_t key = inner->keys[kind][i];
      const unsigned first = (unsigned)(key >> 32), second = (unsigned)key;
      if (i > 0 && inner->keys[kind][i - 1] == key)
        fail_msg("%s: %s %u %u is there twice", what, toi_kind_name((toi_kind)kind), first, second);
      while (at < outer->count[kind] && outer->keys[kind][at] < key)
        at++;
      if (at == outer->count[kind] || outer->keys[kind][at] != key)
        fail_msg("%s: %s %u %u on one side only", what, toi_kind_name((toi_kind)kind), first, second);
    }
  }
}

static inline void test_pairs_equal(const test_pairs *found, const test_pairs *expected, const char *what) {
  char text[96];
  snprintf(text, sizeof(text), "%s has too much", what);
  test_pairs_within(found, expected, text);
  snprintf(text, sizeof(text), "%s has too little", what);
  test_pairs_within(expected, found, text);
}

/* --- the oracle --- */

/* What the oracle is asked: boxes over [0, t_max], each vertex's grown by radius and thickness, and by reach times its
 * way. */
typedef struct test_question {
  const toi_mesh *mesh;
  const toi_options *options; /* may_collide of on_mesh */
  double t_max, radius, reach;
} test_question;

typedef struct test_box {
  double lo[3], hi[3];
  uint32_t vertex[3];
  int corners;
  bool loose;
} test_box;

static inline void test_position(const toi_mesh *mesh, bool end, uint32_t vertex, double at[3]) {
  const size_t size = mesh->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double);
  const size_t stride = mesh->stride ? mesh->stride : 3 * size;
  const char *const from = (const char *)(end ? mesh->end : mesh->start) + stride * vertex;
  for (int axis = 0; axis < 3; axis++)
    if (mesh->scalar == TOI_FLOAT32)
      at[axis] = (double)((const float *)(const void *)from)[axis];
    else
      at[axis] = ((const double *)(const void *)from)[axis];
}

static inline double test_vertex_thickness(const toi_mesh *mesh, uint32_t vertex) {
  double thickness = mesh->thickness ? mesh->thickness[vertex] : 0;
  if (mesh->body_thickness && mesh->bodies && mesh->bodies[vertex] != TOI_NO_BODY)
    thickness += mesh->body_thickness[mesh->bodies[vertex]];
  return thickness;
}

static inline double test_thickness(const toi_mesh *mesh, const test_box *box) {
  double most = 0;
  for (int k = 0; k < box->corners; k++)
    most = fmax(most, test_vertex_thickness(mesh, box->vertex[k]));
  return most;
}

static inline void test_box_of(const test_question *question, test_box *box) {
  const double radius = question->radius + test_thickness(question->mesh, box), t = question->t_max;
  for (int axis = 0; axis < 3; axis++) {
    box->lo[axis] = INFINITY;
    box->hi[axis] = -INFINITY;
  }
  for (int k = 0; k < box->corners; k++) {
    double start[3], end[3];
    test_position(question->mesh, false, box->vertex[k], start);
    test_position(question->mesh, true, box->vertex[k], end);
    double grown = radius;
    if (question->reach > 0)
      grown += question->reach * t * hypot(hypot(end[0] - start[0], end[1] - start[1]), end[2] - start[2]);
    for (int axis = 0; axis < 3; axis++) {
      const double at = t == 1 ? end[axis] : start[axis] + t * (end[axis] - start[axis]);
      box->lo[axis] = fmin(box->lo[axis], fmin(start[axis], at) - grown);
      box->hi[axis] = fmax(box->hi[axis], fmax(start[axis], at) + grown);
    }
  }
}

/* All boxes of a mesh: vertices, edges, faces. */
typedef struct test_boxes {
  test_box *of[3];
  size_t count[3];
} test_boxes;

static inline void test_mark_loose(const toi_mesh *mesh, test_boxes *boxes) {
  for (size_t i = 0; i < mesh->vertex_count; i++)
    boxes->of[0][i].loose = true;
  for (size_t i = 0; i < mesh->edge_count; i++) {
    boxes->of[0][mesh->edges[i][0]].loose = boxes->of[0][mesh->edges[i][1]].loose = false;
    boxes->of[1][i].loose = true;
    for (size_t f = 0; f < mesh->face_count && boxes->of[1][i].loose; f++) {
      int shared = 0;
      for (int k = 0; k < 3; k++)
        shared += mesh->faces[f][k] == mesh->edges[i][0] || mesh->faces[f][k] == mesh->edges[i][1];
      boxes->of[1][i].loose = shared < 2;
    }
  }
  for (size_t f = 0; f < mesh->face_count; f++)
    for (int k = 0; k < 3; k++)
      if (mesh->faces[f][0] != mesh->faces[f][1] || mesh->faces[f][0] != mesh->faces[f][2])
        boxes->of[0][mesh->faces[f][k]].loose = false;
}

static inline test_boxes test_boxes_make(const test_question *question) {
  const toi_mesh *const mesh = question->mesh;
  test_boxes boxes = {.count = {mesh->vertex_count, mesh->edge_count, mesh->face_count}};
  for (int kind = 0; kind < 3; kind++) {
    boxes.of[kind] = calloc(boxes.count[kind] + 1, sizeof(test_box));
    assert_non_null(boxes.of[kind]);
    for (size_t i = 0; i < boxes.count[kind]; i++) {
      test_box *const box = &boxes.of[kind][i];
      box->corners = kind + 1;
      for (int k = 0; k < box->corners; k++)
        box->vertex[k] = kind == 0 ? (uint32_t)i : kind == 1 ? mesh->edges[i][k] : mesh->faces[i][k];
      test_box_of(question, box);
    }
  }
  test_mark_loose(mesh, &boxes);
  return boxes;
}

static inline void test_boxes_free(test_boxes *boxes) {
  for (int kind = 0; kind < 3; kind++)
    free(boxes->of[kind]);
}

/* Bit `number` of a set. */
static inline bool test_bit(const uint64_t *set, size_t number) {
  return (set[number >> 6] >> (number & 63)) % 2 == 1;
}

/* Whether two vertices may collide, as far as their bodies go. */
static inline bool test_bodies_collide(const toi_mesh *mesh, uint32_t v, uint32_t w) {
  if (!mesh->bodies || mesh->bodies[v] == TOI_NO_BODY || mesh->bodies[w] == TOI_NO_BODY)
    return true;
  const size_t a = mesh->bodies[v], b = mesh->bodies[w], rows = mesh->body_count;
  return mesh->body_pairs ? test_bit(mesh->body_pairs, a <= b ? a * rows + b : b * rows + a) : a != b;
}

/* Whether the mesh's rules let two primitives be a pair. */
static inline bool test_may_pair(const toi_mesh *mesh, const test_box *a, const test_box *b) {
  bool all_fixed = mesh->fixed != NULL, collide = false;
  for (int k = 0; k < a->corners + b->corners; k++) {
    const uint32_t vertex = k < a->corners ? a->vertex[k] : b->vertex[k - a->corners];
    for (int l = 0; k < a->corners && l < b->corners; l++) {
      if (vertex == b->vertex[l])
        return false;
      collide = collide || test_bodies_collide(mesh, vertex, b->vertex[l]);
    }
    all_fixed = all_fixed && mesh->fixed[vertex];
    if (mesh->skipped && test_bit(mesh->skipped, vertex))
      return false;
  }
  return !all_fixed && collide;
}

static inline bool test_overlap(const test_box *a, const test_box *b) {
  for (int axis = 0; axis < 3; axis++)
    if (a->lo[axis] > b->hi[axis] || b->lo[axis] > a->hi[axis])
      return false;
  return true;
}

/* Every pair of a kind that the rules allow, overlapping or not, to `visit`. */
typedef void (*test_pair_visit)(void *user, toi_kind kind, const test_box *a, const test_box *b, toi_pair pair);

static inline void test_every_pair(const test_question *question, const test_boxes *boxes, test_pair_visit visit,
                                   void *user) {
  static const int sides[TOI_COUNTERS][2] = {
      [TOI_VERTEX_FACE] = {0, 2},   [TOI_EDGE_EDGE] = {1, 1}, [TOI_VERTEX_EDGE] = {0, 1},
      [TOI_VERTEX_VERTEX] = {0, 0}, [TOI_EDGE_FACE] = {1, 2}, [TOI_FACE_FACE] = {2, 2}};
  const toi_mesh_options *const rules = question->options->on_mesh;
  uint32_t kinds = rules && rules->kinds ? rules->kinds : (1u << TOI_KIND_COUNT) - 1;
  const bool every = (kinds & TOI_KINDS_EVERY_VERTEX_EDGE) != 0;
  kinds |= every ? TOI_KINDS_VERTEX_EDGE : 0;
  for (int kind = 0; kind < TOI_COUNTERS; kind++) {
    if (!(kinds >> kind & 1))
      continue;
    const int first = sides[kind][0], second = sides[kind][1];
    const bool loose = kind == TOI_VERTEX_VERTEX || (kind == TOI_VERTEX_EDGE && !every);
    for (size_t i = 0; i < boxes->count[first]; i++)
      for (size_t j = first == second ? i + 1 : 0; j < boxes->count[second]; j++) {
        const test_box *const a = &boxes->of[first][i], *const b = &boxes->of[second][j];
        if ((loose && (!a->loose || !b->loose)) || !test_may_pair(question->mesh, a, b))
          continue;
        if (rules && rules->may_collide &&
            !rules->may_collide(rules->may_collide_user, (toi_kind)kind, (uint32_t)i, (uint32_t)j))
          continue;
        visit(user, (toi_kind)kind, a, b, (toi_pair){(uint32_t)i, (uint32_t)j});
      }
  }
}

static inline void test_add_overlapping(void *user, toi_kind kind, const test_box *a, const test_box *b,
                                        toi_pair pair) {
  if (test_overlap(a, b))
    test_pairs_add(user, kind, pair.first, pair.second);
}

/* What broad.h says, sorted. */
static inline test_pairs test_oracle(const test_question *question) {
  test_boxes boxes = test_boxes_make(question);
  test_pairs pairs = {0};
  test_every_pair(question, &boxes, test_add_overlapping, &pairs);
  test_boxes_free(&boxes);
  return pairs;
}

/* --- all methods --- */

/* Those that the options point to, or the defaults. */
static inline toi_mesh_options test_mesh_options(const toi_options *options) {
  return options->on_mesh ? *options->on_mesh : toi_default_mesh_options();
}

static const uint32_t test_threads[] = {1, 2, 5};

/* Fails unless every broad phase on 1, 2 and 5 threads gives just the expected pairs. */
static inline void test_all_methods(const toi_mesh *mesh, const toi_options *options, const test_pairs *expected) {
  for (size_t t = 0; t < sizeof(test_threads) / sizeof(*test_threads); t++) {
    toi_context *const context = test_context(test_threads[t]);
    for (size_t number = 0; toi_broad_name(number); number++) {
      toi_options own = *options;
      toi_mesh_options on_mesh = test_mesh_options(options);
      on_mesh.broad = toi_broad_name(number);
      own.on_mesh = &on_mesh;
      test_pairs found = test_candidates(context, mesh, &own);
      char what[64];
      snprintf(what, sizeof(what), "%s on %u threads", on_mesh.broad, test_threads[t]);
      test_pairs_equal(&found, expected, what);
      test_pairs_free(&found);
    }
    toi_context_destroy(context);
  }
}

#endif
