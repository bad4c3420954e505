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

static inline unsigned overlap(const toi_bvh_node *node, const float box[6]) {
  uint32_t meets[TOI_BVH_WIDTH];
  for (int i = 0; i < TOI_BVH_WIDTH; i++)
    meets[i] = (uint32_t)((node->at[0][i] <= box[0]) & (node->at[1][i] <= box[1]) & (node->at[2][i] <= box[2]) &
                          (node->at[3][i] <= box[3]) & (node->at[4][i] <= box[4]) & (node->at[5][i] <= box[5]));
  return lanes_of(meets);
}

static inline unsigned overlap_strictly(const toi_bvh_node *node, const float box[6]) {
  uint32_t meets[TOI_BVH_WIDTH];
  for (int i = 0; i < TOI_BVH_WIDTH; i++)
    meets[i] = (uint32_t)((node->at[0][i] < box[0]) & (node->at[1][i] < box[1]) & (node->at[2][i] < box[2]) &
                          (node->at[3][i] < box[3]) & (node->at[4][i] < box[4]) & (node->at[5][i] < box[5]));
  return lanes_of(meets);
}

static inline unsigned lanes_equal(const toi_bvh_eight *numbers, uint32_t x) {
  uint32_t equal[TOI_BVH_WIDTH];
  for (int i = 0; i < TOI_BVH_WIDTH; i++)
    equal[i] = numbers->at[i] == x;
  return lanes_of(equal);
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
