/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Cases of patches in JSON Lines, plain or gzipped: what is read can be written, reads the same, and can be asked
 * about. */

#include "fuzz/patches.h"

#include <toi/io.h>

#include <string.h>

static void check_again(toi_context *context, const toi_case_set *set) {
  const char *path = fuzz_path("again.jsonl");
  toi_case_set again;
  FUZZ_CHECK(toi_cases_write(context, path, set) == TOI_OK);
  FUZZ_CHECK(toi_cases_read(context, path, &again) == TOI_OK);
  FUZZ_CHECK(again.count == set->count);
  for (size_t i = 0; i < set->count; i++) {
    const toi_patch_case *was = toi_case_set_case(set, i), *is = toi_case_set_case(&again, i);
    fuzz_patch_same(was->a, is->a);
    fuzz_patch_same(was->b, is->b);
    FUZZ_CHECK(was->t_max == is->t_max);
  }
  toi_cases_free(context, &again);
}

/* A case that is refused leaves the safe answers for all. */
static void check_asked(toi_context *context, const toi_case_set *set) {
  enum { AT_MOST = 4 };
  const size_t count = set->count < AT_MOST ? set->count : AT_MOST;
  toi_surface_hit hits[AT_MOST];
  const toi_surface_options options = fuzz_surface_options(1);
  const toi_status status = toi_patch_batch(context, set->cases, count, &options, hits);
  if (status != TOI_OK)
    fuzz_refused(context, status);
  for (size_t i = 0; i < count; i++)
    if (status != TOI_OK)
      fuzz_surface_safe(&hits[i]);
    else
      fuzz_surface_hit(&hits[i], toi_case_set_case(set, i)->t_max);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  toi_context *context = fuzz_context();
  toi_case_set set;
  memset(&set, 0xa5, sizeof set);
  const toi_status status = toi_cases_read(context, fuzz_file("cases.jsonl", data, size), &set);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(set.cases == NULL && set.count == 0 && set.owned == NULL);
  } else {
    check_again(context, &set);
    check_asked(context, &set);
  }
  toi_cases_free(context, &set);
  toi_context_destroy(context);
  return 0;
}
