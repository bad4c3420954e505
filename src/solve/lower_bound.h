/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How early a contact can be, by second derivatives: around one that is known, and along curves and over regions of
 * contact, where nothing is unique.
 *
 * Lemma 9 of docs/guarantees.md has the formula
 *     t = c_t + l.v + g.y + (y S y)/2,   g = w_t e_t + J^T l + K v,   S = H + K A + A^T K^T
 * for the time of a contact at x_i = c_i + w_i y_i, where |y_i| <= 1, or 0 <= y_i <= 1 along an unknown that can only
 * be gone inward, off a side of the domain; all derivatives are by y.
 *
 * Claim: no contact has a time below toi_lower_bound(). Why: lower_bound.c. */

#ifndef TOI_SOLVE_LOWER_BOUND_H
#define TOI_SOLVE_LOWER_BOUND_H

#include "solve/linear.h"
#include "solve/midrad.h"

#define TOI_CONTACT_EQUATIONS 3

typedef struct toi_second_order {
  size_t m, n;     /* equations and unknowns; time is the last unknown */
  toi_midrad time; /* c_t */
  double length;   /* w_t */
  double residual; /* of the contacts that are meant, at most, in each equation */
  toi_midrad value[TOI_CONTACT_EQUATIONS];
  toi_midrad slope[TOI_CONTACT_EQUATIONS][TOI_UNKNOWNS]; /* at c */
  bool inward[TOI_UNKNOWNS];
  double l[TOI_CONTACT_EQUATIONS];                      /* set by toi_lower_bound_begin */
  toi_midrad over[TOI_CONTACT_EQUATIONS][TOI_UNKNOWNS]; /* slopes at all y; what follows is set after it */
  toi_midrad hessian[TOI_UNKNOWNS][TOI_UNKNOWNS];       /* of l.G, at all y; the lower half */
} toi_second_order;

/* Whether a symmetric matrix plus shift times the identity is positive definite; the lower half counts. */
bool toi_positive_definite(size_t n, const toi_row *matrix, double shift);

/* A lower bound of y S y for all symmetric matrices in S and all y in [-1, 1]^n; the lower half counts. Minus infinity:
 * none was found. */
double toi_least_form(size_t n, toi_midrad s[TOI_UNKNOWNS][TOI_UNKNOWNS]);

/* Chooses l, from what stands before it; false: there is none. */
bool toi_lower_bound_begin(toi_second_order *s);

/* K, a row for each unknown, as toi_lower_bound() chooses it: from value, slope, l, and the middles of what is over the
 * box. strict: e, in sizes of H; 0: as if no strict minimum is in view. False: there is none. */
bool toi_lower_bound_factors(const toi_second_order *s, double strict, double k[TOI_UNKNOWNS][TOI_CONTACT_EQUATIONS]);

/* Minus infinity: nothing is known. strict: a strict minimum of time is looked for first, which is there around an
 * isolated contact. */
double toi_lower_bound(const toi_second_order *s, bool strict);

#endif
