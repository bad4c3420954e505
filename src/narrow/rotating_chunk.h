/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Chunks of queries between primitives of two turning bodies, on one thread. */

#ifndef TOI_NARROW_ROTATING_CHUNK_H
#define TOI_NARROW_ROTATING_CHUNK_H

#include "narrow/rotating_kernel.h"

/* What the queries of a call share. */
typedef struct toi_turn_question {
  const toi_moving_pair *pair;
  toi_kind kind;
  toi_options options;  /* taken and checked */
  bool exact;           /* without the filter */
  toi_context *context; /* whose scratch is used; NULL: malloc */
  uint32_t thread;
} toi_turn_question;

/* Queries back to back, at most TOI_CHUNK_QUERIES. TOI_ERROR_INPUT if a coordinate is not finite. */
toi_status toi_turn_answer(const toi_turn_question *question, const double *queries, size_t count, toi_hit *hits);

/* The kernels for this many queries. */
const toi_turn_kernels *toi_turn_kernels_best(size_t count);

#endif
