/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The part of toi_explain that integers answer. */

#ifndef TOI_NARROW_EXPLAIN_H
#define TOI_NARROW_EXPLAIN_H

#include <toi/explain.h>

/* Bytes of scratch for a finite query. */
size_t toi_explain_scratch(toi_kind kind, const double *query);

/* The exact coefficients, cubic_zero, and the roots with what they are. explanation->scale must be there. */
void toi_explain_roots(toi_kind kind, const double *query, void *scratch, toi_explanation *explanation);

#endif
