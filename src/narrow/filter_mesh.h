/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh as kernels read it: vertices in rows of doubles, primitives by vertex number. */

#ifndef TOI_NARROW_FILTER_MESH_H
#define TOI_NARROW_FILTER_MESH_H

#include <toi/narrow.h>

/* Doubles from one vertex to the next. */
#define TOI_STILL_ROW 4  /* x y z of one state, and one unused */
#define TOI_MOVING_ROW 8 /* the same of both states */

/* Every coordinate is finite. */
typedef struct toi_filter_mesh {
  const double *points;
  size_t row; /* one of the lengths above */
  const uint32_t (*edges)[2];
  const uint32_t (*faces)[3];
} toi_filter_mesh;

#endif
