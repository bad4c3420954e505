/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The answer of `toi sweep` for the eye: a picture, and a page. Poses between those of the scene are computed in
 * doubles here, for drawing alone. */

#ifndef CLI_SWEEP_SHOW_H
#define CLI_SWEEP_SHOW_H

#include "page_curved.h"
#include "sweep.h"

/* The bodies at a time of the scene's, as SVG: NaN: at the first contact or, if there is none, at the end. Returns
 * EXIT_DONE, or EXIT_BAD after its line. */
int sweep_draw(toi_context *context, const sweep_answer *answer, double at, const double from[3], output *out);

/* Of an open page: meshes and motions as JSON, {"bodies": [{"name", "vertices", "faces", "edges"}], "times", "pieces":
 * [[{"law", "start", "end"} of each body] of each piece]}, and the answer, which is released. */
int sweep_page(page_curved *p, const sweep_answer *answer, json_t *report);

#endif
