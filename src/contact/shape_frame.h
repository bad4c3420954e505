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

/* The same for a shape of patches, those of the model: shape_frame_patches.c. */
toi_status toi_shape_straighten_patches(const toi_model *model, toi_shape *shape);

/* --- inside --- */

/* Axes, two of them along or towards two of the first CANDIDATES vectors, such that more products of an axis and a
 * vector are zero, up to rounding, than of x, y and z, by a quarter at least, and `least` of them; false: there are
 * none. */
#define TOI_AXES_CANDIDATES 12
bool toi_axes_choose(size_t count, const double (*v)[3], size_t least, double axes[3][3]);

/* The turn that takes x, y, z to about these axes, as a motion, and what encloses it. */
toi_status toi_frame_make(toi_context *context, double axes[3][3], toi_motion **frame, toi_interval rotation[3][3]);

#endif
