/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The earliest of many contacts, by the rule for ties: earlier exact time, then kind, then first, then second number.
 * The rule is a total order, so it does not matter in which order, or on which thread, contacts are met. */

#ifndef TOI_SCENE_EARLIEST_H
#define TOI_SCENE_EARLIEST_H

#include <toi/scene.h>

#include "scene/mesh_call.h"

typedef struct toi_earliest {
  toi_impact impact; /* a miss: none yet */
  bool refined;      /* its hit is the one that `exact` gives */
} toi_earliest;

/* The offered contact replaces the earliest if it comes before it. Where the brackets do not tell, both are
 * refined in integers. by_bracket: no proved contacts; t_lo decides instead of the exact time. */
toi_status toi_earliest_offer(const toi_mesh_call *call, uint32_t thread, toi_earliest *earliest,
                              const toi_earliest *offered, bool by_bracket);

/* The hit of the earliest becomes the one that `exact` gives. */
toi_status toi_earliest_refine(const toi_mesh_call *call, uint32_t thread, toi_earliest *earliest);

#endif
