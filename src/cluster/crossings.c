/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where one state intersects itself: as candidates.c, with the crossings of edges and faces too. */

#include "cluster/call.h"

#define HANDFUL 256

typedef struct examining {
  toi_cluster_call *call;
  bool seam; /* which of the two meshes is asked */
  toi_cluster_crossings_visitor visit;
  void *user;
} examining;

static toi_status take(void *user, const toi_crossing *crossings, size_t count) {
  const examining *e = user;
  toi_cluster_crossing handful[HANDFUL];
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK;) {
    size_t held = 0;
    for (; i < count && held < HANDFUL; i++) {
      const toi_crossing *c = &crossings[i];
      const toi_kind kind = c->crossing ? TOI_EDGE_FACE : c->kind;
      // The seam has pairs of other ranks here, and those of the inner mesh; what is loose is asked about in the seam.
      const bool loose = kind == TOI_VERTEX_EDGE || kind == TOI_VERTEX_VERTEX;
      if (e->seam ? !toi_seam_decides(e->call, kind, c->pair.first, c->pair.second) : loose)
        continue;
      handful[held++] = (toi_cluster_crossing){.crossing = c->crossing,
                                               .behind = c->behind,
                                               .kind = c->kind,
                                               .pair = e->seam ? toi_seam_pair(&e->call->seam, kind, c->pair)
                                                               : toi_inner_pair(e->call->cluster, kind, c->pair)};
    }
    status = held > 0 ? e->visit(e->user, handful, held) : TOI_OK;
  }
  return status;
}

static toi_status examine_both(examining *e) {
  toi_cluster_call *call = e->call;
  toi_context *context = call->cluster->context;
  toi_mesh mesh = toi_ask_seam(call, 0, 0);
  toi_status status = TOI_OK;
  e->seam = true;
  if (mesh.vertex_count > 0) {
    mesh.end = NULL;
    status = toi_mesh_crossings(context, &mesh, &call->options, take, e);
    toi_add_work(call);
  }
  e->seam = false;
  if (status == TOI_OK && call->cluster->topology.vertex_count > 0) {
    toi_ask_inner(call, 0, 0);
    status = toi_scene_crossings(context, call->cluster->topology.scene, &call->positions, &call->options, take, e);
    toi_add_work(call);
  }
  return toi_cluster_fail_context(call->cluster, status);
}

toi_status toi_cluster_crossings(toi_cluster *cluster, const toi_positions *positions, const toi_options *options,
                                 toi_cluster_crossings_visitor visit, void *user) {
  const toi_cluster_question question = {.name = "crossings", .positions = positions, .options = options};
  toi_cluster_call call;
  toi_status status = toi_cluster_call_begin(&call, cluster, &question);
  if (status != TOI_OK)
    return status;
  // Separation, thickness and times play no part.
  call.radius = call.reach = 0;
  call.crossings = true;
  call.options.min_separation = call.options.separation_fraction = 0;
  examining e = {.call = &call, .visit = visit, .user = user};
  status = toi_seam_make(&call, 0);
  if (status == TOI_OK)
    status = toi_agree(cluster, examine_both(&e));
  toi_cluster_call_end(&call);
  return status;
}
