/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Part of test_bounds.c: for each bound, how much of it a query uses up.
 *
 * A measure computes something as the kernels do, in one lane, and exactly, and returns |error| / bound. Queries out of
 * the kernels' range measure 0. */

#ifndef TOI_TESTS_NARROW_MEASURES_H
#define TOI_TESTS_NARROW_MEASURES_H

#define TOI_LANES 1
#define TOI_KERNELS test_bounds_kernels

#include "narrow/kernel_body.h"

#include "narrow/hull_oracle.h"

/* What a measure looks at: a query, and two times in [0, 1], the second not before the first. */
typedef struct subject {
  int n;
  double row[24];
  double time[2];
} subject;

/* --- what the kernels compute --- */

/* The frame and the search of a query; false if out of the kernels' range. */
static bool subject_load(const subject *x, moving_hull *frame, search *s, exact_hull *hull) {
  static const double *row;
  row = x->row;
  real cuts[4];
  if (x->n == 3) {
    hull_load(3, &row, frame);
    hull_box(3, every(0), frame);
    *s = (search){.n = 3, .hull = frame, .rows = &row};
    search_prepare(s, cuts);
  } else {
    hull_load(4, &row, frame);
    hull_box(4, every(0), frame);
    *s = (search){.n = 4, .hull = frame, .rows = &row};
    search_prepare(s, cuts);
  }
  if (!hull_in_range(frame))
    return false;
  dyadic_reset();
  exact_hull_load(x->n, x->row, hull);
  return true;
}

/* The kernels' functions with the number of corners as a constant, as they are meant to be compiled. */

static void zone_of(const search *s, zone *z) {
  search fixed = *s;
  if (s->n == 3) {
    fixed.n = 3;
    zone_make(&fixed, z);
  } else {
    fixed.n = 4;
    zone_make(&fixed, z);
  }
}

static twofold residual_of(const search *s, double x) {
  search fixed = *s;
  if (s->n == 3) {
    fixed.n = 3;
    return residual(&fixed, x);
  }
  fixed.n = 4;
  return residual(&fixed, x);
}

static mask bracket_of(const search *s, const zone *z, double *t_lo, double *t_hi) {
  search fixed = *s;
  if (s->n == 3) {
    fixed.n = 3;
    return bracket_root(&fixed, z, t_lo, t_hi);
  }
  fixed.n = 4;
  return bracket_root(&fixed, z, t_lo, t_hi);
}

/* |computed - value| / bound. */
static double off_by(double computed, exact value, exact bound) {
  return ratio_of(minus(exactly(computed), value), bound);
}

static exact volume_times(const search *s, double constant) {
  return times(exactly(s->f.volume), exactly(constant));
}

static exact area_times(const moving_hull *frame, int axis, double constant) {
  return times(times(exactly(frame->size[(axis + 1) % 3]), exactly(frame->size[(axis + 2) % 3])), exactly(constant));
}

/* --- measures --- */

static double coefficients_off(const subject *x, bool middle) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  exact b[4], bound = volume_times(&s, middle ? TOI_BOUND_SIGN_MID : TOI_BOUND_SIGN_END);
  exact_cubic(&hull, b);
  return middle ? fmax(off_by(s.f.b[1], b[1], bound), off_by(s.f.b[2], b[2], bound))
                : fmax(off_by(s.f.b[0], b[0], bound), off_by(s.f.b[3], b[3], bound));
}

static double sign_end(const subject *x) {
  return coefficients_off(x, false);
}

static double sign_mid(const subject *x) {
  return coefficients_off(x, true);
}

/* The inner coefficients and those of the halves as toi_explain tells them: divided by 3 and by 24. */
static double third(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  exact b[4], bound = times(exactly(3), volume_times(&s, TOI_BOUND_THIRD));
  exact_cubic(&hull, b);
  double worst = 0;
  for (int i = 1; i < 3; i++)
    worst = fmax(worst, ratio_of(minus(times(exactly(3), exactly(s.f.b[i] / 3.0)), b[i]), bound));
  return worst;
}

