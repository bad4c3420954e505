/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Taylor models of patches, for surfaces that run side by side (clearance.c).
 *
 * Claim: the models of u, v and t give models of x, y and z, as the patch is meant. Why: over a box that holds the
 * values of u and v, the control points of that part are known up to part.error (patch_jets.c). In s = (u - u_lo) /
 * (u_hi - u_lo), and likewise in v, the patch is the polynomial sum s_u^i s_v^j C(m, i) C(n, j) D_ij,   D the
 * differences of order i and j of the control points, an identity of polynomials, which holds wherever s is, so that
 * nothing depends on the box being tight. Coefficients are intervals; everything else is arithmetic of models. Along a
 * parameter that has one value the part is a point. The weight of a rational patch is divided by as a model; where it
 * is not proved to be positive the remainder is infinite. */

#include "contact/patch_nets.h"

#define SIDE (TOI_PATCH_DEGREE_MOST + 1)

/* The values of a parameter, within the square: a point, if that is all there is. */
static toi_interval reach(const toi_taylor_space *space, const toi_taylor *x) {
  if (x->degree == 0 && x->r == 0)
    return toi_interval_point(x->c[0]);
  toi_interval values = {0, 1};
  (void)toi_interval_intersect(toi_taylor_reach(space, x), values, &values);
  return values;
}

/* (x - lo) / (hi - lo). */
static void localise(const toi_taylor_space *space, const toi_taylor *x, toi_interval over, toi_taylor *s) {
  const toi_interval one = {1, 1}, lo = toi_interval_point(over.lo), hi = toi_interval_point(over.hi);
  toi_taylor number;
  toi_taylor_constant(lo, &number);
  toi_taylor_sub(space, x, &number, s);
  toi_taylor_constant(toi_interval_div(one, toi_interval_sub(hi, lo)), &number);
  toi_taylor_mul(space, s, &number, s);
}

/* Control points of a line to coefficients of powers: C(n, i) times the differences of order i. */
static void to_powers(toi_interval *line, size_t count, size_t step) {
  double binomial = 1;
  for (size_t i = 0; i < count; i++) {
    for (size_t k = count - 1; k > i; k--)
      line[k * step] = toi_interval_sub(line[k * step], line[(k - 1) * step]);
    line[i * step] = toi_interval_mul(toi_interval_point(binomial), line[i * step]);
    binomial = binomial * (double)(count - 1 - i) / (double)(i + 1);
  }
}

/* x s + c */
static void step(const toi_taylor_space *space, const toi_taylor *s, toi_interval c, toi_taylor *x) {
  toi_taylor number;
  toi_taylor_mul(space, x, s, x);
  toi_taylor_constant(c, &number);
  toi_taylor_add(space, x, &number, x);
}

/* A row of a part, by Horner's scheme in v, and in u around it. */
static void row_model(const toi_taylor_space *space, const toi_net_part *part, int row, const toi_taylor s[2],
                      toi_taylor *out) {
  toi_interval c[SIDE * SIDE] = {{0, 0}};
  const size_t u = part->size[0], v = part->size[1];
  const double error = part->error[row == 6 ? TOI_NET_WEIGHT : row >= 3 ? TOI_NET_VELOCITY : TOI_NET_POSITION];
  for (size_t i = 0; i < part->count; i++)
    c[i] = error <= DBL_MAX && fabs(part->rows[row][i]) <= DBL_MAX ? toi_interval_around(part->rows[row][i], error)
                                                                   : toi_interval_whole();
  for (size_t j = 0; j < v; j++)
    to_powers(c + j * u, u, 1);
  for (size_t i = 0; i < u; i++)
    to_powers(c + i, v, u);
  toi_taylor_constant(toi_interval_point(0), out);
  for (size_t i = u; i-- > 0;) {
    toi_taylor inner;
    toi_taylor_constant(c[(v - 1) * u + i], &inner);
    for (size_t j = v - 1; j-- > 0;)
      step(space, &s[1], c[j * u + i], &inner);
    if (i + 1 < u)
      toi_taylor_mul(space, out, &s[0], out);
    toi_taylor_add(space, out, &inner, out);
  }
}

void toi_patch_nets_taylor(const toi_patch_nets *nets, const toi_taylor_space *space, const toi_taylor of[3],
                           toi_taylor at[3]) {
  toi_interval box[2];
  toi_taylor s[2], inverse, moved;
  for (int i = 0; i < 2; i++) {
    box[i] = reach(space, &of[i]);
    if (box[i].lo < box[i].hi)
      localise(space, &of[i], box[i], &s[i]);
    else
      toi_taylor_constant(toi_interval_point(0), &s[i]);
  }
  toi_net_part part;
  toi_net_cut(&nets->nets[TOI_NET_AS_IS], box, &part);
  if (nets->rational) {
    row_model(space, &part, 6, s, &inverse);
    toi_taylor_inverse(space, &inverse, &inverse);
  }
  for (int k = 0; k < 3; k++) {
    row_model(space, &part, k, s, &at[k]);
    if (nets->moving) {
      row_model(space, &part, k + 3, s, &moved);
      toi_taylor_mul(space, &moved, &of[2], &moved);
      toi_taylor_add(space, &at[k], &moved, &at[k]);
    }
    if (nets->rational)
      toi_taylor_mul(space, &at[k], &inverse, &at[k]);
  }
}
