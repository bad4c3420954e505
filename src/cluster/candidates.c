/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every candidate, on the rank that would decide it: listed, or counted. */

#include "cluster/call.h"

#define HANDFUL 256

typedef struct listing {
  toi_cluster_call *call;
  bool seam; /* which of the two meshes is asked */
  toi_cluster_pairs_visitor visit;
  void *user;
  double *weights; /* instead of a visitor: counts by own vertex, in the order in which they were given */
} listing;

static toi_status take(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  const listing *l = user;
  toi_cluster_pair handful[HANDFUL];
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK;) {
    size_t held = 0;
    for (; i < count && held < HANDFUL; i++)
      handful[held++] =
          l->seam ? toi_seam_pair(&l->call->seam, kind, pairs[i]) : toi_inner_pair(l->call->cluster, kind, pairs[i]);
    status = l->visit(l->user, kind, handful, held);
  }
  return status;
}

/* --- counting --- */

/* A pair weighs on its first primitive: an edge on its larger vertex, wherever it is dealt to. */
static toi_status weigh(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  const listing *l = user;
  const toi_cluster_topology *t = &l->call->cluster->topology;
  const toi_seam *s = &l->call->seam;
  const uint32_t(*edges)[2] = (const uint32_t(*)[2])(l->seam ? s->edges : t->edges);
  for (size_t i = 0; i < count; i++) {
    uint32_t vertex = pairs[i].first;
    if (kind == TOI_EDGE_EDGE)
      vertex = edges[l->seam ? vertex : t->inner_edges[vertex]][1];
    if (l->seam)
      vertex = (uint32_t)toi_number_map_find(&t->own_map, s->vertices[vertex]);
    l->weights[t->given[vertex]] += 1;
  }
  return TOI_OK;
}

/* --- both meshes --- */

static toi_status list_both(listing *l) {
  toi_cluster_call *call = l->call;
  const toi_pairs_visitor each = l->weights != NULL ? weigh : take;
  toi_context *context = call->cluster->context;
  const toi_mesh mesh = toi_ask_seam(call, call->t_max, toi_seam_kinds(call));
  toi_status status = TOI_OK;
  l->seam = true;
  if (mesh.vertex_count > 0) {
    status = toi_candidates(context, &mesh, &call->options, each, l);
    toi_add_work(call);
  }
  l->seam = false;
  if (status == TOI_OK && call->cluster->topology.vertex_count > 0) {
    toi_ask_inner(call, call->t_max, TOI_INNER_KINDS);
    status = toi_scene_candidates(context, call->cluster->topology.scene, &call->positions, &call->options, each, l);
    toi_add_work(call);
  }
  return toi_cluster_fail_context(call->cluster, status);
}

static toi_status list(toi_cluster *cluster, const toi_cluster_question *question, const listing *asked) {
  toi_cluster_call call;
  listing l = *asked;
  toi_status status = toi_cluster_call_begin(&call, cluster, question);
  if (status != TOI_OK)
    return status;
  l.call = &call;
  status = toi_seam_make(&call, call.t_max);
  if (status == TOI_OK)
    status = toi_agree(cluster, list_both(&l));
  toi_cluster_call_end(&call);
  return status;
}

toi_status toi_cluster_weigh(toi_cluster *cluster, const toi_positions *positions, const toi_options *options,
                             double *weights) {
  const toi_cluster_question question = {
      .name = "weights", .positions = positions, .options = options, .need_end = true};
  const listing l = {.weights = weights};
  return list(cluster, &question, &l);
}

toi_status toi_cluster_candidates(toi_cluster *cluster, const toi_positions *positions, const toi_options *options,
                                  toi_cluster_pairs_visitor visit, void *user) {
  const toi_cluster_question question = {
      .name = "candidates", .positions = positions, .options = options, .need_end = true};
  const listing l = {.visit = visit, .user = user};
  return list(cluster, &question, &l);
}
