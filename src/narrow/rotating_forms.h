/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the filter computes of a query: corners, areas and the coplanarity of rotating.h as Bernstein coefficients in
 * doubles, with bounds on their errors.
 *
 * Let u = 2^-53, a and b the largest coordinates of the points of the first and of the second primitive, da and db the
 * largest components of differences between two points of one of them, and most_t, ... those of the table, whose
 * entries are off by 5 u of these. With m = most_t + 3 most_r a + most_w b and k = 3 most_s + 6 most_r (a + b):
 *
 * Claim, for coefficients, and for values at a double in [0, 1]:
 *   of                    magnitude       error of a coefficient   of a value
 *   corners               m               16 u m                   -
 *   areas of second       2 db m          48 u db m                80 u db m
 *   areas of first        da k            20 u da k                40 u da k
 *   coplanarity, face     6 db^2 m        160 u db^2 m             256 u db^2 m
 *   coplanarity, edges    3 da db k       80 u da db k             128 u da db k
 *
 * Why, up to factors of 1 + 100 u, for which there is room:
 * - corners T + R p - W f: 5 u of the table, one rounding of a product, four of sums: 10 u m;
 * - areas C x g, g = f - f' rounded: 2 db m (16 + 1 + 1 + 1) u = 38 u db m;
 * - d = a1 - a0 rounded, moment a0 x d: 2 a da, off by 3 u of that. S d: 3 most_s da (5 + 1 + 1 + 2) u; R (a0 x d): 6
 *   most_r a da (5 + 3 + 1 + 2) u; D = R d: 3 most_r da (5 + 1 + 1 + 2) u, f x D: 6 most_r b da (9 + 1 + 1) u; two sums
 *   2 u: at most 13 u da k;
 * - n = e1 x e2: 2 db^2, off by 4 u of that; n . C: 6 db^2 m (4 + 16 + 1 + 2) u = 138 u db^2 m;
 * - (eb0 - eb1) . area: 3 db (20 u da k + da k (1 + 1 + 2) u) = 72 u da db k;
 * - a value is the sum of coefficients times weights. 1 - t is off by u, its power k by (2 k - 1) u, that of t by (k -
 * 1) u; a weight takes one product of powers and one with a binomial: at most 9 u. Product and three sums: 13 u.
 * Halving a polynomial adds five sums, 5 u of the magnitude.
 *
 * Underflow: nothing is claimed unless m, da and db lie in [2^-200, 2^210] where they matter; then products that
 * underflow, by less than 2^-1074, times at most 2^430, are far below u^2 times the least magnitude, 2^-600. */

#ifndef TOI_NARROW_ROTATING_FORMS_H
#define TOI_NARROW_ROTATING_FORMS_H

#include "narrow/hull.h"
#include "narrow/rotating.h"

#define TOI_TURN_U 0x1p-53

typedef double toi_turn_row[TOI_TURN_COEFFICIENTS];

typedef struct toi_turn_forms {
  int corners;
  double m, k, da, db; /* rounded up */
  toi_turn_row corner[TOI_MOST_CORNERS][3];
  toi_turn_row area[TOI_MOST_CORNERS][3];
  double area_error[TOI_MOST_CORNERS], area_size[TOI_MOST_CORNERS]; /* of values; magnitudes */
  toi_turn_row coplanarity;
  double error, size;                   /* of values of the coplanarity; its magnitude */
  toi_turn_row direction[3], moment[3]; /* D and L, of an edge pair */
  double normal[3];                     /* n, of a face */
} toi_turn_forms;

/* First of all; false if the query is out of range. */
bool toi_turn_begin(const toi_rotating *query, toi_turn_forms *forms);

/* Then the corners, axis by axis. */
void toi_turn_corners(const toi_rotating *query, int axis, toi_turn_forms *forms);

/* Then the coplanarity, and with it area 0 of an edge pair; false if the query is out of range for it. */
bool toi_turn_coplanarity(const toi_rotating *query, toi_turn_forms *forms);

/* Then all areas. */
void toi_turn_areas(const toi_rotating *query, toi_turn_forms *forms);

/* The Bernstein polynomials at t in [0, 1], rounded. */
typedef struct toi_turn_weights {
  double w[TOI_TURN_COEFFICIENTS];
} toi_turn_weights;
toi_turn_weights toi_turn_weights_at(double t);

/* The value of a polynomial there. */
double toi_turn_value(const toi_turn_row row, const toi_turn_weights *weights);

/* Its derivative at t, roughly. */
double toi_turn_slope(const toi_turn_row row, double t);

/* A bracket lo < root < hi at most 2^-48 wide, lo > 0, around the one root of the coplanarity in [zone[0], zone[1]],
 * before which it has the sign `side`, from a guess; false if none can be proved. */
bool toi_turn_refine(const toi_rotating *query, const toi_turn_forms *forms, const double zone[2], double guess,
                     int side, double bracket[2]);

#endif
