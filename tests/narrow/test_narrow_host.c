/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The narrow phase in every floating-point state of the caller: the same bits as in the default state, and the state
 * and its flags as they were. */

#include <stdlib.h>
#include <string.h>

#include <toi/distance.h>
#include <toi/narrow.h>
#include <toi/proof.h>

#include "support/float_state.h"
#include "support/support.h"

#define QUERIES 64
#define TEXT 4096

/* Everything that is asked about one set of queries. */
typedef struct answers {
  toi_hit single[QUERIES], batch[QUERIES], indexed[QUERIES];
  toi_distance distances[QUERIES];
  double parts[QUERIES];
  size_t sizes[QUERIES];
  char text[QUERIES][TEXT];
  char proofs[8][TEXT]; /* polynomial, and certificate as far as it fits */
} answers;

typedef struct asking {
  toi_context *context;
  toi_kind kind;
  toi_options options;
  double queries[QUERIES][24];
  double start[4 * QUERIES][3], end[4 * QUERIES][3]; /* the same points as a mesh */
  uint32_t faces[QUERIES][3], edges[2 * QUERIES][2];
  toi_pair pairs[QUERIES];
  toi_mesh mesh;
} asking;

/* Small whole numbers of `unit`. */
static void make_queries(asking *a, uint64_t *random, double unit) {
  const size_t half = a->kind == TOI_VERTEX_EDGE ? 9 : a->kind == TOI_VERTEX_VERTEX ? 6 : 12;
  memset(a->start, 0, sizeof a->start);
  memset(a->end, 0, sizeof a->end);
  for (uint32_t i = 0; i < QUERIES; i++) {
    for (size_t k = 0; k < 2 * half; k++)
      a->queries[i][k] = unit * ((double)(test_random(random) % 16) - 8);
    memcpy(a->start[4 * i], a->queries[i], half * sizeof(double));
    memcpy(a->end[4 * i], a->queries[i] + half, half * sizeof(double));
    for (uint32_t k = 0; k < 3; k++)
      a->faces[i][k] = 4 * i + 1 + k;
    const uint32_t second = a->kind == TOI_EDGE_EDGE ? 2 : 1;
    for (uint32_t k = 0; k < 2; k++) {
      a->edges[2 * i][k] = 4 * i + k;
      a->edges[2 * i + 1][k] = 4 * i + second + k;
    }
    const toi_pair pairs[] = {{4 * i, i}, {2 * i, 2 * i + 1}, {4 * i, 2 * i + 1}, {4 * i, 4 * i + 1}};
    a->pairs[i] = pairs[a->kind];
  }
  a->mesh = (toi_mesh){.start = a->start,
                       .end = a->end,
                       .vertex_count = sizeof(a->start) / sizeof(*a->start),
                       .edges = (const uint32_t(*)[2])a->edges,
                       .edge_count = sizeof(a->edges) / sizeof(*a->edges),
                       .faces = (const uint32_t(*)[3])a->faces,
                       .face_count = QUERIES};
}

typedef toi_status (*single_call)(const double (*start)[3], const double (*end)[3], const toi_options *options,
                                  toi_hit *hit);

static toi_status ask_hits(const asking *a, answers *out) {
  static const single_call singles[] = {toi_vertex_face, toi_edge_edge, toi_vertex_edge, toi_vertex_vertex};
  static double packed[QUERIES * 24];
  const size_t row = 6 * toi_kind_points(a->kind);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < QUERIES && status == TOI_OK; i++) {
    memcpy(packed + i * row, a->queries[i], row * sizeof(double));
    status = singles[a->kind](a->start + 4 * i, a->end + 4 * i, &a->options, &out->single[i]);
  }
  if (status == TOI_OK)
    status = toi_batch(a->context, a->kind, packed, QUERIES, &a->options, out->batch);
  if (status == TOI_OK)
    status = toi_batch_indexed(a->context, a->kind, &a->mesh, a->pairs, QUERIES, &a->options, out->indexed);
  return status;
}

static toi_status ask_distances(const asking *a, answers *out) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < QUERIES && status == TOI_OK; i++) {
    const double(*points)[3] = a->start + 4 * i;
    const toi_norm norm = i % 2 ? TOI_NORM_L2 : TOI_NORM_LINF;
    status = toi_distance_fast(a->kind, points, norm, &out->distances[i]);
    if (status == TOI_OK)
      status = toi_distance_part(a->kind, points, norm, 0.3, &out->parts[i]);
    out->sizes[i] = TEXT;
    if (status == TOI_OK)
      status = toi_distance_rational(a->kind, points, norm, out->text[i], &out->sizes[i]);
  }
  return status;
}

static toi_status ask_proofs(const asking *a, answers *out) {
  toi_options options = toi_default_options();
  toi_status status = TOI_OK;
  for (size_t i = 0; i < 4 && status == TOI_OK; i++) {
    toi_proof *proof;
    status = toi_prove(a->context, a->kind, a->start[4 * i], a->end[4 * i], &options, TOI_PROOF_CERTIFICATE, &proof);
    if (status != TOI_OK)
      continue;
    strncpy(out->proofs[2 * i], proof->polynomial, TEXT - 1);
    strncpy(out->proofs[2 * i + 1], proof->certificate, TEXT - 1);
    toi_proof_free(a->context, proof);
  }
  return status;
}

static toi_status ask(const asking *a, answers *out) {
  memset(out, 0, sizeof *out);
  toi_status status = ask_hits(a, out);
  if (status == TOI_OK)
    status = ask_distances(a, out);
  return status == TOI_OK ? ask_proofs(a, out) : status;
}

static void check_kind(asking *a, const char *what) {
  answers *expected = calloc(2, sizeof *expected), *found = expected + 1;
  assert_non_null(expected);
  assert_int_equal(ask(a, expected), TOI_OK);
  for (unsigned state = 0; state < TEST_FLOAT_STATES; state++) {
    const uint64_t before = test_float_enter(state);
    const toi_status status = ask(a, found);
    const uint64_t after = test_float_leave();
    if (status != TOI_OK || after != before || memcmp(found, expected, sizeof *found) != 0)
      fail_msg("%s, %s in state %u: status %d, state %#llx after %#llx", what, toi_kind_name(a->kind), state, status,
               (unsigned long long)after, (unsigned long long)before);
  }
  free(expected);
}

static void every_call_in_every_state(void **unused) {
  (void)unused;
  static const double units[] = {0x1p-1074, 0.1, 0x1p1019};
  uint64_t random = test_seed(0x51ee9303);
  asking *a = calloc(1, sizeof *a);
  assert_non_null(a);
  a->context = test_context(2);
  for (uint64_t round = 0; round < test_count(4); round++)
    for (int u = 0; u < 3; u++)
      for (a->kind = 0; a->kind < TOI_KIND_COUNT; a->kind++) {
        a->options = toi_default_options();
        a->options.min_separation = round % 4 == 1 ? units[u] : 0;
        a->options.separation_fraction = round % 4 == 2 ? 0.25 : 0;
        a->options.method = round % 4 == 3 ? "tight-inclusion" : NULL;
        make_queries(a, &random, units[u]);
        check_kind(a, u == 0 ? "subnormal" : u == 1 ? "ordinary" : "huge");
      }
  toi_context_destroy(a->context);
  free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_call_in_every_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
