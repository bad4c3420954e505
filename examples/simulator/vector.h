/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Vectors of three and blocks of three by three. */

#ifndef SIMULATOR_VECTOR_H
#define SIMULATOR_VECTOR_H

#include <math.h>

static inline double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double norm(const double a[3]) {
  return sqrt(dot(a, a));
}

/* c = a - b */
static inline void subtract(const double a[3], const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++)
    c[k] = a[k] - b[k];
}

/* c = a x b; c is another array than a and b */
static inline void cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* a += s b */
static inline void add_scaled(double a[3], double s, const double b[3]) {
  for (int k = 0; k < 3; k++)
    a[k] += s * b[k];
}

/* m = s a b^T */
static inline void outer(double s, const double a[3], const double b[3], double m[3][3]) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      m[r][c] = s * a[r] * b[c];
}

#endif
