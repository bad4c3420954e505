/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whether a small mesh intersects itself, and where first, by looking at all pairs in exact arithmetic on GMP's own
 * numbers: contacts as distances of 0, an edge and a face by clipping the edge with the sides of the face, in
 * rationals. To be believed for every finite mesh whose faces have all of their edges among the edges. It knows nothing
 * of orientations and boxes. */

#ifndef TOI_TESTS_SCENE_INTERSECTION_ORACLE_H
#define TOI_TESTS_SCENE_INTERSECTION_ORACLE_H

#include <toi/scene.h>

#include "narrow/mesh.h"
#include "narrow/separation_oracle.h"
#include "support/support.h"

static inline toi_intersection crossing(uint32_t edge, uint32_t face) {
  return (toi_intersection){.found = 1, .crossing = 1, .pair = {edge, face}};
}

static inline toi_intersection touching(toi_kind kind, uint32_t first, uint32_t second) {
  return (toi_intersection){.found = 1, .kind = kind, .pair = {first, second}};
}

static const toi_intersection none = {0};

static inline bool oracle_touch(const toi_mesh *mesh, toi_kind kind, toi_pair pair) {
  uint32_t vertices[4] = {0};
  double query[24];
  size_t points = toi_kind_points(kind);
  toi_pair_vertices(kind, mesh, pair, vertices);
  for (size_t i = 0; i < 2 * points; i++)
    toi_mesh_point(mesh, mesh->start, vertices[i % points], query + 3 * i);
  return oracle_within(kind, query, 0, TOI_NORM_L2, 0);
}

/* The part [lo, hi] of the edge on which a linear function with these values at its ends is not negative. */
static inline void oracle_cut(const exact at[2], mpq_t lo, mpq_t hi) {
  mpq_t from, to;
  mpq_inits(from, to, NULL);
  oracle_to_rational(at[0], from);
  oracle_to_rational(at[1], to);
  int rising = mpq_cmp(to, from);
  if (rising == 0) {
    if (mpq_sgn(from) < 0)
      mpq_set_si(hi, -1, 1);
  } else {
    // from + t (to - from) = 0
    mpq_sub(to, from, to);
    mpq_div(from, from, to);
    if (rising > 0 ? mpq_cmp(from, lo) > 0 : mpq_cmp(from, hi) < 0)
      mpq_set(rising > 0 ? lo : hi, from);
  }
  mpq_clears(from, to, NULL);
}

/* Whether a closed edge meets a closed face that has an area. */
static inline bool oracle_clip_edge(exact edge[2][3], exact face[3][3], const exact normal[3]) {
  mpq_t lo, hi;
  mpq_inits(lo, hi, NULL);
  mpq_set_ui(hi, 1, 1);
  for (int k = -1; k < 3; k++) {
    // In the plane: neither above nor below. Then inside of side k.
    exact along[3], inward[3], from[3], at[2], back[2];
    int corner = k < 0 ? 0 : k;
    oracle_difference(face[(corner + 1) % 3], face[corner], along);
    oracle_cross(normal, along, inward);
    for (int i = 0; i < 2; i++) {
      oracle_difference(edge[i], face[corner], from);
      at[i] = oracle_dot(k < 0 ? normal : inward, from);
      back[i] = minus(exactly(0), at[i]);
    }
    oracle_cut(at, lo, hi);
    if (k < 0)
      oracle_cut(back, lo, hi);
  }
  bool meets = mpq_cmp(lo, hi) <= 0;
  mpq_clears(lo, hi, NULL);
  return meets;
}

static inline uint32_t edge_of(const toi_mesh *mesh, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < mesh->edge_count; i++)
    if ((mesh->edges[i][0] == a && mesh->edges[i][1] == b) || (mesh->edges[i][0] == b && mesh->edges[i][1] == a))
      return i;
  fail_msg("a face without its edge");
  return 0;
}

/* Whether an end of the edge is in the face, or the edge meets a side. */
static inline bool oracle_edge_touches(const toi_mesh *mesh, uint32_t edge, uint32_t face) {
  for (int i = 0; i < 2; i++)
    if (oracle_touch(mesh, TOI_VERTEX_FACE, (toi_pair){mesh->edges[edge][i], face}))
      return true;
  for (int i = 0; i < 3; i++) {
    const uint32_t *f = mesh->faces[face];
    if (oracle_touch(mesh, TOI_EDGE_EDGE, (toi_pair){edge, edge_of(mesh, f[i], f[(i + 1) % 3])}))
      return true;
  }
  return false;
}

