/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The calls of the narrow phase, as a caller who makes mistakes sees them: each gets its status and a sentence that
 * names the place, a failed single call leaves the safe answer, nothing is counted, and the caller's floating-point
 * mode changes no answer. Whether the answers are right is test_certified.c's business. */

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <toi/toi.h>

#include "support/support.h"

#define HALF(kind) (3 * (size_t)toi_kind_points(kind))

/* A vertex falls through a triangle, an edge through an edge, a vertex onto an edge and onto a vertex; t* = 1/2. */
static const double falling[TOI_KIND_COUNT][24] = {
    {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0},
    {-1, 0, 1, 1, 0, 1, 0, -1, 0, 0, 1, 0, -1, 0, -1, 1, 0, -1, 0, -1, 0, 0, 1, 0},
    {0.5, 0, 1, 0, 0, 0, 1, 0, 0, 0.5, 0, -1, 0, 0, 0, 1, 0, 0},
    {0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0},
};

typedef toi_status (*single_call)(const double (*start)[3], const double (*end)[3], const toi_options *options,
                                  toi_hit *hit);
static const single_call single_calls[TOI_KIND_COUNT] = {toi_vertex_face, toi_edge_edge, toi_vertex_edge,
                                                         toi_vertex_vertex};

/* By the call of its kind; the one for all kinds says the same. */
static toi_status ask_single(toi_kind kind, const double *query, const toi_options *options, toi_hit *hit) {
  const double(*start)[3] = (const double(*)[3])query, (*end)[3] = start + toi_kind_points(kind);
  const toi_status status = single_calls[kind](start, end, options, hit);
  toi_options uncounted = *options;
  uncounted.counters = NULL;
  toi_hit same;
  assert_int_equal(toi_query(kind, start, end, &uncounted, &same), status);
  assert_memory_equal(&same, hit, sizeof(same));
  return status;
}

static void assert_says(const toi_context *context, const char *words) {
  if (!strstr(toi_context_error(context), words))
    fail_msg("\"%s\" does not say \"%s\"", toi_context_error(context), words);
}

/* Near from 0: nothing is proved. */
static void assert_safe(const toi_hit *hit) {
  assert_int_equal(hit->verdict, TOI_NEAR);
  assert_true(hit->t_lo == 0 && hit->t_hi == 1 && hit->t_safe == 0);
  assert_true(isinf(hit->tolerance_reached));
}

/* --- a mesh that holds the queries above: vertices 4 k .. are those of kind k --- */

typedef struct small_mesh {
  double start[16][3], end[16][3];
  uint32_t edges[3][2], faces[1][3];
  toi_mesh mesh;
} small_mesh;

static const toi_pair falling_pairs[TOI_KIND_COUNT] = {{0, 0}, {0, 1}, {8, 2}, {12, 13}};

static void make_mesh(small_mesh *m) {
  static const uint32_t edges[3][2] = {{4, 5}, {6, 7}, {9, 10}}, faces[1][3] = {{1, 2, 3}};
  memset(m, 0, sizeof(*m));
  memcpy(m->edges, edges, sizeof(edges));
  memcpy(m->faces, faces, sizeof(faces));
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    memcpy(m->start[4 * kind], falling[kind], HALF(kind) * sizeof(double));
    memcpy(m->end[4 * kind], falling[kind] + HALF(kind), HALF(kind) * sizeof(double));
  }
  m->mesh = (toi_mesh){.start = m->start,
                       .end = m->end,
                       .vertex_count = 16,
                       .edges = (const uint32_t(*)[2])m->edges,
                       .edge_count = 3,
                       .faces = (const uint32_t(*)[3])m->faces,
                       .face_count = 1};
}

/* --- options --- */

enum { OPTION_ZEROED, OPTION_TOLERANCE, OPTION_T_MAX, OPTION_NORM, OPTION_SEPARATION, OPTION_FRACTION, OPTION_METHOD };

typedef struct option_case {
  int option;
  double value;
  toi_status status;
  const char *words;
} option_case;

