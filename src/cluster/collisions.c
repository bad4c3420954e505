/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every collision, on the rank that decides it and, where asked, with all owners of its vertices. What goes to other
 * ranks is held until all is known. */

#include "cluster/merge.h"

#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(toi_cluster_collision) % sizeof(uint64_t) == 0, "records are messages of words");

typedef struct collecting {
  toi_cluster_call *call;
  toi_merge merge;
  toi_cluster_collisions_visitor visit;
  void *user;
} collecting;

static toi_status hand_over(void *user, const void *records, size_t count) {
  const collecting *c = user;
  return c->visit(c->user, records, count);
}

static toi_cluster_collision record_of(const toi_collision *collision, toi_cluster_pair pair) {
  toi_cluster_collision record = {.hit = collision->hit, .kind = collision->kind, .decided = 1, .pair = pair};
  memcpy(record.first, collision->first, sizeof record.first);
  memcpy(record.second, collision->second, sizeof record.second);
  return record;
}

static toi_status take_seam(void *user, const toi_collision *collisions, size_t count) {
  collecting *c = user;
  const toi_seam *s = &c->call->seam;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const toi_kind kind = collisions[i].kind;
    toi_cluster_collision record = record_of(&collisions[i], toi_seam_pair(s, kind, collisions[i].pair));
    uint32_t vertices[4] = {0};
    int owners[4] = {0};
    toi_seam_vertices(s, kind, collisions[i].pair, vertices);
    for (size_t k = 0; k < toi_pair_vertex_count(kind); k++) {
      record.vertices[k] = s->vertices[vertices[k]];
      owners[k] = s->owners[vertices[k]];
    }
    const toi_merge_key key = toi_merge_key_of(kind, record.pair);
    status = toi_merge_take_seam(&c->merge, key, &record, owners, toi_pair_vertex_count(kind));
  }
  return status;
}

static toi_status take_inner(void *user, const toi_collision *collisions, size_t count) {
  collecting *c = user;
  const toi_cluster_topology *t = &c->call->cluster->topology;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const toi_kind kind = collisions[i].kind;
    toi_cluster_collision record =
        record_of(&collisions[i], toi_inner_pair(c->call->cluster, kind, collisions[i].pair));
    uint32_t vertices[4] = {0};
    toi_inner_vertices(t, kind, collisions[i].pair, vertices);
    for (size_t k = 0; k < toi_pair_vertex_count(kind); k++)
      record.vertices[k] = t->vertices[vertices[k]];
    status = toi_merge_take_inner(&c->merge, toi_merge_key_of(kind, record.pair), &record);
  }
  return status;
}

static toi_status ask_both(void *user) {
  collecting *c = user;
  toi_cluster_call *call = c->call;
  toi_context *context = call->cluster->context;
  toi_status status = TOI_OK;
  const toi_mesh mesh = toi_ask_seam(call, call->t_max, toi_seam_kinds(call));
  if (mesh.vertex_count > 0) {
    status = toi_collisions(context, &mesh, &call->options, take_seam, c);
    toi_add_work(call);
  }
  if (status == TOI_OK && call->cluster->topology.vertex_count > 0) {
    toi_ask_inner(call, call->t_max, TOI_INNER_KINDS);
    status =
        toi_scene_collisions(context, call->cluster->topology.scene, &call->positions, &call->options, take_inner, c);
    toi_add_work(call);
  }
  return call->cluster->sentence[0] == '\0' ? toi_cluster_fail_context(call->cluster, status) : status;
}

toi_status toi_cluster_collisions(toi_cluster *cluster, const toi_positions *positions, const toi_options *options,
                                  bool to_owners, toi_cluster_collisions_visitor visit, void *user) {
  const toi_cluster_question question = {.name = to_owners ? "collisions to owners" : "collisions",
                                         .positions = positions,
                                         .options = options,
                                         .need_end = true};
  toi_cluster_call call;
  toi_status status = toi_cluster_call_begin(&call, cluster, &question);
  if (status != TOI_OK)
    return status;
  collecting c = {.call = &call, .visit = visit, .user = user};
  c.merge = (toi_merge){.cluster = cluster,
                        .what = "collisions",
                        .size = sizeof(toi_cluster_collision),
                        .visit = hand_over,
                        .user = &c,
                        .decided_at = offsetof(toi_cluster_collision, decided),
                        .to_owners = to_owners};
  status = toi_seam_make(&call, call.t_max);
  if (status == TOI_OK)
    status = toi_merge_run(&c.merge, ask_both, &c);
  toi_cluster_call_end(&call);
  return status;
}
