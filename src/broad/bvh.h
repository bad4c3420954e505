/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A tree of boxes eight wide, without pointers: primitives in the order of a space-filling curve, eight to a block,
 * eight blocks to a node, and so on. Node j of a level holds the boxes of nodes 8 j .. 8 j + 7 of the level below, so a
 * tree is made by going through the boxes once, and for the next step again in the same order. */

#ifndef TOI_BROAD_BVH_H
#define TOI_BROAD_BVH_H

#include "broad/broad.h"
#include "broad/buffer.h"

#define TOI_BVH_WIDTH 8
#define TOI_BVH_LEVELS 12

/* Eight boxes, coordinate by coordinate: lo x y z, then -hi x y z. A place without a box holds NaN, which is within
 * nothing. */
typedef struct toi_bvh_node {
  float at[6][TOI_BVH_WIDTH];
} toi_bvh_node;

/* Numbers of eight primitives, and of their vertices. */
typedef struct toi_bvh_eight {
  uint32_t at[TOI_BVH_WIDTH];
} toi_bvh_eight;

typedef struct toi_bvh {
  size_t count;                   /* primitives */
  size_t sizes[TOI_BVH_LEVELS];   /* nodes of each level; level 0 are the blocks, the last has one node */
  size_t offsets[TOI_BVH_LEVELS]; /* where each level begins in `nodes` */
  int levels;                     /* at least 3 */
  size_t node_count;              /* of all levels */
  size_t points;                  /* vertices of a primitive */
  toi_bvh_node *nodes;
  toi_bvh_eight *numbers;  /* one for each block */
  toi_bvh_eight *vertices; /* `points` for each block */
  uint32_t *order;         /* the sorted order; kept for the next step */
  double spread;           /* extent of blocks beside that of primitives when `order` was made */
  toi_buffer order_memory;
} toi_bvh;

/* One join under way. */
typedef struct toi_bvh_job {
  const toi_join *join;
  const toi_bvh *query, *target;
  uint32_t *lists; /* list_size for each thread */
  size_t list_size;
  uint64_t packed[256]; /* for each set of lanes, their numbers, a byte each */
} toi_bvh_job;

/* For each set of lanes their numbers, a byte each. */
void toi_pack_lanes(uint64_t packed[256]);

/* What there is one of for each instruction set, all the same in what they do. */
typedef struct toi_bvh_kernel {
  /* Joins groups [begin, end) of the query tree (nodes of its level 1) with the target tree. A toi_task. */
  toi_status (*join_groups)(void *job, uint32_t thread, size_t begin, size_t end);

  /* A block of eight primitives of the set, at these places of it: their boxes, and the box around them. Adds up, axis
   * by axis, lo and -hi of all eight. */
  void (*fill_block)(const toi_box_set *set, const uint32_t *places, toi_bvh_node *node, toi_box_row around,
                     float sums[8]);
} toi_bvh_kernel;

extern const toi_bvh_kernel toi_bvh_kernel_base;
#if defined(__x86_64__)
extern const toi_bvh_kernel toi_bvh_kernel_avx2;
#endif

#endif