static const option_case option_cases[] = {
    {OPTION_ZEROED, 0, TOI_ERROR_OPTION, "toi_default_options()"},
    {OPTION_TOLERANCE, 0, TOI_ERROR_OPTION, "tolerance is 0"},
    {OPTION_TOLERANCE, -1e-6, TOI_ERROR_OPTION, "tolerance is -1e-06"},
    {OPTION_TOLERANCE, NAN, TOI_ERROR_OPTION, "tolerance is nan"},
    {OPTION_TOLERANCE, INFINITY, TOI_ERROR_OPTION, "tolerance is inf"},
    {OPTION_T_MAX, -0x1p-1074, TOI_ERROR_OPTION, "t_max is -"},
    {OPTION_T_MAX, 0x1.0000000000001p0, TOI_ERROR_OPTION, "t_max is 1"},
    {OPTION_T_MAX, NAN, TOI_ERROR_OPTION, "t_max is nan"},
    {OPTION_T_MAX, INFINITY, TOI_ERROR_OPTION, "t_max is inf"},
    {OPTION_NORM, 7, TOI_ERROR_OPTION, "norm is 7"},
    {OPTION_SEPARATION, -1, TOI_ERROR_OPTION, "min_separation is -1"},
    {OPTION_SEPARATION, NAN, TOI_ERROR_OPTION, "min_separation is nan"},
    {OPTION_SEPARATION, INFINITY, TOI_ERROR_OPTION, "min_separation is inf"},
    {OPTION_FRACTION, -0.5, TOI_ERROR_OPTION, "separation_fraction is -0.5"},
    {OPTION_FRACTION, NAN, TOI_ERROR_OPTION, "separation_fraction is nan"},
    {OPTION_METHOD, 0, TOI_ERROR_UNSUPPORTED, "unknown method 'guesswork'"},
};

static toi_options bad_options(const option_case *c) {
  toi_options options = toi_default_options();
  switch (c->option) {
  case OPTION_ZEROED:
    return (toi_options){.t_max = 1, .tolerance = 1};
  case OPTION_TOLERANCE:
    options.tolerance = c->value;
    break;
  case OPTION_T_MAX:
    options.t_max = c->value;
    break;
  case OPTION_NORM:
    options.norm = (toi_norm)c->value;
    break;
  case OPTION_SEPARATION:
    options.min_separation = c->value;
    break;
  case OPTION_FRACTION:
    options.separation_fraction = c->value;
    break;
  default:
    options.method = "guesswork";
  }
  return options;
}

static void bad_options_get_a_status_and_a_sentence(void **test) {
  (void)test;
  toi_context *context = test_context(2);
  small_mesh m;
  make_mesh(&m);
  for (size_t i = 0; i < sizeof(option_cases) / sizeof(option_cases[0]); i++) {
    toi_options options = bad_options(&option_cases[i]);
    toi_counters counters = {0}, none = {0};
    options.counters = &counters;
    for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
      toi_hit hit = {0};
      assert_int_equal(ask_single(kind, falling[kind], &options, &hit), option_cases[i].status);
      assert_safe(&hit);
      assert_int_equal(toi_batch(context, kind, falling[kind], 1, &options, &hit), option_cases[i].status);
      assert_says(context, option_cases[i].words);
      toi_status status = toi_batch_indexed(context, kind, &m.mesh, &falling_pairs[kind], 1, &options, &hit);
      assert_int_equal(status, option_cases[i].status);
      assert_says(context, option_cases[i].words);
      assert_memory_equal(&counters, &none, sizeof(none));
    }
  }
  toi_context_destroy(context);
}

static void every_option_at_its_limit_is_taken(void **test) {
  (void)test;
  const double t_max[] = {0, 0x1p-1074, 0.5, 1}, tolerance[] = {0x1p-1074, 1e300};
  for (size_t i = 0; i < 4; i++)
    for (size_t j = 0; j < 2; j++) {
      toi_options options = toi_default_options();
      options.t_max = t_max[i];
      options.tolerance = tolerance[j];
      options.norm = TOI_NORM_LINF;
      options.max_checks = 1;
      toi_hit hit;
      assert_int_equal(ask_single(TOI_VERTEX_FACE, falling[0], &options, &hit), TOI_OK);
      assert_int_equal(hit.verdict, t_max[i] < 0.5 ? TOI_MISS : TOI_HIT);
      assert_true(hit.verdict == TOI_HIT || hit.t_safe == t_max[i]);
    }
}

