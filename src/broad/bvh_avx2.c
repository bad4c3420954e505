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

#define MEETS(k, how) _mm256_cmp_ps(boxes.at[k], _mm256_broadcast_ss(&box[k]), how)

static inline unsigned overlap(eight_boxes boxes, const float box[6]) {
  __m256 x = _mm256_and_ps(MEETS(0, _CMP_LE_OQ), MEETS(3, _CMP_LE_OQ));
  __m256 y = _mm256_and_ps(MEETS(1, _CMP_LE_OQ), MEETS(4, _CMP_LE_OQ));
  __m256 z = _mm256_and_ps(MEETS(2, _CMP_LE_OQ), MEETS(5, _CMP_LE_OQ));
  return (unsigned)_mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(x, y), z));
}

static inline unsigned overlap_strictly(eight_boxes boxes, const float box[6]) {
  __m256 x = _mm256_and_ps(MEETS(0, _CMP_LT_OQ), MEETS(3, _CMP_LT_OQ));
  __m256 y = _mm256_and_ps(MEETS(1, _CMP_LT_OQ), MEETS(4, _CMP_LT_OQ));
  __m256 z = _mm256_and_ps(MEETS(2, _CMP_LT_OQ), MEETS(5, _CMP_LT_OQ));
  return (unsigned)_mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(x, y), z));
}

static inline unsigned lanes_shared(const toi_bvh_eight *theirs, unsigned their_count, const uint32_t *own,
                                    unsigned own_count) {
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

#define GROUPS toi_bvh_groups_avx2
#include "broad/bvh_body.h"
