/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Directions that separate, and points that are close.
 *
 * In the frame of the second body, times W > 0, a point of the first primitive is at P, one of the second at W f. Along
 * n the gap is, for points p and f of theirs, n . P - W (n . f); the primitives are farther apart than d on a piece if
 *
 *   G_i = n . P_i - W beta > 0,   beta = max_j n . f_j + d |n|,
 *
 * for all points p_i, since W >= 0 and every distance is at least the difference along n / |n|. They are within d at a
 * time if |y| <= W d for y = sum of weights times (P_i - W f_j), the weights being those of a point of either.
 *
 * Claim: with u = 2^-53, m = T + 3 R a + R b as in rotating_forms_body.h, R, T, h the most_r, most_t and unit of the
 * table and |n| <= 1 + 2^-40, coefficients of G_i and their values, and |y|, are off by at most (64 u + 2 h) (m + R d).
 * Why, by the errors there, in units of m: components of P, 5 u + h; n . P: sqrt(3) (6 u + h) and two sums 2 u; n . f 3
 * u sqrt(3), beta 2 u more, times W 1 u, where W is off by h R: sqrt(3) h + u (5.2 + 3); d |n|: 2^-40 is added. The
 * difference 1 u: less than 25 u + 2 h. A value takes 13 u of coefficients of at most 2 m. y: weights are in [0, 1] and
 * are what they are; products and sums of values of P, off by 5 u + h + 13 u, with at most four terms 4 u, differences
 * and W f 15 u + h; length sqrt(3) of it, and rounded 4 u: less than 64 u + 2 h. The weights of a point of a face add
 * up to 1 within 3 u: that moves it by less than 3 u m, for which there is room. */

#define TOI_LANES 1

#include "narrow/rotating_apart.h"

#include <math.h>

#include "narrow/nearest.h"
#include "narrow/rotating_forms_body.h"

/* Gaps of less than this many errors are noise. */
#define NOISE 2

void toi_turn_look(const toi_rotating *query, const toi_turn_piece *piece, double separation, toi_turn_view *view) {
  const int n = (int)toi_corner_count(query->kind);
  turn_forms forms;
  forms_begin(n, piece, query->points, &forms);
  view->query = query;
  view->separation = separation;
  view->usable = piece->in_range && forms.usable && separation < TURN_MOST;
  view->error = (64 * TURN_U + 2 * piece->unit) * (forms.m + piece->most_r * separation) * TURN_ROUNDED_UP;
  for (int axis = 0; axis < AXES; axis++)
    forms_path(n, axis, &forms);
  for (int k = 0; k < COEFFICIENTS; k++) {
    view->w[k] = piece->table.w[k];
    for (int i = 0; i < toi_rotating_first(query->kind); i++)
      for (int axis = 0; axis < AXES; axis++)
        view->path[i][axis][k] = forms.path[i][axis][k];
  }
}

/* --- along a direction --- */

/* The gap's coefficients: for every point of the first primitive. */
static void gaps_along(const toi_turn_view *view, const double n[3], double gap[2][COEFFICIENTS]) {
  const int first = toi_rotating_first(view->query->kind), count = (int)toi_kind_points(view->query->kind);
  double beta = -INFINITY;
  for (int j = first; j < count; j++)
    beta = toi_larger(beta, toi_dot(n, view->query->points + 3 * j));
  beta += view->separation * TURN_ROUNDED_UP;
  for (int i = 0; i < first; i++)
    for (int k = 0; k < COEFFICIENTS; k++)
      gap[i][k] =
          ((n[0] * view->path[i][0][k] + n[1] * view->path[i][1][k]) + n[2] * view->path[i][2][k]) - beta * view->w[k];
}

toi_turn_gap toi_turn_gap_along(const toi_turn_view *view, const double n[3]) {
  double gap[2][COEFFICIENTS], low = INFINITY, high = 0;
  gaps_along(view, n, gap);
  for (int i = 0; i < toi_rotating_first(view->query->kind); i++)
    for (int k = 0; k < COEFFICIENTS; k++) {
      low = toi_smaller(low, gap[i][k]);
      high = toi_larger(high, fabs(gap[i][k]));
    }
  if (!view->usable)
    return TOI_GAP_OPEN;
  return low > view->error ? TOI_GAP_FREE : high <= NOISE * view->error ? TOI_GAP_NOISE : TOI_GAP_OPEN;
}

