/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The memory of models: patches first, then domains, points, velocities and weights, all of them eight-byte things. */

#include <assert.h>
#include <string.h>

#include "surface/builder.h"

static_assert(sizeof(toi_patch) % _Alignof(double) == 0, "patches lie before doubles");

/* Adds count things of some size; false: that is more than a size can say. */
static bool add_room(size_t *bytes, size_t count, size_t size) {
  if (count > (SIZE_MAX - *bytes) / size)
    return false;
  *bytes += count * size;
  return true;
}

static bool count_bytes(const toi_model_size *size, size_t *bytes) {
  const size_t point = 3 * sizeof(double), domain = 4 * sizeof(double);
  *bytes = 0;
  return add_room(bytes, size->patches, sizeof(toi_patch)) && add_room(bytes, size->cut ? size->patches : 0, domain) &&
         add_room(bytes, size->points, point) && add_room(bytes, size->moving ? size->points : 0, point) &&
         add_room(bytes, size->rational ? size->points : 0, sizeof(double));
}

toi_status toi_builder_start(toi_context *context, const toi_model_size *size, toi_model *model, toi_builder *builder) {
  assert(size->patches > 0 && size->points >= size->patches);
  *model = (toi_model){0};
  *builder = (toi_builder){0};
  size_t bytes;
  if (!count_bytes(size, &bytes))
    return toi_fail(context, TOI_ERROR_MEMORY, "%zu patches with %zu control points; so many do not fit in memory",
                    size->patches, size->points);
  unsigned char *block = toi_allocate(context, bytes);
  if (block == NULL)
    return TOI_ERROR_MEMORY;
  memset(block, 0, bytes);
  model->owned = block;
  model->owned_bytes = bytes;

  // The same order as in the count.
  builder->patches = (toi_patch *)(void *)block;
  double *next = (double *)(void *)(block + size->patches * sizeof(toi_patch));
  if (size->cut) {
    builder->domains = (double(*)[4])next;
    next += 4 * size->patches;
  }
  builder->points = (double(*)[3])next;
  next += 3 * size->points;
  if (size->moving) {
    builder->velocities = (double(*)[3])next;
    next += 3 * size->points;
  }
  builder->weights = size->rational ? next : NULL;
  model->patches = builder->patches;
  model->patch_count = size->patches;
  model->domains = (const double(*)[4])builder->domains;
  return TOI_OK;
}

toi_draft toi_builder_next(toi_builder *builder, toi_patch_shape shape, const uint32_t degree[2]) {
  const size_t m = degree[0], n = degree[1], point = builder->point;
  const size_t count = shape == TOI_PATCH_QUAD ? (m + 1) * (n + 1) : (m + 1) * (m + 2) / 2;
  toi_draft draft = {.patch = &builder->patches[builder->patch],
                     .points = builder->points + point,
                     .velocities = builder->velocities == NULL ? NULL : builder->velocities + point,
                     .weights = builder->weights == NULL ? NULL : builder->weights + point,
                     .domain = builder->domains == NULL ? NULL : builder->domains[builder->patch]};
  *draft.patch = (toi_patch){.size = sizeof(toi_patch),
                             .shape = shape,
                             .degree = {degree[0], degree[1]},
                             .points = (const double(*)[3])draft.points,
                             .velocities = (const double(*)[3])draft.velocities,
                             .weights = draft.weights};
  builder->patch++;
  builder->point += count;
  return draft;
}

static TOI_APART void free_model(toi_context *context, toi_model *model) {
  if (model == NULL)
    return;
  if (context != NULL && model->owned != NULL)
    toi_free(context, model->owned, model->owned_bytes);
  *model = (toi_model){0};
}

void toi_model_free(toi_context *context, toi_model *model) {
  TOI_CALL_VOID(NULL, free_model(context, model));
}
