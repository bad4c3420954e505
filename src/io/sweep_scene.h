/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A scene of rigid bodies as it is read: bodies that are attached to each other, and their paths.
 *
 * Every body has local poses: in the world, or in the frame of its parent. A joint is a path of local poses as well:
 * its origin, moved and turned along the axis. The pose of a body is that of its parent times its local one, rounded,
 * at the times where something changes; between these it moves by its law. That is exact, up to the rounding of those
 * poses, where the parent keeps its orientation; where it turns, the piece of time is divided, and followed by
 * nlerp. */

#ifndef TOI_IO_SWEEP_SCENE_H
#define TOI_IO_SWEEP_SCENE_H

#include <toi/io.h>

#include "io/tree.h"

#define TOI_SWEEP_ROOT SIZE_MAX

typedef enum toi_sweep_joint {
  TOI_SWEEP_NONE,
  TOI_SWEEP_REVOLUTE,
  TOI_SWEEP_PRISMATIC,
  TOI_SWEEP_SCREW
} toi_sweep_joint;

typedef struct toi_sweep_body {
  size_t parent; /* TOI_SWEEP_ROOT: the world */
  toi_sweep_joint joint;
  double axis[3], origin[3]; /* unit, and in the parent's frame */
  double pitch;              /* of a screw: how far per radian */
  double limits[2];
  toi_law law;
  size_t count;           /* of waypoints; at least one */
  double *times, *values; /* values: of a joint */
  toi_pose *poses;        /* local */
  double reach;           /* the largest distance of a vertex from the origin of its frame */
  const toi_json_node *node;
} toi_sweep_body;

/* Blocks of a scene, freed together. */
typedef struct toi_sweep_store {
  struct toi_sweep_block *blocks;
  toi_sweep_body *bodies;
  size_t *order;       /* bodies, parents first */
  size_t chain_pieces; /* into how many a piece is divided; 0: it was not said */
} toi_sweep_store;

/* Zeroes, kept until the scene is freed; NULL: no memory. */
void *toi_sweep_keep(toi_context *context, toi_sweep_store *store, size_t count, size_t size);

/* The local pose of a joint at a value. */
toi_pose toi_sweep_joint_pose(const toi_sweep_body *body, double value);

/* Times and motions of the scene, from its bodies. */
toi_status toi_sweep_move(const toi_tree *tree, toi_sweep_store *store, toi_sweep_scene *scene);

#endif
