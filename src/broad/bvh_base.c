/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The traversal in plain C, for compilers to make of it what the architecture's baseline allows. */

#include "broad/bvh.h"

/* The lanes that are not zero. */
static inline unsigned lanes_of(const uint32_t meets[TOI_BVH_WIDTH]) {
  unsigned lanes = 0;
  for (unsigned i = 0; i < TOI_BVH_WIDTH; i++)
    lanes |= (meets[i] & 1) << i;
  return lanes;
}

typedef const toi_bvh_node *eight_boxes;

static inline eight_boxes load_node(const toi_bvh_node *node) {
  return node;
}

static inline unsigned overlap(eight_boxes boxes, const float box[6]) {
  uint32_t meets[TOI_BVH_WIDTH];
  for (int i = 0; i < TOI_BVH_WIDTH; i++)
    meets[i] = (uint32_t)((boxes->at[0][i] <= box[0]) & (boxes->at[1][i] <= box[1]) & (boxes->at[2][i] <= box[2]) &
                          (boxes->at[3][i] <= box[3]) & (boxes->at[4][i] <= box[4]) & (boxes->at[5][i] <= box[5]));
  return lanes_of(meets);
}

static inline unsigned overlap_strictly(eight_boxes boxes, const float box[6]) {
  uint32_t meets[TOI_BVH_WIDTH];
  for (int i = 0; i < TOI_BVH_WIDTH; i++)
    meets[i] = (uint32_t)((boxes->at[0][i] < box[0]) & (boxes->at[1][i] < box[1]) & (boxes->at[2][i] < box[2]) &
                          (boxes->at[3][i] < box[3]) & (boxes->at[4][i] < box[4]) & (boxes->at[5][i] < box[5]));
  return lanes_of(meets);
}

static inline unsigned lanes_shared(const toi_bvh_eight *theirs, unsigned their_count, const uint32_t *own,
                                    unsigned own_count) {
  uint32_t shared[TOI_BVH_WIDTH] = {0};
  for (unsigned i = 0; i < their_count; i++)
    for (unsigned j = 0; j < own_count; j++)
      for (unsigned lane = 0; lane < TOI_BVH_WIDTH; lane++)
        shared[lane] |= theirs[i].at[lane] == own[j];
  return lanes_of(shared);
}

static inline void put_children(uint32_t *list, uint64_t packed, uint32_t first) {
  for (int i = 0; i < TOI_BVH_WIDTH; i++)
    list[i] = first + (uint32_t)(packed >> 8 * i & 7);
}

static inline void put_pairs(toi_pair *pairs, uint64_t packed, const toi_bvh_eight *numbers, uint32_t first,
                             bool ordered) {
  for (int i = 0; i < TOI_BVH_WIDTH; i++) {
    uint32_t second = numbers->at[packed >> 8 * i & 7];
    bool swap = ordered && second < first;
    pairs[i] = (toi_pair){swap ? second : first, swap ? first : second};
  }
}

#define GROUPS toi_bvh_groups_base
#include "broad/bvh_body.h"
