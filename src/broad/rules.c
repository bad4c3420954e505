/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "broad/rules.h"

#include <stdatomic.h>
#include <string.h>

#define MARK_GRAIN 65536

bool toi_has_rules(const toi_broad_question *question) {
  const toi_mesh *mesh = question->mesh;
  return mesh->bodies || mesh->fixed || mesh->skipped || question->options->may_collide || question->first_begin > 0 ||
         question->first_end < UINT32_MAX;
}

/* The vertices of a primitive. */
typedef struct side {
  const uint32_t *vertices;
  size_t count;
} side;

static bool all_fixed(const uint8_t *fixed, const side *of) {
  for (size_t i = 0; i < of->count; i++)
    if (!fixed[of->vertices[i]])
      return false;
  return true;
}

static bool has_bit(const uint64_t *set, size_t number) {
  return set[number / 64] >> number % 64 & 1;
}

static bool has_skipped(const uint64_t *skipped, const side *of) {
  for (size_t i = 0; i < of->count; i++)
    if (has_bit(skipped, of->vertices[i]))
      return true;
  return false;
}

/* Whether vertices of two bodies may collide. */
static bool bodies_collide(const toi_mesh *mesh, uint32_t a, uint32_t b) {
  if (a == TOI_NO_BODY || b == TOI_NO_BODY)
    return true;
  if (!mesh->body_pairs)
    return a != b;
  return has_bit(mesh->body_pairs, (size_t)(a < b ? a : b) * mesh->body_count + (a < b ? b : a));
}

/* Whether the bodies of some vertex on each side may collide. */
static bool some_bodies_collide(const toi_mesh *mesh, const side *a, const side *b) {
  for (size_t i = 0; i < a->count; i++)
    for (size_t j = 0; j < b->count; j++)
      if (bodies_collide(mesh, mesh->bodies[a->vertices[i]], mesh->bodies[b->vertices[j]]))
        return true;
  return false;
}

bool toi_may_collide(const toi_mesh_options *options, toi_kind kind, uint32_t first, uint32_t second) {
  if (!options->may_collide)
    return true;
  const bool may = options->may_collide(options->may_collide_user, kind, first, second);
  toi_float_mode_establish();
  return may;
}

static bool allowed(const toi_join *join, const toi_broad_question *question, toi_pair pair) {
  if (pair.first < question->first_begin || pair.first >= question->first_end)
    return false;
  const toi_mesh *mesh = join->boxer->mesh;
  const toi_mesh_options *options = question->options;
  const side a = {toi_primitive_vertices(mesh, join->a.primitive, &pair.first),
                  toi_primitive_points(join->a.primitive)};
  const side b = {toi_primitive_vertices(mesh, join->b.primitive, &pair.second),
                  toi_primitive_points(join->b.primitive)};
  if (mesh->skipped && (has_skipped(mesh->skipped, &a) || has_skipped(mesh->skipped, &b)))
    return false;
  if (mesh->fixed && all_fixed(mesh->fixed, &a) && all_fixed(mesh->fixed, &b))
    return false;
  if (mesh->bodies && !some_bodies_collide(mesh, &a, &b))
    return false;
  if (join->kind == TOI_JOIN_EDGE_FACE && question->crossings)
    return true;
  return toi_may_collide(options, toi_join_public(join->kind), pair.first, pair.second);
}

size_t toi_keep_allowed(const toi_join *join, const toi_broad_question *question, toi_pair *pairs, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    pairs[kept] = pairs[i];
    kept += allowed(join, question, pairs[i]);
  }
  return kept;
}

/* --- loose points and edges --- */

/* The numbers i for which marks[i] is 0. */
static toi_status list_unmarked(toi_context *context, const uint8_t *marks, size_t size, uint32_t **numbers,
                                size_t *count) {
  *numbers = NULL;
  *count = 0;
  for (size_t i = 0; i < size; i++)
    *count += !marks[i];
  if (*count == 0)
    return TOI_OK;
  *numbers = toi_allocate(context, *count * sizeof(uint32_t));
  if (!*numbers)
    return TOI_ERROR_MEMORY;
  size_t found = 0;
  for (size_t i = 0; i < size; i++)
    if (!marks[i])
      (*numbers)[found++] = (uint32_t)i;
  return TOI_OK;
}

