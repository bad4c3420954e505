/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/close.h"

#include "broad/boxes.h"
#include "narrow/mesh.h"
#include "number/interval.h"

double toi_close_reach(const toi_mesh *mesh, double distance, toi_kind kind, toi_pair pair) {
  if (!toi_mesh_is_thick(mesh))
    return distance;
  const toi_primitive first = kind == TOI_EDGE_EDGE ? TOI_PRIMITIVE_EDGE : TOI_PRIMITIVE_VERTEX;
  const toi_primitive second = kind == TOI_VERTEX_FACE     ? TOI_PRIMITIVE_FACE
                               : kind == TOI_VERTEX_VERTEX ? TOI_PRIMITIVE_VERTEX
                                                           : TOI_PRIMITIVE_EDGE;
  return toi_sum_down(toi_sum_down(distance, toi_thickness_of(mesh, first, pair.first)),
                      toi_thickness_of(mesh, second, pair.second));
}

double toi_close_radius(double distance) {
  // Only a subnormal number loses its last bit.
  const double half = distance / 2;
  return 2 * half < distance ? toi_next_up(half) : half;
}

toi_status toi_close_decide(const toi_pair_instants *at, toi_pair pair, double reach, const toi_distance *distance,
                            bool *close) {
  *close = distance->hi <= reach;
  if (*close || distance->lo > reach)
    return TOI_OK;
  double points[12];
  int order = 1;
  toi_pair_points(at, pair, points);
  const toi_instant instant = {at->kind, points, at->norm, at->context, at->thread};
  const toi_status status = toi_instant_compare(&instant, reach, &order);
  *close = order <= 0;
  return status;
}
