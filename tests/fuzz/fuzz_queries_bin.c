/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Binary query files: accepted if and only if they are whole queries of finite numbers, and read bit for bit. */

#include "fuzz/fuzz.h"

#include <toi/io.h>

#include <math.h>
#include <string.h>

/* Whether the bytes are what the format says. */
static bool is_well_formed(const uint8_t *data, size_t size) {
  const size_t query = 24 * sizeof(double);
  if (size == 0 || size % query != 0)
    return false;
  for (size_t i = 0; i < size / sizeof(double); i++) {
    double value;
    memcpy(&value, data + i * sizeof value, sizeof value);
    if (!isfinite(value))
      return false;
  }
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A gzipped one is another format.
  if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b)
    return 0;
  toi_context *context = fuzz_context();
  toi_query_set set;
  memset(&set, 0xa5, sizeof set);
  const toi_status status = toi_queries_read(context, fuzz_file("queries.bin", data, size), &set);
  FUZZ_CHECK((status == TOI_OK) == is_well_formed(data, size));
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(set.queries == NULL && set.truth == NULL && set.count == 0);
  } else {
    FUZZ_CHECK(set.count * 24 * sizeof(double) == size && set.truth == NULL && memcmp(set.queries, data, size) == 0);
    const char *path = fuzz_path("again.csv");
    toi_query_set again;
    FUZZ_CHECK(toi_queries_write(context, path, &set) == TOI_OK && toi_queries_read(context, path, &again) == TOI_OK);
    FUZZ_CHECK(again.count == set.count && fuzz_same(again.queries, set.queries, 24 * set.count));
    toi_queries_free(context, &again);
  }
  toi_queries_free(context, &set);
  toi_context_destroy(context);
  return 0;
}
