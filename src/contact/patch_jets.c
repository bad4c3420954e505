/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bernstein hulls of a patch and its derivatives over parts of its square.
 *
 * A part [u0, u1] x [v0, v1] of a net of degrees p, q has the control points b(u0, ... u0, u1, ... u1; v0, ..., v1,
 * ...), b the polar form: each is reached by p + q steps (1 - s) a + s b, s one of the four ends.
 *
 * Claim: the intervals hold the true values, for all u, v of the box and all its times. Let u = 2^-53.
 *
 * Parts. As evaluate.c derives, at most 18 steps err by VALUE u M together, beside the error of the control points.
 *
 * Times. X + t V is linear in t, so that its extremes over the times are at their ends; computed, it errs by
 * e_X + T e_V + 3 u (M_X + T M_V), T the largest |t|.
 *
 * Quotients. With true numerators X = x + e and weights W = w + f, |e| <= E and |f| <= F < w:
 *   |X / W - x / w| = |e - (x / w) f| / W <= (E + |x / w| F) / (w - F).
 * As weights are positive the patch lies in the hull of its control points' quotients.
 *
 * Derivatives of rational patches. For any c, A = X - c w = (p - c) w, so that
 *   p_a  = (A_a - (p - c) w_a) / w,    p_ab = (A_ab - p_a w_b - p_b w_a - (p - c) w_ab) / w,
 * with c near the middle of p, so that p - c is small. Velocities likewise. A is computed from control points:
 * e_X + |c| e_w + 3 u (M_X + |c| M_w).
 *
 * TOI_MIDRAD_OUTWARD covers the rounding of these bounds, TOI_MIDRAD_LEAST what underflow can do in fewer than 2^12
 * operations. Where something overflows a magnitude or an error is infinite, and the interval is the whole line. */

#include "contact/patch_nets.h"
#include "contact/shape.h"
#include "solve/midrad.h"

#define VALUE (96 * TOI_UNIT)

/* --- parts --- */

static inline void step_lines(double *lines, size_t values, size_t wide, double s) {
  const double r = 1 - s;
  for (size_t i = 0; i < values; i++)
    lines[i] = r * lines[i] + s * lines[i + wide];
}

/* `wide` curves of this degree, their control points `wide` apart, cut to [s, e]: again such curves, or points if
 * s = e. Gives the degree of what is left. */
static size_t cut_lines(const double *whole, size_t degree, size_t wide, toi_interval at, double *cut) {
  double far[TOI_NET_POINTS], near[TOI_NET_POINTS];
  memcpy(far, whole, (degree + 1) * wide * sizeof *far);
  if (at.lo == at.hi) {
    for (size_t left = degree; left > 0; left--)
      step_lines(far, left * wide, wide, at.lo);
    memcpy(cut, far, wide * sizeof *cut);
    return 0;
  }
  for (size_t i = 0; i <= degree; i++) {
    const size_t left = degree - i;
    if (at.lo == 0) {
      memcpy(cut + i * wide, far, wide * sizeof *cut);
    } else {
      memcpy(near, far, (left + 1) * wide * sizeof *near);
      for (size_t rest = left; rest > 0; rest--)
        step_lines(near, rest * wide, wide, at.lo);
      memcpy(cut + i * wide, near, wide * sizeof *cut);
    }
    step_lines(far, left * wide, wide, at.hi);
  }
  return degree;
}

void toi_net_cut(const toi_net *net, const toi_interval box[2], toi_net_part *part) {
  const size_t wide = net->degree[1] + 1;
  for (int row = 0; row < TOI_NETS_ROWS; row++) {
    if (net->rows[row] == NULL)
      continue;
    double along[TOI_NET_POINTS], turned[TOI_NET_POINTS];
    const size_t u = cut_lines(net->rows[row], net->degree[0], wide, box[0], along) + 1;
    for (size_t i = 0; i < u; i++)
      for (size_t j = 0; j < wide; j++)
        turned[j * u + i] = along[i * wide + j];
    part->size[0] = u;
    part->size[1] = cut_lines(turned, net->degree[1], u, box[1], part->rows[row]) + 1;
    part->count = part->size[0] * part->size[1];
  }
  for (int g = 0; g < TOI_NET_GROUPS; g++) {
    part->magnitude[g] = net->magnitude[g] * TOI_MIDRAD_OUTWARD;
    part->error[g] = (net->error[g] + VALUE * net->magnitude[g]) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST;
  }
}

