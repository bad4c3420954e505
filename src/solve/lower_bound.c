/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A lower bound of t = c_t + l.v + g.y + (y S y)/2: lower_bound.h has the formula. With o the open unknowns and a the
 * inward ones, y_a >= 0,
 *     (y S y)/2 >= (o S o)/2 - sum_a y_a p_a,   p_a = sum_o |S_ao| + (sum_b |S_ab|)/2,
 *     t >= c_t + l.v - sum_o |g_o| + sum_a min(0, g_a - p_a) + min (o S o)/2.
 *
 * Forms. Let M hold the middles of S and R its radii, r_i the sum of row i of R, r that of all. For |o_i| <= 1
 * - o S o >= o M o - sum R_ij |o_i||o_j| >= o (M - diag r_i) o, as 2 |o_i||o_j| <= o_i^2 + o_j^2: 0 is a bound if that
 *   matrix is positive definite; likewise with o_i = d_i p_i, in units in which the diagonal of M is about 1;
 * - o S o >= o M o - r >= -(r + s n) if M + s I is positive definite.
 * Positive definite: Cholesky's decomposition of a matrix less MARGIN times the sum of the magnitudes on its diagonal
 * goes through only if the matrix is (Demmel 1989: its rounding is that of a matrix which differs by less than (n + 1)
 * u of that sum, here some 2^-50; LEAST covers underflow, as entries are at most MOST).
 *
 * Nothing of this depends on how l and K are chosen:
 * - l such that g is small along open unknowns, which it can be where the surfaces are nearly tangential;
 * - K such that S loses what belongs to directions in which G changes. With R a right inverse of J and Q = R J the
 *   projection onto these, K = -(1 - Q^T/2) H R + (e/2) R makes S about (1 - Q^T) H (1 - Q) + e Q: how the time changes
 *   along G = 0, which rises away from the first contact; and e > 0 makes S definite where that rise is strict (Q is
 *   symmetric in the units f of the unknowns; in others R comes with f^2). Rows of inward unknowns take S's mixed
 * entries away. Three equations are first turned so that one goes along l and the others to where J is longest and
 * shortest across it: components of very different size are not mixed then. */

#include "solve/lower_bound.h"

#include "solve/vector.h"

enum { M = TOI_CONTACT_EQUATIONS, N = TOI_UNKNOWNS };

#define MARGIN 0x1p-46

/* Entries beyond this bound nothing; sums and squares up to there do not overflow. */
#define MOST 1e100

/* The first s, in parts of the radii's share of each unknown, then 8 times as much, and so on; more than 0. */
#define SHIFT_FIRST 0.0625
#define SHIFT_LEAST 1e-300
#define SHIFTS 5

/* Factors e in sizes of H that are tried for a strict minimum: the first, and how much more then. */
#define STRICT_FIRST 2.0
#define STRICT_NEXT 4.0
#define STRICT_TRIES 2

/* --- forms --- */

bool toi_positive_definite(size_t n, const toi_row *matrix, double shift) {
  toi_row l[N];
  double trace = 0;
  for (size_t i = 0; i < n; i++)
    trace += fabs(matrix[i][i]) + shift;
  if (!(trace < MOST))
    return false;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = matrix[i][j] + (i == j ? shift - MARGIN * trace - TOI_MIDRAD_LEAST : 0);
      for (size_t k = 0; k < j; k++)
        sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > 0))
        return false;
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  return true;
}

/* Whether M less the rows of radii on its diagonal is positive definite, in units of its diagonal: powers of two, which
 * round nothing. */
static bool is_definite(size_t n, toi_midrad s[N][N]) {
  toi_row less[N] = {{0}};
  double unit[N];
  for (size_t i = 0; i < n; i++) {
    if (!(s[i][i].x > 0 && s[i][i].x < MOST))
      return false;
    unit[i] = toi_power_of_two(-(toi_exponent_of(s[i][i].x) / 2));
  }
  for (size_t i = 0; i < n; i++) {
    double row = 0;
    for (size_t j = 0; j < n; j++) {
      toi_midrad entry = s[i > j ? i : j][i > j ? j : i];
      less[i][j] = entry.x * unit[i] * unit[j];
      row += entry.r * unit[i] * unit[j];
    }
    // The subtraction rounds: MARGIN covers that too.
    less[i][i] -= row * TOI_MIDRAD_OUTWARD;
  }
  return toi_positive_definite(n, (const toi_row *)less, 0);
}

