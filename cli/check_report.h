/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All that `toi check` says about a mesh, with one rank and with many. */

#ifndef CLI_CHECK_REPORT_H
#define CLI_CHECK_REPORT_H

#include "examine.h"
#include "patches.h"

/* Patches that the table lists. */
#define CHECK_ROWS 10

typedef struct check_facts {
  const step_options *options;
  const toi_context *context;
  size_t vertices, edges, faces, half_spaces;
  examination found;
  patches patches;
  double places[CHECK_ROWS][3]; /* of the first patches */
} check_facts;

void check_print(const check_facts *c);
json_t *check_json(const check_facts *c);

#endif
