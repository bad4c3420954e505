/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* narrow.h: single queries and batches, by every method and norm, with and without a separation. */

#include "host/cases.h"

#include <string.h>

static const char *const methods[] = {"certified",      "exact",          "tight-inclusion",
                                      "interval-queue", "time-inclusion", "cubic"};
enum { METHODS = sizeof methods / sizeof methods[0], WAYS = 3 * METHODS };

/* Plain, with a separation, and with a fraction of the initial distance, or both. */
static toi_options options_of(host_run *run, size_t way) {
  toi_options options;
  HOST_DO(run, toi_options_init, (&options, sizeof options));
  options.method = methods[way / 3];
  options.max_checks = 300;
  options.norm = way % 2 == 0 ? TOI_NORM_L2 : TOI_NORM_LINF;
  if (run->input == HOST_SUBNORMAL || run->input == HOST_HUGE)
    options.tolerance = host_number(run->input, 1);
  if (way % 3 == 1 || way % 6 == 5)
    options.min_separation = host_number(run->input, 9);
  if (way % 3 == 2)
    options.separation_fraction = 0.3;
  return options;
}

static bool are_safe(const toi_hit *hits, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (hits[i].verdict != TOI_NEAR || hits[i].t_lo != 0 || hits[i].t_safe != 0)
      return false;
  return true;
}

static void check_hit(host_run *run, toi_status status, const toi_hit *hit) {
  if (!host_status(run, status))
    HOST_CHECK(run, are_safe(hit, 1));
  host_bits(run, "hit", hit, sizeof *hit);
}

