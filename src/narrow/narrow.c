/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Names, and the calls for one query. */

#include <string.h>

#include "base/internal.h"
#include "narrow/answer.h"
#include "narrow/method.h"

const char *toi_verdict_name(toi_verdict verdict) {
  static const char *const names[] = {"miss", "hit", "near"};
  return (unsigned)verdict < 3 ? names[verdict] : NULL;
}

const char *toi_level_name(toi_level level) {
  static const char *const names[TOI_LEVEL_COUNT] = {"box",   "sign",  "projection", "root",   "reduction",
                                                     "plane", "exact", "search",     "outside"};
  return (unsigned)level < TOI_LEVEL_COUNT ? names[level] : NULL;
}

/* --- one query --- */

static TOI_APART toi_status answer_single(toi_kind kind, const double (*start)[3], const double (*end)[3],
                                          const toi_options *given, toi_hit *hit) {
  if (!hit)
    return TOI_ERROR_INPUT;
  *hit = toi_hit_unknown();
  const size_t points = toi_kind_points(kind);
  if (!start || !end || points == 0)
    return TOI_ERROR_INPUT;
  toi_options options;
  toi_answerer answerer;
  toi_status status = toi_options_take(NULL, given, &options);
  if (status == TOI_OK)
    status = toi_options_check(NULL, &options);
  if (status == TOI_OK)
    status = toi_answerer_find(NULL, &options, &answerer);
  if (status != TOI_OK)
    return status;

  double query[24];
  memcpy(query, start, points * sizeof *start);
  memcpy(query + 3 * points, end, points * sizeof *end);
  toi_counters counters = {0};
  toi_chunk chunk = {.kind = kind,
                     .queries = query,
                     .count = 1,
                     .options = &options,
                     .hits = hit,
                     .counters = options.counters ? options.counters : &counters};
  status = answerer.method->run(&chunk);
  if (status != TOI_OK)
    *hit = toi_hit_unknown();
  return status;
}

static toi_status single(toi_kind kind, const double (*start)[3], const double (*end)[3], const toi_options *options,
                         toi_hit *hit) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = answer_single(kind, start, end, options, hit);
  toi_call_end(&call);
  return status;
}

toi_status toi_query(toi_kind kind, const double (*start)[3], const double (*end)[3], const toi_options *options,
                     toi_hit *hit) {
  return single(kind, start, end, options, hit);
}

toi_status toi_vertex_face(const double start[4][3], const double end[4][3], const toi_options *options, toi_hit *hit) {
  return single(TOI_VERTEX_FACE, start, end, options, hit);
}

toi_status toi_edge_edge(const double start[4][3], const double end[4][3], const toi_options *options, toi_hit *hit) {
  return single(TOI_EDGE_EDGE, start, end, options, hit);
}

toi_status toi_vertex_edge(const double start[3][3], const double end[3][3], const toi_options *options, toi_hit *hit) {
  return single(TOI_VERTEX_EDGE, start, end, options, hit);
}

toi_status toi_vertex_vertex(const double start[2][3], const double end[2][3], const toi_options *options,
                             toi_hit *hit) {
  return single(TOI_VERTEX_VERTEX, start, end, options, hit);
}
