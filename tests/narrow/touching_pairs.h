/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs that touch, exactly, by construction in integers: small ones, far apart from each other, so that their
 * coordinates have more digits than floats do; or of few digits, so that floats hold them.
 *
 * Random queries are no test of a filter's bounds: where contact is transversal, every bound could be dropped. These
 * pairs touch at an end of the step or in its middle, where coefficients and areas are exactly 0 and all the rest has
 * one sign. */

#ifndef TOI_TESTS_NARROW_TOUCHING_PAIRS_H
#define TOI_TESTS_NARROW_TOUCHING_PAIRS_H

#include <math.h>

#include "support/support.h"

/* How a scene of such pairs is drawn: coordinates are integers, in units of 2^exponent. */
typedef struct touching_scene {
  uint64_t *state;
  toi_kind kind;
  int bits;   /* of a pair's extent, on its longest axis */
  int spread; /* pairs lie anywhere within 2^spread; 0: all at the same place */
  int shift;  /* the scene lies this far from the origin, as a power of two; 0: at it */
  int exponent;
} touching_scene;

/* In [-2^bits, 2^bits]. */
static inline int64_t touching_draw(uint64_t *state, int bits) {
  const uint64_t range = (UINT64_C(1) << bits) * 2 + 1;
  return (int64_t)(test_random(state) % range) - (INT64_C(1) << bits);
}

/* Multiples of 16, so that eighths of a way and means are integers. */
static inline int64_t touching_local(uint64_t *state, int bits) {
  return 16 * touching_draw(state, bits);
}

/* Where the points are when they touch: in an inner point, on an edge, in a corner. */
static inline void touching_contact(const touching_scene *s, int axis, int bits, const int weights[3],
                                    int64_t at[4][3]) {
  int64_t p[4];
  for (int k = 0; k < 4; k++)
    p[k] = touching_local(s->state, bits);
  if (s->kind == TOI_VERTEX_FACE)
    p[0] = (weights[0] * p[1] + weights[1] * p[2] + weights[2] * p[3]) / 8;
  else {
    // The point of the first edge, to be an end or the middle of the second.
    const int64_t meet = p[0] + weights[0] * (p[1] - p[0]) / 8;
    if (weights[1] % 3 == 0)
      p[2] = meet;
    else if (weights[1] % 3 == 1)
      p[3] = meet;
    else
      p[3] = 2 * meet - p[2];
  }
  for (int k = 0; k < 4; k++)
    at[k][axis] = p[k];
}

/* How far a point goes on an axis: each its own way, or both primitives as a whole and each point a little. */
static inline int64_t touching_motion(const touching_scene *s, int k, int bits, int64_t whole[2], bool rigid) {
  if (!rigid)
    return touching_local(s->state, bits);
  const int first = s->kind == TOI_VERTEX_FACE ? 1 : 2;
  return whole[k >= first] + touching_draw(s->state, bits > 6 ? bits - 6 : 0);
}

static inline void touching_make(const touching_scene *s, double query[24]) {
  uint64_t *state = s->state;
  const int i = (int)(test_random(state) % 9), j = (int)(test_random(state) % (uint64_t)(9 - i));
  const int weights[3] = {i, j, 8 - i - j};
  const int when = (int)(test_random(state) % 3); /* start, middle, end */
  const bool rigid = test_random(state) % 4 != 0;
  int64_t at[4][3];
  for (int axis = 0; axis < 3; axis++) {
    const int bits = s->bits - (int)(test_random(state) % 4) * (s->bits / 6);
    touching_contact(s, axis, bits, weights, at);
    const int64_t place =
        (s->spread > 0 ? touching_draw(state, s->spread) : 0) + (s->shift > 0 ? (INT64_C(1) << s->shift) + axis : 0);
    int64_t whole[2] = {touching_local(state, bits), touching_local(state, bits)};
    for (int k = 0; k < 4; k++) {
      const int64_t here = at[k][axis] + place, way = touching_motion(s, k, bits, whole, rigid);
      const int64_t start = when == 0 ? here : here - way, end = when == 2 ? here : here + way;
      query[3 * k + axis] = ldexp((double)start, s->exponent);
      query[12 + 3 * k + axis] = ldexp((double)end, s->exponent);
    }
  }
}

#endif
