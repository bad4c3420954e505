/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* When may two pieces touch? The test that a search makes for every pair of them.
 *
 * Along an axis n, h(t) = max n.A - min n.B + slack is convex (lemma 7 of docs/guarantees.md). Where h < 0 at both ends
 * of a span of time the pieces are apart throughout; at one end only, up to where the chord between the ends' values is
 * zero. The same with A and B exchanged. What the axes leave over is one span.
 *
 * Promise: at all times of the given span that are left out, the pieces are apart by more than the separation, all
 * rounding counted. The answer is the same bits on every machine.
 *
 * Why: computed coordinates are within |n|_1 error of the true ones for each piece (piece.h), and the separation d
 * keeps them d |n| apart, in the norm dual to the separation's: |n|_1 for the largest coordinate, |n|_2 for the
 * Euclidean one. The slack is the sum, and MORE times it covers the rounding of itself and of the difference: fl(x - y)
 * + s < 0 needs x - y < -s (1 - 2 u) at most. The chord's zero lies at the part w = -h0 / (h1 - h0) of the span. Three
 * roundings, u each, are made up for by w (1 - 2^-48), the sum t0 + w (t1 - t0) by (1 - 2^-51), and underflow by
 * 2^-1070. If h0 + slack is itself off by u (|h0| + slack), MORE has made up for it. */

#ifndef TOI_SURFACE_APART_H
#define TOI_SURFACE_APART_H

#include "number/interval.h"
#include "surface/piece.h"

#define TOI_MOMENT_POINTS ((TOI_NET_POINTS + 3) / 4 * 4)

/* The control points of a piece at both ends of a span of time: rows x y z, one after the other, each of the piece's
 * stride. There need be no memory behind the last one. */
typedef struct toi_moments {
  const toi_piece *piece;
  double at[2 * 3 * TOI_MOMENT_POINTS];
} toi_moments;

/* Where a row begins. */
static inline size_t toi_moments_row(const toi_piece *piece, size_t end, size_t coordinate) {
  return (3 * end + coordinate) * piece->root->stride;
}

/* Bytes that pieces of this stride use. */
static inline size_t toi_moments_bytes(size_t stride) {
  return offsetof(toi_moments, at) + 6 * stride * sizeof(double);
}

typedef struct toi_apart_rules {
  double separation;
  toi_norm norm;
  toi_inclusion inclusion;
} toi_apart_rules;

typedef struct toi_apart_kernel {
  void (*moments)(const toi_piece *piece, toi_interval times, toi_moments *moments);
  /* Both moments are of *times. False: apart throughout; else *times is what is left. */
  bool (*meet)(const toi_apart_rules *rules, const toi_moments *a, const toi_moments *b, toi_interval *times);
} toi_apart_kernel;

/* The fastest one that this machine runs. */
const toi_apart_kernel *toi_apart_best(void);

extern const toi_apart_kernel toi_apart_two, toi_apart_avx2;

#endif
