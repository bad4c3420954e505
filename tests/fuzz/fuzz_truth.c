/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Truth files, JSON or CSV by what they hold, plain or gzipped. */

#include "fuzz/fuzz.h"

#include <toi/io.h>

#include <math.h>
#include <string.h>

/* Brackets are ordered and infinite exactly where there is no hit. */
static void check_truth(const toi_truth *truth) {
  FUZZ_CHECK((truth->t_lo == NULL) == (truth->t_hi == NULL));
  for (size_t i = 0; i < truth->count; i++) {
    FUZZ_CHECK(truth->hit[i] <= 1);
    if (truth->t_lo == NULL)
      continue;
    if (truth->hit[i])
      FUZZ_CHECK(isfinite(truth->t_lo[i]) && isfinite(truth->t_hi[i]) && truth->t_lo[i] <= truth->t_hi[i]);
    else
      FUZZ_CHECK(isinf(truth->t_lo[i]) && isinf(truth->t_hi[i]));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  toi_context *context = fuzz_context();
  toi_truth truth;
  memset(&truth, 0xa5, sizeof truth);
  const toi_status status = toi_truth_read(context, fuzz_file("truth", data, size), &truth);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(truth.hit == NULL && truth.t_lo == NULL && truth.t_hi == NULL && truth.count == 0);
  } else {
    check_truth(&truth);
  }
  toi_truth_free(context, &truth);
  toi_context_destroy(context);
  return 0;
}
