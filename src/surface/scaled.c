/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models made larger or smaller.
 *
 * Claim: error and velocity_error of the scaled model bound its distance from what was meant by the model, scaled
 * exactly. Bound: the factor times those of the model, and the length of the vector of what each coordinate lacks of
 * the exact product, at the control point where it is largest. Why: the difference of the given surfaces is a convex
 * combination of those of their control points. What a product lacks of the exact one is a multiple of the product of
 * two units in the last place, which is above 2^(e - 105) for a product above 2^e: a double for e >= EXACT_EXPONENT,
 * and fma gives it; below, it may round by less than the smallest double. */

#include "surface/scaled.h"

#include <assert.h>
#include <math.h>

#include "surface/builder.h"

/* 2^-960: units in the last place multiply to 2^-1065 at least. */
#define EXACT_PRODUCT 0x1p-960

static double lack(double factor, double x, double product) {
  const double rest = fabs(fma(factor, x, -product));
  return x == 0 || fabs(product) >= EXACT_PRODUCT ? rest : rest + TOI_BUILDER_TINY;
}

/* Scales them, and gives the largest error; not finite where a product is not. */
static double scale_all(double factor, double (*triples)[3], size_t count) {
  double error = 0;
  for (size_t i = 0; i < count; i++) {
    double lacks[3];
    for (int k = 0; k < 3; k++) {
      const double x = triples[i][k];
      triples[i][k] = factor * x;
      if (!isfinite(triples[i][k]))
        return INFINITY;
      lacks[k] = lack(factor, x, triples[i][k]);
    }
    error = fmax(error, toi_builder_length(lacks[0], lacks[1], lacks[2]));
  }
  return error;
}

/* factor * bound + more, rounded up: three roundings, and the product may underflow. */
static double bound_up(double factor, double bound, double more) {
  const double scaled = bound == 0 ? 0 : factor * bound * TOI_BUILDER_OUTWARD + TOI_BUILDER_TINY;
  return scaled == 0 || more == 0 ? scaled + more : (scaled + more) * TOI_BUILDER_OUTWARD;
}

static bool scale_patch(double factor, toi_patch *patch) {
  const size_t count = toi_patch_points(patch->shape, patch->degree);
  // The arrays are the model's own: const is for those who are given it.
  patch->error = bound_up(factor, patch->error, scale_all(factor, (double(*)[3])patch->points, count));
  const double more = patch->velocities == NULL ? 0 : scale_all(factor, (double(*)[3])patch->velocities, count);
  patch->velocity_error = bound_up(factor, patch->velocity_error, more);
  return isfinite(patch->error) && isfinite(patch->velocity_error);
}

toi_status toi_model_scale(toi_context *context, toi_model *model, double factor) {
  assert(model->owned != NULL && factor > 0 && isfinite(factor));
  size_t i = 0;
  while (i < model->patch_count && scale_patch(factor, (toi_patch *)&model->patches[i]))
    i++;
  return i == model->patch_count
             ? TOI_OK
             : toi_fail(context, TOI_ERROR_INPUT, "patch %zu of the model overflows; make it smaller", i);
}
