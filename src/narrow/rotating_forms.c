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

bool toi_turn_corners(const toi_rotating *query, toi_turn_forms *forms) {
  const toi_body_pair *pair = query->pair;
  const toi_turn_part *table = &pair->bernstein;
  const toi_corner *corners = toi_corners(query->kind);
  int first = toi_rotating_first(query->kind), points = (int)toi_kind_points(query->kind);
  forms->corners = (int)toi_corner_count(query->kind);
  double a = most_of(query->points, 3 * first), b = most_of(point(query, first), 3 * (points - first));
  forms->m = (pair->most_t + 3 * pair->most_r * a + pair->most_w * b) * ROUNDED_UP;
  forms->k = (3 * pair->most_s + 6 * pair->most_r * (a + b)) * ROUNDED_UP;
  if (!pair->in_range || !is_in_range(forms->m))
    return false;
  toi_turn_row path[2][3];
  for (int i = 0; i < first; i++) {
    const double *p = point(query, i);
    for (int axis = 0; axis < 3; axis++)
      for (int j = 0; j < COEFFICIENTS; j++)
        path[i][axis][j] = table->t[axis][j] +
                           ((table->r[axis][0][j] * p[0] + table->r[axis][1][j] * p[1]) + table->r[axis][2][j] * p[2]);
  }
  for (int c = 0; c < forms->corners; c++) {
    const double *f = point(query, corners[c].second);
    for (int axis = 0; axis < 3; axis++)
      for (int j = 0; j < COEFFICIENTS; j++)
        forms->corner[c][axis][j] = path[corners[c].first][axis][j] - table->w[j] * f[axis];
  }
  return true;
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
static void line_of_first(const toi_rotating *query, const double d[3], toi_turn_row moment[3],
                          toi_turn_row direction[3]) {
  const toi_turn_part *table = &query->pair->bernstein;
  double own[3];
  toi_cross(point(query, 0), d, own);
  for (int axis = 0; axis < 3; axis++) {
    const toi_turn_row *r = table->r[axis], *s = table->s[axis];
    for (int j = 0; j < COEFFICIENTS; j++) {
      direction[axis][j] = (r[0][j] * d[0] + r[1][j] * d[1]) + r[2][j] * d[2];
      moment[axis][j] = ((s[0][j] * d[0] + s[1][j] * d[1]) + s[2][j] * d[2]) +
                        ((r[0][j] * own[0] + r[1][j] * own[1]) + r[2][j] * own[2]);
    }
  }
}

/* Areas 0 and 2 of an edge pair: L - eb0 x D, eb1 x D - L. */
static void areas_of_first(const toi_rotating *query, toi_turn_forms *forms, const double d[3]) {
  toi_turn_row moment[3];
  line_of_first(query, d, moment, forms->direction);
  for (int end = 0; end < 2; end++) {
    const double *f = point(query, 2 + end);
    for (int axis = 0; axis < 3; axis++) {
      int y = (axis + 1) % 3, z = (axis + 2) % 3;
      for (int j = 0; j < COEFFICIENTS; j++) {
        double area = moment[axis][j] - (f[y] * forms->direction[z][j] - f[z] * forms->direction[y][j]);
        forms->area[2 * end][axis][j] = end ? -area : area;
      }
    }
    forms->area_error[2 * end] = 40 * TOI_TURN_U * forms->da * forms->k;
    forms->area_size[2 * end] = forms->da * forms->k;
  }
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
    areas_of_first(query, forms, d);
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
  for (int c = 0; c < forms->corners; c++) {
    int next = c + 1 < forms->corners ? c + 1 : 0;
    double g[3];
    if (corners[c].first != corners[next].first)
      continue;
    second_edge(query, c, next, g);
    area_of_second(forms, c, g);
  }
}

double toi_turn_at(const toi_turn_row row, double t, double *slope) {
  double c[COEFFICIENTS], s = 1 - t;
  for (int j = 0; j < COEFFICIENTS; j++)
    c[j] = row[j];
  for (int level = COEFFICIENTS - 1; level > 0; level--) {
    if (level == 1 && slope != NULL)
      *slope = (COEFFICIENTS - 1) * (c[1] - c[0]);
    for (int j = 0; j < level; j++)
      c[j] = s * c[j] + t * c[j + 1];
  }
  return c[0];
}
