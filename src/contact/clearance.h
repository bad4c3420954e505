/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Surfaces that run side by side, a small gap apart, as a shaft in its bore: intervals tell them apart only in boxes of
 * the size of the gap. Here a function that tells them apart is bounded by Taylor models over a box of any size.
 *
 * Promise: a box that is called apart holds no contact. Shapes of the user's own functions are never called so. */

#ifndef TOI_CONTACT_CLEARANCE_H
#define TOI_CONTACT_CLEARANCE_H

#include "contact/body_pair.h"
#include "solve/lower_bound.h"

/* Kept between boxes; all zero at first. */
typedef struct toi_clearance {
  double credit;                   /* tries that may be made */
  uint64_t successes;              /* that were worth their time */
  bool apart;                      /* the last box holds no contact */
  size_t split;                    /* the unknown of the last box to halve; TOI_UNKNOWNS: no saying */
  struct toi_clearance_work *work; /* made with the first one */
  size_t registers;
} toi_clearance;

/* Whether the box, over which the system was enclosed, is proved to hold no contact: `apart`; tried seldom while it is
 * in vain. Fails where memory is refused. */
toi_status toi_clearance_try(toi_clearance *clearance, toi_context *context, const toi_problem *problem,
                             const toi_box *box, const toi_system *system);

/* The equations of contact over a box, each as a polynomial of degree three in y, which is in [-1, 1] along every
 * unknown that is free there: x_i = middle + half width y_i, as toi_taylor_variable() has it. The equation is within
 * `rest` of the polynomial. Coefficients are those of monomials, by their unknowns in rising order. */
typedef struct toi_equation_model {
  double value, slope[TOI_UNKNOWNS], second[TOI_UNKNOWNS][TOI_UNKNOWNS],
      third[TOI_UNKNOWNS][TOI_UNKNOWNS][TOI_UNKNOWNS];
  double rest;
} toi_equation_model;

typedef struct toi_contact_model {
  size_t m; /* equations; 0: there are no models of these bodies */
  toi_equation_model of[TOI_CONTACT_EQUATIONS];
} toi_contact_model;

/* Fails where memory is refused. */
toi_status toi_clearance_model(toi_clearance *clearance, toi_context *context, const toi_problem *problem,
                               const toi_box *box, toi_contact_model *model);

/* Also after a failure. */
void toi_clearance_end(toi_clearance *clearance, toi_context *context);

#endif
