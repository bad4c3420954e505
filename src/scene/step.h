/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The earliest impact, for toi_step() and for line searches. */

#ifndef TOI_SCENE_STEP_H
#define TOI_SCENE_STEP_H

#include "scene/mesh_call.h"
#include "scene/pair_lists.h"

/* What a line search asks beyond the earliest impact: which pairs are not cleared for every straight motion to
 * positions that differ by at most `rounding` in a coordinate from those at some time up to the impact, or up to t_max.
 */
typedef struct toi_step_aim {
  double rounding;
  toi_pair_lists *suspects; /* NULL: nothing beyond; filled in if the impact was found */
} toi_step_aim;

/* The earliest impact of the call, in its own time and with its own separation. */
toi_status toi_step_search(const toi_mesh_call *call, toi_step_aim aim, toi_impact *impact);

/* The earliest impact among suspects, which are complete. */
toi_status toi_step_of_suspects(const toi_mesh_call *call, const toi_pair_lists *suspects, toi_impact *impact);

#endif
