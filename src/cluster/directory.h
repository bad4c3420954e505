/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Who owns which vertex: global numbers are cut into blocks of one size, and rank b knows all about block b. */

#ifndef TOI_CLUSTER_DIRECTORY_H
#define TOI_CLUSTER_DIRECTORY_H

#include "cluster/internal.h"

typedef struct toi_directory {
  uint64_t block;    /* numbers of a rank */
  size_t count;      /* vertices in this rank's block */
  uint64_t *numbers; /* ascending */
  int *owners;
} toi_directory;

/* From the ascending numbers of what each rank owns, `what` it may be. Fails if one has two owners. Collective. */
toi_status toi_directory_make(toi_cluster *cluster, const char *what, const uint64_t *numbers, size_t count,
                              toi_directory *directory);
void toi_directory_free(toi_directory *directory);

/* The owners of these numbers, ascending; -1: there is none. Collective. */
toi_status toi_directory_find(toi_cluster *cluster, const toi_directory *directory, const uint64_t *numbers,
                              size_t count, int *owners);

/* For each own vertex, of which there is a given number of things, how many things the vertices with smaller numbers
 * have together, on all ranks. Collective. */
toi_status toi_directory_sum(toi_cluster *cluster, const toi_directory *directory, const uint64_t *numbers,
                             const uint64_t *things, size_t count, uint64_t *before);

#endif
