/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The query on the scales that separations need, and how large its integers get.
 *
 * Claim: toi_exact_separation fits in toi_apart_bytes of arena.
 *
 * Sizes, Euclidean norm. All coordinates are multiples of 2^e below 2^(e + b) in magnitude; d^2 = m^2 2^(2 g) with m
 * below 2^53. Corners are below 2^(b + 1), areas below 2^(2 b + 4), the coplanarity's coefficients below 2^(3 b + 8), N
 * below 2^(2 b + 6) (as in exact_bound.c). So f^2 has at most 6 b + 18 bits and |N|^2, raised to degree 6, 4 b + 18. If
 * 2 g >= 2 e, d^2 is the integer m^2 2^(2 g - 2 e) of 106 + 2 (g - e) bits, otherwise f^2 is shifted by 2 (e - g): the
 * face's coefficients have at most max(6 b + 18 + 2 max(e - g, 0), 4 b + 124 + 2 max(g - e, 0)) + 1 bits. In powers of
 * t they grow by at most 35 < 2^6, derivatives by 6 < 2^3. Every other feature and test has less. (Corners that share
 * zeros at their ends are divided by them, which takes six bits or four away for two that it may add.)
 *
 * Sizes, maximum norm. On each axis i corners and d are multiples of the smaller of their units, 2^(e_i): h_i bits
 * hold all coordinates and d. Shifted corners are below 2^(h_i + 2), areas below 2^(h_x + h_y + 6), coplanarities below
 * 2^(h_x + h_y + h_z + 12); powers and derivatives as in exact_bound.c: h_x + h_y + h_z + 18.
 *
 * What stays in the arena are corners on both scales (48 integers), areas (36), normal and coplanarity (22), d, and for
 * each of 8 features, with what is made on the way: polynomial, tests and their factors, at most 60. In the maximum
 * norm: 24 corners, 48 shifted ones, 12 edges; 12 areas on 4 places of 3 coefficients, 8 coplanarities and normals of
 * 22; 2 sets of powers at a time. Fewer than KEPT in either. */

#include "narrow/exact_apart.h"

enum { KEPT = 640 };

toi_apart_bound toi_apart_bound_of(toi_kind kind, const double *query, double d) {
  toi_apart_bound bound = {.hull = toi_exact_bound_of(kind, query)};
  int exponent, low = INT32_MAX, high = INT32_MIN;
  int64_t mantissa = toi_double_split(d, &exponent);
  int top = exponent + 64 - __builtin_clzll((uint64_t)mantissa);
  bound.maximum_bits = 18;
  for (int axis = 0; axis < TOI_AXES; axis++) {
    int own_low = bound.hull.exponent[axis], own_high = own_low + (int)bound.hull.bits[axis];
    // An axis without coordinates says exponent 0 and one bit.
    low = own_low < low ? own_low : low;
    high = own_high > high ? own_high : high;
    own_low = exponent < own_low ? exponent : own_low;
    own_high = top > own_high ? top : own_high;
    bound.maximum_bits += (uint32_t)(own_high - own_low);
  }
  int b = high - low, down = exponent < low ? low - exponent : 0, up = exponent > low ? exponent - low : 0;
  int face = 6 * b + 18 + 2 * down, span = 4 * b + 124 + 2 * up;
  bound.euclidean_bits = (uint32_t)(face > span ? face : span) + 10;
  return bound;
}

size_t toi_apart_bytes(const toi_apart_bound *bound, toi_norm norm) {
  uint32_t bits = norm == TOI_NORM_L2 ? bound->euclidean_bits : bound->maximum_bits;
  return (KEPT * ((size_t)bits / 64 + 2) + toi_root_walk_limbs(bits)) * sizeof(toi_limb);
}

void toi_apart_hull_euclidean(toi_exact_hull *hull) {
  bool zero[TOI_AXES];
  int least = INT32_MAX;
  for (int axis = 0; axis < TOI_AXES; axis++) {
    zero[axis] = true;
    for (int k = 0; k < hull->count; k++)
      zero[axis] &= toi_integer_form_is_zero(&hull->corner[k][axis]);
    least = !zero[axis] && hull->exponent[axis] < least ? hull->exponent[axis] : least;
  }
  for (int axis = 0; axis < TOI_AXES; axis++) {
    for (int k = 0; k < hull->count && !zero[axis]; k++) {
      for (int i = 0; i < 2; i++) {
        toi_integer *c = &hull->corner[k][axis].c[i];
        *c = toi_integer_shift_left(hull->arena, *c, (uint32_t)(hull->exponent[axis] - least));
      }
    }
    hull->exponent[axis] = least == INT32_MAX ? 0 : least;
  }
}
