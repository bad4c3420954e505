/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Normal cones where several functions are 0: whether solids can come into contact there from outside.
 *
 * Let F_k, k = 1 ... n, of both solids be 0 at (x, t), all F_k < 0 meaning the inside of both nearby, g_k their
 * gradients and s_k their slopes by time. Claim (refuted): if g_k . y + s_k z > 0 for all k, with some y and z >= 0,
 * both had inner points in common before t. Why: F_k(x - e y, t - e z) = -e (g_k . y + s_k z) + o(e) < 0 for small e >
 * 0; if z = 0 this is at t itself, and open, so that it holds a little before t as well (t > 0). Claim (multipliers):
 * where the g_k are dependent, and n - 1 of them are not, the l_k are the only ones with sum l_k g_k = 0, up to a
 * factor. Why: two: g_1 = -(l_2 / l_1) g_2, with |l_k| = 1 / |g_k|. Three: the cross products of pairs are multiples
 * a_k of a normal, and sum a_k g_k = 0, the identity of plane vectors. Four: Cramer's rule.
 *
 * y and z are the nearest point to 0 of the hull of the (g_k, s_k), raised along time: it is found in doubles, and
 * what is claimed is checked with intervals. */

#include "contact/boolean.h"

#include "solve/vector.h"

/* Steps of the search for a direction. */
#define STEPS 24

static double positive(double x) {
  return x > 0 ? x : 0;
}

/* The middles of gradients and slopes; *scale: what times are measured in, so that the two compare; false: they have no
 * size. */
static bool plain_of(const toi_cone *c, double w[TOI_CONE_MOST][4], double *scale) {
  double steepest = 0, fastest = 0;
  for (size_t k = 0; k < c->n; k++) {
    for (int i = 0; i < 3; i++) {
      w[k][i] = toi_interval_midpoint(c->gradient[k][i]);
      steepest = fmax(steepest, fabs(w[k][i]));
    }
    w[k][3] = toi_interval_midpoint(c->by_time[k]);
    fastest = fmax(fastest, fabs(w[k][3]));
  }
  *scale = steepest > 0 && fastest > 0 ? steepest / fastest : 1;
  for (size_t k = 0; k < c->n; k++) {
    w[k][3] *= *scale;
    const double square = toi_dot(w[k], w[k]) + w[k][3] * w[k][3];
    if (!(square > 1e-200 && square < 1e200))
      return false;
    for (int i = 0; i < 4; i++)
      w[k][i] /= sqrt(square);
  }
  return true;
}

/* Towards the nearest point p of the hull, by steps to the corner that is farthest ahead. */
static void nearest(size_t n, double w[TOI_CONE_MOST][4], double p[4]) {
  double at[4] = {0, 0, 0, 0};
  for (size_t k = 0; k < n; k++)
    for (int i = 0; i < 4; i++)
      at[i] += w[k][i] / (double)n;
  for (int step = 0; step < STEPS; step++) {
    const double ahead[4] = {at[0], at[1], at[2], positive(at[3])};
    size_t corner = 0;
    double least = INFINITY, along = 0, length = 0;
    for (size_t k = 0; k < n; k++) {
      double product = 0;
      for (int i = 0; i < 4; i++)
        product += ahead[i] * w[k][i];
      if (product < least) {
        least = product;
        corner = k;
      }
    }
    for (int i = 0; i < 4; i++) {
      const double way = w[corner][i] - at[i];
      along -= ahead[i] * way;
      length += i < 3 || at[3] > 0 ? way * way : 0;
    }
    if (!(along > 0) || !(length > 0))
      break;
    const double part = along < length ? along / length : 1;
    for (int i = 0; i < 4; i++)
      at[i] += part * (w[corner][i] - at[i]);
  }
  for (int i = 0; i < 4; i++)
    p[i] = i < 3 ? at[i] : positive(at[i]);
}

bool toi_cone_is_refuted(const toi_cone *c) {
  double w[TOI_CONE_MOST][4], p[4], scale;
  if (!plain_of(c, w, &scale))
    return false;
  nearest(c->n, w, p);
  // Back from the units that times were measured in.
  const double z = p[3] * scale;
  for (size_t k = 0; k < c->n; k++) {
    const toi_interval along =
        toi_interval_add(toi_combine3(p, c->gradient[k][0], c->gradient[k][1], c->gradient[k][2]),
                         toi_interval_mul(toi_interval_point(z), c->by_time[k]));
    if (!(along.lo > 0))
      return false;
  }
  return true;
}

/* --- multipliers --- */

/* Of three, whose cross products are along the first of them that has a length. */
static void plane_multipliers(const toi_cone *c, toi_interval *l) {
  toi_interval products[3][3];
  double axis[3] = {0, 0, 0}, most = 0;
  for (int k = 0; k < 3; k++) {
    double middle[3];
    toi_cross3(c->gradient[(k + 1) % 3], c->gradient[(k + 2) % 3], products[k]);
    for (int i = 0; i < 3; i++)
      middle[i] = toi_interval_midpoint(products[k][i]);
    if (toi_dot(middle, middle) > most) {
      most = toi_dot(middle, middle);
      memcpy(axis, middle, sizeof axis);
    }
  }
  (void)toi_plain_unit3(axis);
  for (int k = 0; k < 3; k++)
    l[k] = toi_combine3(axis, products[k][0], products[k][1], products[k][2]);
}

/* Of four: minors, with alternating signs. */
static void space_multipliers(const toi_cone *c, toi_interval *l) {
  for (size_t k = 0; k < 4; k++) {
    const toi_interval *of[3];
    toi_interval product[3];
    for (size_t j = 0, n = 0; j < 4; j++)
      if (j != k)
        of[n++] = c->gradient[j];
    toi_cross3(of[1], of[2], product);
    l[k] = toi_dot3(of[0], product);
    if (k % 2 == 1)
      l[k] = toi_interval_neg(l[k]);
  }
}

bool toi_cone_multipliers(const toi_cone *c, toi_interval multiplier[TOI_CONE_MOST], toi_interval *by_time) {
  if (c->n < 2 || c->n > 4)
    return false;
  if (c->n == 2) {
    const toi_interval product = toi_dot3(c->gradient[0], c->gradient[1]);
    multiplier[0] = toi_length3(c->gradient[1]);
    multiplier[1] = toi_length3(c->gradient[0]);
    // Opposite, or of one direction.
    if (toi_interval_sign(product) == 0)
      return false;
    if (product.lo > 0)
      multiplier[1] = toi_interval_neg(multiplier[1]);
  } else if (c->n == 3) {
    plane_multipliers(c, multiplier);
  } else {
    space_multipliers(c, multiplier);
  }
  // The first one is positive.
  const bool turn = multiplier[0].hi < 0;
  *by_time = toi_interval_point(0);
  for (size_t k = 0; k < c->n; k++) {
    multiplier[k] = turn ? toi_interval_neg(multiplier[k]) : multiplier[k];
    *by_time = toi_interval_add(*by_time, toi_interval_mul(multiplier[k], c->by_time[k]));
  }
  return true;
}
