/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All that `toi line-search` says about a step, with one rank and with many. */

#ifndef CLI_LINE_REPORT_H
#define CLI_LINE_REPORT_H

#include "json.h"
#include "stepping.h"

typedef struct line_facts {
  const step_options *options;
  const stepping *stepping;
  size_t vertices, edges, faces;
  toi_advance advance;
  double ms;
} line_facts;

void line_search_print(const line_facts *l);
json_t *line_search_json(const line_facts *l);

#endif
