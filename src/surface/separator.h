/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Curved separators: two pieces are apart if some polynomial F is larger on all of one than on all of the other.
 *
 * Pieces of parts that nearly fit are almost parallel, and curved: planes tell them apart only when they are so small
 * that they bend less than the gap. A quadric between them, or a cubic, does so for pieces a thousand times as large.
 *
 * Let y = scale E (x - o) be coordinates in a local frame, F a polynomial of degree D <= 3 in y, all numbers doubles
 * and meant exactly. On a piece y = Y / W in Bernstein form, so that W^D F is a polynomial in the parameters, and F
 * lies between the least and the largest of the quotients of its Bernstein coefficients and those of W^D, as W > 0. In
 * time a piece follows a field y' = A y + u (it turns, or is shifted), along which F(y(s)) = F + s LF + s^2/2 L^2 F +
 * s^3/6 (L^3 F)(y(r)),   LF = grad F . (A y + u),   r between 0 and s, the first three at s = 0, polynomials of degree
 * D again.
 *
 * Claim: toi_separator_test calls two pieces apart only if they, as they are meant, are farther than the separation
 * apart at all times of the span asked about. Whatever F is: it is found by least squares, in plain arithmetic, and a
 * bad fit separates nothing. Why: separator_bound.c. */

#ifndef TOI_SURFACE_SEPARATOR_H
#define TOI_SURFACE_SEPARATOR_H

#include "number/interval.h"
#include "solve/separator_fit.h"
#include "surface/piece.h"

/* How the patches of one side move beyond what their nets say: they turn about a centre that is at rest in the forest's
 * frame, and nets hold the true positions at the middle of the forest's time, up to `error`. */
typedef struct toi_turn {
  bool turns; /* otherwise nets and velocities are all there is */
  double spin[3];
  double spin_error;   /* of each coordinate */
  double centre[3];    /* in the forest's frame */
  double centre_error; /* of each coordinate */
  double error;        /* of the nets at the middle of the time, a distance; rounding within the forest is not in it */
} toi_turn;

/* A piece in the local frame at the time `at`, and how it moves. */
typedef struct toi_separator_side {
  const toi_piece *piece;
  double net[4][TOI_NET_POINTS]; /* Y and W */
  bool moves;
  toi_affine field;
  double field_error[2];              /* of the entries of its matrix, and of its shift */
  double spin;                        /* at least the rate of turn */
  double error;                       /* how far the piece as it is meant may be from the net, as a local distance */
  double stray;                       /* how much faster, or slower, its points may be than the field says; likewise */
  bool deforms;                       /* velocities of the net differ, along which quadrics are followed: */
  double velocity[3][TOI_NET_POINTS]; /* local, times W */
  double velocity_error;
  double within[3];                  /* at least the coordinates of all its points in the span */
  double monomials[TOI_CUBIC_TERMS]; /* of these */
} toi_separator_side;

/* Degrees of W^D F at the most, as numbers of coefficients. */
#define TOI_FORM_POINTS_SQUARE ((2 * TOI_PATCH_DEGREE_MOST + 1) * (2 * TOI_PATCH_DEGREE_MOST + 1))
#define TOI_FORM_POINTS ((3 * TOI_PATCH_DEGREE_MOST + 1) * (3 * TOI_PATCH_DEGREE_MOST + 1))

/* Quotients of Bernstein coefficients: of F, LF and L^2 F / 2 on one side. */
typedef struct toi_separator_form {
  size_t cells, count; /* with the rest of the square that a triangle lies in, and without */
  int orders;          /* 1 if nothing moves, otherwise 3 */
  double quotient[3][TOI_FORM_POINTS];
} toi_separator_form;

/* What a test needs of memory, and what it leaves there. */
typedef struct toi_separator_space {
  toi_separator_samples samples;
  toi_separator_side side[2];
  toi_separator_form form[2];
  double linear[2][4][TOI_NET_POINTS];                         /* Bernstein coefficients of W x y z, not divided */
  double square[2][TOI_QUADRIC_TERMS][TOI_FORM_POINTS_SQUARE]; /* and of their products */
  double sum[TOI_FORM_POINTS_SQUARE], product[TOI_FORM_POINTS], weight[TOI_FORM_POINTS];
} toi_separator_space;

/* The question. Turns are NULL, or those of both sides; then `at` must be the middle of the forest's time. */
typedef struct toi_separator_question {
  const toi_piece *piece[2];
  const toi_turn *turn; /* [2] */
  toi_interval times;   /* within [0, t_max] */
  double at;            /* a time in them, or near them */
  double separation;
  toi_norm norm;
} toi_separator_question;

/* What was found: spans in which nothing touches. */
typedef struct toi_separator_result {
  bool apart;             /* throughout */
  toi_interval left;      /* otherwise: outside of it the pieces are apart */
  bool apart_at_once;     /* they are apart at the time `at`: shorter spans may do */
  double variation[2][2]; /* of F on each side along u and along v, roughly: where it is larger, smaller pieces do */
  double gap;             /* roughly: local distance between the pieces */
  double thickness;       /* roughly: how far the pieces bend out of a plane */
} toi_separator_result;

/* Looks for a separator and examines it. */
void toi_separator_test(const toi_separator_question *question, toi_separator_space *space,
                        toi_separator_result *result);

/* --- separator_sample.c --- */

/* Points of one side, in the forest's frame. */
void toi_separator_sample(const toi_separator_question *question, int side, toi_separator_samples *samples);

/* --- separator_form.c --- */

/* Bernstein coefficients of products, for the following. */
void toi_separator_square(toi_separator_space *space, int side);

/* Quotients of a polynomial of a degree at most 2 or 3. */
void toi_separator_divide(toi_separator_space *space, int side, const toi_cubic *f, int degree, double *quotient);

/* Quotients 1 and 2 of a quadric along the net's own velocities; quotient 0 was made before. */
void toi_separator_divide_moving(toi_separator_space *space, int side, const toi_cubic *f);

/* At least `sign` F, as its quotients say, from s0 to s1 after the time `at`: rounding is part of the bound below. */
double toi_separator_form_least(const toi_separator_form *form, double sign, double s0, double s1);

/* --- separator_bound.c --- */

/* One side in the local frame; false: its error is infinite, or the frame is not orthonormal. */
bool toi_separator_side_make(const toi_separator_question *question, int side, const toi_separator_frame *frame,
                             toi_separator_side *made);

/* F and its derivatives on one side: the quotients, and what they are all off by within `span` of the time `at`, the
 * sides' errors, strays and the remainder included; also the most that |grad F| is there. */
double toi_separator_form_make(toi_separator_space *space, int side, const toi_cubic *f, int degree, double span);

#endif
