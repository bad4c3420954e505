/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Answers and certificates as files. */

#include "answers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <toi/proof.h>

#include "progress.h"

#define ROW_BYTES 256

toi_status answers_header(output *out) {
  const char *header = "index,verdict,t_lo,t_hi,u,v\n";
  return output_append_text(out, header);
}

void real_text(char text[REAL_BYTES], bool hex, double value) {
  if (isnan(value))
    snprintf(text, REAL_BYTES, "nan");
  else
    snprintf(text, REAL_BYTES, hex ? "%a" : "%.17g", value);
}

toi_status answers_append(output *out, const toi_hit *hits, size_t count, uint64_t first) {
  for (size_t i = 0; i < count; i++) {
    char t_lo[REAL_BYTES], t_hi[REAL_BYTES], u[REAL_BYTES], v[REAL_BYTES], row[ROW_BYTES];
    real_text(t_lo, true, hits[i].t_lo);
    real_text(t_hi, true, hits[i].t_hi);
    real_text(u, false, hits[i].u);
    real_text(v, false, hits[i].v);
    int length = snprintf(row, sizeof row, "%llu,%s,%s,%s,%s,%s\n", (unsigned long long)(first + i),
                          toi_verdict_name((toi_verdict)hits[i].verdict), t_lo, t_hi, u, v);
    toi_status status = output_append(out, row, (size_t)length);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

toi_status certificates_append(toi_context *context, output *out, toi_kind kind, const double *queries, size_t count,
                               const toi_options *options) {
  size_t half = 3 * (size_t)toi_kind_points(kind);
  for (size_t i = 0; i < count && !progress_stopped(); i++) {
    const double *start = queries + 2 * half * i;
    toi_proof *proof;
    toi_status status = toi_prove(context, kind, start, start + half, options, TOI_PROOF_CERTIFICATE, &proof);
    if (status != TOI_OK)
      return status;
    status = output_append_text(out, proof->certificate);
    toi_proof_free(context, proof);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}
