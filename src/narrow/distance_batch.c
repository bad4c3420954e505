/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distances of many pairs: on threads, in SIMD, the same bits as one at a time.
 *
 * Points are copied to rows of a small mesh of their own, 64 pairs at a time: pair i has vertices 4 i to 4 i + 3, edges
 * 2 i and 2 i + 1, and face i. */

#include <math.h>

#include "base/internal.h"
#include "narrow/distance.h"
#include "narrow/distance_kernel.h"
#include "narrow/hull.h"
#include "narrow/mesh.h"
#include "narrow/method.h"

#define GRAIN 512

typedef struct distance_job {
  toi_context *context;
  toi_kind kind;
  toi_norm norm;
  const double *points; /* NULL: from the mesh */
  toi_mesh mesh;
  const toi_pair *pairs;
  size_t count;
  toi_distance *distances;
} distance_job;

/* The points of an item; false if it has none, or not all are finite. */
static bool load_points(const distance_job *job, size_t item, double points[4][3]) {
  const size_t count = toi_kind_points(job->kind);
  if (job->points) {
    memcpy(points, job->points + item * 3 * count, count * sizeof points[0]);
  } else {
    uint32_t vertices[4] = {0};
    if (toi_pair_fault(job->kind, &job->mesh, job->pairs[item]))
      return false;
    toi_pair_vertices(job->kind, &job->mesh, job->pairs[item], vertices);
    for (size_t i = 0; i < count; i++)
      toi_mesh_point(&job->mesh, job->mesh.start, vertices[i], points[i]);
  }
  return toi_all_finite(points[0], 3 * count);
}

/* Some pairs as a mesh. */
typedef struct small_mesh {
  double rows[4 * TOI_DISTANCE_PAIRS][TOI_STILL_ROW];
  uint32_t edges[2 * TOI_DISTANCE_PAIRS][2], faces[TOI_DISTANCE_PAIRS][3];
  toi_pair pairs[TOI_DISTANCE_PAIRS];
} small_mesh;

static void add_pair(small_mesh *mesh, toi_kind kind, uint32_t i, const double points[4][3]) {
  const uint32_t vertex = 4 * i, after = vertex + 1;
  const uint32_t edges[2][2] = {{vertex + (kind != TOI_EDGE_EDGE), after + (kind != TOI_EDGE_EDGE)},
                                {vertex + 2, vertex + 3}};
  const uint32_t face[3] = {after, vertex + 2, vertex + 3};
  const toi_pair pairs[TOI_KIND_COUNT] = {{vertex, i}, {2 * i, 2 * i + 1}, {vertex, 2 * i}, {vertex, after}};
  for (size_t k = 0; k < toi_kind_points(kind); k++)
    memcpy(mesh->rows[vertex + k], points[k], sizeof points[k]);
  memcpy(mesh->edges[2 * i], edges, sizeof edges);
  memcpy(mesh->faces[i], face, sizeof face);
  mesh->pairs[i] = pairs[kind];
}

