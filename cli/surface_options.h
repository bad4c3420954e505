/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command line of `toi surface`. */

#ifndef CLI_SURFACE_OPTIONS_H
#define CLI_SURFACE_OPTIONS_H

#include <toi/surface.h>

#include "options.h"

/* What the words of a command line ask for. */
typedef enum surface_mode {
  SURFACE_CASES,       /* a file of pairs of patches */
  SURFACE_CONVERGENCE, /* the same pairs, tolerance by tolerance */
  SURFACE_MODELS,      /* two models, or one with itself */
  SURFACE_SCENE,       /* likewise, from a file that says how they move */
  SURFACE_DEMO
} surface_mode;

/* Where a model is put, and how it moves from there. */
typedef struct surface_motion {
  double shift[3];
  double spin[3], centre[3]; /* of the model where it is put */
  double velocity[3];
} surface_motion;

typedef struct surface_options {
  surface_mode mode;
  toi_surface_options toi;
  const char *norm, *inclusion, *accept; /* as given */
  const char *method;                    /* NULL: the default; maybe "all" */
  const char *velocity[2], *shift[2], *spin[2], *centre[2];
  surface_motion motion[2];            /* the same, read */
  double t_max, simultaneity, spacing; /* NaN: not given */
  const char *out, *demo, *view, *viewer;
  uint64_t threads, samples, memory;
  bool self, contacts, convergence, fail_on_hit, json;
  char **paths;
  int path_count;
} surface_options;

/* Reads and checks everything that can be checked without opening a file. */
parse_result surface_options_parse(int argc, char **argv, surface_options *s);

#endif
