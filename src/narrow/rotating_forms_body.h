/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the filter computes of queries: corners, areas and the coplanarity of rotating.h as Bernstein coefficients in
 * lanes of doubles, with bounds on their errors. A file that wants it defines TOI_LANES first.
 *
 * Let u = 2^-53, a and b the largest coordinates of the points of the first and of the second primitive, da and db the
 * largest components of differences between two points of one of them, and R, T, h the most_r, most_t and unit of the
 * table. With m = T + 3 R a + R b and k = 3 T + 6 R (a + b):
 *
 * Claim, for coefficients, and for values at a double in [0, 1]:
 *   of                    magnitude       error of a coefficient     of a value
 *   corners               m               (16 u + h) m               (32 u + h) m
 *   areas of second       2 db m          (48 u + 2 h) db m          (80 u + 2 h) db m
 *   areas of first        da k            (20 u + h) da k            (40 u + h) da k
 *   coplanarity, face     6 db^2 m        (160 u + 6 h) db^2 m       (256 u + 6 h) db^2 m
 *   coplanarity, edges    3 da db k       (80 u + 3 h) da db k       (128 u + 3 h) da db k
 *
 * Why: what the table is off by enters each as the table itself does, which gives the terms with h. The rest, up to
 * factors of 1 + 1000 u, for which there is room:
 * - corners T + R p - W f: one rounding of a product, four of sums: 5 u m; of values, those of T + R p and of W: 4 u
 *   and 13 u, then a product and a difference: 19 u m;
 * - areas C x g, g = f - f' rounded: 2 db m (5 + 1 + 1 + 1) u = 16 u db m;
 * - d = a1 - a0 rounded, moment a0 x d: 2 a da, off by 3 u of that. S d: 3 T da (1 + 1 + 2) u; R (a0 x d): 6 R a da (3
 * + 1 + 2) u; D = R d: 3 R da (1 + 1 + 2) u, f x D: 6 R b da (4 + 1 + 1) u; two sums 2 u: at most 8 u da k;
 * - n = e1 x e2: 2 db^2, off by 4 u of that; n . (T + R p): 6 db^2 (T + 3 R a) (4 + 4 + 1 + 2) u; n . f0: 6 db^2 b (4 +
 * 1 + 2) u, times W 1 more; their difference 1: at most 6 db^2 m 12 u = 72 u db^2 m;
 * - edges, e = eb0 - eb1: e (S d + R (a0 x d)) - (e x eb0) R d = sum of S_ij e_i d_j + R_ij (e_i (a0 x d)_j - (e x
 * eb0)_i d_j), since e . (eb0 x D) = (e x eb0) . D. Products of differences 3 u of da db; of the bracket: 6 u of 2 (a +
 * b) da db; times the table and summed: 1 + 2 + 2 + 1; at most 3 da db k 12 u = 36 u da db k;
 * - a value is the sum of coefficients times weights. 1 - t is off by u, its power k by (2 k - 1) u, that of t by (k -
 *   1) u; a weight takes one product of powers and one with a binomial: at most 9 u. Product and three sums: 13 u.
 * - a slope, from coefficients by de Casteljau's rule: 12 u of the magnitude for four levels, so that the last two are
 *   off by the error of a value, and 5 times their difference by 11 of these.
 * Halving a polynomial adds five sums, 5 u of the magnitude.
 *
 * The box test takes one corner for each side of an axis, not all: W >= 0, and products and differences round
 * monotonically, so the least coefficient of all corners is that of the least path and the largest f.
 *
 * Underflow: nothing is claimed unless m, k, da and db lie in [2^-170, 2^175] where they matter; then products that
 * underflow, by less than 2^-1074, times at most 2^350, are far below u^2 times the least magnitude, 2^-510. */

#ifndef TOI_NARROW_ROTATING_FORMS_BODY_H
#define TOI_NARROW_ROTATING_FORMS_BODY_H

#include "narrow/rotating.h"
#include "number/lanes.h"

#define TURN_U 0x1p-53

/* Covers the roundings of a bound that is computed, and of the differences it is made of. */
#define TURN_ROUNDED_UP (1 + 0x1p-40)

#define TURN_LEAST 0x1p-170
#define TURN_MOST 0x1p175

enum { COEFFICIENTS = TOI_TURN_COEFFICIENTS, MOST_CORNERS = 4, AXES = 3 };

