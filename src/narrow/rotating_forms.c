/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The filter's polynomials; bounds and their derivation are in rotating_forms.h. */

#include "narrow/rotating_forms.h"

#include <math.h>

#include "number/vector.h"

/* Covers the roundings of a bound that is computed, and of the differences it is made of. */
#define ROUNDED_UP (1 + 0x1p-40)

#define LEAST 0x1p-200
#define MOST 0x1p210

enum { COEFFICIENTS = TOI_TURN_COEFFICIENTS };

static bool is_in_range(double x) {
  return x >= LEAST && x <= MOST;
}

static double most_of(const double *values, int count) {
  double most = 0;
  for (int i = 0; i < count; i++)
    most = toi_larger(fabs(values[i]), most);
  return most;
}

static const double *point(const toi_rotating *query, int number) {
  return query->points + 3 * number;
}

bool toi_turn_begin(const toi_rotating *query, toi_turn_forms *forms) {
  const toi_moving_pair *pair = query->pair;
  int first = toi_rotating_first(query->kind), points = (int)toi_kind_points(query->kind);
  forms->corners = (int)toi_corner_count(query->kind);
  double a = most_of(query->points, 3 * first), b = most_of(point(query, first), 3 * (points - first));
  forms->m = (pair->most_t + 3 * pair->most_r * a + pair->most_w * b) * ROUNDED_UP;
  forms->k = (3 * pair->most_s + 6 * pair->most_r * (a + b)) * ROUNDED_UP;
  return pair->in_range && is_in_range(forms->m);
}

void toi_turn_corners(const toi_rotating *query, int axis, toi_turn_forms *forms) {
  const toi_turn_part *table = &query->pair->bernstein;
  const toi_corner *corners = toi_corners(query->kind);
  const double *t = table->t[axis], *r0 = table->r[axis][0], *r1 = table->r[axis][1], *r2 = table->r[axis][2];
  toi_turn_row path[2];
  for (int i = 0; i < toi_rotating_first(query->kind); i++) {
    const double *p = point(query, i);
    for (int j = 0; j < COEFFICIENTS; j++)
      path[i][j] = t[j] + ((r0[j] * p[0] + r1[j] * p[1]) + r2[j] * p[2]);
  }
  for (int c = 0; c < forms->corners; c++) {
    const double f = point(query, corners[c].second)[axis], *from = path[corners[c].first];
    for (int j = 0; j < COEFFICIENTS; j++)
      forms->corner[c][axis][j] = from[j] - table->w[j] * f;
  }
}

/* f - f' for the ends of a segment of the second primitive. */
static void second_edge(const toi_rotating *query, int corner, int next, double g[3]) {
  const toi_corner *corners = toi_corners(query->kind);
  toi_minus(point(query, corners[corner].second), point(query, corners[next].second), g);
}

static void area_of_second(toi_turn_forms *forms, int corner, const double g[3]) {
  for (int axis = 0; axis < 3; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    const double *cy = forms->corner[corner][y], *cz = forms->corner[corner][z];
    for (int j = 0; j < COEFFICIENTS; j++)
      forms->area[corner][axis][j] = cy[j] * g[z] - cz[j] * g[y];
  }
  forms->area_error[corner] = 80 * TOI_TURN_U * forms->db * forms->m;
  forms->area_size[corner] = 2 * forms->db * forms->m;
}

/* L, and D. */
static void line_of_first(const toi_rotating *query, const double d[3], toi_turn_forms *forms) {
  const toi_turn_part *table = &query->pair->bernstein;
  double own[3];
  toi_cross(point(query, 0), d, own);
  for (int axis = 0; axis < 3; axis++) {
    const double *r0 = table->r[axis][0], *r1 = table->r[axis][1], *r2 = table->r[axis][2];
    const double *s0 = table->s[axis][0], *s1 = table->s[axis][1], *s2 = table->s[axis][2];
    double *direction = forms->direction[axis], *moment = forms->moment[axis];
    for (int j = 0; j < COEFFICIENTS; j++) {
      direction[j] = (r0[j] * d[0] + r1[j] * d[1]) + r2[j] * d[2];
      moment[j] = ((s0[j] * d[0] + s1[j] * d[1]) + s2[j] * d[2]) + ((r0[j] * own[0] + r1[j] * own[1]) + r2[j] * own[2]);
    }
  }
}

