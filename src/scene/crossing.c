/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which candidates of one state of a mesh meet, decided exactly.
 *
 * An edge pq crosses a face abc if p and q are strictly on different sides of its plane and the line pq passes strictly
 * inside: orientation(p, a, b, c) and orientation(q, a, b, c) are strictly opposite, and orientation(p, q, a, b),
 * orientation(p, q, b, c), orientation(p, q, c, a) have one strict sign.
 *
 * Claim 1: an edge meets a face, both closed, exactly if it crosses it, or one of its ends lies in the face, or it
 * meets one of the face's sides. With no vertex shared between the two, the latter are contacts of the kinds
 * vertex-face and edge-edge, which the narrow phase decides for points at rest.
 * Why:
 *  - strict signs imply a common point, and the other two are such;
 *  - conversely let x be a common point, no end of the edge be in the face, and the edge meet no side;
 *  - a face without area is the union of its sides, so the face has area, and x is strictly inside it;
 *  - x is no end of the edge, so it is strictly inside the edge, which is no point;
 *  - if the edge lay in the plane of the face, it would lead from x to its end, outside the face, through a side; so it
 *    meets the plane in x only, and p and q are strictly on different sides;
 *  - if p, q, a, b were in one plane, that plane would hold x and the line ab, which x is not on: it would be the
 *    face's, which does not hold p; so none of the other three orientations is 0, and as x sees a, b, c turn one way,
 *    they have one sign.
 * Hence five strict signs decide all that the four kinds leave, and a zero among them needs no further look.
 *
 * Claim 2: two faces without a common vertex that meet have a crossing or a contact between them: an edge of one
 * crosses the other, or a vertex of one lies in the other, or two of their edges meet.
 * Why: by claim 1 it is enough that an edge of one meets the other. The common points of two closed triangles are a
 * compact convex set; let x be an extreme point of it. If x is on the border of one of them, it is on an edge of it,
 * which meets the other one in x. Else x is strictly inside both; both have area then, and the common points near x are
 * those of their planes: a line or a plane through x, of which x is not an extreme point.
 *
 * Claim 3: so have two faces A and B with one or two common vertices that meet anywhere beyond these vertices and the
 * edge between them; all of it between primitives without a common vertex.
 * Why, for one common vertex v:
 *  - the common points are more than v, so they have an extreme point x other than v, on a side of A or B as above;
 *  - if that side, of A say, does not end in v, it has no vertex in common with B and meets it in x: claim 1;
 *  - else it is a side va of A, x not its end a; beyond x it leaves B, or x would not be extreme; so it leaves B
 * through a side: of B opposite to v, which meets A in x; or a side vb of B, which runs along va up to x and, as x is
 * not b, beyond it, so that x would not be extreme. For two, u and v, A = uva and B = uvb: the faces lie in one plane
 * or are flat, or there is nothing beyond the edge uv. Let x be an extreme point beyond that edge, on the side va of A,
 * say. If x is a, then a lies in B, of which it is no vertex. Else va leaves B in x, through the side ub, which has no
 * vertex in common with va; or along vb as before, which ends it in x = b, which lies in A.
 *
 * Where may_collide or the mesh's rules leave out pairs, nothing is said about these. */

#include "scene/crossing.h"

#include <assert.h>
#include <string.h>

#include "broad/rules.h"
#include "narrow/mesh.h"
#include "narrow/method.h"
#include "scene/half_spaces.h"

/* The points of the pairs of a block, axis by axis: four of each, or the two of an edge and the three of a face. */
typedef struct gathered {
  double at[5][3][TOI_CROSSING_PAIRS];
} gathered;

static void gather(const toi_mesh *mesh, const toi_crossing_block *block, gathered *g) {
  const bool crossings = block->kind == TOI_JOIN_EDGE_FACE;
  for (size_t i = 0; i < block->count || i % TOI_ORIENTATION_LANES != 0; i++) {
    // Lanes beyond the last pair repeat it.
    const toi_pair pair = block->pairs[i < block->count ? i : block->count - 1];
    uint32_t vertices[5];
    if (crossings) {
      memcpy(vertices, mesh->edges[pair.first], 2 * sizeof(uint32_t));
      memcpy(vertices + 2, mesh->faces[pair.second], 3 * sizeof(uint32_t));
    } else {
      toi_pair_vertices((toi_kind)block->kind, mesh, pair, vertices);
    }
    for (int k = 0; k < 4 + crossings; k++) {
      double point[3];
      toi_mesh_point(mesh, mesh->start, vertices[k], point);
      for (int axis = 0; axis < 3; axis++)
        g->at[k][axis][i] = point[axis];
    }
  }
}

/* The orientation of four of these points of each pair, where doubles show it; else 0. */
static void find_signs(const gathered *g, size_t count, const int corners[4], int signs[TOI_CROSSING_PAIRS]) {
  const double(*points[4])[TOI_CROSSING_PAIRS];
  for (int k = 0; k < 4; k++)
    points[k] = g->at[corners[k]];
  toi_orientation_signs(points, count, signs);
}

/* --- crossings --- */

static bool crosses(const gathered *g, size_t i) {
  double point[5][3];
  for (int k = 0; k < 5; k++)
    for (int axis = 0; axis < 3; axis++)
      point[k][axis] = g->at[k][axis][i];
  return toi_edge_crosses(point[0], point[1], point[2], point[3], point[4]);
}

/* Callers are asked about kinds they know: an edge may collide with a face if one of its ends may. */
static bool may_cross(const toi_mesh_request *asked, toi_pair pair) {
  const uint32_t *ends = asked->mesh.edges[pair.first];
  return toi_may_collide(&asked->on_mesh, TOI_VERTEX_FACE, ends[0], pair.second) ||
         toi_may_collide(&asked->on_mesh, TOI_VERTEX_FACE, ends[1], pair.second);
}

