/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One query with a separation d > 0, in floating point with proofs: when does the hull first come within d of 0? */

#ifndef TOI_NARROW_SEPARATE_H
#define TOI_NARROW_SEPARATE_H

#include "narrow/height.h"

typedef enum toi_separate_code {
  TOI_SEPARATE_OPEN = 0, /* not settled; guess may help */
  TOI_SEPARATE_MISS,     /* farther than d all the time */
  TOI_SEPARATE_HIT       /* first within d in [t_lo, t_hi], at most 2^-48 apart, 0 < t_lo, t_hi <= 1; or both 0 */
} toi_separate_code;

typedef struct toi_separate_answer {
  toi_separate_code code;
  double t_lo, t_hi;
  double guess; /* of the time, or NaN */
} toi_separate_answer;

/* What is known of contact itself: the first time at which the hull holds 0 lies in [t_lo, t_hi]; or it never does. */
typedef struct toi_known_contact {
  bool touches;
  double t_lo, t_hi;
} toi_known_contact;

/* At the start: HIT if within d, MISS if farther, OPEN if that is not proved. */
toi_separate_code toi_separate_start(const toi_moving *moving, toi_nearest *start);

/* Whether one plane shows that it is farther than d all the time; it is so at the start. */
bool toi_separate_at_once(const toi_moving *moving, const toi_nearest *start);

/* The whole step, if it is farther at the start and one plane is not enough; `start` is what toi_separate_start found.
 */
void toi_separate(const toi_moving *moving, const toi_nearest *start, const toi_known_contact *contact,
                  toi_separate_answer *answer);

#endif
