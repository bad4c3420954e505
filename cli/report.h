/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What `toi query` found, as a table for people or one JSON object. */

#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "files.h"
#include "tally.h"

/* One method over all files. */
typedef struct outcome {
  const char *method;
  tally total;
  tally *files; /* one a file */
} outcome;

typedef struct report {
  outcome *outcomes;
  size_t count;
  const file_list *files;
  uint32_t threads;
  bool list;   /* JSON has a list of methods, even of one */
  bool levels; /* show what each level of the cascade settled */
} report;

void report_table(const report *r);
void report_json(const report *r);

#endif
