/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Collisions and the first impact of a mesh from the definition: every pair, each by a single call. */

#ifndef TOI_TESTS_SCENE_ORACLE_H
#define TOI_TESTS_SCENE_ORACLE_H

#include "scene/meshes.h"

#include "narrow/exact_order.h"

/* Both states of a pair, as toi_batch takes them. */
static inline void oracle_query(const made_mesh *m, const toi_mesh *mesh, toi_kind kind, toi_pair pair,
                                double query[24]) {
  double points[2][4][3];
  uint32_t count = toi_kind_points(kind);
  pair_place(mesh, (const double(*)[3])m->start, kind, pair, points[0]);
  pair_place(mesh, (const double(*)[3])m->end, kind, pair, points[1]);
  memcpy(query, points[0], 3 * count * sizeof(double));
  memcpy(query + (size_t)3 * count, points[1], 3 * count * sizeof(double));
}

static inline double oracle_thickness(const toi_mesh *mesh, const uint32_t *vertices, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; mesh->thickness && i < count; i++)
    most = fmax(most, mesh->thickness[vertices[i]]);
  return most;
}

/* The answer of a method to one pair. Thicknesses must add up without rounding. */
static inline toi_hit oracle_answer(const made_mesh *m, const toi_mesh *mesh, const toi_options *options,
                                    const char *method, toi_kind kind, toi_pair pair) {
  double query[24];
  uint32_t v[4], count = pair_points(mesh, kind, pair, v), firsts = kind == TOI_EDGE_EDGE ? 2 : 1;
  toi_options own = *options;
  toi_hit hit;
  own.method = method;
  own.min_separation += oracle_thickness(mesh, v, firsts) + oracle_thickness(mesh, v + firsts, count - firsts);
  oracle_query(m, mesh, kind, pair, query);
  const double(*start)[3] = (const double(*)[3])query, (*end)[3] = start + count;
  assert_int_equal(toi_query(kind, start, end, &own, &hit), TOI_OK);
  return hit;
}

static inline toi_timed oracle_timed(const toi_options *options, toi_kind kind, const double *query,
                                     const toi_hit *hit) {
  return (toi_timed){.kind = kind,
                     .query = query,
                     .separation = hit->separation,
                     .norm = options->norm,
                     .t_lo = hit->t_lo,
                     .t_hi = hit->t_hi};
}

/* The earliest of all exact times; of equal ones the first in the order of kinds and numbers. */
static inline toi_impact oracle_first(const made_mesh *m, const toi_mesh *mesh, const toi_options *options) {
  toi_impact best = {.hit = {.verdict = TOI_MISS}};
  double best_query[24];
  all_pairs all = pairs_of(mesh, options);
  for (toi_kind kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (size_t i = 0; i < all.count[kind]; i++) {
      toi_pair pair = all.pairs[kind][i];
      double query[24];
      toi_hit hit = oracle_answer(m, mesh, options, "exact", kind, pair);
      if (hit.verdict == TOI_MISS)
        continue;
      oracle_query(m, mesh, kind, pair, query);
      int order = -1;
      if (best.hit.verdict != TOI_MISS) {
        toi_timed a = oracle_timed(options, kind, query, &hit);
        toi_timed b = oracle_timed(options, best.kind, best_query, &best.hit);
        assert_int_equal(toi_exact_order(NULL, 0, &a, &b, &order), TOI_OK);
      }
      if (order < 0) {
        best = (toi_impact){.hit = hit, .kind = kind, .pair = pair};
        memcpy(best_query, query, sizeof(query));
      }
    }
  pairs_free(&all);
  return best;
}

static inline void assert_same_bits(double a, double b) {
  assert_memory_equal(&a, &b, sizeof(a));
}

static inline void assert_same_hit(const toi_hit *a, const toi_hit *b) {
  assert_int_equal(a->verdict, b->verdict);
  assert_same_bits(a->t_lo, b->t_lo);
  assert_same_bits(a->t_hi, b->t_hi);
  assert_same_bits(a->t_safe, b->t_safe);
  assert_same_bits(a->u, b->u);
  assert_same_bits(a->v, b->v);
  assert_same_bits(a->separation, b->separation);
  assert_memory_equal(a->point, b->point, sizeof(a->point));
  assert_memory_equal(a->normal, b->normal, sizeof(a->normal));
}

static inline void assert_same_impact(const toi_impact *a, const toi_impact *b) {
  assert_int_equal(a->hit.verdict, b->hit.verdict);
  if (a->hit.verdict == TOI_MISS)
    return;
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->pair.first, b->pair.first);
  assert_int_equal(a->pair.second, b->pair.second);
  assert_same_hit(&a->hit, &b->hit);
}

