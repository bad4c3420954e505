/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The traversal with AVX2: eight boxes to a register. */

#include "broad/bvh.h"

#include <immintrin.h>

static inline __m256i packed_lanes(uint64_t packed) {
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)packed));
}

typedef struct eight_boxes {
  __m256 at[6];
} eight_boxes;

static inline eight_boxes load_node(const toi_bvh_node *node) {
  eight_boxes boxes;
  for (int k = 0; k < 6; k++)
    boxes.at[k] = _mm256_load_ps(node->at[k]);
  return boxes;
}

static inline eight_boxes load_turned(const toi_bvh_node *node) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  eight_boxes boxes;
  for (int k = 0; k < 6; k++)
    boxes.at[k] = _mm256_xor_ps(_mm256_load_ps(node->at[k < 3 ? k + 3 : k - 3]), sign);
  return boxes;
}

static inline eight_boxes spread_box(const float box[6]) {
  eight_boxes boxes;
  for (int k = 0; k < 6; k++)
    boxes.at[k] = _mm256_broadcast_ss(&box[k]);
  return boxes;
}

#define MEET(k, how) _mm256_cmp_ps(boxes.at[k], turned.at[k], how)

static inline unsigned meet(eight_boxes boxes, eight_boxes turned) {
  __m256 x = _mm256_and_ps(MEET(0, _CMP_LE_OQ), MEET(3, _CMP_LE_OQ));
  __m256 y = _mm256_and_ps(MEET(1, _CMP_LE_OQ), MEET(4, _CMP_LE_OQ));
  __m256 z = _mm256_and_ps(MEET(2, _CMP_LE_OQ), MEET(5, _CMP_LE_OQ));
  return (unsigned)_mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(x, y), z));
}

static inline unsigned meet_strictly(eight_boxes boxes, eight_boxes turned) {
  __m256 x = _mm256_and_ps(MEET(0, _CMP_LT_OQ), MEET(3, _CMP_LT_OQ));
  __m256 y = _mm256_and_ps(MEET(1, _CMP_LT_OQ), MEET(4, _CMP_LT_OQ));
  __m256 z = _mm256_and_ps(MEET(2, _CMP_LT_OQ), MEET(5, _CMP_LT_OQ));
  return (unsigned)_mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(x, y), z));
}

static inline unsigned meet_child(eight_boxes turned, const toi_bvh_node *node, unsigned lane) {
  eight_boxes boxes;
  for (int k = 0; k < 6; k++)
    boxes.at[k] = _mm256_broadcast_ss(&node->at[k][lane]);
  return meet(boxes, turned);
}

static inline __attribute__((always_inline)) unsigned lanes_shared(const toi_bvh_eight *theirs, unsigned their_count,
                                                                   const uint32_t *own, unsigned own_count) {
  __m256i shared = _mm256_setzero_si256();
  for (unsigned i = 0; i < their_count; i++)
    for (unsigned j = 0; j < own_count; j++) {
      __m256i their = _mm256_load_si256((const __m256i *)theirs[i].at);
      shared = _mm256_or_si256(shared, _mm256_cmpeq_epi32(their, _mm256_set1_epi32((int)own[j])));
    }
  return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(shared));
}

static inline void put_children(uint32_t *list, uint64_t packed, uint32_t first) {
  __m256i children = _mm256_add_epi32(packed_lanes(packed), _mm256_set1_epi32((int)first));
  _mm256_storeu_si256((__m256i *)list, children);
}

static inline void put_pairs(toi_pair *pairs, uint64_t packed, const toi_bvh_eight *numbers, uint32_t first,
                             bool ordered) {
  __m256i second = _mm256_permutevar8x32_epi32(_mm256_load_si256((const __m256i *)numbers->at), packed_lanes(packed));
  __m256i one = _mm256_set1_epi32((int)first);
  __m256i low = ordered ? _mm256_min_epu32(one, second) : one;
  __m256i high = ordered ? _mm256_max_epu32(one, second) : second;
  __m256i even = _mm256_unpacklo_epi32(low, high), odd = _mm256_unpackhi_epi32(low, high);
  _mm256_storeu_si256((__m256i *)pairs, _mm256_permute2x128_si256(even, odd, 0x20));
  _mm256_storeu_si256((__m256i *)(pairs + 4), _mm256_permute2x128_si256(even, odd, 0x31));
}

static inline __m256 row_of(const toi_box_set *set, uint32_t place) {
  if (set->rows)
    return _mm256_loadu_ps(set->rows[place]);
  const uint32_t *vertices = set->indices + toi_primitive_points(set->primitive) * place;
  __m256 row =
      _mm256_min_ps(_mm256_loadu_ps(set->vertex_rows[vertices[0]]), _mm256_loadu_ps(set->vertex_rows[vertices[1]]));
  return set->primitive == TOI_PRIMITIVE_FACE ? _mm256_min_ps(row, _mm256_loadu_ps(set->vertex_rows[vertices[2]]))
                                              : row;
}

/* The lower or the upper halves of two rows; the choice is in the instruction, so it has to be written out. */
static inline __m256 halves(__m256 a, __m256 b, int upper) {
  return upper ? _mm256_permute2f128_ps(a, b, 0x31) : _mm256_permute2f128_ps(a, b, 0x20);
}

static void fill_block(const toi_box_set *set, const uint32_t *places, toi_bvh_node *node, toi_box_row around,
                       float sums[8]) {
  __m256 row[TOI_BVH_WIDTH];
  for (int lane = 0; lane < TOI_BVH_WIDTH; lane++)
    row[lane] = row_of(set, places[lane]);
  __m256 low = row[0], sum = row[0];
  for (int lane = 1; lane < TOI_BVH_WIDTH; lane++) {
    low = _mm256_min_ps(low, row[lane]);
    sum = _mm256_add_ps(sum, row[lane]);
  }
  _mm256_storeu_ps(around, low);
  _mm256_storeu_ps(sums, sum);

  // Rows to columns: pairs, fours, halves. Columns 3 and 7 are not needed.
  for (int half = 0; half < 2; half++) {
    __m256 a = halves(row[0], row[4], half);
    __m256 b = halves(row[1], row[5], half);
    __m256 c = halves(row[2], row[6], half);
    __m256 d = halves(row[3], row[7], half);
    __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);
    _mm256_store_ps(node->at[3 * half], _mm256_shuffle_ps(ab, cd, 0x44));
    _mm256_store_ps(node->at[3 * half + 1], _mm256_shuffle_ps(ab, cd, 0xee));
    ab = _mm256_unpackhi_ps(a, b);
    cd = _mm256_unpackhi_ps(c, d);
    _mm256_store_ps(node->at[3 * half + 2], _mm256_shuffle_ps(ab, cd, 0x44));
  }
}

#define KERNEL toi_bvh_kernel_avx2
#include "broad/bvh_body.h"
