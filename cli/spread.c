/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A process is started once, alone or among ranks, so this file keeps state. */

#include "spread.h"

#include "options.h"
#include "progress.h"

static const ranks_library *library;
static toi_cluster *all;
static bool failed; /* on all ranks, and said */

void spread_begin(const ranks_library *mpi, toi_cluster *ranks) {
  library = mpi;
  all = ranks;
  cli_fail_keep(true);
}

unsigned spread_rank(void) {
  return all == NULL ? 0 : (unsigned)library->rank(all);
}

unsigned spread_ranks(void) {
  return all == NULL ? 1 : (unsigned)library->ranks(all);
}

int spread_fail(const char *line) {
  failed = true;
  cli_fail_keep(false);
  return cli_fail("%s", line);
}

int spread_agree(int result) {
  if (all == NULL || failed)
    return result;
  const toi_status status = result == EXIT_DONE ? TOI_OK : TOI_ERROR_INPUT;
  return library->agree(all, status, cli_fail_kept()) == TOI_OK ? EXIT_DONE : spread_fail(library->error(all));
}

int spread_gather(const void *bytes, size_t size, toi_cluster_bytes_visitor take, void *user) {
  if (failed)
    return EXIT_BAD;
  if (library->gather(all, bytes, size, take, user) == TOI_OK)
    return EXIT_DONE;
  return spread_fail(cli_fail_kept()[0] != '\0' ? cli_fail_kept() : library->error(all));
}

int spread_first(int number) {
  if (all != NULL && !failed)
    library->share(all, 0, &number, sizeof number);
  return number;
}