/* --- meshes whose parts fly into each other --- */

static inline bool odd_sum(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  (void)user;
  return (first + second + kind) % 2;
}

/* Separations, norms, times, rules: a different mix for every number. Thicknesses add up exactly. */
static inline toi_mesh vary(made_mesh *m, uint64_t number, toi_options *options, toi_mesh_options *on_mesh) {
  toi_mesh mesh = made_as(m, number % 3 == 1 ? TOI_FLOAT32 : TOI_FLOAT64);
  *options = toi_default_options();
  options->norm = number % 4 < 2 ? TOI_NORM_L2 : TOI_NORM_LINF;
  options->min_separation = number % 5 == 1 || number % 10 == 2 ? 0.0625 : 0;
  options->separation_fraction = number % 5 == 2 || number % 10 == 3 ? 0.25 : 0;
  options->t_max = number % 7 == 3 ? 0.375 : 1;
  *on_mesh = toi_default_mesh_options();
  on_mesh->may_collide = number % 11 == 5 ? odd_sum : NULL;
  on_mesh->kinds = number % 3 == 2 ? (uint32_t)(number / 3 % 16) : 0;
  on_mesh->kinds |= number % 23 == 7 ? TOI_KINDS_EVERY_VERTEX_EDGE : 0;
  options->on_mesh = on_mesh;
  for (size_t i = 0; i < m->vertex_count; i++) {
    m->thickness[i] = (double)(i % 3) / 32;
    m->fixed[i] = i % 4 != 0;
    m->bodies[i] = i % 5 == 0 ? TOI_NO_BODY : (uint32_t)(i / 6);
  }
  mesh.thickness = number % 5 == 3 ? m->thickness : NULL;
  mesh.fixed = number % 13 == 6 ? m->fixed : NULL;
  mesh.bodies = number % 13 == 8 || number % 13 == 10 ? m->bodies : NULL;
  // Every other pair of bodies, some of them with themselves; every eleventh vertex.
  static const uint64_t pairs[64] = {0x5a5a5a5a5a5a5a5a, 0x9696969696969696, 0x3c3c3c3c3c3c3c3c},
                        some[] = {0x0040100400801002};
  mesh.size = sizeof mesh;
  mesh.body_count = 64;
  mesh.body_pairs = number % 13 == 10 ? pairs : NULL;
  mesh.skipped = number % 13 == 4 ? some : NULL;
  return mesh;
}

/* Triangles, edges and points at random places of a lattice, so that contacts at the same time abound. */
static inline void make_swarm(made_mesh *m, uint64_t *random, uint32_t vertices, double cells) {
  m->vertex_count = m->face_count = m->edge_count = 0;
  for (uint32_t i = 0; i < vertices; i++) {
    double at[2][3];
    for (int k = 0; k < 6; k++)
      at[k / 3][k % 3] = floor(cells * test_random_unit(random)) / 4;
    made_vertex(m, at[0][0], at[0][1], at[0][2]);
    memcpy(m->end[i], at[1], sizeof(at[1]));
  }
  for (uint32_t i = 0; i + 2 < vertices * 2 / 3; i += 2)
    made_face(m, i, i + 1, i + 2);
  for (uint32_t i = vertices * 2 / 3; i + 1 < vertices * 5 / 6; i += 2)
    made_edge(m, i, i + 1);
  made_finish(m);
}

/* A cloth that falls on a ball in one step, everything a little uneven. */
static inline void make_fall(made_mesh *m, uint64_t *random, uint32_t size) {
  m->vertex_count = m->face_count = m->edge_count = 0;
  made_grid(m, size, 2.0 / size, (double[3]){0, 0, 1.25});
  size_t cloth = m->vertex_count;
  made_ball(m, 4, 1, (double[3]){0.1, 0.05, 0});
  for (size_t i = 0; i < m->vertex_count; i++)
    for (int k = 0; k < 3; k++) {
      m->start[i][k] += 0.02 * test_random_unit(random);
      m->end[i][k] = m->start[i][k] + 0.02 * test_random_unit(random) - (i < cloth && k == 2 ? 0.75 : 0);
    }
  made_finish(m);
}

#endif