/* --- arguments --- */

static void null_arguments_are_refused(void **test) {
  (void)test;
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  toi_hit hit = {0};
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    const double *query = falling[kind];
    const double(*points)[3] = (const double(*)[3])query;
    assert_int_equal(single_calls[kind](NULL, points, &options, &hit), TOI_ERROR_INPUT);
    assert_safe(&hit);
    memset(&hit, 0, sizeof(hit));
    assert_int_equal(single_calls[kind](points, NULL, &options, &hit), TOI_ERROR_INPUT);
    assert_safe(&hit);
    memset(&hit, 0, sizeof(hit));
    assert_int_equal(single_calls[kind](points, points, NULL, &hit), TOI_ERROR_OPTION);
    assert_safe(&hit);
    assert_int_equal(single_calls[kind](points, points, &options, NULL), TOI_ERROR_INPUT);
    assert_int_equal(toi_query(kind, NULL, points, &options, &hit), TOI_ERROR_INPUT);
    assert_int_equal(toi_query(kind, points, points, &options, NULL), TOI_ERROR_INPUT);

    assert_int_equal(toi_batch(NULL, kind, query, 1, &options, &hit), TOI_ERROR_INPUT);
    assert_int_equal(toi_batch(context, kind, NULL, 1, &options, &hit), TOI_ERROR_INPUT);
    assert_says(context, "queries is NULL");
    assert_int_equal(toi_batch(context, kind, query, 1, &options, NULL), TOI_ERROR_INPUT);
    assert_says(context, "hits is NULL");
    assert_int_equal(toi_batch(context, kind, query, 1, NULL, &hit), TOI_ERROR_OPTION);
    assert_says(context, "toi_default_options()");
    assert_int_equal(toi_batch(context, kind, NULL, 0, &options, NULL), TOI_OK);
    assert_string_equal(toi_context_error(context), "");
  }
  toi_context_destroy(context);
}

static void numbers_that_are_no_kind_are_refused(void **test) {
  (void)test;
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  small_mesh m;
  make_mesh(&m);
  toi_hit hit;
  static const int numbers[] = {-1, TOI_KIND_COUNT, 100, TOI_EDGE_FACE, TOI_FACE_FACE};
  for (size_t i = 0; i < 5; i++) {
    toi_kind kind = (toi_kind)numbers[i];
    assert_int_equal(toi_batch(context, kind, falling[0], 1, &options, &hit), TOI_ERROR_INPUT);
    assert_says(context, "kind is ");
    assert_int_equal(toi_batch_indexed(context, kind, &m.mesh, falling_pairs, 1, &options, &hit), TOI_ERROR_INPUT);
    assert_says(context, "kind is ");
    memset(&hit, 0, sizeof(hit));
    const double(*points)[3] = (const double(*)[3])falling[0];
    assert_int_equal(toi_query(kind, points, points, &options, &hit), TOI_ERROR_INPUT);
    assert_safe(&hit);
    assert_int_equal(toi_kind_points(kind), 0);
    if (i < 3)
      assert_null(toi_kind_name(kind));
    else
      assert_string_equal(toi_kind_name(kind), i == 3 ? "edge-face" : "face-face");
  }
  toi_context_destroy(context);
}

/* --- coordinates that are not finite --- */

static const char *const point_names[TOI_KIND_COUNT][4] = {
    {"v", "f0", "f1", "f2"}, {"ea0", "ea1", "eb0", "eb1"}, {"v", "e0", "e1"}, {"a", "b"}};

