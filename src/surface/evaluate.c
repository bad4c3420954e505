/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* De Casteljau's scheme on homogeneous control points, down to second derivatives, and bounds on it.
 *
 * Let u = 2^-53 and M the largest magnitude of a coordinate among the control points. One step (1 - s) a + s b of
 * doubles a, b of magnitude M errs by 3 u M (1 + 4 u) at most: 1 - s, two products, one sum. Steps average, so that
 * errors of their arguments are passed on with weights that add up to 1 + u at most, and magnitudes stay below M (1 +
 * 3 u) each time. A patch of degrees m, n has at most m + n <= 18 steps in a row (a triangle's has its degree, of three
 * terms each, 5 u M): the value errs by VALUE u M = 96 u M at most, with what the control points themselves err by on
 * top. First derivatives are the degree times a difference of two such values, 2 degree (96 + 1) u M.
 *
 * Second derivatives lie in the hull of the second differences of control points times degree (degree - 1), or m n for
 * the mixed one; as computed these err by 4 u M, and by four times what control points err by, which is added. */

#include "surface/evaluate.h"

#include "solve/midrad.h"

#include <math.h>
#include <string.h>

#define VALUE (96 * TOI_UNIT)

typedef double point8[8];

static inline void mix(const double *a, const double *b, double s, double *out) {
  double r = 1 - s;
  for (int k = 0; k < 8; k++)
    out[k] = r * a[k] + s * b[k];
}

static inline void difference(const double *a, const double *b, double factor, double *out) {
  for (int k = 0; k < 8; k++)
    out[k] = factor * (b[k] - a[k]);
}

/* --- curves: value, first and second derivative --- */

/* Of a curve of control points in `line`, which is overwritten; `orders` of them. */
static inline void curve(point8 *line, unsigned degree, double s, int orders, point8 **jet) {
  for (unsigned left = degree; left > 2; left--)
    for (unsigned i = 0; i < left; i++)
      mix(line[i], line[i + 1], s, line[i]);
  if (orders > 2) {
    double factor = degree * (degree - 1.0);
    for (int k = 0; k < 8; k++)
      (*jet[2])[k] = degree >= 2 ? factor * (line[2][k] - 2 * line[1][k] + line[0][k]) : 0;
  }
  if (degree >= 2)
    for (unsigned i = 0; i < 2; i++)
      mix(line[i], line[i + 1], s, line[i]);
  if (orders > 1) {
    if (degree >= 1)
      difference(line[0], line[1], degree, *jet[1]);
    else
      memset(jet[1], 0, sizeof(point8));
  }
  if (degree >= 1)
    mix(line[0], line[1], s, *jet[0]);
  else
    memcpy(jet[0], line[0], sizeof(point8));
}

static void quad(const toi_root *root, const double uv[2], bool second, toi_jet *jet) {
  unsigned m = root->patch->degree[0], n = root->patch->degree[1];
  int orders = second ? 3 : 2;
  point8 along[3][TOI_PATCH_DEGREE_MOST + 1], line[TOI_PATCH_DEGREE_MOST + 1];
  for (unsigned i = 0; i <= m; i++) {
    point8 *here[3] = {&along[0][i], &along[1][i], &along[2][i]};
    memcpy(line, root->control + (size_t)i * (n + 1), (n + 1) * sizeof(point8));
    curve(line, n, uv[1], orders, here);
  }
  point8 *values[3] = {&jet->value, &jet->first[0], &jet->second[0]};
  point8 *firsts[2] = {&jet->first[1], &jet->second[1]}, *seconds[1] = {&jet->second[2]};
  curve(along[0], m, uv[0], orders, values);
  curve(along[1], m, uv[0], orders - 1, firsts);
  if (second)
    curve(along[2], m, uv[0], 1, seconds);
}

/* --- triangles --- */

/* Rows of one degree less: the row of power b starts behind those of lower powers. */
static void triangle_step(point8 *net, unsigned degree, const double uv[2]) {
  double w = 1 - uv[0] - uv[1];
  size_t from = 0, to = 0;
  for (unsigned b = 0; b < degree; b++) {
    size_t above = from + degree - b + 1;
    for (unsigned a = 0; a + b < degree; a++, to++)
      for (int k = 0; k < 8; k++)
        net[to][k] = w * net[from + a][k] + uv[0] * net[from + a + 1][k] + uv[1] * net[above + a][k];
    from = above;
  }
}

