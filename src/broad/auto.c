/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The broad phase `auto`: picks one of the others, join by join.
 *
 * Measured with toi-bench-broad, microseconds per call, one thread; a first call builds the tree, later ones refit it:
 *
 *                       bvh first   bvh   sweep   brute
 *   42 boxes                  120    10      20       5
 *   140                       140    10      20      20
 *   700                       140    30      60     180
 *   7,000                     640   290     710  13,400
 *   7,000 in a rod            580   210     340  13,100
 *
 * On the five scenes the tree is three to seven times as fast as the sweep. So brute force where a join has few pairs,
 * the tree elsewhere. */

#include "broad/broad.h"

/* Pairs that are tried sooner than a tree is visited. */
#define FEW_PAIRS 2048

static toi_status join_auto(toi_context *context, const toi_join *join) {
  const uint64_t pairs = (uint64_t)join->a.count * join->b.count / (join->self ? 2 : 1);
  return pairs <= FEW_PAIRS ? toi_broad_brute.join(context, join) : toi_broad_bvh.join(context, join);
}

const toi_broad_method toi_broad_auto = {
    .name = "auto",
    .promise = "Chooses by the number of boxes: brute for a few, otherwise bvh.",
    .join = join_auto,
    .on_the_way = true,
};
