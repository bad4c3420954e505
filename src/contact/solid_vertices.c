/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The vertices of faces that were joined: all corners at one place, found by walking around it.
 *
 * Each face is on the left of its sides as they run around its rectangle. At a corner one of them comes in and one goes
 * out; across the one that comes in lies the face whose outgoing one that is, so that sectors follow each other, each
 * from its outgoing to its incoming side, until the first one comes again. A side that is a point is passed by. A
 * vertex that lies in smooth faces, or on an edge that goes on smoothly, is told from others by the sectors' planes,
 * rounded; solid_cone.c relies on that only as far as enclosures bear it out. */

#include "contact/solid_faces.h"

#include "solve/vector.h"

/* The sides that come into a corner and go out of it, around the rectangle. */
static const uint8_t side_in[TOI_CORNERS] = {0, 2, 3, 1}, side_out[TOI_CORNERS] = {2, 1, 0, 3};

/* Directions that differ by a cosine below this are taken as opposite. */
#define OPPOSITE (-1 + 0x1p-20)

/* The parts of a vertex, in the order of the walk; what follows is of the same number as its sector. */
typedef struct round {
  size_t count, room;
  toi_sector *sectors;
  double from[TOI_CORNERS * 16][3], normal[TOI_CORNERS * 16][3];
} round_walk;

/* More faces at one vertex are taken as a vertex of its own kind. */
#define PLANES (TOI_CORNERS * 16)

static bool is_high(int corner, int axis) {
  return corner >> axis & 1;
}

/* The corner at the other end of a side. */
static int across(int corner, int side) {
  return corner ^ (1 << (1 - side / 2));
}

/* The way along a side from a corner. */
static toi_way way_along(size_t face, int corner, int side) {
  return (toi_way){(uint32_t)face, (uint8_t)corner, (uint8_t)(1 - side / 2)};
}

/* To the corner beyond an incoming side: of the face beside it, or of this one across a seam. */
static void step(const toi_face_join *j, size_t *face, int *corner, int side) {
  const int along = 1 - side / 2;
  if (!j->rims[*face][side].real) {
    *corner ^= 1 << (side / 2);
    return;
  }
  const toi_side *at = &j->joints->face[*face].side[side];
  const bool high = is_high(*corner, along) != at->reversed;
  const int fixed = at->side / 2;
  *corner = (at->side % 2) << fixed | (int)high << (1 - fixed);
  *face = at->face;
}

/* The direction and the length of 1 of a way, in doubles. */
static bool direction(const toi_face_join *j, const toi_way *way, double out[3]) {
  const toi_shape *shape = &j->faces[way->face];
  toi_interval uvt[3] = {{0, 0}, {0, 0}, {0, 0}}, jets[3 * TOI_JET_SIZE(3, 1)];
  for (int k = 0; k < 2; k++)
    uvt[k] = toi_interval_point(is_high(way->corner, k) ? shape->domain[k].hi : shape->domain[k].lo);
  if (!toi_shape_jets(shape, uvt, 1, jets))
    return false;
  for (int k = 0; k < 3; k++)
    out[k] = (is_high(way->corner, way->axis) ? -1 : 1) *
             toi_interval_midpoint(jets[(size_t)k * TOI_JET_SIZE(3, 1) + 1 + way->axis]);
  return toi_plain_unit3(out);
}

/* The place of a corner, enclosed. */
static bool place_of(const toi_face_join *j, const toi_way *way, toi_interval at[3]) {
  const toi_shape *shape = &j->faces[way->face];
  toi_interval uvt[3] = {{0, 0}, {0, 0}, {0, 0}};
  for (int k = 0; k < 2; k++)
    uvt[k] = toi_interval_point(is_high(way->corner, k) ? shape->domain[k].hi : shape->domain[k].lo);
  return toi_shape_jets(shape, uvt, 0, at);
}

/* --- what kind of vertex --- */

static bool find_planes(const toi_face_join *j, round_walk *r) {
  if (r->count > PLANES)
    return false;
  for (size_t i = 0; i < r->count; i++) {
    double to[3];
    if (r->sectors[i].swept || !direction(j, &r->sectors[i].from, r->from[i]) || !direction(j, &r->sectors[i].to, to))
      return false;
    toi_cross(r->from[i], to, r->normal[i]);
    if (!toi_plain_unit3(r->normal[i]))
      return false;
  }
  return true;
}

static bool is_smooth(const double a[3], const double b[3]) {
  double product[3];
  toi_cross(a, b, product);
  return toi_dot(a, b) > 0 && toi_dot(product, product) <= TOI_SMOOTH * TOI_SMOOTH;
}

/* Sides 1 and 2 of an edge that goes on smoothly, or 1 for all where there is none. */
static void tell_sides(const toi_face_join *j, round_walk *r) {
  if (!find_planes(j, r))
    return;
  size_t sharp[2] = {0, 0}, count = 0;
  // Edge i is that from which sector i begins.
  for (size_t i = 0; i < r->count; i++)
    if (!is_smooth(r->normal[i], r->normal[(i + r->count - 1) % r->count])) {
      if (count < 2)
        sharp[count] = i;
      count++;
    }
  if (count != 0 && (count != 2 || toi_dot(r->from[sharp[0]], r->from[sharp[1]]) > OPPOSITE))
    return;
  for (size_t i = 0; i < r->count; i++)
    r->sectors[i].side = count == 2 && (i < sharp[0] || i >= sharp[1]) ? 2 : 1;
}

/* --- the walk --- */

