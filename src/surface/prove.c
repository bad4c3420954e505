/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The proof of solve/touch.h for three of the five unknowns of a contact, the others frozen: V is an approximate
 * inverse of the Jacobian J(m) at the point m. Slopes between m and a point of the box of radii r around it differ from
 * the computed J(m) by at most slope_error + sum of curvature r. value_error holds the rounding of G(m), and the
 * continuous vector by which what is meant by the patches may differ from them.
 *
 * Errors of G = X_a w_b - X_b w_a, with |X| <= m_X, |w| <= m_w and errors e_X, e_w of the computed ones:
 * - A product errs by e_X m_w + m_X e_w and its rounding u m_X m_w; the difference rounds on both: u m_X m_w each. So
 *   e_X m_w + m_X e_w + 2 u m_X m_w for either product, and the sum of both in all.
 * - A position at time t is X + t X'. The terms of the shift s w are treated as a part of the first patch's position:
 *   e_X is the error of X, t_max times that of X', |s| times that of w, and 4 u m_X for two products and two sums.
 * - Slopes and velocities likewise.
 * The factor ROOM = 1 + 2^-20 covers products of errors and the rounding of these bounds; they need no sharpness, being
 * some 2^-45 of what they bound. */

#include "surface/prove.h"

#include "solve/touch.h"

#include <math.h>
#include <string.h>

#define ROOM (1 + 0x1p-20)

/* Parameters of triangles are multiples of this, so that 1 - u - v is a double. */
#define GRID 0x1p52

/* --- bounds --- */

typedef struct sizes {
  double position, position_error; /* at all times */
  double velocity, velocity_error;
  double slope, slope_error; /* of positions at all times */
  double velocity_slope;
  double second[3]; /* of positions at all times */
  double weight, weight_error, weight_slope, weight_slope_error;
  double weight_second[3];
} sizes;

static sizes sizes_of(const toi_root *root, double reach) {
  toi_jet_errors e;
  toi_root_bounds(root, &e);
  double t = root->t_max;
  sizes s = {.weight = e.magnitude[2],
             .weight_error = e.value[2],
             .weight_slope = root->rational ? e.slope[2] : 0,
             .weight_slope_error = root->rational ? e.first[2] : 0};
  s.position = e.magnitude[0] + t * e.magnitude[1] + reach * s.weight;
  s.position_error = e.value[0] + t * e.value[1] + reach * s.weight_error + 4 * TOI_UNIT * s.position;
  s.velocity = e.magnitude[1];
  s.velocity_error = e.value[1];
  s.slope = e.slope[0] + t * e.slope[1] + reach * s.weight_slope;
  s.slope_error = e.first[0] + t * e.first[1] + reach * s.weight_slope_error + 4 * TOI_UNIT * s.slope;
  s.velocity_slope = e.slope[1];
  for (int w = 0; w < 3; w++) {
    s.weight_second[w] = root->rational ? e.second[2][w] : 0;
    s.second[w] = e.second[0][w] + t * e.second[1][w] + reach * s.weight_second[w];
  }
  return s;
}

/* Error of x w, each with its error. */
static double product_error(double x, double x_error, double w, double w_error) {
  return x_error * w + x * w_error + 2 * TOI_UNIT * x * w;
}

static void bound_patch(const sizes *own, const sizes *other, double curvature[2][2]) {
  curvature[0][0] = own->second[0] * other->weight + other->position * own->weight_second[0];
  curvature[1][0] = curvature[0][1] = own->second[1] * other->weight + other->position * own->weight_second[1];
  curvature[1][1] = own->second[2] * other->weight + other->position * own->weight_second[2];
}

void toi_prover_make(const toi_root *a, const toi_root *b, double reach, toi_prover *prover) {
  *prover = (toi_prover){.root = {a, b}, .t_max = a->t_max};
  sizes s[2] = {sizes_of(a, reach), sizes_of(b, 0)};
  double meant = 0;
  for (int i = 0; i < 2; i++) {
    const sizes *own = &s[i], *other = &s[1 - i];
    const toi_patch *patch = prover->root[i]->patch;
    prover->value_error += product_error(own->position, own->position_error, other->weight, other->weight_error);
    prover->slope_error[0] += product_error(own->velocity, own->velocity_error, other->weight, other->weight_error);
    double error = product_error(own->slope, own->slope_error, other->weight, other->weight_error) +
                   product_error(other->position, other->position_error, own->weight_slope, own->weight_slope_error);
    double curvature[2][2];
    bound_patch(own, other, curvature);
    for (int k = 0; k < 2; k++) {
      int column = 1 + 2 * i + k;
      prover->slope_error[column] = error * ROOM + TOI_MIDRAD_LEAST;
      double with_time =
          (own->velocity_slope * other->weight + other->velocity * own->weight_slope) * ROOM + TOI_MIDRAD_LEAST;
      prover->curvature[0][column] = prover->curvature[column][0] = with_time;
      for (int l = 0; l < 2; l++) {
        prover->curvature[column][1 + 2 * i + l] = curvature[k][l] * ROOM + TOI_MIDRAD_LEAST;
        prover->curvature[column][3 - 2 * i + l] =
            (own->slope * other->weight_slope + other->slope * own->weight_slope) * ROOM + TOI_MIDRAD_LEAST;
      }
    }
    prover->weight_error[i] = own->weight_error;
    meant += patch->error + a->t_max * patch->velocity_error;
  }
  prover->value_error = (prover->value_error + meant * s[0].weight * s[1].weight) * ROOM + TOI_MIDRAD_LEAST;
  prover->slope_error[0] = prover->slope_error[0] * ROOM + TOI_MIDRAD_LEAST;
}

