/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A rigid body's mesh: checked, copied, its vertices and edges shared out among its primitives, and its tree. */

#include <math.h>
#include <string.h>

#include "broad/boxes.h"
#include "broad/edges.h"
#include "narrow/mesh.h"
#include "scene/edge_index.h"
#include "scene/rigid_scene.h"

/* What is freed is what was allocated: sizes follow from the counts. */
static void release(toi_context *context, void *array, size_t count, size_t size) {
  if (array != NULL)
    toi_free(context, array, (count == 0 ? 1 : count) * size);
}

static void *room_for(toi_context *context, size_t count, size_t size) {
  return toi_allocate(context, (count == 0 ? 1 : count) * size);
}

void toi_rigid_part_free(toi_context *context, toi_rigid_part *part) {
  const size_t primitives = toi_rigid_primitives(part);
  toi_body_tree_free(context, &part->tree);
  release(context, part->vertices, part->vertex_count, sizeof *part->vertices);
  release(context, part->faces, part->face_count, sizeof *part->faces);
  release(context, part->edges, part->edge_count, sizeof *part->edges);
  release(context, part->corners, primitives, sizeof *part->corners);
  release(context, part->sides, primitives, sizeof *part->sides);
  release(context, part->owned, primitives, sizeof *part->owned);
  *part = (toi_rigid_part){0};
}

/* --- the caller's mesh --- */

static toi_status check_mesh(toi_context *context, const toi_mesh *mesh) {
  if (mesh->thickness != NULL || mesh->body_thickness != NULL || mesh->half_space_count > 0)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED,
                    "the mesh of a rigid body has thickness or half-spaces; these are not supported, leave them out");
  toi_status status = toi_mesh_valid(context, mesh, false);
  if (status == TOI_OK && mesh->edge_count > 0)
    status = toi_edges_check(context, mesh);
  if (status != TOI_OK)
    return status;
  if (mesh->vertex_count == 0)
    return toi_fail(context, TOI_ERROR_INPUT, "the body has no primitives; give it a face, an edge or a point");
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    double at[3];
    toi_mesh_point(mesh, mesh->start, i, at);
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(at[axis]))
        return toi_fail(context, TOI_ERROR_INPUT, "vertex %zu: coordinate %c is %g; it must be finite", i, "xyz"[axis],
                        at[axis]);
  }
  return TOI_OK;
}

static toi_status copy_mesh(toi_context *context, const toi_mesh *mesh, toi_rigid_part *part) {
  part->vertex_count = mesh->vertex_count;
  part->face_count = mesh->face_count;
  part->edge_count = mesh->edge_count;
  part->vertices = room_for(context, part->vertex_count, sizeof *part->vertices);
  part->faces = room_for(context, part->face_count, sizeof *part->faces);
  part->edges = room_for(context, part->edge_count, sizeof *part->edges);
  if (part->vertices == NULL || part->faces == NULL || part->edges == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < part->vertex_count; i++)
    toi_mesh_point(mesh, mesh->start, i, part->vertices[i]);
  if (part->face_count > 0)
    memcpy(part->faces, mesh->faces, part->face_count * sizeof *part->faces);
  if (part->edge_count > 0)
    memcpy(part->edges, mesh->edges, part->edge_count * sizeof *part->edges);
  return TOI_OK;
}

/* --- who owns what --- */

/* Sharing out: marks of what has an owner already. */
typedef struct sharing {
  toi_rigid_part *part;
  toi_edge_index index;
  uint8_t *vertex_owned, *edge_owned;
} sharing;

static bool is_point(const uint32_t face[3]) {
  return face[0] == face[1] && face[1] == face[2];
}

/* A face owns the corners and sides that no face before it has. A face that is one point owns nothing: the point is a
 * loose one, unless it is part of something else. */
static void share_face(sharing *s, size_t face) {
  toi_rigid_part *part = s->part;
  const uint32_t *corner = part->faces[face];
  part->owned[face] = 0;
  for (int i = 0; i < 3; i++) {
    const int next = (i + 1) % 3;
    const uint32_t edge = corner[i] == corner[next] ? TOI_NO_EDGE : toi_edge_number(&s->index, corner[i], corner[next]);
    part->corners[face][i] = corner[i];
    part->sides[face][i] = edge;
    if (!is_point(corner) && !s->vertex_owned[corner[i]]) {
      s->vertex_owned[corner[i]] = 1;
      part->owned[face] |= (uint8_t)(1 << i);
    }
    if (edge != TOI_NO_EDGE && !s->edge_owned[edge]) {
      s->edge_owned[edge] = 1;
      part->owned[face] |= (uint8_t)(8 << i);
    }
  }
}

static void share_edge(sharing *s, uint32_t edge, size_t primitive) {
  toi_rigid_part *part = s->part;
  const uint32_t *ends = part->edges[edge];
  part->owned[primitive] = 8;
  for (int i = 0; i < 3; i++) {
    part->corners[primitive][i] = ends[i > 0];
    part->sides[primitive][i] = i == 0 ? edge : TOI_NO_EDGE;
  }
  for (int i = 0; i < 2; i++)
    if (!s->vertex_owned[ends[i]]) {
      s->vertex_owned[ends[i]] = 1;
      part->owned[primitive] |= (uint8_t)(1 << i);
    }
}

