/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* For programs that do not call MPI: sums, bytes of one rank for all, bytes of all ranks for the first. */

#include <math.h>
#include <stdlib.h>

#include "cluster/call.h"

/* Bytes of one message: counts are ints. */
#define PIECE ((size_t)1 << 28)

void toi_cluster_sum(toi_cluster *cluster, uint64_t *numbers, size_t count) {
  MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, cluster->comm);
}

void toi_cluster_largest(toi_cluster *cluster, double *numbers, size_t count) {
  MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_DOUBLE, MPI_MAX, cluster->comm);
}

void toi_cluster_least(toi_cluster *cluster, uint64_t row[4]) {
  // Number by number: who has a larger one is out.
  bool still = true;
  for (int i = 0; i < 4; i++) {
    uint64_t least = still ? row[i] : UINT64_MAX;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_UINT64_T, MPI_MIN, cluster->comm);
    still = still && row[i] == least;
    row[i] = least;
  }
}

void toi_cluster_share(toi_cluster *cluster, int rank, void *bytes, size_t size) {
  for (size_t at = 0; at < size; at += PIECE)
    MPI_Bcast((char *)bytes + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, rank, cluster->comm);
}

void toi_cluster_edge_place(toi_cluster *cluster, const toi_positions *positions, uint64_t edge, double at[3]) {
  const toi_cluster_topology *t = &cluster->topology;
  const size_t place = toi_find_number(t->edge_numbers, t->edge_count, edge);
  uint64_t vertex = place != SIZE_MAX ? toi_global_vertex(t, t->edges[place][0]) : UINT64_MAX;
  MPI_Allreduce(MPI_IN_PLACE, &vertex, 1, MPI_UINT64_T, MPI_MIN, cluster->comm);
  const size_t own = toi_number_map_find(&t->own_map, vertex);
  for (size_t k = 0; k < 3; k++)
    at[k] = own != SIZE_MAX ? toi_position_coordinate(positions, positions->start, t->given[own], k) : -INFINITY;
  MPI_Allreduce(MPI_IN_PLACE, at, 3, MPI_DOUBLE, MPI_MAX, cluster->comm);
}

static void receive(toi_cluster *cluster, int rank, char *bytes, size_t size) {
  for (size_t at = 0; at < size; at += PIECE)
    MPI_Recv(bytes + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, rank, 0, cluster->comm,
             MPI_STATUS_IGNORE);
}

static void send(toi_cluster *cluster, const char *bytes, size_t size) {
  for (size_t at = 0; at < size; at += PIECE)
    MPI_Send(bytes + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, 0, 0, cluster->comm);
}

toi_status toi_cluster_gather(toi_cluster *cluster, const void *bytes, size_t size, toi_cluster_bytes_visitor take,
                              void *user) {
  cluster->error[0] = cluster->sentence[0] = '\0';
  const bool first = cluster->rank == 0;
  uint64_t *sizes = toi_cluster_allocate(cluster, (size_t)cluster->ranks, sizeof *sizes);
  const uint64_t own = size;
  uint64_t most = size;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, cluster->comm);
  char *room = toi_cluster_allocate(cluster, first ? (size_t)most : 0, 1);
  toi_status status = toi_agree(cluster, sizes != NULL && room != NULL ? TOI_OK : TOI_ERROR_MEMORY);
  if (status == TOI_OK) {
    MPI_Gather(&own, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, 0, cluster->comm);
    if (!first)
      send(cluster, bytes, size);
    else
      status = take(user, 0, bytes, size);
    // All is received, also after a failure: nobody is left with what it wants to send.
    for (int r = 1; first && r < cluster->ranks; r++) {
      receive(cluster, r, room, (size_t)sizes[r]);
      if (status == TOI_OK)
        status = take(user, r, room, (size_t)sizes[r]);
    }
    status = toi_agree(cluster, status);
  }
  free(sizes);
  free(room);
  return status;
}
