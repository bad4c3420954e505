/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the fragments of the documents take for granted: the names that a reader's program has already. */

#ifndef PACKAGE_FRAGMENTS_H
#define PACKAGE_FRAGMENTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toi/toi.h>

#include "number/bernstein.h"
#include "number/interval.h"

enum { count = 4, vertices = 4 };
extern toi_context *context;
extern toi_scene *scene;
extern toi_positions positions;
extern toi_mesh mesh;
extern toi_options options;
extern toi_stencil_options stencil_options;
extern toi_stencil_arrays arrays;
extern toi_advance advance;
extern const double *start, *end;
extern const uint32_t (*faces)[3];
extern const uint8_t *fixed;
extern const void *rest_positions;
extern double distance, (*tried)[3];
extern struct {
  toi_stencil *list;
  size_t count;
} contacts;
extern FILE *file;
extern void *user;
extern toi_shape *ball, *bore, *front, *back, *left, *right, *top, *bottom;
extern toi_body solids[3];
extern toi_motion *placed;
extern toi_mesh door_mesh, wall_mesh;
extern toi_moving_body bodies[2], elbow, shoulder;
toi_status visit(void *user, const toi_contact_point *contact);
toi_status keep(void *user, const toi_stencil *stencils, size_t number);

#endif