/* --- ranges --- */

/* The numbers met so far; with their error, an interval. NaN comes with an infinite error. */
typedef struct range {
  double lo, hi;
} range;

static inline void meet(range *r, double x) {
  r->lo = r->lo <= x ? r->lo : x;
  r->hi = r->hi >= x ? r->hi : x;
}

static toi_interval widened(range r, double error) {
  const double most = fmax(fabs(r.lo), fabs(r.hi));
  if (!(error <= DBL_MAX) || !(most <= DBL_MAX))
    return toi_interval_whole();
  return toi_interval_make(toi_sum_down(r.lo, -error), toi_sum_up(r.hi, error));
}

/* The error of X + t V. */
static double moving_error(const toi_net_part *p, double most_t) {
  const double size = p->magnitude[TOI_NET_POSITION] + most_t * p->magnitude[TOI_NET_VELOCITY];
  return (p->error[TOI_NET_POSITION] + most_t * p->error[TOI_NET_VELOCITY] + 3 * TOI_UNIT * size) * TOI_MIDRAD_OUTWARD;
}

/* Row k at time t, as computed. */
static inline double row_at(const toi_patch_nets *nets, const toi_net_part *p, int k, size_t i, double t) {
  return nets->moving ? p->rows[k][i] + t * p->rows[k + 3][i] : p->rows[k][i];
}

/* How many of the two ends of a time there are to look at. */
static int ends_of(const toi_patch_nets *nets, toi_interval t) {
  return nets->moving && t.lo < t.hi ? 2 : 1;
}

/* Row k of positions over the times. */
static toi_interval position_range(const toi_patch_nets *nets, const toi_net_part *p, int k, toi_interval t) {
  range r = {INFINITY, -INFINITY};
  for (int end = 0; end < ends_of(nets, t); end++)
    for (size_t i = 0; i < p->count; i++)
      meet(&r, row_at(nets, p, k, i, end == 0 ? t.lo : t.hi));
  return widened(r, nets->moving ? moving_error(p, toi_interval_magnitude(t)) : p->error[TOI_NET_POSITION]);
}

/* Row k of velocities, or the weight. */
static toi_interval row_range(const toi_net_part *p, int row) {
  range r = {INFINITY, -INFINITY};
  for (size_t i = 0; i < p->count; i++)
    meet(&r, p->rows[row][i]);
  return widened(r, p->error[row == 6 ? TOI_NET_WEIGHT : TOI_NET_VELOCITY]);
}

/* --- polynomial patches --- */

/* Where the derivatives of a jet are, and those of the velocity. */
static const size_t slot[TOI_NETS] = {0, 1, 2, 4, 5, 7}, time_slot[TOI_NETS] = {3, 6, 8, SIZE_MAX, SIZE_MAX, SIZE_MAX};

/* How many nets an order takes. */
static const int nets_of[3] = {1, 3, 6};

static void polynomial_jets(const toi_patch_nets *nets, const toi_interval box[3], unsigned order, toi_interval *jets) {
  const size_t size = TOI_JET_SIZE(3, order);
  toi_net_part p;
  for (int i = 0; i < nets_of[order]; i++) {
    toi_net_cut(&nets->nets[i], box, &p);
    for (int k = 0; k < 3; k++) {
      jets[(size_t)k * size + slot[i]] = position_range(nets, &p, k, box[2]);
      if (nets->moving && time_slot[i] < size)
        jets[(size_t)k * size + time_slot[i]] = row_range(&p, k + 3);
    }
  }
}