typedef struct turn_forms {
  const toi_turn_piece *piece;
  const real *x;     /* the points: 12 coordinates */
  real m, k, da, db; /* rounded up */
  mask usable;       /* m is in range, and all coordinates are finite */
  mask usable_forms; /* and so is what the coplanarity and areas are made of */
  real corner_error; /* of coefficients */
  real path[2][AXES][COEFFICIENTS];
  real corner[MOST_CORNERS][AXES][COEFFICIENTS];
  real area[MOST_CORNERS][AXES][COEFFICIENTS];
  real area_error[2], area_size[2]; /* of values, and magnitudes: areas of second, areas of first */
  real coplanarity[COEFFICIENTS];
  real error, size;                            /* of values of the coplanarity; its magnitude */
  real direction[AXES][COEFFICIENTS];          /* D, of an edge pair */
  real first_edge[AXES], second_edge[2][AXES]; /* a1 - a0 and eb0 - eb1; f1 - f0 and f2 - f0 */
  real moment[AXES];                           /* a0 x (a1 - a0) */
  real normal[AXES];                           /* n, of a face */
} turn_forms;

/* Which points make corner c of n: first minus second. */
TOI_INLINE int corner_first(int n, int c) {
  return n == 4 ? (c == 1 || c == 2) : 0;
}

TOI_INLINE int corner_second(int n, int c) {
  return n == 4 ? 2 + (c >= 2) : 1 + c;
}

/* Whether the area of corner c and the next is of one point of the first primitive. */
TOI_INLINE int is_of_second(int n, int c) {
  return n != 4 || c % 2 == 1;
}

TOI_INLINE mask in_turn_range(real x) {
  return greater(x, every(TURN_LEAST)) & less(x, every(TURN_MOST));
}

TOI_INLINE real largest(const real *x, int count) {
  real most_of = magnitude(x[0]);
  TOI_UNROLL
  for (int i = 1; i < count; i++)
    most_of = most(magnitude(x[i]), most_of);
  return most_of;
}

TOI_INLINE void cross(const real a[AXES], const real b[AXES], real out[AXES]) {
  TOI_UNROLL
  for (int i = 0; i < AXES; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i] = a[y] * b[z] - a[z] * b[y];
  }
}

TOI_INLINE real dot(const real a[AXES], const real b[AXES]) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* First of all; x holds 3 (n + 1) coordinates, or 12 of an edge pair. */
TOI_INLINE void forms_begin(int n, const toi_turn_piece *piece, const real *x, turn_forms *f) {
  const int first = n == 4 ? 2 : 1, points = n == 4 ? 4 : n + 1;
  real a = largest(x, 3 * first), b = largest(x + 3 * first, 3 * (points - first)), sum = x[0];
  TOI_UNROLL
  for (int i = 1; i < 3 * points; i++)
    sum += x[i];
  f->piece = piece;
  f->x = x;
  f->m = ((a * (3 * piece->most_r) + piece->most_t) + b * piece->most_r) * TURN_ROUNDED_UP;
  f->k = ((a + b) * (6 * piece->most_r) + 3 * piece->most_t) * TURN_ROUNDED_UP;
  f->usable = in_turn_range(f->m) & less(magnitude(sum), every(INFINITY));
  f->corner_error = f->m * (16 * TURN_U + piece->unit);
}

/* Then T + R p on an axis. */
TOI_INLINE void forms_path(int n, int axis, turn_forms *f) {
  const toi_turn_table *table = &f->piece->table;
  const int first = n == 4 ? 2 : 1;
  TOI_UNROLL
  for (int i = 0; i < first; i++) {
    const real *p = f->x + 3 * i;
    TOI_UNROLL
    for (int j = 0; j < COEFFICIENTS; j++)
      f->path[i][axis][j] =
          ((p[0] * table->r[axis][0][j] + p[1] * table->r[axis][1][j]) + p[2] * table->r[axis][2][j]) +
          table->t[axis][j];
  }
}

/* All corners on one side of 0 on an axis. */
TOI_INLINE mask forms_apart(int n, int axis, const turn_forms *f) {
  const double *w = f->piece->table.w;
  const int first = n == 4 ? 2 : 1, points = n == 4 ? 4 : n + 1;
  real low = f->x[3 * first + axis], high = low, least_of = every(0), most_of = every(0);
  TOI_UNROLL
  for (int i = first + 1; i < points; i++) {
    low = least(f->x[3 * i + axis], low);
    high = most(f->x[3 * i + axis], high);
  }
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++) {
    real p = f->path[0][axis][j], q = n == 4 ? f->path[1][axis][j] : p;
    real below = least(p, q) - high * w[j], above = most(p, q) - low * w[j];
    least_of = j == 0 ? below : least(below, least_of);
    most_of = j == 0 ? above : most(above, most_of);
  }
  return greater(least_of, f->corner_error) | less(most_of, -f->corner_error);
}

