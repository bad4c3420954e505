/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Vectors of three doubles, plainly rounded, always in the same order of operations. */

#ifndef TOI_NUMBER_VECTOR_H
#define TOI_NUMBER_VECTOR_H

/* The C library's fmax and fmin are calls, for the sake of NaN. */
static inline double toi_larger(double a, double b) {
  return a > b ? a : b;
}

static inline double toi_smaller(double a, double b) {
  return a < b ? a : b;
}

static inline double toi_dot(const double a[3], const double b[3]) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void toi_cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void toi_minus(const double a[3], const double b[3], double out[3]) {
  for (int axis = 0; axis < 3; axis++)
    out[axis] = a[axis] - b[axis];
}

#endif
