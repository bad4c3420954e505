/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Signs of orientation in lanes: the determinant and the error bound of orientation.c, operation by operation. A file
 * that includes this defines TOI_LANES and TOI_ORIENTATION_SIGNS. */

#include "number/lanes.h"
#include "number/orientation.h"

#include <string.h>

/* The differences of a point from the last one. */
TOI_INLINE void subtract(const double (*point)[TOI_ORIENTATIONS], const double (*last)[TOI_ORIENTATIONS], size_t i,
                         real x[3]) {
  for (int axis = 0; axis < 3; axis++) {
    real from, to;
    memcpy(&to, &point[axis][i], sizeof to);
    memcpy(&from, &last[axis][i], sizeof from);
    x[axis] = to - from;
  }
}

void TOI_ORIENTATION_SIGNS(const double (*const points[4])[TOI_ORIENTATIONS], size_t count,
                           int signs[TOI_ORIENTATIONS]) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    real a[3], b[3], c[3], bound = every(TOI_ORIENTATION_ROUNDINGS * 0x1p-53);
    real narrowest = every(INFINITY), widest = every(0);
    subtract(points[0], points[3], i, a);
    subtract(points[1], points[3], i, b);
    subtract(points[2], points[3], i, c);
    for (int axis = 0; axis < 3; axis++) {
      const real width = most(magnitude(a[axis]), most(magnitude(b[axis]), magnitude(c[axis])));
      narrowest = least(narrowest, width);
      widest = most(widest, width);
      bound = bound * width;
    }
    // Out of range, and flat, nothing is known.
    bound = choose(less(narrowest, every(TOI_ORIENTATION_SMALLEST)), every(INFINITY), bound);
    bound = choose(less(every(TOI_ORIENTATION_LARGEST), widest), every(INFINITY), bound);
    const real along_x = a[0] * (b[1] * c[2] - b[2] * c[1]);
    const real along_y = a[1] * (b[2] * c[0] - b[0] * c[2]);
    const real along_z = a[2] * (b[0] * c[1] - b[1] * c[0]);
    const real value = along_x + along_y + along_z;
    const unsigned above = bits_of(less(bound, value)), below = bits_of(less(value, -bound));
    for (unsigned k = 0; k < TOI_LANES; k++)
      signs[i + k] = (int)(above >> k & 1) - (int)(below >> k & 1);
  }
}
