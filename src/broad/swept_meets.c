/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which pieces of a step two boxes, or two triangles, may meet in: by groups of eight, with the kernel of this machine.
 */

#include "broad/swept_table.h"

static toi_swept_lanes lanes_of_group(const toi_swept_table *table, int group) {
  toi_swept_lanes of = {.slack = table->fine.slack + group * TOI_GROUP};
  for (int i = 0; i < 9; i++) {
    of.r[i] = table->fine.r[i] + group * TOI_GROUP;
    of.most[i] = table->fine.most[i] + group * TOI_GROUP;
  }
  for (int i = 0; i < 3; i++)
    of.t[i] = table->fine.t[i] + group * TOI_GROUP;
  return of;
}

static toi_swept_lanes lanes_of_groups(const toi_swept_table *table) {
  toi_swept_lanes of = {.slack = table->coarse.slack};
  for (int i = 0; i < 9; i++) {
    of.r[i] = table->coarse.r[i];
    of.most[i] = table->coarse.most[i];
  }
  for (int i = 0; i < 3; i++)
    of.t[i] = table->coarse.t[i];
  return of;
}

static unsigned boxes_meet(bool wide, const toi_swept_lanes *of, const float a[6], const float b[6]) {
#if defined(__x86_64__)
  if (wide)
    return toi_boxes_meet_avx2(of, a, b);
#endif
  (void)wide;
  return toi_boxes_meet_plain(of, a, b);
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

/* Bits of pieces whose groups are in the byte. */
static uint64_t spread_byte(unsigned byte) {
  uint64_t mask = 0;
  for (int g = 0; g < TOI_GROUPS; g++)
    mask |= (byte >> g & 1u ? UINT64_C(255) : 0) << (8 * g);
  return mask;
}

uint64_t toi_swept_meets(const toi_swept_table *table, const float a[6], const float b[6], bool fine, uint64_t mask) {
  if (!fine) {
    const toi_swept_lanes of = lanes_of_groups(table);
    return mask & spread_byte(boxes_meet(table->wide, &of, a, b));
  }
  uint64_t left = 0;
  for (int g = 0; g < TOI_GROUPS; g++) {
    if ((mask >> (8 * g) & 255) == 0)
      continue;
    const toi_swept_lanes of = lanes_of_group(table, g);
    left |= (uint64_t)boxes_meet(table->wide, &of, a, b) << (8 * g);
  }
  return mask & left;
}

uint64_t toi_swept_crosses(const toi_swept_table *table, const float *const a[3], const float *const b[3],
                           const float n[3], uint64_t mask) {
  float range[2];
  for (int p = 0; p < 3; p++) {
    const float at = (n[0] * b[p][0] + n[1] * b[p][1]) + n[2] * b[p][2];
    range[0] = p == 0 || at < range[0] ? at : range[0];
    range[1] = p == 0 || at > range[1] ? at : range[1];
  }
  uint64_t left = 0;
  for (int g = 0; g < TOI_GROUPS; g++) {
    if ((mask >> (8 * g) & 255) == 0)
      continue;
    const toi_swept_lanes of = lanes_of_group(table, g);
    left |= (uint64_t)planes_meet(table->wide, &of, a, n, range) << (8 * g);
  }
  return mask & left;
}