static toi_status distance_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const distance_job *job = user;
  small_mesh mesh;
  memset(mesh.rows, 0, sizeof mesh.rows);
  const toi_pair_instants at = {
      .mesh = {mesh.rows[0], TOI_STILL_ROW, (const uint32_t(*)[2])mesh.edges, (const uint32_t(*)[3])mesh.faces},
      .kind = job->kind,
      .norm = job->norm,
      .context = job->context,
      .thread = thread};
  for (; begin < end; begin += TOI_DISTANCE_PAIRS) {
    const size_t count = end - begin < TOI_DISTANCE_PAIRS ? end - begin : TOI_DISTANCE_PAIRS;
    // cppcheck-suppress knownConditionTrueFalse // begin < end
    for (size_t i = 0; i < count; i++) {
      double points[4][3] = {{0}};
      if (!load_points(job, begin + i, points))
        return TOI_ERROR_INPUT;
      add_pair(&mesh, job->kind, (uint32_t)i, (const double(*)[3])points);
    }
    const toi_status status =
        toi_pair_distances(&at, mesh.pairs, count, job->distances + begin, sizeof *job->distances);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

/* The sentence for the first item at fault. */
static toi_status explain(const distance_job *job) {
  for (size_t item = 0; item < job->count; item++) {
    double points[4][3] = {{0}};
    if (load_points(job, item, points))
      continue;
    const char *fault = job->points ? NULL : toi_pair_fault(job->kind, &job->mesh, job->pairs[item]);
    if (fault)
      return toi_fail(job->context, TOI_ERROR_INPUT, "pair %zu (%u, %u): %s", item, (unsigned)job->pairs[item].first,
                      (unsigned)job->pairs[item].second, fault);
    for (size_t i = 0; i < 3 * toi_kind_points(job->kind); i++)
      if (!isfinite(points[i / 3][i % 3]))
        return toi_fail(job->context, TOI_ERROR_INPUT, "pair %zu: coordinate %c of %s is %g; it must be finite", item,
                        "xyz"[i % 3], toi_point_name(job->kind, i / 3), points[i / 3][i % 3]);
  }
  return TOI_ERROR_INPUT;
}

static toi_status check(const distance_job *job) {
  const toi_status status = toi_check_entered_once(job->context);
  if (status != TOI_OK)
    return status;
  if (toi_kind_points(job->kind) == 0)
    return toi_fail(job->context, TOI_ERROR_INPUT, "kind is %d; it must be one of the queries of toi_kind",
                    (int)job->kind);
  if (job->norm != TOI_NORM_L2 && job->norm != TOI_NORM_LINF)
    return toi_fail(job->context, TOI_ERROR_OPTION, "norm is %d; it must be TOI_NORM_L2 or TOI_NORM_LINF",
                    (int)job->norm);
  if (job->count > 0 && !job->distances)
    return toi_fail(job->context, TOI_ERROR_INPUT, "distances is NULL; give a place for the answers");
  return TOI_OK;
}

static toi_status run(distance_job *job) {
  const toi_status status = toi_parallel(job->context, job->count, GRAIN, distance_task, job);
  return status == TOI_ERROR_INPUT ? explain(job) : status;
}

static TOI_APART toi_status batch(distance_job *job) {
  const toi_status status = check(job);
  if (status == TOI_OK && job->count > 0 && !job->points)
    return toi_fail(job->context, TOI_ERROR_INPUT, "points is NULL; give the points of %zu pairs", job->count);
  return status == TOI_OK ? run(job) : status;
}

static TOI_APART toi_status batch_indexed(distance_job *job, const toi_mesh *mesh) {
  toi_status status = check(job);
  if (status == TOI_OK)
    status = toi_mesh_take(job->context, mesh, &job->mesh);
  if (status != TOI_OK)
    return status;
  if (job->count > 0 && !job->pairs)
    return toi_fail(job->context, TOI_ERROR_INPUT, "pairs is NULL; give %zu pairs", job->count);
  const toi_mesh *own = &job->mesh;
  if ((own->vertex_count && !own->start) || (own->edge_count && !own->edges) || (own->face_count && !own->faces))
    return toi_fail(job->context, TOI_ERROR_INPUT,
                    "an array of the mesh is NULL, but its count is not 0; give the array");
  return run(job);
}

/* Nothing is known of any pair. */
static toi_status finish(distance_job *job, toi_status status) {
  for (size_t i = 0; status != TOI_OK && job->distances && i < job->count; i++)
    job->distances[i] = (toi_distance){.lo = 0, .hi = INFINITY, .u = NAN, .v = NAN};
  return status;
}

toi_status toi_distance_batch(toi_context *context, toi_kind kind, const double *points, size_t count, toi_norm norm,
                              toi_distance *distances) {
  distance_job job = {
      .context = context, .kind = kind, .norm = norm, .points = points, .count = count, .distances = distances};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = finish(&job, context ? batch(&job) : TOI_ERROR_INPUT);
  toi_call_end(&call);
  return status;
}

toi_status toi_distance_batch_indexed(toi_context *context, toi_kind kind, const toi_mesh *mesh, const toi_pair *pairs,
                                      size_t count, toi_norm norm, toi_distance *distances) {
  distance_job job = {
      .context = context, .kind = kind, .norm = norm, .pairs = pairs, .count = count, .distances = distances};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = finish(&job, context ? batch_indexed(&job, mesh) : TOI_ERROR_INPUT);
  toi_call_end(&call);
  return status;
}