/* --- rational patches --- */

/* What a rational patch is made of: positions at some times, or velocities. */
typedef struct fractions {
  const toi_patch_nets *nets;
  bool velocities;
  toi_interval t;
} fractions;

static inline double numerator(const fractions *f, const toi_net_part *p, int k, size_t i, double t) {
  return f->velocities ? p->rows[k + 3][i] : row_at(f->nets, p, k, i, t);
}

static double numerator_size(const fractions *f, const toi_net_part *p) {
  return f->velocities ? p->magnitude[TOI_NET_VELOCITY]
                       : p->magnitude[TOI_NET_POSITION] + toi_interval_magnitude(f->t) * p->magnitude[TOI_NET_VELOCITY];
}

static double numerator_error(const fractions *f, const toi_net_part *p) {
  return f->velocities ? p->error[TOI_NET_VELOCITY] : moving_error(p, toi_interval_magnitude(f->t));
}

static int numerator_ends(const fractions *f) {
  return f->velocities ? 1 : ends_of(f->nets, f->t);
}

/* X / w over a part: the hull of the control points' quotients. */
static toi_interval quotient_range(const fractions *f, const toi_net_part *p, int k) {
  range r = {INFINITY, -INFINITY}, weights = {INFINITY, -INFINITY};
  for (size_t i = 0; i < p->count; i++)
    meet(&weights, p->rows[6][i]);
  const double least = (weights.lo - p->error[TOI_NET_WEIGHT]) / TOI_MIDRAD_OUTWARD;
  if (!(least > TOI_MIDRAD_LEAST))
    return toi_interval_whole();
  for (int end = 0; end < numerator_ends(f); end++)
    for (size_t i = 0; i < p->count; i++)
      meet(&r, numerator(f, p, k, i, end == 0 ? f->t.lo : f->t.hi) / p->rows[6][i]);
  const double most = fmax(fabs(r.lo), fabs(r.hi));
  return widened(r, ((numerator_error(f, p) + most * p->error[TOI_NET_WEIGHT]) / least + 4 * TOI_UNIT * most) *
                            TOI_MIDRAD_OUTWARD +
                        TOI_MIDRAD_LEAST);
}

/* X - c w over a part. */
static toi_interval shifted_range(const fractions *f, const toi_net_part *p, int k, double c) {
  range r = {INFINITY, -INFINITY};
  for (int end = 0; end < numerator_ends(f); end++)
    for (size_t i = 0; i < p->count; i++)
      meet(&r, numerator(f, p, k, i, end == 0 ? f->t.lo : f->t.hi) - c * p->rows[6][i]);
  const double size = numerator_size(f, p) + fabs(c) * p->magnitude[TOI_NET_WEIGHT];
  return widened(r, (numerator_error(f, p) + fabs(c) * p->error[TOI_NET_WEIGHT] + 3 * TOI_UNIT * size) *
                            TOI_MIDRAD_OUTWARD +
                        TOI_MIDRAD_LEAST);
}

/* One component of position or velocity: its value and derivatives, as far as they are known. */
typedef struct component {
  double c;
  toi_interval from_c, d[TOI_NETS];
} component;

static toi_interval times(toi_interval a, toi_interval b) {
  return toi_interval_mul(a, b);
}

/* The derivative that net i gives, w[] the weight's; those before it are known. */
static toi_interval next_derivative(const component *x, int i, toi_interval shifted, const toi_interval w[TOI_NETS]) {
  toi_interval sum = toi_interval_sub(shifted, times(x->from_c, w[i]));
  if (i == TOI_NET_UU || i == TOI_NET_VV) {
    const int by = i == TOI_NET_UU ? TOI_NET_U : TOI_NET_V;
    sum = toi_interval_sub(sum, toi_interval_scale(times(x->d[by], w[by]), 1));
  } else if (i == TOI_NET_UV) {
    sum = toi_interval_sub(
        sum, toi_interval_add(times(x->d[TOI_NET_U], w[TOI_NET_V]), times(x->d[TOI_NET_V], w[TOI_NET_U])));
  }
  return toi_interval_div(sum, w[TOI_NET_AS_IS]);
}

