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
json_t *kinds_json(const uint64_t counts[TOI_COUNTERS], size_t half_spaces);

/* The lines about the first impact. */
void print_impact(const toi_impact *impact);

/* Pairs by kind, and of these the colliding ones where they are known. */
void print_pairs(const step_answer *answer);

/* The separation, if there is one. */
void print_separation(const toi_options *options);

/* "vertex 12 with face 3" */
void impact_text(const toi_impact *impact, char *text, size_t size);

/* The same with another word between the two. */
void pair_text(toi_kind kind, toi_pair pair, const char *word, char *text, size_t size);

/* The name of a line in front of what it says. */
void print_label(const char *label);

/* {"lo":..., "hi":..., "safe":...}, and the first pair with all that is known about it; null for a miss. */
json_t *toi_json(const toi_hit *hit);
json_t *first_json(const toi_impact *impact);

/* Something to read instead of bytes: "21.4 MiB". */
void bytes_text(uint64_t bytes, char *text, size_t size);

#endif
