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

typedef toi_bvh_node eight_boxes;

static inline eight_boxes load_node(const toi_bvh_node *node) {
  return *node;
}

static inline eight_boxes load_turned(const toi_bvh_node *node) {
  eight_boxes boxes;
  for (int k = 0; k < 6; k++)
    for (int lane = 0; lane < TOI_BVH_WIDTH; lane++)
      boxes.at[k][lane] = -node->at[k < 3 ? k + 3 : k - 3][lane];
  return boxes;
}

static inline eight_boxes spread_box(const float box[6]) {
  eight_boxes boxes;
  for (int k = 0; k < 6; k++)
    for (int lane = 0; lane < TOI_BVH_WIDTH; lane++)
      boxes.at[k][lane] = box[k];
  return boxes;
}

static inline unsigned meet(eight_boxes boxes, eight_boxes turned) {
  uint32_t meets[TOI_BVH_WIDTH];
  for (int i = 0; i < TOI_BVH_WIDTH; i++)
    meets[i] = (uint32_t)((boxes.at[0][i] <= turned.at[0][i]) & (boxes.at[1][i] <= turned.at[1][i]) &
                          (boxes.at[2][i] <= turned.at[2][i]) & (boxes.at[3][i] <= turned.at[3][i]) &
                          (boxes.at[4][i] <= turned.at[4][i]) & (boxes.at[5][i] <= turned.at[5][i]));
  return lanes_of(meets);
}

static inline unsigned meet_strictly(eight_boxes boxes, eight_boxes turned) {
  uint32_t meets[TOI_BVH_WIDTH];
  for (int i = 0; i < TOI_BVH_WIDTH; i++)
    meets[i] = (uint32_t)((boxes.at[0][i] < turned.at[0][i]) & (boxes.at[1][i] < turned.at[1][i]) &
                          (boxes.at[2][i] < turned.at[2][i]) & (boxes.at[3][i] < turned.at[3][i]) &
                          (boxes.at[4][i] < turned.at[4][i]) & (boxes.at[5][i] < turned.at[5][i]));
  return lanes_of(meets);
}

static inline unsigned meet_child(eight_boxes turned, const toi_bvh_node *node, unsigned lane) {
  eight_boxes boxes;
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < TOI_BVH_WIDTH; i++)
      boxes.at[k][i] = node->at[k][lane];
  return meet(boxes, turned);
}

static inline __attribute__((always_inline)) unsigned lanes_shared(const toi_bvh_eight *theirs, unsigned their_count,
                                                                   const uint32_t *own, unsigned own_count) {
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

static void fill_block(const toi_box_set *set, const uint32_t *places, toi_bvh_node *node, toi_box_row around,
                       float sums[8]) {
  for (int lane = 0; lane < TOI_BVH_WIDTH; lane++) {
    toi_box_row made;
    const float *row = toi_set_row(set, places[lane], made);
    for (int k = 0; k < 8; k++) {
      around[k] = lane == 0 || row[k] < around[k] ? row[k] : around[k];
      sums[k] += row[k];
    }
    for (int k = 0; k < 3; k++) {
      node->at[k][lane] = row[k];
      node->at[3 + k][lane] = row[4 + k];
    }
  }
}

#define KERNEL toi_bvh_kernel_base
#include "broad/bvh_body.h"
