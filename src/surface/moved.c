/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A copy of a model that lies elsewhere and moves in another way.
 *
 * Claim: error and velocity_error of the copy bound its distance from what was meant by the model, moved exactly.
 * Bound: those of the model, and the length of the vector of what each coordinate lacks of the exact sum, at the
 * control point where it is largest. Why: the difference of the given surfaces is a convex combination of those of
 * their control points, with the same coefficients; what a sum lacks is a double that is known (toi_builder_add); the
 * sum of the two bounds rounds once. */

#include <stdio.h>
#include <string.h>

#include "surface/builder.h"

/* --- checks --- */

static toi_status check_vector(toi_context *context, const double vector[3], const char *name) {
  for (int k = 0; vector != NULL && k < 3; k++)
    if (!isfinite(vector[k]))
      return toi_fail(context, TOI_ERROR_INPUT, "%c of the %s is %g; it must be finite", 'x' + k, name, vector[k]);
  return TOI_OK;
}

static toi_status check_patches(toi_context *context, const toi_model *model) {
  for (size_t i = 0; i < model->patch_count; i++) {
    char name[40];
    (void)snprintf(name, sizeof name, "patch %zu of the model", i);
    const toi_status status = toi_patch_check(context, &model->patches[i], name);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

/* --- the copy --- */

/* Adds a vector to all of them (NULL: to zeroes), and gives the largest error; not finite where a sum is not. */
static double add(const double (*from)[3], size_t count, const double vector[3], double (*to)[3]) {
  double error = 0;
  for (size_t i = 0; i < count; i++) {
    double lacks[3];
    for (int k = 0; k < 3; k++) {
      to[i][k] = toi_builder_add(from == NULL ? 0 : from[i][k], vector[k], &lacks[k]);
      if (!isfinite(to[i][k]) || !isfinite(lacks[k]))
        return INFINITY;
    }
    error = fmax(error, toi_builder_length(lacks[0], lacks[1], lacks[2]));
  }
  return error;
}

/* The sum of two bounds: one rounding. */
static double sum_up(double a, double b) {
  return b == 0 ? a : (a + b) * TOI_BUILDER_OUTWARD;
}

static bool is_zero(const double vector[3]) {
  return vector[0] == 0 && vector[1] == 0 && vector[2] == 0;
}

static bool move_patch(const toi_patch *patch, const double shift[3], const double velocity[3], toi_draft draft) {
  const size_t count = toi_patch_points(patch->shape, patch->degree);
  toi_patch *made = draft.patch;
  made->error = sum_up(patch->error, add(patch->points, count, shift, draft.points));
  made->velocity_error = patch->velocity_error;
  if (draft.velocities != NULL)
    made->velocity_error = sum_up(made->velocity_error, add(patch->velocities, count, velocity, draft.velocities));
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
    status = check_patches(context, &taken.model);
  if (status == TOI_OK)
    status = copy(context, &taken.model, shift == NULL ? none : shift, velocity == NULL ? none : velocity, moved);
  toi_model_give_back(context, &taken);
  return status;
}

toi_status toi_model_moved(toi_context *context, const toi_model *model, const double shift[3],
                           const double velocity[3], toi_model *moved) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = move_model(context, model, shift, velocity, moved);
  toi_call_end(&call);
  return status;
}
