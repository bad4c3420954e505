/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a run says: a bar on a terminal, nothing in a pipe, one line of JSON per frame if asked; and a table of where
 * the time went at the end. */

#ifndef SIMULATOR_REPORT_H
#define SIMULATOR_REPORT_H

#include "newton.h"

typedef struct sim_report {
  bool json, terminal, shown;
  long frames; /* the last one */
  double began, drawn;
} sim_report;

void report_start(sim_report *r, bool json, long frames);

/* Draws the bar, not too often. */
void report_iterate(sim_report *r, const sim_world *s, const sim_progress *p);

void report_frame(sim_report *r, const sim_progress *p, double seconds);

/* Takes the bar away. */
void report_clear(sim_report *r);

void report_end(sim_report *r, const sim_world *s);

#endif
