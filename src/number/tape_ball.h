/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Terms of a tape at one point, in twofold numbers with radii: tape_ball.c. */

#ifndef TOI_NUMBER_TAPE_BALL_H
#define TOI_NUMBER_TAPE_BALL_H

#include "number/ball.h"
#include "number/tape.h"

/* How many balls toi_tape_ball() needs as registers. */
size_t toi_tape_ball_registers(const toi_tape *tape);

/* All terms, from the variables of their formula. What may not be defined has an infinite radius. From any number of
 * threads at once. */
void toi_tape_ball(const toi_tape *tape, const toi_ball *variables, toi_ball *registers, toi_ball *terms);

#endif
