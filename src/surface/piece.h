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
 * in doubles in any order; and n . (p_i + t v_i), evaluated in doubles in any order, is within |n|_1 error of the exact
 * product. Why: piece.c. */

#ifndef TOI_SURFACE_PIECE_H
#define TOI_SURFACE_PIECE_H

#include "base/internal.h"

#include <toi/surface.h>

/* Coordinates in a net, a row each: x y z at t = 0, and their velocities. */
#define TOI_NET_ROWS 6

/* Rational patches have, behind these, what is halved in their place: the same six times the weight, and the weight. */
#define TOI_HOMOGENEOUS_ROWS 7

/* A patch as the search sees it, the same for all its pieces. */
typedef struct toi_root {
  const toi_patch *patch; /* checked */
  uint32_t number;        /* in its model */
  uint32_t count;         /* control points */
  uint32_t stride;        /* doubles in a row: count, rounded up to a multiple of 4; the last point repeated */
  bool rational;
  double scale; /* rational: weights are divided by this power of two */
} toi_root;

typedef struct toi_piece {
  struct toi_piece *child[2]; /* NULL until split */
  const toi_root *root;
  double *net;         /* TOI_NET_ROWS rows of root->stride doubles, and TOI_HOMOGENEOUS_ROWS behind them */
  double corner[3][2]; /* u, v. Quad: the least, the largest (and zeroes). Triangle: its three corners */
  double error;        /* see the claim */
  double net_error[2]; /* of points and velocities (rational: of the homogeneous rows), every coordinate */
  double weight_error; /* rational: of the weights */
  double axes[3][3];   /* directions of the piece at the middle of the step, roughly: along u, along v, the normal;
                          zero where there is none */
  double length[2]; /* roughly: of the longest row of control points in u and v, at the middle of the step; a triangle's
                       first is that of the edge to be halved */
  double size;      /* at least the largest distance of two of its points at one time, along an axis */
} toi_piece;

/* Where pieces live. Recentred: coordinates are relative to `centre`, velocities to `drift`. */
typedef struct toi_forest {
  unsigned char *memory; /* 32-byte aligned */
  size_t bytes, used;
  double t_max;
  double centre[3], drift[3];
  uint64_t pieces; /* made so far */
} toi_forest;

/* Bytes of a piece of this patch, and of its root. */
size_t toi_piece_bytes(const toi_patch *patch);
size_t toi_root_bytes(void);

/* centre and drift from the patches: near the middle of what they are. */
void toi_forest_aim(toi_forest *forest, const toi_patch *patches, size_t count, const toi_patch *others,
                    size_t other_count);

/* The whole patch as a piece; NULL: no memory left in the forest. The patch was checked. */
toi_piece *toi_piece_root(toi_forest *forest, const toi_patch *patch, uint32_t number);

/* Makes the two halves of a piece, if they are not there: in u (0) or v (1); a piece is halved one way only, the first
 * one asked for. False: no memory left. */
bool toi_piece_split(toi_forest *forest, toi_piece *piece);

/* The widths in u and in v: of a triangle, of its bounding box. */
static inline double toi_piece_width(const toi_piece *piece, int k) {
  if (piece->root->patch->shape == TOI_PATCH_QUAD)
    return piece->corner[1][k] - piece->corner[0][k];
  double lo = piece->corner[0][k], hi = lo;
  for (int i = 1; i < 3; i++) {
    lo = piece->corner[i][k] < lo ? piece->corner[i][k] : lo;
    hi = piece->corner[i][k] > hi ? piece->corner[i][k] : hi;
  }
  return hi - lo;
}

/* The box of a piece over times [t0, t1] within [0, t_max], grown by its error: lo x y z, hi x y z. */
void toi_piece_box(const toi_piece *piece, double t0, double t1, double lo[3], double hi[3]);

#endif