/* Query 37 of 100 has `poison` in coordinate j. */
static void check_poisoned(toi_context *context, toi_kind kind, size_t j, double poison, const char *method) {
  static double queries[100 * 24];
  static toi_hit hits[100];
  size_t row = 2 * HALF(kind);
  for (size_t i = 0; i < 100; i++)
    memcpy(queries + i * row, falling[kind], row * sizeof(double));
  queries[37 * row + j] = poison;
  toi_counters counters = {0}, none = {0};
  toi_options options = toi_default_options();
  options.method = method;
  options.counters = &counters;
  toi_hit hit = {0};
  assert_int_equal(ask_single(kind, queries + 37 * row, &options, &hit), TOI_ERROR_INPUT);
  assert_safe(&hit);
  assert_int_equal(toi_batch(context, kind, queries, 100, &options, hits), TOI_ERROR_INPUT);
  char words[64];
  snprintf(words, sizeof(words), "query 37: coordinate %c of %s at t = %d is ", "xyz"[j % 3],
           point_names[kind][j % HALF(kind) / 3], j >= HALF(kind));
  assert_says(context, words);
  assert_says(context, isnan(poison) ? "nan" : poison < 0 ? "-inf" : "inf");
  assert_memory_equal(&counters, &none, sizeof(none));
}

static void a_coordinate_that_is_not_finite_is_named(void **test) {
  (void)test;
  toi_context *context = test_context(2);
  static const double poison[] = {NAN, INFINITY, -INFINITY};
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (size_t j = 0; j < 2 * HALF(kind); j++)
      for (size_t i = 0; i < 3; i++) {
        check_poisoned(context, kind, j, poison[i], "certified");
        check_poisoned(context, kind, j, poison[i], "exact");
      }
  toi_context_destroy(context);
}

