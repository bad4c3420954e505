/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces of patches: a patch, its halves, their halves, each made once, when first asked for, and shared by all pairs
 * that meet it.
 *
 * A quad is halved in u or in v; a triangle at the middle of the edge opposite its newest corner, so that its pieces
 * keep four shapes. A piece knows its control points, how they move, three axes of its own, and how far all of this may
 * be from the truth.
 *
 * Claim: at every time t in [0, t_max] the exact piece of the patch (of what is meant by it: see toi_patch.error) lies
 * in the convex hull of points that are each within `error`, in every coordinate, of the stored p_i + t v_i, evaluated
 * in doubles; and n . (p_i + t v_i), evaluated in doubles in any order, n a vector of doubles of |n|_1 >= 2^-80, is
 * within |n|_1 error of the product with that point. Why: piece.c. */

#ifndef TOI_SURFACE_PIECE_H
#define TOI_SURFACE_PIECE_H

#include "base/internal.h"

#include <toi/surface.h>

/* Coordinates in a net, a row each: x y z at t = 0, and their velocities. */
#define TOI_NET_ROWS 6

/* Rational patches have, behind these, what is halved in their place: the same six times the weight, and the weight. */
#define TOI_HOMOGENEOUS_ROWS 7

/* The most control points of a patch. */
#define TOI_NET_POINTS ((TOI_PATCH_DEGREE_MOST + 1) * (TOI_PATCH_DEGREE_MOST + 1))

/* A patch as the search sees it, the same for all its pieces. */
typedef struct toi_root {
  const toi_patch *patch; /* checked */
  uint32_t number;        /* in its model */
  uint32_t count;         /* control points */
  uint32_t stride;        /* doubles in a row: count, rounded up to a multiple of 4; the last point repeated */
  bool rational;
  double t_max;
  /* For evaluation: x y z, their velocities, the weight, each but the last times the weight, and zero. */
  double (*control)[8];
  double magnitude[2]; /* the largest coordinate of control: of points, and of velocities */
  double error[2];     /* of control as given, every coordinate: of points, and of velocities */
} toi_root;

typedef struct toi_piece {
  struct toi_piece *child[2]; /* NULL until split */
  const toi_root *root;
  double *net;         /* TOI_NET_ROWS rows of root->stride doubles, and TOI_HOMOGENEOUS_ROWS behind them */
  double corner[3][2]; /* u, v. Quad: the least, the largest (and zeroes). Triangle: its three corners */
  double error;        /* see the claim */
  double rounding;     /* the same without what is meant by the patch beyond its doubles */
  double net_error[2]; /* of points and velocities, every coordinate; rational: of the homogeneous rows, in parts of the
                          weight of each control point */
  double weight_error; /* rational: of the weights, in parts of each */
  double axes[3][3];   /* unit directions of the piece when it was made, roughly: along u, along v, the normal; zero
                          where there is none */
  double length[2];    /* roughly, when it was made: along u and v; a triangle's first: of the edge to be halved */
  uint32_t level;      /* how many times the patch was halved */
  uint8_t split;       /* the parameter in which a quad is to be halved: 1 for u, 2 for v; 0: the longer one */
} toi_piece;

/* Where the control point i steps on in the first and j in the second parameter is. */
static inline size_t toi_net_index(const toi_patch *patch, size_t i, size_t j) {
  size_t m = patch->degree[0], n = patch->degree[1];
  return patch->shape == TOI_PATCH_QUAD ? i * (n + 1) + j : j * (m + 1) - j * (j - 1) / 2 + i;
}

/* Where pieces live. Recentred: coordinates are relative to `centre`, velocities to `drift`. */
typedef struct toi_forest {
  unsigned char *memory; /* 32-byte aligned */
  size_t bytes, used;
  double t_max;
  double centre[3], drift[3];
  uint64_t pieces; /* made so far */
} toi_forest;

/* A multiple of 32 that is no smaller. */
static inline size_t toi_aligned(size_t bytes) {
  return (bytes + 31) / 32 * 32;
}

/* Doubles in a row of so many control points. */
static inline size_t toi_piece_stride(size_t count) {
  return (count + 3) / 4 * 4;
}

/* Bytes that the root of this patch takes with its first piece, and each further piece. */
size_t toi_root_bytes(const toi_patch *patch);
size_t toi_piece_bytes(const toi_patch *patch);

/* An empty forest on memory, 32-byte aligned, for patches around and moving like these two. */
toi_forest toi_forest_make(void *memory, size_t bytes, double t_max, const toi_patch *a, const toi_patch *b);

/* The whole patch as a piece; NULL: no memory left in the forest. The patch was checked. */
toi_piece *toi_piece_root(toi_forest *forest, const toi_patch *patch, uint32_t number);

/* Makes the two halves of a piece, if they are not there, with axes as they are at time t; a quad's longer way is
 * halved. False: no memory left. */
bool toi_piece_split(toi_forest *forest, toi_piece *piece, double t);

/* The widths in u and in v: of a triangle, of its bounding box. */
static inline double toi_piece_width(const toi_piece *piece, int k) {
  const double(*c)[2] = piece->corner;
  if (piece->root->patch->shape == TOI_PATCH_QUAD)
    return c[1][k] - c[0][k];
  double lo = c[0][k] < c[1][k] ? c[0][k] : c[1][k], hi = c[0][k] < c[1][k] ? c[1][k] : c[0][k];
  lo = c[2][k] < lo ? c[2][k] : lo;
  hi = c[2][k] > hi ? c[2][k] : hi;
  return hi - lo;
}

/* The parameters at its middle. */
void toi_piece_middle(const toi_piece *piece, double uv[2]);

/* The box of a piece over times [t0, t1] within [0, t_max], grown by its error, in the forest's frame. */
void toi_piece_box(const toi_piece *piece, double t0, double t1, double lo[3], double hi[3]);

/* At least the largest distance of two of its points at one time in [t0, t1]. */
double toi_piece_size(const toi_piece *piece, double t0, double t1);

#endif
