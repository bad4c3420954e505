/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Part of kernel_scalar.c: what the kernels compute of one query, written down for toi_explain. Nothing is computed
 * here that the kernels do not compute and compare; b1, b2 and the halves are divided by 3 and 24 for the reader, which
 * THIRD and HALF of kernel_bounds.h cover. */

/* What a separation adds to the bounds, in one query: see kernel_separated.h. */
typedef struct told_limits {
  double sign, half; /* of a coefficient, and of one of a half */
} told_limits;

TOI_INLINE void tell_box(int n, const double *row, double d, toi_explanation *e) {
  moving_hull hull;
  hull_load(n, &row, &hull);
  for (int axis = 0; axis < AXES; axis++) {
    double lo = hull.at[0][0][axis], hi = lo;
    for (int time = 0; time < TIMES; time++)
      for (int k = 0; k < n; k++) {
        lo = least(hull.at[time][k][axis], lo);
        hi = most(hull.at[time][k][axis], hi);
      }
    e->box_lo[axis] = lo;
    e->box_hi[axis] = hi;
    e->box_apart[axis] = hi < -d || lo > d;
  }
}

/* The coefficients, and the comparisons of cubic_one_sign and cubic_beyond one by one. */
TOI_INLINE void tell_cubic(const cubic *f, const told_limits *limits, bool compared, toi_explanation *e) {
  double end = f->volume * TOI_BOUND_SIGN_END + limits->sign;
  double mid = f->volume * TOI_BOUND_SIGN_MID + limits->sign * 3.0;
  for (int i = 0; i < 4; i++) {
    bool middle = i == 1 || i == 2;
    double beyond = middle ? mid : end;
    e->coefficient[i] = middle ? f->b[i] / 3.0 : f->b[i];
    e->bound[i] = f->volume * (middle ? TOI_BOUND_THIRD : TOI_BOUND_SIGN_END);
    e->limit[i] = limits->sign;
    e->coefficient_sign[i] = (int8_t)(compared ? (f->b[i] > beyond) - (f->b[i] < -beyond) : 0);
  }
  for (int side = 0; side < 2; side++) {
    double c[4];
    cubic_half(f, side, c);
    for (int i = 0; i < 4; i++)
      e->half[side][side ? 3 - i : i] = c[i] / 24.0;
  }
  e->half_bound = f->volume * TOI_BOUND_HALF;
  e->half_limit = limits->half;
}

/* The two areas in the projection along an axis that are opposite on a half of the step. */
TOI_INLINE void tell_opposite(int n, const moving_hull *hull, int axis, int side, toi_explanation *e) {
  double most_up = 0, most_down = 0;
  for (int k = 0; k < n; k++) {
    double c[2][3];
    area_halves(n, hull, axis, k, c);
    double lo = least(least(c[side][0], c[side][1]), c[side][2]), hi = most(most(c[side][0], c[side][1]), c[side][2]);
    if (lo > most_up) {
      most_up = lo;
      e->half_up[side] = (uint8_t)k;
    }
    if (hi < most_down) {
      most_down = hi;
      e->half_down[side] = (uint8_t)k;
    }
  }
}

/* What frees each half of the step of contact: the tests of projection_miss and projection_beyond one by one. */
TOI_INLINE void tell_halves(int n, const moving_hull *hull, const cubic *f, const double *d, toi_explanation *e) {
  for (int axis = AXES - 1; axis >= 0; axis--) {
    mask sides[2] = {0, 0};
    areas_oppose(n, hull, axis, d, sides);
    for (int side = 0; side < 2; side++)
      if (sides[side]) {
        e->half_clear[side] = (uint8_t)(1 + axis);
        tell_opposite(n, hull, axis, side, e);
      }
  }
  double bound = f->volume * TOI_BOUND_HALVES;
  if (d)
    bound += (*d * normal_bound(n, hull)) * (24 * TOI_SEPARATED_OUTWARD);
  for (int side = 0; side < 2; side++)
    if (e->half_clear[side] == 0 && (cubic_half_sign(f, side, bound) & hull_in_range(hull)))
      e->half_clear[side] = 4;
}

/* The coefficients are unknown: a corner overflows. */
TOI_INLINE void tell_nothing(toi_explanation *e) {
  for (int i = 0; i < 4; i++)
    e->coefficient[i] = e->bound[i] = e->half[0][i] = e->half[1][i] = NAN;
  e->half_bound = NAN;
}

TOI_INLINE void tell_hull(int n, const double *row, double d, toi_explanation *e) {
  moving_hull plain, scaled;
  double scale[AXES] = {1, 1, 1};
  twofold exact[TIMES][3][AXES];
  hull_load(n, &row, &plain);
  hull_box(n, every(0), &plain);
  bool finite = hull_finite(n, &plain) != 0;
  e->in_range = finite && hull_in_range(&plain);
  if (!e->in_range)
    load_scaled(n, row, &scaled, scale, exact);
  const moving_hull *hull = e->in_range ? &plain : &scaled;
  if (!hull_finite(n, hull)) {
    tell_nothing(e);
    return;
  }
  for (int axis = 0; axis < AXES; axis++) {
    e->size[axis] = hull->size[axis];
    e->scale[axis] = (int16_t)ilogb(scale[axis]);
  }
  // With a separation there are no scaled axes: the cubic is not compared then, and areas are where they are in range.
  cubic f = hull_cubic(n, hull), f_plain = hull_cubic(n, &plain);
  told_limits limits = {0, 0};
  if (d > 0 && e->in_range)
    limits = (told_limits){d * normal_bound_by_size(hull) * TOI_SEPARATED_OUTWARD,
                           (d * normal_bound(n, hull)) * TOI_SEPARATED_OUTWARD};
  tell_cubic(&f, &limits, d > 0 ? e->in_range : hull_in_range(hull) != 0, e);
  if (!(d > 0))
    tell_halves(n, hull, &f, NULL, e);
  else if (finite)
    tell_halves(n, &plain, &f_plain, &d, e);
  search s = {.n = n, .hull = hull, .rows = &row, .told = e->pieces};
  s.exact = e->in_range ? NULL : (const twofold(*)[3][AXES])exact;
  findings found;
  search_one(&s, hull_in_range(hull), &found);
}

void toi_kernel_explain(int corner_count, const double *row, double d, toi_explanation *explanation) {
  switch (corner_count) {
  case 1:
    tell_box(1, row, d, explanation);
    break;
  case 2:
    tell_box(2, row, d, explanation);
    break;
  case 3:
    tell_box(3, row, d, explanation);
    tell_hull(3, row, d, explanation);
    break;
  default:
    tell_box(4, row, d, explanation);
    tell_hull(4, row, d, explanation);
  }
}
