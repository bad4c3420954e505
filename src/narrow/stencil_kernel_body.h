/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stencils, written once for any number of lanes. stencil_kernel_scalar.c, stencil_kernel_two.c and
 * stencil_kernel_avx2.c define TOI_LANES and include this file, then those of derivatives, of the mollifier and of
 * places; stencil_rows_avx2.c is for one stencil at a time.
 *
 * Derivation. The square of the distance of two features is f(x) = min |w|^2 over their parameters p, where
 * w = sum_i l_i(p) x_i is the vector between their points, the weights l_i are affine in p, and J_k = dw/dp_k are the
 * sides. At the minimum w is square to all J_k. Then, with G = J^T J and m_i = dl_i/dp,
 *     df/dx_i         = 2 l_i w
 *     d2f/dx_i dx_j   = 2 [ l_i l_j (I - J G^-1 J^T) - l_i b_j w^T - l_j w b_i^T - (b_i . b_j) w w^T ],   b_i = J G^-1
 * m_i The b_i are made of the vectors dual to the sides a and b, a* = (b x n) / n.n and b* = (n x a) / n.n with n = a x
 * b (a* . a = 1, a* . b = 0), or e* = e / e.e: p                          weights l_i             b_i vertex-face    a*
 * . r, b* . r             1, p+q-1, -p, -q        0, -a*-b*, a*, b* edge-edge      -a* . r, b* . r            1-p, p,
 * q-1, -q         -a*, a*, -b*, b* vertex-edge    e* . r                     1, p-1, -p              0, -e*, e* r is
 * the vector from the second primitive's first point to the first one's. With two sides w = h n, h = (n . r) / n.n, and
 * I - J G^-1 J^T = n n^T / n.n: no root is taken. B_i = -2 h b_i (or -2 b_i, and w in the place of n) makes d2f/dx_i
 * dx_j = (2 l_i l_j / n.n - B_i . B_j / 2) n n^T + l_i B_j n^T + l_j n B_i^T. The last two terms change places with i,
 * j and row, column, so that the computed matrix is symmetric to the last bit.
 *
 * Claim: the errors that stencil.h states. Why, with its letters, to first order; eps is the relative error of n:
 *   - a, b, r round by u. A component of n is off by u |a_i b_j| + ... for each factor and each product, and by u of
 *     itself: 3 sqrt(2) u |a| |b| + u |n|, so that eps <= 5.3 k u, which also bounds how far n turns.
 *   - n . r / |n| is off by M (2 eps + 5 u) <= 16 k u M; *squared is its square, rounded twice. w is off by that and by
 *     a turn of its length, 27 k u M.
 *   - b x n does not cancel, as b is square to n: a* is off by 3 eps + 9 u of itself, 25 k u. |a*| = k / |a|, so that a
 *     parameter, at most k M / |a|, is off by 28 k u s / 2, and a weight, at most s, by 28 k u s.
 *   - a gradient's component 2 l w: 2 (s 27 k u M + M 28 k u s) + roundings, below 2^8 k u s M / 2.
 *   - an entry of the Hessian: |b_i| <= s / M, and b_i w at most s with an error of (25 + 27) k u s. The three terms of
 *     2 [...] are at most s^2 each and off by (2 * 28 + 2 * 5.3), 2 (28 + 52) and 2 * 52 of k u s^2, and by 8 u for
 *     roundings: below 2^10 k u s^2.
 * With one side the same lines hold with k = 1 and eps = u. Second orders are covered by what the powers of two leave,
 * as k u <= 2^-11.
 *
 * Range. A stencil is settled if M^2 is in (2^-200, 2^200), sides are longer than 2^-64 M, and n.n > 2^-84 a.a b.b as
 * computed, which is off by far less than that. Then 1 / |n| < 2^42 2^64 2^64 M^-2, h |b_i| < 2^(42 + 64) of it, and no
 * product of two of these overflows; what underflows is 2^-1074 beside bounds of u 2^-200 and more. NaN fails every
 * comparison. Scaling the points by a power of two scales the results exactly: stencil.c does so with the rest. */

#include <string.h>

#include "narrow/stencil_kernel.h"
#include "number/lanes.h"

#define POINTS 4
#define AXES 3
#define MOST (POINTS * AXES)

#define LEAST_SIZE 0x1p-200  /* of M^2 */
#define LARGEST_SIZE 0x1p200 /* likewise */
#define LEAST_SIDE 0x1p-128  /* of a.a / M^2 */
#define LEAST_AREA 0x1p-84   /* of n.n / (a.a b.b) */
#define CLOSE 0x1p-60        /* squared / (k M)^2 below which its relative error is above 2^-16 */
#define LEAST_SQUARE 0x1p-900

/* --- vectors --- */

TOI_INLINE void take_difference(const real a[AXES], const real b[AXES], real out[AXES]) {
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    out[axis] = a[axis] - b[axis];
}

TOI_INLINE real dot(const real a[AXES], const real b[AXES]) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

