/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How early a contact in a box can be, by second derivatives: for boxes along curves and over regions of contact, where
 * nothing is unique.
 *
 * Claim: no solution of the equations of contact in the box has a time below toi_time_lower_bound(). Why:
 * solve/lower_bound.h, and lemma 9 of docs/guarantees.md. */

#ifndef TOI_CONTACT_TIME_BOUND_H
#define TOI_CONTACT_TIME_BOUND_H

#include "contact/clearance.h"
#include "contact/newton.h"

/* -infinity: nothing is known. *failed: a function of the user's did. */
double toi_time_lower_bound(const toi_problem *problem, const toi_box *box, bool *failed);

/* The same by models of the equations over the box, whose times these are: time_model.c. It need not be better than
 * `enough`. */
double toi_time_model_bound(const toi_problem *problem, const toi_contact_model *model, toi_interval time,
                            double enough);

#endif