/* What the primitives span, and how large the coplanarity is. */
TOI_INLINE void face_spans(turn_forms *f) {
  const real *v = f->x + 3;
  real last[AXES];
  TOI_UNROLL
  for (int i = 0; i < AXES; i++) {
    f->second_edge[0][i] = v[3 + i] - v[i];
    f->second_edge[1][i] = v[6 + i] - v[i];
    last[i] = v[6 + i] - v[3 + i];
  }
  f->da = every(0);
  f->db = most(most(largest(f->second_edge[0], 3), largest(f->second_edge[1], 3)), largest(last, 3)) * TURN_ROUNDED_UP;
  f->usable_forms = f->usable & in_turn_range(f->db);
  cross(f->second_edge[0], f->second_edge[1], f->normal);
  real size = (f->db * f->db) * f->m;
  f->error = size * (256 * TURN_U + 6 * f->piece->unit);
  f->size = size * 6.0;
}

/* The coplanarity, after the paths and spans. */
TOI_INLINE void face_coplanarity(turn_forms *f) {
  real level = dot(f->normal, f->x + 3);
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    f->coplanarity[j] =
        ((f->normal[0] * f->path[0][0][j] + f->normal[1] * f->path[0][1][j]) + f->normal[2] * f->path[0][2][j]) -
        level * f->piece->table.w[j];
}

TOI_INLINE void edge_spans(turn_forms *f) {
  const real *a0 = f->x, *a1 = f->x + 3, *b0 = f->x + 6, *b1 = f->x + 9;
  real *d = f->first_edge, *e = f->second_edge[0];
  TOI_UNROLL
  for (int i = 0; i < AXES; i++) {
    d[i] = a1[i] - a0[i];
    e[i] = b0[i] - b1[i];
  }
  f->da = largest(d, 3) * TURN_ROUNDED_UP;
  f->db = largest(e, 3) * TURN_ROUNDED_UP;
  f->usable_forms = f->usable & in_turn_range(f->da) & in_turn_range(f->db) & in_turn_range(f->k);
  real size = (f->da * f->db) * f->k;
  f->error = size * (128 * TURN_U + 3 * f->piece->unit);
  f->size = size * 3.0;
}

TOI_INLINE void edge_coplanarity(turn_forms *f) {
  const toi_turn_table *table = &f->piece->table;
  const real *d = f->first_edge, *e = f->second_edge[0];
  real g[AXES];
  cross(f->x, d, f->moment);
  cross(e, f->x + 6, g);
  real sum[COEFFICIENTS];
  TOI_UNROLL
  for (int i = 0; i < AXES; i++) {
    real s[AXES], r[AXES];
    TOI_UNROLL
    for (int l = 0; l < AXES; l++) {
      s[l] = e[i] * d[l];
      r[l] = e[i] * f->moment[l] - g[i] * d[l];
    }
    TOI_UNROLL
    for (int j = 0; j < COEFFICIENTS; j++) {
      real own = ((s[0] * table->s[i][0][j] + s[1] * table->s[i][1][j]) + s[2] * table->s[i][2][j]) +
                 ((r[0] * table->r[i][0][j] + r[1] * table->r[i][1][j]) + r[2] * table->r[i][2][j]);
      // cppcheck-suppress uninitvar // the first turn sets it
      sum[j] = i == 0 ? own : sum[j] + own;
    }
  }
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    f->coplanarity[j] = sum[j];
}

TOI_INLINE void forms_spans(int n, turn_forms *f) {
  if (n == 4)
    edge_spans(f);
  else
    face_spans(f);
}

TOI_INLINE void forms_coplanarity(int n, turn_forms *f) {
  forms_spans(n, f);
  if (n == 4)
    edge_coplanarity(f);
  else
    face_coplanarity(f);
}

/* Corners and areas, after the coplanarity. */
TOI_INLINE void forms_corners(int n, turn_forms *f) {
  TOI_UNROLL
  for (int c = 0; c < n; c++)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    f->corner[c][axis][j] =
        f->path[corner_first(n, c)][axis][j] - f->x[3 * corner_second(n, c) + axis] * f->piece->table.w[j];
}

