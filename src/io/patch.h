/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Patches in JSON files, as cases and models have them:
 *   {"type": "quad" or "triangle", "degree": [m, n] or n, "points": [[x, y, z], ...],
 *    "velocities": [[x, y, z], ...], "weights": [w, ...], "error": e, "velocity_error": e}
 * where all from "velocities" on may be missing, the first two of them also null. In models, too, "domain": [u_lo,
 * u_hi, v_lo, v_hi]. */

#ifndef TOI_IO_PATCH_H
#define TOI_IO_PATCH_H

#include <toi/surface.h>

#include "io/array.h"
#include "io/json.h"
#include "io/writer.h"

/* Of a quad of the highest degree. */
#define TOI_PATCH_POINTS_MOST ((TOI_PATCH_DEGREE_MOST + 1) * (TOI_PATCH_DEGREE_MOST + 1))

/* A patch that is being read, and room for any. */
typedef struct toi_patch_draft {
  toi_patch patch; /* its arrays are those below */
  double domain[4];
  bool has_domain;
  size_t point_count, velocity_count, weight_count;
  double points[TOI_PATCH_POINTS_MOST][3];
  double velocities[TOI_PATCH_POINTS_MOST][3];
  double weights[TOI_PATCH_POINTS_MOST];
} toi_patch_draft;

/* Reads and checks a patch; of a model: it may have a domain. */
toi_status toi_patch_read(toi_json *json, toi_patch_draft *draft, bool of_model);

/* Parts that other forms have too: [m, n] or n for both, from `least` on; a weight. */
toi_status toi_patch_read_degree(toi_json *json, uint32_t least, uint32_t degree[2]);
toi_status toi_patch_read_weight(toi_json *json, double *weight);

/* Why a form has no field "weight_velocities". */
#define TOI_PATCH_WEIGHTS_REST "weights cannot move; leave this field out if they do not"

/* Writes a checked patch, in one line; domain NULL: it has none. */
void toi_patch_write(toi_writer *writer, const toi_patch *patch, const double *domain);

/* --- control points of many patches, one behind the other --- */

/* Appends the arrays of a patch. They may move later: until toi_patch_bind(), the patch's own pointers only say which
 * of them there are. */
toi_status toi_patch_store(toi_context *context, toi_numbers *numbers, const toi_patch *patch);

/* Points a patch to its arrays at *next, which goes on to the next patch's: in the order in which they were stored. */
void toi_patch_bind(toi_patch *patch, const double **next);

#endif
