/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All that `toi step` says about a step, with one rank and with many. */

#ifndef CLI_STEP_TABLE_H
#define CLI_STEP_TABLE_H

#include "examine.h"
#include "step_report.h"

void print_step(const stepping *s, const step_answer *answer, const examination *at_start);

/* step_json(), and the start. */
json_t *step_whole_json(const stepping *s, const step_answer *answer, const examination *at_start);

#endif
