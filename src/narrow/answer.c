/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "narrow/answer.h"

#include "narrow/mesh.h"
#include "number/interval.h"

/* Not every method answers with a separation; whether a plug-in does is its own affair. */
static toi_status check_supported(toi_context *context, const toi_method *method, const toi_options *options) {
  if (!method || method->separates)
    return TOI_OK;
  if (options->min_separation > 0 || options->separation_fraction > 0)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED,
                    "method '%s' supports zero separation only; set the separation to 0", method->name);
  return TOI_OK;
}

toi_status toi_answerer_find(toi_context *context, const toi_options *options, toi_answerer *answerer) {
  answerer->method = toi_method_find(options->method);
  answerer->plugin = answerer->method || !context ? NULL : toi_plugin_find(context, options->method);
  if (!answerer->method && !answerer->plugin)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED, "unknown method '%s'; toi_method_name() lists them",
                    options->method);
  return check_supported(context, answerer->method, options);
}

static toi_status run_plugin(toi_plugin *plugin, const toi_chunk *chunk, size_t *unanswered) {
  const toi_options *options = chunk->options;
  size_t half = 3 * toi_kind_points(chunk->kind);
  for (size_t i = 0; i < chunk->count; i++) {
    const double *start = chunk->queries + 2 * half * i;
    double separation = options->min_separation;
    if (toi_chunk_separates(chunk)) {
      // It is asked about a distance, not about a fraction of one.
      toi_status found = toi_all_finite(start, 2 * half) ? toi_separation_of(chunk, i, &separation) : TOI_ERROR_INPUT;
      if (found != TOI_OK)
        return found;
    }
    toi_plugin_question question = {.kind = chunk->kind,
                                    .start = (const double(*)[3])start,
                                    .end = (const double(*)[3])(start + half),
                                    .tolerance = options->tolerance,
                                    .t_max = options->t_max,
                                    .min_separation = separation,
                                    .norm = options->norm,
                                    .max_checks = options->max_checks};
    toi_status status = toi_plugin_answer_one(plugin, chunk->thread, &question, &chunk->hits[i]);
    if (status != TOI_OK) {
      *unanswered = i;
      return status;
    }
    chunk->hits[i].separation = separation;
    toi_count(chunk->counters, &chunk->hits[i]);
  }
  return TOI_OK;
}

toi_status toi_answer(const toi_answerer *answerer, const toi_chunk *chunk, size_t *unanswered) {
  return answerer->plugin ? run_plugin(answerer->plugin, chunk, unanswered) : answerer->method->run(chunk);
}

/* --- pairs of a mesh --- */

double toi_pair_thickness(toi_kind kind, const toi_mesh *mesh, toi_pair pair) {
  uint32_t vertices[4] = {0};
  size_t first = kind == TOI_EDGE_EDGE ? 2 : 1;
  toi_pair_vertices(kind, mesh, pair, vertices);
  return toi_sum_down(toi_mesh_thickest(mesh, vertices, first),
                      toi_mesh_thickest(mesh, vertices + first, toi_kind_points(kind) - first));
}

/* Pairs ahead of the one being gathered whose vertices are called for: about the time that memory takes. */
#define AHEAD 8

/* Both states of the vertices of pairs, for meshes of doubles and kinds of four points, which the compiler knows: with
 * nothing to decide on the way. */
static inline void gather_four(toi_kind kind, const toi_mesh *mesh, const toi_pair *pairs, size_t count,
                               double *queries) {
  const char *start = mesh->start, *end = mesh->end;
  size_t stride = toi_mesh_stride(mesh);
  for (size_t i = 0; i < count; i++) {
    uint32_t own[4], later[4];
    toi_pair_vertices(kind, mesh, pairs[i], own);
    toi_pair_vertices(kind, mesh, pairs[i + AHEAD < count ? i + AHEAD : i], later);
    double *query = queries + 24 * i;
    for (size_t k = 0; k < 4; k++) {
      __builtin_prefetch(start + later[k] * stride);
      memcpy(query + 3 * k, start + own[k] * stride, 3 * sizeof(double));
      memcpy(query + 3 * k + 12, end + own[k] * stride, 3 * sizeof(double));
    }
  }
}

static void gather(toi_kind kind, const toi_mesh *mesh, const toi_pair *pairs, size_t count, double *queries) {
  size_t points = toi_kind_points(kind);
  const bool packed = mesh->scalar == TOI_FLOAT64 && mesh->component_stride == 0;
  if (kind == TOI_VERTEX_FACE && packed)
    gather_four(TOI_VERTEX_FACE, mesh, pairs, count, queries);
  else if (kind == TOI_EDGE_EDGE && packed)
    gather_four(TOI_EDGE_EDGE, mesh, pairs, count, queries);
  else
    for (size_t i = 0; i < count; i++)
      toi_pair_query(kind, mesh, pairs[i], queries + i * 6 * points);
}

toi_status toi_answer_pairs(const toi_answerer *answerer, const toi_chunk *chunk, const toi_mesh *mesh,
                            const toi_pair *pairs, size_t *unanswered) {
  double queries[TOI_GATHER_PAIRS * 24], thickness[TOI_GATHER_PAIRS];
  toi_chunk own = *chunk;
  gather(chunk->kind, mesh, pairs, chunk->count, queries);
  own.queries = queries;
  if (toi_mesh_is_thick(mesh)) {
    for (size_t i = 0; i < chunk->count; i++)
      thickness[i] = toi_pair_thickness(chunk->kind, mesh, pairs[i]);
    own.thickness = thickness;
  }
  return toi_answer(answerer, &own, unanswered);
}
