/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A lower bound for the time of contacts in a box X, around its centre c with half widths w.
 *
 * Let G be the equations of contact, l a real vector and L a real matrix. With x_i = c_i + w_i y_i, |y_i| <= 1, the
 * time is P(y) = t + (l + L y).G where G = 0, and by Taylor's theorem P(y) = P(0) + P'(0) y + (y K y)/2 for a K in P''
 * over the box. With J and G'' the derivatives by y,
 *     P'  = w_t e_t + J^T (l + L y) + L^T G,
 *     P'' = sum (l + L y)_k G_k'' + L^T J + J^T L.
 * So t >= P(0) - sum |P'_i(0)| + (y K y)/2, and toi_linear_least_form bounds y K y from below.
 *
 * Nothing of this depends on how l and L are chosen:
 * - l such that P'(0) is small, which it can be where the surfaces are nearly tangential;
 * - L such that P'' loses what belongs to directions in which G changes: with Q the projection onto these and
 *   H = sum l_k G_k'', L^T J + J^T L = -QH - HQ + QHQ leaves (1 - Q) H (1 - Q), how the time changes along G = 0, which
 *   rises away from the first contact. What is lost is of third order in the widths.
 * The equations are first turned so that one goes along the normal and the others to where J is longest and shortest
 * across it: components of very different size are not mixed then. */

#include "contact/floor.h"

#include "contact/vector.h"

enum { P, U, V, T, UU, UV, UT, VV, VT, TT, N = TOI_UNKNOWNS };

/* The equations' values, slopes and second derivatives. */
typedef struct expansion {
  toi_interval value[3];
  toi_interval slope[3][N];
  toi_interval second[3][N][N];
} expansion;

static bool expand(const toi_problem *problem, const toi_box *box, unsigned order, expansion *e) {
  toi_couple *couple = problem->couple;
  toi_surface_jet p;
  const toi_interval first[3] = {box->x[0], box->x[1], box->x[4]}, second[3] = {box->x[2], box->x[3], box->x[4]};
  if (!toi_couple_jet(couple, first, order, &p))
    return false;
  const toi_surface_jet *s = toi_seen_jet(couple->seen[1], second, order);
  if (s == NULL)
    return false;
  static const int of_first[3][3] = {{UU, UV, UT}, {UV, VV, VT}, {UT, VT, TT}};
  static const size_t at_first[3] = {0, 1, 4}, at_second[3] = {2, 3, 4};
  memset(e->second, 0, sizeof e->second);
  for (int k = 0; k < 3; k++) {
    e->value[k] = toi_branchless_sub(p.d[P][k], s->d[P][k]);
    e->slope[k][0] = p.d[U][k];
    e->slope[k][1] = p.d[V][k];
    e->slope[k][2] = toi_interval_neg(s->d[U][k]);
    e->slope[k][3] = toi_interval_neg(s->d[V][k]);
    e->slope[k][4] = toi_branchless_sub(p.d[T][k], s->d[T][k]);
    for (int i = 0; i < 3 && order == 2; i++)
      for (int j = 0; j < 3; j++) {
        toi_interval *a = &e->second[k][at_first[i]][at_first[j]];
        *a = toi_branchless_add(*a, p.d[of_first[i][j]][k]);
        toi_interval *b = &e->second[k][at_second[i]][at_second[j]];
        *b = toi_branchless_sub(*b, s->d[of_first[i][j]][k]);
      }
  }
  return true;
}

/* l and L, and a frame to turn the equations to. */
typedef struct multipliers {
  double l[3];
  double by[3][N]; /* L, by columns */
  double frame[3][3];
} multipliers;

static double form_of(toi_row *a, const double x[3], const double y[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += x[k] * (a[k][0] * y[0] + a[k][1] * y[1] + a[k][2] * y[2]);
  return sum;
}

/* Along l, and across it along the axes of A = J w w J^T. */
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

/* l: the least squares solution of J^T l = -e_t, columns measured by the widths, in the frame. */
static bool find_multipliers(const expansion *centre, const toi_columns *columns, const double *w, multipliers *m) {
  toi_row a[3] = {{0}}, inverse[3] = {{0}};
  double right[3] = {0}, l[3];
  for (size_t c = 0; c < columns->count; c++) {
    size_t j = columns->at[c];
    double column[3];
    for (int k = 0; k < 3; k++)
      column[k] = toi_interval_midpoint(centre->slope[k][j]) * w[j];
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 3; i++)
        a[k][i] += column[k] * column[i];
      right[k] -= j == N - 1 ? column[k] * w[j] : 0;
    }
  }
  if (!toi_linear_inverse(3, (const toi_row *)a, inverse))
    return false;
  for (int k = 0; k < 3; k++)
    l[k] = inverse[k][0] * right[0] + inverse[k][1] * right[1] + inverse[k][2] * right[2];
  if (!find_frame(a, l, m->frame))
    return false;
  memset(m->by, 0, sizeof m->by);
  for (int k = 0; k < 3; k++)
    m->l[k] = toi_plain_dot3(m->frame[k], l);
  return true;
}

