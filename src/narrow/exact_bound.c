/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How large the integers of a query get, and how many there are at a time.
 *
 * Claim: toi_exact fits in toi_exact_solve_bytes of arena, toi_prove without its certificate in toi_exact_count_bytes.
 *
 * Sizes. Coordinates on axis i are integers below 2^(b_i) in magnitude, so corners are below 2^(b_i + 1), areas on axis
 * x (sums of four products) below 2^(b_y + b_z + 4), and the coplanarity's coefficients, sums over three axes of a
 * corner times an area twice over, below 2^(b_x + b_y + b_z + 8). In powers of t they grow by a factor of 1 + 2 + 3
 * < 2^3, derivatives by 3 < 2^2 more: n = b_x + b_y + b_z + 13 bits hold all of them. Denominators of times have K =
 * toi_algebraic_limit(n) bits at most, or 1074 where a double is tried.
 *
 * X(b) = b / 64 + 2 is a bound on the limbs of an integer of b bits together with the one limb more that its making may
 * take; M = X(K) on those of an end of an interval.
 *
 * What stays in the arena:
 * - the hull: 8 coordinates, 8 corners and 8 shifted corners an axis, where sum X(b_i + 1) <= X(n) + 4, so 24 (X(n)
 *   + 4); 12 areas of 3 coefficients, the same in powers of t: 72 X(n); the coplanarity: 4 X(n), and 3 X(n) on the
 *   way;
 * - roots: of degree 1, powers X(n) and one number 2 M; of degree 2, powers and derivative 5 X(n), those of degree
 *   1, an end M and two numbers 4 M; of degree 3, 9 X(n), those of degree 2, two ends 2 M and three numbers 6 M.
 *   Together at most 15 X(n) + 15 M and 20 single limbs;
 * - planar motion: the start and the best so far, 2 M + 6 M, and one set of roots of degree 2 at a time, which is
 *   less than above;
 * - the place: three components of the normal, two sums each: 18 X(n).
 *
 * Temporaries on top of it, in bits of the integers that are there at once, two limbs each to be added:
 * - a value of degree 3 over 2^k: results of n + k, n + 2 k, n + 3 k bits, the last summand n + 3 k; close to 1 the
 *   reflected polynomial, 6 sums of n + 3 bits, 2^k and what is missing to it: 10 n + 11 k and 18;
 * - the sign of an area (degree 2) at a time of degree 3: the value n + 2 k; its coefficients on the interval, 3
 *   shifted, 3 of Taylor's shift, w^2, 2 products and 3 sums, 11 n + 21 k; the remainders, 3 of 2 n, 2 of 3 n, 2 of
 *   4 n and one of 7 n, 27 n, what they are divided by, 4 n, and the quotients, 2 of 3 n and one of 5 n, 11 n; on top
 *   of these the last division, 19 n, or values of them, less than 4 n + 10 k (and k >= 2 n at the limit that counts).
 *   Reflected polynomials, of the area twice, 3 sums each, and of a remainder, 3 of 3 n, and 2^k and what is missing to
 *   it, three times: 15 n + 6 k. In all 73 n + 39 k with k <= K, of 72 integers, and 60 bits of carries;
 * - the sign of the coplanarity at its critical points, where k <= n + 66: the value n + 3 k; its coefficients 19 n
 *   + 56 k; the remainders 27 n, a sum on the way 21 n; values 3 n + 5 k; reflected polynomials 27 n + 6 k. In all 168
 * n + 70 * 66: less than before;
 * - refining, 15 n + 28 k: less than before;
 * - probing a double, k <= 1074: 10 n + 11 k and 18. */

#include "narrow/exact_hull.h"

#define DOUBLE_BITS 1074u

/* X(bits). */
static size_t room(size_t bits) {
  return bits / 64 + 2;
}

/* Temporaries, with denominators of `limit` bits. */
static size_t passing_limbs(size_t n, size_t limit) {
  enum { INTEGERS = 96 };
  return room(73 * n + 39 * limit + 60) + room(10 * n + 11 * (size_t)DOUBLE_BITS + 18) + 2 * (size_t)INTEGERS;
}

static size_t solve_limbs(size_t n, size_t limit) {
  size_t x = room(n), m = room(limit);
  size_t hull = 24 * (x + 4) + 72 * x + 7 * x, roots = 15 * x + 15 * m + 20, planar = 8 * m, place = 18 * x;
  return hull + roots + planar + place + passing_limbs(n, limit);
}

/* Counting adds the sorted times, and roots of degree 3 or of degree 2 with the longer limit; text adds a primitive
 * polynomial (gcd with its copies: 16 X(n)) and the ends of an interval with their denominator. */
static size_t count_limbs(size_t n, size_t limit) {
  size_t x = room(n), count_limit = toi_exact_count_limit((uint32_t)n), m = room(count_limit);
  size_t times = toi_exact_count_limbs((uint32_t)n) + 4 * m, roots = 15 * x + 15 * m + 20, text = 16 * x + 8 * m;
  return solve_limbs(n, limit) + times + roots + text + passing_limbs(n, count_limit + 1);
}

toi_exact_bound toi_exact_bound_of(toi_kind kind, const double *query) {
  int values = 2 * (int)toi_kind_points(kind);
  toi_exact_bound bound = {.coefficient_bits = 13};
  for (int axis = 0; axis < TOI_AXES; axis++) {
    int low = INT32_MAX, high = INT32_MIN;
    for (int i = 0; i < values; i++) {
      int exponent;
      int64_t mantissa = toi_double_split(query[TOI_AXES * i + axis], &exponent);
      if (mantissa == 0)
        continue;
      int top = exponent + 64 - __builtin_clzll((uint64_t)(mantissa < 0 ? -mantissa : mantissa));
      low = exponent < low ? exponent : low;
      high = top > high ? top : high;
    }
    bool zero = low == INT32_MAX;
    bound.exponent[axis] = zero ? 0 : low;
    bound.bits[axis] = zero ? 1 : (uint32_t)(high - low);
    bound.coefficient_bits += bound.bits[axis];
  }
  bound.limit = toi_algebraic_limit(bound.coefficient_bits);
  return bound;
}

size_t toi_exact_solve_bytes(const toi_exact_bound *bound) {
  return solve_limbs(bound->coefficient_bits, bound->limit) * sizeof(toi_limb);
}

size_t toi_exact_count_bytes(const toi_exact_bound *bound) {
  return count_limbs(bound->coefficient_bits, bound->limit) * sizeof(toi_limb);
}
