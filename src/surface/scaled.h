/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models made larger or smaller. */

#ifndef TOI_SURFACE_SCALED_H
#define TOI_SURFACE_SCALED_H

#include "surface/surface.h"

/* Multiplies all of a model that the library made, velocities included, by a factor > 0, in place; what that rounds
 * goes into the errors. On failure, where a patch overflows, the model is not to be used, but to be freed. */
toi_status toi_model_scale(toi_context *context, toi_model *model, double factor);

#endif
