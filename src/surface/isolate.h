/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proof that two pieces hold no contact earlier than one that is known: the whole neighbourhood of a first contact is
 * settled at once, where a search would have to halve its way down to the bracket.
 *
 * z = (t, parameters), z* a contact on or in the pieces, and the equations G of prove.h go to solve/lower_bound.h, with
 * the pieces' hulls of J and of the second derivatives of n . G. Ways off a side of the domain that a point lies on can
 * only be gone inward. t* is a bound, up to residuals, near every first contact at which surfaces approach and the
 * second-order condition of a strict minimum is met, whether it is one of corners, edges or faces; along curves and
 * over regions of contact the bound is earlier, by the third order of the pieces' size.
 *
 * Claim: toi_isolate gives a *t_lo before which the two pieces, as they are meant, do not touch, at a time in `times`.
 * Why: isolate.c. */

#ifndef TOI_SURFACE_ISOLATE_H
#define TOI_SURFACE_ISOLATE_H

#include "solve/lower_bound.h"
#include "surface/prove.h"

/* Whether z* (with *times from the search up to after z*) lies in the pieces and nothing earlier than *t_lo does. */
bool toi_isolate(const toi_prover *prover, const toi_moment *at, const toi_piece *a, const toi_piece *b,
                 toi_interval times, double *t_lo);

#endif
