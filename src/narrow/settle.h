/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* From what a level of the cascade proved of a query to its answer: t_max, contact point, normal, t_safe. */

#ifndef TOI_NARROW_SETTLE_H
#define TOI_NARROW_SETTLE_H

#include "narrow/kernel.h"
#include "narrow/method.h"
#include "narrow/reduce.h"

/* Nothing touches. */
void toi_settle_miss(const toi_chunk *chunk, size_t number, toi_level level);

/* First contact in the bracket of `answer`. */
toi_status toi_settle_root(const toi_chunk *chunk, size_t number, const toi_root_answer *answer, toi_level level);

/* The same for a contact found in an axis plane: a hull with a normal keeps it, a flat one is met in its plane. */
toi_status toi_settle_flat(const toi_chunk *chunk, size_t number, toi_root_answer *answer);

/* Contact at the start or the end of the step in one corner. */
toi_status toi_settle_corner(const toi_chunk *chunk, size_t number, const toi_remainder *remainder);

/* Contact at t = 0 strictly inside a hull that stays in a plane. */
toi_status toi_settle_start(const toi_chunk *chunk, size_t number, double u, double v);

#endif
