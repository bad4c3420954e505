/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A scene of rigid bodies as it is read: bodies that are attached to each other, and their paths.
 *
 * Every body has local poses: in the world, or in the frame of its parent. A joint is a path of local poses as well:
 * its origin, moved and turned along the axis. The pose of a body is that of its parent times its local one, rounded,
 * at the times where something changes; between these it moves by its law, where the parent keeps its orientation;
 * where that turns, the body follows the chain of what each link does by its own law between local poses. */

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
  toi_motion *motion;     /* instead of all that, in the scene's own time; or NULL */
  const toi_json_node *motion_node;
} toi_sweep_body;

/* Motions that bodies follow. */
typedef struct toi_sweep_chain {
  struct toi_sweep_chain *next;
  toi_motion *motion;
} toi_sweep_chain;

/* Blocks of a scene, freed together. */
typedef struct toi_sweep_store {
  struct toi_sweep_block *blocks;
  toi_sweep_body *bodies;
  size_t *order; /* bodies, parents first */
  bool has_time;
  double time[2];                         /* as the scene says */
  toi_sweep_chain *chains, *joint_chains; /* of the scene, and of the last question about one joint */
} toi_sweep_store;

/* Zeroes, kept until the scene is freed; NULL: no memory. */
void *toi_sweep_keep(toi_context *context, toi_sweep_store *store, size_t count, size_t size);

/* The local pose of a joint at a value. */
toi_pose toi_sweep_joint_pose(const toi_sweep_body *body, double value);

/* Local poses of all bodies at a time; poses in the world from local ones. */
void toi_sweep_poses(const toi_sweep_store *store, size_t count, double t, toi_pose *local);
void toi_sweep_compose(const toi_sweep_store *store, size_t count, const toi_pose *local, toi_pose *world);

/* Motions of all bodies from one of these poses to another; chains that they follow are added to a list. */
typedef struct toi_sweep_piece_question {
  toi_context *context;
  const toi_sweep_store *store;
  size_t count;
  const toi_pose *local[2], *world[2]; /* at both ends */
  toi_sweep_chain **chains;
} toi_sweep_piece_question;
toi_status toi_sweep_piece(const toi_sweep_piece_question *ask, toi_moving_body *motions);
void toi_sweep_chains_free(toi_context *context, toi_sweep_chain **list);

/* Times and motions of the scene, from its bodies. */
toi_status toi_sweep_move(const toi_tree *tree, toi_sweep_store *store, toi_sweep_scene *scene);

#endif
