/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The options that say what is asked, the same for all commands that ask methods. */

#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H

#include <toi/narrow.h>

#include "options.h"

typedef struct question {
  toi_options toi;
  const char *norm, *inclusion, *scene_bound; /* as given */
} question;

/* Rows of a table of options, for a question q. --min-separation is the command's own. */
#define QUESTION_OPTIONS(q)                                                                                            \
  {"--tolerance", OPTION_REAL, &(q)->toi.tolerance, "D", "for methods that need one; positive (default 1e-6)"},        \
      {"--t-max", OPTION_REAL, &(q)->toi.t_max, "T", "considers the times from 0 to T, T in [0, 1] (default 1)"},      \
      {"--separation-fraction", OPTION_REAL, &(q)->toi.separation_fraction, "F",                                       \
       "sets D of each pair to F times its initial distance, rounded down"},                                           \
      {"--norm", OPTION_TEXT, &(q)->norm, "l2|linf", "norm of the separation (default l2)"},                           \
      {"--max-checks", OPTION_NUMBER, &(q)->toi.max_checks, "N",                                                       \
       "limit of checks for methods that search (see toi methods); 0: the method's own (default)"},                    \
      {"--inclusion", OPTION_TEXT, &(q)->inclusion, "aabb|obb",                                                        \
       "boxes of time-inclusion: axis-aligned or oriented (default obb)"},                                             \
      {"--no-zero-toi", OPTION_FLAG, &(q)->toi.no_zero_toi, NULL,                                                      \
       "methods that search refine further before they answer time 0"},                                                \
  {                                                                                                                    \
    "--scene-bound", OPTION_TEXT, &(q)->scene_bound, "X,Y,Z",                                                          \
        "largest |x|, |y|, |z| of the scene: one filter of tight-inclusion for all queries"                            \
  }

question question_default(void);

/* Settles the texts into the options. What is wrong with the values; NULL if nothing is. */
const char *question_fault(question *q);

/* The same of --repeat. */
const char *repeat_fault(uint64_t repeat);

#endif
