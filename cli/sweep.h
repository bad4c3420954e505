/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What `toi sweep` found out, and how it is reported. */

#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include <toi/io.h>

#include "json.h"

typedef struct sweep_answer {
  const char *path;
  const toi_sweep_scene *scene;
  toi_rigid_contact first; /* a miss: none */
  double min_separation;
  bool all;
  toi_rigid_contact *contacts; /* with all: the first of each pair of bodies, by time */
  size_t contact_count;
  bool clearance; /* asked for */
  double clear_lo, clear_hi;
  toi_rigid_contact closest;  /* a miss: nothing is as close as was looked for */
  const char *free_body;      /* of --free; NULL: not asked */
  double free_range[2];       /* from, to: nothing touches strictly between */
  bool free_stopped[2];       /* by a contact, else by the limit */
  toi_rigid_contact stops[2]; /* the contacts */
  double load_ms, ms;
} sweep_answer;

json_t *sweep_json(const sweep_answer *answer);
void sweep_print_table(const sweep_answer *answer);

#endif
