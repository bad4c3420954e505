/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whether one state of a mesh intersects itself: what `toi check` is about, and what `toi step` and `toi sequence` say
 * about their first frame. */

#ifndef CLI_EXAMINE_H
#define CLI_EXAMINE_H

#include "json.h"
#include "stepping.h"

typedef struct examination {
  /* Sees every pair; may be NULL. */
  toi_crossings_visitor visit;
  void *visit_user;

  /* The outcome. */
  bool done;
  uint64_t crossings, touching; /* edges through faces, and pairs that touch */
  bool half_spaces;             /* there are some */
  uint64_t behind, on_plane;    /* vertices and half-spaces that meet */
  toi_crossing first;           /* if there is one */
  double ms;
} examination;

/* Examines the mesh's start. place stands in front of what goes wrong. Returns EXIT_DONE, or EXIT_BAD after its line.
 */
int examine(stepping *s, const toi_mesh *mesh, const char *place, examination *e);

/* The same for a step or the first frame of a sequence, if the options want it; the first part of the work. */
int examine_start(stepping *s, const toi_mesh *mesh, const char *place, examination *e);

/* Counts a pair; they come in order. */
void examination_count(examination *e, const toi_crossing *crossing);

bool examination_found(const examination *e);

/* "edge 12 passes through face 3", "vertex 4 touches face 0" */
void crossing_text(const toi_crossing *crossing, char *text, size_t size);

/* {"kind":"ef"|"vf"|..., "a":..., "b":...}, or null. */
json_t *crossing_json(const examination *e);

/* {"behind":..., "touching":...}: vertices behind planes, and on them. */
json_t *half_spaces_json(const examination *e);

/* {"intersects":..., "crossings":..., "touching":...}, with half-spaces "half_spaces" too, or null if nothing was
 * examined. */
json_t *start_json(const examination *e);

/* A line about the start of a step; nothing if it was not examined. */
void print_start(const examination *e);

#endif
