/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command line of `toi contact`. */

#ifndef CLI_CONTACT_OPTIONS_H
#define CLI_CONTACT_OPTIONS_H

#include <toi/contact.h>

#include "options.h"

typedef struct contact_options {
  double t_max, tolerance, simultaneity, spacing; /* NaN: as the scene says */
  double until;                                   /* NaN: the first contact alone is asked for */
  double max_seconds, min_separation;             /* likewise */
  uint64_t max_boxes, memory, threads;            /* 0: likewise, session_memory(), one for each processor */
  const char *incoming, *order, *newton;          /* NULL: as the scene says */
  const char *without;                            /* names with commas between; NULL: none */
  const char *eye;                                /* X,Y,Z as given */
  double from[3];                                 /* the same, read: where the eye of the picture is */
  const char *inside;                             /* X,Y,Z as given */
  double point[3];                                /* the same, read */
  const char *out, *picture, *view, *viewer;
  bool compare, convert, fail_on_hit, json;
  char **paths;
  int path_count;
} contact_options;

/* Reads and checks everything that can be checked without opening a file. */
parse_result contact_options_parse(int argc, char **argv, contact_options *c);

/* What is given, over what the scene says. */
void contact_options_apply(const contact_options *c, toi_contact_options *asked);

#endif
