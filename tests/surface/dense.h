/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* An independent search for contacts of two moving patches, which shares nothing with the library: its own evaluation
 * in plain doubles, a grid of points on both patches with the closest approach of every pair of them, and from the
 * best pairs of every part of the time a local minimisation of the distance over all five unknowns.
 *
 * To be believed where it finds a contact: the points it gives are there to be checked. Finding none proves nothing. */

#ifndef TOI_TESTS_SURFACE_DENSE_H
#define TOI_TESTS_SURFACE_DENSE_H

#include "surface/cases.h"

/* Points of the grid along a parameter; parts of the time, and starts from each. */
#define DENSE_SIDE 9
#define DENSE_BINS 12
#define DENSE_STARTS 2
#define DENSE_STEPS 60

/* Contact is a distance of at most this part of the largest coordinate. */
#define DENSE_CLOSE 1e-13

/* --- evaluation --- */

/* The values B_i(x) of degree n, and their derivatives. */
static inline void dense_basis(uint32_t n, double x, double value[10], double slope[10]) {
  double lower[10] = {1};
  memset(value, 0, 10 * sizeof(double));
  memset(slope, 0, 10 * sizeof(double));
  value[0] = 1;
  for (uint32_t degree = 1; degree <= n; degree++) {
    memcpy(lower, value, sizeof(lower));
    for (uint32_t i = 0; i <= degree; i++) {
      value[i] = (i < degree ? (1 - x) * lower[i] : 0) + (i > 0 ? x * lower[i - 1] : 0);
      slope[i] = degree * ((i > 0 ? lower[i - 1] : 0) - (i < degree ? lower[i] : 0));
    }
  }
}

/* x^0 to x^n, and their derivatives. */
static inline void dense_powers(uint32_t n, double x, double value[10], double slope[10]) {
  value[0] = 1;
  slope[0] = 0;
  for (uint32_t i = 1; i <= n; i++) {
    value[i] = value[i - 1] * x;
    slope[i] = i * value[i - 1];
  }
}

/* The weights of all control points at (u, v), and their derivatives: rows value, d/du, d/dv. */
static inline void dense_weights(const toi_patch *p, double u, double v, double w[3][CASE_POINTS_MOST]) {
  if (p->shape == TOI_PATCH_QUAD) {
    double bu[10], du[10], bv[10], dv[10];
    dense_basis(p->degree[0], u, bu, du);
    dense_basis(p->degree[1], v, bv, dv);
    for (uint32_t i = 0, k = 0; i <= p->degree[0]; i++)
      for (uint32_t j = 0; j <= p->degree[1]; j++, k++) {
        w[0][k] = bu[i] * bv[j];
        w[1][k] = du[i] * bv[j];
        w[2][k] = bu[i] * dv[j];
      }
    return;
  }
  static const double factorial[10] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880};
  double pu[10], du[10], pv[10], dv[10], pz[10], dz[10];
  uint32_t n = p->degree[0];
  dense_powers(n, u, pu, du);
  dense_powers(n, v, pv, dv);
  dense_powers(n, 1 - u - v, pz, dz);
  for (uint32_t b = 0, k = 0; b <= n; b++)
    for (uint32_t a = 0; a <= n - b; a++, k++) {
      uint32_t c = n - a - b;
      double times = factorial[n] / (factorial[a] * factorial[b] * factorial[c]);
      w[0][k] = times * pu[a] * pv[b] * pz[c];
      w[1][k] = times * (du[a] * pz[c] - pu[a] * dz[c]) * pv[b];
      w[2][k] = times * (dv[b] * pz[c] - pv[b] * dz[c]) * pu[a];
    }
}

/* A point that moves: place and velocity, and the derivatives of both by u and by v. */
typedef struct dense_point {
  double value[6], du[6], dv[6];
  double u, v;
} dense_point;

static inline void dense_evaluate(const toi_patch *p, double u, double v, dense_point *out) {
  double w[3][CASE_POINTS_MOST], sums[3][7] = {{0}};
  dense_weights(p, u, v, w);
  size_t count = toi_patch_points(p->shape, p->degree);
  for (int row = 0; row < 3; row++)
    for (size_t i = 0; i < count; i++) {
      double x = p->weights ? w[row][i] * p->weights[i] : w[row][i];
      for (int k = 0; k < 3; k++) {
        sums[row][k] += x * p->points[i][k];
        sums[row][3 + k] += p->velocities ? x * p->velocities[i][k] : 0;
      }
      sums[row][6] += x;
    }
  if (!p->weights) {
    sums[0][6] = 1;
    sums[1][6] = sums[2][6] = 0;
  }
  for (int k = 0; k < 6; k++) {
    out->value[k] = sums[0][k] / sums[0][6];
    out->du[k] = (sums[1][k] - out->value[k] * sums[1][6]) / sums[0][6];
    out->dv[k] = (sums[2][k] - out->value[k] * sums[2][6]) / sums[0][6];
  }
  out->u = u;
  out->v = v;
}

