/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The public calls on primitives of two turning bodies: options and numbers checked, queries gathered and answered
 * chunk by chunk (rotating_chunk.c). */

#include "narrow/rotating_chunk.h"

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/hull.h"
#include "narrow/mesh.h"

/* A call under way: what its queries share. */
typedef struct asking {
  toi_turn_question question;
  const double *queries; /* NULL: gathered from meshes */
  toi_mesh mesh[2];
  const toi_pair *pairs;
  size_t count;
  toi_hit *hits;
} asking;

static bool is_exact(const toi_options *options) {
  return options->method != NULL && strcmp(options->method, "exact") == 0;
}

static toi_status take_options(toi_context *context, const toi_options *given, asking *ask) {
  toi_options *options = &ask->question.options;
  toi_status status = toi_options_take(context, given, options);
  if (status == TOI_OK)
    status = toi_options_check(context, options);
  ask->question.exact = is_exact(options);
  if (status == TOI_OK)
    status = toi_rotating_check(context, options);
  if (status == TOI_OK && ask->question.exact && !ask->question.pair->rational)
    status = toi_fail(context, TOI_ERROR_UNSUPPORTED,
                      "method 'exact' decides motions that are rational in time; a body turns at a constant rate: use "
                      "'certified'");
  return status;
}

toi_status toi_rotating_check(toi_context *context, const toi_options *options) {
  const char *method = options->method;
  if (method != NULL && !is_exact(options) && strcmp(method, "certified") != 0)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED,
                    "method '%s' does not support turning bodies; use 'certified' or 'exact'", method);
  if (options->separation_fraction > 0)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED,
                    "turning bodies take a separation as a distance only; set min_separation instead of "
                    "separation_fraction");
  if (options->min_separation > 0 && options->norm != TOI_NORM_L2)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED,
                    "turning bodies measure separations in the Euclidean norm only; set norm to TOI_NORM_L2");
  if (options->min_separation > 0 && is_exact(options))
    return toi_fail(context, TOI_ERROR_UNSUPPORTED,
                    "method 'exact' does not support turning bodies with a separation; use 'certified'");
  return TOI_OK;
}

toi_status toi_rotating_answers(const toi_moving_pair *pair, uint32_t thread, toi_kind kind, const double *queries,
                                size_t count, const toi_options *options, toi_hit *hits) {
  const toi_turn_question question = {.pair = pair,
                                      .kind = kind,
                                      .options = *options,
                                      .exact = is_exact(options) && pair->rational,
                                      .context = pair->context,
                                      .thread = thread};
  const size_t row = (size_t)3 * toi_kind_points(kind);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i += TOI_CHUNK_QUERIES) {
    const size_t chunk = count - i < TOI_CHUNK_QUERIES ? count - i : TOI_CHUNK_QUERIES;
    status = toi_turn_answer(&question, queries + i * row, chunk, hits + i);
  }
  return status;
}

/* --- one query --- */

static TOI_APART toi_status answer_single(const toi_moving_pair *pair, toi_kind kind, const double (*points)[3],
                                          const toi_options *options, toi_hit *hit) {
  *hit = toi_hit_unknown();
  if (pair == NULL || points == NULL || toi_kind_points(kind) == 0)
    return TOI_ERROR_INPUT;
  asking ask = {.question = {.pair = pair, .kind = kind}};
  toi_status status = take_options(NULL, options, &ask);
  if (status == TOI_OK)
    status = toi_turn_answer(&ask.question, points[0], 1, hit);
  if (status != TOI_OK)
    *hit = toi_hit_unknown();
  else if (ask.question.options.counters != NULL)
    toi_count(ask.question.options.counters, hit);
  return status;
}

