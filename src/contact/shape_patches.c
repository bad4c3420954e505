/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes made of Bezier patches: one, or all of a model, as one body.
 *
 * Promise: every patch is a closed piece with four real edges, so that nothing is assumed about how neighbours join: a
 * contact on a common edge or corner is one of each of them, and is found there. The patches are copied. */

#include "contact/shape.h"
#include "contact/shape_frame.h"
#include "surface/surface.h"

#include <stdio.h>

static const char *const patch_parts[] = {"x", "y", "z"};

/* What the search cannot treat as a surface. */
static toi_status check_patch(toi_context *context, const toi_patch *patch, const char *name) {
  const toi_status status = toi_patch_check(context, patch, name);
  if (status != TOI_OK)
    return status;
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  for (int k = 0; k < (quad ? 2 : 1); k++)
    if (patch->degree[k] == 0)
      return toi_fail(context, TOI_ERROR_INPUT, "%s: degree[%d] is 0: a curve or a point; a body needs a surface", name,
                      k);
  const size_t count = toi_patch_points(patch->shape, patch->degree);
  for (size_t i = 1; i < count; i++)
    if (memcmp(patch->points[i], patch->points[0], sizeof patch->points[0]) != 0)
      return TOI_OK;
  return toi_fail(context, TOI_ERROR_INPUT, "%s: all its control points are the same: it has no extent", name);
}

static toi_status make_piece(toi_context *context, const toi_patch *patch, toi_shape *piece) {
  *piece = (toi_shape){.context = context,
                       .edges = TOI_EDGES,
                       .stops = TOI_EDGES,
                       .domain = {{0, 1}, {0, 1}},
                       .bounds = {toi_interval_whole(), toi_interval_whole(), toi_interval_whole()},
                       .reach = INFINITY,
                       .parts = patch_parts};
  const toi_status status = toi_patch_nets_make(context, patch, &piece->nets);
  piece->deforming = status == TOI_OK && piece->nets->moving;
  return status;
}

/* The pieces, and a shape that holds them; a single one is the shape itself. */
toi_status toi_shape_make_pieces(toi_context *context, const toi_model *model, toi_shape **shape) {
  const size_t count = model->patch_count;
  toi_shape *pieces = toi_allocate(context, (count + 1) * sizeof *pieces);
  if (pieces == NULL)
    return TOI_ERROR_MEMORY;
  memset(pieces, 0, (count + 1) * sizeof *pieces);
  toi_shape *whole = *shape = pieces;
  *whole = (toi_shape){.context = context,
                       .edges = TOI_EDGES,
                       .domain = {{0, 1}, {0, 1}},
                       .reach = INFINITY,
                       .parts = patch_parts,
                       .piece_count = count,
                       .pieces = pieces + 1};
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    char name[48];
    (void)snprintf(name, sizeof name, "patch %zu", i);
    status = check_patch(context, &model->patches[i], name);
    if (status == TOI_OK)
      status = make_piece(context, &model->patches[i], &whole->pieces[i]);
    whole->pieces[i].joins = count > 1;
    whole->deforming |= whole->pieces[i].deforming;
  }
  return status;
}

static TOI_APART toi_status make_patches(toi_context *context, const toi_model *model, toi_shape **shape) {
  if (shape)
    *shape = NULL;
  if (context == NULL || model == NULL || shape == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "context, model or shape is NULL; give all of them");
  toi_taken_model taken;
  toi_status status = toi_model_take(context, model, "the model", &taken);
  if (status == TOI_OK && taken.model.patch_count > UINT32_MAX)
    status =
        toi_fail(context, TOI_ERROR_INPUT, "%zu patches; there may be %u at most", taken.model.patch_count, UINT32_MAX);
  if (status == TOI_OK)
    status = toi_shape_make_pieces(context, &taken.model, shape);
  if (status == TOI_OK)
    status = toi_shape_straighten_patches(&taken.model, *shape);
  toi_model_give_back(context, &taken);
  if (status != TOI_OK) {
    toi_shape_destroy(*shape);
    *shape = NULL;
  }
  return status;
}

toi_status toi_shape_patches(toi_context *context, const toi_model *model, toi_shape **shape) {
  TOI_CALL(context, make_patches(context, model, shape));
}

size_t toi_shape_pieces(const toi_shape *shape) {
  return shape->piece_count == 0 ? 1 : shape->piece_count;
}

const toi_shape *toi_shape_piece(const toi_shape *shape, size_t number) {
  if (shape->piece_count == 0)
    return number == 0 ? shape : NULL;
  return number < shape->piece_count ? &shape->pieces[number] : NULL;
}