/* --- G --- */

/* Positions at time t, in place; the velocities stay. */
static void set_time(toi_jet *jet, double t, bool second) {
  for (int k = 0; k < 3; k++) {
    jet->value[k] += t * jet->value[k + 3];
    for (int i = 0; i < 2; i++)
      jet->first[i][k] += t * jet->first[i][k + 3];
    for (int i = 0; second && i < 3; i++)
      jet->second[i][k] += t * jet->second[i][k + 3];
  }
}

static void take_shift(toi_jet *jet, const double shift[3], bool second) {
  for (int k = 0; k < 3; k++) {
    jet->value[k] -= shift[k] * jet->value[6];
    for (int i = 0; i < 2; i++)
      jet->first[i][k] -= shift[k] * jet->first[i][6];
    for (int i = 0; second && i < 3; i++)
      jet->second[i][k] -= shift[k] * jet->second[i][6];
  }
}

void toi_gap_at(const toi_prover *prover, const toi_moment *at, bool second, toi_gap *gap) {
  for (int i = 0; i < 2; i++) {
    toi_root_jet(prover->root[i], at->uv[i], second, &gap->jet[i]);
    set_time(&gap->jet[i], at->t, second);
  }
  take_shift(&gap->jet[0], prover->shift, second);
  const toi_jet *a = &gap->jet[0], *b = &gap->jet[1];
  for (int k = 0; k < 3; k++) {
    gap->value[k] = a->value[k] * b->value[6] - b->value[k] * a->value[6];
    gap->slope[0][k] = a->value[k + 3] * b->value[6] - b->value[k + 3] * a->value[6];
    for (int i = 0; i < 2; i++) {
      gap->slope[1 + i][k] = a->first[i][k] * b->value[6] - b->value[k] * a->first[i][6];
      gap->slope[3 + i][k] = a->value[k] * b->first[i][6] - b->first[i][k] * a->value[6];
    }
  }
}

/* --- places --- */

bool toi_root_holds(const toi_root *root, const double uv[2]) {
  if (root->patch->shape == TOI_PATCH_QUAD)
    return uv[0] >= 0 && uv[0] <= 1 && uv[1] >= 0 && uv[1] <= 1;
  return uv[0] >= 0 && uv[1] >= 0 && uv[1] <= 1 && uv[0] <= 1 - uv[1];
}

void toi_moment_settle(const toi_prover *prover, toi_moment *at) {
  for (int i = 0; i < 2; i++) {
    double *uv = at->uv[i];
    bool triangle = prover->root[i]->patch->shape == TOI_PATCH_TRIANGLE;
    for (int k = 0; k < 2; k++) {
      uv[k] = uv[k] > 0 ? uv[k] < 1 ? uv[k] : 1 : 0;
      uv[k] = triangle ? rint(uv[k] * GRID) / GRID : uv[k];
    }
    // Nearest neighbours on the grid of a point on the third side may lie beside it.
    if (triangle && uv[0] > 1 - uv[1] - 4 / GRID)
      uv[0] = 1 - uv[1];
  }
  at->t = at->t > 0 ? at->t < prover->t_max ? at->t : prover->t_max : 0;
}

/* How far the box of these radii along the directions reaches from its middle in each unknown. */
static void reach_of(const toi_direction directions[3], const double radius[3], double reach[5]) {
  for (int k = 0; k < 5; k++)
    reach[k] = fabs(directions[0].d[k]) * radius[0] + fabs(directions[1].d[k]) * radius[1] +
               fabs(directions[2].d[k]) * radius[2];
}

/* The sides of a domain keep their places if the directions run along them; elsewhere the box must not reach beyond
 * one. All distances here are differences of a double and 0 or 1, with one rounding, which the factor covers. */
