/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of bodies of which one at least is a Boolean shape: what body_pair.h is for smooth ones. */

#ifndef TOI_CONTACT_BOOLEAN_PAIR_H
#define TOI_CONTACT_BOOLEAN_PAIR_H

#include "contact/boolean.h"
#include "contact/newton.h"

/* The features of a Boolean shape at times up to t_max; of other implicit shapes a single one. */
toi_status toi_boolean_surface_begin(toi_context *context, double t_max, toi_body_surface *surface);

/* All pairs of features that may meet; as toi_body_pair_problems. */
size_t toi_boolean_problems(toi_body_pair *pair, bool at_start, double t_max, toi_problem *problems);

/* Whether no other first contact lies in the box w around the only one of its problem (lemma 42). */
bool toi_boolean_is_strict(const toi_problem *problem, const toi_newton_region *unique, const toi_box *w, bool *failed);

#endif
