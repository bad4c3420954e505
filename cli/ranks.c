/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Who started us, and libtoi-cluster at run time.
 *
 * Several processes of which each did the whole work would be a waste that nobody asked for: where the library cannot
 * be loaded, or a command does not know ranks, the first one says so and all end. */

#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "platform.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define LIBRARY "libtoi-cluster.so." TEXT(TOI_VERSION_MAJOR) "." TEXT(TOI_VERSION_MINOR)

/* Launchers of OpenMPI, and of MPICH and its kin. */
static unsigned long from_environment(const char *const names[2], unsigned long otherwise) {
  for (int i = 0; i < 2; i++) {
    const char *text = getenv(names[i]);
    char *end;
    const unsigned long number = text != NULL ? strtoul(text, &end, 10) : 0;
    if (text != NULL && text[0] != '\0' && *end == '\0')
      return number;
  }
  return otherwise;
}

unsigned ranks_started(void) {
  static const char *const names[2] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  const unsigned long count = from_environment(names, 1);
  return count > 0 && count <= INT32_MAX ? (unsigned)count : 1;
}

static bool is_first(void) {
  static const char *const names[2] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
  return from_environment(names, 0) == 0;
}

/* All functions, or the name of one that is not there. */
static const char *find_functions(void *library, ranks_library *mpi) {
#define RANKS_FIND(name)                                                                                               \
  if (!platform_library_find(library, "toi_cluster_" #name, &mpi->name))                                               \
    return "toi_cluster_" #name;
  RANKS_FUNCTIONS(RANKS_FIND)
#undef RANKS_FIND
  return NULL;
}

static int load(ranks_library *mpi) {
  // MPI's own plug-ins want to find its symbols.
  const char *reason;
  void *library = platform_library_open(LIBRARY, &reason);
  if (library == NULL)
    return cli_fail("started with %u ranks, but %s cannot be loaded: %s; install libtoi-cluster, or run toi without "
                    "mpirun",
                    ranks_started(), LIBRARY, reason);
  const char *missing = find_functions(library, mpi);
  if (missing != NULL)
    return cli_fail("%s has no %s; it is of another version than toi", LIBRARY, missing);
  return EXIT_DONE;
}

int ranks_run(int argc, char **argv) {
  // What all ranks would say alike is said once; what one says reaches the first by way of the cluster.
  if (!is_first() && (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL))
    return EXIT_BAD;
  if (argc < 2 || strcmp(argv[1], "step") != 0)
    return cli_fail("toi %s does not work with several ranks (%u were started); run it without mpirun",
                    argc < 2 ? "" : argv[1], ranks_started());
  ranks_library mpi;
  int result = load(&mpi);
  if (result != EXIT_DONE)
    return result;
  if (mpi.begin() != TOI_OK)
    return cli_fail("this MPI does not support threads besides the calling one; use an MPI that does");
  result = ranks_step(&mpi, argc - 2, argv + 2);
  mpi.end();
  return result;
}