static void of_many_bad_queries_the_first_is_named(void **test) {
  (void)test;
  enum { COUNT = 5000 };
  static double queries[COUNT * 24];
  static toi_hit hits[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    memcpy(queries + 24 * i, falling[TOI_EDGE_EDGE], 24 * sizeof(double));
  queries[24 * 1234 + 23] = queries[24 * 1235] = queries[24 * 4999] = NAN;
  toi_options options = toi_default_options();
  for (uint32_t threads = 1; threads <= 3; threads++) {
    toi_context *context = test_context(threads);
    for (int run = 0; run < 10; run++) {
      assert_int_equal(toi_batch(context, TOI_EDGE_EDGE, queries, COUNT, &options, hits), TOI_ERROR_INPUT);
      assert_says(context, "query 1234: coordinate z of eb1 at t = 1 is nan");
    }
    // A good call after a bad one forgets the sentence.
    assert_int_equal(toi_batch(context, TOI_EDGE_EDGE, queries, 1234, &options, hits), TOI_OK);
    assert_string_equal(toi_context_error(context), "");
    toi_context_destroy(context);
  }
}

/* --- meshes --- */

static void assert_pair_refused(toi_context *context, toi_kind kind, const small_mesh *m, toi_pair pair,
                                const char *words) {
  toi_pair pairs[2] = {falling_pairs[kind], pair};
  toi_options options = toi_default_options();
  toi_hit hits[2];
  assert_int_equal(toi_batch_indexed(context, kind, &m->mesh, pairs, 2, &options, hits), TOI_ERROR_INPUT);
  assert_says(context, words);
}

static void numbers_beyond_the_mesh_are_named(void **test) {
  (void)test;
  toi_context *context = test_context(1);
  small_mesh m;
  make_mesh(&m);
  assert_pair_refused(context, TOI_VERTEX_FACE, &m, (toi_pair){16, 0}, "pair 1 (16, 0): its first number");
  assert_pair_refused(context, TOI_VERTEX_FACE, &m, (toi_pair){0, 1}, "pair 1 (0, 1): its second number");
  assert_pair_refused(context, TOI_EDGE_EDGE, &m, (toi_pair){3, 0}, "pair 1 (3, 0): its first number");
  assert_pair_refused(context, TOI_EDGE_EDGE, &m, (toi_pair){0, UINT32_MAX}, "its second number");
  assert_pair_refused(context, TOI_VERTEX_EDGE, &m, (toi_pair){16, 0}, "its first number");
  assert_pair_refused(context, TOI_VERTEX_EDGE, &m, (toi_pair){0, 3}, "its second number");
  assert_pair_refused(context, TOI_VERTEX_VERTEX, &m, (toi_pair){0, 16}, "its second number");
  m.faces[0][2] = 16;
  m.edges[1][0] = 99;
  toi_options options = toi_default_options();
  toi_hit hit;
  for (unsigned kind = TOI_VERTEX_FACE; kind <= TOI_EDGE_EDGE; kind++) {
    toi_status status = toi_batch_indexed(context, kind, &m.mesh, &falling_pairs[kind], 1, &options, &hit);
    assert_int_equal(status, TOI_ERROR_INPUT);
    assert_says(context, "names a vertex that does not exist");
  }
  toi_context_destroy(context);
}

static void incomplete_meshes_are_refused(void **test) {
  (void)test;
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  toi_hit hit;
  for (int fault = 0; fault < 6; fault++) {
    small_mesh m;
    make_mesh(&m);
    m.mesh.start = fault == 0 ? NULL : m.mesh.start;
    m.mesh.end = fault == 1 ? NULL : m.mesh.end;
    m.mesh.edges = fault == 2 ? NULL : m.mesh.edges;
    m.mesh.faces = fault == 3 ? NULL : m.mesh.faces;
    m.mesh.scalar = fault == 4 ? (toi_scalar)9 : TOI_FLOAT64;
    const toi_mesh *mesh = fault == 5 ? NULL : &m.mesh;
    assert_int_equal(toi_batch_indexed(context, TOI_VERTEX_FACE, mesh, falling_pairs, 1, &options, &hit),
                     TOI_ERROR_INPUT);
    assert_says(context, fault == 4 ? "scalar is 9" : "NULL");
  }
  small_mesh m;
  make_mesh(&m);
  assert_int_equal(toi_batch_indexed(context, 0, &m.mesh, NULL, 1, &options, &hit), TOI_ERROR_INPUT);
  assert_says(context, "pairs is NULL");
  assert_int_equal(toi_batch_indexed(context, 0, &m.mesh, falling_pairs, 1, &options, NULL), TOI_ERROR_INPUT);
  assert_says(context, "hits is NULL");
  assert_int_equal(toi_batch_indexed(context, 0, &m.mesh, NULL, 0, &options, NULL), TOI_OK);
  m.end[2][1] = INFINITY;
  assert_int_equal(toi_batch_indexed(context, 0, &m.mesh, falling_pairs, 1, &options, &hit), TOI_ERROR_INPUT);
  assert_says(context, "pair 0 (0, 0)");
  toi_context_destroy(context);
}

/* Vertices as floats among other data, at any stride, against the same numbers as doubles. */
static void float_meshes_are_widened_exactly(void **test) {
  (void)test;
  enum { VERTICES = 64, COUNT = 600, STRIDE = 20 };
  static unsigned char packed[2][VERTICES * STRIDE];
  static double wide[2][VERTICES][3];
  static uint32_t edges[VERTICES][2], faces[VERTICES][3];
  uint64_t state = test_seed(31);
  for (size_t time = 0; time < 2; time++)
    for (size_t i = 0; i < VERTICES; i++)
      for (size_t axis = 0; axis < 3; axis++) {
        float x = (float)(test_random_unit(&state) - 0.5);
        memcpy(packed[time] + i * STRIDE + 4 * axis, &x, sizeof(x));
        wide[time][i][axis] = (double)x;
      }
  for (size_t i = 0; i < VERTICES; i++)
    for (size_t j = 0; j < 3; j++) {
      faces[i][j] = (uint32_t)(test_random(&state) % VERTICES);
      edges[i][j % 2] = (uint32_t)(test_random(&state) % VERTICES);
    }
  toi_mesh narrow = {.start = packed[0],
                     .end = packed[1],
                     .scalar = TOI_FLOAT32,
                     .stride = STRIDE,
                     .vertex_count = VERTICES,
                     .edges = (const uint32_t(*)[2])edges,
                     .edge_count = VERTICES,
                     .faces = (const uint32_t(*)[3])faces,
                     .face_count = VERTICES};
  toi_mesh mesh = narrow;
  mesh.start = wide[0];
  mesh.end = wide[1];
  mesh.scalar = TOI_FLOAT64;
  mesh.stride = 0;
  static toi_pair pairs[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    pairs[i].first = (uint32_t)(test_random(&state) % VERTICES);
    pairs[i].second = (uint32_t)(test_random(&state) % VERTICES);
  }
  toi_context *context = test_context(2);
  toi_options options = toi_default_options();
  static toi_hit expected[COUNT], found[COUNT];
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    assert_int_equal(toi_batch_indexed(context, kind, &mesh, pairs, COUNT, &options, expected), TOI_OK);
    assert_int_equal(toi_batch_indexed(context, kind, &narrow, pairs, COUNT, &options, found), TOI_OK);
    assert_memory_equal(found, expected, sizeof(found));
  }
  toi_context_destroy(context);
}

