/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The exact method where the truth is known: real queries with published truth, verdict and bracket bit for bit, and
 * planted queries of every class. The truth files may be believed on verdict and bracket; planted truth by its
 * construction. */

#include "narrow/exact_cases.h"

#include <stdio.h>

#include <toi/io.h>

#include "planted/planted.h"

/* A query file below the data directory, and the name of its truth. */
typedef struct known {
  const char *queries, *truth;
  toi_kind kind;
} known;

#define SAMPLE(scene, kind, short, file, number)                                                                       \
  { "sample-queries/" scene "/" kind "/" file ".csv", scene "__" short "__" file, number }
#define SAMPLES(scene, file)                                                                                           \
  SAMPLE(scene, "vertex-face", "vf", file, TOI_VERTEX_FACE), SAMPLE(scene, "edge-edge", "ee", file, TOI_EDGE_EDGE)
#define BOTH(scene) SAMPLES(scene, "data_0_0"), SAMPLES(scene, "data_0_1")

static const known files[] = {
    BOTH("erleben-cube-cliff-edges"),
    BOTH("erleben-sliding-spike"),
    BOTH("erleben-spike-crack"),
    BOTH("erleben-spikes"),
    BOTH("erleben-wedge-crack"),
    SAMPLES("unit-tests", "data_0_0"),
    {"scenes/armadillo-rollers/queries/326vf.csv", "armadillo-rollers__vf__326vf", TOI_VERTEX_FACE},
    {"scenes/cloth-funnel/queries/227vf.csv", "cloth-funnel__vf__227vf", TOI_VERTEX_FACE},
    {"scenes/cloth-funnel/queries/227ee.csv", "cloth-funnel__ee__227ee", TOI_EDGE_EDGE},
    {"scenes/rod-twist/queries/3036vf.csv", "rod-twist__vf__3036vf", TOI_VERTEX_FACE},
    {"scenes/rod-twist/queries/3036ee.csv", "rod-twist__ee__3036ee", TOI_EDGE_EDGE},
    {"corner/vf.bin", "corner__vf", TOI_VERTEX_FACE},
    {"corner/ee.bin", "corner__ee", TOI_EDGE_EDGE},
};

/* Reads one file with its truth and checks all of it; returns the number of queries. */
static size_t check_file(toi_context *context, const char *directory, const known *file) {
  char path[1024];
  toi_query_set set;
  toi_truth truth;
  snprintf(path, sizeof path, "%s/%s", directory, file->queries);
  if (toi_queries_read(context, path, &set) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  snprintf(path, sizeof path, "%s/truth/%s.csv.gz", directory, file->truth);
  if (toi_truth_read(context, path, &truth) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  assert_int_equal(set.count, truth.count);
  for (size_t i = 0; i < set.count; i++) {
    const double *query = set.queries + 24 * i;
    if (truth.hit[i]) {
      toi_hit hit = expect_hit(file->kind, query, truth.t_lo[i], truth.t_hi[i]);
      toi_hit again = decide_until(file->kind, query, 1, hit.t_lo);
      assert_memory_equal(&again, &hit, sizeof hit);
    } else {
      expect_miss(file->kind, query);
    }
  }
  size_t count = set.count;
  toi_queries_free(context, &set);
  toi_truth_free(context, &truth);
  return count;
}

static void real_queries_have_their_published_truth(void **unused) {
  (void)unused;
  const char *directory = test_data_directory();
  if (directory == NULL)
    skip();
  toi_context *context;
  assert_int_equal(toi_context_create(NULL, &context), TOI_OK);
  size_t count = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    count += check_file(context, directory, &files[i]);
  print_message("%zu queries\n", count);
  toi_context_destroy(context);
}

static void planted_queries_have_their_planted_truth(void **unused) {
  (void)unused;
  uint64_t seed = test_seed(1), rounds = test_count(4000);
  for (uint32_t number = 0; number < planted_class_count(); number++) {
    for (uint64_t index = 0; index < rounds; index++) {
      planted_query query;
      planted_make(number, PLANTED_ANY, seed, index, &query);
      toi_hit hit = decide(query.kind, query.points);
      bool wrong = (hit.verdict == TOI_HIT) != query.hit;
      wrong |= query.hit && query.time_known && (hit.t_lo != query.t_lo || hit.t_hi != query.t_hi);
      if (wrong) {
        test_print_query(query.kind, query.points);
        fail_msg("%s, query %llu: verdict %d in [%a, %a], want %d in [%a, %a]", planted_class_name(number),
                 (unsigned long long)index, hit.verdict, hit.t_lo, hit.t_hi, query.hit, query.t_lo, query.t_hi);
      }
      if (query.hit)
        expect_hit(query.kind, query.points, hit.t_lo, hit.t_hi);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(real_queries_have_their_published_truth),
      cmocka_unit_test(planted_queries_have_their_planted_truth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
