/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A share of a distance: lift + factor max(0, distance - base), rounded down once to a double.
 *
 *   a fraction F of the distance                       factor F
 *   T and a fraction F of what lies beyond it          factor F, base T, lift T
 *   half of what lies beyond T                         factor 1/2, base T */

#ifndef TOI_NARROW_SHARE_H
#define TOI_NARROW_SHARE_H

typedef struct toi_share {
  double factor, base, lift; /* finite and not negative */
} toi_share;

#endif
