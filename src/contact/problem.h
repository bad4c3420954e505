/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a problem's unknowns are, and where they may lie. */

#ifndef TOI_CONTACT_PROBLEM_H
#define TOI_CONTACT_PROBLEM_H

#include "contact/body_pair.h"

/* The unknowns that are not frozen. */
typedef struct toi_columns {
  size_t count;
  size_t at[TOI_UNKNOWNS];
} toi_columns;

toi_columns toi_problem_columns(const toi_problem *problem);

/* Whether unknown i goes on beyond that end of its domain. */
bool toi_problem_is_seam(const toi_problem *problem, size_t i, bool high);

/* The middle of the box, as a box. */
toi_box toi_box_centre(const toi_problem *problem, const toi_box *box);

/* Whether a region of unknowns lies in the domain, as far as real edges and the time go. */
bool toi_problem_holds(const toi_problem *problem, const toi_box *box);

/* Whether a box, which lies at `place` as the second body sees it, can lie within the bounds of implicit surfaces and
 * the outlines of faces. */
bool toi_problem_reaches(const toi_problem *problem, const toi_box *box, const toi_interval place[3]);

#endif
