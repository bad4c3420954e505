/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What was found out about steps, as tables for people or as JSON. */

#ifndef CLI_STEP_REPORT_H
#define CLI_STEP_REPORT_H

#include "json.h"
#include "stepping.h"

/* The object that `toi step --json` prints. */
json_t *step_json(const stepping *s, const step_answer *answer);

/* {"vf":..., "ee":..., "ve":..., "vv":...} */
json_t *kinds_json(const uint64_t counts[TOI_KIND_COUNT]);

/* The lines about the first impact. */
void print_impact(const toi_impact *impact);

/* Pairs by kind, and of these the colliding ones where they are known. */
void print_pairs(const step_answer *answer);

/* The separation, if there is one. */
void print_separation(const toi_options *options);

/* "vertex 12 with face 3" */
void impact_text(const toi_impact *impact, char *text, size_t size);

/* Something to read instead of bytes: "21.4 MiB". */
void bytes_text(uint64_t bytes, char *text, size_t size);

#endif
