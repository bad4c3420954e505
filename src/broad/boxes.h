/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The boxes of a moving mesh: in doubles, which decide, and in floats, which are a filter.
 *
 * Claim: if two double boxes overlap (closed), so do their float boxes; and if their float boxes overlap strictly on
 * every axis, so do their double boxes. Only pairs whose float boxes touch without overlapping strictly need a look at
 * the doubles. Why: a float coordinate is m(x) = float((x - centre) * scale), each operation rounded to nearest and
 * therefore monotone; x <= y gives m(x) <= m(y), and m(x) < m(y) gives x < y. */

#ifndef TOI_BROAD_BOXES_H
#define TOI_BROAD_BOXES_H

#include <toi/narrow.h>

typedef enum toi_primitive { TOI_VERTICES = 0, TOI_EDGES, TOI_FACES } toi_primitive;

typedef struct toi_box {
  double lo[3], hi[3];
} toi_box;

/* How boxes are made of a mesh that was checked. */
typedef struct toi_boxer {
  const toi_mesh *mesh;
  double t_max;  /* around positions in [0, t_max] */
  double radius; /* grown by this */
  double reach;  /* and by this times the way that a vertex goes in [0, t_max] */
  double centre[3];
  double scale; /* a power of two */
} toi_boxer;

/* The box that decides: around all positions of a primitive, grown outward. */
void toi_box_of(const toi_boxer *boxer, toi_primitive primitive, uint32_t number, toi_box *box);

/* A box in floats: lo x y z, 0, -hi x y z, 0, so that the box around two is the smaller of each number. */
typedef float toi_box_row[8];

/* The primitives that take part in a join. */
typedef struct toi_box_set {
  toi_primitive primitive;
  size_t count;
  const toi_box_row *rows; /* count of them */
  const uint32_t *numbers; /* the primitive's number of each; NULL: row i is primitive i */
} toi_box_set;

#endif