static double half(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  double worst = 0;
  exact f[4], c[4], bound = times(exactly(3), volume_times(&s, TOI_BOUND_HALF));
  exact_cubic_thrice(&hull, f);
  for (int side = 0; side < 2; side++) {
    real computed[4];
    cubic_half(&s.f, side, computed);
    exact_half(3, f, side, c);
    for (int i = 0; i < 4; i++)
      worst = fmax(worst, ratio_of(minus(times(exactly(3), exactly(computed[i] / 24.0)), c[i]), bound));
  }
  return worst;
}

static double halves(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  double worst = 0;
  exact f[4], c[4], bound = volume_times(&s, TOI_BOUND_HALVES);
  exact_cubic_thrice(&hull, f);
  for (int side = 0; side < 2; side++) {
    real computed[4];
    cubic_half(&s.f, side, computed);
    exact_half(3, f, side, c);
    for (int i = 0; i < 4; i++)
      worst = fmax(worst, off_by(computed[i], times(exactly(8), c[i]), bound));
  }
  return worst;
}

static double areas(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  double worst = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < x->n; k++) {
      real computed[2][3];
      area_halves(x->n, &frame, axis, k, computed);
      exact area[3], c[3], bound = area_times(&frame, axis, TOI_BOUND_AREAS);
      exact_area_twice(&hull, axis, k, area);
      for (int side = 0; side < 2; side++) {
        exact_half(2, area, side, c);
        for (int i = 0; i < 3; i++)
          worst = fmax(worst, off_by(computed[side][i], times(exactly(2), c[i]), bound));
      }
    }
  return worst;
}

static double gap(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  real computed[4];
  gap_coefficients(&s, x->time[0], x->time[1], computed);
  double worst = 0;
  exact f[4], bound = volume_times(&s, TOI_BOUND_GAP);
  exact_cubic_thrice(&hull, f);
  for (int i = 0; i < 4; i++) {
    exact t[3];
    for (int j = 0; j < 3; j++)
      t[j] = exactly(x->time[j < i]);
    exact thrice = times(exactly(3), exactly(computed[i]));
    worst = fmax(worst, ratio_of(minus(thrice, exact_blossom(3, f, t)), times(exactly(3), bound)));
  }
  return worst;
}

static double slope(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  zone z = {.x = x->time[0]};
  zone_of(&s, &z);
  exact c[3], t[2] = {exactly(z.x), exactly(z.x)};
  exact_slope(&hull, c);
  return off_by(z.slope, exact_blossom(2, c, t), volume_times(&s, TOI_BOUND_SLOPE));
}

/* The bound of |f''| is its computed value plus CURVE: how much of CURVE is used up, in either direction. */
static double curve(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  exact c[3], slack = volume_times(&s, TOI_BOUND_CURVE);
  exact_slope(&hull, c);
  exact twice = times(exactly(2), larger(size_of(minus(c[1], c[0])), size_of(minus(c[2], c[1]))));
  return ratio_of(minus(minus(exactly(s.curve), slack), twice), slack);
}

static double point_area(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  zone z = {.x = x->time[0]};
  zone_of(&s, &z);
  double worst = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < x->n; k++) {
      exact area[3], t[2] = {exactly(z.x), exactly(z.x)};
      exact_area_twice(&hull, axis, k, area);
      exact twice = times(exactly(2), exactly(z.area[axis][k]));
      exact bound = area_times(&frame, axis, 2 * TOI_BOUND_POINT_AREA);
      worst = fmax(worst, ratio_of(minus(twice, exact_blossom(2, area, t)), bound));
    }
  return worst;
}

/* From one time to the other, and from either end of the step a little outwards. */
static double area_drift(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  const double moves[3][2] = {{x->time[0], x->time[1]}, {0, -ZONE_MOST}, {1, 1 + ZONE_MOST}};
  double worst = 0;
  for (int move = 0; move < 3; move++)
    for (int axis = 0; axis < 3 && moves[move][0] != moves[move][1]; axis++)
      for (int k = 0; k < x->n; k++) {
        exact area[3], from = exactly(moves[move][0]), to = exactly(moves[move][1]);
        exact_area_twice(&hull, axis, k, area);
        exact t[2] = {from, from}, moved[2] = {to, to};
        exact bound = times(area_times(&frame, axis, 2 * TOI_BOUND_AREA_DRIFT), minus(to, from));
        worst = fmax(worst, ratio_of(minus(exact_blossom(2, area, moved), exact_blossom(2, area, t)), bound));
      }
  return worst;
}

