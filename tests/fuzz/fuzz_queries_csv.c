/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Query files in text, plain or gzipped, with and without truth: what is read can be written, and reads the same. */

#include "fuzz/fuzz.h"

#include <toi/io.h>

#include <math.h>
#include <string.h>

static void check_again(toi_context *context, const char *name, const toi_query_set *set, bool with_truth) {
  const char *path = fuzz_path(name);
  toi_query_set again;
  FUZZ_CHECK(toi_queries_write(context, path, set) == TOI_OK);
  FUZZ_CHECK(toi_queries_read(context, path, &again) == TOI_OK);
  FUZZ_CHECK(again.count == set->count && fuzz_same(again.queries, set->queries, 24 * set->count));
  FUZZ_CHECK((again.truth != NULL) == (with_truth && set->truth != NULL));
  FUZZ_CHECK(again.truth == NULL || memcmp(again.truth, set->truth, set->count) == 0);
  toi_queries_free(context, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  toi_context *context = fuzz_context();
  toi_query_set set;
  memset(&set, 0xa5, sizeof set);
  const toi_status status = toi_queries_read(context, fuzz_file("queries.csv", data, size), &set);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(set.queries == NULL && set.truth == NULL && set.count == 0);
  } else {
    FUZZ_CHECK(set.count > 0);
    for (size_t i = 0; i < 24 * set.count; i++)
      FUZZ_CHECK(isfinite(set.queries[i]));
    for (size_t i = 0; set.truth != NULL && i < set.count; i++)
      FUZZ_CHECK(set.truth[i] <= 1);
    check_again(context, "again.csv", &set, true);
    check_again(context, "again.bin", &set, false);
  }
  toi_queries_free(context, &set);
  toi_context_destroy(context);
  return 0;
}
