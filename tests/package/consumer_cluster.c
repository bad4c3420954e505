/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A program of somebody else's on libtoi-cluster, for any number of ranks: a triangle falls through another one, which
 * rests. The first rank has the one at rest, the last rank the other. */

#include <toi/cluster.h>

#include <stdio.h>

static toi_status fall(toi_cluster *cluster, toi_cluster_impact *impact) {
  static const uint64_t vertices[6] = {0, 1, 2, 3, 4, 5}, faces[2][3] = {{0, 1, 2}, {3, 4, 5}};
  static const double start[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 1}, {0.5, 0.25, 3}, {0.25, 0.5, 3}};
  static const double end[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, -1}, {0.5, 0.25, 1}, {0.25, 0.5, 1}};
  const size_t from = toi_cluster_rank(cluster) == 0 ? 0 : 1;
  const size_t to = toi_cluster_rank(cluster) == toi_cluster_ranks(cluster) - 1 ? 2 : 1;
  toi_cluster_part part;
  toi_cluster_part_init(&part, sizeof part);
  part.vertices = vertices + 3 * from;
  part.vertex_count = 3 * (to - from);
  part.faces = faces + from;
  part.face_count = to - from;
  toi_positions positions;
  toi_positions_init(&positions, sizeof positions);
  positions.start = start + 3 * from;
  positions.end = end + 3 * from;
  positions.vertex_count = part.vertex_count;
  const toi_status status = toi_cluster_mesh(cluster, &part);
  return status == TOI_OK ? toi_cluster_step(cluster, &positions, NULL, impact) : status;
}

int main(void) {
  toi_context *context = NULL;
  toi_cluster *cluster = NULL;
  toi_cluster_impact impact;
  toi_status status = toi_cluster_begin();
  if (status == TOI_OK)
    status = toi_context_create(NULL, &context);
  if (status == TOI_OK)
    status = toi_cluster_create(context, NULL, &cluster);
  if (status == TOI_OK)
    status = fall(cluster, &impact);
  const int good = status == TOI_OK && impact.hit.verdict == TOI_HIT && impact.kind == TOI_VERTEX_FACE &&
                   impact.pair.first == 3 && impact.pair.second == 0 && impact.hit.t_lo <= 0.5 &&
                   0.5 <= impact.hit.t_hi;
  if (good && toi_cluster_rank(cluster) == 0)
    printf("libtoi-cluster answers on %d ranks\n", toi_cluster_ranks(cluster));
  toi_cluster_destroy(cluster);
  toi_context_destroy(context);
  toi_cluster_end();
  return good ? 0 : 1;
}
