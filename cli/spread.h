/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces of work dealt out to ranks: files of queries, steps of a sequence. Each rank does its own alone; the first one
 * gets all answers, in order, and reports. A process that was started alone is one rank. */

#ifndef CLI_SPREAD_H
#define CLI_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "ranks.h"

/* All that follows is between the ranks of this cluster. */
void spread_begin(const ranks_library *mpi, toi_cluster *ranks);

unsigned spread_rank(void);
unsigned spread_ranks(void);

/* EXIT_DONE if all ranks bring that; else EXIT_BAD on all, and the line of the first that failed, with its number, is
 * printed. All ranks. */
int spread_agree(int result);

/* What all ranks know to be wrong: the first prints the line. Returns EXIT_BAD; nothing is agreed on afterwards. */
int spread_fail(const char *line);

/* The bytes of every rank, one rank after the other, for the first; returns as spread_agree(). All ranks. */
int spread_gather(const void *bytes, size_t size, toi_cluster_bytes_visitor take, void *user);

/* The first rank's number, for all. All ranks. */
int spread_first(int number);

#endif
