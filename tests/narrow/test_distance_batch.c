/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Batches of distances: the same bits as single calls, for all kinds and norms, any number of threads, from points and
 * from meshes of both scalars; faults are named, and leave safe answers. */

#include <float.h>
#include <stdlib.h>

#include "narrow/separated_queries.h"

enum { COUNT = 1500 };

typedef struct sample {
  toi_kind kind;
  double points[COUNT * 12];
  double rows[COUNT * 4][5]; /* of a mesh, with two numbers to spare */
  float narrow[COUNT * 4][3];
  uint32_t edges[COUNT * 2][2], faces[COUNT][3];
  toi_pair pairs[COUNT];
  toi_mesh mesh;
  toi_distance found[COUNT], one[COUNT];
} sample;

static size_t points_of(const sample *s) {
  return toi_kind_points(s->kind);
}

/* The points of pair i go to vertices 4 i on. */
static void sample_make(sample *s, toi_kind kind, bool floats, uint64_t *state) {
  static const int exponents[] = {0, 0, 0, 30, -500, 500, -1040};
  s->kind = kind;
  for (uint32_t i = 0; i < COUNT; i++) {
    query_draft draft = {.state = state, .kind = kind};
    draft_make((query_family)(test_random(state) % QUERY_FAMILIES), &draft, 0.3);
    const int exponent = floats ? 0 : exponents[test_random(state) % 7];
    const uint32_t v = 4 * i, edge = kind == TOI_EDGE_EDGE ? v : v + 1;
    for (size_t k = 0; k < 3 * points_of(s); k++) {
      const double most = floats ? FLT_MAX : DBL_MAX, x = fmax(-most, fmin(ldexp(draft.query[k], exponent), most));
      s->narrow[v + k / 3][k % 3] = (float)x;
      s->rows[v + k / 3][k % 3] = floats ? (double)(float)x : x;
      s->points[3 * points_of(s) * i + k] = s->rows[v + k / 3][k % 3];
    }
    memcpy(s->edges[2 * i], (uint32_t[]){edge, edge + 1}, sizeof s->edges[0]);
    memcpy(s->edges[2 * i + 1], (uint32_t[]){v + 2, v + 3}, sizeof s->edges[0]);
    memcpy(s->faces[i], (uint32_t[]){v + 1, v + 2, v + 3}, sizeof s->faces[0]);
    const toi_pair pairs[TOI_KIND_COUNT] = {{v, i}, {2 * i, 2 * i + 1}, {v, 2 * i}, {v, v + 1}};
    s->pairs[i] = pairs[kind];
  }
  s->mesh = (toi_mesh){.start = floats ? (const void *)s->narrow : (const void *)s->rows,
                       .scalar = floats ? TOI_FLOAT32 : TOI_FLOAT64,
                       .stride = floats ? 0 : sizeof s->rows[0],
                       .vertex_count = 4 * (size_t)COUNT,
                       .edges = (const uint32_t(*)[2])s->edges,
                       .edge_count = 2 * (size_t)COUNT,
                       .faces = (const uint32_t(*)[3])s->faces,
                       .face_count = COUNT};
}

static void batches_give_the_bits_of_single_calls(void **state) {
  (void)state;
  uint64_t random = test_seed(701);
  sample *s = calloc(1, sizeof *s);
  assert_non_null(s);
  for (int way = 0; way < 4 * TOI_KIND_COUNT; way++) {
    const toi_norm norm = (toi_norm)(way / TOI_KIND_COUNT % 2);
    sample_make(s, (toi_kind)(way % TOI_KIND_COUNT), way >= 2 * TOI_KIND_COUNT, &random);
    for (size_t i = 0; i < COUNT; i++) {
      const double(*points)[3] = (const double(*)[3])(s->points + 3 * points_of(s) * i);
      assert_int_equal(toi_distance_fast(s->kind, points, norm, &s->one[i]), TOI_OK);
    }
    for (uint32_t threads = 1; threads <= 3; threads++) {
      toi_context *context = test_context(threads);
      // Lengths that fill no chunk, one, and several.
      const size_t count = threads == 1 ? COUNT : threads == 2 ? 700 : 63;
      memset(s->found, 0xff, sizeof s->found);
      assert_int_equal(toi_distance_batch(context, s->kind, s->points, count, norm, s->found), TOI_OK);
      assert_memory_equal(s->found, s->one, count * sizeof s->one[0]);
      memset(s->found, 0xff, sizeof s->found);
      assert_int_equal(toi_distance_batch_indexed(context, s->kind, &s->mesh, s->pairs, count, norm, s->found), TOI_OK);
      assert_memory_equal(s->found, s->one, count * sizeof s->one[0]);
      toi_context_destroy(context);
    }
  }
  free(s);
}

