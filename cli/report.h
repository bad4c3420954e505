/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What `toi query` found, as a table for people or one JSON object. */

#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "contest.h"
#include "json.h"

typedef struct report {
  entry *entries;
  size_t count;
  const file_list *files;
  uint32_t threads;
  bool list;   /* JSON has a list of methods, even of one */
  bool levels; /* show what each level of the cascade settled */
} report;

void report_table(const report *r);
json_t *report_json(const report *r);

#endif