double toi_turn_closing(const toi_turn_view *view, const double n[3], double *margin) {
  enum { STEPS = 60 };
  double gap[2][COEFFICIENTS], lo = 0, hi = 1;
  const int first = toi_rotating_first(view->query->kind);
  gaps_along(view, n, gap);
  for (int step = 0; step < STEPS; step++) {
    const double at = 0.5 * (lo + hi);
    double least_of = value_at(gap[0], at);
    if (first == 2)
      least_of = toi_smaller(least_of, value_at(gap[1], at));
    if (least_of > 0)
      lo = at;
    else
      hi = at;
  }
  double slope = fabs(slope_at(gap[0], lo));
  if (first == 2)
    slope = toi_smaller(slope, fabs(slope_at(gap[1], lo)));
  *margin = view->error / slope;
  return lo > 0 && hi < 1 ? lo : (double)NAN;
}

/* --- nearest points --- */

/* Weights of the corners at the nearest point. */
static void weights_of(const toi_hull *hull, const toi_nearest *near, double weight[TOI_MOST_CORNERS]) {
  const int k = near->feature.index, next = toi_hull_next(hull->count, k);
  for (int c = 0; c < TOI_MOST_CORNERS; c++)
    weight[c] = 0;
  if (near->feature.kind == TOI_FEATURE_CORNER) {
    weight[k] = 1;
  } else if (near->feature.kind == TOI_FEATURE_SEGMENT) {
    double e[3];
    toi_minus(hull->c[next], hull->c[k], e);
    weight[next] = clip_unit(-toi_dot(hull->c[k], e) / toi_dot(e, e));
    weight[k] = 1 - weight[next];
  } else {
    double area[TOI_MOST_CORNERS] = {0}, first[3], last[3], normal[3];
    toi_minus(hull->c[1], hull->c[0], first);
    toi_minus(hull->c[hull->count - 1], hull->c[0], last);
    toi_cross(first, last, normal);
    for (int c = 0; c < hull->count; c++) {
      double crossed[3];
      toi_cross(hull->c[c], hull->c[toi_hull_next(hull->count, c)], crossed);
      area[c] = toi_larger(toi_dot(normal, crossed), 0);
    }
    if (hull->count == 3) {
      const double sum = (area[0] + area[1]) + area[2];
      weight[1] = clip_unit(area[2] / sum);
      weight[2] = toi_smaller(clip_unit(area[0] / sum), 1 - weight[1]);
      weight[0] = toi_larger((1 - weight[1]) - weight[2], 0);
    } else {
      const double u = clip_unit(area[3] / (area[3] + area[1])), v = clip_unit(area[0] / (area[0] + area[2]));
      weight[0] = (1 - u) * (1 - v);
      weight[1] = u * (1 - v);
      weight[2] = u * v;
      weight[3] = (1 - u) * v;
    }
  }
}

void toi_turn_nearest_at(const toi_turn_view *view, double time, toi_turn_nearest *out) {
  const toi_rotating *query = view->query;
  const toi_corner *corners = toi_corners(query->kind);
  toi_hull hull = {.count = (int)toi_corner_count(query->kind)};
  double weights[COEFFICIENTS], weight[TOI_MOST_CORNERS], y[3] = {0};
  weights_at(time, weights);
  const double w = value_with(view->w, weights);
  for (int c = 0; c < hull.count; c++)
    for (int axis = 0; axis < AXES; axis++)
      hull.c[c][axis] =
          value_with(view->path[corners[c].first][axis], weights) - w * query->points[3 * corners[c].second + axis];
  toi_nearest near;
  toi_nearest_to(&hull, TOI_NORM_L2, &near);
  weights_of(&hull, &near, weight);
  out->u = out->v = 0;
  for (int c = 0; c < hull.count; c++) {
    out->u += corners[c].u * weight[c];
    out->v += corners[c].v * weight[c];
    for (int axis = 0; axis < AXES; axis++)
      y[axis] += weight[c] * hull.c[c][axis];
  }
  out->u = clip_unit(out->u);
  out->v = clip_unit(out->v);
  for (int axis = 0; axis < AXES; axis++)
    out->n[axis] = near.n[axis];
  const double size = sqrt(toi_dot(y, y));
  out->distance = size / w;
  out->within = view->usable && size + view->error < w * view->separation;
}
