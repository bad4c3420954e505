/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What models are made of in files, beside patches: NURBS surfaces and Hermite patches.
 *   {"degree": [p, q] or p, "knots": [[...], [...]], "periodic": [false, false] or false,
 *    "points": [[[x, y, z], ...], ...], "velocities": the same, "weights": [[w, ...], ...]}
 * points, velocities and weights as a list of rows in u, each a list in v; "periodic" and the last two may be missing.
 *   {"corners": [C, C, C, C], "velocities": the same}
 * for (u, v) = (0, 0), (0, 1), (1, 0), (1, 1), each C = [position, d/du, d/dv, d2/dudv]. */

#ifndef TOI_IO_MODEL_PARTS_H
#define TOI_IO_MODEL_PARTS_H

#include <toi/surface.h>

#include "io/tree.h"

/* Each reads one and makes it a model; on failure the model is empty. */
toi_status toi_nurbs_read(toi_json *json, toi_model *model);
toi_status toi_hermite_read(toi_json *json, toi_model *model);

/* A model in a tree: an object as model files have it, or a single patch or NURBS surface. On failure it is empty. */
typedef enum toi_model_part { TOI_MODEL_WHOLE, TOI_MODEL_PATCH, TOI_MODEL_NURBS } toi_model_part;
toi_status toi_model_from_tree(const toi_tree *tree, const toi_json_node *node, toi_model_part part, toi_model *model);

/* A failure to make a model from what was read, in this line, as one of the file; other statuses as they are. */
toi_status toi_json_fail_made(const toi_json *json, const char *field, size_t line, toi_status status);

#endif
