/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Patches, cases and models as the caller's compiler laid them out, taken over in today's layout and checked.
 *
 * Promise: nothing beyond the size that the caller states is read; what is taken has been looked at number by number,
 * and a failure names the place. The arrays of control points stay the caller's. */

#include "surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/reserved.h"

#define PATCH TOI_LAYOUT(toi_patch, velocity_error)
#define CASE TOI_LAYOUT(toi_patch_case, t_max)

void toi_patch_init(toi_patch *patch, size_t size) {
  toi_init_struct(PATCH, NULL, patch, size);
}

void toi_patch_case_init(toi_patch_case *one, size_t size) {
  toi_init_struct(CASE, NULL, one, size);
}

/* --- patches --- */

static toi_status check_coordinates(toi_context *context, const double (*points)[3], size_t count, const char *name,
                                    const char *what) {
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(points[i][k]))
        return toi_fail(context, TOI_ERROR_INPUT, "%s: coordinate %c of %s %zu is %g; it must be finite", name,
                        "xyz"[k], what, i, points[i][k]);
  return TOI_OK;
}

toi_status toi_patch_check(toi_context *context, const toi_patch *patch, const char *name) {
  if (patch->points == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "%s: there are no control points", name);
  if (patch->shape != TOI_PATCH_QUAD && patch->shape != TOI_PATCH_TRIANGLE)
    return toi_fail(context, TOI_ERROR_INPUT, "%s: shape is %d; it must be TOI_PATCH_QUAD or TOI_PATCH_TRIANGLE", name,
                    (int)patch->shape);
  int degrees = patch->shape == TOI_PATCH_QUAD ? 2 : 1;
  for (int k = 0; k < degrees; k++)
    if (patch->degree[k] > TOI_PATCH_DEGREE_MOST)
      return toi_fail(context, TOI_ERROR_INPUT, "%s: degree[%d] is %u; degrees up to %d are supported", name, k,
                      patch->degree[k], TOI_PATCH_DEGREE_MOST);
  size_t count = toi_patch_points(patch->shape, patch->degree);
  toi_status status = check_coordinates(context, patch->points, count, name, "control point");
  if (status == TOI_OK && patch->velocities)
    status = check_coordinates(context, patch->velocities, count, name, "velocity");
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; patch->weights && i < count; i++)
    if (!(patch->weights[i] > 0) || !isfinite(patch->weights[i]))
      return toi_fail(context, TOI_ERROR_INPUT, "%s: weight %zu is %g; weights must be positive and finite", name, i,
                      patch->weights[i]);
  const double errors[2] = {patch->error, patch->velocity_error};
  for (int k = 0; k < 2; k++)
    if (!(errors[k] >= 0) || !isfinite(errors[k]))
      return toi_fail(context, TOI_ERROR_INPUT, "%s: %s is %g; it must be finite and not negative", name,
                      k == 0 ? "error" : "velocity_error", errors[k]);
  return TOI_OK;
}

toi_status toi_model_check(toi_context *context, const toi_model *model, const char *name) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < model->patch_count && status == TOI_OK; i++) {
    char patch[80];
    (void)snprintf(patch, sizeof patch, "patch %zu of %s", i, name);
    status = toi_patch_check(context, &model->patches[i], patch);
  }
  return status;
}

toi_status toi_patch_take(toi_context *context, const toi_patch *given, const char *name, toi_patch *taken) {
  *taken = (toi_patch){0};
  if (given == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "%s is NULL", name);
  const toi_status status = toi_take_description(context, PATCH, given, taken);
  return status == TOI_OK ? toi_patch_check(context, taken, name) : status;
}

/* --- cases --- */

/* An element of an array of descriptions, in today's layout: as long as the first one says, whatever it says itself. */
static toi_status take_element(toi_context *context, toi_layout layout, const void *first, size_t number, void *taken) {
  const size_t stride = toi_description_stride(layout, first);
  const toi_status status = toi_take_description(context, layout, first, taken);
  if (status != TOI_OK || number == 0)
    return status;
  memcpy(taken, (const char *)first + number * stride, stride);
  memcpy(taken, &layout.now, sizeof layout.now);
  return TOI_OK;
}

toi_status toi_case_take(toi_context *context, const toi_patch_case *cases, size_t number, toi_patch patches[2],
                         toi_patch_case *taken) {
  *taken = (toi_patch_case){0};
  toi_status status = take_element(context, CASE, cases, number, taken);
  for (int i = 0; i < 2 && status == TOI_OK; i++) {
    char name[64];
    (void)snprintf(name, sizeof name, "case %zu, the %s patch", number, i == 0 ? "first" : "second");
    status = toi_patch_take(context, i == 0 ? taken->a : taken->b, name, &patches[i]);
  }
  if (status != TOI_OK)
    return status;
  taken->a = &patches[0];
  taken->b = &patches[1];
  if (!(taken->t_max >= 0) || !isfinite(taken->t_max))
    return toi_fail(context, TOI_ERROR_INPUT, "case %zu: t_max is %g; it must be finite and not negative", number,
                    taken->t_max);
  return TOI_OK;
}

/* --- models --- */

toi_status toi_model_take(toi_context *context, const toi_model *given, const char *name, toi_taken_model *taken) {
  *taken = (toi_taken_model){0};
  if (given == NULL || given->patches == NULL || given->patch_count == 0)
    return toi_fail(context, TOI_ERROR_INPUT, "%s has no patches", name);
  if (!toi_reserved_is_zero(given->reserved, sizeof given->reserved))
    return toi_fail(context, TOI_ERROR_INPUT, "%s: its reserved fields are not zero; start from zeroes", name);
  taken->model = *given;
  toi_patch first = {0};
  const toi_status status = toi_take_description(context, PATCH, given->patches, &first);
  if (status != TOI_OK || toi_description_stride(PATCH, given->patches) == sizeof(toi_patch))
    return status;
  if (given->patch_count > SIZE_MAX / sizeof(toi_patch))
    return toi_fail(context, TOI_ERROR_MEMORY, "%s has %zu patches; so many do not fit in memory", name,
                    given->patch_count);
  taken->copy = toi_allocate(context, given->patch_count * sizeof(toi_patch));
  if (taken->copy == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < given->patch_count; i++) {
    taken->copy[i] = (toi_patch){0};
    (void)take_element(context, PATCH, given->patches, i, &taken->copy[i]);
  }
  taken->model.patches = taken->copy;
  return TOI_OK;
}

void toi_model_give_back(toi_context *context, toi_taken_model *taken) {
  if (taken->copy != NULL)
    toi_free(context, taken->copy, taken->model.patch_count * sizeof(toi_patch));
  taken->copy = NULL;
}
