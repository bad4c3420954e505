/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command line. */

#ifndef SIMULATOR_OPTIONS_H
#define SIMULATOR_OPTIONS_H

#include "common.h"

typedef struct sim_options {
  const char *scene, *out, *iterates; /* out, iterates: NULL where nothing is to be written */
  long frames;                        /* 0: as many as the scene says */
  double resolution;
  long threads; /* 0: one for each CPU */
  bool check, resume, json, help;
} sim_options;

extern const char options_help[];

bool options_read(int count, char **arguments, sim_options *o, sim_fault *fault);

#endif