static void assert_unknown(const sample *s) {
  for (size_t i = 0; i < COUNT; i++)
    assert_true(s->found[i].lo == 0 && isinf(s->found[i].hi) && isnan(s->found[i].u));
}

static void assert_says(const toi_context *context, const char *words) {
  if (!strstr(toi_context_error(context), words))
    fail_msg("\"%s\" does not say \"%s\"", toi_context_error(context), words);
}

static void expect(toi_context *context, sample *s, const char *words) {
  memset(s->found, 0, sizeof s->found);
  assert_int_equal(toi_distance_batch(context, s->kind, s->points, COUNT, TOI_NORM_L2, s->found), TOI_ERROR_INPUT);
  assert_unknown(s);
  assert_says(context, words);
}

static void expect_indexed(toi_context *context, sample *s, const char *words) {
  memset(s->found, 0, sizeof s->found);
  const toi_status status =
      toi_distance_batch_indexed(context, s->kind, &s->mesh, s->pairs, COUNT, TOI_NORM_L2, s->found);
  assert_int_equal(status, TOI_ERROR_INPUT);
  assert_unknown(s);
  assert_says(context, words);
}

static void faults_are_named_and_leave_safe_answers(void **state) {
  (void)state;
  uint64_t random = test_seed(702);
  sample *s = calloc(1, sizeof *s);
  toi_context *context = test_context(2);
  assert_non_null(s);
  sample_make(s, TOI_VERTEX_FACE, false, &random);
  s->points[12 * 900 + 7] = NAN;
  s->points[12 * 1400] = INFINITY;
  expect(context, s, "pair 900: coordinate y of f1 is ");
  s->rows[4 * 77][2] = -INFINITY;
  expect_indexed(context, s, "pair 77: coordinate z of v is -inf");
  s->rows[4 * 77][2] = 0;
  s->pairs[1200].second = COUNT;
  expect_indexed(context, s, "pair 1200 (4800, 1500): its second number is out of range");
  s->pairs[1200].second = 1;
  s->faces[1][2] = 4 * COUNT;
  expect_indexed(context, s, "pair 1 (4, 1): an edge or face of it names a vertex that does not exist");
  s->mesh.faces = NULL;
  expect_indexed(context, s, "NULL");
  s->kind = TOI_FACE_FACE;
  expect(context, s, "kind is 9");
  s->kind = TOI_VERTEX_FACE;
  assert_int_equal(toi_distance_batch(context, s->kind, NULL, 1, TOI_NORM_L2, s->found), TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_batch(context, s->kind, s->points, 1, TOI_NORM_L2, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_batch(context, s->kind, s->points, 1, (toi_norm)2, s->found), TOI_ERROR_OPTION);
  assert_int_equal(toi_distance_batch(NULL, s->kind, s->points, 1, TOI_NORM_L2, s->found), TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_batch_indexed(context, s->kind, NULL, s->pairs, 1, TOI_NORM_L2, s->found),
                   TOI_ERROR_INPUT);
  s->mesh.faces = (const uint32_t(*)[3])s->faces;
  assert_int_equal(toi_distance_batch_indexed(context, s->kind, &s->mesh, NULL, 1, TOI_NORM_L2, s->found),
                   TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_batch(context, s->kind, NULL, 0, TOI_NORM_L2, NULL), TOI_OK);
  toi_context_destroy(context);
  free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(batches_give_the_bits_of_single_calls),
      cmocka_unit_test(faults_are_named_and_leave_safe_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
