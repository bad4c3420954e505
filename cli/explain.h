/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the parts of `toi explain` share: a query, and the explanation of its answer. */

#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <toi/explain.h>

#include "json.h"
#include "output.h"
#include "question.h"

typedef struct explain_options {
  question asked; /* method included */
  const char *kind, *points, *picture;
  uint64_t index;
  bool json;
  char **paths;
  int path_count;
} explain_options;

parse_result explain_options_parse(int argc, char **argv, explain_options *o);

typedef struct explained {
  toi_kind kind;
  double points[2][4][3];
  toi_explanation why;
} explained;

void explain_print(const explained *query);
json_t *explain_json(const explained *query);

/* The cubic with its bounds and roots, and the hull at a root, as SVG, appended. */
toi_status explain_draw(const explained *query, output *out);

/* The time at which the hull is drawn: the first contact, else the first root; NaN if there is none. */
double explain_moment(const explained *query);

#endif
