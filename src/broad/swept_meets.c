/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which pieces of a step two boxes, or two triangles, may meet in: by groups of eight, with the kernel of this machine.
 */

#include "broad/swept_table.h"

static unsigned boxes_meet(bool wide, const toi_swept_lanes *of, const float a[6], const float b[6], unsigned wanted) {
#if defined(__x86_64__)
  if (wide)
    return toi_boxes_meet_avx2(of, a, b, wanted);
#endif
  (void)wide;
  return toi_boxes_meet_plain(of, a, b, wanted);
}

static unsigned planes_meet(bool wide, const toi_swept_lanes *of, const float *const a[3], const float n[3],
                            const float range[2]) {
#if defined(__x86_64__)
  if (wide)
    return toi_planes_meet_avx2(of, a, n, range);
#endif
  (void)wide;
  return toi_planes_meet_plain(of, a, n, range);
}

uint64_t toi_swept_meets(const toi_swept_table *table, const float a[6], const float b[6], bool fine, uint64_t mask) {
  unsigned groups = 0;
  for (int g = 0; g < TOI_GROUPS; g++)
    groups |= (mask >> (8 * g) & 255 ? 1u : 0u) << g;
  if (!fine)
    groups = boxes_meet(table->wide, &table->coarse, a, b, groups);
  uint64_t left = 0;
  for (int g = 0; g < TOI_GROUPS; g++) {
    const unsigned wanted = groups >> g & 1u ? (unsigned)(mask >> (8 * g) & 255) : 0;
    if (wanted != 0)
      left |= (uint64_t)(fine ? boxes_meet(table->wide, &table->fine[g], a, b, wanted) : wanted) << (8 * g);
  }
  return left;
}

static float projection(const float n[3], const float p[3]) {
  return (n[0] * p[0] + n[1] * p[1]) + n[2] * p[2];
}

uint64_t toi_swept_crosses(const toi_swept_table *table, const float *const a[3], const float *const b[3],
                           const float n[3], uint64_t mask) {
  const float first = projection(n, b[0]);
  float range[2] = {first, first};
  for (int p = 1; p < 3; p++) {
    const float at = projection(n, b[p]);
    range[0] = at < range[0] ? at : range[0];
    range[1] = at > range[1] ? at : range[1];
  }
  uint64_t left = 0;
  for (int g = 0; g < TOI_GROUPS; g++) {
    if ((mask >> (8 * g) & 255) == 0)
      continue;
    left |= (uint64_t)planes_meet(table->wide, &table->fine[g], a, n, range) << (8 * g);
  }
  return mask & left;
}
