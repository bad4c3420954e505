/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Neighbours in a model: patches that share a corner. */

#ifndef TOI_SURFACE_NEIGHBOURS_H
#define TOI_SURFACE_NEIGHBOURS_H

#include "base/internal.h"

#include <toi/surface.h>

/* The most patches whose corners can be numbered. */
#define TOI_NEIGHBOURS_MOST (UINT32_C(1) << 29)

/* Numbers of a patch's corners; a triangle's third is there twice. */
typedef struct toi_patch_corners {
  uint32_t at[4];
} toi_patch_corners;

/* Numbers the corners of all patches, so that two have the same number just if they are at the same position and move
 * with the same velocity, as numbers: zeroes of either sign are the same, and no velocities are zeroes. Patches were
 * checked. Expected time is linear, in whatever way corners coincide. */
toi_status toi_patch_corners_number(toi_context *context, const toi_patch *patches, size_t count,
                                    toi_patch_corners *corners);

static inline bool toi_patch_corners_shared(const toi_patch_corners *a, const toi_patch_corners *b) {
  bool shared = false;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      shared |= a->at[i] == b->at[j];
  return shared;
}

#endif