TOI_INLINE void cross(const real a[AXES], const real b[AXES], real out[AXES]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

TOI_INLINE void scale(real factor, const real a[AXES], real out[AXES]) {
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    out[axis] = factor * a[axis];
}

/* --- rows in memory and columns in lanes --- */

/* The points of the group of stencils from number i on; past the last one, of that. */
TOI_INLINE void load_group(int points, const toi_stencil_points *from, size_t i, size_t count, real x[POINTS][AXES]) {
  const double *row[TOI_LANES];
  real column[4];
  for (size_t j = 0; j < TOI_LANES; j++)
    row[j] = from[i + j < count ? i + j : count - 1].x[0];
  TOI_UNROLL
  for (int k = 0; k < points; k++) {
    TOI_UNROLL
    for (size_t axis = 0; axis < AXES; axis += TOI_LANES)
      load_columns(row, 4 * (size_t)k + axis, column + axis);
    TOI_UNROLL
    for (int axis = 0; axis < AXES; axis++)
      x[k][axis] = column[axis];
  }
}

/* row[i][offset + j] = lane i of column[j], for TOI_LANES consecutive j. */
TOI_INLINE void store_columns(const real column[TOI_LANES], size_t offset, double *const *row) {
#if TOI_LANES == 1
  row[0][offset] = column[0];
#else
  typedef double unaligned __attribute__((vector_size(8 * TOI_LANES), aligned(8)));
#if TOI_LANES == 2
  *(unaligned *)(row[0] + offset) = __builtin_shufflevector(column[0], column[1], 0, 2);
  *(unaligned *)(row[1] + offset) = __builtin_shufflevector(column[0], column[1], 1, 3);
#else
  real lo01 = __builtin_shufflevector(column[0], column[1], 0, 4, 2, 6);
  real hi01 = __builtin_shufflevector(column[0], column[1], 1, 5, 3, 7);
  real lo23 = __builtin_shufflevector(column[2], column[3], 0, 4, 2, 6);
  real hi23 = __builtin_shufflevector(column[2], column[3], 1, 5, 3, 7);
  *(unaligned *)(row[0] + offset) = __builtin_shufflevector(lo01, lo23, 0, 1, 4, 5);
  *(unaligned *)(row[1] + offset) = __builtin_shufflevector(hi01, hi23, 0, 1, 4, 5);
  *(unaligned *)(row[2] + offset) = __builtin_shufflevector(lo01, lo23, 2, 3, 6, 7);
  *(unaligned *)(row[3] + offset) = __builtin_shufflevector(hi01, hi23, 2, 3, 6, 7);
#endif
#endif
}

TOI_INLINE void store_rest(real value, size_t offset, double *const *row) {
  for (unsigned j = 0; j < TOI_LANES; j++)
    row[j][offset] = lane(value, j);
}

/* `count` values of each stencil. */
TOI_INLINE void store_values(const real *values, size_t count, double *const *row) {
  TOI_UNROLL
  for (size_t i = 0; i < count; i++)
    if ((i & (TOI_LANES - 1)) == 0 && i + TOI_LANES <= count)
      store_columns(values + i, i, row);
    else if (i >= (count & ~(size_t)(TOI_LANES - 1)))
      store_rest(values[i], i, row);
}

/* A symmetric matrix whose entries h[row][column], row <= column, are there. */
typedef struct half_matrix {
  real h[MOST][MOST];
} half_matrix;

TOI_INLINE real entry(const half_matrix *m, size_t row, size_t column) {
  return row <= column ? m->h[row][column] : m->h[column][row];
}

/* All of it, row by row. */
TOI_INLINE void store_matrix(const half_matrix *m, size_t n, double *const *to) {
  real values[MOST];
  TOI_UNROLL
  for (size_t row = 0; row < n; row++) {
    double *rows[TOI_LANES];
    for (size_t j = 0; j < TOI_LANES; j++)
      rows[j] = to[j] + n * row;
    TOI_UNROLL
    for (size_t column = 0; column < n; column++)
      values[column] = entry(m, row, column);
    store_values(values, n, rows);
  }
}

/* The rows that the results of a group go to. */
typedef struct group_results {
  double *squared[TOI_LANES], *gradient[TOI_LANES], *hessian[TOI_LANES];
} group_results;

TOI_INLINE void find_results(const toi_stencil_results *results, size_t i, size_t count, group_results *group) {
  for (size_t j = 0; j < TOI_LANES; j++) {
    const toi_stencil_results *own = &results[i + j < count ? i + j : count - 1];
    group->squared[j] = own->squared;
    group->gradient[j] = own->gradient;
    group->hessian[j] = own->hessian;
  }
}

TOI_INLINE void note_outcomes(mask settled, mask close, size_t i, size_t count, uint8_t *outcomes) {
  const unsigned are_settled = bits_of(settled), are_close = bits_of(close);
  for (size_t j = 0; j < TOI_LANES && i + j < count; j++)
    outcomes[i + j] =
        (uint8_t)((are_settled >> j & 1) * TOI_STENCIL_SETTLED | (are_close >> j & 1) * TOI_STENCIL_CLOSE);
}

/* --- the nearest points --- */

/* Two features in their nearest points, with the letters above. */
typedef struct nearest {
  real r[AXES];
  real sides[2][AXES], duals[2][AXES];
  real normal[AXES]; /* n of two sides; w of one, or none */
  real height, unit; /* h and 1 / n.n; 1 and 1 */
  real p[2];
  real squared;
  mask settled, close;
} nearest;

/* M^2 within its range, and no side too short beside it. */
TOI_INLINE real check_sizes(int sides, nearest *at, const real squares[2]) {
  real size = dot(at->r, at->r);
  TOI_UNROLL
  for (int k = 0; k < sides; k++)
    size = most(squares[k], size);
  at->settled = greater(size, every(LEAST_SIZE)) & less(size, every(LARGEST_SIZE));
  TOI_UNROLL
  for (int k = 0; k < sides; k++)
    at->settled &= greater(squares[k], size * LEAST_SIDE);
  return size;
}

/* Two sides: a plane, or two lines. */
TOI_INLINE void meet_plane(nearest *at) {
  const real *a = at->sides[0], *b = at->sides[1];
  real squares[2] = {dot(a, a), dot(b, b)};
  cross(a, b, at->normal);
  real area = dot(at->normal, at->normal), product = squares[0] * squares[1], along = dot(at->normal, at->r);
  at->unit = every(1) / area;
  at->height = along * at->unit;
  at->squared = along * at->height;
  cross(b, at->normal, at->duals[0]);
  cross(at->normal, a, at->duals[1]);
  TOI_UNROLL
  for (int k = 0; k < 2; k++) {
    scale(at->unit, at->duals[k], at->duals[k]);
    at->p[k] = dot(at->duals[k], at->r);
  }
  real size = check_sizes(2, at, squares);
  at->settled &= greater(area, product * LEAST_AREA);
  at->close = ~greater(at->squared * area, product * size * CLOSE) | less(at->squared, every(LEAST_SQUARE));
}

/* One side: a line. */
TOI_INLINE void meet_line(nearest *at) {
  const real *e = at->sides[0];
  real square[2] = {dot(e, e), every(0)};
  scale(every(1) / square[0], e, at->duals[0]);
  at->p[0] = dot(at->duals[0], at->r);
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    at->normal[axis] = at->r[axis] - at->p[0] * e[axis];
  at->height = at->unit = every(1);
  at->squared = dot(at->normal, at->normal);
  real size = check_sizes(1, at, square);
  at->close = ~greater(at->squared, size * CLOSE) | less(at->squared, every(LEAST_SQUARE));
}

/* No side: a point. Any size will do that the square can hold. */
TOI_INLINE void meet_point(nearest *at) {
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    at->normal[axis] = at->r[axis];
  at->height = at->unit = every(1);
  at->squared = dot(at->r, at->r);
  at->settled = less(at->squared, every(LARGEST_SIZE)) & greater(at->squared, every(LEAST_SIZE));
  at->close = at->settled & ~at->settled;
}

TOI_INLINE void meet(toi_kind kind, real x[POINTS][AXES], nearest *at) {
  const bool edges = kind == TOI_EDGE_EDGE;
  take_difference(x[0], x[edges ? 2 : 1], at->r);
  if (kind == TOI_VERTEX_VERTEX) {
    meet_point(at);
    return;
  }
  take_difference(x[edges ? 1 : 2], x[edges ? 0 : 1], at->sides[0]);
  if (kind == TOI_VERTEX_EDGE) {
    meet_line(at);
    return;
  }
  take_difference(x[3], x[edges ? 2 : 1], at->sides[1]);
  meet_plane(at);
}

/* The weights of the points for parameters of the duals. */
TOI_INLINE void weigh(toi_kind kind, const real p[2], real weights[POINTS]) {
  const real one = every(1);
  weights[0] = one;
  switch (kind) {
  case TOI_VERTEX_FACE:
    weights[1] = (p[0] + p[1]) - one;
    weights[2] = -p[0];
    weights[3] = -p[1];
    return;
  case TOI_EDGE_EDGE:
    weights[0] = one + p[0];
    weights[1] = -p[0];
    weights[2] = p[1] - one;
    weights[3] = -p[1];
    return;
  case TOI_VERTEX_EDGE:
    weights[1] = p[0] - one;
    weights[2] = -p[0];
    return;
  default:
    weights[1] = -one;
  }
}

/* --- derivatives of the square of the distance --- */

/* The vectors B_i; that of a vertex is 0 and stays out of everything. */
TOI_INLINE void spread_duals(toi_kind kind, const nearest *at, real spread[POINTS][AXES]) {
  const real factor = at->height * -2.0;
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    const real first = factor * at->duals[0][axis];
    if (kind == TOI_VERTEX_EDGE) {
      spread[1][axis] = -first;
      spread[2][axis] = first;
      continue;
    }
    const real second = factor * at->duals[1][axis];
    spread[0][axis] = -first;
    spread[1][axis] = kind == TOI_EDGE_EDGE ? first : -(first + second);
    spread[2][axis] = kind == TOI_EDGE_EDGE ? -second : first;
    spread[3][axis] = second;
  }
}