static inline bool oracle_edge_meets(const toi_mesh *mesh, uint32_t edge, uint32_t face) {
  dyadic_reset();
  exact e[2][3], f[3][3], a[3], b[3], normal[3];
  for (int i = 0; i < 5; i++) {
    double p[3];
    toi_mesh_point(mesh, mesh->start, i < 2 ? mesh->edges[edge][i] : mesh->faces[face][i - 2], p);
    for (int axis = 0; axis < 3; axis++)
      *(i < 2 ? &e[i][axis] : &f[i - 2][axis]) = exactly(p[axis]);
  }
  oracle_difference(f[1], f[0], a);
  oracle_difference(f[2], f[0], b);
  oracle_cross(a, b, normal);
  // A face without area is its sides.
  if (sign_of(oracle_dot(normal, normal)) == 0)
    return oracle_edge_touches(mesh, edge, face);
  return oracle_clip_edge(e, f, normal);
}

static inline bool share(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count) {
  for (size_t i = 0; i < a_count * b_count; i++)
    if (a[i / b_count] == b[i % b_count])
      return true;
  return false;
}

static inline bool oracle_loose_edge(const toi_mesh *mesh, uint32_t edge) {
  for (size_t f = 0; f < mesh->face_count; f++)
    for (int i = 0; i < 3; i++)
      if (edge_of(mesh, mesh->faces[f][i], mesh->faces[f][(i + 1) % 3]) == edge)
        return false;
  return true;
}

static inline bool oracle_loose_point(const toi_mesh *mesh, uint32_t v) {
  for (size_t i = 0; i < mesh->face_count; i++) {
    const uint32_t *face = mesh->faces[i];
    if (share(&v, 1, face, 3) && (face[0] != face[1] || face[0] != face[2]))
      return false;
  }
  return !share(&v, 1, mesh->edges[0], 2 * mesh->edge_count);
}

/* The candidates of a kind that share no vertex: whether this pair is one. */
static inline bool oracle_candidate(const toi_mesh *mesh, toi_kind kind, uint32_t i, uint32_t j) {
  switch (kind) {
  case TOI_VERTEX_FACE:
    return !share(&i, 1, mesh->faces[j], 3);
  case TOI_EDGE_EDGE:
    return i < j && !share(mesh->edges[i], 2, mesh->edges[j], 2);
  case TOI_VERTEX_EDGE:
    return oracle_loose_point(mesh, i) && oracle_loose_edge(mesh, j);
  default:
    return i < j && oracle_loose_point(mesh, i) && oracle_loose_point(mesh, j);
  }
}

/* The first pairs that meet, in order. */
typedef struct oracle_list {
  toi_crossing *pairs;
  size_t count, room;
} oracle_list;

static inline bool oracle_note(oracle_list *list, bool crosses, toi_kind kind, toi_pair pair) {
  list->pairs[list->count++] = (toi_crossing){.crossing = crosses, .kind = kind, .pair = pair};
  return list->count < list->room;
}

/* Each returns whether there is room for more. */
static inline bool oracle_contacts(const toi_mesh *mesh, oracle_list *list) {
  const size_t counts[TOI_KIND_COUNT][2] = {{mesh->vertex_count, mesh->face_count},
                                            {mesh->edge_count, mesh->edge_count},
                                            {mesh->vertex_count, mesh->edge_count},
                                            {mesh->vertex_count, mesh->vertex_count}};
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (uint32_t i = 0; i < counts[kind][0]; i++)
      for (uint32_t j = 0; j < counts[kind][1]; j++)
        if (oracle_candidate(mesh, (toi_kind)kind, i, j) && oracle_touch(mesh, (toi_kind)kind, (toi_pair){i, j}) &&
            !oracle_note(list, false, (toi_kind)kind, (toi_pair){i, j}))
          return false;
  return true;
}

static inline bool oracle_crossings(const toi_mesh *mesh, oracle_list *list) {
  for (uint32_t e = 0; e < mesh->edge_count; e++)
    for (uint32_t f = 0; f < mesh->face_count; f++) {
      if (share(mesh->edges[e], 2, mesh->faces[f], 3))
        continue;
      bool meets = oracle_edge_meets(mesh, e, f), touches = oracle_edge_touches(mesh, e, f);
      // What the header promises: without a crossing and a contact no edge meets a face.
      assert_true(meets || !touches);
      if (meets && !touches && !oracle_note(list, true, TOI_VERTEX_FACE, (toi_pair){e, f}))
        return false;
    }
  return true;
}

/* As many of the pairs that meet as there is room for. */
static inline void oracle_every(const toi_mesh *mesh, oracle_list *list) {
  list->count = 0;
  if (oracle_crossings(mesh, list))
    oracle_contacts(mesh, list);
}

/* The first one. */
static inline toi_intersection oracle_all(const toi_mesh *mesh) {
  toi_crossing first;
  oracle_list list = {.pairs = &first, .room = 1};
  oracle_every(mesh, &list);
  if (list.count == 0)
    return none;
  return first.crossing ? crossing(first.pair.first, first.pair.second)
                        : touching(first.kind, first.pair.first, first.pair.second);
}

#endif