/* --- the local minimisation --- */

/* Unknowns in [0, 1]: two of each patch, and time between two ends. A triangle is covered by a square that is
 * collapsed to one of its corners; which one is turned from start to start. */
typedef struct dense_problem {
  const test_case *c;
  double t_from, t_to;
  double goal; /* a distance */
  toi_norm norm;
  int turn;
} dense_problem;

typedef struct dense_contact {
  double t, a[2], b[2];
  double distance; /* in the norm */
} dense_contact;

/* u and v from two unknowns, and their derivatives: d[i][j] = d(u, v)_i / dx_j. */
static inline void dense_unfold(const toi_patch *p, int turn, const double x[2], double uv[2], double d[2][2]) {
  if (p->shape == TOI_PATCH_QUAD) {
    uv[0] = x[0];
    uv[1] = x[1];
    d[0][0] = d[1][1] = 1;
    d[0][1] = d[1][0] = 0;
    return;
  }
  const double bary[3] = {1 - x[0], x[0] * (1 - x[1]), x[0] * x[1]};
  const double by[3][2] = {{-1, 0}, {1 - x[1], -x[0]}, {x[1], x[0]}};
  for (int i = 0; i < 2; i++) {
    uv[i] = bary[(i + turn) % 3];
    d[i][0] = by[(i + turn) % 3][0];
    d[i][1] = by[(i + turn) % 3][1];
  }
}

/* The other way round. */
static inline void dense_fold(const toi_patch *p, int turn, const double uv[2], double x[2]) {
  x[0] = uv[0];
  x[1] = uv[1];
  if (p->shape == TOI_PATCH_QUAD)
    return;
  double bary[3] = {1 - uv[0] - uv[1], 0, 0};
  for (int i = 0; i < 3; i++)
    bary[(i + turn) % 3] = i < 2 ? uv[i] : 1 - uv[0] - uv[1];
  x[0] = fmin(fmax(1 - bary[0], 0), 1);
  x[1] = x[0] > 0 ? fmin(fmax(bary[2] / x[0], 0), 1) : 0.5;
}

/* The difference of the two points and its derivatives; returns its square. */
static inline double dense_difference(const dense_problem *q, const double x[5], double r[3], double by[3][5]) {
  double t = q->t_from + x[4] * (q->t_to - q->t_from), sum = 0;
  const toi_patch *patches[2] = {&q->c->a.patch, &q->c->b.patch};
  memset(r, 0, 3 * sizeof(double));
  memset(by, 0, 15 * sizeof(double));
  for (int side = 0; side < 2; side++) {
    double uv[2], d[2][2], sign = side == 0 ? 1 : -1;
    dense_point s;
    dense_unfold(patches[side], q->turn, x + 2 * side, uv, d);
    dense_evaluate(patches[side], uv[0], uv[1], &s);
    for (int k = 0; k < 3; k++) {
      double du = s.du[k] + t * s.du[3 + k], dv = s.dv[k] + t * s.dv[3 + k];
      r[k] += sign * (s.value[k] + t * s.value[3 + k]);
      by[k][2 * side] = sign * (du * d[0][0] + dv * d[1][0]);
      by[k][2 * side + 1] = sign * (du * d[0][1] + dv * d[1][1]);
      by[k][4] += sign * s.value[3 + k] * (q->t_to - q->t_from);
    }
  }
  for (int k = 0; k < 3; k++)
    sum += r[k] * r[k];
  return sum;
}

static inline double dense_norm(toi_norm norm, const double r[3]) {
  if (norm == TOI_NORM_LINF)
    return fmax(fabs(r[0]), fmax(fabs(r[1]), fabs(r[2])));
  return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
}

/* m y = r for a symmetric positive matrix: false if it is singular. */
static inline bool dense_solve(const double m[3][3], const double r[3], double y[3]) {
  double c[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
    }
  double det = m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
  if (!(fabs(det) > 0))
    return false;
  for (int i = 0; i < 3; i++)
    y[i] = (c[i][0] * r[0] + c[i][1] * r[1] + c[i][2] * r[2]) / det;
  return true;
}

