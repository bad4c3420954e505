/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command lines of `toi step`, `toi sequence`, `toi check` and `toi line-search`. */

#ifndef CLI_STEP_OPTIONS_H
#define CLI_STEP_OPTIONS_H

#include <toi/narrow.h>

#include "question.h"
#include "session.h"

typedef struct step_options {
  question asked;             /* method included */
  const char *broad, *filter; /* filter as given */
  uint64_t threads;           /* 0: one for each processor */
  session_device device;
  uint64_t memory; /* the most bytes; 0: session_memory() */
  const char *candidates, *hits, *out, *colour, *view, *viewer, *picture, *eye;
  double from[3]; /* where the picture is seen from: --eye, read */
  bool all, no_start_check, fail_on_hit, json;
  text_list half_space_texts;
  toi_half_space half_spaces[TEXT_LIST_MAX]; /* what these say */
  char **paths;
  int path_count;
} step_options;

/* Each reads and checks everything that can be checked without opening a file. */
parse_result step_options_parse(int argc, char **argv, step_options *o);
parse_result sequence_options_parse(int argc, char **argv, step_options *o);
parse_result check_options_parse(int argc, char **argv, step_options *o);
parse_result line_search_options_parse(int argc, char **argv, step_options *o);

#endif
