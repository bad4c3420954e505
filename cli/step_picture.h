/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi step --picture`: the mesh at its first impact as SVG: shaded, hidden surfaces hidden, the first contact marked,
 * and a second view close to it. */

#ifndef CLI_STEP_PICTURE_H
#define CLI_STEP_PICTURE_H

#include "output.h"
#include "stepping.h"

/* Three numbers separated by commas, not all 0; false if the text is something else. */
bool picture_eye(const char *text, double from[3]);

/* A mesh at a time. */
typedef struct picture {
  const toi_mesh *mesh;
  const toi_impact *impact; /* a miss: nothing is marked */
  double t;                 /* between the mesh's start and end */
  const char *caption;      /* without what XML reserves */
  const uint32_t *groups;   /* of each face, which get different colours; NULL: one colour */
} picture;

/* Appends the picture, seen from the direction `from`. Returns EXIT_DONE, or EXIT_BAD after its line. */
int picture_draw(const toi_context *context, const picture *of, const double from[3], output *out);

/* The same of a step. */
int step_draw(const stepping *asked, const toi_mesh *mesh, const toi_impact *impact, const double from[3], output *out);

#endif
