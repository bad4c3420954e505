/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh that all ranks hold together: what the commands about meshes share on several ranks. Every rank reaches every
 * collective call: what goes wrong on one is agreed on before the next. */

#ifndef CLI_RANKS_MESH_H
#define CLI_RANKS_MESH_H

#include "examine.h"
#include "ranks.h"

#define RANKS_LISTS 2

typedef struct ranks_mesh {
  const ranks_library *mpi;
  step_options options;
  stepping stepping;
  toi_cluster *cluster;
  toi_cluster_frames frames;
  toi_positions positions;
  toi_cluster_counts counts;
  toi_cluster_list *lists[RANKS_LISTS];
  double began;
} ranks_mesh;

/* Each of the following returns EXIT_DONE on all ranks, or EXIT_BAD on all of them after one line. */

/* Options that have no answer on several ranks: the first that was given is named. */
typedef struct ranks_refusal {
  const void *given; /* NULL: not given */
  const char *name;
} ranks_refusal;
int ranks_mesh_refuse(const ranks_refusal *refusals, size_t count);

/* The options have been parsed. */
int ranks_mesh_open(ranks_mesh *m);

/* Lists of pairs that will be written; NULL: none. */
int ranks_mesh_lists(ranks_mesh *m, const char *const paths[RANKS_LISTS]);

/* Reads two states, or one (end NULL), in parts; weighed: in pieces of the same work. */
int ranks_mesh_load(ranks_mesh *m, const char *start, const char *end, bool weighed);

/* Writes the lists. */
int ranks_mesh_write(ranks_mesh *m);

/* What the cluster says about a call that failed. */
int ranks_mesh_fail(const ranks_mesh *m, toi_status status);

bool ranks_mesh_first(const ranks_mesh *m);

void ranks_mesh_close(ranks_mesh *m);

#endif
