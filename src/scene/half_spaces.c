/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/half_spaces.h"

#include <math.h>
#include <string.h>

#include "narrow/mesh.h"
#include "number/interval.h"
#include "number/vector.h"

toi_half_space_query toi_half_space_query_of(toi_context *context, uint32_t thread, const toi_mesh *mesh,
                                             toi_pair pair) {
  const toi_half_space *half_space = &mesh->half_spaces[pair.second];
  toi_half_space_query query = {.context = context, .thread = thread};
  toi_mesh_point(mesh, mesh->start, pair.first, query.at);
  toi_mesh_point(mesh, mesh->end ? mesh->end : mesh->start, pair.first, query.at + 3);
  memcpy(query.at + TOI_HALF_SPACE_NORMAL, half_space->normal, sizeof half_space->normal);
  query.at[TOI_HALF_SPACE_OFFSET] = half_space->offset;
  return query;
}

static toi_half_space_query query_of(const toi_mesh_call *call, uint32_t thread, toi_pair pair) {
  return toi_half_space_query_of(call->context, thread, &call->asked.mesh, pair);
}

toi_status toi_half_spaces_answer(const toi_mesh_call *call, double until, const toi_half_space_pairs *some,
                                  toi_hit *hits) {
  const toi_mesh *mesh = &call->asked.mesh;
  const toi_options *options = &call->asked.options;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < some->count && status == TOI_OK; i++) {
    const toi_half_space_query query = query_of(call, some->thread, some->pairs[i]);
    const double thickness = toi_mesh_is_thick(mesh) ? toi_mesh_thickness(mesh, some->pairs[i].first) : 0;
    const toi_half_space_question question = {
        .options = options, .least = toi_sum_down(options->min_separation, thickness), .until = until, .quiet = true};
    status = toi_half_space_answer(&query, &question, &hits[i]);
    if (status == TOI_OK)
      toi_count(&call->counters[some->thread], &hits[i]);
  }
  return status;
}

toi_status toi_half_space_close(const toi_mesh_call *call, uint32_t thread, toi_pair pair, double reach,
                                toi_distance *distance, bool *close) {
  const toi_mesh *mesh = &call->asked.mesh;
  const toi_norm norm = call->asked.options.norm;
  const double most = toi_mesh_is_thick(mesh) ? toi_sum_down(reach, toi_mesh_thickness(mesh, pair.first)) : reach;
  const toi_half_space_query query = query_of(call, thread, pair);
  toi_status status = toi_half_space_measure(&query, norm, distance);
  *close = distance->hi <= most;
  if (status != TOI_OK || *close || distance->lo > most)
    return status;
  int order = 1;
  status = toi_half_space_compare(&query, norm, most, &order);
  *close = order <= 0;
  return status;
}

/* Two unit vectors that are a right-handed basis with the normal: the first is at right angles to the axis on which the
 * normal is shortest, so that it has a length. */
static void make_tangents(const double normal[3], double tangents[2][3]) {
  double axis[3] = {0};
  int shortest = 0;
  for (int k = 1; k < 3; k++)
    shortest = fabs(normal[k]) < fabs(normal[shortest]) ? k : shortest;
  axis[shortest] = 1;
  toi_cross(normal, axis, tangents[0]);
  const double size = sqrt(toi_dot(tangents[0], tangents[0]));
  for (int k = 0; k < 3; k++)
    tangents[0][k] /= size;
  toi_cross(normal, tangents[0], tangents[1]);
}

toi_status toi_half_space_stencil(const toi_mesh_call *call, uint32_t thread, toi_pair pair, toi_stencil *stencil) {
  const toi_half_space_query query = query_of(call, thread, pair);
  toi_distance distance;
  const toi_status status = toi_half_space_measure(&query, TOI_NORM_L2, &distance);
  *stencil = (toi_stencil){.kind = TOI_VERTEX_HALF_SPACE,
                           .pair = pair,
                           .vertices = {pair.first},
                           .vertex_count = 1,
                           .multiplicity = 1,
                           .on_second = {2, 0},
                           .weights = {1}};
  if (status != TOI_OK)
    return status;
  stencil->distance_squared = distance.lo * distance.lo;
  memcpy(stencil->first, distance.first, sizeof stencil->first);
  memcpy(stencil->second, distance.second, sizeof stencil->second);
  toi_half_space_unit(query.at + TOI_HALF_SPACE_NORMAL, stencil->normal);
  make_tangents(stencil->normal, stencil->tangents);
  return TOI_OK;
}