/* The sector of a face at a corner: the corner at which its incoming side ends comes back. */
static toi_sector sector_at(const toi_face_join *j, size_t face, int *corner) {
  const int out = side_out[*corner];
  toi_sector sector = {.face = (uint32_t)face, .from = way_along(face, *corner, out)};
  if (j->rims[face][side_in[*corner]].point)
    *corner = across(*corner, side_in[*corner]);
  sector.to = way_along(face, *corner, side_in[*corner]);
  return sector;
}

/* Marks both corners that the vertex has in a face. */
static void set_corners(toi_face_join *j, const toi_sector *sector, uint32_t vertex, bool first) {
  toi_face *face = &j->joints->face[sector->face];
  const uint8_t least = sector->from.corner < sector->to.corner ? sector->from.corner : sector->to.corner;
  face->vertex[sector->from.corner] = face->vertex[sector->to.corner] = vertex;
  face->corner[least] = first;
}

static toi_status fail_walk(const toi_face_join *j, size_t face) {
  char name[TOI_FACE_NAME_SIZE];
  toi_face_join_name(j, face, name);
  return toi_fail(j->context, TOI_ERROR_INPUT, "%s: the faces around one of its corners do not close", name);
}

static toi_status walk(toi_face_join *j, size_t first, int corner, bool (*seen)[TOI_CORNERS], round_walk *r) {
  size_t face = first;
  int at = corner;
  r->count = 0;
  do {
    if (r->count == r->room || seen[face][at])
      return fail_walk(j, first);
    seen[face][at] = true;
    r->sectors[r->count++] = sector_at(j, face, &at);
    step(j, &face, &at, side_in[at]);
  } while (face != first || at != corner);
  return TOI_OK;
}

/* The sectors of a vertex become the next ones. */
static toi_status keep(toi_face_join *j, const round_walk *r) {
  toi_joints *joints = j->joints;
  const uint32_t vertex = (uint32_t)joints->vertices++;
  toi_interval hull[3], at[3];
  for (size_t i = 0; i < r->count; i++) {
    set_corners(j, &r->sectors[i], vertex, i == 0);
    if (!place_of(j, &r->sectors[i].from, at))
      return TOI_ERROR_CALLBACK;
    for (int k = 0; k < 3; k++)
      hull[k] = i == 0 ? at[k] : toi_interval_hull(hull[k], at[k]);
  }
  for (int k = 0; k < 3 && r->count > 1; k++)
    joints->gap[vertex] = fmax(joints->gap[vertex], toi_sum_up(hull[k].hi, -hull[k].lo));
  joints->sectors += r->count;
  joints->first[vertex + 1] = (uint32_t)joints->sectors;
  return TOI_OK;
}

/* Whether a corner begins a walk: two real edges meet there, and the outgoing one is no point. */
static bool begins(const toi_face_join *j, size_t face, int corner) {
  const toi_rim_state *out = &j->rims[face][side_out[corner]], *in = &j->rims[face][side_in[corner]];
  return out->real && in->real && !out->point;
}

/* A face that closes around a tip, which is a vertex of its own. */
static toi_status add_closed_tips(toi_face_join *j, size_t number, round_walk *r) {
  toi_face *face = &j->joints->face[number];
  const uint32_t around = face->around, seams = j->faces[number].edges >> (2 * around) & 3;
  toi_status status = TOI_OK;
  for (uint32_t end = 0; end < 2 && seams == 0 && status == TOI_OK; end++) {
    const uint32_t across_tip = 1 - around;
    if ((face->tips >> (2 * across_tip + end) & 1) == 0)
      continue;
    const toi_way way = {(uint32_t)number, (uint8_t)(end << across_tip), (uint8_t)across_tip};
    r->sectors[0] = (toi_sector){.face = (uint32_t)number, .from = way, .to = way, .swept = true};
    r->count = 1;
    status = keep(j, r);
  }
  return status;
}

static toi_status add_vertices(toi_face_join *j, bool (*seen)[TOI_CORNERS], round_walk *r) {
  toi_status status = TOI_OK;
  for (size_t face = 0; face < j->count && status == TOI_OK; face++) {
    for (int corner = 0; corner < TOI_CORNERS && status == TOI_OK; corner++) {
      if (seen[face][corner] || !begins(j, face, corner))
        continue;
      r->sectors = j->joints->sector + j->joints->sectors;
      r->room = TOI_CORNERS * j->count - j->joints->sectors;
      status = walk(j, face, corner, seen, r);
      if (status == TOI_OK) {
        tell_sides(j, r);
        status = keep(j, r);
      }
    }
    r->sectors = j->joints->sector + j->joints->sectors;
    if (status == TOI_OK && j->joints->face[face].tips != 0)
      status = add_closed_tips(j, face, r);
  }
  return status;
}

toi_status toi_face_join_vertices(toi_face_join *j) {
  bool(*seen)[TOI_CORNERS] = toi_allocate(j->context, j->count * sizeof *seen);
  round_walk *r = toi_allocate(j->context, sizeof *r);
  toi_status status = seen != NULL && r != NULL ? TOI_OK : TOI_ERROR_MEMORY;
  j->joints->vertices = j->joints->sectors = 0;
  if (status == TOI_OK) {
    memset(seen, 0, j->count * sizeof *seen);
    status = add_vertices(j, seen, r);
  }
  if (seen != NULL)
    toi_free(j->context, seen, j->count * sizeof *seen);
  if (r != NULL)
    toi_free(j->context, r, sizeof *r);
  return status;
}
