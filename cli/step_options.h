/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command lines of `toi step` and `toi sequence`. */

#ifndef CLI_STEP_OPTIONS_H
#define CLI_STEP_OPTIONS_H

#include "question.h"

typedef struct step_options {
  question asked;   /* method and broad phase included */
  uint64_t threads; /* 0: one for each processor */
  uint64_t memory;  /* bytes beyond the mesh; 0: the machine's memory */
  const char *candidates, *hits;
  bool all, fail_on_hit, json;
  char **paths;
  int path_count;
} step_options;

/* Each reads and checks everything that can be checked without opening a file. */
parse_result step_options_parse(int argc, char **argv, step_options *o);
parse_result sequence_options_parse(int argc, char **argv, step_options *o);

#endif
