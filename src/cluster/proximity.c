/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs that are close at one instant, on the ranks that decide them. */

#include "cluster/merge.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(toi_cluster_proximal) % sizeof(uint64_t) == 0, "records are held as words");

typedef struct measuring {
  toi_cluster_call *call;
  toi_merge merge;
  double distance;
  toi_cluster_proximity_visitor visit;
  void *user;
} measuring;

static toi_status hand_over(void *user, const void *records, size_t count) {
  const measuring *m = user;
  return m->visit(m->user, records, count);
}

static toi_cluster_proximal record_of(const toi_proximal *close, toi_cluster_pair pair) {
  return (toi_cluster_proximal){.distance = close->distance, .kind = close->kind, .decided = 1, .pair = pair};
}

static toi_status take_seam(void *user, const toi_proximal *pairs, size_t count) {
  measuring *m = user;
  const toi_seam *s = &m->call->seam;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const toi_kind kind = pairs[i].kind;
    toi_cluster_proximal record = record_of(&pairs[i], toi_seam_pair(s, kind, pairs[i].pair));
    uint32_t vertices[4] = {0};
    toi_seam_vertices(s, kind, pairs[i].pair, vertices);
    int owners[4] = {0};
    for (size_t k = 0; k < toi_pair_vertex_count(kind); k++) {
      record.vertices[k] = s->vertices[vertices[k]];
      owners[k] = s->owners[vertices[k]];
    }
    const toi_merge_key key = toi_merge_key_of(kind, record.pair);
    status = toi_merge_take_seam(&m->merge, key, &record, owners, toi_pair_vertex_count(kind));
  }
  return status;
}

static toi_status take_inner(void *user, const toi_proximal *pairs, size_t count) {
  measuring *m = user;
  const toi_cluster_topology *t = &m->call->cluster->topology;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const toi_kind kind = pairs[i].kind;
    toi_cluster_proximal record = record_of(&pairs[i], toi_inner_pair(m->call->cluster, kind, pairs[i].pair));
    uint32_t vertices[4] = {0};
    toi_inner_vertices(t, kind, pairs[i].pair, vertices);
    for (size_t k = 0; k < toi_pair_vertex_count(kind); k++)
      record.vertices[k] = t->vertices[vertices[k]];
    status = toi_merge_take_inner(&m->merge, toi_merge_key_of(kind, record.pair), &record);
  }
  return status;
}

static toi_status measure_both(void *user) {
  measuring *m = user;
  toi_cluster_call *call = m->call;
  toi_context *context = call->cluster->context;
  toi_mesh mesh = toi_ask_seam(call, 0, toi_seam_kinds(call));
  toi_status status = TOI_OK;
  if (mesh.vertex_count > 0) {
    mesh.end = NULL;
    status = toi_proximity(context, &mesh, m->distance, &call->options, take_seam, m);
    toi_add_work(call);
  }
  if (status == TOI_OK && call->cluster->topology.vertex_count > 0) {
    toi_ask_inner(call, 0, TOI_INNER_KINDS);
    status = toi_scene_proximity(context, call->cluster->topology.scene, &call->positions, m->distance, &call->options,
                                 take_inner, m);
    toi_add_work(call);
  }
  return call->cluster->sentence[0] == '\0' ? toi_cluster_fail_context(call->cluster, status) : status;
}

toi_status toi_cluster_proximity(toi_cluster *cluster, const toi_positions *positions, double distance,
                                 const toi_options *options, bool to_owners, toi_cluster_proximity_visitor visit,
                                 void *user) {
  const toi_cluster_question question = {.name = to_owners ? "proximity to owners" : "proximity",
                                         .positions = positions,
                                         .options = options,
                                         .distance = distance};
  toi_cluster_call call;
  toi_status status = toi_cluster_call_begin(&call, cluster, &question);
  if (status != TOI_OK)
    return status;
  // Separation and times play no part: half the distance stands in call.radius.
  call.reach = 0;
  if (!(distance > 0))
    call.radius = 0;
  call.options.min_separation = call.options.separation_fraction = 0;
  measuring m = {.call = &call, .distance = distance, .visit = visit, .user = user};
  m.merge = (toi_merge){.cluster = cluster,
                        .what = "pairs that are close",
                        .size = sizeof(toi_cluster_proximal),
                        .visit = hand_over,
                        .user = &m,
                        .decided_at = offsetof(toi_cluster_proximal, decided),
                        .to_owners = to_owners};
  if (!(distance >= 0) || isinf(distance))
    status = toi_cluster_fail(cluster, TOI_ERROR_INPUT, "distance is %g; it must be finite and not negative", distance);
  status = toi_agree(cluster, status);
  if (status == TOI_OK)
    status = toi_seam_make(&call, 0);
  if (status == TOI_OK)
    status = toi_merge_run(&m.merge, measure_both, &m);
  toi_cluster_call_end(&call);
  return status;
}
