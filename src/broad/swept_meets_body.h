/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Eight pieces of a step at a time, in the lanes of a vector: written once, compiled with and without AVX2, with the
 * same bits. Whatever is not certainly apart meets: a comparison with NaN is false. The file that includes this defines
 * BOXES_MEET, LAYERS_MEET and PLANES_MEET, the names of its functions. */

#include "broad/swept_table.h"

#include <string.h>

typedef float eight __attribute__((vector_size(32)));
typedef int32_t eight_bits __attribute__((vector_size(32)));

#define LOAD(to, from) memcpy(&(to), from, sizeof(to))

/* Packs lanes that are 0 or -1 into bits, 1 for 0. */
static inline unsigned meeting(const eight_bits *apart) {
  unsigned bits = 0;
#if defined(__AVX2__)
  bits = (unsigned)__builtin_ia32_movmskps256((eight)*apart);
#else
  for (int l = 0; l < TOI_GROUP; l++)
    bits |= ((*apart)[l] ? 1u : 0u) << l;
#endif
  return ~bits & 255u;
}

/* One group. */
static inline unsigned group_meets(const toi_swept_lanes *of, const float a[6], const float b[6], unsigned wanted) {
  eight_bits apart = {0};
  eight slack;
  LOAD(slack, of->slack);
  for (int i = 0; i < 3; i++) {
    eight x, y, z, t, y0, y1, e, h;
    const float lowest = b[i] - b[3 + i], highest = b[i] + b[3 + i];
    LOAD(x, of->r[0][3 * i]);
    LOAD(y, of->r[0][3 * i + 1]);
    LOAD(z, of->r[0][3 * i + 2]);
    LOAD(t, of->t[0][i]);
    y0 = t + ((x * a[0] + y * a[1]) + z * a[2]);
    LOAD(x, of->r[1][3 * i]);
    LOAD(y, of->r[1][3 * i + 1]);
    LOAD(z, of->r[1][3 * i + 2]);
    LOAD(t, of->t[1][i]);
    y1 = t + ((x * a[0] + y * a[1]) + z * a[2]);
    LOAD(h, of->most[3 * i]);
    e = h * a[3];
    LOAD(h, of->most[3 * i + 1]);
    e += h * a[4];
    LOAD(h, of->most[3 * i + 2]);
    e += h * a[5];
    e += slack;
    apart |= ((y0 - e > highest) & (y1 - e > highest)) | ((y0 + e < lowest) & (y1 + e < lowest));
    if ((meeting(&apart) & wanted) == 0)
      return 0;
  }
  return meeting(&apart) & wanted;
}

uint64_t BOXES_MEET(const toi_swept_lanes *of, const float a[6], const float b[6], uint64_t mask) {
  const float own[6] = {a[0], a[1], a[2], a[3], a[4], a[5]}, other[6] = {b[0], b[1], b[2], b[3], b[4], b[5]};
  uint64_t left = 0;
  while (mask != 0) {
    const int begin = __builtin_ctzll(mask) & ~(TOI_GROUP - 1);
    left |= (uint64_t)group_meets(&of[begin / TOI_GROUP], own, other, (unsigned)(mask >> begin & 255)) << begin;
    mask &= ~(UINT64_C(255) << begin);
  }
  return left;
}

#define MAGNITUDE(x) ((eight)((eight_bits)(x)&0x7fffffff))

/* Of the projection on n at one end: of the centre of A's box, and how far A reaches from there. */
typedef struct reach {
  eight middle, half;
} reach;

static inline void reach_of(const toi_swept_lanes *of, int end, const toi_layer *layer, reach *at) {
  const float *n = layer->n, *box = layer->box, *own = layer->own;
  eight m[3], x, y, z;
  for (int j = 0; j < 3; j++) {
    LOAD(x, of->r[end][j]);
    LOAD(y, of->r[end][3 + j]);
    LOAD(z, of->r[end][6 + j]);
    m[j] = (n[0] * x + n[1] * y) + n[2] * z;
  }
  LOAD(x, of->t[end][0]);
  LOAD(y, of->t[end][1]);
  LOAD(z, of->t[end][2]);
  at->middle = ((n[0] * x + n[1] * y) + n[2] * z) + ((m[0] * box[0] + m[1] * box[1]) + m[2] * box[2]);
  const eight q = ((m[0] * own[0] + m[1] * own[1]) + m[2] * own[2]) * layer->part;
  at->half = MAGNITUDE(q) * layer->thin;
  for (int j = 0; j < 3; j++)
    at->half += MAGNITUDE(m[j] - q * own[j]) * box[3 + j];
}

static inline unsigned layer_meets(const toi_swept_lanes *of, const toi_layer *layer) {
  const float *n = layer->n;
  const float length = (__builtin_fabsf(n[0]) + __builtin_fabsf(n[1]) + __builtin_fabsf(n[2])) * 1.125f;
  eight slack;
  LOAD(slack, of->slack);
  slack *= length;
  reach from, to;
  reach_of(of, 0, layer, &from);
  reach_of(of, 1, layer, &to);
  const eight e = from.half * (1 + 0x1p-20f) + slack, f = to.half * (1 + 0x1p-20f) + slack;
  const eight_bits apart = ((from.middle - e > layer->range[1]) & (to.middle - f > layer->range[1])) |
                           ((from.middle + e < layer->range[0]) & (to.middle + f < layer->range[0]));
  return meeting(&apart);
}

uint64_t LAYERS_MEET(const toi_swept_lanes *of, const toi_layer *layer, uint64_t mask) {
  const toi_layer held = *layer;
  uint64_t left = 0;
  while (mask != 0) {
    const int begin = __builtin_ctzll(mask) & ~(TOI_GROUP - 1);
    left |= ((uint64_t)layer_meets(&of[begin / TOI_GROUP], &held) << begin) & mask;
    mask &= ~(UINT64_C(255) << begin);
  }
  return left;
}

/* Projections on n: those of b in [low, high], and those of a's three points, n r p + n t. */
unsigned PLANES_MEET(const toi_swept_lanes *of, const float *const a[3], const float n[3], const float range[2]) {
  const float length = (__builtin_fabsf(n[0]) + __builtin_fabsf(n[1]) + __builtin_fabsf(n[2])) * (1 + 0x1p-20f);
  eight e;
  LOAD(e, of->slack);
  e *= length;
  eight_bits above = {-1, -1, -1, -1, -1, -1, -1, -1}, below = above;
  for (int end = 0; end < 2; end++) {
    eight m[3], g, x, y, z;
    for (int j = 0; j < 3; j++) {
      LOAD(x, of->r[end][j]);
      LOAD(y, of->r[end][3 + j]);
      LOAD(z, of->r[end][6 + j]);
      m[j] = (n[0] * x + n[1] * y) + n[2] * z;
    }
    LOAD(x, of->t[end][0]);
    LOAD(y, of->t[end][1]);
    LOAD(z, of->t[end][2]);
    g = (n[0] * x + n[1] * y) + n[2] * z;
    for (int p = 0; p < 3; p++) {
      const eight at = g + ((m[0] * a[p][0] + m[1] * a[p][1]) + m[2] * a[p][2]);
      above &= at - e > range[1];
      below &= at + e < range[0];
    }
  }
  above |= below;
  return meeting(&above);
}
