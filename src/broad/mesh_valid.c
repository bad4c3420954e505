/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What every call on a whole mesh checks before it looks at a coordinate. */

#include "broad/boxes.h"
#include "narrow/half_space.h"

#define INDEX_GRAIN 65536

/* Four of these, of two vertices and their bodies, and as large a separation have a finite sum. */
#define THICKEST 0x1p1020

typedef struct index_job {
  const uint32_t *indices;
  size_t vertex_count;
} index_job;

static toi_status index_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const index_job *job = user;
  uint32_t most = 0;
  for (size_t i = begin; i < end; i++)
    most = job->indices[i] > most ? job->indices[i] : most;
  return most < job->vertex_count ? TOI_OK : TOI_ERROR_INPUT;
}

/* Fails on the first index that names no vertex. */
static toi_status check_indices(toi_context *context, const toi_mesh *mesh, toi_primitive primitive) {
  size_t points = toi_primitive_points(primitive);
  size_t count = toi_primitive_count(mesh, primitive) * points;
  index_job job = {primitive == TOI_PRIMITIVE_EDGE ? (const uint32_t *)mesh->edges : (const uint32_t *)mesh->faces,
                   mesh->vertex_count};
  if (toi_parallel(context, count, INDEX_GRAIN, index_task, &job) == TOI_OK)
    return TOI_OK;
  for (size_t i = 0; i < count; i++)
    if (job.indices[i] >= mesh->vertex_count)
      return toi_fail(context, TOI_ERROR_INPUT,
                      "%s %zu names vertex %u, but the mesh has %zu vertices, numbered from 0",
                      toi_primitive_name(primitive), i / points, (unsigned)job.indices[i], mesh->vertex_count);
  return TOI_ERROR_INPUT;
}

/* Fails on the first invalid thickness. */
static toi_status check_thickness(toi_context *context, const double *thickness, size_t count, const char *whose) {
  for (size_t i = 0; thickness && i < count; i++)
    if (!(thickness[i] >= 0 && thickness[i] <= THICKEST))
      return toi_fail(context, TOI_ERROR_INPUT,
                      "the thickness of %s %zu is %g; it must not be negative, and at most 2^1020", whose, i,
                      thickness[i]);
  return TOI_OK;
}

static toi_status check_bodies(toi_context *context, const toi_mesh *mesh) {
  if (mesh->body_thickness && !mesh->bodies)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "body_thickness is given, but bodies is NULL; give the body of each vertex");
  if (mesh->body_pairs && !mesh->bodies)
    return toi_fail(context, TOI_ERROR_INPUT, "body_pairs is given, but bodies is NULL; give the body of each vertex");
  if (mesh->body_pairs && mesh->body_count > UINT32_MAX)
    return toi_fail(context, TOI_ERROR_INPUT, "body_count is %zu; bodies are numbered below 2^32", mesh->body_count);
  const char *counted = mesh->body_thickness ? "body_thickness" : mesh->body_pairs ? "body_pairs" : NULL;
  for (size_t i = 0; counted && i < mesh->vertex_count; i++)
    if (mesh->bodies[i] != TOI_NO_BODY && mesh->bodies[i] >= mesh->body_count)
      return toi_fail(context, TOI_ERROR_INPUT, "vertex %zu is of body %u, but %s is for %zu bodies", i,
                      (unsigned)mesh->bodies[i], counted, mesh->body_count);
  return TOI_OK;
}

static toi_status check_half_spaces(toi_context *context, const toi_mesh *mesh) {
  for (size_t i = 0; i < mesh->half_space_count; i++) {
    const char *fault = toi_half_space_fault(&mesh->half_spaces[i]);
    if (fault)
      return toi_fail(context, TOI_ERROR_INPUT, "half-space %zu %s; give a normal that is not 0, and finite numbers", i,
                      fault);
  }
  return TOI_OK;
}

/* Fails on sizes that numbers of 32 bits cannot reach, and on arrays that are not there. */
toi_status toi_mesh_states_valid(toi_context *context, const toi_mesh *mesh, bool need_end) {
  const struct {
    const void *array;
    const char *name;
    size_t count;
  } arrays[] = {{mesh->start, "start", mesh->vertex_count},
                {mesh->end, "end", need_end ? mesh->vertex_count : 0},
                {mesh->edges, "edges", mesh->edge_count},
                {mesh->faces, "faces", mesh->face_count},
                {mesh->half_spaces, "half_spaces", mesh->half_space_count}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    if (arrays[i].count > 0 && arrays[i].array == NULL)
      return toi_fail(context, TOI_ERROR_INPUT, "%s of the mesh is NULL, but its count is %zu; give the array",
                      arrays[i].name, arrays[i].count);
    if (arrays[i].count >= UINT32_MAX)
      return toi_fail(context, TOI_ERROR_INPUT, "%zu %s in the mesh; at most 2^32 - 2 are possible", arrays[i].count,
                      arrays[i].name);
  }
  return TOI_OK;
}

toi_status toi_mesh_valid(toi_context *context, const toi_mesh *mesh, bool need_end) {
  toi_status status = toi_mesh_states_valid(context, mesh, need_end);
  if (status == TOI_OK)
    status = check_indices(context, mesh, TOI_PRIMITIVE_EDGE);
  if (status == TOI_OK)
    status = check_indices(context, mesh, TOI_PRIMITIVE_FACE);
  if (status == TOI_OK)
    status = check_thickness(context, mesh->thickness, mesh->vertex_count, "vertex");
  if (status == TOI_OK)
    status = check_bodies(context, mesh);
  if (status == TOI_OK)
    status = check_thickness(context, mesh->body_thickness, mesh->body_count, "body");
  if (status == TOI_OK)
    status = check_half_spaces(context, mesh);
  return status;
}
