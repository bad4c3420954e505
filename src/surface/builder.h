/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Making models: one block of memory for all of a model, given away patch by patch.
 *
 * Promise: a model that could not be finished leaves nothing behind; what is given to toi_model_free() is one block.
 *
 * Below it, sums whose rounding is known exactly: what is added to a control point moves the surface by a convex
 * combination of the additions, so that the largest of them bounds the distance of the two surfaces. */

#ifndef TOI_SURFACE_BUILDER_H
#define TOI_SURFACE_BUILDER_H

#include <math.h>

#include "base/internal.h"
#include "surface/surface.h"

/* What a model is to hold. */
typedef struct toi_model_size {
  size_t patches;
  size_t points; /* of all patches together */
  bool moving;   /* with velocities */
  bool rational; /* with weights */
  bool cut;      /* with domains */
} toi_model_size;

typedef struct toi_builder {
  toi_patch *patches;
  double (*points)[3];
  double (*velocities)[3]; /* this and the next two NULL: none */
  double *weights;
  double (*domains)[4];
  size_t patch, point; /* given away so far */
} toi_builder;

/* The places of one patch, to be filled; those that the model does not have are NULL. */
typedef struct toi_draft {
  toi_patch *patch; /* its shape, degree and arrays are set, its errors 0 */
  double (*points)[3];
  double (*velocities)[3];
  double *weights;
  double *domain;
} toi_draft;

/* Reserves the memory and fills in the model's arrays; on failure the model is empty, and the context says why. */
toi_status toi_builder_start(toi_context *context, const toi_model_size *size, toi_model *model, toi_builder *builder);

/* The places of the next patch; there are as many as were reserved. */
toi_draft toi_builder_next(toi_builder *builder, toi_patch_shape shape, const uint32_t degree[2]);

/* One quad of these degrees. */
static inline toi_draft toi_builder_quad(toi_builder *builder, uint32_t u, uint32_t v) {
  const uint32_t degree[2] = {u, v};
  return toi_builder_next(builder, TOI_PATCH_QUAD, degree);
}

/* Multiplies all of a model that the library made, velocities included, by a factor > 0, in place; what that rounds
 * goes into the errors. On failure, where a patch overflows, the model is not to be used, but to be freed. */
toi_status toi_model_scale(toi_context *context, toi_model *model, double factor);

/* The sum of two doubles, and what it lacks of the exact one; not finite where the sum overflows. */
static inline double toi_builder_add(double a, double b, double *rest) {
  const double s = a + b, bb = s - a;
  *rest = (a - (s - bb)) + (b - bb);
  return s;
}

/* At least the length of the vector: a product, two sums of squares and a root round four times on numbers whose
 * largest is 1 (less than 2^-50 together; squares that underflow add less than 2^-1000), the last product once, and it
 * may underflow. */
#define TOI_BUILDER_OUTWARD (1 + 0x1p-48)
#define TOI_BUILDER_TINY 0x1p-1074
static inline double toi_builder_length(double x, double y, double z) {
  const double most = fmax(fabs(x), fmax(fabs(y), fabs(z)));
  if (most == 0)
    return 0;
  const double a = x / most, b = y / most, c = z / most;
  return sqrt(a * a + b * b + c * c) * TOI_BUILDER_OUTWARD * most + TOI_BUILDER_TINY;
}

#endif
