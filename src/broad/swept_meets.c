/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which pieces of a step two boxes, or two triangles, may meet in: by groups of eight, with the kernel of this machine.
 */

#include "broad/swept_table.h"

#include <string.h>

static uint64_t boxes_meet(bool wide, const toi_swept_lanes *of, const float a[6], const float b[6], uint64_t mask) {
#if defined(__x86_64__)
  if (wide)
    return toi_boxes_meet_avx2(of, a, b, mask);
#endif
  (void)wide;
  return toi_boxes_meet_plain(of, a, b, mask);
}

static uint64_t layers_meet(bool wide, const toi_swept_lanes *of, const toi_layer *layer, uint64_t mask) {
#if defined(__x86_64__)
  if (wide)
    return toi_layers_meet_avx2(of, layer, mask);
#endif
  (void)wide;
  return toi_layers_meet_plain(of, layer, mask);
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

/* Bit g of the result: some piece of group g. */
static uint64_t groups_of(uint64_t mask) {
  mask |= mask >> 4;
  mask |= mask >> 2;
  mask |= mask >> 1;
  return (mask & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

/* All pieces of these groups. */
static uint64_t pieces_of(uint64_t groups) {
  const uint64_t spread = groups * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
  return ((spread + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101)) * 255;
}

uint64_t toi_swept_meets(const toi_swept_table *table, const float a[6], const float b[6], bool fine, uint64_t mask) {
  if (fine)
    return boxes_meet(table->wide, table->fine, a, b, mask);
  return mask & pieces_of(boxes_meet(table->wide, &table->coarse, a, b, groups_of(mask)));
}

static float projection(const float n[3], const float p[3]) {
  return (n[0] * p[0] + n[1] * p[1]) + n[2] * p[2];
}

static void direction_of(const toi_body_slab *slab, float n[3]) {
  for (int k = 0; k < 3; k++)
    n[k] = (float)slab->n[k] * 0x1p-7f;
}

uint64_t toi_swept_layers(const toi_swept_table *table, const toi_body_tree *const tree[2], const uint32_t node[2],
                          bool fine, uint64_t mask) {
  const toi_body_slab *a = &tree[0]->slab[node[0]], *b = &tree[1]->slab[node[1]];
  toi_layer layer;
  memcpy(layer.box, tree[0]->box[node[0]], sizeof layer.box);
  direction_of(a, layer.own);
  direction_of(b, layer.n);
  const float square = projection(layer.own, layer.own);
  // A slab across nothing is left out: 0 times an infinite thickness would be no number.
  layer.part = square > 0 ? 1 / square : 0;
  layer.thin = square > 0 ? toi_slab_thickness(a->thin) : 0;
  const float middle = projection(layer.n, tree[1]->box[node[1]]), half = toi_slab_thickness(b->thin);
  layer.range[0] = middle - half;
  layer.range[1] = middle + half;
  if (fine)
    return layers_meet(table->wide, table->fine, &layer, mask);
  return mask & pieces_of(layers_meet(table->wide, &table->coarse, &layer, groups_of(mask)));
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
