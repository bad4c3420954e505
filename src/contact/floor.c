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
 * Three equations are first turned so that one goes along the normal and the others to where J is longest and shortest
 * across it: components of very different size are not mixed then. */

#include "contact/floor.h"

#include "contact/vector.h"

enum { M = 3, N = TOI_UNKNOWNS };

/* The equations as functions of y: a column for each free unknown, time the last. */
typedef struct local {
  size_t m, n;
  toi_interval value[M];
  toi_interval slope[M][N];
  toi_interval second[M][N][N]; /* the lower half */
} local;

/* From unknowns to columns, measured by the widths. */
static void measure(const toi_expansion *e, const toi_columns *columns, const double *w, bool second, local *l) {
  l->m = e->m;
  l->n = columns->count;
  for (size_t k = 0; k < l->m; k++) {
    l->value[k] = e->value[k];
    for (size_t a = 0; a < l->n; a++) {
      toi_interval wa = toi_interval_point(w[a]);
      l->slope[k][a] = toi_branchless_mul(e->slope[k][columns->at[a]], wa);
      for (size_t b = 0; b <= a && second; b++)
        l->second[k][a][b] = toi_branchless_mul(e->second[k][columns->at[a]][columns->at[b]],
                                                toi_branchless_mul(wa, toi_interval_point(w[b])));
    }
  }
}

/* The slopes over the box, centred: those at the centre, and what the second derivatives add. */
static void centre_slopes(const local *centre, local *over) {
  for (size_t e = 0; e < over->m; e++)
    for (size_t a = 0; a < over->n; a++) {
      double sum = 0;
      for (size_t b = 0; b < over->n; b++)
        sum = toi_sum_up(sum, toi_interval_magnitude(over->second[e][a > b ? a : b][a > b ? b : a]));
      toi_interval centred = toi_branchless_add(centre->slope[e][a], (toi_interval){-sum, sum});
      (void)toi_interval_intersect(centred, over->slope[e][a], &over->slope[e][a]);
    }
}

/* l and L. */
typedef struct multipliers {
  double l[M];
  double by[M][N];
} multipliers;

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

/* Three equations in the frame. */
static void turn(double frame[3][3], bool second, local *e) {
  local old = *e;
  for (int k = 0; k < 3; k++) {
    e->value[k] = toi_combine3(frame[k], old.value[0], old.value[1], old.value[2]);
    for (size_t a = 0; a < e->n; a++) {
      e->slope[k][a] = toi_combine3(frame[k], old.slope[0][a], old.slope[1][a], old.slope[2][a]);
      for (size_t b = 0; b <= a && second; b++)
        e->second[k][a][b] = toi_combine3(frame[k], old.second[0][a][b], old.second[1][a][b], old.second[2][a][b]);
    }
  }
}

/* l: the least squares solution of J^T l = -w_t e_t; three equations are turned on the way. */
static bool find_multipliers(double w_t, local *centre, local *over, multipliers *m) {
  toi_row a[M] = {{0}}, inverse[M] = {{0}};
  double l[M] = {0};
  const size_t count = centre->m, time = centre->n - 1;
  for (size_t c = 0; c <= time; c++)
    for (size_t k = 0; k < count; k++)
      for (size_t i = 0; i < count; i++)
        a[k][i] += toi_interval_midpoint(centre->slope[k][c]) * toi_interval_midpoint(centre->slope[i][c]);
  if (!toi_linear_inverse(count, (const toi_row *)a, inverse))
    return false;
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < count; i++)
      l[k] -= inverse[k][i] * toi_interval_midpoint(centre->slope[i][time]) * w_t;
  memset(m, 0, sizeof *m);
  memcpy(m->l, l, sizeof l);
  if (count < 3)
    return true;
  double frame[3][3];
  if (!find_frame(a, l, frame))
    return false;
  turn(frame, false, centre);
  turn(frame, true, over);
  for (int k = 0; k < 3; k++)
    m->l[k] = toi_plain_dot3(frame[k], l);
  return true;
}

