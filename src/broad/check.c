/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Is there anything wrong with a mesh?
 *
 * Promise: a mesh that passes can be worked on without another look at its numbers. Arrays are looked at in the order
 * of toi_mesh, from their beginning, on all threads; the sentence is about the first fault there, for any number of
 * threads. */

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "broad/mesh.h"

/* Numbers of primitives are 32 bits wide, and the largest one stands for "none". */
#define MOST ((size_t)UINT32_MAX - 1)

#define GRAIN 16384

/* One array, looked at in chunks. */
typedef struct look {
  const toi_mesh *mesh;
  const char *values; /* rows of `width` scalars or numbers each */
  size_t stride;
  unsigned width;
  size_t limit; /* numbers lie below this */
} look;

/* --- the loops --- */

static double scalar_at(const look *l, size_t row, unsigned column) {
  const char *place = l->values + row * l->stride;
  if (l->mesh->scalar == TOI_FLOAT32) {
    float value;
    memcpy(&value, place + column * sizeof value, sizeof value);
    return (double)value;
  }
  double value;
  memcpy(&value, place + column * sizeof value, sizeof value);
  return value;
}

static toi_status look_finite(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const look *l = user;
  for (size_t i = begin; i < end; i++)
    for (unsigned k = 0; k < 3; k++)
      if (!isfinite(scalar_at(l, i, k)))
        return TOI_ERROR_INPUT;
  return TOI_OK;
}

static uint32_t number_at(const look *l, size_t row, unsigned column) {
  uint32_t number;
  memcpy(&number, l->values + row * l->stride + column * sizeof number, sizeof number);
  return number;
}

/* No branch in the loop, so that it vectorises. */
static toi_status look_numbers(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const look *l = user;
  uint32_t largest = 0;
  for (size_t i = begin * l->width; i < end * l->width; i++) {
    uint32_t number;
    memcpy(&number, l->values + i * sizeof number, sizeof number);
    largest = number > largest ? number : largest;
  }
  return begin < end && largest >= l->limit ? TOI_ERROR_INPUT : TOI_OK;
}

/* --- the arrays --- */

static toi_status check_vertices(toi_context *context, const toi_mesh *mesh, const void *vertices, const char *when) {
  const size_t scalar = mesh->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double);
  look l = {.mesh = mesh, .values = vertices, .stride = mesh->stride > 0 ? mesh->stride : 3 * scalar, .width = 3};
  toi_status status = toi_parallel(context, mesh->vertex_count, GRAIN, look_finite, &l);
  for (size_t i = 0; status == TOI_ERROR_INPUT && i < mesh->vertex_count; i++)
    for (unsigned k = 0; k < 3; k++) {
      const double value = scalar_at(&l, i, k);
      if (!isfinite(value))
        return toi_fail(context, status, "vertex %zu: %c at the %s is %s; coordinates must be finite", i,
                        (char)('x' + k), when, isnan(value) ? "not a number" : "infinite");
    }
  return status;
}

static toi_status check_numbers(toi_context *context, const toi_mesh *mesh, const void *rows, unsigned width) {
  const size_t count = width == 2 ? mesh->edge_count : mesh->face_count;
  look l = {mesh, rows, width * sizeof(uint32_t), width, mesh->vertex_count};
  toi_status status = toi_parallel(context, count, GRAIN, look_numbers, &l);
  for (size_t i = 0; status == TOI_ERROR_INPUT && i < count; i++)
    for (unsigned k = 0; k < width; k++)
      if (number_at(&l, i, k) >= l.limit)
        return toi_fail(context, status, "%s %zu names vertex %u, but the mesh has %zu vertices, numbered from 0",
                        width == 2 ? "edge" : "face", i, (unsigned)number_at(&l, i, k), mesh->vertex_count);
  return status;
}

