/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What counters tell of a batch is what its hits say: by every method, of every kind, with a separation and without. */

#include "narrow/asking.h"

#define QUERIES (TEST_SANITIZED ? 80 : 300)

/* Coordinates on a coarse grid, so that all verdicts occur, and all levels of the cascade. */
static void fill_queries(toi_kind kind, uint64_t *seed, double *queries) {
  size_t row = row_of(kind);
  for (size_t i = 0; i < QUERIES * row; i++)
    queries[i] = (double)(test_random(seed) % 9) - 4 + (test_random(seed) % 4 ? test_random_unit(seed) / 4 : 0);
}

static void check_counters(toi_context *context, toi_kind kind, const toi_options *given, const double *queries) {
  toi_counters counters = {0}, told = {0};
  toi_options options = *given;
  options.counters = &counters;
  toi_hit hits[QUERIES];
  assert_int_equal(toi_batch(context, kind, queries, QUERIES, &options, hits), TOI_OK);
  for (size_t i = 0; i < QUERIES; i++) {
    told.queries++;
    told.verdicts[hits[i].verdict]++;
    told.levels[hits[i].level]++;
  }
  assert_memory_equal(&counters, &told, sizeof told);
}

static void counters_are_the_sum_of_the_hits(void **state) {
  (void)state;
  uint64_t seed = test_seed(81);
  toi_context *context = test_context(2);
  double *queries = malloc(QUERIES * 24 * sizeof *queries);
  assert_non_null(queries);
  for (size_t m = 0; toi_method_name(m) != NULL; m++)
    for (toi_kind kind = 0; kind < TOI_KIND_COUNT; kind++)
      for (int separated = 0; separated < 2; separated++) {
        toi_options options = toi_default_options();
        options.method = toi_method_name(m);
        options.min_separation = separated ? 0.125 : 0;
        fill_queries(kind, &seed, queries);
        check_counters(context, kind, &options, queries);
      }
  free(queries);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_are_the_sum_of_the_hits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