/* One damped step of Gauss and Newton, on what is free to move, back into the cube. */
static inline bool dense_step(const double r[3], const double by[3][5], double damping, const double x[5],
                              double next[5]) {
  double m[3][3] = {{0}}, y[3], trace = 0;
  bool is_free[5];
  for (int j = 0; j < 5; j++) {
    double slope = by[0][j] * r[0] + by[1][j] * r[1] + by[2][j] * r[2];
    is_free[j] = !(x[j] <= 0 && slope >= 0) && !(x[j] >= 1 && slope <= 0);
    for (int i = 0; is_free[j] && i < 9; i++)
      m[i / 3][i % 3] += by[i / 3][j] * by[i % 3][j];
  }
  for (int k = 0; k < 3; k++)
    trace += m[k][k];
  for (int k = 0; k < 3; k++)
    m[k][k] += damping * trace;
  if (!dense_solve((const double(*)[3])m, r, y))
    return false;
  for (int j = 0; j < 5; j++) {
    double step = by[0][j] * y[0] + by[1][j] * y[1] + by[2][j] * y[2];
    next[j] = is_free[j] ? fmin(fmax(x[j] - step, 0), 1) : x[j];
  }
  return true;
}

static inline void dense_report(const dense_problem *q, const double x[5], double distance, dense_contact *out) {
  double d[2][2];
  dense_unfold(&q->c->a.patch, q->turn, x, out->a, d);
  dense_unfold(&q->c->b.patch, q->turn, x + 2, out->b, d);
  out->t = q->t_from + x[4] * (q->t_to - q->t_from);
  out->distance = distance;
}

/* Walks downhill from x; true if it comes as close as wanted. Where it came to is reported either way. */
static inline bool dense_descend(const dense_problem *q, double x[5], dense_contact *out) {
  double r[3], by[3][5], next_r[3], next_by[3][5], next[5], damping = 1e-3;
  double square = dense_difference(q, x, r, by);
  int slow = 0;
  for (int i = 0; i < DENSE_STEPS && slow < 6; i++) {
    if (dense_norm(q->norm, r) <= q->goal)
      break;
    if (!dense_step(r, (const double(*)[5])by, damping, x, next)) {
      damping = damping * 10 + 1e-12;
      continue;
    }
    double next_square = dense_difference(q, next, next_r, next_by);
    if (!(next_square < square)) {
      damping = damping * 10 + 1e-12;
      slow++;
      continue;
    }
    slow = next_square > 0.98 * square ? slow + 1 : 0;
    damping *= 0.05;
    square = next_square;
    memcpy(x, next, sizeof(next));
    memcpy(r, next_r, sizeof(next_r));
    memcpy(by, next_by, sizeof(next_by));
  }
  dense_report(q, x, dense_norm(q->norm, r), out);
  return out->distance <= q->goal;
}

/* --- the grid --- */

static inline size_t dense_grid(const toi_patch *p, dense_point grid[DENSE_SIDE * DENSE_SIDE]) {
  bool quad = p->shape == TOI_PATCH_QUAD;
  size_t count = 0;
  for (int i = 0; i < (quad && p->degree[0] == 0 ? 1 : DENSE_SIDE); i++)
    for (int j = 0; j < (quad && p->degree[1] == 0 ? 1 : DENSE_SIDE); j++)
      if (quad || i + j < DENSE_SIDE)
        dense_evaluate(p, i / (DENSE_SIDE - 1.0), j / (DENSE_SIDE - 1.0), &grid[count++]);
  return count;
}

/* Pairs of points that come close, the best of every part of the time. */
typedef struct dense_start {
  double square, t;
  const dense_point *a, *b;
} dense_start;

static inline void dense_offer(dense_start best[DENSE_STARTS], const dense_start *start) {
  int i = DENSE_STARTS - 1;
  if (!(start->square < best[i].square))
    return;
  // Starts from one point of the first patch are much the same.
  for (int j = 0; j < DENSE_STARTS; j++)
    if (best[j].a == start->a) {
      if (best[j].square <= start->square)
        return;
      i = j;
    }
  for (; i > 0 && start->square < best[i - 1].square; i--)
    best[i] = best[i - 1];
  best[i] = *start;
}

static inline dense_start dense_approach(const dense_point *a, const dense_point *b, double t_from, double t_to) {
  double dot = 0, speed = 0, square = 0;
  for (int k = 0; k < 3; k++) {
    double d = a->value[k] - b->value[k], v = a->value[3 + k] - b->value[3 + k];
    dot += d * v;
    speed += v * v;
  }
  double t = speed > 0 ? fmin(fmax(-dot / speed, t_from), t_to) : t_from;
  for (int k = 0; k < 3; k++) {
    double d = a->value[k] - b->value[k] + t * (a->value[3 + k] - b->value[3 + k]);
    square += d * d;
  }
  return (dense_start){.square = square, .t = t, .a = a, .b = b};
}