/* Corner c times f - f'. */
TOI_INLINE void area_of_second(int n, int c, turn_forms *f) {
  const real *p = f->x + 3 * corner_second(n, c), *q = f->x + 3 * corner_second(n, (c + 1) % n);
  real g[AXES];
  TOI_UNROLL
  for (int i = 0; i < AXES; i++)
    g[i] = p[i] - q[i];
  TOI_UNROLL
  for (int i = 0; i < AXES; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    TOI_UNROLL
    for (int j = 0; j < COEFFICIENTS; j++)
      f->area[c][i][j] = f->corner[c][y][j] * g[z] - f->corner[c][z][j] * g[y];
  }
}

/* Areas 0 and 2 of an edge pair: L - eb0 x D, eb1 x D - L. */
TOI_INLINE void areas_of_first(turn_forms *f) {
  const toi_turn_table *table = &f->piece->table;
  const real *d = f->first_edge, *own = f->moment, *b0 = f->x + 6, *b1 = f->x + 9;
  real moment[AXES][COEFFICIENTS];
  for (int i = 0; i < AXES; i++)
    TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++) {
    f->direction[i][j] = (d[0] * table->r[i][0][j] + d[1] * table->r[i][1][j]) + d[2] * table->r[i][2][j];
    moment[i][j] = ((d[0] * table->s[i][0][j] + d[1] * table->s[i][1][j]) + d[2] * table->s[i][2][j]) +
                   ((own[0] * table->r[i][0][j] + own[1] * table->r[i][1][j]) + own[2] * table->r[i][2][j]);
  }
  for (int i = 0; i < AXES; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    const real *dy = f->direction[y], *dz = f->direction[z];
    TOI_UNROLL
    for (int j = 0; j < COEFFICIENTS; j++) {
      f->area[0][i][j] = moment[i][j] - (b0[y] * dz[j] - b0[z] * dy[j]);
      f->area[2][i][j] = (b1[y] * dz[j] - b1[z] * dy[j]) - moment[i][j];
    }
  }
}

TOI_INLINE void forms_areas(int n, turn_forms *f) {
  const double unit = f->piece->unit;
  real second = f->db * f->m, first = f->da * f->k;
  for (int c = 0; c < n; c++)
    if (is_of_second(n, c))
      area_of_second(n, c, f);
  if (n == 4)
    areas_of_first(f);
  f->area_error[0] = second * (80 * TURN_U + 2 * unit);
  f->area_size[0] = second * 2.0;
  f->area_error[1] = first * (40 * TURN_U + unit);
  f->area_size[1] = first;
}

/* --- values --- */

/* The Bernstein polynomials at t in [0, 1], rounded. */
TOI_INLINE void weights_at(real t, real w[COEFFICIENTS]) {
  real s = 1.0 - t, s2 = s * s, t2 = t * t, s3 = s2 * s, t3 = t2 * t;
  w[0] = s2 * s3;
  w[1] = (s2 * s2 * t) * 5.0;
  w[2] = (s3 * t2) * 10.0;
  w[3] = (s2 * t3) * 10.0;
  w[4] = (s * (t2 * t2)) * 5.0;
  w[5] = t2 * t3;
}

TOI_INLINE real value_with(const real c[COEFFICIENTS], const real w[COEFFICIENTS]) {
  return ((w[0] * c[0] + w[1] * c[1]) + (w[2] * c[2] + w[3] * c[3])) + (w[4] * c[4] + w[5] * c[5]);
}

/* The same of a row of the table. */
TOI_INLINE real value_of_table(const double c[COEFFICIENTS], const real w[COEFFICIENTS]) {
  return ((w[0] * c[0] + w[1] * c[1]) + (w[2] * c[2] + w[3] * c[3])) + (w[4] * c[4] + w[5] * c[5]);
}

TOI_INLINE real value_at(const real c[COEFFICIENTS], real t) {
  real w[COEFFICIENTS];
  weights_at(t, w);
  return value_with(c, w);
}

/* The derivative at t. */
TOI_INLINE real slope_at(const real c[COEFFICIENTS], real t) {
  real x[COEFFICIENTS], s = 1.0 - t;
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    x[j] = c[j];
  TOI_UNROLL
  for (int level = COEFFICIENTS - 1; level > 1; level--)
    TOI_UNROLL
  for (int j = 0; j < level; j++)
    x[j] = s * x[j] + t * x[j + 1];
  return (x[1] - x[0]) * (double)(COEFFICIENTS - 1);
}

#endif