static double twofold_residual(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  double t = x->time[0] < TIME_LEAST ? 0 : x->time[0];
  exact f[4], times_of[3] = {exactly(t), exactly(t), exactly(t)};
  exact_cubic_thrice(&hull, f);
  exact value = exact_blossom(3, f, times_of);
  twofold computed = residual_of(&s, t);
  exact thrice = times(exactly(3), plus(exactly(computed.hi), exactly(computed.lo)));
  return ratio_of(minus(thrice, value), times(exactly(3), volume_times(&s, TOI_BOUND_TWOFOLD)));
}

/* How far from the middle of the bracket the root lies, where there is a bracket. Its existence is checked on the way.
 */
static double bracket(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  real lo = x->time[0], hi = x->time[1];
  piece part = {lo, hi, cubic_at(&s, lo), cubic_at(&s, hi), NULL};
  zone z = {.x = guess_root(&s, &part, all_true())};
  zone_of(&s, &z);
  double t_lo, t_hi;
  if (!(z.steep & bracket_of(&s, &z, &t_lo, &t_hi)))
    return 0;
  exact f[4], ends[2], c[3];
  exact_cubic_thrice(&hull, f);
  for (int end = 0; end < 2; end++) {
    exact t = exactly(end ? t_hi : t_lo);
    ends[end] = exact_blossom(3, f, (exact[3]){t, t, t});
  }
  if (sign_of(ends[0]) * sign_of(ends[1]) > 0)
    return 2;
  exact_slope(&hull, c);
  exact middle = times(exactly(0.5), plus(exactly(t_lo), exactly(t_hi)));
  exact value = exact_blossom(3, f, (exact[3]){middle, middle, middle});
  exact slope_there = exact_blossom(2, c, (exact[2]){middle, middle});
  exact radius = times(exactly(0.5), minus(exactly(t_hi), exactly(t_lo)));
  return ratio_of(value, times(times(exactly(3), slope_there), radius));
}

/* The slope anywhere in the zone, rounded ends included, stays within its spread. */
static double slope_spread(const subject *x) {
  moving_hull frame;
  search s;
  exact_hull hull;
  if (!subject_load(x, &frame, &s, &hull))
    return 0;
  zone z = {.x = x->time[0]};
  zone_of(&s, &z);
  if (!z.steep)
    return 0;
  double worst = 0;
  exact c[3];
  exact_slope(&hull, c);
  for (int i = -4; i <= 4; i++) {
    exact t = plus(exactly(z.x), times(exactly(z.radius), exactly(i / 4.0)));
    worst = fmax(worst, off_by(z.slope, exact_blossom(2, c, (exact[2]){t, t}), exactly(z.slope_spread)));
  }
  return worst;
}

/* A normalised twofold number from two doubles of the subject. */
static twofold some_twofold(const double *x) {
  double low = x[1] >= -1 && x[1] <= 1 ? x[1] : 0;
  twofold a;
  a.hi = sum_exact(x[0], x[0] * TOI_U * low, &a.lo);
  return a;
}

static exact exactly_twofold(twofold a) {
  return plus(exactly(a.hi), exactly(a.lo));
}

static double add_twofold(const subject *x) {
  dyadic_reset();
  twofold a = some_twofold(x->row), b = some_twofold(x->row + 2);
  exact sizes = plus(size_of(exactly_twofold(a)), size_of(exactly_twofold(b)));
  exact off = minus(exactly_twofold(twofold_add(a, b)), plus(exactly_twofold(a), exactly_twofold(b)));
  return ratio_of(off, times(sizes, exactly(3 * TOI_U * TOI_U * (1 + 4 * TOI_U))));
}

static double mul_twofold(const subject *x) {
  dyadic_reset();
  twofold a = some_twofold(x->row), b = some_twofold(x->row + 2);
  exact product = times(exactly_twofold(a), exactly_twofold(b));
  exact off = minus(exactly_twofold(twofold_mul(a, b)), product);
  return ratio_of(off, times(size_of(product), exactly(8 * TOI_U * TOI_U * (1 + 8 * TOI_U))));
}

#endif
