/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* From a query to its certificate: toi_prove answers as the method `exact` does, and the checker accepts what it
 * wrote. */

#include "fuzz/queries.h"

#include "verify/verify.h"

#include <toi/proof.h>

#include <math.h>
#include <stdio.h>

static void check_proof(const toi_proof *proof, const toi_hit *exact) {
  const toi_hit *hit = &proof->hit;
  FUZZ_CHECK(hit->verdict == exact->verdict && hit->touching_at_start == exact->touching_at_start);
  FUZZ_CHECK(hit->t_lo == exact->t_lo && hit->t_hi == exact->t_hi && hit->t_safe == exact->t_safe);
  FUZZ_CHECK(fuzz_same(&hit->u, &exact->u, 2) && fuzz_same(hit->point, exact->point, 3));
  if (hit->verdict == TOI_HIT)
    FUZZ_CHECK(proof->contact_times > 0 && proof->degree > 0 && proof->polynomial[0] != '\0');
  else
    FUZZ_CHECK(proof->contact_times == 0 && proof->degree == 0 && proof->polynomial[0] == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_bytes bytes = {.at = data, .left = size};
  toi_options options = toi_default_options();
  options.t_max = fuzz_part(&bytes);
  options.method = "exact";
  const fuzz_query query = fuzz_query_draw(&bytes);
  toi_hit exact;
  const toi_status asked = fuzz_query_ask(&query, &options, &exact);

  toi_context *context = fuzz_context();
  toi_proof *proof = NULL;
  const toi_status status =
      toi_prove(context, query.kind, query.points, query.points + query.half, &options, TOI_PROOF_CERTIFICATE, &proof);
  FUZZ_CHECK(status == asked);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(proof == NULL);
  } else {
    check_proof(proof, &exact);
    verify_report report = {0};
    const verify_status verified = verify_text(proof->certificate, strlen(proof->certificate), &report);
    if (verified != VERIFY_ACCEPTED)
      fprintf(stderr, "line %zu: %s\n%s", report.line, report.reason, proof->certificate);
    FUZZ_CHECK(verified == VERIFY_ACCEPTED);
    FUZZ_CHECK(report.hits == (exact.verdict == TOI_HIT) && report.misses == (exact.verdict == TOI_MISS));
  }
  toi_proof_free(context, proof);
  toi_context_destroy(context);
  return 0;
}
