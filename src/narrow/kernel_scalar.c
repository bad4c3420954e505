/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels in one lane: the reference for the others, and the one for single queries whose magnitudes must be
 * brought into range first. */

#define TOI_LANES 1
#define TOI_KERNELS toi_kernels_scalar

#include "narrow/kernel_body.h"

/* The power of two that brings `size` into [1/2, 1); 1 for 0. At most 2^1000, so that it is a double: smaller sizes
 * than 2^-1001 stay out of range and go on to the integers. */
static double scale_of(double size) {
  int exponent = 0;
  if (size > 0 && size < INFINITY)
    frexp(size, &exponent);
  return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

/* Scaling a corner by a power of two is exact but for underflow, which costs at most 2^-1075 where the axis has size
 * about 1: far below the bounds' slack. */
TOI_INLINE void scaled_kind(int n, const double *row, toi_scaled_answer *answer) {
  const double *rows[1] = {row};
  moving_hull frame;
  frame_load(n, rows, &frame);
  frame_box(n, &frame);
  real scale[AXES];
  for (int axis = 0; axis < AXES; axis++) {
    scale[axis] = scale_of(frame.size[axis]);
    frame.size[axis] *= scale[axis];
    for (int time = 0; time < TIMES; time++)
      for (int k = 0; k < n; k++)
        frame.at[time][k][axis] *= scale[axis];
  }
  mask finite = frame_finite(n, &frame);
  answer->projection_miss = (frame.apart & finite) || (projection_miss(n, &frame) & finite);
  answer->root.code = TOI_ROOT_OPEN;
  answer->root.guess = NAN;
  if (answer->projection_miss || n == 2)
    return;
  search s = {.n = n, .frame = &frame, .rows = rows, .scale = scale};
  findings found;
  search_run(&s, frame_in_range(&frame) & finite, &found);
  answer_lane(&found, 0, &answer->root);
  /* A normal's component is an area of the two other axes: undo the scaling up to a common factor. */
  double largest = fmax(scale[0], fmax(scale[1], scale[2]));
  for (int axis = 0; axis < AXES; axis++)
    answer->root.normal[axis] *= scale[axis] / largest;
}

void toi_kernel_scaled(int corner_count, const double *row, toi_scaled_answer *answer) {
  if (corner_count == 2)
    scaled_kind(2, row, answer);
  else if (corner_count == 3)
    scaled_kind(3, row, answer);
  else
    scaled_kind(4, row, answer);
}
