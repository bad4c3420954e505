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

/* The same of a pair that is not rational, faces and edges, without a separation: rotating_steady.c. */
toi_status toi_turn_answer_steady(const toi_turn_question *ask, const double *queries, size_t count, toi_hit *hits);

/* The same, without a separation, of a pair that has `same_way`: hit or miss. */
toi_status toi_turn_answer_same_way(const toi_turn_question *question, const double *queries, size_t count,
                                    toi_hit *hits);

/* One query by pieces of time (rotating_search.h): under any law, with the question's separation. */
toi_status toi_turn_search_answer(const toi_turn_question *ask, const toi_rotating *query, toi_hit *hit);

/* One query by integers, of a rational pair or with the question's t_max replaced by 0. */
toi_status toi_turn_decide(const toi_turn_question *ask, const toi_rotating *query, double guess, toi_hit *hit);

/* Point and normal of a hit whose u, v and t_lo are there; direction: in the frame of the second body, of any length.
 */
void toi_turn_place(const toi_rotating *query, const double direction[3], toi_hit *hit);

/* The kernels for this many queries. */
const toi_turn_kernels *toi_turn_kernels_best(size_t count);

#endif