double toi_least_form(size_t n, toi_midrad s[TOI_UNKNOWNS][TOI_UNKNOWNS]) {
  toi_row middle[N] = {{0}};
  double radii = 0;
  if (is_definite(n, s))
    return 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      middle[i][j] = s[i][j].x;
      radii += i == j ? s[i][j].r : 2 * s[i][j].r;
    }
  radii *= TOI_MIDRAD_OUTWARD;
  if (!(radii < MOST))
    return -INFINITY;
  for (int attempt = 0; attempt < SHIFTS; attempt++) {
    double shift = ldexp(SHIFT_FIRST * radii / (double)n + SHIFT_LEAST, 3 * attempt);
    if (toi_positive_definite(n, (const toi_row *)middle, shift))
      return -(radii + shift * (double)n) * TOI_MIDRAD_OUTWARD;
  }
  return -INFINITY;
}

/* --- multipliers --- */

/* The open unknowns first, then the inward ones. */
typedef struct order {
  size_t at[N], open;
} order;

static order order_of(const toi_second_order *s) {
  order o = {.open = 0};
  for (size_t i = 0; i < s->n; i++)
    if (!s->inward[i])
      o.at[o.open++] = i;
  size_t next = o.open;
  for (size_t i = 0; i < s->n; i++)
    if (s->inward[i])
      o.at[next++] = i;
  return o;
}

/* J J^T of the open unknowns. */
static void gram(const toi_second_order *s, const order *o, toi_row *a) {
  for (size_t k = 0; k < s->m; k++)
    for (size_t i = 0; i < s->m; i++) {
      a[k][i] = 0;
      for (size_t c = 0; c < o->open; c++)
        a[k][i] += s->slope[k][o->at[c]].x * s->slope[i][o->at[c]].x;
    }
}

/* l: the least squares solution of J^T l = -w_t e_t along the open unknowns. */
bool toi_lower_bound_begin(toi_second_order *s) {
  toi_row a[M] = {{0}}, inverse[M] = {{0}};
  const order o = order_of(s);
  gram(s, &o, a);
  if (o.open < s->m || !toi_linear_inverse(s->m, (const toi_row *)a, inverse))
    return false;
  bool fine = true;
  for (size_t k = 0; k < s->m; k++) {
    s->l[k] = 0;
    for (size_t i = 0; i < s->m; i++)
      s->l[k] -= inverse[k][i] * s->slope[i][s->n - 1].x * s->length;
    fine = fine && fabs(s->l[k]) < MOST;
  }
  return fine;
}

