/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The connectivity of a scene, of whatever numbers and layout, copied and checked. */

#include <inttypes.h>
#include <string.h>

#include "broad/boxes.h"
#include "scene/kept_scene.h"

#define LAYOUT TOI_LAYOUT(toi_topology, half_space_count)

static const toi_topology defaults = {.size = sizeof(toi_topology)};

void toi_topology_init(toi_topology *topology, size_t size) {
  toi_init_struct(LAYOUT, &defaults, topology, size);
}

/* Edges or faces as they were given. */
typedef struct index_array {
  const char *name;
  const unsigned char *numbers;
  size_t count, points; /* points: of one of them */
  size_t stride, step;
  toi_index index;
} index_array;

static size_t index_size(toi_index index) {
  return index == TOI_UINT32 || index == TOI_INT32 ? sizeof(uint32_t) : sizeof(uint64_t);
}

/* A number as it is read; negative ones become larger than any vertex. *negative says so. */
static uint64_t number_at(const index_array *array, size_t i, size_t j, bool *negative) {
  const unsigned char *at = array->numbers + i * array->stride + j * array->step;
  uint32_t narrow;
  uint64_t wide;
  *negative = false;
  if (index_size(array->index) == sizeof narrow) {
    memcpy(&narrow, at, sizeof narrow);
    *negative = array->index == TOI_INT32 && narrow > (uint32_t)INT32_MAX;
    return *negative ? (uint64_t)(int64_t)(int32_t)narrow : narrow;
  }
  memcpy(&wide, at, sizeof wide);
  *negative = array->index == TOI_INT64 && wide > (uint64_t)INT64_MAX;
  return wide;
}

static toi_status refuse_number(toi_context *context, const index_array *array, size_t i, size_t j,
                                size_t vertex_count) {
  bool negative;
  const uint64_t number = number_at(array, i, j, &negative);
  if (negative)
    return toi_fail(context, TOI_ERROR_INPUT, "%s %zu names vertex %" PRId64 "; vertices are numbered from 0",
                    array->name, i, (int64_t)number);
  return toi_fail(context, TOI_ERROR_INPUT,
                  "%s %zu names vertex %" PRIu64 ", but the scene has %zu vertices, numbered from 0", array->name, i,
                  number, vertex_count);
}

/* Copies an array; *copy stays NULL where it is empty. */
static toi_status copy_indices(toi_context *context, index_array array, size_t vertex_count, void **copy) {
  if (array.count == 0)
    return TOI_OK;
  if (!array.numbers)
    return toi_fail(context, TOI_ERROR_INPUT, "the topology's %ss are NULL, but there are %zu of them; give the array",
                    array.name, array.count);
  if (array.count >= UINT32_MAX)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu %ss in the topology; at most 2^32 - 2 are possible", array.count,
                    array.name);
  const size_t size = index_size(array.index);
  array.step = array.step ? array.step : size;
  array.stride = array.stride ? array.stride : array.points * size;
  if (array.step < size || array.stride < size)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "the strides of the topology's %ss are %zu and %zu bytes; a number has %zu", array.name,
                    array.stride, array.step, size);
  uint32_t *to = *copy = toi_allocate(context, array.count * array.points * sizeof(uint32_t));
  if (!to)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < array.count; i++)
    for (size_t j = 0; j < array.points; j++) {
      bool negative;
      const uint64_t number = number_at(&array, i, j, &negative);
      if (number >= vertex_count)
        return refuse_number(context, &array, i, j, vertex_count);
      to[array.points * i + j] = (uint32_t)number;
    }
  return TOI_OK;
}

/* Copies an array of the caller's, if there is one. */
static toi_status copy_array(toi_context *context, const void *given, size_t size, const void **copy) {
  *copy = NULL;
  if (!given || size == 0)
    return TOI_OK;
  void *to = toi_allocate(context, size);
  if (!to)
    return TOI_ERROR_MEMORY;
  memcpy(to, given, size);
  *copy = to;
  return TOI_OK;
}

/* Bytes of a set of so many bits. */
static size_t set_size(size_t bits) {
  return (bits + 63) / 64 * sizeof(uint64_t);
}

static toi_status copy_sets(toi_context *context, const toi_topology *given, toi_mesh *mesh) {
  const void *copy;
  toi_status status = copy_array(context, given->skipped, set_size(mesh->vertex_count), &copy);
  mesh->skipped = copy;
  if (status == TOI_OK && given->body_pairs && given->body_count > UINT32_MAX)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu bodies in the topology; at most 2^32 - 1 are possible",
                    given->body_count);
  if (status == TOI_OK)
    status = copy_array(context, given->body_pairs, set_size(given->body_count * given->body_count), &copy);
  mesh->body_pairs = status == TOI_OK ? copy : NULL;
  return status;
}

