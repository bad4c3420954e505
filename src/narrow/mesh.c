/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh as the caller laid it out, taken into today's layout. */

#include "narrow/mesh.h"

#include "base/internal.h"

#define LAYOUT TOI_LAYOUT(toi_mesh, half_space_count)

static const toi_mesh defaults = {.size = sizeof(toi_mesh)};

void toi_mesh_init(toi_mesh *mesh, size_t size) {
  toi_init_struct(LAYOUT, &defaults, mesh, size);
}

toi_status toi_mesh_take(toi_context *context, const toi_mesh *given, toi_mesh *taken) {
  *taken = defaults;
  const toi_status status = toi_take_description(context, LAYOUT, given, taken);
  if (status != TOI_OK)
    return status;
  if (taken->scalar != TOI_FLOAT64 && taken->scalar != TOI_FLOAT32)
    return toi_fail(context, TOI_ERROR_INPUT, "mesh scalar is %d; it must be TOI_FLOAT64 or TOI_FLOAT32",
                    (int)taken->scalar);
  const size_t scalar = toi_mesh_scalar(taken), row = taken->component_stride ? scalar : toi_mesh_row(taken);
  if (taken->component_stride != 0 && taken->component_stride < scalar)
    return toi_fail(context, TOI_ERROR_INPUT, "the mesh's component_stride is %zu bytes; a coordinate has %zu",
                    taken->component_stride, scalar);
  if (taken->stride != 0 && taken->stride < row)
    return toi_fail(context, TOI_ERROR_INPUT, "the mesh's stride is %zu bytes; %s has %zu", taken->stride,
                    taken->component_stride ? "a coordinate" : "a vertex", row);
  return TOI_OK;
}

const char *toi_pair_fault(toi_kind kind, const toi_mesh *mesh, toi_pair pair) {
  size_t first_count = kind == TOI_EDGE_EDGE ? mesh->edge_count : mesh->vertex_count;
  size_t second_count = kind == TOI_VERTEX_FACE     ? mesh->face_count
                        : kind == TOI_VERTEX_VERTEX ? mesh->vertex_count
                                                    : mesh->edge_count;
  if (pair.first >= first_count)
    return "its first number is out of range";
  if (pair.second >= second_count)
    return "its second number is out of range";
  uint32_t vertices[4] = {0};
  toi_pair_vertices(kind, mesh, pair, vertices);
  for (size_t i = 0; i < toi_kind_points(kind); i++)
    if (vertices[i] >= mesh->vertex_count)
      return "an edge or face of it names a vertex that does not exist";
  return NULL;
}
