/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A vertex and a half-space, for calls with a context and without: bounds in doubles settle most, integers the rest. */

#ifndef TOI_NARROW_HALF_SPACE_H
#define TOI_NARROW_HALF_SPACE_H

#include "narrow/exact_half_space.h"
#include "narrow/half_space_normal.h"

#include <toi/distance.h>

/* A vertex in motion, as exact_half_space.h has it; all finite. */
typedef struct toi_half_space_query {
  double at[TOI_HALF_SPACE_QUERY];
  toi_context *context; /* NULL: none */
  uint32_t thread;
} toi_half_space_query;

/* What is asked about it. */
typedef struct toi_half_space_question {
  const toi_options *options; /* taken and checked: t_max, norm and separation_fraction are used */
  double least;               /* T: min_separation and thickness */
  double until;               /* contacts after this time, at most t_max, may be left out */
  bool quiet;                 /* of a miss only the verdict is wanted */
} toi_half_space_question;

/* The separation is that of toi_separation_of(). Fails with TOI_ERROR_MEMORY only. */
toi_status toi_half_space_answer(const toi_half_space_query *query, const toi_half_space_question *question,
                                 toi_hit *hit);

/* At the start, with the promises of toi_half_space_distance(); of toi_instant_compare() and toi_instant_share(). */
toi_status toi_half_space_measure(const toi_half_space_query *query, toi_norm norm, toi_distance *distance);
toi_status toi_half_space_compare(const toi_half_space_query *query, toi_norm norm, double x, int *order);
toi_status toi_half_space_share(const toi_half_space_query *query, toi_norm norm, const toi_share *share,
                                double *value);

/* -1, 0, 1 as the vertex starts behind the plane, on it, or in front of it. */
toi_status toi_half_space_side(const toi_half_space_query *query, int *side);

#endif
