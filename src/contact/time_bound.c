/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The equations of contact over a box as solve/lower_bound.h wants them: around the centre of the box, measured by its
 * half widths, rounded up. */

#include "contact/time_bound.h"

#include "number/interval_branchless.h"
#include "solve/lower_bound.h"

/* Derivatives by y. */
static toi_interval measured(toi_interval slope, double w) {
  return toi_branchless_mul(slope, toi_interval_point(w));
}

static toi_interval measured_twice(toi_interval second, double w, double v) {
  return measured(second, toi_product_up(w, v));
}

/* A slope over the box, also centred: what the second derivatives add to the one at the centre. */
static toi_interval centred(const toi_expansion *over, const toi_columns *columns, const double *w, size_t k, size_t a,
                            toi_interval at_centre) {
  double sum = 0;
  toi_interval whole = measured(over->slope[k][columns->at[a]], w[a]), slope;
  for (size_t b = 0; b < columns->count; b++) {
    toi_interval second = over->second[k][columns->at[a]][columns->at[b]];
    sum = toi_sum_up(sum, toi_interval_magnitude(measured_twice(second, w[a], w[b])));
  }
  slope = toi_branchless_add(at_centre, (toi_interval){-sum, sum});
  return toi_interval_intersect(slope, whole, &slope) ? slope : whole;
}

/* What is known at the centre. */
static void set_centre(const toi_expansion *at, const toi_columns *columns, const double *w, toi_second_order *s) {
  s->m = at->m;
  s->n = columns->count;
  for (size_t k = 0; k < s->m; k++) {
    s->value[k] = toi_midrad_of(at->value[k]);
    for (size_t a = 0; a < s->n; a++)
      s->slope[k][a] = toi_midrad_of(measured(at->slope[k][columns->at[a]], w[a]));
  }
}

/* What is known over the box. */
static void set_box(const toi_expansion *at, const toi_expansion *over, const toi_columns *columns, const double *w,
                    toi_second_order *s) {
  for (size_t a = 0; a < s->n; a++) {
    for (size_t k = 0; k < s->m; k++)
      s->over[k][a] = toi_midrad_of(centred(over, columns, w, k, a, measured(at->slope[k][columns->at[a]], w[a])));
    for (size_t b = 0; b <= a; b++) {
      toi_interval sum = {0, 0};
      for (size_t k = 0; k < s->m; k++) {
        toi_interval second = over->second[k][columns->at[a]][columns->at[b]];
        sum = toi_branchless_add(sum, toi_branchless_mul(toi_interval_point(s->l[k]), second));
      }
      s->hessian[a][b] = toi_midrad_scale(toi_midrad_scale(toi_midrad_of(sum), w[a]), w[b]);
    }
  }
}

double toi_time_lower_bound(const toi_problem *problem, const toi_box *box, bool *failed) {
  toi_columns columns = toi_problem_columns(problem);
  toi_box c = toi_box_centre(problem, box);
  double w[TOI_UNKNOWNS] = {0};
  for (size_t a = 0; a < columns.count; a++) {
    size_t i = columns.at[a];
    w[a] = toi_interval_magnitude(toi_branchless_sub(box->x[i], c.x[i]));
  }
  toi_expansion at, over;
  toi_second_order s = {.time = toi_midrad_of(c.x[toi_body_pair_time(problem->pair)]), .length = w[columns.count - 1]};
  *failed = !toi_expand(problem, &c, 1, &at);
  if (*failed)
    return -INFINITY;
  set_centre(&at, &columns, w, &s);
  if (!toi_lower_bound_begin(&s))
    return -INFINITY;
  *failed = !toi_expand(problem, box, 2, &over);
  if (*failed)
    return -INFINITY;
  set_box(&at, &over, &columns, w, &s);
  return toi_lower_bound(&s, false);
}