/* L, from the middle H of K without it. */
static bool find_turning(const local *centre, toi_interval k[N][N], multipliers *m) {
  const size_t n = centre->n, count = centre->m;
  const double units[N] = {1, 1, 1, 1, 1};
  toi_row slopes[M] = {{0}}, right[N] = {{0}};
  double h[N][N] = {{0}}, q[N][N] = {{0}}, hq[N][N] = {{0}};
  for (size_t a = 0; a < n; a++) {
    for (size_t e = 0; e < count; e++)
      slopes[e][a] = toi_interval_midpoint(centre->slope[e][a]);
    for (size_t b = 0; b <= a; b++)
      h[a][b] = h[b][a] = toi_interval_midpoint(k[a][b]);
  }
  if (n < count || !toi_linear_right_inverse(count, n, (const toi_row *)slopes, units, right))
    return false;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      for (size_t e = 0; e < count; e++)
        q[a][b] += right[a][e] * slopes[e][b];
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      for (size_t i = 0; i < n; i++)
        hq[a][b] += h[a][i] * q[i][b];
  // L = -R^T (H - QHQ/2), R the right inverse.
  for (size_t e = 0; e < count; e++)
    for (size_t b = 0; b < n; b++)
      for (size_t a = 0; a < n; a++) {
        double qhq = 0;
        for (size_t i = 0; i < n; i++)
          qhq += q[a][i] * hq[i][b];
        m->by[e][b] -= right[a][e] * (h[a][b] - 0.5 * qhq);
      }
  return true;
}

/* K over the box, lower half; gives the largest magnitude. */
static double form(const local *over, const multipliers *m, toi_interval k[N][N]) {
  double most = 0;
  toi_interval factor[M];
  for (size_t e = 0; e < over->m; e++) {
    double sum = 0;
    for (size_t a = 0; a < over->n; a++)
      sum = toi_sum_up(sum, fabs(m->by[e][a]));
    factor[e] = toi_branchless_add(toi_interval_point(m->l[e]), (toi_interval){-sum, sum});
  }
  for (size_t a = 0; a < over->n; a++)
    for (size_t b = 0; b <= a; b++) {
      toi_interval sum = {0, 0};
      for (size_t e = 0; e < over->m; e++) {
        toi_interval turned = toi_branchless_mul(toi_interval_point(m->by[e][a]), over->slope[e][b]);
        toi_interval mirrored = toi_branchless_mul(toi_interval_point(m->by[e][b]), over->slope[e][a]);
        sum = toi_branchless_add(sum, toi_branchless_mul(factor[e], over->second[e][a][b]));
        sum = toi_branchless_add(sum, toi_branchless_add(turned, mirrored));
      }
      k[a][b] = sum;
      most = fmax(most, toi_interval_magnitude(sum));
    }
  return most;
}

/* P(0) - sum |P'_i(0)|. */
static double linear_part(toi_interval time, double w_t, const local *centre, const multipliers *m) {
  toi_interval sum = time;
  for (size_t e = 0; e < centre->m; e++)
    sum = toi_branchless_add(sum, toi_branchless_mul(toi_interval_point(m->l[e]), centre->value[e]));
  double least = sum.lo;
  for (size_t a = 0; a < centre->n; a++) {
    toi_interval slope = toi_interval_point(a == centre->n - 1 ? w_t : 0);
    for (size_t e = 0; e < centre->m; e++) {
      slope = toi_branchless_add(slope, toi_branchless_mul(toi_interval_point(m->l[e]), centre->slope[e][a]));
      slope = toi_branchless_add(slope, toi_branchless_mul(toi_interval_point(m->by[e][a]), centre->value[e]));
    }
    least = toi_sum_down(least, -toi_interval_magnitude(slope));
  }
  return least;
}

double toi_newton_floor(const toi_problem *problem, const toi_box *box, bool *failed) {
  toi_columns columns = toi_problem_columns(problem);
  toi_box c = toi_box_centre(problem, box);
  double w[N] = {0};
  for (size_t a = 0; a < columns.count; a++) {
    size_t i = columns.at[a];
    w[a] = toi_interval_magnitude(toi_branchless_sub(box->x[i], c.x[i]));
  }
  toi_expansion at_centre, over_box;
  *failed = !toi_expand(problem, &c, 1, &at_centre) || !toi_expand(problem, box, 2, &over_box);
  if (*failed)
    return -INFINITY;
  local centre, over;
  measure(&at_centre, &columns, w, false, &centre);
  measure(&over_box, &columns, w, true, &over);
  centre_slopes(&centre, &over);
  multipliers m;
  const double w_t = w[columns.count - 1];
  toi_interval k[N][N];
  if (!find_multipliers(w_t, &centre, &over, &m) || !(form(&over, &m, k) < 1e100) || !find_turning(&centre, k, &m))
    return -INFINITY;
  form(&over, &m, k);
  return toi_sum_down(linear_part(c.x[toi_couple_time(problem->couple)], w_t, &centre, &m),
                      0.5 * toi_linear_least_form(columns.count, (const toi_interval_row *)k));
}
