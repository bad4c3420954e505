/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Answers and certificates as files. */

#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include "output.h"

/* index,verdict,t_lo,t_hi,u,v: the header, and rows numbered from `first` on. Times are C99 hex floats, so that no bit
 * is lost; a miss has inf and nan. */
toi_status answers_header(output *out);
toi_status answers_append(output *out, const toi_hit *hits, size_t count, uint64_t first);

/* A number as these files have it: decimal, or a hex float; a NaN has no sign, though printf may give it one. */
#define REAL_BYTES 40
void real_text(char text[REAL_BYTES], bool hex, double value);

/* Proves queries one by one and appends their certificates, one after another, as toi-verify reads them. */
toi_status certificates_append(toi_context *context, output *out, toi_kind kind, const double *queries, size_t count,
                               const toi_options *options);

#endif
