/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The earliest contact of a scene of rigid bodies. */

#ifndef TOI_SCENE_RIGID_STEP_H
#define TOI_SCENE_RIGID_STEP_H

#include "scene/rigid_search.h"

/* The safe answer: near, from 0. */
toi_rigid_impact toi_rigid_impact_unknown(void);

/* The earliest contact up to the options' t_max; untouched on failure. */
toi_status toi_rigid_step_of_call(const toi_rigid_call *call, toi_rigid_impact *impact);

/* All contacts up to the options' t_max, as toi_rigid_scene_collisions() delivers them. */
toi_status toi_rigid_collisions_of_call(const toi_rigid_call *call, toi_rigid_visitor visit, void *user);

#endif
