/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Interval Newton methods on the equations of a problem: shrinking a box, proving that it holds one contact, proving
 * that there is a contact at all.
 *
 * Claims. toi_newton_contact and toi_newton_all lose no solution of the equations that they use. TOI_NEWTON_UNIQUE
 * means that the region holds exactly one solution of the square system, which lies in `root`. toi_newton_prove is true
 * only if the surfaces touch at unknowns in the box that it tells, which lies in the domain (seams may be crossed).
 * Why: newton.c, and lemmas 8, 10 and 11 of docs/guarantees.md. */

#ifndef TOI_CONTACT_NEWTON_H
#define TOI_CONTACT_NEWTON_H

#include "contact/problem.h"

typedef enum toi_newton_end {
  TOI_NEWTON_EMPTY = 0, /* the box holds no solution */
  TOI_NEWTON_SHRUNK,    /* it may; all of them are in what is left of it */
  TOI_NEWTON_UNIQUE,    /* the region around it holds one */
  TOI_NEWTON_FAILED     /* a function of the user's did */
} toi_newton_end;

/* By the equations of contact, centred: system is that of the box, of order SLOPES at least. linear: shrinks the box;
 * else only says whether it is empty. */
toi_newton_end toi_newton_contact(const toi_problem *problem, const toi_system *system, bool linear, toi_box *box);

/* By all equations, over a region a little larger than the box: */
typedef struct toi_newton_region {
  toi_box region, root;
} toi_newton_region;

/* *box shrinks, or region and root are reported. The method is not NONE. */
toi_newton_end toi_newton_all(const toi_problem *problem, toi_contact_newton method, toi_box *box,
                              toi_newton_region *unique);

/* Makes the root of a unique region as small as it gets. */
bool toi_newton_polish(const toi_problem *problem, toi_newton_region *unique);

/* Looks for a solution of all equations from a point, in doubles. */
typedef enum toi_guess {
  TOI_GUESS_FAR = 0,   /* none is near */
  TOI_GUESS_CLOSE,     /* one of contact may be */
  TOI_GUESS_FLAT,      /* of all, nearly: the surfaces are tangential up to a small angle, and stay so nearby */
  TOI_GUESS_TANGENTIAL /* all hold */
} toi_guess;
toi_guess toi_newton_guess(const toi_problem *problem, const toi_box *box, double x[TOI_UNKNOWNS]);

/* Goes from x to a nearby contact and proves it. incoming: what the pair asks for is proved as well. */
bool toi_newton_prove(const toi_problem *problem, double x[TOI_UNKNOWNS], bool incoming, toi_box *proved);

/* The same for a unique one: tries regions around x, of `size` times the domain's widths at first. */
bool toi_newton_isolate(const toi_problem *problem, toi_contact_newton method, const double x[TOI_UNKNOWNS],
                        const toi_box *around, toi_newton_region *unique);

#endif
