/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command `toi`: finds the command that is meant, and makes sure that what it printed was printed. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <toi/base.h>

#include "commands.h"
#include "json.h"
#include "options.h"

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *help;
} commands[] = {
    {"query", command_query, "decides the queries of files, and measures how long it takes"},
    {"step", command_step, "finds the first impact of a step of a whole mesh, and every collision"},
    {"sequence", command_sequence, "checks an animation step by step"},
    {"surface", command_surface, "finds the first contact of curved surfaces: patches, or models made of them"},
    {"contact", command_contact, "finds all points of first contact of any moving surfaces, given by name or formula"},
    {"bench", command_bench, "compares methods on sets of queries: errors, tightness and time, side by side"},
    {"demo", command_demo, "drops a cloth over a ball and through rings; or decides queries with planted truth"},
    {"methods", command_methods, "lists the methods and what each promises"},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static int help(void) {
  printf("toi: two things move; when do they first touch?\n\nusage: toi COMMAND [OPTION...]\n\n");
  for (size_t i = 0; i < COMMANDS; i++) {
    printf("  %-14s%s\n", commands[i].name, commands[i].help);
  }
  printf("\n  %-14s%s\n  %-14s%s\n  %-14s%s\n", "help COMMAND", "the options of a command", "--version",
         "the version of the library", "--help", "this text");
  printf("\nExit codes: 0 done, 1 a finding where asked, 2 bad usage or input.\n");
  return EXIT_DONE;
}

static int run_command(const char *name, int argc, char **argv) {
  for (size_t i = 0; i < COMMANDS; i++) {
    if (strcmp(name, commands[i].name) == 0) {
      return commands[i].run(argc, argv);
    }
  }
  return cli_fail("%s: no command of toi; toi --help lists them", name);
}

static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    return cli_fail("no command is given; toi --help lists them");
  }
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0) {
    printf("toi %s\n", toi_version());
    return EXIT_DONE;
  }
  bool asks = strcmp(name, "help") == 0;
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (asks && argc == 2)) {
    return help();
  }
  if (asks) {
    char option[] = "--help";
    char *words[] = {option, NULL};
    return run_command(argv[2], 1, words);
  }
  return run_command(name, argc - 2, argv + 2);
}

int main(int argc, char **argv) {
  json_start();
  int result = dispatch(argc, argv);
  /* A full disk behind a redirection shows only when the last bytes leave. */
  if (fflush(stdout) != 0 || ferror(stdout) != 0) {
    return cli_fail("standard output cannot be written: %s; check where it goes", strerror(errno));
  }
  return result;
}
