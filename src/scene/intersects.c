/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whether one state of a mesh intersects itself, decided exactly, with the first pair of those that do.
 *
 * An edge pq crosses a face abc if p and q are strictly on different sides of its plane and the line pq passes strictly
 * inside: orientation(p, a, b, c) and orientation(q, a, b, c) are strictly opposite, and orientation(p, q, a, b),
 * orientation(p, q, b, c), orientation(p, q, c, a) have one strict sign.
 *
 * Claim: an edge meets a face, both closed, exactly if it crosses it, or one of its ends lies in the face, or it meets
 * one of the face's sides. With no vertex shared between the two, the latter are contacts of the kinds vertex-face and
 * edge-edge, which the narrow phase decides for points at rest.
 * Why: strict signs imply a common point, and the other two are such. Conversely let x be a common point, no end of the
 * edge be in the face, and the edge meet no side. A face without area is the union of its sides, so the face has area,
 * and x is strictly inside it; x is no end of the edge, so it is strictly inside the edge, which is no point. If the
 * edge lay in the plane of the face, it would lead from x to its end, outside the face, through a side. So it meets the
 * plane in x only, and p and q are strictly on different sides. If p, q, a, b were in one plane, that plane would hold
 * x and the line ab, which x is not on: it would be the face's, which does not hold p. So none of the other three
 * orientations is 0, and as x sees a, b, c turn one way, they have one sign.
 *
 * Hence five strict signs decide all that the four kinds leave, and a zero among them needs no further look.
 *
 * The first pair: crossings before contacts, then by kind, first and second number. Of what is not before the first
 * pair found so far nothing is asked; the outcome is the smallest of all whichever thread sees it when. */

#include <pthread.h>
#include <string.h>

#include <toi/scene.h>

#include "base/internal.h"
#include "broad/broad.h"
#include "broad/edges.h"
#include "narrow/mesh.h"
#include "narrow/method.h"
#include "number/orientation.h"

/* Queries asked at a time. */
#define QUERIES 64

/* What is found, in the order of the header: rank 0 is a crossing, 1 + kind a contact. */
typedef struct finding {
  uint32_t rank, first, second;
} finding;

#define NOTHING ((finding){UINT32_MAX, UINT32_MAX, UINT32_MAX})

typedef struct search {
  toi_context *context;
  const toi_options *options; /* the caller's */
  toi_options own;            /* for queries at rest */
  toi_mesh mesh;              /* with edges, its end the start */
  pthread_mutex_t lock;
  finding best;
} search;

static bool is_before(const finding *a, const finding *b) {
  if (a->rank != b->rank)
    return a->rank < b->rank;
  return a->first != b->first ? a->first < b->first : a->second < b->second;
}

static finding read_best(search *s) {
  pthread_mutex_lock(&s->lock);
  finding best = s->best;
  pthread_mutex_unlock(&s->lock);
  return best;
}

static void offer(search *s, const finding *found) {
  pthread_mutex_lock(&s->lock);
  if (is_before(found, &s->best))
    s->best = *found;
  pthread_mutex_unlock(&s->lock);
}

/* --- crossings --- */

static bool crosses(const toi_mesh *mesh, toi_pair pair) {
  double edge[2][3], face[3][3];
  for (int i = 0; i < 2; i++)
    toi_mesh_point(mesh, mesh->start, mesh->edges[pair.first][i], edge[i]);
  for (int i = 0; i < 3; i++)
    toi_mesh_point(mesh, mesh->start, mesh->faces[pair.second][i], face[i]);
  return toi_edge_crosses(edge[0], edge[1], face[0], face[1], face[2]);
}

/* Callers are asked about kinds they know: an edge may collide with a face if one of its ends may. */
static bool may_cross(const search *s, toi_pair pair) {
  const toi_options *options = s->options;
  if (!options->may_collide)
    return true;
  for (int i = 0; i < 2; i++)
    if (options->may_collide(options->may_collide_user, TOI_VERTEX_FACE, s->mesh.edges[pair.first][i], pair.second))
      return true;
  return false;
}

static void find_crossings(search *s, const toi_pair *pairs, size_t count) {
  finding best = read_best(s);
  for (size_t i = 0; i < count; i++) {
    finding own = {0, pairs[i].first, pairs[i].second};
    if (is_before(&own, &best) && crosses(&s->mesh, pairs[i]) && may_cross(s, pairs[i]))
      best = own;
  }
  offer(s, &best);
}