/* Marks the vertices of edges and faces, from all threads at once: they all write the same. */
typedef struct marking {
  const uint32_t *indices;
  _Atomic uint8_t *marks;
} marking;

static toi_status mark_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  marking *job = user;
  for (size_t i = begin; i < end; i++)
    atomic_store_explicit(&job->marks[job->indices[i]], 1, memory_order_relaxed);
  return TOI_OK;
}

/* A face of one vertex has no edge, which others could meet: it stays a point. */
static toi_status mark_faces_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  marking *job = user;
  for (size_t i = begin; i < end; i++) {
    const uint32_t *face = job->indices + 3 * i;
    for (int k = 0; k < 3 && (face[0] != face[1] || face[0] != face[2]); k++)
      atomic_store_explicit(&job->marks[face[k]], 1, memory_order_relaxed);
  }
  return TOI_OK;
}

toi_status toi_loose_points(toi_context *context, const toi_mesh *mesh, uint32_t **numbers, size_t *count) {
  uint8_t *marks = toi_allocate(context, mesh->vertex_count + 1);
  if (!marks)
    return TOI_ERROR_MEMORY;
  memset(marks, 0, mesh->vertex_count + 1);
  marking edges = {(const uint32_t *)mesh->edges, (_Atomic uint8_t *)marks};
  marking faces = {(const uint32_t *)mesh->faces, (_Atomic uint8_t *)marks};
  toi_status status = toi_parallel(context, 2 * mesh->edge_count, MARK_GRAIN, mark_task, &edges);
  if (status == TOI_OK)
    status = toi_parallel(context, mesh->face_count, MARK_GRAIN, mark_faces_task, &faces);
  if (status == TOI_OK)
    status = list_unmarked(context, marks, mesh->vertex_count, numbers, count);
  toi_free(context, marks, mesh->vertex_count + 1);
  return status;
}

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b) {
  return a < b ? b : a;
}

/* The smaller ends of the faces' edges, listed by the larger end: those of vertex v in ends[begins[v] .. begins[v +
 * 1]). begins has vertex_count + 2 places. */
static void list_ends(const toi_mesh *mesh, uint64_t *begins, uint32_t *ends) {
  memset(begins, 0, (mesh->vertex_count + 2) * sizeof(begins[0]));
  for (size_t i = 0; i < mesh->face_count; i++)
    for (size_t j = 0; j < 3; j++)
      begins[larger(mesh->faces[i][j], mesh->faces[i][(j + 1) % 3]) + 2]++;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    begins[v + 2] += begins[v + 1];
  for (size_t i = 0; i < mesh->face_count; i++)
    for (size_t j = 0; j < 3; j++) {
      uint32_t a = mesh->faces[i][j], b = mesh->faces[i][(j + 1) % 3];
      ends[begins[larger(a, b) + 1]++] = smaller(a, b);
    }
}

toi_status toi_loose_edges(toi_context *context, const toi_mesh *mesh, uint32_t **numbers, size_t *count) {
  size_t begins_size = (mesh->vertex_count + 2) * sizeof(uint64_t);
  size_t ends_size = (3 * mesh->face_count + 1) * sizeof(uint32_t);
  *numbers = NULL;
  *count = 0;
  uint64_t *begins = toi_allocate(context, begins_size);
  uint32_t *ends = toi_allocate(context, ends_size);
  uint8_t *marks = toi_allocate(context, mesh->edge_count + 1);
  toi_status status = begins && ends && marks ? TOI_OK : TOI_ERROR_MEMORY;
  if (status == TOI_OK) {
    list_ends(mesh, begins, ends);
    for (size_t i = 0; i < mesh->edge_count; i++) {
      uint32_t low = smaller(mesh->edges[i][0], mesh->edges[i][1]), high = larger(mesh->edges[i][0], mesh->edges[i][1]);
      marks[i] = 0;
      for (uint64_t at = begins[high]; at < begins[high + 1] && !marks[i]; at++)
        marks[i] = ends[at] == low;
    }
    status = list_unmarked(context, marks, mesh->edge_count, numbers, count);
  }
  toi_free(context, begins, begins_size);
  toi_free(context, ends, ends_size);
  toi_free(context, marks, mesh->edge_count + 1);
  return status;
}