/* Area 0 or 2 of an edge pair: L - eb0 x D, eb1 x D - L. */
static void area_of_first(const toi_rotating *query, int corner, toi_turn_forms *forms) {
  const double *f = point(query, corner == 0 ? 2 : 3), sign = corner == 0 ? 1 : -1;
  for (int axis = 0; axis < 3; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    const double *dy = forms->direction[y], *dz = forms->direction[z], *moment = forms->moment[axis];
    for (int j = 0; j < COEFFICIENTS; j++)
      forms->area[corner][axis][j] = sign * (moment[j] - (f[y] * dz[j] - f[z] * dy[j]));
  }
  forms->area_error[corner] = 40 * TOI_TURN_U * forms->da * forms->k;
  forms->area_size[corner] = forms->da * forms->k;
}

static void coplanarity_of(toi_turn_forms *forms, const double n[3], toi_turn_row v[3]) {
  for (int j = 0; j < COEFFICIENTS; j++)
    forms->coplanarity[j] = (n[0] * v[0][j] + n[1] * v[1][j]) + n[2] * v[2][j];
}

bool toi_turn_coplanarity(const toi_rotating *query, toi_turn_forms *forms) {
  double d[3], e[3], last[3];
  if (query->kind == TOI_EDGE_EDGE) {
    toi_minus(point(query, 1), point(query, 0), d);
    toi_minus(point(query, 2), point(query, 3), e);
    forms->da = most_of(d, 3) * ROUNDED_UP;
    forms->db = most_of(e, 3) * ROUNDED_UP;
    if (!is_in_range(forms->da) || !is_in_range(forms->db) || !is_in_range(forms->k))
      return false;
    line_of_first(query, d, forms);
    area_of_first(query, 0, forms);
    coplanarity_of(forms, e, forms->area[0]);
    forms->error = 128 * TOI_TURN_U * forms->da * forms->db * forms->k;
    forms->size = 3 * forms->da * forms->db * forms->k;
    return true;
  }
  toi_minus(point(query, 2), point(query, 1), d);
  toi_minus(point(query, 3), point(query, 1), e);
  toi_minus(point(query, 3), point(query, 2), last);
  forms->da = 0;
  forms->db = toi_larger(toi_larger(most_of(d, 3), most_of(e, 3)), most_of(last, 3)) * ROUNDED_UP;
  if (!is_in_range(forms->db))
    return false;
  toi_cross(d, e, forms->normal);
  coplanarity_of(forms, forms->normal, forms->corner[0]);
  forms->error = 256 * TOI_TURN_U * forms->db * forms->db * forms->m;
  forms->size = 6 * forms->db * forms->db * forms->m;
  return true;
}

void toi_turn_areas(const toi_rotating *query, toi_turn_forms *forms) {
  const toi_corner *corners = toi_corners(query->kind);
  if (query->kind == TOI_EDGE_EDGE)
    area_of_first(query, 2, forms);
  for (int c = 0; c < forms->corners; c++) {
    int next = c + 1 < forms->corners ? c + 1 : 0;
    double g[3];
    if (corners[c].first != corners[next].first)
      continue;
    second_edge(query, c, next, g);
    area_of_second(forms, c, g);
  }
}

toi_turn_weights toi_turn_weights_at(double t) {
  const double s = 1 - t, s2 = s * s, t2 = t * t, s3 = s2 * s, t3 = t2 * t;
  return (toi_turn_weights){{s2 * s3, 5 * (s2 * s2 * t), 10 * (s3 * t2), 10 * (s2 * t3), 5 * (s * (t2 * t2)), t2 * t3}};
}

double toi_turn_value(const toi_turn_row row, const toi_turn_weights *weights) {
  const double *w = weights->w;
  return ((w[0] * row[0] + w[1] * row[1]) + (w[2] * row[2] + w[3] * row[3])) + (w[4] * row[4] + w[5] * row[5]);
}

double toi_turn_slope(const toi_turn_row row, double t) {
  double c[COEFFICIENTS], s = 1 - t;
  for (int j = 0; j < COEFFICIENTS; j++)
    c[j] = row[j];
  for (int level = COEFFICIENTS - 1; level > 1; level--)
    for (int j = 0; j < level; j++)
      c[j] = s * c[j] + t * c[j + 1];
  return (COEFFICIENTS - 1) * (c[1] - c[0]);
}