/* L, from the middle H of K without it. */
static bool find_turning(const expansion *centre, const toi_columns *columns, const double *w, toi_interval k[N][N],
                         multipliers *m) {
  size_t n = columns->count;
  const double units[N] = {1, 1, 1, 1, 1};
  toi_row slopes[3] = {{0}}, right[N] = {{0}};
  double h[N][N] = {{0}}, q[N][N] = {{0}}, hq[N][N] = {{0}};
  for (size_t a = 0; a < n; a++) {
    for (int e = 0; e < 3; e++)
      slopes[e][a] = toi_interval_midpoint(centre->slope[e][columns->at[a]]) * w[columns->at[a]];
    for (size_t b = 0; b <= a; b++)
      h[a][b] = h[b][a] = toi_interval_midpoint(k[a][b]);
  }
  if (n < 3 || !toi_linear_right_inverse(3, n, (const toi_row *)slopes, units, right))
    return false;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      q[a][b] = right[a][0] * slopes[0][b] + right[a][1] * slopes[1][b] + right[a][2] * slopes[2][b];
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      for (size_t i = 0; i < n; i++)
        hq[a][b] += h[a][i] * q[i][b];
  // L = -R^T (H - QHQ/2), R the right inverse.
  for (int e = 0; e < 3; e++)
    for (size_t b = 0; b < n; b++)
      for (size_t a = 0; a < n; a++) {
        double qhq = 0;
        for (size_t i = 0; i < n; i++)
          qhq += q[a][i] * hq[i][b];
        m->by[e][b] -= right[a][e] * (h[a][b] - 0.5 * qhq);
      }
  return true;
}

/* The equations in the frame. */
static void turn(const toi_columns *columns, double frame[3][3], bool second, expansion *e) {
  expansion old = *e;
  for (int k = 0; k < 3; k++) {
    e->value[k] = toi_combine3(frame[k], old.value[0], old.value[1], old.value[2]);
    for (size_t a = 0; a < columns->count; a++) {
      size_t i = columns->at[a];
      e->slope[k][i] = toi_combine3(frame[k], old.slope[0][i], old.slope[1][i], old.slope[2][i]);
      for (size_t b = 0; b <= a && second; b++) {
        size_t j = columns->at[b];
        e->second[k][i][j] = toi_combine3(frame[k], old.second[0][i][j], old.second[1][i][j], old.second[2][i][j]);
      }
    }
  }
}

/* K over the box, lower half; gives the largest magnitude. */
static double form(const expansion *over, const toi_columns *columns, const double *w, const multipliers *m,
                   toi_interval k[N][N]) {
  double most = 0;
  toi_interval factor[3];
  for (int e = 0; e < 3; e++) {
    double sum = 0;
    for (size_t a = 0; a < columns->count; a++)
      sum = toi_sum_up(sum, fabs(m->by[e][a]));
    factor[e] = toi_branchless_add(toi_interval_point(m->l[e]), (toi_interval){-sum, sum});
  }
  for (size_t a = 0; a < columns->count; a++)
    for (size_t b = 0; b <= a; b++) {
      size_t i = columns->at[a], j = columns->at[b];
      toi_interval sum = {0, 0}, wi = toi_interval_point(w[i]), wj = toi_interval_point(w[j]);
      for (int e = 0; e < 3; e++) {
        sum = toi_branchless_add(
            sum, toi_branchless_mul(toi_branchless_mul(factor[e], over->second[e][i][j]), toi_branchless_mul(wi, wj)));
        sum = toi_branchless_add(
            sum, toi_branchless_mul(toi_interval_point(m->by[e][a]), toi_branchless_mul(over->slope[e][j], wj)));
        sum = toi_branchless_add(
            sum, toi_branchless_mul(toi_interval_point(m->by[e][b]), toi_branchless_mul(over->slope[e][i], wi)));
      }
      k[a][b] = sum;
      most = fmax(most, toi_interval_magnitude(sum));
    }
  return most;
}

/* P(0) - sum |P'_i(0)|. */
static double linear_part(const expansion *centre, const toi_columns *columns, const toi_box *c, const double *w,
                          const multipliers *m) {
  toi_interval sum = c->x[N - 1];
  for (int e = 0; e < 3; e++)
    sum = toi_branchless_add(sum, toi_branchless_mul(toi_interval_point(m->l[e]), centre->value[e]));
  double least = sum.lo;
  for (size_t a = 0; a < columns->count; a++) {
    size_t i = columns->at[a];
    toi_interval slope = toi_interval_point(i == N - 1 ? 1 : 0), wi = toi_interval_point(w[i]);
    for (int e = 0; e < 3; e++)
      slope = toi_branchless_add(slope, toi_branchless_mul(toi_interval_point(m->l[e]), centre->slope[e][i]));
    slope = toi_branchless_mul(slope, wi);
    for (int e = 0; e < 3; e++)
      slope = toi_branchless_add(slope, toi_branchless_mul(toi_interval_point(m->by[e][a]), centre->value[e]));
    least = toi_sum_down(least, -toi_interval_magnitude(slope));
  }
  return least;
}

double toi_newton_floor(const toi_problem *problem, const toi_box *box, bool *failed) {
  *failed = false;
  toi_columns columns = toi_problem_columns(problem);
  toi_box c = toi_box_centre(problem, box);
  double w[N] = {0};
  for (size_t a = 0; a < columns.count; a++) {
    size_t i = columns.at[a];
    w[i] = toi_interval_magnitude(toi_branchless_sub(box->x[i], c.x[i]));
  }
  expansion centre, over;
  if (!expand(problem, &c, 1, &centre) || !expand(problem, box, 2, &over)) {
    *failed = true;
    return -INFINITY;
  }
  multipliers m;
  if (!find_multipliers(&centre, &columns, w, &m))
    return -INFINITY;
  turn(&columns, m.frame, false, &centre);
  turn(&columns, m.frame, true, &over);
  toi_interval k[N][N];
  if (!(form(&over, &columns, w, &m, k) < 1e100) || !find_turning(&centre, &columns, w, k, &m))
    return -INFINITY;
  form(&over, &columns, w, &m, k);
  return toi_sum_down(linear_part(&centre, &columns, &c, w, &m),
                      0.5 * toi_linear_least_form(columns.count, (const toi_interval_row *)k));
}
