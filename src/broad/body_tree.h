/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A tree of boxes around the primitives of a rigid body, in the body's own frame: made once, whatever the body does.
 *
 * Coordinates in the tree are relative to the centre of the body's box and in units of 2^exponent, so that they lie in
 * [-1, 1]. A box is a centre and three half extents in floats, rounded so that it holds its primitives.
 *
 * Nodes are numbered in preorder and carry no links: a node of n leaves has its first child behind it, of (n + 1) / 2
 * leaves, and the second child behind that one's subtree. A leaf holds two primitives, the last one maybe one. So a
 * tree has about one node per primitive: 24 bytes, 4 for its slab, and 4 for the order of the primitives.
 *
 * A slab is a layer around the centre of a node's box, across the direction in which its faces look: thin where they
 * lie in a plane, or nearly, however they are turned. So that it is as thin as it can be, the centre is in the middle
 * of the faces across that direction, where that makes the box not much larger. */

#ifndef TOI_BROAD_BODY_TREE_H
#define TOI_BROAD_BODY_TREE_H

#include "base/internal.h"

/* A primitive has 1 to 3 vertices; in primitives of fewer, the last is repeated. */
typedef struct toi_body_primitives {
  const double (*vertices)[3]; /* finite */
  size_t vertex_count;
  const uint32_t (*corners)[3];
  size_t count; /* at least 1, below 2^31 */
} toi_body_primitives;

enum { TOI_LEAF_PRIMITIVES = 2 };

/* Every point x of the node's primitives has |n . (x - c)| <= 128 thickness, c the centre of its box. */
typedef struct toi_body_slab {
  int8_t n[3];
  uint8_t thin; /* the code of the thickness */
} toi_body_slab;

/* Eight steps per power of two; the last code is infinite. */
float toi_slab_thickness(uint8_t thin);

typedef struct toi_body_tree {
  double centre[3];
  int exponent;
  double radius;   /* at least the distance of any vertex from the centre */
  double reach;    /* at least the distance of any vertex from the origin of the frame */
  float (*box)[6]; /* of every node: centre, half extents */
  toi_body_slab *slab;
  uint32_t *order;   /* primitives, as the leaves hold them */
  float (*local)[3]; /* vertices in the tree's coordinates, each within 2^-24 + 2^-50 reach / 2^exponent */
  size_t count, leaves, vertex_count;
} toi_body_tree;

/* A node under way: what its number does not say. */
typedef struct toi_body_node {
  uint32_t number, first, leaves; /* its first leaf, and how many there are */
} toi_body_node;

toi_status toi_body_tree_make(toi_context *context, const toi_body_primitives *of, toi_body_tree *tree);
void toi_body_tree_free(toi_context *context, toi_body_tree *tree);

/* Bytes that a tree takes. */
size_t toi_body_tree_bytes(const toi_body_tree *tree);

static inline toi_body_node toi_body_tree_root(const toi_body_tree *tree) {
  return (toi_body_node){0, 0, (uint32_t)tree->leaves};
}

static inline void toi_body_node_split(toi_body_node node, toi_body_node child[2]) {
  const uint32_t left = (node.leaves + 1) / 2;
  child[0] = (toi_body_node){node.number + 1, node.first, left};
  child[1] = (toi_body_node){node.number + 2 * left, node.first + left, node.leaves - left};
}

/* The box of a primitive, from the local coordinates of its corners: its ends are off by at most 2^-23, and by the
 * errors of these. */
void toi_body_primitive_box(const toi_body_tree *tree, const uint32_t corners[3], float box[6]);

#endif
