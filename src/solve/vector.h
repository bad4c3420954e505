/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Three intervals as a vector. */

#ifndef TOI_SOLVE_VECTOR_H
#define TOI_SOLVE_VECTOR_H

#include "number/interval_branchless.h"
#include "number/vector.h"

static inline toi_interval toi_dot3(const toi_interval a[3], const toi_interval b[3]) {
  toi_interval sum = toi_branchless_add(toi_branchless_mul(a[0], b[0]), toi_branchless_mul(a[1], b[1]));
  return toi_branchless_add(sum, toi_branchless_mul(a[2], b[2]));
}

static inline void toi_add3(const toi_interval a[3], const toi_interval b[3], toi_interval sum[3]) {
  for (int k = 0; k < 3; k++)
    sum[k] = toi_branchless_add(a[k], b[k]);
}

static inline void toi_cross3(const toi_interval a[3], const toi_interval b[3], toi_interval product[3]) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    product[k] = toi_branchless_sub(toi_branchless_mul(a[i], b[j]), toi_branchless_mul(a[j], b[i]));
  }
}

/* a' x b + a x b'. */
static inline void toi_cross3_slope(const toi_interval a[3], const toi_interval da[3], const toi_interval b[3],
                                    const toi_interval db[3], toi_interval slope[3]) {
  toi_interval first[3], second[3];
  toi_cross3(da, b, first);
  toi_cross3(a, db, second);
  toi_add3(first, second, slope);
}

/* Matrix times vector, and transposed matrix times vector. */
static inline void toi_times3(const toi_interval matrix[3][3], const toi_interval a[3], toi_interval product[3]) {
  for (int k = 0; k < 3; k++)
    product[k] = toi_dot3(matrix[k], a);
}

static inline void toi_transposed3(const toi_interval matrix[3][3], const toi_interval a[3], toi_interval product[3]) {
  for (int k = 0; k < 3; k++) {
    toi_interval column[3] = {matrix[0][k], matrix[1][k], matrix[2][k]};
    product[k] = toi_dot3(column, a);
  }
}

/* Euclidean length. */
static inline toi_interval toi_length3(const toi_interval a[3]) {
  toi_interval sum = toi_branchless_add(toi_interval_square(a[0]), toi_interval_square(a[1]));
  return toi_interval_sqrt(toi_branchless_add(sum, toi_interval_square(a[2])));
}

/* About the largest length in a, rounded: a size to measure by, for what needs no proof. */
static inline double toi_plain_size3(const toi_interval a[3]) {
  const double most[3] = {toi_interval_magnitude(a[0]), toi_interval_magnitude(a[1]), toi_interval_magnitude(a[2])};
  return sqrt(most[0] * most[0] + most[1] * most[1] + most[2] * most[2]);
}

/* A combination of three numbers. */
static inline toi_interval toi_combine3(const double factors[3], toi_interval a, toi_interval b, toi_interval c) {
  const toi_interval terms[3] = {a, b, c};
  const toi_interval thin[3] = {toi_interval_point(factors[0]), toi_interval_point(factors[1]),
                                toi_interval_point(factors[2])};
  return toi_dot3(thin, terms);
}

/* Of doubles, for what needs no proof. */
static inline double toi_plain_distance3(const double a[3], const double b[3]) {
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(toi_dot(d, d));
}

/* To length 1; false, and a is zero, if it has none to speak of. */
static inline bool toi_plain_unit3(double a[3]) {
  double length = sqrt(toi_dot(a, a));
  bool fine = length > 1e-290 && length < 1e290;
  for (int k = 0; k < 3; k++)
    a[k] = fine ? a[k] / length : 0;
  return fine;
}

/* Two vectors of length 1 across n, which has it, and across each other. */
static inline void toi_plain_across3(const double n[3], double first[3], double second[3]) {
  int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
  for (int k = 0; k < 3; k++)
    first[k] = (k == least ? 1 : 0) - n[least] * n[k];
  toi_plain_unit3(first);
  toi_cross(n, first, second);
}

#endif
