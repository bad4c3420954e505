/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Is there anything wrong with a mesh?
 *
 * Promise: a mesh that passes can be worked on without another look at its numbers. Everything is checked in one
 * order, and from the beginning; the sentence is about the first fault there, for any number of threads. */

#include <math.h>
#include <string.h>

#include "broad/boxes.h"
#include "broad/edges.h"
#include "narrow/mesh.h"

#define GRAIN 16384

/* --- coordinates --- */

/* One state of a mesh. */
typedef struct positions {
  const toi_mesh *mesh;
  const void *vertices;
} positions;

static toi_status look_finite(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const positions *p = user;
  for (size_t i = begin; i < end; i++) {
    double at[3];
    toi_mesh_point(p->mesh, p->vertices, i, at);
    if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]))
      return TOI_ERROR_INPUT;
  }
  return TOI_OK;
}

toi_status toi_mesh_finite(toi_context *context, const toi_mesh *mesh, const void *vertices, const char *when) {
  positions p = {mesh, vertices};
  const toi_status status = toi_parallel(context, mesh->vertex_count, GRAIN, look_finite, &p);
  for (size_t i = 0; status == TOI_ERROR_INPUT && i < mesh->vertex_count; i++) {
    double at[3];
    toi_mesh_point(mesh, vertices, i, at);
    for (int k = 0; k < 3; k++)
      if (!isfinite(at[k]))
        return toi_fail(context, status, "vertex %zu: %c at the %s is %s; coordinates must be finite", i, 'x' + k, when,
                        isnan(at[k]) ? "not a number" : "infinite");
  }
  return status;
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

toi_status toi_edges_check(toi_context *context, const toi_mesh *mesh) {
  const toi_edge_lists listed = {.loose = mesh->edges, .loose_count = mesh->edge_count};
  const toi_edge_lists of_faces = {.faces = mesh->faces, .face_count = mesh->face_count};
  toi_edge_list edges, sides = {0};
  toi_status status = toi_edges_make(context, &listed, &edges);
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

static TOI_APART toi_status check(toi_context *context, const toi_mesh *given) {
  if (context == NULL)
    return TOI_ERROR_INPUT;
  toi_mesh mesh;
  toi_status status = toi_mesh_take(context, given, &mesh);
  if (status == TOI_OK)
    status = toi_mesh_valid(context, &mesh, true);
  if (status == TOI_OK)
    status = toi_mesh_finite(context, &mesh, mesh.start, "start");
  if (status == TOI_OK)
    status = toi_mesh_finite(context, &mesh, mesh.end, "end");
  return status == TOI_OK && mesh.edges != NULL ? toi_edges_check(context, &mesh) : status;
}

toi_status toi_mesh_check(toi_context *context, const toi_mesh *mesh) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = check(context, mesh);
  toi_call_end(&call);
  return status;
}