static void a_mesh_gives_the_answers_of_its_queries(void **test) {
  (void)test;
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  small_mesh m;
  make_mesh(&m);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    toi_hit from_mesh, from_query;
    assert_int_equal(toi_batch_indexed(context, kind, &m.mesh, &falling_pairs[kind], 1, &options, &from_mesh), TOI_OK);
    assert_int_equal(ask_single(kind, falling[kind], &options, &from_query), TOI_OK);
    assert_memory_equal(&from_mesh, &from_query, sizeof(toi_hit));
    assert_true(from_mesh.verdict == TOI_HIT && from_mesh.t_lo <= 0.5 && 0.5 <= from_mesh.t_hi);
  }
  toi_context_destroy(context);
}

/* --- the caller's floating-point mode --- */

#define MODE_QUERIES 3000

/* Queries near contact, some with subnormal coordinates. */
static void mode_queries(double *queries) {
  uint64_t state = test_seed(41);
  for (size_t i = 0; i < MODE_QUERIES; i++)
    for (size_t j = 0; j < 24; j++) {
      double x = falling[TOI_EDGE_EDGE][j] + (i % 3 ? test_random_unit(&state) * 0x1p-4 : 0);
      queries[24 * i + j] = i % 5 ? x : ldexp(x, -1040);
    }
}

static void ask_both_ways(toi_context *context, const char *method, const double *queries, toi_hit *hits) {
  toi_options options = toi_default_options();
  options.method = method;
  assert_int_equal(toi_batch(context, TOI_EDGE_EDGE, queries, MODE_QUERIES, &options, hits), TOI_OK);
  for (size_t i = 0; i < MODE_QUERIES; i += 7) {
    toi_hit hit;
    assert_int_equal(ask_single(TOI_EDGE_EDGE, queries + 24 * i, &options, &hit), TOI_OK);
    assert_memory_equal(&hit, &hits[i], sizeof(hit));
  }
}

static void the_callers_rounding_changes_nothing(void **test) {
  (void)test;
  static double queries[MODE_QUERIES * 24];
  static toi_hit expected[MODE_QUERIES], found[MODE_QUERIES];
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static const char *const methods[] = {"certified", "exact"};
  mode_queries(queries);
  for (size_t method = 0; method < 2; method++)
    for (uint32_t threads = 1; threads <= 2; threads++) {
      toi_context *context = test_context(threads);
      ask_both_ways(context, methods[method], queries, expected);
      for (size_t i = 0; i < 3; i++) {
        fesetround(modes[i]);
        ask_both_ways(context, methods[method], queries, found);
        assert_int_equal(fegetround(), modes[i]);
        fesetround(FE_TONEAREST);
        assert_memory_equal(found, expected, sizeof(found));
      }
      toi_context_destroy(context);
    }
}

