/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Boxes that decide what is sent to whom, and a tree over some of them.
 *
 * Claim: they hold the boxes of toi/broad.h for the same question. Bound: SLACK and LEAST. Why: a coordinate of such a
 * box is one of x0, x1 or x0 + t (x1 - x0), by up to three sums and products with the radius, the thickness and the
 * reach, and a primitive has the thickness of its thickest vertex, which is at most that of the thickest of all; here
 * they are computed anew, in whatever rounding mode the caller is in, each operation off by at most 2 u = 2^-52 of its
 * result or operands, and by a subnormal number where these are flushed. Twelve operations there and as many here are
 * off by less than 2^-47 of the largest of the terms, and SLACK is 2^-40 of their sum; LEAST covers what is flushed.
 * Larger boxes cost messages, never answers: what is a candidate is decided by the library on each rank. */

#ifndef TOI_CLUSTER_BOX_H
#define TOI_CLUSTER_BOX_H

#include "cluster/internal.h"

#include <math.h>

#define TOI_BOX_SLACK 0x1p-40
#define TOI_BOX_LEAST 0x1p-1010

typedef struct toi_box {
  double lo[3], hi[3];
} toi_box;

/* How boxes are made: around positions in [0, t], grown. */
typedef struct toi_growth {
  double t, radius, reach;
} toi_growth;

/* Of no point: it meets nothing, and joined with another it is that one. */
static inline toi_box toi_box_empty(void) {
  return (toi_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

/* x, y and z of the start, then of the end. */
toi_box toi_box_of_vertex(const toi_growth *growth, const double at[6]);

static inline void toi_box_join(toi_box *box, const toi_box *other) {
  for (int k = 0; k < 3; k++) {
    box->lo[k] = other->lo[k] < box->lo[k] ? other->lo[k] : box->lo[k];
    box->hi[k] = other->hi[k] > box->hi[k] ? other->hi[k] : box->hi[k];
  }
}

static inline bool toi_box_meets(const toi_box *a, const toi_box *b) {
  return a->lo[0] <= b->hi[0] && b->lo[0] <= a->hi[0] && a->lo[1] <= b->hi[1] && b->lo[1] <= a->hi[1] &&
         a->lo[2] <= b->hi[2] && b->lo[2] <= a->hi[2];
}

/* The box around the vertices of a primitive. */
static inline toi_box toi_box_around(const toi_box *vertices, const uint32_t *numbers, size_t count) {
  toi_box box = vertices[numbers[0]];
  for (size_t i = 1; i < count; i++)
    toi_box_join(&box, &vertices[numbers[i]]);
  return box;
}

/* A key along a Hilbert curve through the box's grid of 2^20 cells an axis. */
uint64_t toi_hilbert_key(const toi_box *grid, const double at[3]);

/* The order of boxes along that curve, by their centres; NULL if there is no memory. */
uint32_t *toi_box_order(toi_cluster *cluster, const toi_box *boxes, size_t count);

/* Do any of these boxes meet another one? Level 0 are the boxes themselves, eight of a level are one of the next. */
#define TOI_TREE_LEVELS 12

typedef struct toi_box_tree {
  toi_box *levels[TOI_TREE_LEVELS];
  size_t counts[TOI_TREE_LEVELS];
  int height;
} toi_box_tree;

toi_status toi_box_tree_make(toi_cluster *cluster, const toi_box *boxes, size_t count, toi_box_tree *tree);
void toi_box_tree_free(toi_box_tree *tree);
bool toi_box_tree_meets(const toi_box_tree *tree, const toi_box *box);

#endif
