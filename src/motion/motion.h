/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rotation and translation of a motion, enclosed over a time with their derivatives. */

#ifndef TOI_MOTION_MOTION_H
#define TOI_MOTION_MOTION_H

#include "number/taylor.h"

#include <toi/motion.h>

/* Derivatives of order 0, 1, 2 by time. */
typedef struct toi_motion_jet {
  toi_interval rotation[3][3][3]; /* [order][row][column] */
  toi_interval translation[3][3]; /* [order][row] */
} toi_motion_jet;

/* Up to `order`; what is beyond is not written. motion NULL: rest. Not from two threads at once on one motion. */
void toi_motion_jet_at(const toi_motion *motion, toi_interval t, unsigned order, toi_motion_jet *jet);

/* Of the first body as the second one sees it: R2^T R1 and R2^T (T1 - T2). */
void toi_motion_jet_relative(const toi_motion_jet *first, const toi_motion_jet *second, unsigned order,
                             toi_motion_jet *relative);

/* Rotation and translation as Taylor models. */
typedef struct toi_motion_taylor {
  toi_taylor rotation[3][3];
  toi_taylor translation[3];
} toi_motion_taylor;

/* From a model of time: taylor.c. registers: as many as toi_motion_taylor_registers() says. motion NULL: rest. */
size_t toi_motion_taylor_registers(const toi_motion *motion);
void toi_motion_taylor_at(const toi_motion *motion, const toi_taylor_space *space, const toi_taylor *t,
                          toi_taylor *registers, toi_motion_taylor *pose);

/* Of the first body as the second one sees it. Neither may be *relative. */
void toi_motion_taylor_relative(const toi_taylor_space *space, const toi_motion_taylor *first,
                                const toi_motion_taylor *second, toi_motion_taylor *relative);

/* Where it takes the point s, which is not `place`. */
void toi_motion_taylor_place(const toi_taylor_space *space, const toi_motion_taylor *pose, const toi_taylor s[3],
                             toi_taylor place[3]);

/* Whether nothing turns: the rotation is the identity, exactly, at all times. */
bool toi_motion_is_shift(const toi_motion *motion);

/* Whether it is the same at all times, exactly. NULL: it is. */
bool toi_motion_rests(const toi_motion *motion);

/* A motion with the same stages and tapes of its own, for another thread (toi_tape_twin), in memory of so many bytes;
 * 0: the motion itself may be asked from several threads. */
size_t toi_motion_twin_bytes(const toi_motion *motion);
const toi_motion *toi_motion_twin(const toi_motion *motion, void *memory);

/* Fails with a sentence unless the motion is proved to be finite in [0, t_max], within its series' domains, and its
 * quaternions away from 0. `what` begins the sentence, such as "bodies[1].motion". */
toi_status toi_motion_check(toi_context *context, const toi_motion *motion, double t_max, const char *what);

/* The same in an interval of times, finite. */
toi_status toi_motion_check_over(toi_context *context, const toi_motion *motion, toi_interval times, const char *what);

#endif
