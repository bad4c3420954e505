/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh that is being taken: see topology.c. */

#ifndef TOI_CLUSTER_TAKING_H
#define TOI_CLUSTER_TAKING_H

#include "cluster/directory.h"

/* The smaller end of an edge. */
typedef struct toi_edge_end {
  uint64_t number;
  int owner;
  bool of_face;
} toi_edge_end;

typedef struct taking {
  toi_cluster *cluster;
  const toi_cluster_part *part;
  toi_cluster_topology *t;
  toi_directory directory;
  uint64_t *needed; /* vertices of others that faces and loose edges name, ascending, with their owners */
  int *owners;
  size_t needed_count;
  toi_number_map needed_map;

  /* Edges by their larger vertex, own vertex v: from begin[v] to begin[v + 1]. */
  size_t *begin;
  toi_edge_end *ends;
} taking;

/* Vertices, owners, edges, ghosts and numbers. Collective. */
toi_status toi_taking_run(taking *k);
void toi_taking_end(taking *k);

/* Where the words from each rank begin, to be counted up while ghosts take theirs in order; NULL if there is no
 * memory. */
size_t *toi_cluster_ghost_places(toi_cluster *cluster, const toi_mail *mail);

#endif
