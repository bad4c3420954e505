/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A join of two trees on the context's device, and what is left to the CPU if the device is lost in the midst of it. */

#ifndef TOI_BROAD_DEVICE_JOIN_H
#define TOI_BROAD_DEVICE_JOIN_H

#include "broad/bvh.h"
#include "broad/sweep.h"

/* Which pairs were handed on before the device was lost: the blocks of every primitive of both sides, by number. */
typedef struct toi_join_done {
  uint32_t *query, *target; /* query NULL: none was */
  size_t query_count, target_count;
  toi_device_done pairs;
} toi_join_done;

/* Joins the trees on the device, if the context has one and the join is one for it. *finished: all pairs were handed
 * on; else the CPU must do the join, but for those in *done. */
toi_status toi_device_join_trees(toi_context *context, const toi_join *join, const toi_bvh *query,
                                 const toi_bvh *target, toi_join_done *done, bool *finished);

/* The same by a sweep along an axis: the sides in its order. */
toi_status toi_device_join_sorted(toi_context *context, const toi_join *join, const toi_sweep_order *query,
                                  const toi_sweep_order *target, int axis, toi_join_done *done, bool *finished);

/* Keeps the pairs that are not in join->done, in place; returns how many. */
size_t toi_keep_undone(const toi_join *join, toi_pair *pairs, size_t count);

/* Empties the sinks, frees join->done, and returns the status. */
toi_status toi_join_done_end(toi_context *context, const toi_join *join, toi_status status);

#endif
