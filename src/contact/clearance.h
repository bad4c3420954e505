/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Surfaces that run side by side, a small gap apart, as a shaft in its bore: intervals tell them apart only in boxes of
 * the size of the gap. Here a function that tells them apart is bounded by Taylor models over a box of any size.
 *
 * Promise: a box that is called apart holds no contact. Shapes of the user's own functions are never called so. */

#ifndef TOI_CONTACT_CLEARANCE_H
#define TOI_CONTACT_CLEARANCE_H

#include "contact/couple.h"

/* Kept between boxes; all zero at first. */
typedef struct toi_clearance {
  double credit;                   /* tries that may be made */
  uint64_t successes;              /* that were worth their time */
  bool apart;                      /* the last box holds no contact */
  size_t split;                    /* the unknown of the last box to halve; TOI_UNKNOWNS: no saying */
  struct toi_clearance_work *work; /* made with the first one */
  size_t registers;
} toi_clearance;

/* Whether the box, over which the system was enclosed, is proved to hold no contact: `apart`; tried seldom while it is
 * in vain. Fails where memory is refused. */
toi_status toi_clearance_try(toi_clearance *clearance, toi_context *context, const toi_problem *problem,
                             const toi_box *box, const toi_system *system);

/* Also after a failure. */
void toi_clearance_end(toi_clearance *clearance, toi_context *context);

#endif
