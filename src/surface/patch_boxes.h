/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Boxes of whole patches over a step: nearly all pairs of a model end here, before anything else is made of a patch. */

#ifndef TOI_SURFACE_PATCH_BOXES_H
#define TOI_SURFACE_PATCH_BOXES_H

#include "broad/boxes.h"

#include <toi/surface.h>

/* A closed box of finite coordinates around all that is meant by a checked patch, at all times in [0, t_max], grown by
 * half the separation. Two patches whose boxes are apart keep a larger distance than the separation, in both norms.
 * What lies beyond the largest double is taken to lie there, so that boxes that meet beyond it still meet. */
void toi_patch_box(const toi_patch *patch, double t_max, double separation, toi_swept_box *box);

#endif
