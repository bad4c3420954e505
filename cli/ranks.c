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

#include "commands.h"
#include "options.h"
#include "platform.h"
#include "spread.h"

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

unsigned ranks_here(void) {
  static const char *const names[2] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
  const unsigned long count = from_environment(names, ranks_started());
  return count > 0 && count <= ranks_started() ? (unsigned)count : ranks_started();
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

/* --- commands --- */

static const struct {
  const char *name;
  int (*together)(const ranks_library *mpi, int argc, char **argv); /* a mesh, in parts */
  int (*spread)(int argc, char **argv);                             /* pieces, one for each rank */
} commands[] = {
    {"step", ranks_step, NULL},           {"check", ranks_check, NULL},   {"line-search", ranks_line_search, NULL},
    {"sequence", NULL, command_sequence}, {"query", NULL, command_query}, {"bench", NULL, command_bench}};

#define COMMANDS (sizeof commands / sizeof commands[0])

/* The words of all ranks are those of the first: they go through the same calls in the same order. */
static int check_words(const ranks_library *mpi, toi_cluster *all, int argc, char **argv) {
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  for (int i = 1; i < argc; i++)
    for (size_t k = 0; k <= strlen(argv[i]); k++)
      digest = (digest ^ (unsigned char)argv[i][k]) * UINT64_C(0x100000001b3);
  uint64_t first = digest;
  mpi->share(all, 0, &first, sizeof first);
  return spread_agree(first == digest ? EXIT_DONE
                                      : cli_fail("was started with another command or other options than rank 0; "
                                                 "start all ranks alike"));
}

static int run_command(const ranks_library *mpi, toi_cluster *all, int argc, char **argv) {
  int result = check_words(mpi, all, argc, argv);
  for (size_t i = 0; result == EXIT_DONE && i < COMMANDS; i++) {
    if (strcmp(argv[1], commands[i].name) != 0)
      continue;
    result = commands[i].spread != NULL ? commands[i].spread(argc - 2, argv + 2)
                                        : commands[i].together(mpi, argc - 2, argv + 2);
    break;
  }
  // All end alike: a failure of one is one of all, and only the first knows what was found.
  const int agreed = spread_agree(result == EXIT_BAD ? EXIT_BAD : EXIT_DONE);
  return agreed == EXIT_DONE ? spread_first(result) : EXIT_BAD;
}

/* With a context and a cluster for what the ranks agree on. */
static int run_with(const ranks_library *mpi, int argc, char **argv) {
  if (mpi->begin() != TOI_OK)
    return cli_fail("this MPI does not support threads besides the calling one; use an MPI that does");
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  toi_context *context = NULL;
  toi_cluster *all = NULL;
  toi_status status = toi_context_create(&options, &context);
  const toi_status made = mpi->create(context, NULL, &all);
  status = status == TOI_OK ? made : status;
  int result = EXIT_BAD;
  if (status == TOI_OK) {
    spread_begin(mpi, all);
    result = run_command(mpi, all, argc, argv);
  } else {
    cli_fail("the ranks cannot begin: %s", toi_status_text(status));
  }
  mpi->destroy(all);
  toi_context_destroy(context);
  mpi->end();
  return result;
}

int ranks_run(int argc, char **argv) {
  // What all ranks would say alike is said once; what one says reaches the first by way of the cluster.
  if (!is_first() && (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL))
    return EXIT_BAD;
  bool known = false;
  for (size_t i = 0; i < COMMANDS; i++)
    known = known || (argc > 1 && strcmp(argv[1], commands[i].name) == 0);
  if (!known)
    return cli_fail("toi %s does not work with several ranks (%u were started); run it without mpirun",
                    argc < 2 ? "" : argv[1], ranks_started());
  ranks_library mpi;
  const int result = load(&mpi);
  return result == EXIT_DONE ? run_with(&mpi, argc, argv) : result;
}
