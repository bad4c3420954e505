/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Inside the broad phase `sweep`: boxes in the order in which they begin along an axis, and the kernels that sweep over
 * them, one for each instruction set. */

#ifndef TOI_BROAD_SWEEP_H
#define TOI_BROAD_SWEEP_H

#include "broad/broad.h"

/* Behind the last box stand this many that overlap nothing (all NaN), so that lanes need no remainder. */
#define TOI_SWEEP_PADDING 8

/* Boxes swept over at once by a task: the longest its queue can be. */
#define TOI_SWEEP_QUEUE 256

/* The boxes of a set by their lower ends along the sweep's axis, one array a coordinate. Axis 0 is the sweep's. */
typedef struct toi_sweep_order {
  size_t count;
  float *lo[3], *hi[3];
  uint32_t *number;    /* of the primitive */
  uint32_t *vertex[3]; /* its vertices, `points` of them */
  size_t points;
} toi_sweep_order;

/* How a pair's two numbers are written. */
typedef enum toi_sweep_turn {
  TOI_SWEEP_AS_IS,  /* the one of `from` first */
  TOI_SWEEP_TURNED, /* the one of `to` first */
  TOI_SWEEP_SORTED  /* the smaller one first */
} toi_sweep_turn;

/* One pass: each box of `from` with those of `to` that begin within its interval on the sweep's axis. */
typedef struct toi_sweep_pass {
  const toi_join *join;
  const toi_sweep_order *from, *to; /* the same in a self join: then only those further on in the order */
  bool strictly;                    /* boxes that begin where the one of `from` does are left to the other pass */
  toi_sweep_turn turn;
  const uint64_t *packed; /* for each set of lanes, their numbers, a byte each */
} toi_sweep_pass;

/* The boxes [begin, end) of `from`, at most TOI_SWEEP_QUEUE of them. */
typedef toi_status (*toi_sweep_kernel)(const toi_sweep_pass *pass, uint32_t thread, size_t begin, size_t end);

toi_status toi_sweep_plain(const toi_sweep_pass *pass, uint32_t thread, size_t begin, size_t end);
#if defined(__x86_64__)
toi_status toi_sweep_avx2(const toi_sweep_pass *pass, uint32_t thread, size_t begin, size_t end);
#endif

#endif