/* --- contacts --- */

/* Asks the narrow phase about some pairs at rest; the first of those that touch into *best. */
static toi_status ask(const toi_chunk *chunk, const toi_pair *pairs, finding *best) {
  toi_status status = toi_method_find(NULL)->run(chunk);
  for (size_t i = 0; i < chunk->count && status == TOI_OK; i++) {
    finding own = {1 + (uint32_t)chunk->kind, pairs[i].first, pairs[i].second};
    if (chunk->hits[i].verdict != TOI_MISS && is_before(&own, best))
      *best = own;
  }
  return status;
}

static toi_status find_contacts(search *s, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count) {
  finding best = read_best(s);
  double queries[QUERIES * 24];
  toi_hit hits[QUERIES];
  toi_pair asked[QUERIES] = {{0}};
  toi_counters counters = {0};
  toi_chunk chunk = {.kind = kind, .queries = queries, .options = &s->own, .hits = hits, .counters = &counters};
  chunk.context = s->context;
  chunk.thread = thread;
  size_t row = 6 * toi_kind_points(kind);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    finding own = {1 + (uint32_t)kind, pairs[i].first, pairs[i].second};
    if (is_before(&own, &best)) {
      toi_pair_query(kind, &s->mesh, pairs[i], queries + chunk.count * row);
      asked[chunk.count++] = pairs[i];
    }
    if (chunk.count == QUERIES || (i + 1 == count && chunk.count > 0)) {
      status = ask(&chunk, asked, &best);
      chunk.count = 0;
    }
  }
  offer(s, &best);
  return status;
}

static toi_status consume(void *user, uint32_t thread, toi_join_kind kind, const toi_pair *pairs, size_t count) {
  search *s = user;
  if (kind != TOI_JOIN_EDGE_FACE)
    return find_contacts(s, thread, (toi_kind)kind, pairs, count);
  find_crossings(s, pairs, count);
  return TOI_OK;
}

/* --- the call --- */

static toi_status run(search *s) {
  toi_broad_question question;
  toi_status status = toi_broad_ask(s->context, &s->mesh, &s->own, 0, &question);
  if (status != TOI_OK)
    return status;
  question.options = s->options;
  question.kinds |= 1u << TOI_JOIN_EDGE_FACE;
  question.consume = consume;
  question.user = s;
  if (pthread_mutex_init(&s->lock, NULL) != 0)
    return toi_fail(s->context, TOI_ERROR_MEMORY, "the system refused a lock");
  // The last pairs of each thread come outside of its pool.
  toi_float_mode mode = toi_float_mode_enter();
  status = toi_broad_run(s->context, &question);
  toi_float_mode_leave(mode);
  pthread_mutex_destroy(&s->lock);
  return status;
}

toi_status toi_mesh_intersects(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                               toi_intersection *intersection) {
  if (!context || !intersection)
    return TOI_ERROR_INPUT;
  toi_clear_error(context);
  // On failure nothing is known to be apart.
  *intersection = (toi_intersection){.found = 1, .pair = {UINT32_MAX, UINT32_MAX}};
  toi_status status = toi_options_check(context, options);
  if (status == TOI_OK)
    status = toi_mesh_usable(context, mesh, false);
  if (status != TOI_OK)
    return status;
  if (options->work)
    memset(options->work, 0, sizeof(*options->work));
  search s = {.context = context, .options = options, .own = toi_default_options(), .mesh = *mesh, .best = NOTHING};
  s.mesh.end = mesh->start;
  s.mesh.thickness = s.mesh.body_thickness = NULL;
  toi_edge_list found;
  status = toi_edges_find(context, &s.mesh, &found);
  if (status == TOI_OK)
    status = run(&s);
  toi_mesh_edges_free(context, found.pairs, found.count);
  if (status != TOI_OK)
    return status;
  *intersection = (toi_intersection){0};
  if (s.best.rank == UINT32_MAX)
    return TOI_OK;
  intersection->found = 1;
  intersection->crossing = s.best.rank == 0;
  intersection->kind = s.best.rank == 0 ? TOI_VERTEX_FACE : (toi_kind)(s.best.rank - 1);
  intersection->pair = (toi_pair){s.best.first, s.best.second};
  return TOI_OK;
}