static double form_of(toi_row *a, const double x[3], const double y[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += x[k] * (a[k][0] * y[0] + a[k][1] * y[1] + a[k][2] * y[2]);
  return sum;
}

/* Along l, and across it along the axes of A = J J^T. */
static bool find_frame(toi_row *a, const double l[3], double frame[3][3]) {
  double *n = frame[0], e[2][3];
  memcpy(n, l, sizeof frame[0]);
  if (!toi_plain_unit3(n))
    return false;
  toi_plain_across3(n, e[0], e[1]);
  // One turn of Jacobi's makes the form diagonal.
  double mixed = form_of(a, e[0], e[1]), gap = form_of(a, e[1], e[1]) - form_of(a, e[0], e[0]);
  double tangent = mixed == 0 ? 0 : 2 * mixed / (gap + (gap < 0 ? -1 : 1) * sqrt(gap * gap + 4 * mixed * mixed));
  double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
  for (int k = 0; k < 3; k++) {
    frame[1][k] = cosine * e[0][k] - sine * e[1][k];
    frame[2][k] = sine * e[0][k] + cosine * e[1][k];
  }
  return true;
}

/* v, J and A, in a frame that K is chosen in. */
typedef struct turned {
  order o;
  double frame[3][3]; /* where there are three equations */
  toi_midrad value[M], slope[M][N], over[M][N];
} turned;

static toi_midrad combined(const double factors[3], toi_midrad a, toi_midrad b, toi_midrad c) {
  toi_midrad_sum sum = {0};
  toi_midrad_accumulate(&sum, a, factors[0]);
  toi_midrad_accumulate(&sum, b, factors[1]);
  toi_midrad_accumulate(&sum, c, factors[2]);
  return toi_midrad_total(sum);
}

static bool turn(const toi_second_order *s, turned *t) {
  toi_midrad value[M] = {{0}};
  t->o = order_of(s);
  for (size_t k = 0; k < s->m; k++)
    value[k] = (toi_midrad){s->value[k].x, (s->value[k].r + s->residual) * TOI_MIDRAD_OUTWARD};
  if (s->m < 3) {
    memcpy(t->value, value, s->m * sizeof *value);
    memcpy(t->slope, s->slope, s->m * sizeof *s->slope);
    memcpy(t->over, s->over, s->m * sizeof *s->over);
    return true;
  }
  toi_row a[M] = {{0}};
  gram(s, &t->o, a);
  if (!find_frame(a, s->l, t->frame))
    return false;
  for (int k = 0; k < 3; k++) {
    const double *along = t->frame[k];
    t->value[k] = combined(along, value[0], value[1], value[2]);
    for (size_t i = 0; i < s->n; i++) {
      t->slope[k][i] = combined(along, s->slope[0][i], s->slope[1][i], s->slope[2][i]);
      t->over[k][i] = combined(along, s->over[0][i], s->over[1][i], s->over[2][i]);
    }
  }
  return true;
}

static toi_midrad hessian_of(const toi_second_order *s, size_t i, size_t j) {
  return s->hessian[i > j ? i : j][i > j ? j : i];
}

/* How K is chosen: f measures the open unknowns, in their order; e. */
typedef struct choice {
  double f[N], e;
  toi_row inverse[N];
} choice;

/* The right inverse of the open unknowns' columns of J. */
static bool find_inverse(const toi_second_order *s, const turned *t, choice *by) {
  toi_row slopes[M] = {{0}};
  double weights[N];
  for (size_t a = 0; a < t->o.open; a++) {
    weights[a] = 1 / by->f[a];
    for (size_t k = 0; k < s->m; k++)
      slopes[k][a] = t->slope[k][t->o.at[a]].x;
  }
  return toi_linear_right_inverse(s->m, t->o.open, (const toi_row *)slopes, weights, by->inverse);
}

/* K's rows of the open unknowns: -(1 - Q^T/2) H R + (e/2) f^2 R. */
static void choose_open(const toi_second_order *s, const turned *t, const choice *by,
                        double k[N][TOI_CONTACT_EQUATIONS]) {
  const size_t n = t->o.open;
  double hr[N][M], q[N][N];
  for (size_t a = 0; a < n; a++) {
    for (size_t c = 0; c < s->m; c++) {
      hr[a][c] = 0;
      for (size_t b = 0; b < n; b++)
        hr[a][c] += hessian_of(s, t->o.at[a], t->o.at[b]).x * by->inverse[b][c];
    }
    for (size_t b = 0; b < n; b++) {
      q[a][b] = 0;
      for (size_t c = 0; c < s->m; c++)
        q[a][b] += by->inverse[a][c] * t->slope[c][t->o.at[b]].x;
    }
  }
  for (size_t a = 0; a < n; a++)
    for (size_t c = 0; c < s->m; c++) {
      double sum = 0.5 * by->e * by->f[a] * by->f[a] * by->inverse[a][c] - hr[a][c];
      for (size_t b = 0; b < n; b++)
        sum += 0.5 * q[b][a] * hr[b][c];
      k[t->o.at[a]][c] = sum;
    }
}

/* K's rows of the inward unknowns: -(H + A^T K^T) R of the mixed entries. */
static void choose_inward(const toi_second_order *s, const turned *t, const choice *by,
                          double k[N][TOI_CONTACT_EQUATIONS]) {
  for (size_t a = t->o.open; a < s->n; a++) {
    size_t i = t->o.at[a];
    for (size_t c = 0; c < s->m; c++)
      k[i][c] = 0;
    for (size_t b = 0; b < t->o.open; b++) {
      size_t j = t->o.at[b];
      double mixed = hessian_of(s, i, j).x;
      for (size_t c = 0; c < s->m; c++)
        mixed += k[j][c] * t->over[c][i].x;
      for (size_t c = 0; c < s->m; c++)
        k[i][c] -= mixed * by->inverse[b][c];
    }
  }
}

/* --- the bound --- */

/* S_ij. */
static toi_midrad entry(const toi_second_order *s, const turned *t, double k[N][TOI_CONTACT_EQUATIONS], size_t i,
                        size_t j) {
  toi_midrad_sum sum = {0};
  toi_midrad_accumulate(&sum, hessian_of(s, i, j), 1);
  for (size_t c = 0; c < s->m; c++) {
    toi_midrad_accumulate(&sum, t->over[c][j], k[i][c]);
    toi_midrad_accumulate(&sum, t->over[c][i], k[j][c]);
  }
  return toi_midrad_total(sum);
}

/* g_i. */
static toi_midrad gradient(const toi_second_order *s, const turned *t, double k[N][TOI_CONTACT_EQUATIONS], size_t i) {
  const double length = i == s->n - 1 ? s->length : 0;
  toi_midrad_sum sum = {length, 0, fabs(length)};
  for (size_t c = 0; c < s->m; c++) {
    toi_midrad_accumulate(&sum, s->slope[c][i], s->l[c]);
    toi_midrad_accumulate(&sum, t->value[c], k[i][c]);
  }
  return toi_midrad_total(sum);
}

/* The bound by this K goes into *best, if it is better. True: the form takes nothing off, so that no other K could
 * raise it by more than rounding. */
static bool bound_with(const toi_second_order *s, const turned *t, double k[N][TOI_CONTACT_EQUATIONS], double *best) {
  const order *o = &t->o;
  toi_midrad form[N][N], start = s->time;
  double loss = 0;
  for (size_t a = 0; a < o->open; a++) {
    for (size_t b = 0; b <= a; b++)
      form[a][b] = entry(s, t, k, o->at[a], o->at[b]);
    loss += toi_midrad_most(gradient(s, t, k, o->at[a]));
  }
  for (size_t a = o->open; a < s->n; a++) {
    double taken = 0;
    for (size_t b = 0; b < s->n; b++)
      taken += (b < o->open ? 1 : 0.5) * toi_midrad_most(entry(s, t, k, o->at[a], o->at[b]));
    double rise = toi_sum_down(toi_midrad_low(gradient(s, t, k, o->at[a])), -taken * TOI_MIDRAD_OUTWARD);
    // NaN is a loss: then there is no bound.
    loss += rise >= 0 ? 0 : -rise;
  }
  for (size_t c = 0; c < s->m; c++) {
    toi_midrad v = {s->value[c].x, (s->value[c].r + s->residual) * TOI_MIDRAD_OUTWARD};
    start = toi_midrad_add(start, toi_midrad_scale(v, s->l[c]));
  }
  double least = toi_least_form(o->open, form);
  double bound = toi_sum_down(toi_sum_down(toi_midrad_low(start), -loss * TOI_MIDRAD_OUTWARD), 0.5 * least);
  *best = bound > *best ? bound : *best;
  return least == 0;
}

/* With a strict minimum in view unknowns are measured by how far they move G, and e, which is given in sizes of H, too.
 */
static bool choose_strict(const toi_second_order *s, const turned *t, choice *by) {
  double size = 0;
  for (size_t a = 0; a < t->o.open; a++) {
    double square = 0;
    for (size_t c = 0; c < s->m; c++)
      square += t->slope[c][t->o.at[a]].x * t->slope[c][t->o.at[a]].x;
    by->f[a] = square > TOI_MIDRAD_LEAST ? sqrt(square) : 1;
  }
  for (size_t a = 0; a < t->o.open; a++)
    for (size_t b = 0; b <= a; b++)
      size = fmax(size, toi_midrad_most(hessian_of(s, t->o.at[a], t->o.at[b])) / (by->f[a] * by->f[b]));
  by->e = by->e * size;
  return find_inverse(s, t, by);
}

bool toi_lower_bound_factors(const toi_second_order *s, double strict, double k[N][TOI_CONTACT_EQUATIONS]) {
  turned t;
  choice by = {.f = {1, 1, 1, 1, 1}, .e = strict};
  if (!turn(s, &t) || !(strict > 0 ? choose_strict(s, &t, &by) : find_inverse(s, &t, &by)))
    return false;
  choose_open(s, &t, &by, k);
  choose_inward(s, &t, &by, k);
  for (size_t i = 0; i < s->n && s->m == 3; i++) {
    const double row[3] = {k[i][0], k[i][1], k[i][2]};
    for (int c = 0; c < 3; c++)
      k[i][c] = row[0] * t.frame[0][c] + row[1] * t.frame[1][c] + row[2] * t.frame[2][c];
  }
  return true;
}

/* The bound by one choice of K goes into *best. True: as bound_with(). */
static bool try_choice(const toi_second_order *s, const turned *t, const choice *by, double *best) {
  double k[N][TOI_CONTACT_EQUATIONS];
  choose_open(s, t, by, k);
  choose_inward(s, t, by, k);
  return bound_with(s, t, k, best);
}

double toi_lower_bound(const toi_second_order *s, bool strict) {
  turned t;
  double best = -INFINITY;
  choice plain = {.f = {1, 1, 1, 1, 1}}, by = {.e = STRICT_FIRST};
  if (!turn(s, &t))
    return best;
  // The first e of a strict minimum suffices mostly; along curves of contact none does.
  strict = strict && choose_strict(s, &t, &by);
  if (strict && try_choice(s, &t, &by, &best))
    return best;
  if (find_inverse(s, &t, &plain) && try_choice(s, &t, &plain, &best))
    return best;
  for (int i = 1; i < STRICT_TRIES && strict; i++) {
    by.e *= STRICT_NEXT;
    if (try_choice(s, &t, &by, &best))
      break;
  }
  return best;
}
