/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How faces are kept together as one body, which strata of them are those of the solid, and where a flat face ends that
 * is cut out by an outline. */

#include "contact/solid.h"

#include "solve/vector.h"

#include <stdio.h>

static size_t rounded_up(size_t bytes) {
  return (bytes + 15) & ~(size_t)15;
}

toi_joints *toi_joints_make(toi_context *context, size_t faces, size_t vertices, size_t sectors, size_t corners) {
  const size_t sizes[] = {sizeof(toi_joints),        faces * sizeof(toi_face),     (vertices + 1) * sizeof(uint32_t),
                          vertices * sizeof(double), sectors * sizeof(toi_sector), corners * sizeof(double[2])};
  size_t at[sizeof sizes / sizeof *sizes], bytes = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    at[i] = bytes;
    bytes += rounded_up(sizes[i]);
  }
  unsigned char *block = toi_allocate(context, bytes);
  if (block == NULL)
    return NULL;
  memset(block, 0, bytes);
  toi_joints *joints = (toi_joints *)(void *)block;
  *joints = (toi_joints){.faces = faces, .vertices = vertices, .sectors = sectors, .corners = corners, .bytes = bytes};
  joints->face = (toi_face *)(void *)(block + at[1]);
  joints->first = (uint32_t *)(void *)(block + at[2]);
  joints->gap = (double *)(void *)(block + at[3]);
  joints->sector = (toi_sector *)(void *)(block + at[4]);
  joints->polygon = (double(*)[2])(void *)(block + at[5]);
  for (size_t i = 0; i < faces; i++)
    for (int n = 0; n < TOI_SIDES; n++)
      joints->face[i].side[n].face = TOI_NO_FACE;
  return joints;
}

void toi_joints_destroy(toi_context *context, toi_joints *joints) {
  if (joints != NULL)
    toi_free(context, joints, joints->bytes);
}

toi_status toi_shape_join(toi_context *context, toi_shape *faces, size_t count, toi_joints *joints, toi_shape **shape) {
  toi_shape *block = toi_allocate(context, (count + 1) * sizeof *block);
  if (block == NULL) {
    for (size_t i = 0; i < count; i++) {
      toi_tape_destroy(faces[i].tape);
      toi_patch_nets_destroy(context, faces[i].nets);
    }
    toi_joints_destroy(context, joints);
    return TOI_ERROR_MEMORY;
  }
  *block = (toi_shape){.context = context,
                       .solid = true,
                       .edges = TOI_EDGES,
                       .domain = {{0, 1}, {0, 1}},
                       .reach = INFINITY,
                       .parts = faces[0].parts,
                       .pieces = block + 1,
                       .piece_count = count,
                       .joints = joints};
  *shape = block;
  for (size_t i = 0; i < count; i++) {
    toi_shape *piece = &block->pieces[i];
    *piece = faces[i];
    piece->solid = true;
    piece->joints = joints;
    piece->face = &joints->face[i];
    block->deforming |= piece->deforming;
  }
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    toi_face *face = &joints->face[i];
    char what[32];
    (void)snprintf(what, sizeof what, "face %zu", i);
    if (!block->pieces[i].deforming)
      status = toi_shape_check(&block->pieces[i], 0, what, face->bounds, face->centre, &face->ball);
    face->bounded = !block->pieces[i].deforming;
  }
  return status;
}

bool toi_face_has(const toi_shape *shape, uint32_t frozen, uint32_t high) {
  const toi_face *face = shape->face;
  switch (frozen) {
  case 0:
    return true;
  case 1:
    return face->side[high & 1].own;
  case 2:
    return face->side[2 + (high >> 1 & 1)].own;
  default:
    return face->corner[high & 3];
  }
}

/* --- outlines --- */

static toi_outline_place place_in_disc(double radius, const toi_interval uv[2]) {
  const toi_interval square = toi_interval_add(toi_interval_square(uv[0]), toi_interval_square(uv[1]));
  const toi_interval most = toi_interval_square(toi_interval_point(radius));
  return square.lo > most.hi ? TOI_OUTLINE_OUTSIDE : square.hi <= most.lo ? TOI_OUTLINE_INSIDE : TOI_OUTLINE_OPEN;
}

/* Twice the area of the triangle from a to b to a place. */
static toi_interval area(const double a[2], const double b[2], toi_interval x, toi_interval y) {
  const toi_interval from[2] = {toi_interval_point(a[0]), toi_interval_point(a[1])};
  const toi_interval along[2] = {toi_interval_sub(toi_interval_point(b[0]), from[0]),
                                 toi_interval_sub(toi_interval_point(b[1]), from[1])};
  return toi_interval_sub(toi_interval_mul(along[0], toi_interval_sub(y, from[1])),
                          toi_interval_mul(along[1], toi_interval_sub(x, from[0])));
}

static bool is_beside(const double a[2], const double b[2], const toi_interval xy[2]) {
  for (int k = 0; k < 2; k++)
    if (fmax(a[k], b[k]) < xy[k].lo || fmin(a[k], b[k]) > xy[k].hi)
      return true;
  return toi_interval_sign(area(a, b, xy[0], xy[1])) != 0;
}

/* A box that no side meets lies on one side of the polygon, and so does its middle, from which a ray in the direction
 * of x crosses the polygon an odd number of times if it is inside. */
static toi_outline_place place_in_polygon(const toi_joints *joints, const toi_interval xy[2]) {
  const double middle[2] = {toi_interval_midpoint(xy[0]), toi_interval_midpoint(xy[1])};
  bool inside = false;
  for (size_t i = 0; i < joints->corners; i++) {
    const double *a = joints->polygon[i], *b = joints->polygon[(i + 1) % joints->corners];
    if (!is_beside(a, b, xy))
      return TOI_OUTLINE_OPEN;
    if ((a[1] > middle[1]) == (b[1] > middle[1]))
      continue;
    const int sign = toi_interval_sign(area(a, b, toi_interval_point(middle[0]), toi_interval_point(middle[1])));
    if (sign == 0)
      return TOI_OUTLINE_OPEN;
    if ((sign > 0) == (b[1] > a[1]))
      inside = !inside;
  }
  return inside ? TOI_OUTLINE_INSIDE : TOI_OUTLINE_OUTSIDE;
}

toi_outline_place toi_face_place(const toi_shape *shape, const toi_interval uv[2]) {
  const toi_face *face = shape->face;
  if (face == NULL || face->outline == TOI_OUTLINE_NONE)
    return TOI_OUTLINE_INSIDE;
  if (face->outline == TOI_OUTLINE_DISC)
    return place_in_disc(face->radius, uv);
  const toi_interval xy[2] = {uv[face->flipped], uv[!face->flipped]};
  return place_in_polygon(shape->joints, xy);
}

static TOI_APART bool holds(const toi_shape *shape, double u, double v) {
  if (shape == NULL || shape->implicit || shape->piece_count > 0 || !toi_interval_contains(shape->domain[0], u) ||
      !toi_interval_contains(shape->domain[1], v))
    return false;
  const toi_interval uv[2] = {toi_interval_point(u), toi_interval_point(v)};
  return toi_face_place(shape, uv) != TOI_OUTLINE_OUTSIDE;
}

bool toi_shape_holds(const toi_shape *shape, double u, double v) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const bool inside = holds(shape, u, v);
  toi_call_end(&call);
  return inside;
}