/* The largest coordinate there is in the question. */
static inline double dense_scale(const test_case *c) {
  double scale = 0;
  const test_patch *patches[2] = {&c->a, &c->b};
  for (int i = 0; i < 2; i++)
    for (size_t j = 0; j < patch_count(patches[i]); j++)
      for (int k = 0; k < 3; k++)
        scale = fmax(scale, fabs(patches[i]->points[j][k]) + c->t_max * fabs(patches[i]->velocities[j][k]));
  return scale;
}

/* --- questions --- */

static inline dense_problem dense_ask(const test_case *c, double t_from, double t_to) {
  return (dense_problem){.c = c, .t_from = t_from, .t_to = t_to, .goal = DENSE_CLOSE * dense_scale(c)};
}

/* Walks from one start; true if that ends in a contact earlier than `found`, which it then is. */
static inline bool dense_try(dense_problem *q, const dense_start *start, int turn, dense_contact *found) {
  const double a[2] = {start->a->u, start->a->v}, b[2] = {start->b->u, start->b->v};
  dense_contact contact;
  double x[5];
  q->turn = turn;
  dense_fold(&q->c->a.patch, turn, a, x);
  dense_fold(&q->c->b.patch, turn, b, x + 2);
  x[4] = q->t_to > q->t_from ? (start->t - q->t_from) / (q->t_to - q->t_from) : 0;
  if (!dense_descend(q, x, &contact) || contact.t >= found->t)
    return false;
  *found = contact;
  return true;
}

/* Is there a contact in the question's time? The earliest of those found. */
static inline bool dense_find(dense_problem q, dense_contact *found) {
  dense_point a[DENSE_SIDE * DENSE_SIDE], b[DENSE_SIDE * DENSE_SIDE];
  size_t a_count = dense_grid(&q.c->a.patch, a), b_count = dense_grid(&q.c->b.patch, b);
  dense_start best[DENSE_BINS][DENSE_STARTS];
  for (int i = 0; i < DENSE_BINS * DENSE_STARTS; i++)
    best[i / DENSE_STARTS][i % DENSE_STARTS] = (dense_start){.square = INFINITY};
  for (size_t i = 0; i < a_count; i++)
    for (size_t j = 0; j < b_count; j++) {
      dense_start start = dense_approach(&a[i], &b[j], q.t_from, q.t_to);
      double part = q.t_to > q.t_from ? (start.t - q.t_from) / (q.t_to - q.t_from) : 0;
      dense_offer(best[part < 1 ? (int)(part * DENSE_BINS) : DENSE_BINS - 1], &start);
    }
  found->t = INFINITY;
  for (int i = 0; i < DENSE_BINS * DENSE_STARTS; i++)
    if (best[i / DENSE_STARTS][i % DENSE_STARTS].a)
      dense_try(&q, &best[i / DENSE_STARTS][i % DENSE_STARTS], i % 3, found);
  return found->t < INFINITY;
}

/* The time in between at which two points are nearest in the question's norm: a convex function of it. */
static inline double dense_nearest_time(const dense_problem *q, const dense_point *a, const dense_point *b) {
  double lo = q->t_from, hi = q->t_to;
  for (int i = 0; i < 120; i++) {
    double r[2][3], t[2] = {lo + (hi - lo) / 3, hi - (hi - lo) / 3};
    for (int j = 0; j < 6; j++)
      r[j / 3][j % 3] = a->value[j % 3] - b->value[j % 3] + t[j / 3] * (a->value[3 + j % 3] - b->value[3 + j % 3]);
    if (dense_norm(q->norm, r[0]) < dense_norm(q->norm, r[1]))
      hi = t[1];
    else
      lo = t[0];
  }
  return hi;
}

/* Is there a contact near these parameters, from t_from to t_to? */
static inline bool dense_confirm(dense_problem q, const double a[2], const double b[2], dense_contact *found) {
  dense_point on_a, on_b;
  dense_evaluate(&q.c->a.patch, a[0], a[1], &on_a);
  dense_evaluate(&q.c->b.patch, b[0], b[1], &on_b);
  const dense_start start = {.t = dense_nearest_time(&q, &on_a, &on_b), .a = &on_a, .b = &on_b};
  found->t = INFINITY;
  for (int turn = 0; turn < 3; turn++)
    if (dense_try(&q, &start, turn, found))
      return true;
  return false;
}

#endif
