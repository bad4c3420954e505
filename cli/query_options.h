/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command line of `toi query`. */

#ifndef CLI_QUERY_OPTIONS_H
#define CLI_QUERY_OPTIONS_H

#include "question.h"
#include "session.h"

typedef struct query_options {
  question asked;
  const char *kind;   /* NULL: what each path says */
  const char *method; /* NULL: the plug-ins, or without one the default */
  const char *truth, *out, *certificates;
  text_list plugins;
  uint64_t threads, repeat, samples, memory;
  session_device device;
  bool fail_on_hit, counters, json;
  char **paths;
  int path_count;
} query_options;

/* Reads and checks everything that can be checked without opening a file. */
parse_result query_options_parse(int argc, char **argv, query_options *q);

#endif