#if defined(__x86_64__)
static void flushing_subnormals_changes_nothing(void **test) {
  (void)test;
  static double queries[MODE_QUERIES * 24];
  static toi_hit expected[MODE_QUERIES], found[MODE_QUERIES];
  static const char *const methods[] = {"certified", "exact"};
  mode_queries(queries);
  toi_context *context = test_context(2);
  for (size_t method = 0; method < 2; method++) {
    ask_both_ways(context, methods[method], queries, expected);
    unsigned mode = _mm_getcsr();
    _mm_setcsr(mode | 0x8040);
    ask_both_ways(context, methods[method], queries, found);
    assert_int_equal(_mm_getcsr() & 0xffc0, (mode | 0x8040) & 0xffc0);
    _mm_setcsr(mode);
    assert_memory_equal(found, expected, sizeof(found));
  }
  toi_context_destroy(context);
}
#endif

/* --- names, defaults, memory --- */

static void names_and_defaults_are_what_is_documented(void **test) {
  (void)test;
  static const char *const kinds[] = {"vertex-face", "edge-edge", "vertex-edge", "vertex-vertex"};
  static const char *const verdicts[] = {"miss", "hit", "near"};
  static const uint32_t points[] = {4, 4, 3, 2};
  for (unsigned i = 0; i < TOI_KIND_COUNT; i++) {
    assert_string_equal(toi_kind_name(i), kinds[i]);
    assert_int_equal(toi_kind_points(i), points[i]);
  }
  for (unsigned i = 0; i < 3; i++)
    assert_string_equal(toi_verdict_name(i), verdicts[i]);
  for (unsigned i = 0; i < TOI_LEVEL_COUNT; i++)
    assert_non_null(toi_level_name(i));
  assert_string_equal(toi_method_name(0), "certified");
  assert_string_equal(toi_method_name(1), "exact");
  for (size_t i = 0; toi_method_name(i); i++)
    assert_non_null(toi_method_promise(toi_method_name(i)));
  assert_null(toi_method_name(1000));
  assert_null(toi_method_promise("guesswork"));
  toi_options options = toi_default_options();
  assert_true(options.tolerance == 1e-6 && options.t_max == 1 && options.min_separation == 0);
  assert_true(options.separation_fraction == 0 && options.max_checks == 0 && options.norm == TOI_NORM_L2);
  assert_true(options.method == NULL && options.counters == NULL);
}

static void memory_that_is_refused_is_an_error_and_not_an_answer(void **test) {
  (void)test;
  test_allocator allocator = {0};
  toi_context_options context_options = test_context_options(&allocator, 1);
  toi_context *context;
  assert_int_equal(toi_context_create(&context_options, &context), TOI_OK);
  toi_options options = toi_default_options();
  options.method = "exact";
  toi_hit hit;
  allocator.refuse_at = allocator.calls + 1;
  allocator.refuse_after = true;
  assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, falling[0], 1, &options, &hit), TOI_ERROR_MEMORY);
  assert_says(context, "out of memory: the allocator refused");
  allocator.refuse_at = 0;
  assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, falling[0], 1, &options, &hit), TOI_OK);
  assert_int_equal(hit.verdict, TOI_HIT);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(bad_options_get_a_status_and_a_sentence),
    cmocka_unit_test(every_option_at_its_limit_is_taken),
    cmocka_unit_test(null_arguments_are_refused),
    cmocka_unit_test(numbers_that_are_no_kind_are_refused),
    cmocka_unit_test(a_coordinate_that_is_not_finite_is_named),
    cmocka_unit_test(of_many_bad_queries_the_first_is_named),
    cmocka_unit_test(numbers_beyond_the_mesh_are_named),
    cmocka_unit_test(incomplete_meshes_are_refused),
    cmocka_unit_test(float_meshes_are_widened_exactly),
    cmocka_unit_test(a_mesh_gives_the_answers_of_its_queries),
    cmocka_unit_test(the_callers_rounding_changes_nothing),
#if defined(__x86_64__)
    cmocka_unit_test(flushing_subnormals_changes_nothing),
#endif
    cmocka_unit_test(names_and_defaults_are_what_is_documented),
    cmocka_unit_test(memory_that_is_refused_is_an_error_and_not_an_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
