/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The filter with a separation; a part of kernel_body.h.
 *
 * Box. All corners beyond d on an axis, on one side: rounding is monotone and d is a double, so a rounded difference
 * above d is one above d. Both norms measure an axis by 1.
 *
 * Sign. 0 is at least |f| / |N|* from the hull's plane. |N|* <= |N|_1 in both norms, and |N_i| <= 2 e_j e_k at all
 * times, where e_j is the largest |edge| on axis j over two edges and both ends: edges move linearly. So each Bernstein
 * coefficient of f beyond its error and d W, W = 2 (e_x e_y + e_y e_z + e_z e_x), all on one side, shows that they stay
 * apart. A computed edge is off by 2 u X (its corners) + 2 u X (rounding): 8 u X is added; the products and sums of W
 * and d W round fewer than 16 times: the factor 1 + 2^-48. Where d W underflows, the bound's slack of u V is larger. */

#define SEPARATED_OUTWARD (1 + 0x1p-48)

/* W: a bound on the sum of the magnitudes of the normal's components, over the step. */
TOI_INLINE real normal_bound(int n, const moving_hull *frame) {
  real e[AXES];
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    e[axis] = every(0);
    TOI_UNROLL
    for (int time = 0; time < TIMES; time++) {
      real first = frame->at[time][1][axis] - frame->at[time][0][axis];
      real last = frame->at[time][last_corner(n)][axis] - frame->at[time][0][axis];
      e[axis] = most(e[axis], most(magnitude(first), magnitude(last)));
    }
    e[axis] += frame->size[axis] * (8 * TOI_U);
  }
  return ((e[0] * e[1] + e[1] * e[2]) + e[2] * e[0]) * (2 * SEPARATED_OUTWARD);
}

/* Whether all corners are beyond d on one side of an axis. */
TOI_INLINE mask apart_by(int n, const moving_hull *frame, real d) {
  mask apart = less(every(1), every(0));
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    real lo = frame->at[0][0][axis], hi = lo;
    TOI_UNROLL
    for (int time = 0; time < TIMES; time++)
      TOI_UNROLL
    for (int k = time == 0; k < n; k++) {
      lo = least(frame->at[time][k][axis], lo);
      hi = most(frame->at[time][k][axis], hi);
    }
    apart |= less(hi, -d) | greater(lo, d);
  }
  return apart;
}

/* Whether the cubic stays beyond `limit` on one side. */
TOI_INLINE mask cubic_beyond(const cubic *f, real limit) {
  real end = f->volume * TOI_BOUND_SIGN_END + limit, mid = f->volume * TOI_BOUND_SIGN_MID + limit * 3.0;
  real lo_end = least(f->b[0], f->b[3]), hi_end = most(f->b[0], f->b[3]);
  real lo_mid = least(f->b[1], f->b[2]), hi_mid = most(f->b[1], f->b[2]);
  return (greater(lo_end, end) & greater(lo_mid, mid)) | (less(hi_end, -end) & less(hi_mid, -mid));
}

TOI_INLINE void filter_separated_kind(int n, const double *queries, const double *separation, size_t count,
                                      uint8_t *codes) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    const double *row[TOI_LANES], *own[TOI_LANES];
    for (size_t j = 0; j < TOI_LANES; j++) {
      size_t number = i + j < count ? i + j : count - 1;
      row[j] = queries + 24 * number;
      own[j] = separation + number;
      for (size_t line = 0; line < 192; line += 64)
        __builtin_prefetch((const void *)((uintptr_t)row[j] + FILTER_AHEAD + line));
    }
    moving_hull frame;
    frame_load(n, row, &frame);
    frame_box(n, &frame);
    mask finite = frame_finite(n, &frame);
    real d = gather(own);
    unsigned boxes = bits_of(apart_by(n, &frame, d) & finite), signs = 0;
    if (boxes != (1u << TOI_LANES) - 1) {
      cubic f = frame_cubic(n, &frame);
      real limit = d * normal_bound(n, &frame) * SEPARATED_OUTWARD;
      signs = bits_of(cubic_beyond(&f, limit) & frame_in_range(&frame) & finite);
    }
    for (size_t j = 0; j < TOI_LANES && i + j < count; j++)
      codes[i + j] = boxes >> j & 1 ? TOI_FILTER_BOX : signs >> j & 1 ? TOI_FILTER_SIGN : TOI_FILTER_OPEN;
  }
}

static void filter_separated(int n, const double *queries, const double *separation, size_t count, uint8_t *codes) {
  if (n == 3)
    filter_separated_kind(3, queries, separation, count, codes);
  else
    filter_separated_kind(4, queries, separation, count, codes);
}
