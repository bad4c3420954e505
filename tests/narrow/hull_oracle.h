/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The moving hull of a query, its cubic and its areas, in exact arithmetic: what the kernels approximate. */

#ifndef TOI_TESTS_NARROW_HULL_ORACLE_H
#define TOI_TESTS_NARROW_HULL_ORACLE_H

#include <stdbool.h>

#include "narrow/dyadic.h"

typedef struct exact_hull {
  int n;
  exact at[2][4][3];
} exact_hull;

/* Corners of vertex-face (n = 3) and edge-edge (4): the points of the query that are subtracted. */
static inline void exact_hull_load(int n, const double row[24], exact_hull *hull) {
  static const int pairs[2][4][2] = {{{0, 1}, {0, 2}, {0, 3}, {0, 0}}, {{0, 2}, {1, 2}, {1, 3}, {0, 3}}};
  hull->n = n;
  for (int time = 0; time < 2; time++)
    for (int k = 0; k < n; k++)
      for (int axis = 0; axis < 3; axis++)
        hull->at[time][k][axis] = minus(exactly(row[12 * time + 3 * pairs[n - 3][k][0] + axis]),
                                        exactly(row[12 * time + 3 * pairs[n - 3][k][1] + axis]));
}

static inline exact exact_area(const exact p[3], const exact q[3], int axis) {
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  return minus(times(p[i], q[j]), times(p[j], q[i]));
}

static inline exact exact_determinant(const exact a[3], const exact b[3], const exact c[3]) {
  exact sum = times(a[0], exact_area(b, c, 0));
  for (int axis = 1; axis < 3; axis++)
    sum = plus(sum, times(a[axis], exact_area(b, c, axis)));
  return sum;
}

/* b0, 3 b1, 3 b2, b3: corners 0, 1 and the last, each at the time that its bit says. */
static inline void exact_cubic(const exact_hull *hull, exact b[4]) {
  for (int i = 0; i < 4; i++)
    b[i] = exactly(0);
  for (int times_of = 0; times_of < 8; times_of++) {
    int x = times_of & 1, y = times_of >> 1 & 1, z = times_of >> 2 & 1;
    b[x + y + z] = plus(b[x + y + z], exact_determinant(hull->at[x][0], hull->at[y][1], hull->at[z][hull->n - 1]));
  }
}

/* A polynomial of degree d in Bernstein form at the times t[0], ..., t[d - 1]: its blossom. */
static inline exact exact_blossom(int degree, const exact *b, const exact *t) {
  exact c[4];
  for (int i = 0; i <= degree; i++)
    c[i] = b[i];
  for (int level = 0; level < degree; level++)
    for (int i = 0; i < degree - level; i++)
      c[i] = mixed(c[i], c[i + 1], t[level]);
  return c[0];
}

/* 3 f in Bernstein form. */
static inline void exact_cubic_thrice(const exact_hull *hull, exact c[4]) {
  exact b[4];
  exact_cubic(hull, b);
  c[0] = times(exactly(3), b[0]);
  c[1] = b[1];
  c[2] = b[2];
  c[3] = times(exactly(3), b[3]);
}

/* f' in Bernstein form. */
static inline void exact_slope(const exact_hull *hull, exact c[3]) {
  exact f[4];
  exact_cubic_thrice(hull, f);
  for (int i = 0; i < 3; i++)
    c[i] = minus(f[i + 1], f[i]);
}

/* Area k along an axis in Bernstein form: A0, A1, A2, all times 2. */
static inline void exact_area_twice(const exact_hull *hull, int axis, int k, exact c[3]) {
  int l = (k + 1) % hull->n;
  c[0] = times(exactly(2), exact_area(hull->at[0][k], hull->at[0][l], axis));
  c[1] = plus(exact_area(hull->at[0][k], hull->at[1][l], axis), exact_area(hull->at[1][k], hull->at[0][l], axis));
  c[2] = times(exactly(2), exact_area(hull->at[1][k], hull->at[1][l], axis));
}

/* Coefficients of a polynomial on the half [0, 1/2] or [1/2, 1]. */
static inline void exact_half(int degree, const exact *b, int side, exact *c) {
  exact half = exactly(0.5), outer = exactly(side);
  for (int i = 0; i <= degree; i++) {
    exact t[3];
    for (int j = 0; j < degree; j++)
      t[j] = j < i ? half : outer;
    c[i] = exact_blossom(degree, b, t);
  }
}

/* 1 or -1 if all coefficients have this strict sign, or else 0. */
static inline int exact_one_sign(int degree, const exact *c) {
  int sign = sign_of(c[0]);
  for (int i = 1; i <= degree; i++)
    if (sign_of(c[i]) != sign)
      return 0;
  return sign;
}

/* Whether areas of opposite sign, or the cubic's sign, exclude contact on a half. */
static inline bool exact_half_is_free(const exact_hull *hull, int side) {
  exact f[4], c[4];
  exact_cubic_thrice(hull, f);
  exact_half(3, f, side, c);
  if (exact_one_sign(3, c))
    return true;
  for (int axis = 0; axis < 3; axis++) {
    bool up = false, down = false;
    for (int k = 0; k < hull->n; k++) {
      exact area[3];
      exact_area_twice(hull, axis, k, area);
      exact_half(2, area, side, c);
      up |= exact_one_sign(2, c) > 0;
      down |= exact_one_sign(2, c) < 0;
    }
    if (up && down)
      return true;
  }
  return false;
}

/* Whether in some projection all areas have one strict sign at both times: then 0 is inside wherever f is 0. */
static inline bool exact_is_inside(const exact_hull *hull, exact from, exact to) {
  for (int axis = 0; axis < 3; axis++) {
    int up = 0, down = 0;
    for (int k = 0; k < hull->n; k++) {
      exact area[3];
      exact_area_twice(hull, axis, k, area);
      for (int end = 0; end < 2; end++) {
        exact t[2] = {end ? to : from, end ? to : from};
        int sign = sign_of(exact_blossom(2, area, t));
        up += sign > 0;
        down += sign < 0;
      }
    }
    if (up == 2 * hull->n || down == 2 * hull->n)
      return true;
  }
  return false;
}

#endif