static void share_point(sharing *s, uint32_t vertex, size_t primitive) {
  toi_rigid_part *part = s->part;
  part->owned[primitive] = 1;
  for (int i = 0; i < 3; i++) {
    part->corners[primitive][i] = vertex;
    part->sides[primitive][i] = TOI_NO_EDGE;
  }
}

/* How many edges and vertices are loose; marks what is not as owned. */
static void count_loose(sharing *s) {
  toi_rigid_part *part = s->part;
  memset(s->vertex_owned, 0, part->vertex_count);
  memset(s->edge_owned, 0, part->edge_count);
  for (size_t i = 0; i < part->face_count; i++)
    for (int c = 0; c < 3; c++) {
      const uint32_t a = part->faces[i][c], b = part->faces[i][(c + 1) % 3];
      const uint32_t edge = a == b ? TOI_NO_EDGE : toi_edge_number(&s->index, a, b);
      if (edge != TOI_NO_EDGE)
        s->edge_owned[edge] = 1;
      if (!is_point(part->faces[i]))
        s->vertex_owned[a] = 1;
    }
  part->loose_count = part->point_count = 0;
  for (size_t i = 0; i < part->edge_count; i++) {
    part->loose_count += !s->edge_owned[i];
    for (int end = 0; end < 2 && !s->edge_owned[i]; end++)
      s->vertex_owned[part->edges[i][end]] = 1;
  }
  for (size_t i = 0; i < part->vertex_count; i++)
    part->point_count += !s->vertex_owned[i];
}

static toi_status share(toi_context *context, sharing *s) {
  toi_rigid_part *part = s->part;
  count_loose(s);
  const size_t primitives = toi_rigid_primitives(part);
  if (primitives >= UINT32_C(1) << 31)
    return toi_fail(context, TOI_ERROR_INPUT, "the body has %zu primitives; at most 2^31 - 1 are possible", primitives);
  part->corners = room_for(context, primitives, sizeof *part->corners);
  part->sides = room_for(context, primitives, sizeof *part->sides);
  part->owned = room_for(context, primitives, sizeof *part->owned);
  if (part->corners == NULL || part->sides == NULL || part->owned == NULL)
    return TOI_ERROR_MEMORY;
  memset(s->vertex_owned, 0, part->vertex_count);
  memset(s->edge_owned, 0, part->edge_count);
  size_t next = 0;
  for (; next < part->face_count; next++)
    share_face(s, next);
  for (size_t i = 0; i < part->edge_count; i++)
    if (!s->edge_owned[i])
      share_edge(s, (uint32_t)i, next++);
  for (size_t i = 0; i < part->vertex_count; i++)
    if (!s->vertex_owned[i])
      share_point(s, (uint32_t)i, next++);
  return TOI_OK;
}

static toi_status share_out(toi_context *context, toi_rigid_part *part) {
  const toi_mesh edges = {.size = sizeof edges,
                          .vertex_count = part->vertex_count,
                          .edges = (const uint32_t(*)[2])part->edges,
                          .edge_count = part->edge_count};
  sharing s = {.part = part};
  toi_status status = toi_edge_index_make(context, &edges, &s.index);
  if (status != TOI_OK)
    return status;
  s.vertex_owned = room_for(context, part->vertex_count, 1);
  s.edge_owned = room_for(context, part->edge_count, 1);
  status = s.vertex_owned == NULL || s.edge_owned == NULL ? TOI_ERROR_MEMORY : share(context, &s);
  release(context, s.vertex_owned, part->vertex_count, 1);
  release(context, s.edge_owned, part->edge_count, 1);
  toi_edge_index_end(&s.index);
  return status;
}

toi_status toi_rigid_part_make(toi_context *context, const toi_mesh *given, toi_rigid_part *part) {
  *part = (toi_rigid_part){0};
  toi_mesh mesh;
  toi_edge_list found = {NULL, 0};
  toi_status status = toi_mesh_take(context, given, &mesh);
  if (status == TOI_OK)
    status = check_mesh(context, &mesh);
  if (status == TOI_OK)
    status = toi_edges_find(context, &mesh, &found);
  if (status == TOI_OK)
    status = copy_mesh(context, &mesh, part);
  if (found.pairs != NULL)
    toi_mesh_edges_free(context, found.pairs, found.count);
  if (status == TOI_OK)
    status = share_out(context, part);
  const toi_body_primitives of = {(const double(*)[3])part->vertices, part->vertex_count,
                                  (const uint32_t(*)[3])part->corners, toi_rigid_primitives(part)};
  if (status == TOI_OK)
    status = toi_body_tree_make(context, &of, &part->tree);
  if (status != TOI_OK)
    toi_rigid_part_free(context, part);
  return status;
}