static toi_status check_thickness(toi_context *context, const double *values, size_t count, const char *of) {
  for (size_t i = 0; values != NULL && i < count; i++)
    if (!(values[i] >= 0) || isinf(values[i]))
      return toi_fail(context, TOI_ERROR_INPUT, "the thickness of %s %zu is %g; it must be finite and not negative", of,
                      i, values[i]);
  return TOI_OK;
}

static toi_status check_bodies(toi_context *context, const toi_mesh *mesh) {
  if (mesh->body_thickness == NULL)
    return TOI_OK;
  if (mesh->bodies == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "body_thickness is given, but bodies is NULL; say whose it is");
  for (size_t i = 0; i < mesh->vertex_count; i++)
    if (mesh->bodies[i] != TOI_NO_BODY && mesh->bodies[i] >= mesh->body_count)
      return toi_fail(context, TOI_ERROR_INPUT, "vertex %zu is of body %u, but body_thickness has %zu values", i,
                      (unsigned)mesh->bodies[i], mesh->body_count);
  return check_thickness(context, mesh->body_thickness, mesh->body_count, "body");
}

/* --- the struct --- */

static toi_status check_arrays(toi_context *context, const toi_mesh *mesh) {
  const struct {
    const void *array;
    const char *name;
    size_t count;
  } arrays[] = {{mesh->start, "start", mesh->vertex_count},
                {mesh->end, "end", mesh->vertex_count},
                {mesh->edges, "edges", mesh->edge_count},
                {mesh->faces, "faces", mesh->face_count}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    if (arrays[i].count > 0 && arrays[i].array == NULL)
      return toi_fail(context, TOI_ERROR_INPUT, "%s of the mesh is NULL, but %zu are counted; give the array",
                      arrays[i].name, arrays[i].count);
    if (arrays[i].count > MOST)
      return toi_fail(context, TOI_ERROR_INPUT, "%s of the mesh: %zu are more than numbers of 32 bits can name",
                      arrays[i].name, arrays[i].count);
  }
  return TOI_OK;
}

static toi_status check_layout(toi_context *context, const toi_mesh *mesh) {
  if (mesh->scalar != TOI_FLOAT64 && mesh->scalar != TOI_FLOAT32)
    return toi_fail(context, TOI_ERROR_INPUT, "mesh scalar is %d; it must be TOI_FLOAT64 or TOI_FLOAT32",
                    (int)mesh->scalar);
  const size_t row = 3 * (mesh->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double));
  if (mesh->stride != 0 && mesh->stride < row)
    return toi_fail(context, TOI_ERROR_INPUT, "the mesh's stride is %zu bytes; a vertex has %zu", mesh->stride, row);
  return TOI_OK;
}

toi_status toi_mesh_check_values(toi_context *context, const toi_mesh *mesh) {
  if (mesh == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "the mesh is NULL; give one");
  toi_status status = check_layout(context, mesh);
  if (status == TOI_OK)
    status = check_arrays(context, mesh);
  if (status == TOI_OK)
    status = check_vertices(context, mesh, mesh->start, "start");
  if (status == TOI_OK)
    status = check_vertices(context, mesh, mesh->end, "end");
  if (status == TOI_OK)
    status = check_numbers(context, mesh, mesh->edges, 2);
  if (status == TOI_OK)
    status = check_numbers(context, mesh, mesh->faces, 3);
  if (status == TOI_OK)
    status = check_thickness(context, mesh->thickness, mesh->vertex_count, "vertex");
  return status == TOI_OK ? check_bodies(context, mesh) : status;
}

/* --- the edges as a list --- */

static uint64_t key_at(const toi_edge_list *edges, size_t place) {
  return toi_edge_key(edges->pairs[place][0], edges->pairs[place][1]);
}

