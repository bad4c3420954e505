/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A Bezier patch as the search sees it: position and derivatives by u, v, t, enclosed over any part of its square.
 *
 * What is meant by a patch with errors is a patch of the same degrees whose control points keep within error + t
 * velocity_error of those given, and whose weights keep within a fraction of themselves that patch_nets.c derives: that
 * is what the makers of models promise, and it bounds derivatives as well. */

#ifndef TOI_CONTACT_PATCH_NETS_H
#define TOI_CONTACT_PATCH_NETS_H

#include "number/interval.h"
#include "number/taylor.h"
#include "surface/piece.h"

/* --- inside --- */

/* Rows of a net: x y z, their velocities, the weight; each group has one bound of its size and one of its errors. */
enum { TOI_NET_POSITION, TOI_NET_VELOCITY, TOI_NET_WEIGHT, TOI_NET_GROUPS };
#define TOI_NETS_ROWS 7

/* The patch and its derivatives by u, v, uu, uv, vv. */
enum { TOI_NET_AS_IS, TOI_NET_U, TOI_NET_V, TOI_NET_UU, TOI_NET_UV, TOI_NET_VV, TOI_NETS };

typedef struct toi_net {
  uint32_t degree[2];
  double *rows[TOI_NETS_ROWS]; /* control points of each, v runs fastest; NULL: the patch has no such row */
  double magnitude[TOI_NET_GROUPS], error[TOI_NET_GROUPS];
} toi_net;

typedef struct toi_patch_nets {
  bool moving, rational;
  uint32_t collapsed; /* the edges, of TOI_EDGES, that are a single point at all times */
  size_t bytes;
  toi_net nets[TOI_NETS];
} toi_patch_nets;

/* The control points of a part of a net. */
typedef struct toi_net_part {
  size_t size[2], count;                      /* along u and v; one where the part has no width */
  double rows[TOI_NETS_ROWS][TOI_NET_POINTS]; /* number i along u and j along v: j size[0] + i */
  double magnitude[TOI_NET_GROUPS], error[TOI_NET_GROUPS];
} toi_net_part;

/* Of the part over a box within the square. */
void toi_net_cut(const toi_net *net, const toi_interval box[2], toi_net_part *part);

/* --- making and asking --- */

/* Of a checked patch; a triangle as a quad, (s, t) of its square standing for u = s (1 - t), v = t. */
toi_status toi_patch_nets_make(toi_context *context, const toi_patch *patch, toi_patch_nets **made);
toi_status toi_patch_nets_copy(toi_context *context, const toi_patch_nets *nets, toi_patch_nets **copy);
void toi_patch_nets_destroy(toi_context *context, toi_patch_nets *nets); /* NULL is ignored */

/* The jets of x, y, z by u, v, t over a box, as toi_shape_jets gives them; beyond the square nothing is known. */
void toi_patch_nets_jets(const toi_patch_nets *nets, const toi_interval box[3], unsigned order, toi_interval *jets);

/* Taylor models of x, y, z from those of u, v and t: patch_taylor.c. */
void toi_patch_nets_taylor(const toi_patch_nets *nets, const toi_taylor_space *space, const toi_taylor of[3],
                           toi_taylor at[3]);

/* A box and a ball that hold it over the times [0, t_max]. */
void toi_patch_nets_bounds(const toi_patch_nets *nets, double t_max, toi_interval bounds[3], double centre[3],
                           double *radius);

#endif