static void triangle(const toi_root *root, const double uv[2], bool second, toi_jet *jet) {
  unsigned n = root->patch->degree[0];
  point8 net[(TOI_PATCH_DEGREE_MOST + 1) * (TOI_PATCH_DEGREE_MOST + 2) / 2];
  memcpy(net, root->control, root->count * sizeof(point8));
  for (unsigned left = n; left > 2; left--)
    triangle_step(net, left, uv);
  if (second)
    memset(jet->second, 0, sizeof(jet->second));
  if (n >= 2 && second) {
    // 0 w2, 1 uw, 2 u2, 3 vw, 4 uv, 5 v2.
    double factor = n * (n - 1.0);
    for (int k = 0; k < 8; k++) {
      jet->second[0][k] = factor * (net[2][k] - 2 * net[1][k] + net[0][k]);
      jet->second[1][k] = factor * (net[4][k] - net[3][k] - net[1][k] + net[0][k]);
      jet->second[2][k] = factor * (net[5][k] - 2 * net[3][k] + net[0][k]);
    }
  }
  if (n >= 2)
    triangle_step(net, 2, uv);
  memset(jet->first, 0, sizeof(jet->first));
  if (n >= 1) {
    difference(net[0], net[1], n, jet->first[0]);
    difference(net[0], net[2], n, jet->first[1]);
    triangle_step(net, 1, uv);
  }
  memcpy(jet->value, net[0], sizeof(point8));
}

void toi_root_jet(const toi_root *root, const double uv[2], bool second, toi_jet *jet) {
  if (root->patch->shape == TOI_PATCH_QUAD)
    quad(root, uv, second, jet);
  else
    triangle(root, uv, second, jet);
}

/* --- bounds --- */

/* The control point i steps on in u and j in v; NULL: there is none. */
static const double *control_at(const toi_root *root, unsigned i, unsigned j) {
  const toi_patch *patch = root->patch;
  bool there =
      patch->shape == TOI_PATCH_QUAD ? i <= patch->degree[0] && j <= patch->degree[1] : i + j <= patch->degree[0];
  return there ? root->control[toi_net_index(patch, i, j)] : NULL;
}

static void lift(double most[3], const double *value, double factor) {
  for (int k = 0; k < 7; k++) {
    double *here = &most[k / 3];
    *here = fabs(factor * value[k]) > *here ? fabs(factor * value[k]) : *here;
  }
}

/* The differences that start at one control point. */
static void lift_differences(const toi_root *root, unsigned i, unsigned j, toi_jet_errors *e) {
  const uint32_t *degree = root->patch->degree;
  bool is_quad = root->patch->shape == TOI_PATCH_QUAD;
  double m = degree[0], n = is_quad ? degree[1] : degree[0], mixed = is_quad ? m * n : m * (m - 1);
  const double *p = control_at(root, i, j), *u = control_at(root, i + 1, j), *v = control_at(root, i, j + 1);
  const double *uu = control_at(root, i + 2, j), *uv = control_at(root, i + 1, j + 1), *vv = control_at(root, i, j + 2);
  point8 d;
  if (u) {
    difference(p, u, m, d);
    lift(e->slope, d, 1);
  }
  if (v) {
    difference(p, v, n, d);
    lift(e->slope, d, 1);
  }
  const double *second[3] = {uu, uv, vv}, *left[3] = {u, u, v}, *right[3] = {u, v, v};
  double factors[3] = {m * (m - 1), mixed, n * (n - 1)};
  for (int w = 0; w < 3; w++) {
    if (second[w] == NULL)
      continue;
    for (int k = 0; k < 8; k++)
      d[k] = second[w][k] - left[w][k] - right[w][k] + p[k];
    double most[3] = {0, 0, 0};
    lift(most, d, factors[w]);
    for (int c = 0; c < 3; c++)
      e->second[c][w] = most[c] > e->second[c][w] ? most[c] : e->second[c][w];
  }
}

void toi_root_bounds(const toi_root *root, toi_jet_errors *errors) {
  *errors = (toi_jet_errors){0};
  const uint32_t *degree = root->patch->degree;
  unsigned most = degree[0];
  if (root->patch->shape == TOI_PATCH_QUAD && degree[1] > most)
    most = degree[1];
  for (unsigned i = 0; i <= most; i++)
    for (unsigned j = 0; j <= most; j++)
      if (control_at(root, i, j)) {
        lift(errors->magnitude, control_at(root, i, j), 1);
        lift_differences(root, i, j, errors);
      }
  double given[3] = {root->error[0], root->error[1], 0};
  for (int c = 0; c < 3; c++) {
    double size = errors->magnitude[c], own = VALUE * size + given[c];
    errors->value[c] = own * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST;
    errors->first[c] = 2 * most * (own + TOI_UNIT * size) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST;
    errors->slope[c] = errors->slope[c] * TOI_MIDRAD_OUTWARD + errors->first[c];
    for (int w = 0; w < 3; w++)
      errors->second[c][w] = errors->second[c][w] * TOI_MIDRAD_OUTWARD +
                             4.0 * most * most * (4 * TOI_UNIT * size + given[c]) + TOI_MIDRAD_LEAST;
  }
}
