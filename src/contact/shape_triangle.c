/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Formulas over a triangle of parameters, as surfaces over a square: X(u, v) with u = u_lo + (s - u_lo) k(v), where
 * k = (v_hi - v) / (v_hi - v_lo), and s from u_lo to u_hi. At v = v_hi, k = 0: all s are the triangle's third corner.
 *
 * Claim: the jets enclose those of S(s, v) = X(u(s, v), v). Why: the chain rule, with u_s = k, u_v = (s - u_lo) k',
 * u_sv = k' and k' = -1 / (v_hi - v_lo):
 *   S_s = k X_u, S_v = u_v X_u + X_v, S_t = X_t
 *   S_ss = k^2 X_uu, S_sv = k' X_u + k (u_v X_uu + X_uv), S_vv = u_v^2 X_uu + 2 u_v X_uv + X_vv
 *   S_st = k X_ut, S_vt = u_v X_ut + X_vt, S_tt = X_tt */

#include "contact/shape.h"

enum { X, U, V, T, UU, UV, UT, VV, VT, TT };

typedef struct chain {
  toi_interval place[3]; /* u, v, t */
  toi_interval s_rate, v_rate, mixed;
} chain;

static chain chain_at(const toi_shape *shape, const toi_interval box[3]) {
  const toi_interval *domain = shape->domain, lo = toi_interval_point(domain[0].lo);
  const toi_interval top = toi_interval_point(domain[1].hi), bottom = toi_interval_point(domain[1].lo);
  const toi_interval height = toi_interval_sub(top, bottom), along = toi_interval_sub(box[0], lo);
  chain c = {.place = {{0, 0}, box[1], box[2]}};
  c.s_rate = toi_interval_div(toi_interval_sub(top, box[1]), height);
  c.mixed = toi_interval_neg(toi_interval_div(toi_interval_point(1), height));
  c.v_rate = toi_interval_mul(along, c.mixed);
  c.place[0] = toi_interval_add(lo, toi_interval_mul(along, c.s_rate));
  // What rounding adds is not of the triangle.
  if (toi_interval_encloses(domain[0], box[0]) && toi_interval_encloses(domain[1], box[1]))
    (void)toi_interval_intersect(c.place[0], domain[0], &c.place[0]);
  return c;
}

static toi_interval sum(toi_interval a, toi_interval x, toi_interval y) {
  return toi_interval_add(toi_interval_mul(a, x), y);
}

/* From those of X, in place. */
static void chain_jet(const chain *c, unsigned order, toi_interval *jet) {
  const toi_interval k = c->s_rate, d = c->v_rate;
  const toi_interval by_u = jet[U];
  if (order > 1) {
    const toi_interval uu = jet[UU], uv = jet[UV];
    jet[UU] = toi_interval_mul(toi_interval_square(k), uu);
    jet[UV] = sum(c->mixed, by_u, toi_interval_mul(k, sum(d, uu, uv)));
    jet[VV] = sum(toi_interval_square(d), uu, sum(toi_interval_scale(d, 1), uv, jet[VV]));
    jet[VT] = sum(d, jet[UT], jet[VT]);
    jet[UT] = toi_interval_mul(k, jet[UT]);
  }
  jet[V] = sum(d, by_u, jet[V]);
  jet[U] = toi_interval_mul(k, by_u);
}

bool toi_triangle_jets(const toi_shape *shape, const toi_interval box[3], unsigned order, toi_interval *jets) {
  const chain c = chain_at(shape, box);
  const bool defined = toi_tape_bounds(shape->tape, c.place, order, jets);
  for (size_t k = 0; k < 3 && order > 0; k++)
    chain_jet(&c, order, jets + k * TOI_JET_SIZE(3, order));
  return defined;
}

void toi_triangle_taylor(const toi_shape *shape, const toi_taylor_space *space, const toi_taylor *variables,
                         toi_taylor *registers, toi_taylor *terms) {
  const toi_interval lo = toi_interval_point(shape->domain[0].lo), top = toi_interval_point(shape->domain[1].hi);
  toi_taylor at[3], begin, rate;
  toi_taylor_constant(lo, &begin);
  toi_taylor_constant(top, &rate);
  toi_taylor_sub(space, &rate, &variables[1], &rate);
  toi_taylor_constant(
      toi_interval_div(toi_interval_point(1), toi_interval_sub(top, toi_interval_point(shape->domain[1].lo))), &at[1]);
  toi_taylor_mul(space, &rate, &at[1], &rate);
  toi_taylor_sub(space, &variables[0], &begin, &at[0]);
  toi_taylor_mul(space, &at[0], &rate, &at[0]);
  toi_taylor_add(space, &at[0], &begin, &at[0]);
  toi_taylor_copy(space, &variables[1], &at[1]);
  toi_taylor_copy(space, &variables[2], &at[2]);
  toi_tape_taylor(shape->tape, space, at, registers, terms);
}
