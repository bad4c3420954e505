/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A copy of a model that lies elsewhere and moves in another way; models made larger or smaller.
 *
 * Claim: error and velocity_error bound the distance from what was meant by the model, moved or scaled exactly.
 * Bound: those of the model, scaled, and the length of the vector of what each coordinate lacks of the exact sum or
 * product, at the control point where it is largest. Why: the difference of the given surfaces is a convex combination
 * of those of their control points, with the same coefficients. What a sum lacks is a double that is known
 * (toi_builder_add). What a product lacks is a multiple of the product of two units in the last place, which is above
 * 2^(e - 105) for a product above 2^e: a double for products from EXACT_PRODUCT on, and fma gives it; below, it may
 * round by less than the smallest double. */

#include <string.h>

#include "surface/builder.h"

/* --- checks --- */

static toi_status check_vector(toi_context *context, const double vector[3], const char *name) {
  for (int k = 0; vector != NULL && k < 3; k++)
    if (!isfinite(vector[k]))
      return toi_fail(context, TOI_ERROR_INPUT, "%c of the %s is %g; it must be finite", 'x' + k, name, vector[k]);
  return TOI_OK;
}

/* --- coordinates --- */

/* 2^-960: units in the last place multiply to 2^-1065 at least. */
#define EXACT_PRODUCT 0x1p-960

static double product(double x, double factor, double *lacks) {
  const double made = factor * x, rest = fabs(fma(factor, x, -made));
  *lacks = x == 0 || fabs(made) >= EXACT_PRODUCT ? rest : rest + TOI_BUILDER_TINY;
  return made;
}

/* Applies toi_builder_add or product to all of them (NULL: to zeroes), and gives the largest error; not finite where a
 * number is not. */
static double change(double (*how)(double x, double by, double *lacks), const double (*from)[3], size_t count,
                     const double by[3], double (*to)[3]) {
  double error = 0;
  for (size_t i = 0; i < count; i++) {
    double lacks[3];
    for (int k = 0; k < 3; k++) {
      to[i][k] = how(from == NULL ? 0 : from[i][k], by[k], &lacks[k]);
      if (!isfinite(to[i][k]) || !isfinite(lacks[k]))
        return INFINITY;
    }
    error = fmax(error, toi_builder_length(lacks[0], lacks[1], lacks[2]));
  }
  return error;
}

/* The sum of two bounds: one rounding. */
static double sum_up(double a, double b) {
  return a == 0 || b == 0 ? a + b : (a + b) * TOI_BUILDER_OUTWARD;
}

/* --- the copy --- */

static bool is_zero(const double vector[3]) {
  return vector[0] == 0 && vector[1] == 0 && vector[2] == 0;
}

static bool move_patch(const toi_patch *patch, const double shift[3], const double velocity[3], toi_draft draft) {
  const size_t count = toi_patch_points(patch->shape, patch->degree);
  toi_patch *made = draft.patch;
  made->error = sum_up(patch->error, change(toi_builder_add, patch->points, count, shift, draft.points));
  made->velocity_error = patch->velocity_error;
  if (draft.velocities != NULL)
    made->velocity_error =
        sum_up(made->velocity_error, change(toi_builder_add, patch->velocities, count, velocity, draft.velocities));
  if (patch->weights != NULL)
    memcpy(draft.weights, patch->weights, count * sizeof(double));
  else
    made->weights = NULL;
  return isfinite(made->error) && isfinite(made->velocity_error);
}

/* What all patches need together: weights and velocities lie beside the points of all if one of them has any. */
static toi_model_size measure(const toi_model *model, const double velocity[3]) {
  toi_model_size size = {.patches = model->patch_count, .moving = !is_zero(velocity), .cut = model->domains != NULL};
  for (size_t i = 0; i < model->patch_count; i++) {
    const toi_patch *patch = &model->patches[i];
    size.points += toi_patch_points(patch->shape, patch->degree);
    size.moving = size.moving || patch->velocities != NULL;
    size.rational = size.rational || patch->weights != NULL;
  }
  return size;
}

static toi_status copy(toi_context *context, const toi_model *model, const double shift[3], const double velocity[3],
                       toi_model *moved) {
  const toi_model_size size = measure(model, velocity);
  toi_builder builder;
  const toi_status status = toi_builder_start(context, &size, moved, &builder);
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; i < model->patch_count; i++) {
    const toi_patch *patch = &model->patches[i];
    const toi_draft draft = toi_builder_next(&builder, patch->shape, patch->degree);
    if (model->domains != NULL)
      memcpy(draft.domain, model->domains[i], 4 * sizeof(double));
    if (!move_patch(patch, shift, velocity, draft)) {
      toi_model_free(context, moved);
      return toi_fail(context, TOI_ERROR_INPUT, "patch %zu of the model overflows where it is moved to", i);
    }
  }
  return TOI_OK;
}

static TOI_APART toi_status move_model(toi_context *context, const toi_model *model, const double shift[3],
                                       const double velocity[3], toi_model *moved) {
  static const double none[3] = {0, 0, 0};
  if (context == NULL || model == NULL || moved == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_model_moved needs a context, a model and a place for the copy");
  if (moved == model)
    return toi_fail(context, TOI_ERROR_INPUT, "moved is the model itself; give a place of its own for the copy");
  *moved = (toi_model){0};
  toi_status status = check_vector(context, shift, "shift");
  if (status == TOI_OK)
    status = check_vector(context, velocity, "velocity");
  if (status != TOI_OK)
    return status;
  toi_taken_model taken;
  status = toi_model_take(context, model, "the model", &taken);
  if (status == TOI_OK)
    status = toi_model_check(context, &taken.model, "the model");
  if (status == TOI_OK)
    status = copy(context, &taken.model, shift == NULL ? none : shift, velocity == NULL ? none : velocity, moved);
  toi_model_give_back(context, &taken);
  return status;
}

toi_status toi_model_moved(toi_context *context, const toi_model *model, const double shift[3],
                           const double velocity[3], toi_model *moved) {
  TOI_CALL(context, move_model(context, model, shift, velocity, moved));
}

/* --- scaling --- */

/* In place: the arrays are the model's own, const is for those who are given it. The bound before rounds twice, and may
 * underflow. */
static double scale(double factor, double bound, const double (*triples)[3], size_t count) {
  const double by[3] = {factor, factor, factor};
  const double more = triples == NULL ? 0 : change(product, triples, count, by, (double(*)[3])triples);
  return sum_up(bound == 0 ? 0 : factor * bound * TOI_BUILDER_OUTWARD + TOI_BUILDER_TINY, more);
}

static bool scale_patch(double factor, toi_patch *patch) {
  const size_t count = toi_patch_points(patch->shape, patch->degree);
  patch->error = scale(factor, patch->error, patch->points, count);
  patch->velocity_error = scale(factor, patch->velocity_error, patch->velocities, count);
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
