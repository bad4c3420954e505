/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which of two queries touches first: the order of their exact times of first contact. Times that differ by far less
 * than doubles can tell are told apart, and equal ones are known to be equal. */

#ifndef TOI_NARROW_EXACT_ORDER_H
#define TOI_NARROW_EXACT_ORDER_H

#include "base/internal.h"

#include <toi/narrow.h>

/* A query that is a hit. */
typedef struct toi_timed {
  toi_kind kind;
  toi_norm norm;       /* of the separation */
  const double *query; /* finite, as toi_batch takes it; of a half-space, as exact_half_space.h has it */
  double separation;   /* d >= 0, finite */
  double t_lo, t_hi;   /* t_lo <= t* <= t_hi, as any method proved it; the tighter, the less there is to do */
} toi_timed;

/* -1, 0, 1 as the time of the first contact of a is <, =, > that of b. Takes memory from the thread's scratch (whose
 * contents are lost), or without a context from malloc, unless brackets that are apart settle it. */
toi_status toi_exact_order(toi_context *context, uint32_t thread, const toi_timed *a, const toi_timed *b, int *order);

/* Bytes of scratch that this takes at most, from the exponents of the coordinates. */
size_t toi_exact_order_scratch(const toi_timed *a, const toi_timed *b);

#endif