static bool box_inside(const toi_prover *prover, const toi_direction directions[3], const double radius[3],
                       const toi_moment *at) {
  double reach[5];
  reach_of(directions, radius, reach);
  for (int i = 0; i < 2; i++) {
    const double *uv = at->uv[i], *r = &reach[1 + 2 * i];
    bool triangle = prover->root[i]->patch->shape == TOI_PATCH_TRIANGLE;
    for (int k = 0; k < 2; k++)
      if (!(uv[k] >= r[k] * ROOM) || (!triangle && !(1 - uv[k] >= r[k] * ROOM)))
        return false;
    double third = 0;
    for (int j = 0; j < 3; j++)
      third += fabs(directions[j].d[1 + 2 * i] + directions[j].d[2 + 2 * i]) * radius[j];
    if (triangle && !(1 - uv[1] - uv[0] >= third * ROOM))
      return false;
  }
  return at->t >= reach[0] * ROOM && prover->t_max - at->t >= reach[0] * ROOM;
}

/* --- the test --- */

/* The inverse of a 3 x 3 matrix, rounded; false: there is none to speak of. */
static bool invert(double m[3][3], double inverse[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
    }
  double determinant = m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      inverse[i][j] /= determinant;
  return determinant != 0 && isfinite(1 / determinant);
}

/* The system at a point, for the three unknowns; the slopes' radii are set after. */
static bool set_up(const toi_prover *prover, const toi_direction directions[3], const toi_moment *at,
                   toi_touch_system *s) {
  toi_gap gap;
  double jacobian[3][3], inverse[3][3];
  toi_gap_at(prover, at, false, &gap);
  for (int j = 0; j < 3; j++) {
    double slope[3];
    toi_slope_along((const double(*)[3])gap.slope, &directions[j], slope);
    for (int i = 0; i < 3; i++)
      s->slope[i][j].x = jacobian[i][j] = slope[i];
  }
  bool regular = invert(jacobian, inverse);
  for (int i = 0; i < 3; i++) {
    s->value[i] = (toi_midrad){gap.value[i], prover->value_error};
    memcpy(s->inverse[i], inverse[i], sizeof(inverse[i]));
  }
  return regular;
}

/* Where a proof is tried. */
typedef struct place {
  const toi_prover *prover;
  const toi_direction *directions;
  toi_moment at;
} place;

/* A toi_touch_over: how far the slopes may be from the computed ones. */
static bool over(void *user, const double *radius, toi_touch_system *s) {
  const place *here = user;
  double reach[5];
  reach_of(here->directions, radius, reach);
  for (int j = 0; j < 3; j++) {
    double error = 0;
    for (int k = 0; k < 5; k++) {
      double bend = here->prover->slope_error[k];
      for (int l = 0; l < 5; l++)
        bend += here->prover->curvature[k][l] * reach[l];
      error += fabs(here->directions[j].d[k]) * bend;
    }
    // Those along a direction are sums of two, rounded.
    for (int k = 0; k < 3; k++)
      s->slope[k][j].r = error * ROOM + 4 * TOI_UNIT * fabs(s->slope[k][j].x);
  }
  return box_inside(here->prover, here->directions, radius, &here->at);
}

/* Newton steps to where the residual no longer falls. */
static bool polish(const toi_prover *prover, const toi_direction directions[3], toi_moment *at, toi_touch_system *s) {
  double last = INFINITY;
  for (int i = 0; i < 12; i++) {
    toi_moment_settle(prover, at);
    if (!set_up(prover, directions, at, s))
      return false;
    double size = fabs(s->value[0].x) + fabs(s->value[1].x) + fabs(s->value[2].x);
    if (size <= prover->value_error || size >= last)
      return size <= 64 * prover->value_error;
    last = i < 4 ? INFINITY : size;
    for (int j = 0; j < 3; j++) {
      double step = 0;
      for (int k = 0; k < 3; k++)
        step -= s->inverse[j][k] * s->value[k].x;
      if (!(fabs(step) < 0x1p100))
        return false;
      for (int k = 0; k < 5; k++)
        at->x[k] += step * directions[j].d[k];
    }
  }
  return false;
}

bool toi_prove_touch(const toi_prover *prover, const toi_direction directions[3], toi_moment *at, double *t_hi) {
  toi_touch_system touch = {.m = 3, .n = 3};
  place here = {prover, directions, *at};
  double radius[TOI_UNKNOWNS];
  if (!polish(prover, directions, &here.at, &touch) || !toi_touch_prove(&touch, 0, over, &here, radius))
    return false;
  double end = here.at.t;
  for (int j = 0; j < 3; j++)
    if (directions[j].d[0] != 0)
      end = toi_sum_up(end, radius[j]);
  *t_hi = end < prover->t_max ? end : prover->t_max;
  *at = here.at;
  return true;
}
