/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Reduction by exact comparisons.
 *
 * If at a time all corners of F are >= 0 on an axis, a corner with a positive coordinate has no part in a contact:
 * weights are not negative, and their sum on this axis must be 0. The sign of a rounded difference is that of the exact
 * one, so this needs no error bound. A corner that moves from x0 >= 0 to x1 >= 0 is 0 inside the step only if x0 = x1 =
 * 0. Dropping corners axis after axis settles exact corner contacts, contacts at the ends of the step and duplicated
 * vertices at rest without any arithmetic. */

#ifndef TOI_NARROW_REDUCE_H
#define TOI_NARROW_REDUCE_H

#include <toi/narrow.h>

typedef enum toi_reduction {
  TOI_REDUCED_OPEN = 0, /* something is left to decide */
  TOI_REDUCED_MISS,
  TOI_REDUCED_CORNER,  /* hit at time t, 0 or 1, in the one corner corners[0] */
  TOI_REDUCED_SEGMENT, /* contact at any time is between corners[0] and corners[1], which stay at 0 on `axis` */
  TOI_REDUCED_PLANE    /* all corners, three or more, stay at 0 on `axis` */
} toi_reduction;

typedef struct toi_remainder {
  double t;
  unsigned corners[2];
  int axis;
} toi_remainder;

/* query: finite, as toi_batch takes it. */
toi_reduction toi_reduce(toi_kind kind, const double *query, toi_remainder *remainder);

#endif
