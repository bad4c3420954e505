/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes whose formulas were turned: the same shape in axes of its own, and how these are turned. */

#ifndef TOI_CONTACT_SHAPE_FRAME_H
#define TOI_CONTACT_SHAPE_FRAME_H

#include "contact/shape.h"

/* Finds axes in which the terms of a shape, given by terms of the formula, are simpler, and puts the shape in these:
 * shape->straight, and shape->frame, which takes its points to those of the shape. Nothing is set where there are
 * none. Fails for lack of memory only. */
toi_status toi_shape_straighten(const toi_formula *formula, const toi_term *terms, toi_shape *shape);

#endif