/* Two known signs refute nearly all crossings: the same one for both ends, or different ones as seen along the edge. */
static void find_crossings(const toi_crossing_search *search, toi_crossing_block *block) {
  static const int corners[5][4] = {{0, 2, 3, 4}, {1, 2, 3, 4}, {0, 1, 2, 3}, {0, 1, 3, 4}, {0, 1, 4, 2}};
  gathered g;
  int signs[5][TOI_CROSSING_PAIRS];
  gather(&search->asked.mesh, block, &g);
  for (int k = 0; k < 5; k++)
    find_signs(&g, block->count, corners[k], signs[k]);
  for (size_t i = 0; i < block->count; i++) {
    const int ab = signs[2][i], bc = signs[3][i], ca = signs[4][i];
    const bool refuted = (signs[0][i] * signs[1][i] > 0) | (ab * bc < 0) | (bc * ca < 0) | (ca * ab < 0);
    block->meets[i] = !refuted && crosses(&g, i) && may_cross(&search->asked, block->pairs[i]);
  }
}

/* --- contacts --- */

/* Four points in no common plane: the vertex is not in the plane of the face, the edges are in no common plane, and
 * nothing touches. This decides nearly all pairs. */
static void find_solid(const toi_crossing_search *search, const toi_crossing_block *block,
                       int solid[TOI_CROSSING_PAIRS]) {
  memset(solid, 0, TOI_CROSSING_PAIRS * sizeof(*solid));
  if (toi_kind_points((toi_kind)block->kind) < 4)
    return;
  gathered g;
  gather(&search->asked.mesh, block, &g);
  find_signs(&g, block->count, (const int[4]){0, 1, 2, 3}, solid);
}

/* Asks the narrow phase about the pairs at rest that are left. */
static toi_status find_contacts(const toi_crossing_search *search, toi_crossing_block *block) {
  int solid[TOI_CROSSING_PAIRS];
  find_solid(search, block, solid);
  double queries[TOI_CROSSING_PAIRS * 24];
  toi_hit hits[TOI_CROSSING_PAIRS];
  size_t asked[TOI_CROSSING_PAIRS] = {0};
  toi_counters counters = {0};
  const toi_kind kind = (toi_kind)block->kind;
  const size_t row = 6 * toi_kind_points(kind);
  toi_chunk chunk = {.kind = kind,
                     .queries = queries,
                     .options = &search->asked.options,
                     .hits = hits,
                     .counters = &counters,
                     .context = search->context,
                     .thread = block->thread,
                     .quiet = true};
  for (size_t i = 0; i < block->count; i++) {
    block->meets[i] = false;
    if (solid[i] != 0)
      continue;
    toi_pair_query(kind, &search->asked.mesh, block->pairs[i], queries + chunk.count * row);
    asked[chunk.count++] = i;
  }
  const toi_status status = chunk.count > 0 ? toi_method_find(NULL)->run(&chunk) : TOI_OK;
  for (size_t i = 0; i < chunk.count && status == TOI_OK; i++)
    // cppcheck-suppress uninitvar // the method filled them in
    block->meets[asked[i]] = hits[i].verdict != TOI_MISS;
  return status;
}

/* --- half-spaces --- */

static toi_status find_behind(const toi_crossing_search *search, toi_crossing_block *block) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < block->count && status == TOI_OK; i++) {
    const toi_half_space_query query =
        toi_half_space_query_of(search->context, block->thread, &search->asked.mesh, block->pairs[i]);
    int side = 0;
    status = toi_half_space_side(&query, &side);
    block->meets[i] = side <= 0;
    block->behind[i] = side < 0;
  }
  return status;
}

toi_status toi_crossing_decide(const toi_crossing_search *search, toi_crossing_block *block) {
  assert(block->count <= TOI_CROSSING_PAIRS);
  if (block->kind == TOI_JOIN_VERTEX_HALF_SPACE)
    return find_behind(search, block);
  if (block->kind != TOI_JOIN_EDGE_FACE)
    return find_contacts(search, block);
  find_crossings(search, block);
  return TOI_OK;
}

/* --- the question --- */

toi_status toi_crossing_begin(toi_crossing_search *search, toi_context *context, const toi_mesh_request *request) {
  *search = (toi_crossing_search){.context = context, .asked = *request};
  toi_mesh *own = &search->asked.mesh;
  const toi_status status = toi_mesh_request_valid(context, request, false);
  if (status != TOI_OK)
    return status;
  search->asked.options = toi_default_options();
  own->end = own->start;
  own->thickness = own->body_thickness = NULL;
  return toi_edges_find(context, own, &search->found);
}

void toi_crossing_end(toi_crossing_search *search) {
  toi_mesh_edges_free(search->context, search->found.pairs, search->found.count);
}

toi_status toi_crossing_run(const void *search, const toi_broad_question *question) {
  return toi_broad_run(((const toi_crossing_search *)search)->context, question);
}

toi_status toi_crossing_question(const toi_crossing_search *search, toi_broad_question *question) {
  const toi_status status = toi_broad_ask(search->context, &search->asked, 0, question);
  question->kinds = TOI_ALL_KINDS | TOI_HALF_SPACES | 1u << TOI_JOIN_EDGE_FACE;
  if (search->asked.mesh.half_space_count == 0)
    question->kinds &= ~TOI_HALF_SPACES;
  question->every = 0;
  question->crossings = true;
  return status;
}
