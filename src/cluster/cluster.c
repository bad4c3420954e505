/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The handle, and MPI for those who have none. */

#include <stdlib.h>
#include <string.h>

#include "cluster/internal.h"

void toi_cluster_options_init(toi_cluster_options *options, size_t size) {
  memset(options, 0, size);
  options->size = size;
}

toi_status toi_cluster_begin(void) {
  int started = 0, provided = MPI_THREAD_SINGLE;
  MPI_Initialized(&started);
  if (!started)
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  else
    MPI_Query_thread(&provided);
  return provided >= MPI_THREAD_FUNNELED ? TOI_OK : TOI_ERROR_UNSUPPORTED;
}

void toi_cluster_end(void) {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  if (started && !ended)
    MPI_Finalize();
}

static toi_status check_options(const toi_cluster_options *options) {
  return options == NULL || options->size == sizeof *options ? TOI_OK : TOI_ERROR_OPTION;
}

toi_status toi_cluster_create(toi_context *context, const toi_cluster_options *options, toi_cluster **cluster) {
  *cluster = NULL;
  int started = 0;
  MPI_Initialized(&started);
  if (!started)
    return TOI_ERROR_UNSUPPORTED;
  toi_status status = context != NULL ? check_options(options) : TOI_ERROR_INPUT;
  toi_cluster *made = calloc(1, sizeof *made);
  if (status == TOI_OK && made == NULL)
    status = TOI_ERROR_MEMORY;

  // All ranks know the communicator; what fails on one fails on all.
  MPI_Comm given =
      options != NULL && options->communicator != NULL ? *(const MPI_Comm *)options->communicator : MPI_COMM_WORLD;
  int worst = (int)status;
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, given);
  if (worst != TOI_OK) {
    free(made);
    return (toi_status)worst;
  }
  made->context = context;
  made->options = options != NULL ? *options : toi_default_cluster_options();
  MPI_Comm_dup(given, &made->comm);
  MPI_Comm_rank(made->comm, &made->rank);
  MPI_Comm_size(made->comm, &made->ranks);
  *cluster = made;
  return TOI_OK;
}

void toi_cluster_destroy(toi_cluster *cluster) {
  if (cluster == NULL)
    return;
  toi_cluster_topology_free(cluster);
  toi_graph_free(&cluster->near);
  MPI_Comm_free(&cluster->comm);
  free(cluster);
}

int toi_cluster_rank(const toi_cluster *cluster) {
  return cluster->rank;
}

int toi_cluster_ranks(const toi_cluster *cluster) {
  return cluster->ranks;
}

const char *toi_cluster_error(const toi_cluster *cluster) {
  return cluster->error;
}

toi_cluster_work toi_cluster_last_work(const toi_cluster *cluster) {
  return cluster->work;
}