/* The first place of an edge that is not smaller. */
static size_t find_edge(const toi_edge_list *edges, uint64_t key) {
  size_t low = 0, high = edges->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (key_at(edges, middle) < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The first edge that was there before, and where; `first` has room for one number an edge of the list. */
static toi_status explain_twice(toi_context *context, const toi_mesh *mesh, const toi_edge_list *edges,
                                uint32_t *first) {
  memset(first, 0xff, edges->count * sizeof *first);
  for (size_t i = 0; i < mesh->edge_count; i++) {
    const uint32_t *edge = mesh->edges[i];
    if (edge[0] == edge[1])
      continue;
    uint32_t *seen = first + find_edge(edges, toi_edge_key(edge[0], edge[1]));
    if (*seen != UINT32_MAX)
      return toi_fail(context, TOI_ERROR_INPUT,
                      "edge %zu joins vertices %u and %u, as edge %u does; list every edge once (toi_mesh_edges does)",
                      i, (unsigned)edge[0], (unsigned)edge[1], (unsigned)*seen);
    *seen = (uint32_t)i;
  }
  return TOI_OK;
}

/* The list has every edge once, so a mesh that has more has one twice. */
static toi_status check_unique(toi_context *context, const toi_mesh *mesh, const toi_edge_list *edges) {
  size_t real = 0;
  for (size_t i = 0; i < mesh->edge_count; i++)
    real += mesh->edges[i][0] != mesh->edges[i][1];
  if (real == edges->count)
    return TOI_OK;
  uint32_t *first = toi_allocate(context, edges->count * sizeof *first);
  if (first == NULL)
    return TOI_ERROR_MEMORY;
  const toi_status status = explain_twice(context, mesh, edges, first);
  toi_free(context, first, edges->count * sizeof *first);
  return status;
}

/* The first face with an edge that is not listed. */
static toi_status explain_missing(toi_context *context, const toi_mesh *mesh, const toi_edge_list *edges) {
  for (size_t i = 0; i < mesh->face_count; i++)
    for (unsigned k = 0; k < 3; k++) {
      const uint32_t a = mesh->faces[i][k], b = mesh->faces[i][(k + 1) % 3];
      if (a == b)
        continue;
      const size_t at = find_edge(edges, toi_edge_key(a, b));
      if (at == edges->count || key_at(edges, at) != toi_edge_key(a, b))
        return toi_fail(context, TOI_ERROR_INPUT,
                        "face %zu has an edge of vertices %u and %u that is not among the mesh's edges; list them all "
                        "(toi_mesh_edges does)",
                        i, (unsigned)a, (unsigned)b);
    }
  return TOI_OK;
}

/* Both lists are in order: one walk finds what is missing. */
static toi_status check_whole(toi_context *context, const toi_mesh *mesh, const toi_edge_list *edges,
                              const toi_edge_list *sides) {
  size_t at = 0;
  for (size_t i = 0; i < sides->count; i++) {
    const uint64_t side = key_at(sides, i);
    while (at < edges->count && key_at(edges, at) < side)
      at++;
    if (at == edges->count || key_at(edges, at) != side)
      return explain_missing(context, mesh, edges);
  }
  return TOI_OK;
}

toi_status toi_mesh_check(toi_context *context, const toi_mesh *mesh) {
  if (context == NULL)
    return TOI_ERROR_INPUT;
  toi_clear_error(context);
  toi_status status = toi_mesh_check_values(context, mesh);
  if (status != TOI_OK || mesh->edges == NULL)
    return status;

  const toi_edge_lists listed = {.loose = mesh->edges, .loose_count = mesh->edge_count};
  const toi_edge_lists of_faces = {.faces = mesh->faces, .face_count = mesh->face_count};
  toi_edge_list edges, sides = {0};
  status = toi_edges_make(context, &listed, &edges);
  if (status == TOI_OK)
    status = check_unique(context, mesh, &edges);
  if (status == TOI_OK)
    status = toi_edges_make(context, &of_faces, &sides);
  if (status == TOI_OK)
    status = check_whole(context, mesh, &edges, &sides);
  toi_mesh_edges_free(context, edges.pairs, edges.count);
  toi_mesh_edges_free(context, sides.pairs, sides.count);
  return status;
}
