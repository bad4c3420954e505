/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whether a point lies in a solid, and whether a body starts inside another one. All answers but `unknown` are proved.
 */

#ifndef TOI_CONTACT_INSIDE_H
#define TOI_CONTACT_INSIDE_H

#include "contact/question.h"

/* Of a place in the coordinates of the solid, which is made of these surfaces: by the sign of an implicit one's
 * function, or by rays. */
toi_inside toi_inside_place(const toi_body_surface *surfaces, size_t count, const toi_interval place[3],
                            toi_interval t);

/* By rays through parametric surfaces that close: inside_rays.c. */
toi_inside toi_inside_by_rays(const toi_body_surface *surfaces, size_t count, const toi_interval place[3],
                              toi_interval t);

/* Of all pairs of bodies at t = 0. apart: no two surfaces meet then, proved. */
toi_status toi_inside_at_start(const toi_question *q, bool apart, toi_inside *inside);

#endif
