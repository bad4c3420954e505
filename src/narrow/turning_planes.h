/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One query with a separation d > 0, in floating point with proofs: when does the hull first come within d of 0? */

#ifndef TOI_NARROW_TURNING_PLANES_H
#define TOI_NARROW_TURNING_PLANES_H

#include "narrow/height.h"

typedef enum toi_turning_planes_code {
  TOI_TURNING_PLANES_OPEN = 0, /* not settled; guess may help */
  TOI_TURNING_PLANES_MISS,     /* farther than d all the time */
  TOI_TURNING_PLANES_HIT       /* first within d in [t_lo, t_hi], at most 2^-48 apart, 0 < t_lo, t_hi <= 1; or both 0 */
} toi_turning_planes_code;

typedef struct toi_turning_planes_answer {
  toi_turning_planes_code code;
  double t_lo, t_hi;
  double guess; /* of the time, or NaN */
} toi_turning_planes_answer;

/* What is known of contact itself: the first time at which the hull holds 0 lies in [t_lo, t_hi]; or it never does. */
typedef struct toi_known_contact {
  bool touches;
  double t_lo, t_hi;
} toi_known_contact;

/* The whole step. */
void toi_turning_planes(const toi_moving *moving, const toi_known_contact *contact, toi_turning_planes_answer *answer);

#endif
