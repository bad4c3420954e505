/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Taking a frame out of control points, as shape_frame.c does out of formulas: hulls depend on the axes as well. The
 * vectors that axes are put along are the legs from a control point to the next one; rims, rings and plates have many
 * that are parallel.
 *
 * Claim: the patches that are meant lie within the errors of the straight ones, turned by the frame. Why: with R the
 * frame, a true rotation, R^T p is enclosed for each control point and velocity; its middle is the straight one, and
 * the largest distance of the enclosure from it is added to the error. A point of a patch is a mean of control points,
 * with positive weights that are the same, and R^T is an isometry. */

#include "contact/shape_frame.h"

#include "solve/vector.h"

/* Legs that are tried. */
#define LEGS 128

typedef struct legs {
  double of[LEGS][3];
  size_t count;
} legs;

static void add_leg(const double from[3], const double to[3], legs *l) {
  double v[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  if (l->count < LEGS && toi_plain_unit3(v))
    memcpy(l->of[l->count++], v, sizeof v);
}

/* Along v, and along u where they are a grid. Of each patch as many as its share. */
static void add_legs(const toi_patch *patch, size_t share, legs *l) {
  const size_t points = toi_patch_points(patch->shape, patch->degree), row = (size_t)patch->degree[1] + 1;
  const size_t before = l->count;
  const bool grid = patch->shape == TOI_PATCH_QUAD;
  for (size_t i = 0; i + 1 < points && l->count - before < share; i++) {
    if (!grid || (i + 1) % row != 0)
      add_leg(patch->points[i], patch->points[i + 1], l);
    if (grid && i + row < points)
      add_leg(patch->points[i], patch->points[i + row], l);
  }
}

/* R^T p, and how far off it may be. */
static double turn_back(const toi_interval frame[3][3], const double p[3], double own[3]) {
  toi_interval at[3], turned[3], off[3];
  for (int k = 0; k < 3; k++)
    at[k] = toi_interval_point(p[k]);
  toi_transposed3(frame, at, turned);
  for (int k = 0; k < 3; k++) {
    own[k] = toi_interval_midpoint(turned[k]);
    off[k] = toi_interval_sub(turned[k], toi_interval_point(own[k]));
  }
  return toi_length3(off).hi;
}

/* All of them; gives the largest error. */
static double turn_points(const toi_interval frame[3][3], const double (*points)[3], size_t count, double (*own)[3]) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, turn_back(frame, points[i], own[i]));
  return most;
}

/* The patches, turned, in memory of their own. */
typedef struct turned_model {
  toi_context *context;
  toi_model model;
  toi_patch *patches;
  double (*points)[3];
  size_t point_count;
} turned_model;

static toi_status make_turned(const toi_model *model, const toi_interval frame[3][3], turned_model *t) {
  for (size_t i = 0; i < model->patch_count; i++) {
    const toi_patch *patch = &model->patches[i];
    t->point_count += (patch->velocities != NULL ? 2 : 1) * toi_patch_points(patch->shape, patch->degree);
  }
  t->patches = toi_allocate(t->context, model->patch_count * sizeof *t->patches);
  t->points = toi_allocate(t->context, t->point_count * sizeof *t->points);
  if (t->patches == NULL || t->points == NULL)
    return TOI_ERROR_MEMORY;
  double(*next)[3] = t->points;
  for (size_t i = 0; i < model->patch_count; i++) {
    toi_patch *patch = &t->patches[i];
    *patch = model->patches[i];
    const size_t count = toi_patch_points(patch->shape, patch->degree);
    patch->error = toi_sum_up(patch->error, turn_points(frame, patch->points, count, next));
    patch->points = (const double(*)[3])next;
    next += count;
    if (patch->velocities == NULL)
      continue;
    patch->velocity_error = toi_sum_up(patch->velocity_error, turn_points(frame, patch->velocities, count, next));
    patch->velocities = (const double(*)[3])next;
    next += count;
  }
  t->model = *model;
  t->model.patches = t->patches;
  return TOI_OK;
}

static void end_turned(const turned_model *t, size_t patches) {
  if (t->patches != NULL)
    toi_free(t->context, t->patches, patches * sizeof *t->patches);
  if (t->points != NULL)
    toi_free(t->context, t->points, t->point_count * sizeof *t->points);
}

static toi_status make_straight(const toi_model *model, double axes[3][3], toi_shape *shape) {
  toi_interval frame[3][3];
  toi_status status = toi_frame_make(shape->context, axes, &shape->frame, frame);
  if (status != TOI_OK)
    return status;
  turned_model turned = {.context = shape->context};
  status = make_turned(model, (const toi_interval(*)[3])frame, &turned);
  if (status == TOI_OK)
    status = toi_shape_make_pieces(shape->context, &turned.model, &shape->straight);
  end_turned(&turned, model->patch_count);
  for (size_t i = 0; i < shape->piece_count && status == TOI_OK; i++)
    shape->pieces[i].straight = &shape->straight->pieces[i];
  return status;
}

/* A straight model is not made where it could not be: numbers that overflow, say. */
toi_status toi_shape_straighten_patches(const toi_model *model, toi_shape *shape) {
  double axes[3][3];
  legs *l = toi_allocate(shape->context, sizeof *l);
  if (l == NULL)
    return TOI_ERROR_MEMORY;
  l->count = 0;
  for (size_t i = 0; i < model->patch_count; i++)
    add_legs(&model->patches[i], 1 + LEGS / model->patch_count, l);
  // Any two legs have axes with three zeroes; it is a frame if there is one for each leg.
  bool found = toi_axes_choose(l->count, (const double(*)[3])l->of, l->count, axes);
  toi_free(shape->context, l, sizeof *l);
  if (!found)
    return TOI_OK;
  return make_straight(model, axes, shape);
}