static toi_status copy_half_spaces(toi_context *context, const toi_topology *given, toi_mesh *mesh) {
  const void *copy;
  if (given->half_space_count > 0 && !given->half_spaces)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "half_spaces of the topology is NULL, but its count is %zu; give the array",
                    given->half_space_count);
  if (given->half_space_count >= UINT32_MAX)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu half_spaces in the topology; at most 2^32 - 2 are possible",
                    given->half_space_count);
  const toi_status status =
      copy_array(context, given->half_spaces, given->half_space_count * sizeof(toi_half_space), &copy);
  mesh->half_spaces = copy;
  mesh->half_space_count = status == TOI_OK ? given->half_space_count : 0;
  return status;
}

static toi_status copy_vertices(toi_context *context, const toi_topology *given, toi_mesh *mesh) {
  const void *copy;
  const size_t count = mesh->vertex_count;
  toi_status status = copy_array(context, given->bodies, count * sizeof(uint32_t), &copy);
  mesh->bodies = copy;
  if (status == TOI_OK)
    status = copy_array(context, given->fixed, count * sizeof(uint8_t), &copy);
  mesh->fixed = status == TOI_OK ? copy : NULL;
  if (status == TOI_OK)
    status = copy_array(context, given->thickness, count * sizeof(double), &copy);
  mesh->thickness = status == TOI_OK ? copy : NULL;
  if (status == TOI_OK)
    status = copy_array(context, given->body_thickness, given->body_count * sizeof(double), &copy);
  mesh->body_thickness = status == TOI_OK ? copy : NULL;
  return status == TOI_OK ? copy_sets(context, given, mesh) : status;
}

/* What toi_mesh_valid() looks at, but for the states: it needs a place to look at. */
static toi_status check_copies(toi_context *context, const toi_mesh *mesh) {
  toi_mesh whole = *mesh;
  whole.start = mesh;
  const toi_status status = toi_mesh_valid(context, &whole, false);
  return status == TOI_OK && mesh->edge_count > 0 ? toi_edges_check(context, mesh) : status;
}

toi_status toi_topology_copy(toi_context *context, const toi_topology *given, toi_mesh *mesh) {
  toi_topology taken = defaults;
  toi_mesh_init(mesh, sizeof *mesh);
  toi_status status = toi_take_description(context, LAYOUT, given, &taken);
  if (status != TOI_OK)
    return status;
  if ((unsigned)taken.index > TOI_INT64)
    return toi_fail(context, TOI_ERROR_INPUT, "the topology's index is %d; it must be one of toi_index",
                    (int)taken.index);
  mesh->vertex_count = taken.vertex_count;
  mesh->body_count = taken.body_count;
  const index_array edges = {
      "edge", taken.edges, taken.edge_count, 2, taken.edge_stride, taken.edge_component_stride, taken.index};
  const index_array faces = {
      "face", taken.faces, taken.face_count, 3, taken.face_stride, taken.face_component_stride, taken.index};
  void *copy = NULL;
  status = copy_indices(context, edges, taken.vertex_count, &copy);
  mesh->edges = copy;
  mesh->edge_count = copy ? taken.edge_count : 0;
  copy = NULL;
  if (status == TOI_OK)
    status = copy_indices(context, faces, taken.vertex_count, &copy);
  mesh->faces = copy;
  mesh->face_count = copy ? taken.face_count : 0;
  if (status == TOI_OK)
    status = copy_vertices(context, &taken, mesh);
  if (status == TOI_OK)
    status = copy_half_spaces(context, &taken, mesh);
  return status == TOI_OK ? check_copies(context, mesh) : status;
}

static void free_array(toi_context *context, const void *array, size_t size) {
  toi_free(context, (void *)(uintptr_t)array, size);
}

void toi_topology_free(toi_context *context, toi_mesh *mesh) {
  free_array(context, mesh->edges, mesh->edge_count * 2 * sizeof(uint32_t));
  free_array(context, mesh->faces, mesh->face_count * 3 * sizeof(uint32_t));
  free_array(context, mesh->bodies, mesh->vertex_count * sizeof(uint32_t));
  free_array(context, mesh->fixed, mesh->vertex_count * sizeof(uint8_t));
  free_array(context, mesh->thickness, mesh->vertex_count * sizeof(double));
  free_array(context, mesh->body_thickness, mesh->body_count * sizeof(double));
  free_array(context, mesh->skipped, set_size(mesh->vertex_count));
  free_array(context, mesh->half_spaces, mesh->half_space_count * sizeof(toi_half_space));
  free_array(context, mesh->body_pairs, set_size(mesh->body_count * mesh->body_count));
}
