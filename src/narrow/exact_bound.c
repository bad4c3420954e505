/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How large the integers of a query get, and how many there are at a time. */

#include "narrow/exact_frame.h"

static size_t limbs(uint32_t bits) {
  return bits / 64 + 2;
}

toi_exact_bound toi_exact_bound_of(toi_kind kind, const double *query) {
  int points = (int)toi_kind_points(kind);
  toi_exact_bound bound = {.coefficient_bits = 13};
  for (int axis = 0; axis < TOI_AXES; axis++) {
    int low = INT32_MAX, high = INT32_MIN;
    for (int i = 0; i < 2 * points; i++) {
      int exponent;
      int64_t mantissa = toi_double_split(query[TOI_AXES * i + axis], &exponent);
      if (mantissa == 0) {
        continue;
      }
      int top = exponent + 64 - __builtin_clzll((uint64_t)(mantissa < 0 ? -mantissa : mantissa));
      low = exponent < low ? exponent : low;
      high = top > high ? top : high;
    }
    bool zero = low == INT32_MAX;
    bound.exponent[axis] = zero ? 0 : low;
    bound.bits[axis] = zero ? 1 : (uint32_t)(high - low);
    bound.coefficient_bits += bound.bits[axis];
  }
  uint32_t n = bound.coefficient_bits;
  bound.limit = toi_algebraic_limit(n);
  size_t total = 200 * (limbs(n) + 1) + 40 * limbs(bound.limit) + 40 * limbs(n + 3 * bound.limit + 8);
  bound.solve_bytes = total * sizeof(mp_limb_t);
  bound.count_bytes = bound.solve_bytes * 4 + toi_exact_count_limbs(n) * sizeof(mp_limb_t);
  return bound;
}
