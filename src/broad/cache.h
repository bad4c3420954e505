/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a context keeps of one broad phase for the next: memory, whose fresh pages would cost more than the work in
 * them, and the order in which primitives were sorted. An old order costs speed at most, never a pair. Where memory is
 * short, all of it is given back, unless a run is using it. */

#ifndef TOI_BROAD_CACHE_H
#define TOI_BROAD_CACHE_H

#include <stdatomic.h>

#include "base/internal.h"
#include "broad/bvh.h"
#include "broad/order.h"

typedef struct toi_broad_cache {
  toi_extension extension;
  atomic_bool in_use; /* a run is under way, or somebody gives it all back */
  toi_curve curve;
  toi_buffer rows[TOI_PRIMITIVE_COUNT];
  toi_buffer loose[TOI_PRIMITIVE_COUNT];  /* rows and numbers of loose points and edges */
  toi_buffer sort;                        /* of `sweep`: keys, while sorting */
  toi_buffer sinks;                       /* pairs and counts of every thread */
  toi_buffer lists;                       /* of every thread, while traversing */
  toi_buffer trees_memory;                /* of one join */
  toi_bvh trees[2 * TOI_PRIMITIVE_COUNT]; /* of all primitives of a sort, then of the loose ones: their orders */
} toi_broad_cache;

/* The context's own, made at the first call; NULL if there is no memory. */
toi_broad_cache *toi_broad_cache_of(toi_context *context);

/* A run begins, and ends: in between nothing is given back but by toi_broad_cache_clear(), which gives back all
 * buffers. */
void toi_broad_cache_begin(toi_broad_cache *cache);
void toi_broad_cache_end(toi_broad_cache *cache);
void toi_broad_cache_clear(toi_context *context, toi_broad_cache *cache);

#endif