toi_status toi_moving_pair_query(const toi_moving_pair *pair, toi_kind kind, const double (*points)[3],
                                 const toi_options *options, toi_hit *hit) {
  if (hit == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(NULL, answer_single(pair, kind, points, options, hit));
}

/* --- many queries --- */

/* What is wrong with a pair's numbers; NULL if nothing is, and the points of its query. */
static const char *gather(const asking *ask, size_t number, double *points) {
  const toi_mesh *first = &ask->mesh[0], *second = &ask->mesh[1];
  toi_pair pair = ask->pairs[number];
  bool edges = ask->question.kind == TOI_EDGE_EDGE;
  size_t first_count = edges ? first->edge_count : first->vertex_count;
  size_t second_count = ask->question.kind == TOI_VERTEX_FACE     ? second->face_count
                        : ask->question.kind == TOI_VERTEX_VERTEX ? second->vertex_count
                                                                  : second->edge_count;
  if (pair.first >= first_count)
    return "its first number is out of range";
  if (pair.second >= second_count)
    return "its second number is out of range";
  uint32_t vertices[4] = {pair.first};
  size_t own = (size_t)toi_rotating_first(ask->question.kind), count = toi_kind_points(ask->question.kind);
  if (edges)
    memcpy(vertices, first->edges[pair.first], 2 * sizeof vertices[0]);
  if (ask->question.kind == TOI_VERTEX_FACE)
    memcpy(vertices + own, second->faces[pair.second], 3 * sizeof vertices[0]);
  else if (ask->question.kind == TOI_VERTEX_VERTEX)
    vertices[own] = pair.second;
  else
    memcpy(vertices + own, second->edges[pair.second], 2 * sizeof vertices[0]);
  for (size_t i = 0; i < count; i++) {
    const toi_mesh *mesh = i < own ? first : second;
    if (vertices[i] >= mesh->vertex_count)
      return "an edge or face of it names a vertex that does not exist";
    toi_mesh_point(mesh, mesh->start, vertices[i], points + 3 * i);
  }
  return NULL;
}

static toi_status batch_task(void *user, uint32_t thread, size_t begin, size_t end) {
  enum { GATHERED = 64 };
  const asking *ask = user;
  const size_t row = (size_t)3 * toi_kind_points(ask->question.kind);
  toi_turn_question question = ask->question;
  question.context = question.pair->context;
  question.thread = thread;
  if (ask->queries != NULL)
    return toi_turn_answer(&question, ask->queries + begin * row, end - begin, ask->hits + begin);
  toi_status status = TOI_OK;
  for (size_t i = begin; i < end && status == TOI_OK; i += GATHERED) {
    double gathered[GATHERED * 12];
    const size_t left = end - i, count = left < GATHERED ? left : GATHERED;
    // cppcheck-suppress knownConditionTrueFalse // i < end
    for (size_t j = 0; j < count; j++)
      if (gather(ask, i + j, gathered + j * row) != NULL)
        return TOI_ERROR_INPUT;
    status = toi_turn_answer(&question, gathered, count, ask->hits + i);
  }
  return status;
}

/* The sentence for the first query at fault; for want of memory, the one that stands there already. */
static toi_status explain(const asking *ask, toi_status status) {
  toi_context *context = ask->question.pair->context;
  size_t row = (size_t)3 * toi_kind_points(ask->question.kind);
  for (size_t i = 0; i < ask->count && status == TOI_ERROR_INPUT; i++) {
    double gathered[12];
    const char *fault = ask->queries == NULL ? gather(ask, i, gathered) : NULL;
    if (fault != NULL)
      return toi_fail(context, status, "pair %zu (%u, %u): %s", i, (unsigned)ask->pairs[i].first,
                      (unsigned)ask->pairs[i].second, fault);
    const double *points = ask->queries != NULL ? ask->queries + i * row : gathered;
    for (size_t j = 0; j < row; j++)
      if (!isfinite(points[j]))
        return toi_fail(context, status, "query %zu: coordinate %c of %s is %g; it must be finite", i, "xyz"[j % 3],
                        toi_point_name(ask->question.kind, j / 3), points[j]);
  }
  return status;
}

static toi_status begin_batch(asking *ask, const toi_options *options) {
  toi_context *context = ask->question.pair->context;
  if (toi_kind_points(ask->question.kind) == 0)
    return toi_fail(context, TOI_ERROR_INPUT, "kind is %d; it must be one of toi_kind", (int)ask->question.kind);
  toi_status status = toi_check_entered_once(context);
  return status == TOI_OK ? take_options(context, options, ask) : status;
}

static toi_status run_batch(asking *ask) {
  toi_context *context = ask->question.pair->context;
  if (ask->count > 0 && ask->hits == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "hits is NULL; give room for one hit per query");
  toi_status status = toi_parallel(context, ask->count, TOI_CHUNK_QUERIES, batch_task, ask);
  if (status != TOI_OK)
    return explain(ask, status);
  for (size_t i = 0; i < ask->count && ask->question.options.counters != NULL; i++)
    toi_count(ask->question.options.counters, &ask->hits[i]);
  return TOI_OK;
}

/* Nothing is known of any query. */
static void give_up(toi_hit *hits, size_t count) {
  for (size_t i = 0; hits != NULL && i < count; i++)
    hits[i] = toi_hit_unknown();
}

static TOI_APART toi_status batch(asking *ask, const toi_options *options) {
  toi_status status = begin_batch(ask, options);
  if (status == TOI_OK && ask->count > 0 && ask->queries == NULL)
    status = toi_fail(ask->question.pair->context, TOI_ERROR_INPUT, "queries is NULL; give the points of every query");
  if (status == TOI_OK)
    status = run_batch(ask);
  if (status != TOI_OK)
    give_up(ask->hits, ask->count);
  return status;
}

toi_status toi_moving_pair_batch(const toi_moving_pair *pair, toi_kind kind, const double *queries, size_t count,
                                 const toi_options *options, toi_hit *hits) {
  if (pair == NULL) {
    give_up(hits, count);
    return TOI_ERROR_INPUT;
  }
  asking ask = {.question = {.pair = pair, .kind = kind}, .queries = queries, .count = count, .hits = hits};
  TOI_CALL(pair->context, batch(&ask, options));
}

static toi_status take_meshes(asking *ask, const toi_mesh *const meshes[2]) {
  toi_context *context = ask->question.pair->context;
  if (meshes == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "meshes is NULL; give the two bodies' meshes");
  for (int i = 0; i < 2; i++) {
    toi_status status = toi_mesh_take(context, meshes[i], &ask->mesh[i]);
    if (status != TOI_OK)
      return status;
    const toi_mesh *mesh = &ask->mesh[i];
    if ((mesh->vertex_count > 0 && mesh->start == NULL) || (mesh->edge_count > 0 && mesh->edges == NULL) ||
        (mesh->face_count > 0 && mesh->faces == NULL))
      return toi_fail(context, TOI_ERROR_INPUT,
                      "an array of the mesh of the %s body is NULL, but its count is not 0; give the array",
                      i == 0 ? "first" : "second");
  }
  return TOI_OK;
}

static TOI_APART toi_status batch_indexed(asking *ask, const toi_mesh *const meshes[2], const toi_options *options) {
  toi_status status = begin_batch(ask, options);
  if (status == TOI_OK)
    status = take_meshes(ask, meshes);
  if (status == TOI_OK && ask->count > 0 && ask->pairs == NULL)
    status = toi_fail(ask->question.pair->context, TOI_ERROR_INPUT, "pairs is NULL; give the numbers of every query");
  if (status == TOI_OK)
    status = run_batch(ask);
  if (status != TOI_OK)
    give_up(ask->hits, ask->count);
  return status;
}

toi_status toi_moving_pair_batch_indexed(const toi_moving_pair *pair, toi_kind kind, const toi_mesh *const meshes[2],
                                         const toi_pair *pairs, size_t count, const toi_options *options,
                                         toi_hit *hits) {
  if (pair == NULL) {
    give_up(hits, count);
    return TOI_ERROR_INPUT;
  }
  asking ask = {.question = {.pair = pair, .kind = kind}, .pairs = pairs, .count = count, .hits = hits};
  TOI_CALL(pair->context, batch_indexed(&ask, meshes, options));
}