static void add_net(const fractions *f, const toi_net_part *p, int i, const toi_interval w[TOI_NETS], component x[3]) {
  for (int k = 0; k < 3; k++) {
    if (i == TOI_NET_AS_IS) {
      x[k].d[TOI_NET_AS_IS] = quotient_range(f, p, k);
      x[k].c = toi_interval_midpoint(x[k].d[TOI_NET_AS_IS]);
      x[k].from_c = toi_interval_sub(x[k].d[TOI_NET_AS_IS], toi_interval_point(x[k].c));
    } else {
      x[k].d[i] = next_derivative(&x[k], i, shifted_range(f, p, k, x[k].c), w);
    }
  }
}

static void rational_jets(const toi_patch_nets *nets, const toi_interval box[3], unsigned order, toi_interval *jets) {
  const size_t size = TOI_JET_SIZE(3, order);
  const fractions positions = {nets, false, box[2]}, velocities = {nets, true, box[2]};
  component at[3], by_time[3];
  toi_interval w[TOI_NETS];
  toi_net_part p;
  for (int i = 0; i < nets_of[order]; i++) {
    const bool moves = nets->moving && time_slot[i] < size;
    toi_net_cut(&nets->nets[i], box, &p);
    w[i] = row_range(&p, 6);
    add_net(&positions, &p, i, w, at);
    if (moves)
      add_net(&velocities, &p, i, w, by_time);
    for (size_t k = 0; k < 3; k++) {
      jets[k * size + slot[i]] = at[k].d[i];
      if (moves)
        jets[k * size + time_slot[i]] = by_time[k].d[i];
    }
  }
}

/* --- what is asked --- */

void toi_patch_nets_jets(const toi_patch_nets *nets, const toi_interval box[3], unsigned order, toi_interval *jets) {
  assert(order <= 2);
  const size_t size = TOI_JET_SIZE(3, order);
  const bool inside = box[0].lo >= 0 && box[0].hi <= 1 && box[1].lo >= 0 && box[1].hi <= 1;
  for (size_t i = 0; i < 3 * size; i++)
    jets[i] = inside ? toi_interval_point(0) : toi_interval_whole();
  if (inside && nets->rational)
    rational_jets(nets, box, order, jets);
  else if (inside)
    polynomial_jets(nets, box, order, jets);
}

/* The square of the distance from the centre of what an interval of control points holds. */
static double farthest_square(const toi_interval at[3], const double centre[3]) {
  toi_interval sum = {0, 0};
  for (int k = 0; k < 3; k++)
    sum = toi_interval_add(sum, toi_interval_square(toi_interval_sub(at[k], toi_interval_point(centre[k]))));
  return sum.hi;
}

void toi_patch_nets_bounds(const toi_patch_nets *nets, double t_max, toi_interval bounds[3], double centre[3],
                           double *radius) {
  enum { SIDE = 4 };
  const toi_interval whole[3] = {{0, 1}, {0, 1}, {0, t_max}};
  toi_patch_nets_jets(nets, whole, 0, bounds);
  double most = 0;
  for (int k = 0; k < 3; k++)
    centre[k] = toi_interval_midpoint(bounds[k]);
  // Pieces of the square, each in a box, are in a smaller ball than all of it.
  for (int i = 0; i < SIDE * SIDE; i++) {
    const int row = i / SIDE, column = i % SIDE;
    const toi_interval box[3] = {{row / (double)SIDE, (row + 1) / (double)SIDE},
                                 {column / (double)SIDE, (column + 1) / (double)SIDE},
                                 {0, t_max}};
    toi_interval held[3];
    toi_patch_nets_jets(nets, box, 0, held);
    most = fmax(most, farthest_square(held, centre));
  }
  *radius = most <= DBL_MAX ? toi_sqrt_up(most) : INFINITY;
}
