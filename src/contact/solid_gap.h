/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How far apart the edges of two faces are: proved. */

#ifndef TOI_CONTACT_SOLID_GAP_H
#define TOI_CONTACT_SOLID_GAP_H

#include "contact/shape.h"

/* A side of a face's rectangle, in the order of the bits of TOI_EDGES. The face does not deform. */
typedef struct toi_rim {
  const toi_shape *face;
  int side;
} toi_rim;

/* The parameters of a place along it, from 0 to 1, and the corner at an end of it. */
void toi_rim_place(const toi_rim *rim, double part, toi_interval uvt[3]);

/* A bound of |a(s) - b(s)| along any axis for all s in [0, 1], each running evenly through the parameters along its
 * side, b backwards if it is reversed; b NULL: of the distance of a from its own beginning. Infinite: none is known. */
toi_status toi_rim_gap(toi_context *context, const toi_rim *a, const toi_rim *b, bool reversed, double *gap);

#endif
