/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proof that two pieces hold no contact earlier than one that is known: the whole neighbourhood of a first contact is
 * settled at once, where a search would have to halve its way down to the bracket.
 *
 * Let z = (t, parameters), z* a contact on or in the pieces, n a vector, and L(z) = t + n . G(z), G as in prove.h. At
 * any contact G = 0, so that L = t there. With d = z - z*, Taylor's theorem gives
 *     t - t* = r . d + d^T H d / 2,         0 = J d,
 * up to the residuals at z*, where r is the gradient of L at z*, and H, J are averages of its Hessian and of G's
 * Jacobian between z* and z. For any matrix K therefore
 *     t - t* = r . d + d^T S d / 2,         S = H + (K J + J^T K^T) / 2.
 * n is chosen such that r is zero along t and along every way that is open to the points. Ways off a side of the domain
 * that a point lies on can only be gone inward, d >= 0, and r > 0 there if t* is a least time. So t >= t* on the whole
 * pieces if S, restricted to the other unknowns, is positive definite for all H, J that the pieces allow, and r
 * outweighs what S can take away along the ways inward. This holds near every first contact at which surfaces approach
 * and the second-order condition of a strict minimum is met, whether it is one of corners, edges or faces.
 *
 * Claim: toi_isolate gives a *t_lo before which the two pieces, as they are meant, do not touch, at a time in `times`.
 * Why: isolate.c. */

#ifndef TOI_SURFACE_ISOLATE_H
#define TOI_SURFACE_ISOLATE_H

#include "number/interval.h"
#include "surface/prove.h"

/* Whether z* (with *times from the search up to after z*) lies in the pieces and nothing earlier than *t_lo does. */
bool toi_isolate(const toi_prover *prover, const toi_moment *at, const toi_piece *a, const toi_piece *b,
                 toi_interval times, double *t_lo);

#endif
