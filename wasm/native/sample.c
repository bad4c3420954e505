/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Surfaces that have parameters as triangles: a grid over the parameters, each point by the library. */

#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "web.h"

/* --- triangles --- */

static bool grow(void **array, size_t count, size_t bytes) {
  void *larger = count > SIZE_MAX / bytes ? NULL : realloc(*array, count * bytes);
  if (larger != NULL)
    *array = larger;
  return larger != NULL;
}

static bool vertex_room(toi_web_triangles *s) {
  if (s->vertex_count < s->vertex_room)
    return true;
  const uint32_t room = 2 * s->vertex_room + 256;
  void *positions = s->positions, *normals = s->normals;
  const bool grown = grow(&positions, room, 3 * sizeof(float)) && grow(&normals, room, 3 * sizeof(float));
  s->positions = positions;
  s->normals = normals;
  s->full = s->full || !grown;
  if (grown)
    s->vertex_room = room;
  return grown;
}

static bool triangle_room(toi_web_triangles *s) {
  if (s->triangle_count < s->triangle_room)
    return true;
  const uint32_t room = 2 * s->triangle_room + 256;
  void *indices = s->indices, *patches = s->patches;
  const bool grown = grow(&indices, room, 3 * sizeof(uint32_t)) && grow(&patches, room, sizeof(uint32_t));
  s->indices = indices;
  s->patches = patches;
  s->full = s->full || !grown;
  if (grown)
    s->triangle_room = room;
  return grown;
}

uint32_t toi_web_add_vertex(toi_web_triangles *s, const double point[3], const double normal[3]) {
  if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]) || !vertex_room(s))
    return TOI_WEB_NO_VERTEX;
  for (int k = 0; k < 3; k++) {
    s->positions[3 * (size_t)s->vertex_count + (size_t)k] = (float)point[k];
    s->normals[3 * (size_t)s->vertex_count + (size_t)k] = isfinite(normal[k]) ? (float)normal[k] : 0;
  }
  return s->vertex_count++;
}

void toi_web_add_triangle(toi_web_triangles *s, const uint32_t c[3], uint32_t patch) {
  if (c[0] == TOI_WEB_NO_VERTEX || c[1] == TOI_WEB_NO_VERTEX || c[2] == TOI_WEB_NO_VERTEX || c[0] == c[1] ||
      c[1] == c[2] || c[2] == c[0] || !triangle_room(s))
    return;
  memcpy(s->indices + 3 * (size_t)s->triangle_count, c, 3 * sizeof(uint32_t));
  s->patches[s->triangle_count++] = patch;
}

TOI_WEB_EXPORT(toi_web_triangles_free)
void toi_web_triangles_free(toi_web_triangles *s) {
  free(s->positions);
  free(s->normals);
  free(s->indices);
  free(s->patches);
  *s = (toi_web_triangles){0};
}

/* --- poses --- */

static const toi_web_pose at_rest = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static void turn(const double rotation[3][3], double v[3]) {
  const double x[3] = {v[0], v[1], v[2]};
  for (int i = 0; i < 3; i++)
    v[i] = rotation[i][0] * x[0] + rotation[i][1] * x[1] + rotation[i][2] * x[2];
}

void toi_web_place(const toi_web_pose *pose, double point[3], double normal[3]) {
  turn(pose->rotation, point);
  turn(pose->rotation, normal);
  for (int k = 0; k < 3; k++)
    point[k] += pose->translation[k];
}

/* The middle of what the library encloses it in. */
static toi_status pose_of(const toi_motion *motion, double t, toi_web_pose *pose) {
  *pose = at_rest;
  if (motion == NULL)
    return TOI_OK;
  toi_interval rotation[9], translation[3];
  const toi_status status = toi_motion_at(motion, (toi_interval){t, t}, rotation, translation);
  for (int i = 0; status == TOI_OK && i < 9; i++)
    pose->rotation[i / 3][i % 3] = 0.5 * rotation[i].lo + 0.5 * rotation[i].hi;
  for (int i = 0; status == TOI_OK && i < 3; i++)
    pose->translation[i] = 0.5 * translation[i].lo + 0.5 * translation[i].hi;
  return status;
}

/* --- grids over parameters --- */

typedef struct grid {
  toi_context *context;
  const toi_patch *patch; /* or */
  const toi_shape *shape;
  toi_interval u, v;
  const toi_web_pose *pose;
  const toi_web_view *view;
  bool triangle; /* u + v <= 1 */
  uint32_t number;
} grid;

/* One point; where the surface is not defined there is no vertex. */
static uint32_t grid_vertex(const grid *g, uint32_t i, uint32_t k, toi_web_triangles *made) {
  const double n = g->view->detail, s = i / n, r = k / n;
  const double u = g->u.lo + (g->u.hi - g->u.lo) * s, v = g->v.lo + (g->v.hi - g->v.lo) * r;
  double point[3], normal[3];
  const toi_status status = g->patch != NULL ? toi_patch_point(g->context, g->patch, u, v, g->view->t, point, normal)
                                             : toi_shape_point(g->shape, u, v, g->view->t, point, normal);
  if (status != TOI_OK)
    return TOI_WEB_NO_VERTEX;
  toi_web_place(g->pose, point, normal);
  return toi_web_add_vertex(made, point, normal);
}

