/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command `toi`: finds the command that is meant, and makes sure that what it printed was printed. */

#include <stdio.h>
#include <string.h>
#include <toi/base.h>

#include "commands.h"
#include "json.h"
#include "options.h"
#include "ranks.h"
#include "standard.h"
#include "suggest.h"

#ifndef TOI_WITHOUT_GMP
#include "planted/memory.h"
#endif

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *help;
} commands[] = {
    {"query", command_query, "decides the queries of files, and measures the time"},
    {"explain", command_explain, "shows why one query is answered as it is: levels, cubic, roots"},
    {"step", command_step, "finds the first impact of a step of a whole mesh, and all collisions"},
    {"sequence", command_sequence, "checks an animation step by step"},
    {"check", command_check, "finds where one mesh intersects itself"},
    {"line-search", command_line_search, "finds the largest safe step of a mesh, and writes the positions there"},
    {"surface", command_surface, "finds the first contact of curved surfaces: patches, or models made of them"},
    {"contact", command_contact, "finds all points of first contact of moving surfaces given by name or formula"},
    {"sweep", command_sweep, "finds the first contact of rigid bodies that turn, on paths and joints"},
    {"view", command_view, "writes a page that shows meshes or curved scenes, with the answer, in a browser"},
    {"bench", command_bench, "compares methods on sets of queries: errors, tightness and time, side by side"},
    {"demo", command_demo, "shows a falling cloth, or decides queries whose answers are known"},
    {"devices", command_devices, "lists the devices of OpenCL, and whether they can be used"},
    {"methods", command_methods, "lists the methods and what each promises"},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static int help(void) {
  printf("toi: two objects move; when do they first touch?\n\nusage: toi COMMAND [OPTION...]\n\n");
  for (size_t i = 0; i < COMMANDS; i++)
    printf("  %-14s%s\n", commands[i].name, commands[i].help);
  printf("\n  %-14s%s\n  %-14s%s\n  %-14s%s\n", "help COMMAND", "explains a command and its options", "--version",
         "prints the version", "--help", "prints this text");
  printf("\nExit codes: 0 done; 1 something touches and --fail-on-hit was given, or a demo found a wrong answer; 2 "
         "error.\n");
  return EXIT_DONE;
}

static int run_command(const char *name, int argc, char **argv) {
  suggestion s = suggestion_for(name, strlen(name));
  for (size_t i = 0; i < COMMANDS; i++) {
    if (strcmp(name, commands[i].name) == 0)
      return commands[i].run(argc, argv);
    suggestion_consider(&s, commands[i].name);
  }
  if (s.nearest != NULL)
    return cli_fail("unknown command '%s'; did you mean '%s'? toi --help lists all commands", name, s.nearest);
  return cli_fail("unknown command '%s'; toi --help lists all commands", name);
}

static int dispatch(int argc, char **argv) {
  if (argc < 2)
    return cli_fail("a command is missing; toi --help lists all commands");
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0) {
    printf("toi %s\n", toi_version());
    return EXIT_DONE;
  }
  bool asks = strcmp(name, "help") == 0;
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (asks && argc == 2))
    return help();
  if (asks) {
    char option[] = "--help";
    char *words[] = {option, NULL};
    return run_command(argv[2], 1, words);
  }
  return run_command(name, argc - 2, argv + 2);
}

int main(int argc, char **argv) {
  standard_start();
#ifndef TOI_WITHOUT_GMP
  planted_use_own_memory("toi");
#endif
  json_start();
  return standard_finish(ranks_started() > 1 ? ranks_run(argc, argv) : dispatch(argc, argv));
}
