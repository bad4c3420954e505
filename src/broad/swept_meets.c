/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which pieces of a step two boxes, or two triangles, may meet in: eight pieces at a time, in lanes that the compiler
 * puts in vectors. Whatever is not certainly apart meets: a comparison with NaN is false. */

#include "broad/swept_table.h"

enum { LANES = TOI_GROUP };

/* Where the rows of eight pieces begin. */
typedef struct lanes {
  const float *r[9], *t[3], *slack;
} lanes;

static lanes lanes_of_group(const toi_swept_table *table, int group) {
  lanes of = {.slack = table->fine.slack + group * LANES};
  for (int i = 0; i < 9; i++)
    of.r[i] = table->fine.r[i] + group * LANES;
  for (int i = 0; i < 3; i++)
    of.t[i] = table->fine.t[i] + group * LANES;
  return of;
}

static lanes lanes_of_groups(const toi_swept_table *table) {
  lanes of = {.slack = table->coarse.slack};
  for (int i = 0; i < 9; i++)
    of.r[i] = table->coarse.r[i];
  for (int i = 0; i < 3; i++)
    of.t[i] = table->coarse.t[i];
  return of;
}

static inline float magnitude(float x) {
  return __builtin_fabsf(x);
}

static inline float larger(float x, float y) {
  return x > y ? x : y;
}

static inline float smaller(float x, float y) {
  return x < y ? x : y;
}

/* Packs lanes that are 0 or not into bits. */
static unsigned bits_of(const int32_t apart[LANES]) {
  unsigned bits = 0;
  for (int l = 0; l < LANES; l++)
    bits |= (apart[l] ? 0u : 1u) << l;
  return bits;
}

static unsigned boxes_meet(const lanes *of, const float a[6], const float b[6]) {
  int32_t apart[LANES] = {0};
  for (int i = 0; i < 3; i++) {
    const float *x = of->r[3 * i], *y = of->r[3 * i + 1], *z = of->r[3 * i + 2], *t = of->t[i], *slack = of->slack;
    const float lowest = b[i] - b[3 + i], highest = b[i] + b[3 + i];
    for (int l = 0; l < LANES; l++) {
      const float y0 = t[l] + ((x[l] * a[0] + y[l] * a[1]) + z[l] * a[2]);
      const float y1 = t[l + 1] + ((x[l + 1] * a[0] + y[l + 1] * a[1]) + z[l + 1] * a[2]);
      const float e =
          ((larger(magnitude(x[l]), magnitude(x[l + 1])) * a[3] + larger(magnitude(y[l]), magnitude(y[l + 1])) * a[4]) +
           larger(magnitude(z[l]), magnitude(z[l + 1])) * a[5]) +
          slack[l];
      apart[l] |= (smaller(y0, y1) - e > highest) | (larger(y0, y1) + e < lowest);
    }
    if (i < 2 && bits_of(apart) == 0)
      return 0;
  }
  return bits_of(apart);
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
    const lanes of = lanes_of_groups(table);
    return mask & spread_byte(boxes_meet(&of, a, b));
  }
  uint64_t left = 0;
  for (int g = 0; g < TOI_GROUPS; g++) {
    if ((mask >> (8 * g) & 255) == 0)
      continue;
    const lanes of = lanes_of_group(table, g);
    left |= (uint64_t)boxes_meet(&of, a, b) << (8 * g);
  }
  return mask & left;
}

/* Projections on n: those of b in [low, high], and those of a's three points, n r p + n t. */
static unsigned planes_meet(const lanes *of, const float *const a[3], const float n[3], const float range[2]) {
  int32_t apart[LANES];
  const float length = (magnitude(n[0]) + magnitude(n[1]) + magnitude(n[2])) * (1 + 0x1p-20f);
  float least[LANES], most[LANES];
  for (int l = 0; l < LANES; l++) {
    least[l] = __builtin_inff();
    most[l] = -__builtin_inff();
  }
  for (int end = 0; end < 2; end++) {
    float m[3][LANES], g[LANES];
    for (int j = 0; j < 3; j++)
      for (int l = 0; l < LANES; l++)
        m[j][l] = (n[0] * of->r[j][end + l] + n[1] * of->r[3 + j][end + l]) + n[2] * of->r[6 + j][end + l];
    for (int l = 0; l < LANES; l++)
      g[l] = (n[0] * of->t[0][end + l] + n[1] * of->t[1][end + l]) + n[2] * of->t[2][end + l];
    for (int p = 0; p < 3; p++)
      for (int l = 0; l < LANES; l++) {
        const float at = g[l] + ((m[0][l] * a[p][0] + m[1][l] * a[p][1]) + m[2][l] * a[p][2]);
        least[l] = smaller(at, least[l]);
        most[l] = larger(at, most[l]);
      }
  }
  for (int l = 0; l < LANES; l++) {
    const float e = of->slack[l] * length;
    apart[l] = (least[l] - e > range[1]) | (most[l] + e < range[0]);
  }
  return bits_of(apart);
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
    const lanes of = lanes_of_group(table, g);
    left |= (uint64_t)planes_meet(&of, a, n, range) << (8 * g);
  }
  return mask & left;
}
