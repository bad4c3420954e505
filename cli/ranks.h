/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi under mpirun: libtoi-cluster is loaded, since toi itself links no MPI. */

#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include <toi/cluster.h>

/* What is used of libtoi-cluster. */
#define RANKS_FUNCTIONS(X)                                                                                             \
  X(begin)                                                                                                             \
  X(end)                                                                                                               \
  X(create)                                                                                                            \
  X(destroy)                                                                                                           \
  X(rank)                                                                                                              \
  X(ranks)                                                                                                             \
  X(error)                                                                                                             \
  X(agree)                                                                                                             \
  X(part_init)                                                                                                         \
  X(count)                                                                                                             \
  X(last_work)                                                                                                         \
  X(step)                                                                                                              \
  X(collisions)                                                                                                        \
  X(candidates)                                                                                                        \
  X(crossings)                                                                                                         \
  X(read)                                                                                                              \
  X(frames_free)                                                                                                       \
  X(frames_positions)                                                                                                  \
  X(list_create)                                                                                                       \
  X(list_add)                                                                                                          \
  X(list_write)                                                                                                        \
  X(list_commit)                                                                                                       \
  X(list_destroy)                                                                                                      \
  X(sum)                                                                                                               \
  X(largest)                                                                                                           \
  X(least)                                                                                                             \
  X(share)                                                                                                             \
  X(gather)                                                                                                            \
  X(edge_place)                                                                                                        \
  X(line_search)                                                                                                       \
  X(frames_write)                                                                                                      \
  X(remove_files)

typedef struct ranks_library {
#define RANKS_FIELD(name) __typeof__(&toi_cluster_##name) name; /* NOLINT(bugprone-macro-parentheses): a member */
  RANKS_FUNCTIONS(RANKS_FIELD)
#undef RANKS_FIELD
} ranks_library;

/* How many ranks the launcher started, as it says in the environment; 1 without one. */
unsigned ranks_started(void);

/* How many of them are on this machine. */
unsigned ranks_here(void);

/* Runs a command on all of them. Only the first prints. Returns the exit code, the same on all ranks. */
int ranks_run(int argc, char **argv);

/* Commands about meshes, which all ranks hold together, on a library that is loaded and has begun. */
int ranks_step(const ranks_library *mpi, int argc, char **argv);
int ranks_check(const ranks_library *mpi, int argc, char **argv);
int ranks_line_search(const ranks_library *mpi, int argc, char **argv);

#endif
