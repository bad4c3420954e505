/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The boxes of a moving mesh: in doubles, which decide, and in floats, which are a filter.
 *
 * Claim: if two double boxes overlap (closed), so do their float boxes; and if their float boxes overlap strictly on
 * every axis, so do their double boxes. Only pairs whose float boxes touch without overlapping strictly need a look at
 * the doubles. Why: a float coordinate is m(x) = float((x - centre) * scale), each operation rounded to nearest and
 * therefore monotone; x <= y gives m(x) <= m(y), and m(x) < m(y) gives x < y. Where m loses nothing (float meshes, as a
 * rule), the floats decide alone. */

#ifndef TOI_BROAD_BOXES_H
#define TOI_BROAD_BOXES_H

#include "base/internal.h"
#include "narrow/float_map.h"

#include <toi/narrow.h>

typedef enum toi_primitive {
  TOI_PRIMITIVE_VERTEX = 0,
  TOI_PRIMITIVE_EDGE,
  TOI_PRIMITIVE_FACE,
  TOI_PRIMITIVE_COUNT
} toi_primitive;

typedef struct toi_swept_box {
  double lo[3], hi[3];
} toi_swept_box;

/* How boxes are made of a mesh that was checked. */
typedef struct toi_boxer {
  const toi_mesh *mesh;
  double t_max;  /* around positions in [0, t_max]; 0: the end is not read */
  double radius; /* grown by this */
  double reach;  /* and by this times the way that a vertex goes in [0, t_max] */
  toi_float_map map;
  bool exact; /* m loses nothing on this mesh: closed overlap of floats is closed overlap of doubles */
} toi_boxer;

/* The box that decides: around all positions of a primitive, grown outward. Any number of the mesh. */
void toi_box_of(const toi_boxer *boxer, toi_primitive primitive, uint32_t number, toi_swept_box *box);

/* A box in floats: lo x y z, 0, -hi x y z, 0, so that the box around two is the smaller of each number. */
typedef float toi_box_row[8];

/* The vertices of the mesh: centre, scale and exact are found, every coordinate is checked to be finite
 * (TOI_ERROR_INPUT names the vertex), and one row is written a vertex. */
toi_status toi_vertex_rows(toi_context *context, toi_boxer *boxer, toi_box_row *rows);

/* The primitives that take part in a join. Their rows are listed, or (for broad phases that go through them once) made
 * of those of their vertices on the way. */
typedef struct toi_box_set {
  toi_primitive primitive;
  size_t count;
  toi_box_row *rows;        /* count of them; NULL: to be made */
  toi_box_row *vertex_rows; /* of all vertices of the mesh, where rows is NULL */
  size_t vertex_count;
  const uint32_t *indices; /* the vertices of each primitive, likewise */
  const uint32_t *numbers; /* the primitive's number of each; NULL: row i is primitive i */
} toi_box_set;

/* The row of the set's box number i. */
static inline const float *toi_set_row(const toi_box_set *set, size_t i, toi_box_row made) {
  if (set->rows)
    return set->rows[i];
  size_t points = (size_t)set->primitive + 1;
  const uint32_t *vertices = set->indices + points * i;
  for (int k = 0; k < 8; k++)
    made[k] = set->vertex_rows[vertices[0]][k];
  for (size_t j = 1; j < points; j++) {
    const float *next = set->vertex_rows[vertices[j]];
    for (int k = 0; k < 8; k++)
      made[k] = next[k] < made[k] ? next[k] : made[k];
  }
  return made;
}

/* Points of a primitive, and their numbers. */
static inline size_t toi_primitive_points(toi_primitive primitive) {
  return (size_t)primitive + 1;
}

static inline const uint32_t *toi_primitive_vertices(const toi_mesh *mesh, toi_primitive primitive,
                                                     const uint32_t *number) {
  if (primitive == TOI_PRIMITIVE_VERTEX)
    return number;
  return primitive == TOI_PRIMITIVE_EDGE ? mesh->edges[*number] : mesh->faces[*number];
}

/* Lists the rows of all edges or faces. */
toi_status toi_list_rows(toi_context *context, const toi_boxer *boxer, const toi_box_set *set, toi_box_row *rows);

size_t toi_primitive_count(const toi_mesh *mesh, toi_primitive primitive);

/* "vertex", "edge", "face". */
const char *toi_primitive_name(toi_primitive primitive);

/* The thickness of a primitive: that of its thickest vertex. */
double toi_thickness_of(const toi_mesh *mesh, toi_primitive primitive, uint32_t number);

/* TOI_OK, or TOI_ERROR_INPUT and a sentence that names the first coordinate of a state (its "start" or "end") that is
 * not finite. */
toi_status toi_mesh_finite(toi_context *context, const toi_mesh *mesh, const void *vertices, const char *when);

/* TOI_OK, or what is wrong with pointers, numbers, indices and thicknesses of a mesh that was taken (coordinates are
 * looked at by toi_vertex_rows). need_end: the end is used. */
toi_status toi_mesh_valid(toi_context *context, const toi_mesh *mesh, bool need_end);

/* The same of pointers alone. */
toi_status toi_mesh_states_valid(toi_context *context, const toi_mesh *mesh, bool need_end);

#endif