/* Row by row; `rows` has room for two of them. */
static void join_rows(const grid *g, uint32_t *rows, toi_web_triangles *made) {
  const uint32_t n = g->view->detail;
  for (uint32_t i = 0; i <= n && !made->full; i++) {
    uint32_t *here = rows + (i % 2) * (n + 1);
    const uint32_t *before = rows + ((i + 1) % 2) * (n + 1), last = g->triangle ? n - i : n;
    for (uint32_t k = 0; k <= last; k++)
      here[k] = grid_vertex(g, i, k, made);
    for (uint32_t k = 0; i > 0 && k < (g->triangle ? n - i + 1 : n); k++) {
      const uint32_t first[3] = {before[k], here[k], before[k + 1]};
      toi_web_add_triangle(made, first, g->number);
      if (k < last) {
        const uint32_t second[3] = {here[k], here[k + 1], before[k + 1]};
        toi_web_add_triangle(made, second, g->number);
      }
    }
  }
}

static toi_status sample_grid(const grid *g, toi_web_triangles *made) {
  uint32_t *rows = malloc(2 * ((size_t)g->view->detail + 1) * sizeof *rows);
  if (rows == NULL)
    return TOI_ERROR_MEMORY;
  join_rows(g, rows, made);
  free(rows);
  return made->full ? TOI_ERROR_MEMORY : TOI_OK;
}

/* --- what the host asks for --- */

static toi_status sample_patch(toi_context *context, const toi_patch *patch, const toi_web_pose *pose,
                               const toi_web_view *view, uint32_t number, toi_web_triangles *made) {
  const grid g = {.context = context,
                  .patch = patch,
                  .u = {0, 1},
                  .v = {0, 1},
                  .pose = pose,
                  .view = view,
                  .triangle = patch->shape == TOI_PATCH_TRIANGLE,
                  .number = number};
  return sample_grid(&g, made);
}

TOI_WEB_EXPORT(toi_web_sample_model)
toi_status toi_web_sample_model(toi_context *context, const toi_model *model, const toi_motion *motion,
                                const toi_web_view *view, toi_web_triangles *made) {
  toi_web_pose pose;
  toi_status status = pose_of(motion, view->t, &pose);
  for (size_t i = 0; status == TOI_OK && i < model->patch_count; i++)
    status = sample_patch(context, toi_model_patch(model, i), &pose, view, (uint32_t)i, made);
  return status;
}

TOI_WEB_EXPORT(toi_web_sample_case)
toi_status toi_web_sample_case(toi_context *context, const toi_case_set *set, size_t number, bool second,
                               const toi_web_view *view, toi_web_triangles *made) {
  const toi_patch_case *one = toi_case_set_case(set, number);
  return sample_patch(context, second ? one->b : one->a, &at_rest, view, 0, made);
}

/* The box around a box of the world in the body's own coordinates. */
static void own_bounds(const toi_web_pose *pose, const double world[2][3], toi_interval own[3]) {
  for (int k = 0; k < 3; k++) {
    own[k] = (toi_interval){0, 0};
    for (int i = 0; i < 3; i++) {
      const double a = pose->rotation[i][k] * (world[0][i] - pose->translation[i]);
      const double b = pose->rotation[i][k] * (world[1][i] - pose->translation[i]);
      own[k].lo += fmin(a, b);
      own[k].hi += fmax(a, b);
    }
  }
}

static toi_status sample_piece(const toi_shape *shape, const toi_web_pose *pose, const toi_web_view *view,
                               uint32_t number, toi_web_triangles *made) {
  toi_extent extent = toi_shape_extent(shape);
  if (!extent.implicit) {
    const grid g = {.shape = shape, .u = extent.u, .v = extent.v, .pose = pose, .view = view, .number = number};
    return sample_grid(&g, made);
  }
  if (!isfinite(extent.bounds[0].lo)) {
    if (!view->bounded)
      return TOI_ERROR_OPTION;
    own_bounds(pose, view->bounds, extent.bounds);
  }
  return toi_web_sample_implicit(shape, pose, view, extent.bounds, made);
}

TOI_WEB_EXPORT(toi_web_sample_body)
toi_status toi_web_sample_body(toi_context *context, const toi_contact_scene *scene, size_t number,
                               const toi_web_view *view, toi_web_triangles *made) {
  const toi_body *body = toi_contact_scene_body(scene, number);
  const toi_motion *motion = view->own ? NULL : body->motion;
  if (body->shape == NULL)
    return toi_web_sample_model(context, scene->patches[number].model, motion, view, made);
  toi_web_pose pose;
  toi_status status = pose_of(motion, view->t, &pose);
  const size_t pieces = toi_shape_pieces(body->shape);
  for (size_t i = 0; status == TOI_OK && i < pieces; i++)
    status = sample_piece(toi_shape_piece(body->shape, i), &pose, view, (uint32_t)i, made);
  return status;
}

/* Where a body is: nine numbers of its rotation, row by row, and three of its translation. */
TOI_WEB_EXPORT(toi_web_body_pose)
toi_status toi_web_body_pose(const toi_contact_scene *scene, size_t number, double t, double pose[12]) {
  toi_web_pose found;
  const toi_status status = pose_of(toi_contact_scene_body(scene, number)->motion, t, &found);
  memcpy(pose, found.rotation, sizeof found.rotation);
  memcpy(pose + 9, found.translation, sizeof found.translation);
  return status;
}