/* Every query in turn by the next way. */
#define SINGLE(name, kind, points)                                                                                     \
  static void name(host_run *run) {                                                                                    \
    const double(*queries)[2][points][3] =                                                                             \
        (const double(*)[2][points][3])(const void *)host_queries(run->input, kind);                                   \
    for (size_t i = 0; i < HOST_QUERIES; i++) {                                                                        \
      const toi_options options = options_of(run, i % WAYS);                                                           \
      toi_hit hit;                                                                                                     \
      HOST_SPOIL(hit);                                                                                                 \
      toi_status status;                                                                                               \
      HOST_CALL(run, status, toi_##name, (queries[i][0], queries[i][1], &options, &hit));                              \
      check_hit(run, status, &hit);                                                                                    \
    }                                                                                                                  \
  }
SINGLE(vertex_face, TOI_VERTEX_FACE, 4)
SINGLE(edge_edge, TOI_EDGE_EDGE, 4)
SINGLE(vertex_edge, TOI_VERTEX_EDGE, 3)
SINGLE(vertex_vertex, TOI_VERTEX_VERTEX, 2)

static void vertex_half_space(host_run *run) {
  const double(*queries)[2][2][3] = (const double(*)[2][2][3])(const void *)host_queries(run->input, TOI_VERTEX_VERTEX);
  for (size_t i = 0; i < HOST_QUERIES; i++) {
    const toi_options options = options_of(run, i % WAYS);
    toi_half_space half_space = {.offset = host_number(run->input, 3)};
    memcpy(half_space.normal, queries[i][0][1], sizeof half_space.normal);
    toi_hit hit;
    HOST_SPOIL(hit);
    toi_status status;
    HOST_CALL(run, status, toi_vertex_half_space, (queries[i][0][0], queries[i][1][0], &half_space, &options, &hit));
    check_hit(run, status, &hit);
  }
}

static void query(host_run *run) {
  for (size_t i = 0; i < HOST_QUERIES; i++) {
    const toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    const size_t points = toi_kind_points(kind);
    const double(*start)[3] = (const double(*)[3])(host_queries(run->input, kind) + i * 6 * points);
    const toi_options options = options_of(run, i % WAYS);
    toi_hit hit;
    HOST_SPOIL(hit);
    toi_status status;
    HOST_CALL(run, status, toi_query, (kind, start, start + points, &options, &hit));
    check_hit(run, status, &hit);
  }
}

static void explain(host_run *run) {
  for (size_t i = 0; i < HOST_QUERIES; i++) {
    const toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    const size_t points = toi_kind_points(kind);
    const double(*start)[3] = (const double(*)[3])(host_queries(run->input, kind) + i * 6 * points);
    const toi_options options = options_of(run, i % WAYS);
    toi_explanation explanation;
    HOST_SPOIL(explanation);
    toi_status status;
    HOST_CALL(run, status, toi_explain, (kind, start, start + points, &options, &explanation));
    if (!host_status(run, status))
      HOST_CHECK(run, are_safe(&explanation.hit, 1));
    HOST_BITS(run, explanation);
  }
}

static void record_hits(host_run *run, toi_status status, const toi_hit *hits, size_t count) {
  if (!host_context_status(run, status))
    HOST_CHECK(run, are_safe(hits, count));
  host_bits(run, "hits", hits, count * sizeof *hits);
}

static void batch(host_run *run) {
  for (size_t way = 0; way < WAYS; way++) {
    const toi_kind kind = (toi_kind)(way % TOI_KIND_COUNT);
    toi_options options = options_of(run, way);
    toi_counters counters = {0};
    options.counters = &counters;
    toi_hit hits[HOST_QUERIES];
    HOST_SPOIL(hits);
    toi_status status;
    HOST_CALL(run, status, toi_batch,
              (run->context, kind, host_queries(run->input, kind), HOST_QUERIES, &options, hits));
    record_hits(run, status, hits, HOST_QUERIES);
    HOST_BITS(run, counters);
  }
}

static void batch_indexed(host_run *run) {
  const host_mesh *data = host_mesh_of(run->input);
  for (size_t way = 0; way < WAYS; way++) {
    const toi_options options = options_of(run, way);
    toi_hit hits[sizeof data->pairs / sizeof data->pairs[0]];
    HOST_SPOIL(hits);
    toi_status status;
    HOST_CALL(run, status, toi_batch_indexed,
              (run->context, TOI_VERTEX_FACE, &data->mesh, data->pairs, data->pair_count, &options, hits));
    record_hits(run, status, hits, data->pair_count);
  }
}

static void record_list(host_run *run, toi_status status, const toi_hit_list *list) {
  if (!host_context_status(run, status))
    HOST_CHECK(run, list->count == 0 && list->answered == 0);
  host_bits(run, "hits", list->hits, list->count * sizeof *list->hits);
  host_bits(run, "numbers", list->numbers, list->count * sizeof *list->numbers);
  host_bits(run, "answered", &list->answered, sizeof list->answered);
}

/* Half of the time the list is too short. */
static void batch_hits(host_run *run) {
  for (size_t way = 0; way < WAYS; way++) {
    const toi_kind kind = (toi_kind)(way % TOI_KIND_COUNT);
    const toi_options options = options_of(run, way);
    toi_hit hits[HOST_QUERIES];
    size_t numbers[HOST_QUERIES];
    toi_hit_list list = {.hits = hits, .numbers = numbers, .room = way % 2 ? HOST_QUERIES : 2};
    toi_status status;
    HOST_CALL(run, status, toi_batch_hits,
              (run->context, kind, host_queries(run->input, kind), HOST_QUERIES, &options, &list));
    record_list(run, status, &list);
  }
}

static void batch_indexed_hits(host_run *run) {
  const host_mesh *data = host_mesh_of(run->input);
  for (size_t way = 0; way < WAYS; way++) {
    toi_options options = options_of(run, way);
    toi_hit hits[sizeof data->pairs / sizeof data->pairs[0]];
    size_t numbers[sizeof data->pairs / sizeof data->pairs[0]];
    toi_hit_list list = {.hits = hits, .numbers = numbers, .room = sizeof hits / sizeof hits[0]};
    toi_status status;
    options.filter = way % 2 ? TOI_FILTER_DOUBLE : TOI_FILTER_FLOAT;
    HOST_CALL(run, status, toi_batch_indexed_hits,
              (run->context, TOI_VERTEX_FACE, &data->mesh, data->pairs, data->pair_count, &options, &list));
    record_list(run, status, &list);
  }
}

static void names(host_run *run) {
  for (int i = -1; i < 12; i++) {
    const char *text;
    uint32_t points;
    HOST_CALL(run, points, toi_kind_points, ((toi_kind)i));
    HOST_BITS(run, points);
    HOST_CALL(run, text, toi_kind_name, ((toi_kind)i));
    host_text(run, "kind", text);
    HOST_CALL(run, text, toi_verdict_name, ((toi_verdict)i));
    host_text(run, "verdict", text);
    HOST_CALL(run, text, toi_level_name, ((toi_level)i));
    host_text(run, "level", text);
    HOST_CALL(run, text, toi_outcome_name, ((toi_outcome)i));
    host_text(run, "outcome", text);
    HOST_CALL(run, text, toi_root_source_name, ((toi_root_source)i));
    host_text(run, "source", text);
    HOST_CALL(run, text, toi_method_name, ((size_t)i));
    host_text(run, "method", text);
    if (text != NULL)
      HOST_CALL(run, text, toi_method_promise, (text));
    host_text(run, "promise", text);
  }
}

const host_case host_narrow_cases[] = {{"toi_vertex_face", vertex_face, HOST_FIGURES},
                                       {"toi_edge_edge", edge_edge, HOST_FIGURES},
                                       {"toi_vertex_edge", vertex_edge, HOST_FIGURES},
                                       {"toi_vertex_vertex", vertex_vertex, HOST_FIGURES},
                                       {"toi_vertex_half_space", vertex_half_space, HOST_FIGURES},
                                       {"toi_query", query, HOST_FIGURES},
                                       {"toi_explain", explain, HOST_FIGURES},
                                       {"toi_batch", batch, HOST_FIGURES},
                                       {"toi_batch_indexed", batch_indexed, HOST_FIGURES},
                                       {"toi_batch_hits", batch_hits, HOST_FIGURES},
                                       {"toi_batch_indexed_hits", batch_indexed_hits, HOST_FIGURES},
                                       {"toi_method_name", names, HOST_ONCE},
                                       {NULL, NULL, 0}};
